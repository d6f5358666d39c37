package import Foundation

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
    var state = unsafe siginfo_t()
    // A C call: the state lends its storage for the time of the call.
    let result = unsafe waitid(
      P_PID,
      id_t(process.processIdentifier),
      &state,
      WEXITED | WNOHANG | WNOWAIT
    )
    guard result == 0 else {
      // Foundation has taken the status.
      guard !process.isRunning else { return nil }
      self =
        process.terminationReason == .uncaughtSignal
        ? .signalled(process.terminationStatus) : .exited(process.terminationStatus)
      return
    }
    guard unsafe state.si_signo == SIGCHLD else { return nil }
    #if os(Linux)
    let status = unsafe state._sifields._sigchld.si_status
    #else
    let status = unsafe state.si_status
    #endif
    self = unsafe Int(state.si_code) == Int(CLD_EXITED) ? .exited(status) : .signalled(status)
  }
}
#endif
