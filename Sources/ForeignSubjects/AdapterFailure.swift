import Foundation
import Histories
import Texts

/// What an adapter did instead of answering.
struct AdapterFailure: Error, Hashable, Sendable, CustomStringConvertible {
  enum Reason: Hashable, Sendable {
    /// It could not be started at all.
    case notStarted(String)
    /// It speaks another version of the protocol.
    case otherProtocol(version: Int)
    /// A signal ended it.
    case crashed(signal: Int)
    /// It exited with this status before it had answered.
    case exited(status: Int)
    /// It did not answer in time.
    case timedOut(milliseconds: Int)
    /// All its threads waited until what they wait for counts as never coming.
    case slept(seconds: Int)
    /// It answered something that is no answer.
    case garbage(String)
    /// It answered another request than the last one.
    case misnumbered(String)
    /// It wrote something beside its answers, such as what its library logs.
    case chatter(String)
    /// Its answer did not end within the limit.
    case flooded(byteLimit: Int)
    /// It and its children used more memory than the limit.
    case outOfMemory(bytes: Int, byteLimit: Int)
    /// It said that it cannot answer.
    case complained(String)
  }

  let reason: Reason
  /// The adapter's id, or its command where there is nothing else.
  let adapter: String
  /// What it was asked, in words.
  let request: String
  /// The last lines of its standard error.
  var errorLines: [String] = []
  var origin = AdapterOrigin.words
  /// What its author can do, where the answer itself says so.
  var remedy: String?

  /// The stable class of the failure.
  var kind: String {
    switch reason {
    case .notStarted: "start"
    case .otherProtocol: "protocol"
    case .crashed: "crash"
    case .exited: "exit"
    case .timedOut, .slept: "timeout"
    case .garbage, .chatter, .misnumbered: "garbage"
    case .flooded: "flood"
    case .outOfMemory: "memory"
    case .complained: "error"
    }
  }

  /// What happened, how its standard error ends, and what to do; without a period at the end, since a sentence may go
  /// on behind it.
  var description: String {
    let lines = errorLines.map { "  \(VisibleText(scalarLimit: 200)($0))" }
    let said =
      lines.isEmpty ? "" : "\nIts standard error ends:\n" + lines.joined(separator: "\n")
    let last = lastError.map { "; the last error that it wrote: \($0)" } ?? ""
    let todo = advice.hasSuffix(".") ? advice.dropLast() : advice[...]
    return "The adapter \(adapter) \(happening)\(last).\(said)\n\(todo)"
  }

  /// The line of its standard error that most likely says why, for those who see one line alone; `nil` if none does.
  ///
  /// Python ends with it, JavaScript and Rust write a trace or a note behind it.
  private var lastError: String? {
    let line = errorLines.last { line in
      ["error", "panicked", "exception"].contains { line.lowercased().contains($0) }
    }
    return line.map { VisibleText(scalarLimit: 200)($0.trimmingCharacters(in: .whitespaces)) }
  }

  /// Whether it most likely ended as something is not installed: it says so, or says nothing.
  private var lacksSomething: Bool {
    let signs = [
      "modulenotfound", "importerror", "no module named", "cannot find", "not found",
      "no such file",
      "not installed",
    ]
    let words = errorLines.joined(separator: "\n").lowercased()
    return errorLines.isEmpty || signs.contains { words.contains($0) }
  }

  /// What it did, to follow its name; in one line, whatever its own words hold.
  var happening: String {
    let visible = VisibleText(scalarLimit: 400)
    return switch reason {
    case .notStarted(let why): "could not be started: \(visible(why))"
    case .otherProtocol(let version):
      "speaks version \(version) of the line protocol; this harness speaks \(LineProtocol.version)"
    case .crashed(let signal): "was ended by signal \(signal) \(request)"
    case .exited(let status): "exited with status \(status) \(request)"
    case .timedOut(let milliseconds):
      "gave no answer within \(seconds(ofMilliseconds: milliseconds)) \(request)"
    case .slept(let seconds): "waited for at least \(seconds) s with all its threads \(request)"
    case .garbage(let why), .chatter(let why), .misnumbered(let why):
      "gave something that is not an answer, \(request): \(visible(why))"
    case .flooded(let limit): "wrote more than \(mebibytes(limit)) without an end \(request)"
    case .outOfMemory(let bytes, let limit):
      "used \(mebibytes(bytes)) of memory, more than \(mebibytes(limit)), \(request)"
    case .complained(let words): "says that it cannot answer, \(request): \(visible(words))"
    }
  }

  /// When a program fails that has been asked nothing yet.
  static let start = "when it was started"

  /// What its author can do.
  var advice: String {
    switch reason {
    case .notStarted:
      switch origin {
      case .words: "Install or fix the program, or correct the command."
      case .manifest: "Install or fix the program, or correct \"command\" in its adapter.json."
      }
    case .otherProtocol:
      "Use an adapter and a harness of the same time; Documentation/LineProtocol.md says what changed."
    case .crashed where request == Self.start,
      .exited where request == Self.start && !lacksSomething:
      "The program ended before it answered: "
        + (errorLines.isEmpty ? "" : "fix what its standard error says, and ")
        + "run its command by hand until it waits for a line."
    case .exited where request == Self.start:
      if case .manifest(let command?) = origin {
        "Install what it needs: `\(command)`, in this clone of Touchstone, does."
      } else {
        "Install what it needs, as a README beside it may say."
      }
    case .crashed, .exited:
      """
      The next program gets a fresh process. If the implementation cannot do what the program asks, \
      leave that out of the adapter's capabilities.
      """
    case .timedOut, .slept:
      "It was killed with its children; the next program gets a fresh process. "
        + "If it is only slow, allow more time: \"answerSeconds\" in its adapter.json."
    case .garbage, .chatter, .misnumbered:
      "It was killed with its children. Documentation/LineProtocol.md says what an answer is; "
        + "nothing else may be printed to standard output."
    case .flooded, .outOfMemory:
      "It was killed with its children; the next program gets a fresh process."
    case .complained:
      "The next program is put to the same process."
    }
  }

  /// What its author can do, where it has nothing to do with what was being checked; `nil` otherwise.
  var cause: String? {
    switch reason {
    case .garbage: remedy
    case .chatter:
      "Print one answer a line to standard output, and nothing else: what you print to find a mistake, "
        + "and what your library logs, belongs on standard error."
    case .misnumbered:
      "Answer requests one at a time, in the order in which they come, each with the \"n\" of its request."
    case .crashed, .exited:
      "Find out why the program ends: what goes wrong in an instruction is to be [\"failed\",\"why\"], "
        + "and the next one is carried out. Leave what cannot be done out of \"capabilities\"."
    case .timedOut, .slept:
      "Flush standard output behind each answer; else look for an endless loop, or for a wait for more "
        + "input. If this machine is only slow, allow more time: --timeout 60s."
    case .notStarted, .otherProtocol, .flooded, .outOfMemory, .complained: nil
    }
  }

  var subjectFailure: SubjectFailure {
    SubjectFailure(kind: kind, description: description)
  }
}
