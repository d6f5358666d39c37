import DocumentModel
import Testing
import Texts

@Suite("Scalars")
struct ScalarTests {
  /// Scalars that are all different, each with its text.
  private static let texts: [(Scalar, String)] = [
    (.null, "null"), (.boolean(false), "boolean false"), (.boolean(true), "boolean true"),
    (.int(0), "int 0"), (.int(.min), "int -9223372036854775808"), (.uint(0), "uint 0"),
    (.uint(.max), "uint 18446744073709551615"), (.counter(0), "counter 0"),
    (.timestamp(0), "timestamp 0"), (.float(0), "float 0.0"), (.float(-0.0), "float -0.0"),
    (.float(1), "float 1.0"), (.float(.infinity), "float inf"), (.float(.nan), "float nan"),
    (.float(-Double.nan), "float bits:fff8000000000000"),
    (.float(Double(bitPattern: 0x7ff8_0000_0000_0001)), "float bits:7ff8000000000001"),
    (.float(Double(bitPattern: 0x7ff0_0000_0000_0001)), "float bits:7ff0000000000001"),
    (.float(.leastNonzeroMagnitude), "float 5e-324"), (.string(""), "string \"\""),
    (.string("0"), "string \"0\""), (.string("\u{e9}"), "string \"\\u{e9}\""),
    (.string("e\u{301}"), "string \"e\\u{301}\""), (.bytes([]), "bytes 0x"),
    (.bytes([0, 255]), "bytes 0x00ff"),
    (.unknown(typeCode: 10, bytes: []), "unknown 10 0x"),
    (.unknown(typeCode: 11, bytes: []), "unknown 11 0x"),
    (.unknown(typeCode: 10, bytes: [0]), "unknown 10 0x00"),
  ]

  @Test("Two scalars are equal when kind, bits and bytes are, and then hash alike")
  func equality() {
    for (index, (left, _)) in Self.texts.enumerated() {
      for (other, (right, _)) in Self.texts.enumerated() {
        #expect((left == right) == (index == other), "\(left) and \(right)")
      }
    }
    #expect(Set(Self.texts.map(\.0)).count == Self.texts.count)
    #expect(Scalar.float(.nan) == .float(.nan))
    #expect(Scalar.float(.nan).hashValue == Scalar.float(.nan).hashValue)
    #expect(Scalar.bytes([1, 2]).hashValue == Scalar.bytes([1, 2]).hashValue)
  }

  @Test("A scalar says its kind and value; different ones never read alike")
  func description() {
    for (scalar, text) in Self.texts {
      #expect(scalar.description == text)
      #expect(text.split(separator: " ").first.map(String.init) == scalar.kind.rawValue)
    }
    #expect(Set(Self.texts.map(\.1)).count == Self.texts.count)
  }

  @Test("Every kind of scalar is among those described here")
  func kinds() {
    #expect(Set(Self.texts.map(\.0.kind)) == Set(ScalarKind.allCases))
  }

  @Test(
    "A quoted text is printable ASCII on one line",
    arguments: [
      ("", "\"\""), ("ab ~", "\"ab ~\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""),
      ("\n", "\"\\n\""), ("\r\n", "\"\\u{d}\\n\""), ("\t", "\"\\u{9}\""), ("\u{0}", "\"\\u{0}\""),
      ("\u{7f}", "\"\\u{7f}\""), ("\u{e9}", "\"\\u{e9}\""), ("e\u{301}", "\"e\\u{301}\""),
      ("\u{2028}", "\"\\u{2028}\""), ("\u{202e}x", "\"\\u{202e}x\""),
      ("\u{1f469}\u{200d}\u{1f467}", "\"\\u{1f469}\\u{200d}\\u{1f467}\""),
    ]
  )
  func quoting(text: String, expected: String) {
    #expect(quoted(text) == expected)
    #expect(quoted(text).utf8.allSatisfy { (0x20...0x7e).contains($0) })
  }
}
