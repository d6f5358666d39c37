import Foundation

/// What this process uses of the machine: for people, never for a verdict.
enum ProcessUse {
  /// Processor time of the calling thread, in nanoseconds.
  static var threadNanoseconds: UInt64 {
    var time = timespec()
    // A C call: the value lends its storage for the time of the call.
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The most memory that the process has had resident, in bytes.
  static var peakMemoryByteCount: Int {
    var usage = rusage()
    // A C call: the value lends its storage for the time of the call.
    #if os(Linux)
    guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_maxrss * 1024
    #else
    guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
    return usage.ru_maxrss
    #endif
  }
}
