import Synchronization

/// One item of news for an observer of a store.
public enum StoreChange<Item: Sendable>: Sendable {
  /// All items at a sequence: the first news.
  case snapshot(StoreSnapshot<Item>)
  /// A change, whole.
  case commit(sequence: UInt64, [StoreMutation<Item>])
  /// The observer was too slow: `dropped` changes, up to `sequence`, were dropped. What follows is
  /// later; `snapshot` of the store shows what was left out.
  case resync(sequence: UInt64, dropped: Int)
}

/// What a change did to one item.
public enum StoreMutation<Item: Sendable>: Sendable {
  case inserted(id: String, Item)
  case updated(id: String, Item, previousVersion: UInt64)
  case deleted(id: String)
}

/// All items at one sequence, in their order.
public struct StoreSnapshot<Item: Sendable>: Sendable {
  public let sequence: UInt64
  public let items: [Item]
}

/// The changes of a store, in their order, without a gap or a repetition.
///
/// A change is delivered only once it survives what the store's level covers. Up to `limit` changes
/// wait for the observer; what comes on top of that is dropped, and
/// ``StoreChange/resync(sequence:dropped:)`` says so. The sequence ends when the store is closed, or released without
/// that.
///
/// The first is the snapshot, which counts among the `limit`. Of several iterators of one sequence
/// each change goes to one.
public struct StoreChanges<Item: Sendable>: AsyncSequence, Sendable {
  public typealias Element = StoreChange<Item>
  public typealias Failure = Never

  let buffer: ChangeBuffer<Item>

  public struct AsyncIterator: AsyncIteratorProtocol {
    let buffer: ChangeBuffer<Item>

    public mutating func next() async -> StoreChange<Item>? { await buffer.next() }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> StoreChange<Item>? {
      await buffer.next()
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}

// A lock and no actor: the store hands changes over without waiting. It guards the queue and who waits.
/// What waits for one observer.
///
/// Invariant: while an observer waits, the queue is empty and no change is dropped.
///
/// Once something was dropped, later changes are as well, until the observer has taken the queue
/// and the note of the gap: what it gets is a beginning, one gap, and so on, never a gap in the
/// middle that no note stands for.
///
///     limit 2     publish 5, 6, 7, 8      queue [5 6], dropped 2 up to 8
///                 next, next              5, 6
///                 publish 9               queue [], dropped 3 up to 9
///                 next                    resync(sequence: 9, dropped: 3)
///                 publish 10              queue [10]
final class ChangeBuffer<Item: Sendable>: Sendable {
  private struct State {
    var queue: [StoreChange<Item>] = []
    var dropped: (sequence: UInt64, count: Int)?
    var isFinished = false
    var waiting: [(id: UInt64, continuation: CheckedContinuation<StoreChange<Item>?, Never>)] = []
    var nextID: UInt64 = 0
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>
  private let limit: Int

  init(limit: Int, first: StoreChange<Item>) {
    self.limit = max(1, limit)
    state = Mutex(State(queue: [first]))
  }

  func publish(_ sequence: UInt64, _ change: StoreChange<Item>) {
    let receiver = state.withLock { state -> CheckedContinuation<StoreChange<Item>?, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      if let dropped = state.dropped {
        state.dropped = (sequence, dropped.count + 1)
      } else if state.queue.count >= limit {
        state.dropped = (sequence, 1)
      } else {
        state.queue.append(change)
      }
      return nil
    }
    receiver?.resume(returning: change)
  }

  func finish() {
    let receivers = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for receiver in receivers { receiver.continuation.resume(returning: nil) }
  }

  func next() async -> StoreChange<Item>? {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    // A cancellation that finds no waiter notes the id. After this call no waiter has it, so the note goes.
    defer { if Task.isCancelled { state.withLock { _ = $0.cancelled.remove(id) } } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> StoreChange<Item>?? in
          if !state.queue.isEmpty { return .some(state.queue.removeFirst()) }
          if let dropped = state.dropped {
            state.dropped = nil
            return .some(.resync(sequence: dropped.sequence, dropped: dropped.count))
          }
          if state.isFinished || state.cancelled.remove(id) != nil { return .some(nil) }
          state.waiting.append((id, continuation))
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let receiver = state.withLock { state -> CheckedContinuation<StoreChange<Item>?, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      receiver?.resume(returning: nil)
    }
  }
}
