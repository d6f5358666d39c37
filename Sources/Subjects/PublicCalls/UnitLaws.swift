import AutomergeDocument
import MergeEngine
import PropertyEngine
import Texts

// Laws of texts whose characters have several units, and of states that lie close to each other.

extension PublicCallLaw {
  /// Catches a number of units that is taken for one of characters, or the other way round: texts of one unit for each
  /// character, as most are, show no difference.
  ///
  /// The oracle is an array of characters. Histories seldom have neighbours of two units each, and never an index within
  /// one.
  ///
  ///     the text in UTF-16      a b e f        "e" and "f" stand for two emoji: units 2 and 3, 4 and 5
  ///     delete 3 from 3         a b            the half of the one, and the other
  ///     mark 2..<4              a b [e] f      a span of one character, and one of the other
  static let wideCharacters = PublicCallLaw(
    "api.wide-characters",
    "Wide characters are edited and marked whole.",
    "In each unit of text, a text whose neighbours have several units has the characters, length, marks, spans and "
      + "cursors that its edits give: an index within a character deletes all of it, and inserts behind it. Strings of "
      + "several characters that are inserted as values have all their units, when they are loaded or received as well.",
    source: .specification(.semantics, "Width", "Wide elements", "Marks", "Block markers"),
    count: 120
  ) { story in
    let encoding = story.element(of: [TextEncoding.utf16, .utf8, .unicodeScalar, .graphemeCluster])
    let document = Document.written(by: 0xfd, encoding)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    var due = WideText(encoding: encoding)
    story.note("a text in \(encoding)")
    var states: [Set<AutomergeDocument.ChangeHash>] = []
    for step in 0..<6 {
      // Nothing can be deleted before something is there.
      let start = story.index(below: due.length + 1)
      let count = step == 0 ? 0 : story.index(below: 10)
      let typed = step == 0 || story.flag() ? WideText.drawn(&story) : ""
      story.note("deletes \(count) from \(start), and types \"\(typed)\"")
      try document.spliceText(
        obj: text,
        start: UInt64(start),
        delete: Int64(count),
        value: typed
      )
      due.splice(start, deleting: count, typed)
      try document.expectSame(as: due, text)
      document.commitOnce()
      states.append(document.heads())
    }
    if story.flag() {
      let place = story.index(below: due.characters.count + 1)
      story.note("makes a block at character \(place)")
      let index = UInt64(due.start(of: place))
      _ = try document.insertObject(obj: text, index: index, ty: .Map)
      due.characters.insert(WideText.block, at: place)
    }
    for number in 0...story.index(below: 4) {
      let start = story.index(below: due.length + 1)
      let end = min(due.length, start + story.index(below: 10))
      let name = story.element(of: ["b", "l"])
      story.note("marks \(start)..<\(end) as \(name): \(number)")
      try document.mark(
        obj: text,
        start: UInt64(start),
        end: UInt64(end),
        expand: .none,
        name: name,
        value: .Int(Int64(number))
      )
      due.mark(start..<end, name, number)
      try document.expectSame(as: due, text)
    }
    let (start, count) = (story.index(below: due.length + 1), story.index(below: 6))
    story.note("deletes \(count) from \(start)")
    try document.spliceText(obj: text, start: UInt64(start), delete: Int64(count))
    due.splice(start, deleting: count, "")
    try document.expectSame(as: due, text)
    try Document(document.save(), textEncoding: encoding).expectSame(as: due, text)
    try document.checkDifferences(between: story.element(of: states), and: document.heads())
    let values = (0..<2 + story.index(below: 4)).map { _ in story.element(of: valuesOfThreeBytes) }
    story.note("inserts the values \(values) at the end")
    try document.checkValues(values, at: text)
  }

  /// Values with as many bytes, which pass for one piece where bytes alone are compared.
  ///
  ///     units in UTF-16     3     2     1     2
  ///     in scalars          3     2     1     2
  private static let valuesOfThreeBytes = ["abc", "\u{e9}1", "\u{20ac}", "e\u{301}"]

  /// Catches a comparison of two states that takes a piece of a list or text for all visible or all hidden: pieces are
  /// what was typed or deleted in a row, and most states have all of each.
  ///
  /// Each step of some elements in a row is committed after every one of them: the states are those between. Reads at
  /// heads are compared with what was shown then, so that a wrong answer of both is found, too.
  ///
  ///     typed at once        a b c d
  ///     deleted forwards       b c d      c d      d       a change each
  ///     from 1 to 3          delete 2 at 0, and not all that went in the end
  static let nearStates = PublicCallLaw(
    "api.near-states",
    "Differences lead between near states.",
    "The differences between states that lie some elements of one row apart lead from each to the other, and to the "
      + "last, in lists and in texts of any unit, whose letters may join; each state reads at its heads as it did.",
    source: .specification(.semantics, "Differences between two states", "Reading calls"),
    count: 30,
    costs: 2
  ) { story in
    let encoding = story.element(of: [TextEncoding.unicodeScalar, .utf16, .utf8, .graphemeCluster])
    let document = Document.written(by: 0xfd, encoding)
    var row = EditedRow(encoding: encoding, isText: story.flag())
    let object = try document.putObject(
      obj: .ROOT,
      key: "row",
      ty: row.isText ? .Text : .List
    )
    story.note("a \(row.isText ? "text in \(encoding)" : "list") of some elements")
    try row.insert(6, at: 0, in: document, object, &story, commitsEach: false)
    for _ in 0..<3 { try row.change(document, object, &story) }
    for (number, state) in row.states.enumerated() {
      try expect(
        try row.shown(document, object, at: state.heads) == state.shown,
        "state \(number + 1) of \(row.states.count) reads otherwise at its heads"
      )
      let next = row.states[min(number + 1, row.states.count - 1)].heads
      try document.checkDifferences(between: state.heads, and: next)
      try document.checkDifferences(between: state.heads, and: document.heads())
    }
  }
}

extension TextEncoding {
  /// Units of an element's text, counted without the judged code.
  func width(of text: String) -> Int {
    switch self {
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    case .unicodeScalar: text.unicodeScalars.count
    case .graphemeCluster: text.count
    }
  }
}

/// A text as an array of its characters: what `api.wide-characters` takes for right.
private struct WideText {
  struct Character: Hashable {
    /// U+FFFC for a block.
    let text: String
    var isBlock = false
    /// The number of the last mark of each name.
    var marks: [String: Int] = [:]
  }

  static let block = Character(text: "\u{fffc}", isBlock: true)

  let encoding: TextEncoding
  var characters: [Character] = []

  /// Up to three rows of up to four equal characters, which are not joined with any neighbour.
  ///
  ///     units in UTF-8     1    2    3    4    4
  ///     in UTF-16          1    1    1    2    2
  static func drawn(_ story: inout CallStory) -> String {
    let letters = ["\u{1f600}", "a", "\u{1d4b3}", "\u{e9}", "\u{65e5}"]
    let rows = (0...story.index(below: 3)).map { _ in
      String(repeating: story.element(of: letters), count: 1 + story.index(below: 4))
    }
    return rows.joined()
  }

  var length: Int { start(of: characters.count) }

  /// The first unit of a character.
  func start(of place: Int) -> Int {
    characters[..<place].reduce(0) { $0 + encoding.width(of: $1.text) }
  }

  /// The characters that begin in a range of units.
  private func beginning(in units: Range<Int>) -> [Int] {
    characters.indices.filter { units.contains(start(of: $0)) }
  }

  mutating func splice(_ start: Int, deleting count: Int, _ typed: String) {
    let end = min(length, start + count)
    let deleted = characters.indices.filter { place in
      let first = self.start(of: place)
      return first < end && start < first + encoding.width(of: characters[place].text)
    }
    let place = start < end ? deleted.first : nil
    let gap = place ?? beginning(in: 0..<start).count
    if place != nil { characters.removeSubrange(gap..<gap + deleted.count) }
    characters.insert(contentsOf: typed.map { Character(text: String($0)) }, at: gap)
  }

  mutating func mark(_ units: Range<Int>, _ name: String, _ number: Int) {
    for place in beginning(in: units) { characters[place].marks[name] = number }
  }

  /// The marks over some characters, as spans tell them; `nil` where these are not all under the same.
  func marks(over places: Range<Int>) -> [AutomergeDocument.Mark]? {
    guard let marks = characters[places].first?.marks,
      characters[places].allSatisfy({ $0.marks == marks })
    else { return nil }
    return marks.sorted { $0.key < $1.key }.map { name, number in
      AutomergeDocument.Mark(
        start: UInt64(start(of: places.lowerBound)),
        end: UInt64(start(of: places.upperBound)),
        name: name,
        value: .Int(Int64(number))
      )
    }
  }
}

extension Document {
  /// Throws where a text is another than an array of characters says.
  fileprivate func expectSame(as due: WideText, _ text: ObjId) throws {
    let shown = try self.text(obj: text)
    try expect(
      shown == due.characters.map(\.text).joined(),
      "a text of wide characters reads \"\(shown)\""
    )
    try expect(
      length(obj: text) == UInt64(due.length),
      "a text of \(due.length) units has the length \(length(obj: text))"
    )
    for place in due.characters.indices {
      let start = UInt64(due.start(of: place))
      // The last unit of a character is as good as its first.
      let last = UInt64(due.start(of: place + 1) - 1)
      let found = try position(obj: text, cursor: cursor(obj: text, position: last))
      try expect(found == start, "a cursor within the character at \(start) is at \(found)")
    }
    try expectMarks(due, text)
    try expectSpans(due, text)
  }

  /// Inserts strings at the end of a text, an element each; throws where one of them has other units than its own.
  fileprivate func checkValues(_ values: [String], at text: ObjId) throws {
    var end = length(obj: text)
    var places: [UInt64] = []
    for value in values {
      try insert(obj: text, index: end, value: .String(value))
      places.append(end)
      end += UInt64(textEncoding.width(of: value))
    }
    commitOnce()
    let receiver = Document.written(by: 0xfe, textEncoding)
    try receiver.applyEncodedChanges(encoded: encodeChangesSince(heads: []))
    for reader in [self, try Document(save(), textEncoding: textEncoding), receiver] {
      let length = reader.length(obj: text)
      try expect(length == end, "a text of \(end) units with values has the length \(length)")
      for (place, value) in zip(places, values) {
        let shown = try reader.get(obj: text, index: place)
        try expect(
          shown == .Scalar(.String(value)),
          "the value at \(place) is \(shown.map { "\($0)" } ?? "none") in place of \"\(value)\""
        )
      }
    }
  }

  /// Marks are compared by the characters that begin in each.
  private func expectMarks(_ due: WideText, _ text: ObjId) throws {
    var shown = due
    for place in shown.characters.indices { shown.characters[place].marks = [:] }
    let marks = try marks(obj: text)
    for mark in marks {
      guard case .Int(let number) = mark.value else { continue }
      let edges = (0...due.characters.count).map { UInt64(due.start(of: $0)) }
      try expect(
        edges.contains(mark.start) && edges.contains(mark.end),
        "a mark ends within a character: \(mark.start)..<\(mark.end)"
      )
      shown.mark(Int(mark.start)..<Int(mark.end), mark.name, Int(number))
    }
    try expect(
      shown.characters == due.characters,
      "the marks of a text of wide characters are \(marks)"
    )
  }

  /// Spans may be cut anywhere, as long as each is under the same marks.
  private func expectSpans(_ due: WideText, _ text: ObjId) throws {
    var place = 0
    for span in try spans(obj: text) {
      guard case .text(let piece, let marks) = span else {
        try expect(
          place < due.characters.count && due.characters[place].isBlock,
          "spans have a block at character \(place)"
        )
        place += 1
        continue
      }
      let places = place..<min(due.characters.count, place + piece.count)
      try expect(
        piece == due.characters[places].map(\.text).joined() && marks == due.marks(over: places)
          && !due.characters[places].contains(where: \.isBlock),
        "character \(place) begins the span \"\(piece)\" with the marks \(marks)"
      )
      place = places.upperBound
    }
    try expect(place == due.characters.count, "spans have \(counted(place, "character"))")
  }
}

/// A list or text that is edited at one place after the other, and its states.
private struct EditedRow {
  /// What is read of it.
  struct Shown: Hashable {
    let values: [AutomergeDocument.Value]
    let text: String
    let length: UInt64
  }

  let encoding: TextEncoding
  let isText: Bool
  /// Units of each element; 1 in a list.
  private var widths: [Int] = []
  private(set) var states: [(heads: Set<AutomergeDocument.ChangeHash>, shown: Shown)] = []

  init(encoding: TextEncoding, isText: Bool) {
    self.encoding = encoding
    self.isText = isText
  }

  /// Inserts or deletes one to four elements in a row, or changes what is there.
  mutating func change(_ document: Document, _ object: ObjId, _ story: inout CallStory) throws {
    let place = story.index(below: widths.count + 1)
    let count = 1 + story.index(below: 4)
    let commitsEach = story.index(below: 4) < 3
    let words = commitsEach ? ", a change each" : " at once"
    switch story.index(below: 5) {
    case 0, 1:
      let isForwards = story.flag()
      story.note(
        "deletes \(count) at \(place) \(isForwards ? "forwards" : "backwards")\(words)"
      )
      for step in 0..<count {
        let element = isForwards ? place : place - 1 - step
        guard widths.indices.contains(element) else { break }
        try document.delete(obj: object, index: UInt64(start(of: element)))
        widths.remove(at: element)
        if commitsEach { try commit(document, object) }
      }
    case 2, 3:
      story.note("inserts \(count) at \(place)\(words)")
      try insert(count, at: place, in: document, object, &story, commitsEach: commitsEach)
    default:
      let end = min(widths.count, place + count)
      if isText {
        story.note("marks the elements \(place)..<\(end)")
        try document.mark(
          obj: object,
          start: UInt64(start(of: place)),
          end: UInt64(start(of: end)),
          expand: .both,
          name: "bold",
          value: .Int(Int64(states.count))
        )
      } else {
        story.note("writes to the elements \(place)..<\(end)\(words)")
        for element in place..<end {
          try write(to: UInt64(element), document, object)
          if commitsEach { try commit(document, object) }
        }
      }
    }
    try commit(document, object)
  }

  /// Puts a value in the place of one, and a key into a map.
  private func write(to index: UInt64, _ document: Document, _ object: ObjId) throws {
    if case .Object(let map, _)? = try document.get(obj: object, index: index) {
      try document.put(obj: map, key: "n", value: .Int(Int64(states.count)))
    } else {
      try document.put(obj: object, index: index, value: .Int(Int64(-states.count)))
    }
  }

  /// Inserts equal elements: letters, numbers or maps; one kind at a time, so that they are stored as one piece.
  ///
  /// In texts, where no maps are inserted, their draw chooses letters that join.
  mutating func insert(
    _ count: Int,
    at place: Int,
    in document: Document,
    _ object: ObjId,
    _ story: inout CallStory,
    commitsEach: Bool
  ) throws {
    let number = story.index(below: 3)
    let isOfMaps = story.flag()
    // The second ones join what stands in front of them to one character, and are elements of their own.
    let letter =
      isOfMaps
      ? ["\u{301}", "\u{1f1e9}", "\u{1f3fd}"][number] : ["a", "\u{1f600}", "\u{e9}"][number]
    for step in 0..<count {
      let index = UInt64(start(of: place + step))
      if isText {
        try document.spliceText(obj: object, start: index, delete: 0, value: letter)
      } else if isOfMaps {
        _ = try document.insertObject(obj: object, index: index, ty: .Map)
      } else {
        try document.insert(obj: object, index: index, value: .Int(Int64(step)))
      }
      widths.insert(isText ? encoding.width(of: letter) : 1, at: place + step)
      if commitsEach { try commit(document, object) }
    }
    if !commitsEach { try commit(document, object) }
  }

  private func start(of place: Int) -> Int { widths[..<place].reduce(0, +) }

  private mutating func commit(_ document: Document, _ object: ObjId) throws {
    document.commitOnce()
    let heads = document.heads()
    guard states.last?.heads != heads else { return }
    states.append((heads, try shown(document, object)))
  }

  /// What is read of the row, now or at heads.
  func shown(
    _ document: Document,
    _ object: ObjId,
    at heads: Set<AutomergeDocument.ChangeHash>? = nil
  ) throws -> Shown {
    guard let heads else {
      return Shown(
        values: try document.values(obj: object),
        text: isText ? try document.text(obj: object) : "",
        length: document.length(obj: object)
      )
    }
    return Shown(
      values: try document.valuesAt(obj: object, heads: heads),
      text: isText ? try document.textAt(obj: object, heads: heads) : "",
      length: document.lengthAt(obj: object, heads: heads)
    )
  }
}
