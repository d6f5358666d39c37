import AutomergeDocument
import MergeEngine
import PropertyEngine

extension PublicCallLaw {
  static let textLaws = [scatteredUpdates, equivalentTexts]

  /// Two to six letters in 8 to 47 places: the fewer letters, the more ways there are to match them.
  ///
  /// A search for the differences then meets itself in the middle, and often.
  private static let scatteredUpdates = PublicCallLaw(
    "api.text-updates",
    "A text is updated by few operations.",
    "`updateText` makes the text that is asked for by no more operations than characters differ, where a text of few "
      + "letters changes in many places, and by no more than both texts have where two long ones have little in common.",
    source: .specification(.semantics, "Updating text and objects"),
    count: 180
  ) { story in
    let letters = Array("abcdef".prefix(2 + story.index(below: 5)))
    let old = (0..<(8 + story.index(below: 40))).map { _ in story.element(of: letters) }
    let rarity = 3 + story.index(below: 6)
    var new: [Character] = []
    for letter in old {
      switch story.index(below: 3 * rarity) {
      case 1: new.append(story.element(of: letters))
      case 2: new += [letter, story.element(of: letters)]
      case 3: continue
      default: new.append(letter)
      }
    }
    story.note("updateText \"\(String(old))\"")
    story.note("to         \"\(String(new))\"")
    let copy = Document.written(by: 0xfd)
    let text = try copy.putObject(obj: .ROOT, key: "scattered", ty: .Text)
    try copy.spliceText(obj: text, start: 0, delete: 0, value: String(old))
    let before = copy.reading { $0.pendingOpCount }
    try copy.updateText(obj: text, value: String(new))
    let found = try copy.text(obj: text)
    try expect(found == String(new), "updateText makes \"\(found)\"")
    let count = copy.reading { $0.pendingOpCount } - before
    let differing = Document.differenceCount(old, new)
    try expect(count <= differing, "updateText makes \(count) operations for \(differing)")
    // A thousand times as long as the rest.
    if story.index(below: 16) == 15 { try checkLongUpdate(&story) }
  }

  /// Throws where two texts have thousands of differences, and `updateText` does not make the one of the other, takes more
  /// operations than both have letters, or undoes a concurrent edit.
  ///
  /// Catches a search for differences that ends without a place to go on from, or goes round in circles.
  ///
  /// Beyond 1,000 differences the shortest way is sought no further: the texts are cut where the search has come. What it
  /// has found of the letters that both have depends on where they stand, so their number is not judged.
  ///
  ///     old     20 to 2,100 of the letters a, b, c...      new     as many of A, B, C..., and some runs of the old
  ///     due     the new text, by no more operations than both texts have letters
  private static func checkLongUpdate(_ story: inout CallStory) throws {
    // Where one text is short and both are long enough together, the search leaves the edges of the short one.
    let lengths = [20, 700, 1_100, 1_300, 2_100]
    let (oldLength, newLength) = (story.element(of: lengths), story.element(of: lengths))
    let step = 1 + story.index(below: 25)
    let old = (0..<oldLength).map { Character(Unicode.Scalar(UInt8(97 + $0 * step % 26))) }
    var new = (0..<newLength).map { Character(Unicode.Scalar(UInt8(65 + $0 * step % 26))) }
    var runs: [String] = []
    for _ in 0..<story.index(below: 5) {
      let count = 1 + story.index(below: 40)
      let from = story.index(below: 64) * oldLength / 64
      let to = story.index(below: 64) * new.count / 64
      new.insert(contentsOf: old[from..<min(oldLength, from + count)], at: to)
      runs.append("\(count) from \(from) at \(to)")
    }
    story.note("updateText \(oldLength) small letters to \(newLength) capital ones")
    if !runs.isEmpty { story.note("and runs of the old text: \(runs.joined(separator: ", "))") }
    let copy = Document.written(by: 0xfd)
    let text = try copy.putObject(obj: .ROOT, key: "long", ty: .Text)
    try copy.spliceText(obj: text, start: 0, delete: 0, value: String(old))
    let peer = copy.copy(by: 0xfe)
    try peer.spliceText(obj: text, start: UInt64(oldLength), delete: 0, value: "!")
    let before = copy.reading { $0.pendingOpCount }
    try copy.updateText(obj: text, value: String(new))
    let found = try copy.text(obj: text)
    try expect(
      found == String(new),
      "updateText makes a text of \(found.count) letters that is another than that of \(new.count)"
    )
    let count = copy.reading { $0.pendingOpCount } - before
    try expect(
      count <= oldLength + new.count,
      "updateText makes \(count) operations for \(oldLength + new.count) letters"
    )
    try copy.merge(other: peer)
    try expect(
      try copy.text(obj: text).filter { $0 != "!" } == String(new),
      "updateText of a long text: a merge with an edit"
    )
    try expect(
      try copy.text(obj: text).count { $0 == "!" } == 1,
      "updateText of a long text: a merge loses an edit"
    )
  }

  /// A comparison by Swift's `==` would leave a text that looks alike.
  ///
  /// Characters of several scalars and single ones of the last planes take each other's place: a comparison that
  /// gives the former numbers of its own must not take those of the latter.
  private static let equivalentTexts = PublicCallLaw(
    "api.equivalent-texts",
    "Texts that Swift calls equal are two.",
    "`updateText` makes the scalars that are asked for, whatever equivalent ones stand there.",
    source: .specification(.semantics, "Updating text and objects")
  ) { story in
    let texts = [
      "\u{e9}\u{1e0b}\u{323}", "e\u{301}d\u{323}\u{307}", "e\u{301}", "\u{e9}", "\u{100000}",
      "\u{f0000}e\u{301}", "\u{100001}\u{10ffff}", "", "ab",
    ]
    let copy = Document.written(by: 0xfd)
    let text = try copy.putObject(obj: .ROOT, key: "text", ty: .Text)
    for _ in 0..<4 {
      let next = story.element(of: texts)
      story.note("updateText to the scalars \(next.unicodeScalars.map { $0.value })")
      try copy.updateText(obj: text, value: next)
      let found = try copy.text(obj: text).unicodeScalars
      try expect(
        found.elementsEqual(next.unicodeScalars),
        "updateText makes the scalars \(found.map { $0.value })"
      )
    }
  }
}
