import JSONOracle
import Testing
import Texts

@Suite("json-c as an oracle")
struct JSONOracleTests {
  static let isPresent = JSONOracle.isPresent
  static let absence = Comment(rawValue: JSONOracle.absence)

  private func read(_ text: String) throws -> JSONValue {
    try JSONOracle.read(Array(text.utf8))
  }

  @Test("Without json-c every call says so", .disabled(if: isPresent, "json-c is present"))
  func absent() {
    let reading = #expect(throws: JSONOracleError.self) { try JSONOracle.read([0x31]) }
    #expect(reading?.reason == .absent)
    let printing = #expect(throws: JSONOracleError.self) { try JSONOracle.print(.null) }
    #expect(printing?.reason == .absent)
    #expect(printing?.description == JSONOracle.absence.replacing(" to compare with it", with: ""))
  }

  @Test("Values of each kind are read exactly", .enabled(if: isPresent, absence))
  func values() throws {
    #expect(try read("null") == .null)
    #expect(try read(" true ") == .boolean(true))
    #expect(try read("-9223372036854775808") == .int(.min))
    #expect(try read("9223372036854775807") == .int(.max))
    #expect(try read("9223372036854775808") == .uint(1 << 63))
    #expect(try read("18446744073709551615") == .uint(.max))
    #expect(try read("1.0") == .double(1))
    #expect(try read("5e-324") == .double(.leastNonzeroMagnitude))
    #expect(try read(#""a\u0000é\ud83d\ude00""#) == .string("a\0é😀"))
    #expect(try read("[1,[],{}]") == .array([.int(1), .array([]), .object([])]))
    #expect(
      try read(#"{"b":1,"a":2,"b":3}"#)
        == .object([
          .init("b", .int(3)), .init("a", .int(2)),
        ])
    )
  }

  @Test(
    "What is no JSON is refused with the place",
    .enabled(if: isPresent, absence),
    arguments: [
      ("", 0), ("[1,]", 3), ("1 x", 2), ("{\"a\" 1}", 5), ("nul", 3), ("[1", 2), ("'a'", 0),
    ]
  )
  func malformed(_ text: String, _ offset: Int) throws {
    let error = #expect(throws: JSONOracleError.self) { try read(text) }
    guard case .malformed = error?.reason else {
      Issue.record("\(text): \(String(describing: error))")
      return
    }
    #expect(error?.offset == offset)
  }

  @Test("A zero byte ends no text early", .enabled(if: isPresent, absence))
  func zeroByte() {
    let error = #expect(throws: JSONOracleError.self) { try JSONOracle.read([0x31, 0, 0x32]) }
    #expect(error?.reason == .leftover)
    #expect(error?.offset == 1)
  }

  @Test("Depth is read up to the limit and refused past it", .enabled(if: isPresent, absence))
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: 0x5B, count: depth) + Array(repeating: 0x5D, count: depth)
    }
    // json-c counts the innermost value's own level, too.
    #expect(throws: Never.self) { try JSONOracle.read(nested(9), depthLimit: 10) }
    let error = #expect(throws: JSONOracleError.self) {
      try JSONOracle.read(nested(11), depthLimit: 10)
    }
    #expect(error?.reason == .tooDeep(limit: 10))
    let hostile = #expect(throws: JSONOracleError.self) {
      try JSONOracle.read(Array(repeating: 0x5B, count: 1 << 20))
    }
    #expect(hostile?.reason == .tooDeep(limit: 1_000))
  }

  @Test("Invalid UTF-8 is refused", .enabled(if: isPresent, absence))
  func utf8() {
    #expect(throws: JSONOracleError.self) { try JSONOracle.read([0x22, 0xFF, 0x22]) }
  }

  @Test("What is printed reads back as the same value", .enabled(if: isPresent, absence))
  func printing() throws {
    let value = JSONValue.object([
      .init("a", .array([.null, .boolean(false), .uint(.max), .int(.min)])),
      .init("é\n", .string("/\"\\\u{1}")),
      .init("d", .double(0.1)),
    ])
    let text = try JSONOracle.print(value)
    #expect(try JSONOracle.read(text) == value)
    #expect(try JSONOracle.print(.array([.int(1), .null])) == Array("[1,null]".utf8))
    let key = JSONValue.object([.init("a\0", .null)])
    let error = #expect(throws: JSONOracleError.self) { try JSONOracle.print(.array([key])) }
    #expect(error?.reason == .zeroInKey)
  }
}
