import FileSystems
import Foundation
import LocalStore
import Testing

/// The rows of the store, on the system's files.
///
/// Crashes and faults are in `StoreLawsTests`.
@Suite("Rows of the store")
struct RowTests {
  @Test(
    "AS-01 save: an item is replaced in its place, and what is written does not grow with the store"
  )
  func save() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open(StoreOptions(durability: .process, compactionFloor: 1 << 30))
    for index in 0..<200 { try await store.save(Note(id: "\(index)", text: "first")) }
    let journal = folder.store.appendingPathComponent("journal.1")
    func size() throws -> Int { try Data(contentsOf: journal).count }
    let before = try size()
    try await store.save(Note(id: "7", text: "second"))
    #expect(try size() - before < 200)
    #expect(await store.loadAll()[7] == Note(id: "7", text: "second"))
    #expect(await store.count == 200)
  }

  @Test("AS-02 delete: it may be repeated, and stays deleted after reopening")
  func delete() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    try await store.save(Note(id: "a", text: "x"))
    #expect(try await store.delete("a").isChange)
    #expect(try await !store.delete("a").isChange)
    try await store.close()
    let again = try await folder.open()
    #expect(await again.find(by: "a") == nil)
  }

  @Test("AS-03 find: what was saved is found, and nothing else")
  func find() async throws {
    let store = try await TemporaryFolder().open()
    try await store.save(Note(id: "a", text: "x"))
    #expect(await store.find(by: "a") == Note(id: "a", text: "x"))
    #expect(await store.find(by: "b") == nil)
  }

  @Test("AS-04 load all: the order of the first saving, of one moment")
  func loadAll() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    let ids = ["m", "z", "a", "k"]
    for id in ids { try await store.save(Note(id: id, text: "")) }
    try await store.save(Note(id: "z", text: "again"))
    try await store.delete("m")
    try await store.save(Note(id: "m", text: "back"))
    #expect(await store.loadAll().map(\.id) == ["z", "a", "k", "m"])
    let snapshot = await store.snapshot()
    #expect(snapshot.sequence == 7)
    try await store.close()
    let again = try await folder.open()
    #expect(await again.loadAll() == snapshot.items)
  }

  @Test("AS-05 open report: missing, empty, interrupted, closed, torn and damaged are told apart")
  func report() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    #expect(store.openReport.state == .missing)
    try await store.save(Note(id: "a", text: "x"))
    try await store.close()
    try await saveWithoutClosing(folder)
    // The last reference may still be on its way out.
    let interrupted = try await opened(folder)
    #expect(interrupted.openReport.state == .interrupted)
    try await interrupted.close()
    let journal = folder.store.appendingPathComponent("journal.1")
    let whole = try Data(contentsOf: journal)
    try (whole + Data([1, 2, 3])).write(to: journal)
    let torn = try await folder.open()
    #expect(torn.openReport.state == .torn)
    #expect(torn.openReport.truncatedByteCount == 3)
    #expect(await torn.count == 2)
    try await torn.close()
    let empty = try TemporaryFolder()
    try FileManager.default.createDirectory(at: empty.store, withIntermediateDirectories: false)
    #expect(try await empty.open().openReport.state == .empty)
  }

  private func saveWithoutClosing(_ folder: TemporaryFolder) async throws {
    let store = try await folder.open()
    #expect(store.openReport.state == .closed)
    #expect(store.openReport.itemCount == 1)
    try await store.save(Note(id: "b", text: "y"))
  }

  /// Opens once the instance before has gone.
  private func opened(_ folder: TemporaryFolder) async throws -> LocalRepository<Note> {
    for _ in 0..<2000 {
      if let store = try? await folder.open() { return store }
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    return try await folder.open()
  }

  @Test(
    "AS-06 corrupt file: refused by default, served read-only or given up on request, always kept"
  )
  func corrupt() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open(StoreOptions(durability: .data))
    for id in ["a", "b", "c"] { try await store.save(Note(id: id, text: "text")) }
    try await store.close()
    let journal = folder.store.appendingPathComponent("journal.1")
    var bytes = try Data(contentsOf: journal)
    bytes[130] ^= 1
    try bytes.write(to: journal)
    await #expect(throws: StoreError.self) { try await folder.open() }
    #expect(try Data(contentsOf: journal) == bytes)
    let reading = try await folder.open(StoreOptions(onDamage: .readOnly))
    #expect(reading.openReport.state == .damaged)
    await #expect(throws: StoreError.self) { try await reading.save(Note(id: "d", text: "")) }
    try await reading.close()
    let salvaged = try await folder.open(StoreOptions(onDamage: .salvage))
    try await salvaged.save(Note(id: "d", text: "later"))
    #expect(await salvaged.find(by: "d") != nil)
    let shelf = folder.store.appendingPathComponent("quarantine")
    let kept = try folder.names(shelf).map {
      try Data(contentsOf: shelf.appendingPathComponent($0))
    }
    #expect(kept.contains(bytes))
  }

  @Test("AS-07 undecodable item: named, not shown, and there for a version that decodes it")
  func undecodable() async throws {
    struct Later: Codable, Identifiable, Sendable {
      var id: String
      var text: [String]
    }
    let folder = try TemporaryFolder()
    let later = try await LocalRepository<Later>.open(directory: folder.url, filename: "notes.json")
    try await later.save(Later(id: "new", text: ["a", "b"]))
    try await later.close()
    let store = try await folder.open()
    #expect(store.openReport.undecodable == ["new"])
    #expect(await store.loadAll() == [])
    try await store.save(Note(id: "old", text: "x"))
    try await store.compact()
    // "Change it if it is there" would delete it, and "change it, or make it" replace it.
    for new in [nil, Note(id: "new", text: "y")] {
      let error = await #expect(throws: StoreError.self) {
        try await store.update("new") { _ in new }
      }
      #expect(error?.phase == .evaluate)
      #expect(
        error?.reason == .updateRefused(id: "new", explanation: "its bytes do not decode")
      )
    }
    try await store.close()
    let again = try await LocalRepository<Later>.open(directory: folder.url, filename: "notes.json")
    #expect(await again.find(by: "new")?.text == ["a", "b"])
    #expect(again.openReport.undecodable == ["old"])
    try await again.delete("old")
    try await again.close()
    #expect(try await folder.open().openReport.undecodable == ["new"])
  }

  /// The seed's file with these elements.
  private func write(_ text: String, _ folder: TemporaryFolder) throws -> Data {
    let data = Data(text.utf8)
    try data.write(to: folder.url.appendingPathComponent("notes.json"))
    return data
  }

  @Test(
    "AS-08 duplicate ids on import: refused, or the first, or the last",
    arguments: DuplicatePolicy.allCases
  )
  func duplicates(_ policy: DuplicatePolicy) async throws {
    let folder = try TemporaryFolder()
    _ = try write(
      #"[{"id":"a","text":"1","value":0},{"id":"b","text":"2","value":0},{"id":"a","text":"3","value":0}]"#,
      folder
    )
    let options = StoreOptions(onDuplicates: policy)
    guard policy != .fail else {
      let error = await #expect(throws: StoreError.self) { try await folder.open(options) }
      #expect(error?.reason == .duplicateIDs(["a"]))
      return
    }
    let store = try await folder.open(options)
    #expect(await store.loadAll().map(\.text) == [policy == .keepFirst ? "1" : "3", "2"])
  }

  @Test("AS-10 unencodable item: refused by itself, others go on")
  func unencodable() async throws {
    let store = try await TemporaryFolder().open()
    let error = await #expect(throws: StoreError.self) {
      try await store.save(Note(id: "nan", text: "", value: .nan))
    }
    #expect(error?.phase == .encode)
    #expect(error?.durableState == .old)
    try await store.save(Note(id: "a", text: "x"))
    #expect(await store.loadAll().map(\.id) == ["a"])
  }

  @Test(
    "AS-11 durability levels: memory is written by flush, the others at once",
    arguments: StoreDurability.allCases
  )
  func levels(_ level: StoreDurability) async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open(StoreOptions(durability: level))
    let journal = folder.store.appendingPathComponent("journal.1")
    let before = try Data(contentsOf: journal).count
    let commit = try await store.save(Note(id: "a", text: "x"))
    #expect(commit.durability == level)
    #expect((try Data(contentsOf: journal).count > before) == (level != .memory))
    try await store.flush()
    #expect(try Data(contentsOf: journal).count > before)
  }

  @Test("AS-16 file mode: 0600 in a folder of 0700, rewritten files included")
  func modes() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    try await store.save(Note(id: "a", text: "x"))
    try await store.compact()
    func mode(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    #expect(try mode(folder.store) == 0o700)
    for name in try folder.names(folder.store) {
      #expect(try mode(folder.store.appendingPathComponent(name)) == 0o600, "\(name)")
    }
  }

  @Test(
    "AS-17 symlink and traversal: names that lead elsewhere are refused",
    arguments: [
      "../x", "a/b", ".hidden", "", "a\u{0}b", String(repeating: "n", count: 201),
      // Bytes count, not characters.
      String(repeating: "\u{8A9E}", count: 67),
    ]
  )
  func names(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let error = await #expect(throws: StoreError.self) { try await folder.open(name: name) }
    guard case .invalidLocation = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try folder.names(folder.url) == [])
  }

  @Test("AS-18 exclusive lock: a second instance of this process is refused")
  func lock() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    let error = await #expect(throws: StoreError.self) { try await folder.open() }
    #expect(error?.reason == .alreadyOpen)
    // The seed's initialiser tells it with each change, and overwrites nothing.
    let second = LocalRepository<Note>(directory: folder.url, filename: "notes.json")
    #expect(second.openReport.error?.reason == .alreadyOpen)
    await #expect(throws: StoreError.self) { try await second.save(Note(id: "b", text: "")) }
    try await store.close()
    #expect(try await folder.open().openReport.state == .closed)
  }

  @Test("AS-25 format version: a later schema is refused untouched")
  func version() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open(StoreOptions(schema: 3))
    try await store.save(Note(id: "a", text: "x"))
    try await store.close()
    let snapshot = folder.store.appendingPathComponent("snapshot.1")
    let bytes = try Data(contentsOf: snapshot)
    let error = await #expect(throws: StoreError.self) { try await folder.open() }
    #expect(error?.reason == .unsupportedFormat(found: 3, supported: 1))
    #expect(try Data(contentsOf: snapshot) == bytes)
  }

  @Test("AS-26 migration: every item is brought over, once")
  func migration() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    try await store.save(Note(id: "a", text: "x"))
    try await store.close()
    let options = StoreOptions(schema: 2) { schema, id, payload in
      var note = try JSONDecoder().decode(Note.self, from: Data(payload))
      note.text += " of \(schema)"
      return [UInt8](try JSONEncoder().encode(note))
    }
    for _ in 0..<2 {
      let later = try await folder.open(options)
      #expect(await later.find(by: "a")?.text == "x of 1")
      try await later.close()
    }
  }

  @Test("AS-27 legacy import: the seed's file is taken over in its order, and put aside")
  func legacy() async throws {
    let folder = try TemporaryFolder()
    let data = try write(
      #" [ {"id":"b","text":"a ] \" b","value":1}, {"text":"no id"}, {"id":"a","text":"x","value":2} ] "#,
      folder
    )
    let store = try await folder.open()
    #expect(store.openReport.state == .imported)
    #expect(store.openReport.unreadableElements == [1])
    #expect(await store.loadAll().map(\.text) == [#"a ] " b"#, "x"])
    #expect(try folder.names(folder.url) == ["notes.json.store"])
    let shelf = folder.store.appendingPathComponent("quarantine")
    let name = try #require(try folder.names(shelf).first)
    #expect(try Data(contentsOf: shelf.appendingPathComponent(name)) == data)
  }

  @Test("AS-28 batch: all of it or nothing")
  func batch() async throws {
    let store = try await TemporaryFolder().open()
    try await store.save([Note(id: "a", text: "1"), Note(id: "b", text: "2")])
    #expect(await store.sequence == 1)
    await #expect(throws: StoreError.self) {
      try await store.save([Note(id: "c", text: "3"), Note(id: "d", text: "", value: .infinity)])
    }
    #expect(await store.loadAll().map(\.id) == ["a", "b"])
  }

  @Test("AS-29 conditional save and update: of many at once, each sees the one before")
  func conditional() async throws {
    let store = try await TemporaryFolder().open()
    try await store.save(Note(id: "n", text: "", value: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          _ = try? await store.update("n") { note in
            note.map { Note(id: $0.id, text: $0.text, value: $0.value + 1) }
          }
        }
      }
    }
    #expect(await store.find(by: "n")?.value == 50)
    let error = await #expect(throws: StoreError.self) {
      try await store.save(Note(id: "n", text: "late"), ifVersion: 1)
    }
    #expect(error?.reason == .versionConflict(id: "n", expected: 1, actual: 51))
    let renamed = await #expect(throws: StoreError.self) {
      try await store.update("n") { _ in Note(id: "m", text: "") }
    }
    #expect(renamed?.phase == .evaluate)
  }

  @Test("AS-32 cancellation: a cancelled task changes nothing")
  func cancellation() async throws {
    let store = try await TemporaryFolder().open()
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await store.save(Note(id: "a", text: "x"))
    }
    let error = await #expect(throws: StoreError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
    #expect(await store.count == 0)
  }

  /// Compiles only as long as the repository asks for items that may cross between tasks.
  private func requireSendable<Item>(_ type: LocalRepository<Item>.Type) {
    func needs<Value: Sendable>(_ type: Value.Type) {}
    needs(Item.self)
  }

  @Test("AS-33 sendable: items cross between tasks")
  func sendable() async throws {
    requireSendable(LocalRepository<Note>.self)
    let store = try await TemporaryFolder().open()
    let items = await Task.detached { await store.loadAll() }.value
    #expect(items == [])
  }

  @Test("AS-39 close: again is nothing, later changes are refused, files are given up")
  func close() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    try await store.save(Note(id: "a", text: "x"))
    try await store.close()
    try await store.close()
    let error = await #expect(throws: StoreError.self) {
      try await store.save(Note(id: "b", text: ""))
    }
    #expect(error?.reason == .closed)
    #expect(await store.health == .closed)
    #expect(try await folder.open().openReport.state == .closed)
  }

  @Test("AS-40 the seed's calls compile on every system, with a directory by default")
  func seed() async throws {
    #expect(LocalRepository<Note>.defaultDirectory.path.hasPrefix("/"))
    let folder = try TemporaryFolder()
    let repository = LocalRepository<Note>(directory: folder.url, filename: "data.json")
    try await repository.save(Note(id: "q-001", text: "question"))
    let question = await repository.find(by: "q-001")
    let questions = await repository.loadAll()
    try await repository.delete("q-001")
    #expect(question?.text == "question")
    #expect(questions.count == 1)
  }
}
