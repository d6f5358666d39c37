/// A change as runs of ops; its buffers are kept for the next one.
///
///     columns, one value a row                          runs
///     key.counter   head 7 8 9 10 | 11 10               5 insertions from 7 on: head, then each behind
///     insert        1 1 1 1 1     | 0 0                 the one before
///     action        set (5)       | delete (2)          2 deletions from 12 on: of 11, then of 10
///     value         h e l l o     | -
///
/// It holds no bytes of the change: values stand in the arena that the caller lent, keys in its
/// table, and actors are the document's numbers. So it is of use for one document, and until that
/// takes its values back.
struct DecodedChange: ~Copyable {
  var runs = Arena<OpRun>()
  /// Of all runs, one after the other (``OpRun/preds``).
  var preds = Arena<PackedID>()
  /// Rows read; a run counts for as many as it has joined.
  var opCount: UInt32 = 0
  /// Rows that were read by themselves, and not as going on like the row before.
  var singleCount = 0
  /// Where the extra bytes begin in the content.
  var extraStart = 0
  /// Whether the bytes were seen to be those that `ChangeEncoder` writes for these runs.
  ///
  /// False says nothing: the caller has to write them and compare.
  var isCanonical = false
  var byteCapacity: Int { runs.byteCapacity + preds.byteCapacity + actors.byteCapacity }
  /// Runs and predecessors that may be read, for the memory that they take.
  var entryLimit = Int.max
  /// Runs and rows read by themselves that may be, together, for the work that they take.
  var rowLimit = Int.max
  /// Whether a change has no limits of its own, since it was let in once: as part of a document it may have
  /// been within limits that it exceeds by itself.
  var isTrusted = false
  fileprivate var layout = ColumnLayout()
  /// By the change's own indexes, the actors' numbers.
  private(set) var actors = Arena<UInt16>()
  /// Always `nil`: makes the type address-only, as in ``Core``.
  ///
  /// Calls that only read would else copy all 160 bytes for their callee, five a change of one op.
  private let byAddress: (any Sendable)? = nil

  /// Reads the columns of a change into `runs`.
  ///
  /// Values go behind `values`, keys into `keys`; the caller takes them back if it refuses the
  /// change. The actors of the header must be in `table`.
  ///
  /// On an error `runs` and `preds` hold what came before it, and are not to be used.
  mutating func read(
    _ header: ChangeHeader,
    from cursor: inout ByteCursor,
    author: UInt16,
    table: borrowing ActorTable,
    keys: inout KeyTable,
    values: inout Arena<UInt8>
  ) throws(Fault) {
    runs.truncate(to: 0)
    preds.truncate(to: 0)
    opCount = 0
    singleCount = 0
    isCanonical = false
    actors.truncate(to: 0)
    actors.append(author)
    var offset = header.otherActorStart
    for _ in 0..<header.otherActorCount {
      guard let number = table.find(try header.otherActor(at: &offset)) else {
        throw Fault(.actorIndexOutOfRange, cursor.offset, .otherActors)
      }
      actors.append(number)
    }
    if readSingle(header, from: &cursor, author: author, keys: &keys, values: &values) { return }
    try layout.read(&cursor, allowsDeflate: false)
    let dataStart = cursor.offset
    let data = try cursor.readBytes(layout.totalLength, .columnData)
    extraStart = cursor.offset
    if layout.columns.isEmpty { return }
    var rows = try Rows(layout, data, at: dataStart)
    try readRows(&rows, header: header, author: author, table: table, keys: &keys, values: &values)
  }

  /// The column cursors of a change.
  private struct Rows {
    var objectActor: RunCursor
    var objectCounter: RunCursor
    var keyActor: RunCursor
    var keyCounter: DeltaCursor
    var keyString: RunCursor
    var insert: FlagCursor
    var action: RunCursor
    var valueMeta: RunCursor
    let value: ByteView
    var valueOffset = 0
    var predecessorCount: RunCursor
    var predecessorActor: RunCursor
    var predecessorCounter: DeltaCursor
    var expand: FlagCursor
    var markName: RunCursor

    /// A column that the chunk lacks is an empty one, and reads as nulls.
    init(_ layout: borrowing ColumnLayout, _ data: ByteView, at offset: Int) throws(Fault) {
      let empty = data.part(from: 0, length: 0)
      func bytes(_ column: ColumnLayout.Column?) -> ByteView {
        guard let column else { return empty }
        return data.part(from: column.offset, length: column.length)
      }
      func bytes(of name: OpColumn) -> ByteView { bytes(layout.find(name)) }
      let members = (OpColumn.predecessorActor, OpColumn.predecessorCounter)
      // An object's or key's half is nothing without the other half.
      objectActor = RunCursor(bytes(of: .objectActor), .unsigned, .objectActor)
      objectCounter = RunCursor(bytes(of: .objectCounter), .unsigned, .objectCounter)
      keyActor = RunCursor(bytes(of: .keyActor), .unsigned, .keyActor)
      keyCounter = DeltaCursor(bytes(of: .keyCounter), .keyCounter)
      keyString = RunCursor(bytes(of: .keyString), .string, .keyString)
      insert = FlagCursor(bytes(of: .insert), .insert)
      action = RunCursor(bytes(of: .action), .unsigned, .action)
      valueMeta = RunCursor(bytes(of: .valueMetadata), .unsigned, .valueMeta)
      value = bytes(of: .value)
      predecessorCount = RunCursor(bytes(of: .predecessorCount), .unsigned, .predecessorCount)
      predecessorActor = RunCursor(
        bytes(
          try layout.findMember(
            .predecessorActor,
            of: .predecessorCount,
            members: members,
            at: offset
          )
        ),
        .unsigned,
        .predecessorActor
      )
      predecessorCounter = DeltaCursor(
        bytes(
          try layout.findMember(
            .predecessorCounter,
            of: .predecessorCount,
            members: members,
            at: offset
          )
        ),
        .predecessorCounter
      )
      expand = FlagCursor(bytes(of: .expand), .expand)
      markName = RunCursor(bytes(of: .markName), .string, .markName)
    }
  }

  /// The actor of an index in the change: 0 is the author, others follow as the header lists them.
  private func actor(_ index: UInt64, _ fault: @autoclosure () -> Fault) throws(Fault) -> UInt16 {
    guard index < UInt64(actors.count) else { throw fault() }
    return actors[Int(index)]
  }

  /// The action column says how many rows there are.
  ///
  /// What other columns have beyond them is not read: the change is then not canonical, and refused
  /// for that.
  private mutating func readRows(
    _ rows: inout Rows,
    header: ChangeHeader,
    author: UInt16,
    table: borrowing ActorTable,
    keys: inout KeyTable,
    values: inout Arena<UInt8>
  ) throws(Fault) {
    // All values are taken over at once; each row then notes where its bytes are in the store's
    // arena.
    let base = values.count
    guard base + rows.value.count <= Limits.totalValueByteLimit else {
      throw Fault(.limitExceeded(.totalValueByteLimit), 0, .value)
    }
    values.append(rows.value)
    let runLimit = isTrusted ? .max : Limits.entryLimit(forByteCount: layout.totalLength)
    let linkLimit = min(runLimit, isTrusted ? .max : Limits.linkLimit, entryLimit)
    var counter = UInt64(header.startOp)
    while true {
      guard let action = try rows.action.next() else {
        if rows.action.isNull { throw rows.action.fault(.unexpectedNull) }
        break
      }
      guard let known = Action(code: action) else {
        throw rows.action.fault(.unknownAction(action))
      }
      // The header's first number was checked alone; each row is one higher.
      guard counter <= UInt64(UInt32.max) else {
        throw rows.action.fault(.integerTooLarge)
      }
      guard isTrusted || (runs.count < runLimit && opCount < Limits.rowLimit) else {
        throw rows.action.fault(.limitExceeded(.rowLimit))
      }
      guard runs.count + singleCount < rowLimit else {
        throw rows.action.fault(.limitExceeded(.workPerByteLimit))
      }
      var run = OpRun(
        objectCounter: 0,
        objectActor: 0,
        actor: author,
        counter: UInt32(counter),
        key: .none,
        action: known
      )
      try readObject(&rows, &run)
      try readKey(&rows, &run, &keys)
      guard let insert = try rows.insert.next() else {
        throw rows.insert.fault(.unexpectedNull)
      }
      if insert { run.flags.insert(.insert) }
      // Read in each row, whatever its action, so that the columns stay side by side.
      if try rows.expand.next() ?? false && run.action == .mark {
        run.flags.insert(.expand)
      }
      if try rows.markName.next() != nil && run.action == .mark {
        guard let name = keys.intern(rows.markName.string) else {
          throw rows.markName.fault(.limitExceeded(.totalValueByteLimit))
        }
        run.name = name
      }
      try readValue(&rows, &run, base: base)
      try readPreds(&rows, &run, table, limit: linkLimit)
      append(run)
      guard runs.count <= entryLimit else {
        throw rows.action.fault(.limitExceeded(.memoryPerByteLimit))
      }
      counter += 1
      opCount += 1
      singleCount += 1
      if run.isPlainDelete {
        let more = try extend(&rows)
        counter += UInt64(more)
        opCount += more
      }
    }
  }

  /// Lengthens the last run by the deletions that all columns bear out, in one step; returns how many.
  ///
  ///     rows    delete 7, 8        read by themselves: they say which way it goes
  ///             delete 9...90      as many as every column has in the run at hand
  ///
  /// So the deletion of a long text costs what it hides, and is not refused for its length.
  private mutating func extend(_ rows: inout Rows) throws(Fault) -> UInt32 {
    guard let last = runs.lastIndex, runs[last].count > 1 else { return 0 }
    let run = runs[last]
    // Deletions may have a value that is not kept: its bytes are passed row by row.
    guard rows.valueMeta.value <= UInt64(TypeCode.yes) else { return 0 }
    let steps = try rows.keyCounter.steps(of: Int64(run.step))
    if steps == 0 { return 0 }
    var count = min(
      steps,
      rows.objectActor.remaining,
      rows.objectCounter.remaining,
      rows.keyActor.remaining,
      rows.action.remaining,
      rows.valueMeta.remaining,
      rows.predecessorCount.remaining,
      rows.predecessorActor.remaining,
      rows.insert.remaining
    )
    if count == 0 { return 0 }
    count = min(
      count,
      try rows.keyString.nullsAhead(),
      try rows.markName.nullsAhead(),
      try rows.predecessorCounter.steps(of: Int64(run.step))
    )
    try rows.expand.fill()
    if rows.expand.remaining > 0 { count = min(count, rows.expand.remaining) }
    // Numbers of operations and of elements stay within 32 bits, and elements above 0.
    let element = run.element(of: run.count &- 1).counter
    count = min(count, UInt64(UInt32.max &- (run.end &- 1)))
    count = min(count, UInt64(run.step > 0 ? UInt32.max &- element : element &- 1))
    if !isTrusted { count = min(count, UInt64(max(Limits.rowLimit - Int(opCount), 0))) }
    if count == 0 { return 0 }
    rows.objectActor.skip(count)
    rows.objectCounter.skip(count)
    rows.keyActor.skip(count)
    rows.action.skip(count)
    rows.valueMeta.skip(count)
    rows.predecessorCount.skip(count)
    rows.predecessorActor.skip(count)
    rows.insert.skip(count)
    if rows.keyString.remaining > 0 { rows.keyString.skip(count) }
    if rows.markName.remaining > 0 { rows.markName.skip(count) }
    rows.keyCounter.advance(count)
    rows.predecessorCounter.advance(count)
    rows.expand.skip(count)
    let more = UInt32(count)
    runs[last].count &+= more
    return more
  }

  /// Both halves null is the root, under which the run stands already.
  ///
  /// One half without the other names nothing, and is refused. Counter 0 says the root in a form that no change has
  /// when it is written again, so that the change is refused in the end.
  private func readObject(_ rows: inout Rows, _ run: inout OpRun) throws(Fault) {
    let index = try rows.objectActor.next()
    guard let counter = try rows.objectCounter.next() else {
      if index != nil { throw rows.objectCounter.fault(.unexpectedNull) }
      return
    }
    guard let index else { throw rows.objectActor.fault(.unexpectedNull) }
    guard counter <= UInt64(UInt32.max) else {
      throw rows.objectCounter.fault(.integerTooLarge)
    }
    run.objectCounter = UInt32(counter)
    run.objectActor = try actor(index, rows.objectActor.fault(.actorIndexOutOfRange))
  }

  /// A key string, or an element by actor and counter; counter 0 without an actor is the head.
  ///
  ///     actor   counter   string
  ///     null    null      "k"       the map key "k"
  ///     null    0         null      the head of a list
  ///     1       7         null      the element 7 of the change's actor 1
  ///     1       7         "k"       refused: tooManyKeyParts
  ///     1       0         null      refused: unknownElement
  ///     null    7         null      refused: unexpectedNull, as is any other half of a key
  private func readKey(
    _ rows: inout Rows,
    _ run: inout OpRun,
    _ keys: inout KeyTable
  ) throws(Fault) {
    let index = try rows.keyActor.next()
    let counter = try rows.keyCounter.next()
    if try rows.keyString.next() != nil {
      if index != nil && counter != nil { throw rows.keyString.fault(.tooManyKeyParts) }
      if index != nil || counter != nil { throw rows.keyString.fault(.unexpectedNull) }
      guard let key = keys.intern(rows.keyString.string) else {
        throw rows.keyString.fault(.limitExceeded(.totalValueByteLimit))
      }
      run.key = key
      return
    }
    guard let counter else { throw rows.keyCounter.fault(.unexpectedNull) }
    run.elementCounter = try OpRowReader.counter(
      counter,
      rows.keyCounter.fault(.integerTooLarge)
    )
    if counter == 0 {
      if index != nil { throw rows.keyActor.fault(.unknownElement) }
      return
    }
    guard let index else { throw rows.keyActor.fault(.unexpectedNull) }
    run.elementActor = try actor(index, rows.keyActor.fault(.actorIndexOutOfRange))
  }

  /// Every row has metadata.
  ///
  /// Bytes belong to the row whether its action keeps them or not: the next row's begin behind
  /// them.
  private func readValue(
    _ rows: inout Rows,
    _ run: inout OpRun,
    base: Int
  ) throws(Fault) {
    let meta = try rows.valueMeta.required()
    let checked = try OpRowReader.checkValue(meta, rows.value, at: rows.valueOffset)
    if run.action.keepsValue(hasName: !run.name.isNone) {
      run.meta = checked
      if checked.byteCount > 0 { run.value = UInt32(base + rows.valueOffset) }
    }
    if run.action == .increment {
      guard checked.type == TypeCode.int else {
        throw Fault(.incrementByNonNumber, rows.valueOffset, .value)
      }
    }
    rows.valueOffset += Int(checked.byteCount)
  }

  /// They must rise.
  ///
  /// The count is compared with what may still be read before the first is: a column of a few bytes
  /// can claim any.
  ///
  /// A deletion of an element whose only predecessor is the element's insertion is marked as plain,
  /// and needs no entry in the list.
  private mutating func readPreds(
    _ rows: inout Rows,
    _ run: inout OpRun,
    _ table: borrowing ActorTable,
    limit: Int
  ) throws(Fault) {
    let count = try rows.predecessorCount.required()
    run.predecessorStart = preds.nextHandle
    guard count <= UInt64(max(limit - preds.count, 0)) else {
      throw rows.predecessorCount.fault(.limitExceeded(.linkLimit))
    }
    for _ in 0..<count {
      let index = try rows.predecessorActor.required()
      let counter = try rows.predecessorCounter.required()
      guard counter > 0 && counter <= Int64(UInt32.max) else {
        throw rows.predecessorCounter.fault(.predecessorInvalid)
      }
      let id = PackedID(
        UInt32(counter),
        try actor(index, rows.predecessorActor.fault(.actorIndexOutOfRange))
      )
      if run.predecessorCount > 0 {
        let last = preds[preds.count - 1]
        let rises =
          last.counter < id.counter
          || (last.counter == id.counter
            && table.ranks.precedes(last.actor, id.actor))
        guard rises else { throw rows.predecessorCounter.fault(.notCanonical) }
      }
      preds.append(id)
      run.predecessorCount += 1
    }
    if run.action == .delete && run.predecessorCount == 1 && run.key.isNone && !run.isInsert
      && preds[run.predecessorStart] == run.element
    {
      run.flags.insert(.plainDelete)
      run.predecessorCount = 0
      preds.truncate(to: run.predecessorStart.index)
    }
  }

  /// Appends an op, joined to the last run where a rule allows.
  ///
  /// Rules of joining are those of ``OpRun``: what comes as a row each is then applied, logged and
  /// saved as one.
  @inline(__always)
  private mutating func append(_ run: OpRun) {
    if let last = runs.lastIndex, runs[last].join(run) { return }
    runs.append(run)
  }
}
