/// The op columns of a document chunk.
///
/// Columns that the chunk lacks read as nulls; whether a null may stand there is for the readers of
/// rows to say.
///
/// The op columns of a document that the actor abcd has made: `{"t": "hi"}`, with a text at "t".
///
///     01   00 01  02 00           object actor    null; twice actor 0
///     02   00 01  02 01           object counter  null; twice 1
///     11   00 02  7f 00           key actor       null, null; actor 0
///     13   00 01  7e 00 02        key counter     null; 0, and 2 more: 2
///     15   7f 01 74  00 02        key string      "t"; null, null
///     21   03 00                  id actor        three times actor 0
///     23   03 01                  id counter      three times 1 more: 1, 2, 3
///     34   01 02                  insert          one false, two true
///     42   7f 04  02 01           action          4, make a text; twice 1, set
///     56   7f 00  02 16           metadata        null; twice a string of one byte
///     57   68 69                  values          "h", "i"
///     80   03 00                  successors      three times none
///
/// Read side by side these are three rows:
///
///     id   object   key       inserts   action     value
///     1    root     "t"       no        makeText   null
///     2    1        head      yes       set        "h"
///     3    1        element 2 yes       set        "i"
struct OpColumns {
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
  var successorCount: RunCursor
  var successorActor: RunCursor
  var successorCounter: DeltaCursor
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
    successorCount = RunCursor(bytes(.successorCount), .unsigned, .successorCount)
    successorActor = RunCursor(
      column(try layout.findMember(.successorActor, of: .successorCount, members: members, at: 0)),
      .unsigned,
      .successorActor
    )
    successorCounter = DeltaCursor(
      column(
        try layout.findMember(.successorCounter, of: .successorCount, members: members, at: 0)
      ),
      .successorCounter
    )
    expand = FlagCursor(bytes(.expand), .expand)
    markName = RunCursor(bytes(.markName), .string, .markName)
  }
}

/// One row as read.
///
/// A row of a document is an operation that still has a value, or a loser: `id` says who wrote it,
/// `key` or `element` where.
struct OpRow {
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
///     rows of id.counter     7, 8, then 98 more steps of 1                    7f 07  e3 00 01
///     rows of key.counter    3, 7, then 98 more steps of 1                    7e 03 04  e2 00 01
///     rows of action         100 of `set`                                     e4 00 01
///     rows of value.metadata 60 of 1 << 4 | 6, then 40 of 2 << 4 | 6          3c 16  28 26
///                            -> 58 rows at once, up to there
///
/// The bytes are runs: a count of 7f or 7e is one or two literal values, any other is how often the
/// value behind it comes; counters are differences from row to row.
///
/// Rows come sorted, and each order is checked: what is read here is saved again in this order, and one
/// document has one form.
/// - objects by id, the root first;
/// - in a map keys by their bytes, in a register rows by id;
/// - in a sequence elements in document order, which `OrderStack` proves to be that of the insert
///   rule, and behind each insertion the rows that overwrite it.
///
/// A deletion has no row: it is known only as a successor, and `OpCollector` finds it later.
struct RowStore: ~Copyable {
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
    let columns = try OpColumns(opLayout) { bytes($0, data, of: .ops) }
    let base = core.values.count
    guard base + columns.value.count <= Limits.totalValueByteLimit else {
      throw Fault(.limitExceeded(.totalValueByteLimit), 0, .value)
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
        throw columns.idCounter.fault(.limitExceeded(.rowLimit))
      }
      guard core.emptyElementCount <= core.limits.emptyElementLimit else {
        throw columns.idCounter.fault(.limitExceeded(.emptyElementLimit))
      }
    }
    flush(&core)
    if isSequence { builder.finish(&core) }
  }

  @inline(__always)
  func actor(_ index: UInt64, _ cursor: RunCursor) throws(Fault) -> UInt16 {
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
      throw cursor.fault(.limitExceeded(.totalValueByteLimit))
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
    let count = try columns.successorCount.required()
    guard count <= UInt64(max(linkLimit - linkCount, 0)) else {
      throw columns.successorCount.fault(.limitExceeded(.linkLimit))
    }
    linkCount += Int(count)
    for _ in 0..<count {
      let index = try columns.successorActor.required()
      let counter = try columns.successorCounter.required()
      guard counter > 0, counter <= Int64(UInt32.max) else {
        throw columns.successorCounter.fault(.successorInvalid)
      }
      let id = PackedID(UInt32(counter), try actor(index, columns.successorActor))
      guard core.precedes(row, id) else { throw columns.successorCounter.fault(.successorInvalid) }
      if let last = successors.last, !core.precedes(last, id) {
        throw columns.successorCounter.fault(.successorsOutOfOrder)
      }
      successors.append(id)
    }
  }
}
