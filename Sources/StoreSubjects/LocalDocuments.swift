import AutomergeDocument
import DocumentStorage
import FileSystems
import Foundation
import LocalStore
import Schedules
import StoreLaws

/// Our store of documents before the laws: words are keys of a document's root.
actor LocalDocuments: OpenedDocuments {
  private let repository: DocumentRepository
  /// Of this opening: writers of another one have other names.
  private let number: Int
  private var copies: [DocumentCopy: Document] = [:]
  private var actorCount = 0

  init(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    number: Int
  ) throws {
    self.number = number
    do throws(StoreError) {
      repository = try DocumentRepository(
        directory: settings.directory,
        settings.name,
        StoreOptions(
          durability: StoreDurability(settings.level),
          itemLimit: settings.itemLimit,
          batchLimit: settings.batchLimit,
          compactionFloor: settings.compactionFloor
        ),
        on: files,
        executor: schedule.fileExecutor
      )
    } catch {
      throw StoreComplaint(error)
    }
  }

  private func asked<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as StoreError {
      throw StoreComplaint(error)
    }
  }

  /// A document that this writer goes on with: no two have one actor.
  ///
  /// Bytes of the actor are the opening, then the copy, both modulo 256: a law opens and loads
  /// fewer times.
  private func owned(_ document: Document) -> Document {
    actorCount += 1
    var bytes = [UInt8](repeating: 0, count: 16)
    bytes[0] = UInt8(truncatingIfNeeded: number)
    bytes[1] = UInt8(truncatingIfNeeded: actorCount)
    if let actor = ActorId(data: Data(bytes)) { document.actor = actor }
    return document
  }

  private func loaded(_ id: String) async throws -> Document? {
    try await asked { try await repository.load(id) }
  }

  /// A writer's copy, which begins with what is stored.
  private func copy(of id: String, by writer: Int) async throws -> Document {
    let copy = DocumentCopy(id: id, writer: writer)
    if let known = copies[copy] { return known }
    let document = owned(try await loaded(id) ?? Document())
    copies[copy] = document
    return document
  }

  func add(_ word: String, to id: String, by writer: Int) async throws -> [UInt8] {
    let document = try await copy(of: id, by: writer)
    let before = document.heads()
    try document.put(obj: .ROOT, key: word, value: .Boolean(true))
    // To ask for the heads ends the change: it has this word alone.
    let made = document.heads().subtracting(before).first.flatMap { document.change(hash: $0) }
    return made.map { [UInt8]($0.bytes) } ?? []
  }

  func take(_ change: [UInt8], into id: String, by writer: Int) async throws {
    let document = try await copy(of: id, by: writer)
    try document.applyEncodedChanges(encoded: Data(change))
  }

  func adopt(_ other: any OpenedDocuments) async {
    guard let other = other as? LocalDocuments else { return }
    copies = await other.copies
  }

  func unsent(_ id: String, by writer: Int) async throws -> [UInt8] {
    // Of a fork: to ask the document itself would count as having sent.
    copies[DocumentCopy(id: id, writer: writer)].map { [UInt8]($0.fork().encodeNewChanges()) } ?? []
  }

  func save(_ id: String, by writer: Int) async throws {
    guard let document = copies[DocumentCopy(id: id, writer: writer)] else { return }
    try await asked { try await repository.save(document, as: id) }
  }

  func reload(_ id: String, by writer: Int) async throws {
    copies[DocumentCopy(id: id, writer: writer)] = try await loaded(id).map { owned($0) }
  }

  func stored(_ id: String) async throws -> Set<String>? {
    try await loaded(id).map { Set($0.keys(obj: .ROOT)) }
  }

  func names() async throws -> [String] { await repository.documents }

  func delete(_ id: String) async throws {
    try await asked { try await repository.delete(id) }
  }

  func close() async throws { try await asked { try await repository.close() } }
}
