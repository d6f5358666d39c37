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
  /// Resident bytes of the adapter and its children together; looked at ten times a second.
  package var memoryByteLimit: Int

  package init(
    startTimeoutMilliseconds: Int = 20_000,
    answerTimeoutMilliseconds: Int = 10_000,
    stopTimeoutMilliseconds: Int = 1_000,
    answerByteLimit: Int = 16 << 20,
    memoryByteLimit: Int = 1 << 30
  ) {
    self.startTimeoutMilliseconds = startTimeoutMilliseconds
    self.answerTimeoutMilliseconds = answerTimeoutMilliseconds
    self.stopTimeoutMilliseconds = stopTimeoutMilliseconds
    self.answerByteLimit = answerByteLimit
    self.memoryByteLimit = memoryByteLimit
  }
}
