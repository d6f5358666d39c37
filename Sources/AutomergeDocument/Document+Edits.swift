import MergeEngine

/// Edits. A refused edit throws ``DocError`` and has changed nothing.
///
/// Each converts its arguments first: a value that the engine cannot hold is refused before
/// observers hear of the call.
///
///     unknownObject        no operation here made it: another document's id, or one taken back
///     wrongObjectType      a key for a list or text, an index for a map, a splice of another type
///     indexOutOfBounds     an index that `Int` cannot hold counts as the greatest that it can
///     notACounter          an increment of a place that shows no counter
///     invalidScalar        a moment beyond 64 bits of milliseconds, an unknown type not in 10...15
///     limitExceeded        a limit of sizes, or no operation number or actor is left
///     observersNested      observers edit in answer to each other's edits, 32 deep
extension Document {
  /// Sets a key of a map.
  ///
  /// The scalar that is already there, alone, makes no operation.
  public func put(obj: ObjId, key: String, value: ScalarValue) throws {
    let scalar = try value.engineScalar()
    try edit("put", obj) { engine throws(EditError) in
      try engine.put(obj.engineID, .key(key), scalar)
    }
  }

  /// Sets an element of a list that exists.
  public func put(obj: ObjId, index: UInt64, value: ScalarValue) throws {
    let scalar = try value.engineScalar()
    try edit("put", obj) { engine throws(EditError) in
      try engine.put(obj.engineID, .index(Int(clamping: index)), scalar)
    }
  }

  /// Sets a key of a map to a new, empty object.
  public func putObject(obj: ObjId, key: String, ty: ObjType) throws -> ObjId {
    try edit("putObject", obj) { engine throws(EditError) in
      ObjId(try engine.putObject(obj.engineID, .key(key), ty.engineKind), ty.engineKind)
    }
  }

  /// Sets an element of a list to a new, empty object.
  public func putObject(obj: ObjId, index: UInt64, ty: ObjType) throws -> ObjId {
    try edit("putObject", obj) { engine throws(EditError) in
      ObjId(
        try engine.putObject(obj.engineID, .index(Int(clamping: index)), ty.engineKind),
        ty.engineKind
      )
    }
  }

  /// Inserts a scalar into a list; `index` may be the length.
  public func insert(obj: ObjId, index: UInt64, value: ScalarValue) throws {
    let scalar = try value.engineScalar()
    try edit("insert", obj) { engine throws(EditError) in
      try engine.insert(obj.engineID, at: Int(clamping: index), scalar)
    }
  }

  /// Inserts a new, empty object into a list; `index` may be the length.
  public func insertObject(obj: ObjId, index: UInt64, ty: ObjType) throws -> ObjId {
    try edit("insertObject", obj) { engine throws(EditError) in
      ObjId(
        try engine.insertObject(obj.engineID, at: Int(clamping: index), ty.engineKind),
        ty.engineKind
      )
    }
  }

  /// Deletes a key of a map; a key without value is no error and no operation.
  public func delete(obj: ObjId, key: String) throws {
    try edit("delete", obj) { engine throws(EditError) in
      try engine.delete(obj.engineID, .key(key))
    }
  }

  /// Deletes an element.
  public func delete(obj: ObjId, index: UInt64) throws {
    try edit("delete", obj) { engine throws(EditError) in
      try engine.delete(obj.engineID, .index(Int(clamping: index)))
    }
  }

  /// Adds to the counter, or to all counters in conflict, under a key.
  public func increment(obj: ObjId, key: String, by: Int64) throws {
    try edit("increment", obj) { engine throws(EditError) in
      try engine.increment(obj.engineID, .key(key), by: by)
    }
  }

  /// Adds to the counter, or to all counters in conflict, at an index.
  public func increment(obj: ObjId, index: UInt64, by: Int64) throws {
    try edit("increment", obj) { engine throws(EditError) in
      try engine.increment(obj.engineID, .index(Int(clamping: index)), by: by)
    }
  }

  /// Deletes `delete` elements of a list from `start` on, and inserts `values` there.
  ///
  /// A negative number deletes before `start`; past the end deletion stops.
  public func splice(obj: ObjId, start: UInt64, delete: Int64, values: [ScalarValue]) throws {
    let scalars = try values.map { value throws(DocError) in try value.engineScalar() }
    try edit("splice", obj) { engine throws(EditError) in
      let kind = try engine.kind(of: obj.engineID)
      guard kind == .list else { throw .invalidOperation(kind: kind) }
      try engine.splice(
        obj.engineID,
        at: Int(clamping: start),
        delete: Int(clamping: delete),
        insert: scalars
      )
    }
  }

  /// Deletes `delete` units of a text from `start` on, and types `value` there.
  ///
  /// Positions count units of ``textEncoding``. A negative number deletes before `start`; past
  /// the end deletion stops; a deletion that starts within a character takes all of it.
  public func spliceText(
    obj: ObjId,
    start: UInt64,
    delete: Int64,
    value: String? = nil
  ) throws {
    // Not `value ?? ""`, which would count a reference to the text up and down.
    guard let value else {
      return try spliceText(obj: obj, start: start, delete: delete, value: "")
    }
    try edit("spliceText", obj) { engine throws(EditError) in
      try engine.spliceText(
        obj.engineID,
        at: Int(clamping: start),
        delete: Int(clamping: delete),
        insert: value
      )
    }
  }

  /// Makes a text read `value`, by inserting and deleting the characters that differ.
  ///
  /// What others type at the same time in the parts that stay is kept. An equal text makes no
  /// operation.
  public func updateText(obj: ObjId, value: String) throws {
    try edit("updateText", obj) { engine throws(EditError) in
      try engine.updateText(obj.engineID, value)
    }
  }
}
