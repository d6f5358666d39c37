import CaseFiles
import Dispatch
import Synchronization

/// Does asynchronous work while the calling thread waits, which must not be one of the cooperative pool.
///
/// - Throws: What the work throws.
func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    outcome.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  guard let result = outcome.withLock({ $0 }) else { throw FileFailure("there was no answer") }
  return try result.get()
}
