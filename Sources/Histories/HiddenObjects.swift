import DocumentModel

/// Where objects stand in a history, and which edits may hide one.
///
/// It goes by the edits alone, not by their writers or order: of two concurrent writes of one key
/// either may win.
///
/// Worked example: `r0 put root "m" new map as map4` and `r1 put root "m" int 1` name one place.
/// Either may win, and the other is hidden, so that both steps count.
///
/// Lists and texts count as one place each: which elements an index names depends on what else has
/// happened. Used by the condition `hides-object`. Cost: a pass over all edits, once.
struct HiddenObjects {
  /// A key of a map, or a whole list or text.
  private struct Place: Hashable {
    let object: ObjectName
    let key: ExactString?
  }

  /// Edits of one place.
  private struct Uses {
    var insertedObjects = 0
    var putObjects = 0
    /// Edits that put a plain value, or delete.
    var others = 0

    /// An object and anything else that may stand there, or two objects.
    ///
    /// Two insertions do not hide each other.
    var hidesObject: Bool {
      others > 0 && insertedObjects + putObjects > 0
        || putObjects > 1 || putObjects > 0 && insertedObjects > 0
    }
  }

  private var uses: [Place: Uses] = [:]

  init(_ history: History) {
    for edit in history.base.edits + history.growth.flatMap(\.edits) { note(edit) }
    for step in history.steps {
      for edit in step.edits?.edits ?? [] { note(edit) }
    }
  }

  private mutating func note(_ edit: Edit<ObjectName>) {
    switch edit {
    case .insertObject(let object, _, _):
      uses[Place(object: object, key: nil), default: Uses()].insertedObjects += 1
    case .putObject(_, let slot, _): uses[place(edit, slot), default: Uses()].putObjects += 1
    default:
      if let place = hidingPlace(edit) { uses[place, default: Uses()].others += 1 }
    }
  }

  /// An index names its whole list or text.
  private func place(_ edit: Edit<ObjectName>, _ slot: Slot) -> Place {
    switch slot {
    case .key(let key): Place(object: edit.object, key: key)
    case .index: Place(object: edit.object, key: nil)
    }
  }

  /// Where an edit may hide what stands there; nil if it leaves all in its place.
  private func hidingPlace(_ edit: Edit<ObjectName>) -> Place? {
    switch edit {
    case .put(_, let slot, _), .putObject(_, let slot, _), .delete(_, let slot): place(edit, slot)
    case .splice(let object, _, let count, _), .spliceText(let object, _, let count, _):
      count == 0 ? nil : Place(object: object, key: nil)
    case .insert, .insertObject, .increment, .mark: nil
    }
  }

  /// Whether the step has an edit that may hide an object of the history.
  func isHiding(_ step: Step) -> Bool {
    (step.edits?.edits ?? []).contains { edit in
      hidingPlace(edit).flatMap { uses[$0] }?.hidesObject ?? false
    }
  }
}
