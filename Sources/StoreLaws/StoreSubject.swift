package import FileSystems
package import Schedules

// What a store offers to laws: `StoreSubject` opens it, `OpenedStore` is called, `StoreOpening` and
// `StoreComplaint` are what it says of itself. Implementations are in `StoreSubjects`; each
// translates the errors of its store into `StoreComplaint`, so that laws know one set of words for
// all.

/// What laws store: an id, a text, and perhaps something that no encoder takes.
package struct StoreRow: Hashable, Sendable {
  package var id: String
  package var text: String
  /// Whether the item holds a number that JSON does not have.
  ///
  /// NaN, say. Its save must be refused, and harm no other.
  package var isUnencodable: Bool

  package init(_ id: String, _ text: String, isUnencodable: Bool = false) {
    self.id = id
    self.text = text
    self.isUnencodable = isUnencodable
  }

  // By bytes: to Swift's `==` two spellings of a letter are one.
  package static func == (left: Self, right: Self) -> Bool {
    left.isUnencodable == right.isUnencodable
      && left.id.utf8.elementsEqual(right.id.utf8)
      && left.text.utf8.elementsEqual(right.text.utf8)
  }

  // The id alone: rows of one id with other texts are few, and `==` tells them apart.
  package func hash(into hasher: inout Hasher) {
    for byte in id.utf8 { hasher.combine(byte) }
  }
}

/// How far a change is to survive.
///
/// Source: LocalStore.md, "What survives what".
///
/// `memory`: nothing before a flush. `process`: the end of the process. `data`: loss of power.
/// `full`: as `data`, with the drive's own cache where the system can ask for it.
package enum StoreLevel: String, Hashable, Sendable, CaseIterable {
  case data, full, process, memory
}

/// How laws open a store.
package struct StoreSettings: Hashable, Sendable {
  /// What opening does with damage: it throws, shows what is intact and writes nothing, or goes on
  /// without what is lost.
  package enum Damage: String, Hashable, Sendable { case refuse, readOnly, salvage }
  /// Which of two items of one id counts when the file of the repository before is taken over.
  package enum Duplicates: String, Hashable, Sendable { case fail, keepFirst, keepLast }
  /// How items are brought over from a lower schema.
  package enum Migration: Hashable, Sendable {
    case none
    /// A mark is put behind each text.
    case marks
    /// As `marks`, and the item with this id throws.
    case refuses(String)
    /// As `marks`, and the bytes of the item with this id say another id then.
    case renames(String)
  }

  /// Path of the directory that the store's place is in.
  package var directory = "/stores"
  /// Of the store within the directory; a caller may give any text.
  package var name = "items.json"
  package var level = StoreLevel.data
  /// Refusing is the default: to go on without what is lost is for the caller to decide.
  package var onDamage = Damage.refuse
  package var onDuplicates = Duplicates.fail
  /// The version of the items' own form.
  package var schema: UInt32 = 1
  package var migration = Migration.none
  /// Bytes of journal before the first compaction, where the store has such a thing.
  ///
  /// 512 and not the store's own 64 KiB, so that samples of a few changes compact on their way.
  package var compactionFloor = 512
  /// Bytes of one encoded item at most.
  ///
  /// 16 MiB; laws of limits set a few hundred bytes.
  package var itemLimit = 16 << 20
  /// Bytes of one change at most.
  ///
  /// 64 MiB; laws of limits set about a kilobyte.
  package var batchLimit = 64 << 20
  /// Permission bits of the store's files.
  package var fileMode: UInt16 = 0o600
  /// Texts that begin with this do not decode; none if it is empty.
  ///
  /// It plays an older version of an app, whose decoder refuses items of a newer one.
  package var undecodablePrefix = ""

  package init() {}
}

/// What a store can do beyond saving, deleting and reading.
package enum StoreFeature: String, Hashable, Sendable, CaseIterable {
  /// What is written is a small multiple of what is saved.
  case amortised
  /// A level costs what it promises: what is to survive less is not made sure.
  case levels
  /// Callers at the same time share a synchronisation.
  ///
  /// Only `callers.share-synchronisation` asks for it: a store without it is as right, and slower.
  case groupCommit = "group commit"
  /// Keeps documents that merge.
  case documents
  /// Is made of several files that know of each other.
  case missingFiles = "missing files"
  /// Of a state that is damaged in one byte, serves what the byte was no part of.
  case salvage

  /// What a store without the feature does not do, in words that go on from its name.
  var lack: String {
    switch self {
    case .amortised: "does not keep what it writes in proportion to what is saved"
    case .levels: "makes sure what need not survive"
    case .groupCommit: "does not share a synchronisation among callers"
    case .documents: "keeps no documents that merge"
    case .missingFiles: "does not notice that a file is gone"
    case .salvage: "does not serve the rest of a damaged state"
    }
  }
}

/// A store that laws can be held against.
///
/// It must be a pure function of the calls that it gets: no clock, no randomness, no thread of its
/// own. What blocks runs as a job of the schedule, or the case does not replay.
package protocol StoreSubject: Sendable {
  var id: String { get }
  var version: String { get }
  var features: Set<StoreFeature> { get }
  /// Where a store lies unless the caller names a folder; `nil` if there is no such place on this system.
  var defaultDirectory: String? { get }

  /// Opens a store; what blocks runs on `schedule`'s file side.
  ///
  /// - Throws: ``StoreComplaint``.
  func open(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) throws -> any OpenedStore

  /// The bytes of a file of the store with its checksums made right again, as who changes it on purpose would.
  func resealed(_ bytes: [UInt8]) -> [UInt8]

  /// Where the lengths, counts and other numbers stand in a sound file of the store, each a little-endian number.
  func lengths(in bytes: [UInt8]) -> [Range<Int>]

  /// Where the pieces stand that a sound file of the store is made of, each with a checksum of its own; none if it is one.
  func pieces(in bytes: [UInt8]) -> [Range<Int>]

  /// What a file of the store would be if it said what no program of this version writes; none if there is no such thing.
  ///
  /// Each is made of the bytes of a sound file, with right checksums.
  func forgeries(of bytes: [UInt8]) -> [StoreForgery]

  /// Where a sound file of the store has bytes that stand for nothing yet.
  func unused(in bytes: [UInt8]) -> [Range<Int>]

  /// Opens a store as ``open(_:on:_:)`` does, and gives what a caller has who did not look whether that was refused;
  /// `nil` if a store that is refused has no calls.
  func openAnyway(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) -> (any OpenedStore)?

  /// Opens a store of documents; `number` counts the openings of one case.
  ///
  /// - Throws: ``StoreComplaint``.
  func openDocuments(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    number: Int
  ) throws -> any OpenedDocuments
}

extension StoreSubject {
  package func resealed(_ bytes: [UInt8]) -> [UInt8] { bytes }

  package func lengths(in bytes: [UInt8]) -> [Range<Int>] { [] }

  package func pieces(in bytes: [UInt8]) -> [Range<Int>] { [] }

  package func forgeries(of bytes: [UInt8]) -> [StoreForgery] { [] }

  package func unused(in bytes: [UInt8]) -> [Range<Int>] { [] }

  package func openAnyway(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) -> (any OpenedStore)? { nil }

  package func openDocuments(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    number: Int
  ) throws -> any OpenedDocuments {
    throw StoreComplaint(.unexplained, phase: nil, "it \(StoreFeature.documents.lack)")
  }
}

/// A file that says what no program of this version writes, and what a store must call it.
package struct StoreForgery: Hashable, Sendable {
  /// What it says, in words that follow "a file with".
  package var name: String
  package var bytes: [UInt8]
  package var kind: StoreComplaint.Kind

  package init(_ name: String, _ bytes: [UInt8], _ kind: StoreComplaint.Kind = .damaged) {
    self.name = name
    self.bytes = bytes
    self.kind = kind
  }
}

/// What laws ask of an open store.
///
/// Every call throws ``StoreComplaint``.
///
/// Numbers of changes (*sequence*) begin with 1 and grow by one with each change that does
/// something. The *version* of an item is the number of its latest change.
package protocol OpenedStore: Sendable {
  var opening: StoreOpening { get }
  /// Saves some items and deletes others, as one change; says what came of it.
  ///
  /// A change that does nothing gets no number: the newest one is given back.
  func change(saving rows: [StoreRow], deleting ids: [String]) async throws -> StoreReceipt
  /// Saves an item if the number of its latest change is this, 0 for none.
  func save(_ row: StoreRow, ifVersion version: UInt64) async throws -> UInt64
  /// Deletes an item if the number of its latest change is this, 0 for none.
  func delete(_ id: String, ifVersion version: UInt64) async throws -> UInt64
  /// Makes an item of what is stored under its id, `nil` for none; no other change comes between.
  ///
  /// What `body` throws refuses the call, and so does an item that does not decode.
  func update(
    _ id: String,
    _ body: @escaping @Sendable (StoreRow?) throws -> StoreRow?
  ) async throws -> UInt64
  /// Bytes of the encoded item, which the limit is compared with.
  ///
  /// Laws of limits ask, since only the store knows how it encodes.
  func byteCount(of row: StoreRow) throws -> Int
  /// The stored item, never one that is being stored.
  func find(_ id: String) async -> StoreRow?
  /// The number of the item's latest change; `nil` if there is no such item.
  func version(of id: String) async -> UInt64?
  /// The number of items, those included that do not decode.
  func count() async -> Int
  /// All items in their order, and the number of the newest change.
  func snapshot() async -> (sequence: UInt64, rows: [StoreRow])
  /// Returns when all that was acknowledged by now is as sure as the system can make it.
  func flush() async throws
  /// Returns when all that was acknowledged by now survives what a level covers.
  func flush(_ level: StoreLevel) async throws
  /// Writes everything to new files; a store that has failed carries changes out again behind it.
  func compact() async throws
  /// Why the last rewriting of the files, which no caller asked for, did not come about; `nil` if it did, or if the store
  /// does not say.
  func compactionComplaint() async -> StoreComplaint?
  /// Makes everything sure and gives the files up; closing again does nothing.
  func close() async throws
  /// Whether changes are still carried out.
  func isWritable() async -> Bool
  /// Changes from now on; up to `limit` of them wait.
  ///
  /// The state at that moment comes first, then changes; those that do not fit are counted
  /// (``StoreNews/dropped``). The news of a closed store are its state alone.
  func observe(limit: Int) async -> any StoreObserver
}

extension OpenedStore {
  package func compactionComplaint() async -> StoreComplaint? { nil }

  package func flush(_ level: StoreLevel) async throws { try await flush() }

  /// As ``change(saving:deleting:)``; says its number.
  package func apply(saving rows: [StoreRow], deleting ids: [String]) async throws -> UInt64 {
    try await change(saving: rows, deleting: ids).number
  }
}

/// What a store says of a change that returned.
package struct StoreReceipt: Hashable, Sendable {
  /// The number of the change, or of the newest one where nothing was changed.
  package var number: UInt64
  package var isChange: Bool
  /// What it survives by now.
  package var level: StoreLevel

  package init(_ number: UInt64, isChange: Bool, _ level: StoreLevel) {
    self.number = number
    self.isChange = isChange
    self.level = level
  }
}

/// Receives the news of a store, in the order of its changes.
package protocol StoreObserver: Sendable {
  /// The next news; `nil` when the store is closed.
  func next() async -> StoreNews?
}

/// One piece of news of a store.
package enum StoreNews: Hashable, Sendable {
  /// The state at a change of this number: the first news of each observer.
  case snapshot(UInt64, [StoreRow])
  /// One change, whole, with its number.
  ///
  /// `replacing` has for each saved row the version that it replaces: that of an earlier row of the
  /// same change is its number. `nil` stands for a row that was not there.
  case change(UInt64, saved: [StoreRow], replacing: [UInt64?], deleted: [String])
  /// This many changes in this place were not kept; the last of them has the number `upTo`.
  case dropped(upTo: UInt64, Int)
}

extension StoreRow: CustomStringConvertible {
  package var description: String { "\(id) \"\(text)\"\(isUnencodable ? " (unencodable)" : "")" }
}

extension StoreNews: CustomStringConvertible {
  package var description: String {
    switch self {
    case .snapshot(let number, let rows): "snapshot at \(number): \(rows)"
    case .change(let number, let saved, let replaced, let deleted):
      "change \(number): saved \(saved), over "
        + "\(replaced.map { $0.map(String.init) ?? "none" }), deleted \(deleted)"
    case .dropped(let last, let count): "\(count) dropped, up to \(last)"
    }
  }
}

/// What opening a store found, as laws see it.
package struct StoreOpening: Hashable, Sendable {
  /// `new` had no files; `taken` was made of the seed's file; `closed` ended with a close,
  /// `interrupted` without one; `torn` lost an end that a crash may have cut; `damaged` is anything
  /// else that does not read; `readOnly` is a medium that cannot be written.
  package enum State: String, Hashable, Sendable {
    case new, taken, closed, interrupted, torn, damaged, readOnly
  }

  package var state: State
  /// Ids of items that are kept and do not decode.
  package var undecodable: [String]
  /// Whether a file that is not the store's own stands in its place.
  ///
  /// It is reported and left alone: an older version of an app may still write it.
  package var hasForeignFile: Bool
  /// The number of the newest change.
  package var sequence: UInt64 = 0
  /// Items, those included that do not decode.
  package var itemCount = 0
  /// The schema from which items were brought over; `nil` if none were.
  package var migratedFrom: UInt32?
  /// Bytes that were cut off at the end of a file; `nil` if the store does not say.
  package var cutByteCount: Int?
  /// Names of the files that this opening put aside; `nil` if the store does not say.
  package var kept: [String]?
  /// Elements of the seed's file, from 0, that have no id; `nil` if the store does not say.
  package var unreadable: [Int]?

  package init(_ state: State, undecodable: [String] = [], hasForeignFile: Bool = false) {
    self.state = state
    self.undecodable = undecodable
    self.hasForeignFile = hasForeignFile
  }
}

/// What a store says when it refuses a call.
///
/// A subject turns each error of its store into one of these. `isUnknown` is the only exception to
/// "a refused call changed nothing"; laws then admit both states.
package struct StoreComplaint: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a caller can act on: correct the item, try again, free space, choose another place,
  /// update the app.
  ///
  /// `conflict`: another version. `alreadyOpen`: another instance has the files. `laterVersion`: of
  /// a higher schema. `badPlace`: a name or link. `migration`: an item that cannot be brought over.
  /// `readOnly`: the medium, or damage that is only looked at. `failed`: nothing is carried out
  /// before everything was rewritten.
  package enum Kind: String, Hashable, Sendable {
    case unencodable, conflict, tooLarge, noSpace, fileSystem, alreadyOpen, damaged, laterVersion
    case badPlace, duplicates, migration, readOnly, failed, closed, cancelled
    /// Nothing that a caller could act on.
    case unexplained
  }

  package var kind: Kind
  /// What was being done; `nil` if it does not say.
  package var phase: String?
  /// Whether the change may be on the disk all the same.
  package var isUnknown: Bool
  /// For people; laws read it only to show it.
  package var message: String
  /// Bytes of what is too large, and bytes that are allowed; `nil` if the store does not say.
  package var size: Int?
  package var limit: Int?

  package init(_ kind: Kind, phase: String?, isUnknown: Bool = false, _ message: String) {
    self.kind = kind
    self.phase = phase
    self.isUnknown = isUnknown
    self.message = message
  }

  package var description: String { "\(kind.rawValue) (\(phase ?? "no phase")): \(message)" }
}
