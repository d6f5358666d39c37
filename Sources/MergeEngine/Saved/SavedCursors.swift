// Cursors over columns that are read side by side, and how they get to a row.
//
// Columns are runs, which are read from the front. A track keeps where its cursors were: at the last row that was
// read, and at one of every few thousand on the way. Objects read in the order of the file, which is that of
// their ids, cost one pass; one that is read out of order costs the way from the place kept before it.

/// Cursors that stand at one row.
protocol RowCursors {
  /// The row that is read next.
  var row: Int { get }
  /// Passes `count` rows.
  mutating func pass(_ count: Int) throws(Fault)
}

/// Cursors and the places where they were.
struct SavedTrack<Cursors: RowCursors> {
  /// Ascending by row; the first stands at row 0.
  private var places: [Cursors]
  /// Where the last reader stopped.
  private var latest: Cursors

  /// Rows between two places that are kept.
  ///
  /// A way costs at most a step for each; the places of 2^26 rows, which a few bytes may claim, take 7 MB.
  private static var stride: Int { 4_096 }

  init(_ start: Cursors) {
    places = [start]
    latest = start
  }

  /// The cursors at a row; the track stays as it is if a column is damaged on the way.
  mutating func cursors(at row: Int) throws(Fault) -> Cursors {
    var cursors = latest
    if row < cursors.row || row - cursors.row > Self.stride {
      let place = places[place(before: row)]
      if row < cursors.row || place.row > cursors.row { cursors = place }
    }
    while row - cursors.row > Self.stride {
      try cursors.pass(Self.stride)
      if let last = places.last, cursors.row >= last.row + Self.stride { places.append(cursors) }
    }
    try cursors.pass(row - cursors.row)
    return cursors
  }

  /// Where a reader stopped: it, or another one, may go on from there.
  mutating func keep(_ cursors: Cursors) { latest = cursors }

  /// The index of the last place at or in front of a row.
  private func place(before row: Int) -> Int {
    var (low, high) = (0, places.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if places[middle].row <= row { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// What tells whether a row is visible, and what its value is.
struct ValueCursors: RowCursors, BitwiseCopyable {
  private(set) var row = 0
  private(set) var insert: FlagCursor
  private(set) var action: RunCursor
  private(set) var meta: RunCursor
  private(set) var successorCount: RunCursor
  let values: ByteView
  /// Where in `values` the row's value begins.
  private(set) var offset = 0

  init(_ columns: SavedColumns) throws(Fault) {
    insert = FlagCursor(try columns.bytes(of: .insert), .insert)
    action = RunCursor(try columns.bytes(of: .action), .unsigned, .action)
    meta = RunCursor(try columns.bytes(of: .valueMetadata), .unsigned, .valueMeta)
    successorCount = RunCursor(
      try columns.bytes(of: .successorCount),
      .unsigned,
      .successorCount
    )
    values = try columns.bytes(of: .value)
  }

  /// Makes each column have a run at hand, and gives how many rows all of them go on for.
  ///
  /// - Throws: `unexpectedNull` if a column has ended, or has a null.
  mutating func fill() throws(Fault) -> Int {
    try insert.fill()
    try action.fill()
    try meta.fill()
    try successorCount.fill()
    guard insert.remaining > 0 else { throw insert.fault(.unexpectedNull) }
    try Self.require(action)
    try Self.require(meta)
    try Self.require(successorCount)
    let count = min(
      insert.remaining,
      action.remaining,
      meta.remaining,
      successorCount.remaining
    )
    return Int(min(count, UInt64(Limits.rowLimit)))
  }

  private static func require(_ cursor: RunCursor) throws(Fault) {
    guard cursor.remaining > 0, !cursor.isNull else { throw cursor.fault(.unexpectedNull) }
  }

  /// Passes rows of the runs at hand, no more than ``fill()`` gave, and their values.
  mutating func skip(_ count: Int) throws(Fault) {
    try skipValues(UInt64(count))
    insert.skip(UInt64(count))
    action.skip(UInt64(count))
    successorCount.skip(UInt64(count))
    row += count
  }

  mutating func pass(_ count: Int) throws(Fault) {
    try insert.pass(UInt64(count))
    try action.pass(UInt64(count))
    try successorCount.pass(UInt64(count))
    var left = UInt64(count)
    while left > 0 {
      try meta.fill()
      guard meta.remaining > 0, !meta.isNull else { throw meta.fault(.unexpectedNull) }
      let step = min(left, meta.remaining)
      try skipValues(step)
      left -= step
    }
    row += count
  }

  /// Passes rows of the metadata's run at hand; null and booleans own no bytes, whatever it says.
  private mutating func skipValues(_ count: UInt64) throws(Fault) {
    let length = meta.value & 15 <= UInt64(TypeCode.yes) ? 0 : meta.value >> 4
    let (size, overflow) = length.multipliedReportingOverflow(by: count)
    guard !overflow, size <= UInt64(values.count - offset) else {
      throw Fault(.truncated, offset, .value)
    }
    offset += Int(size)
    meta.skip(count)
  }
}

/// The keys of maps.
struct KeyCursors: RowCursors, BitwiseCopyable {
  private(set) var row = 0
  private(set) var key: RunCursor
  let strings: ByteView

  init(_ columns: SavedColumns) throws(Fault) {
    strings = try columns.bytes(of: .keyString)
    key = RunCursor(strings, .string, .keyString)
  }

  /// The key of the row, as its place in `strings`, for which it goes on as `key.remaining` says.
  ///
  /// - Throws: `keyDoesNotFitObject` if the row's key is no string.
  mutating func fill() throws(Fault) -> Range<Int> {
    try key.fill()
    guard key.remaining > 0, !key.isNull else { throw key.fault(.keyDoesNotFitObject) }
    let start = Int(key.value)
    return start..<start + key.length
  }

  /// Whether a key is the same as the one in front of it.
  ///
  /// - Throws: `rowsOutOfOrder` if it is the lesser one.
  func isSame(_ left: Range<Int>, _ right: Range<Int>) throws(Fault) -> Bool {
    if left == right { return true }
    let before = strings.part(from: left.lowerBound, length: left.count)
    let behind = strings.part(from: right.lowerBound, length: right.count)
    if before.precedes(behind) { return false }
    guard before.matches(behind) else { throw key.fault(.rowsOutOfOrder) }
    return true
  }

  mutating func pass(_ count: Int) throws(Fault) {
    try key.pass(UInt64(count))
    row += count
  }
}

/// The ids of operations.
struct IDCursors: RowCursors, BitwiseCopyable {
  private(set) var row = 0
  private var actor: RunCursor
  private var counter: DeltaCursor

  init(_ columns: SavedColumns) throws(Fault) {
    actor = RunCursor(try columns.bytes(of: .idActor), .unsigned, .idActor)
    counter = DeltaCursor(try columns.bytes(of: .idCounter), .idCounter)
  }

  mutating func pass(_ count: Int) throws(Fault) {
    try actor.pass(UInt64(count))
    try counter.pass(UInt64(count))
    row += count
  }

  /// The id of the row.
  mutating func next(_ columns: SavedColumns) throws(Fault) -> PackedID {
    let index = try actor.required()
    let number = try counter.required()
    guard number > 0, number <= Int64(UInt32.max) else { throw counter.fault(.integerTooLarge) }
    row += 1
    return PackedID(UInt32(number), try columns.actor(index, actor))
  }
}

/// The successors of rows; asked for counters alone.
struct SuccessorCursors: RowCursors, BitwiseCopyable {
  private(set) var row = 0
  private var count: RunCursor
  private var actor: RunCursor
  private var counter: DeltaCursor

  init(_ columns: SavedColumns) throws(Fault) {
    count = RunCursor(try columns.bytes(of: .successorCount), .unsigned, .successorCount)
    actor = RunCursor(
      try columns.bytes(ofSuccessors: .successorActor),
      .unsigned,
      .successorActor
    )
    counter = DeltaCursor(
      try columns.bytes(ofSuccessors: .successorCounter),
      .successorCounter
    )
  }

  mutating func pass(_ rows: Int) throws(Fault) {
    var left = UInt64(rows)
    var links: UInt64 = 0
    while left > 0 {
      try count.fill()
      guard count.remaining > 0, !count.isNull else { throw count.fault(.unexpectedNull) }
      let step = min(left, count.remaining)
      let (some, overflow) = count.value.multipliedReportingOverflow(by: step)
      guard !overflow, some <= UInt64(Limits.linkLimit) - links else {
        throw count.fault(.limitExceeded(.linkLimit))
      }
      links += some
      count.skip(step)
      left -= step
    }
    try actor.pass(links)
    try counter.pass(links)
    row += rows
  }

  /// The successors of the row, at most `limit`.
  mutating func next(_ columns: SavedColumns, limit: Int) throws(Fault) -> [PackedID] {
    let number = try count.required()
    guard number <= UInt64(max(limit, 0)) else {
      throw count.fault(.limitExceeded(.linkLimit))
    }
    var result: [PackedID] = []
    for _ in 0..<number {
      let index = try actor.required()
      let successor = try counter.required()
      guard successor > 0, successor <= Int64(UInt32.max) else {
        throw counter.fault(.successorInvalid)
      }
      result.append(PackedID(UInt32(successor), try columns.actor(index, actor)))
    }
    row += 1
    return result
  }
}
