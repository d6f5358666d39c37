/// Applying the ops of other replicas.
///
/// What a change says is checked here against what the document holds: that its objects, elements
/// and predecessors exist and are older than the operation. The form of its rows was checked when
/// they were decoded (``DecodedChange``). An operation that passes is entered whole, and
/// ``undo(_:_:keeping:)`` can take it back whole.
extension Core {
  /// Applies one run; refuses it before anything has changed, but for the ops of the run that
  /// `done` counts.
  ///
  /// `preds` is the list in which the run's predecessors stand.
  ///
  /// `done` is of use to the caller only when it throws: a run of deletions is entered in parts,
  /// and only those that were entered may be undone.
  mutating func apply(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    done: inout UInt32
  ) throws(Fault) {
    try meter.check(.apply)
    guard let object = objectHandle(run.object) else {
      throw Fault(.unknownObject, Int(run.counter), .apply)
    }
    let isSequence = objects[object].kind.isSequence
    guard isSequence == (run.key.isNone) else {
      throw Fault(.keyDoesNotFitObject, Int(run.counter), .apply)
    }
    // Runs and widths are about to move; the next local edit looks again.
    objects[object].cursor = .none
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

  /// Inserts all elements of a run behind one point: the later ones refer to those before them, so
  /// that nothing else can come between.
  ///
  ///     [ab] [9@c]    run 7@a, count 3, behind b      9@c is passed, being greater
  ///     [ab] [9@c] [7...9@a]
  ///
  /// Everything is checked before the first element goes in, so that a refusal leaves at most an
  /// empty leaf and the id index behind.
  private mutating func applyInsert(_ run: OpRun, _ object: ObjectHandle) throws(Fault) {
    guard run.key.isNone, run.predecessorCount == 0 else {
      throw Fault(.predecessorInvalid, Int(run.counter), .apply)
    }
    guard run.action != .delete && run.action != .increment else {
      throw Fault(.keyDoesNotFitObject, Int(run.counter), .apply)
    }
    let emptyCount = run.byteCount == 0 ? Int(run.count) : 0
    guard emptyElementCount + emptyCount <= limits.emptyElementLimit else {
      throw Fault(.limitExceeded(.emptyElementLimit), Int(run.counter), .apply)
    }
    let reference: ElementPlace
    if run.element.isNone {
      reference = ElementPlace(RunPlace(leaf: firstLeaf(object), slot: -1))
    } else {
      guard precedes(run.element, run.id), let found = find(run.element, in: object) else {
        throw Fault(.unknownElement, Int(run.counter), .apply)
      }
      let offset = run.element.counter &- runs[at(found)].counter
      reference = ElementPlace(found, offset: offset)
    }
    // `insert` enters new elements into the index only if it is built.
    indexElements()
    place(run, object, after: insertionPoint(for: run.id, after: reference))
    emptyElementCount += emptyCount
    if let kind = run.action.made {
      addObject(run.id, kind, parent: object, key: .none, element: run.id)
    }
  }

  /// Enters the elements of an insertion behind a point.
  ///
  ///     a mark                       a register with its row, and a complex element without width
  ///     in a list                    one run, a unit for each element
  ///     in a text, all of one scalar one run, all of one width
  ///     in a text, anything else     a run for each element, as each has a width of its own
  ///
  /// Nothing can be refused here. The caller has found the point by the insert rule, or is the
  /// local writer of a mark, whose id is the greatest.
  mutating func place(
    _ run: OpRun,
    _ object: ObjectHandle,
    after point: ElementPlace
  ) {
    let isText = objects[object].kind == .text
    let isMark = run.action == .mark
    var element = ElementRun(
      counter: run.counter,
      count: run.count,
      reference: run.elementCounter,
      value: run.value,
      meta: run.meta,
      actor: run.actor,
      referenceActor: run.elementActor,
      action: run.action
    )
    if isMark {
      let register = addElementRegister(object)
      addRow(
        register,
        Row(
          counter: run.counter,
          meta: run.meta,
          value: run.value,
          name: run.name,
          actor: run.actor,
          action: run.action,
          flags: run.expands ? .expand : []
        )
      )
      element.makeComplex(register)
      element.flags.insert(.mark)
      objects[object].marks += 1
      _ = insert(element, width: 0, after: point)
      return
    }
    if !isText {
      _ = insert(element, width: run.count, after: point)
      return
    }
    if run.count == 1 || arePlain(run) {
      if isPlain(run.meta, run.value) { element.flags.insert(.plain) }
      let width = unitWidth(element, in: object) &* run.count
      _ = insert(element, width: width, after: point)
      return
    }
    // Elements of equal size which are not all single scalars, as "é" and "ab" of two bytes each:
    // each its own run.
    var point = point
    for offset in 0..<run.count {
      var one = element
      if offset > 0 { one.dropFirst(offset) }
      one.count = 1
      if isPlain(one.meta, one.value) { one.flags.insert(.plain) }
      let width = unitWidth(one, in: object)
      let place = insert(one, width: width, after: point)
      point = ElementPlace(place, offset: runs[at(place)].count &- 1)
    }
  }

  /// Whether all values of a run are strings of one scalar.
  ///
  /// Plain elements of one size have one width in every unit, so that a run of them needs no look
  /// at its bytes.
  func arePlain(_ run: OpRun) -> Bool {
    let size = run.meta.byteCount
    guard run.meta.type == TypeCode.string, size >= 1, size <= 4 else { return false }
    if size == 1 { return true }
    for offset in 0..<run.count where !isPlain(run.meta, run.value &+ offset &* size) {
      return false
    }
    return true
  }

  /// Deletes elements one after the other, as many at once as stand in one simple run.
  ///
  ///     run      3@a 4@a 5@a 6@a     deleted by 20@b, 21@b, 22@b, from 4@a on: step 1
  ///     hidden        20  21  22      in one call of `hide`
  ///
  /// An element that is complex, or hidden already, gets one more successor in its register.
  ///
  /// Each round counts in `done` what it has entered: an element that is not there refuses the
  /// rest, and the caller takes back what `done` says. Cost: a look-up by id for each run that is
  /// touched, for each element of a falling run; each but the first is work, as a few rows can say many.
  private mutating func applyDeletes(
    _ run: OpRun,
    _ object: ObjectHandle,
    done: inout UInt32
  ) throws(Fault) {
    while done < run.count {
      if done > 0 { meter.add(WorkMeter.joinedRow) }
      try meter.check(.apply)
      let id = run.element(of: done)
      let op = PackedID(run.counter &+ done, run.actor)
      guard precedes(id, op), let place = find(id, in: object) else {
        throw Fault(.unknownElement, Int(op.counter), .apply)
      }
      let target = runs[at(place)]
      if target.isComplex || target.isHidden {
        let element = makeComplex(place, id)
        guard let row = findRow(element.register, id) else {
          preconditionFailure("a complex element without its own row")
        }
        addSuccessor(row, op, byIncrement: false, in: element.register)
        refreshWidth(element.place)
        done += 1
        continue
      }
      let offset = id.counter &- target.counter
      // Falling ids (step -1) lie in a run from right to left: one at a time, and `hide` joins
      // them.
      let count =
        run.step > 0 ? min(run.count &- done, target.count &- offset) : 1
      _ = hide(ElementPlace(place, offset: offset), count: count, by: op)
      done += count
    }
  }

  /// One operation on a register: a put, an increment, a deletion with several predecessors, a new
  /// object under a key.
  ///
  /// All predecessors are looked for before one is noted, so that a refusal has changed nothing but
  /// the form of the element: it may be complex now, which shows neither in reads nor in saved
  /// bytes.
  private mutating func applySingle(
    _ run: OpRun,
    _ preds: borrowing Arena<PackedID>,
    _ object: ObjectHandle
  ) throws(Fault) {
    // Marks are insertions alone.
    guard run.action != .mark else {
      throw Fault(.keyDoesNotFitObject, Int(run.counter), .apply)
    }
    let needsPred = run.action == .delete
    guard !needsPred || run.predecessorCount > 0 else {
      throw Fault(.predecessorInvalid, Int(run.counter), .apply)
    }
    /// Of an element alone.
    var place: RunPlace?
    let register: RegisterHandle
    if !run.key.isNone {
      // A put without predecessors makes the register of a new key; with predecessors the register
      // must be there, as they are its rows.
      let known = self.register(object, run.key)
      if known == nil && run.predecessorCount > 0 {
        throw Fault(.predecessorInvalid, Int(run.counter), .apply)
      }
      register = known ?? makeRegister(object, run.key)
    } else {
      let id = run.element
      guard precedes(id, run.id), let found = find(id, in: object) else {
        throw Fault(.unknownElement, Int(run.counter), .apply)
      }
      // No writer can name the place of a mark, and no reader could show a value there.
      if runs[at(found)].isMark && run.action != .delete {
        throw Fault(.unknownElement, Int(run.counter), .apply)
      }
      let element = makeComplex(found, id)
      place = element.place
      register = element.register
    }
    /// The row of the last predecessor: most operations have no other.
    var found = RowHandle.none
    for entry in run.preds {
      let pred = preds[entry]
      guard precedes(pred, run.id), let row = findRow(register, pred) else {
        throw Fault(.predecessorInvalid, Int(run.counter), .apply)
      }
      found = row
    }
    for entry in run.preds {
      let row = run.predecessorCount == 1 ? found : findRow(register, preds[entry])
      guard let row else { continue }
      addSuccessor(row, run.id, byIncrement: run.action == .increment, in: register)
    }
    if run.action != .delete {
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
      if let kind = run.action.made {
        addObject(run.id, kind, parent: object, key: run.key, element: run.element)
      }
    }
    if let place { refreshWidth(place) }
  }
}
