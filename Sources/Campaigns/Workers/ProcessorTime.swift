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

/// The processor time that this process has used, of user and system together.
package func processorSeconds() -> Double {
  var time = timespec()
  // A C call: the value lends its storage for the time of the call.
  guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
