/// How much longer an answer is waited for.
///
/// A run that is stopped, by Ctrl-Z or by a job scheduler, does not wait meanwhile, though the clock goes on;
/// what it waits for may have been stopped as well. So the time from one look to the next counts no more than
/// twice what a look takes.
struct AnswerTimeout {
  private var left: Duration
  private let look: Duration
  private var last: SuspendingClock.Instant

  /// - Parameters:
  ///   - milliseconds: How long to wait in all.
  ///   - lookMilliseconds: How long one look takes at most.
  ///   - now: When the waiting begins.
  init(milliseconds: Int, lookMilliseconds: Int, now: SuspendingClock.Instant) {
    left = .milliseconds(milliseconds)
    look = .milliseconds(lookMilliseconds)
    last = now
  }

  /// Whether the answer is too late.
  var isOver: Bool { left <= .zero }

  /// Milliseconds that the next look may take, at least 1.
  var nextLook: Int { max(1, Int(min(left, look) / .milliseconds(1))) }

  /// Counts the time since the last call, or since the start.
  mutating func spend(until now: SuspendingClock.Instant) {
    left -= min(last.duration(to: now), look * 2)
    last = now
  }
}
