import Texts

/// A part of a condition as data, with its place in the whole.
struct ConditionJSON {
  let value: JSONValue
  /// Members and indexes that lead to it, outermost first.
  let place: [String]

  init(_ value: JSONValue, at place: [String]) {
    self.value = value
    self.place = place
  }

  private func part(_ name: String, _ value: JSONValue) -> Self {
    Self(value, at: place + [name])
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

  /// One case of an enumeration, or an array of several; `kind` says what they name.
  func cases<Word: RawRepresentable & CaseIterable & Hashable>(
    _ kind: String
  ) throws(HistoryPredicateError) -> Set<Word> where Word.RawValue == String {
    Set(try names(kind, of: Word.allCases.map(\.rawValue)).compactMap(Word.init))
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
      let refusal = "there is no \(kind) '\(word)'\(place)."
      guard !known.isEmpty else {
        return refusal + " Write it as data, or define the name in \"conditions\" of the file"
      }
      let guess = suggestion(for: word, among: known)
      return "\(refusal)\(guess) Known: \(known.joined(separator: ", "))"
    case .expected(let due, let found):
      return "expected \(due)\(place), found \(found)"
    case .alwaysHolds:
      return "the condition\(place) holds for a history in which nothing happens, and would excuse"
        + " any failure: join \"not\" by \"all\" with what has to happen"
    }
  }
}
