import CSQLite
import Foundation
import LocalStore

struct Record: Codable, Identifiable, Sendable {
  var id: String
  var title: String
  var body: String
  var count: Int

  init(_ number: Int, _ count: Int = 0) {
    id = "record-\(number)"
    title = "Title of record \(number)"
    body = "Some text that makes the record about as long as records are."
    self.count = count
  }
}

/// Saves into, and openings of, a store that holds `count` items.
struct Speed: Sendable {
  let count: Int
  /// Medians in microseconds, by their names.
  private(set) var medians: [String: Double] = [:]
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("touchstone-speed-\(UUID().uuidString)")

  init(count: Int) { self.count = count }

  mutating func run() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for durability in [StoreDurability.memory, .process, .data, .full] {
      try await ours(durability)
    }
    try rewrite()
    try sqlite("OFF")
    try sqlite("FULL")
  }

  private mutating func note(_ name: String, _ seconds: [Double]) {
    let median = seconds.sorted()[seconds.count / 2]
    medians[name] = (median * 1e7).rounded() / 10
  }

  private func time(_ body: () async throws -> Void) async rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try await body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
  }

  private mutating func ours(_ durability: StoreDurability) async throws {
    let options = StoreOptions(durability: durability)
    let name = "ours-\(durability.rawValue)"
    func open() async throws -> LocalRepository<Record> {
      try await LocalRepository.open(directory: folder, filename: name, options: options)
    }
    let store = try await open()
    try await store.save((0..<count).map { Record($0) })
    try await store.flush()
    try await store.compact()
    var saves: [Double] = []
    for round in 0..<500 {
      saves.append(try await time { try await store.save(Record(round * 7919 % count, round)) })
    }
    note("ours_\(durability.rawValue)_save", saves)
    let many = try await time {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for round in 0..<512 {
          group.addTask { try await store.save(Record(round, round)) }
        }
        try await group.waitForAll()
      }
    }
    note("ours_\(durability.rawValue)_save_together", [many / 512])
    try await store.close()
    var opens: [Double] = []
    for _ in 0..<3 {
      opens.append(try await time { try await open().close() })
    }
    note("ours_\(durability.rawValue)_open", opens)
  }

  /// One part alone, for a profiler.
  func loop(_ part: String, _ times: Int) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let options = StoreOptions(durability: StoreDurability(rawValue: part) ?? .process)
    func open() async throws -> LocalRepository<Record> {
      try await LocalRepository.open(directory: folder, filename: "loop", options: options)
    }
    let store = try await open()
    try await store.save((0..<count).map { Record($0) })
    try await store.compact()
    if part == "open" { try await store.close() }
    let seconds = try await time {
      for round in 0..<times {
        if part == "open" {
          try await open().close()
        } else {
          try await store.save(Record(round * 7919 % count, round))
        }
      }
    }
    print("\(part): \(seconds / Double(times) * 1e6) microseconds")
  }

  /// The pattern that ours replaces: each save encodes and writes all items.
  private mutating func rewrite() throws {
    let url = folder.appendingPathComponent("rewrite.json")
    var items = Dictionary(uniqueKeysWithValues: (0..<count).map { ("record-\($0)", Record($0)) })
    var saves: [Double] = []
    for round in 0..<5 {
      let start = DispatchTime.now().uptimeNanoseconds
      items["record-\(round)"] = Record(round, round)
      try JSONEncoder().encode(Array(items.values)).write(to: url, options: .atomic)
      // It synchronises the file and not the folder: the new name could be lost, as no save of the store can.
      try FileHandle(forReadingFrom: folder).synchronize()
      saves.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }
    note("rewrite_save", saves)
    let start = DispatchTime.now().uptimeNanoseconds
    let read = try JSONDecoder().decode([Record].self, from: Data(contentsOf: url))
    precondition(read.count == count, "\(read.count) of \(count)")
    note("rewrite_open", [Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9])
  }

  private mutating func sqlite(_ synchronous: String) throws {
    let path = folder.appendingPathComponent("sqlite-\(synchronous).db").path
    let database = try Database(path)
    try database.run("pragma journal_mode = WAL")
    try database.run("pragma synchronous = \(synchronous)")
    try database.run("create table item(id text primary key, payload blob) without rowid")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try database.run("begin")
    for number in 0..<count { try database.put(Record(number).id, encoder.encode(Record(number))) }
    try database.run("commit")
    var saves: [Double] = []
    for round in 0..<500 {
      let start = DispatchTime.now().uptimeNanoseconds
      let record = Record(round * 7919 % count, round)
      try database.put(record.id, encoder.encode(record))
      saves.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }
    note("sqlite_\(synchronous.lowercased())_save", saves)
    var scans: [Double] = []
    for _ in 0..<3 {
      let start = DispatchTime.now().uptimeNanoseconds
      let again = try Database(path)
      let decoder = JSONDecoder()
      var found = 0
      try again.scan { payload in
        _ = try decoder.decode(Record.self, from: payload)
        found += 1
      }
      precondition(found == count, "\(found) of \(count)")
      scans.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }
    note("sqlite_\(synchronous.lowercased())_scan", scans)
  }
}

/// As much of SQLite as is measured.
// Its pointers are SQLite's, freed when the value goes.
@safe final class Database {
  struct Failure: Error { let code: Int32 }

  private var handle: OpaquePointer?
  private var insert: OpaquePointer?

  init(_ path: String) throws { try check(unsafe sqlite3_open(path, &handle)) }

  deinit {
    unsafe sqlite3_finalize(insert)
    unsafe sqlite3_close(handle)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw Failure(code: code)
    }
  }

  func run(_ text: String) throws { try check(unsafe sqlite3_exec(handle, text, nil, nil, nil)) }

  func put(_ id: String, _ payload: Data) throws {
    if unsafe insert == nil {
      let text =
        "insert into item(id, payload) values(?, ?) "
        + "on conflict(id) do update set payload = excluded.payload"
      try check(unsafe sqlite3_prepare_v2(handle, text, -1, &insert, nil))
    }
    // SQLite copies both while they are held.
    let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try check(unsafe sqlite3_bind_text(insert, 1, id, -1, transient))
    try unsafe payload.withUnsafeBytes { bytes in
      try check(
        unsafe sqlite3_bind_blob(insert, 2, bytes.baseAddress, Int32(bytes.count), transient)
      )
    }
    try check(unsafe sqlite3_step(insert))
    try check(unsafe sqlite3_reset(insert))
  }

  func scan(_ body: (Data) throws -> Void) throws {
    var query: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(handle, "select id, payload from item", -1, &query, nil))
    defer { unsafe sqlite3_finalize(query) }
    while unsafe sqlite3_step(query) == SQLITE_ROW {
      guard let start = unsafe sqlite3_column_blob(query, 1) else { continue }
      try body(unsafe Data(bytes: start, count: Int(sqlite3_column_bytes(query, 1))))
    }
  }
}
