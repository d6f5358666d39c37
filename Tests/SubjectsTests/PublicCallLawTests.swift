import PropertyEngine
import TestSupport
import Testing

@testable import Subjects

@Suite("Laws of public calls")
struct PublicCallLawTests {
  @Test(
    "Every law holds for `Document`",
    arguments: PublicCallLaw.groups.flatMap(\.laws).map(\.name)
  )
  func holds(_ name: String) throws {
    let group = try #require(PublicCallLaw.groups.first { $0.laws.contains { $0.name == name } })
    var run = LawRun([group], on: ["document"], seed: Seed(value: 5))
    run.run(cases: 40, shrinkLimit: 100, failureLimit: 1)
    #expect(run.failures.isEmpty, "\(run.failures.values.map(\.difference.summary))")
    #expect(run.totals.caseCount == 40)
    #expect(run.totals.laws[name]?.held ?? 0 >= 20)
  }

  @Test(
    "A law draws no more than its samples have",
    arguments: PublicCallLaw.all.map(\.statement.name)
  )
  func overruns(_ name: String) throws {
    let law = try #require(PublicCallLaw.all.named([name]).first)
    let sampleCount = 300 / law.costs
    let overruns = try (0..<sampleCount).map { index in
      var choices = Choices(seed: Seed(value: 7).stream(UInt64(index)))
      return law.overrun(of: try law.lowered.draw(&choices))
    }
    // One sample of 100 may: some things that are drawn have no length that is certain.
    let longest = overruns.max() ?? 0
    #expect(
      100 * overruns.count(where: { $0 > 0 }) <= sampleCount,
      "\(name) has too small a count: \(longest) numbers are missing"
    )
  }

  @Test("A sample is a line of numbers; another text is refused")
  func text() throws {
    let form = SampleForm<DrawnNumbers>.publicCalls
    for index in 0..<50 as Range<UInt64> {
      var choices = Choices(seed: Seed(value: 7).stream(index))
      let numbers = DrawnNumbers(Int(index % 5), &choices)
      #expect(try form.parse(form.render(numbers)) == numbers)
      #expect(numbers.bytes.last != 0)
    }
    for text in ["numbers 256\n", "numbers 1\nnumbers 2\n", "put 1\n"] {
      #expect(throws: UnreadableLine.self) { try form.parse(text) }
    }
  }

  @Test("What a law calls is told for its sample, and says more than its numbers")
  func calls() throws {
    for law in PublicCallLaw.all {
      var choices = Choices(seed: Seed(value: 3).stream(1))
      let numbers = DrawnNumbers(40, &choices)
      #expect(law.calls(of: numbers) == law.calls(of: numbers))
    }
    let law = try #require(PublicCallLaw.all.named(["api.registers"]).first)
    let numbers = try #require(DrawnNumbers("numbers 1 0 2"))
    #expect(
      law.calls(of: numbers) == [
        "fd writes a document {list: [counter 1, 2], k: counter 1}; its copy is fc's",
        "fd puts 7 at \"k\"", "the copy increments \"k\"",
        "fd increments \"k\" and the list's start by 3",
      ]
    )
  }
}
