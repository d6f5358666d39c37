import Foundation
import PropertyEngine
import Testing

@Suite("Runs of laws")
struct LawRunTests {
  /// Numbers up to 99, in a text form that is read again.
  private static let form = SampleForm<Int>(
    name: FormName("number", version: 1),
    render: { "\($0)\n" },
    parse: { text in
      guard let number = Int(text.dropLast()) else {
        throw UnreadableSample(form: FormName(text: text))
      }
      return number
    },
    size: { $0 },
    measure: { "number \($0)" }
  )

  /// Two laws on one number: `test.large` breaks from 50 on, `test.odd` for odd ones; from 90 on the
  /// subject itself fails.
  private static let group = LawGroup(
    [
      LawStatement("test.large", "No number is large.", source: .standard("none")),
      LawStatement("test.odd", "No number is odd.", source: .standard("none")),
    ],
    form: form,
    draw: { $0.number(in: 0...99) },
    judge: { number, _ in
      var judged = JudgedCase(
        [("test.large", number >= 50), ("test.odd", number % 2 == 1)].map { law, isBroken in
          let difference = Difference(kind: "number", summary: "\(number)")
          return (law, Judgement(isBroken ? .violated(difference) : .held))
        }
      )
      if number >= 90 {
        let key = FailureKey(law: FailureKey.answers, isError: true, kind: "crash")
        judged.findings.append(
          Finding(key: key, difference: Difference(kind: "crash", summary: "it crashed"))
        )
      }
      return judged
    }
  )

  @Test("Each failure of a shared case is counted, repeated and shrunk by itself, and replays")
  func several() throws {
    var run = LawRun([Self.group], on: ["subject"], seed: 4)
    run.runBatch(of: 200)
    run.shrinkNewFailures(failureLimit: 9, stepLimit: 500)
    let small = run.failures.values.map { "\($0.key.law) \($0.sample.text.dropLast())" }.sorted()
    #expect(small == ["subject.answers 90", "test.large 50", "test.odd 1"])
    for failure in run.failures.values {
      let file = try CaseFile.parse(failure.caseFile.render())
      let again = try #require(try run.judge(file))
      #expect(again.findings.contains { $0.key == failure.key })
      var other = LawRun([Self.group], on: ["subject"], seed: 4)
      #expect(try other.tryStored(file)?.isStored == true)
    }
  }

  @Test("A stored case that no law judges is refused, and not passed over")
  func unjudged() throws {
    var run = LawRun([Self.group], on: ["subject"], seed: 4)
    let file = CaseFile(
      law: "test.odd",
      subjects: ["subject"],
      kind: "number",
      seed: nil,
      choices: [],
      sampleFormat: FormName("letter", version: 1),
      sample: "a\n"
    )
    let refusal = #expect(throws: UnjudgedCase.self) { try run.tryStored(file) }
    let words = "test.odd is not asked of samples of the form letter 1 here"
    #expect(refusal?.description == words)
    #expect(run.storedTotals.laws.isEmpty)
  }

  @Test("A run until a failure goes on behind those that are not wanted")
  func untilWanted() throws {
    var run = LawRun([Self.group], on: ["subject"], seed: 4)
    let isFound = run.runUntilSighting(of: { $0.law == FailureKey.answers }, caseLimit: 1000)
    #expect(isFound)
    let found = try #require(run.totals.sightings.values.first { $0.finding.key.isError })
    #expect(found.caseIndex == run.nextCase - 1)
    var other = LawRun([Self.group], on: ["subject"], seed: 4)
    let isFoundEarly = other.runUntilSighting(of: { $0.law == "test.other" }, caseLimit: 30)
    #expect(!isFoundEarly && other.nextCase == 30 && !other.totals.sightings.isEmpty)
  }

  @Test("Nothing is counted of a sample that no law was judged on")
  func coverage() {
    let form = SampleForm<Int>(
      name: FormName("number", version: 1),
      render: { "\($0)\n" },
      parse: { throw UnreadableSample(form: FormName(text: $0)) },
      size: { $0 },
      measure: { "number \($0)" },
      count: { $1.add(size: $0, binWidth: 1) }
    )
    let group = LawGroup(
      [LawStatement("test.even", "Even numbers are asked.", source: .standard("none"))],
      form: form,
      draw: { $0.number(in: 0...3) },
      judge: { number, _ in
        let verdict: Verdict = number % 2 == 0 ? .held : .skipped("it is odd")
        return JudgedCase([("test.even", Judgement(verdict))])
      }
    )
    var run = LawRun([group], on: ["subject"], seed: 4)
    run.runBatch(of: 100)
    let totals = run.totals.laws["test.even"]
    #expect(run.totals.caseCount == 100)
    #expect(Set(run.totals.coverage.sizes.keys) == [0, 2])
    #expect(run.totals.coverage.sizes.values.reduce(0, +) == totals?.held)
    #expect((totals?.skipped ?? 0) > 0)
  }

  @Test("One law alone is judged alone, but whether the subject answers is still seen")
  func narrowed() throws {
    let alone = try #require(Self.group.narrowed(to: "test.odd"))
    #expect(alone.laws.map(\.name) == ["test.odd"])
    func stored(_ number: Int) -> StoredSample { StoredSample(number, Self.form) }
    let odd = try alone.judge(stored(91))
    #expect(odd.verdicts.map(\.law) == ["test.odd"])
    #expect(odd.findings.map(\.key.law) == ["test.odd", FailureKey.answers])
    #expect(try alone.judge(stored(50)).findings.isEmpty)
    #expect(Self.group.narrowed(to: "test.other") == nil)
    #expect(throws: UnreadableSample.self) {
      try alone.judge(
        StoredSample(form: FormName("text", version: 1), text: "1\n", size: 1, measure: "")
      )
    }
  }

  @Test("A group that costs much takes few of its turns, and all of them where it is alone")
  func costs() throws {
    func law(_ name: String) -> Law<Int> {
      Law(name, "A sentence.", source: .decision(1), forAll: Generator { _ in 1 }) { _ in nil }
    }
    let dear = [LawGroup(law("dear.a"), costs: 6), LawGroup(law("dear.b"), costs: 6)]
    let run = LawRun([LawGroup(law("cheap.a"))] + dear, on: [], seed: 1)
    let names = (0..<36).compactMap { run.group(ofCase: $0)?.laws.first?.name }
    #expect(names.count { $0 == "dear.a" } == 2)
    #expect(names.count { $0 == "dear.b" } == 2)
    #expect(names.count { $0 == "cheap.a" } == 32)
    #expect(names[1] == "dear.a")
    #expect(names[5] == "dear.b")
    let alone = LawRun(dear, on: [], seed: 1)
    #expect(
      (0..<4).compactMap { alone.group(ofCase: $0)?.laws.first?.name } == [
        "dear.a", "dear.b", "dear.a", "dear.b",
      ]
    )
  }

  @Test("Keys that differ in law, kind, or in being an error have one order")
  func keys() {
    let keys = ["test.a", "test.b"].flatMap { law in
      ["kind.a", "kind.b"].flatMap { kind in
        [false, true].map { FailureKey(law: law, isError: $0, kind: kind) }
      }
    }
    #expect(keys.reversed().sorted() == keys)
  }

  @Test("The first case of each failure is told, whatever the order in which cases ran")
  func order() throws {
    var forward = LawRun([Self.group], on: [], seed: 7)
    forward.runBatch(of: 100)
    var backward = LawRun([Self.group], on: [], seed: 7)
    backward.runBatch(
      of: 100,
      on: CaseWorkers { run, range, observer in
        var numbers = range.reversed().map(\.self)
        var sum = RunTotals()
        while !numbers.isEmpty {
          let next = numbers.removeFirst()
          var pending: Int? = next
          sum.merge(
            run.totals(
              of: {
                defer { pending = nil }
                return pending
              },
              observer: observer
            )
          )
        }
        return sum
      }
    )
    #expect(backward.totals.laws == forward.totals.laws)
    #expect(backward.totals.caseCount == 100)
    for (key, sighting) in forward.totals.sightings {
      #expect(backward.totals.sightings[key]?.caseIndex == sighting.caseIndex)
      #expect(backward.totals.sightings[key]?.caseCount == sighting.caseCount)
    }
    #expect(forward.totals.sightings.count == 3)
  }

  @Test("Totals and failures that another process sends are those of this one")
  func sent() throws {
    @Sendable func sent<Value: Codable & Sendable>(_ value: Value) -> Value? {
      (try? JSONEncoder().encode(value)).flatMap {
        try? JSONDecoder().decode(Value.self, from: $0)
      }
    }
    var here = LawRun([Self.group], on: ["subject"], seed: 7)
    here.runBatch(of: 100)
    here.shrinkNewFailures(failureLimit: 9, stepLimit: 500)
    var there = LawRun([Self.group], on: ["subject"], seed: 7)
    there.runBatch(
      of: 100,
      on: CaseWorkers { sent(CaseWorkers.one.run($0, $1, $2)) ?? RunTotals() }
    )
    there.shrinkNewFailures(failureLimit: 9, stepLimit: 500)
    #expect(there.totals.caseCount == 100)
    #expect(there.totals.laws == here.totals.laws)
    #expect(there.failures.count == 3)
    for (key, failure) in here.failures {
      #expect(there.failures[key]?.caseFile.render() == failure.caseFile.render())
      let again = try #require(sent(failure))
      #expect(again.caseFile.render() == failure.caseFile.render())
      #expect(again.stage == failure.stage)
      #expect(again.caseCount == failure.caseCount)
    }
  }
}
