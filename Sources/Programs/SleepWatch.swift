#if os(Linux) || os(macOS)
package import Foundation

/// Finds a program that waits for ever, such as for a lock that is never released.
///
///     every look      S S S S ...      all threads asleep: after 50 looks it waits for ever
///     a busy machine  R R S R ...      what is ready to run is not asleep, however little it gets
///
/// One that has started another program may wait for that, and is never accused.
///
/// It counts looks and no time, so that neither a busy machine nor a program that was stopped is accused. A thread
/// that wakes now and then only to look at a lock again is found awake in few of them.
///
/// A wait for a file system that runs as a program, and a process that is frozen with its group, look like sleep.
/// Linux alone tells the states of threads; elsewhere no look finds anything.
package struct SleepWatch {
  /// Between two looks.
  package static let lookMilliseconds = 100
  /// Looks that must find it asleep, about; a look that does not takes ten of them back.
  private static let lookLimit = 50
  /// How long that takes, in seconds.
  package static let seconds = lookLimit * lookMilliseconds / 1000

  private let process: pid_t
  private var asleepCount = 0

  /// Watches a process by its number.
  package init(_ process: pid_t) {
    self.process = process
  }

  /// Looks once; whether the process was asleep in as many looks as the limit says, and has no child.
  ///
  /// Cost: a file for each thread; once the limit is reached, one pass over the process table.
  package mutating func findsEndlessSleep() -> Bool {
    asleepCount = Self.isAsleep(process) ? asleepCount + 1 : max(0, asleepCount - 10)
    guard asleepCount >= Self.lookLimit else { return false }
    guard ProcessStatus.all().contains(where: { $0.parent == Int(process) }) else { return true }
    asleepCount = 0
    return false
  }

  /// Whether all threads of a process wait: none runs, is ready to run, waits for a disk or is stopped.
  ///
  /// `false` if the system does not say.
  static func isAsleep(_ process: pid_t) -> Bool {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return !threads.isEmpty
      && threads.allSatisfy { thread in
        guard let stat = FileManager.default.contents(atPath: "\(folder)/\(thread)/stat"),
          let name = stat.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        // A space and the state follow the name in parentheses.
        return stat.dropFirst(name - stat.startIndex + 2).first == UInt8(ascii: "S")
      }
  }
}
#endif
