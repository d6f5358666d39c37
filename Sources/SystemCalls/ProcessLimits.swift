#if os(Linux) || os(macOS)
import Foundation

/// Limits that this process sets for itself.
package enum ProcessLimits {
  /// Starts the time of a task, which ends this process with `SIGPROF` when it is used up.
  ///
  /// Processor time, of user and system together, and not that of a clock: a busy machine makes no
  /// verdict.
  package static func allowProcessorTime(seconds: Double) {
    var limit = itimerval()
    limit.it_value.tv_sec = Int(seconds)
    limit.it_value.tv_usec = .init((seconds - seconds.rounded(.down)) * 1_000_000)
    #if canImport(Darwin)
    _ = unsafe setitimer(ITIMER_PROF, &limit, nil)
    #else
    _ = unsafe setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
    #endif
  }

  /// Limits the addresses that the process may use; nothing on systems that do not hold a process to that.
  package static func allowMemory(byteCount: UInt64) {
    #if os(Linux)
    var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #endif
  }

  /// Asks the system for this many open files, or for as many as it gives.
  ///
  /// - Returns: How many there may be now; `nil` if the system does not say.
  package static func askForOpenFiles(_ wanted: Int) -> Int? {
    #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return nil }
    var raised = limits
    raised.rlim_cur = min(limits.rlim_max, rlim_t(wanted))
    if limits.rlim_cur < raised.rlim_cur, unsafe setrlimit(resource, &raised) == 0 {
      limits = raised
    }
    return Int(clamping: limits.rlim_cur)
  }
}
#endif
