import Synchronization

/// An observer of mutating calls.
///
/// A call that read the list before the observer left it may notify it once more: `hasEnded` ends
/// that.
final class Observer: Sendable {
  /// The only object of interest; `nil` for all.
  let object: ObjId?
  let handler: @Sendable (DocumentEvent) -> Void
  private let onEnd: @Sendable () -> Void
  private let hasEnded = Atomic<Bool>(false)

  init(
    object: ObjId?,
    handler: @escaping @Sendable (DocumentEvent) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.object = object
    self.handler = handler
    self.onEnd = onEnd
  }

  func hear(_ event: DocumentEvent) {
    if !hasEnded.load(ordering: .acquiring) { handler(event) }
  }

  /// Twice is as once: `onEnd` runs one time.
  func end() {
    let isFirst = hasEnded.compareExchange(
      expected: false,
      desired: true,
      ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst { onEnd() }
  }
}

/// The observers of one document.
///
/// Its lock guards the list alone and is never held while an observer is called. A plain flag
/// beside it lets a call find out without a lock that there are no observers.
///
///     put(obj: a)          observer of all     observer of a     observer of b
///     before               will 7              will 7            -
///     after, a changed     did 7               did 7             -
///     merge, b changed     will 8, later did   -                 will 8 and did 8, both after it
///
/// After a call only observers that were registered before it are notified, so that each `did`
/// follows a `will`.
final class ObserverList: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var observers: [Observer] = []
  private var lastMutation: UInt64 = 0
  /// By thread, what is being told of.
  private var nestedCalls: [UInt: NestedCalls] = [:]
  private let count = Atomic<Int>(0)
  /// The observers, and one more if edits are traced.
  private let listeners: Atomic<Int>
  private let tracerCount: Int

  init(isTraced: Bool) {
    tracerCount = isTraced ? 1 : 0
    listeners = Atomic(tracerCount)
  }

  var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  /// Whether no observer wants to hear of edits.
  var isQuiet: Bool { listeners.load(ordering: .relaxed) == 0 }

  private func countAgain() {
    count.store(observers.count, ordering: .relaxed)
    listeners.store(observers.count + tracerCount, ordering: .relaxed)
  }

  func add(_ observer: Observer) {
    lock.withLock {
      observers.append(observer)
      countAgain()
    }
  }

  func remove(_ observer: Observer) {
    lock.withLock {
      observers.removeAll { $0 === observer }
      countAgain()
    }
    observer.end()
  }

  deinit {
    for observer in observers { observer.end() }
  }

  /// A mutating call under way, with the observers that heard of its beginning.
  struct Mutation {
    fileprivate let number: UInt64
    fileprivate let target: ObjId?
    fileprivate let audience: [Observer]
  }

  /// Depth of calls that observers make in answer to calls, one within the other.
  ///
  /// An observer that edits in answer to each edit would never end otherwise.
  static let depthLimit = 32

  /// Calls that observers of one thread are being told of, one within the other.
  private struct NestedCalls {
    var depth = 0
    /// Whether the limit was reached: then all further calls within the outermost one are refused, or
    /// an observer that edits before and after each edit would go down to the limit 2^32 times.
    var isExhausted = false
  }

  /// Calls `body` as something that observers are being told of.
  private func nested(_ body: () -> Void) {
    let thread = RecursiveLock.currentThread
    lock.withLock { nestedCalls[thread, default: NestedCalls()].depth += 1 }
    defer {
      lock.withLock {
        nestedCalls[thread, default: NestedCalls()].depth -= 1
        if nestedCalls[thread]?.depth == 0 { nestedCalls[thread] = nil }
      }
    }
    body()
  }

  /// Notifies observers of a call that is about to begin; `nil` if it is nested too deep.
  ///
  /// Depth is counted by thread: an observer's call runs on the thread of the call that it answers.
  func willMutate(_ target: ObjId?) -> Mutation? {
    let mutation: Mutation? = lock.withLock {
      let thread = RecursiveLock.currentThread
      if let nest = nestedCalls[thread] {
        if nest.depth >= Self.depthLimit { nestedCalls[thread]?.isExhausted = true }
        if nest.isExhausted || nest.depth >= Self.depthLimit { return nil }
      }
      lastMutation += 1
      return Mutation(number: lastMutation, target: target, audience: observers)
    }
    guard let mutation else { return nil }
    let event = DocumentEvent(
      phase: .will,
      mutation: mutation.number,
      target: target,
      changed: []
    )
    nested {
      for observer in mutation.audience
      where observer.object == nil || observer.object == target {
        observer.hear(event)
      }
    }
    return mutation
  }

  /// Tells those who were there at the beginning that the call is over.
  ///
  /// An observer of one object that the call did not name hears both phases now, since only now it
  /// is known that the object was reached.
  func didMutate(_ mutation: Mutation, _ changed: Set<ObjId>) {
    let will = DocumentEvent(
      phase: .will,
      mutation: mutation.number,
      target: mutation.target,
      changed: []
    )
    let did = DocumentEvent(
      phase: .did,
      mutation: mutation.number,
      target: mutation.target,
      changed: changed
    )
    nested {
      for observer in mutation.audience {
        if let object = observer.object, object != mutation.target {
          guard changed.contains(object) else { continue }
          observer.hear(will)
        }
        observer.hear(did)
      }
    }
  }
}
