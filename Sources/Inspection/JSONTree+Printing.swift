extension JSONTree {
  /// How a tree is laid out.
  package enum Layout: Hashable, Sendable {
    /// One line without white space.
    case compact
    /// A line for each value, two spaces deeper for each array or object around it.
    case indented
  }

  /// The tree as JSON text, without a final line break.
  ///
  /// Numbers are printed so that the same number is read back. Strings keep every character but
  /// quotes, backslashes and control characters, which are escaped.
  package func text(_ layout: Layout = .indented) -> String {
    var output: [UInt8] = []
    write(to: &output, layout, depth: 0)
    return String(decoding: output, as: UTF8.self)
  }

  private func write(to output: inout [UInt8], _ layout: Layout, depth: Int) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): output.append(contentsOf: "\(value)".utf8)
    case .uint(let value): output.append(contentsOf: "\(value)".utf8)
    case .double(let value):
      output.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    case .string(let value): Self.quote(value, into: &output)
    case .array(let values):
      Self.enclose("[", "]", values, to: &output, layout, depth) { value, output in
        value.write(to: &output, layout, depth: depth + 1)
      }
    case .object(let members):
      Self.enclose("{", "}", members, to: &output, layout, depth) { member, output in
        Self.quote(member.key, into: &output)
        output.append(contentsOf: (layout == .compact ? ":" : ": ").utf8)
        member.value.write(to: &output, layout, depth: depth + 1)
      }
    }
  }

  private static func enclose<Element>(
    _ open: String,
    _ close: String,
    _ elements: [Element],
    to output: inout [UInt8],
    _ layout: Layout,
    _ depth: Int,
    _ write: (Element, inout [UInt8]) -> Void
  ) {
    func newLine(_ output: inout [UInt8], _ depth: Int) {
      guard layout == .indented else { return }
      output.append(0x0A)
      output.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }
    output.append(contentsOf: open.utf8)
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(contentsOf: ",".utf8) }
      newLine(&output, depth + 1)
      write(element, &output)
    }
    if !elements.isEmpty { newLine(&output, depth) }
    output.append(contentsOf: close.utf8)
  }

  /// Appends a string as JSON has it.
  private static func quote(_ text: String, into output: inout [UInt8]) {
    output.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: output.append(contentsOf: "\\\"".utf8)
      case 0x5C: output.append(contentsOf: "\\\\".utf8)
      case 0x0A: output.append(contentsOf: "\\n".utf8)
      case 0x0D: output.append(contentsOf: "\\r".utf8)
      case 0x09: output.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        output.append(contentsOf: "\\u00".utf8)
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      default: output.append(byte)
      }
    }
    output.append(0x22)
  }
}
