/// A value of a saved document that is visible.
struct SavedValue: BitwiseCopyable {
  /// Of the operation that set it.
  let row: Int
  let action: Action
  let meta: ValueMeta
  /// Where in the value column its bytes begin.
  let offset: Int
  /// What increments add, if it is a counter.
  var added: Int64 = 0
}

/// The rows of one map key or list element, as they are read one by one.
///
/// A row that has successors is hidden, but for a counter which increments alone have overwritten. Only to tell
/// that, ids and successors are read:
///
///     row 5@a, counter 10    successors 8@b, 9@a          visible, 10 + 3 + 4: both are increments
///     row 8@b, add 3         none                         never a value
///     row 9@a, add 4         none
struct SavedRegister {
  /// Rows that may be visible, with whether increments alone have to stand behind them.
  private var candidates: [(value: SavedValue, isOverwritten: Bool)] = []
  private var increments: [(row: Int, amount: Int64)] = []
  private var hasOverwrittenCounter = false

  mutating func reset() {
    candidates.removeAll(keepingCapacity: true)
    increments.removeAll(keepingCapacity: true)
    hasOverwrittenCounter = false
  }

  /// Adds the row of the cursors' runs at hand, and passes it.
  ///
  /// Its value is checked as a load does.
  mutating func take(_ cursors: inout ValueCursors) throws(Fault) {
    guard let action = Action(code: cursors.action.value) else {
      throw cursors.action.fault(.unknownAction(cursors.action.value))
    }
    let (row, offset) = (cursors.row, cursors.offset)
    let checked = try OpRowReader.checkValue(cursors.meta.value, cursors.values, at: offset)
    if action == .increment {
      guard checked.type == TypeCode.int else {
        throw Fault(.incrementByNonNumber, offset, .value)
      }
      let bytes = cursors.values.part(from: offset, length: Int(checked.byteCount))
      increments.append((row, bytes.storedSLEB))
    } else if action != .mark {
      let meta = action.keepsValue(hasName: false) ? checked : .null
      let value = SavedValue(row: row, action: action, meta: meta, offset: offset)
      if cursors.successorCount.value == 0 {
        candidates.append((value, false))
      } else if meta.type == TypeCode.counter {
        candidates.append((value, true))
        hasOverwrittenCounter = true
      }
    }
    try cursors.skip(1)
  }

  /// Appends the visible values, ascending by id; all rows were taken.
  func finish(_ chunk: SavedChunk, _ values: inout [SavedValue]) throws(Fault) {
    var amounts: [UInt64: Int64] = [:]
    if hasOverwrittenCounter {
      for (row, amount) in increments { amounts[try chunk.id(ofRow: row).raw] = amount }
    }
    for (value, isOverwritten) in candidates {
      var value = value
      if isOverwritten {
        // Without increments something else has overwritten the counter.
        if amounts.isEmpty { continue }
        guard let sum = try Self.sum(chunk.successors(ofRow: value.row), amounts) else {
          continue
        }
        value.added = sum
      }
      values.append(value)
    }
  }

  /// What successors add; `nil` if one of them is no increment.
  ///
  /// Sums wrap, as in the real core.
  private static func sum(_ successors: [PackedID], _ amounts: [UInt64: Int64]) -> Int64? {
    var total: Int64 = 0
    for id in successors {
      guard let amount = amounts[id.raw] else { return nil }
      total &+= amount
    }
    return total
  }
}
