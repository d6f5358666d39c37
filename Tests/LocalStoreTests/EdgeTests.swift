import FaultInjection
import FileSystems
import Foundation
import Synchronization
import Testing

@testable import LocalStore

/// What users of the store ran into where no row looks.
@Suite("Edges of the store")
struct EdgeTests {
  private func size(of folder: TemporaryFolder) throws -> Int {
    try folder.names(folder.store).reduce(0) { sum, name in
      let url = folder.store.appendingPathComponent(name)
      let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  private let kilobyte = String(repeating: "x", count: 1024)

  @Test("What only memory has takes no more room than the items, however often they are saved")
  func memory() async throws {
    let folder = try TemporaryFolder()
    let options = StoreOptions(durability: .memory, compactionFloor: 16 << 10)
    let store = try await folder.open(options)
    for round in 0..<2000 {
      try await store.save(Note(id: "\(round % 3)", text: kilobyte, value: Double(round)))
    }
    try await store.flush()
    #expect(try size(of: folder) < 64 << 10)
    for round in 0..<3 { try await store.save(Note(id: "\(round)", text: "last")) }
    let shown = await store.loadAll()
    try await store.close()
    let again = try await folder.open(options)
    #expect(again.openReport.state == .closed)
    #expect(await again.loadAll() == shown)
    #expect(await again.sequence == 2003)
  }

  @Test("A flush goes as deep as the level that it names, and so does what comes behind it")
  func depth() async throws {
    let depths = Mutex<[SyncDepth]>([])
    func taken() -> Set<SyncDepth> {
      depths.withLock { depths in
        defer { depths = [] }
        return Set(depths)
      }
    }
    let files = FaultyFiles(SystemFiles()) { record in
      if let depth = record.depth { depths.withLock { $0.append(depth) } }
    }
    let folder = try TemporaryFolder()
    let options = StoreOptions(durability: .data)
    let store = try await LocalRepository<Note>
      .open(directory: folder.url.path, "notes", options, .json, on: files)
    _ = taken()
    try await store.save(Note(id: "1", text: "a"))
    #expect(taken() == [.data])
    try await store.flush(.data)
    #expect(taken() == [])
    try await store.flush()
    #expect(taken() == [.drive])
    try await store.flush()
    #expect(taken() == [])
    try await store.save(Note(id: "2", text: "b"))
    #expect(taken() == [.drive])
    // What a level leaves to a flush it leaves to one afterwards, too.
    let lower = StoreOptions(durability: .process)
    let other = try await LocalRepository<Note>
      .open(directory: folder.url.path, "other", lower, .json, on: files)
    _ = taken()
    try await other.save(Note(id: "1", text: "a"))
    #expect(taken() == [])
    try await other.flush()
    #expect(taken() == [.drive])
    try await other.save(Note(id: "2", text: "b"))
    #expect(taken() == [])
  }

  @Test("A store that is flushed from time to time is compacted as any other")
  func flushed() async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open(
      StoreOptions(durability: .memory, compactionFloor: 16 << 10)
    )
    for round in 0..<200 {
      try await store.save(Note(id: "a", text: kilobyte, value: Double(round)))
      try await store.flush(.process)
    }
    #expect(try size(of: folder) < 64 << 10)
    #expect(await store.find(by: "a")?.value == 199)
  }

  @Test(
    "A store opens beside a link, a folder or a file in its name that it was not made of, and leaves it",
    arguments: ["link", "folder", "empty file", "file"]
  )
  func foreign(_ kind: String) async throws {
    let folder = try TemporaryFolder()
    let store = try await folder.open()
    try await store.save(Note(id: "a", text: "x"))
    try await store.close()
    let url = folder.url.appendingPathComponent("notes.json")
    let files = FileManager.default
    switch kind {
    case "link":
      try files.createSymbolicLink(
        at: url,
        withDestinationURL: folder.url.appendingPathComponent("elsewhere")
      )
    case "folder": try files.createDirectory(at: url, withIntermediateDirectories: false)
    default: try Data((kind == "file" ? "[]" : "").utf8).write(to: url)
    }
    let again = try await folder.open()
    #expect(again.openReport.hasForeignFile)
    #expect(again.openReport.quarantined == [])
    #expect(await again.find(by: "a") != nil)
    #expect(try folder.names(folder.url) == ["notes.json", "notes.json.store"])
  }

  @Test("Items that were saved after a schema rose without a migration are of the new schema")
  func schemaWithoutMigration() async throws {
    let folder = try TemporaryFolder()
    for (schema, id) in [(1, "first"), (2, "second")] as [(UInt32, String)] {
      let store = try await folder.open(StoreOptions(schema: schema))
      try await store.save(Note(id: id, text: ""))
      try await store.close()
    }
    let third = try await folder.open(
      StoreOptions(schema: 3) { schema, _, payload in
        var note = try JSONDecoder().decode(Note.self, from: Data(payload))
        note.text += "from \(schema)"
        return [UInt8](try JSONEncoder().encode(note))
      }
    )
    #expect(third.openReport.migratedFrom == 2)
    #expect(await third.loadAll().map(\.text) == ["from 2", "from 2"])
  }

  @Test(
    "Items of the JSON file before are brought over, whether the app ran at schema 1 in between or not",
    arguments: [true, false]
  )
  func seedOfLaterSchema(isSkipped: Bool) async throws {
    struct Later: Codable, Identifiable, Sendable {
      var id: String
      var lines: [String]
    }
    let folder = try TemporaryFolder()
    let seed = Data(#"[{"id":"b","text":"x","value":1},{"id":"a","text":"y","value":2}]"#.utf8)
    let url = folder.url.appendingPathComponent("notes.json")
    try seed.write(to: url)
    if !isSkipped { try await folder.open().close() }
    func open(isRefused: Bool) async throws -> LocalRepository<Later> {
      let options = StoreOptions(schema: 2) { schema, id, payload in
        #expect(schema == 1)
        if isRefused, id == "a" { throw CocoaError(.coderInvalidValue) }
        let note = try JSONDecoder().decode(Note.self, from: Data(payload))
        return [UInt8](try JSONEncoder().encode(Later(id: note.id, lines: [note.text])))
      }
      return try await .open(directory: folder.url, filename: "notes.json", options: options)
    }
    let error = await #expect(throws: StoreError.self) { try await open(isRefused: true) }
    guard case .migrationFailed(id: "a", _)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((try? Data(contentsOf: url)) == (isSkipped ? seed : nil))
    for round in 0..<2 {
      let store = try await open(isRefused: false)
      #expect(store.openReport.undecodable == [])
      #expect(store.openReport.migratedFrom == (round == 0 ? 1 : nil))
      #expect(await store.loadAll().map(\.lines) == [["x"], ["y"]])
      #expect(await store.version(of: "a") == 1)
      try await store.close()
    }
  }

  @Test("A folder that stands where the JSON file before did is refused by its name")
  func folderForSeed() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("notes.json")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    let error = await #expect(throws: StoreError.self) { try await folder.open() }
    let words = "'notes.json' is a link, or not of the kind that it should be"
    #expect(error?.reason == .invalidLocation(explanation: words))
  }

  @Test("A store whose folder is listed short is not written over", arguments: [1, 3] as [UInt64])
  func shortListing(generation: UInt64) throws {
    let place = try StorePlace(directory: "/data", filename: "notes")
    var disk = MemoryDisk()
    disk.makeFolders(["data"])
    let memory = MemoryFiles(disk)
    let made = try StoreEngine.open(place, StoreOptions(), on: memory)
    for _ in 1..<generation { try made.compact() }
    _ = try made.commit([[StoreOperation(.put, ItemID("a"), [1])]], .data)
    try made.close()
    let before = memory.disk
    let (snapshot, journal) = (
      StoreFile.snapshot(generation).name, StoreFile.journal(generation).name
    )
    // Whether each is refused; what opens shows the item, or writes files of other names.
    let listings: [(Set<String>, Bool)] = [
      ([StoreFile.lock, snapshot, journal], true), ([StoreFile.lock], true), ([snapshot], true),
      ([journal], false), ([snapshot, journal], generation == 1),
    ]
    for (unlisted, isRefused) in listings {
      for policy in DamagePolicy.allCases {
        let files = MemoryFiles(before)
        var plan = FaultPlan()
        plan.unlisted = unlisted
        do {
          let options = StoreOptions(onDamage: policy)
          try StoreEngine.open(place, options, on: FaultyFiles(files, plan)).drop()
          #expect(!isRefused, "\(unlisted)")
        } catch {
          #expect(isRefused, "\(unlisted): \(error)")
          guard case .fileSystem = error.reason else {
            Issue.record("\(error)")
            continue
          }
        }
        #expect(before.paths.allSatisfy { files.disk.bytes(at: $0) == before.bytes(at: $0) })
        #expect(files.openCount == 0)
      }
    }
  }

  // Without an end the observer would wait for ever.
  @Test("The changes of a repository that is released without closing end", .timeLimit(.minutes(1)))
  func released() async throws {
    let folder = try TemporaryFolder()
    var store: LocalRepository<Note>? = try await folder.open()
    try await store?.save(Note(id: "a", text: "x"))
    let changes = try #require(await store?.changes())
    store = nil
    var count = 0
    for await _ in changes { count += 1 }
    #expect(count == 1)
  }

  @Test("An item never grows beyond what its snapshot can hold", arguments: [true, false])
  func growth(isLimitOfItem: Bool) throws {
    let folder = try TemporaryFolder()
    let place = try StorePlace(directory: folder.url.path, filename: "growing")
    let options =
      isLimitOfItem ? StoreOptions(itemLimit: 4096) : StoreOptions(batchLimit: 4096)
    let engine = try StoreEngine.open(place, options, on: SystemFiles())
    let id = ItemID("a")
    let piece = [UInt8](repeating: 7, count: 1000)
    _ = try engine.commit([[StoreOperation(.put, id, piece)]], .process)
    var count = 1
    let error = #expect(throws: StoreError.self) {
      for _ in 0..<20 {
        _ = try engine.commit([[StoreOperation(.append, id, piece)]], .process)
        count += 1
      }
    }
    guard case .tooLarge(_, 4096) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(engine.health == .ok)
    #expect(count == 4)
    try engine.compact()
    try engine.close()
    let again = try StoreEngine.open(place, options, on: SystemFiles())
    #expect(again.table[id]?.payload.count == 4000)
  }

  @Test("What the changes of one call make of an item together is within the limit as well")
  func growthTogether() throws {
    let folder = try TemporaryFolder()
    let place = try StorePlace(directory: folder.url.path, filename: "growing")
    let engine = try StoreEngine.open(place, StoreOptions(batchLimit: 4096), on: SystemFiles())
    let id = ItemID("a")
    let piece = [UInt8](repeating: 7, count: 1000)
    let put = StoreOperation(.put, id, piece)
    let append = StoreOperation(.append, id, piece)
    let steps = [put, append, append, append, append]
    for changes in [steps.map { [$0] }, [[put, append], [append], [append, append]]] {
      let error = #expect(throws: StoreError.self) { try engine.commit(changes, .process) }
      #expect(error?.reason == .tooLarge(size: 5021, limit: 4096))
      #expect(engine.table.count == 0)
    }
    // What is put again, or deleted, begins from nothing.
    _ = try engine.commit([[put], [append], [append], [put, append], [append]], .process)
    #expect(engine.table[id]?.payload.count == 3000)
  }

  @Test("An append to an item that is not there is refused, and nothing of its call is written")
  func appendToNothing() throws {
    let folder = try TemporaryFolder()
    let place = try StorePlace(directory: folder.url.path, filename: "nothing")
    let engine = try StoreEngine.open(place, StoreOptions(), on: SystemFiles())
    let put = StoreOperation(.put, ItemID("a"), [1])
    let append = StoreOperation(.append, ItemID("a"), [2])
    let delete = StoreOperation(.delete, ItemID("a"))
    for vain in [[[append]], [[put], [delete], [append]], [[put, delete, append]]] {
      let error = #expect(throws: StoreError.self) { try engine.commit(vain, .process) }
      guard case .updateRefused(id: "a", _)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.phase == .evaluate)
    }
    #expect(engine.sequence == 0)
    _ = try engine.commit([[put, append], [delete, put], [append]], .process)
    engine.drop()
    let again = try StoreEngine.open(place, StoreOptions(), on: SystemFiles())
    #expect(again.report.damage.isEmpty)
    #expect(again.table[ItemID("a")]?.payload == [1, 2])
    again.drop()
  }

  @Test(
    "A journal whose change appends to no item is served up to the change before, and not by halves"
  )
  func vainAppend() throws {
    let folder = try TemporaryFolder()
    let place = try StorePlace(directory: folder.url.path, filename: "vain")
    let engine = try StoreEngine.open(place, StoreOptions(), on: SystemFiles())
    _ = try engine.commit([[StoreOperation(.put, ItemID("a"), [1])]], .process)
    let change = [
      StoreOperation(.put, ItemID("b"), [2]), StoreOperation(.delete, ItemID("a")),
      StoreOperation(.append, ItemID("a"), [3]),
    ]
    engine.drop()
    // No call writes such a change.
    let journal = folder.url.appendingPathComponent("\(place.folder)/\(StoreFile.journal(1).name)")
    var bytes = [UInt8](try Data(contentsOf: journal))
    var last = try #require(Frame(bytes, at: 0))
    while let next = Frame(bytes, at: last.end) { last = next }
    _ = Frame.append(.change, sequence: 2, synced: 0, previous: last.checksum, to: &bytes) {
      for operation in change { operation.append(to: &$0) }
    }
    try Data(bytes).write(to: journal)
    for policy in [DamagePolicy.readOnly, .salvage] {
      let again = try StoreEngine.open(place, StoreOptions(onDamage: policy), on: SystemFiles())
      #expect(again.report.state == .damaged)
      #expect(again.table.entries.map(\.id.text) == ["a"])
      #expect(again.sequence == 1)
      again.drop()
    }
  }

  @Test("Opened for reading alone, a store with a damaged snapshot shows the intact one before it")
  func earlierGeneration() async throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    let store = try await folder.open()
    try await store.save(Note(id: "a", text: "x"))
    let kept = folder.url.appendingPathComponent("kept")
    try files.copyItem(at: folder.store, to: kept)
    try await store.compact()
    try await store.save(Note(id: "b", text: "y"))
    try await store.close()
    // As a crash leaves it that comes before the older files are removed.
    for name in ["snapshot.1", "journal.1"] {
      try files.copyItem(
        at: kept.appendingPathComponent(name),
        to: folder.store.appendingPathComponent(name)
      )
    }
    let damaged = folder.store.appendingPathComponent("snapshot.2")
    var bytes = try Data(contentsOf: damaged)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: damaged)
    let again = try await folder.open(StoreOptions(onDamage: .readOnly))
    #expect(again.openReport.state == .damaged)
    #expect(again.openReport.damage.map(\.file) == ["snapshot.2"])
    #expect(await again.loadAll().map(\.id) == ["a"])
    #expect(try Data(contentsOf: damaged) == bytes)
  }

  @Test("A directory that is no file's URL is refused by its name")
  func remote() async throws {
    let url = try #require(URL(string: "https://example.org/tmp"))
    let error = await #expect(throws: StoreError.self) {
      try await LocalRepository<Note>.open(directory: url, filename: "notes.json")
    }
    guard case .invalidLocation = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("The directory by default is there, also where the system has made none")
  func byDefault() async {
    await #expect(processExitsWith: .success) {
      let home = FileManager.default.temporaryDirectory
        .appendingPathComponent("touchstone-home-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: home) }
      unsafe setenv("HOME", home.path, 1)
      unsafe setenv("CFFIXED_USER_HOME", home.path, 1)
      unsafe unsetenv("XDG_DOCUMENTS_DIR")
      let notes = LocalRepository<Note>(filename: "notes.json")
      try await notes.save(Note(id: "a", text: "x"))
      #expect(await notes.find(by: "a") != nil)
      #expect(LocalRepository<Note>.defaultDirectory.path.hasPrefix(home.path))
    }
  }
}
