import PropertyEngine
import TestSupport
import Testing

/// Numbers of a list, each in a span with its "another?".
private func numbers(upTo limit: Int, listOf count: Int = 60) -> Generator<[Int]> {
  Generator<Int>.number(in: 0...limit).array(count: 0...count, averaging: count / 2)
}

/// Numbers of a list whose length is drawn first, each in a span.
private func countedNumbers(upTo limit: Int, spans hasSpans: Bool) -> Generator<[Int]> {
  Generator { choices in
    let count = choices.number(in: 0...40)
    return (0..<count).map { _ in
      hasSpans
        ? choices.span("number") { $0.number(in: 0...limit) } : choices.number(in: 0...limit)
    }
  }
}

private indirect enum Tree: Hashable, Sendable {
  case leaf(Int)
  case node([Tree])

  var depth: Int {
    switch self {
    case .leaf: 1
    case .node(let children): 1 + (children.map(\.depth).max() ?? 0)
    }
  }

  var leaves: [Int] {
    switch self {
    case .leaf(let number): [number]
    case .node(let children): children.flatMap(\.leaves)
    }
  }

  static func draw(_ choices: inout Choices, depthLimit: Int) -> Tree {
    choices.span("tree") { choices in
      guard depthLimit > 1, choices.flag(percent: 80) else {
        return .leaf(choices.number(in: 0...100))
      }
      var children: [Tree] = []
      choices.repeated(upTo: 4, averaging: 2, "child") {
        children.append(draw(&$0, depthLimit: depthLimit - 1))
      }
      return .node(children)
    }
  }

  static let any = Generator { draw(&$0, depthLimit: 9) }
}

/// Finds a failing case in the first thousand of a seed and returns the shrunk sample.
private func minimum<Sample>(
  of samples: Generator<Sample>,
  seed: Seed = 1,
  _ fails: @escaping @Sendable (Sample) -> Bool
) throws -> (sample: Sample, result: ShrinkResult) {
  let law = Law("test.minimum", "No sample fails.", source: .paper("none"), forAll: samples) {
    fails($0) ? Difference(kind: "test", summary: "fails") : nil
  }
  let failure = try #require(try checkLaw(law, seed: seed, cases: 1_000).failure)
  #expect(failure.shrunk.ending == .finished)
  return (failure.sample, failure.shrunk)
}

@Suite("Shrinking ends at exact minima")
struct ShrinkerMinimaTests {
  @Test(
    "What cancels out goes together, also with what fails between",
    arguments: [1, 2, 3, 4, 5] as [Seed]
  )
  func pairsGoTogether(seed: Seed) throws {
    let (sample, _) = try minimum(of: numbers(upTo: 3, listOf: 12), seed: seed) { sample in
      func count(_ number: Int) -> Int { sample.count { $0 == number } }
      return count(1) == count(2) && count(3) == 1
    }
    #expect(sample == [3])
  }

  @Test("The smallest list with a duplicate is two zeros", arguments: [1, 2, 3] as [Seed])
  func duplicate(seed: Seed) throws {
    let list = try minimum(of: numbers(upTo: 200), seed: seed) { Set($0).count < $0.count }
    #expect(list.sample == [0, 0])
  }

  @Test("The smallest tree of depth 3 is a chain", arguments: [1, 2, 3, 4, 5] as [Seed])
  func treeOfDepthThree(seed: Seed) throws {
    let tree = try minimum(of: Tree.any, seed: seed) { $0.depth >= 3 }
    #expect(tree.sample == .node([.node([.leaf(0)])]))
  }

  @Test("A leaf deep in a tree moves to the top", arguments: [1, 2, 3, 4, 5] as [Seed])
  func innerSpan(seed: Seed) throws {
    let tree = try minimum(of: Tree.any, seed: seed) { $0.leaves.contains { $0 >= 42 } }
    #expect(tree.sample == .leaf(42))
    #expect(tree.result.values == [0, 42])
  }

  @Test("Two numbers with a sum of 100 or more leave all of it to the later one")
  func sumOfTwo() throws {
    let one = Generator<Int>.number(in: 0...1_000)
    let pair = try minimum(of: one.zip(one)) { $0 + $1 >= 100 }
    #expect(pair.sample == (0, 100))
    let narrow = Generator<Int>.number(in: 0...60)
    let tight = try minimum(of: narrow.zip(narrow)) { $0 + $1 >= 100 }
    #expect(tight.sample == (40, 60))
  }

  @Test("A list with a sum of 100 or more is one number")
  func sumOfList() throws {
    #expect(try minimum(of: numbers(upTo: 1_000)) { $0.reduce(0, +) >= 100 }.sample == [100])
    #expect(try minimum(of: numbers(upTo: 40)) { $0.reduce(0, +) >= 100 }.sample == [20, 40, 40])
  }

  @Test("The smallest unsorted list is one and zero")
  func unsorted() throws {
    let list = try minimum(of: numbers(upTo: 1_000)) { $0 != $0.sorted() }
    #expect(list.sample == [1, 0])
  }

  @Test("A list with a 7 in it is a 7, however its length is drawn")
  func containsSeven() throws {
    #expect(try minimum(of: numbers(upTo: 10)) { $0.contains(7) }.sample == [7])
    let counted = countedNumbers(upTo: 10, spans: true)
    #expect(try minimum(of: counted) { $0.contains(7) }.sample == [7])
    let bare = countedNumbers(upTo: 10, spans: false)
    #expect(try minimum(of: bare) { $0.contains(7) }.sample == [7])
  }

  @Test("Three that must stay in a counted list stay, in order of size")
  func countedThree() throws {
    for hasSpans in [true, false] {
      let counted = countedNumbers(upTo: 1_000, spans: hasSpans)
      let list = try minimum(of: counted) { $0.filter { $0 >= 500 }.count >= 3 }
      #expect(list.sample == [500, 500, 500])
    }
  }

  @Test("Equal numbers stay equal while they go down, two of them or three")
  func equal() {
    // By hand: the seeded source does not draw one large number twice.
    let number = Generator<Int>.number(in: 0...1_000_000)
    let samples = number.zip(Generator<Int>.number(in: 0...9)).zip(number)
    let shrinker = shrinker(from: [654_321, 7, 654_321], samples)
    let result = shrinker.run { values in
      attempt(values, samples) { $0.0.0 == $0.1 && $0.1 >= 1_000 && $0.0.1 > 2 }
    }
    #expect(result.values == [1_000, 3, 1_000])
    let three = number.array(count: 3...3)
    let shrinkerOfThree = PropertyEngineTests.shrinker(from: [50_000, 50_000, 50_000], three)
    let equal = shrinkerOfThree.run { values in
      attempt(values, three) { Set($0).count == 1 && $0[0] >= 1_000 }
    }
    #expect(equal.values == [1_000, 1_000, 1_000])
  }

  @Test("Two numbers keep their difference while they go down")
  func difference() throws {
    let two = Generator { ($0.number(in: 0...1_000_000), $0.number(in: 0...1_000_000)) }
    let shrinker = shrinker(from: [5_003, 5_000], two)
    let result = shrinker.run { values in attempt(values, two) { $0.0 == $0.1 + 3 } }
    #expect(result.values == [3, 0])
  }

  @Test("The smallest even number from 1,001 up is found past the odd ones")
  func even() throws {
    let number = Generator<Int>.number(in: 0...1_000_000)
    #expect(try minimum(of: number) { $0.isMultiple(of: 2) && $0 > 1_000 }.sample == 1_002)
  }

  @Test("The number of an alternative among many is found though no arithmetic leads to it")
  func alternativeAmongMany() {
    let kind = Generator<Int>.number(in: 0...30)
    let shrinker = shrinker(from: [14], kind)
    #expect(shrinker.run { attempt($0, kind) { $0 == 14 || $0 == 3 } }.values == [3])
  }

  @Test("A number that goes down by one together with a deletion is not counted down")
  func notCountedDown() {
    let two = Generator { ($0.number(in: 0...2_000_000), $0.number(in: 0...9)) }
    let shrinker = shrinker(from: [1_000_000, 5], two)
    let result = shrinker.run { values in
      attempt(values, two) {
        $0 == (1_000_000, 5) || $0.1 == 0 && (1001..<1_000_000).contains($0.0)
      }
    }
    #expect(result.values == [1001, 0])
    #expect(result.steps < 200, "\(result.steps)")
  }

  @Test("Numbers that only go together become zeros together")
  func zeroSpan() {
    let samples = Generator { choices in
      let together = choices.span("three") { choices in
        (0..<3).map { _ in choices.number(in: 0...99) }
      }
      return (together, choices.number(in: 0...99))
    }
    let shrinker = shrinker(from: [5, 17, 40, 60], samples)
    let result = shrinker.run { values in
      attempt(values, samples) { ($0.0 == [5, 17, 40] || $0.0 == [0, 0, 0]) && $0.1 >= 30 }
    }
    #expect(result.values == [0, 0, 0, 30])
  }

  @Test("Choices that lie in no span are deleted, too")
  func bareChoices() {
    let untilZero = Generator { choices in
      var numbers: [Int] = []
      while true {
        let number = choices.number(in: 0...99)
        if number == 0 { return numbers }
        numbers.append(number)
      }
    }
    let shrinker = shrinker(from: [9, 1, 1, 1, 42, 1, 1], untilZero)
    let result = shrinker.run { values in
      attempt(values, untilZero) { $0.first == 9 && $0.contains(42) }
    }
    #expect(result.values == [9, 42, 0])
  }

  @Test("Siblings that may stand in any order are sorted, all of them or neighbours")
  func sorts() {
    let one = Generator<Int>.number(in: 0...9)
    let pairs = one.zip(one).map { [$0, $1] }.array(count: 3...3)
    let start: [UInt32] = [9, 9, 3, 1, 1, 8]
    let free = shrinker(from: start, pairs)
    let sorted = free.run { attempt($0, pairs) { Set($0) == [[9, 9], [3, 1], [1, 8]] } }
    #expect(sorted.values == [1, 8, 3, 1, 9, 9])
    let bound = shrinker(from: start, pairs)
    let behind = bound.run { values in
      attempt(values, pairs) { Set($0) == [[9, 9], [3, 1], [1, 8]] && $0.first == [9, 9] }
    }
    #expect(behind.values == [9, 9, 1, 8, 3, 1])
  }

  @Test("Where anything fails, one attempt finds the simplest sample")
  func anything() {
    let samples = numbers(upTo: 9)
    let shrinker = shrinker(from: (0..<80).map { _ in 1 }, samples)
    let result = shrinker.run { attempt($0, samples) { _ in true } }
    #expect(result.values == [0])
    #expect(result.steps == 1)
    let bare = Generator { choices in (0..<5).map { _ in choices.number(in: 0...99) } }
    let bareShrinker = PropertyEngineTests.shrinker(from: [50, 60, 70, 80, 90], bare)
    let zeros = bareShrinker.run { attempt($0, bare) { _ in true } }
    #expect(zeros.values == [0, 0, 0, 0, 0])
    #expect(zeros.steps == 1)
  }

  @Test("An alternative that draws less replaces one that draws more")
  func alternative() throws {
    let steps = Generator { choices in
      var steps: [String] = []
      choices.repeated(upTo: 30, averaging: 12, "step") { choices in
        switch choices.pick(weights: [1, 1, 3]) {
        case 0: steps.append("nothing")
        case 1: steps.append("delete \(choices.index(below: 20))")
        default:
          steps.append("put \(choices.index(below: 20)) \(choices.number(in: 0...99))")
        }
      }
      return steps
    }
    let shrunk = try minimum(of: steps) { $0.count { $0 != "nothing" } >= 2 }
    #expect(shrunk.sample == ["delete 0", "delete 0"])
  }

  /// Steps of several replicas, as a history has them.
  private enum Step: Hashable, Sendable {
    case put(replica: Int, key: Int, value: Int)
    case delete(replica: Int, key: Int)
    case merge(into: Int, from: Int)
    case note(replica: Int, String)
  }

  private static let history = Generator { choices in
    let replicaCount = choices.number(in: 2...5)
    var steps: [Step] = []
    choices.repeated(upTo: 120, averaging: 90, "step") { choices in
      let replica = choices.index(below: replicaCount)
      switch choices.index(below: 4) {
      case 0:
        let value = choices.number(in: 0...1_000_000, bias: .small)
        steps.append(.put(replica: replica, key: choices.index(below: 8), value: value))
      case 1: steps.append(.delete(replica: replica, key: choices.index(below: 8)))
      case 2: steps.append(.merge(into: replica, from: choices.index(below: replicaCount)))
      default:
        let text = Generator.hostileText(unicodeScalarsUpTo: 8, long: false)
        steps.append(.note(replica: replica, text.draw(&choices)))
      }
    }
    return steps
  }

  /// Whether a put, a delete of its key by another replica and a merge of the two follow.
  private static func hasTie(_ steps: [Step]) -> Bool {
    for (index, step) in steps.enumerated() {
      guard case .put(let putter, let key, let value) = step, value >= 17 else { continue }
      var deleters: Set<Int> = []
      for later in steps[(index + 1)...] {
        if case .delete(let replica, key) = later, replica != putter { deleters.insert(replica) }
        guard case .merge(let left, let right) = later else { continue }
        if left == putter && deleters.contains(right) { return true }
        if right == putter && deleters.contains(left) { return true }
      }
    }
    return false
  }

  @Test("One cause ends at one minimum, whatever the seed", arguments: 1...12)
  func canonical(seed: Int) throws {
    let seed = Seed(value: UInt64(seed))
    let shrunk = try minimum(of: Self.history, seed: seed) { Self.hasTie($0) }
    #expect(
      shrunk.sample == [
        .put(replica: 0, key: 0, value: 17),
        .delete(replica: 1, key: 0),
        .merge(into: 0, from: 1),
      ]
    )
    #expect(shrunk.result.steps < 600)
  }
}

/// A shrinker that starts from the sample of these values.
private func shrinker<Sample>(
  from values: [UInt32],
  _ samples: Generator<Sample>,
  stepLimit: Int = 10_000
) -> Shrinker {
  var choices = Choices(replaying: values)
  _ = samples.draw(&choices)
  return Shrinker(failing: choices.recorded, spans: choices.spans, stepLimit: stepLimit)
}

private func attempt<Sample>(
  _ values: [UInt32],
  _ samples: Generator<Sample>,
  _ fails: (Sample) -> Bool
) -> ShrinkAttempt {
  var choices = Choices(replaying: values)
  let sample = samples.draw(&choices)
  return ShrinkAttempt(choices, fails: fails(sample))
}

@Suite("Shrinking is bounded, resumable and true to its failure")
struct ShrinkerConductTests {
  /// A list whose failure needs three numbers far apart, and 400 choices to start from.
  private static let large = numbers(upTo: 5_000, listOf: 200)
  private static let start: [UInt32] = (0..<200).flatMap { [1, UInt32($0 * 24)] }

  private static func fails(_ list: [Int]) -> Bool {
    list.contains { $0 >= 4_000 } && list.contains { (1_500..<3_000).contains($0) }
      && list.count { $0 < 1_500 } >= 2
  }

  @Test("400 choices shrink to the minimum in a few hundred attempts")
  func cost() {
    let shrinker = shrinker(from: Self.start, Self.large)
    let result = shrinker.run { attempt($0, Self.large, Self.fails) }
    #expect(result.values == [1, 0, 1, 0, 1, 1_500, 1, 4_000, 0])
    #expect(result.ending == .finished)
    #expect(result.steps < 400)
  }

  @Test("An interrupted run ends with the best so far")
  func interruption() {
    var rest = 20
    let result = shrinker(from: Self.start, Self.large).run {
      rest -= 1
      return attempt($0, Self.large, Self.fails)
    } shouldStop: {
      rest == 0
    }
    #expect(result.ending == .interrupted)
    #expect(result.steps == 20)
    #expect(result.values.count < Self.start.count)
  }

  @Test("A limit of steps ends it with the best so far")
  func limit() {
    let result = shrinker(from: Self.start, Self.large, stepLimit: 20).run {
      attempt($0, Self.large, Self.fails)
    }
    #expect(result.ending == .stepLimit)
    #expect(result.steps == 20)
    #expect(result.values.count < Self.start.count)
  }

  @Test("No candidate is run twice, nor one that was recorded before", arguments: 1...5)
  func runsNothingTwice(seed: Int) throws {
    let steps = Generator { choices in
      var sum = 0
      choices.repeated(upTo: 40, averaging: 20, "step") { choices in
        let kind = choices.index(below: 4)
        for _ in 0..<kind { sum += choices.number(in: 0...50) }
      }
      return sum
    }
    var choices = Choices(seed: Seed(value: UInt64(seed)))
    _ = steps.draw(&choices)
    // A last step that is large enough, whatever the others came to.
    choices = Choices(replaying: choices.recordedValues.dropLast() + [1, 3, 50, 50, 50])
    try #require(steps.draw(&choices) >= 120)
    var seen: Set<[UInt32]> = [choices.recordedValues]
    var repetitions = 0
    var attempts = 0
    let shrinker = Shrinker(failing: choices.recorded, spans: choices.spans, stepLimit: 10_000)
    let result = shrinker.run { values in
      attempts += 1
      if seen.contains(values) { repetitions += 1 }
      let result = attempt(values, steps) { $0 >= 120 }
      seen.insert(values)
      seen.insert(result.recorded.map(\.value))
      return result
    }
    #expect(repetitions == 0)
    #expect(attempts == result.steps)
    #expect(attempts > 20)
    var again = Choices(replaying: result.values)
    #expect(steps.draw(&again) == 120)
  }

  @Test("The kind of the failure is kept though another one is smaller")
  func keepsKind() throws {
    let law = Law(
      "test.two-failures",
      "No list is long and no number is large.",
      source: .paper("none"),
      forAll: numbers(upTo: 1_000)
    ) { list in
      if list.contains(where: { $0 >= 990 }) {
        return Difference(kind: "large", summary: "a large number")
      }
      return list.count >= 2 ? Difference(kind: "long", summary: "\(list.count) numbers") : nil
    }
    var kinds: [String: [[Int]]] = [:]
    for seed in 1...40 {
      let failure = try #require(
        try checkLaw(law, seed: Seed(value: UInt64(seed)), cases: 50).failure
      )
      guard case .violated(let difference) = failure.verdict else {
        Issue.record("\(failure.verdict)")
        continue
      }
      kinds[difference.kind, default: []].append(failure.sample)
    }
    #expect(Set(kinds["large"] ?? []) == [[990]])
    #expect(Set(kinds["long"] ?? []) == [[0, 0]])
  }

  @Test("Spans outside the choices do no harm")
  func strangeSpans() {
    let recorded = [Choice(value: 5, limit: 9), Choice(value: 6, limit: 9)]
    let spans = [
      ChoiceSpan(label: "a", start: -3, end: 1, depth: 0),
      ChoiceSpan(label: "a", start: 1, end: 0, depth: 7),
      ChoiceSpan(label: "a", start: 0, end: 99, depth: 1),
      ChoiceSpan(label: "a", start: 1, end: 2, depth: -5),
      ChoiceSpan(label: "a", start: 0, end: 2, depth: 3),
      ChoiceSpan(label: "a", start: 0, end: 1, depth: 3),
    ]
    let shrinker = Shrinker(failing: recorded, spans: spans, stepLimit: 1_000)
    let result = shrinker.run { values in
      let recorded = values.map { Choice(value: $0, limit: 9) }
      return ShrinkAttempt(recorded: recorded, spans: spans, fails: values.contains(6))
    }
    #expect(result.values == [6])
  }
}
