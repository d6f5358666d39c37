import PropertyEngine
import Testing

@testable import Texts

@Suite("JSON in and out")
struct JSONTests {
  @Test(
    "Numbers are read exactly and printed so that they read back",
    arguments: [
      ("0", JSONValue.int(0)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775807", .int(.max)), ("9223372036854775808", .uint(1 << 63)),
      ("18446744073709551615", .uint(.max)), ("1.0", .double(1)), ("-0.0", .double(-0.0)),
      ("5e-324", .double(.leastNonzeroMagnitude)), ("0.1", .double(0.1)),
      ("1.7976931348623157e+308", .double(.greatestFiniteMagnitude)),
    ]
  )
  func numbers(_ text: String, _ tree: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == tree)
    #expect(tree.text() == text)
  }

  @Test(
    "Numbers of many digits are rounded once, to the nearest double",
    arguments: [
      ("92233.72036854775807", 92233.72036854775807),
      ("1844.6744073709551615", 1844.6744073709551615),
      ("0.1000000000000000055511151231257827021181583404541015625", 0.1),
      ("1.2345678901234567890123e-200", 1.2345678901234567890123e-200),
    ]
  )
  func digits(_ text: String, _ number: Double) throws {
    #expect(try JSONValue(parsing: text) == .double(number))
  }

  @Test(
    "Numbers of many digits are kept as they are written where digits are to be kept",
    arguments: [
      ("0.1234567890123456789", JSONValue.decimal("0.1234567890123456789")),
      ("18446744073709551616", .decimal("18446744073709551616")),
      ("-9223372036854775809", .decimal("-9223372036854775809")),
      ("1e-400", .decimal("1e-400")), ("100000000000000000000", .double(1e20)),
      ("9007199254740993", .int(9_007_199_254_740_993)), ("0.1", .double(0.1)),
      ("0.30000000000000004", .double(0.30000000000000004)), ("1.50e2", .double(150)),
    ]
  )
  func keepsDigits(_ text: String, _ tree: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8), keepsDigits: true) == tree)
    guard case .decimal = tree else { return }
    #expect(tree.text() == text && tree.number == Double(text))
    #expect(tree.hashValue == JSONValue.decimal(text).hashValue && tree != .string(text))
  }

  @Test("A number greater than any double is refused even where digits are to be kept")
  func keepsNoInfinity() {
    for text in ["1e400", String(repeating: "9", count: 400)] {
      #expect(throws: JSONError.self) {
        try JSONValue(parsing: Array(text.utf8), keepsDigits: true)
      }
    }
  }

  @Test("Strings keep every character")
  func strings() throws {
    let text = "a\"\\/\n\r\t\u{0}\u{1f}\u{7f}é\u{2028}😀e\u{301}"
    let printed = JSONValue.string(text).text()
    #expect(
      printed == "\"a\\\"\\\\/\\n\\r\\t\\u0000\\u001f\\u007fé\u{2028}😀e\u{301}\""
    )
    guard case .string(let read) = try JSONValue(parsing: printed) else {
      Issue.record("no string")
      return
    }
    #expect(read.utf8.elementsEqual(text.utf8))
  }

  @Test("Layouts")
  func layouts() {
    let tree = JSONValue.object([
      .init("a", .array([.int(1), .null])), .init("b", .object([])), .init("c", .array([])),
    ])
    #expect(tree.text(.compact) == #"{"a":[1,null],"b":{},"c":[]}"#)
    #expect(
      tree.text() == """
        {
          "a": [
            1,
            null
          ],
          "b": {},
          "c": []
        }
        """
    )
  }

  @Test(
    "What would be read inexactly, or is read differently elsewhere, is refused with its place",
    arguments: [
      ("{\"a\":1,\"a\":2}", JSONError.Reason.duplicateKey("a"), 7),
      ("{\"b\":{\"a\":1},\"c\":{\"a\":{},\"a\":2}}", .duplicateKey("a"), 25),
      ("{\"a\":1,\"\\u0061\":2}", .duplicateKey("a"), 7),
      ("[18446744073709551616]", .integerTooLarge("18446744073709551616"), 1),
      ("-9223372036854775809", .integerTooLarge("-9223372036854775809"), 0),
      ("[1e400]", .numberTooLarge("1e400"), 1), ("[-1e400]", .numberTooLarge("-1e400"), 1),
      ("[1,]", .trailingComma, 2), ("{\"a\":1 , }", .trailingComma, 7),
      ("\u{feff}1", .byteOrderMark, 0), ("1\u{0}", .expected("the end of the text"), 1),
      ("[01]", .malformedNumber("01"), 1), ("[1-1]", .malformedNumber("1-1"), 1),
      ("\"a\u{1}\"", .controlCharacter, 2), ("\"\\n\u{1}\"", .controlCharacter, 3),
      ("\"a\\x\"", .malformedEscape, 2), ("\"\\u12g4\"", .malformedEscape, 1),
      ("\"\\u12", .malformedEscape, 1), ("\"a\\ud800\"", .loneSurrogate, 2),
      ("\"\\udc00\"", .loneSurrogate, 1), ("\"\\ud83d\\u0041\"", .loneSurrogate, 1),
      ("\"\\ud83d\\ud83d\"", .loneSurrogate, 1), ("\"\\ud83d\\n\"", .loneSurrogate, 1),
      ("[1 2]", .expected("a comma or ]"), 3), ("{\"a\" 1}", .expected("a colon"), 5),
      ("{1:2}", .expected("a key in quotes"), 1), ("[nul]", .expected("a value"), 1),
      ("\"ab", .expected("the end of a string"), 3), ("", .expected("a value"), 0),
    ] as [(String, JSONError.Reason, Int)]
  )
  func refused(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error == JSONError(reason: reason, offset: offset))
  }

  @Test(
    "What is not JSON is refused",
    arguments: [
      "", " ", "[", "{", "}", "\"", "\"\\", "nul", "01", "1.", "-", "1-1", "[1 2]", "{\"a\" 1}",
      "{1:2}", "\"\\ud800\"", "\"\u{1}\"", "NaN", "[1]]", "1 x", "{\"a\":1 \"b\":2}", "::", "[,]",
    ]
  )
  func malformed(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test(
    "Broken UTF-8 is refused where it breaks",
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0xA9, 0xC3, 0x22], 4),
      ([0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22], 3), ([0x22, 0x61, 0xF0, 0x9F, 0x22], 2),
    ] as [([UInt8], Int)]
  )
  func brokenUTF8(_ bytes: [UInt8], _ offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(error == JSONError(reason: .notUTF8, offset: offset))
  }

  @Test(
    "Every form of escaping gives the same string",
    arguments: [
      // Python's `json.dumps`, JavaScript's `JSON.stringify`, Rust's `serde_json`, Go's `encoding/json`.
      #""\ufeffa\u0000\u001f\u007f\u00e9\u2028\ud83d\ude00\/\b\f\n\r\t\"\\""#,
      "\"\u{feff}a\\u0000\\u001f\u{7f}\u{e9}\u{2028}\u{1f600}/\\b\\f\\n\\r\\t\\\"\\\\\"",
      "\"\u{feff}a\\u0000\\u001F\\u007F\u{e9}\\u2028\\uD83D\\uDE00/\\u0008\\u000c\\u000A\\u000d\\u0009\\u0022\\u005C\"",
    ]
  )
  func escaping(_ text: String) throws {
    let due = "\u{feff}a\u{0}\u{1f}\u{7f}\u{e9}\u{2028}\u{1f600}/\u{8}\u{c}\n\r\t\"\\"
    #expect(try JSONValue(parsing: text) == .string(due))
  }

  @Test("Keys that only look alike are two keys, and strings are compared by their bytes")
  func alike() throws {
    let value = try JSONValue(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}")
    #expect(value["\u{e9}"] == .int(1))
    #expect(value["e\u{301}"] == .int(2))
    #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(Set([JSONValue.string("\u{e9}"), .string("e\u{301}")]).count == 2)
  }

  @Test("Members keep their order, however many there are, and none comes twice")
  func members() throws {
    let keys = (0..<40).map { "k\($0 * 7 % 40)" }
    let text = "{" + keys.map { "\"\($0)\": \"\($0)\"" }.joined(separator: " , ") + "}"
    let value = try JSONValue(parsing: text)
    #expect(value == .object(keys.map { .init($0, .string($0)) }))
    #expect(value.sorted != value)
    let doubled = text.dropLast() + ", \"k0\": 1}"
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: String(doubled)) }
    #expect(error?.reason == .duplicateKey("k0"))
  }

  @Test("An error shows what is not ours cut short and visible")
  func errors() {
    let key = "\u{1b}[2J" + String(repeating: "x", count: 1_000)
    let words = "\(JSONError(reason: .duplicateKey(key), offset: 3))"
    #expect(words.hasPrefix("unreadable JSON at byte 3: an object has the key \"\\u{1B}[2Jxxx"))
    #expect(words.utf8.count < 200)
  }

  @Test("No bytes trap, and what is read is printed and read back, in time linear in the text")
  func anyBytes() throws {
    let marks = Array("{}[]\",:\\u0dD8e-+.E159 tfn/\u{1}x".utf8) + [0xC3, 0xA9, 0xED, 0xF0, 0xFF]
    var read = 0
    for seed in 0..<20_000 {
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      let bytes = (0..<choices.choice(upTo: 12)).map { _ in choices.element(of: marks) }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      read += 1
      #expect(try JSONValue(parsing: value.text(.compact)) == value)
      #expect(try JSONValue(parsing: value.text()) == value)
    }
    #expect(read > 200)
    let wide = Array("[\(String(repeating: "[\"a\",1],", count: 200_000))0]".utf8)
    #expect(try JSONValue(parsing: wide).array?.count == 200_001)
    let long = Array("\"\(String(repeating: "\\n", count: 1_000_000))\"".utf8)
    #expect(try JSONValue(parsing: long).string?.utf8.count == 1_000_000)
  }

  @Test("Depth is read at the limit and refused one past it, however hostile")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: 0x5B, count: depth) + Array(repeating: 0x5D, count: depth)
    }
    let tree = try JSONValue(parsing: nested(JSONValue.depthLimit))
    #expect(Array(tree.text(.compact).utf8) == nested(JSONValue.depthLimit))
    for depth in [JSONValue.depthLimit + 1, 1 << 20] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(depth)) }
      #expect(error?.reason == .tooDeep(limit: JSONValue.depthLimit))
      #expect(error?.offset == JSONValue.depthLimit)
    }
  }

  @Test("A text is written value by value, with commas and lines where they belong")
  func writing() {
    func text(_ layout: JSONWriter.Layout) -> String {
      var writer = JSONWriter(layout)
      writer.object { writer in
        writer.key("n")
        writer.number(3)
        writer.key("a")
        writer.array { writer in
          writer.array { _ in }
          writer.string("x\n\u{7f}")
          writer.object { _ in }
          writer.null()
          writer.boolean(false)
          writer.number(-0.5)
          writer.number(Double.infinity)
        }
      }
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    #expect(text(.compact) == #"{"n":3,"a":[[],"x\n\u007f",{},null,false,-0.5,null]}"#)
    let lines = [
      "{", "  \"n\": 3,", "  \"a\": [", "    [],", #"    "x\n\u007f","#, "    {},", "    null,",
      "    false,", "    -0.5,", "    null", "  ]", "}",
    ]
    #expect(text(.indented) == lines.joined(separator: "\n"))
  }
}
