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
///     entries       0: x misses 1   1: y misses 0   2: z misses 2      by slot
///     order         [ 0  1  2 ]            the queue, as slots; places 0, 1, 2
///     slots         x: 0   y: 1   z: 2
///     dependents    p: [x, z]   q: [z]     missing changes, and who waits for them
///     ready         heap of (place, change): (1, y)
///     authors       a: 2 changes, heap of (number, change): (4, x), (7, z)
///
/// A merge makes many changes wait for a moment: each is named by its slot, and not by its hash, so that
/// tables of hashes are asked once when it comes and once when it goes.
///
/// Heaps and dependents may name changes that have moved or gone: a ``Name`` is compared with `entries`
/// before it is used. `ready` never lacks one that is ready, since each change that gets a new
/// place, or misses nothing any more, is entered again; an author's heap never lacks one that waits,
/// but for those in `unnumbered`.
struct WaitingQueue {
  private struct Entry {
    let change: WaitingChange
    /// Counts the changes that were ever entered.
    let number: Int
    var place: Int
    /// Dependencies that are not in the history.
    var missingCount: Int
    /// Whether its author's heap has it.
    var isNumbered = false
  }

  /// A change that waits, or has waited: its slot may have another since.
  fileprivate struct Name {
    let slot: Int
    let number: Int
  }

  /// The changes of one author that wait.
  private struct Author {
    var count = 0
    /// Ranked by their numbers; some may be gone.
    var numbers = NameHeap()

    mutating func enter(_ name: Name, seq: UInt64, _ workCount: inout Int) {
      count += 1
      numbers.push(Int(clamping: seq), name, &workCount)
    }
  }

  /// What a call did, to be undone backwards.
  private enum Step {
    case entered(slot: Int, missing: [ChangeHash])
    case removed(Entry, slot: Int)
    case resolved(ChangeHash, dependents: [Name])
  }

  private var order: [Int] = []
  private var entries: [Entry?] = []
  /// Slots without an entry.
  ///
  /// What left last is used first, so that undoing steps backwards gives each
  /// change its slot again.
  private var free: [Int] = []
  private var slots: [ChangeHash: Int] = [:]
  /// By a change that is missing, those that wait for it.
  private var dependents: [ChangeHash: [Name]] = [:]
  private var authors: [ActorID: Author] = [:]
  /// Changes of this call that `authors` lacks: most are gone before the count is asked for.
  private var unnumbered: [Name] = []
  /// Changes that may be ready, ranked by the places at which they were.
  private var ready = NameHeap()
  /// Nil between calls, and in a call that began with an empty queue: undoing it empties the queue.
  private var steps: [Step]?
  /// Bytes of all chunks that wait.
  private(set) var byteCount = 0
  /// The number that the next change gets.
  ///
  /// None is used twice, not even when the call is taken back that gave it: heaps may still have its name.
  private(set) var nextNumber = 0
  /// Steps of work done, for ``WorkMeter``.
  private(set) var workCount = 0

  func contains(_ hash: ChangeHash) -> Bool { !order.isEmpty && slots[hash] != nil }

  /// Changes of an author that wait.
  mutating func count(of author: ActorID) -> Int {
    enterNumbers()
    return authors[author]?.count ?? 0
  }

  /// Enters a change at the end; `missing` are its dependencies that are not in the history.
  mutating func enter(_ change: WaitingChange, missing: [ChangeHash]) {
    let entry = Entry(
      change: change,
      number: nextNumber,
      place: order.count,
      missingCount: missing.count
    )
    nextNumber += 1
    let slot = add(entry)
    order.append(slot)
    let name = Name(slot: slot, number: entry.number)
    for hash in missing { dependents[hash, default: []].append(name) }
    workCount += WorkMeter.link * (1 + missing.count)
    steps?.append(.entered(slot: slot, missing: missing))
  }

  /// Notes that a change is in the history now.
  mutating func resolve(_ hash: ChangeHash) {
    guard !order.isEmpty, let waiting = dependents.removeValue(forKey: hash) else { return }
    for name in waiting where has(name) {
      entries[name.slot]?.missingCount -= 1
      noteIfReady(name.slot)
    }
    workCount += WorkMeter.link * waiting.count
    steps?.append(.resolved(hash, dependents: waiting))
  }

  /// Takes out the first change that misses nothing, the last of the queue taking its place.
  ///
  /// Source: Specification/Semantics.md, "Fork, merge, duplicates".
  mutating func takeReady() -> (change: WaitingChange, number: Int)? {
    while let (place, name) = ready.pop(&workCount) {
      // What was entered into the heap may have moved or gone since.
      guard place < order.count, order[place] == name.slot, let entry = entries[name.slot],
        entry.missingCount == 0
      else { continue }
      take(entry, from: name.slot)
      return (entry.change, entry.number)
    }
    return nil
  }

  /// Takes out a change that has one of the numbers 1 to `last` of its author, the last of the queue taking
  /// its place; `nil` if none has.
  ///
  /// Its name stays with what it misses until that comes.
  mutating func takeNumbered(
    upTo last: UInt32,
    of author: ActorID
  ) -> (change: WaitingChange, number: Int)? {
    enterNumbers()
    while let (seq, name) = authors[author]?.numbers.first, seq <= Int(last) {
      _ = authors[author]?.numbers.pop(&workCount)
      guard has(name), let entry = entries[name.slot] else { continue }
      take(entry, from: name.slot)
      return (entry.change, entry.number)
    }
    return nil
  }

  /// Closes the place of a change with the last of the queue.
  private mutating func take(_ entry: Entry, from slot: Int) {
    let moved = order.removeLast()
    if moved != slot { put(moved, at: entry.place) }
    remove(entry, from: slot)
    workCount += WorkMeter.link
    steps?.append(.removed(entry, slot: slot))
  }

  // MARK: Calls

  /// From now on steps are remembered.
  mutating func begin() {
    steps = isEmpty ? nil : []
  }

  /// The steps of the call stay.
  mutating func end() {
    steps = nil
    if isEmpty { forgetAll() } else { enterNumbers() }
  }

  /// Undoes the steps of the call.
  ///
  /// The history must be rewound as well: missing counts are of what it holds.
  mutating func rewind() {
    let done = steps
    steps = nil
    guard let done else {
      forgetAll()
      return
    }
    for step in done.reversed() {
      switch step {
      case .entered(let slot, let missing):
        for other in missing {
          dependents[other]?.removeLast()
          if dependents[other]?.isEmpty == true { dependents[other] = nil }
        }
        order.removeLast()
        if let entry = entries[slot] { remove(entry, from: slot) }
      case .removed(let entry, let slot):
        if entry.place < order.count {
          order.append(order[entry.place])
          put(order[entry.place], at: order.count - 1)
          order[entry.place] = slot
        } else {
          order.append(slot)
        }
        let again = add(entry)
        assert(again == slot, "slots are given back in the order in which they were left")
        noteIfReady(slot)
      case .resolved(let hash, let waiting):
        for name in waiting where has(name) { entries[name.slot]?.missingCount += 1 }
        dependents[hash] = waiting
      }
    }
    enterNumbers()
  }

  /// Back to an empty queue; the counts of what was ever done stay.
  ///
  /// A queue that was small keeps its buffers for the next merge, which is likely to be small as well.
  private mutating func forgetAll() {
    if entries.isEmpty { return }
    guard entries.count <= Self.keptCount else {
      var empty = WaitingQueue()
      empty.nextNumber = nextNumber
      empty.workCount = workCount
      self = empty
      return
    }
    order.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    dependents.removeAll(keepingCapacity: true)
    authors.removeAll(keepingCapacity: true)
    unnumbered.removeAll(keepingCapacity: true)
    ready.removeAll()
    byteCount = 0
  }

  /// Changes for which an empty queue keeps room at most.
  private static let keptCount = 64

  // MARK: Parts

  /// Whether the change of a name waits still.
  private func has(_ name: Name) -> Bool { entries[name.slot]?.number == name.number }

  /// Moves a change to a place; its old one is the caller's to close.
  private mutating func put(_ slot: Int, at place: Int) {
    order[place] = slot
    entries[slot]?.place = place
    noteIfReady(slot)
  }

  /// Does nothing for a change that misses something.
  private mutating func noteIfReady(_ slot: Int) {
    guard let entry = entries[slot], entry.missingCount == 0 else { return }
    ready.push(entry.place, Name(slot: slot, number: entry.number), &workCount)
  }

  /// Gives an entry a slot; the counts that limits ask for go with it.
  private mutating func add(_ entry: Entry) -> Int {
    let slot = free.popLast() ?? entries.count
    if slot == entries.count { entries.append(nil) }
    entries[slot] = entry
    entries[slot]?.isNumbered = false
    slots[entry.change.hash] = slot
    unnumbered.append(Name(slot: slot, number: entry.number))
    byteCount += entry.change.bytes.count
    return slot
  }

  /// Enters into the authors' heaps what they lack.
  private mutating func enterNumbers() {
    for name in unnumbered where has(name) {
      guard let entry = entries[name.slot], !entry.isNumbered else { continue }
      entries[name.slot]?.isNumbered = true
      let change = entry.change
      authors[change.author, default: Author()].enter(name, seq: change.seq, &workCount)
    }
    unnumbered.removeAll(keepingCapacity: true)
  }

  private mutating func remove(_ entry: Entry, from slot: Int) {
    entries[slot] = nil
    free.append(slot)
    slots[entry.change.hash] = nil
    byteCount -= entry.change.bytes.count
    guard entry.isNumbered else { return }
    let author = entry.change.author
    guard let count = authors[author]?.count, count > 1 else {
      authors[author] = nil
      return
    }
    authors[author]?.count = count - 1
    // Half of what a heap holds may be gone: it costs no more than what waits and has waited since.
    guard authors[author]?.numbers.count ?? 0 > 2 * count + 8 else { return }
    workCount += authors[author]?.numbers.count ?? 0
    let entries = entries
    authors[author]?.numbers.keep { entries[$0.slot]?.number == $0.number }
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
  /// What does not hold of the queue; `nil` if all holds.
  ///
  /// Cost: a pass over everything.
  func breach(isKnown: (ChangeHash) -> Bool) -> String? {
    if slots.count != order.count { return "\(slots.count) slots, \(order.count) places" }
    if entries.count != order.count + free.count { return "\(entries.count) slots" }
    var bytes = 0
    var numbered = 0
    for (place, slot) in order.enumerated() {
      guard let entry = entries[slot], entry.place == place, slots[entry.change.hash] == slot
      else { return "astray at \(place)" }
      let missing = entry.change.dependencies.filter { !isKnown($0) }
      if missing.count != entry.missingCount { return "\(place) misses \(entry.missingCount)" }
      for other in missing
      where dependents[other]?.contains(where: { $0.slot == slot && has($0) }) != true {
        return "\(place) is not called when a dependency comes"
      }
      bytes += entry.change.bytes.count
      if !entry.isNumbered { continue }
      numbered += 1
      let names = authors[entry.change.author]?.numbers.names ?? []
      if !names.contains(where: { $0.slot == slot && has($0) }) {
        return "\(place) is not found by its number"
      }
    }
    if bytes != byteCount { return "\(bytes) bytes, \(byteCount) counted" }
    if authors.values.reduce(0, { $0 + $1.count }) != numbered {
      return "the counts of authors differ"
    }
    if numbered + unnumbered.count(where: { has($0) }) < order.count {
      return "a change is in no author's heap, and will not be"
    }
    return nil
  }
}

/// A heap of changes, the smallest rank first.
///
/// Duplicates are harmless: a change that was taken out is not found a second time.
private struct NameHeap {
  private var items: [(rank: Int, name: WaitingQueue.Name)] = []

  var count: Int { items.count }
  var first: (rank: Int, name: WaitingQueue.Name)? { items.first }

  var names: [WaitingQueue.Name] { items.map(\.name) }

  mutating func push(_ rank: Int, _ name: WaitingQueue.Name, _ workCount: inout Int) {
    items.append((rank, name))
    var child = items.count - 1
    while child > 0 {
      workCount += 1
      let parent = (child - 1) / 2
      if items[parent].rank <= items[child].rank { break }
      items.swapAt(parent, child)
      child = parent
    }
  }

  mutating func pop(_ workCount: inout Int) -> (rank: Int, name: WaitingQueue.Name)? {
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

  mutating func removeAll() { items.removeAll(keepingCapacity: true) }

  /// Forgets what does not hold.
  ///
  /// An array in ascending order is a heap.
  mutating func keep(_ isKept: (WaitingQueue.Name) -> Bool) {
    items.removeAll { !isKept($0.name) }
    items.sort { $0.rank < $1.rank }
  }
}
