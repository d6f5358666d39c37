/// What opening a store found and did.
///
///     a store that was closed        closed, sequence 7, itemCount 4, the rest empty
///     power was lost in an append    torn, truncatedByteCount 64, its end in quarantine
///     the old JSON file was there    imported, sequence 1, the file in quarantine
///     a bit of the journal flipped   damaged, with file and offset, as the policy says
///
/// Nothing is repaired without a line here.
public struct OpenReport: Hashable, Sendable {
  /// What was there.
  public enum State: String, Hashable, Sendable {
    /// Neither a folder of the store nor a file of the seed.
    case missing
    /// The folder, and in it nothing of a store, or a store that was never made ready.
    case empty
    /// The seed's JSON file, which was taken over.
    case imported
    /// A store that was closed.
    case closed
    /// A store that was not closed, and is whole.
    case interrupted
    /// A store whose journal ends in a change that was not completely written; it was cut off.
    case torn
    /// Damage: the policy decided.
    case damaged
    /// A medium that cannot be written.
    case readOnly
    /// The store could not be opened; `error` says why.
    case refused
  }

  public internal(set) var state: State
  /// Counts how often the whole state was rewritten.
  public internal(set) var generation: UInt64 = 0
  /// The number of the newest change.
  public internal(set) var sequence: UInt64 = 0
  public internal(set) var itemCount = 0
  /// Bytes cut off at the end of the journal, which `quarantine` keeps.
  public internal(set) var truncatedByteCount = 0
  public internal(set) var damage: [StoreDamage] = []
  /// Names of the files put into `quarantine` by this opening.
  public internal(set) var quarantined: [String] = []
  /// Ids of items that are kept as bytes, since they do not decode.
  public internal(set) var undecodable: [String] = []
  /// Elements of the seed's file, from 0, that have no id; the file in `quarantine` keeps them.
  public internal(set) var unreadableElements: [Int] = []
  /// The schema from which items were brought over.
  public internal(set) var migratedFrom: UInt32?
  /// Whether a file of the seed stands beside a store that was not made of it: it is left alone.
  public internal(set) var hasForeignFile = false
  /// Why the store could not be opened.
  public internal(set) var error: StoreError?

  package init(state: State) {
    self.state = state
  }
}

/// Whether a store carries calls out.
public enum StoreHealth: Hashable, Sendable {
  case ok
  /// Reads only.
  case readOnly(String)
  /// What is on the disk is not known, or the store was not opened: reads only.
  case failed(String)
  case closed
}

/// What a change came to.
public struct StoreCommit: Hashable, Sendable {
  /// The number of the change; changes count from 1, and items have the number of their latest one.
  ///
  /// Of a call that changed nothing, that of the newest change.
  public let sequence: UInt64
  /// What it survives by now.
  public let durability: StoreDurability
  /// Whether anything was changed: deleting an absent item changes nothing.
  public let isChange: Bool
}
