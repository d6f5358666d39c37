/// What a change survives once the call that made it has returned.
///
/// Every level keeps changes whole and in their order; they differ in the newest ones that may be
/// lost.
///
///     saved with          the process ends       power is lost
///     memory              lost                   lost
///     process             there                  there or lost
///     data, full          there                  there
///     any, then flushed   as a save at the level of the flush
public enum StoreDurability: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Nothing is written: other callers of this process see it. `flush` writes it.
  case memory
  /// The end of this process. One append to the journal, and no synchronisation.
  case process
  /// Loss of power as well. One synchronisation, which callers at the same time share.
  case data
  /// As `data`, and the drive's own cache is emptied where the system has a call for that (Apple's do).
  case full

  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .memory: 0
    case .process: 1
    case .data: 2
    case .full: 3
    }
  }
}

/// What becomes of a store whose files are damaged.
///
/// The originals always stay, as a copy in `quarantine`.
public enum DamagePolicy: String, Hashable, Sendable, CaseIterable {
  /// It is not opened.
  case refuse
  /// What is intact is served, and nothing is written.
  case readOnly
  /// It goes on with what is intact: without the items of a snapshot that are damaged, and without what comes behind
  /// damage in a journal.
  case salvage
}

/// Which item of the seed's JSON file counts if several have one id.
public enum DuplicatePolicy: String, Hashable, Sendable, CaseIterable {
  /// The file is not taken over.
  case fail
  case keepFirst
  case keepLast
}

/// Brings the bytes of an item from an older schema to the current one.
public typealias StoreMigration =
  @Sendable (_ schema: UInt32, _ id: String, _ payload: [UInt8]) throws -> [UInt8]

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// What each change survives; ``StoreDurability/data`` by default.
  public var durability: StoreDurability
  public var onDamage: DamagePolicy
  public var onDuplicates: DuplicatePolicy
  /// The version of the items' own form; a store of a higher one is refused.
  public var schema: UInt32
  /// Called for each item of a store whose schema is lower: all or none are brought over.
  ///
  /// Items of the JSON file that a new store takes over count as of schema 1.
  ///
  /// Without it, payloads stay as they are, and count as items of the new schema from then on.
  public var migrate: StoreMigration?
  /// Permission bits of the files, `0o600` by default; those of the folder are `0o700`.
  public var fileMode: UInt16
  /// Bytes of one item at most, 16 MiB by default; a document is one item: its snapshot and the changes behind it.
  public var itemLimit: Int
  /// Bytes of one batch at most, 64 MiB by default; never above `Frame.payloadLimit`.
  public var batchLimit: Int
  /// Bytes that a journal holds before it is first compacted, 64 KiB by default.
  ///
  /// Later ones are compacted when they are larger than their snapshot, so that all writing is a small
  /// multiple of what is saved.
  public var compactionFloor: Int

  public init(
    durability: StoreDurability = .data,
    onDamage: DamagePolicy = .refuse,
    onDuplicates: DuplicatePolicy = .fail,
    schema: UInt32 = 1,
    migrate: StoreMigration? = nil,
    fileMode: UInt16 = 0o600,
    itemLimit: Int = 16 << 20,
    batchLimit: Int = 64 << 20,
    compactionFloor: Int = 64 << 10
  ) {
    self.durability = durability
    self.onDamage = onDamage
    self.onDuplicates = onDuplicates
    self.schema = schema
    self.migrate = migrate
    self.fileMode = fileMode
    self.itemLimit = itemLimit
    self.batchLimit = batchLimit
    self.compactionFloor = compactionFloor
  }

  /// Zeros that a journal gets behind its frames when it has outgrown those that it had: as many bytes as it may hold
  /// before it is compacted, and 64 KiB at most.
  var journalRoom: Int { max(0, min(compactionFloor, 64 << 10)) }
}
