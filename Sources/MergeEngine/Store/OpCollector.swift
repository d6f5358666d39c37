/// All operations of a document as runs in the order of (actor, counter), from the op store.
///
/// The store keeps no deletes: they are the successors that no row has.
///
/// Source: Specification/Format.md, "Rebuilding changes".
///
///      store        key "k":  put 5@a (successors 7@b, 9@a),  put 7@b (successor 9@a)
///      collected    by a:  put 5, delete 9 of 5 and 7           9@a has no row, so it was a deletion
///                   by b:  put 7 of 5
struct OpCollector: ~Copyable {
  /// By actor, then by counter.
  private(set) var runs = Arena<OpRun>()
  private(set) var preds = Arena<PackedID>()

  /// What is being collected of one register: each successor with the row that it overwrites.
  private var links: [(successor: PackedID, row: RowHandle)] = []

  /// Cost: everything that the document holds, and sorting the runs.
  mutating func collect(_ core: borrowing Core) {
    for object in core.objects.handles {
      let record = core.objects[object]
      if record.kind.isSequence {
        collectSequence(record, core)
      } else {
        var register = record.firstRegister
        while !register.isNone {
          collectRegister(
            core.registers[register],
            record,
            element: .none,
            reference: .none,
            core
          )
          register = core.registers[register].next
        }
      }
    }
    sort()
  }

  private mutating func collectSequence(_ record: ObjectRecord, _ core: borrowing Core) {
    var leaf = record.firstLeaf
    while !leaf.isNone {
      for slot in core.slots(of: leaf) {
        let run = core.runs[core.at(leaf, slot)]
        if run.isComplex {
          collectRegister(
            core.registers[run.register],
            record,
            element: run.first,
            reference: run.reference(of: 0),
            core
          )
        } else {
          collectSimple(run, record)
        }
      }
      leaf = core.leaves[leaf].next
    }
  }

  /// The insertions of a run, and the deletions that hide its elements.
  ///
  ///     run     7@a count 3, hidden by 20, 21, 22@b      insertions 7...9@a, deletions 20...22@b of 7, 8, 9
  ///     run     7@a count 3, hidden by 22, 21, 20@b      deletions 20...22@b of 9, 8, 7: step -1
  @inline(__always)
  private mutating func collectSimple(_ run: ElementRun, _ record: ObjectRecord) {
    runs.append(
      OpRun(
        objectCounter: record.counter,
        objectActor: record.actor,
        actor: run.actor,
        counter: run.counter,
        count: run.count,
        key: .none,
        elementCounter: run.reference,
        elementActor: run.referenceActor,
        action: run.action,
        flags: .insert,
        meta: run.meta,
        value: run.value
      )
    )
    guard run.isHidden else { return }
    var delete = OpRun(
      objectCounter: record.counter,
      objectActor: record.actor,
      actor: run.successorActor,
      counter: run.successor,
      count: run.count,
      key: .none,
      elementCounter: run.counter,
      elementActor: run.actor,
      action: .delete,
      flags: .plainDelete
    )
    if run.isDescending {
      delete.counter = run.successor &- (run.count &- 1)
      delete.elementCounter = run.counter &+ (run.count &- 1)
      delete.step = -1
    }
    runs.append(delete)
  }

  /// `element` is the one whose register it is, none for a map key; `reference` is what it was
  /// inserted behind.
  private mutating func collectRegister(
    _ register: Register,
    _ record: ObjectRecord,
    element: PackedID,
    reference: PackedID,
    _ core: borrowing Core
  ) {
    links.removeAll(keepingCapacity: true)
    let firstRun = runs.count
    var scan = register.first
    while !scan.isNone {
      let row = core.rows[scan]
      let inserts = scan == register.first && !element.isNone
      let key = inserts ? reference : element
      var run = OpRun(
        objectCounter: record.counter,
        objectActor: record.actor,
        actor: row.actor,
        counter: row.counter,
        key: register.key,
        elementCounter: key.counter,
        elementActor: key.actor,
        action: row.action,
        meta: row.meta,
        value: row.value,
        name: row.name
      )
      if inserts { run.flags.insert(.insert) }
      if row.flags.contains(.expand) { run.flags.insert(.expand) }
      runs.append(run)
      if row.successor != 0 {
        links.append((row.firstSuccessor, scan))
        if !row.more.isNone {
          var node = core.chains[row.more].first
          while !node.isNone {
            links.append((core.chainNodes[node].id, scan))
            node = core.chainNodes[node].next
          }
        }
      }
      scan = row.next
    }
    if links.isEmpty { return }
    settleLinks(register, of: record, element: element, firstRun: firstRun, in: core)
  }

  /// Gives rows their predecessors, and makes deletes of the successors that are no rows.
  ///
  ///     rows     5, 7, 9       links  (7 of 5) (12 of 5) (12 of 9)        by successor, then by row
  ///     7 is a row:    its predecessors are [5]
  ///     12 is none:    a deletion with the predecessors [5, 9]
  private mutating func settleLinks(
    _ register: Register,
    of record: ObjectRecord,
    element: PackedID,
    firstRun: Int,
    in core: borrowing Core
  ) {
    var isSorted = true
    for at in 1..<max(links.count, 1) {
      if core.precedes(links[at].successor, links[at - 1].successor) { isSorted = false }
    }
    if !isSorted {
      // Rows ascend, so predecessors of one successor ascend if equal successors keep their order.
      let indexed = Array(links.indices)
      let order = indexed.sorted {
        let (left, right) = (links[$0].successor, links[$1].successor)
        return left == right ? $0 < $1 : core.precedes(left, right)
      }
      links = order.map { links[$0] }
    }
    var entry = firstRun
    let lastRun = runs.count
    var at = 0
    while at < links.count {
      let successor = links[at].successor
      let start = preds.nextHandle
      while at < links.count && links[at].successor == successor {
        preds.append(core.rows[links[at].row].id)
        at += 1
      }
      while entry < lastRun && core.precedes(runs[entry].id, successor) { entry += 1 }
      if entry < lastRun && runs[entry].id == successor {
        runs[entry].predecessorStart = start
        runs[entry].predecessorCount = preds.nextHandle.place - start.place
      } else {
        runs.append(
          OpRun(
            objectCounter: record.counter,
            objectActor: record.actor,
            actor: successor.actor,
            counter: successor.counter,
            key: register.key,
            elementCounter: element.counter,
            elementActor: element.actor,
            action: .delete,
            predecessorStart: start,
            predecessorCount: preds.nextHandle.place - start.place
          )
        )
      }
    }
  }

  private struct SortEntry: BitwiseCopyable {
    /// Actor, then counter.
    var key: UInt64
    var run: OpRunHandle
  }

  /// Up to this many runs are sorted by comparing them.
  private static let fewCount = Sizes.fewRuns
  /// Bits of the key that one pass of the sort looks at.
  private static let digitBits = Sizes.sortDigitBits

  /// Brings the runs into order: by actor, then counter.
  ///
  /// A few by comparing; many by one digit of the key after the other, leaving out digits that
  /// are the same in all. Runs in order already cost one pass.
  ///
  /// Sorts handles of runs and not the runs themselves, which are several times as long.
  ///
  /// By actor first, since changes are dealt out actor by actor. In a sound document no two runs
  /// have one key; of one that is being read, two of a key leave a gap or a repetition, and are
  /// refused then.
  ///
  ///     collected    9 of actor 0    7 of actor 1    2 of actor 0        as objects and rows come
  ///     sorted       2 of actor 0    9 of actor 0    7 of actor 1
  private mutating func sort() {
    let count = runs.count
    if count < 2 { return }
    var entries = Arena<SortEntry>(capacity: count)
    var isSorted = true
    var last: UInt64 = 0
    let first = UInt64(runs[0].actor) << 32 | UInt64(runs[0].counter)
    var differing: UInt64 = 0
    for run in runs.handles {
      let key = UInt64(runs[run].actor) << 32 | UInt64(runs[run].counter)
      if key < last { isSorted = false }
      last = key
      differing |= key ^ first
      entries.append(SortEntry(key: key, run: run))
    }
    if isSorted { return }
    if count <= Self.fewCount {
      unsafe entries.withMutableElements { buffer in
        var buffer = unsafe buffer
        unsafe buffer.sort { $0.key < $1.key }
      }
    } else {
      Self.sortByDigits(&entries, differing)
    }
    var sorted = Arena<OpRun>(capacity: count)
    for place in 0..<count { sorted.append(runs[entries[place].run]) }
    swap(&runs, &sorted)
  }

  /// Least digit first, each pass keeping the order of the one before.
  ///
  /// `differing` has a bit for each place at which two keys differ. Keys have 48 bits, so that
  /// there are five passes of 11 bits at most; each is two walks over the entries, and one over the
  /// counts of digits.
  private static func sortByDigits(_ entries: inout Arena<SortEntry>, _ differing: UInt64) {
    let count = entries.count
    let radix = 1 << Int(digitBits)
    let mask = UInt64(radix - 1)
    var spare = Arena<SortEntry>(capacity: count)
    spare.append(repeating: SortEntry(key: 0, run: .none), count: count)
    var starts = Arena<Int>(capacity: radix + 1)
    var shift: UInt64 = 0
    while differing >> shift != 0 {
      defer { shift += digitBits }
      if differing >> shift & mask == 0 { continue }
      starts.truncate(to: 0)
      starts.append(repeating: 0, count: radix + 1)
      for place in 0..<count { starts[Int(entries[place].key >> shift & mask) + 1] += 1 }
      for digit in 1...radix { starts[digit] += starts[digit - 1] }
      for place in 0..<count {
        let digit = Int(entries[place].key >> shift & mask)
        spare[starts[digit]] = entries[place]
        starts[digit] += 1
      }
      swap(&entries, &spare)
    }
  }
}
