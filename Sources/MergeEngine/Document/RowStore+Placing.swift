// How a row that was read enters the op store: each object once, each register complete before the next, and
// elements by way of the pending run.
//
//     row                              what is done
//     root "a": put                    the register "a" of the root
//     root "b": makeText, id 2@x       the register "b", and 2@x as an object that may be opened from now on
//     2@x: insert 'h', insert 'i'      the root is finished, 2@x opened, its leaf built from one run of two

extension RowStore {
  /// Enters a row into the store, and the object that it makes.
  mutating func place(_ row: OpRow, _ core: inout Core) throws(Fault) {
    if row.object != objectID { try open(row.object, &core) }
    guard isSequence == (row.key.isNone) else {
      throw columns.keyString.fault(.keyDoesNotFitObject)
    }
    if row.inserts {
      guard isSequence, row.action != .increment else {
        throw columns.insert.fault(.keyDoesNotFitObject)
      }
      try placeInsert(row, &core)
    } else {
      guard row.action != .mark else {
        throw columns.action.fault(.keyDoesNotFitObject)
      }
      try placeRow(row, &core)
    }
    if let kind = row.action.made {
      guard core.objectHandle(row.id) == nil else {
        throw columns.idCounter.fault(.rowsOutOfOrder)
      }
      core.addObject(
        row.id,
        kind,
        parent: object,
        key: row.key,
        element: isSequence ? (row.inserts ? row.id : row.element) : .none
      )
    }
  }

  /// Ends the object before, and begins the next, which an earlier row must have made.
  ///
  /// Objects ascend by id, so that each is opened once, and its maker comes before it.
  ///
  /// On an error the core holds a part of the document, and is the caller's to throw away.
  private mutating func open(_ id: PackedID, _ core: inout Core) throws(Fault) {
    flush(&core)
    if isSequence { builder.finish(&core) }
    guard core.precedes(objectID, id) else {
      throw columns.objectCounter.fault(.rowsOutOfOrder)
    }
    guard let number = core.objectHandle(id) else {
      throw columns.objectCounter.fault(.unknownObject)
    }
    object = number
    objectID = id
    isSequence = core.objects[number].kind.isSequence
    isText = core.objects[number].kind == .text
    register = .none
    key = .none
    lastID = .none
    stack.reset()
    if isSequence { builder.begin(number) }
  }

  /// A row of a map key, or of an element that was inserted before.
  ///
  /// Keys ascend by bytes, so that none has a register already.
  private mutating func placeRow(_ row: OpRow, _ core: inout Core) throws(Fault) {
    if !row.key.isNone {
      if row.key != key {
        if !key.isNone {
          guard core.keys.view(key).precedes(core.keys.view(row.key)) else {
            throw columns.keyString.fault(.rowsOutOfOrder)
          }
        }
        closeRegister(&core)
        key = row.key
        register = core.makeRegister(object, key)
        lastID = .none
      }
    } else {
      try makeLastComplex(row, &core)
    }
    guard lastID.isNone || core.precedes(lastID, row.id) else {
      throw columns.idCounter.fault(.rowsOutOfOrder)
    }
    lastID = row.id
    addRow(row, &core)
  }

  /// Adds a row with its successors to the present register.
  ///
  /// A row with successors is taken for hidden. Of a counter that only increments follow, that is
  /// put right by ``closeRegister(_:)``, when all rows of the register are known.
  private mutating func addRow(_ row: OpRow, _ core: inout Core) {
    var stored = Row(
      counter: row.id.counter,
      meta: row.meta,
      value: row.value,
      name: row.name,
      actor: row.id.actor,
      action: row.action,
      flags: row.expands ? .expand : []
    )
    if let first = successors.first {
      stored.firstSuccessor = first
      // Whether increments alone stand behind it shows when the register is complete.
      stored.flags.insert(.hidden)
    }
    let added = core.rows.nextHandle
    core.addRow(register, stored)
    for successor in successors.dropFirst() {
      core.addSuccessor(added, successor, byIncrement: false, in: register)
    }
    if row.action == .increment { hasIncrement = true }
  }

  /// Makes the element inserted last complex, for a row that overwrites it.
  ///
  ///     pending [abc], then a row for c      ->      [ab] to the tree, pending [c: register]
  private mutating func makeLastComplex(_ row: OpRow, _ core: inout Core) throws(Fault) {
    // No writer can name the place of a mark, and no reader could show a value there.
    guard pending.count > 0, row.element == pending.last, !pending.isMark else {
      throw columns.keyCounter.fault(.unknownElement)
    }
    // Its register is the present one: only the next element, or object, begins another.
    if pending.isComplex { return }
    var last = pending
    if pending.count > 1 {
      last.dropFirst(pending.count - 1)
      pending.count -= 1
      flush(&core)
    }
    register = core.addElementRegister(object)
    core.addRow(register, Row(ofSimple: last))
    last.makeComplex(register)
    pending = last
    lastID = last.first
  }

  /// An insertion: continues the pending run, or begins the next.
  ///
  /// An element with at most one successor is simple: its deletion stands in the run. Marks and
  /// elements with more successors get a register at once, later rows of an element make one
  /// (`makeLastComplex`).
  ///
  ///     row read                       pending before     handed to the tree    pending after
  ///     c, typed behind b              [ab]               -                     [abc]
  ///     x of another actor             [ab]               [ab]                  [x]
  ///     c, deleted, where ab are not   [ab]               [ab]                  [-]
  ///     a mark, or two successors      [ab]               [ab]                  [c: register]
  private mutating func placeInsert(_ row: OpRow, _ core: inout Core) throws(Fault) {
    guard stack.push(row.id, count: 1, after: row.element, core) else {
      throw columns.keyCounter.fault(.rowsOutOfOrder)
    }
    var run = ElementRun(
      counter: row.id.counter,
      count: 1,
      reference: row.element.counter,
      value: row.value,
      meta: row.meta,
      actor: row.id.actor,
      referenceActor: row.element.actor,
      action: row.action
    )
    if run.byteCount == 0 { core.emptyElementCount += 1 }
    if isText && row.action == .set && core.isPlain(row.meta, row.value) {
      run.flags.insert(.plain)
    }
    if row.action == .mark || successors.count > 1 {
      flush(&core)
      register = core.addElementRegister(object)
      addRow(row, &core)
      run.makeComplex(register)
      if row.action == .mark {
        run.flags.insert(.mark)
        core.objects[object].marks += 1
      }
      pending = run
      lastID = row.id
      return
    }
    if let successor = successors.first {
      run.successor = successor.counter
      run.successorActor = successor.actor
      run.flags.insert(.ascending)
    }
    if !join(run) {
      flush(&core)
      pending = run
    }
  }

  /// Completes the present register, whose rows are all read: now it is known which of its
  /// successors are increments.
  private mutating func closeRegister(_ core: inout Core) {
    if hasIncrement { core.reveal(register) }
    hasIncrement = false
  }

  /// Hands the pending run to the tree.
  ///
  /// Must come before another object begins, and before `pending` gets another run.
  mutating func flush(_ core: inout Core) {
    closeRegister(&core)
    guard pending.count > 0 else { return }
    let width: UInt32
    if pending.isComplex {
      width = core.width(ofRegister: pending.register)
    } else if pending.isHidden {
      width = 0
    } else {
      width = core.unitWidth(pending, in: object) &* pending.count
    }
    builder.append(pending, width: width, to: &core)
    pending.count = 0
  }
}
