// What a replica must offer to be held to the laws of stored bytes, and how two such documents are
// compared (`departure`). The engine conforms in `Subjects/EngineReplica+Stored.swift`.

package import DocumentModel
import Histories
import PropertyEngine

/// A replica whose documents and changes are bytes that may come from anywhere.
///
/// What a subject must offer to be held to the laws of storage and damage, beside those of
/// histories. Every call that takes bytes either takes them or throws and leaves the document as it
/// was; nothing traps.
package protocol StoredReplica: Replica, SendableMetatype
where Saved == [UInt8], Change == [UInt8] {
  /// The document in `bytes`; `work` grows by the steps that reading cost, refused or not.
  ///
  /// A step is a row, a link between operations, a dependency, a change, a place looked at in a
  /// search, or 64 bytes inflated or hashed.
  static func load(_ bytes: [UInt8], actor: ActorID, work: inout Int) throws -> Self

  /// The good part of a damaged file, and the stretches of it that were not kept, ascending; `work` as for a load.
  static func recovered(
    _ bytes: [UInt8],
    actor: ActorID,
    work: inout Int
  ) -> (document: Self, losses: [Range<Int>])

  /// What reading `count` bytes may cost at most, in steps.
  static func workLimit(forByteCount count: Int) -> Int

  /// Reads chunks into the document, in any order; those that wait for others wait.
  mutating func take(_ bytes: [UInt8], work: inout Int) throws

  /// Steps that calls have cost the document, of bytes as of edits and reads that may be long.
  var workDone: Int { get }

  /// The document's stored form, with columns deflated or as they are.
  mutating func save(compressed: Bool) -> [UInt8]

  /// The changes since the last save or load.
  mutating func saveIncremental() -> [UInt8]

  /// The chunks of all changes in the order they came, deflated where that is worth it.
  mutating func compressedChanges() -> [[UInt8]]

  /// How many changes waited for others and were refused when those came.
  var droppedCount: Int { get }

  /// The ids that waiting changes depend on and that are neither applied nor waiting.
  mutating func missingDependencies() -> Set<String>

  /// The ids of all changes in the order they came.
  mutating func changeIDs() -> [String]

  /// What is wrong inside the document; `nil` if nothing is.
  ///
  /// Cost: a pass over everything.
  mutating func brokenInvariant() -> String?

  /// What is wrong with cursors on elements of one of these states, asked for at the others; `nil` if
  /// nothing is.
  ///
  /// A cursor is at its element where that is visible, and else between the elements that stood before
  /// and behind it.
  mutating func misplacedCursor(among states: [ObservedHeads]) throws -> String?

  /// A text as runs of characters under the same marks, and blocks.
  mutating func spans(of text: ObjectID) throws -> [ObservedSpan]
}

extension StoredReplica {
  static func recovered(
    _ bytes: [UInt8],
    actor: ActorID
  ) -> (document: Self, losses: [Range<Int>]) {
    var work = 0
    return recovered(bytes, actor: actor, work: &work)
  }

  /// Everything that the document shows, heads included.
  mutating func shown() throws -> Observation {
    var observation = try observe(at: nil)
    observation.heads = heads()
    return observation
  }

  /// Where the document departs from another in what it shows, in its changes, or inside.
  ///
  /// Catches more than a comparison of states: two documents may show the same and have other
  /// changes, and so would sync forever.
  mutating func departure(from other: inout Self) throws -> Difference? {
    if let difference = try shown().difference(from: try other.shown()) { return difference }
    let (left, right) = (Set(changeIDs()), Set(other.changeIDs()))
    if left != right {
      return Difference(
        kind: "changes",
        summary: "two documents with one state have other changes",
        expected: "\(right.count) changes",
        actual: "\(left.count), \(left.symmetricDifference(right).count) of them not shared"
      )
    }
    return brokenInvariant().map {
      Difference(kind: "invariant", summary: "the document is not sound: \($0)")
    }
  }
}

/// Where two pieces of bytes differ; `nil` if they do not.
func byteDifference(_ actual: [UInt8], _ expected: [UInt8], _ summary: String) -> Difference? {
  guard actual != expected else { return nil }
  let place = zip(actual, expected).enumerated().first { $1.0 != $1.1 }?.offset
  return Difference(
    kind: "bytes",
    summary: summary + ", first at byte \(place ?? min(actual.count, expected.count))",
    expected: "\(expected.count) bytes",
    actual: "\(actual.count) bytes"
  )
}
