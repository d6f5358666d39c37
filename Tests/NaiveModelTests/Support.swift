import DocumentModel
import NaiveModel
import Testing

/// The specification itself.
typealias Model = NaiveModel<AutomergeRules>

extension ActorID {
  static let a = ActorID(repeating: 0x0a)
  static let b = ActorID(repeating: 0x0b)
  static let c = ActorID(repeating: 0x0c)
  static let d = ActorID(repeating: 0x0d)
}

/// The hexadecimal digits of the actors above, by their letter.
private let digits: [(letter: Character, hex: String)] =
  "abcd".map { ($0, String(repeating: "0\($0)", count: 16)) }

/// The operations `3@a`, `4@b`, ..., with the actors above by their letter.
func ids(_ texts: String...) throws -> [OpID] {
  try texts.map { text in
    let hex = try #require(digits.first { $0.letter == text.last }).hex
    return try #require(OpID(text.dropLast() + hex))
  }
}

/// The heads `a#1`, `b#2`, ..., with the actors above by their letter.
func heads(_ texts: String...) throws -> ObservedHeads {
  let ids = try texts.map { text in
    try #require(digits.first { $0.letter == text.first }).hex + text.dropFirst()
  }
  return ObservedHeads(scheme: "naive", ids: ids)
}

/// The text with the actors above by their letter.
func abbreviated(_ text: String) -> String {
  digits.reduce(text) { text, digits in
    text.split(separator: digits.hex, omittingEmptySubsequences: false)
      .joined(separator: String(digits.letter))
  }
}

/// What an observation shows, one value a line, without the heads.
func show(_ observation: Observation) -> String {
  var observation = observation
  observation.heads = nil
  return abbreviated(observation.lines.joined(separator: "\n"))
}

extension NaiveModel {
  /// What the document shows now, one value a line.
  var shown: String {
    get throws { show(try observe(at: nil)) }
  }

  /// Carries out the edits and commits them.
  @discardableResult
  mutating func edit(_ edits: Edit<ObjectID>...) throws -> [EditEffect] {
    var effects: [EditEffect] = []
    for edit in edits { effects.append(try apply(edit)) }
    commit()
    return effects
  }

  /// Puts a new object under `key` of the root, and commits.
  mutating func make(_ kind: ObjectKind, _ key: ExactString) throws -> ObjectID {
    try edit(.putObject(.root, .key(key), kind))[0].made ?? .root
  }

  /// This document after a merge of the others, which are as they were but for a commit.
  func merging(_ others: Self...) throws -> Self {
    var merged = self
    for other in others {
      var other = other
      try merged.merge(&other)
    }
    return merged
  }
}

extension Edit where Object == ObjectID {
  static func put(_ key: ExactString, _ value: Scalar) -> Self { .put(.root, .key(key), value) }
  static func delete(_ key: ExactString) -> Self { .delete(.root, .key(key)) }
  static func increment(_ key: ExactString, by amount: Int64) -> Self {
    .increment(.root, .key(key), by: amount)
  }
  /// Inserts the letters one by one at `index`.
  static func type(_ letters: String, in list: ObjectID, at index: Int) -> [Self] {
    letters.enumerated().map { offset, letter in
      .insert(list, index: index + offset, .string(ExactString(String(letter))))
    }
  }
}

extension Scalar: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .string(ExactString(value)) }
  public init(integerLiteral value: Int64) { self = .int(value) }
}
