/// Local edits of registers: put, delete, increment, and the log they write.
///
/// Every edit checks everything first; one that throws has made no operation.
extension Core {
  // MARK: The log

  /// Opens the transaction if need be and returns the id of the next operation.
  ///
  /// `count` operations will be made.
  ///
  /// Asked before anything is changed: a call that makes several operations asks for all of them at
  /// once, so that it cannot fail halfway.
  /// - Throws: `counterOverflow` if fewer than `count` numbers are left, `limitExceeded` if the
  ///   document has no room for the writer.
  @inline(__always)
  mutating func nextOp(_ count: Int = 1) throws(EditError) -> PackedID {
    if !transaction.isOpen { try openTransaction() }
    guard Int(maxOp) + count <= Int(UInt32.max) else { throw .counterOverflow }
    return PackedID(maxOp &+ 1, transaction.actor)
  }

  /// An open transaction may have no operations, if the edit that opened it was refused.
  ///
  /// It is then closed by the next commit, which makes no change.
  private mutating func openTransaction() throws(EditError) {
    guard let number = actors.intern(actor) else { throw .limitExceeded(.actorLimit) }
    transaction.actor = number
    transaction.startOp = maxOp &+ 1
    transaction.isOpen = true
  }

  /// Appends operations to the log, joining them to its last run where a rule allows.
  ///
  /// The store must show the operations already: the log says what to encode, and what to undo.
  @inline(__always)
  mutating func log(_ run: OpRun) {
    maxOp = run.counter &+ run.count &- 1
    if let last = transaction.log.lastIndex, transaction.log[last].join(run) { return }
    transaction.log.append(run)
  }

  // MARK: Targets

  /// The register an edit works on, with its visible operations as predecessors in the log.
  ///
  ///     put(map, "k")        register of "k", or none yet       key "k"      element none
  ///     put(list, 3)         register if it is complex          key none     element 12@a, its place
  struct Target {
    var object: ObjectHandle
    /// The register; none for a simple element, or a key that was never set.
    var register = RegisterHandle.none
    /// A map key; none for an element.
    var key = KeyHandle.none
    var element = PackedID.none
    /// The element's run.
    var place = RunPlace(leaf: .none, slot: 0)
    /// Visible units before the element.
    var unitsBefore: UInt32 = 0

    var isElement: Bool { key.isNone }
  }

  /// The visible element at an index.
  ///
  /// Where a unit lies within a wide element, the element that holds it.
  mutating func element(_ object: ObjectHandle, at index: Int) throws(EditError) -> Target {
    let record = objects[object]
    guard index >= 0 && index < Int(record.length) else {
      throw .indexOutOfBounds(index: index, length: Int(record.length))
    }
    let place = locate(object, UInt32(index))
    let run = runs[at(place.run)]
    let unitWidth = run.unitWidth(in: widths[at(place.run)])
    let offset = unitWidth.elements(in: UInt32(index) &- place.start)
    return Target(
      object: object,
      register: run.isComplex ? run.register : .none,
      element: run.id(of: offset),
      place: place.run,
      unitsBefore: place.start &+ unitWidth.units(of: offset)
    )
  }

  /// What `prop` names in an object; a map key need not exist.
  ///
  /// A key that is new is entered into the table of keys even if the edit is refused later; keys
  /// that no operation uses are not saved.
  mutating func target(_ object: ObjectHandle, _ prop: Prop) throws(EditError) -> Target {
    let kind = objects[object].kind
    switch prop {
    case .key(var text):
      guard !kind.isSequence else { throw .invalidOperation(kind: kind) }
      guard let key = internKey(&text) else { throw .limitExceeded(.totalValueByteLimit) }
      var target = Target(object: object, key: key)
      if let register = register(object, key) { target.register = register }
      return target
    case .index(let index):
      guard kind.isSequence else { throw .invalidOperation(kind: kind) }
      return try element(object, at: index)
    }
  }

  /// The handle of a key; `nil` if the table of keys is full.
  mutating func internKey(_ text: inout String) -> KeyHandle? {
    text.withUTF8 { utf8 -> KeyHandle? in
      guard let base = utf8.baseAddress else {
        return keys.intern(values.view(from: 0, length: 0))
      }
      return unsafe keys.intern(ByteView(base: base, count: utf8.count))
    }
  }

  /// An op of the target's object and key, without value and predecessors yet.
  ///
  /// The caller adds value and predecessors, and logs it once the store shows it.
  func draft(_ target: Target, _ op: PackedID, action: Action) -> OpRun {
    let object = objects[target.object]
    return OpRun(
      objectCounter: object.counter,
      objectActor: object.actor,
      actor: op.actor,
      counter: op.counter,
      key: target.key,
      elementCounter: target.element.counter,
      elementActor: target.element.actor,
      action: action
    )
  }

  /// Makes an element target complex, so that it can take a row.
  ///
  /// Twice does no more than once. The target's place may move, since an element's run is cut.
  mutating func settle(_ target: inout Target) {
    if !target.isElement {
      if target.register.isNone {
        target.register = makeRegister(target.object, target.key)
      }
    } else {
      objects[target.object].cursor = .none
      (target.place, target.register) = makeComplex(target.place, target.element)
    }
  }

  /// Names all visible rows of a settled target as predecessors of `run`.
  ///
  /// The rows are hidden on the way: `above` is read before the row is taken out of the list of
  /// visible ones. An increment names all of them, and hides those that are no counters.
  mutating func overwrite(_ target: Target, _ run: inout OpRun) {
    run.predecessorStart = transaction.preds.nextHandle
    let op = run.id
    let byIncrement = run.action == .increment
    var row = registers[target.register].bottom
    while !row.isNone {
      let above = rows[row].above
      transaction.preds.append(rows[row].id)
      addSuccessor(row, op, byIncrement: byIncrement, in: target.register)
      row = above
    }
    run.predecessorCount = transaction.preds.nextHandle.place &- run.predecessorStart.place
  }

  // MARK: Edits

  /// Sets a register to one value, whatever it showed before.
  /// - Throws: An ``EditError`` before anything has changed; `values` is as before, too.
  mutating func put(
    _ object: ObjectHandle,
    _ prop: Prop,
    _ scalar: Scalar
  ) throws(EditError) {
    var target = try target(object, prop)
    let mark = values.count
    let stored = try store(scalar)
    if isSoleValue(target, stored, scalar) {
      values.truncate(to: mark)
      return
    }
    let op: PackedID
    do { op = try nextOp() } catch {
      values.truncate(to: mark)
      throw error
    }
    write(stored, by: op, .set, to: &target)
  }

  /// Writes a stored value as the newest row of a register, over all that stands there.
  private mutating func write(
    _ stored: (meta: ValueMeta, value: UInt32),
    by op: PackedID,
    _ action: Action,
    to target: inout Target
  ) {
    settle(&target)
    var run = draft(target, op, action: action)
    run.meta = stored.meta
    run.value = stored.value
    overwrite(target, &run)
    addRow(
      target.register,
      Row(
        counter: op.counter,
        meta: stored.meta,
        value: stored.value,
        actor: op.actor,
        action: action
      )
    )
    log(run)
    if target.isElement { refreshWidth(target.place) }
  }

  /// Whether the target's only visible value is this one already.
  ///
  /// Compares bytes, but for doubles, where 0 equals -0 and a NaN equals nothing, and for counters,
  /// whose value includes their increments.
  private func isSoleValue(
    _ target: Target,
    _ stored: (meta: ValueMeta, value: UInt32),
    _ scalar: Scalar
  ) -> Bool {
    let known: (action: Action, meta: ValueMeta, value: UInt32)
    if target.register.isNone {
      if !target.isElement { return false }
      let run = runs[at(target.place)]
      let offset = target.element.counter &- run.counter
      known = (run.action, run.meta, run.value(of: offset))
    } else {
      guard let sole = soleRow(target.register) else { return false }
      known = (rows[sole].action, rows[sole].meta, rows[sole].value)
      if rows[sole].isCounter, rows[sole].successor != 0, case .counter(let fresh) = scalar,
        case .counter(let start) = self.scalar(meta: known.meta, value: known.value)
      {
        return counterValue(sole, in: target.register, start: start) == fresh
      }
    }
    guard known.action == .set, known.meta.type == stored.meta.type else { return false }
    if case .double(let fresh) = scalar {
      guard case .double(let old) = self.scalar(meta: known.meta, value: known.value) else {
        return false
      }
      return old == fresh
    }
    let length = Int(stored.meta.byteCount)
    return known.meta == stored.meta
      && values.view(from: Int(known.value), length: length)
        .matches(values.view(from: Int(stored.value), length: length))
  }

  /// Makes a new, empty object in a register.
  mutating func putObject(
    _ object: ObjectHandle,
    _ prop: Prop,
    _ kind: ObjectKind
  ) throws(EditError) -> ObjectHandle {
    var target = try target(object, prop)
    let op = try nextOp()
    settle(&target)
    var run = draft(target, op, action: Action(making: kind))
    overwrite(target, &run)
    addRow(target.register, Row(counter: op.counter, actor: op.actor, action: run.action))
    let made = objects.nextHandle
    addObject(op, kind, parent: object, key: target.key, element: target.element)
    log(run)
    if target.isElement { refreshWidth(target.place) }
    return made
  }

  /// Deletes a key; a key without value makes no operation.
  ///
  /// An index must exist, but in a text.
  mutating func delete(_ object: ObjectHandle, _ prop: Prop) throws(EditError) {
    if case .index(let index) = prop {
      let record = objects[object]
      guard record.kind.isSequence else { throw .invalidOperation(kind: record.kind) }
      guard index >= 0 && index < Int(record.length) else {
        if record.kind == .text && index >= 0 { return }
        throw .indexOutOfBounds(index: index, length: Int(record.length))
      }
      try deleteUnits(object, from: index, count: 1)
      return
    }
    let target = try target(object, prop)
    guard !target.register.isNone, winner(target.register) != nil else { return }
    let op = try nextOp()
    var run = draft(target, op, action: .delete)
    overwrite(target, &run)
    log(run)
  }

  /// Adds to every counter that the register shows.
  /// - Throws: `notACounter` if it shows none.
  mutating func increment(
    _ object: ObjectHandle,
    _ prop: Prop,
    by amount: Int64
  ) throws(EditError) {
    var target = try target(object, prop)
    guard holdsCounter(target) else { throw .notACounter }
    let op = try nextOp()
    let stored = try store(.int(amount))
    write(stored, by: op, .increment, to: &target)
  }

  private func holdsCounter(_ target: Target) -> Bool {
    if target.register.isNone {
      if !target.isElement { return false }
      let run = runs[at(target.place)]
      return run.action == .set && run.meta.type == TypeCode.counter
    }
    var holds = false
    forEachVisible(target.register) { if rows[$0].isCounter { holds = true } }
    return holds
  }
}
