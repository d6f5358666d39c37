/// Taking operations back: for rollback, and for changes that turn out to be damaged.
extension Core {
  /// Undoes the ops of a run, newest first.
  ///
  /// They must be the newest of the document. The first `kept` of them stay.
  mutating func undo(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    keeping kept: UInt32 = 0
  ) {
    guard let object = objectNumber(run.object) else {
      preconditionFailure("undoing an op of an object that is not there")
    }
    objects[object].cursor.leaf = .max
    var offset = run.count
    while offset > kept {
      offset -= 1
      let id = PackedID(run.counter &+ offset, run.actor)
      if run.isInsert {
        removeElement(id, in: object)
        if Action.made(run.action) != nil { removeObject(id) }
      } else if run.isPlainDelete {
        reveal(run.element(of: offset), from: id, in: object)
      } else {
        undoSingle(run, preds, in: object)
      }
    }
  }

  /// Forgets an object; its operations have been undone before.
  private mutating func removeObject(_ id: PackedID) {
    guard let number = objectNumber(id), Int(number) == objects.count - 1 else {
      preconditionFailure("undoing an object that is not the newest")
    }
    objectNumbers.set(id.raw, .max)
    // The number will be used again: its keys must not be found under it.
    var register = objects[number].firstRegister
    while register != .max {
      registerNumbers.set(UInt64(number) << 32 | UInt64(registers[register].key), .max)
      register = registers[register].next
    }
    objects.truncate(to: Int(number))
  }

  /// Takes the deletion `op` of an element back.
  private mutating func reveal(_ id: PackedID, from op: PackedID, in object: UInt32) {
    guard let (leaf, slot) = find(id, in: object) else {
      preconditionFailure("undoing a deletion of an element that is not there")
    }
    let run = runs[at(leaf, slot)]
    if run.isComplex {
      guard let row = findRow(run.successor, id) else {
        preconditionFailure("a complex element without its own row")
      }
      removeSuccessor(row, op, byIncrement: false, in: run.successor)
      refreshWidth(leaf, slot)
      return
    }
    let alone = isolate(leaf, slot, offset: id.counter &- run.counter, count: 1)
    let place = at(alone.leaf, alone.slot)
    runs[place].flags &= ~ElementRun.Flag.hidden
    runs[place].successor = 0
    runs[place].successorActor = 0
    addWidth(alone.leaf, alone.slot, unitWidth(runs[place], in: object))
  }

  private mutating func undoSingle(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    in object: UInt32
  ) {
    var leaf: UInt32 = .max
    var slot = 0
    let register: UInt32
    if run.key != .max {
      guard let known = self.register(object, run.key) else {
        preconditionFailure("undoing an op of a key that is not there")
      }
      register = known
    } else {
      guard let place = find(run.element, in: object),
        runs[at(place.leaf, place.slot)].isComplex
      else { preconditionFailure("undoing an op of an element that is not there") }
      (leaf, slot) = place
      register = runs[at(leaf, slot)].successor
    }
    if run.action != Action.delete { removeRow(register, run.id) }
    for entry in 0..<run.predCount {
      guard let row = findRow(register, preds[run.pred + entry]) else {
        preconditionFailure("undoing an op whose predecessor is not there")
      }
      removeSuccessor(
        row,
        run.id,
        byIncrement: run.action == Action.increment,
        in: register
      )
    }
    if Action.made(run.action) != nil { removeObject(run.id) }
    if leaf != .max { refreshWidth(leaf, slot) }
  }
}
