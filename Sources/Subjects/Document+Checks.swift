// Checks of calls that no step of a history makes: `updateText` (two), edits in other units of text,
// damaged ids, paths and hashes, and marks with equal counters. `DocumentReplica.heads()` says which
// check runs when.
//
// Each works on a fork, or on a newly loaded document, so that the history's document stays as it
// is. Forks get actors of one byte that no writer of a history has; a random actor would make a
// failure that does not repeat. Which case is tried follows from a number, since a check inside of
// a subject has no choices of its own (`PseudoRandom`).

import AutomergeDocument
import Foundation
import MergeEngine

/// What calls of `Document` promise that no step of a history makes: checked on copies, now and then.
extension Document {
  /// Throws if `updateText` makes another text than the one asked for, more operations than differ, or
  /// undoes a concurrent edit beside them.
  ///
  /// `number` says which part of the text becomes what.
  ///
  /// In order: the text itself makes no operation; another one is made exactly; it takes no more
  /// operations than characters differ, where that can be counted; a concurrent edit beside it
  /// survives a merge.
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
    // Elsewhere characters are not elements: one cluster may be several operations.
    if Self.isPlain(old), Self.isPlain(new), try hasOneElementForEachCharacter(text) {
      let differing = Self.differenceCount(old, new)
      let count = mine.reading { $0.pendingOpCount }
      try expect(count <= differing, "updateText makes \(count) operations for \(differing)")
    }

    // What is typed beside it is kept, and nothing else comes in.
    // A private-use scalar, so that texts of histories seldom have it.
    let sign: Unicode.Scalar = "\u{e000}"
    guard !(old + new).contains(where: { $0.unicodeScalars.contains(sign) }) else { return }
    try theirs.spliceText(obj: text, start: 0, delete: 0, value: String(sign))
    try mine.merge(other: theirs)
    let merged = mine.text(text).unicodeScalars
    try expect(merged.count { $0 == sign } == 1, "updateText: a merge loses an edit")
    let others = merged.filter { $0 != sign }
    try expect(others.elementsEqual(wish.unicodeScalars), "updateText: a merge with an edit")
  }

  /// Throws if `updateText` makes more operations than differ, or another text, where a text of few letters
  /// changes in many places: then a search for the differences meets itself in the middle, and often.
  ///
  /// `number` says which text becomes which.
  ///
  /// Two to six letters in 8 to 47 places: the fewer letters, the more ways there are to match
  /// them.
  func checkScatteredUpdate(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let letters = Array("abcdef".prefix(2 + random.index(below: 5)))
    let old = (0..<(8 + random.index(below: 40))).map { _ in
      letters[random.index(below: letters.count)]
    }
    let rarity = 3 + random.index(below: 6)
    var new: [Character] = []
    for letter in old {
      switch random.index(below: 3 * rarity) {
      case 0: continue
      case 1: new.append(letters[random.index(below: letters.count)])
      case 2: new += [letter, letters[random.index(below: letters.count)]]
      default: new.append(letter)
      }
    }
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let text = try copy.putObject(obj: .ROOT, key: "scattered", ty: .Text)
    try copy.spliceText(obj: text, start: 0, delete: 0, value: String(old))
    let before = copy.reading { $0.pendingOpCount }
    try copy.updateText(obj: text, value: String(new))
    try expect(copy.text(text) == String(new), "updateText: a text with scattered changes")
    let count = copy.reading { $0.pendingOpCount } - before
    let differing = Self.differenceCount(old, new)
    try expect(count <= differing, "updateText makes \(count) operations for \(differing)")

    // Texts that Swift calls equal are two.
    // The first is put into a text that has other letters, the second over an equivalent one: a
    // comparison by Swift's `==` would leave the first.
    // Then characters of several scalars and single ones of the last planes take each other's place: a comparison
    // that gives the former numbers of its own must not take those of the latter.
    for next in [
      "\u{e9}\u{1e0b}\u{323}", "e\u{301}d\u{323}\u{307}", "e\u{301}", "\u{100000}",
      "\u{f0000}e\u{301}", "\u{100001}\u{10ffff}",
    ] {
      try copy.updateText(obj: text, value: next)
      let scalars = copy.text(text).unicodeScalars
      try expect(scalars.elementsEqual(next.unicodeScalars), "updateText: a text of few characters")
    }
  }

  /// Throws if an edit in other units of text leaves a document that reads otherwise than what it saves.
  ///
  /// The document is loaded with another text encoding, edited there, saved, and loaded again: a
  /// length or index that is kept in units of one encoding, and not counted again, differs between
  /// the two.
  func checkOtherUnits(of text: ObjId, _ number: Int) throws {
    let encodings: [TextEncoding] = [.utf8, .utf16, .graphemeCluster, .unicodeScalar]
    // The numbers at hand are small and go up by few.
    let number = number &* 0x9e37_79b1 >> 7 & 0xffff
    let encoding = encodings[number / 7 % encodings.count]
    let copy = try Document(save(), textEncoding: encoding)
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let length = copy.length(obj: text)
    let place = UInt64(number) % (length + 1)
    switch number / 2 % 4 {
    case 0: _ = try copy.insertObject(obj: text, index: place, ty: .Map)
    case 1: try copy.insert(obj: text, index: place, value: .Int(1))
    case 2 where place < length:
      try copy.put(obj: text, index: place, value: .String("\u{1f600}z"))
    default:
      try copy.spliceText(obj: text, start: place, delete: 1, value: "\u{1f600}e\u{301}\u{e9}")
    }
    let again = try Document(copy.save(), textEncoding: encoding)
    try expect(
      copy.length(obj: text) == again.length(obj: text) && copy.text(text) == again.text(text),
      "an edited text reads otherwise when it is loaded"
    )
    try expect(
      try DocumentReader(copy, at: nil).observed(.ROOT)
        == DocumentReader(again, at: nil).observed(.ROOT),
      "an edited document reads otherwise when it is loaded"
    )
    try copy.checkTextUpdate(of: text, number)
  }

  /// Letters to delete and type in order to make one text of another: as few as there can be, if both are
  /// short, else those between their equal ends.
  ///
  /// Where the product of both lengths is above 10,000, the stretch between the equal ends is counted whole.
  private static func differenceCount(_ old: [Character], _ new: [Character]) -> Int {
    let kept = zip(old, new).prefix { $0 == $1 }.count
    let (left, right) = (old.dropFirst(kept), new.dropFirst(kept))
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    let (before, after) = (left.dropLast(end), right.dropLast(end))
    guard before.count * after.count <= 10_000 else { return before.count + after.count }
    return after.difference(from: before).count
  }

  /// A put over an element can make it wider than one scalar.
  private func hasOneElementForEachCharacter(_ text: ObjId) throws -> Bool {
    try values(obj: text).allSatisfy { value in
      guard case .Scalar(.String(let piece)) = value else { return false }
      return piece.unicodeScalars.count == 1
    }
  }

  private func text(_ object: ObjId) -> String { (try? text(obj: object)) ?? "" }

  /// The text with a stretch of it deleted, doubled, turned round or replaced.
  ///
  /// `number % 7` says how, `number` where, `number / 3 % 5` how long the stretch is.
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
    // A second place, every other time: where it is depends on what was inserted before it.
    let rest = Array(old[end...])
    return Array(old[..<start]) + new + (number % 2 == 0 ? rest : rest.dropLast() + ["!"])
  }

  /// Whether each character is one ASCII letter or sign, and so one element, wherever it stands: a
  /// carriage return would become one character with a line feed behind it.
  private static func isPlain(_ text: [Character]) -> Bool {
    text.allSatisfy { $0.isASCII && $0 != "\r\n" && $0 != "\r" }
  }

  /// Throws if ids or paths that are damaged are read.
  func checkDamagedNames(_ object: ObjId) throws {
    var bytes = object.bytes
    try expect(ObjId(bytes: bytes.prefix(5)) == nil, "ObjId(bytes:) reads half an id")
    bytes[bytes.startIndex] &+= 1
    try expect(ObjId(bytes: bytes) == nil, "ObjId(bytes:) reads another version")
    try Self.checkDamagedIDs(like: object)
    try expect(ChangeHash(bytes: Data(repeating: 1, count: 31)) == nil, "ChangeHash: 31 bytes")
    try expect(Data(repeating: 1, count: 33).heads() == nil, "heads: 33 bytes")
    do {
      _ = try lookupPath(path: "[0]")
      throw PublicCallFault("lookupPath takes an index into a map")
    } catch is DocError {}
    try checkOrder(of: Array(heads()) + getHistory().prefix(5))
    for path in ["[3", "a.3]", "[]", "a.[x]", "[-1]", "9a", ".\u{e9}", "[18446744073709551616]"] {
      do {
        _ = try AnyCodingKey.parsePath(path)
      } catch is PathParseError {
        continue
      }
      throw PublicCallFault("parsePath takes \(path)")
    }
  }

  /// Throws if bytes that are no id are read as one: of no kind, of a root that is no map or has an actor, or
  /// with an actor that is too long.
  ///
  /// Actors end at 128 bytes: one more is refused.
  private static func checkDamagedIDs(like object: ObjId) throws {
    var bytes = object.bytes
    bytes[bytes.startIndex + 1] = 0xff
    try expect(ObjId(bytes: bytes) == nil, "ObjId(bytes:) reads an unknown kind")
    try expect(ObjId(bytes: ObjId.ROOT.bytes + [7]) == nil, "ObjId(bytes:) reads a root's actor")
    for kind: ObjectKind in [.list, .text] {
      let root = ObjId(.root, kind).bytes
      try expect(ObjId(bytes: root) == nil, "ObjId(bytes:) reads a root that is no map")
    }
    for count in [0, 1, 128, 129] {
      let actor = MergeEngine.ActorID([UInt8](repeating: 7, count: count))
      let id = ObjId(.init(MergeEngine.OpID(counter: 0x0403_0201, actor: actor)), .list)
      let again = ObjId(bytes: id.bytes)
      try expect(
        again == (count <= 128 ? id : nil) && again?.kind == (count <= 128 ? .list : nil),
        "ObjId(bytes:) of an actor of \(count) bytes"
      )
    }
  }

  /// Throws if hashes are ordered otherwise than by their bytes.
  private func checkOrder(of hashes: [AutomergeDocument.ChangeHash]) throws {
    for left in hashes {
      for right in hashes {
        let isFirst = left.bytes.lexicographicallyPrecedes(right.bytes)
        try expect((left < right) == isFirst, "the order of two hashes")
      }
    }
  }

  /// Throws if marks of one name with equal counters are settled otherwise than by their writers' ids.
  ///
  /// Writer 01 marks units 0 and 1, writer fe units 1 and 2, both with the same counter. Unit 1 has
  /// the value of fe, whichever of the two merges.
  ///
  /// Source: Specification/Semantics.md, "Marks".
  func checkEqualMarks() throws {
    let base = fork()
    base.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let text = try base.putObject(obj: .ROOT, key: "marked", ty: .Text)
    try base.spliceText(obj: text, start: 0, delete: 0, value: "abcd")
    let copies = try [(writer: UInt8(1), start: UInt64(0)), (writer: 0xfe, start: 1)].map { mark in
      let copy = base.fork()
      copy.actor = ActorId(MergeEngine.ActorID([mark.writer]))
      try copy.mark(
        obj: text,
        start: mark.start,
        end: mark.start + 2,
        expand: .none,
        name: "bold",
        value: .Uint(UInt64(mark.writer))
      )
      return copy
    }
    let marks = [(0, 1, 1), (1, 3, 0xfe)].map { start, end, writer in
      AutomergeDocument.Mark(
        start: UInt64(start),
        end: UInt64(end),
        name: "bold",
        value: .Uint(UInt64(writer))
      )
    }
    for (copy, other) in [(copies[0], copies[1]), (copies[1], copies[0])] {
      try copy.merge(other: other)
      try expect(try copy.marks(obj: text) == marks, "marks with equal counters")
    }
  }
}
