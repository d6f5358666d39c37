// The specification's answers as observations, and what the normaliser asks of objects (`kind`,
// `shape`, `holdsCounter`).

package import DocumentModel

// What a document shows. Source: Specification/Semantics.md, "Reading calls".
extension NaiveModel {
  /// Everything visible, now or as it was at `heads`.
  ///
  /// Ids among the heads that are not known here are ignored; no heads give the empty document.
  ///
  /// - Throws: ``NaiveRefusal`` of kind `foreignHeads` for heads of another scheme.
  @specialized(where R == AutomergeRules)
  package func observe(at heads: ObservedHeads?) throws(NaiveRefusal) -> Observation {
    guard let heads else {
      return Observation(root: observed(objects[0], at: nil), heads: observed(headIDs))
    }
    guard heads.scheme == Self.scheme else { throw .foreignHeads(scheme: heads.scheme) }
    let ids = heads.ids.compactMap(NaiveChange.ID.init)
    let past = ancestry(of: ids)
    let root = observed(objects[0], at: clock(at: heads))
    var pastHeads: [NaiveChange.ID] = []
    for change in past { pastHeads = R.heads(pastHeads, after: change) }
    return Observation(root: root, heads: observed(pastHeads))
  }

  /// How the ids of this model's changes are made: `actor#seq`.
  ///
  /// Heads of an engine are hashes: of heads of two schemes only the number is compared.
  package static var scheme: String { "naive" }

  func observed(_ heads: [NaiveChange.ID]) -> ObservedHeads {
    ObservedHeads(scheme: Self.scheme, ids: heads.map { $0.description })
  }

  private func observed(_ object: NaiveObject, at clock: NaiveClock?) -> ObservedObject {
    switch object.kind {
    case .map:
      let entries = keys(of: object.id).compactMap { key -> ObservedObject.Entry? in
        let values = values(of: .key(key), in: object.id, at: clock)
        if values.isEmpty { return nil }
        return .init(key: key, register: observed(values, at: clock))
      }
      return ObservedObject(id: object.id, content: .map(entries))
    case .list:
      let elements = elements(of: object, at: clock)
      return ObservedObject(
        id: object.id,
        content: .list(elements.map { observed($0.values, at: clock) }),
        marks: marks(of: object, over: elements, at: clock)
      )
    case .text:
      let elements = elements(of: object, at: clock)
      let text = elements.map { R.piece(of: $0.winner.action) }.joined()
      let registers = elements.map { observed($0.values, at: clock) }
      return ObservedObject(
        id: object.id,
        content: .text(ExactString(text), length: length(of: elements), elements: registers),
        marks: marks(of: object, over: elements, at: clock)
      )
    }
  }

  /// A conflict shows all values with all that they hold, losers as well.
  ///
  /// Increments and deletions are no values.
  private func observed(_ values: [NaiveValue], at clock: NaiveClock?) -> ObservedRegister {
    let observed = values.compactMap { value -> ObservedValue? in
      switch value.action {
      case .set(let scalar):
        return ObservedValue(id: value.id, content: .scalar(scalar))
      case .make(let kind):
        let empty = NaiveObject(id: .made(value.id), kind: kind)
        let isShown = R.showsContents(ofWinner: value.id == values.last?.id)
        let shown = isShown ? object(.made(value.id)) : nil
        return ObservedValue(
          id: value.id,
          content: .object(self.observed(shown ?? empty, at: clock))
        )
      case .delete, .increment, .beginMark, .endMark:
        return nil
      }
    }
    return ObservedRegister(values: observed, isComplete: true)
  }

  /// The object's kind; `nil` when there is no such object.
  @specialized(where R == AutomergeRules)
  package func kind(of object: ObjectID) -> ObjectKind? { self.object(object)?.kind }

  /// The object's kind and length; `nil` when there is no such object.
  @specialized(where R == AutomergeRules)
  package func shape(of object: ObjectID) -> (kind: ObjectKind, length: Int)? {
    guard let object = self.object(object) else { return nil }
    switch object.kind {
    case .map:
      let visible = keys(of: object.id).filter { !values(of: .key($0), in: object.id).isEmpty }
      return (.map, visible.count)
    case .list, .text:
      return (object.kind, length(of: elements(of: object)))
    }
  }

  /// Whether a counter is among the visible values of the slot.
  @specialized(where R == AutomergeRules)
  package func holdsCounter(_ object: ObjectID, _ slot: Slot) -> Bool {
    guard let object = self.object(object),
      let register = try? register(at: slot, in: object, for: .increment)
    else { return false }
    return values(of: register, in: object.id).contains(where: \.isCounter)
  }
}
