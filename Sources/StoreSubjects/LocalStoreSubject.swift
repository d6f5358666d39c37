package import FileSystems
import Foundation
import LocalStore
package import Schedules
package import StoreLaws

/// Our store as a subject: the actor that users call, on the files of the laws.
package struct LocalStoreSubject: StoreSubject {
  package let id = "local-store"
  package let version = "1"
  package let features: Set<StoreFeature> = [
    .amortised, .levels, .groupCommit, .documents, .missingFiles, .salvage,
  ]

  package init() {}

  package var defaultDirectory: String? { LocalRepository<LawItem>.defaultDirectory.path }

  package func open(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) throws -> any OpenedStore {
    let repository = repository(settings, on: files, schedule)
    if let error = repository.openReport.error { throw StoreComplaint(error) }
    return OpenedLocalStore(repository: repository)
  }

  package func openAnyway(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) -> (any OpenedStore)? {
    OpenedLocalStore(repository: repository(settings, on: files, schedule))
  }

  private func repository(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) -> LocalRepository<LawItem> {
    var options = StoreOptions(
      durability: StoreDurability(settings.level),
      schema: settings.schema,
      compactionFloor: settings.compactionFloor
    )
    options.fileMode = settings.fileMode
    options.itemLimit = settings.itemLimit
    options.batchLimit = settings.batchLimit
    options.onDamage = DamagePolicy(rawValue: settings.onDamage.rawValue) ?? .refuse
    options.onDuplicates = DuplicatePolicy(rawValue: settings.onDuplicates.rawValue) ?? .fail
    if settings.migration != .none {
      let migration = settings.migration
      options.migrate = { _, id, payload in try migration.migrate(id, payload) }
    }
    return LocalRepository<LawItem>(
      directory: settings.directory,
      filename: settings.name,
      options: options,
      coder: .refusing(settings.undecodablePrefix),
      on: files,
      executor: schedule.fileExecutor
    )
  }

  package func pieces(in bytes: [UInt8]) -> [Range<Int>] { Self.frames(of: bytes) }

  /// Frame after frame: each gets the checksum of the one before and its own.
  ///
  /// Where no frame is, the rest stays.
  ///
  /// Source: LocalStore.md, "Files"; where each number stands, `Frame` says.
  package func resealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    func set(_ number: UInt32, at offset: Int) {
      for index in 0..<4 {
        bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
      }
    }
    var last = UInt32(0)
    for frame in Self.frames(of: bytes) {
      set(last, at: frame.lowerBound + 16)
      last = Self.checksum(bytes[(frame.lowerBound + 8)..<frame.upperBound])
      set(last, at: frame.lowerBound + 4)
    }
    return bytes
  }

  /// Of each frame the length of its payload, and those in it, by the frame's kind.
  ///
  ///     1, 5    header        generation, sequence, items of the snapshot, bytes of the seed's file
  ///     2, 6    operations    bytes of each id and payload
  ///     7       footer        items
  package func lengths(in bytes: [UInt8]) -> [Range<Int>] {
    Self.frames(of: bytes).flatMap { frame -> [Range<Int>] in
      let field = frame.lowerBound + 12
      let start = frame.lowerBound + Self.frameHeaderSize
      let end = start + Self.number(bytes, at: field)
      var found = [field..<(field + 4)]
      switch bytes[frame.lowerBound + 8] {
      case 1, 5: found += (2...5).map { (start + 8 * $0)..<(start + 8 * $0 + 8) }
      case 7: found.append(start..<(start + 8))
      default:
        var offset = start
        while end - offset >= 20 {
          let (id, payload) = (offset + 4, offset + 8)
          found += [id..<(id + 4), payload..<(payload + 4)]
          offset += 20 + Self.number(bytes, at: id) + Self.number(bytes, at: payload)
        }
      }
      return found.filter { $0.upperBound <= frame.upperBound }
    }
  }

  static let frameHeaderSize = 40

  /// The whole frames from the beginning on, by what their headers say.
  static func frames(of bytes: [UInt8]) -> [Range<Int>] {
    var (frames, offset) = ([Range<Int>](), 0)
    while bytes.count - offset >= frameHeaderSize, number(bytes, at: offset) == 0x3146_5354 {
      let end = offset + (frameHeaderSize + number(bytes, at: offset + 12) + 7) / 8 * 8
      guard end <= bytes.count else { break }
      frames.append(offset..<end)
      offset = end
    }
    return frames
  }

  static func number(_ bytes: [UInt8], at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return ~sum
  }

  package func openDocuments(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    number: Int
  ) throws -> any OpenedDocuments {
    try LocalDocuments(settings, on: files, schedule, number: number)
  }
}

extension StoreDurability {
  init(_ level: StoreLevel) {
    self =
      switch level {
      case .memory: .memory
      case .process: .process
      case .data: .data
      case .full: .full
      }
  }
}

extension StoreLevel {
  init(_ durability: StoreDurability) {
    self =
      switch durability {
      case .memory: .memory
      case .process: .process
      case .data: .data
      case .full: .full
      }
  }
}

extension StoreReceipt {
  init(_ commit: StoreCommit) {
    self.init(commit.sequence, isChange: commit.isChange, StoreLevel(commit.durability))
  }
}

extension StoreComplaint {
  /// An error of our store in the laws' words.
  init(_ error: StoreError) {
    let kind: Kind =
      switch error.reason {
      case .encodingFailed: .unencodable
      case .versionConflict: .conflict
      case .updateRefused: .conflict
      case .tooLarge: .tooLarge
      case .noSpace: .noSpace
      case .fileSystem: .fileSystem
      case .alreadyOpen: .alreadyOpen
      case .corrupted: .damaged
      case .unsupportedFormat: .laterVersion
      case .invalidLocation: .badPlace
      case .duplicateIDs: .duplicates
      case .migrationFailed: .migration
      case .readOnly: .readOnly
      case .failed: .failed
      case .closed: .closed
      case .cancelled: .cancelled
      }
    self.init(
      kind,
      phase: error.phase.rawValue,
      isUnknown: error.durableState == .unknown,
      "\(error)"
    )
    if case .tooLarge(let size, let limit) = error.reason {
      self.size = size
      self.limit = limit
    }
  }
}

private struct OpenedLocalStore: OpenedStore {
  let repository: LocalRepository<LawItem>

  var opening: StoreOpening {
    let report = repository.openReport
    let state: StoreOpening.State =
      switch report.state {
      case .missing, .empty: .new
      case .imported: .taken
      case .closed: .closed
      case .interrupted: .interrupted
      case .torn: .torn
      case .damaged, .refused: .damaged
      case .readOnly: .readOnly
      }
    var opening = StoreOpening(
      state,
      undecodable: report.undecodable,
      hasForeignFile: report.hasForeignFile
    )
    opening.sequence = report.sequence
    opening.itemCount = report.itemCount
    opening.migratedFrom = report.migratedFrom
    opening.cutByteCount = report.truncatedByteCount
    opening.kept = report.quarantined
    opening.unreadable = report.unreadableElements
    return opening
  }

  /// Words every error for the laws.
  private func asked<Value>(
    _ body: () async throws(StoreError) -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      throw StoreComplaint(error)
    }
  }

  /// One item goes by the call for one, and several by that for several, so that laws try all four calls of the store.
  func change(saving rows: [StoreRow], deleting ids: [String]) async throws -> StoreReceipt {
    try await asked { () throws(StoreError) in
      if rows.count == 1, ids.isEmpty {
        return StoreReceipt(try await repository.save(LawItem(rows[0])))
      }
      if rows.count > 1, ids.isEmpty {
        return StoreReceipt(try await repository.save(rows.map(LawItem.init)))
      }
      if rows.isEmpty, ids.count == 1 { return StoreReceipt(try await repository.delete(ids[0])) }
      return StoreReceipt(
        try await repository.apply(saving: rows.map(LawItem.init), deleting: ids)
      )
    }
  }

  func save(_ row: StoreRow, ifVersion version: UInt64) async throws -> UInt64 {
    try await asked { () throws(StoreError) in
      try await repository.save(LawItem(row), ifVersion: version).sequence
    }
  }

  func delete(_ id: String, ifVersion version: UInt64) async throws -> UInt64 {
    try await asked { () throws(StoreError) in
      try await repository.delete(id, ifVersion: version).sequence
    }
  }

  func update(
    _ id: String,
    _ body: @escaping @Sendable (StoreRow?) throws -> StoreRow?
  ) async throws -> UInt64 {
    try await asked { () throws(StoreError) in
      try await repository.update(id) { try body($0?.row).map(LawItem.init) }.sequence
    }
  }

  func byteCount(of row: StoreRow) throws -> Int {
    try StoreCoder<LawItem>.json.encode(LawItem(row)).count
  }

  func find(_ id: String) async -> StoreRow? { await repository.find(by: id)?.row }

  func count() async -> Int { await repository.count }

  func version(of id: String) async -> UInt64? { await repository.version(of: id) }

  func snapshot() async -> (sequence: UInt64, rows: [StoreRow]) {
    let shown = await repository.snapshot()
    return (shown.sequence, shown.items.map(\.row))
  }

  func flush() async throws {
    try await asked { () throws(StoreError) in try await repository.flush() }
  }

  func flush(_ level: StoreLevel) async throws {
    try await asked { () throws(StoreError) in try await repository.flush(StoreDurability(level)) }
  }

  func compact() async throws {
    try await asked { () throws(StoreError) in try await repository.compact() }
  }

  func compactionComplaint() async -> StoreComplaint? {
    await repository.compactionFailure.map { StoreComplaint($0) }
  }

  func close() async throws {
    try await asked { () throws(StoreError) in try await repository.close() }
  }

  func isWritable() async -> Bool { await repository.health == .ok }

  func observe(limit: Int) async -> any StoreObserver {
    LocalObserver(changes: await repository.changes(limit: limit))
  }
}

private struct LocalObserver: StoreObserver {
  let changes: StoreChanges<LawItem>

  func next() async -> StoreNews? {
    var iterator = changes.makeAsyncIterator()
    return switch await iterator.next() {
    case nil: nil
    case .snapshot(let snapshot)?: .snapshot(snapshot.sequence, snapshot.items.map(\.row))
    case .resync(let sequence, let dropped)?: .dropped(upTo: sequence, dropped)
    case .commit(let sequence, let mutations)?:
      .change(
        sequence,
        saved: mutations.compactMap { mutation in
          switch mutation {
          case .inserted(_, let item), .updated(_, let item, _): item.row
          case .deleted: nil
          }
        },
        replacing: mutations.compactMap { mutation -> UInt64?? in
          switch mutation {
          case .inserted: .some(nil)
          case .updated(_, _, let version): version
          case .deleted: .none
          }
        },
        deleted: mutations.compactMap { mutation in
          if case .deleted(let id) = mutation { id } else { nil }
        }
      )
    }
  }
}
