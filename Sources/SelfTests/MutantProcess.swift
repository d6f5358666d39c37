import Foundation
import Mutants
import Programs
import PropertyEngine

/// Runs the program of a patched copy on one bug, in a process of its own.
struct MutantProcess: Sendable {
  let copy: PatchedCopy
  let seed: Seed

  /// How the process ended, and what it came to.
  struct Result: Sendable {
    let outcome: PatchOutcome
    let end: Subprogram.End
  }

  /// No process ran, or what it printed is lost: the bug was not judged.
  struct NotRun: Error, Hashable, CustomStringConvertible {
    let target: SourcePatch.Target
    /// The mutant's id; `nil` for the program without a bug.
    let mutantID: String?
    let reason: String

    var description: String {
      let name = mutantID.map { "the mutant \($0)" } ?? "\(target.rawValue) without a bug"
      return "\(name) was not run: \(reason)"
    }
  }

  /// The form of the sample of a process that died: what it printed last.
  static let printedForm = FormName("printed", version: 1)

  /// - Parameters:
  ///   - target: The part of the package that is judged.
  ///   - bug: Number of the bug; 0 for none.
  ///   - mutantID: Id of the bug, which errors name; `nil` for none.
  ///   - arguments: More of them for `touchstone mutant`.
  ///   - logName: Name of the file of what it prints.
  ///   - environment: More variables for it.
  ///   - secondsLimit: On the clock; a process that names no other case for so long counts as hanging.
  ///   - isInterrupted: Asked all the time; ends the process once it says so.
  /// - Returns: The outcome that it printed. Without one it died on the last case that it named.
  /// - Throws: ``NotRun``, also for a process that ended as no bug can make it.
  func run(
    _ target: SourcePatch.Target,
    bug: UInt64,
    mutantID: String?,
    _ arguments: [String],
    logName: String,
    environment: [String: String] = [:],
    secondsLimit: Double,
    isInterrupted: () -> Bool
  ) throws(NotRun) -> Result {
    let process = CaseProcess(
      copy.program,
      ["mutant", target.rawValue, "--seed", "\(seed)"] + arguments,
      environment: [SourcePatch.variable: "\(bug)"].merging(environment) { _, new in new },
      log: copy.folder.appendingPathComponent("runs/\(logName).log"),
      silenceLimit: secondsLimit
    )
    let ended: CaseProcess.Outcome<PatchOutcome>
    do { ended = try process.run(for: PatchOutcome.self, isInterrupted: isInterrupted) } catch {
      throw NotRun(target: target, mutantID: mutantID, reason: "\(error)")
    }
    if let outcome = ended.answer { return Result(outcome: outcome, end: ended.end) }
    // An interruption ends the process as well; its callers keep nothing of what it comes to.
    guard ended.end.isOfJudgedCode || isInterrupted() else {
      let printed = ended.lines.last { CaseMark(String($0)) == nil }.map { "; it printed: \($0)" }
      throw NotRun(
        target: target,
        mutantID: mutantID,
        reason: ended.explanation + (printed ?? "")
      )
    }
    let last = ended.lastCase
    let outcome = PatchOutcome(
      cases: (last?.index ?? 0) + 1,
      finding: Finding(law: FailureKey.answers, .errored(ended.explanation)),
      sample: StoredSample(
        form: Self.printedForm,
        text: ended.lines.suffix(3).joined(separator: "\n"),
        size: 0,
        measure: "what it printed last"
      ),
      seconds: last?.seconds
    )
    return Result(outcome: outcome, end: ended.end)
  }
}

extension Subprogram.End {
  /// Signals by which the system, or the runtime of the language, ends what runs: `SIGPROF` once a case has used up
  /// its time, and `SIGABRT` where there is no more memory to give.
  private static let trapSignals: Set = [
    SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPROF,
  ]

  /// Whether code that is judged can end its process so.
  ///
  /// None of it calls `exit`: a status is of a process that could not start, or not write, as on a full disk. Any
  /// other signal was sent from outside. That includes `SIGKILL`, as `touchstone mutant` limits its memory itself.
  var isOfJudgedCode: Bool {
    switch self {
    case .exited: false
    case .signalled(let signal): Self.trapSignals.contains(signal)
    case .timedOut, .slept: true
    }
  }
}
