// Changes, clocks, stored documents and refusals: the words that `NaiveModel+History.swift` is
// written in.

package import DocumentModel
import Texts

/// Operations committed together; only a ``NaiveModel`` makes them.
///
/// Source: Specification/Semantics.md, "Transactions and commits".
package struct NaiveChange: Hashable, Sendable {
  /// Names a change by its author and its number among the author's changes.
  package struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let actor: ActorID
    /// 1 for the author's first change.
    package let seq: Int

    init(actor: ActorID, seq: Int) {
      self.actor = actor
      self.seq = seq
    }

    /// Parses what ``description`` writes; `nil` when the text is anything else.
    init?(_ text: String) {
      guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "#")),
        let actor = ActorID(hex: text[..<mark]),
        let seq = Int(text[text.index(after: mark)...])
      else { return nil }
      self.init(actor: actor, seq: seq)
      guard description == text else { return nil }
    }

    /// `actor#seq`, the actor in hexadecimal.
    package var description: String {
      var text = actor.digits
      text.append(UInt8(ascii: "#"))
      text.append(contentsOf: String(seq).utf8)
      return String(decoding: text, as: UTF8.self)
    }

    package static func < (left: Self, right: Self) -> Bool {
      left.actor != right.actor ? left.actor < right.actor : left.seq < right.seq
    }
  }

  package let id: ID
  /// Ascending.
  package let dependencies: [ID]
  /// Ascending by id; never empty as committed.
  package var ops: [NaiveOp]

  /// The counter of the first operation.
  package var startOp: UInt32 { ops.first?.id.counter ?? 0 }
  /// The counter of the last operation.
  package var maxOp: UInt32 { ops.last?.id.counter ?? 0 }
}

/// A document as it is stored: its changes, from which ``NaiveModel/load(_:actor:)`` builds
/// everything else again.
package struct NaiveSaved: Hashable, Sendable {
  /// In the order they were applied.
  package let changes: [NaiveChange]
  /// Changes whose dependencies are not there yet.
  package let waiting: [NaiveChange]
}

/// A point in a document's past: for each author, the last operation that belongs to it.
///
/// Source: Specification/Semantics.md, "History and clocks".
struct NaiveClock {
  private var entries: [(actor: ActorID, counter: UInt32)] = []

  /// The counter up to which the author's operations belong to the past; `nil` when none does.
  func counter(of actor: ActorID) -> UInt32? {
    entries.first { $0.actor == actor }?.counter
  }

  mutating func raise(_ actor: ActorID, to counter: UInt32) {
    if let index = entries.firstIndex(where: { $0.actor == actor }) {
      entries[index].counter = max(entries[index].counter, counter)
    } else {
      entries.append((actor, counter))
    }
  }
}

/// The calls that close an open transaction before they do their work.
///
/// Source: Specification/Semantics.md, "Transactions and commits".
package enum CommittingCall: Hashable, Sendable, CaseIterable {
  case heads
  case fork
  case merge
  case changes
  case apply
  case save
}

/// Why changes or heads were refused; the document is as it was.
package enum NaiveRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Two different changes claim to be the author's `seq`-th.
  case duplicateSequence(NaiveChange.ID)
  /// A change came whose author's change before it is neither here nor among its dependencies.
  case sequenceGap(NaiveChange.ID, expected: Int)
  /// Heads of another kind of subject.
  case foreignHeads(scheme: String)
  /// Heads to fork at that are not here.
  case unknownHeads

  package var description: String {
    switch self {
    case .duplicateSequence(let id): "duplicate seq \(id.seq) found for actor \(id.actor)"
    case .sequenceGap(let id, let expected):
      "seq \(id.seq) found for actor \(id.actor), expected seq \(expected)"
    case .unknownHeads: "heads that are not known here"
    case .foreignHeads(let scheme): "heads of scheme \(quoted(scheme)), expected \"naive\""
    }
  }
}
