// How a run of elements grows: row by row (`join`) until the direction of each column is known, then by as many
// rows at once as all columns bear out (`extend`).
//
//     ids          1@a   2@a   3@a   4@a ...    counters rise by one, one actor
//     references   head  1@a   2@a   3@a ...    each behind the one before
//     values       'h'   'e'   'l'   'l' ...    one kind, one length
//
// `join` takes 2@a into the pending run, which began with 1@a. `extend` then asks each column for how many more rows
// it goes on like that, and takes the least: a text that was typed in one go costs a question a column.

extension RowStore {
  /// Appends an element to the pending run if every column goes on linearly.
  ///
  /// A text's strings join only if each is one scalar (`plain`): others may have different widths,
  /// and are runs of their own.
  @inline(__always)
  mutating func join(_ run: ElementRun) -> Bool {
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
  mutating func extend(_ core: inout Core, limit: Int) throws(Fault) -> UInt64 {
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
    count = min(count, columns.successorCount.remaining)
    if count == 0 { return 0 }
    try columns.keyActor.fill()
    let keyActor = columns.keyActor
    guard !keyActor.isNull, keyActor.remaining > 0,
      try actor(keyActor.value, keyActor) == pending.actor
    else { return 0 }
    count = min(count, keyActor.remaining)
    count = min(count, try columns.keyString.nullsAhead())
    count = min(count, try columns.markName.nullsAhead())
    // A row of a sequence was just read, so that neither column is null here.
    count = min(count, columns.objectActor.remaining, columns.objectCounter.remaining)
    try columns.expand.fill()
    if columns.expand.remaining > 0 {
      count = min(count, columns.expand.value ? 0 : columns.expand.remaining)
    }
    if pending.isHidden {
      let step: Int64 = pending.isDescending ? -1 : 1
      count = min(count, try columns.successorCounter.steps(of: step))
      count = min(count, columns.successorActor.remaining)
      if step < 0 {
        //     ids          7    8    9    10        successors must be above their own elements:
        //     successors   16   15   14   13        3 apart at 10 and 13, 1 apart at the next two
        // Ids rise and successors fall: they must not meet.
        let apart = columns.successorCounter.current - columns.idCounter.current - 1
        count = min(count, UInt64(max(apart / 2, 0)))
      }
      if step > 0 {
        count = min(count, UInt64(Int64(UInt32.max) - columns.successorCounter.current))
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
    columns.successorCount.skip(count)
    columns.expand.skip(count)
    if pending.isHidden {
      columns.successorCounter.advance(count)
      columns.successorActor.skip(count)
      linkCount += Int(count)
    }
    columns.valueOffset += Int(count * size)
  }
}
