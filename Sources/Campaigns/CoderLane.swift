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
  package let shelf: ModelShelf
  /// What it is, in a few words.
  let words: String

  /// The coder with the zoo's models, whose texts and counters are the coder's own.
  init<Subject: CoderSubject>(_ subject: Subject, _ words: String) {
    self.subject = subject
    shelf = ModelShelf(ModelZoo.models(text: Subject.Text.self, counter: Subject.Counter.self))
    self.words = words
  }

  /// Those that are usually judged: ours first.
  static let usual = [
    ours(),
    JudgedCoder(FoundationCoder.json, "Foundation's JSON coders"),
    JudgedCoder(FoundationCoder.propertyList, "Foundation's property-list coders, binary"),
  ]

  /// Our coder, whose documents a peer reads.
  static func ours(
    peer: PeerAtHand = .absent("no other Automerge was looked for")
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

  /// A wrong coder, by its id without `mutant:`.
  static func mutant(_ id: String) -> JudgedCoder? {
    coderMutants.first { $0.id == id }.map { JudgedCoder($0.subject, $0.sentence) }
  }
}

/// One coder, and the laws that it is held to.
package struct CoderLane: Sendable {
  package let subject: any CoderSubject
  /// All laws that were asked for, those included that say nothing of this coder.
  package let laws: [CodingLaw]
  /// Laws that say nothing of the coder, each with the reason.
  let inapplicable: [(law: String, reason: String)]
  private let shelf: ModelShelf
  private let applicable: [CodingLaw]

  package init(_ coder: JudgedCoder, laws: [CodingLaw]) {
    subject = coder.subject
    shelf = coder.shelf
    self.laws = laws
    inapplicable = laws.compactMap { law in
      law.reasonToSkip(coder.subject).map { (law.name, $0) }
    }
    applicable = laws.filter { $0.reasonToSkip(coder.subject) == nil }
  }

  /// Whether there is anything to judge.
  var isIdle: Bool { applicable.isEmpty }

  /// Cases of the laws that apply, in turn.
  func run(seed: Seed) -> CodingRun {
    CodingRun(subject, on: shelf, laws: applicable, seed: seed)
  }

  /// Whether the case is one of this coder.
  func isMeant(by file: CaseFile) -> Bool {
    CodingSample.isSample(of: file) && file.subjects.first == subject.id
  }

  /// Whether the example that comes with a listed divergence still shows it; false without one.
  func shows(_ divergence: CoderDivergence) -> Bool {
    guard let example = divergence.example, let sample = try? CodingSample(text: example),
      let law = CodingLaw.all.first(where: { $0.name == divergence.law }),
      case .known(let difference, _) = law.verdict(on: sample, subject: subject, shelf: shelf)
    else { return false }
    return divergence.explains(law.name, difference, sample)
  }
}
