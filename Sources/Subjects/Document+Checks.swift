import AutomergeDocument
import Foundation
import MergeEngine

/// What calls of `Document` promise that no step of a history makes: checked on copies, now and then.
extension Document {
  /// Throws if `updateText` makes another text than the one asked for, more operations than differ, or
  /// undoes a concurrent edit beside them.
  ///
  /// `number` says which part of the text becomes what.
  func checkTextUpdate(of text: ObjId, _ number: Int) throws {
    let old = Array(self.text(text))
    let new = Self.changed(old, number)
    let wish = String(new)
    let mine = fork()
    let theirs = fork()
    // Random actors would make a failure that does not repeat.
    mine.actor = ActorId(MergeEngine.ActorID([0xfd]))
    theirs.actor = ActorId(MergeEngine.ActorID([0xfe]))

    try mine.updateText(obj: text, value: String(old))
    try expect(mine.reading { $0.pendingOpCount } == 0, "updateText to the same text edits")
    try mine.updateText(obj: text, value: wish)
    try expect(Array(mine.text(text).utf8) == Array(wish.utf8), "updateText: the text")
    let kept = zip(old, new).prefix { $0 == $1 }.count
    let rest = zip(old.dropFirst(kept).reversed(), new.dropFirst(kept).reversed())
    let differing = old.count + new.count - 2 * (kept + rest.prefix { $0 == $1 }.count)
    if Self.isPlain(old), Self.isPlain(new), try hasOneElementForEachCharacter(text) {
      let count = mine.reading { $0.pendingOpCount }
      try expect(count <= differing, "updateText makes \(count) operations for \(differing)")
    }

    // What is typed beside it is kept, and nothing else comes in.
    let sign: Unicode.Scalar = "\u{e000}"
    guard !(old + new).contains(where: { $0.unicodeScalars.contains(sign) }) else { return }
    try theirs.spliceText(obj: text, start: 0, delete: 0, value: String(sign))
    try mine.merge(other: theirs)
    let merged = mine.text(text).unicodeScalars
    try expect(merged.count { $0 == sign } == 1, "updateText: a merge loses an edit")
    let others = merged.filter { $0 != sign }
    try expect(others.elementsEqual(wish.unicodeScalars), "updateText: a merge with an edit")
  }

  private func hasOneElementForEachCharacter(_ text: ObjId) throws -> Bool {
    try values(obj: text).allSatisfy { value in
      guard case .Scalar(.String(let piece)) = value else { return false }
      return piece.unicodeScalars.count == 1
    }
  }

  private func text(_ object: ObjId) -> String { (try? text(obj: object)) ?? "" }

  /// The text with a stretch of it deleted, doubled, turned round or replaced.
  private static func changed(_ old: [Character], _ number: Int) -> [Character] {
    let start = old.isEmpty ? 0 : number % (old.count + 1)
    let end = min(old.count, start + number / 3 % 5)
    let middle = Array(old[start..<end])
    let new: [Character] =
      switch number % 7 {
      case 0: []
      case 1: ["x"]
      case 2: middle.reversed()
      case 3: middle + middle
      case 4: ["e\u{301}", "\u{1f600}"] + middle
      case 5: middle.flatMap { [$0, "-"] }
      default: Array("xyz") + middle.dropFirst()
      }
    return Array(old[..<start]) + new + old[end...]
  }

  /// Whether each character is one ASCII letter or sign, and so one element.
  private static func isPlain(_ text: [Character]) -> Bool {
    text.allSatisfy { $0.isASCII && $0 != "\r\n" }
  }

  /// Throws if ids or paths that are damaged are read.
  func checkDamagedNames(_ object: ObjId) throws {
    var bytes = object.bytes
    try expect(ObjId(bytes: bytes.prefix(5)) == nil, "ObjId(bytes:) reads half an id")
    bytes[bytes.startIndex] &+= 1
    try expect(ObjId(bytes: bytes) == nil, "ObjId(bytes:) reads another version")
    for path in ["[3", "a.3]", "[]", "a.[x]", "[-1]", "9a", ".\u{e9}", "[18446744073709551616]"] {
      do {
        _ = try AnyCodingKey.parsePath(path)
      } catch is PathParseError {
        continue
      }
      throw FaceFault("parsePath takes \(path)")
    }
  }
}
