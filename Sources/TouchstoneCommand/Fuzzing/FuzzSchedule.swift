import Foundation

/// Divides a fuzzer's time by what still finds something new.
///
/// Each target runs once first. Then most of the time goes to the target whose last run found most a
/// second, and a fifth of it to the one that has had the least.
struct FuzzSchedule {
  private struct Row {
    /// Seconds that the target has been given.
    var seconds = 0.0
    /// Features of the program that the last run found, a second.
    var yield = Double.infinity
    var runningCount = 0
    var features = 0
  }

  private var rows: [Row]
  private var pickCount = 0

  init(targetCount: Int) {
    rows = Array(repeating: Row(), count: targetCount)
  }

  /// The number of the target that goes next; `nil` if there is none.
  mutating func next() -> Int? {
    pickCount += 1
    let turns = rows.indices.sorted { left, right in
      // Where two are alike, the one that stands first.
      if rows[left].runningCount != rows[right].runningCount {
        return rows[left].runningCount < rows[right].runningCount
      }
      if pickCount.isMultiple(of: 5) || rows[left].yield == rows[right].yield {
        return (rows[left].seconds, left) < (rows[right].seconds, right)
      }
      return rows[left].yield > rows[right].yield
    }
    guard let turn = turns.first else { return nil }
    rows[turn].runningCount += 1
    return turn
  }

  /// Takes down that a run of a target ended, and what the target's inputs reach by now.
  mutating func ended(_ target: Int, seconds: Double, features: Int) {
    let new = max(0, features - rows[target].features)
    rows[target].yield = Double(new) / max(seconds, 0.001)
    rows[target].features = max(features, rows[target].features)
    rows[target].seconds += seconds
    rows[target].runningCount -= 1
  }
}

extension FuzzSchedule {
  /// Seconds of one run of a fuzzer: long enough that reading the corpus is little of it.
  static func sliceSeconds(_ seconds: Double, _ jobs: Int, _ targetCount: Int) -> Double {
    let share = seconds * Double(jobs) / Double(max(1, targetCount))
    return min(max(share / 3, 10), 300)
  }

  /// Lets jobs work at once until the time is over, or there is nothing left to do.
  ///
  /// `work` gets the seconds that are left, and says whether there was work.
  static func run(
    _ jobs: Int,
    for seconds: Double,
    isInterrupted: @Sendable () -> Bool,
    _ work: @Sendable (_ left: Double) -> Bool
  ) {
    let deadline = ProcessInfo.processInfo.systemUptime + seconds
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while !isInterrupted() {
        let left = deadline - ProcessInfo.processInfo.systemUptime
        guard left >= 1, work(left) else { return }
      }
    }
  }
}
