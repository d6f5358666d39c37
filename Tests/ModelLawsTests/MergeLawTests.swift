import ModelLaws
import PropertyEngine
import TestSupport
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

  private static func run<State>(_ law: Law<MergeHistory<State>>, cases: Int = 200) -> LawRun {
    var run = LawRun([LawGroup(law)], on: ["merge"], seed: 1)
    run.run(cases: cases, shrinkLimit: 4000, failureLimit: 1)
    return run
  }

  /// The laws that a subject breaks.
  private static func broken<State, Content>(
    _ subject: MergeSubject<State, Content>
  ) -> Set<String> {
    Set(subject.laws.filter { !run($0).failures.isEmpty }.map(\.name))
  }

  /// What the law of loss came to on a subject.
  private static func loss<State, Content>(
    _ subject: MergeSubject<State, Content>
  ) throws -> LawRun {
    run(try #require(subject.laws.first { $0.name == "merging.keeps" }))
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
    #expect(failure.sample.form == FormName("merge", version: 1))
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

  @Test("A state that is not valid is caught by the law of invariants alone")
  func invalid() throws {
    let subject = MergeSubject(
      name: "number",
      initial: { _ in 0 },
      edit: { state, _ in
        state += 1
        return "adds 1"
      },
      merge: { $0 = max($0, $1) },
      content: { $0 },
      invariant: { $0 < 2 }
    )
    #expect(Self.broken(subject) == ["merging.invariant"])
    let law = try #require(subject.laws.last)
    let failure = try #require(Self.run(law).failures.values.first)
    #expect(failure.sample.text == "r0: adds 1\nr0: adds 1\n")
    #expect(failure.difference.summary == "r0: adds 1, and the invariant does not hold")
  }

  // MARK: - Loss

  @Test("A merge that takes the later state whole keeps all laws but the one of loss")
  func laterState() throws {
    let subject = LaterNames.subject
    #expect(Self.broken(subject) == ["merging.keeps"])
    let failure = try #require(Self.loss(subject).failures.values.first)
    #expect(failure.sample.text == "r0: adds a\nr1: adds b\n")
    #expect(failure.difference.kind == "merge.loss")
    #expect(
      failure.difference.summary
        == "then r0 hears r1, and what r0 holds is lost: Set([\"a\"])"
    )
    #expect(failure.difference.expected == "at least Set([\"a\", \"b\"])")
    #expect(failure.difference.actual == "Set([\"b\"])")
  }

  @Test("A set that loses nothing but what was removed keeps every law")
  func observedSet() throws {
    #expect(Self.broken(ObservedNames.subject) == [])
    let totals = try Self.loss(ObservedNames.subject).totals.laws["merging.keeps"]
    #expect((totals?.held ?? 0) > 50)
  }

  /// Histories of the set that rules simpler than the law's take for a loss.
  private static let removals: [([UInt32], String)] = [
    (
      [1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 2, 1, 1, 1, 0],
      """
      r1: adds a
      r1: removes a
      r0 hears r1
      r2 hears r1, from a message that is 1 of its steps old

      """
    ),
    (
      [
        0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 2,
        0,
      ],
      """
      r0: adds b
      r0: removes b
      r1: adds b
      r1: removes b
      r0 hears r1, from a message that is 1 of its steps old
      r1 hears r0, from a message that is 2 of its steps old

      """
    ),
  ]

  @Test(
    "No loss is what a third replica removed, nor what two hold after each removed the other's add",
    arguments: removals
  )
  func removed(_ choices: [UInt32], _ text: String) throws {
    let law = try #require(ObservedNames.subject.laws.first { $0.name == "merging.keeps" })
    var choices = Choices(replaying: choices)
    let history = try law.draw(&choices)
    #expect(law.form.render(history) == text)
    #expect(law.verdict(of: history) == .skipped("no replica holds anything that another lacks"))
  }

  @Test("A merge that takes nothing in loses what the other holds, one that overwrites its own")
  func oneSide() throws {
    func summary(_ merge: @escaping @Sendable (inout Set<Int>, Set<Int>) -> Void) throws -> String?
    {
      let subject = MergeSubject(
        name: "set",
        initial: { _ in Set<Int>() },
        edit: { state, _ in
          state.insert(1)
          return "adds 1"
        },
        merge: merge,
        content: { $0 },
        kept: { $0 }
      )
      return try Self.loss(subject).failures.values.first?.difference.summary
    }
    #expect(try summary { _, _ in } == "then r1 hears r0, and what r0 holds is lost: Set([1])")
    #expect(try summary { $0 = $1 } == "then r0 hears r1, and what r0 holds is lost: Set([1])")
    #expect(try summary { $0.formUnion($1) } == nil)
  }

  @Test("A type that does not say what it keeps is not judged by the law of loss, which says so")
  func silent() throws {
    let totals = try Self.loss(Self.numbers { $0 = max($0, $1) }).totals.laws["merging.keeps"]
    #expect(totals?.held == 0)
    #expect(totals?.skipped == 200)
    #expect(totals?.skipReasons == ["the type does not say what it keeps"])
  }

  @Test("A history in which no merge has anything to lose does not count as judged")
  func nothingAtStake() throws {
    let subject = MergeSubject(
      name: "number",
      initial: { _ in 0 },
      edit: { state, _ in
        state += 1
        return "adds 1"
      },
      merge: { $0 = max($0, $1) },
      content: { $0 },
      kept: { _ in ["title"] }
    )
    let totals = try Self.loss(subject).totals.laws["merging.keeps"]
    #expect(totals?.held == 0)
    #expect(totals?.skipReasons == ["no replica holds anything that another lacks"])
  }
}

/// A set of names that the later of two writers decides.
private struct LaterNames {
  let replica: Int
  var names: Set<String> = []
  var time = 0
  var writer = 0

  mutating func edit(_ choices: inout Choices) -> String {
    let name = choices.element(of: ["a", "b"])
    names.insert(name)
    (time, writer) = (time + 1, replica)
    return "adds \(name)"
  }

  mutating func merge(_ other: LaterNames) {
    guard (time, writer) < (other.time, other.writer) else { return }
    (names, time, writer) = (other.names, other.time, other.writer)
  }

  static let subject = MergeSubject(
    name: "later names",
    initial: { LaterNames(replica: $0) },
    edit: { $0.edit(&$1) },
    merge: { $0.merge($1) },
    content: { $0.names },
    kept: { $0.names }
  )
}

/// A set of names in which each add has a number of its own, and a removal takes the adds that it saw.
private struct ObservedNames {
  struct Add: Hashable {
    let replica: Int
    let number: Int
    let name: String
  }

  let replica: Int
  var count = 0
  var added: Set<Add> = []
  var removed: Set<Add> = []

  var names: Set<String> { Set(added.subtracting(removed).map(\.name)) }

  mutating func edit(_ choices: inout Choices) -> String {
    let name = choices.element(of: ["a", "b"])
    if choices.number(in: 0...1) == 1 {
      removed.formUnion(added.filter { $0.name == name })
      return "removes \(name)"
    }
    count += 1
    added.insert(Add(replica: replica, number: count, name: name))
    return "adds \(name)"
  }

  mutating func merge(_ other: ObservedNames) {
    added.formUnion(other.added)
    removed.formUnion(other.removed)
  }

  static let subject = MergeSubject(
    name: "observed names",
    initial: { ObservedNames(replica: $0) },
    edit: { $0.edit(&$1) },
    merge: { $0.merge($1) },
    content: { $0.names },
    kept: { $0.names }
  )
}
