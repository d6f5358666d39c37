package import MergeEngine
import Texts

/// Changes that a document keeps and does not show yet, for what they build on is missing.
package enum WaitingChanges {
  /// Missing changes that are named.
  private static let missingLimit = 20

  /// How many changes wait, and for which; none if none does.
  ///
  ///     waiting: 1 change, until what it builds on is there:
  ///       5b20c6d1...
  package static func lines(of document: MergeDocument) -> [String] {
    let count = document.waitingCount
    guard count > 0 else { return [] }
    let missing = document.missingDependencies()
    let rest = missing.count - missingLimit
    let what = count == 1 ? "what it builds" : "what they build"
    return ["waiting: \(counted(count, "change")), until \(what) on is there:"]
      + missing.prefix(missingLimit).map { "  \($0)" }
      + (rest > 0 ? ["  and \(counted(rest, "more change"))"] : [])
  }
}
