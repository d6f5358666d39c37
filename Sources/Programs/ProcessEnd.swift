package import Foundation
import SystemCalls

#if os(Linux) || os(macOS)
/// How a process ended.
package enum ProcessEnd: Hashable, Sendable {
  case exited(Int32)
  case signalled(Int32)

  /// The end of a process that this one started; `nil` while it runs.
  ///
  /// Foundation notices an end only when all that inherited the process's pipes have ended, programs that another
  /// thread started meanwhile among them. So the system is asked, without taking the status away from Foundation.
  package init?(of process: Process) {
    switch ChildState(of: process.processIdentifier) {
    case .running: return nil
    case .exited(let status): self = .exited(status)
    case .signalled(let signal): self = .signalled(signal)
    case nil:
      // Foundation has taken the status.
      guard !process.isRunning else { return nil }
      self =
        process.terminationReason == .uncaughtSignal
        ? .signalled(process.terminationStatus) : .exited(process.terminationStatus)
    }
  }
}
#endif
