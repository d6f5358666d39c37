import Dispatch

/// Runs what blocks on a thread that is not of the cooperative pool.
///
/// Concurrent, since openings are of different stores: none waits for another's files.
struct FileThread {
  private static let queue = DispatchQueue(
    label: "touchstone.local-store.open",
    attributes: .concurrent
  )

  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: body()) }
    }
  }
}
