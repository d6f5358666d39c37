// Local edits: an edit becomes operations of the open transaction. `carryOut` has a case for each
// edit; `put`, `increment`, `delete`, `splice` and `mark` make the operations; below them is where
// they act and which ids they get.
//
//     r0 type text2 1 delete 1 insert "xy"      in the base's "ab": 5@ff... and 6@ff... of 8 operations
//
//     9@r0    delete       of element 6@ff...   over 6@ff...
//     10@r0   set "x"      after 5@ff...        over nothing
//     11@r0   set "y"      after 10@r0          over nothing

package import DocumentModel

// Which operations an edit makes. Source: Specification/Semantics.md, "Local edits".
extension NaiveModel {
  /// Carries out one edit in the open transaction.
  ///
  /// Everything is checked before the first operation is made: a refused edit changes nothing.
  ///
  /// - Throws: ``EditRefusal``: there is no such object; the call or the slot does not fit the
  ///   object's kind; the index is negative or too great; an increment finds no counter; or no
  ///   operation id is left.
  @specialized(where R == AutomergeRules)
  package mutating func apply(_ edit: Edit<ObjectID>) throws(EditRefusal) -> EditEffect {
    do throws(EditRefusal) {
      return try carryOut(edit)
    } catch {
      refusalCount += 1
      throw error
    }
  }

  private mutating func carryOut(_ edit: Edit<ObjectID>) throws(EditRefusal) -> EditEffect {
    guard let object = object(edit.object) else { throw .noObject(edit.object) }
    switch edit {
    case .put(_, let slot, let value):
      return try put(.set(value), at: slot, in: object, for: edit.kind)
    case .putObject(_, let slot, let kind):
      return try put(.make(kind), at: slot, in: object, for: edit.kind)
    case .increment(_, let slot, let amount):
      return try increment(slot, in: object, by: amount)
    case .delete(_, let slot):
      return try delete(slot, in: object)
    case .insert(_, let index, let value):
      guard object.kind != .map else { throw .wrongKind(object.kind, for: edit.kind) }
      return try splice(object, at: index, deleting: 0, inserting: [.set(value)])
    case .insertObject(_, let index, let kind):
      guard object.kind != .map else { throw .wrongKind(object.kind, for: edit.kind) }
      return try splice(object, at: index, deleting: 0, inserting: [.make(kind)])
    case .splice(_, let index, let count, let values):
      guard object.kind == .list else { throw .wrongKind(object.kind, for: edit.kind) }
      let new = values.map { NaiveOp.Action.set($0) }
      return try splice(object, at: index, deleting: count, inserting: new)
    case .spliceText(_, let index, let count, let text):
      guard object.kind == .text else { throw .wrongKind(object.kind, for: edit.kind) }
      let new = R.elements(of: text.string).map { element in
        NaiveOp.Action.set(.string(ExactString(element)))
      }
      return try splice(object, at: index, deleting: count, inserting: new)
    case .mark(_, let marking):
      return try mark(object, marking)
    }
  }

  /// Worked example: "k" has two values in conflict.
  ///
  /// A put names both as predecessors, and ends the conflict; a put of what already stands there
  /// alone makes no operation.
  private mutating func put(
    _ action: NaiveOp.Action,
    at slot: Slot,
    in object: NaiveObject,
    for edit: EditKind
  ) throws(EditRefusal) -> EditEffect {
    let register = try register(at: slot, in: object, for: edit)
    let visible = values(of: register, in: object.id)
    if case .set(let scalar) = action, R.isSkipped(put: scalar, over: visible) {
      return EditEffect()
    }
    let id = try newIDs(count: 1)[0]
    let place: NaiveOp.Place =
      switch register {
      case .key(let key): .key(key)
      case .element(let element): R.placeOfPut(element: element)
      }
    let replaced = visible.map(\.id)
    let predecessors = R.predecessors(visible: replaced, author: actor)
    write(action, id: id, in: object, at: place, over: predecessors)
    return effect(of: action, written: [id], replaced: replaced)
  }

  /// Source: Specification/Semantics.md, "Counters".
  ///
  /// All visible counters grow, losers as well.
  private mutating func increment(
    _ slot: Slot,
    in object: NaiveObject,
    by amount: Int64
  ) throws(EditRefusal) -> EditEffect {
    let register = try register(at: slot, in: object, for: .increment)
    let visible = values(of: register, in: object.id)
    guard visible.contains(where: \.isCounter) else { throw .notACounter(slot) }
    let id = try newIDs(count: 1)[0]
    let place: NaiveOp.Place =
      switch register {
      case .key(let key): .key(key)
      case .element(let element): .element(element)
      }
    let predecessors = R.predecessorsOfIncrement(visible: visible)
    write(.increment(amount), id: id, in: object, at: place, over: predecessors)
    // The counters stay; only what is not a counter is hidden from here on.
    return EditEffect(replaced: visible.filter { !$0.isCounter }.map(\.id))
  }

  private mutating func delete(
    _ slot: Slot,
    in object: NaiveObject
  ) throws(EditRefusal) -> EditEffect {
    if case .index(let index) = slot, object.kind != .map {
      // In a text, deleting past the end is neither an error nor an operation.
      let length = length(of: elements(of: object))
      if object.kind == .text && index >= length { return EditEffect() }
      guard index < length else { throw .indexOutOfBounds(index, length: length) }
      return try splice(object, at: index, deleting: 1, inserting: [])
    }
    let register = try register(at: slot, in: object, for: .delete)
    guard case .key(let key) = register else { return EditEffect() }
    let visible = values(of: register, in: object.id).map(\.id)
    if visible.isEmpty { return EditEffect() }
    let id = try newIDs(count: 1)[0]
    let predecessors = R.predecessors(visible: visible, author: actor)
    write(.delete, id: id, in: object, at: .key(key), over: predecessors)
    return EditEffect(replaced: visible)
  }

  /// Deletes `count` units at `index`, then inserts there.
  ///
  /// A negative count deletes before the index. What would be deleted past the end is left out.
  ///
  /// The ids are taken before anything is written: deletions in the order of the elements, then
  /// insertions.
  ///
  /// A count below 0 deletes the units in front of the index: `index 3, -2` deletes units 1 and 2.
  private mutating func splice(
    _ object: NaiveObject,
    at index: Int,
    deleting count: Int,
    inserting new: [NaiveOp.Action]
  ) throws(EditRefusal) -> EditEffect {
    let elements = elements(of: object)
    let length = length(of: elements)
    // Indexes come from anywhere: `Int.min` is one.
    let (wish, overflow) = index.addingReportingOverflow(min(count, 0))
    guard !overflow, let start = R.spliceStart(wish, length: length) else {
      throw .indexOutOfBounds(index, length: length)
    }
    let end = count < 0 ? max(start, min(index, length)) : start + min(count, length - start)
    let doomed = R.deleted(elements.map(\.span), in: start..<end).map { elements[$0] }
    var ids = try newIDs(count: doomed.count + new.count)[...]

    for element in doomed {
      guard let id = ids.popFirst() else { break }
      let visible = element.values.map(\.id)
      let predecessors = R.predecessors(visible: visible, author: actor)
      write(.delete, id: id, in: object, at: .element(element.id), over: predecessors)
    }
    let position = R.insertionIndex(
      start: min(start, doomed.first?.span.lowerBound ?? start),
      deletedUnits: doomed.reduce(0) { $0 + $1.span.count }
    )
    let first = reference(at: position, in: object.id)
    var reference = first
    for (action, id) in zip(new, ids) {
      write(action, id: id, in: object, at: .after(reference), over: [])
      reference = R.referenceOfNext(inserted: id, first: first)
    }
    let replaced = doomed.flatMap { $0.values.map(\.id) }
    guard let action = new.first else { return EditEffect(replaced: replaced) }
    return effect(of: action, written: Array(ids), replaced: replaced)
  }

  /// A begin and an end, each placed where a local insert would put an element.
  ///
  /// Source: Specification/Semantics.md, "Marks".
  private mutating func mark(
    _ object: NaiveObject,
    _ marking: Marking
  ) throws(EditRefusal) -> EditEffect {
    guard object.kind != .map else { throw .wrongKind(object.kind, for: .mark) }
    let length = length(of: elements(of: object))
    for index in [marking.start, marking.end] where !(0...length).contains(index) {
      throw .indexOutOfBounds(index, length: length)
    }
    guard marking.start <= marking.end else {
      throw .indexOutOfBounds(marking.start, length: marking.end)
    }
    if marking.start == marking.end, !R.marksNothing(expand: marking.expand) {
      return EditEffect()
    }
    let ids = try newIDs(count: 2)
    let expands = R.expands(marking.expand)
    let begin = NaiveOp.Action.beginMark(marking.name, marking.value, expands: expands.atStart)
    let first = reference(at: marking.start, in: object.id)
    write(begin, id: ids[0], in: object, at: .after(first), over: [])
    let last = reference(at: marking.end, in: object.id)
    let end = NaiveOp.Action.endMark(expands: expands.atEnd)
    let reference = R.referenceOfEnd(last, begin: ids[0], referenceOfBegin: first)
    write(end, id: ids[1], in: object, at: .after(reference), over: [])
    return EditEffect()
  }

  private func effect(
    of action: NaiveOp.Action,
    written: [OpID],
    replaced: [OpID]
  ) -> EditEffect {
    var effect = EditEffect(replaced: replaced, written: written)
    if case .make = action { effect.made = written.first.map { .made($0) } }
    return effect
  }
}

// Where an edit acts, and the making of an operation.
extension NaiveModel {
  /// The register that a slot of an object names.
  ///
  /// A wide element has all positions of its span; any of them names it.
  func register(
    at slot: Slot,
    in object: NaiveObject,
    for edit: EditKind
  ) throws(EditRefusal) -> Register {
    switch (object.kind, slot) {
    case (.map, .key(let key)):
      return .key(key)
    case (.list, .index(let index)), (.text, .index(let index)):
      let elements = elements(of: object)
      // The first element with which the sum of widths exceeds the index ("Width").
      let found = elements.first { $0.span.upperBound > index }
      guard index >= 0, let found else {
        throw .indexOutOfBounds(index, length: length(of: elements))
      }
      return .element(found.id)
    case (.map, .index), (.list, .key), (.text, .key):
      throw .wrongKind(object.kind, for: edit)
    }
  }

  /// What an element inserted at `index` refers to: an element, or `nil` for the head.
  ///
  /// Source: Specification/Semantics.md, "Reference of a local insert".
  private func reference(at index: Int, in id: ObjectID) -> OpID? {
    guard let object = object(id) else { return nil }
    var candidate: OpID?
    let visible = elements(of: object)
    for element in visible where index > 0 {
      candidate = element.id
      if R.isReached(index: index, by: element.span.upperBound) { break }
    }
    let reference = R.reference(candidate: candidate) {
      hidden(after: candidate, visible, in: object)
    }
    return object.hasMarks ? self.reference(past: reference, visible, in: object) : reference
  }

  /// The elements behind one (`nil`: from the start) up to the next visible one: deleted ones, and marks.
  private func hidden(
    after element: OpID?,
    _ visible: [NaiveElement],
    in object: NaiveObject
  ) -> [OpID] {
    let position = object.sequence.firstIndex { $0 == element }
    let shown = Set(visible.map(\.id))
    let following = object.sequence.suffix(from: position.map { $0 + 1 } ?? 0)
    return Array(following.prefix { !shown.contains($0) })
  }

  /// The operation of a mark behind `candidate` that a new element refers to, or `candidate`.
  ///
  /// Source: Specification/Semantics.md, "Reference of a local insert".
  private func reference(
    past candidate: OpID?,
    _ visible: [NaiveElement],
    in object: NaiveObject
  ) -> OpID? {
    var candidates: [OpID] = []
    for id in hidden(after: candidate, visible, in: object) {
      guard let mark = mark(id, in: object.id) else { continue }
      if let begin = candidates.firstIndex(where: { R.closes(mark, begin: $0) }) {
        candidates.removeSubrange(begin...)
      } else if R.staysBefore(mark) {
        candidates.append(id)
      }
    }
    return candidates.last ?? candidate
  }

  /// Fresh ids for the next operations of this actor.
  private func newIDs(count: Int) throws(EditRefusal) -> [OpID] {
    let free = R.firstCounter(
      highest: rows.reduce(0) { max($0, $1.id.counter) },
      ownHighest: rows.reduce(0) { $1.id.actor == actor ? max($0, $1.id.counter) : $0 }
    )
    let first =
      free + UInt64(R.numbersTaken(byRefusals: refusalCount, rollbacks: rollbackCount))
    guard first + UInt64(count) <= UInt64(UInt32.max) + 1 else {
      throw .other("no operation id is left: \(count) more after counter \(first - 1)")
    }
    return (0..<count).map { offset in
      OpID(counter: UInt32(first) + UInt32(offset), actor: actor)
    }
  }

  private mutating func write(
    _ action: NaiveOp.Action,
    id: OpID,
    in object: NaiveObject,
    at place: NaiveOp.Place,
    over predecessors: [OpID]
  ) {
    let op = NaiveOp(
      id: id,
      object: object.id,
      place: place,
      action: action,
      predecessors: predecessors
    )
    open.append(op)
    enter(op)
  }
}
