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
      + "letters changes in many places.",
    source: .specification(.semantics, "Updating text and objects"),
    count: 160
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
