import JSONOracle
import ModelGeneration
import ModelZoo
import Mutants
import NaiveCoder
import PropertyEngine
import TestSupport
import Testing

@testable import CodingLaws

@Suite("The catalogue of coders' laws")
struct CatalogueTests {
  static let pool = ModelPool(
    ModelZoo.models(text: NaiveText.self, counter: NaiveCounter.self)
  )

  /// The verdicts of a law on a subject, case after case, until one is a violation.
  static func run(
    _ law: CodingLaw,
    _ subject: any CoderSubject,
    cases: Int,
    seed: Seed = 1
  ) throws -> (held: Int, failure: (sample: CodingSample, verdict: Verdict)?) {
    var held = 0
    for index in 0..<cases {
      var choices = Choices(seed: seed.stream(UInt64(index)))
      guard let sample = try? law.sample(on: pool, &choices) else { continue }
      let verdict = law.judgement(on: sample, subject: subject, pool: pool).verdict
      switch verdict {
      case .held: held += 1
      case .skipped: continue
      default: return (held, (sample, verdict))
      }
    }
    return (held, nil)
  }

  @Test("Every law's name is well formed and its own, and there are at least 30")
  func names() {
    let names = CodingLaw.all.map(\.name)
    #expect(names.count >= 30)
    #expect(Set(names).count == names.count)
    for name in names { #expect(lawNameProblem(name) == nil) }
    #expect(Set(coderMutants.map(\.id)).count == coderMutants.count)
  }

  @Test(
    "The naive coder obeys every law that speaks of it",
    arguments: CodingLaw.all.filter { $0.reasonToSkip(NaiveCoder()) == nil }
  )
  func specificationHolds(law: CodingLaw) throws {
    // The specification takes half a second to make a document of 512 levels.
    // Few models have elements that another identity makes others, or that hold scalars alone.
    let special = ["depth.refused": 4, "list.other-identity": 200, "list.fewest-in-structs": 200]
    let cases = special[law.name] ?? 40
    let (held, failure) = try Self.run(law, NaiveCoder(), cases: cases)
    if let failure { Issue.record("\(law.name): \(failure.verdict)\n\(failure.sample.text)") }
    #expect(held > 0, "\(law.name) never applied")
  }

  /// Laws whose numbers are a list of any length, in which the first one also chooses something else.
  private static let mayLackNumbers: Set = ["reencode.over-other-forms", "reference.shared"]

  @Test(
    "A law's samples have the numbers that its check asks for",
    arguments: CodingLaw.all.filter {
      $0.reasonToSkip(NaiveCoder()) == nil && !mayLackNumbers.contains($0.name)
    }
  )
  func numbersSuffice(law: CodingLaw) throws {
    for index in 0..<(law.name == "depth.refused" ? 4 : 60) {
      var choices = Choices(seed: Seed(value: 6).stream(UInt64(index)))
      guard var sample = try? law.sample(on: Self.pool, &choices) else { continue }
      let missing = MissingNumbers()
      sample.missingNumbers = missing
      _ = law.judgement(on: sample, subject: NaiveCoder(), pool: Self.pool)
      #expect(missing.count == 0, "\(law.name) has too few numbers\n\(sample.text)")
    }
  }

  @Test("A sample's text is read back as it was", arguments: CodingLaw.all)
  func sampleText(law: CodingLaw) throws {
    for index in 0..<5 {
      var choices = Choices(seed: Seed(value: 5).stream(UInt64(index)))
      guard let sample = try? law.sample(on: Self.pool, &choices) else { continue }
      #expect(try CodingSample(text: sample.text) == sample)
    }
  }

  @Test(
    "Elements that are alike once they are stored count as alike",
    arguments: ["list.remove-one", "merge.remove-and-edit", "list.edit-one", "list.other-identity"]
  )
  func alikeAsStored(name: String) throws {
    let law = try #require(CodingLaw.all.first { $0.name == name })
    // A document keeps the second of a date: both elements hold the same there.
    let sample = try CodingSample(
      text: #"""
        {
          "model": "Payloads",
          "numbers": [int 0, int 0, int 0],
          "trees": [],
          "values": [
            {
              "payload": {"when": {"_0": date 0.0}},
              "payloads": [{"when": {"_0": date 0.0}}, {"when": {"_0": date 0.001}}]
            }
          ]
        }
        """#
    )
    let verdict = law.judgement(on: sample, subject: NaiveCoder(), pool: Self.pool).verdict
    guard case .skipped("there is no list of two maps") = verdict else {
      Issue.record("\(name): \(verdict)")
      return
    }
  }

  @Test("The naive coder is asked all laws but those of JSON")
  func specificationIsAsked() {
    let others = CodingLaw.all.filter { $0.reasonToSkip(NaiveCoder()) != nil }
    #expect(others.map(\.name) == ["json.means-the-same"])
  }

  /// Each law beside each mutant that it is to catch alone.
  static var pairs: [String] {
    coderMutants.flatMap { mutant in mutant.laws.map { "\(mutant) \($0)" } }
  }

  @Test("Every law catches its mutant when it is alone", arguments: CatalogueTests.pairs)
  func lawsBite(pair: String) throws {
    let names = pair.split(separator: " ").map(String.init)
    let mutant = try #require(coderMutants.first { $0.description == names[0] })
    let law = try #require(CodingLaw.all.first { $0.name == names[1] })
    if law.needs.contains(.json), !JSONOracle.isPresent {
      #expect(law.reasonToSkip(mutant.subject) == JSONOracle.absence)
      return
    }
    let failure = try Self.run(law, mutant.subject, cases: 600).failure
    #expect(failure != nil, "\(pair)")
  }

  @Test("Every law has a mutant that it catches, and every mutant a law")
  func proofsAreComplete() {
    #expect(Set(coderMutants.flatMap(\.laws)) == Set(CodingLaw.all.map(\.name)))
    #expect(coderMutants.allSatisfy { !$0.laws.isEmpty })
  }
}
