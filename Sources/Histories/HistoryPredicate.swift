// A worked example, from an `adapter.json`: a replica deletes a key while another writes it.
//
//     {
//       "edit": {"kind": "delete", "in": "map"},
//       "with": {"edit": {"kind": "put"}, "same": ["object", "key"], "order": "concurrent"}
//     }
//
// `EditPattern.swift` says what stands inside `edit`, `EditRelation.swift` what inside `with`,
// `StepPattern.swift` what inside `step`, and `ConditionJSON.swift` why a condition is refused.

import DocumentModel
package import Texts

/// A condition on histories as data: when a known divergence of a subject may show.
///
/// A statement about the history alone, never about answers, so that it can be asked before a case
/// runs. None holds for a history in which nothing happens.
package indirect enum HistoryPredicate: Hashable, Sendable {
  /// At least `atLeast` edits of the steps fit one of the patterns; each meets another as demanded,
  /// if a relation is given.
  case edits([EditPattern], with: EditRelation?, atLeast: Int)
  /// At least `atLeast` steps fit the pattern.
  case steps(StepPattern, atLeast: Int)
  /// Each of some predicates holds.
  case all([HistoryPredicate])
  /// At least one of some predicates holds.
  case any([HistoryPredicate])
  /// A predicate does not hold.
  case not(HistoryPredicate)

  package enum Member: String, ConditionMember {
    case edit
    case with
    case step
    case atLeast
    case all
    case any
    case not

    package var sentence: String {
      switch self {
      case .edit:
        "An edit of the steps has all that the members demand, or all that those of one of several"
          + " objects demand."
      case .with: "Beside `edit`: such an edit meets another one."
      case .step: "A step has all that the members demand."
      case .atLeast: "Beside `edit` or `step`: at least this many are such, instead of one."
      case .all: "Each of the conditions holds."
      case .any: "At least one of the conditions holds."
      case .not: "The condition does not hold."
      }
    }

    package var form: String {
      switch self {
      case .edit: "an object, see below, or an array of such"
      case .with, .step: "an object, see below"
      case .atLeast: "a whole number from 1 on"
      case .all, .any: "an array of conditions"
      case .not: "a condition"
      }
    }
  }

  /// Reads a predicate: an object, or the name of one.
  ///
  /// What has a name names no others, so that reading ends and stays cheap.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - place: Where it stands in its file, members and indexes, outermost first.
  ///   - named: The member `conditions` of the file, an object; `nil` where no name may stand.
  /// - Throws: ``HistoryPredicateError`` with the place: a word is unknown, something else is due
  ///   there, or the predicate would hold for a history in which nothing happens.
  package init(
    _ json: JSONValue,
    at place: [String] = [],
    named: JSONValue? = .object([])
  ) throws(HistoryPredicateError) {
    let json = ConditionJSON(json, at: place)
    self = try Self.read(json, named)
    guard !holdsForNothing else { throw json.refusal(.alwaysHolds) }
  }

  /// `named` is an object, or `nil` where no name may stand.
  private static func read(
    _ json: ConditionJSON,
    _ named: JSONValue?
  ) throws(HistoryPredicateError) -> Self {
    if let name = json.value.string, case .object(let members) = named {
      guard let definition = named?[name] else {
        throw json.refusal(.unknown("condition", name, known: members.map(\.key)))
      }
      return try read(ConditionJSON(definition, at: ["conditions", name]), nil)
    }
    if case .string = json.value {
      throw json.refusal(
        .expected("an object, as a condition that has a name names no others", found: "a string")
      )
    }
    guard case .object = json.value else {
      throw json.refusal(.expected("a condition's name or an object", found: json.value.kind))
    }
    let members = try json.members(as: Member.self)
    let byName = Dictionary(members.map { ($0.name, $0.json) }) { first, _ in first }
    let least = Int(clamping: try byName[.atLeast]?.number(from: 1) ?? 1)
    if let edit = byName[.edit], Set([.edit, .with, .atLeast]).isSuperset(of: byName.keys) {
      let patterns = try EditPattern.alternatives(edit)
      var relation: EditRelation?
      if let json = byName[.with] { relation = try EditRelation(json) }
      return .edits(patterns, with: relation, atLeast: least)
    }
    if let step = byName[.step], Set([.step, .atLeast]).isSuperset(of: byName.keys) {
      return .steps(try StepPattern(step), atLeast: least)
    }
    let joining: Set<Member> = [.all, .any, .not]
    guard byName.count == 1, let (name, json) = members.first, joining.contains(name) else {
      throw json.refusal(
        .expected(
          "one of edit, step, all, any and not, with only beside edit, and atLeast only beside edit"
            + " or step",
          found: members.map(\.name.rawValue).joined(separator: " and ")
        )
      )
    }
    if name == .not { return .not(try read(json, named)) }
    var parts: [Self] = []
    for element in try json.elements("condition") { parts.append(try read(element, named)) }
    return name == .all ? .all(parts) : .any(parts)
  }

  /// Whether it holds for a history without steps; such a one would excuse almost anything.
  private var holdsForNothing: Bool {
    switch self {
    case .edits, .steps: false
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
    case .edits, .steps: !steps(of: history).isEmpty
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
    case .edits(let patterns, let relation, let least):
      var edits = history.placedEdits().filter { edit in
        patterns.contains { $0.matches(edit.edit, in: edit.kind) }
      }
      if let relation { edits = relation.meeting(edits, in: history) }
      return edits.count < least ? [] : Set(edits.map(\.place.step)).sorted()
    case .steps(let pattern, let least):
      let steps = pattern.steps(of: history)
      return steps.count < least ? [] : steps
    case .all(let parts):
      guard holds(for: history) else { return [] }
      return Set(parts.flatMap { $0.steps(of: history) }).sorted()
    case .any(let parts):
      return Set(parts.flatMap { $0.steps(of: history) }).sorted()
    case .not: return []
    }
  }
}
