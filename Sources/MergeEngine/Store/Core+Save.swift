/// Saving: the whole document as one chunk.
///
///     actors     those that made a change, in byte order
///     heads      hashes, ascending
///     columns    metadata of the change columns, metadata of the op columns, then the data of both
///     indexes    of each head, the place of its change
///
/// Of the document in which the actor abcd has set "k" to 5, 96 bytes:
///
///     01  02 ab cd                            one actor, of two bytes
///     01  ef 3b f0 13 ... 24 bf               one head
///     06  01 02  03 02  13 02 ... 56 02       six change columns: spec and length of each
///     08  15 03  21 02  23 02 ... 80 02       eight op columns
///     7f 00  7f 01  7f 01 ... 7f 07           change columns: actor 0, seq 1, maxOp 1, ...
///     7f 01 6b  7f 00  7f 01 ... 7f 00        op columns: "k", actor 0, counter 1, ...
///     00                                      the head is change 0
///
/// The same content gives the same bytes, whatever way it came here: objects ascend by id, keys by
/// bytes, rows by id, elements stand in list order. Only the order of changes, and of those that
/// wait behind the chunk, depends on when they came.
extension Core {
  /// The document chunk, followed by the waiting changes as plain chunks.
  ///
  /// Marks all changes as saved, for the next incremental save.
  mutating func save(deflates: Bool) -> Arena<UInt8> {
    var output = documentChunk(deflates: deflates)
    for change in history.waiting { output.append(change.bytes) }
    history.savedCount = history.count
    return output
  }

  /// What is applied, as one chunk; commits what is open.
  mutating func documentChunk(deflates: Bool) -> Arena<UInt8> {
    commit()
    // The table holds the actors that made a change, in byte order.
    var local = ChunkActors()
    local.reserve(actors.count)
    var content = Arena<UInt8>()
    let writers = actors.sorted.filter { history.sequence(of: $0) > 0 }
    content.appendULEB(UInt64(writers.count))
    for (index, number) in writers.enumerated() {
      local[number] = UInt64(index)
      content.appendCounted(actors.view(number))
    }
    var heads = history.heads
    sortByHash(&heads)
    content.appendULEB(UInt64(heads.count))
    for head in heads { history.hashes[head].append(to: &content) }

    var changeColumns = ColumnWriter(deflates: deflates)
    writeChangeColumns(local, into: &changeColumns)
    var opColumns = ColumnWriter(deflates: deflates)
    writeOpColumns(local, into: &opColumns)
    content.appendULEB(changeColumns.count)
    content.append(contentsOf: changeColumns.metadata)
    content.appendULEB(opColumns.count)
    content.append(contentsOf: opColumns.metadata)
    content.append(contentsOf: changeColumns.data)
    content.append(contentsOf: opColumns.data)
    for head in heads { content.appendULEB(UInt64(head.place)) }

    var output = Arena<UInt8>()
    appendChunk(type: ChunkFrame.document, content.view, to: &output)
    return output
  }

  /// One row for each change, in the order in which they were applied; dependencies are written as
  /// places in that order, so that each names an earlier row.
  private func writeChangeColumns(
    _ local: borrowing ChunkActors,
    into columns: inout ColumnWriter
  ) {
    var actor = RunEncoder()
    var seq = DeltaEncoder()
    var maxOp = DeltaEncoder()
    var time = DeltaEncoder()
    var messages = KeyTable()
    var messageKeys = KeyEncoder()
    var dependencyCount = RunEncoder()
    var dependencyIndex = DeltaEncoder()
    var extraMeta = RunEncoder()
    var extra = Arena<UInt8>()
    for change in history.changes {
      let record = history.records[change]
      actor.run(local[record.actor], 1)
      seq.value(Int64(record.seq))
      maxOp.value(Int64(record.startOp) + Int64(record.opCount) - 1)
      time.value(record.time)
      // Equal messages are one key of a table of their own: neighbours become one run.
      if record.messageLength == 0 {
        messageKeys.null(1, messages)
      } else {
        let view = history.text.view(
          from: Int(record.messageStart),
          length: Int(record.messageLength)
        )
        // Limits on the bytes of a document keep the table from ever being full.
        if let key = messages.intern(view) { messageKeys.run(key, 1, messages) }
      }
      dependencyCount.run(UInt64(record.dependencyCount), 1)
      for entry in record.dependencies {
        dependencyIndex.value(Int64(history.dependencies[entry].place))
      }
      let meta = ValueMeta(TypeCode.bytes, byteCount: Int(record.extraLength))
      extraMeta.run(UInt64(meta.rawValue), 1)
      if record.extraLength > 0 {
        extra.append(
          history.text,
          from: Int(record.extraStart),
          length: Int(record.extraLength)
        )
      }
    }
    actor.finish()
    seq.finish()
    maxOp.finish()
    time.finish()
    messageKeys.finish(messages)
    dependencyCount.finish()
    dependencyIndex.finish()
    extraMeta.finish()
    columns.add(ChangeColumn.actor, actor.bytes)
    columns.add(ChangeColumn.seq, seq.bytes)
    columns.add(ChangeColumn.maxOp, maxOp.bytes)
    columns.add(ChangeColumn.time, time.bytes)
    columns.add(ChangeColumn.message, messageKeys.bytes)
    columns.add(ChangeColumn.dependencyCount, dependencyCount.bytes)
    columns.add(ChangeColumn.dependencyIndex, dependencyIndex.bytes)
    columns.add(ChangeColumn.extraMetadata, extraMeta.bytes)
    columns.add(ChangeColumn.extra, extra)
  }

  /// Order of the columns: ascending by spec, as the format demands; `ColumnWriter` leaves empty
  /// ones out.
  ///
  /// The marks' expansion is written only if one expands.
  private func writeOpColumns(
    _ local: consuming ChunkActors,
    into columns: inout ColumnWriter
  ) {
    var encoder = DocumentEncoder(local: local)
    for object in objectsInOrder() {
      if objects[object].kind.isSequence {
        writeSequence(object, into: &encoder)
      } else {
        writeMap(object, into: &encoder)
      }
    }
    encoder.finish(keys)
    columns.add(OpColumn.objectActor, encoder.objectActor.bytes)
    columns.add(OpColumn.objectCounter, encoder.objectCounter.bytes)
    columns.add(OpColumn.keyActor, encoder.keyActor.bytes)
    columns.add(OpColumn.keyCounter, encoder.keyCounter.bytes)
    columns.add(OpColumn.keyString, encoder.keyString.bytes)
    columns.add(OpColumn.idActor, encoder.idActor.bytes)
    columns.add(OpColumn.idCounter, encoder.idCounter.bytes)
    columns.add(OpColumn.insert, encoder.insert.bytes)
    columns.add(OpColumn.action, encoder.action.bytes)
    columns.add(OpColumn.valueMetadata, encoder.valueMeta.bytes)
    columns.add(OpColumn.value, encoder.value)
    columns.add(OpColumn.successorCount, encoder.successorCount.bytes)
    columns.add(OpColumn.successorActor, encoder.successorActor.bytes)
    columns.add(OpColumn.successorCounter, encoder.successorCounter.bytes)
    if encoder.expand.hasTrue { columns.add(OpColumn.expand, encoder.expand.bytes) }
    columns.add(OpColumn.markName, encoder.markName.bytes)
  }

  /// All objects, by id.
  ///
  /// The root, whose id is the least, comes first.
  func objectsInOrder() -> [ObjectHandle] {
    var order = Array(objects.handles)
    order.sort { precedes(objects[$0].id, objects[$1].id) }
    return order
  }

  /// Registers without rows are left out: their operations were taken back.
  ///
  /// Registers of a map stand in the order in which keys were first used; the file has them by the
  /// keys' bytes.
  private func writeMap(_ object: ObjectHandle, into encoder: inout DocumentEncoder) {
    var order: [(key: KeyHandle, register: RegisterHandle)] = []
    // Most maps are small: an array that grows from nothing would be moved three times.
    order.reserveCapacity(16)
    var scan = objects[object].firstRegister
    while !scan.isNone {
      if !registers[scan].first.isNone { order.append((registers[scan].key, scan)) }
      scan = registers[scan].next
    }
    order.sort { keys.view($0.key).precedes(keys.view($1.key)) }
    for (key, register) in order {
      var row = registers[register].first
      while !row.isNone {
        encoder.add(
          rows[row],
          of: objects[object],
          key: key,
          element: .none,
          inserts: false,
          successorCount: successorCount(row),
          keys: keys,
          values: values
        )
        forEachSuccessor(row) { encoder.addSuccessor($0) }
        row = rows[row].next
      }
    }
  }

  /// Told with the row; the successors themselves follow it.
  private func successorCount(_ row: RowHandle) -> Int {
    var count = 0
    forEachSuccessor(row) { _ in count += 1 }
    return count
  }

  /// Simple runs go to the encoder as they are; a complex element as its insertion and, behind it,
  /// the rows that overwrote it.
  ///
  ///      run      5...7@a             rows  insert 5 behind 4, insert 6 behind 5, insert 7 behind 6
  ///      complex  8@a, set by 12@b    rows  insert 8 behind 7 (successor 12), set 12 of element 8
  private func writeSequence(_ object: ObjectHandle, into encoder: inout DocumentEncoder) {
    let record = objects[object]
    var leaf = record.firstLeaf
    while !leaf.isNone {
      for slot in slots(of: leaf) {
        let run = runs[at(leaf, slot)]
        if !run.isComplex {
          encoder.add(run, values)
          continue
        }
        var row = registers[run.register].first
        var inserts = true
        while !row.isNone {
          encoder.add(
            rows[row],
            of: record,
            key: .none,
            element: inserts ? run.reference(of: 0) : run.first,
            inserts: inserts,
            successorCount: successorCount(row),
            keys: keys,
            values: values
          )
          forEachSuccessor(row) { encoder.addSuccessor($0) }
          inserts = false
          row = rows[row].next
        }
      }
      leaf = leaves[leaf].next
    }
    encoder.flushPlainRows(record, keys)
  }
}
