/// Applying the ops of other replicas.
extension Core {
  /// Applies one run; refuses it before anything has changed, but for the ops of the run that
  /// `done` counts.
  mutating func apply(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    done: inout UInt32
  ) throws(Fault) {
    try meter.check(.apply)
    guard let object = objectNumber(run.object) else {
      throw Fault(.unknownObject, Int(run.counter), .apply)
    }
    let isSequence = objects[object].kind.isSequence
    guard isSequence == (run.key == .max) else {
      throw Fault(.keyDoesNotFitObject, Int(run.counter), .apply)
    }
    objects[object].cursor.leaf = .max
    if run.isInsert {
      try applyInsert(run, object)
      done = run.count
    } else if run.isPlainDelete {
      try applyDeletes(run, object, done: &done)
    } else {
      try applySingle(run, preds, object)
      done = 1
    }
  }

  private mutating func applyInsert(_ run: OpRun, _ object: UInt32) throws(Fault) {
    guard run.key == .max, run.predCount == 0 else {
      throw Fault(.predecessorInvalid, Int(run.counter), .apply)
    }
    guard run.action != Action.delete && run.action != Action.increment else {
      throw Fault(.keyDoesNotFitObject, Int(run.counter), .apply)
    }
    var leaf: UInt32
    var slot = -1
    var offset: UInt32 = 0
    let reference = run.element
    if reference.isNone {
      leaf = firstLeaf(object)
    } else {
      guard precedes(reference, run.id), let found = find(reference, in: object) else {
        throw Fault(.unknownElement, Int(run.counter), .apply)
      }
      leaf = found.leaf
      slot = found.slot
      offset = reference.counter &- runs[at(leaf, slot)].counter
    }
    if !isIndexed { _ = find(PackedID.none, in: object) }
    let point = insertionPoint(for: run.id, leaf, slot, offset: offset)
    place(run, object, point)
    if Action.made(run.action) != nil {
      addObject(
        run.id,
        Action.made(run.action) ?? .map,
        parent: object,
        key: .max,
        element: run.id
      )
    }
  }

  /// Enters the elements of an insertion behind a point.
  private mutating func place(
    _ run: OpRun,
    _ object: UInt32,
    _ point: (leaf: UInt32, slot: Int, offset: UInt32)
  ) {
    let isText = objects[object].kind == .text
    let isMark = run.action == Action.mark
    var element = ElementRun(
      counter: run.counter,
      count: run.count,
      reference: run.elementCounter,
      value: run.value,
      meta: run.meta,
      actor: run.actor,
      referenceActor: run.elementActor,
      flags: UInt16(run.action)
    )
    if isMark {
      let register = UInt32(registers.count)
      registers.append(Register(object: object, key: .max))
      addRow(
        register,
        Row(
          counter: run.counter,
          meta: run.meta,
          value: run.value,
          name: run.name,
          actor: run.actor,
          action: run.action,
          flags: run.expands ? Row.Flag.expand : 0
        )
      )
      element.successor = register
      element.flags |= ElementRun.Flag.complex | ElementRun.Flag.mark
      objects[object].marks += 1
      _ = insert(element, width: 0, point.leaf, point.slot, offset: point.offset)
      return
    }
    if !isText {
      _ = insert(element, width: run.count, point.leaf, point.slot, offset: point.offset)
      return
    }
    if run.count == 1 || arePlain(run) {
      if isPlain(run.meta, run.value) { element.flags |= ElementRun.Flag.plain }
      let width = unitWidth(element, in: object) &* run.count
      _ = insert(element, width: width, point.leaf, point.slot, offset: point.offset)
      return
    }
    // Elements of equal size which are not all single scalars: each its own run.
    var point = point
    for offset in 0..<run.count {
      var one = element
      if offset > 0 { one.dropFirst(offset) }
      one.count = 1
      if isPlain(one.meta, one.value) { one.flags |= ElementRun.Flag.plain }
      let width = unitWidth(one, in: object)
      let place = insert(one, width: width, point.leaf, point.slot, offset: point.offset)
      point = (place.leaf, place.slot, runs[at(place.leaf, place.slot)].count &- 1)
    }
  }

  /// Whether all values of a run are strings of one scalar.
  func arePlain(_ run: OpRun) -> Bool {
    let size = run.meta >> 4
    guard run.meta & 15 == TypeCode.string, size >= 1, size <= 4 else { return false }
    if size == 1 { return true }
    for offset in 0..<run.count where !isPlain(run.meta, run.value &+ offset &* size) {
      return false
    }
    return true
  }

  private mutating func applyDeletes(
    _ run: OpRun,
    _ object: UInt32,
    done: inout UInt32
  ) throws(Fault) {
    while done < run.count {
      try meter.check(.apply)
      let id = run.element(of: done)
      let op = PackedID(run.counter &+ done, run.actor)
      guard precedes(id, op), let (leaf, slot) = find(id, in: object) else {
        throw Fault(.unknownElement, Int(op.counter), .apply)
      }
      let target = runs[at(leaf, slot)]
      if target.isComplex || target.isHidden {
        let element = makeComplex(leaf, slot, id)
        guard let row = findRow(element.register, id) else {
          preconditionFailure("a complex element without its own row")
        }
        addSuccessor(row, op, byIncrement: false, in: element.register)
        refreshWidth(element.leaf, element.slot)
        done += 1
        continue
      }
      let offset = id.counter &- target.counter
      let count =
        run.step > 0 ? min(run.count &- done, target.count &- offset) : 1
      _ = hide(leaf, slot, offset: offset, count: count, by: op)
      done += count
    }
  }

  private mutating func applySingle(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    _ object: UInt32
  ) throws(Fault) {
    guard run.action != Action.mark else {
      throw Fault(.keyDoesNotFitObject, Int(run.counter), .apply)
    }
    let needsPred = run.action == Action.delete
    guard !needsPred || run.predCount > 0 else {
      throw Fault(.predecessorInvalid, Int(run.counter), .apply)
    }
    var leaf: UInt32 = .max
    var slot = 0
    var register: UInt32 = .max
    if run.key != .max {
      register = self.register(object, run.key) ?? .max
      if register == .max && run.predCount > 0 {
        throw Fault(.predecessorInvalid, Int(run.counter), .apply)
      }
      if register == .max { register = makeRegister(object, run.key) }
    } else {
      let id = run.element
      guard precedes(id, run.id), let found = find(id, in: object) else {
        throw Fault(.unknownElement, Int(run.counter), .apply)
      }
      (leaf, slot, register) = makeComplex(found.leaf, found.slot, id)
    }
    for entry in 0..<run.predCount {
      let pred = preds[run.pred + entry]
      guard precedes(pred, run.id), findRow(register, pred) != nil else {
        throw Fault(.predecessorInvalid, Int(run.counter), .apply)
      }
    }
    for entry in 0..<run.predCount {
      if let row = findRow(register, preds[run.pred + entry]) {
        addSuccessor(
          row,
          run.id,
          byIncrement: run.action == Action.increment,
          in: register
        )
      }
    }
    if run.action != Action.delete {
      addRow(
        register,
        Row(
          counter: run.counter,
          meta: run.meta,
          value: run.value,
          actor: run.actor,
          action: run.action
        )
      )
      if let kind = Action.made(run.action) {
        addObject(run.id, kind, parent: object, key: run.key, element: run.element)
      }
    }
    if leaf != .max { refreshWidth(leaf, slot) }
  }
}
