import Foundation

/// What this process uses of the machine: for people and for limits of time, never for a verdict.
package enum ProcessUse {
  /// Processor time that the process has used, of user and system together.
  package static var processorSeconds: Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Processor time of the calling thread.
  package static var threadSeconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

  /// 0 if the system does not say.
  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that the process has had resident, in bytes; 0 if the system does not say.
  package static var peakMemoryByteCount: Int {
    var usage = rusage()
    #if os(Linux)
    guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_maxrss * 1024
    #else
    guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
    return usage.ru_maxrss
    #endif
  }
}
