import AutomergeDocument
import DocumentLaws
import DocumentModel
import Foundation
import MergeEngine
import PropertyEngine

extension PublicCallLaw {
  static let numberLaws = [lastNumbers, commitTimes]

  /// No history comes to its last numbers by itself: a change of another writer has taken all but a few.
  ///
  /// Any call that makes several operations may then fail between two of them.
  ///
  /// Numbers of operations end at 2^32 - 1. With four left, a splice that deletes two elements and inserts three does
  /// not fit: it must be refused before it deletes. With two left, one that inserts four must leave none of them.
  private static let lastNumbers = PublicCallLaw(
    "api.last-numbers",
    "What does not fit is refused whole.",
    "A call for which too few numbers of operations are left does nothing; the document stays sound, and reads alike "
      + "when it is loaded.",
    source: .specification(.semantics, "Local edits"),
    costs: 4
  ) { story in
    let document = Document(limits: .greatest)
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Counter(2), .Null])
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abcdefgh")
    let left = story.index(below: 10)
    story.note(
      "a document {list: [1, counter 2, null], text: \"abcdefgh\"} with \(left) numbers left"
    )
    try document.applyEncodedChanges(encoded: Document.lastChange(leaving: left))
    for _ in 0..<6 {
      let before = try document.shown()
      let call = story.element(of: LastCall.allCases)
      let place = story.index(below: 4)
      story.note("\(call.rawValue) at \(place)")
      do {
        try call.make(on: document, list: list, text: text, place: place)
      } catch let error as DocError {
        try expect(try document.shown() == before, "a call without numbers leaves a trace")
        try expect(error.description.count > 10, "a call without numbers is refused without words")
      }
      let broken = document.reading(\.brokenInvariant)
      try expect(broken == nil, "a call without numbers breaks the store: \(broken ?? "")")
    }
    let after = try DocumentReader(document, at: nil).observed(.ROOT)
    let again = try Document(document.save(), limits: .greatest)
    try expect(
      try DocumentReader(again, at: nil).observed(.ROOT) == after,
      "a document without numbers reads otherwise when it is loaded"
    )
  }

  /// Times are stored as differences of 64 bits, which do not reach from -2^63 to 2^63: times are cut at the ends.
  private static let commitTimes = PublicCallLaw(
    "api.commit-times",
    "Times of changes survive saving.",
    "A change that was committed at any time, however far off, has the same time when the document is loaded: whole "
      + "seconds, the nearest that can be stored for one too far off, and 0 for what is no number.",
    source: .specification(.semantics, "Transactions and commits")
  ) { story in
    let times = [
      0, 1, -1, 0x1p52, -0x1p52, -0x1p62, 0x1p62, -0x1p63, 0x1p63, -1e300, 1e300, -Double.infinity,
      .infinity, .nan, 1.75, -1.75,
    ]
    let document = Document.written(by: 0xfd)
    for key in ["a", "b", "c"] {
      try document.put(obj: .ROOT, key: key, value: .Int(1))
      let seconds = story.element(of: times)
      story.note("commits at \(seconds) seconds since 1970")
      document.commitOnce(seconds)
      let due = seconds.isNaN ? 0 : min(max(seconds.rounded(.towardZero), -0x1p62), 0x1p62)
      let made = document.heads().compactMap { document.change(hash: $0) }
      // `Date` counts from 2001, and rounds what is far off.
      try expect(
        made.count == 1
          && made.allSatisfy {
            ($0.timestamp.timeIntervalSince1970 - due).magnitude <= due.magnitude * 0x1p-48
          },
        "a commit at \(seconds) s has the time \(made.map(\.timestamp.timeIntervalSince1970))"
      )
    }
    let again = try Document(document.save())
    for hash in document.getHistory() {
      let (made, loaded) = (document.change(hash: hash), again.change(hash: hash))
      let times = [made, loaded].map { change in
        change.map { "\($0.timestamp.timeIntervalSince1970) s" } ?? "none"
      }
      try expect(
        made != nil && made?.timestamp == loaded?.timestamp,
        "the time of a change was \(times[0]), and is \(times[1]) when it is loaded"
      )
    }
  }
}

extension Document {
  /// What the document shows, and how many operations are open.
  fileprivate func shown() throws -> (openCount: Int, root: ObservedObject) {
    (reading { $0.pendingOpCount }, try DocumentReader(self, at: nil).observed(.ROOT))
  }

  /// A change of another writer, whose operation leaves `count` numbers.
  ///
  /// Operations count up to `UInt32.max`, so the change starts `count` below it.
  fileprivate static func lastChange(leaving count: Int) -> Data {
    Data(
      ChunkForge.change(
        actor: 0xfe,
        startOp: UInt64(UInt32.max) - UInt64(count),
        ops: ChunkForge.put("k", int: nil)
      )
    )
  }
}

/// A call for which too few numbers may be left, by its title: it makes one operation, or one for each character.
///
/// Numbers of samples choose among the cases in this order.
private enum LastCall: String, CaseIterable {
  case put
  case putObject
  case insert
  case splice
  case spliceText
  case updateText
  case updateTextByEnds = "updateText by ends"
  case mark
  case increment
  case delete

  /// Some calls are refused for other reasons (an index past the end): they may leave no trace, either.
  func make(on document: Document, list: ObjId, text: ObjId, place: Int) throws {
    let at = UInt64(place)
    switch self {
    case .put: try document.put(obj: .ROOT, key: "put \(place)", value: .Int(1))
    case .putObject: _ = try document.putObject(obj: .ROOT, key: "made", ty: .Map)
    case .insert:
      try document.insert(obj: list, index: min(at, document.length(obj: list)), value: .Null)
    case .splice:
      // Also without a deletion: what is to be taken back then is the first of the values alone.
      let values = Array(repeating: ScalarValue.Int(3), count: 1 + place)
      try document.splice(obj: list, start: 0, delete: Int64(place % 3), values: values)
    case .spliceText:
      try document.spliceText(obj: text, start: at, delete: Int64(place % 3), value: "xyz")
    case .updateText: try document.updateText(obj: text, value: "a1c2e3g4")
    case .updateTextByEnds:
      let old = (try? document.text(obj: text)) ?? ""
      try document.updateText(obj: text, value: "b" + old + "\u{e9}!")
    case .mark:
      try document.mark(
        obj: text,
        start: at,
        end: at + 1,
        expand: .both,
        name: "m",
        value: .Boolean(true)
      )
    case .increment: try document.increment(obj: list, index: at, by: 1)
    case .delete: try document.delete(obj: list, index: at)
    }
  }
}
