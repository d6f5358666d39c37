import FaultInjection
import FileSystems
import Foundation
import Testing

@testable import LocalStore

/// Zeros behind the frames of a journal, which the next frames are written over.
@Suite("Room of a journal")
struct RoomTests {
  private static let directory = ["data"]
  private static let journal = ["data", "notes.store", "journal.1"]
  private let text = String(repeating: "x", count: 100)

  private func files(capacity: Int = .max) -> MemoryFiles {
    var disk = MemoryDisk()
    disk.makeFolders(Self.directory)
    return MemoryFiles(disk, capacity: capacity)
  }

  private func open(
    _ files: some FileSystem,
    _ durability: StoreDurability = .data
  ) async throws -> LocalRepository<Note> {
    let options = StoreOptions(durability: durability, compactionFloor: 4096)
    return try await LocalRepository<Note>.open(
      directory: "/data",
      "notes",
      options,
      .json,
      on: files
    )
  }

  /// The journal's size, and how much of it is zeros at its end.
  private func sizes(_ files: MemoryFiles) throws -> (all: Int, room: Int) {
    let bytes = try #require(files.disk.bytes(at: Self.journal))
    return (bytes.count, bytes.reversed().prefix { $0 == 0 }.count)
  }

  @Test("The first synchronised save makes room, and the next ones keep the file's size")
  func made() async throws {
    let files = files()
    let store = try await open(files)
    try await store.save(Note(id: "a", text: text))
    let first = try sizes(files)
    #expect(first.room >= 4096)
    for id in ["b", "c", "d"] { try await store.save(Note(id: id, text: text)) }
    let later = try sizes(files)
    #expect(later.all == first.all)
    #expect(later.room < first.room)
  }

  @Test("A save that is not synchronised makes none")
  func unsynchronised() async throws {
    let files = files()
    let store = try await open(files, .process)
    try await store.save(Note(id: "a", text: text))
    #expect(try sizes(files).room < 8)
  }

  @Test("A closed journal ends with its last frame")
  func closed() async throws {
    let files = files()
    let store = try await open(files)
    try await store.save(Note(id: "a", text: text))
    try await store.close()
    let bytes = try #require(files.disk.bytes(at: Self.journal))
    let scan = JournalScan(bytes, file: "journal.1")
    #expect(scan.isClosed)
    #expect(scan.end == bytes.count)
  }

  @Test("Room is neither torn nor damage, and the next store goes on in it")
  func opened() async throws {
    let files = files()
    let store = try await open(files)
    try await store.save(Note(id: "a", text: text))
    let left = MemoryFiles(files.disk)
    let again = try await open(left)
    #expect(again.openReport.state == .interrupted)
    #expect(again.openReport.truncatedByteCount == 0)
    #expect(again.openReport.quarantined == [])
    try await again.save(Note(id: "b", text: text))
    #expect(try sizes(left).all == sizes(files).all)
    let third = try await open(MemoryFiles(left.disk))
    #expect(await third.loadAll().map(\.id) == ["a", "b"])
  }

  @Test("What is torn within the room is kept without the zeros behind it")
  func torn() async throws {
    let files = files()
    let store = try await open(files)
    try await store.save(Note(id: "a", text: text))
    var disk = files.disk
    let room = try sizes(files)
    // The start of a frame that arrived alone, where the next one goes.
    let end = JournalScan(try #require(disk.bytes(at: Self.journal)), file: "").end
    disk.damage(Self.journal) { bytes in
      bytes.replaceSubrange(end..<(end + 6), with: [0x54, 0x53, 0x46, 0x31, 1, 2])
    }
    let left = MemoryFiles(disk)
    let again = try await open(left)
    #expect(again.openReport.state == .torn)
    #expect(again.openReport.truncatedByteCount == 8)
    let name = try #require(again.openReport.quarantined.first)
    #expect(
      left.disk.bytes(at: ["data", "notes.store", "quarantine", name])
        == [0x54, 0x53, 0x46, 0x31, 1, 2, 0, 0]
    )
    #expect(try sizes(left).all < room.all)
    #expect(await again.loadAll().map(\.id) == ["a"])
  }

  @Test("A disk with room for a change alone takes it")
  func full() async throws {
    let files = files()
    let store = try await open(files)
    // The next change takes less than 512 bytes, and its room takes 4096.
    let disk = files.disk
    let used = disk.paths.reduce(0) { $0 + (disk.bytes(at: $1)?.count ?? 0) }
    files.setCapacity(used + 512)
    try await store.save(Note(id: "a", text: text))
    #expect(await store.health == .ok)
    let again = try await open(MemoryFiles(files.disk))
    #expect(await again.loadAll().map(\.id) == ["a"])
  }
}
