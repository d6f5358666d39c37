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
    case from

    package var sentence: String {
      switch self {
      case .edit: "What the other edit is."
      case .same:
        "In what the two agree: both have it, and it is equal. The `place` is a key of a map, or a"
          + " whole list or text; the `mark` is its name; a replica that starts again may have"
          + " another `writer`."
      case .other: "In what the two differ: both have it, and it is not equal."
      case .order:
        "Whether the other came `before`, or `after`, or neither knew of the other: `concurrent`. A"
          + " replica knows all of a message once a part of it has arrived. Or whether the other"
          + " stands `earlier` or `later` in the history; what replicas know does not count."
      case .from:
        "Where the other stands: in the `steps`, if nothing is said, or in the `start`, which all"
          + " replicas know; its writer is one of its own, and no replica."
      }
    }

    package var form: String {
      switch self {
      case .edit: "as `edit` of a condition"
      case .same, .other: "one or several of " + Self.spelled(Trait.allCases.map(\.rawValue))
      case .order: "one or several of " + Self.spelled(Order.allCases.map(\.rawValue))
      case .from: "one or several of " + Self.spelled(Part.allCases.map(\.rawValue))
      }
    }
  }

  /// In what two edits agree or differ.
  enum Trait: String, Hashable, Sendable, CaseIterable {
    case replica, writer, object, key, place, mark
  }

  enum Order: String, Hashable, Sendable, CaseIterable {
    case before, after, concurrent, earlier, later
  }

  enum Part: String, Hashable, Sendable, CaseIterable {
    case steps, start
  }

  private var patterns: [EditPattern]?
  private var same: Set<Trait> = []
  private var other: Set<Trait> = []
  private var orders: Set<Order>?
  private var parts: Set<Part> = [.steps]

  init(_ json: ConditionJSON) throws(HistoryPredicateError) {
    for (member, json) in try json.members(as: Member.self) {
      switch member {
      case .edit: patterns = try EditPattern.alternatives(json)
      case .same: same = try json.cases("trait")
      case .other: other = try json.cases("trait")
      case .order: orders = try json.cases("word for the order")
      case .from: parts = try json.cases("part of a history")
      }
    }
  }

  /// The edits, out of some of a history's steps, that meet another one of it as demanded.
  ///
  /// Cost: for each of them the edits that agree with it as demanded; of a burst, those that differ
  /// in a trait.
  func meeting(_ edits: [PlacedEdit], in history: History) -> [PlacedEdit] {
    guard !edits.isEmpty else { return [] }
    var others = history.placedEdits(ofStart: parts.contains(.start))
    others.removeAll { other in
      !parts.contains(other.place.isStart ? .start : .steps)
        || patterns.map { !$0.contains { $0.matches(other.edit, in: other.kind) } } ?? false
    }
    let groups = Dictionary(grouping: ends(of: others)) { agreement($0) }
    let isCausal = orders.map { !$0.isSubset(of: [.earlier, .later]) } ?? false
    let known = isCausal ? history.knownBefore : [:]
    return edits.filter { edit in
      guard let agreement = agreement(edit) else { return false }
      return groups[agreement, default: []].contains { partner in
        edit.place != partner.place && differ(edit, partner)
          && orders.map { !$0.isDisjoint(with: order(of: partner, to: edit, known)) } ?? true
      }
    }
  }

  /// Of edits that one step makes with equal traits, the first and the last: no other is met alone.
  private func ends(of edits: [PlacedEdit]) -> [PlacedEdit] {
    struct Kind: Hashable {
      let step: Int
      let traits: [PlacedEdit.TraitValue?]
    }
    var found: [Kind: (first: Int, last: Int)] = [:]
    for (index, edit) in edits.enumerated() {
      let kind = Kind(step: edit.place.step, traits: Trait.allCases.map { edit.value(of: $0) })
      found[kind] = (found[kind]?.first ?? index, index)
    }
    return Set(found.values.flatMap { [$0.first, $0.last] }).sorted().map { edits[$0] }
  }

  /// What another edit has to have, too; `nil` for an edit that has not all of it itself.
  private func agreement(_ edit: PlacedEdit) -> [PlacedEdit.TraitValue]? {
    var values: [PlacedEdit.TraitValue] = []
    for trait in Trait.allCases where same.contains(trait) {
      guard let value = edit.value(of: trait) else { return nil }
      values.append(value)
    }
    return values
  }

  private func differ(_ edit: PlacedEdit, _ partner: PlacedEdit) -> Bool {
    other.allSatisfy { trait in
      guard let left = edit.value(of: trait), let right = partner.value(of: trait) else {
        return false
      }
      return left != right
    }
  }

  /// Both words that are true of the partner: by which edit knew the other, and by its place.
  private func order(
    of partner: PlacedEdit,
    to edit: PlacedEdit,
    _ known: [Int: Set<Int>]
  ) -> Set<Order> {
    let isEarlier = partner.place < edit.place
    let (first, second) = isEarlier ? (partner, edit) : (edit, partner)
    let isKnown =
      first.place.isStart || first.place.step == second.place.step
      || known[second.place.step, default: []].contains(first.place.step)
    guard isKnown else { return [.concurrent, isEarlier ? .earlier : .later] }
    return isEarlier ? [.before, .earlier] : [.after, .later]
  }
}

/// An edit of a history.
struct PlacedEdit {
  /// The step, and the number of the edit in it: a burst has many.
  struct Place: Hashable, Comparable {
    /// -1 for what the replicas start from.
    let step: Int
    let number: Int

    var isStart: Bool { step < 0 }

    static func < (left: Self, right: Self) -> Bool {
      (left.step, left.number) < (right.step, right.number)
    }
  }

  enum TraitValue: Hashable {
    case number(Int)
    case text(ExactString)
    case place(Int, key: ExactString?)
  }

  let place: Place
  /// `nil` in what the replicas start from.
  let replica: Int?
  /// By its number; -1 in what the replicas start from.
  let writer: Int
  let edit: Edit<ObjectName>
  /// Of the object that is edited, if it is known.
  let kind: ObjectKind?

  /// What a trait is of this edit; `nil` for what the edit has not.
  fileprivate func value(of trait: EditRelation.Trait) -> TraitValue? {
    switch trait {
    case .replica: return replica.map { .number($0) }
    case .writer: return .number(writer)
    case .object: return .number(edit.object.number)
    case .key: return edit.key.map { .text($0) }
    case .place: return .place(edit.object.number, key: edit.key)
    case .mark:
      guard case .mark(_, let marking) = edit else { return nil }
      return .text(marking.name)
    }
  }
}

extension History {
  /// The edits of the steps, in their order; before them, if asked for, those of the base and of its
  /// growth.
  func placedEdits(ofStart isWhole: Bool = false) -> [PlacedEdit] {
    // Kinds of objects by their numbers, which grow as edits make some.
    var kinds: [ObjectKind] = [.map] + base.objectKinds
    // The writer of each replica.
    var writers = Array(0..<replicaCount)
    var placed: [PlacedEdit] = []
    func place(_ edits: [Edit<ObjectName>], step: Int, replica: Int?, writer: Int) {
      for (number, edit) in edits.enumerated() {
        let object = edit.object.number
        placed.append(
          PlacedEdit(
            place: PlacedEdit.Place(step: step, number: number),
            replica: replica,
            writer: writer,
            edit: edit,
            kind: kinds.indices.contains(object) ? kinds[object] : nil
          )
        )
        // The base's own objects are known before.
        if step >= 0, let made = edit.madeKind { kinds.append(made) }
      }
    }
    if isWhole {
      place(base.edits + growth.flatMap(\.edits), step: -1, replica: nil, writer: -1)
    }
    for (index, step) in steps.enumerated() {
      switch step {
      case .fork(_, let actor), .branch(_, _, let actor): writers.append(actor)
      case .restart(let replica, _, let actor): writers[replica] = actor
      default: break
      }
      guard let (replica, edits) = step.edits else { continue }
      place(edits, step: index, replica: replica, writer: writers[replica])
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
