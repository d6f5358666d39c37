/// What may still be done for the bytes of one chunk.
///
/// Run-length columns say in ten bytes what takes a million steps: rows that are read one by one, successors,
/// elements without bytes and memory are counted, as a load counts them.
final class SavedBudget {
  private let limits: DocumentLimits
  private let memoryByteLimit: Int
  private var rowCount = 0
  private var linkCount = 0
  private var emptyElementCount = 0
  private var byteCount = 0

  /// For a chunk of `chunkByteCount` bytes.
  init(_ limits: DocumentLimits, chunkByteCount: Int) {
    self.limits = limits
    memoryByteLimit = limits.memoryLimit(forByteCount: chunkByteCount)
  }

  /// Rows that are read by themselves, of columns with `columnByteCount` bytes, inflated.
  func spendRow(columnByteCount: Int) throws(Fault) {
    rowCount += 1
    guard rowCount <= Limits.entryLimit(forByteCount: columnByteCount) else {
      throw Fault(.limitExceeded(.rowLimit), 0, .rows)
    }
  }

  /// How many successors may still be read.
  func linksLeft(columnByteCount: Int) -> Int {
    min(Limits.entryLimit(forByteCount: columnByteCount), Limits.linkLimit) - linkCount
  }

  func spendLinks(_ count: Int) { linkCount += count }

  /// Elements that were inserted with a value of no bytes.
  func spendEmptyElements(_ count: Int) throws(Fault) {
    emptyElementCount = emptyElementCount.addingClamped(count)
    guard emptyElementCount <= limits.emptyElementLimit else {
      throw Fault(.limitExceeded(.emptyElementLimit), 0, .insert)
    }
  }

  /// Memory for `count` records of a type that are kept.
  func spendMemory<Record>(_ count: Int, of type: Record.Type) throws(Fault) {
    byteCount = byteCount.addingClamped(count * MemoryLayout<Record>.stride)
    guard byteCount <= memoryByteLimit else {
      throw Fault(.limitExceeded(.memoryPerByteLimit), 0, .rows)
    }
  }
}
