package import FileSystems
import Foundation
package import LocalStore
import PropertyEngine

extension Boundary {
  /// What opens the store `items.json` in `/stores`, or throws and leaves the files as they were.
  package typealias Opening =
    @Sendable (_ files: any FileSystem, StoreOptions) throws -> StoreEngine

  /// Bytes are a file of a store: its journal, its snapshot, or the JSON file that it takes over.
  package static func store(
    opening open: @escaping Opening = { files, options in
      let place = try StorePlace(directory: "/stores", filename: "items.json")
      return try StoreEngine.open(place, options, on: files) { bytes throws(StoreError) in
        try SeedFile.read(bytes, file: "items.json", .keepLast) { member("id", of: Array($0)) }
      }
    }
  ) -> Boundary {
    Boundary(
      "store",
      "A journal, a snapshot or the JSON file of a store; the store is opened with it in its place.",
      on: "local-store",
      rule:
        "A store is refused with a `StoreError` that leaves its files as they were, or opens. Then it "
        + "takes changes, and opened again it holds what it held; what it did not take is kept aside.",
      byteLimit: 2048,
      entrance: Entrance(
        isPassed: { isJSON($0) || (!$0.isEmpty && framed($0) == $0) },
        repaired: { isJSON($0) ? $0 : framed($0) }
      ),
      seedSentence: "each file of a store that was closed, of one that was not, and a JSON file",
      seeds: { try storeFiles() },
      judge: { bytes in
        for (disk, path) in try disks(with: bytes) {
          for policy in [DamagePolicy.refuse, .readOnly, .salvage] {
            if let difference = try openingDifference(
              of: disk,
              damagedAt: path,
              with: bytes,
              policy: policy,
              opening: open
            ) {
              return difference
            }
          }
        }
        return nil
      }
    )
  }

  /// Disks on which the bytes are a file each, and one on which they are a snapshot and its journal.
  private static func disks(
    with bytes: [UInt8]
  ) throws -> [(disk: MemoryDisk, path: [String])] {
    var disks: [(MemoryDisk, [String])] = []
    for path in [journalPath, snapshotPath] {
      var disk = try sampleDisk(isClosed: false)
      disk.damage(path) { $0 = bytes }
      disks.append((disk, path))
    }
    var fresh = MemoryDisk()
    fresh.add(legacyPath, bytes)
    disks.append((fresh, legacyPath))
    guard let start = frames(bytes).dropFirst().first(where: { bytes[$0 + 8] == journalKind })
    else {
      return disks
    }
    // Under the names that the snapshot says.
    let generation =
      bytes.count < 64 ? 1 : bytes[56..<64].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var pair = MemoryDisk()
    pair.add(folderPath + ["snapshot.\(generation)"], Array(bytes[..<start]))
    pair.add(folderPath + ["journal.\(generation)"], Array(bytes[start...]))
    disks.append((pair, folderPath))
    return disks
  }

  // MARK: - Judging

  /// Where opening a store whose file at `path` is `bytes` breaks the boundary's rule.
  private static func openingDifference(
    of disk: MemoryDisk,
    damagedAt path: [String],
    with bytes: [UInt8],
    policy: DamagePolicy,
    opening open: Opening
  ) throws -> Difference? {
    let files = MemoryFiles(disk)
    let options = StoreOptions(durability: .process, onDamage: policy)
    let name = path.last ?? ""
    let store: StoreEngine
    do { store = try open(files, options) } catch let error {
      guard error is StoreError else { return .untyped(error, expected: "StoreError") }
      let changed = disk.paths.first { files.disk.bytes(at: $0) != disk.bytes(at: $0) }
      return changed.map {
        Difference(kind: "trace", summary: "a refusal of \(name) changed \($0.last ?? "")")
      }
    }
    let rows = Array(store.table.entries.map { Row(id: $0.id, payload: $0.value.payload) })
    if store.report.itemCount != rows.count, policy != .readOnly {
      return Difference(
        kind: "report",
        summary: "opening reports \(store.report.itemCount) items, and there are \(rows.count)"
      )
    }
    if path == legacyPath, let difference = takeoverDifference(of: bytes, rows, store.report) {
      return difference
    }
    let isKept = files.disk.paths.contains { files.disk.bytes(at: $0) == bytes }
    let isPart = store.report.state == .torn || bytes.isEmpty || path == folderPath
    if store.report.state == .damaged, policy == .salvage, !isKept, !isPart {
      return Difference(kind: "loss", summary: "a damaged \(name) is nowhere any more")
    }
    guard store.health == .ok else { return nil }
    return try useDifference(
      of: store,
      holding: rows,
      on: files,
      options: options,
      reopening: open
    )
  }

  /// An item as the store holds it.
  private struct Row: Equatable {
    let id: ItemID
    let payload: [UInt8]
  }

  /// Where a store that was opened does not take a change, or is another one when opened again.
  private static func useDifference(
    of store: StoreEngine,
    holding rows: [Row],
    on files: MemoryFiles,
    options: StoreOptions,
    reopening open: Opening
  ) throws -> Difference? {
    let added = Row(id: ItemID("added"), payload: Array("{\"id\":\"added\"}".utf8))
    var expected = rows
    do throws(StoreError) {
      _ = try store.commit([[StoreOperation(.put, added.id, added.payload)]], .data)
      if let place = expected.firstIndex(where: { $0.id == added.id }) {
        expected[place] = added
      } else {
        expected.append(added)
      }
    } catch {
      // A store may say that its numbers have come to an end; it holds what it held.
      guard error.durableState == .old else { return nil }
    }
    try? store.close()
    store.drop()
    let again = try open(files, options)
    let now = Array(again.table.entries.map { Row(id: $0.id, payload: $0.value.payload) })
    return now == expected
      ? nil
      : Difference(
        kind: "loss",
        summary: "a store is another one when it is opened again",
        expected: "\(expected.count) items",
        actual: "\(now.count) items"
      )
  }

  /// What Foundation reads in a JSON file that a store took over must be there, or be named as unreadable.
  private static func takeoverDifference(
    of bytes: [UInt8],
    _ rows: [Row],
    _ report: OpenReport
  ) -> Difference? {
    guard report.state == .imported,
      let elements = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [Any]
    else { return nil }
    var ids: Set<ItemID> = []
    var lost = 0
    for (index, element) in elements.enumerated() where !report.unreadableElements.contains(index) {
      guard let id = (element as? [String: Any])?["id"] as? String else {
        lost += 1
        continue
      }
      ids.insert(ItemID(id))
    }
    let found = Set(rows.map(\.id))
    guard lost > 0 || !ids.isSubset(of: found) else { return nil }
    return Difference(
      kind: "loss",
      summary: "elements of the JSON file are neither items nor named as unreadable",
      expected: "\(ids.count) items",
      actual: "\(found.count) items, \(report.unreadableElements.count) unreadable"
    )
  }

  private static func member(_ name: String, of bytes: [UInt8]) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return object?[name] as? String
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool { bytes.first == UInt8(ascii: "[") }

  // MARK: - Seeds

  private static let legacyPath = ["stores", "items.json"]
  private static let folderPath = ["stores", "items.json.store"]
  private static let snapshotPath = folderPath + ["snapshot.1"]
  private static let journalPath = folderPath + ["journal.1"]

  /// The disk of a store with a snapshot and a journal of a few changes.
  private static func sampleDisk(isClosed: Bool) throws -> MemoryDisk {
    var disk = MemoryDisk()
    disk.add(legacyPath, Array(legacyText.utf8))
    let files = MemoryFiles(disk)
    let place = try StorePlace(directory: "/stores", filename: "items.json")
    // The journal has room for as many bytes as it may hold: a seed of 64 KiB of zeros would teach nothing more.
    let options = StoreOptions(durability: .process, compactionFloor: 1024)
    let store = try StoreEngine.open(place, options, on: files) { bytes throws(StoreError) in
      try SeedFile.read(bytes, file: "items.json", .keepLast) { member("id", of: Array($0)) }
    }
    for number in 1...4 {
      let id = ItemID("i\(number)")
      _ = try store.commit(
        [[StoreOperation(.put, id, Array("{\"id\":\"i\(number)\"}".utf8))]],
        .data
      )
    }
    _ = try store.commit(
      [
        [StoreOperation(.append, ItemID("i1"), [0x20]), StoreOperation(.delete, ItemID("i2"))],
        [StoreOperation(.put, ItemID("é"), [])],
      ],
      .data
    )
    if isClosed { try store.close() }
    store.drop()
    return files.disk.crashed(.process) { _ in false }
  }

  private static let legacyText =
    "[ {\"id\":\"a\",\"n\":1}, {\"id\":\"b\",\"t\":\"x, ]\\\"\"}, {\"n\":2}, {\"id\":\"a\"} ]\n"

  private static func storeFiles() throws -> [Seed] {
    let (open, closed) = (try sampleDisk(isClosed: false), try sampleDisk(isClosed: true))
    let pair = (open.bytes(at: snapshotPath) ?? []) + (open.bytes(at: journalPath) ?? [])
    return [
      Seed("journal", "the journal of a store in use", open.bytes(at: journalPath) ?? []),
      Seed("journal-closed", "that of a closed store", closed.bytes(at: journalPath) ?? []),
      Seed("snapshot", "the snapshot", open.bytes(at: snapshotPath) ?? []),
      Seed("pair", "a snapshot and its journal", pair),
      Seed("pair-last", "the same with the last numbers that there are", last(pair, 0x3f)),
      Seed("pair-beyond", "the same with greater ones", last(pair, 0xff)),
      Seed(
        "json",
        "a JSON file with an element twice and one without an id",
        Array(legacyText.utf8)
      ),
    ]
  }

  /// Frames whose header has great numbers of generation and sequence, which begin with a byte.
  private static func last(_ pair: [UInt8], _ first: UInt8) -> [UInt8] {
    var bytes = pair
    for start in frames(pair) where [journalKind, snapshotKind].contains(pair[start + 8]) {
      for place in [24..<32, 56..<64, 64..<72].joined() {
        bytes[start + place] = place % 8 == 7 ? first : 0xff
      }
    }
    return framed(bytes)
  }

  // MARK: - Entrance

  private static let journalKind: UInt8 = 1
  private static let snapshotKind: UInt8 = 5

  /// Where frames begin: at multiples of eight bytes, with a magic number.
  private static func frames(_ bytes: [UInt8]) -> [Int] {
    let magic: [UInt8] = [0x54, 0x53, 0x46, 0x31]
    guard bytes.count >= 40 else { return [] }
    var starts: [Int] = []
    // A frame is no shorter than its header.
    for offset in stride(from: 0, through: bytes.count - 40, by: 8)
    where bytes[offset..<offset + 4].elementsEqual(magic) && offset >= (starts.last ?? -40) + 40 {
      starts.append(offset)
    }
    return starts
  }

  /// The same frames with lengths, checksums and chains that are right.
  ///
  /// By offsets, as `LocalStore`'s frames are documented, and with none of its code.
  private static func framed(_ bytes: [UInt8]) -> [UInt8] {
    let starts = frames(bytes)
    guard let first = starts.first else { return bytes }
    var result = Array(bytes[..<first])
    var previous: UInt32 = 0
    for (start, end) in zip(starts, starts.dropFirst() + [bytes.count]) {
      var frame = Array(bytes[start..<end])
      let room = frame.count - 40
      let claimed = (12..<16).reversed().reduce(0) { $0 << 8 | Int(frame[$1]) }
      // A new file starts.
      if [journalKind, snapshotKind].contains(frame[8]) { previous = 0 }
      let length = claimed <= room && claimed > room - 8 ? claimed : room
      frame += Array(repeating: 0, count: (8 - frame.count % 8) % 8)
      for (place, number) in [(12, UInt32(length)), (16, previous)] {
        for byte in 0..<4 { frame[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
      }
      let checksum = crc(frame[8...])
      for byte in 0..<4 { frame[4 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte)) }
      previous = checksum
      result += frame
    }
    return result
  }

  /// The CRC-32 of RFC 1952, bit by bit.
  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return ~value
  }
}
