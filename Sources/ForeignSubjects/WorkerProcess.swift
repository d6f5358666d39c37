package import Foundation
import Programs
import SystemCalls

/// This program in a process of its own, which answers lines with lines: what it runs may trap, hang
/// or eat the memory, and only that process ends.
///
/// One thread uses an instance. After a failure it is of no more use.
package final class WorkerProcess {
  private let child: ChildProcess

  /// How a process ended, or was ended, instead of answering.
  package struct Failure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
      /// A signal ended it.
      case trapped(signal: Int)
      /// It used more processor time for one task than it may.
      case hung
      /// All its threads waited for so long: what they wait for never comes.
      case slept(seconds: Int)
      /// It gave no sign for so long, however little it did.
      case silent(seconds: Int)
      case outOfMemory(byteLimit: Int)
      case exited(status: Int)
      /// It could not be started, or said what is no answer.
      case other(String)
    }

    package let reason: Reason
    /// The last lines of its standard error.
    package let lastLines: [String]

    package init(reason: Reason, lastLines: [String]) {
      self.reason = reason
      self.lastLines = lastLines
    }
  }

  /// Without a sign for so long a process counts as hanging, however little it does.
  private static let silenceLimitMilliseconds = 600_000
  private static let usualMemoryByteLimit = 2 << 30

  /// Starts a program; `memoryByteLimit` is what it may use, 2 GiB unless given.
  ///
  /// - Throws: ``Failure`` if it cannot be started.
  package init(
    _ program: URL,
    arguments: [String],
    environment: [String: String],
    memoryByteLimit: Int? = nil
  ) throws(Failure) {
    let command = AdapterCommand(
      program: program,
      arguments: arguments,
      folder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
      environment: environment
    )
    let limits = AdapterLimits(
      answerByteLimit: 256 << 20,
      memoryByteLimit: memoryByteLimit ?? Self.usualMemoryByteLimit,
      // Behind the words of a trap stands a line for each frame of its stack.
      lastLineLimit: 400,
      memoryLookMilliseconds: 1_000,
      endsSleepers: true
    )
    do {
      child = try ChildProcess(command, adapter: "worker", limits: limits)
    } catch {
      throw Failure(reason: .other(error.happening), lastLines: [])
    }
  }

  /// Sends a line without its end, and waits for the line that answers it.
  package func exchange(_ line: [UInt8]) throws(Failure) -> [UInt8] {
    do {
      return try child.exchange(
        line + [UInt8(ascii: "\n")],
        within: Self.silenceLimitMilliseconds,
        as: ""
      )
    } catch {
      child.kill()
      throw Failure(reason: Self.reason(error.reason), lastLines: error.errorLines)
    }
  }

  /// Ends the process, which is idle.
  package func stop() {
    child.kill()
  }

  /// To be called first in such a process: programs that it starts are its own, and not its parent's.
  ///
  /// A program that asks all processes of a run to end, as a service manager does, asks the
  /// worker's parent as well, which decides: a worker that ends of its own would be a subject that
  /// fails.
  ///
  /// What it earns: the report of a run that is ended so. Without it each worker is a subject that trapped. What
  /// holds it: `WorkerTests`, "A SIGTERM to all processes of a run interrupts it, and is no failure of a subject".
  package static func becomeWorker() {
    for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_IGN) }
    ProcessStart.forget(variable: MarkedProcesses.variable)
  }

  /// What an adapter's end is for a process of this program.
  static func reason(_ reason: AdapterFailure.Reason) -> Failure.Reason {
    switch reason {
    case .crashed(signal: Int(SIGPROF)): .hung
    case .timedOut(let milliseconds): .silent(seconds: milliseconds / 1000)
    case .slept(let seconds): .slept(seconds: seconds)
    case .crashed(let signal): .trapped(signal: signal)
    case .exited(let status): .exited(status: status)
    case .outOfMemory(_, let limit): .outOfMemory(byteLimit: limit)
    case .notStarted(let why), .garbage(let why), .chatter(let why),
      .misnumbered(let why), .complained(let why):
      .other(why)
    case .flooded(let limit): .other("it wrote more than \(mebibytes(limit)) without an end")
    case .otherProtocol(let version): .other("it speaks version \(version)")
    }
  }
}
