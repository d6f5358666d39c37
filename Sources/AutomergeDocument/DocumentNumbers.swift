import Synchronization

/// Gives each document of the process a number of its own, from 1: the order in which two are
/// locked.
final class DocumentNumbers: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 {
    last.add(1, ordering: .relaxed).newValue
  }
}
