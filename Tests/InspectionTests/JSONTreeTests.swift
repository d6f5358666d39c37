import Inspection
import Testing

@Suite("JSON in and out")
struct JSONTreeTests {
  @Test(
    "Numbers are read exactly and printed so that they read back",
    arguments: [
      ("0", JSONTree.int(0)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775807", .int(.max)), ("9223372036854775808", .uint(1 << 63)),
      ("18446744073709551615", .uint(.max)), ("1.0", .double(1)), ("-0.0", .double(-0.0)),
      ("5e-324", .double(.leastNonzeroMagnitude)), ("0.1", .double(0.1)),
      ("1.7976931348623157e+308", .double(.greatestFiniteMagnitude)),
    ]
  )
  func numbers(_ text: String, _ tree: JSONTree) throws {
    #expect(try JSONTree(parsing: utf8(text)) == tree)
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
    #expect(try JSONTree(parsing: utf8(text)) == .double(number))
  }

  @Test("Strings keep every character")
  func strings() throws {
    let text = "a\"\\/\n\r\t\u{0}\u{1f}\u{7f}é\u{2028}😀e\u{301}"
    let printed = JSONTree.string(text).text()
    #expect(
      printed == "\"a\\\"\\\\/\\n\\r\\t\\u0000\\u001f\\u007fé\u{2028}😀e\u{301}\""
    )
    guard case .string(let read) = try JSONTree(parsing: utf8(printed)) else {
      Issue.record("no string")
      return
    }
    #expect(utf8(read) == utf8(text))
  }

  @Test("Layouts")
  func layouts() {
    let tree = JSONTree.object([
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
    "What would be read inexactly is refused with its reason and place",
    arguments: [
      ("{\"a\":1,\"a\":2}", JSONTextError.Reason.duplicateKey("a"), 7),
      ("{\"b\":{\"a\":1},\"c\":{\"a\":{},\"a\":2}}", .duplicateKey("a"), 25),
      ("{\"é\":1,\"e\u{301}\":2}", .equivalentKeys, nil),
      ("{\"a\":1,\"\\u0061\":2}", .equivalentKeys, nil),
      ("[18446744073709551616]", .integerTooLarge("18446744073709551616"), 1),
      ("-9223372036854775809", .integerTooLarge("-9223372036854775809"), 0),
      ("[1e400]", .numberTooLarge("1e400"), 1),
      ("[1,]", .trailingComma, 3), ("{\"a\":1,}", .trailingComma, 7),
      ("\u{feff}1", .notUTF8Text, 0), ("1\u{0}", .notUTF8Text, 1),
    ] as [(String, JSONTextError.Reason, Int?)]
  )
  func guarded(_ text: String, _ reason: JSONTextError.Reason, _ offset: Int?) {
    let error = #expect(throws: JSONTextError.self) { try JSONTree(parsing: utf8(text)) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test(
    "What is no JSON is refused",
    arguments: [
      "", " ", "[", "{", "}", "\"", "\"\\", "nul", "01", "1.", "-", "1-1", "[1 2]", "{\"a\" 1}",
      "{1:2}", "\"\\ud800\"", "\"\u{1}\"", "NaN", "[1]]", "1 x", "{\"a\":1 \"b\":2}", "::", "[,]",
    ]
  )
  func malformed(_ text: String) {
    #expect(throws: JSONTextError.self) { try JSONTree(parsing: utf8(text)) }
  }

  @Test("Broken UTF-8 is refused")
  func brokenUTF8() {
    let error = #expect(throws: JSONTextError.self) { try JSONTree(parsing: [0x22, 0xFF, 0x22]) }
    #expect(error?.reason == .notUTF8Text)
  }

  @Test("Depth is read at the limit and refused one past it, however hostile")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: 0x5B, count: depth) + Array(repeating: 0x5D, count: depth)
    }
    let tree = try JSONTree(parsing: nested(JSONTree.depthLimit))
    #expect(utf8(tree.text(.compact)) == nested(JSONTree.depthLimit))
    for depth in [JSONTree.depthLimit + 1, 1 << 20] {
      let error = #expect(throws: JSONTextError.self) { try JSONTree(parsing: nested(depth)) }
      #expect(error?.reason == .tooDeep(limit: JSONTree.depthLimit))
      #expect(error?.offset == JSONTree.depthLimit)
    }
  }
}
