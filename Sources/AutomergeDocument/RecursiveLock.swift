import Foundation
import Synchronization

/// A lock that the thread which holds it may take again.
///
/// It guards one document, and not an actor, since the calls of `Document` are synchronous and
/// may come from a callback of the same document. Contended, it waits in an `NSCondition`.
///
/// What it earns: taken and given back while free, 12 instructions and 2.3 ns, where `NSRecursiveLock`
/// takes 98 and 7.6 (callgrind, and the least of three times 50 million; optimised). A keystroke in
/// the engine takes some 50 ns, and takes the lock once. What holds it: `ThreadTests`, whose law draws
/// scripts of 2 to 4 threads and asks for one order of all their calls, also under the sanitizer of
/// threads (`Scripts/sanitize.sh`).
///
///     free               owner 0       depth 0
///     lock by thread t   owner t       depth 0       one compare and exchange
///     once more by t     owner t       depth 1       no other thread writes either
///     unlock             owner t       depth 0
///     unlock             owner 0       depth 0       a waiter is woken if there is one
///     lock for an edit   owner 1       depth 0       no thread finds itself the owner
///
/// `depth` needs no order of its own: the owner alone reads and writes it, and it is 0 again
/// whenever `owner` changes hands, which acquires and releases.
final class RecursiveLock: Sendable {
  /// The thread that holds the lock; 0 for none.
  private let owner = Atomic<UInt>(0)
  /// How often the owner has taken it again; read and written by the owner alone.
  private let depth = Atomic<Int>(0)
  /// Threads that wait in `gate`, or are about to.
  private let waiting = Atomic<Int>(0)
  private let gate = NSCondition()

  /// Tries before a thread goes to sleep: most calls end within a microsecond.
  private static let spinLimit = 64

  /// How long a waiter first sleeps before it looks by itself; each sleep is twice as long as the one before.
  ///
  /// An owner lets go without a fence, and may so overlook a waiter that comes just then.
  private static let patienceSeconds = 0.001
  /// How long it sleeps at most.
  ///
  /// Only a waiter that has just come can be overlooked: later owners see that a thread waits, and wake it. Short
  /// sleeps would only use processor time.
  private static let longestPatienceSeconds = 0.25

  /// Owner of a lock that ``lockOnce()`` took: no thread's number, since those are addresses.
  private static let someThread: UInt = 1

  /// A number of the thread that asks, unlike those of all others that run.
  static var currentThread: UInt {
    #if canImport(Darwin) || canImport(Musl)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
  }

  /// Whether no thread holds the lock at this moment.
  var isFree: Bool { owner.load(ordering: .relaxed) == 0 }

  /// Whether this thread holds the lock.
  var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == Self.currentThread
  }

  /// Waits until no other thread holds the lock, and takes it; must be given back by the same
  /// thread.
  func lock() {
    let me = Self.currentThread
    if !take(me) { lockSlowly(me) }
  }

  /// Waits and takes the lock as ``lock()`` does, for a stretch in which nothing asks for it again.
  ///
  /// So the lock need not know whose it is, which spares a call in front of the stretch: 8 to 12
  /// instructions of an edit. Given back by ``unlock()``; a thread that holds the lock already takes
  /// it once more.
  func lockOnce() {
    if !take(Self.someThread) { lockSlowly(Self.currentThread) }
  }

  private func take(_ me: UInt) -> Bool {
    owner.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged
  }

  @inline(never)
  private func lockSlowly(_ me: UInt) {
    if owner.load(ordering: .relaxed) == me {
      depth.store(depth.load(ordering: .relaxed) + 1, ordering: .relaxed)
      return
    }
    for _ in 0..<Self.spinLimit where take(me) { return }
    gate.lock()
    waiting.add(1, ordering: .sequentiallyConsistent)
    var patience = Self.patienceSeconds
    while !take(me) {
      _ = gate.wait(until: Date(timeIntervalSinceNow: patience))
      patience = min(2 * patience, Self.longestPatienceSeconds)
    }
    waiting.subtract(1, ordering: .relaxed)
    gate.unlock()
  }

  /// Gives back what one ``lock()`` took; unlocking a free lock ends the process.
  func unlock() {
    let again = depth.load(ordering: .relaxed)
    if again > 0 { return depth.store(again - 1, ordering: .relaxed) }
    precondition(owner.load(ordering: .relaxed) != 0, "a free lock is unlocked")
    owner.store(0, ordering: .releasing)
    if waiting.load(ordering: .relaxed) > 0 { wake() }
  }

  @inline(never)
  private func wake() {
    gate.lock()
    gate.signal()
    gate.unlock()
  }

  /// Runs `body` while this thread holds the lock.
  func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
