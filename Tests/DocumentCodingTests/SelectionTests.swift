import AutomergeDocument
import DocumentCoding
import Testing

@Suite("Selections of texts")
struct SelectionTests {
  private func bound(_ content: String, _ unit: TextEncoding) throws -> (Document, AutomergeText) {
    let doc = Document(textEncoding: unit)
    return (doc, try AutomergeText(content, doc: doc, path: "text"))
  }

  private func range(of part: String, in text: String) throws -> Range<String.Index> {
    let characters = Array(text)
    let wanted = Array(part)
    let place = try #require(
      (0...(characters.count - wanted.count)).first { start in
        Array(characters[start..<start + wanted.count]) == wanted
      }
    )
    let start = text.index(text.startIndex, offsetBy: place)
    return start..<text.index(start, offsetBy: wanted.count)
  }

  private func selected(_ anchor: TextAnchor, of text: AutomergeText) throws -> String {
    let value = text.value
    return String(value[try #require(text.selection(of: anchor))])
  }

  @Test(
    "A selection stays with its characters when a peer types and deletes",
    arguments: TextEncoding.allCases
  )
  func follows(_ unit: TextEncoding) throws {
    let (doc, text) = try bound("Tea 👩‍👧 and é today", unit)
    let anchor = try #require(text.anchor(try range(of: "👩‍👧 and é", in: text.value)))
    let peer = doc.fork()
    let theirs = try AutomergeText(doc: peer, objId: try #require(text.objId))
    theirs.value = "Green tea, 👩‍👧 and not é! today"
    try doc.merge(other: peer)
    #expect(text.value == "Green tea, 👩‍👧 and not é! today")
    #expect(try selected(anchor, of: text) == "👩‍👧 and not é")
    // Part of it goes, from either end.
    theirs.value = "Green tea, and not! today"
    try doc.merge(other: peer)
    #expect(try selected(anchor, of: text).contains("and not"))
    theirs.value = "Green"
    try doc.merge(other: peer)
    #expect(try selected(anchor, of: text) == "")
    theirs.value = ""
    try doc.merge(other: peer)
    #expect(text.selection(of: anchor) == text.value.startIndex..<text.value.startIndex)
  }

  @Test("What is typed at the ends of a selection does not belong to it")
  func ends() throws {
    let (doc, text) = try bound("abc", .unicodeScalar)
    let anchor = try #require(text.anchor(try range(of: "b", in: text.value)))
    let object = try #require(text.objId)
    try doc.spliceText(obj: object, start: 2, delete: 0, value: "X")
    try doc.spliceText(obj: object, start: 1, delete: 0, value: "Y")
    #expect(text.value == "aYbXc")
    #expect(try selected(anchor, of: text) == "b")
  }

  @Test(
    "A selection stays with characters that several elements make",
    arguments: TextEncoding.allCases
  )
  func joined(_ unit: TextEncoding) throws {
    let (doc, text) = try bound("e", unit)
    let object = try #require(text.objId)
    // Typed by itself, the accent is an element, and with the one before it a character.
    for part in ["\u{301}", "x", "🇦", "🇹", "yz"] {
      let end = doc.length(obj: object)
      try doc.spliceText(obj: object, start: end, delete: 0, value: part)
    }
    #expect(text.value == "e\u{301}x🇦🇹yz")
    for part in ["e\u{301}", "x", "🇦🇹", "yz"] {
      let anchor = try #require(text.anchor(try range(of: part, in: text.value)))
      #expect(try selected(anchor, of: text) == part)
      let peer = doc.fork()
      try peer.spliceText(obj: object, start: 0, delete: 0, value: "abc ")
      let other = try AutomergeText(doc: peer, objId: object)
      #expect(try selected(anchor, of: other) == part)
    }
  }

  @Test("A selection ends and begins within an element that ends one character and begins another")
  func apart() throws {
    let (doc, text) = try bound("🇪", .graphemeCluster)
    let object = try #require(text.objId)
    // Typed as one cluster, two letters are one element; behind another letter the first of them belongs to that.
    try doc.spliceText(obj: object, start: 1, delete: 0, value: "🇪🇩")
    try doc.spliceText(obj: object, start: 2, delete: 0, value: "x")
    let value = text.value
    #expect(value.map { String($0) } == ["🇪🇪", "🇩", "x"])
    let places = Array(value.indices) + [value.endIndex]
    for (number, start) in places.enumerated() {
      for end in places[number...] {
        let anchor = try #require(text.anchor(start..<end))
        #expect(text.selection(of: anchor) == start..<end)
      }
    }
  }

  @Test("A caret stays before its character, and one at the end at the end")
  func carets() throws {
    let (doc, text) = try bound("abc", .utf16)
    let value = text.value
    let middle = value.index(after: value.startIndex)
    let caret = try #require(text.anchor(middle..<middle))
    let end = try #require(text.anchor(value.endIndex..<value.endIndex))
    let object = try #require(text.objId)
    try doc.spliceText(obj: object, start: 0, delete: 0, value: "12")
    try doc.spliceText(obj: object, start: 5, delete: 0, value: "34")
    #expect(text.value == "12abc34")
    let now = try #require(text.selection(of: caret))
    #expect(now.isEmpty && text.value[now.lowerBound...] == "bc34")
    #expect(text.selection(of: end) == text.value.endIndex..<text.value.endIndex)
    // An index of a longer text does not trap.
    let beyond = "a much longer text".endIndex
    #expect(text.anchor(value.startIndex..<beyond) != nil)
  }

  @Test("There is no selection of an unbound text, or by another text's anchor")
  func strangers() throws {
    let text = AutomergeText("abc")
    #expect(text.anchor(text.value.startIndex..<text.value.endIndex) == nil)
    let (_, first) = try bound("abc", .unicodeScalar)
    let doc = Document()
    try doc.put(obj: .ROOT, key: "other", value: .Int(1))
    let second = try AutomergeText("abc", doc: doc, path: "text")
    let anchor = try #require(first.anchor(first.value.startIndex..<first.value.endIndex))
    #expect(second.selection(of: anchor) == nil)
    #expect(text.selection(of: anchor) == nil)
  }
}
