import Mutants
import PropertyEngine
import Reporting
import Testing

@testable import SelfTests

/// A mutant of `text`, on one line of a file.
private func mutant(
  _ file: String,
  line: Int,
  column: Int = 1,
  operator: SourceMutant.Operator = .boundary,
  offset: Int = 0,
  right: String = "a < b",
  wrong: String = "a <= b",
  scope: Range<Int> = 0..<5
) -> SourceMutant {
  SourceMutant(
    file: file,
    line: line,
    column: column,
    operator: `operator`,
    form: .expression,
    offset: offset,
    right: right,
    wrong: wrong,
    sourceLine: right,
    scope: scope
  )
}

@Suite("Parts of the package that mutants are drawn of")
struct MutantTargetTests {
  @Test(
    "Each part is held to the laws of some subject, and to those that its planted bugs break",
    arguments: SourcePatch.Target.allCases
  )
  func checked(_ target: SourcePatch.Target) throws {
    #expect(!target.modules.isEmpty)
    #expect(try !PatchSuite(checked: target).laws.isEmpty)
    // Whether a subject answers at all is seen on any law.
    let own = Set(try PatchSuite(target).laws.map(\.name)).union([FailureKey.answers])
    for patch in sourcePatches where patch.target == target {
      #expect(own.contains(patch.law), "\(patch.id)")
    }
  }
}

@Suite("Samples of mutants")
struct MutantSampleTests {
  private let all = (1...300).flatMap { line in
    let file = line <= 200 ? "Sources/A/a.swift" : "Sources/B/b.swift"
    return [SourceMutant.Operator.boundary, .comparison].map {
      mutant(file, line: line, operator: $0)
    }
  }

  @Test("The same seed draws the same sample, another one another")
  func isDeterministic() {
    let sample = mutantSample(of: all, count: 30, seed: 1)
    #expect(sample == mutantSample(of: all.reversed(), count: 30, seed: 1))
    #expect(sample != mutantSample(of: all, count: 30, seed: 2))
  }

  @Test("Each module gives as many, and each place one mutant")
  func isStratified() {
    let sample = mutantSample(of: all, count: 30, seed: 7)
    #expect(sample.count == 30)
    #expect(sample.count { $0.module == "A" } == 15)
    #expect(Set(sample.map(\.line)).count == 30)
    #expect(Set(sample.map(\.operator)).count == 2)
  }

  @Test("No more is drawn than there are places")
  func isBounded() {
    #expect(mutantSample(of: all, count: 10_000, seed: 1).count == 300)
    #expect(mutantSample(of: [], count: 10, seed: 1).isEmpty)
  }
}

@Suite("What the compiler refuses")
struct RefusedMutantsTests {
  @Test("Errors are read with their places, each once")
  func reads() {
    let log = """
      [1/4] Compiling A b.swift
      /x/Sources/A/b.swift:3:9: error: cannot convert value of type 'Int' to 'String'
      3 | let a = b
        |         `- error: cannot convert value of type 'Int' to 'String'
      /x/Sources/A/b.swift:3:9: error: cannot convert value of type 'Int' to 'String'
      /x/Sources/A/b.swift:4:1: warning: unused
      error: fatalError
      <unknown>:0: error: no place
      /x/c: d.swift:10:2: error: a: error: b
      """
    let errors = CompilerError.list(log)
    #expect(errors.map(\.line) == [3, 10])
    #expect(errors.map(\.column) == [9, 2])
    #expect(errors.first?.file == "/x/Sources/A/b.swift")
    #expect(errors.last?.file == "/x/c: d.swift")
    #expect(errors.last?.message == "a: error: b")
  }

  private static let text = "f(a < b)\ng(c < d)\nh()\n"
  private static let sample = [
    mutant("Sources/A/a.swift", line: 1, offset: 2, scope: 0..<8),
    mutant(
      "Sources/A/a.swift",
      line: 2,
      offset: 11,
      right: "c < d",
      wrong: "c <= d",
      scope: 9..<17
    ),
  ]

  @Test(
    "An error is that of the choice around it, else of its function, else of its file",
    arguments: [(1, 12, [0]), (2, 20, [1]), (2, 1, [1]), (1, 1, [0]), (3, 1, [0, 1])]
  )
  func finds(_ line: Int, _ column: Int, _ expected: [Int]) {
    let choices = Self.sample.enumerated().map { $1.choice(number: UInt64($0 + 1)) }
    let texts = ["Sources/A/a.swift": ChoiceText(Self.text, choices)]
    for folder in ["/x/Sources", "/x/Sources/TightA"] {
      let errors = CompilerError.list("\(folder)/A/a.swift:\(line):\(column): error: no")
      let found = RefusedMutants(Self.sample, texts).positions(of: errors, among: [0, 1])
      #expect(found.sorted() == expected)
    }
    let elsewhere = CompilerError.list("/x/Sources/B/a.swift:1:12: error: no")
    #expect(RefusedMutants(Self.sample, texts).positions(of: elsewhere, among: [0, 1]).isEmpty)
  }
}

@Suite("The score of a sample")
struct MutationScoreTests {
  private func row(
    _ operator: String,
    _ end: MutationScore.End,
    _ seconds: Double?,
    module: String = "A"
  ) -> MutationScore.Row {
    MutationScore.Row(
      id: "\(module)/a.swift:1:1:\(`operator`)",
      module: module,
      operator: `operator`,
      sourceLine: "if a < b {",
      change: "a < b -> a <= b",
      end: end,
      law: nil,
      summary: nil,
      cases: 1,
      seconds: seconds
    )
  }

  @Test("Shares are told by time, module and operator")
  func tells() {
    let score = MutationScore(
      seed: "0x1",
      secondsLimit: 20,
      candidates: ["A": 300, "B": 100],
      equivalents: 2,
      uncompiled: 1,
      rows: [
        row("boundary", .killed, 0.5), row("boundary", .unnoticed, nil),
        row("constant", .trapped, 5), row("constant", .hung, 12),
        row("early", .unreached, nil, module: "B"),
      ]
    )
    #expect(score.percent == 56.25)
    #expect(
      score.table == """
        |  | mutants | within 1 s | within 10 s | within 20 s | trapped | hung | not noticed \
        | not reached |
        |:--|--:|--:|--:|--:|--:|--:|--:|--:|
        | all, weighted by module | 5 | 18.8 % | 37.5 % | 56.3 % | 1 | 1 | 1 | 1 |
        | `A` | 4 | 25.0 % | 50.0 % | 75.0 % | 1 | 1 | 1 | 0 |
        | `B` | 1 | 0.0 % | 0.0 % | 0.0 % | 0 | 0 | 0 | 1 |
        | boundary | 2 | 50.0 % | 50.0 % | 50.0 % | 0 | 0 | 1 | 0 |
        | constant | 2 | 0.0 % | 50.0 % | 100.0 % | 1 | 1 | 0 | 0 |
        | early | 1 | 0.0 % | 0.0 % | 0.0 % | 0 | 0 | 0 | 1 |
        """
    )
    #expect(
      score.survivorLines.filter { !$0.hasPrefix(" ") } == [
        "A/a.swift:1:1:boundary: reached, not noticed", "B/a.swift:1:1:early: not reached",
      ]
    )
  }
}
