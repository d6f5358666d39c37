import PropertyEngine
import RecordSubjects
import TestSupport
import Testing

@testable import RecordLaws

@Suite("Laws of records on our coder and server")
struct RecordLawTests {
  static var names: [String] { RecordLaw.all.map(\.name) }

  @Test("Each law holds over random samples", arguments: RecordLawTests.names)
  func holds(_ name: String) throws {
    let law = try #require(RecordLaw.all.first { $0.name == name })
    var run = LawRun([LawGroup(law.lowered(on: RecordSyncSubject()))], on: ["record-sync"], seed: 7)
    run.run(cases: 50, shrinkLimit: 500, failureLimit: 1)
    for failure in run.failures.values {
      Issue.record("\(name): \(failure.difference)\n\(failure.sample.text)")
    }
    #expect(run.totals.caseCount > 0)
  }

  @Test("A law draws no more than its samples have", arguments: RecordLawTests.names)
  func overruns(_ name: String) throws {
    let law = try #require(RecordLaw.all.named([name]).first)
    let sampleCount = max(1, 60 / law.costs)
    let overruns = (0..<sampleCount).map { index in
      var choices = Choices(seed: Seed(value: 7).stream(UInt64(index)))
      return law.overrun(on: RecordSyncSubject(), of: law.draw(&choices))
    }
    // One sample may: some things that are drawn have no length that is certain.
    let longest = overruns.max() ?? 0
    #expect(
      overruns.count(where: { $0 > 0 }) <= 1,
      "\(name) has too small a count: \(longest) bytes are missing"
    )
  }

  @Test("Names and sentences of laws are well formed, titles short, and no name comes twice")
  func statements() {
    for law in RecordLaw.all {
      #expect(lawNameProblem(law.name) == nil)
      let words = law.statement.title.split(separator: " ")
      #expect(words.count <= LawStatement.titleWordLimit, "\(law.name)")
    }
    #expect(Set(Self.names).count == Self.names.count && Self.names.count >= 25)
  }

  @Test("Weights hold for bytes, which know no bias, and 0 is the simplest")
  func weights() {
    let found = (UInt8(0)..<9).map { byte in
      var choices = Choices(bytes: [byte])
      return choices.weighed([6, 2, 1])
    }
    #expect(found == [0, 0, 0, 0, 0, 0, 1, 1, 2])
    var simplest = Choices(replaying: [])
    #expect(simplest.weighed([0, 3]) == 1 && simplest.weighed([3, 1]) == 0)
    #expect(simplest.weighed([]) == 0)
  }

  @Test("Samples are counted by kinds and traits that reports list, and every kind is met")
  func coverage() throws {
    var coverage = Coverage()
    for law in RecordLaw.all {
      let law = law.lowered(on: RecordSyncSubject())
      for index in 0..<200 {
        var choices = Choices(seed: Seed(value: 11).stream(UInt64(index)))
        law.form.count(try law.draw(&choices), &coverage)
      }
    }
    let listed = [
      (RecordCoverage.samples, RecordCoverage.kinds),
      (RecordCoverage.stories, RecordCoverage.steps),
    ]
    #expect(Set(coverage.values.keys) == Set(listed.map(\.0)))
    for (samples, kinds) in listed {
      let tally = try #require(coverage.values[samples])
      for kind in kinds {
        #expect(!tally.uses(of: kind.name).isEmpty, "\(kind.name)")
        let found = tally.traits(of: kind.name).entries.map(\.name)
        #expect(Set(found).isSubset(of: kind.traits), "\(kind.name)")
      }
    }
  }

  @Test("A story counts its steps, by the version of the app and with what befalls them")
  func storyCoverage() throws {
    let law = try #require(RecordLaw.all.first { $0.name == "devices.converges" })
    let text = "0 edits 1 title 0\n1 edits 1 title 3\n2 saves cut\n1 links 2 2\nexpire\n"
    var coverage = Coverage()
    law.lowered(on: RecordSyncSubject()).form.count(try RecordSample(text: text), &coverage)
    let tally = try #require(coverage.values[RecordCoverage.stories])
    #expect(tally.uses(of: "edit")["older version"] == 1)
    #expect(tally.uses(of: "edit")["newer version"] == 1)
    #expect(tally.traits(of: "edit")["title"] == 2 && tally.traits(of: "edit")["to nil"] == 1)
    #expect(tally.traits(of: "save")["cut"] == 1 && tally.traits(of: "link")["to itself"] == 1)
    #expect(tally.uses(of: "expire")["server"] == 1)
    #expect(tally.traits(of: "steps")["of 2 to 9"] == 1)
  }

  @Test("The calls of a law of values say what was drawn, what was called and what came back")
  func calls() throws {
    let laws = RecordLaw.all.filter { !$0.name.hasPrefix("devices.") }
    for law in laws {
      var choices = Choices(seed: Seed(value: 5).stream(1))
      let sample = try law.lowered(on: RecordSyncSubject()).draw(&choices)
      let lines = law.calls(on: RecordSyncSubject(), of: sample)
      guard sample.steps.isEmpty else {
        #expect(lines.isEmpty)
        continue
      }
      let unclear = lines.first { $0.count > 700 || $0.contains("Optional(") }
      #expect(unclear == nil, "\(law.name)")
    }
    let law = try #require(RecordLaw.all.named(["record.unchanged-unmarked"]).first)
    let sample = try RecordSample(text: "numbers 0 0 0 0 0 0 1")
    let lines = law.calls(on: RecordSyncSubject(), of: sample)
    let written = #"Note Notes/r0 {links: BYTES "[]"}"#
    #expect(
      lines.prefix(3) == [
        #"encode {"cloudKitIdentifier": "r0", "links": []} onto Note Notes/r0 {}"#,
        "  -> \(written), changed: links",
        "decode NewNote from \(written)",
      ]
    )
  }

  @Test("A sample of values ends with its last number that is not 0")
  func noZerosAtTheEnd() {
    for index in 0..<100 as Range<UInt64> {
      var choices = Choices(seed: Seed(value: 4).stream(index))
      #expect(RecordSample.numbers(4, &choices).numbers.bytes.last != 0)
    }
  }

  @Test("A sample is read from its text; another text is refused with its line")
  func text() throws {
    for index in 0..<300 {
      var choices = Choices(seed: Seed(value: 3).stream(UInt64(index)))
      var sample = RecordSample.story(12, &choices)
      if index.isMultiple(of: 2) { sample = RecordSample.numbers(3, &choices) }
      let form = SampleForm<RecordSample>.record
      #expect(try form.parse(form.render(sample)) == sample)
    }
    let refused = [
      ("0 edits 1 pinned 2", 1), ("expire\n9 pulls", 2), ("numbers x", 1), ("expire junk", 1),
      ("0 pulls junk", 1), ("numbers 1 256", 1), ("\nnumbers 1\n\n\n0 pulls\n\n9 pulls\n", 7),
      ("\n\nnumbers x", 3), ("expire\r\nrenew", 1), ("expire\n ", 2),
    ]
    for (text, line) in refused {
      let error = #expect(throws: UnreadableLine.self) { try RecordSample(text: text) }
      #expect(error?.line == line, "\(text)")
    }
    let error = #expect(throws: UnreadableLine.self) { try RecordSample(text: "expire\n9 pulls") }
    #expect(error?.description == "line 2 is not of the form record 1: 9 pulls")
    let sample = try RecordSample(text: "numbers 1\n0 pulls\n")
    #expect(try RecordSample(text: "\nnumbers 1\n\n0 pulls\n\n") == sample)
  }
}
