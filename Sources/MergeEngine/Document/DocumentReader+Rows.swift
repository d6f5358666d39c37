// long: the rows of a document are read by one loop over fifteen columns, and its parts share them

/// The op columns of a document chunk.
private struct OpColumns {
  var objectActor: RunCursor
  var objectCounter: RunCursor
  var keyActor: RunCursor
  var keyCounter: DeltaCursor
  var keyString: RunCursor
  var idActor: RunCursor
  var idCounter: DeltaCursor
  var insert: FlagCursor
  var action: RunCursor
  var valueMeta: RunCursor
  let value: ByteView
  var valueOffset = 0
  var succCount: RunCursor
  var succActor: RunCursor
  var succCounter: DeltaCursor
  var expand: FlagCursor
  var markName: RunCursor

  init(
    _ layout: borrowing ColumnLayout,
    _ column: (ColumnLayout.Column?) -> ByteView
  ) throws(Fault) {
    func bytes(_ name: UInt32) -> ByteView { column(layout.find(name)) }
    objectActor = RunCursor(bytes(0x01), .unsigned, .objectActor)
    objectCounter = RunCursor(bytes(0x02), .unsigned, .objectCounter)
    keyActor = RunCursor(bytes(0x11), .unsigned, .keyActor)
    keyCounter = DeltaCursor(bytes(0x13), .keyCounter)
    keyString = RunCursor(bytes(0x15), .string, .keyString)
    idActor = RunCursor(bytes(0x21), .unsigned, .idActor)
    idCounter = DeltaCursor(bytes(0x23), .idCounter)
    insert = FlagCursor(bytes(0x34), .insert)
    action = RunCursor(bytes(0x42), .unsigned, .action)
    valueMeta = RunCursor(bytes(0x56), .unsigned, .valueMeta)
    value = bytes(0x57)
    let members: (UInt32, UInt32) = (0x81, 0x83)
    succCount = RunCursor(bytes(0x80), .unsigned, .succCount)
    succActor = RunCursor(
      column(try layout.findMember(0x81, of: 0x80, members: members, at: 0)),
      .unsigned,
      .succActor
    )
    succCounter = DeltaCursor(
      column(try layout.findMember(0x83, of: 0x80, members: members, at: 0)),
      .succCounter
    )
    expand = FlagCursor(bytes(0x94), .expand)
    markName = RunCursor(bytes(0xA5), .string, .markName)
  }
}

/// One row as read.
private struct OpRow {
  var object = PackedID.none
  var key: UInt32 = .max
  var element = PackedID.none
  var id = PackedID.none
  var inserts = false
  var action: UInt8 = 0
  var expands = false
  var name: UInt32 = .max
  var meta: UInt32 = 0
  var value: UInt32 = 0
}

/// Turns the op rows of a document into the op store.
///
/// The first two rows of a run of elements are read one by one; the rest of it in one step, by
/// asking each column how far it goes on in the same way.
private struct RowStore: ~Copyable {
  var columns: OpColumns
  let actors: Arena<UInt16>
  /// Offset of the value column in the core's values.
  let valueBase: Int
  var successors: ContiguousArray<PackedID> = []
  var stack = OrderStack()
  var builder = SequenceBuilder()

  var object: UInt32 = 0
  var objectID = PackedID.none
  var isSequence = false
  var isText = false
  /// The register that takes rows of the present key or element.
  var register: UInt32 = .max
  var key: UInt32 = .max
  var lastID = PackedID.none
  /// The run being built; empty at `count` 0.
  var pending = ElementRun(
    counter: 0,
    count: 0,
    reference: 0,
    value: 0,
    meta: 0,
    actor: 0,
    referenceActor: 0,
    flags: 0
  )
  var linkCount = 0
  let linkLimit: Int
  /// Whether the present register has increments.
  var hasIncrement = false
}

extension DocumentReader {
  mutating func readRows(_ data: ByteView, into core: inout Core) throws(Fault) {
    let columns = try OpColumns(opLayout) { bytes($0, data, tag: Self.opTag) }
    let base = core.values.count
    guard base + columns.value.count <= Limits.totalValueByteLimit else {
      throw Fault(.limitExceeded("totalValueByteLimit"), 0, .value)
    }
    core.values.append(columns.value)
    let entryLimit = Limits.entryLimit(forByteCount: data.count + inflated.count)
    var store = RowStore(
      columns: columns,
      actors: actors.copy(),
      valueBase: base,
      linkLimit: min(entryLimit, Limits.linkLimit)
    )
    try store.readAll(into: &core, rowLimit: entryLimit)
  }
}

extension RowStore {
  mutating func readAll(into core: inout Core, rowLimit: Int) throws(Fault) {
    var singles = 0
    var rows = 0
    defer { core.meter.add(singles * WorkMeter.row + linkCount * WorkMeter.link) }
    while !columns.idCounter.isExhausted {
      let row = try readRow(&core)
      singles += 1
      rows += 1
      try place(row, &core)
      if isSequence && row.inserts && pending.count > 1 {
        rows += Int(try extend(&core, limit: Limits.rowLimit - rows))
      }
      guard singles <= rowLimit, rows <= Limits.rowLimit else {
        throw columns.idCounter.fault(.limitExceeded("rowLimit"))
      }
    }
    flush(&core)
    if isSequence { builder.finish(&core) }
  }

  @inline(__always)
  private func actor(_ index: UInt64, _ cursor: RunCursor) throws(Fault) -> UInt16 {
    guard index < UInt64(actors.count) else { throw cursor.fault(.actorIndexOutOfRange) }
    return actors[Int(index)]
  }

  private mutating func readRow(_ core: inout Core) throws(Fault) -> OpRow {
    var row = OpRow()
    let idActor = try columns.idActor.required()
    let idCounter = try columns.idCounter.required()
    guard idCounter > 0, idCounter <= Int64(UInt32.max) else {
      throw columns.idCounter.fault(.integerTooLarge)
    }
    row.id = PackedID(UInt32(idCounter), try actor(idActor, columns.idActor))
    try readObject(&row)
    try readKey(&row, &core)
    guard let inserts = try columns.insert.next() else {
      throw columns.insert.fault(.unexpectedNull)
    }
    row.inserts = inserts
    let action = try columns.action.required()
    guard action <= 7, action != UInt64(Action.delete) else {
      throw columns.action.fault(.unknownAction(action))
    }
    row.action = UInt8(action)
    let expands = try columns.expand.next() ?? false
    let hasName = try columns.markName.next() != nil
    if row.action == Action.mark {
      row.expands = expands
      if hasName { row.name = try intern(columns.markName, &core) }
    }
    try readValue(&row)
    try readSuccessors(of: row.id, core)
    return row
  }

  private func intern(_ cursor: RunCursor, _ core: inout Core) throws(Fault) -> UInt32 {
    guard let key = core.keys.intern(cursor.string) else {
      throw cursor.fault(.limitExceeded("totalValueByteLimit"))
    }
    return key
  }

  private mutating func readObject(_ row: inout OpRow) throws(Fault) {
    let index = try columns.objectActor.next()
    guard let counter = try columns.objectCounter.next() else {
      if index != nil { throw columns.objectCounter.fault(.unexpectedNull) }
      return
    }
    if counter == 0 { return }
    guard let index else { throw columns.objectActor.fault(.unexpectedNull) }
    guard counter <= UInt64(UInt32.max) else {
      throw columns.objectCounter.fault(.integerTooLarge)
    }
    row.object = PackedID(UInt32(counter), try actor(index, columns.objectActor))
  }

  private mutating func readKey(_ row: inout OpRow, _ core: inout Core) throws(Fault) {
    let index = try columns.keyActor.next()
    let counter = try columns.keyCounter.next()
    if try columns.keyString.next() != nil {
      if index != nil && counter != nil { throw columns.keyString.fault(.tooManyKeyParts) }
      if index != nil || counter != nil { throw columns.keyString.fault(.unexpectedNull) }
      row.key = try intern(columns.keyString, &core)
      return
    }
    guard let counter else { throw columns.keyCounter.fault(.unexpectedNull) }
    let packed = try OpRowReader.counter(counter, columns.keyCounter.fault(.integerTooLarge))
    if packed == 0 {
      if index != nil { throw columns.keyActor.fault(.unknownElement) }
      return
    }
    guard let index else { throw columns.keyActor.fault(.unexpectedNull) }
    row.element = PackedID(packed, try actor(index, columns.keyActor))
  }

  private mutating func readValue(_ row: inout OpRow) throws(Fault) {
    let meta = try columns.valueMeta.required()
    let checked = try OpRowReader.checkValue(meta, columns.value, at: columns.valueOffset)
    if OpRowReader.keepsValue(row.action, hasName: row.name != .max) {
      row.meta = checked
      if checked >> 4 > 0 { row.value = UInt32(valueBase + columns.valueOffset) }
    }
    if row.action == Action.increment {
      guard checked & 15 == TypeCode.int || checked & 15 == TypeCode.uint else {
        throw Fault(.incrementByNonNumber, columns.valueOffset, .value)
      }
    }
    columns.valueOffset += Int(checked >> 4)
  }

  private mutating func readSuccessors(
    of row: PackedID,
    _ core: borrowing Core
  ) throws(Fault) {
    successors.removeAll(keepingCapacity: true)
    let count = try columns.succCount.required()
    guard count <= UInt64(max(linkLimit - linkCount, 0)) else {
      throw columns.succCount.fault(.limitExceeded("linkLimit"))
    }
    linkCount += Int(count)
    for _ in 0..<count {
      let index = try columns.succActor.required()
      let counter = try columns.succCounter.required()
      guard counter > 0, counter <= Int64(UInt32.max) else {
        throw columns.succCounter.fault(.successorInvalid)
      }
      let id = PackedID(UInt32(counter), try actor(index, columns.succActor))
      guard core.precedes(row, id) else { throw columns.succCounter.fault(.successorInvalid) }
      if let last = successors.last, !core.precedes(last, id) {
        throw columns.succCounter.fault(.successorsOutOfOrder)
      }
      successors.append(id)
    }
  }

  // MARK: Placing

  private mutating func place(_ row: OpRow, _ core: inout Core) throws(Fault) {
    if row.object != objectID { try open(row.object, &core) }
    guard isSequence == (row.key == .max) else {
      throw columns.keyString.fault(.keyDoesNotFitObject)
    }
    if row.inserts {
      guard isSequence, row.action != Action.increment else {
        throw columns.insert.fault(.keyDoesNotFitObject)
      }
      try placeInsert(row, &core)
    } else {
      guard row.action != Action.mark else {
        throw columns.action.fault(.keyDoesNotFitObject)
      }
      try placeRow(row, &core)
    }
    if let kind = Action.made(row.action) {
      guard core.objectNumber(row.id) == nil else {
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

  private mutating func open(_ id: PackedID, _ core: inout Core) throws(Fault) {
    flush(&core)
    if isSequence { builder.finish(&core) }
    guard core.precedes(objectID, id) else {
      throw columns.objectCounter.fault(.rowsOutOfOrder)
    }
    guard let number = core.objectNumber(id) else {
      throw columns.objectCounter.fault(.unknownObject)
    }
    object = number
    objectID = id
    isSequence = core.objects[number].kind.isSequence
    isText = core.objects[number].kind == .text
    register = .max
    key = .max
    lastID = .none
    stack.reset()
    if isSequence { builder.begin(number) }
  }

  /// A row of a map key, or of an element that was inserted before.
  private mutating func placeRow(_ row: OpRow, _ core: inout Core) throws(Fault) {
    if row.key != .max {
      if row.key != key {
        if key != .max {
          guard core.keys.view(key).precedes(core.keys.view(row.key)) else {
            throw columns.keyString.fault(.rowsOutOfOrder)
          }
        }
        guard core.register(object, row.key) == nil else {
          throw columns.keyString.fault(.rowsOutOfOrder)
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

  private mutating func addRow(_ row: OpRow, _ core: inout Core) {
    var stored = Row(
      counter: row.id.counter,
      meta: row.meta,
      value: row.value,
      name: row.name,
      actor: row.id.actor,
      action: row.action,
      flags: row.expands ? Row.Flag.expand : 0
    )
    if let first = successors.first {
      stored.successor = first.counter
      stored.successorActor = first.actor
      // Whether increments alone stand behind it shows when the register is complete.
      stored.flags |= Row.Flag.hidden
    }
    core.addRow(register, stored)
    let number = UInt32(core.rows.count - 1)
    for successor in successors.dropFirst() {
      core.addSuccessor(number, successor, byIncrement: false, in: register)
    }
    if row.action == Action.increment { hasIncrement = true }
  }

  /// Makes the element inserted last complex, for a row that overwrites it.
  private mutating func makeLastComplex(_ row: OpRow, _ core: inout Core) throws(Fault) {
    guard pending.count > 0, row.element == pending.last else {
      throw columns.keyCounter.fault(.unknownElement)
    }
    if pending.isComplex {
      register = pending.successor
      return
    }
    var last = pending
    if pending.count > 1 {
      last.dropFirst(pending.count - 1)
      pending.count -= 1
      flush(&core)
    }
    register = UInt32(core.registers.count)
    core.registers.append(Register(object: object, key: .max))
    var first = Row(
      counter: last.counter,
      meta: last.meta,
      value: last.value,
      actor: last.actor,
      action: last.action
    )
    if last.isHidden {
      first.successor = last.successor
      first.successorActor = last.successorActor
      first.flags = Row.Flag.hidden
    }
    core.addRow(register, first)
    last.flags = last.flags & ~ElementRun.Flag.hidden | ElementRun.Flag.complex
    last.successor = register
    pending = last
    lastID = last.first
  }

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
      flags: UInt16(row.action)
    )
    if isText && row.action == Action.set && core.isPlain(row.meta, row.value) {
      run.flags |= ElementRun.Flag.plain
    }
    if row.action == Action.mark || successors.count > 1 {
      flush(&core)
      register = UInt32(core.registers.count)
      core.registers.append(Register(object: object, key: .max))
      addRow(row, &core)
      run.flags |= ElementRun.Flag.complex
      run.successor = register
      if row.action == Action.mark {
        run.flags |= ElementRun.Flag.mark
        core.objects[object].marks += 1
      }
      pending = run
      lastID = row.id
      return
    }
    if let successor = successors.first {
      run.successor = successor.counter
      run.successorActor = successor.actor
      run.flags |= ElementRun.Flag.ascending
    }
    if !join(run) {
      flush(&core)
      pending = run
    }
  }

  /// Appends an element to the pending run if every column goes on linearly.
  @inline(__always)
  private mutating func join(_ run: ElementRun) -> Bool {
    guard pending.count > 0, !pending.isComplex, run.actor == pending.actor,
      run.counter == pending.end, run.reference == pending.end &- 1,
      run.referenceActor == pending.actor, run.meta == pending.meta,
      run.value == pending.value &+ pending.count &* pending.byteCount || run.meta >> 4 == 0,
      (run.flags ^ pending.flags) & ~ElementRun.Flag.hidden == 0,
      run.isHidden == pending.isHidden,
      run.isPlain || !isText || run.meta & 15 != TypeCode.string
    else { return false }
    if run.isHidden {
      guard run.successorActor == pending.successorActor else { return false }
      let rises = run.successor == pending.successor &+ pending.count
      let falls = run.successor == pending.successor &- pending.count
      if pending.count == 1 {
        guard rises || falls else { return false }
        pending.flags =
          pending.flags & ~ElementRun.Flag.hidden
          | (rises ? ElementRun.Flag.ascending : ElementRun.Flag.descending)
      } else if pending.flags & ElementRun.Flag.descending != 0 ? !falls : !rises {
        return false
      }
    }
    pending.count += 1
    return true
  }

  /// Takes as many further rows as every column continues the pending run.
  private mutating func extend(_ core: inout Core, limit: Int) throws(Fault) -> UInt64 {
    // Elements that make objects are taken one by one: each object is entered on its own.
    if Action.made(pending.action) != nil { return 0 }
    let size = UInt64(pending.byteCount)
    var count = UInt64(max(limit, 0))
    count = min(count, try columns.idCounter.steps(of: 1))
    count = min(count, columns.idActor.remaining)
    if count == 0 { return 0 }
    count = min(count, try columns.keyCounter.steps(of: 1))
    try columns.insert.fill()
    count = min(count, columns.insert.value ? columns.insert.remaining : 0)
    count = min(count, columns.action.remaining, columns.valueMeta.remaining)
    count = min(count, columns.succCount.remaining)
    if count == 0 { return 0 }
    try columns.keyActor.fill()
    let keyActor = columns.keyActor
    guard !keyActor.isNull, keyActor.remaining > 0,
      try actor(keyActor.value, keyActor) == pending.actor
    else { return 0 }
    count = min(count, keyActor.remaining)
    count = min(count, try columns.keyString.nullsAhead())
    count = min(count, try columns.markName.nullsAhead())
    count = min(count, columns.objectActor.isNull ? 0 : columns.objectActor.remaining)
    count = min(count, columns.objectCounter.isNull ? 0 : columns.objectCounter.remaining)
    try columns.expand.fill()
    if columns.expand.remaining > 0 {
      count = min(count, columns.expand.value ? 0 : columns.expand.remaining)
    }
    if pending.isHidden {
      let step: Int64 = pending.flags & ElementRun.Flag.descending != 0 ? -1 : 1
      count = min(count, try columns.succCounter.steps(of: step))
      count = min(count, columns.succActor.remaining)
      if step < 0 {
        // Ids rise and successors fall: they must not meet.
        let apart = columns.succCounter.current - columns.idCounter.current - 1
        count = min(count, UInt64(max(apart / 2, 0)))
      }
      if step > 0 {
        count = min(count, UInt64(Int64(UInt32.max) - columns.succCounter.current))
      }
    }
    count = min(count, UInt64(Int64(UInt32.max) - columns.idCounter.current))
    if size > 0 {
      count = min(count, UInt64(columns.value.count - columns.valueOffset) / size)
    }
    count = try checkedValues(count, core)
    if count == 0 { return 0 }
    guard
      stack.push(
        PackedID(pending.end, pending.actor),
        count: UInt32(count),
        after: pending.last,
        core
      )
    else { return 0 }
    skip(count, size)
    pending.count &+= UInt32(count)
    return count
  }

  /// How many of the next values are sound and of the pending run's kind.
  private mutating func checkedValues(
    _ count: UInt64,
    _ core: borrowing Core
  ) throws(Fault) -> UInt64 {
    let size = Int(pending.byteCount)
    let type = pending.meta & 15
    if type <= TypeCode.yes || type == TypeCode.bytes || type > TypeCode.timestamp {
      return count
    }
    var good: UInt64 = 0
    var offset = columns.valueOffset
    while good < count {
      if type == TypeCode.string && size == 1 {
        guard columns.value[offset] < 0x80 else { return good }
      } else {
        do {
          _ = try OpRowReader.checkValue(UInt64(pending.meta), columns.value, at: offset)
        } catch {
          return good
        }
        if pending.isPlain && core.scalarLength(columns.value[offset]) != size { return good }
        if isText && type == TypeCode.string && !pending.isPlain { return good }
      }
      offset += size
      good += 1
    }
    return good
  }

  private mutating func skip(_ count: UInt64, _ size: UInt64) {
    columns.idCounter.advance(count)
    columns.idActor.skip(count)
    columns.keyCounter.advance(count)
    columns.keyActor.skip(count)
    if columns.keyString.remaining > 0 { columns.keyString.skip(count) }
    if columns.markName.remaining > 0 { columns.markName.skip(count) }
    columns.objectActor.skip(count)
    columns.objectCounter.skip(count)
    columns.insert.skip(count)
    columns.action.skip(count)
    columns.valueMeta.skip(count)
    columns.succCount.skip(count)
    columns.expand.skip(count)
    if pending.isHidden {
      columns.succCounter.advance(count)
      columns.succActor.skip(count)
      linkCount += Int(count)
    }
    columns.valueOffset += Int(count * size)
  }

  /// Completes the present register.
  private mutating func closeRegister(_ core: inout Core) {
    if hasIncrement { core.reveal(register) }
    hasIncrement = false
  }

  /// Hands the pending run to the tree.
  private mutating func flush(_ core: inout Core) {
    closeRegister(&core)
    guard pending.count > 0 else { return }
    let width: UInt32
    if pending.isComplex {
      width = core.width(ofRegister: pending.successor)
    } else if pending.isHidden {
      width = 0
    } else {
      width = core.unitWidth(pending, in: object) &* pending.count
    }
    builder.append(pending, width: width, to: &core)
    pending.count = 0
  }
}
