/// Writes the op columns of a document chunk, canonically, from the store.
///
/// A run of elements is at most two encoder calls a column:
///
///     run              counter 7, count 5, reference 3        "hello" behind element 3, by actor 0
///     id.counter       7, then 4 steps of 1                   7f 07  04 01
///     key.counter      3, then 7, then 3 steps of 1           7e 03 04  03 01
///     key.actor        5 of actor 0                           05 00
///     insert           no false, 5 true                       00 05
///     action           5 of `set`                             05 01
///     value.metadata   5 of 1 << 4 | 6                        05 16
///     value            the 5 bytes at once                    68 65 6c 6c 6f
///     successor.count  5 of none                              05 00
///
/// Source: Specification/Format.md, "Document chunk".
///
/// The bytes are a function of the content: rows come in one order, runs are the longest there are, and
/// a column without values is left out. Two replicas that know the same write the same op columns.
///
/// The caller gives the rows in the order of the format, objects by id, and calls
/// ``flushPlainRows(_:_:)`` when a sequence ends.
///
/// Of the document that ``OpColumns`` shows in bytes, the run "hi" with the ids 2 and 3 of actor 0:
///
///     key.actor    null, 0         key.counter   0 (the head), 2
///     id.actor     0, 0            id.counter    2, 3
///     action       set, set        metadata      16, 16 in hex       values   68 69
///     successors   0, 0
///     flushed      object 1, no key string, insert true, expand false, no mark name: twice each
///
/// What holds once that was called: all columns have the same number of rows, but for the columns
/// of values and of successors, whose counts stand in the column in front.
struct DocumentEncoder: ~Copyable {
  var objectActor = RunEncoder()
  var objectCounter = RunEncoder()
  var keyActor = RunEncoder()
  var keyCounter = DeltaEncoder()
  var keyString = KeyEncoder()
  var idActor = RunEncoder()
  var idCounter = DeltaEncoder()
  var insert = FlagEncoder()
  var action = RunEncoder()
  var valueMeta = RunEncoder()
  var value = Arena<UInt8>()
  var successorCount = RunEncoder()
  var successorActor = RunEncoder()
  var successorCounter = DeltaEncoder()
  var expand = FlagEncoder()
  var markName = KeyEncoder()

  /// The document's names for actors; absent are those without a change, which no operation names.
  private let local: ChunkActors
  /// Element rows at hand whose constant columns are not written yet: object, key string, insert, expand
  /// and mark name, which are the same in all rows of a sequence but those of complex elements.
  private var plainRows: UInt64 = 0

  init(local: consuming ChunkActors) {
    self.local = local
  }

  /// The root is null in both columns.
  private mutating func object(_ record: ObjectRecord, _ times: UInt64) {
    if record.counter == 0 {
      objectActor.null(times)
      objectCounter.null(times)
    } else {
      objectActor.run(local[record.actor], times)
      objectCounter.run(UInt64(record.counter), times)
    }
  }

  /// Writes the columns which all elements of a sequence share, but for those with a history.
  ///
  /// Must come before rows of another kind or of another object.
  mutating func flushPlainRows(_ record: ObjectRecord, _ keys: borrowing KeyTable) {
    if plainRows == 0 { return }
    object(record, plainRows)
    keyString.null(plainRows, keys)
    insert.run(true, plainRows)
    expand.run(false, plainRows)
    markName.null(plainRows, keys)
    plainRows = 0
  }

  /// Appends the rows of a simple run; `flushPlainRows` completes them.
  @inline(__always)
  mutating func add(
    _ run: ElementRun,
    _ values: borrowing Arena<UInt8>
  ) {
    let times = UInt64(run.count)
    plainRows += times
    let actor = local[run.actor]
    if run.reference == 0 {
      keyActor.null(1)
    } else {
      keyActor.run(local[run.referenceActor], 1)
    }
    keyCounter.value(Int64(run.reference))
    if times > 1 {
      keyActor.run(actor, times - 1)
      keyCounter.value(Int64(run.counter))
      keyCounter.steps(1, times - 2)
    }
    idActor.run(actor, times)
    idCounter.value(Int64(run.counter))
    idCounter.steps(1, times - 1)
    action.run(UInt64(run.action.rawValue), times)
    valueMeta.run(UInt64(run.meta.rawValue), times)
    let size = Int(run.byteCount)
    if size > 0 {
      value.append(values, from: Int(run.value), length: Int(run.count) * size)
    }
    if run.isHidden {
      successorCount.run(1, times)
      successorActor.run(local[run.successorActor], times)
      successorCounter.value(Int64(run.successor))
      let isDescending = run.isDescending
      successorCounter.steps(isDescending ? -1 : 1, times - 1)
    } else {
      successorCount.run(0, times)
    }
  }

  /// Appends one row; `key` is none for an element, whose key is `element` then.
  ///
  /// Its successors follow, each by a call.
  mutating func add(
    _ row: Row,
    of record: ObjectRecord,
    key: KeyHandle,
    element: PackedID,
    inserts: Bool,
    successorCount: Int,
    keys: borrowing KeyTable,
    values: borrowing Arena<UInt8>
  ) {
    flushPlainRows(record, keys)
    object(record, 1)
    if !key.isNone {
      keyActor.null(1)
      keyCounter.null(1)
      keyString.run(key, 1, keys)
    } else {
      if element.isNone { keyActor.null(1) } else { keyActor.run(local[element.actor], 1) }
      keyCounter.value(Int64(element.counter))
      keyString.null(1, keys)
    }
    idActor.run(local[row.actor], 1)
    idCounter.value(Int64(row.counter))
    insert.run(inserts, 1)
    action.run(UInt64(row.action.rawValue), 1)
    valueMeta.run(UInt64(row.meta.rawValue), 1)
    let size = Int(row.meta.byteCount)
    if size > 0 { value.append(values, from: Int(row.value), length: size) }
    self.successorCount.run(UInt64(successorCount), 1)
    expand.run(row.flags.contains(.expand), 1)
    if row.name.isNone { markName.null(1, keys) } else { markName.run(row.name, 1, keys) }
  }

  /// Appends a successor of the row last added.
  ///
  /// They ascend, and there are as many as
  /// ``add(_:of:key:element:inserts:successorCount:keys:values:)`` got as `successorCount`.
  mutating func addSuccessor(_ id: PackedID) {
    successorActor.run(local[id.actor], 1)
    successorCounter.value(Int64(id.counter))
  }

  /// Ends all columns; nothing can be added any more.
  ///
  /// A run of equal values is written when another value comes: the last one is written here.
  mutating func finish(_ keys: borrowing KeyTable) {
    precondition(plainRows == 0, "the last sequence was not completed")
    objectActor.finish()
    objectCounter.finish()
    keyActor.finish()
    keyCounter.finish()
    keyString.finish(keys)
    idActor.finish()
    idCounter.finish()
    insert.finish()
    action.finish()
    valueMeta.finish()
    successorCount.finish()
    successorActor.finish()
    successorCounter.finish()
    expand.finish()
    markName.finish(keys)
  }
}

/// Columns on their way into a document chunk: metadata and data apart.
///
/// Columns must come in the order of their specs.
///
///     add 15, 7f 01 6b      metadata 15 03                data 7f 01 6b
///     add 34, 01            metadata 15 03 34 01          data 7f 01 6b 01
///     add 57, 300 bytes     metadata ... 5f 8c 01         data ... 140, if it deflates to those
struct ColumnWriter: ~Copyable {
  private(set) var metadata = Arena<UInt8>()
  private(set) var data = Arena<UInt8>()
  private(set) var count: UInt64 = 0
  private let deflates: Bool

  /// Columns of this many bytes or more are deflated.
  static let deflateThreshold = Sizes.deflatedColumnByteCount

  init(deflates: Bool) {
    self.deflates = deflates
  }

  /// Appends a column unless it is empty.
  ///
  /// Inlined, so that the column's number is a constant: looked up, it costs W8 42,000 jumps that the
  /// processor guesses wrong, two of a hundred of all.
  @inline(__always)
  mutating func add(_ column: some ColumnName, _ bytes: borrowing Arena<UInt8>) {
    if !bytes.isEmpty { add(spec: UInt64(column.rawValue), bytes) }
  }

  private mutating func add(spec: UInt64, _ bytes: borrowing Arena<UInt8>) {
    count += 1
    let start = data.count
    if deflates && bytes.count >= Self.deflateThreshold {
      metadata.appendULEB(spec | UInt64(ColumnLayout.Column.deflateBit))
      Deflate.compress(bytes.view, into: &data)
    } else {
      metadata.appendULEB(spec)
      data.append(contentsOf: bytes)
    }
    metadata.appendULEB(UInt64(data.count - start))
  }
}
