import Touchstone

private struct Broken: Error {}

/// A property that fails, of the public collection of shrinking challenges.
///
/// Source: the repository `jlink/shrinking-challenge`.
struct ShrinkingChallenge: Sendable {
  let name: String
  /// What the property claims.
  let claim: String
  /// The results that count as smallest, as failures show them.
  let ideals: [String]
  /// Judges cases from a seed until one fails, and shrinks it; the value, and attempts that it took.
  let run: @Sendable (_ seed: UInt64) async throws -> (value: String, attempts: Int)?

  private init<Value: Sendable>(
    _ name: String,
    _ claim: String,
    ideals: [String],
    cases caseCount: Int = 600,
    of values: Values<Value>,
    holds: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.name = name
    self.claim = claim
    self.ideals = ideals
    run = { seed in
      let failures = try await propertyFailures(
        name,
        of: values,
        cases: caseCount,
        seed: seed,
        file: testFile()
      ) { value in
        guard try holds(value) else { throw Broken() }
      }
      let lines = failures.first?.description.split(separator: "\n") ?? []
      // A long value has a line of its own.
      let place = lines.firstIndex { $0.hasPrefix("value:") }
      let value = place.map { index in
        lines[index] == "value:" ? lines[index + 1].dropFirst(2) : lines[index].dropFirst(7)
      }
      let attempts = lines.compactMap { line in
        line.split(separator: "shrunk in ").dropFirst().first?.split(separator: " ").first
      }.first
      guard let value, let attempts else { return nil }
      return (String(value), Int(attempts.filter { $0 != "," }) ?? 0)
    }
  }

  static let all = [
    bound, union, reverse, calculator, lengths, notZero, notSmall, notOne, heap, coupling, deletion,
    distinct, nested,
  ]

  private static func sum(_ numbers: [Int16]) -> Int16 { numbers.reduce(0, &+) }

  private static let bound = ShrinkingChallenge(
    "bound5",
    "five lists of 16 bit numbers, each with a sum below 256, have one below 1280",
    ideals: ["([], [], [], [-1], [-32768])"],
    of: {
      let list = Values<[Int16]>.array(of: .integer(Int16.self), count: 0...10).filter {
        sum($0) < 256
      }
      return Values<([Int16], [Int16], [Int16], [Int16], [Int16])>
        .tuple(list, list, list, list, list)
    }(),
    holds: { sum($0.0 + $0.1 + $0.2 + $0.3 + $0.4) < 5 * 256 }
  )

  private static let union = ShrinkingChallenge(
    "large union list",
    "lists hold at most four distinct numbers together",
    ideals: ["[[-2, -1, 0, 1, 2]]", "[[0, 1, -1, 2, -2]]"],
    of: Values<[[Int]]>.array(of: .array(of: .int())),
    holds: { Set($0.joined()).count <= 4 }
  )

  private static let reverse = ShrinkingChallenge(
    "reverse",
    "a list reversed is the same list",
    ideals: ["[0, 1]", "[1, 0]", "[0, -1]"],
    of: Values<[Int]>.array(of: .int()),
    holds: { $0 == $0.reversed() }
  )

  private static let lengths = ShrinkingChallenge(
    "length list",
    "a list whose length was drawn first has no number of 900 or more",
    ideals: ["[900]"],
    of: Values.int(in: 1...100).flatMap { count in
      Values<[Int]>.array(of: .int(in: 0...1000), count: count...count)
    },
    holds: { ($0.max() ?? 0) < 900 }
  )

  private static let positives: Values<(Int, Int)> = .tuple(.int(in: 1...1000), .int(in: 1...1000))

  private static let notZero = ShrinkingChallenge(
    "difference must not be zero",
    "a number of 10 or more differs from a second one",
    ideals: ["(10, 10)"],
    cases: 4000,
    of: positives,
    holds: { $0.0 < 10 || $0.0 != $0.1 }
  )

  private static let notSmall = ShrinkingChallenge(
    "difference must not be small",
    "a number of 10 or more does not differ from a second one by 1 to 4",
    ideals: ["(10, 6)"],
    of: positives,
    holds: { $0.0 < 10 || !(1...4).contains(abs($0.0 - $0.1)) }
  )

  private static let notOne = ShrinkingChallenge(
    "difference must not be one",
    "a number of 10 or more does not differ from a second one by 1",
    ideals: ["(10, 9)"],
    cases: 4000,
    of: positives,
    holds: { $0.0 < 10 || abs($0.0 - $0.1) != 1 }
  )

  private static let coupling = ShrinkingChallenge(
    "coupling",
    "numbers of a list that are indices of it never point at each other",
    ideals: ["[1, 0]"],
    of: Values<[Int]>.array(of: .int(in: 0...10)).filter { list in
      list.allSatisfy { $0 < list.count }
    },
    holds: { list in
      list.indices.allSatisfy { index in list[index] == index || list[list[index]] != index }
    }
  )

  private static let deletion = ShrinkingChallenge(
    "deletion",
    "a list without the first occurrence of an element has it no more",
    ideals: ["([0, 0], 0)"],
    of: Values<[Int]>.array(of: .int(), count: 1...16).flatMap { list in
      Values<Int>.element(of: list).map { (list, $0) }
    },
    holds: { list, element in
      var rest = list
      if let first = rest.firstIndex(of: element) { rest.remove(at: first) }
      return !rest.contains(element)
    }
  )

  private static let distinct = ShrinkingChallenge(
    "distinct",
    "a list has at most two distinct numbers",
    ideals: ["[0, 1, -1]", "[0, 1, 2]", "[0, -1, 1]"],
    of: Values<[Int]>.array(of: .int()),
    holds: { Set($0).count < 3 }
  )

  private static let nested = ShrinkingChallenge(
    "nested lists",
    "the lengths of lists have a sum of at most 10",
    ideals: ["[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"],
    of: Values<[[Int]]>.array(of: .array(of: .int())),
    holds: { $0.reduce(0) { $0 + $1.count } <= 10 }
  )

  // MARK: - Calculator

  private indirect enum Expression: Sendable {
    case number(Int)
    case sum(Expression, Expression)
    case quotient(Expression, Expression)

    /// Whether no divisor is written as the number 0.
    var isPlain: Bool {
      switch self {
      case .number: true
      case .quotient(_, .number(0)): false
      case .sum(let left, let right), .quotient(let left, let right):
        left.isPlain && right.isPlain
      }
    }

    /// - Throws: ``Broken`` where it divides by 0.
    func value() throws -> Int {
      switch self {
      case .number(let number): return number
      case .sum(let left, let right): return try left.value() &+ right.value()
      case .quotient(let left, let right):
        let divisor = try right.value()
        guard divisor != 0 else { throw Broken() }
        return try left.value().dividedReportingOverflow(by: divisor).partialValue
      }
    }
  }

  private static let calculator = ShrinkingChallenge(
    "calculator",
    "a term in which nothing is divided by a written 0 has a value",
    ideals: ["quotient(number(0), sum(number(0), number(0)))"],
    of: Values<Expression>.recursive(
      depth: 5,
      leaf: Values.int().map { .number($0) },
      branch: { term in
        let pair = Values<(Expression, Expression)>.tuple(term, term)
        return .oneOf(pair.map { .sum($0, $1) }, pair.map { .quotient($0, $1) })
      }
    ).filter { $0.isPlain },
    holds: { term in
      _ = try term.value()
      return true
    }
  )

  // MARK: - Binary heap

  private indirect enum Heap: Sendable {
    case empty
    case node(Int, Heap, Heap)

    /// The numbers, a node before what is below it.
    var numbers: [Int] {
      switch self {
      case .empty: []
      case .node(let head, let left, let right): [head] + left.numbers + right.numbers
      }
    }

    func merged(with other: Heap) -> Heap {
      guard case .node(let head, let left, let right) = self else { return other }
      guard case .node(let least, let low, let high) = other else { return self }
      return head <= least
        ? .node(head, right.merged(with: other), left) : .node(least, high.merged(with: self), low)
    }

    /// What is meant to be the numbers in their order, and takes the least but once.
    var badlySorted: [Int] {
      guard case .node(let head, let left, let right) = self else { return [] }
      return [head] + left.merged(with: right).numbers
    }

    static func atLeast(_ least: Int, depth: Int) -> Values<Heap> {
      guard depth > 0 else { return .constant(.empty) }
      return Values { source in
        guard source.flag(percent: 70) else { return .empty }
        let head = try source.draw(.int(in: least...max(least, 1000)))
        let below = atLeast(head, depth: depth - 1)
        return .node(head, try source.draw(below), try source.draw(below))
      }
    }
  }

  private static let heap = ShrinkingChallenge(
    "binary heap",
    "a sorting that looks for the least number but once is right",
    // Of all heaps that fail, none has fewer nodes, and of those with as many none has a smaller sum.
    ideals: [
      "node(0, empty, node(0, node(1, empty, empty), node(0, empty, empty)))",
      "node(0, node(1, empty, empty), node(0, node(0, empty, empty), empty))",
      "node(0, node(0, node(0, empty, empty), empty), node(1, empty, empty))",
      "node(0, node(0, node(1, empty, empty), node(0, empty, empty)), empty)",
    ],
    cases: 4000,
    of: Heap.atLeast(0, depth: 6),
    holds: { $0.badlySorted == $0.numbers.sorted() }
  )
}
