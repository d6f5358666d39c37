/// Compares two states of a document, and writes the patches that lead from the one to the other.
///
/// The walk starts at the root and goes through the objects that the second state shows, the least id
/// first. So an object comes after the one that holds it, which is older. An object that the first state did
/// not show at its place is compared with nothing: what is shown again is written out whole.
///
/// Cost: linear in the elements and keys of the objects compared, and logarithmic for each object; and, where
/// marks begin or end, once for all that changed from there to the next such place, the marks that are open.
///
/// Source: Specification/Semantics.md, "Differences between two states".
///
/// The writer keeps the index in the state that the patches written so far have made, so that each
/// patch can be applied as it comes:
///
///      first state   a b c d         second state   a x c
///      patches       insert x at 1 | delete 1 at 2 (b) | delete 1 at 3 (d)
struct PatchWalk {
  /// An object to compare, and how the walk got there.
  private struct Visit {
    var object: ObjectHandle
    /// Orders the visits: the counter, then the actor's rank.
    var order: UInt64
    /// Whether the first state shows the object at this place.
    var wasThere: Bool
    /// Where its path ends in `paths`.
    var path: Int
  }

  /// The patches of one object.
  private struct Written {
    let object: ObjectID
    let kind: ObjectKind
    let path: Int
    let actions: [DocumentPatch.Action]
  }

  private let before: Clock
  private let after: Clock
  /// Covers no operation: what an object is compared with that the first state did not show.
  private let nothing: Clock
  /// For each actor by its number, its place in the order of all.
  private let places: [UInt16]
  /// A heap, the least order first.
  private var visits: [Visit] = []
  private var paths = PatchPath.Table()
  private var written: [Written] = []

  /// The patches, when the walk is done.
  var patches: [DocumentPatch] {
    written.flatMap { part in
      let path = PatchPath(in: paths, to: part.path)
      return part.actions.map { action in
        DocumentPatch(object: part.object, kind: part.kind, path: path, action: action)
      }
    }
  }

  /// - Parameters:
  ///   - before: The first state.
  ///   - after: The second state.
  ///   - places: Those of ``Core/actorPlaces()``.
  init(from before: Clock, to after: Clock, places: [UInt16]) {
    self.before = before
    self.after = after
    self.places = places
    nothing = Clock(limits: ContiguousArray(repeating: 0, count: after.limits.count))
  }

  mutating func run(_ core: borrowing Core) {
    push(Visit(object: .root, order: 0, wasThere: true, path: -1))
    while let visit = pop() {
      let object = core.objects[visit.object]
      var writer = PatchWriter(
        object: core.publicID(ofObject: visit.object),
        kind: object.kind,
        path: visit.path,
        unit: core.unit
      )
      let first = visit.wasThere ? before : nothing
      if object.kind.isSequence {
        walkSequence(visit.object, from: first, core, &writer)
      } else {
        walkMap(visit.object, from: first, core, &writer)
      }
      let actions = writer.finish()
      core.meter.add(writer.markCount)
      if actions.isEmpty { continue }
      written.append(
        Written(object: writer.object, kind: object.kind, path: visit.path, actions: actions)
      )
    }
  }

  // MARK: Registers

  /// What a register shows in both states.
  private struct Change {
    /// The winners; `nil` where nothing is visible.
    var before: RowHandle?
    var after: RowHandle?
    /// Whether other values are visible beside the winner.
    var wasConflict = false
    var isConflict = false
  }

  /// One pass over the rows serves both states: the last visible row of each wins.
  ///
  ///     rows     5@a "x"    7@b "y" over 5    9@a "z" over 5
  ///     before   a 5, b 0   the winner is 5
  ///     after    a 9, b 7   the winner is 9, and 7 is visible beside it: a conflict
  private func change(
    _ register: RegisterHandle,
    from first: Clock,
    _ core: borrowing Core
  ) -> Change {
    var change = Change()
    var scan = core.registers[register].first
    while !scan.isNone {
      if core.isVisible(scan, in: register, at: first) {
        change.wasConflict = change.before != nil
        change.before = scan
      }
      if core.isVisible(scan, in: register, at: after) {
        change.isConflict = change.after != nil
        change.after = scan
      }
      scan = core.rows[scan].next
    }
    return change
  }

  /// What a winner that stays has become: a greater counter, or one value of several.
  private func noteKept(
    _ row: RowHandle,
    change: Change,
    in register: RegisterHandle,
    at prop: Prop,
    from first: Clock,
    _ core: borrowing Core,
    _ writer: inout PatchWriter
  ) {
    if core.rows[row].isCounter,
      case .scalar(.counter(let old)) = core.entry(row, in: register, at: first).value,
      case .scalar(.counter(let new)) = core.entry(row, in: register, at: after).value, old != new
    {
      writer.add(.increment(prop, new &- old))
    }
    if change.isConflict && !change.wasConflict { writer.add(.conflict(prop)) }
  }

  /// Goes into an object that a place shows in the second state.
  ///
  /// `wasThere` is about this place: an object has one place in a document, but may have been
  /// hidden there.
  private mutating func enter(
    _ value: Value,
    at prop: Prop,
    wasThere: Bool,
    _ writer: PatchWriter,
    _ core: borrowing Core
  ) {
    guard case .object(let id, _) = value, let actor = core.actors.find(id.actor),
      let object = core.objectHandle(PackedID(id.counter, actor))
    else { return }
    push(
      Visit(
        object: object,
        order: UInt64(id.counter) << 16 | UInt64(places[Int(actor)]),
        wasThere: wasThere,
        path: paths.append(
          PatchPath.Step(object: writer.object, kind: writer.kind, prop: prop),
          behind: writer.path
        )
      )
    )
  }

  // MARK: Maps

  /// All keys that the map ever had, in the order of their bytes: which of them either state shows
  /// is seen on the way.
  private mutating func walkMap(
    _ object: ObjectHandle,
    from first: Clock,
    _ core: borrowing Core,
    _ writer: inout PatchWriter
  ) {
    var registers: [(key: KeyHandle, register: RegisterHandle)] = []
    var scan = core.objects[object].firstRegister
    while !scan.isNone {
      registers.append((core.registers[scan].key, scan))
      scan = core.registers[scan].next
    }
    registers.sort { core.keys.view($0.key).precedes(core.keys.view($1.key)) }
    for (key, register) in registers {
      let change = change(register, from: first, core)
      guard let row = change.after else {
        if change.before != nil { writer.add(.deleteKey(core.keys.string(key))) }
        continue
      }
      // Most keys keep a plain value: they are passed without a look at it.
      if change.before == row, core.rows[row].action.made == nil, !core.rows[row].isCounter,
        !change.isConflict
      {
        continue
      }
      let prop = Prop.key(core.keys.string(key))
      let value = core.entry(row, in: register, at: after).value
      if change.before == row {
        noteKept(row, change: change, in: register, at: prop, from: first, core, &writer)
      } else {
        writer.add(.put(prop, value, isConflict: change.isConflict))
      }
      enter(value, at: prop, wasThere: change.before == row, writer, core)
    }
  }

  // MARK: Sequences

  /// The sequence holds the elements of both states, in one order: each is left out, deleted,
  /// inserted or kept.
  private mutating func walkSequence(
    _ object: ObjectHandle,
    from first: Clock,
    _ core: borrowing Core,
    _ writer: inout PatchWriter
  ) {
    var marks = MarkComparison()
    var leaf = core.objects[object].firstLeaf
    while !leaf.isNone {
      for slot in core.slots(of: leaf) {
        let run = core.runs[core.at(leaf, slot)]
        if run.isMark {
          let row = core.rows[core.registers[run.register].first]
          marks.pass(
            row,
            rank: places[Int(run.actor)],
            isBefore: first.covers(run.first),
            isAfter: after.covers(run.first)
          )
        } else if run.isComplex {
          walkElement(run, of: object, from: first, core, marks: &marks, writer: &writer)
        } else {
          walkRun(run, of: object, from: first, core, marks: &marks, writer: &writer)
        }
      }
      leaf = core.leaves[leaf].next
    }
  }

  /// A simple run, by stretches that are alike in both states.
  ///
  ///     elements      0 1 2 3 4 5 6 7
  ///     old           from 2 to 8               cuts at 2, 6 and 8
  ///     new           from 0 to 6               inserted 0...1, kept 2...5, deleted 6...7
  private mutating func walkRun(
    _ run: ElementRun,
    of object: ObjectHandle,
    from first: Clock,
    _ core: borrowing Core,
    marks: inout MarkComparison,
    writer: inout PatchWriter
  ) {
    let (old, new) = (core.visiblePart(run, first), core.visiblePart(run, after))
    var from: UInt32 = 0
    let cuts = [old.from, old.to, new.from, new.to, run.count].sorted()
    for cut in cuts where cut > from && cut <= run.count {
      let wasVisible = old.from <= from && from < old.to
      let isVisible = new.from <= from && from < new.to
      let stretch = Core.Stretch.simple(run, from: from, to: cut)
      switch (wasVisible, isVisible) {
      case (false, false): break
      case (true, false): writer.delete(Int(core.width(stretch, in: object)))
      case (false, true):
        insert(stretch, into: object, core, marks: &marks, writer: &writer)
      case (true, true):
        keep(stretch, of: object, core, marks: &marks, writer: &writer)
      }
      from = cut
    }
  }

  /// Text goes out as one splice, other values one by one, and objects are visited later.
  private mutating func insert(
    _ stretch: Core.Stretch,
    into object: ObjectHandle,
    _ core: borrowing Core,
    marks: inout MarkComparison,
    writer: inout PatchWriter
  ) {
    let width = Int(core.width(stretch, in: object))
    guard case .simple(let run, let from, let to) = stretch else { return }
    let unit = width / Int(to &- from)
    if core.objects[object].kind == .text && run.action == .set {
      if core.unit != .grapheme {
        writer.type(core.text(of: stretch), width: width, marks.now(core))
        return
      }
      // Elements count for themselves, also where their characters join.
      for offset in from..<to {
        let text = core.text(of: .simple(run, from: offset, to: offset &+ 1))
        writer.type(text, width: unit, marks.now(core))
      }
      return
    }
    for offset in from..<to {
      let value = core.entry(run, offset).value
      enter(value, at: .index(writer.index), wasThere: false, writer, core)
      writer.insert(value, width: unit, marks.all(core))
    }
  }

  /// Passes elements that both states show.
  ///
  /// Objects among them may have changed inside, and are visited.
  private mutating func keep(
    _ stretch: Core.Stretch,
    of object: ObjectHandle,
    _ core: borrowing Core,
    marks: inout MarkComparison,
    writer: inout PatchWriter
  ) {
    let width = Int(core.width(stretch, in: object))
    if case .simple(let run, let from, let to) = stretch, run.action.made != nil {
      let unit = width / Int(to &- from)
      for offset in from..<to {
        let place = writer.index + unit * Int(offset &- from)
        let value = core.entry(run, offset).value
        enter(value, at: .index(place), wasThere: true, writer, core)
      }
    }
    writer.keep(width, marks.changesHere(core))
  }

  /// An element with a history of its own.
  ///
  ///     before     after       in a list       in a text
  ///     nothing    a value     inserted        typed, or inserted if it is no string
  ///     a value    nothing     deleted         deleted
  ///     a value    the same    kept            kept
  ///     a value    another     put             deleted, then typed or inserted
  private mutating func walkElement(
    _ run: ElementRun,
    of object: ObjectHandle,
    from first: Clock,
    _ core: borrowing Core,
    marks: inout MarkComparison,
    writer: inout PatchWriter
  ) {
    let register = run.register
    let change = change(register, from: first, core)
    func stretch(_ row: RowHandle) -> Core.Stretch {
      .complex(run, register: register, winner: row)
    }
    guard let row = change.after else {
      if let old = change.before { writer.delete(Int(core.width(stretch(old), in: object))) }
      return
    }
    let width = Int(core.width(stretch(row), in: object))
    let value = core.entry(row, in: register, at: after).value
    let prop = Prop.index(writer.index)
    enter(value, at: prop, wasThere: change.before == row, writer, core)
    if change.before == row {
      // An element without width has no index at which anything could be said of it.
      if width > 0 {
        noteKept(row, change: change, in: register, at: prop, from: first, core, &writer)
      }
      writer.keep(width, marks.changesHere(core))
      return
    }
    if core.objects[object].kind == .text {
      if let old = change.before { writer.delete(Int(core.width(stretch(old), in: object))) }
      if core.rows[row].action == .set {
        writer.type(core.text(of: stretch(row)), width: width, marks.now(core))
      } else {
        writer.insert(value, width: width, marks.all(core))
      }
    } else if change.before == nil {
      writer.insert(value, width: width, marks.all(core))
    } else {
      writer.add(.put(prop, value, isConflict: change.isConflict))
      writer.keep(width, marks.changesHere(core))
      return
    }
    if change.isConflict && width > 0 { writer.add(.conflict(prop)) }
  }

  // MARK: The heap

  private mutating func push(_ visit: Visit) {
    visits.append(visit)
    var child = visits.count - 1
    while child > 0, visits[(child - 1) / 2].order > visits[child].order {
      visits.swapAt((child - 1) / 2, child)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() -> Visit? {
    guard let first = visits.first else { return nil }
    let last = visits.removeLast()
    if visits.isEmpty { return first }
    visits[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      if child >= visits.count { return first }
      if child + 1 < visits.count, visits[child + 1].order < visits[child].order { child += 1 }
      if visits[parent].order <= visits[child].order { return first }
      visits.swapAt(parent, child)
      parent = child
    }
  }
}
