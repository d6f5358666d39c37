import ForeignSubjects
import Foundation
import PropertyEngine

/// How a worker ended instead of answering, and at what.
struct WorkerDeath: Error, Hashable {
  let failure: WorkerProcess.Failure
  let place: WorkerNote.Place

  /// Candidates that shrinking may try: each that fails costs a new process, one that hangs or sleeps some seconds,
  /// and one that is silent ten minutes.
  private var attemptLimit: Int {
    switch failure.reason {
    case .silent: 1
    // So few that `LawRun` leaves out attempts without single parts, too.
    case .slept, .hung: 10
    case .outOfMemory: 12
    case .trapped, .exited, .other: 400
    }
  }

  /// What it means for the subject of a lane: that it does not answer, if its code was at work.
  ///
  /// Else the case is errored: the oracle, a law or a generator of ours is at fault, or the worker itself.
  func finding(in lane: Lane) -> Finding {
    let culprit = culprit(in: lane)
    let kind = culprit == nil ? kind : "harness.\(kind)"
    return Finding(
      key: FailureKey(law: FailureKey.answers, isError: culprit != nil, kind: kind),
      difference: Difference(
        kind: kind,
        summary: "\(culprit ?? lane.subject.id) \(happening)",
        expected: "an answer",
        actual: happening
      ),
      attemptLimit: attemptLimit
    )
  }

  /// Whose fault it is, before what happened; `nil` for the subject.
  private func culprit(in lane: Lane) -> String? {
    // What a worker says, or does not understand, no code of a subject can have done.
    if case .other = failure.reason { return "a worker" }
    return switch place.phase {
    case .waiting: "a worker ended before it began to judge: it"
    case .subject: nil
    case .law: lane.judgesHistories ? "a law" : nil
    case .drawing: "the generator"
    case .oracle: "the oracle \(lane.oracle ?? "")"
    }
  }

  /// The stable class: `hang`, `memory`, `trap`, with the runtime's words where it left any.
  private var kind: String {
    switch failure.reason {
    case .trapped: message.map { "trap.\(Self.kind(of: $0.words))" } ?? "trap"
    case .hung, .slept, .silent: "hang"
    case .outOfMemory: "memory"
    case .exited: "exit"
    case .other: "worker"
    }
  }

  /// What happened, in words.
  var happening: String {
    switch failure.reason {
    // No code traps so.
    case .trapped(Int(SIGKILL)):
      "was killed (signal 9), as a system does that has no memory left or a limit of processor time"
    case .trapped(let signal): "trapped (signal \(signal))" + (message.map { ": \($0.line)" } ?? "")
    case .hung: "hung: it used up the processor time that one case may take"
    case .slept(let seconds):
      "hung: all its threads waited for at least \(seconds) seconds, as for a lock that is not given back"
    case .silent(let seconds): "hung: it gave no sign for \(seconds) seconds"
    case .outOfMemory(let limit): "used more than \(limit >> 20) MiB of memory"
    case .exited(let status): "ended the process with status \(status)" + printed
    case .other(let words): "gave no verdict: \(words)"
    }
  }

  /// What a worker that did not begin has printed: its first line, as usage and traces follow.
  private var printed: String {
    guard place.phase == .waiting, let line = failure.lastLines.first else { return "" }
    return ", and printed: \(line)"
  }

  /// What the runtime said, from `Fatal error` on, and the whole line, which names the place:
  /// `MergeEngine/Arena.swift:80: Fatal error: Index out of range`.
  private var message: (words: String, line: String)? {
    for mark in ["Fatal error", "Precondition failed", "Assertion failed"] {
      for line in failure.lastLines.reversed() {
        guard let start = line.range(of: mark) else { continue }
        return (String(line[start.lowerBound...]), line)
      }
    }
    return nil
  }

  /// The message's words up to the first digit or quotation mark, after which values follow, as part of a
  /// kind: `fatal-error-index-out-of-range`.
  private static func kind(of message: String) -> String {
    let head = message.lowercased().prefix { !$0.isNumber && !"\"'`(<[{".contains($0) }
    let words = head.split { !$0.isLetter }.prefix(7)
    return words.joined(separator: "-")
  }
}
