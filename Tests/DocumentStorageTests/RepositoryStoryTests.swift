import AutomergeDocument
import DocumentStorage
import FaultInjection
import FileSystems
import Foundation
import LocalStore
import PropertyEngine
import Testing

/// Documents that are edited, exchanged and stored, beside the sets of changes that they have.
private final class Story {
  private typealias Hashes = Set<ChangeHash>

  private struct Holding {
    var applied: Hashes = []
    var waiting: Hashes = []

    /// Waiting changes whose dependencies are all there are applied.
    mutating func settle(_ dependencies: [ChangeHash: Hashes]) {
      waiting.subtract(applied)
      while let ready = waiting.first(where: { dependencies[$0]?.isSubset(of: applied) ?? false }) {
        waiting.remove(ready)
        applied.insert(ready)
      }
    }

    mutating func take(_ other: Holding, _ dependencies: [ChangeHash: Hashes]) {
      applied.formUnion(other.applied)
      waiting.formUnion(other.waiting)
      settle(dependencies)
    }
  }

  private let files: MemoryFiles
  private var repository: DocumentRepository
  private var documents: [Document] = []
  private var holdings: [Holding] = []
  private var stored: [String: Holding] = [:]
  /// Of every change that was made.
  private var dependencies: [ChangeHash: Hashes] = [:]
  private var chunks: [(hash: ChangeHash, bytes: Data)] = []
  private var actorCount: UInt8 = 0
  private(set) var told: [String] = []

  init() throws {
    var disk = MemoryDisk()
    disk.makeFolders(["d"])
    files = MemoryFiles(disk)
    repository = try Self.open(files)
    for _ in 0..<3 { try add(Document(), Holding()) }
  }

  private static func open(_ files: MemoryFiles) throws -> DocumentRepository {
    try DocumentRepository(
      directory: "/d",
      "documents",
      StoreOptions(durability: .data, compactionFloor: 1024),
      on: files
    )
  }

  private func add(_ document: Document, _ holding: Holding) throws {
    actorCount += 1
    document.actor = try #require(ActorId(data: Data([actorCount])))
    documents.append(document)
    holdings.append(holding)
  }

  func step(_ choices: inout Choices) async throws {
    let place = choices.index(below: documents.count)
    let document = documents[place]
    let id = choices.element(of: ["a", "b"])
    switch choices.pick(weights: [6, 2, 4, 6, 4, 1, 1]) {
    case 0:
      let length = choices.element(of: [1, 20, 3000])
      told.append("edit \(place) by \(length)")
      for _ in 0...choices.index(below: 2) {
        let text = String(repeating: "x", count: length) + "\(actorCount) \(chunks.count)"
        try document.put(obj: .ROOT, key: "k\(choices.index(below: 3))", value: .String(text))
        let hash = try #require(document.heads().subtracting(holdings[place].applied).first)
        let change = try #require(document.change(hash: hash))
        chunks.append((hash, change.bytes))
        dependencies[hash] = Set(change.deps)
        holdings[place].applied.insert(hash)
        holdings[place].settle(dependencies)
      }
    case 1:
      let other = choices.index(below: documents.count)
      told.append("merge \(other) into \(place)")
      try document.merge(other: documents[other])
      holdings[place].applied.formUnion(holdings[other].applied)
      holdings[place].settle(dependencies)
    case 2:
      guard !chunks.isEmpty else { return }
      let chunk = chunks[choices.index(below: chunks.count)]
      told.append("apply \(chunk.hash.debugDescription.prefix(6)) to \(place)")
      try document.applyEncodedChanges(encoded: chunk.bytes)
      holdings[place].waiting.insert(chunk.hash)
      holdings[place].settle(dependencies)
    case 3:
      told.append("save \(place) as \(id)")
      let twin = document.fork()
      try await repository.save(document, as: id)
      stored[id, default: Holding()].take(holdings[place], dependencies)
      if choices.flag(percent: 30) {
        #expect(
          document.encodeNewChanges() == twin.encodeNewChanges(),
          "a save takes away what is new: \(told)"
        )
      }
    case 4:
      told.append("load \(id)")
      let loaded = try await repository.load(id)
      try check(loaded, stored[id])
      if let loaded, documents.count < 6, choices.flag() {
        try add(loaded, stored[id] ?? Holding())
      }
    case 5:
      told.append("delete \(id)")
      try await repository.delete(id)
      stored[id] = nil
    default:
      told.append("open again")
      try await repository.close()
      repository = try Self.open(files)
    }
    try check(document, holdings[place])
    #expect(await repository.documents == stored.keys.sorted())
  }

  private func check(_ document: Document?, _ holding: Holding?) throws {
    try #require((document == nil) == (holding == nil), "\(told)")
    guard let document, let holding else { return }
    try #require(Set(document.getHistory()) == holding.applied, "\(told)")
    let copy = document.fork()
    // What waited comes when what it waits for does.
    for chunk in chunks where !holding.waiting.contains(chunk.hash) {
      try copy.applyEncodedChanges(encoded: chunk.bytes)
    }
    try #require(Set(copy.getHistory()) == Set(dependencies.keys), "waiting changes: \(told)")
  }
}

@Suite("Documents in a store beside the changes that were saved")
struct RepositoryStoryTests {
  @Test("What is loaded is all that was saved, and saving leaves documents as they are")
  func stories() async throws {
    for seed in 0..<25 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let story = try Story()
      for _ in 0..<30 { try await story.step(&choices) }
    }
  }
}
