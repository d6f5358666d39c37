import CaseFiles
import Foundation

/// Sees to it that threads can be started, before any is needed.
///
/// Where a limit of processes is reached, as in a container, the system's library of queues tries again for ever:
/// a run would hang without a word, deaf to SIGTERM.
enum Threads {
  /// What a run uses: a thread for each processor, and those that wait for processes and standard output.
  private static let neededCount = ProcessInfo.processInfo.activeProcessorCount + 2
  /// How long a thread may take to start on a machine under load.
  private static let startSeconds = 10.0

  /// Starts as many as a run uses, and ends them.
  ///
  /// - Throws: `FileFailure` with what to do, if they do not start.
  static func require() throws(FileFailure) {
    let (started, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var count = 0
    while count < neededCount {
      Thread {
        started.signal()
        end.wait()
      }.start()
      guard started.wait(timeout: .now() + startSeconds) == .success else { break }
      count += 1
    }
    // One more for a thread that comes late.
    for _ in 0...count { end.signal() }
    guard count < neededCount else { return }
    throw FileFailure(
      "only \(count) more threads can be started here, and \(neededCount) are needed: "
        + "raise the limit of processes (`ulimit -u`, or that of the container)"
    )
  }
}
