/// One change: ops committed together, and what they depend on.
struct ChangeRecord: BitwiseCopyable {
  var actor: UInt16
  var seq: UInt32
  var startOp: UInt32
  var opCount: UInt32
  var time: Int64
  /// In `History.text`; the length is 0 for no message.
  var messageStart: UInt32
  var messageLength: UInt32
  /// In `History.text`.
  var extraStart: UInt32
  var extraLength: UInt32
  /// In `History.dependencies`, ascending by hash.
  var dependencyStart: UInt32
  var dependencyCount: UInt32
  /// In `History.chunks`; the length is 0 while the bytes have not been rebuilt.
  var chunkStart: Int = 0
  var chunkLength: UInt32 = 0

  /// Counter of the last op; one below `startOp` for an empty change.
  var maxOp: UInt32 { startOp &+ opCount &- 1 }
}

/// A change that waits for changes it depends on.
struct WaitingChange {
  var hash: ChangeHash
  var dependencies: [ChangeHash]
  /// The plain chunk.
  var bytes: [UInt8]
}

/// A change that waited for its dependencies and was refused when they had come.
///
/// What it depends on decides whether a change is sound, so that a bad one may wait like any other.
/// It is told here and not thrown: the call that brings its dependencies is another's.
package struct DroppedChange: Hashable, Sendable {
  package let hash: ChangeHash
  package let reason: ChunkError
}

/// The change graph, in the order in which changes were applied.
///
/// Positions in that order name changes here; every change comes after its dependencies.
struct History: ~Copyable {
  var hashes = Arena<ChangeHash>()
  var records = Arena<ChangeRecord>()
  var dependencies = Arena<UInt32>()
  /// Messages and extra bytes.
  var text = Arena<UInt8>()
  /// Plain chunks, of changes that were committed or received here.
  var chunks = Arena<UInt8>()
  /// From hash to position, for the changes that somebody has looked among.
  private let index = HashIndex()
  /// Changes nobody depends on, by position, ascending.
  var heads: ContiguousArray<UInt32> = []
  /// The last change of each actor, or `.max`.
  var latest: ContiguousArray<UInt32> = []
  /// Changes which the last save, or the file loaded, already holds.
  var savedCount = 0
  var waiting: [WaitingChange] = []
  /// The last changes that were dropped, oldest first; at most ``droppedLimit``.
  private(set) var dropped: [DroppedChange] = []
  /// How many were dropped in all.
  private(set) var droppedCount = 0

  /// How many dropped changes are remembered.
  static let droppedLimit = 64

  init() {}

  borrowing func copy() -> History {
    var copy = History()
    copy.hashes = hashes.copy()
    copy.records = records.copy()
    copy.dependencies = dependencies.copy()
    copy.text = text.copy()
    copy.chunks = chunks.copy()
    copy.heads = heads
    copy.latest = latest
    copy.savedCount = savedCount
    copy.waiting = waiting
    copy.dropped = dropped
    copy.droppedCount = droppedCount
    return copy
  }

  var count: Int { records.count }
  /// Without the waiting changes, which are the caller's.
  var byteCapacity: Int {
    hashes.byteCapacity + records.byteCapacity + dependencies.byteCapacity + text.byteCapacity
      + chunks.byteCapacity
  }

  /// The position of a change; nil if it is not here.
  @inline(__always)
  func find(_ hash: ChangeHash) -> UInt32? {
    // Most dependencies are the change before.
    if let last = hashes.lastIndex, hashes[last] == hash { return UInt32(last) }
    return index.find(hash, in: hashes)
  }

  /// Remembers a waiting change that was refused.
  mutating func drop(_ change: DroppedChange) {
    if dropped.count == Self.droppedLimit { dropped.removeFirst() }
    dropped.append(change)
    droppedCount += 1
  }

  /// Takes over what another history of the same document remembers beside its changes.
  mutating func takeNotes(of other: borrowing History) {
    savedCount = other.savedCount
    waiting = other.waiting
    dropped = other.dropped
    droppedCount = other.droppedCount
  }

  /// Makes room for changes that are known to come.
  mutating func reserve(_ extra: Int) {
    records.reserve(extra)
    hashes.reserve(extra)
  }

  /// Changes of an actor so far.
  func sequence(of actor: UInt16) -> UInt32 {
    guard Int(actor) < latest.count, latest[Int(actor)] != .max else { return 0 }
    return records[latest[Int(actor)]].seq
  }

  /// Enters a change whose dependencies are `dependencies[record.dependencyStart...]`.
  mutating func append(_ record: ChangeRecord, _ hash: ChangeHash) {
    let position = UInt32(records.count)
    records.append(record)
    hashes.append(hash)
    while latest.count <= Int(record.actor) { latest.append(.max) }
    latest[Int(record.actor)] = position
    if record.dependencyCount == 1 && heads.count == 1
      && heads[0] == dependencies[record.dependencyStart]
    {
      heads[0] = position
      return
    }
    var left = record.dependencyCount
    while left > 0 {
      left -= 1
      let dependency = dependencies[record.dependencyStart + left]
      dropHead(dependency)
    }
    heads.append(position)
  }

  /// Takes a position out of the heads, if it is among them.
  @inline(__always)
  private mutating func dropHead(_ position: UInt32) {
    var (low, high) = (0, heads.count)
    while low < high {
      let middle = (low + high) / 2
      if heads[middle] < position { low = middle + 1 } else { high = middle }
    }
    if low < heads.count && heads[low] == position { heads.remove(at: low) }
  }

  /// What to remember to undo all appends after this moment.
  struct Mark {
    fileprivate let count: Int
    fileprivate let dependencyCount: Int
    fileprivate let textCount: Int
    fileprivate let chunkCount: Int
    fileprivate let heads: ContiguousArray<UInt32>
    fileprivate let latest: ContiguousArray<UInt32>
    fileprivate let waiting: [WaitingChange]
    fileprivate let dropped: [DroppedChange]
    fileprivate let droppedCount: Int
    var changeCount: Int { count }
  }

  var mark: Mark {
    Mark(
      count: records.count,
      dependencyCount: dependencies.count,
      textCount: text.count,
      chunkCount: chunks.count,
      heads: heads,
      latest: latest,
      waiting: waiting,
      dropped: dropped,
      droppedCount: droppedCount
    )
  }

  /// Forgets all changes appended since `mark`.
  mutating func rewind(to mark: Mark) {
    records.truncate(to: mark.count)
    hashes.truncate(to: mark.count)
    dependencies.truncate(to: mark.dependencyCount)
    text.truncate(to: mark.textCount)
    chunks.truncate(to: mark.chunkCount)
    heads = mark.heads
    latest = mark.latest
    waiting = mark.waiting
    dropped = mark.dropped
    droppedCount = mark.droppedCount
    index.forget(from: mark.count)
  }

  /// The hashes of the heads, ascending.
  var headHashes: [ChangeHash] { heads.map { hashes[$0] }.sorted() }
}

/// The edits made since the last commit.
struct Transaction: ~Copyable {
  var log = Arena<OpRun>()
  /// Predecessors of the runs in `log`.
  var preds = Arena<PackedID>()
  /// The writer's number; meaningful while the transaction is open.
  var actor: UInt16 = 0
  var startOp: UInt32 = 0
  var isOpen = false

  init() {}

  var byteCapacity: Int { log.byteCapacity + preds.byteCapacity }

  borrowing func copy() -> Transaction {
    var copy = Transaction()
    copy.log = log.copy()
    copy.preds = preds.copy()
    copy.actor = actor
    copy.startOp = startOp
    copy.isOpen = isOpen
    return copy
  }
}
