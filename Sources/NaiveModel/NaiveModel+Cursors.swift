package import DocumentModel

// Places that stay with their elements. Source: Specification/Semantics.md, "Cursors".
extension NaiveModel {
  /// A cursor at the unit of a list or text; from the length on, at its end.
  ///
  /// Units and length are those at `heads`; unknown heads are ignored.
  package func cursor(
    in object: ObjectID,
    at index: Int,
    moving move: CursorMove,
    heads: ObservedHeads? = nil
  ) -> ObservedCursor? {
    guard let object = self.object(object), object.kind != .map else { return nil }
    let elements = elements(of: object, at: clock(at: heads))
    guard let element = elements.first(where: { $0.span.contains(index) }) else { return .end }
    return .element(R.cursorName(winner: element.winner.id, element: element.id), move)
  }

  /// The units before the cursor's element; for one that is deleted, before the one that it moves to.
  ///
  /// Worked example: "a", "b", "c" in one run, and "b" deleted. A cursor at "b" is at 1 if it moves
  /// after (the units before "b"), and at 0 if it moves before ("b" was inserted behind "a", which
  /// is at 0).
  ///
  /// - Returns: Nil for an object that is no sequence or not here, for an element that is not in it, and
  ///   for an operation that the heads do not cover.
  package func position(
    of cursor: ObservedCursor,
    in object: ObjectID,
    at heads: ObservedHeads? = nil
  ) -> Int? {
    guard let object = self.object(object), object.kind != .map else { return nil }
    let clock = clock(at: heads)
    let elements = elements(of: object, at: clock)
    guard case .element(let id, let move) = cursor else { return length(of: elements) }
    guard var place = element(of: id, in: object), R.places(cursorCovered: isCovered(id, by: clock))
    else { return nil }
    func start(_ element: OpID) -> Int? {
      elements.first { $0.id == element }?.span.lowerBound
    }
    if let start = start(place) { return start }
    if move == .before {
      while let previous = R.stepBack(
        reference: reference(of: place, in: object),
        neighbour: object.sequence.prefix { $0 != place }.last
      ) {
        if let start = start(previous) { return start }
        place = previous
      }
      return 0
    }
    let before = object.sequence.prefix { $0 != place }
    let shown = elements.last { before.contains($0.id) }
    return R.positionOfHidden(shown?.span.upperBound ?? 0, isOwn: id.actor == actor)
  }

  /// The element that the operation made or overwrote.
  ///
  /// An overwrite names its element's register, an insert founds it: the cursor of either leads to
  /// one element.
  private func element(of id: OpID, in object: NaiveObject) -> OpID? {
    for row in rows where row.id == id && row.object == object.id && !row.isMark {
      switch row.action {
      case .set, .make: break
      default: return nil
      }
      if case .element(let element) = row.register { return element }
    }
    return nil
  }

  /// What an element, or a mark's begin or end, was inserted behind; `nil` at the head.
  private func reference(of element: OpID, in object: NaiveObject) -> OpID? {
    for row in rows where row.id == element && row.object == object.id {
      if case .after(let reference) = row.place { return reference }
    }
    return nil
  }
}
