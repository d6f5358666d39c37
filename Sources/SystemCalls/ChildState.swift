#if os(Linux) || os(macOS)
package import Foundation

/// What became of a process that this one started, as the system says.
package enum ChildState: Hashable, Sendable {
  case running
  case exited(CInt)
  case signalled(CInt)

  /// Asks without waiting, and leaves the answer for the next one who asks; `nil` if the system knows no such
  /// child, or has been asked by one who took the answer away.
  package init?(of identifier: pid_t) {
    var state = unsafe siginfo_t()
    let result = unsafe waitid(P_PID, id_t(identifier), &state, WEXITED | WNOHANG | WNOWAIT)
    guard result == 0 else { return nil }
    guard unsafe state.si_signo == SIGCHLD else {
      self = .running
      return
    }
    #if os(Linux)
    let status = unsafe state._sifields._sigchld.si_status
    #else
    let status = unsafe state.si_status
    #endif
    self = unsafe Int(state.si_code) == Int(CLD_EXITED) ? .exited(status) : .signalled(status)
  }
}
#endif
