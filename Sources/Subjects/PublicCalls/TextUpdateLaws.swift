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
      + "letters changes in many places. Where two long ones have little in common, it takes at most one for each "
      + "letter between the equal ends; a common run behind at most 1,000 differences is neither deleted nor typed again.",
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
    switch story.index(below: 16) {
    case 15: try checkLongUpdate(&story)
    case 13, 14: try checkCommonRun(&story)
    default: break
    }
  }

  /// Throws where two texts have thousands of differences, and `updateText` does not make the one of the other, takes more
  /// operations than both have letters, or undoes a concurrent edit.
  ///
  /// Catches a search for differences that ends without a place to go on from, or goes round in circles.
  ///
  /// Beyond 2,000 differences the shortest way is sought no further: the texts are cut where the search has come. What it
  /// has found of the letters that both have depends on where they stand, so their number is not judged.
  ///
  ///     old     20 to 2,100 of the letters a, b, c...      new     as many of A, B, C..., and some runs of the old
  ///     ends    none, or some `<` in front of both and `>` behind them
  ///     due     the new text, by no more operations than both texts have letters between the ends
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
    let limit = oldLength + new.count
    let start = String(repeating: "<", count: story.index(below: 4))
    let end = String(repeating: ">", count: 40 * story.index(below: 8))
    if !start.isEmpty { story.note("behind \(start.count) equal ones") }
    if !end.isEmpty { story.note("in front of \(end.count) equal ones") }
    let due = start + String(new) + end
    let copy = Document.written(by: 0xfd)
    let text = try copy.putObject(obj: .ROOT, key: "long", ty: .Text)
    try copy.spliceText(obj: text, start: 0, delete: 0, value: start + String(old) + end)
    let peer = copy.copy(by: 0xfe)
    try peer.spliceText(
      obj: text,
      start: UInt64(start.count + oldLength),
      delete: 0,
      value: "!"
    )
    try copy.checkLongUpdate(of: text, to: due, by: limit)
    try copy.merge(other: peer)
    try expect(
      try copy.text(obj: text).filter { $0 != "!" } == due,
      "updateText of a long text: a merge with an edit"
    )
    try expect(
      try copy.text(obj: text).count { $0 == "!" } == 1,
      "updateText of a long text: a merge loses an edit"
    )
  }

  /// Throws where two long texts have one run in common, and `updateText` deletes it and types it again.
  ///
  /// Catches a search that is cut at another place than the one where it has come furthest, or at a place that belongs
  /// to the other text.
  ///
  ///     old     0 to 500 letters, the run, up to 2,800 letters      new     as many others, the run, and others
  ///     due     no more operations than both texts have letters beside the run
  private static func checkCommonRun(_ story: inout CallStory) throws {
    let fronts = (0..<2).map { _ in 50 * story.index(below: 11) }
    let rests = (0..<2).map { _ in 700 * story.index(below: 5) }
    let runLength = 1 + 25 * story.index(below: 40)
    // No letter of one text stands in the other, and none of the run in either.
    let run = String(
      (0..<runLength).map { Character(Unicode.Scalar(UInt16(0x4e00 + $0 % 200)) ?? "?") }
    )
    func written(_ number: Int, from letter: UInt8) -> String {
      let letters = (0..<fronts[number] + rests[number]).map { place in
        Character(Unicode.Scalar(letter + UInt8(place % 26)))
      }
      return String(letters.prefix(fronts[number])) + run
        + String(letters.dropFirst(fronts[number]))
    }
    let (old, new) = (written(0, from: 97), written(1, from: 65))
    story.note("updateText \(fronts[0]) small letters, a run of \(runLength), and \(rests[0]) more")
    story.note("to         \(fronts[1]) capital letters, the run, and \(rests[1]) more")
    let copy = Document.written(by: 0xfd)
    let text = try copy.putObject(obj: .ROOT, key: "long", ty: .Text)
    try copy.spliceText(obj: text, start: 0, delete: 0, value: old)
    let limit = fronts.reduce(0, +) + rests.reduce(0, +)
    try copy.checkLongUpdate(of: text, to: new, by: limit)
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

extension Document {
  /// Updates a text; throws if it reads otherwise then, or took more than `limit` operations.
  fileprivate func checkLongUpdate(of text: ObjId, to due: String, by limit: Int) throws {
    let before = reading { $0.pendingOpCount }
    try updateText(obj: text, value: due)
    let found = try self.text(obj: text)
    try expect(
      found == due,
      "updateText makes a text of \(found.count) letters that is another than that of \(due.count)"
    )
    let count = reading { $0.pendingOpCount } - before
    try expect(count <= limit, "updateText makes \(count) operations where \(limit) will do")
  }
}
