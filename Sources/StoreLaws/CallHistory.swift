import PropertyEngine
import Synchronization

// What concurrent callers did and heard, for `callers.linearizable` and `callers.numbers`. The search for an order
// is `PropertyEngine`'s.

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
    /// A save or deletion under a condition: what the item was to be, the version expected, the number that came
    /// of it, and `nil` for a conflict.
    case conditional(String, StoreRow?, ifVersion: UInt64, UInt64?)
    /// A change and its number.
    case numbered(saved: [StoreRow], deleted: [String], UInt64)
    /// The version of an item.
    case version(String, UInt64?)
  }

  private struct Call: Sendable {
    var begin: Int
    var end: Int
    var answer: Answer
  }

  private struct Record {
    var moment = 0
    var calls: [Call] = []
  }

  // A lock and no actor: recording must not be another point at which a caller waits.
  private let state = Mutex(Record())

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
        case .conditional(let id, let row, let version, let number):
          "\(id) from version \(version) to \(row.map { rowsText([$0]) } ?? "none"): "
            + (number.map { "\($0)" } ?? "conflict")
        case .numbered(let saved, let deleted, let number):
          "change \(rowsText(saved)) without \(deleted): \(number)"
        case .version(let id, let version): "\(id) has version \(version.map { "\($0)" } ?? "none")"
        }
      return "\(call.begin)-\(call.end) \(answer)"
    }
  }

  /// The difference that the calls show if no order of them explains all answers; `nil` if one does.
  ///
  /// Cost: exponential in the number of overlapping calls in the worst case.
  func difference(_ summary: String) -> Difference? {
    let calls = state.withLock { $0.calls }
    let isExplained = isLinearizable(
      calls.map { ConcurrentCall(begin: $0.begin, end: $0.end, $0.answer) },
      from: State(),
      after: { $0.after($1) }
    )
    return isExplained
      ? nil
      : Difference(kind: "order.none", summary: summary, actual: lines.joined(separator: "; "))
  }

  /// What a store shows that carries calls out one by one.
  private struct State: Hashable {
    var rows: [StoreRow] = []
    /// By item, the number of its latest change.
    var versions: [String: UInt64] = [:]
    /// Of the newest change.
    var number: UInt64 = 0

    /// The state after a call; `nil` if it cannot answer so.
    ///
    /// A conditional save where the item has version 3 and the newest change is 5:
    ///
    ///     expects     answers      the state after it
    ///     3           6            with the item, of version 6
    ///     3           7            none: 6 is the next number
    ///     3           conflict     none: there is no reason for it
    ///     2           conflict     as before
    ///     2           6            none: the condition was not looked at
    ///
    /// Of an item that is not there 0 is the right version.
    func after(_ answer: Answer) -> State? {
      switch answer {
      case .changed(let saved, let deleted): return changed(saved, deleted)
      case .found(let id, let row): return rows.first { $0.id == id } == row ? self : nil
      case .listed(let listed): return listed == rows ? self : nil
      case .conditional(let id, let row, let version, let number):
        let isConflict = versions[id] ?? 0 != version
        guard let number, !isConflict else { return number == nil && isConflict ? self : nil }
        let next = changed(row.map { [$0] } ?? [], row == nil ? [id] : [])
        return next.number == number ? next : nil
      case .numbered(let saved, let deleted, let number):
        let next = changed(saved, deleted)
        return next.number == number ? next : nil
      case .version(let id, let version): return versions[id] == version ? self : nil
      }
    }

    private func changed(_ saved: [StoreRow], _ deleted: [String]) -> State {
      var model = StoreModel()
      model.revert(to: rows)
      guard model.isChange(saving: saved, deleting: deleted) else { return self }
      var next = self
      next.rows = model.after(saving: saved, deleting: deleted)
      next.number += 1
      for row in saved { next.versions[row.id] = next.number }
      for id in deleted { next.versions[id] = nil }
      return next
    }
  }
}
