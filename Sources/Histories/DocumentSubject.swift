package import DocumentModel

/// An implementation under test, as campaigns and laws see it: it runs programs.
///
/// In this process it is a ``ReplicaSubject``; an implementation in another language is one of
/// `ForeignSubjects`.
package protocol DocumentSubject: Sendable {
  /// Short and stable: `naive`, `automerge`.
  var id: String { get }
  /// The version of what is tested, as its maker names it.
  var version: String { get }
  var capabilities: Capabilities { get }
  /// Whether a large state takes it no seconds to show: campaigns then draw large worlds as well.
  ///
  /// False without a word of the subject: most print each state, or read it in several ways.
  var readsStatesCheaply: Bool { get }

  /// A place to run programs in, for one thread.
  func session() throws -> any SubjectSession
}

extension DocumentSubject {
  package var readsStatesCheaply: Bool { false }
}

/// Runs programs one after the other; each starts from nothing.
///
/// Used from one thread at a time. Nothing of a program reaches the next one.
package protocol SubjectSession: AnyObject {
  /// The answers to a program.
  ///
  /// - Throws: ``SubjectFailure`` if the subject itself failed: it crashed, hung, or answered
  ///   something that is no answer. The session can be used on.
  func run(_ program: Program) throws -> Transcript
}

/// The subject did not answer as a subject must: the case is *errored*, never held.
package struct SubjectFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable class of the failure: `crash`, `timeout`, `garbage`, `flood`, `memory`.
  package let kind: String
  package let description: String

  package init(kind: String, description: String) {
    self.kind = kind
    self.description = description
  }
}

/// A subject whose documents live in this process.
package struct ReplicaSubject<R: Replica>: DocumentSubject {
  package let id: String
  package let version = "1"
  package let capabilities: Capabilities
  package let readsStatesCheaply: Bool

  package init(
    _ type: R.Type,
    id: String,
    capabilities: Capabilities = .all,
    readsStatesCheaply: Bool = false
  ) {
    self.id = id
    self.capabilities = capabilities
    self.readsStatesCheaply = readsStatesCheaply
  }

  package func session() -> any SubjectSession {
    Session()
  }

  private final class Session: SubjectSession {
    func run(_ program: Program) -> Transcript {
      Interpreter<R>.run(program)
    }
  }
}
