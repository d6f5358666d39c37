import CodingLaws
import ModelGeneration
import ModelZoo
import PropertyEngine
import RecordSubjects
import Testing

@Suite("Laws of coders on the coder of records")
struct CoderLawTests {
  @Test("Every law that applies holds over random values of the zoo")
  func holds() {
    let shelf = ModelShelf(ModelZoo.models(text: PlainText.self, counter: PlainCounter.self))
    let subject = RecordCoderSubject()
    let laws = CodingLaw.all.filter { $0.reasonToSkip(subject) == nil }
    #expect(laws.count >= 15)
    var run = LawRun(laws, on: subject, shelf, seed: 5)
    run.run(cases: 60 * laws.count, shrinkLimit: 200, failureLimit: 8)
    for failure in run.failures.values {
      Issue.record("\(failure.key.law): \(failure.difference)\n\(failure.sample.text)")
    }
  }
}
