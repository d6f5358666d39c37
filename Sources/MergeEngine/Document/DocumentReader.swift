/// Reads a document chunk into an empty core: actors, changes, rows, and the proof by hashes.
///
/// The content of a document with one change, by the actor abcd, who sets "hello" to "world"; the
/// change itself is the example of `ChangeEncoder`:
///
///     01 02 ab cd                             actors: one, of 2 bytes
///     01 20 18 49 3f ... d8 43                heads: one, 32 bytes
///     06 01 02 03 02 13 02 23 02 40 02 56 02  change columns: six, spec and length of each
///     08 15 07 21 02 23 02 34 01 42 02        op columns: eight; the last spec is 80, in two bytes
///        56 02 57 05 80 01 02
///     7f 00 7f 01 7f 01 7f 00 7f 00 7f 07     actor 0, seq 1, maxOp 1, time 0, no dependencies, no extra
///     7f 05 68 65 6c 6c 6f                    key "hello"
///     7f 00 7f 01 01 7f 01                    id 1 of actor 0, no insertion, action 1 (set)
///     7f 56 77 6f 72 6c 64 7f 00              value "world", no successors
///     00                                      the first head is change 0
///
/// The op rows hold no changes: those are rebuilt from rows and successors, and hashed, and the heads
/// that come out must be those stated.
///
/// Nothing is reserved from a length that the bytes do not bear out; rows are read side by side,
/// so that a long run ends with the first column that is short.
///
/// Source: Specification/Format.md, "Document chunk".
struct DocumentReader: ~Copyable {
  var changeLayout = ColumnLayout()
  var opLayout = ColumnLayout()
  /// Deflated columns, inflated one behind the other.
  var inflated = Arena<UInt8>()
  /// How many bytes were inflated, and how many may be.
  private(set) var inflatedCount = 0
  let inflatedByteLimit: Int
  /// Where in `inflated` the plain bytes of a deflated column lie.
  private var inflatedPlaces: [InflatedColumn: Range<Int>] = [:]
  /// Numbers of the document's actors.
  var actors = Arena<UInt16>()
  private var heads: [ChangeHash] = []
  private var changes = Arena<ChangeRecord>()

  /// A document has two sets of columns; each counts the offsets of its columns from 0.
  enum ColumnSet { case changes, ops }

  /// A deflated column, by the offset of its bytes in the data of its set.
  private struct InflatedColumn: Hashable {
    let set: ColumnSet
    let offset: Int
  }

  init(inflatedByteLimit: Int) {
    self.inflatedByteLimit = inflatedByteLimit
  }

  /// Reads the content of a document chunk.
  mutating func read(_ content: ByteView, into core: inout Core) throws(Fault) {
    let meter = core.meter
    let starts = try readPrefix(content, &core.actors, meter)
    let changeData = content.part(from: starts.changes, length: changeLayout.totalLength)
    let opData = content.part(from: starts.ops, length: opLayout.totalLength)
    try inflate(changeData, of: .changes)
    try inflate(opData, of: .ops)
    try core.meter.spend(inflated.count * WorkMeter.inflatedByte, .columnData)
    try readChanges(changeData, into: &core)
    try core.meter.spend(
      changes.count * WorkMeter.change + core.history.dependencies.count * WorkMeter.link,
      .changeMeta
    )
    try readRows(opData, into: &core)
    try core.meter.check(.rows)
    // They are kept when they are asked for, and take memory then: an editing trace with a change a letter
    // 300 for each byte of its file.
    let budget = min(core.limits.memoryLimit(forByteCount: content.count), core.memoryCeiling)
    // All of it stands in the store by now.
    inflated = Arena()
    try core.rebuildHistory(changes, byteLimit: budget)
    guard
      heads == core.history.headHashes || Set(heads) == Set(core.history.headHashes)
    else {
      throw Fault(.headsMismatch, 0, .heads)
    }
  }

  /// Reads all but the columns, and finds them: offsets of those of the changes, and of the ops.
  ///
  /// The indexes of heads at the end are read and not believed: the heads follow from the changes.
  /// Older files lack them.
  mutating func readPrefix(
    _ content: ByteView,
    _ table: inout ActorTable,
    _ meter: WorkMeter
  ) throws(Fault) -> (changes: Int, ops: Int) {
    var cursor = ByteCursor(content)
    let actorCount = try cursor.readLength(.actors)
    for _ in 0..<actorCount {
      let length = try cursor.readLength(.actors)
      let id = ActorID(try cursor.readBytes(length, .actors).array)
      guard let number = table.intern(id) else {
        throw Fault(.limitExceeded(.actorLimit), cursor.offset, .actors)
      }
      actors.append(number)
      try meter.spend(WorkMeter.row, .actors)
    }
    let headCount = try cursor.readCount(unit: 32, .heads)
    for _ in 0..<headCount { heads.append(try cursor.readHash(.heads)) }
    try changeLayout.read(&cursor, allowsDeflate: true)
    try opLayout.read(&cursor, allowsDeflate: true)
    let changes = cursor.offset
    _ = try cursor.readBytes(changeLayout.totalLength, .columnData)
    let ops = cursor.offset
    _ = try cursor.readBytes(opLayout.totalLength, .columnData)
    if !cursor.isAtEnd {
      for _ in 0..<headCount { _ = try cursor.readULEB(strict: true, .headIndexes) }
    }
    guard cursor.isAtEnd else {
      throw Fault(.leftoverBytes(cursor.remaining), cursor.offset, .headIndexes)
    }
    return (changes, ops)
  }

  /// Inflates the deflated columns of a set.
  ///
  ///     metadata    5f 07                   0x57 | 8: values, deflated to 7 bytes
  ///     data        4b 4c 1c 05 c4 02 00    at offset 40, say, of the op columns
  ///     inflated    61 61 61 61 ...         300 times "a"; `inflatedPlaces` has (ops, 40) -> 0..<300
  ///
  /// All at once and one behind the other: views of `inflated` are taken only when it no longer
  /// grows.
  ///
  /// The limit is for all columns together: each has what those before it have left.
  private mutating func inflate(_ data: ByteView, of set: ColumnSet) throws(Fault) {
    let count = set == .changes ? changeLayout.columns.count : opLayout.columns.count
    for index in 0..<count {
      let column = set == .changes ? changeLayout.columns[index] : opLayout.columns[index]
      guard column.isDeflated else { continue }
      let bytes = data.part(from: column.offset, length: column.length)
      let start = inflated.count
      let limit = max(inflatedByteLimit - start, 0)
      try Deflate.inflate(bytes, into: &inflated, limit: limit, .columnData)
      inflatedPlaces[InflatedColumn(set: set, offset: column.offset)] = start..<inflated.count
      inflatedCount = inflated.count
    }
  }

  /// A column's plain bytes; empty if the chunk lacks it.
  ///
  /// The view is of the input, or of `inflated`: it is valid while both stay as they are.
  func bytes(
    _ column: ColumnLayout.Column?,
    _ data: ByteView,
    of set: ColumnSet
  ) -> ByteView {
    guard let column else { return data.part(from: 0, length: 0) }
    if column.isDeflated,
      let place = inflatedPlaces[InflatedColumn(set: set, offset: column.offset)]
    {
      return inflated.view(from: place.lowerBound, length: place.count)
    }
    return data.part(from: column.offset, length: column.length)
  }

  // MARK: Changes

  /// The actor column says how many changes there are.
  ///
  /// Numbers of an actor go 1, 2, 3; the first operation of each change is not stored, and follows
  /// when the rows are dealt out.
  ///
  ///      actor   seq   maxOp   dependencies        change 0: operations 1...3 of actor 0
  ///      0       1     3       -                   change 1: 4...5 of actor 1, behind change 0
  ///      1       1     5       0                   change 2: 4...4 of actor 0, beside change 1
  ///      0       2     4       0                   where each begins shows when the rows are dealt out
  private mutating func readChanges(_ data: ByteView, into core: inout Core) throws(Fault) {
    func column(_ name: ChangeColumn) -> ByteView {
      bytes(changeLayout.find(name), data, of: .changes)
    }
    var actor = RunCursor(column(.actor), .unsigned, .changeActor)
    var seq = DeltaCursor(column(.seq), .seq)
    var maxOp = DeltaCursor(column(.maxOp), .maxOp)
    var time = DeltaCursor(column(.time), .time)
    var message = RunCursor(column(.message), .string, .message)
    var dependencyCount = RunCursor(column(.dependencyCount), .unsigned, .depCount)
    let member = try changeLayout.findMember(
      ChangeColumn.dependencyIndex,
      of: .dependencyCount,
      members: (.dependencyIndex, nil),
      at: 0
    )
    var dependencyIndex = DeltaCursor(bytes(member, data, of: .changes), .depIndex)
    var extraMeta = RunCursor(column(.extraMetadata), .unsigned, .extraMeta)
    let extra = column(.extra)
    var extraOffset = 0
    var lastMessage = UInt64.max
    var seqs = ContiguousArray(repeating: Int64(0), count: core.actors.count)
    var lastOps = ContiguousArray(repeating: Int64(0), count: core.actors.count)

    let entryLimit = Limits.entryLimit(forByteCount: data.count + inflated.count)
    let changeLimit = min(entryLimit, Limits.changeLimit)
    let dependencyLimit = min(entryLimit, Limits.dependencyLimit)
    while !actor.isExhausted {
      guard let index = try actor.next() else { throw actor.fault(.unexpectedNull) }
      guard index < UInt64(actors.count) else { throw actor.fault(.actorIndexOutOfRange) }
      if changes.count % 1_024 == 1_023 {
        try core.checkMemory(extra: changes.byteCount, in: .changeMeta)
      }
      guard changes.count < changeLimit else {
        throw actor.fault(.limitExceeded(.changeLimit))
      }
      let author = Int(actors[Int(index)])
      let number = try Self.required(&seq)
      guard number == seqs[author] + 1 else {
        throw seq.fault(.sequenceNumbersNotConsecutive)
      }
      seqs[author] = number
      let last = try Self.required(&maxOp)
      guard last >= lastOps[author], last <= Int64(UInt32.max) else {
        throw maxOp.fault(.opCountersNotConsecutive)
      }
      lastOps[author] = last
      var record = ChangeRecord(
        actor: UInt16(author),
        seq: UInt32(number),
        startOp: UInt32(last),
        opCount: 0,
        time: try Self.time(&time),
        messageStart: UInt32(core.history.text.count),
        messageLength: 0,
        extraStart: 0,
        extraLength: 0,
        dependencyStart: core.history.dependencies.nextHandle,
        dependencyCount: 0
      )
      if try message.next() != nil {
        record.messageLength = UInt32(message.length)
        // Rows of one run share their bytes, so that a long run of a long message costs nothing.
        if message.value == lastMessage, changes.count > 0 {
          record.messageStart = changes[changes.count - 1].messageStart
        } else {
          core.history.text.append(message.string)
        }
        lastMessage = message.value
      } else {
        lastMessage = .max
      }
      try Self.readDependencies(
        counts: &dependencyCount,
        indexes: &dependencyIndex,
        limit: dependencyLimit,
        known: changes.count,
        into: &record,
        core: &core
      )
      try Self.readExtra(
        metas: &extraMeta,
        extra: extra,
        offset: &extraOffset,
        into: &record,
        core: &core
      )
      changes.append(record)
    }
    guard seq.isExhausted, maxOp.isExhausted, time.isExhausted, dependencyCount.isExhausted
    else { throw Fault(.columnLengthMismatch, 0, .changeMeta) }
  }

  /// Times are bounded so that the difference of any two fits 64 bits, as the column has them.
  private static func time(_ cursor: inout DeltaCursor) throws(Fault) -> Int64 {
    let value = try required(&cursor)
    guard value > -Limits.timeLimit, value < Limits.timeLimit else {
      throw cursor.fault(.timeTooLarge)
    }
    return value
  }

  /// A value that must be there: a column that ended has another length than the others, and a null
  /// in it is a null too many.
  private static func required(_ cursor: inout DeltaCursor) throws(Fault) -> Int64 {
    guard let value = try cursor.next() else {
      throw cursor.fault(cursor.isExhausted ? .columnLengthMismatch : .unexpectedNull)
    }
    return value
  }

  /// Only changes before this one can be named, so that the graph has no circle.
  private static func readDependencies(
    counts: inout RunCursor,
    indexes: inout DeltaCursor,
    limit: Int,
    known changeCount: Int,
    into record: inout ChangeRecord,
    core: inout Core
  ) throws(Fault) {
    guard let count = try counts.next() else {
      throw counts.fault(counts.isExhausted ? .columnLengthMismatch : .unexpectedNull)
    }
    guard count <= UInt64(max(limit - core.history.dependencies.count, 0)) else {
      throw counts.fault(.limitExceeded(.dependencyLimit))
    }
    for _ in 0..<count {
      let index = try indexes.required()
      guard index >= 0, index < Int64(changeCount) else {
        throw indexes.fault(.dependencyIndexInvalid)
      }
      core.history.dependencies.append(ChangeHandle(Int(index)))
    }
    record.dependencyCount = UInt32(count)
  }

  /// The extra bytes of a change, which this version keeps and does not read.
  ///
  ///     extra.metadata   7f 37          3 << 4 | 7: bytes, 3 of them
  ///     extra            01 02 03       those of all changes side by side; `offset` moves behind them
  private static func readExtra(
    metas: inout RunCursor,
    extra: ByteView,
    offset: inout Int,
    into record: inout ChangeRecord,
    core: inout Core
  ) throws(Fault) {
    record.extraStart = UInt32(core.history.text.count)
    guard let meta = try metas.next() else {
      // A column that is missing or short says that there are no extra bytes; a null says nothing.
      if metas.isNull { throw metas.fault(.unexpectedNull) }
      return
    }
    let checked = try OpRowReader.checkValue(meta, extra, at: offset)
    guard checked.type == TypeCode.bytes else { throw metas.fault(.invalidValue) }
    let length = Int(checked.byteCount)
    core.history.text.append(extra.part(from: offset, length: length))
    record.extraLength = UInt32(length)
    offset += length
  }
}
