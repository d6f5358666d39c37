import Foundation

/// Starts the time of a task, which ends this process with `SIGPROF` when it is used up.
///
/// Processor time, of user and system together, and not that of a clock: a busy machine makes no
/// verdict.
package func allowProcessorTime(seconds: Double) {
  var limit = itimerval()
  limit.it_value.tv_sec = Int(seconds)
  limit.it_value.tv_usec = .init((seconds - seconds.rounded(.down)) * 1_000_000)
  // A C call reads a value that lives here.
  #if canImport(Darwin)
  _ = unsafe setitimer(ITIMER_PROF, &limit, nil)
  #else
  _ = unsafe setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
  #endif
}
