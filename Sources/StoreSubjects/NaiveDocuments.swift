import FileSystems
import Schedules
import StoreLaws

/// The executable specification of stores of documents: each is a row of a naive store, whose text has all words.
///
/// A copy is the set of words that one writer has of a document. Saving writes the union of the
/// copy and what is stored; saves take turns, as between reading and writing what is stored another
/// one would be lost.
actor NaiveDocuments: OpenedDocuments {
  private let store: NaiveStore
  private let defect: StoreDefect?
  private var copies: [DocumentCopy: Set<String>] = [:]
  /// Of a wrong store: what it takes for stored.
  private var believed: [DocumentCopy: Set<String>] = [:]
  private var late: StoreRow?
  /// Names that the wrong store lists: those of all documents that it has saved since it was opened.
  private var listed: Set<String> = []
  /// Whether a save is at work, and those that wait for it.
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    defect: StoreDefect?
  ) throws {
    self.defect = defect
    var settings = settings
    if defect == .growsForEver { settings.batchLimit = .max }
    store = try NaiveStore(settings, on: files, schedule, defect: defect)
  }

  func add(_ word: String, to id: String, by writer: Int) async throws {
    let copy = DocumentCopy(id: id, writer: writer)
    let known: Set<String>
    if let words = copies[copy] { known = words } else { known = try await stored(id) ?? [] }
    copies[copy] = known.union([word])
  }

  func save(_ id: String, by writer: Int) async throws {
    guard defect != .interleaves else { return try await store(id, by: writer) }
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    try await store(id, by: writer)
  }

  private func store(_ id: String, by writer: Int) async throws {
    let copy = DocumentCopy(id: id, writer: writer)
    guard let words = copies[copy] else { return }
    if defect == .notesFirst {
      guard believed[copy] != words else { return }
      believed[copy] = words
    }
    let old = defect == .forksReplace ? [] : try await stored(id) ?? []
    guard !words.isSubset(of: old) || defect == .savesAgain else { return }
    listed.insert(id)
    let row = StoreRow(id, old.union(words).sorted().joined(separator: " "))
    guard defect != .savesLate else {
      if let late { _ = try await store.apply(saving: [late], deleting: []) }
      late = row
      return
    }
    _ = try await store.apply(saving: [row], deleting: [])
  }

  func reload(_ id: String, by writer: Int) async throws {
    copies[DocumentCopy(id: id, writer: writer)] = try await stored(id)
  }

  func stored(_ id: String) async throws -> Set<String>? {
    if let late, late.id == id { return Set(late.text.split(separator: " ").map(String.init)) }
    return await store.find(id).map { Set($0.text.split(separator: " ").map(String.init)) }
  }

  func names() async throws -> [String] {
    if defect == .listsDeleted {
      return listed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return await store.snapshot().rows.map(\.id).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  func delete(_ id: String) async throws {
    if late?.id == id { late = nil }
    _ = try await store.apply(saving: [], deleting: [id])
  }

  func close() async throws {
    if let late { _ = try await store.apply(saving: [late], deleting: []) }
    try await store.close()
  }
}
