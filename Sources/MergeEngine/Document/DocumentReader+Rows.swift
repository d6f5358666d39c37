// long: the rows of a document are read by one loop over fifteen columns, and its parts share them

/// The op columns of a document chunk.
///
/// Columns that the chunk lacks read as nulls; whether a null may stand there is for the readers of
/// rows to say.
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
    func bytes(_ name: OpColumn) -> ByteView { column(layout.find(name)) }
    objectActor = RunCursor(bytes(.objectActor), .unsigned, .objectActor)
    objectCounter = RunCursor(bytes(.objectCounter), .unsigned, .objectCounter)
    keyActor = RunCursor(bytes(.keyActor), .unsigned, .keyActor)
    keyCounter = DeltaCursor(bytes(.keyCounter), .keyCounter)
    keyString = RunCursor(bytes(.keyString), .string, .keyString)
    idActor = RunCursor(bytes(.idActor), .unsigned, .idActor)
    idCounter = DeltaCursor(bytes(.idCounter), .idCounter)
    insert = FlagCursor(bytes(.insert), .insert)
    action = RunCursor(bytes(.action), .unsigned, .action)
    valueMeta = RunCursor(bytes(.valueMetadata), .unsigned, .valueMeta)
    value = bytes(.value)
    let members = (OpColumn.successorActor, OpColumn.successorCounter)
    succCount = RunCursor(bytes(.successorCount), .unsigned, .succCount)
    succActor = RunCursor(
      column(try layout.findMember(.successorActor, of: .successorCount, members: members, at: 0)),
      .unsigned,
      .succActor
    )
    succCounter = DeltaCursor(
      column(
        try layout.findMember(.successorCounter, of: .successorCount, members: members, at: 0)
      ),
      .succCounter
    )
    expand = FlagCursor(bytes(.expand), .expand)
    markName = RunCursor(bytes(.markName), .string, .markName)
  }
}

/// One row as read.
///
/// A row of a document is an operation that still has a value, or a loser: `id` says who wrote it,
/// `key` or `element` where.
private struct OpRow {
  var object = PackedID.none
  var key = KeyHandle.none
  var element = PackedID.none
  var id = PackedID.none
  var inserts = false
  var action = Action.makeMap
  var expands = false
  var name = KeyHandle.none
  var meta = ValueMeta.null
  var value: UInt32 = 0
}

/// Turns the op rows of a document into the op store.
///
/// The first two rows of a run of elements are read one by one; the rest of it in one step, by
/// asking each column how far it goes on in the same way:
///
///     rows of id.counter     7, 8, then 98 more steps of 1
///     rows of key.counter    3, 7, then 98 more steps of 1
///     rows of action         100 of `set`
///     rows of value.metadata 60 of 1 << 4 | 6, then others   -> 58 rows at once, up to there
///
/// Rows come sorted, and each order is checked: what is read here is saved again in this order, and one
/// document has one form.
/// - objects by id, the root first;
/// - in a map keys by their bytes, in a register rows by id;
/// - in a sequence elements in document order, which `OrderStack` proves to be that of the insert
///   rule, and behind each insertion the rows that overwrite it.
///
/// A deletion has no row: it is known only as a successor, and `OpCollector` finds it later.
private struct RowStore: ~Copyable {
  var columns: OpColumns
  let actors: Arena<UInt16>
  /// Offset of the value column in the core's values.
  ///
  /// A value's place in the core is this and its offset in the column.
  let valueBase: Int
  var successors: ContiguousArray<PackedID> = []
  var stack = OrderStack()
  var builder = SequenceBuilder()

  /// The object whose rows are read.
  var object = ObjectHandle.root
  var objectID = PackedID.none
  /// Both of the object at hand, as that of the core says.
  var isSequence = false
  var isText = false
  /// The register that takes rows of the present key or element.
  var register = RegisterHandle.none
  var key = KeyHandle.none
  /// The last row of the register, below which no other of its rows may stand.
  var lastID = PackedID.none
  /// The run being built; empty at `count` 0.
  ///
  /// It grows until a column does not go on, and is then handed to the builder.
  var pending = ElementRun.blank
  /// Successors read so far, of all rows.
  var linkCount = 0
  let linkLimit: Int
  /// Whether the present register has increments.
  var hasIncrement = false
}

extension DocumentReader {
  /// Reads the op columns into the store; the core's actors are known, and it has no operations.
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
  /// Reads all rows.
  ///
  /// `rowLimit` bounds the rows that are read one by one, and so the work, by the bytes there are. All
  /// rows together have the fixed `Limits.rowLimit`: a few bytes may say a long run, which costs little
  /// to read, but not without end.
  ///
  ///
  ///      row 1      readRow, place         pending = [1]
  ///      row 2      readRow, place, join   pending = [1 2]: the direction of each column is known
  ///      row 3...   extend                 as many as all columns bear out, in one step
  mutating func readAll(into core: inout Core, rowLimit: Int) throws(Fault) {
    // Rows read one by one, and all.
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
      if singles % 1_024 == 0 { try core.checkMemory(in: .rows) }
      guard singles <= rowLimit, rows <= Limits.rowLimit else {
        throw columns.idCounter.fault(.limitExceeded("rowLimit"))
      }
      guard core.emptyElementCount <= core.limits.emptyElementLimit else {
        throw columns.idCounter.fault(.limitExceeded("emptyElementLimit"))
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

  /// Reads one row from all columns.
  ///
  /// Every column is asked in every row, also for what the row's action has no use for: a column that
  /// ends early or says null where a value is due is an error of the file.
  ///
  /// The order of reading is of no consequence to the columns, which are independent, but to which
  /// error a damaged file shows first.
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
    guard let known = Action(code: action), known != .delete else {
      throw columns.action.fault(.unknownAction(action))
    }
    row.action = known
    let expands = try columns.expand.next() ?? false
    let hasName = try columns.markName.next() != nil
    if row.action == .mark {
      row.expands = expands
      if hasName { row.name = try intern(columns.markName, &core) }
    }
    try readValue(&row)
    try readSuccessors(of: row.id, core)
    return row
  }

  private func intern(_ cursor: RunCursor, _ core: inout Core) throws(Fault) -> KeyHandle {
    guard let key = core.keys.intern(cursor.string) else {
      throw cursor.fault(.limitExceeded("totalValueByteLimit"))
    }
    return key
  }

  /// The object: null in both columns, or counter 0, is the root.
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

  /// The key: a string, or an element by actor and counter; counter 0 without an actor is the head of
  /// a list.
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

  /// The value, checked whether the row keeps it or not; its bytes stay where they are, in `values`.
  private mutating func readValue(_ row: inout OpRow) throws(Fault) {
    let meta = try columns.valueMeta.required()
    let checked = try OpRowReader.checkValue(meta, columns.value, at: columns.valueOffset)
    if row.action.keepsValue(hasName: !row.name.isNone) {
      row.meta = checked
      if checked.byteCount > 0 { row.value = UInt32(valueBase + columns.valueOffset) }
    }
    if row.action == .increment {
      guard checked.type == TypeCode.int else {
        throw Fault(.incrementByNonNumber, columns.valueOffset, .value)
      }
    }
    columns.valueOffset += Int(checked.byteCount)
  }

  /// The operations that overwrote, deleted or incremented the row: above it, and ascending.
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

  /// Enters a row into the store, and the object that it makes.
  private mutating func place(_ row: OpRow, _ core: inout Core) throws(Fault) {
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
  /// Keys ascend by bytes, and each has one register: a key that has one already is out of order.
  private mutating func placeRow(_ row: OpRow, _ core: inout Core) throws(Fault) {
    if !row.key.isNone {
      if row.key != key {
        if !key.isNone {
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
    guard pending.count > 0, row.element == pending.last else {
      throw columns.keyCounter.fault(.unknownElement)
    }
    if pending.isComplex {
      register = pending.register
      return
    }
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
  /// An element with at most one successor is simple: its deletion stands in the run. Marks and elements
  /// with more successors get a register at once, later rows of an element make one (`makeLastComplex`).
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

  /// Appends an element to the pending run if every column goes on linearly.
  ///
  /// A text's strings join only if each is one scalar (`plain`): others may have different widths,
  /// and are runs of their own.
  @inline(__always)
  private mutating func join(_ run: ElementRun) -> Bool {
    guard pending.count > 0, !pending.isComplex, run.continues(pending),
      run.isHidden == pending.isHidden,
      run.isPlain || !isText || run.meta.type != TypeCode.string
    else { return false }
    if run.isHidden {
      let deletion = PackedID(run.successor, run.successorActor)
      let rises = pending.isHiddenUpwards(to: deletion)
      guard rises || pending.isHiddenDownwards(to: deletion) else { return false }
      if pending.count == 1 { pending.setDirection(rises ? .ascending : .descending) }
    }
    pending.count += 1
    return true
  }

  /// Takes as many further rows as every column continues the pending run.
  ///
  /// Each column says for how many rows it goes on in the way that the run's first two elements
  /// showed; the least of the answers is taken, and all columns skip that many at once. The cost is one
  /// question a column, whatever the number of rows. Values are the exception: their bytes are looked
  /// at one by one, for the first that is not sound.
  ///
  /// 0 is no error: the next row is then read by itself, and says what is wrong with it.
  private mutating func extend(_ core: inout Core, limit: Int) throws(Fault) -> UInt64 {
    // Elements that make objects are taken one by one: each object is entered on its own.
    if pending.action.made != nil { return 0 }
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
      let step: Int64 = pending.isDescending ? -1 : 1
      count = min(count, try columns.succCounter.steps(of: step))
      count = min(count, columns.succActor.remaining)
      if step < 0 {
        //     ids          7    8    9    10        successors must be above their own elements:
        //     successors   16   15   14   13        3 apart at 10 and 13, 1 apart at the next two
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
    if size == 0 { core.emptyElementCount += Int(count) }
    return count
  }

  /// How many of the next values are sound and of the pending run's kind.
  private mutating func checkedValues(
    _ count: UInt64,
    _ core: borrowing Core
  ) throws(Fault) -> UInt64 {
    let size = Int(pending.byteCount)
    let type = pending.meta.type
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
          _ = try OpRowReader.checkValue(UInt64(pending.meta.rawValue), columns.value, at: offset)
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

  /// All columns together, as `extend` has bounded `count`; columns that have ended stay where they
  /// are.
  ///
  /// Every column that ``extend(_:limit:)`` has asked must be moved here, and by the same count, or
  /// rows are read askew from here on.
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
  ///
  /// Must come before another object begins, and before `pending` gets another run.
  private mutating func flush(_ core: inout Core) {
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
