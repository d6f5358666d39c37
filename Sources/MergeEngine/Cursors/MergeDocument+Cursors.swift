/// Cursors: places that stay with their elements.
///
/// Source: Specification/Semantics.md, "Cursors".
extension MergeDocument {
  /// A cursor at a unit index, now or as the sequence was at `heads`; the end from the length on.
  ///
  /// - Throws: `invalidOperation` for a map, `indexOutOfBounds` for a negative index.
  ///
  /// For an element that was overwritten the cursor names the overwriting operation;
  /// ``position(_:of:at:)`` finds the element by either.
  package func cursor(
    _ object: ObjectID,
    at index: Int,
    moving move: ElementCursor.Move = .after,
    heads: [ChangeHash]? = nil
  ) throws(EditError) -> ElementCursor {
    let number = try core.resolve(object)
    let kind = core.objects[number].kind
    guard kind.isSequence else { throw .invalidOperation(kind: kind) }
    let clock = core.clock(at: heads)
    guard index >= 0 else {
      throw .indexOutOfBounds(index: index, length: core.length(number, at: clock))
    }
    guard let (stretch, offset) = core.element(number, index, at: clock) else {
      return ElementCursor(.end)
    }
    let id =
      switch stretch {
      case .simple(let run, _, _): run.id(of: offset)
      case .complex(_, _, let row): core.rows[row].id
      }
    return ElementCursor(.element(core.publicID(id), move))
  }

  /// The unit index of a cursor, now or as the sequence was at `heads`.
  ///
  /// - Throws: `invalidCursor` if its element is not in the object, or was not at the heads, or if the
  ///   object is a map.
  ///
  ///      elements     a  b  c  d          b and c were deleted
  ///      cursor at c, moving .after       1: where d stands now
  ///      cursor at c, moving .before      0: back along the references, c to b to a, which is visible
  package func position(
    _ object: ObjectID,
    of cursor: ElementCursor,
    at heads: [ChangeHash]? = nil
  ) throws(EditError) -> Int {
    let number = try core.resolve(object)
    guard core.objects[number].kind.isSequence else { throw .invalidCursor(cursor) }
    let clock = core.clock(at: heads)
    switch cursor.place {
    case .start: return 0
    case .end: return core.length(number, at: clock)
    case .element(let id, let move):
      guard let actor = core.actors.find(id.actor) else { throw .invalidCursor(cursor) }
      let packed = PackedID(id.counter, actor)
      guard clock?.covers(packed) ?? true, let place = core.place(ofOperation: packed, in: number)
      else { throw .invalidCursor(cursor) }
      return core.position(of: place, in: number, moving: move, at: clock)
    }
  }

  /// The id of the visible element at a unit index; `nil` where none is.
  ///
  /// It is that of the insertion, which stays with the element when its value is overwritten.
  package func elementID(
    _ object: ObjectID,
    at index: Int
  ) throws(EditError) -> OpID? {
    let number = try core.resolve(object)
    guard core.objects[number].kind.isSequence, index >= 0,
      let (stretch, offset) = core.element(number, index, at: nil)
    else { return nil }
    return switch stretch {
    case .simple(let run, _, _): core.publicID(run.id(of: offset))
    case .complex(let run, _, _): core.publicID(run.first)
    }
  }

  /// The unit index of an element; `nil` if it is deleted, or none of the object.
  ///
  /// Cost: the height of the tree; the first call that looks for an element enters all in an index.
  package func index(
    _ object: ObjectID,
    ofElement id: OpID
  ) throws(EditError) -> Int? {
    let number = try core.resolve(object)
    guard core.objects[number].kind.isSequence, let actor = core.actors.find(id.actor),
      let place = core.place(ofElement: PackedID(id.counter, actor), in: number),
      core.isVisible(place, at: nil)
    else { return nil }
    return core.position(of: place, in: number, moving: .after, at: nil)
  }
}

extension Core {
  /// The element that an insertion made; `nil` if it made none in the object.
  fileprivate mutating func place(ofElement id: PackedID, in object: ObjectHandle) -> ElementPlace?
  {
    // A mark has a place among the elements and is none. One may have the id that an element had which was
    // taken back.
    guard let place = find(id, in: object), !runs[at(place)].isMark else { return nil }
    return ElementPlace(place, offset: id.counter &- runs[at(place)].counter)
  }

  /// The element that an operation made or overwrote; `nil` if there is none in the object.
  ///
  /// Cost: constant for an insertion; for an overwrite, a look at all complex elements of the
  /// object.
  mutating func place(ofOperation id: PackedID, in object: ObjectHandle) -> ElementPlace? {
    if find(id, in: object) != nil { return place(ofElement: id, in: object) }
    // An overwrite: only elements with a history of their own have some.
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      for slot in slots(of: leaf) {
        let place = RunPlace(leaf: leaf, slot: slot)
        let run = runs[at(place)]
        if run.isComplex, let row = findRow(run.register, id), rows[row].isValue {
          return ElementPlace(place)
        }
      }
      leaf = leaves[leaf].next
    }
    return nil
  }

  /// The unit index of an element, or of where its cursor goes once it is deleted.
  ///
  /// Cost: the height of the tree now; at a clock, all runs before the element. The way back
  /// through references may be as long as the chain of deleted elements that were typed one behind
  /// the other.
  mutating func position(
    of place: ElementPlace,
    in object: ObjectHandle,
    moving move: ElementCursor.Move,
    at clock: Clock?
  ) -> Int {
    var place = place
    // Each element was inserted behind one that is older: the walk ends.
    while move == .before, !isVisible(place, at: clock) {
      let reference = runs[at(place.run)].reference(of: place.offset)
      guard !reference.isNone, let found = find(reference, in: object) else { return 0 }
      place = ElementPlace(found, offset: reference.counter &- runs[at(found)].counter)
    }
    return unitsBefore(place, in: object, at: clock)
  }

  fileprivate func isVisible(_ place: ElementPlace, at clock: Clock?) -> Bool {
    let run = runs[at(place.run)]
    if run.isComplex { return winner(run.register, at: clock) != nil }
    let part = visiblePart(run, clock)
    return part.from <= place.offset && place.offset < part.to
  }

  /// Visible units before an element.
  private func unitsBefore(
    _ place: ElementPlace,
    in object: ObjectHandle,
    at clock: Clock?
  ) -> Int {
    let target = runs[at(place.run)]
    guard let clock else {
      let unitWidth = target.unitWidth(in: widths[at(place.run)])
      return Int(start(of: place.run) &+ unitWidth.units(of: place.offset))
    }
    var units = 0
    var leaf = objects[object].firstLeaf
    while !leaf.isNone {
      for slot in slots(of: leaf) {
        let run = runs[at(leaf, slot)]
        let isTarget = leaf == place.run.leaf && slot == place.run.slot
        if run.isComplex {
          if isTarget { return units }
          if let row = winner(run.register, at: clock) {
            units += Int(width(.complex(run, register: run.register, winner: row), in: object))
          }
          continue
        }
        let part = visiblePart(run, clock)
        let end = isTarget ? min(part.to, place.offset) : part.to
        if part.from < end {
          units += Int(width(.simple(run, from: part.from, to: end), in: object))
        }
        if isTarget { return units }
      }
      leaf = leaves[leaf].next
    }
    return units
  }
}
