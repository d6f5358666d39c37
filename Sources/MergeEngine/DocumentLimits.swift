/// What a document takes in from outside, and what one call may cost for it.
///
/// Each is checked before, or while, anything of the size is made. Exceeding one refuses the call with
/// ``ChunkError/Reason/limitExceeded(_:)`` and the property's name. The defaults are for bytes that
/// strangers send; a caller that knows where a file is from may load it with greater ones.
///
/// What no limit can change, since the store has no room for more, is in ``Limits``.
package struct DocumentLimits: Hashable, Sendable {
  /// Bytes that the compressed changes and columns of one call may inflate to, all together; at most
  /// 2^30.
  ///
  /// DEFLATE makes at most 1,032 bytes of one.
  package var inflatedByteLimit = 1 << 28
  /// Bytes of memory that one call may add, whatever its length.
  package var freeMemoryByteLimit = 1 << 28
  /// Bytes of memory that one call may add beyond them, for each of its bytes as they arrive.
  ///
  /// Files of honest writers need less than a hundred.
  package var memoryPerByteLimit = 512
  /// Steps of work that one call may spend on bytes from outside, whatever their number; a step is about a
  /// nanosecond (`WorkMeter`).
  ///
  /// What repeats itself takes next to no bytes: this is enough for 650,000 commits that count a counter up,
  /// and they are some 500 bytes when they are saved. A document that is not empty takes 550,000 of them from such a
  /// file, since it reads each again.
  package var freeWorkLimit = 1 << 28
  /// Steps of work that one call may spend beyond them, for each of its bytes.
  ///
  /// Files of honest writers need less than a hundred.
  package var workPerByteLimit = 4_096
  /// Elements of the document's lists and texts that were inserted with a value of no bytes: null,
  /// true, false, an empty string, a new object.
  ///
  /// They alone are stored in runs of any length: 174 bytes can say 67 million nulls, and a
  /// reader pays about 125 bytes of memory for each. Local edits keep to it, too, so that what is
  /// saved can be loaded.
  package var emptyElementLimit = 1 << 22
  /// Changes that wait for their dependencies.
  package var waitingChangeLimit = 1 << 19
  /// Changes of one actor that wait for their dependencies.
  package var waitingChangePerActorLimit = 1 << 18
  /// Bytes of the changes that wait, inflated.
  package var waitingByteLimit = 1 << 27
  /// Actors that the document may know for changes from outside to bring another one.
  ///
  /// The 1,024 below the store's own limit are left to the app, which can always edit.
  package var receivedActorLimit = Limits.actorLimit - 1_024
  /// How far the numbers of a change's operations may lie beyond the operations that it builds on.
  ///
  /// Operations are numbered up to 2^32 - 1 for the whole document. Honest writers go on from what
  /// they know; one change that begins near the end would leave no number to other writers.
  package var operationGapLimit = 1 << 24

  package init() {}

  /// The greatest that the store can hold: for files whose writer is known.
  package static var greatest: DocumentLimits {
    var limits = DocumentLimits()
    limits.inflatedByteLimit = Limits.inflatedByteLimit
    limits.freeMemoryByteLimit = .max
    limits.memoryPerByteLimit = .max
    limits.freeWorkLimit = .max
    limits.workPerByteLimit = .max
    limits.emptyElementLimit = .max
    limits.waitingChangeLimit = .max
    limits.waitingChangePerActorLimit = .max
    limits.waitingByteLimit = .max
    limits.receivedActorLimit = Limits.actorLimit
    limits.operationGapLimit = .max
    return limits
  }

  /// Bytes of memory that a call with `count` bytes may add.
  ///
  /// Saturates: limits of `.max` bound nothing.
  package func memoryLimit(forByteCount count: Int) -> Int {
    count.multipliedClamped(by: max(memoryPerByteLimit, 0))
      .addingClamped(max(freeMemoryByteLimit, 0))
  }

  /// Steps of work that a call with `count` bytes may spend.
  package func workLimit(forByteCount count: Int) -> Int {
    work(ofByteCount: count).addingClamped(max(freeWorkLimit, 0))
  }

  /// Steps of work that `count` bytes may cost beyond what is free.
  func work(ofByteCount count: Int) -> Int {
    count.multipliedClamped(by: max(workPerByteLimit, 0))
  }
}

extension Int {
  /// The sum, or the greatest number where it is greater.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The product of two numbers from 0 on, or the greatest number where it is greater.
  func multipliedClamped(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
