// Laws of what calls promise of any state, and not only of documents that a law makes itself: the state is that of a
// replica at the end of a random history, which the report shows and shrinking makes small.
//
// Each works on a fork, or on a newly loaded document, so that the history's document stays as it is. Forks get actors of
// one byte that no writer of a history has; a random actor would make a failure that does not repeat.

import AutomergeDocument
package import DocumentLaws
import Foundation
import Histories
import MergeEngine
package import PropertyEngine

/// The laws of public calls whose samples are histories.
///
///     picks[0]     the replica
///     picks[1]     the text, the earlier of two states, or which object is asked first
///     picks[2]     what is done there, or in which unit texts are counted
///     picks[3]     where
package enum StateLaws {
  package static let all = [
    textUpdates, textUnits, differences, trees, views, cursors, refusals, depths, waitingLimits,
    waits, damagedViews, unlocks, surveys,
  ]

  /// Catches an update that depends on how a text came to be: deleted and concurrent elements, pieces of several
  /// characters, marks.
  private static let textUpdates = law(
    "api.any-text",
    "Any text is updated by few operations.",
    "`updateText` on a text of any history makes the text that is asked for, by no more operations than characters "
      + "differ, and a concurrent edit beside them survives a merge.",
    source: .specification(.semantics, "Updating text and objects")
  ) { document, sample in
    try document.checkTextUpdate(of: document.text(sample.pick(1)), sample.number)
  }

  /// Catches a length or an index that is kept in units of one encoding and not counted again after an edit in another.
  private static let textUnits = law(
    "api.any-unit",
    "Any text is edited in any unit.",
    "A text of any history that is edited in other units of text reads as it does once it is saved and loaded.",
    source: .specification(.semantics, "Width")
  ) { document, sample in
    try document.checkOtherUnits(of: document.text(sample.pick(1)), sample.number)
  }

  /// Catches patches that lead on from one state and not back, and a call whose state is another than the one named.
  private static let differences = law(
    "api.any-difference",
    "Differences lead from state to state.",
    "The differences between any state of a history and the last, in both directions and with either left out, lead "
      + "from the one to the other.",
    source: .specification(.semantics, "Differences between two states")
  ) { document, sample in
    let history = document.getHistory()
    guard !history.isEmpty else { throw Skipped("the document has no change") }
    let earlier = history[sample.pick(1) % history.count]
    try document.checkDifferences(between: [earlier], and: document.heads())
  }

  /// Catches a tree that leaves out a value, or shows one of another kind.
  private static let trees = law(
    "api.any-tree",
    "Trees show what single calls show.",
    "`schema()`, `walk(to:)`, `isEmpty()` and `equivalentContents` of any document show what its single calls give, and "
      + "the tree describes itself with its keys in order.",
    source: .specification(.codable, "Documents")
  ) { document, _ in
    try document.checkTree()
    let tree = try document.schema()
    let (shown, due) = (tree.description, tree.words)
    try expect(shown == due, "a tree is described as \(shown), due is \(due)")
  }

  static func law(
    _ name: String,
    _ title: String,
    _ sentence: String,
    source: LawSource,
    costs: Int = 1,
    check: @escaping @Sendable (Document, PickedHistory) throws -> Void
  ) -> Law<PickedHistory> {
    Law(
      name,
      title,
      sentence,
      source: source,
      form: .storedHistory,
      costs: costs,
      forAll: PickedHistory.samples()
    ) { sample in
      let replicas = Normaliser<DocumentReplica<ScalarUnits>>.run(sample.history).replicas
      guard !replicas.isEmpty else { throw Skipped("no replica") }
      let document = replicas[sample.pick(0) % replicas.count].document
      document.commitOnce()
      do {
        try check(document, sample)
        return nil
      } catch let fault as PublicCallFault {
        return fault.difference
      }
    }
    .demandingAnswers().lookingAt("the document")
  }
}

extension AutomergeValue {
  /// What a description is due to be: a map's keys in order in braces, a list's values in brackets, a text in `T{}`.
  ///
  ///     {"a": [1, text "hi"]}, {}     {["a": [[Int(1), T{hi}]]]}, {[:]}
  fileprivate var words: String {
    switch self {
    case .dict(let nodes) where nodes.isEmpty: return "{[:]}"
    case .dict(let nodes):
      let rows = nodes.sorted { $0.key < $1.key }
        .map { "\($0.key.debugDescription): " + $0.value.words }
      return "{[" + rows.joined(separator: ", ") + "]}"
    case .array(let nodes): return "[[" + nodes.map(\.words).joined(separator: ", ") + "]]"
    case .text(let text): return "T{" + text + "}"
    case .scalar(let scalar): return "\(scalar)"
    }
  }
}

extension PickedHistory {
  /// What is done, and where, in one number.
  fileprivate var number: Int { pick(2) + 1000 * pick(3) }
}

extension Document {
  /// One of the texts that the document shows; a new one where it shows none.
  fileprivate func text(_ pick: Int) throws -> ObjId {
    var texts: [ObjId] = []
    var open = [ObjId.ROOT]
    while let object = open.popLast() {
      if objectType(obj: object) == .Text { texts.append(object) }
      for case .Object(let child, _) in try values(obj: object) { open.append(child) }
    }
    guard texts.isEmpty else { return texts[pick % texts.count] }
    let text = try putObject(obj: .ROOT, key: "text", ty: .Text)
    try spliceText(obj: text, start: 0, delete: 0, value: "abc\u{e9}\u{1f600}")
    commitOnce()
    return text
  }

  /// Throws if `updateText` makes another text than the one asked for, more operations than differ, or
  /// undoes a concurrent edit beside them.
  ///
  /// `number` says which part of the text becomes what.
  ///
  /// In order: the text itself makes no operation; another one is made exactly; it takes no more
  /// operations than characters differ, where that can be counted; a concurrent edit beside it
  /// survives a merge.
  fileprivate func checkTextUpdate(of text: ObjId, _ number: Int) throws {
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

  /// Throws if an edit in other units of text leaves a document that reads otherwise than what it saves.
  ///
  /// The document is loaded with another text encoding, edited there, saved, and loaded again: a
  /// length or index that is kept in units of one encoding, and not counted again, differs between
  /// the two.
  fileprivate func checkOtherUnits(of text: ObjId, _ number: Int) throws {
    let encodings: [TextEncoding] = [.utf8, .utf16, .graphemeCluster, .unicodeScalar]
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
  static func differenceCount(_ old: [Character], _ new: [Character]) -> Int {
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
}
