import ModelLaws
import PropertyEngine
import Testing

@Suite("Laws of types that merge")
struct MergeLawTests {
  /// A subject whose states are numbers, each edit adding one.
  private static func numbers(
    edit: @escaping @Sendable (inout Int, inout Choices) -> String = { state, _ in
      state += 1
      return "adds 1"
    },
    merge: @escaping @Sendable (inout Int, Int) -> Void
  ) -> MergeSubject<Int, Int> {
    MergeSubject(name: "number", initial: { _ in 0 }, edit: edit, merge: merge, content: { $0 })
  }

  private static func run(_ law: Law<MergeHistory<Int>>, cases: Int = 200) -> LawRun {
    var run = LawRun([LawGroup(law)], on: ["merge"], seed: 1)
    run.run(cases: cases, shrinkLimit: 4000, failureLimit: 1)
    return run
  }

  /// The laws that a subject breaks.
  private static func broken(_ subject: MergeSubject<Int, Int>) -> Set<String> {
    Set(subject.laws.filter { !run($0).failures.isEmpty }.map(\.name))
  }

  @Test("An advice says what often breaks its law, or where to look, and nothing as a fact")
  func advice() {
    for law in MergeLaw.all {
      let advice = law.advice ?? ""
      #expect(advice.hasPrefix("Often ") || advice.hasPrefix("Look for "), "\(law.name)")
    }
  }

  @Test("Every law of the catalogue is lowered, in its order, under a name of its own family")
  func catalogue() {
    let laws = Self.numbers { $0 = max($0, $1) }.laws
    #expect(laws.map(\.statement) == MergeLaw.all)
    for law in laws {
      #expect(lawNameProblem(law.name) == nil)
      #expect(law.name.hasPrefix("merging."))
      #expect(MergeLaw.currentName(of: law.name) == law.name)
      let former = "merge." + law.name.dropFirst("merging.".count)
      #expect(MergeLaw.currentName(of: former) == law.name)
    }
    #expect(MergeLaw.currentName(of: "merge.commutes") == "merge.commutes")
    #expect(MergeLaw.currentName(of: "") == "")
  }

  @Test("A type that merges rightly keeps every law")
  func right() {
    #expect(Self.broken(Self.numbers { $0 = max($0, $1) }) == [])
  }

  @Test("Each law catches a merge that is wrong in its way")
  func wrong() {
    #expect(Self.broken(Self.numbers { $0 += $1 }).contains("merging.idempotent"))
    #expect(Self.broken(Self.numbers { $0 = $1 }).contains("merging.absorbs-the-past"))
    #expect(Self.broken(Self.numbers { _, _ in }) == ["merging.commutative", "merging.converges"])
    let average = Self.numbers { $0 = ($0 + $1 + 1) / 2 }
    #expect(Self.broken(average).contains("merging.associative"))
  }

  @Test("A failure is the smallest history, which its choices replay")
  func smallest() throws {
    let subject = Self.numbers { $0 += $1 }
    let law = try #require(subject.laws.first)
    let failure = try #require(Self.run(law).failures.values.first)
    #expect(failure.sample.form == "merge 1")
    #expect(failure.sample.text == "r0: adds 1\n")
    #expect(failure.sample.measure == "1 step")
    var choices = Choices(replaying: failure.caseFile.choices.map(\.value))
    #expect(try law.form.render(law.draw(&choices)) == failure.sample.text)
    #expect(throws: UnreadableSample.self) { try law.form.parse(failure.sample.text) }
  }

  @Test("A run knows whether any edit changed what a replica shows")
  func visibleEdits() throws {
    let right = try #require(Self.numbers { $0 = max($0, $1) }.laws.first)
    #expect(Self.run(right, cases: 20).totals.coverage.hasVisibleEdit)
    let idle = Self.numbers(edit: { _, _ in "nothing" }, merge: { $0 = max($0, $1) })
    let law = try #require(idle.laws.first)
    #expect(!Self.run(law, cases: 20).totals.coverage.hasVisibleEdit)
  }
}
