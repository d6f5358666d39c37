import Texts

/// Example: `{"due": timestamp 1000, "tags": ["a", "b"], "title": text "Plan", "votes": counter 2}`.
extension Tree: CustomStringConvertible {
  /// The tree on one line, as ``init(text:)`` reads it.
  public var description: String { text(indented: nil) }

  /// The tree over several lines where it is long, as ``init(text:)`` reads it.
  package var text: String { text(indented: 0) }

  private func text(indented indent: Int?) -> String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .int(let value): "int \(value)"
    case .uint(let value): "uint \(value)"
    case .float(let value): "float \(value)"
    case .string(let value): Self.quoted(value)
    case .bytes(let value): "bytes \"\(hexString(value))\""
    case .date(let value): "date \(value)"
    case .timestamp(let value): "timestamp \(value)"
    case .text(let value): "text \(Self.quoted(value))"
    case .counter(let value): "counter \(value)"
    case .unknown(let code, let value): "unknown \(code) \"\(hexString(value))\""
    case .list(let elements):
      Self.bracketed(
        "[",
        elements.map { element in { element.text(indented: $0) } },
        close: "]",
        indent: indent
      )
    case .map(let entries):
      Self.bracketed(
        "{",
        entries.map { entry in
          { "\(Self.quoted(entry.key)): \(entry.value.text(indented: $0))" }
        },
        close: "}",
        indent: indent
      )
    }
  }

  private static func bracketed(
    _ open: String,
    _ items: [(Int?) -> String],
    close: String,
    indent: Int?
  ) -> String {
    let line = open + items.map { $0(nil) }.joined(separator: ", ") + close
    guard let indent, line.utf8.count > 60 else { return line }
    let margin = String(repeating: " ", count: indent + 2)
    let lines = items.map { margin + $0(indent + 2) }
    return
      "\(open)\n\(lines.joined(separator: ",\n"))\n\(String(repeating: " ", count: indent))\(close)"
  }

  /// A string in quotation marks, with everything but printable ASCII as escapes.
  package static func quoted(_ string: String) -> String {
    Texts.quoted(string, lineFeed: "\\u{a}")
  }
}

/// Why a text is not a tree.
package struct TreeTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was due at the offset.
  package let expected: String
  /// Unicode scalars from the start of the text.
  package let offset: Int

  package var description: String { "expected \(expected) at offset \(offset)" }
}

extension Tree {
  /// Reads what `description` and ``text`` write; blanks and line feeds may stand between words.
  package init(text: String) throws(TreeTextError) {
    var reader = TreeTextReader(text)
    self = try reader.tree(depth: 0)
    try reader.end()
  }
}

private struct TreeTextReader {
  private let scalars: [Unicode.Scalar]
  private var offset = 0
  private static let depthLimit = 600

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  private func refusal(_ expected: String) -> TreeTextError {
    TreeTextError(expected: expected, offset: offset)
  }

  private mutating func skipBlanks() {
    while offset < scalars.count, scalars[offset].properties.isWhitespace { offset += 1 }
  }

  private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard offset < scalars.count, scalars[offset] == scalar else { return false }
    offset += 1
    return true
  }

  private mutating func word() -> String {
    skipBlanks()
    var word = String.UnicodeScalarView()
    while offset < scalars.count, !" \n\r\t,:[]{}\"".unicodeScalars.contains(scalars[offset]) {
      word.append(scalars[offset])
      offset += 1
    }
    return String(word)
  }

  private mutating func number<Number: LosslessStringConvertible>(
    _ type: Number.Type
  ) throws(TreeTextError) -> Number {
    let start = offset
    guard let number = Number(word()) else {
      offset = start
      throw refusal("a number that \(type) holds")
    }
    return number
  }

  private mutating func string() throws(TreeTextError) -> String {
    guard takes("\"") else { throw refusal("a string") }
    var string = String.UnicodeScalarView()
    while offset < scalars.count {
      let scalar = scalars[offset]
      offset += 1
      switch scalar {
      case "\"": return String(string)
      case "\\": string.append(try escape())
      default: string.append(scalar)
      }
    }
    throw refusal("the end of a string")
  }

  private mutating func escape() throws(TreeTextError) -> Unicode.Scalar {
    var rest = scalars[offset...]
    guard let scalar = takeEscape(from: &rest) else { throw refusal("an escape") }
    offset = rest.startIndex
    return scalar
  }

  private mutating func bytes() throws(TreeTextError) -> [UInt8] {
    guard let bytes = hexBytes(try string()) else { throw refusal("two digits for each byte") }
    return bytes
  }

  mutating func tree(depth: Int) throws(TreeTextError) -> Tree {
    guard depth < Self.depthLimit else { throw refusal("fewer containers in one another") }
    if takes("[") { return try list(depth: depth) }
    if takes("{") { return try map(depth: depth) }
    skipBlanks()
    if offset < scalars.count, scalars[offset] == "\"" { return .string(try string()) }
    let start = offset
    switch word() {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "int": return .int(try number(Int64.self))
    case "uint": return .uint(try number(UInt64.self))
    case "float": return .float(try number(Double.self))
    case "date": return .date(try number(Double.self))
    case "timestamp": return .timestamp(try number(Int64.self))
    case "counter": return .counter(try number(Int64.self))
    case "text": return .text(try string())
    case "bytes": return .bytes(try bytes())
    case "unknown": return .unknown(try number(UInt8.self), try bytes())
    default:
      offset = start
      throw refusal("a value")
    }
  }

  private mutating func list(depth: Int) throws(TreeTextError) -> Tree {
    var elements: [Tree] = []
    if takes("]") { return .list(elements) }
    repeat { elements.append(try tree(depth: depth + 1)) } while takes(",")
    guard takes("]") else { throw refusal("]") }
    return .list(elements)
  }

  private mutating func map(depth: Int) throws(TreeTextError) -> Tree {
    var entries: [Tree.Entry] = []
    if takes("}") { return .map(entries) }
    repeat {
      let key = try string()
      guard takes(":") else { throw refusal(":") }
      entries.append(Tree.Entry(key, try tree(depth: depth + 1)))
    } while takes(",")
    guard takes("}") else { throw refusal("}") }
    return .map(of: entries)
  }

  mutating func end() throws(TreeTextError) {
    skipBlanks()
    guard offset == scalars.count else { throw refusal("the end") }
  }
}
