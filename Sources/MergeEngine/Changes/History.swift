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
  var dependencyStart: DependencyHandle
  var dependencyCount: UInt32
  /// In `History.chunks`; the length is 0 while the bytes have not been rebuilt.
  var chunkStart: Int = 0
  var chunkLength: UInt32 = 0

  /// What the change depends on: entries of `History.dependencies`.
  @inline(__always)
  var dependencies: Handles<ChangeHandle> {
    Handles(from: dependencyStart, count: dependencyCount)
  }

  /// Counter of the last op; one below `startOp` for an empty change.
  var maxOp: UInt32 { startOp &+ opCount &- 1 }
}

/// A change that waited for its dependencies and was refused when they had come.
///
/// What it depends on decides whether a change is sound, so that a bad one may wait like any other.
/// It is kept here and not thrown: the call that brings its dependencies is another's.
package struct DroppedChange: Hashable, Sendable {
  package let hash: ChangeHash
  package let reason: ChunkError
}

/// The change graph, in the order in which changes were applied.
///
/// Handles name changes here, by their places in that order; every change comes after its
/// dependencies. A replica that applied them in another order has other handles for them: only
/// hashes leave the document, and places in a saved document, where they are those of its rows.
///
///     place          0      1      2      3             0 <- 1 <- 3      heads: 2 and 3
///     depends on     -      0      0      1                 `- 2
///     dependents     2      1      0      0             counts: 0 is a head
///     path length    5      7      6      8             with 5, 2, 1 and 1 operations
///
/// A head stops being one when a change comes that depends on it, and is then still a candidate;
/// candidates are counted again when they have become many.
struct History: ~Copyable {
  /// By change.
  var hashes = Arena<ChangeHash>()
  var records = Arena<ChangeRecord>()
  /// The dependencies of each change side by side (``ChangeRecord/dependencies``).
  var dependencies = Arena<ChangeHandle>()
  /// Messages and extra bytes.
  var text = Arena<UInt8>()
  /// Plain chunks, of changes that were committed or received here.
  var chunks = Arena<UInt8>()
  /// From hash to change, for the changes that a search has looked among.
  private let index = HashIndex()
  /// By change, how many changes here depend on it.
  private var dependentCounts = Arena<UInt32>()
  /// Changes, ascending, among which all heads are; at most twice as many as those, and a few.
  private var headCandidates = Arena<ChangeHandle>()
  /// Changes that no other change depends on.
  private(set) var headCount = 0
  /// By change, operations on the longest path of dependencies up to it, its own included.
  private var pathLengths = Arena<UInt32>()
  /// By actor number, the actor's last change; none for an actor without changes.
  private var latest = Arena<ChangeHandle>()
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
  private var earlierLatest = Arena<ChangeHandle>()
  private var isInCall = false
  /// Steps that the heads have cost, for ``WorkMeter``.
  private var headWorkCount = 0

  /// How many dropped changes are remembered.
  static let droppedLimit = 64

  /// Always `nil`: makes the type address-only, as in ``Core``.
  ///
  /// Calls that only read would else copy all 336 bytes for their callee, two a change received.
  private let byAddress: (any Sendable)? = nil

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
    copy.headCandidates = headCandidates.copy()
    copy.headCount = headCount
    copy.pathLengths = pathLengths.copy()
    copy.latest = latest.copy()
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

  /// All changes, in the order in which they were applied.
  var changes: Handles<ChangeRecord> { records.handles }

  /// The changes from a place in that order on.
  func changes(from start: Int) -> Handles<ChangeRecord> { records.handles(from: start) }

  /// A change by its hash; `nil` if it is not here.
  ///
  /// Waiting changes are not here.
  @inline(__always)
  func find(_ hash: ChangeHash) -> ChangeHandle? {
    // Most dependencies are the change before.
    if let last = hashes.lastIndex, hashes[last] == hash { return ChangeHandle(last) }
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
    // A call that is under way counts from what the heads had cost before it.
    headWorkCount = other.headWorkCount
  }

  /// Makes room for changes that are known to come.
  mutating func reserve(_ extra: Int) {
    records.reserve(extra)
    hashes.reserve(extra)
  }

  /// An actor's last change; none if it has made none.
  @inline(__always)
  func latest(of actor: UInt16) -> ChangeHandle {
    Int(actor) < latest.count ? latest[Int(actor)] : .none
  }

  /// Changes of an actor so far.
  func sequence(of actor: UInt16) -> UInt32 {
    let last = latest(of: actor)
    return last.isNone ? 0 : records[last].seq
  }

  /// Enters a change whose dependencies are `dependencies[record.dependencyStart...]`.
  ///
  /// The caller has appended the dependencies, and, if it has them, the chunk and the
  /// text. Changes that wait for this one learn of it.
  mutating func append(_ record: ChangeRecord, _ hash: ChangeHash) {
    let change = records.nextHandle
    records.append(record)
    hashes.append(hash)
    while latest.count <= Int(record.actor) { latest.append(.none) }
    if isInCall { earlierLatest.append(latest[Int(record.actor)]) }
    latest[Int(record.actor)] = change
    var length: UInt32 = 0
    for entry in record.dependencies {
      let dependency = dependencies[entry]
      if dependentCounts[beside: dependency] == 0 { headCount -= 1 }
      dependentCounts[beside: dependency] += 1
      length = max(length, pathLengths[beside: dependency])
    }
    dependentCounts.append(0)
    pathLengths.append(Self.sum(length, record.opCount))
    appendHead(change)
    headWorkCount += 1 + Int(record.dependencyCount)
    if !waiting.isEmpty { waiting.resolve(hash) }
  }

  /// Makes the newest change a head, which it always is.
  @inline(__always)
  private mutating func appendHead(_ change: ChangeHandle) {
    headCount += 1
    if soleHead != nil && headCandidates.count == 1 {
      headCandidates[0] = change
      return
    }
    headCandidates.append(change)
    if headCandidates.count > 2 * headCount + Self.spareCandidateCount {
      headWorkCount += headCandidates.count
      dropFormerHeads()
    }
  }

  /// Leaves heads alone among the candidates.
  private mutating func dropFormerHeads() {
    var kept = 0
    for place in 0..<headCandidates.count {
      let change = headCandidates[place]
      if dependentCounts[beside: change] > 0 { continue }
      headCandidates[kept] = change
      kept += 1
    }
    headCandidates.truncate(to: kept)
  }

  /// Candidates beyond twice the heads that are kept, so that few heads are not counted again often.
  private static let spareCandidateCount = 16

  /// Changes that no other change depends on, in the order in which they were applied.
  ///
  /// Cost: linear in their number.
  var heads: ContiguousArray<ChangeHandle> {
    var heads: ContiguousArray<ChangeHandle> = []
    // One more: a commit adds the writer's own last change.
    heads.reserveCapacity(headCount + 1)
    forEachHead { heads.append($0) }
    return heads
  }

  private func forEachHead(_ body: (ChangeHandle) -> Void) {
    if let soleHead { return body(soleHead) }
    for place in 0..<headCandidates.count {
      let change = headCandidates[place]
      if dependentCounts[beside: change] == 0 { body(change) }
    }
  }

  /// The only head; `nil` if there are none or several.
  @inline(__always)
  var soleHead: ChangeHandle? {
    // Nothing can depend on the newest change yet.
    headCount == 1 ? ChangeHandle(records.count - 1) : nil
  }

  /// Operations on the longest path of dependencies up to a change, its own included.
  func pathLength(of change: ChangeHandle) -> UInt32 { pathLengths[beside: change] }

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
    earlierLatest.truncate(to: 0)
    isInCall = true
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
    endCall()
    waiting.end()
  }

  /// A long call leaves no buffer behind; a short one leaves it for the next, likely short as well.
  private mutating func endCall() {
    isInCall = false
    if earlierLatest.count > Self.keptCount { earlierLatest = Arena() }
  }

  /// Changes of a call for which room is kept.
  private static let keptCount = 64

  /// Forgets all changes appended since `mark`.
  ///
  /// Cost: what they cost, and once the heads.
  ///
  /// Dependencies that lose their last dependent are heads again, and so they become candidates.
  mutating func rewind(to mark: Mark) {
    var reopened: [ChangeHandle] = []
    for change in changes(from: mark.count).reversed() {
      let record = records[change]
      for entry in record.dependencies {
        let dependency = dependencies[entry]
        dependentCounts[beside: dependency] -= 1
        guard dependentCounts[beside: dependency] == 0 else { continue }
        headCount += 1
        reopened.append(dependency)
      }
      headCount -= 1
      let place = change.index - mark.count
      latest[Int(record.actor)] = earlierLatest[place]
    }
    records.truncate(to: mark.count)
    hashes.truncate(to: mark.count)
    dependencies.truncate(to: mark.dependencyCount)
    text.truncate(to: mark.textCount)
    chunks.truncate(to: mark.chunkCount)
    dependentCounts.truncate(to: mark.count)
    pathLengths.truncate(to: mark.count)
    var candidates = Set(reopened)
    for place in 0..<headCandidates.count { candidates.insert(headCandidates[place]) }
    headCandidates.truncate(to: 0)
    for change in candidates.sorted()
    where records.contains(change) && dependentCounts[beside: change] == 0 {
      headCandidates.append(change)
    }
    dropped = mark.dropped
    droppedCount = mark.droppedCount
    index.forget(from: mark.count)
    endCall()
    waiting.rewind()
  }

  /// The hashes of the heads, ascending.
  var headHashes: [ChangeHash] {
    var found: [ChangeHash] = []
    found.reserveCapacity(headCount)
    forEachHead { found.append(hashes[$0]) }
    if found.count > 1 { found.sort() }
    return found
  }
}

extension Arena where Element == ChangeHash {
  /// The hash of a change.
  subscript(change: ChangeHandle) -> ChangeHash { self[beside: change] }
}

/// Some of the changes of a document: a flag for each.
///
///     changes   0 <- 1 <- 3        ancestors of 1:  [ true  true  false  false ]
///               0 <- 2
struct ChangeSet {
  private var flags: ContiguousArray<Bool>

  /// No change out of those of a history, in which each later call must be about a change.
  init(of history: borrowing History) {
    flags = ContiguousArray(repeating: false, count: history.count)
  }

  subscript(change: ChangeHandle) -> Bool {
    @inline(__always) get { flags[change.index] }
    @inline(__always) set { flags[change.index] = newValue }
  }
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
