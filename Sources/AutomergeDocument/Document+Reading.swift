import MergeEngine

/// Reading, now or as it was at some heads.
///
/// Unknown hashes among `heads` are ignored; without any the document was empty.
///
/// Reads close nothing: they see the edits of the open change. Of an object that is not shown any
/// more, since it was deleted or replaced, they read what it holds. An id that the document does
/// not know is refused with ``DocError``, by the calls that throw; the others say that there is
/// nothing.
///
/// Cost now: a look at the place, or a step for each element that is returned. At `heads`: a step
/// for each change up to them, once for the heads asked for last, and a look at everything the
/// object ever held.
extension Document {
  // MARK: - One place

  /// What a key holds: of concurrent values the winner, which is the same on every replica.
  public func get(obj: ObjId, key: String) throws -> Value? {
    try value(obj, .key(key), at: nil)
  }

  /// What an index holds; `nil` past the end.
  public func get(obj: ObjId, index: UInt64) throws -> Value? {
    try value(obj, .index(Int(clamping: index)), at: nil)
  }

  /// What a key held at `heads`.
  public func getAt(obj: ObjId, key: String, heads: Set<ChangeHash>) throws -> Value? {
    try value(obj, .key(key), at: heads)
  }

  /// What an index held at `heads`.
  public func getAt(obj: ObjId, index: UInt64, heads: Set<ChangeHash>) throws -> Value? {
    try value(obj, .index(Int(clamping: index)), at: heads)
  }

  /// All concurrent values of a key.
  ///
  /// Being a set, it shows values that Swift calls equal, such as `0.0` and `-0.0`, once. The document
  /// keeps both.
  public func getAll(obj: ObjId, key: String) throws -> Set<Value> {
    try values(obj, .key(key), at: nil)
  }

  /// All concurrent values of an index.
  public func getAll(obj: ObjId, index: UInt64) throws -> Set<Value> {
    try values(obj, .index(Int(clamping: index)), at: nil)
  }

  /// All concurrent values that a key had at `heads`.
  public func getAllAt(obj: ObjId, key: String, heads: Set<ChangeHash>) throws -> Set<Value> {
    try values(obj, .key(key), at: heads)
  }

  /// All concurrent values that an index had at `heads`.
  public func getAllAt(obj: ObjId, index: UInt64, heads: Set<ChangeHash>) throws -> Set<Value> {
    try values(obj, .index(Int(clamping: index)), at: heads)
  }

  private func value(
    _ obj: ObjId,
    _ prop: MergeEngine.Prop,
    at heads: Set<ChangeHash>?
  ) throws -> Value? {
    let hashes = heads?.engineHashes
    return try read { engine throws(EditError) in
      try engine.get(obj.engineID, prop, at: hashes)
    }.map { Value($0.value) }
  }

  private func values(
    _ obj: ObjId,
    _ prop: MergeEngine.Prop,
    at heads: Set<ChangeHash>?
  ) throws -> Set<Value> {
    let hashes = heads?.engineHashes
    let entries = try read { engine throws(EditError) in
      try engine.getAll(obj.engineID, prop, at: hashes)
    }
    return Set(entries.map { Value($0.value) })
  }

  // MARK: - Whole objects

  /// The keys of a map, ordered by their UTF-8 bytes; of a list or text the ids of its elements.
  ///
  /// None for an object that the document does not know.
  public func keys(obj: ObjId) -> [String] { keys(obj, at: nil) }

  /// The keys that a map had at `heads`.
  public func keysAt(obj: ObjId, heads: Set<ChangeHash>) -> [String] { keys(obj, at: heads) }

  private func keys(_ obj: ObjId, at heads: Set<ChangeHash>?) -> [String] {
    let hashes = heads?.engineHashes
    let keys = try? read { engine throws(EditError) in
      try engine.kind(of: obj.engineID).isSequence
        ? engine.elementIDs(obj.engineID, at: hashes).map(\.description)
        : engine.keys(obj.engineID, at: hashes)
    }
    return keys ?? []
  }

  /// A list's elements, or a map's values in the order of their keys.
  public func values(obj: ObjId) throws -> [Value] { try values(obj, at: nil) }

  /// The elements or values that an object had at `heads`.
  public func valuesAt(obj: ObjId, heads: Set<ChangeHash>) throws -> [Value] {
    try values(obj, at: heads)
  }

  private func values(_ obj: ObjId, at heads: Set<ChangeHash>?) throws -> [Value] {
    let hashes = heads?.engineHashes
    return try read { engine throws(EditError) in
      try engine.values(obj.engineID, at: hashes)
    }.map { Value($0.value) }
  }

  /// A map's keys with their values, in the order of the keys.
  public func mapEntries(obj: ObjId) throws -> [(String, Value)] {
    try mapEntries(obj, at: nil)
  }

  /// The keys and values that a map had at `heads`.
  public func mapEntriesAt(obj: ObjId, heads: Set<ChangeHash>) throws -> [(String, Value)] {
    try mapEntries(obj, at: heads)
  }

  private func mapEntries(
    _ obj: ObjId,
    at heads: Set<ChangeHash>?
  ) throws -> [(String, Value)] {
    let hashes = heads?.engineHashes
    return try read { engine throws(EditError) in
      let kind = try engine.kind(of: obj.engineID)
      guard !kind.isSequence else { throw .invalidOperation(kind: kind) }
      return try engine.mapEntries(obj.engineID, at: hashes)
    }.map { ($0.key, Value($0.entry.value)) }
  }

  /// How many keys or elements an object has, or units of ``textEncoding`` a text.
  ///
  /// 0 for an object that the document does not know.
  public func length(obj: ObjId) -> UInt64 { length(obj, at: nil) }

  /// The length that an object had at `heads`.
  public func lengthAt(obj: ObjId, heads: Set<ChangeHash>) -> UInt64 { length(obj, at: heads) }

  private func length(_ obj: ObjId, at heads: Set<ChangeHash>?) -> UInt64 {
    let hashes = heads?.engineHashes
    let length = try? read { engine throws(EditError) in
      try engine.length(obj.engineID, at: hashes)
    }
    return UInt64(length ?? 0)
  }

  /// What an object is.
  ///
  /// Of an object that the document does not know, what it is where the id came from.
  public func objectType(obj: ObjId) -> ObjType {
    lock.withLock { ObjType((try? engine.kind(of: obj.engineID)) ?? obj.kind) }
  }

  /// A text as a string; U+FFFC stands for an element that is no string.
  public func text(obj: ObjId) throws -> String { try text(obj, at: nil) }

  /// What a text was at `heads`.
  public func textAt(obj: ObjId, heads: Set<ChangeHash>) throws -> String {
    try text(obj, at: heads)
  }

  private func text(_ obj: ObjId, at heads: Set<ChangeHash>?) throws -> String {
    let hashes = heads?.engineHashes
    return try read { engine throws(EditError) in
      let kind = try engine.kind(of: obj.engineID)
      guard kind == .text else { throw .invalidOperation(kind: kind) }
      return try engine.text(obj.engineID, at: hashes)
    }
  }
}
