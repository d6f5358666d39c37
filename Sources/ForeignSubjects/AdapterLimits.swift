import Texts

/// How long an adapter may take and how much it may use before it is killed.
package struct AdapterLimits: Hashable, Sendable {
  /// For a process to start and answer the first request.
  package var startTimeoutMilliseconds: Int
  /// For one program.
  package var answerTimeoutMilliseconds: Int
  /// For an idle adapter to exit when it is asked to.
  package var stopTimeoutMilliseconds: Int
  /// Bytes of one answer.
  package var answerByteLimit: Int
  /// Resident bytes of the adapter and its children together.
  package var memoryByteLimit: Int
  /// Lines of standard error, the last ones, that a failure tells.
  package var lastLineLimit: Int
  /// Between two looks at the memory.
  package var memoryLookMilliseconds: Int
  /// Whether one that waits for something that never comes is ended then, and not when its time is over.
  ///
  /// `SleepWatch` says when that is. For workers: an adapter may wait for a machine elsewhere.
  package var endsSleepers: Bool

  package init(
    startTimeoutMilliseconds: Int = 20_000,
    answerTimeoutMilliseconds: Int = 10_000,
    stopTimeoutMilliseconds: Int = 1_000,
    answerByteLimit: Int = 16 << 20,
    memoryByteLimit: Int = 1 << 30,
    lastLineLimit: Int = 6,
    memoryLookMilliseconds: Int = 100,
    endsSleepers: Bool = false
  ) {
    self.startTimeoutMilliseconds = startTimeoutMilliseconds
    self.answerTimeoutMilliseconds = answerTimeoutMilliseconds
    self.stopTimeoutMilliseconds = stopTimeoutMilliseconds
    self.answerByteLimit = answerByteLimit
    self.memoryByteLimit = memoryByteLimit
    self.lastLineLimit = lastLineLimit
    self.memoryLookMilliseconds = memoryLookMilliseconds
    self.endsSleepers = endsSleepers
  }
}

extension AdapterLimits {
  /// The limits with at least that time for an answer and for the start; the same ones for `nil`.
  func allowing(answerSeconds: Int?) -> AdapterLimits {
    guard let answerSeconds else { return self }
    var limits = self
    limits.answerTimeoutMilliseconds = max(answerTimeoutMilliseconds, answerSeconds * 1_000)
    limits.startTimeoutMilliseconds = max(startTimeoutMilliseconds, answerSeconds * 1_000)
    return limits
  }
}

/// A time as messages tell it: `10 s`, `1.5 s`, `200 ms`.
func seconds(ofMilliseconds milliseconds: Int) -> String {
  if milliseconds.isMultiple(of: 1_000) { return "\(grouped(milliseconds / 1_000)) s" }
  return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(decimal(Double(milliseconds) / 1_000)) s"
}

/// A number of bytes as messages tell it, in MiB and rounded up: what is above a limit is told so.
func mebibytes(_ byteCount: Int) -> String {
  "\(grouped((max(1, byteCount) - 1) >> 20 + 1)) MiB"
}
