import PropertyEngine
import RecordLaws
import RecordSubjects
import Testing

@Suite("Laws of records on our coder and server")
struct RecordLawTests {
  static var names: [String] { RecordLaw.all.map(\.name) }

  @Test("Each law holds over random samples", arguments: RecordLawTests.names)
  func holds(_ name: String) throws {
    let law = try #require(RecordLaw.all.first { $0.name == name })
    var run = LawRun([LawGroup(law.lowered(on: RecordSyncSubject()))], on: ["record-sync"], seed: 7)
    run.run(cases: 100, shrinkLimit: 500, failureLimit: 1)
    for failure in run.failures.values {
      Issue.record("\(name): \(failure.difference)\n\(failure.sample.text)")
    }
    #expect(run.totals.caseCount > 0)
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
