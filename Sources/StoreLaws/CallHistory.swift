import PropertyEngine
import Synchronization

// What concurrent callers did and heard, for `callers.linearizable`. The search for an order is
// `PropertyEngine`'s.

/// Calls of several callers: when each began and ended, and what it answered.
///
///     moments      1    2    3    4    5    6
///     caller A     [ change a=1 ]                   A's call overlaps B's first one, and both orders
///     caller B          [ all ]    [ all ]          are possible; its second one comes behind both
///
/// Moments are numbers that only grow, one for each begin and each end: no clock, so that a case
/// replays. A call that throws is not in the history: laws that use it expect none to.
final class CallHistory: Sendable {
  /// A call with its answer: only what an answer says can contradict an order.
  enum Answer: Hashable, Sendable {
    case changed(saved: [StoreRow], deleted: [String])
    case found(String, StoreRow?)
    case listed([StoreRow])
  }

  private struct Call: Sendable {
    var begin: Int
    var end: Int
    var answer: Answer
  }

  private struct State {
    var moment = 0
    var calls: [Call] = []
  }

  // A lock and no actor: recording must not be another point at which a caller waits.
  private let state = Mutex(State())

  /// Notes that a call begins.
  ///
  /// - Returns: The moment, for ``end(_:_:)``.
  func begin() -> Int {
    state.withLock { state in
      state.moment += 1
      return state.moment
    }
  }

  /// Notes that the call that began at a moment has answered.
  func end(_ begin: Int, _ answer: Answer) {
    state.withLock { state in
      state.moment += 1
      state.calls.append(Call(begin: begin, end: state.moment, answer: answer))
    }
  }

  var lines: [String] {
    state.withLock { $0.calls }.map { call in
      let answer =
        switch call.answer {
        case .changed(let saved, let deleted): "change \(rowsText(saved)) without \(deleted)"
        case .found(let id, let row): "\(id) is \(row.map { rowsText([$0]) } ?? "none")"
        case .listed(let rows): "all are \(rowsText(rows))"
        }
      return "\(call.begin)-\(call.end) \(answer)"
    }
  }

  /// Whether an order of the calls explains all answers.
  ///
  /// Cost: exponential in the number of overlapping calls in the worst case.
  var isLinearizable: Bool {
    let calls = state.withLock { $0.calls }
    return PropertyEngine.isLinearizable(
      calls.map { ConcurrentCall(begin: $0.begin, end: $0.end, $0.answer) },
      from: [StoreRow](),
      after: Self.rows
    )
  }

  /// The rows after a call; `nil` if it cannot answer so.
  private static func rows(_ rows: [StoreRow], after answer: Answer) -> [StoreRow]? {
    var model = StoreModel()
    model.revert(to: rows)
    switch answer {
    case .changed(let saved, let deleted): return model.after(saving: saved, deleting: deleted)
    case .found(let id, let row): return rows.first { $0.id == id } == row ? rows : nil
    case .listed(let listed): return listed == rows ? rows : nil
    }
  }
}
