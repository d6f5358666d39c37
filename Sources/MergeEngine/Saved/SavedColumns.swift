/// The op columns of one document chunk, each inflated when it is first asked for.
///
/// What the text of W1 needs, an essay of 259,778 edits in 129 kB, in bytes inflated:
///
///     its object   object, action, id                              42 kB
///     its text     insert, value.metadata, value, successor.count  190 kB
///     not at all   key, successor.actor, successor.counter         60 kB
///
/// A column is inflated, or copied, once, into memory of its own, which does not move and lives as long
/// as this. Cursors that are kept beside it borrow from there: the one place where views outlive a call.
final class SavedColumns {
  /// The plain bytes of one column; never changed.
  private final class Plain {
    let bytes: Arena<UInt8>

    init(_ bytes: consuming Arena<UInt8>) { self.bytes = bytes }
  }

  /// The bytes as they came: one document chunk and nothing else.
  let bytes: [UInt8]
  /// Offset of the chunk's content in `bytes`, from which errors count.
  let contentStart: Int
  let actors: ActorTable
  let budget: SavedBudget
  private let reader: DocumentReader
  /// Offset of the op columns in `bytes`.
  private let dataStart: Int
  private var inflatedCount = 0
  /// By the column's spec, `nil` for all that the chunk lacks: of several columns with one spec no more than one is
  /// ever asked for.
  private var plain: [UInt32?: Plain] = [:]

  /// Reads what stands in front of the columns, whose checksum is right.
  init(
    _ bytes: [UInt8],
    content: Range<Int>,
    limits: DocumentLimits
  ) throws(Fault) {
    let meter = WorkMeter()
    meter.begin(left: limits.workLimit(forByteCount: bytes.count))
    var table = ActorTable()
    var reader = DocumentReader(
      inflatedByteLimit: min(max(limits.inflatedByteLimit, 0), Limits.inflatedByteLimit)
    )
    let starts = try withView(of: bytes) { (view) throws(Fault) in
      try reader.readPrefix(
        view.part(from: content.lowerBound, length: content.count),
        &table,
        meter
      )
    }
    self.bytes = bytes
    budget = SavedBudget(limits, chunkByteCount: content.count)
    contentStart = content.lowerBound
    dataStart = content.lowerBound + starts.ops
    actors = table
    self.reader = reader
  }

  /// Bytes that the op columns have in the chunk, and those inflated by now: what bounds the work on them.
  private var byteCount: Int { reader.opLayout.totalLength + inflatedCount }

  /// Counts a row that is read by itself.
  func spendRow() throws(Fault) { try budget.spendRow(columnByteCount: byteCount) }

  /// How many successors may still be read.
  var linksLeft: Int { budget.linksLeft(columnByteCount: byteCount) }

  /// The table's number of an actor of the chunk.
  func actor(_ index: UInt64, _ cursor: RunCursor) throws(Fault) -> UInt16 {
    guard index < UInt64(reader.actors.count) else { throw cursor.fault(.actorIndexOutOfRange) }
    return reader.actors[Int(index)]
  }

  /// The plain bytes of a column; none if the chunk lacks it.
  ///
  /// Valid as long as this is.
  func bytes(of name: OpColumn) throws(Fault) -> ByteView {
    try bytes(of: reader.opLayout.find(name))
  }

  /// The same of a member of the successors' group.
  func bytes(ofSuccessors name: OpColumn) throws(Fault) -> ByteView {
    let members = (OpColumn.successorActor, OpColumn.successorCounter)
    return try bytes(
      of: reader.opLayout.findMember(name, of: .successorCount, members: members, at: 0)
    )
  }

  private func bytes(of column: ColumnLayout.Column?) throws(Fault) -> ByteView {
    if let known = plain[column?.spec] { return known.bytes.view }
    var fresh = Arena<UInt8>()
    if let column {
      try withView(of: bytes) { (view) throws(Fault) in
        let stored = view.part(from: dataStart + column.offset, length: column.length)
        guard column.isDeflated else { return fresh.append(stored) }
        let limit = max(reader.inflatedByteLimit - inflatedCount, 0)
        try Deflate.inflate(stored, into: &fresh, limit: limit, .columnData)
        inflatedCount += fresh.count
      }
    }
    let made = Plain(fresh)
    plain[column?.spec] = made
    return made.bytes.view
  }
}
