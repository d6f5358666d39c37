import DocumentModel
import PropertyEngine
import Testing

private let (a, b) = (ActorID(repeating: 1), ActorID(repeating: 2))
private func op(_ counter: UInt32, _ actor: ActorID = a) -> OpID {
  OpID(counter: counter, actor: actor)
}

private func value(_ scalar: Scalar, _ id: OpID? = nil) -> ObservedValue {
  ObservedValue(id: id, content: .scalar(scalar))
}

private func register(_ values: ObservedValue..., complete: Bool = true) -> ObservedRegister {
  ObservedRegister(values: values, isComplete: complete)
}

private func map(_ entries: [(ExactString, ObservedRegister)]) -> ObservedObject {
  ObservedObject(
    id: nil,
    content: .map(entries.map { ObservedObject.Entry(key: $0, register: $1) })
  )
}

private func list(_ elements: [ObservedRegister]) -> ObservedObject {
  ObservedObject(id: nil, content: .list(elements))
}

private func text(
  _ string: ExactString,
  length: Int,
  _ elements: [ObservedRegister]? = nil
) -> ObservedObject {
  ObservedObject(id: nil, content: .text(string, length: length, elements: elements))
}

private func child(_ object: ObservedObject) -> ObservedRegister {
  register(ObservedValue(id: nil, content: .object(object)))
}

private func hidden(_ kind: ScalarKind) -> ObservedRegister {
  register(ObservedValue(id: nil, content: .hidden(kind)))
}

/// Two states, what is expected first, and what is said of them.
struct Pair: CustomStringConvertible {
  let name: String
  let expected: Observation
  let actual: Observation
  let difference: Difference?

  /// Two objects under the key `o`.
  fileprivate init(
    _ name: String,
    _ expected: ObservedRegister,
    _ actual: ObservedRegister,
    _ difference: Difference? = nil
  ) {
    self.init(name, map([("o", expected)]), map([("o", actual)]), difference)
  }

  fileprivate init(
    _ name: String,
    _ expected: ObservedObject,
    _ actual: ObservedObject,
    _ difference: Difference? = nil,
    heads: (ObservedHeads?, ObservedHeads?) = (nil, nil)
  ) {
    self.name = name
    self.expected = Observation(root: expected, heads: heads.0)
    self.actual = Observation(root: actual, heads: heads.1)
    self.difference = difference
  }

  var description: String { name }
}

private func found(
  _ kind: String,
  _ summary: String,
  _ expected: String,
  _ actual: String
) -> Difference {
  Difference(kind: kind, summary: summary, expected: expected, actual: actual)
}

private let one = register(value(.int(1)))
private let two = register(value(.int(2)))

@Suite("Observations")
struct ObservationTests {
  private static func heads(_ scheme: String, _ ids: [String]) -> ObservedHeads {
    ObservedHeads(scheme: scheme, ids: ids)
  }

  static let different: [Pair] = [
    Pair(
      "keys",
      map([("a", one), ("b", one)]),
      map([("a", one)]),
      found("key", "the keys differ at /", "\"a\" \"b\"", "\"a\"")
    ),
    Pair(
      "a key beside no keys",
      map([]),
      map([("a", one)]),
      found("key", "the keys differ at /", "no keys", "\"a\"")
    ),
    Pair(
      "canonically equivalent keys",
      map([("\u{e9}", one)]),
      map([("e\u{301}", one)]),
      found("key", "the keys differ at /", "\"\\u{e9}\"", "\"e\\u{301}\"")
    ),
    Pair(
      "a value, deep down",
      child(list([one, child(map([("k", one)]))])),
      child(list([one, child(map([("k", two)]))])),
      found("value", "the value differs at /\"o\"/1/\"k\"", "int 1", "int 2")
    ),
    Pair(
      "a value of another kind",
      one,
      register(value(.uint(1))),
      found("value", "the value differs at /\"o\"", "int 1", "uint 1")
    ),
    Pair(
      "an object in place of a scalar",
      one,
      child(list([])),
      found("value", "the value differs at /\"o\"", "int 1", "list")
    ),
    Pair(
      "kinds of objects",
      child(list([])),
      child(map([])),
      found("kind", "the kind of object differs at /\"o\"", "list", "map")
    ),
    Pair(
      "one element more",
      child(list([one])),
      child(list([one, two])),
      found("length", "the number of elements differs at /\"o\"", "1", "2")
    ),
    Pair(
      "an element before the number of elements",
      child(list([one, two])),
      child(list([two])),
      found("value", "the value differs at /\"o\"/0", "int 1", "int 2")
    ),
    Pair(
      "texts",
      child(text("ab", length: 2)),
      child(text("ba", length: 2)),
      found("text", "the text differs at /\"o\"", "\"ab\"", "\"ba\"")
    ),
    Pair(
      "lengths of one text",
      child(text("\u{1f600}", length: 1)),
      child(text("\u{1f600}", length: 2)),
      found("length", "the length differs at /\"o\"", "1", "2")
    ),
    Pair(
      "elements of one text",
      child(text("a", length: 1, [register(value(.string("a"), op(3)))])),
      child(text("a", length: 1, [register(value(.string("a"), op(4)))])),
      found(
        "winner",
        "the operation of the value differs at /\"o\"/0",
        "3@\(a)",
        "4@\(a)"
      )
    ),
    Pair(
      "winners of one value",
      register(value(.int(1), op(1, b))),
      register(value(.int(1), op(1, a))),
      found("winner", "the operation of the value differs at /\"o\"", "1@\(b)", "1@\(a)")
    ),
    Pair(
      "a loser that is missing",
      register(value(.int(1), op(1)), value(.int(2), op(1, b))),
      register(value(.int(2), op(1, b))),
      found(
        "conflict",
        "the conflicting values differ at /\"o\"",
        "int 1 (1@\(a)), int 2 (1@\(b))",
        "int 2 (1@\(b))"
      )
    ),
    Pair(
      "a loser of another value",
      register(value(.int(1)), value(.int(2))),
      register(value(.int(3)), value(.int(2))),
      found("conflict", "the value differs at /\"o\"", "int 1", "int 3")
    ),
    Pair(
      "a loser of another operation",
      register(value(.int(1), op(1)), value(.int(2), op(3))),
      register(value(.int(1), op(2)), value(.int(2), op(3))),
      found("conflict", "the operation of the value differs at /\"o\"", "1@\(a)", "2@\(a)")
    ),
    Pair(
      "a register without values",
      ObservedRegister(values: [], isComplete: true),
      one,
      found("value", "a register without values at /\"o\"", "0", "1")
    ),
    Pair(
      "a hidden scalar of another kind",
      hidden(.counter),
      one,
      found("value", "the value differs at /\"o\"", "counter ?", "int 1")
    ),
    Pair(
      "two hidden scalars",
      hidden(.counter),
      hidden(.timestamp),
      found("value", "the value differs at /\"o\"", "counter ?", "timestamp ?")
    ),
    Pair(
      "heads",
      map([]),
      map([]),
      found("heads", "the heads differ", "a b", "a c"),
      heads: (heads("hash", ["b", "a"]), heads("hash", ["a", "c"]))
    ),
    Pair(
      "the number of heads of two schemes",
      map([]),
      map([]),
      found("heads", "the heads differ", "a b", "x"),
      heads: (heads("hash", ["a", "b"]), heads("naive", ["x"]))
    ),
    Pair(
      "the content before the heads",
      map([("k", one)]),
      map([("k", two)]),
      found("value", "the value differs at /\"k\"", "int 1", "int 2"),
      heads: (heads("hash", ["a"]), heads("hash", ["b"]))
    ),
  ]

  static let agreeing: [Pair] = [
    Pair("equals", child(list([one, two])), child(list([one, two]))),
    Pair(
      "only one side shows the losers",
      register(value(.int(1)), value(.int(2))),
      register(value(.int(2)), complete: false)
    ),
    Pair("only one side shows the ids", register(value(.int(1), op(1))), one),
    Pair("only one side shows a scalar", hidden(.int), one),
    Pair("both hide a scalar of one kind", hidden(.counter), hidden(.counter)),
    Pair(
      "only one side shows a text's elements",
      child(text("a", length: 1, [one])),
      child(text("a", length: 1))
    ),
    Pair("only one side shows heads", map([]), map([]), heads: (heads("hash", ["a"]), nil)),
    Pair(
      "as many heads of another scheme",
      map([]),
      map([]),
      heads: (heads("hash", ["a", "b"]), heads("naive", ["x", "y"]))
    ),
    Pair(
      "heads in another order",
      map([]),
      map([]),
      heads: (heads("hash", ["a", "b"]), heads("hash", ["b", "a"]))
    ),
    Pair(
      "objects of other ids",
      ObservedObject(id: .root, content: .map([])),
      ObservedObject(id: nil, content: .map([]))
    ),
  ]

  @Test("A difference names its kind, its place and both sides", arguments: different)
  func differs(_ pair: Pair) {
    #expect(pair.actual.difference(from: pair.expected) == pair.difference)
    // Seen from the other side the same place is named, and the sides change places.
    let reversed = pair.expected.difference(from: pair.actual)
    #expect(reversed?.expected == pair.difference?.actual)
    #expect(reversed?.actual == pair.difference?.expected)
    #expect(reversed?.kind == pair.difference?.kind)
    #expect(reversed?.summary == pair.difference?.summary)
  }

  @Test("What only one side can show is passed over, from either side", arguments: agreeing)
  func agrees(_ pair: Pair) {
    #expect(pair.actual.difference(from: pair.expected) == nil)
    #expect(pair.expected.difference(from: pair.actual) == nil)
  }

  @Test("Nothing differs from itself", arguments: different + agreeing)
  func reflexive(_ pair: Pair) {
    #expect(pair.actual.difference(from: pair.actual) == nil)
    #expect(pair.expected.difference(from: pair.expected) == nil)
  }

  @Test("A state is told line by line")
  func lines() {
    let state = Observation(
      root: map([
        ("k", register(value(.int(1), op(1)), value(.int(2), op(2)))),
        ("l", child(list([one, child(map([("\n", hidden(.counter))]))]))),
        (
          "t",
          child(text("a\u{fffc}", length: 2, [register(value(.string("a"))), child(list([]))]))
        ),
      ]),
      heads: ObservedHeads(scheme: "hash", ids: ["b", "a"])
    )
    #expect(
      state.lines == [
        "\"k\": int 2 (2@\(a))",
        "\"k\" (conflict): int 1 (1@\(a))",
        "\"l\": list",
        "  0: int 1",
        "  1: map",
        "    \"\\n\": counter ?",
        "\"t\": text",
        "  \"a\\u{fffc}\" (2 units)",
        "  1: list",
        "heads a b",
      ]
    )
  }
}
