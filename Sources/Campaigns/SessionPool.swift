package import Histories
import Synchronization

/// Sessions of one subject for any number of workers: each takes an idle one, or opens another.
///
/// The lock guards the list of idle sessions. It is not an actor because workers cannot wait.
package final class SessionPool: Sendable {
  private let subject: any DocumentSubject
  private let phase: WorkerNote.Phase
  private let idle = Mutex<[PooledSession]>([])

  // Not checked by the compiler: a session is used by one thread at a time, since the list gives each
  // to one worker, which gives it back when it is done.
  private final class PooledSession: @unchecked Sendable {
    let session: any SubjectSession

    init(_ session: any SubjectSession) {
      self.session = session
    }
  }

  /// Sessions of a subject; while one runs a program a worker's note says so by `phase`.
  init(_ subject: any DocumentSubject, _ phase: WorkerNote.Phase = .subject) {
    self.subject = subject
    self.phase = phase
  }

  /// Runs a program in a session that no other worker uses.
  ///
  /// - Throws: `SubjectFailure` if the subject does not start, or does not answer as a subject must.
  package func run(_ program: Program) throws -> Transcript {
    WorkerNote.enter(phase)
    defer { WorkerNote.enter(.law) }
    let pooled = try idle.withLock { $0.popLast() } ?? PooledSession(subject.session())
    defer { idle.withLock { $0.append(pooled) } }
    let transcript = try pooled.session.run(program)
    guard transcript.outcomes.count == program.instructions.count else {
      throw SubjectFailure(
        kind: "garbage",
        description:
          "\(transcript.outcomes.count) answers to \(program.instructions.count) questions"
      )
    }
    return transcript
  }
}
