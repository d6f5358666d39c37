import CodingSupport
import ModelGeneration
import PropertyEngine

// What a value may ask of its encoder twice. A container cannot refuse when it is asked for, so that a coder keeps the
// refusal until the value has returned.

extension CodingLaw {
  /// Catches a second value that is written over the first, or dropped without a word, and a container that is made
  /// anew where it is asked for again.
  ///
  /// A value asks twice. Worked example, at the place `a`, with the numbers 1 and 2:
  ///
  ///     a map, then a map                         {"1": 1, "2": 2}
  ///     a list, then a list                       [1, 2]
  ///     a value that throws, then a number        2
  ///     a map, then a list                        refused at `a`
  ///     a number, then a number                   refused at `a`
  ///     a map of another value, then a map        {"1": 1, "2": 2}, or refused at `a`: that is left open
  ///
  /// Half of the documents have a null at the place, and half are of a second writer.
  static let secondValues = CodingLaw(
    "containers.one-kind",
    "One place takes one value.",
    "A value that asks for containers of two kinds, or encodes a second value through a single-value container, is "
      + "refused at its place and changes nothing; a container that is asked for again goes on, and a value that threw "
      + "may be followed by another.",
    source: .specification(.codable, "Nested containers"),
    needs: [.documents],
    models: named("Empty"),
    draw: { _, sample, choices in
      for count in [SecondValue.requests.count, SecondValue.requests.count, places.count, 2, 2] {
        sample.numbers.append(choices.index(below: count))
      }
    },
    check: { trial in
      let (sample, requests) = (trial.sample, SecondValue.requests)
      let value = SecondValue(
        requests[sample.index(0, below: requests.count)],
        requests[sample.index(1, below: requests.count)]
      )
      let place = places[sample.index(2, below: places.count)]
      let document = try trial.document(actor: UInt8(1 + sample.index(3, below: 2)))
      if sample.index(4, below: 2) == 1 {
        try document.encode(TreeValue(tree: whole(.null, at: place)))
      }
      let before = try Untouched(document)
      switch trial.outcome({ try encode(value, at: place, into: document) }) {
      case .success:
        guard let due = value.due else {
          return Difference(
            kind: "containers.second-taken",
            summary: "a value that asked for \(value) was taken at \(place.place)",
            expected: "a refusal",
            actual: "success"
          ).between(nil, "what the coder answered")
        }
        if let found = try trial.difference(document, from: whole(due, at: place)) { return found }
        let written = try Untouched(document)
        try encode(value, at: place, into: document)
        return try written.difference(document, after: "encoding the same value")
      case .failure(let error):
        guard value.mayBeRefused, error.complaint.isEncoding(at: place) else {
          return Difference(
            kind: "containers.second-refused",
            summary: "a value that asked for \(value) was refused, or at another place",
            expected: value.due.map(\.description) ?? "EncodingError at \(place.place)",
            actual: error.complaint.description
          ).between(nil, "what the coder answered")
        }
        return try before.refused(error, document)
      }
    }
  )

  /// Where the value stands: as an entry, as an element, and as an entry of a nested map.
  private static let places: [[PathKey]] = [
    [.key("a")], [.key("a"), .index(0)], [.key("a"), .key("b")],
  ]

  private static func encode(
    _ value: SecondValue,
    at place: [PathKey],
    into document: any CodingDocument
  ) throws {
    switch place.last {
    case .index: try document.encode(["a": [value]])
    case .key where place.count > 1: try document.encode(["a": ["b": value]])
    default: try document.encode(["a": value])
    }
  }

  /// The tree of a document that holds nothing else.
  private static func whole(_ tree: Tree, at place: [PathKey]) -> Tree {
    place.reversed().reduce(tree) { below, step in
      switch step {
      case .key(let key): .map([Tree.Entry(key, below)])
      case .index: .list([below])
      }
    }
  }
}

/// A value that asks its encoder twice.
private struct SecondValue: Encodable, CustomStringConvertible {
  enum Request: String {
    case map = "a map"
    case list = "a list"
    case number = "a number"
    /// A value that encodes a number.
    case passed = "a value that is a number"
    case mapOfAnother = "a map of another value"
    case listOfAnother = "a list of another value"
    /// A dictionary with keys that are no strings: a list of pairs, which a second element makes odd.
    case pairsOfAnother = "a list of pairs of another value"
    case throwing = "a value that throws"

    /// A container that the value asks for itself.
    var isContainer: Bool { self == .map || self == .list }
  }

  static let requests: [Request] = [
    .map, .list, .number, .passed, .mapOfAnother, .listOfAnother, .pairsOfAnother, .throwing,
  ]

  private let first: Request
  private let second: Request

  /// What throws comes first alone: nothing stands there then.
  init(_ first: Request, _ second: Request) {
    self.first = first
    self.second = second == .throwing ? .number : second
  }

  var description: String { "\(first.rawValue), then \(second.rawValue)" }

  /// What stands there; `nil` if the value is refused.
  var due: Tree? {
    guard let start = Self.tree(first, 1) else { return Self.tree(second, 2) }
    guard second.isContainer, let added = Self.tree(second, 2) else { return nil }
    return switch (start, added) {
    case (.map(let entries), .map(let others)): .map(of: entries + others)
    case (.list(let elements), .list(let others)): .list(elements + others)
    default: nil
    }
  }

  /// Whether it is refused, or may be: it is left open what becomes of a container that another value encoded.
  var mayBeRefused: Bool { due == nil || first != .throwing && !first.isContainer }

  /// What one request leaves where nothing stands.
  private static func tree(_ request: Request, _ number: Int) -> Tree? {
    let leaf = Tree.int(Int64(number))
    return switch request {
    case .map, .mapOfAnother: .map([Tree.Entry("\(number)", leaf)])
    case .list, .listOfAnother: .list([leaf])
    case .pairsOfAnother: .list([.float(0.5), leaf])
    case .number, .passed: leaf
    case .throwing: nil
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single: (any SingleValueEncodingContainer)?
    func write(_ value: some Encodable) throws {
      var container = single ?? encoder.singleValueContainer()
      defer { single = container }
      try container.encode(value)
    }
    for (request, number) in [(first, 1), (second, 2)] {
      switch request {
      case .map:
        var map = encoder.container(keyedBy: PathKey.self)
        try map.encode(number, forKey: .key("\(number)"))
      case .list:
        var list = encoder.unkeyedContainer()
        try list.encode(number)
      case .number:
        // Not as a value of any type: containers take numbers by calls of their own.
        var container = single ?? encoder.singleValueContainer()
        defer { single = container }
        try container.encode(number)
      case .passed: try write(TreeValue(tree: .int(Int64(number))))
      case .mapOfAnother: try write(["\(number)": number])
      case .listOfAnother: try write([number])
      case .pairsOfAnother: try write([0.5: number])
      case .throwing: do { try write(Failing()) } catch is Failing.Failure {}
      }
    }
  }

  /// Begins to write, and throws.
  private struct Failing: Encodable {
    struct Failure: Error {}

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(7)
      throw Failure()
    }
  }
}

extension CoderComplaint {
  /// Whether it is an `EncodingError` at a place, however the coder spells an index.
  fileprivate func isEncoding(at place: [PathKey]) -> Bool {
    guard case .encoding(let path) = self else { return false }
    return path.map { $0.replacing("Index ", with: "") } == place.map(\.stringValue)
  }
}
