import Foundation
import PropertyEngine

/// Runs `body` on a thread of its own with a large stack, and waits for it.
///
/// Laws of depth ask for a coder's limit. The threads on which laws are held have 512 KiB on some
/// systems, where it is the stack that ends first.
///
/// 16 MiB is 32 KiB for each of 512 containers, several times what a coder of ours takes for one in
/// a debug build (`StackRoom.bytesPerContainer`).
func onDeepStack<Value>(_ body: @escaping () -> Value) throws -> Value {
  let work = DeepWork(body)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    work.run()
    isDone.signal()
  }
  thread.stackSize = 16 << 20
  thread.start()
  isDone.wait()
  guard let value = work.value else { throw Skipped("the thread gave no value") }
  return value
}

/// What one thread does while another waits for it: never both at once.
///
/// The semaphore orders the two: `run` ends before it is signalled, and `value` is read after the
/// wait.
private final class DeepWork<Value>: @unchecked Sendable {
  private let body: () -> Value
  private(set) var value: Value?

  init(_ body: @escaping () -> Value) {
    self.body = body
  }

  func run() { value = body() }
}
