import DocumentModel
package import Histories
import Mutants
import Subjects

/// What a fuzz target judges: the executable specification, the engine, or a mutant.
///
/// A target that finds nothing proves nothing. Run on a mutant, it must find the bug that is there.
public struct FuzzSubject: Sendable {
  package let subject: any DocumentSubject
  /// What the subject is compared with; nil for the specification, which is the oracle itself.
  package let oracle: (any DocumentSubject)?

  /// The executable specification.
  public static let specification = FuzzSubject(subject: naiveSubject, oracle: nil)

  private init(subject: any DocumentSubject, oracle: (any DocumentSubject)?) {
    self.subject = subject
    self.oracle = oracle
  }

  /// The subject with this id: `naive` for the specification, `engine`, `document`, or `mutant:` and the id of a
  /// mutant; the specification if nil.
  ///
  /// - Throws: ``UnknownFuzzSubject`` if there is none.
  public init(id: String?) throws(UnknownFuzzSubject) {
    guard let id, id != naiveSubject.id else {
      self = .specification
      return
    }
    for ours in [engineSubject as any DocumentSubject, documentSubject] where ours.id == id {
      self.init(subject: ours, oracle: naiveSubject)
      return
    }
    guard id.hasPrefix("mutant:"),
      let mutant = naiveMutants.first(where: { $0.id == id.dropFirst("mutant:".count) })
    else { throw UnknownFuzzSubject(id: id) }
    self.init(subject: Self.subject(mutant.type, id: id), oracle: naiveSubject)
  }

  private static func subject<R: Replica>(_ type: R.Type, id: String) -> any DocumentSubject {
    ReplicaSubject(type, id: id, version: "1", capabilities: naiveSubject.capabilities)
  }

  /// The subject's id.
  public var id: String { subject.id }

  /// Name of the environment variable that chooses the subject of a target.
  public static let variable = "TOUCHSTONE_FUZZ_SUBJECT"
}

/// A fuzz target was asked to judge what nobody knows.
public struct UnknownFuzzSubject: Error, Hashable, CustomStringConvertible {
  /// What was asked for.
  public let id: String

  /// The id, and what may be asked for.
  public var description: String {
    "there is no subject '\(id)': it is '\(naiveSubject.id)', '\(engineSubject.id)', '\(documentSubject.id)', "
      + "or 'mutant:' and "
      + "the id of a mutant, which `touchstone list mutants` names"
  }
}
