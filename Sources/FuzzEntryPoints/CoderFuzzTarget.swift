package import CodingLaws
import ModelZoo
import Mutants
import NaiveCoder
import Subjects

/// A fuzz target whose inputs are the choices of models' values and of documents.
public enum CoderFuzzTarget: String, CaseIterable, Sendable {
  /// Documents of any content, decoded into the zoo.
  case decode
  /// Values of the zoo, encoded over documents of any content.
  case encode
  /// Documents that another version or a peer changed, read and written on.
  case drift

  /// The laws that an input may be of; its first byte chooses.
  package var laws: [CodingLaw] {
    let names: [String] =
      switch self {
      case .decode: ["arbitrary.read"]
      case .encode: ["arbitrary.written"]
      case .drift:
        [
          "drift.read", "drift.in-conflict", "reencode.over-drift", "unknown.preserved",
          "unknown.removed", "list.mixed", "strategy.readonly", "cautious.refuses",
          "stale.based-on", "concurrent.converges",
        ]
      }
    return names.compactMap { name in CodingLaw.all.first { $0.name == name } }
  }

  /// The name of the target's executable.
  package var executable: String {
    switch self {
    case .decode: "FuzzDecode"
    case .encode: "FuzzEncode"
    case .drift: "FuzzDrift"
    }
  }
}

/// What the targets of coders judge: our coder, its specification, or a mutant of that.
public struct CoderFuzzSubject: Sendable {
  package let subject: any CoderSubject
  package let shelf: ModelShelf

  /// Our coder.
  public static let ours = CoderFuzzSubject(DocumentCoderSubject())

  private init<Subject: CoderSubject>(_ subject: Subject) {
    self.subject = subject
    shelf = ModelShelf(ModelZoo.models(text: Subject.Text.self, counter: Subject.Counter.self))
  }

  /// The subject with this id: `document-coder`, which it is if nil, `naive-coder`, or `mutant:` and
  /// the id of a wrong coder.
  ///
  /// - Throws: ``UnknownFuzzSubject`` if there is none.
  public init(id: String?) throws(UnknownFuzzSubject) {
    let mutant = coderMutants.first { "mutant:\($0.id)" == id }
    switch id {
    case nil, Self.ours.id: self = .ours
    case NaiveCoder().id: self.init(NaiveCoder())
    default:
      guard let mutant else { throw UnknownFuzzSubject(id: id ?? "") }
      self.init(mutant.subject)
    }
  }

  /// The subject's id.
  public var id: String { subject.id }
}
