import CodingLaws
import CodingSupport
import FoundationCoders
import ModelGeneration
import ModelZoo
import Mutants
import NaiveCoder
import PropertyEngine
import Testing

@Suite("Runs of coders' laws")
struct CodingRunTests {
  private func run(_ mutant: String, _ law: String) throws -> LawRun {
    let subject = try #require(coderMutants.first { $0.description == mutant }).subject
    let laws = CodingLaw.all.filter { $0.name == law }
    return LawRun(laws, on: subject, CatalogueTests.pool, seed: 1)
  }

  @Test(
    "A failure is shrunk, stored and judged again from its text",
    arguments: [
      ("integers-wrap", "integers.out-of-range", 32), ("text-replaced", "text.kept", 5),
      ("old-case-kept", "reencode.over-value", 31),
      ("arrays-never-shrink", "reencode.over-value", 40),
    ]
  )
  func failures(mutant: String, law: String, size: Int) throws {
    var run = try run(mutant, law)
    run.run(cases: 200, shrinkLimit: 1000)
    let failure = try #require(run.failures.values.min { $0.caseIndex < $1.caseIndex })
    #expect(failure.sample.size <= size, "\(failure.sample.text)")
    #expect(failure.caseCount >= 1)
    let file = try CaseFile.parse(failure.caseFile.render())
    #expect(try run.judge(file)?.findings.map(\.key) == [failure.key])
    // The right coder holds on the same sample.
    let right = LawRun(on: NaiveCoder(), CatalogueTests.pool, seed: 1)
    #expect(try right.judge(file)?.verdict(of: law) == .held)
  }

  @Test("A text of the naive coder keeps what was last read, for when its object is gone")
  func keepsWhatWasRead() throws {
    let coder = NaiveCoder()
    let document = try coder.document(actor: 1)
    try document.put(.text("a"), at: [.key("t")])
    let text = try document.boundText("", at: [.key("t")], by: .path)
    try document.spliceText(at: [.key("t")], index: 1, deleting: 0, inserting: "b")
    #expect(text.value == "ab")
    try document.delete(at: [.key("t")])
    #expect(text.value == "ab")
  }

  @Test("A run is a function of its seed")
  func determinism() throws {
    // A round for each expensive law: each has its first turn in one of its own.
    let rounds = CodingLaw.all.count { $0.costs > 1 }
    let cases = rounds * CodingLaw.all.count + 5
    let runs = (0..<2).map { _ in
      var run = LawRun(on: NaiveCoder(), CatalogueTests.pool, seed: 4)
      run.run(cases: cases, shrinkLimit: 1000)
      return run
    }
    #expect(runs[0].totals.laws == runs[1].totals.laws)
    #expect(runs[0].failures.isEmpty)
    #expect(runs[0].totals.laws.count == CodingLaw.all.count)
    #expect(runs[0].totals.caseCount == cases)
  }

  @Test("A law that needs what a coder lacks is skipped, and a listed divergence is known")
  func foundation() throws {
    var run = LawRun(on: FoundationCoder.json, FoundationTests.pool, seed: 1)
    run.run(cases: 10 * CodingLaw.all.count, shrinkLimit: 1000)
    #expect(run.failures.isEmpty, "\(run.failures.values.map(\.headline))")
    #expect((run.totals.laws["reencode.unchanged"]?.skipped ?? 0) >= 10)
    #expect((run.totals.laws["integers.out-of-range"]?.known ?? 0) >= 10)
    #expect(!run.totals.known.isEmpty)
  }

  @Test("A story of any length is judged, though there are but 256 actors")
  func longStory() throws {
    var sample = CodingSample(model: "FlexibleModel")
    sample.values = Array(repeating: .map(of: [Tree.Entry("name", .string("a"))]), count: 4)
    sample.numbers = Array(repeating: 7, count: 400)
    let law = try #require(CodingLaw.all.first { $0.name == "reencode.story" })
    #expect(law.lowered(on: NaiveCoder(), CatalogueTests.pool).verdict(of: sample) == .held)
  }

  @Test("A date of any number of milliseconds is encoded over", arguments: [Int64.max, .min])
  func farDate(milliseconds: Int64) throws {
    let note = Tree.map(of: [
      Tree.Entry("created", .date(0)), Tree.Entry("notes", .string("a")),
    ])
    var sample = CodingSample(model: "SampleNote")
    sample.values = [note, note]
    sample.trees = [
      .list([.string("put"), .list([.string("created")]), .timestamp(milliseconds)])
    ]
    let law = try #require(CodingLaw.all.first { $0.name == "reencode.over-drift" })
    #expect(law.lowered(on: NaiveCoder(), CatalogueTests.pool).verdict(of: sample) == .held)
  }

  @Test("A case of another kind is refused")
  func foreignCase() throws {
    let file = CaseFile(
      law: "roundtrip.value",
      subjects: [],
      kind: "z",
      seed: nil,
      choices: [],
      sampleFormat: FormName("history", version: 1),
      sample: ""
    )
    let run = LawRun(on: NaiveCoder(), CatalogueTests.pool, seed: 1)
    #expect(try run.judge(file) == nil)
    #expect(throws: UnreadableSample.self) { try run.groups.first?.judge(file.stored) }
  }
}

extension LawRun {
  /// A run of laws on one coder: each case asks the next law, round and round.
  fileprivate init(
    _ laws: [CodingLaw] = CodingLaw.all,
    on subject: any CoderSubject,
    _ pool: ModelPool,
    seed: Seed
  ) {
    self.init(laws.map { LawGroup($0.lowered(on: subject, pool)) }, on: [subject.id], seed: seed)
  }
}
