/// What markup does to text of unknown origin, and what tests take away from it.
package struct MarkupRules: Sendable {
  /// A character with a meaning of its own in markup.
  package enum Escape: Hashable, Sendable, CaseIterable {
    /// `&` begins an entity.
    case ampersand
    /// `<` begins an element.
    case less
    /// `>` ends `]]>`, which text must not hold.
    case greater
    /// `"` ends an attribute.
    case quote
    /// A line feed in an attribute would be read as a space.
    case attributeLine
    /// Whatever could make a path leave the page's folder, or name a scheme.
    case link
  }

  package var escapes: Set<Escape>
  package var visible: VisibleText

  package init(
    escapes: Set<Escape> = Set(Escape.allCases),
    visible: VisibleText = VisibleText(keepsLines: true)
  ) {
    self.escapes = escapes
    self.visible = visible
  }
}

/// A writer of well-formed markup, for HTML and XML alike.
///
/// Elements close themselves and every `String` is escaped. What goes through unescaped is a
/// `StaticString`, so no text of unknown origin can become markup.
package struct Markup {
  package private(set) var text = ""
  package let rules: MarkupRules

  package init(_ rules: MarkupRules, reserving capacity: Int = 0) {
    self.rules = rules
    text.reserveCapacity(capacity)
  }

  /// Bytes written so far.
  package var byteCount: Int { text.utf8.count }

  /// Written as it stands.
  package mutating func raw(_ literal: StaticString) {
    text += literal.description
  }

  /// Text between tags.
  package mutating func add(_ string: String) {
    append(escaping: rules.visible(string), isAttribute: false)
  }

  /// `<name ...>`, what `body` writes, `</name>`.
  package mutating func element(
    _ name: StaticString,
    _ attributes: [Attribute] = [],
    _ body: (inout Markup) -> Void
  ) {
    open(name, attributes)
    text += ">"
    body(&self)
    text += "</"
    text += name.description
    text += ">"
  }

  /// `<name ...>string</name>`.
  package mutating func element(_ name: StaticString, _ attributes: [Attribute], _ string: String) {
    element(name, attributes) { $0.add(string) }
  }

  /// `<name class="...">`, what `body` writes, `</name>`.
  package mutating func element(
    _ name: StaticString,
    class className: String,
    _ body: (inout Markup) -> Void
  ) {
    element(name, [Attribute("class", className)], body)
  }

  /// `<name class="...">string</name>`.
  package mutating func element(_ name: StaticString, class className: String, _ string: String) {
    element(name, class: className) { $0.add(string) }
  }

  /// `<name>string</name>`.
  package mutating func element(_ name: StaticString, _ string: String) {
    element(name, []) { $0.add(string) }
  }

  /// `<name ... />`, for elements that are never anything but empty.
  package mutating func empty(_ name: StaticString, _ attributes: [Attribute] = []) {
    open(name, attributes)
    text += "/>"
  }

  /// A new line, for people who read the source.
  package mutating func line() {
    text += "\n"
  }

  private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
    text += "<"
    text += name.description
    for attribute in attributes {
      text += " "
      text += attribute.name.description
      text += "=\""
      switch attribute.value {
      case .text(let value): append(escaping: rules.visible(value), isAttribute: true)
      case .link(let path): append(escaping: link(path), isAttribute: true)
      }
      text += "\""
    }
  }

  private mutating func append(escaping string: String, isAttribute: Bool) {
    let escapes = rules.escapes
    let isPlain = string.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "\n"), UInt8(ascii: "\t"):
        false
      default: true
      }
    }
    guard !isPlain else {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&" where escapes.contains(.ampersand): text += "&amp;"
      case "<" where escapes.contains(.less): text += "&lt;"
      case ">" where escapes.contains(.greater): text += "&gt;"
      case "\"" where isAttribute && escapes.contains(.quote): text += "&quot;"
      case "\n" where isAttribute && escapes.contains(.attributeLine): text += "&#10;"
      case "\t" where isAttribute && escapes.contains(.attributeLine): text += "&#9;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The path as a reference that stays below the page's folder: `./cases/a%3Ab.case`.
  private func link(_ path: String) -> String {
    rules.escapes.contains(.link) ? "./" + percentEncoded(path) : path
  }
}

/// One attribute of an element.
package struct Attribute {
  package enum Value {
    case text(String)
    /// A path below the page's folder.
    case link(String)
  }

  package let name: StaticString
  package let value: Value

  package init(_ name: StaticString, _ value: String) {
    self.name = name
    self.value = .text(value)
  }

  package init(_ name: StaticString, _ number: Int) {
    self.init(name, String(number))
  }

  package static func link(_ name: StaticString, to path: String) -> Attribute {
    Attribute(name: name, value: .link(path))
  }

  private init(name: StaticString, value: Value) {
    self.name = name
    self.value = value
  }
}

/// The path as part of a URI that leaves its folder nowhere: `..` and empty parts are dropped,
/// everything but letters, digits, `-`, `.`, `_`, `~` is written as `%XX`.
package func percentEncoded(_ path: String) -> String {
  path.split(separator: "/").filter { $0 != ".." && $0 != "." }.map { percentEncoded(data: $0) }
    .joined(separator: "/")
}

/// Text as data of a URI: everything but letters, digits, `-`, `.`, `_`, `~` is written as `%XX`.
package func percentEncoded(data: some StringProtocol) -> String {
  data.utf8.reduce(into: "") { result, byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      result += "%" + hexString([byte]).uppercased()
    }
  }
}
