import Dispatch
import DocumentModel
import NaiveModel

// Implementations that do not answer: each ends the process that it runs in, or waits in it for ever. So they are no part of
// the mutants that self-tests run in their own process, and a check judges them in workers alone.

/// An index one past the end, met only when a call deletes two elements or more.
private enum TrapsInRangeDeletes: Rules {
  static func deleted(_ spans: [Range<Int>], in range: Range<Int>) -> [Int] {
    let found = AutomergeRules.deleted(spans, in: range)
    return found.count < 2 ? found : [found[found.count]]
  }
}

/// Every MiB is written to, so that the system cannot promise memory without giving it; the
/// worker's limit ends it, as it would an engine that believes a length in its input.
private enum HoardsInConflicts: Rules {
  static func conflictSet(_ ascending: [NaiveValue]) -> [NaiveValue] {
    var hoard: [[UInt8]] = []
    if ascending.count > 1 {
      for size in 0..<(1 << 20) {
        hoard.append(Array(repeating: UInt8(size & 0xff), count: 1 << 20))
      }
    }
    return AutomergeRules.conflictSet(hoard.count > 1 << 20 ? [] : ascending)
  }
}

/// Waits as for a lock that is never given back: no processor time is used.
private enum WaitsInRangeDeletes: Rules {
  static func deleted(_ spans: [Range<Int>], in range: Range<Int>) -> [Int] {
    let found = AutomergeRules.deleted(spans, in: range)
    if found.count > 1 { DispatchSemaphore(value: 0).wait() }
    return found
  }
}

/// Mutants of the specification that trap, eat the memory or wait for ever, each in one situation: what the
/// law `subject.answers` must catch.
package let deadlyMutants = [
  NaiveMutant(
    "range-deletes-trap",
    TrapsInRangeDeletes.self,
    "Deleting two or more elements at once traps."
  ),
  NaiveMutant(
    "conflicts-hoard-memory",
    HoardsInConflicts.self,
    "Reading a conflict takes a TiB of memory."
  ),
  NaiveMutant(
    "range-deletes-wait",
    WaitsInRangeDeletes.self,
    "Deleting two or more elements at once waits for ever."
  ),
]
