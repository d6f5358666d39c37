// A worked example, from an `adapter.json`: a replica deletes a key while another writes it.
//
//     {
//       "edit": {"kind": "delete", "in": "map"},
//       "with": {"edit": {"kind": "put"}, "same": ["object", "key"], "order": "concurrent"}
//     }
//
// `EditPattern.swift` says what stands inside `edit`, `EditRelation.swift` what inside `with`, and
// `ConditionJSON.swift` why a condition is refused.

import DocumentModel
package import Texts

/// A condition on histories as data: when a known divergence of a subject may show.
///
/// A statement about the history alone, never about answers, so that it can be asked before a case
/// runs. None holds for a history in which nothing happens.
package indirect enum HistoryPredicate: Hashable, Sendable {
  /// A condition that has a name.
  case named(HistoryCondition)
  /// So many edits of the steps are such; each meets another as demanded, if a relation is given.
  case edits(EditPattern, with: EditRelation?, atLeast: Int)
  /// Each of some predicates holds.
  case all([HistoryPredicate])
  /// At least one of some predicates holds.
  case any([HistoryPredicate])
  /// A predicate does not hold.
  case not(HistoryPredicate)

  package enum Member: String, ConditionMember {
    case edit
    case with
    case atLeast
    case all
    case any
    case not

    package var sentence: String {
      switch self {
      case .edit: "An edit of the steps has all that the members demand."
      case .with: "Beside `edit`: such an edit meets another one."
      case .atLeast: "Beside `edit`: so many edits are such, and not only one."
      case .all: "Each of the conditions holds."
      case .any: "At least one of the conditions holds."
      case .not: "The condition does not hold."
      }
    }

    package var form: String {
      switch self {
      case .edit, .with: "an object, see below"
      case .atLeast: "a whole number from 1 on"
      case .all, .any: "an array of conditions"
      case .not: "a condition"
      }
    }
  }

  /// Reads a predicate: a condition's name, or an object.
  ///
  /// - Throws: ``HistoryPredicateError`` with the place: a word is unknown, something else is due
  ///   there, or the predicate would hold for a history in which nothing happens.
  package init(_ json: JSONValue) throws(HistoryPredicateError) {
    let json = ConditionJSON(json)
    self = try Self.read(json)
    guard !holdsForNothing else { throw json.refusal(.alwaysHolds) }
  }

  private static func read(_ json: ConditionJSON) throws(HistoryPredicateError) -> Self {
    if let name = json.value.string {
      guard let condition = HistoryCondition(rawValue: name) else {
        let known = HistoryCondition.allCases.map(\.rawValue)
        throw json.refusal(.unknown("condition", name, known: known))
      }
      return .named(condition)
    }
    guard case .object = json.value else {
      throw json.refusal(.expected("a condition's name or an object", found: json.value.kind))
    }
    let members = try json.members(as: Member.self)
    let byName = Dictionary(members.map { ($0.name, $0.json) }) { first, _ in first }
    let besideEdit: Set<Member> = [.edit, .with, .atLeast]
    if let edit = byName[.edit], besideEdit.isSuperset(of: byName.keys) {
      var relation: EditRelation?
      if let json = byName[.with] { relation = try EditRelation(json) }
      let least = try byName[.atLeast]?.number(from: 1) ?? 1
      return .edits(try EditPattern(edit), with: relation, atLeast: Int(clamping: least))
    }
    guard byName.count == 1, let (name, json) = members.first, !besideEdit.contains(name) else {
      throw json.refusal(
        .expected(
          "one of edit, all, any and not, and with and atLeast only beside edit",
          found: members.map(\.name.rawValue).joined(separator: " and ")
        )
      )
    }
    if name == .not { return .not(try read(json)) }
    var parts: [Self] = []
    for element in try json.elements("condition") { parts.append(try read(element)) }
    return name == .all ? .all(parts) : .any(parts)
  }

  /// Whether it holds for a history without steps; such a one would excuse almost anything.
  private var holdsForNothing: Bool {
    switch self {
    case .named, .edits: false
    case .all(let parts): parts.allSatisfy(\.holdsForNothing)
    case .any(let parts): parts.contains(where: \.holdsForNothing)
    case .not(let part): !part.holdsForNothing
    }
  }

  /// The history must be a valid one, as its numbers are used as they are.
  ///
  /// Cost: a pass over the history for each part, or two; for one with a relation, each edit is
  /// compared with others.
  package func holds(for history: History) -> Bool {
    switch self {
    case .named, .edits: !steps(of: history).isEmpty
    case .all(let parts): parts.allSatisfy { $0.holds(for: history) }
    case .any(let parts): parts.contains { $0.holds(for: history) }
    case .not(let part): !part.holds(for: history)
    }
  }

  /// The steps that make it hold, ascending: without them it does not.
  ///
  /// None if it does not hold. A part that holds because something does not happen has no such steps.
  package func steps(of history: History) -> [Int] {
    switch self {
    case .named(let condition): return condition.steps(of: history)
    case .edits(let pattern, let relation, let least):
      var edits = history.placedEdits.filter { pattern.matches($0.edit, in: $0.kind) }
      if let relation { edits = relation.meeting(edits, in: history) }
      return edits.count < least ? [] : Set(edits.map(\.place.step)).sorted()
    case .all(let parts):
      guard holds(for: history) else { return [] }
      return Set(parts.flatMap { $0.steps(of: history) }).sorted()
    case .any(let parts):
      return Set(parts.flatMap { $0.steps(of: history) }).sorted()
    case .not: return []
    }
  }
}
