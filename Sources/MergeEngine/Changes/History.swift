/// One change: ops committed together, and what they depend on.
///
///     startOp 7, opCount 3     operations 7, 8 and 9: `maxOp` 9
///     startOp 7, opCount 0     an empty change: `maxOp` 6
///
/// While a document is read, `startOp` holds the last operation's number until the change is
/// rebuilt (``Core/rebuildHistory(_:byteLimit:)``).
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
///
///     position       0      1      2      3             0 <- 1 <- 3      heads: 2 and 3
///     depends on     -      0      0      1                 `- 2
///     dependents     2      1      0      0             counts: 0 is a head
///     path length    5      7      6      8             with 5, 2, 1 and 1 operations
///
/// A head stops being one when a change comes that depends on it, and is then still a candidate;
/// candidates are counted anew when they have become many.
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
  /// How many changes here depend on each.
  private var dependentCounts = Arena<UInt32>()
  /// Positions, ascending, among which all heads are; at most twice as many as those, and a few.
  private var headCandidates: ContiguousArray<UInt32> = []
  /// Changes that no other change depends on.
  private(set) var headCount = 0
  /// Operations on the longest path of dependencies up to each change, its own included.
  private var pathLengths = Arena<UInt32>()
  /// The last change of each actor, or `.max`.
  var latest: ContiguousArray<UInt32> = []
  /// Changes which the last save, or the file loaded, already holds.
  ///
  /// A place in the order of application: what stands behind it is new.
  var savedCount = 0
  var waiting = WaitingQueue()
  /// The last changes that were dropped, oldest first; at most ``droppedLimit``.
  private(set) var dropped: [DroppedChange] = []
  /// How many were dropped in all.
  private(set) var droppedCount = 0

  /// During a call, the last change before it of the actor of each change appended.
  private var earlierLatest: ContiguousArray<UInt32>?
  /// Steps that the heads have cost, for ``WorkMeter``.
  private var headWorkCount = 0

  /// How many dropped changes are remembered.
  static let droppedLimit = 64

  init() {}

  /// The index and what a call in progress remembers stay behind: no copy is made within a call
  /// that takes changes in.
  borrowing func copy() -> History {
    var copy = History()
    copy.hashes = hashes.copy()
    copy.records = records.copy()
    copy.dependencies = dependencies.copy()
    copy.text = text.copy()
    copy.chunks = chunks.copy()
    copy.dependentCounts = dependentCounts.copy()
    copy.headCandidates = headCandidates
    copy.headCount = headCount
    copy.pathLengths = pathLengths.copy()
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
      + chunks.byteCapacity + dependentCounts.byteCapacity + pathLengths.byteCapacity
  }
  /// Bytes of all changes, without spare room and without the waiting ones.
  var byteCount: Int {
    hashes.byteCount + records.byteCount + dependencies.byteCount + text.byteCount
      + chunks.byteCount + dependentCounts.byteCount + pathLengths.byteCount
  }
  /// Steps of work that appending and waiting have cost.
  var workCount: Int { headWorkCount + waiting.workCount }

  /// The position of a change; nil if it is not here.
  ///
  /// Waiting changes are not here.
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
  ///
  /// The caller has appended the dependencies' positions, and, if it has them, the chunk and the
  /// text. Changes that wait for this one are told.
  mutating func append(_ record: ChangeRecord, _ hash: ChangeHash) {
    let position = UInt32(records.count)
    records.append(record)
    hashes.append(hash)
    while latest.count <= Int(record.actor) { latest.append(.max) }
    earlierLatest?.append(latest[Int(record.actor)])
    latest[Int(record.actor)] = position
    var length: UInt32 = 0
    for entry in 0..<record.dependencyCount {
      let dependency = dependencies[record.dependencyStart + entry]
      if dependentCounts[dependency] == 0 { headCount -= 1 }
      dependentCounts[dependency] += 1
      length = max(length, pathLengths[dependency])
    }
    dependentCounts.append(0)
    pathLengths.append(Self.sum(length, record.opCount))
    appendHead(position)
    headWorkCount += 1 + Int(record.dependencyCount)
    if !waiting.isEmpty { waiting.resolve(hash) }
  }

  /// Makes the newest change a head, which it always is.
  @inline(__always)
  private mutating func appendHead(_ position: UInt32) {
    headCount += 1
    if headCount == 1 && headCandidates.count == 1 {
      headCandidates[0] = position
      return
    }
    headCandidates.append(position)
    if headCandidates.count > 2 * headCount + Self.spareCandidateCount {
      headWorkCount += headCandidates.count
      headCandidates = heads
    }
  }

  /// Candidates beyond twice the heads that are kept, so that few heads are not counted anew often.
  private static let spareCandidateCount = 16

  /// Changes that no other change depends on, by position, ascending.
  ///
  /// Cost: linear in their number.
  var heads: ContiguousArray<UInt32> {
    if let soleHead { return [soleHead] }
    return headCandidates.filter { dependentCounts[$0] == 0 }
  }

  /// The only head; nil if there are none or several.
  @inline(__always)
  var soleHead: UInt32? {
    // Nothing can depend on the newest change yet.
    headCount == 1 ? UInt32(records.count - 1) : nil
  }

  /// Operations on the longest path of dependencies up to a change, its own included.
  func pathLength(of position: UInt32) -> UInt32 { pathLengths[position] }

  /// Saturates: a path is compared with limits, and a forged document may claim any length.
  private static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  /// What to remember to undo all appends after this moment.
  struct Mark {
    fileprivate let count: Int
    fileprivate let dependencyCount: Int
    fileprivate let textCount: Int
    fileprivate let chunkCount: Int
    fileprivate let dropped: [DroppedChange]
    fileprivate let droppedCount: Int
    var changeCount: Int { count }
  }

  /// Begins a call that can be undone; ``keep()`` or ``rewind(to:)`` ends it.
  mutating func begin() -> Mark {
    earlierLatest = []
    waiting.begin()
    return Mark(
      count: records.count,
      dependencyCount: dependencies.count,
      textCount: text.count,
      chunkCount: chunks.count,
      dropped: dropped,
      droppedCount: droppedCount
    )
  }

  /// Keeps what the call has done.
  mutating func keep() {
    earlierLatest = nil
    waiting.end()
  }

  /// Forgets all changes appended since `mark`.
  ///
  /// Cost: what they cost, and once the heads.
  ///
  /// Dependencies that lose their last dependent are heads again, and so they become candidates.
  mutating func rewind(to mark: Mark) {
    var reopened: [UInt32] = []
    var position = records.count
    while position > mark.count {
      position -= 1
      let record = records[position]
      for entry in 0..<record.dependencyCount {
        let dependency = dependencies[record.dependencyStart + entry]
        dependentCounts[dependency] -= 1
        guard dependentCounts[dependency] == 0 else { continue }
        headCount += 1
        reopened.append(dependency)
      }
      headCount -= 1
      latest[Int(record.actor)] = earlierLatest?.popLast() ?? .max
    }
    records.truncate(to: mark.count)
    hashes.truncate(to: mark.count)
    dependencies.truncate(to: mark.dependencyCount)
    text.truncate(to: mark.textCount)
    chunks.truncate(to: mark.chunkCount)
    dependentCounts.truncate(to: mark.count)
    pathLengths.truncate(to: mark.count)
    let candidates = Set(headCandidates).union(reopened)
    headCandidates = ContiguousArray(
      candidates.filter { $0 < mark.count && dependentCounts[$0] == 0 }.sorted()
    )
    dropped = mark.dropped
    droppedCount = mark.droppedCount
    index.forget(from: mark.count)
    earlierLatest = nil
    waiting.rewind()
  }

  /// The hashes of the heads, ascending.
  var headHashes: [ChangeHash] { heads.map { hashes[$0] }.sorted() }
}

/// The edits made since the last commit.
///
///     closed         isOpen false, the log is empty
///     open           the next operation is `maxOp + 1`, the first one was `startOp`
///     open, empty    an edit was refused after it had opened the transaction; committing closes it
struct Transaction: ~Copyable {
  /// In the order in which they were made; counters rise without a gap from `startOp` to the
  /// document's `maxOp`.
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
