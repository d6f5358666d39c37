import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine

/// What a law of public calls draws as it goes, and what it has called so far.
///
///     story.index(below: 3)            1, from the sample's numbers
///     story.note("puts 7 at \"k\"")    a line of what a report shows of the sample
struct CallStory {
  private var choices: Choices
  /// What was called, in order.
  private(set) var lines: [String] = []

  init(_ numbers: DrawnNumbers) { choices = numbers.choices }

  /// How many bytes were drawn, those behind the end of the sample's numbers among them.
  var drawnByteCount: Int { choices.byteOffsets.last ?? 0 }

  /// A number in `0..<limit`, 0 behind the end of the sample's numbers.
  mutating func index(below limit: Int) -> Int { choices.index(below: limit) }

  /// `false` behind the end of the sample's numbers.
  mutating func flag() -> Bool { choices.index(below: 2) == 1 }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[choices.index(below: elements.count)]
  }

  mutating func note(_ line: String) { lines.append(line) }
}

extension Document {
  /// A document of one writer, an actor of one byte: random actors would make a failure that does not repeat.
  static func written(by writer: UInt8, _ encoding: TextEncoding = .unicodeScalar) -> Document {
    let document = Document(textEncoding: encoding)
    document.actor = ActorId(MergeEngine.ActorID([writer]))
    return document
  }

  /// A copy whose edits are another writer's.
  func copy(by writer: UInt8) -> Document {
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([writer]))
    return copy
  }

  /// Exchanges sync messages until neither has one to send, 20 each at most.
  func synchronise(with other: Document) throws {
    let (mine, theirs) = (SyncState(), SyncState())
    for _ in 0..<20 {
      let message = other.generateSyncMessage(state: theirs)
      if let message { try receiveSyncMessage(state: mine, message: message) }
      let answer = generateSyncMessage(state: mine)
      if let answer { try other.receiveSyncMessage(state: theirs, message: answer) }
      if message == nil && answer == nil { return }
    }
  }

  /// What a check has committed, always at one time.
  func commitOnce(_ seconds: Double = 0) {
    commitWith(message: nil, timestamp: Date(timeIntervalSince1970: seconds))
  }
}

extension CallStory {
  /// A document in which a few calls of two writers, fa and fb, have left something.
  ///
  /// Open edits, changes that are not saved, texts, marks and conflicts: whatever a copy of it or a call on it must keep.
  mutating func document() throws -> Document {
    let document = Document.written(by: 0xfa)
    let count = index(below: 6)
    guard count > 0 else { return document }
    note("a document {list: [1], text: \"abc\", n: counter 0}, and a copy of it")
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.insert(obj: list, index: 0, value: .Int(1))
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abc")
    try document.put(obj: .ROOT, key: "n", value: .Counter(0))
    document.commitOnce()
    let copy = document.copy(by: 0xfb)
    for step in 0..<count {
      let isCopy = flag()
      let writer = isCopy ? copy : document
      let name = isCopy ? "the copy" : "the document"
      switch index(below: 8) {
      case 0:
        note("\(name) puts \(step) at \"k\"")
        try writer.put(obj: .ROOT, key: "k", value: .Int(Int64(step)))
      case 1:
        note("\(name) inserts \(step) into the list")
        try writer.insert(obj: list, index: 0, value: .Int(Int64(step)))
      case 2:
        note("\(name) types \"xy\" into the text")
        try writer.spliceText(obj: text, start: 1, delete: 1, value: "xy")
      case 3:
        note("\(name) marks the text")
        let range = (start: UInt64(0), end: UInt64(2))
        try writer.mark(
          obj: text,
          start: range.start,
          end: range.end,
          expand: .both,
          name: "bold",
          value: .Boolean(true)
        )
      case 4:
        note("\(name) increments the counter")
        try writer.increment(obj: .ROOT, key: "n", by: 2)
      case 5:
        note("\(name) commits")
        writer.commitOnce()
      case 6:
        note("the document merges the copy")
        try document.merge(other: copy)
      default:
        note("the document saves what is new")
        _ = document.encodeNewChanges()
      }
    }
    return document
  }
}
