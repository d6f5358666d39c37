// The three starts of histories: their edits, the objects in them, and, for counters, the bytes of
// the real Automerge. `Interpreter` makes a base, `ForeignSubjects` sends its bytes.

package import DocumentModel
import Texts

/// The document that all replicas of a history start from.
package enum Base: String, Hashable, Sendable, CaseIterable {
  /// Nothing at all.
  case empty
  /// A list, a text and a map to work on at once, each with a little in it.
  ///
  /// Names: list 1 holds "a", "b"; text 2 reads "ab"; map 3 holds "k", int 0. They stand under "l",
  /// "t" and "m".
  case objects
  /// Two counters at the root. Subjects that cannot create a counter load the document instead.
  ///
  /// "n" is 10 and "n2" is -5, both at the root.
  case counters

  /// The writer of the base.
  ///
  /// No writer of a history is called so (``Writers``).
  package var actor: ActorID {
    switch self {
    case .empty, .objects: ActorID(repeating: 0xff)
    // The writer of the golden document `counter.automerge`.
    case .counters: ActorID(hex: "aa01") ?? ActorID(repeating: 0xaa)
    }
  }

  /// The edits that make the base, in one change.
  ///
  /// The names in the edits count the objects that the base itself makes, from 1.
  package var edits: [Edit<ObjectName>] {
    switch self {
    case .empty:
      []
    case .objects:
      [
        .putObject(.root, .key("l"), .list),
        .insert(ObjectName(1), index: 0, .string("a")),
        .insert(ObjectName(1), index: 1, .string("b")),
        .putObject(.root, .key("t"), .text),
        .spliceText(ObjectName(2), index: 0, deleting: 0, inserting: "ab"),
        .putObject(.root, .key("m"), .map),
        .put(ObjectName(3), .key("k"), .int(0)),
      ]
    case .counters:
      [
        .put(.root, .key("n"), .counter(10)),
        .put(.root, .key("n2"), .counter(-5)),
      ]
    }
  }

  /// The kinds of the objects that the base makes, in the order of their names from 1.
  package var objectKinds: [ObjectKind] {
    edits.compactMap(\.madeKind)
  }

  /// The ids of the root and of the objects that the base makes, in the order of their names from 0.
  ///
  /// The base's edits count operations from 1: an edit of a text one for each of its characters, all
  /// others one each.
  ///
  /// For `objects` these are the root, 1@ff..., 4@ff... and 7@ff...: the list with its two elements
  /// takes 1 to 3, the text with two characters 4 to 6.
  package var objectIDs: [ObjectID] {
    var ids: [ObjectID] = [.root]
    var counter: UInt32 = 0
    for edit in edits {
      if case .spliceText(_, _, _, let text) = edit {
        counter += UInt32(text.string.unicodeScalars.count)
      } else {
        counter += 1
      }
      if edit.madeKind != nil { ids.append(.made(OpID(counter: counter, actor: actor))) }
    }
    return ids
  }

  /// The same document as the real Automerge stores it, where edits alone cannot make it there.
  ///
  /// `counters` is `fixtures/vectors/counter.automerge`, byte for byte; a test holds it to that.
  ///
  /// An adapter that cannot write a counter loads these.
  package var savedBytes: [UInt8]? {
    switch self {
    case .empty, .objects: nil
    case .counters: hexBytes(Self.savedCounters)
    }
  }

  private static let savedCounters =
    "856f4a838845220301250002aa010101000000061506340142025602570270027e016e026e3202020102180a7b0200"
}
