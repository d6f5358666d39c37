/// A change that waits for changes it depends on.
struct WaitingChange {
  let hash: ChangeHash
  let author: ActorID
  /// Its number among the author's changes, from 1.
  let seq: UInt64
  let dependencies: [ChangeHash]
  /// The plain chunk.
  let bytes: [UInt8]
}

/// Changes that wait for their dependencies, in the order in which saved bytes show them.
///
/// It is kept up to date change by change, and never searched: a call costs what its own changes
/// cost, however many wait.
///
///     enter, find, take out     constant, and a step for each dependency
///     a change arrives          a step for each change that waits for it
///     the next ready change     logarithmic
///     a number is taken         logarithmic for each change that has it
///
/// Within a call (``begin()``) it remembers its steps, so that ``rewind()`` costs as much as they did.
///
///     order         [ x  y  z ]            the queue; places 0, 1, 2
///     entries       x: misses 1   y: misses 0   z: misses 2
///     dependents    p: [x, z]   q: [z]     missing changes, and who waits for them
///     ready         heap of (place, change): (1, y)
///     authors       a: 2 changes, heap of (number, change): (4, x), (7, z)
///
/// The heaps may name changes that have moved or gone: what comes out is compared with `order` and
/// `entries` before it is used. `ready` never lacks one that is ready, since each change that gets a new
/// place, or misses nothing any more, is entered again; an author's heap never lacks one that waits.
struct WaitingQueue {
  private struct Entry {
    let change: WaitingChange
    /// Counts the changes that were ever entered.
    let number: Int
    var place: Int
    /// Dependencies that are not in the history.
    var missingCount: Int
  }

  /// The changes of one author that wait.
  private struct Author {
    var count = 0
    /// Ranked by their numbers; some may be gone.
    var numbers = HashHeap()
  }

  /// What a call did, to be undone backwards.
  private enum Step {
    case entered(ChangeHash, missing: [ChangeHash])
    case removed(Entry)
    case resolved(ChangeHash, dependents: [ChangeHash])
  }

  private var order: [ChangeHash] = []
  private var entries: [ChangeHash: Entry] = [:]
  /// By a change that is missing, those that wait for it.
  private var dependents: [ChangeHash: [ChangeHash]] = [:]
  private var authors: [ActorID: Author] = [:]
  /// Changes that may be ready, ranked by the places at which they were.
  private var ready = HashHeap()
  private var steps: [Step]?
  /// Bytes of all chunks that wait.
  private(set) var byteCount = 0
  /// The number that the next change gets.
  private(set) var nextNumber = 0
  /// Steps of work done, for ``WorkMeter``.
  private(set) var workCount = 0

  func contains(_ hash: ChangeHash) -> Bool { entries[hash] != nil }

  /// Changes of an author that wait.
  func count(of author: ActorID) -> Int { authors[author]?.count ?? 0 }

  /// Enters a change at the end; `missing` are its dependencies that are not in the history.
  mutating func enter(_ change: WaitingChange, missing: [ChangeHash]) {
    let entry = Entry(
      change: change,
      number: nextNumber,
      place: order.count,
      missingCount: missing.count
    )
    nextNumber += 1
    order.append(change.hash)
    for hash in missing { dependents[hash, default: []].append(change.hash) }
    add(entry)
    workCount += WorkMeter.link * (1 + missing.count)
    steps?.append(.entered(change.hash, missing: missing))
  }

  /// Notes that a change is in the history now.
  mutating func resolve(_ hash: ChangeHash) {
    guard !order.isEmpty, let waiting = dependents.removeValue(forKey: hash) else { return }
    for dependent in waiting {
      entries[dependent]?.missingCount -= 1
      noteIfReady(dependent)
    }
    workCount += WorkMeter.link * waiting.count
    steps?.append(.resolved(hash, dependents: waiting))
  }

  /// Takes out the first change that misses nothing, the last of the queue taking its place.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  mutating func takeReady() -> (change: WaitingChange, number: Int)? {
    while let (place, hash) = ready.pop(&workCount) {
      // What was entered into the heap may have moved or gone since.
      guard place < order.count, order[place] == hash, let entry = entries[hash],
        entry.missingCount == 0
      else { continue }
      take(entry)
      return (entry.change, entry.number)
    }
    return nil
  }

  /// Takes out a change that has one of the numbers 1 to `last` of its author, the last of the queue taking
  /// its place; nil if none has.
  ///
  /// Its name stays with what it misses until that comes.
  mutating func takeNumbered(
    upTo last: UInt32,
    of author: ActorID
  ) -> (change: WaitingChange, number: Int)? {
    while let (seq, hash) = authors[author]?.numbers.first, seq <= Int(last) {
      _ = authors[author]?.numbers.pop(&workCount)
      guard let entry = entries[hash] else { continue }
      take(entry)
      return (entry.change, entry.number)
    }
    return nil
  }

  /// Closes the place of a change with the last of the queue.
  private mutating func take(_ entry: Entry) {
    let moved = order.removeLast()
    if moved != entry.change.hash { put(moved, at: entry.place) }
    remove(entry)
    workCount += WorkMeter.link
    steps?.append(.removed(entry))
  }

  // MARK: Calls

  /// From now on steps are remembered.
  mutating func begin() { steps = [] }

  /// The steps of the call stay.
  mutating func end() { steps = nil }

  /// Undoes the steps of the call.
  ///
  /// The history must be rewound as well: missing counts are of what it holds.
  mutating func rewind() {
    guard let done = steps else { return }
    steps = nil
    for step in done.reversed() {
      switch step {
      case .entered(let hash, let missing):
        for other in missing {
          dependents[other]?.removeLast()
          if dependents[other]?.isEmpty == true { dependents[other] = nil }
        }
        order.removeLast()
        if let entry = entries[hash] { remove(entry) }
      case .removed(let entry):
        if entry.place < order.count {
          order.append(order[entry.place])
          put(order[entry.place], at: order.count - 1)
          order[entry.place] = entry.change.hash
        } else {
          order.append(entry.change.hash)
        }
        add(entry)
        noteIfReady(entry.change.hash)
      case .resolved(let hash, let waiting):
        for dependent in waiting { entries[dependent]?.missingCount += 1 }
        dependents[hash] = waiting
      }
    }
    nextNumber -= done.count { if case .entered = $0 { true } else { false } }
  }

  // MARK: Parts

  /// Moves a change to a place; its old one is the caller's to close.
  private mutating func put(_ hash: ChangeHash, at place: Int) {
    order[place] = hash
    entries[hash]?.place = place
    noteIfReady(hash)
  }

  /// Does nothing for a change that misses something, or is not here.
  private mutating func noteIfReady(_ hash: ChangeHash) {
    guard let entry = entries[hash], entry.missingCount == 0 else { return }
    ready.push(entry.place, hash, &workCount)
  }

  /// The counts that limits ask for go with the entry.
  private mutating func add(_ entry: Entry) {
    let change = entry.change
    entries[change.hash] = entry
    authors[change.author, default: Author()].count += 1
    authors[change.author]?.numbers.push(Int(clamping: change.seq), change.hash, &workCount)
    byteCount += change.bytes.count
  }

  private mutating func remove(_ entry: Entry) {
    let author = entry.change.author
    entries[entry.change.hash] = nil
    byteCount -= entry.change.bytes.count
    guard let count = authors[author]?.count, count > 1 else {
      authors[author] = nil
      return
    }
    authors[author]?.count = count - 1
    // Half of what a heap holds may be gone: it costs no more than what waits and has waited since.
    guard authors[author]?.numbers.count ?? 0 > 2 * count + 8 else { return }
    workCount += authors[author]?.numbers.count ?? 0
    let entries = entries
    authors[author]?.numbers.keep { entries[$0] != nil }
  }
}

extension WaitingQueue: Sequence {
  var count: Int { order.count }
  var isEmpty: Bool { order.isEmpty }

  /// The changes in the order of the queue.
  func makeIterator() -> IndexingIterator<[WaitingChange]> {
    order.compactMap { entries[$0]?.change }.makeIterator()
  }
}

extension WaitingQueue {
  /// What does not hold of the queue; nil if all holds.
  ///
  /// Cost: a pass over everything.
  func breach(isKnown: (ChangeHash) -> Bool) -> String? {
    if entries.count != order.count { return "\(entries.count) entries, \(order.count) places" }
    var bytes = 0
    for (place, hash) in order.enumerated() {
      guard let entry = entries[hash], entry.place == place else { return "astray at \(place)" }
      let missing = entry.change.dependencies.filter { !isKnown($0) }
      if missing.count != entry.missingCount { return "\(place) misses \(entry.missingCount)" }
      for other in missing where dependents[other]?.contains(hash) != true {
        return "\(place) is not called when a dependency comes"
      }
      bytes += entry.change.bytes.count
    }
    if bytes != byteCount { return "\(bytes) bytes, \(byteCount) counted" }
    if authors.values.reduce(0, { $0 + $1.count }) != order.count {
      return "the counts of authors differ"
    }
    let numbered = Set(authors.values.flatMap(\.numbers.hashes))
    if let lost = order.first(where: { !numbered.contains($0) }) {
      return "\(lost) is not found by its number"
    }
    return nil
  }
}

/// A heap of changes, the smallest rank first.
///
/// Duplicates are harmless: a change that was taken out is not found a second time.
private struct HashHeap {
  private var items: [(rank: Int, hash: ChangeHash)] = []

  var count: Int { items.count }
  var first: (rank: Int, hash: ChangeHash)? { items.first }

  var hashes: [ChangeHash] { items.map(\.hash) }

  mutating func push(_ rank: Int, _ hash: ChangeHash, _ workCount: inout Int) {
    items.append((rank, hash))
    var child = items.count - 1
    while child > 0 {
      workCount += 1
      let parent = (child - 1) / 2
      if items[parent].rank <= items[child].rank { break }
      items.swapAt(parent, child)
      child = parent
    }
  }

  mutating func pop(_ workCount: inout Int) -> (rank: Int, hash: ChangeHash)? {
    guard let first = items.first else { return nil }
    let last = items.removeLast()
    if items.isEmpty { return first }
    items[0] = last
    var parent = 0
    while true {
      workCount += 1
      var child = parent * 2 + 1
      if child >= items.count { break }
      if child + 1 < items.count && items[child + 1].rank < items[child].rank { child += 1 }
      if items[parent].rank <= items[child].rank { break }
      items.swapAt(parent, child)
      parent = child
    }
    return first
  }

  /// Forgets what does not hold.
  ///
  /// An array in ascending order is a heap.
  mutating func keep(_ isKept: (ChangeHash) -> Bool) {
    items.removeAll { !isKept($0.hash) }
    items.sort { $0.rank < $1.rank }
  }
}
