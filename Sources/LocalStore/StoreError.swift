import FileSystems

/// Why a store could not be opened, or did not carry a call out.
///
///     phase              the files then                                       `durableState`
///     open               as before, but for copies in quarantine              old
///     encode, evaluate   not touched: the item or the batch was refused       old
///     append             as before, or an end that could not be cut off       old, unknown
///     synchronize        what was appended may survive or not                 unknown
///     compact            the old ones, or it is unknown which will count      old, unknown
///     close              all changes are sure; a mark is missing              old
///
/// After `unknown` the store carries no change out until it was compacted or opened again.
public struct StoreError: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The item cannot be encoded; the encoder's words. Other items are not concerned.
    case encodingFailed(id: String, explanation: String)
    /// The item is of another version than the caller expected; `nil` stands for no item.
    case versionConflict(id: String, expected: UInt64?, actual: UInt64?)
    /// The item of an `update` does not decode, its closure threw, or gave the item another id; or what is appended has
    /// no item to go behind.
    case updateRefused(id: String, explanation: String)
    /// The item or the batch is larger than the options allow, in bytes.
    case tooLarge(size: Int, limit: Int)
    /// The disk, or a quota, has no room.
    ///
    /// A deletion needs some, too, and `compact` as much as the items take: the old files go when the new ones are
    /// sure. LocalStore.md, "A full disk", says what an app can do.
    case noSpace
    /// A call of the file system was refused.
    case fileSystem(explanation: String)
    /// Another instance has the store open, in this process or in another.
    case alreadyOpen
    /// The files are damaged; they stay as they are, and a copy is in `quarantine` if it could be made.
    case corrupted(StoreDamage)
    /// The files are of a later version of the store, or their items of a later schema.
    case unsupportedFormat(found: UInt32, supported: UInt32)
    /// The directory or the file's name is not one that a store may use.
    case invalidLocation(explanation: String)
    /// The seed's file has several items with one id.
    case duplicateIDs([String])
    /// Bringing an item over from an older schema threw.
    case migrationFailed(id: String, explanation: String)
    /// The store serves reads only.
    case readOnly(explanation: String)
    /// An earlier failure left open what is on the disk; `compact` writes new files and ends this.
    case failed(explanation: String)
    case closed
    /// The caller's task was cancelled before anything was done.
    case cancelled
  }

  /// What was being done.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case open, encode, evaluate, append, synchronize, compact, close
  }

  /// What a later opening will find of the change that failed.
  public enum DurableState: String, Hashable, Sendable {
    /// Nothing of it.
    case old
    /// All of it or nothing.
    case unknown
  }

  public let reason: Reason
  public let phase: Phase
  public let durableState: DurableState

  package init(_ reason: Reason, _ phase: Phase, _ durableState: DurableState = .old) {
    self.reason = reason
    self.phase = phase
    self.durableState = durableState
  }

  /// What a refused call of the file system means to a store.
  init(_ error: FileError, _ phase: Phase, _ durableState: DurableState = .old) {
    let reason: Reason =
      switch error.cause {
      case .noSpace, .quotaExceeded, .fileTooLarge: .noSpace
      case .accessDenied, .readOnly: .readOnly(explanation: "\(error)")
      default: .fileSystem(explanation: "\(error)")
      }
    self.init(reason, phase, durableState)
  }
}

/// What is wrong with the files of a store.
public struct StoreDamage: Hashable, Sendable, CustomStringConvertible {
  /// Name of the file.
  public let file: String
  /// Byte offset of the first thing that is wrong.
  public let offset: Int
  /// What was expected there, and what was found.
  public let explanation: String

  package init(file: String, offset: Int, explanation: String) {
    self.file = file
    self.offset = offset
    self.explanation = explanation
  }

  public var description: String { "\(file), byte \(offset): \(explanation)" }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    let state = durableState == .unknown ? "; whether the change is on the disk is not known" : ""
    return "\(phase.rawValue): \(reason)\(state)"
  }
}

extension StoreError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .encodingFailed(let id, let words): "item '\(id)' cannot be encoded: \(words)"
    case .versionConflict(let id, let expected, let actual):
      "item '\(id)': expected \(Self.versionText(expected)), found \(Self.versionText(actual))"
    case .updateRefused(let id, let words): "the update of '\(id)' was refused: \(words)"
    case .tooLarge(let size, let limit): "\(size) bytes are more than the limit of \(limit)"
    case .noSpace: "the disk is full"
    case .fileSystem(let words): words
    case .alreadyOpen: "the store is already open, in this process or in another"
    case .corrupted(let damage):
      "the files are damaged: \(damage); `onDamage` decides whether what is intact is read"
    case .unsupportedFormat(let found, let supported):
      "the files are of version \(found); this program reads versions up to \(supported)"
    case .invalidLocation(let words): "not a place for a store: \(words)"
    case .duplicateIDs(let ids):
      "several items have one id: \(ids.map { "'\($0)'" }.joined(separator: ", ")); `onDuplicates` "
        + "decides which of them counts"
    case .migrationFailed(let id, let words): "item '\(id)' cannot be migrated: \(words)"
    case .readOnly(let words): "the store is read-only: \(words)"
    case .failed(let words): "the store has failed, and must be compacted or opened again: \(words)"
    case .closed: "the store is closed"
    case .cancelled: "the task was cancelled"
    }
  }

  private static func versionText(_ version: UInt64?) -> String {
    version.map { "version \($0)" } ?? "no item"
  }
}
