import CoderSubjects
package import CodingLaws
import FoundationCoders
import ModelZoo
import Mutants
import NaiveCoder
import PropertyEngine
import Subjects

/// A coder and the models that it is asked to code.
package struct JudgedCoder: Sendable {
  package let subject: any CoderSubject
  package let pool: ModelPool
  /// What it is, in one line.
  let summary: String

  /// The coder with the zoo's models, whose texts and counters are the coder's own.
  init<Subject: CoderSubject>(_ subject: Subject, _ summary: String) {
    self.subject = subject
    pool = ModelPool(ModelZoo.models(text: Subject.Text.self, counter: Subject.Counter.self))
    self.summary = summary
  }

  /// The coders that are usually judged: ours first.
  static let usual = [
    ours(),
    JudgedCoder(RecordCoderSubject(), "our coder of records: models as typed fields"),
    JudgedCoder(FoundationCoder.json, "Foundation's JSON coders"),
    JudgedCoder(FoundationCoder.propertyList, "Foundation's property-list coders, binary"),
  ]

  /// Our coder, whose documents a peer reads.
  package static func ours(
    peer: PeerAvailability = .absent("no other Automerge was looked for")
  ) -> JudgedCoder {
    JudgedCoder(
      DocumentCoderSubject(peer: peer),
      "our coder: models in documents of the engine"
    )
  }

  /// The executable specification of coding into documents.
  static let specification = JudgedCoder(
    NaiveCoder(),
    "the executable specification of coding; asked for by name"
  )

  static let all = usual + [specification]

  /// The coder with an id: one of ours, the specification, or `mutant:` and the id of a wrong one.
  package static func named(_ id: String) -> JudgedCoder? {
    all.first { $0.subject.id == id }
      ?? coderMutants.first { $0.subject.id == id }.map { JudgedCoder($0.subject, $0.sentence) }
  }

  /// The coder as its catalogue lists it.
  var listed: ListedSubject { ListedSubject(subject, summary) }

  /// Whether the example that comes with a listed divergence still shows it; false without one.
  ///
  /// One that ends the process is not tried.
  func shows(_ divergence: CoderDivergence) -> Bool {
    guard !divergence.endsProcess else { return true }
    guard let example = divergence.example, let sample = try? CodingSample(text: example),
      let law = CodingLaw.all.first(where: { $0.name == divergence.law }),
      case .known(let difference, _) =
        law.judgement(on: sample, subject: subject, pool: pool).verdict
    else { return false }
    return divergence.explains(law.name, difference, sample)
  }
}
