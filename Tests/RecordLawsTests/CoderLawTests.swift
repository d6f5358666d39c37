import CoderSubjects
import CodingLaws
import ModelGeneration
import ModelZoo
import PropertyEngine
import Testing

@Suite("Laws of coders on the coder of records")
struct CoderLawTests {
  @Test("What is listed as known shows in its example")
  func divergences() throws {
    let pool = ModelPool(ModelZoo.models(text: PlainText.self, counter: PlainCounter.self))
    let subject = RecordCoderSubject()
    for listed in subject.divergences {
      let law = try #require(CodingLaw.all.first { $0.name == listed.law })
      let sample = try CodingSample(text: #require(listed.example))
      let verdict = law.judgement(on: sample, subject: subject, pool: pool).verdict
      #expect(verdict.word == .known, "\(listed.law): \(verdict)")
    }
  }

  @Test("Every law that applies holds over random values of the zoo")
  func holds() {
    let pool = ModelPool(ModelZoo.models(text: PlainText.self, counter: PlainCounter.self))
    let subject = RecordCoderSubject()
    let laws = CodingLaw.all.filter { $0.reasonToSkip(subject) == nil }
    #expect(laws.count >= 15)
    let groups = laws.map { LawGroup($0.lowered(on: subject, pool)) }
    var run = LawRun(groups, on: [subject.id], seed: 5)
    run.run(cases: 60 * laws.count, shrinkLimit: 200, failureLimit: 8)
    for failure in run.failures.values {
      Issue.record("\(failure.key.law): \(failure.difference)\n\(failure.sample.text)")
    }
  }
}
