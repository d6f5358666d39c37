/// The visible keys of a map in a saved document, in byte order.
///
///     keys     "a": values 0..<1     "b": values 1..<3, a conflict
///     values   1                     "x", "y"
struct SavedMap {
  private struct Key {
    /// Where it stands in the column of keys.
    let place: Range<Int>
    /// Its values, ascending by id; one at least.
    let values: Range<Int>
  }

  private var keys: [Key] = []
  private var values: [SavedValue] = []

  var count: Int { keys.count }

  /// Reads the rows of a map, from where the cursors stand.
  ///
  /// - Throws: `rowsOutOfOrder` if keys do not ascend: each has all of its rows in one place.
  mutating func read(
    _ chunk: SavedChunk,
    rows rowCount: Int,
    _ cursors: inout ValueCursors,
    _ names: inout KeyCursors
  ) throws(Fault) {
    let end = cursors.row + rowCount
    var register = SavedRegister()
    var key: Range<Int>?
    while cursors.row < end {
      try chunk.columns.spendRow()
      _ = try cursors.fill()
      guard !cursors.insert.value else { throw cursors.insert.fault(.keyDoesNotFitObject) }
      guard cursors.action.value != UInt64(Action.mark.rawValue) else {
        throw cursors.action.fault(.keyDoesNotFitObject)
      }
      let place = try names.fill()
      let isSame = if let key { try names.isSame(key, place) } else { false }
      if !isSame {
        try finish(key, register, chunk)
        register.reset()
        key = place
      }
      try register.take(&cursors)
      try names.pass(1)
    }
    try finish(key, register, chunk)
  }

  /// Enters a key if it has a visible value; all of its rows are read.
  private mutating func finish(
    _ key: Range<Int>?,
    _ register: SavedRegister,
    _ chunk: SavedChunk
  ) throws(Fault) {
    guard let key else { return }
    let start = values.count
    try register.finish(chunk, &values)
    guard values.count > start else { return }
    keys.append(Key(place: key, values: start..<values.count))
    try chunk.columns.budget.spendMemory(1, of: Key.self)
    try chunk.columns.budget.spendMemory(values.count - start, of: SavedValue.self)
  }

  // MARK: Answers

  /// The visible values of a key, ascending by id; none if it has none.
  ///
  /// Cost: a binary search.
  func values(ofKey name: ByteView, _ chunk: SavedChunk) throws(Fault) -> ArraySlice<SavedValue> {
    let strings = try chunk.columns.bytes(of: .keyString)
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.view(keys[middle], strings).precedes(name) { low = middle + 1 } else { high = middle }
    }
    guard low < keys.count, Self.view(keys[low], strings).matches(name) else { return [] }
    return values[keys[low].values]
  }

  /// The keys with their winners.
  func entries(_ chunk: SavedChunk) throws(Fault) -> [(key: String, winner: SavedValue)] {
    let strings = try chunk.columns.bytes(of: .keyString)
    return keys.map { (Self.view($0, strings).string, values[$0.values.upperBound - 1]) }
  }

  private static func view(_ key: Key, _ strings: ByteView) -> ByteView {
    strings.part(from: key.place.lowerBound, length: key.place.count)
  }
}
