import Dispatch
import PropertyEngine
import Synchronization

/// Results in the order of their indices, whichever came first.
package func inParallel<Result: Sendable>(
  _ count: Int,
  jobs: Int,
  _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let next = Mutex(0)
  let results = Mutex<[Int: Result]>([:])
  DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
    while let index = next.withLock({ $0.taken(below: count) }) {
      let result = body(index)
      results.withLock { $0[index] = result }
    }
  }
  let all = results.withLock { $0 }
  return (0..<count).compactMap { all[$0] }
}

extension CaseWorkers {
  /// Runs `count` threads; each takes the next case as soon as it is done with one.
  static func threads(
    _ count: Int,
    isInterrupted: @escaping @Sendable () -> Bool
  ) -> CaseWorkers {
    CaseWorkers { run, range, observer in
      let next = Mutex(range.lowerBound)
      let sum = Mutex(RunTotals())
      DispatchQueue.concurrentPerform(iterations: max(1, count)) { _ in
        let own = run.totals(
          of: { isInterrupted() ? nil : next.withLock { $0.taken(below: range.upperBound) } },
          observer: observer
        )
        sum.withLock { $0.merge(own) }
      }
      return sum.withLock { $0 }
    }
  }
}

extension Int {
  /// The number, which then grows by one; `nil` from a limit on.
  fileprivate mutating func taken(below limit: Int) -> Int? {
    guard self < limit else { return nil }
    defer { self += 1 }
    return self
  }
}
