import Testing
import Texts

@Suite("Forms of text")
struct TextsTests {
  @Test(
    "Bytes are two digits each, and read back from digits of either case",
    arguments: [([], ""), ([0], "00"), ([0x0F, 0xA0, 0xFF], "0fa0ff")] as [([UInt8], String)]
  )
  func hexadecimal(_ bytes: [UInt8], _ digits: String) {
    #expect(hexString(bytes) == digits)
    #expect(hexBytes(digits) == bytes)
    #expect(hexBytes(digits.uppercased()) == bytes)
  }

  @Test("What is not digits is no bytes", arguments: ["0", "0g", "+1", " 1", "0x00", "é", "00 "])
  func notHexadecimal(_ text: String) {
    #expect(hexBytes(text) == nil)
  }

  @Test("A mutant's name among subjects is read back to its id, and no other subject's is")
  func mutantIDs() {
    let id = MutantID("tie-break-reversed")
    #expect("\(id)" == "tie-break-reversed" && id.subjectID == "mutant:tie-break-reversed")
    #expect(MutantID(subjectID: id.subjectID) == id)
    for other in ["", "naive", "mutant", "tie-break-reversed", "Mutant:a", " mutant:a"] {
      #expect(MutantID(subjectID: other) == nil, "\(other)")
    }
  }

  @Test("A number has all its digits")
  func numbers() {
    #expect(hexString(UInt8(5)) == "05")
    #expect(hexString(UInt64(0xA1)) == "00000000000000a1")
    #expect(hexString(UInt32.max) == "ffffffff")
  }

  @Test(
    "A hash is FNV-1a of 64 bits",
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)]
  )
  func hash(_ text: String, _ hash: UInt64) {
    #expect(stableHash(text.utf8) == hash)
  }

  @Test(
    "A quoted string shows every scalar, on one line",
    arguments: [
      ("", #""""#), ("a\"\\", #""a\"\\""#), ("\n\t", #""\n\u{9}""#), ("e\u{301}", #""e\u{301}""#),
      ("\u{1F600}~", #""\u{1f600}~""#),
    ]
  )
  func quoting(_ text: String, _ shown: String) {
    #expect(quoted(text) == shown)
    var rest = shown.unicodeScalars.dropFirst().dropLast()
    var read = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      read.append(scalar == "\\" ? takeEscape(from: &rest) ?? "?" : scalar)
    }
    #expect(String(read).unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(quoted("\n", lineFeed: "\\u{a}") == #""\u{a}""#)
  }

  @Test(
    "An escape is read as far as it goes",
    arguments: [
      ("nx", "\n", 1), ("rx", "\r", 1), ("t", "\t", 0), ("\"", "\"", 0), ("\\n", "\\", 1),
      ("u{41}}", "A", 1), ("u{0001F600}", "\u{1F600}", 0), ("u{aB}", "\u{AB}", 0),
    ] as [(String, Unicode.Scalar, Int)]
  )
  func escapes(_ text: String, _ scalar: Unicode.Scalar, _ rest: Int) {
    var scalars = text.unicodeScalars[...]
    #expect(takeEscape(from: &scalars) == scalar)
    #expect(scalars.count == rest)
  }

  @Test(
    "What is no escape, or names no scalar, is none",
    arguments: [
      "", "x", "0", "u", "u41", "u{", "u{}", "u{+1}", "u{d800}", "u{110000}", "u{000000041}",
      "u{4 }", "u{1ffffffff}",
    ]
  )
  func notEscapes(_ text: String) {
    var scalars = text.unicodeScalars[...]
    #expect(takeEscape(from: &scalars) == nil)
  }

  @Test("A command that runs a test is safe to be pasted")
  func testCommands() {
    #expect(testCommand("notes") == "swift test --filter notes")
    #expect(testCommand(nil, replaying: "a/b-1.case") == "TOUCHSTONE_REPLAY=a/b-1.case swift test")
    #expect(
      testCommand("`it's \"x\"`", replaying: "My App/$(x).case")
        == #"TOUCHSTONE_REPLAY='My App/$(x).case' swift test --filter '`it'\''s "x"`'"#
    )
    #expect(shellWord("") == "''")
    #expect(shellWord("é") == "'é'")
  }

  @Test("Words become one word that fits a file name")
  func slugs() {
    #expect(slug("mutant:a b/../c--d.e") == "mutant-a-b-..-c--d.e")
    #expect(slug("\u{e9} \u{4E00}_1") == "----1")
    #expect(slug("a_b") == "a-b")
    #expect(slug("a_b", keeping: "_") == "a_b")
    #expect(fileName(["mutant:a", "b_c", "d e"]) == "mutant-a--b_c--d-e")
  }

  @Test("A long name is cut, tells its words apart, and leaves room for what stands around it")
  func longNames() {
    let summary = String(repeating: "SUMMARY: /src/a.swift:1 ", count: 20)
    let words = "engine--subject.answers--" + summary
    let longest = "x" + String(repeating: "y", count: 159)
    #expect(slug(longest) == longest && fileName([longest]) == longest)
    for names in [
      [slug(words), slug(words + "1"), slug(words + "2"), slug(words + ":"), slug(words + "-")],
      [fileName([words, "a"]), fileName([words, "b"]), fileName([words, words])],
    ] {
      #expect(Set(names).count == names.count)
      for name in names {
        #expect(name.utf8.count == 160 && isFileName(name + "-12"), "\(name)")
        #expect(name.hasPrefix("engine--subject.answers--SUMMARY--"))
      }
    }
    #expect(slug(words).hasSuffix("-5d5d5238"))
  }

  @Test("No name is handed out twice")
  func uniqueNames() {
    var names = UniqueNames()
    let claimed = ["a", "a", "a-2", "a"].map { names.claim($0, separator: "-") }
    #expect(claimed == ["a", "a-2", "a-2-2", "a-3"])
    #expect(names.claim("a") == "a~2")
  }

  @Test(
    "Only a plain name in its folder is a file name",
    arguments: [
      ("a--b.c", true), ("A_9", true), (String(repeating: "a", count: 230), true), ("", false),
      (".", false), ("..", false), (".hidden", false), ("a/b", false), ("../a", false),
      ("a\\b", false), ("a b", false), ("a\0", false), ("\u{e9}", false), ("a:b", false),
      (String(repeating: "a", count: 231), false),
    ]
  )
  func fileNames(_ name: String, _ isSafe: Bool) {
    #expect(isFileName(name) == isSafe)
  }

  @Test("Text of unknown origin shows what a terminal or a page would act on")
  func visible() {
    let visible = VisibleText()
    #expect(visible("plain ~") == "plain ~")
    #expect(visible("\u{1b}[2J\n") == "\\u{1B}[2J\\u{A}")
    #expect(visible("\u{202e}a\u{301}") == "\\u{202E}a\u{301}")
    #expect(visible("\u{301}") == "\\u{301}")
    #expect(VisibleText(keepsLines: true)("a\n\tb\r") == "a\n\tb\\u{D}")
    #expect(VisibleText(scalarLimit: 3)("abcdef") == "abc… (3 more)")
    #expect(
      VisibleText(scalarLimit: 2)(String(repeating: "x", count: 12_002)) == "xx… (12,000 more)"
    )
  }

  @Test(
    "Lines become sentences of one line",
    arguments: [
      ("one", "one"), ("It hangs.\nAllow more.", "It hangs. Allow more."),
      ("It ends:\n  boom\nThe next one.", "It ends: boom. The next one."),
      ("a list, \r\nand more\n\n", "a list,  and more"), ("x\ny", "x y"), ("\n", ""),
      // What else parts lines is spelled out by those who show it.
      ("a\u{2028}B", "a\u{2028}B"),
    ]
  )
  func oneLine(_ text: String, _ line: String) {
    #expect(inOneLine(text) == line)
  }

  @Test("What two sides show stands below each other, behind their labels")
  func labels() {
    #expect(expectedAndFound("1", nil) == ["expected: 1"])
    #expect(expectedAndFound("1", "2") == ["expected: 1", "found:    2"])
    let names = (expected: "r0", found: "r1 later")
    #expect(expectedAndFound("1", "2", labels: names) == ["r0:       1", "r1 later: 2"])
  }

  @Test("Numbers in words")
  func numbersInWords() {
    #expect(grouped(-1_234_567) == "-1,234,567")
    #expect(counted(1, "law") == "1 law")
    #expect(counted(12_000, "case") == "12,000 cases")
    #expect(counted(2, "history", "histories") == "2 histories")
    #expect(decimal(3.14159, digits: 2) == "3.14")
    #expect(decimal(1_234.6) == "1,235")
  }

  @Test("What repeats is left out, in the order of first appearance")
  func uniqued() {
    #expect(["b", "a", "b", "c", "a"].uniqued() == ["b", "a", "c"])
    #expect(["bee", "ant", "bat", "a"].uniqued(by: \.first) == ["bee", "ant"])
  }
}
