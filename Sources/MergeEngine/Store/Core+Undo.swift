/// Taking operations back: for rollback, and for changes that turn out to be damaged.
///
/// The inverse of each way in which operations come in:
///
///     insertion          removeElement: the element goes, and the object that it made
///     plain deletion     reveal: its successor goes, and it is visible again
///     all others         removeRow, and removeSuccessor for each predecessor
///
/// What was added last is undone first. An object's place is given back at once, and the next
/// object gets it; rows, registers and leaves stay behind without an owner until the store is
/// rebuilt (``compact()``).
extension Core {
  /// Undoes the ops of a run, newest first.
  ///
  /// They must be the newest of the document. The first `kept` of them stay.
  mutating func undo(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    keeping kept: UInt32 = 0
  ) {
    guard let object = objectHandle(run.object) else {
      preconditionFailure("undoing an op of an object that is not there")
    }
    objects[object].cursor = .none
    var offset = run.count
    while offset > kept {
      if run.isPlainDelete {
        offset -= reveal(run, from: kept..<offset, in: object)
        continue
      }
      offset -= 1
      let id = run.id(of: offset)
      if run.isInsert {
        removeElement(id, in: object)
        if run.action.made != nil { removeObject(id) }
      } else {
        undoSingle(run, preds, in: object)
      }
    }
  }

  /// Forgets an object; its operations have been undone before.
  ///
  ///     objects           [ root | 1 | 2 ]        [ root | 1 ]          2 is the next place
  ///     objectNumbers     8@a -> 2                8@a -> none
  ///     registerNumbers   (2, "k") -> 5           (2, "k") -> none      register 5 stays
  ///
  private mutating func removeObject(_ id: PackedID) {
    guard let number = objectHandle(id), number.next == objects.nextHandle else {
      preconditionFailure("undoing an object that is not the newest")
    }
    objectNumbers.remove(id.raw)
    // The number will be used again: its keys must not be found under it.
    var register = objects[number].firstRegister
    while !register.isNone {
      registerNumbers.remove(Self.registerKey(number, registers[register].key))
      // Nor by a guess: `nextRegister` is believed if object and key are those asked for.
      registers[register].object = .none
      register = registers[register].next
    }
    objects.truncate(to: Int(number.place))
  }

  /// Takes the last of some deletions back, and with it those before it whose elements stand in one run; returns how
  /// many.
  ///
  ///     [ab] [---] [f]     the middle one      [ab] [-] [d] [-] [f]      widths 2 0 1 0 1
  ///     [ab] [---] [f]     all three           [ab] [cde] [f]            widths 2 3 1
  ///
  /// The elements are left as a run of their own; it does not join its neighbours again. Saved bytes
  /// are the same, since equal neighbours join in the columns.
  ///
  /// A simple element has one successor, so that what was deleted here was deleted by nothing else.
  private mutating func reveal(
    _ deletions: OpRun,
    from offsets: Range<UInt32>,
    in object: ObjectHandle
  ) -> UInt32 {
    let id = deletions.element(of: offsets.upperBound &- 1)
    let op = deletions.id(of: offsets.upperBound &- 1)
    guard let place = find(id, in: object) else {
      preconditionFailure("undoing a deletion of an element that is not there")
    }
    let run = runs[at(place)]
    if run.isComplex {
      guard let row = findRow(run.register, id) else {
        preconditionFailure("a complex element without its own row")
      }
      removeSuccessor(row, op, byIncrement: false, in: run.register)
      refreshWidth(place)
      return 1
    }
    let offset = id.counter &- run.counter
    // Deleted elements of a text may join whose widths differ, unless they are plain.
    let areAlike = deletions.step > 0 && (run.isPlain || objects[object].kind != .text)
    let count = areAlike ? min(UInt32(offsets.count), offset &+ 1) : 1
    let alone = isolate(ElementPlace(place, offset: offset &+ 1 &- count), count: count)
    runs[at(alone)].setDirection([])
    runs[at(alone)].successor = 0
    runs[at(alone)].successorActor = 0
    addWidth(alone, unitWidth(runs[at(alone)], in: object) &* count)
    return count
  }

  /// The row goes before its predecessors are shown again: the order in which it came in,
  /// backwards.
  private mutating func undoSingle(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    in object: ObjectHandle
  ) {
    /// Of an element alone.
    var place: RunPlace?
    let register: RegisterHandle
    if !run.key.isNone {
      guard let known = self.register(object, run.key) else {
        preconditionFailure("undoing an op of a key that is not there")
      }
      register = known
    } else {
      guard let found = find(run.element, in: object), runs[at(found)].isComplex
      else { preconditionFailure("undoing an op of an element that is not there") }
      place = found
      register = runs[at(found)].register
    }
    if run.action != .delete { removeRow(register, run.id) }
    for entry in run.preds {
      guard let row = findRow(register, preds[entry]) else {
        preconditionFailure("undoing an op whose predecessor is not there")
      }
      removeSuccessor(
        row,
        run.id,
        byIncrement: run.action == .increment,
        in: register
      )
    }
    if run.action.made != nil { removeObject(run.id) }
    if let place { refreshWidth(place) }
  }
}
