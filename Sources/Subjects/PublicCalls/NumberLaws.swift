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
  /// not fit: it must be refused before it deletes.
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
      let (call, place) = (story.index(below: 10), story.index(below: 4))
      story.note("\(Document.callsAtTheEnd[call]) at \(place)")
      do {
        try document.callAtTheEnd(call, list: list, text: text, place: place)
      } catch is DocError {
        try expect(try document.shown() == before, "a call without numbers leaves a trace")
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

  /// Times are stored as differences: from -2^63 to 2^63 none is, so that times are cut at the ends.
  private static let commitTimes = PublicCallLaw(
    "api.commit-times",
    "Times of changes survive saving.",
    "A change that was committed at any time, however far off, has the same time when the document is loaded.",
    source: .specification(.semantics, "Transactions and commits")
  ) { story in
    let times = [
      0, 1, -1, 0x1p52, -0x1p52, -0x1p62, 0x1p62, -0x1p63, 0x1p63, -1e300, 1e300, -Double.infinity,
      .infinity,
    ]
    let document = Document.written(by: 0xfd)
    for key in ["a", "b", "c"] {
      try document.put(obj: .ROOT, key: key, value: .Int(1))
      let seconds = story.element(of: times)
      story.note("commits at \(seconds) seconds since 1970")
      document.commitOnce(seconds)
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
  /// What ``callAtTheEnd(_:list:text:place:)`` does, by its number.
  fileprivate static let callsAtTheEnd = [
    "put", "putObject", "insert", "splice", "spliceText", "updateText", "updateText by ends",
    "mark", "increment", "delete",
  ]

  /// What the document shows, and how many operations are open.
  fileprivate func shown() throws -> (openCount: Int, root: ObservedObject) {
    (reading { $0.pendingOpCount }, try DocumentReader(self, at: nil).observed(.ROOT))
  }

  /// A change of another writer, whose operation leaves `count` numbers.
  ///
  /// The pairs are columns of a change chunk: each a column's specification, then its bytes.
  /// Operations count up to `UInt32.max`, so the change starts `count` below it.
  fileprivate static func lastChange(leaving count: Int) -> Data {
    let put: [(spec: UInt64, bytes: [UInt8])] = [
      (0x15, [0x7f, 1] + "k".utf8), (0x34, [1]), (0x42, [0x7f, 1]), (0x56, [0x7f, 0]),
      (0x70, [0x7f, 0]),
    ]
    return Data(
      ChunkForge.change(actor: 0xfe, startOp: UInt64(UInt32.max) - UInt64(count), ops: put)
    )
  }

  /// Calls that make one operation up to those that make one for each character.
  ///
  /// Some are refused for other reasons (an index past the end): they may leave no trace, either.
  fileprivate func callAtTheEnd(_ number: Int, list: ObjId, text: ObjId, place: Int) throws {
    let at = UInt64(place)
    switch number {
    case 0: try put(obj: .ROOT, key: "put \(place)", value: .Int(1))
    case 1: _ = try putObject(obj: .ROOT, key: "made", ty: .Map)
    case 2: try insert(obj: list, index: min(at, length(obj: list)), value: .Null)
    case 3:
      let values = Array(repeating: ScalarValue.Int(3), count: 1 + place)
      try splice(obj: list, start: 0, delete: 2, values: values)
    case 4: try spliceText(obj: text, start: at, delete: 2, value: "xyz")
    case 5: try updateText(obj: text, value: "a1c2e3g4")
    case 6: try updateText(obj: text, value: "b" + ((try? self.text(obj: text)) ?? "") + "\u{e9}!")
    case 7:
      try mark(obj: text, start: at, end: at + 1, expand: .both, name: "m", value: .Boolean(true))
    case 8: try increment(obj: list, index: at, by: 1)
    default: try delete(obj: list, index: at)
    }
  }
}
