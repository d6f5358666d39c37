import DocumentModel

/// Writes one JSON line, byte by byte and without white space.
///
/// The caller sees to the structure; the writer sets the commas between elements.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// Whether the next element needs a comma before it.
  private var needsComma = false

  mutating func array(_ body: (inout JSONWriter) -> Void) {
    nested("[", body, "]")
  }

  mutating func object(_ body: (inout JSONWriter) -> Void) {
    nested("{", body, "}")
  }

  /// A member's name; its value must follow.
  mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func number(_ value: Int) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// The string with quotes, backslashes and control characters escaped, and all else as UTF-8.
  mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00\(hexString([byte]))".utf8)
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func nested(
    _ opening: Unicode.Scalar,
    _ body: (inout JSONWriter) -> Void,
    _ closing: Unicode.Scalar
  ) {
    separate()
    bytes.append(UInt8(ascii: opening))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: closing))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}
