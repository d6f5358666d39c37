/// One document chunk whose rows are read object by object, each when it is first asked for.
///
/// The checksum is right. Of what is not read nothing is known: a fault of the columns comes when a question
/// meets it, and leaves all as it was.
final class SavedChunk {
  let columns: SavedColumns
  let unit: TextUnit
  private var valueTrack: SavedTrack<ValueCursors>
  private var keyTrack: SavedTrack<KeyCursors>
  private var idTrack: SavedTrack<IDCursors>
  /// `nil` until a counter asks for successors, whose columns are large in most texts.
  private var successorTrack: SavedTrack<SuccessorCursors>?
  private let objects: SavedObjects
  /// What was read, by the place of the object.
  private var maps: [ObjectHandle: SavedMap] = [:]
  private var sequences: [ObjectHandle: SavedSequence] = [:]
  /// Of sequences that were asked for a length or an index, where stretches end.
  private var ends: [ObjectHandle: [Int]] = [:]

  /// Finds the objects of a chunk.
  init(_ columns: SavedColumns, unit: TextUnit) throws(Fault) {
    self.columns = columns
    self.unit = unit
    valueTrack = SavedTrack(try ValueCursors(columns))
    keyTrack = SavedTrack(try KeyCursors(columns))
    var ids = SavedTrack(try IDCursors(columns))
    objects = try SavedObjects(columns, &ids)
    idTrack = ids
  }

  // MARK: Ids

  /// The object that a caller names; `nil` if no operation here made it.
  func find(_ id: ObjectID) -> ObjectHandle? {
    if id.counter == 0 { return .root }
    if objects.contains(id.hint) {
      let known = objects[id.hint].id
      if known.counter == id.counter && columns.actors.ids[Int(known.actor)] == id.actor {
        return id.hint
      }
    }
    guard let actor = columns.actors.find(id.actor) else { return nil }
    return objects.find(PackedID(id.counter, actor))
  }

  func kind(of object: ObjectHandle) -> ObjectKind { objects[object].kind }

  func id(ofRow row: Int) throws(Fault) -> PackedID {
    var cursors = try idTrack.cursors(at: row)
    let id = try cursors.next(columns)
    idTrack.keep(cursors)
    return id
  }

  /// The operations that have overwritten, deleted or incremented the value of a row.
  func successors(ofRow row: Int) throws(Fault) -> [PackedID] {
    if successorTrack == nil { successorTrack = SavedTrack(try SuccessorCursors(columns)) }
    guard var cursors = try successorTrack?.cursors(at: row) else { return [] }
    let successors = try cursors.next(columns, limit: columns.linksLeft)
    columns.budget.spendLinks(successors.count)
    successorTrack?.keep(cursors)
    return successors
  }

  /// The id of a row's operation as callers see it.
  func publicID(ofRow row: Int) throws(Fault) -> OpID { publicID(try id(ofRow: row)) }

  private func publicID(_ id: PackedID) -> OpID {
    OpID(counter: id.counter, actor: columns.actors.ids[Int(id.actor)])
  }

  // MARK: Objects

  /// What a map holds.
  func map(_ object: ObjectHandle) throws(Fault) -> SavedMap {
    if let known = maps[object] { return known }
    let rows = objects[object]
    var map = SavedMap()
    if rows.rowCount > 0 {
      var cursors = try valueTrack.cursors(at: rows.firstRow)
      var keys = try keyTrack.cursors(at: rows.firstRow)
      try map.read(self, rows: rows.rowCount, &cursors, &keys)
      valueTrack.keep(cursors)
      keyTrack.keep(keys)
    }
    maps[object] = map
    return map
  }

  /// What a list or text holds.
  func sequence(_ object: ObjectHandle) throws(Fault) -> SavedSequence {
    if let known = sequences[object] { return known }
    let rows = objects[object]
    var sequence = SavedSequence(unit: rows.kind == .text ? unit : nil)
    if rows.rowCount > 0 {
      var cursors = try valueTrack.cursors(at: rows.firstRow)
      try sequence.read(self, rows: rows.rowCount, &cursors)
      valueTrack.keep(cursors)
    }
    sequences[object] = sequence
    return sequence
  }

  private func ends(_ object: ObjectHandle) throws(Fault) -> [Int] {
    if let known = ends[object] { return known }
    let fresh = try sequence(object).ends(columns.bytes(of: .value))
    ends[object] = fresh
    return fresh
  }

  /// Visible keys, elements, or text units.
  func length(_ object: ObjectHandle) throws(Fault) -> Int {
    guard kind(of: object).isSequence else { return try map(object).count }
    return try ends(object).last ?? 0
  }

  // MARK: Values

  /// The visible values of a key or an index, ascending by id.
  func values(_ object: ObjectHandle, _ prop: Prop) throws(Fault) -> [SavedValue] {
    switch prop {
    case .key(let name):
      let map = try map(object)
      return try withView(of: Array(name.utf8)) { (view) throws(Fault) in
        Array(try map.values(ofKey: view, self))
      }
    case .index(let index):
      if index < 0 { return [] }
      return try sequence(object).values(at: index, ends(object), columns.bytes(of: .value))
    }
  }

  /// Values as callers see them.
  func entries(_ values: [SavedValue]) throws(Fault) -> [Entry] {
    var result: [Entry] = []
    result.reserveCapacity(values.count)
    for value in values { result.append(try entry(value)) }
    return result
  }

  /// A value as callers see it, with the id of the operation that set it.
  func entry(_ value: SavedValue) throws(Fault) -> Entry {
    let packed = try id(ofRow: value.row)
    let id = publicID(packed)
    if let kind = value.action.made {
      let place = objects.find(packed) ?? .none
      let object = ObjectID(counter: id.counter, actor: id.actor, hint: place)
      return Entry(value: .object(object, kind), id: id)
    }
    let bytes = try columns.bytes(of: .value).part(
      from: value.offset,
      length: Int(value.meta.byteCount)
    )
    let scalar = value.meta.scalar(of: bytes)
    guard case .counter(let start) = scalar else {
      return Entry(value: .scalar(scalar), id: id)
    }
    return Entry(value: .scalar(.counter(start &+ value.added)), id: id)
  }
}
