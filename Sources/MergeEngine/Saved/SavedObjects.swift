/// An object of a saved document: what it is, and where its rows are.
struct SavedObject: BitwiseCopyable {
  let id: PackedID
  let kind: ObjectKind
  /// The row of the operation that made it; -1 for the root.
  let makerRow: Int
  var firstRow = 0
  /// 0 for an object into which nothing was ever written.
  var rowCount = 0
}

/// The objects of a saved document, found by two passes over runs: those of actions, and those of objects.
///
///     rows             0: root "a"   1: root "t"   2: 2@x    3: 2@x
///     action           set           makeText      set       set         row 1 makes an object, of the id 2@x
///     object           null          null          2@x       2@x         rows 2 and 3 are its own
///
/// The order of rows makes the place in `all` the same as in the store of a loaded document, so that the hints
/// of ids are good for both.
struct SavedObjects: ~Copyable {
  /// In the order of their makers; the root is first.
  private(set) var all = Arena<SavedObject>()
  private var numbers = NumberTable()

  /// Finds all objects.
  ///
  /// Each object's rows are next to each other, and behind the one that made it: who walks from object to object
  /// comes to an end.
  init(
    _ columns: SavedColumns,
    _ ids: inout SavedTrack<IDCursors>
  ) throws(Fault) {
    all.append(SavedObject(id: .none, kind: .map, makerRow: -1))
    let rowCount = try findMakers(columns, &ids)
    try Self.checkCount(of: columns, rowCount)
    try findRows(columns, rowCount)
  }

  /// The object of an id; the root for counter 0.
  func find(_ id: PackedID) -> ObjectHandle? {
    if id.isNone { return .root }
    return numbers.find(id.raw).map { ObjectHandle(place: $0) }
  }

  func contains(_ place: ObjectHandle) -> Bool { place.index < all.count }

  subscript(place: ObjectHandle) -> SavedObject { all[place.index] }

  /// Gives the number of rows: each has an action.
  private mutating func findMakers(
    _ columns: SavedColumns,
    _ ids: inout SavedTrack<IDCursors>
  ) throws(Fault) -> Int {
    var action = RunCursor(try columns.bytes(of: .action), .unsigned, .action)
    var row = 0
    while true {
      try action.fill()
      if action.remaining == 0 { return row }
      guard !action.isNull else { throw action.fault(.unexpectedNull) }
      guard let known = Action(code: action.value), known != .delete else {
        throw action.fault(.unknownAction(action.value))
      }
      guard action.remaining <= UInt64(Limits.rowLimit - row) else {
        throw action.fault(.limitExceeded(.rowLimit))
      }
      let count = Int(action.remaining)
      if let kind = known.made {
        var cursors = try ids.cursors(at: row)
        for offset in 0..<count {
          try columns.spendRow()
          let id = try cursors.next(columns)
          guard find(id) == nil else { throw action.fault(.rowsOutOfOrder) }
          numbers.set(id.raw, UInt32(all.count))
          all.append(SavedObject(id: id, kind: kind, makerRow: row + offset))
          try columns.budget.spendMemory(2, of: SavedObject.self)
        }
        ids.keep(cursors)
      }
      action.skip(UInt64(count))
      row += count
    }
  }

  /// There are as many ids as actions.
  private static func checkCount(of columns: SavedColumns, _ rowCount: Int) throws(Fault) {
    var actor = RunCursor(try columns.bytes(of: .idActor), .unsigned, .idActor)
    var left = UInt64(rowCount)
    while true {
      try actor.fill()
      if actor.remaining == 0 { break }
      guard actor.remaining <= left else { throw actor.fault(.columnLengthMismatch) }
      left -= actor.remaining
      actor.skip(actor.remaining)
    }
    guard left == 0 else { throw actor.fault(.columnLengthMismatch) }
  }

  private mutating func findRows(_ columns: SavedColumns, _ rowCount: Int) throws(Fault) {
    var actor = RunCursor(try columns.bytes(of: .objectActor), .unsigned, .objectActor)
    var counter = RunCursor(try columns.bytes(of: .objectCounter), .unsigned, .objectCounter)
    var row = 0
    var object = ObjectHandle.none
    while row < rowCount {
      try actor.fill()
      try counter.fill()
      let id = try Self.id(actor, counter, columns)
      // A column that has ended has nulls for all further rows.
      let actorCount = actor.remaining == 0 ? .max : actor.remaining
      let counterCount = counter.remaining == 0 ? .max : counter.remaining
      let count = min(actorCount, counterCount, UInt64(rowCount - row))
      guard let place = find(id) else { throw counter.fault(.unknownObject) }
      if place == object {
        all[place.index].rowCount += Int(count)
      } else {
        guard all[place.index].rowCount == 0 else { throw counter.fault(.rowsOutOfOrder) }
        guard all[place.index].makerRow < row else { throw counter.fault(.unknownObject) }
        all[place.index].firstRow = row
        all[place.index].rowCount = Int(count)
        object = place
      }
      if actor.remaining > 0 { actor.skip(count) }
      if counter.remaining > 0 { counter.skip(count) }
      row += Int(count)
    }
  }

  /// The object of the runs at hand: null in both columns, or counter 0, is the root.
  private static func id(
    _ actor: RunCursor,
    _ counter: RunCursor,
    _ columns: SavedColumns
  ) throws(Fault) -> PackedID {
    let hasActor = actor.remaining > 0 && !actor.isNull
    guard counter.remaining > 0, !counter.isNull else {
      if hasActor { throw counter.fault(.unexpectedNull) }
      return .none
    }
    if counter.value == 0 { return .none }
    guard hasActor else { throw actor.fault(.unexpectedNull) }
    guard counter.value <= UInt64(UInt32.max) else { throw counter.fault(.integerTooLarge) }
    return PackedID(UInt32(counter.value), try columns.actor(actor.value, actor))
  }
}
