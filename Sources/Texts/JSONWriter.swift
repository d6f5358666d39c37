/// Writes one JSON text, value by value.
///
/// The caller sees to the structure: a key before each member's value, one value at the root. The
/// writer sets commas and, where it indents, line breaks. Numbers are written so that the same
/// number is read back. Strings keep every character but quotes, backslashes, controls and U+007F,
/// which are escaped.
package struct JSONWriter {
  /// How a text is laid out.
  package enum Layout: Hashable, Sendable {
    /// One line without white space.
    case compact
    /// A line for each value, two spaces deeper for each array or object around it.
    case indented
  }

  /// The text so far, in UTF-8, without a final line break.
  package private(set) var bytes: [UInt8] = []

  private let layout: Layout
  private var depth = 0
  /// Whether the array or object that is open has an element.
  private var hasElement = false
  /// Whether a key was written whose value has not come.
  private var isAfterKey = false

  package init(_ layout: Layout = .compact) {
    self.layout = layout
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) { nested("[", body, "]") }

  package mutating func object(_ body: (inout JSONWriter) -> Void) { nested("{", body, "}") }

  /// A member's name; its value must follow.
  package mutating func key(_ name: String) {
    begin()
    quote(name)
    bytes.append(contentsOf: (layout == .compact ? ":" : ": ").utf8)
    isAfterKey = true
  }

  package mutating func null() { token("null") }

  package mutating func boolean(_ value: Bool) { token(value ? "true" : "false") }

  package mutating func number(_ value: some FixedWidthInteger) { token("\(value)") }

  /// The number; `null` for one that is not finite.
  package mutating func number(_ value: Double) {
    token(value.isFinite ? value.description : "null")
  }

  package mutating func string(_ value: String) {
    begin()
    quote(value)
  }

  /// Each of the numbers, in their order.
  package mutating func numbers(_ values: Int...) {
    for value in values { number(value) }
  }

  /// Each of the strings, in their order.
  package mutating func strings(_ values: [String]) {
    for value in values { string(value) }
  }

  /// A member that is a string.
  package mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  private mutating func token(_ text: String) {
    begin()
    bytes.append(contentsOf: text.utf8)
  }

  /// What stands before a key, or before a value without one.
  private mutating func begin() {
    defer { hasElement = true }
    guard !isAfterKey else {
      isAfterKey = false
      return
    }
    if hasElement { bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func nested(
    _ opening: Unicode.Scalar,
    _ body: (inout JSONWriter) -> Void,
    _ closing: Unicode.Scalar
  ) {
    begin()
    bytes.append(UInt8(ascii: opening))
    depth += 1
    hasElement = false
    body(&self)
    depth -= 1
    if hasElement { breakLine() }
    bytes.append(UInt8(ascii: closing))
    hasElement = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7F: bytes.append(contentsOf: "\\u00\(hexString([byte]))".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONWriter {
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let value): boolean(value)
    case .int(let value): number(value)
    case .uint(let value): number(value)
    case .double(let value): number(value)
    case .decimal(let digits): token(digits)
    case .string(let value): string(value)
    case .array(let elements):
      array { writer in
        for element in elements { writer.value(element) }
      }
    case .object(let members):
      object { writer in
        for member in members {
          writer.key(member.key)
          writer.value(member.value)
        }
      }
    }
  }
}

extension JSONValue {
  /// The value as a JSON text, without a final line break.
  package func text(_ layout: JSONWriter.Layout = .indented) -> String {
    var writer = JSONWriter(layout)
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
