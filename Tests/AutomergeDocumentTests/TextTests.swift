import AutomergeDocument
import Foundation
import Testing

@Suite("Text")
struct TextTests {
  static let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"

  @Test("Concurrent insertions merge (TXT-01)")
  func concurrent() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "hello world")
    let other = document.fork()
    try document.spliceText(obj: text, start: 6, delete: 5, value: "wonderful")
    try other.spliceText(obj: text, start: 0, delete: 5, value: "goodbye")
    try document.merge(other: other)
    try other.merge(other: document)
    #expect(try document.text(obj: text) == "goodbye wonderful")
    #expect(try other.text(obj: text) == "goodbye wonderful")
  }

  @Test("Positions out of the text are refused, negative counts delete before (TXT-01)")
  func bounds() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abcdef")
    for (start, delete): (UInt64, Int64) in [(7, 0), (.max, 0), (2, -3), (0, .min)] {
      #expect(throws: DocError.self) {
        try document.spliceText(obj: text, start: start, delete: delete, value: "x")
      }
    }
    try document.spliceText(obj: text, start: 4, delete: -2, value: "-")
    #expect(try document.text(obj: text) == "ab-ef")
    try document.spliceText(obj: text, start: 3, delete: .max)
    #expect(try document.text(obj: text) == "ab-")
    try document.spliceText(obj: text, start: 3, delete: 0)
    #expect(document.getHistory().count == 1)
  }

  @Test(
    "Lengths and positions count what the document was told to count (DOC-02, TXT-03)",
    arguments: [
      (TextEncoding.utf8, UInt64(25)), (.utf16, 11), (.unicodeScalar, 7), (.graphemeCluster, 1),
    ]
  )
  func units(_ encoding: TextEncoding, _ width: UInt64) throws {
    let document = Document(textEncoding: encoding)
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "a\(Self.family)b")
    #expect(document.length(obj: text) == width + 2)
    try document.spliceText(obj: text, start: width + 1, delete: 0, value: "-")
    #expect(try document.text(obj: text) == "a\(Self.family)-b")
    try document.spliceText(obj: text, start: 1, delete: Int64(width), value: "+")
    #expect(try document.text(obj: text) == "a+-b")
    #expect(document.lengthAt(obj: text, heads: document.heads()) == 4)
  }

  @Test("A deletion that starts within a character takes all of it (TXT-01)")
  func wideCharacter() throws {
    let document = Document(textEncoding: .utf8)
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "a€b")
    try document.spliceText(obj: text, start: 2, delete: 1)
    #expect(try document.text(obj: text) == "ab")
  }

  @Test("Updating a text changes only what differs, so that others' typing stays (TXT-02)")
  func update() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.updateText(obj: text, value: "the cat sat on the mat")
    let other = document.fork()
    try document.updateText(obj: text, value: "the black cat sat on the mat")
    try other.updateText(obj: text, value: "the cat sat on the red mat")
    try document.merge(other: other)
    #expect(try document.text(obj: text) == "the black cat sat on the red mat")
    let heads = document.heads()
    try document.updateText(obj: text, value: "the black cat sat on the red mat")
    #expect(document.heads() == heads)
  }

  @Test("Texts are compared by their bytes: another normal form is another text (TXT-02)")
  func normalForms() throws {
    for encoding in TextEncoding.allCases {
      let document = Document(textEncoding: encoding)
      let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
      try document.updateText(obj: text, value: "caf\u{e9} \u{1100}\u{1161}")
      try document.updateText(obj: text, value: "cafe\u{301} \u{ac00}")
      let stored = try document.text(obj: text)
      #expect(Array(stored.utf8) == Array("cafe\u{301} \u{ac00}".utf8))
    }
  }

  @Test("Elements wider than a character, and characters wider than an element, are taken whole")
  func oddElements() throws {
    let values = [
      "", "x", "aXb", "ab", "e", "e\u{301}", "\u{301}", "🇩🇪🇫", "🇩", "🇪🇫", "a\u{FFFC}b",
      "ab e\u{301}🇩🇪\u{FFFC}z", TextTests.family, "👩\u{200D}👧",
    ]
    for encoding in TextEncoding.allCases {
      for value in values {
        let document = Document(textEncoding: encoding)
        let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
        for piece: ScalarValue in [
          .String("ab"), .String(" "), .String("e"), .String("\u{301}"), .String("🇩"),
          .String("🇪🇫"), .String(""), .Int(1), .String("👩"), .String("\u{200D}👧z"),
        ] {
          try document.insert(obj: text, index: document.length(obj: text), value: piece)
        }
        let before = document.heads()
        try document.updateText(obj: text, value: value)
        let stored = try document.text(obj: text)
        #expect(Array(stored.utf8) == Array(value.utf8), "\(encoding) \(value)")
        let past = try document.textAt(obj: text, heads: before)
        #expect(past.utf8.starts(with: "ab e\u{301}🇩".utf8))
      }
    }
  }

  @Test("Large texts that share nothing are updated in reasonable time")
  func unrelated() throws {
    let document = Document()
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    let (first, second) = (Self.noise(3_000, seed: 1), Self.noise(3_000, seed: 2))
    try document.updateText(obj: text, value: first)
    try document.updateText(obj: text, value: second)
    #expect(try document.text(obj: text) == second)
  }

  /// Letters by a linear congruence.
  private static func noise(_ count: Int, seed: UInt64) -> String {
    var state = seed
    return String(
      String.UnicodeScalarView(
        (0..<count).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return Unicode.Scalar(UInt8(97 + (state >> 33) % 26))
        }
      )
    )
  }
}
