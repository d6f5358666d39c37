import PropertyEngine
import TestSupport
import Testing

@Suite("Laws and tallies")
struct LawTests {
  private struct Broken: Error {}

  private let law = Law(
    "test.verdicts",
    "Every verdict has a number.",
    source: .paper("none"),
    forAll: Generator<Int>.number(in: 0...3)
  ) { number in
    switch number {
    case 1: return Difference(kind: "one", summary: "it is 1", expected: "0", actual: "1")
    case 2: throw Skipped("2 has no law")
    case 3: throw Broken()
    default: return nil
    }
  }

  @Test("A check's result is its verdict")
  func verdicts() {
    #expect(law.verdict(of: 0) == .held)
    let difference = Difference(kind: "one", summary: "it is 1", expected: "0", actual: "1")
    #expect(law.verdict(of: 1) == .violated(difference))
    #expect(law.verdict(of: 2) == .skipped("2 has no law"))
    #expect(law.verdict(of: 3) == .errored("Broken()"))
    #expect(difference.description == "it is 1 [one]\n  expected: 0\n  found:    1")
  }

  @Test("Of two peers none is called expected or found, in words and in a case file")
  func peers() throws {
    let plain = Difference(kind: "one", summary: "it is 1", expected: "0", actual: "1")
    // Held against the law's own demand, one side is no peer.
    #expect(!plain.between(nil, "r1 later").ofPeers().isOfPeers)
    let peers = plain.between("r0", "r1 later").ofPeers()
    #expect(peers.description == "it is 1 [one]\n  r0:       0\n  r1 later: 1")
    #expect(peers.told(as: "it differs").isOfPeers)
    var file = CaseFile(
      law: "a.law",
      subjects: ["naive"],
      kind: "one",
      seed: nil,
      choices: [],
      sampleFormat: FormName("history", version: 1),
      sample: ""
    )
    for difference in [peers, plain] {
      file.set(difference)
      let read = try CaseFile.parse(file.render())
      #expect(read.difference("it is 1", kind: "one") == difference)
      #expect(read[.expectedSide] == (difference.isOfPeers ? "r0" : nil))
      #expect(read[.actualSide] == (difference.isOfPeers ? "r1 later" : nil))
    }
  }

  @Test("A law that demands answers is violated by what its check throws")
  func demandedAnswers() {
    let strict = law.demandingAnswers()
    for sample in 0..<3 { #expect(strict.verdict(of: sample) == law.verdict(of: sample)) }
    guard case .violated(let found) = strict.verdict(of: 3) else {
      Issue.record("what is thrown is no violation")
      return
    }
    #expect(found.kind == "call.refused" && found.summary.hasSuffix(": Broken()"))
  }

  @Test("Failures are the same by kind, and errors by their text before the values")
  func sameFailure() {
    func violated(_ kind: String, _ summary: String) -> Verdict {
      .violated(Difference(kind: kind, summary: summary))
    }
    #expect(violated("a", "x").isSameFailure(as: violated("a", "y")))
    #expect(!violated("a", "x").isSameFailure(as: violated("b", "x")))
    #expect(Verdict.errored("no key 4").isSameFailure(as: .errored("no key 17 here")))
    #expect(!Verdict.errored("no key 4").isSameFailure(as: .errored("no list 4")))
    #expect(!Verdict.errored("a").isSameFailure(as: violated("a", "a")))
    #expect(!Verdict.held.isSameFailure(as: .held))
    #expect(!Verdict.skipped("a").isSameFailure(as: .skipped("a")))
    let known = Verdict.known(Difference(kind: "a", summary: "x"), reason: "listed")
    #expect(!known.isSameFailure(as: violated("a", "x")))
  }

  @Test("A law that holds is counted, case by case")
  func counts() throws {
    let holding = Law(
      "test.holds",
      "Odd numbers do not count.",
      source: .paper("none"),
      forAll: Generator<Int>.number(in: 0...99)
    ) { number in
      if number % 2 == 1 { throw Skipped("odd") }
      return nil
    }
    let outcome = try checkLaw(holding, seed: 4, cases: 1_000)
    #expect(outcome.failure == nil)
    #expect(outcome.heldCount + outcome.skippedCount == 1_000)
    #expect((400...600).contains(outcome.skippedCount))
    #expect(try checkLaw(holding, seed: 4, cases: 0).heldCount == 0)
    #expect(try checkLaw(holding, seed: 4, cases: -1).heldCount == 0)
  }

  @Test("A failure is told with law, seed, case, choices and sample, and can be replayed")
  func failure() throws {
    let failing = Law(
      "test.small",
      "No number is 50 or more.",
      source: .paper("none"),
      forAll: Generator<Int>.number(in: 0...99)
    ) { number in
      number >= 50 ? Difference(kind: "large", summary: "\(number) is large") : nil
    }
    let outcome = try checkLaw(failing, seed: 4, cases: 1_000)
    let failure = try #require(outcome.failure)
    #expect(failure.sample == 50)
    #expect(failure.verdict == .violated(Difference(kind: "large", summary: "50 is large")))
    #expect(outcome.heldCount == failure.caseIndex)
    var again = Choices(seed: Seed(4).stream(UInt64(failure.caseIndex)))
    #expect(try failing.draw(&again) >= 50)
    #expect(again.recordedValues == failure.original)
    #expect(
      outcome.description == """
        test.small: \(failure.caseIndex) held, 0 skipped, then violated: 50 is large [large]
        seed: 0x4, case \(failure.caseIndex)
        choices: [50], after \(failure.shrunk.steps) steps, from 1 choices
        sample: 50
        """
    )
    #expect(try checkLaw(failing, seed: 4, cases: 1_000).description == outcome.description)
  }

  @Test("An error is shrunk like a violation")
  func shrinksErrors() throws {
    let failing = Law(
      "test.errors",
      "Nothing above 20 goes through.",
      source: .paper("none"),
      forAll: Generator<Int>.number(in: 0...99)
    ) { number in
      if number > 20 { throw Broken() }
      return nil
    }
    let failure = try #require(try checkLaw(failing, seed: 1, cases: 100).failure)
    #expect(failure.sample == 21)
    #expect(failure.verdict == .errored("Broken()"))
  }

  @Test("A waypoint is required once a run misses it less than once in a million")
  func required() {
    for perThousand in 1...1000 {
      let count = Waypoint("met", "They met.", perThousand: perThousand).requiredFrom
      // A chance p misses n times with at most e^-pn; e^14 is 1,202,604.
      #expect(count * perThousand >= 14_000)
      #expect((count - 1) * perThousand < 14_000)
    }
  }

  @Test("Tallies add up in any order, and are listed by name")
  func tallies() {
    let healed = Waypoint("network.healed", "A partition healed.")
    let lost = Waypoint("network.lost", "A message was lost.")
    var left = Tally()
    #expect(left.isEmpty)
    left.add("b")
    left.add("a", 3)
    left.add(healed)
    var right = Tally()
    right.add("b", 4)
    right.add("c", 0)
    right.add("big", .max)
    right.add("big")
    var both = left
    both.merge(right)
    var reversed = right
    reversed.merge(left)
    #expect(both == reversed)
    #expect(both.entries.map(\.name) == ["a", "b", "big", "c", "network.healed"])
    #expect(both.entries.map(\.count) == [3, 5, .max, 0, 1])
    #expect(both["b"] == 5)
    #expect(both["nothing"] == 0)
    #expect([lost, healed].filter { both[$0.name] == 0 } == [lost])
  }

  @Test("Nothing happens fewer than zero times")
  func tallyTraps() async {
    await #expect(processExitsWith: .failure) {
      var tally = Tally()
      tally.add("a", -1)
    }
  }
}

extension Verdict {
  /// Whether both are failures of one class: violations of one kind, or alike errors.
  fileprivate func isSameFailure(as other: Verdict) -> Bool {
    guard let own = Finding(law: "", self), let other = Finding(law: "", other) else {
      return false
    }
    return own.isSameFailure(as: other)
  }
}
