import Dispatch
import Synchronization

/// Whether the test that waits for some work has been cancelled, by a time limit perhaps.
package final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)

  package var isRequested: Bool { requested.load(ordering: .relaxed) }

  func request() { requested.store(true, ordering: .relaxed) }
}

/// Does work that takes long on a thread of its own, so that other tests go on.
package func offThread<Value: Sendable>(
  _ work: @escaping @Sendable (Cancellation) throws -> Value
) async throws -> Value {
  let cancellation = Cancellation()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try work(cancellation) })
      }
    }
  } onCancel: {
    cancellation.request()
  }
}
