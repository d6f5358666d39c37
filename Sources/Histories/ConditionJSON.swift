import Texts

/// A part of a condition as data, with its place in the whole.
struct ConditionJSON {
  let value: JSONValue
  /// Members and indexes that lead to it, outermost first.
  private(set) var place: [String] = []

  init(_ value: JSONValue) {
    self.value = value
  }

  private func part(_ name: String, _ value: JSONValue) -> Self {
    var part = Self(value)
    part.place = place + [name]
    return part
  }

  func refusal(_ reason: HistoryPredicateError.Reason) -> HistoryPredicateError {
    HistoryPredicateError(reason: reason, place: place)
  }

  /// The members of an object that has at least one, each of them one of `Name`.
  func members<Name: ConditionMember>(
    as _: Name.Type
  ) throws(HistoryPredicateError) -> [(name: Name, json: Self)] {
    guard case .object(let members) = value, !members.isEmpty else {
      throw refusal(.expected("an object with at least one member", found: value.kind))
    }
    var found: [(name: Name, json: Self)] = []
    for member in members {
      guard let name = Name(rawValue: member.key) else {
        throw refusal(.unknown("member", member.key, known: Name.allCases.map(\.rawValue)))
      }
      found.append((name, part(member.key, member.value)))
    }
    return found
  }

  /// The elements of an array that has at least one.
  func elements(_ due: String) throws(HistoryPredicateError) -> [Self] {
    guard let elements = value.array, !elements.isEmpty else {
      throw refusal(.expected("an array of at least one \(due)", found: value.kind))
    }
    return elements.enumerated().map { part("\($0.offset)", $0.element) }
  }

  /// One word of those known, or an array of several; `kind` says what they name.
  func names(_ kind: String, of known: [String]) throws(HistoryPredicateError) -> Set<String> {
    var names: Set<String> = []
    for element in value.array == nil ? [self] : try elements(kind) {
      let word = try element.text("a \(kind)")
      guard known.contains(word) else { throw element.refusal(.unknown(kind, word, known: known)) }
      names.insert(word)
    }
    return names
  }

  func text(_ due: String) throws(HistoryPredicateError) -> String {
    guard let text = value.string else { throw refusal(.expected(due, found: value.kind)) }
    return text
  }

  func number(from least: UInt64 = 0) throws(HistoryPredicateError) -> UInt64 {
    let number: UInt64? =
      switch value {
      case .uint(let number): number
      case .int(let number): UInt64(exactly: number)
      default: nil
      }
    guard let number, number >= least else {
      let found = if case .int(let number) = value { "\(number)" } else { value.kind }
      throw refusal(.expected("a whole number from \(least) on", found: found))
    }
    return number
  }
}

/// The names of an object's members in a condition, with what `Documentation/WritingAnAdapter.md`
/// says of each.
package protocol ConditionMember: CaseIterable, RawRepresentable, Sendable
where RawValue == String {
  /// What may stand there.
  var form: String { get }
  /// What it demands.
  var sentence: String { get }
}

extension ConditionMember {
  static func spelled(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }
}

/// Why a condition cannot be read.
package struct HistoryPredicateError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// An unknown word: what it should name, the word, and the words that may stand there.
    case unknown(String, String, known: [String])
    /// Something else was due.
    case expected(String, found: String)
    /// It holds for a history in which nothing happens, and would excuse any failure.
    case alwaysHolds
  }

  package let reason: Reason
  /// Members and indexes that lead to it, outermost first: `["all", "0", "edit", "value"]`.
  package let place: [String]

  package var description: String {
    let place = place.isEmpty ? "" : " at \(place.joined(separator: "."))"
    switch reason {
    case .unknown(let kind, let word, let known):
      let guess = suggestion(for: word, among: known)
      return
        "there is no \(kind) '\(word)'\(place).\(guess) Known: \(known.joined(separator: ", "))"
    case .expected(let due, let found):
      return "expected \(due)\(place), found \(found)"
    case .alwaysHolds:
      return "it holds for a history in which nothing happens, and would excuse any failure: join"
        + " \"not\" by \"all\" with what has to happen"
    }
  }
}
