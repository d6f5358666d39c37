import CodingLaws
import FoundationCoders
import ModelGeneration
import ModelZoo
import Mutants
import NaiveCoder
import PropertyEngine
import Testing

@Suite("Runs of coders' laws")
struct CodingRunTests {
  private func run(_ mutant: String, _ law: String) throws -> CodingRun {
    let subject = try #require(coderMutants.first { $0.id == mutant }).subject
    let laws = CodingLaw.all.filter { $0.name == law }
    return CodingRun(subject, on: CatalogueTests.shelf, laws: laws, seed: 1)
  }

  @Test(
    "A failure is shrunk, stored and judged again from its text",
    arguments: [
      ("integers-wrap", "integers.out-of-range", 32), ("text-replaced", "text.kept", 5),
      ("old-case-kept", "reencode.over-value", 12),
      ("arrays-never-shrink", "reencode.over-value", 40),
    ]
  )
  func failures(mutant: String, law: String, size: Int) throws {
    let run = try run(mutant, law)
    let outcome = run.run(cases: 200)
    let failure = try #require(outcome.failures.first)
    #expect(failure.sample.size <= size, "\(failure.sample.text)")
    #expect(failure.caseCount >= 1)
    let file = try CaseFile.parse(failure.caseFile.render())
    #expect(try run.replay(file).isSameFailure(as: failure.verdict))
    // The right coder holds on the same sample.
    let right = CodingRun(NaiveCoder(), on: CatalogueTests.shelf, seed: 1)
    #expect(try right.replay(file) == .held)
  }

  @Test("A run is a function of its seed")
  func determinism() throws {
    let run = CodingRun(NaiveCoder(), on: CatalogueTests.shelf, seed: 4)
    let cases = CodingLaw.all.count + 5
    let (first, second) = (run.run(cases: cases), run.run(cases: cases))
    #expect(first.totals == second.totals)
    #expect(first.failures.isEmpty)
    #expect(first.totals.count == CodingLaw.all.count)
    #expect(first.caseCount == cases)
  }

  @Test("A law that needs what a coder lacks is skipped, and a listed divergence is known")
  func foundation() throws {
    let run = CodingRun(FoundationCoder.json, on: FoundationTests.shelf, seed: 1)
    let outcome = run.run(cases: 10 * CodingLaw.all.count)
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
    #expect(outcome.totals["reencode.unchanged"]?.skipped == 10)
    #expect(outcome.totals["integers.out-of-range"]?.known == 10)
    #expect(!outcome.shown.isEmpty)
  }

  @Test("A case of another kind is refused")
  func foreignCase() throws {
    let file = CaseFile(
      law: "x.y",
      subjects: [],
      kind: "z",
      seed: nil,
      choices: [],
      sampleFormat: "history 1",
      sample: ""
    )
    let run = CodingRun(NaiveCoder(), on: CatalogueTests.shelf, seed: 1)
    #expect(throws: CodingSampleError.self) { try run.replay(file) }
  }
}
