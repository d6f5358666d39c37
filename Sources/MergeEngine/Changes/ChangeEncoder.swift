/// Writes a change chunk, canonically, from runs of ops.
///
/// The shape of the content:
///
///     dependencies, actor, seq, startOp, time, message, other actors,
///     column metadata, column data, extra bytes
///
/// Example: the actor abcd sets "hello" to "world" in its first change.
///
///     00  02 ab cd  01 01 00  00  00            dependencies to other actors, as in `ChangeHeader`
///     06  15 07  34 01  42 02  56 02  57 05  70 02      six columns: spec and length of each
///     7f 05 68 65 6c 6c 6f                      key string: one literal, "hello"
///     01                                        insert: one false
///     7f 01                                     action: one literal, 1 (set)
///     7f 56  77 6f 72 6c 64                     value: 5 << 4 | 6, and "world"
///     7f 00                                     predecessors: none
///
/// Use: `begin`, `note` every run (it gathers the other actors), `beginColumns`, `add` the same
/// runs, `finish`. All buffers are kept for the next change.
///
/// The bytes decide a change's hash, and so what every later change depends on: they are a function of
/// the ops alone, the same from every writer. What makes them one form:
/// - columns ascend by spec, and an empty one is left out;
/// - runs are the longest there are, equal values repeated, others as literals (`RunEncoder`);
/// - other actors ascend by their bytes, each once, and only those that an op names;
/// - dependencies ascend, predecessors ascend by counter and actor.
///
/// So a change is not kept where it can be written again: `Core+Rebuild` does that for loaded documents,
/// and compares the hash.
///
/// Source: Specification/Format.md, "Change chunk".
struct ChangeEncoder: ~Copyable {
  /// The object, null in both columns for the root.
  private var objectActor = RunEncoder()
  private var objectCounter = RunEncoder()
  /// The key: an element by actor and counter (the head has the counter 0 alone), or a string.
  private var keyActor = RunEncoder()
  private var keyCounter = DeltaEncoder()
  private var keyString = KeyEncoder()
  private var insert = FlagEncoder()
  private var action = RunEncoder()
  /// Type and length of each value, whose bytes stand side by side in `value`.
  private var valueMeta = RunEncoder()
  private var value = Arena<UInt8>()
  /// How many predecessors each op has, and those of all ops one behind the other.
  private var predecessorCount = RunEncoder()
  private var predecessorActor = RunEncoder()
  private var predecessorCounter = DeltaEncoder()
  /// Of marks; a change without marks has neither column.
  private var expand = FlagEncoder()
  private var markName = KeyEncoder()
  /// The content of the change last written.
  private(set) var content = Arena<UInt8>()

  private var author: UInt16 = 0
  /// Numbers of the other actors; sorted by `beginColumns`.
  private(set) var others = Arena<UInt16>()
  /// The change's names for the author and `others`; all else is absent.
  private var local = ChunkActors()
  /// Whether `addOnly` wrote the columns: the metadata here, the data in `value`.
  private var isSingle = false
  private var singleMetadata = Arena<UInt8>()
  /// What the change depends on, ascending.
  private var dependencies = Arena<ChangeHash>()

  var byteCapacity: Int {
    let numbers =
      objectActor.bytes.byteCapacity + objectCounter.bytes.byteCapacity
      + keyActor.bytes.byteCapacity + keyCounter.bytes.byteCapacity
      + insert.bytes.byteCapacity + action.bytes.byteCapacity + valueMeta.bytes.byteCapacity
      + predecessorCount.bytes.byteCapacity + predecessorActor.bytes.byteCapacity
      + predecessorCounter.bytes.byteCapacity + expand.bytes.byteCapacity
    let texts = keyString.bytes.byteCapacity + markName.bytes.byteCapacity + value.byteCapacity
    return numbers + texts + content.byteCapacity + others.byteCapacity + local.byteCapacity
      + singleMetadata.byteCapacity + dependencies.byteCapacity
  }

  /// Begins a change by `author`, whose index in it is 0; the actors of the document are `actorCount`.
  ///
  /// Forgets the change before. `local` keeps its length: its entries were set back when that
  /// change was written (``writeContent(actors:seq:startOp:time:message:extra:_:)``), so that a
  /// change costs nothing for actors that it does not name.
  mutating func begin(author: UInt16, actorCount: Int) {
    self.author = author
    others.truncate(to: 0)
    local.reserve(actorCount)
    local[author] = 0
    isSingle = false
    content.truncate(to: 0)
    dependencies.truncate(to: 0)
  }

  /// A column that one change has and the next one lacks must be empty there.
  private mutating func resetColumns() {
    objectActor.reset()
    objectCounter.reset()
    keyActor.reset()
    keyCounter.reset()
    keyString.reset()
    insert.reset()
    action.reset()
    valueMeta.reset()
    value.truncate(to: 0)
    predecessorCount.reset()
    predecessorActor.reset()
    predecessorCounter.reset()
    expand.reset()
    markName.reset()
  }

  /// Names a dependency; they must come in ascending order.
  mutating func depend(on hash: ChangeHash) { dependencies.append(hash) }

  /// Notes an actor that an op names.
  @inline(__always)
  private mutating func use(_ actor: UInt16) {
    if local.note(actor) { others.append(actor) }
  }

  /// Gathers the actors of the ops `offset..<` of a run.
  ///
  ///     run of the actor a, in object 1@c         actors that it names
  ///     insertions 7...9 behind 3@b               c, b; the second and third go behind the author's own
  ///     from offset 1 on                          c alone: 8 goes behind 7, which is the author's
  ///     deletions of 3@b and 4@b                  c, b
  ///     put of the key "k", over 5@d              c, d
  @inline(__always)
  mutating func note(_ run: OpRun, from offset: UInt32, _ preds: borrowing Arena<PackedID>) {
    if run.objectCounter != 0 { use(run.objectActor) }
    if run.key.isNone && run.elementCounter != 0 && !(run.isInsert && offset > 0) {
      use(run.elementActor)
    }
    for entry in run.preds { use(preds[entry].actor) }
  }

  /// Settles the indexes of the actors, and empties the columns.
  mutating func beginColumns(_ ranks: borrowing ActorRanks) {
    resetColumns()
    settleActors(ranks)
  }

  /// Settles the indexes of the actors: the author has 0, others follow by their bytes.
  ///
  /// One or two others are put in order without an array.
  private mutating func settleActors(_ ranks: borrowing ActorRanks) {
    if others.isEmpty { return }
    if others.count == 2 {
      if ranks.precedes(others[1], others[0]) {
        let moved = others[0]
        others[0] = others[1]
        others[1] = moved
      }
    } else if others.count > 2 {
      let sorted = (0..<others.count).map { others[$0] }.sorted { ranks.precedes($0, $1) }
      for (index, number) in sorted.enumerated() { others[index] = number }
    }
    for index in 0..<others.count { local[others[index]] = UInt64(index) + 1 }
  }

  /// Writes all ops of a change: one straight, if it is the only one, and else each run into the columns.
  mutating func addAll(
    _ runs: borrowing Arena<OpRun>,
    opCount: UInt32,
    preds: borrowing Arena<PackedID>,
    ranks: borrowing ActorRanks,
    keys: borrowing KeyTable,
    values: borrowing Arena<UInt8>
  ) {
    let isSingle =
      opCount == 1
      && addOnly(runs[0], from: 0, preds: preds, ranks: ranks, keys: keys, values: values)
    if isSingle { return }
    beginColumns(ranks)
    for entry in 0..<runs.count {
      let run = runs[entry]
      add(run, from: 0, count: run.count, preds: preds, keys: keys, values: values)
    }
  }

  /// Writes the columns of a change with one op straight, in place of `beginColumns` and `add`.
  ///
  /// Every column of such a change is one literal run or one flag. Returns false, having done
  /// nothing, for the rare ops that need more. 70 ns against 300 ns for the general way.
  ///
  ///     metadata     06  15 07  34 01  42 02  56 02  57 05  70 02      count, spec and length of each
  ///     data         7f 05 "hello"  01  7f 01  7f 56  "world"  7f 00   one literal or flag a column
  ///     insertion    34 02 in place of 34 01, and 00 01: no false, one true
  mutating func addOnly(
    _ run: OpRun,
    from offset: UInt32,
    preds: borrowing Arena<PackedID>,
    ranks: borrowing ActorRanks,
    keys: borrowing KeyTable,
    values: borrowing Arena<UInt8>
  ) -> Bool {
    guard run.predecessorCount <= 1, !run.expands, run.name.isNone else { return false }
    settleActors(ranks)
    isSingle = true
    value.truncate(to: 0)
    singleMetadata.truncate(to: 0)
    singleMetadata.append(0)
    if run.objectCounter != 0 {
      literal(.objectActor, local[run.objectActor])
      literal(.objectCounter, UInt64(run.objectCounter))
    }
    let element = run.element(of: offset)
    if run.key.isNone {
      if !element.isNone { literal(.keyActor, local[element.actor]) }
      signedLiteral(.keyCounter, Int64(element.counter))
    } else {
      let start = value.count
      value.append(0x7F)
      let text = keys.view(run.key)
      value.appendULEB(UInt64(text.count))
      value.append(text)
      list(.keyString, from: start)
    }
    let flagStart = value.count
    if run.isInsert { value.append(0) }
    value.append(1)
    list(.insert, from: flagStart)
    literal(.action, UInt64(run.action.rawValue))
    literal(.valueMetadata, UInt64(run.meta.rawValue))
    let size = Int(run.meta.byteCount)
    if size > 0 {
      let start = value.count
      value.append(values, from: Int(run.value) + Int(offset) * size, length: size)
      list(.value, from: start)
    }
    if run.isPlainDelete || run.predecessorCount == 1 {
      let pred = run.isPlainDelete ? element : preds[run.predecessorStart]
      literal(.predecessorCount, 1)
      literal(.predecessorActor, local[pred.actor])
      signedLiteral(.predecessorCounter, Int64(pred.counter))
    } else {
      literal(.predecessorCount, 0)
    }
    return true
  }

  /// Writes a column of one number.
  @inline(__always)
  private mutating func literal(_ column: OpColumn, _ number: UInt64) {
    let start = value.count
    value.append(0x7F)
    value.appendULEB(number)
    list(column, from: start)
  }

  @inline(__always)
  private mutating func signedLiteral(_ column: OpColumn, _ number: Int64) {
    let start = value.count
    value.append(0x7F)
    value.appendSLEB(number)
    list(column, from: start)
  }

  /// Enters a column into the metadata; no such column's spec needs a second byte.
  ///
  /// The count stays below 128, so that one byte was kept for it.
  @inline(__always)
  private mutating func list(_ column: OpColumn, from start: Int) {
    singleMetadata[0] += 1
    singleMetadata.append(UInt8(truncatingIfNeeded: column.rawValue))
    singleMetadata.appendULEB(UInt64(value.count - start))
  }

  /// Appends the ops `offset..<offset + count` of a run.
  ///
  /// Of the elements that the operations name, the first may stand anywhere, and the second begins
  /// the rest: of insertions `counter`, `counter + 1`, and so on; of deletions the first one's
  /// neighbours, by `step`.
  ///
  ///     insertions 7...11 behind 3, offset 0, count 5     key.counter 3, 7, then 3 steps of 1: 7e 03 04 03 01
  ///     the same, offset 2, count 3                       key.counter 8, 9, then 1 step of 1: 7f 08 02 01
  ///     deletions of 11 and 10, step -1                   key.counter 11, then 10: 7e 0b 7f
  mutating func add(
    _ run: OpRun,
    from offset: UInt32,
    count: UInt32,
    preds: borrowing Arena<PackedID>,
    keys: borrowing KeyTable,
    values: borrowing Arena<UInt8>
  ) {
    let times = UInt64(count)
    if run.objectCounter == 0 {
      objectActor.null(times)
      objectCounter.null(times)
    } else {
      objectActor.run(local[run.objectActor], times)
      objectCounter.run(UInt64(run.objectCounter), times)
    }
    if !run.key.isNone {
      keyActor.null(times)
      keyCounter.null(times)
      keyString.run(run.key, times, keys)
    } else {
      let first = run.element(of: offset)
      if first.isNone { keyActor.null(1) } else { keyActor.run(local[first.actor], 1) }
      keyCounter.value(Int64(first.counter))
      if count > 1 {
        let second = run.element(of: offset + 1)
        keyActor.run(local[second.actor], times - 1)
        keyCounter.value(Int64(second.counter))
        keyCounter.steps(run.isInsert ? 1 : Int64(run.step), times - 2)
      }
      keyString.null(times, keys)
    }
    insert.run(run.isInsert, times)
    action.run(UInt64(run.action.rawValue), times)
    valueMeta.run(UInt64(run.meta.rawValue), times)
    let size = Int(run.meta.byteCount)
    if size > 0 {
      value.append(values, from: Int(run.value) + Int(offset) * size, length: Int(count) * size)
    }
    if run.isPlainDelete {
      let first = run.element(of: offset)
      predecessorCount.run(1, times)
      predecessorActor.run(local[first.actor], times)
      predecessorCounter.value(Int64(first.counter))
      predecessorCounter.steps(Int64(run.step), times - 1)
    } else {
      predecessorCount.run(UInt64(run.predecessorCount), times)
      for entry in run.preds {
        let pred = preds[entry]
        predecessorActor.run(local[pred.actor], 1)
        predecessorCounter.value(Int64(pred.counter))
      }
    }
    expand.run(run.expands, times)
    if run.name.isNone { markName.null(times, keys) } else { markName.run(run.name, times, keys) }
  }

  /// Completes the chunk and appends it to `output`.
  ///
  /// Returns the change's hash.
  mutating func finish(
    into output: inout Arena<UInt8>,
    actors: borrowing ActorTable,
    seq: UInt64,
    startOp: UInt32,
    time: Int64,
    message: ByteView,
    extra: ByteView,
    _ keys: borrowing KeyTable
  ) -> ChangeHash {
    writeContent(
      actors: actors,
      seq: seq,
      startOp: startOp,
      time: time,
      message: message,
      extra: extra,
      keys
    )
    return appendChunk(type: ChunkFrame.change, content.view, to: &output)
  }

  /// Completes a change that the history records, whose message and extra bytes stand in `text`.
  mutating func finish(
    into output: inout Arena<UInt8>,
    _ record: ChangeRecord,
    text: borrowing Arena<UInt8>,
    actors: borrowing ActorTable,
    _ keys: borrowing KeyTable
  ) -> ChangeHash {
    finish(
      into: &output,
      actors: actors,
      seq: UInt64(record.seq),
      startOp: record.startOp,
      time: record.time,
      message: text.view(from: Int(record.messageStart), length: Int(record.messageLength)),
      extra: text.view(from: Int(record.extraStart), length: Int(record.extraLength)),
      keys
    )
  }

  /// Completes the chunk's content.
  ///
  /// Also the end of the change: actors are forgotten, so that ``begin(author:actorCount:)`` finds
  /// `local` as it must be.
  mutating func writeContent(
    actors: borrowing ActorTable,
    seq: UInt64,
    startOp: UInt32,
    time: Int64,
    message: ByteView,
    extra: ByteView,
    _ keys: borrowing KeyTable
  ) {
    content.appendULEB(UInt64(dependencies.count))
    for index in 0..<dependencies.count { dependencies[index].append(to: &content) }
    content.appendCounted(actors.view(author))
    content.appendULEB(seq)
    content.appendULEB(UInt64(startOp))
    content.appendSLEB(time)
    content.appendULEB(UInt64(message.count))
    content.append(message)
    content.appendULEB(UInt64(others.count))
    for index in 0..<others.count { content.appendCounted(actors.view(others[index])) }
    if isSingle {
      content.append(contentsOf: singleMetadata)
      content.append(contentsOf: value)
    } else {
      appendColumns(keys)
    }
    content.append(extra)
    for index in 0..<others.count { local.forget(others[index]) }
    local.forget(author)
  }

  /// Ends the columns, and appends their metadata and data.
  ///
  ///     count   spec length   spec length   ...   data data ...        in the order of the specs, for both
  ///
  /// The number of columns is below 128, so that one byte was kept for it. An empty column is left out,
  /// as is `expand` without a true: a missing column reads as nulls and falses.
  private mutating func appendColumns(_ keys: borrowing KeyTable) {
    objectActor.finish()
    objectCounter.finish()
    keyActor.finish()
    keyCounter.finish()
    keyString.finish(keys)
    insert.finish()
    action.finish()
    valueMeta.finish()
    predecessorCount.finish()
    predecessorActor.finish()
    predecessorCounter.finish()
    expand.finish()
    markName.finish(keys)

    let countAt = content.count
    content.append(0)
    var count: UInt8 = 0
    // Inlined for the same reason as `ColumnWriter.add`: 28,200 jumps of W8.
    @inline(__always)
    func list(_ column: OpColumn, _ length: Int) {
      if length == 0 { return }
      count += 1
      content.appendULEB(UInt64(column.rawValue))
      content.appendULEB(UInt64(length))
    }
    list(.objectActor, objectActor.bytes.count)
    list(.objectCounter, objectCounter.bytes.count)
    list(.keyActor, keyActor.bytes.count)
    list(.keyCounter, keyCounter.bytes.count)
    list(.keyString, keyString.bytes.count)
    list(.insert, insert.bytes.count)
    list(.action, action.bytes.count)
    list(.valueMetadata, valueMeta.bytes.count)
    list(.value, value.count)
    list(.predecessorCount, predecessorCount.bytes.count)
    list(.predecessorActor, predecessorActor.bytes.count)
    list(.predecessorCounter, predecessorCounter.bytes.count)
    list(.expand, expand.hasTrue ? expand.bytes.count : 0)
    list(.markName, markName.bytes.count)
    content[countAt] = count
    content.append(contentsOf: objectActor.bytes)
    content.append(contentsOf: objectCounter.bytes)
    content.append(contentsOf: keyActor.bytes)
    content.append(contentsOf: keyCounter.bytes)
    content.append(contentsOf: keyString.bytes)
    content.append(contentsOf: insert.bytes)
    content.append(contentsOf: action.bytes)
    content.append(contentsOf: valueMeta.bytes)
    content.append(contentsOf: value)
    content.append(contentsOf: predecessorCount.bytes)
    content.append(contentsOf: predecessorActor.bytes)
    content.append(contentsOf: predecessorCounter.bytes)
    if expand.hasTrue { content.append(contentsOf: expand.bytes) }
    content.append(contentsOf: markName.bytes)
  }
}

/// Appends a chunk: magic, checksum, type, length, content.
///
/// Returns its hash.
///
/// Source: Specification/Format.md, "Chunks".
///
/// The hash is of type, length and content. Magic and checksum stand before it, and are no part of
/// it.
@discardableResult
func appendChunk(
  type: UInt8,
  _ content: ByteView,
  to output: inout Arena<UInt8>
) -> ChangeHash {
  output.reserve(content.count + 24)
  // The four bytes behind are the checksum's.
  output.appendBigEndian(UInt64(ChunkFrame.magicWord) << 32)
  let hashed = output.count
  output.append(type)
  output.appendULEB(UInt64(content.count))
  output.append(content)
  let hash = digest(of: output.view(from: hashed, length: output.count - hashed))
  output.patch(hash.checksum, at: hashed - 4)
  return hash
}
