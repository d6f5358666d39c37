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
