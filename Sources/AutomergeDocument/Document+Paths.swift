import MergeEngine

/// From objects to paths, and back.
extension Document {
  /// The way from the root to an object, outermost step first; none for the root.
  ///
  /// An index counts what is visible before the element, in a text in units.
  ///
  ///     {"list": [1, {"notes": text}]}      of the text: root "list", list 1, map "notes"
  ///
  /// - Throws: ``DocError`` of kind `unknownObject`.
  public func path(obj: ObjId) throws -> [PathElement] {
    try read { engine throws(EditError) in
      var kinds: [MergeEngine.ObjectKind] = []
      let steps = try engine.path(of: obj.engineID)
      for step in steps { kinds.append(try engine.kind(of: step.object)) }
      return zip(steps, kinds).map { step, kind in
        PathElement(obj: ObjId(step.object, kind), prop: Prop(step.prop))
      }
    }
  }

  /// The object at a path such as `.list.[45].notes`; `nil` if nothing or a scalar is there.
  ///
  /// Makes nothing. The empty path is the root's.
  ///
  /// - Throws: ``PathParseError`` for a text that is no path; ``CodingKeyLookupError`` for a step
  ///   that leads through nothing, a scalar or a text, or an index past the end of its list;
  ///   ``DocError`` for a key of a list or an index of a map.
  public func lookupPath(path: String) throws -> ObjId? {
    try lookup(try AnyCodingKey.parsePath(path))
  }

  private func lookup(_ keys: [AnyCodingKey]) throws -> ObjId? {
    try lock.withLock { () throws in
      var current = ObjId.ROOT
      for (place, key) in keys.enumerated() {
        let isLast = place == keys.count - 1
        try checkIndex(of: key, in: current, upTo: keys[...place])
        switch try entry(key, in: current) {
        case .object(let id, let kind):
          current = ObjId(id, kind)
          if kind == .text && !isLast {
            throw CodingKeyLookupError.PathExtendsThroughText(
              Self.explanation("The path extends through a Text object", keys, at: place)
            )
          }
        case .scalar:
          if isLast { return nil }
          throw CodingKeyLookupError.PathExtendsThroughScalar(
            Self.explanation("The path extends through a scalar value", keys, at: place)
          )
        case nil:
          if isLast { return nil }
          throw CodingKeyLookupError.SchemaMissing(
            Self.explanation("Nothing exists", keys, at: place)
          )
        }
      }
      return current
    }
  }

  private func entry(_ key: AnyCodingKey, in object: ObjId) throws -> MergeEngine.Value? {
    do throws(EditError) {
      return try engine.get(object.engineID, key.place.engineProp)?.value
    } catch {
      throw DocError(error)
    }
  }

  private func checkIndex(
    of key: AnyCodingKey,
    in object: ObjId,
    upTo walked: ArraySlice<AnyCodingKey>
  ) throws {
    guard case .Index(let index) = key.place, object.kind == .list else { return }
    let length = try engine.length(object.engineID)
    guard index > UInt64(length) else { return }
    throw CodingKeyLookupError.IndexOutOfBounds(
      "Index value \(index) at \(walked.stringPath()) is beyond the length: \(length)"
    )
  }

  private static func explanation(_ what: String, _ keys: [AnyCodingKey], at place: Int) -> String {
    "\(what) at \(keys[...place].stringPath()): "
      + "the remaining path is \(keys[(place + 1)...].stringPath())"
  }
}
