/// A call of one of several callers: when it began and ended, and what it did and answered.
package struct ConcurrentCall<Operation> {
  /// A moment before which calls that ended happened before this one.
  package let begin: Int
  /// A moment after ``begin``; no two moments of a history are the same.
  package let end: Int
  package let operation: Operation

  package init(begin: Int, end: Int, _ operation: Operation) {
    self.begin = begin
    self.end = end
    self.operation = operation
  }
}

/// Number of calls of a history that is searched for an order, at most: a set of them is one word of 64 bits.
package let linearizableCallLimit = 60

/// Whether an order of the calls explains all answers, and keeps the order of calls that did not overlap.
///
///     a          |-- increment -> 1 --|
///     b              |-- increment -> 2 --|                            explained: a, then b
///     or b           |-- increment -> 1 --|                            not: the second answers 2
///     or b                                 |-- increment -> 1 --|      not: a ended before b began
///
/// A call may come first if none of those left ended before it began. Calls that may come first are tried one
/// after the other; a set of calls that are done and the state that they leave is tried once. Exponential in
/// the number of calls that overlap, which are few; a history of more than ``linearizableCallLimit`` calls
/// counts as explained.
///
/// Source: Herlihy and Wing, "Linearizability: A Correctness Condition for Concurrent Objects", 1990.
///
/// - Parameters:
///   - calls: In any order.
///   - initial: The state before the first call.
///   - after: The state after a call; `nil` if it cannot answer so.
/// - Returns: Whether there is such an order.
package func isLinearizable<Operation, State: Hashable>(
  _ calls: [ConcurrentCall<Operation>],
  from initial: State,
  after: (State, Operation) -> State?
) -> Bool {
  guard calls.count <= linearizableCallLimit else { return true }
  var seen: Set<LinearizationPosition<State>> = []
  var open = [LinearizationPosition(done: 0, state: initial)]
  let all = calls.indices.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
  while let position = open.popLast() {
    if position.done == all { return true }
    guard seen.insert(position).inserted else { continue }
    let rest = calls.indices.filter { position.done & (1 << UInt64($0)) == 0 }
    let firstEnd = rest.map { calls[$0].end }.min() ?? 0
    for index in rest where calls[index].begin < firstEnd {
      guard let state = after(position.state, calls[index].operation) else { continue }
      open.append(LinearizationPosition(done: position.done | 1 << UInt64(index), state: state))
    }
  }
  return false
}

/// Calls that are done, a bit for each, and the state that they leave.
private struct LinearizationPosition<State: Hashable>: Hashable {
  let done: UInt64
  let state: State
}
