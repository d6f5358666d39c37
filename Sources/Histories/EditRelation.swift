import DocumentModel

/// Another edit that an edit has to meet in its history.
///
///     {"edit": {"kind": "delete"}, "same": "object", "other": "replica", "order": "concurrent"}
package struct EditRelation: Hashable, Sendable {
  package enum Member: String, ConditionMember {
    case edit
    case same
    case other
    case order

    package var sentence: String {
      switch self {
      case .edit: "What the other edit is."
      case .same: "In what the two agree: both have it, and it is equal."
      case .other: "In what the two differ: both have it, and it is not equal."
      case .order:
        "Whether the other came `before`, or `after`, or neither knew of the other: `concurrent`. A"
          + " replica knows all of a message once a part of it has arrived."
      }
    }

    package var form: String {
      switch self {
      case .edit: "as `edit` of a condition"
      case .same, .other: "one or several of " + Self.spelled(EditRelation.traits)
      case .order: "one or several of " + Self.spelled(EditRelation.orders)
      }
    }
  }

  /// In what two edits agree or differ; the mark is its name.
  static let traits = ["replica", "object", "key", "mark"]
  static let orders = ["before", "after", "concurrent"]

  private var pattern: EditPattern?
  private var same: Set<String> = []
  private var other: Set<String> = []
  private var allowedOrders: Set<String>?

  init(_ json: ConditionJSON) throws(HistoryPredicateError) {
    for (member, json) in try json.members(as: Member.self) {
      switch member {
      case .edit: pattern = try EditPattern(json)
      case .same: same = try json.names("trait", of: Self.traits)
      case .other: other = try json.names("trait", of: Self.traits)
      case .order: allowedOrders = try json.names("word for the order", of: Self.orders)
      }
    }
  }

  /// Those of some edits of a history that meet another one of it as demanded.
  ///
  /// Cost: for each of them the edits that it may meet; of a burst, those that differ in a trait.
  func meeting(_ edits: [PlacedEdit], in history: History) -> [PlacedEdit] {
    let others = history.placedEdits.filter { pattern?.matches($0.edit, in: $0.kind) ?? true }
    let partners = ends(of: others)
    let known = allowedOrders == nil ? [:] : history.knownBefore
    return edits.filter { edit in
      partners.contains { partner in
        edit.place != partner.place && agree(edit, partner)
          && allowedOrders?.contains(order(of: partner, to: edit, known)) ?? true
      }
    }
  }

  /// Of edits that one step makes with equal traits, the first and the last: no other is met alone.
  private func ends(of edits: [PlacedEdit]) -> [PlacedEdit] {
    struct Kind: Hashable {
      let step: Int
      let traits: [AnyHashable?]
    }
    var found: [Kind: (first: Int, last: Int)] = [:]
    for (index, edit) in edits.enumerated() {
      let kind = Kind(step: edit.place.step, traits: Self.traits.map { edit.trait($0) })
      found[kind] = (found[kind]?.first ?? index, index)
    }
    return Set(found.values.flatMap { [$0.first, $0.last] }).sorted().map { edits[$0] }
  }

  private func agree(_ edit: PlacedEdit, _ partner: PlacedEdit) -> Bool {
    func isEqual(_ trait: String) -> Bool? {
      guard let left = edit.trait(trait), let right = partner.trait(trait) else { return nil }
      return left == right
    }
    return same.allSatisfy { isEqual($0) == true } && other.allSatisfy { isEqual($0) == false }
  }

  private func order(
    of partner: PlacedEdit,
    to edit: PlacedEdit,
    _ known: [Int: Set<Int>]
  ) -> String {
    let isEarlier = partner.place < edit.place
    let (first, second) = isEarlier ? (partner, edit) : (edit, partner)
    let isKnown =
      first.place.step == second.place.step
      || known[second.place.step, default: []].contains(first.place.step)
    guard isKnown else { return "concurrent" }
    return isEarlier ? "before" : "after"
  }
}

/// An edit of a history's steps.
struct PlacedEdit {
  /// The step, and the number of the edit in it: a burst has many.
  struct Place: Hashable, Comparable {
    let step: Int
    let number: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.step, left.number) < (right.step, right.number)
    }
  }

  let place: Place
  let replica: Int
  let edit: Edit<ObjectName>
  /// Of the object that is edited, if it is known.
  let kind: ObjectKind?

  /// What a word of ``EditRelation/traits`` names; `nil` for what the edit has not.
  fileprivate func trait(_ name: String) -> AnyHashable? {
    switch name {
    case "replica": return replica
    case "object": return edit.object
    case "key": return edit.key
    default:
      guard case .mark(_, let marking) = edit else { return nil }
      return marking.name
    }
  }
}

extension History {
  /// The edits of the steps, in their order; those of the base and of its growth are none of them.
  var placedEdits: [PlacedEdit] {
    // Kinds of objects by their numbers, which grow as edits make some.
    var kinds: [ObjectKind] = [.map] + base.objectKinds
    var placed: [PlacedEdit] = []
    for (index, step) in steps.enumerated() {
      guard let (replica, edits) = step.edits else { continue }
      for (number, edit) in edits.enumerated() {
        let object = edit.object.number
        placed.append(
          PlacedEdit(
            place: PlacedEdit.Place(step: index, number: number),
            replica: replica,
            edit: edit,
            kind: kinds.indices.contains(object) ? kinds[object] : nil
          )
        )
        if let made = edit.madeKind { kinds.append(made) }
      }
    }
    return placed
  }

  /// For each step that edits, the steps that its replica knew before.
  fileprivate var knownBefore: [Int: Set<Int>] {
    var knowledge = Knowledge(self)
    var known: [Int: Set<Int>] = [:]
    for (index, step) in steps.enumerated() {
      if let (replica, _) = step.edits { known[index] = knowledge[replica] }
      knowledge.take(step, index)
    }
    return known
  }
}
