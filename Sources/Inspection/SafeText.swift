import Texts

/// Text from a document, made fit for one line of a terminal.
enum SafeText {
  /// In quotes; control and format characters, line breaks included, as `\u{...}`.
  ///
  /// More than `limit` characters are cut off, and how many there are is said.
  static func quoted(_ text: String, limit: Int = .max) -> String {
    var result = "\""
    var rest = 0
    for (index, character) in text.unicodeScalars.enumerated() {
      guard index < limit else {
        rest += 1
        continue
      }
      if VisibleText.Kind(of: character) != nil {
        result += character.escape()
      } else {
        if character == "\"" || character == "\\" { result += "\\" }
        result.unicodeScalars.append(character)
      }
    }
    return rest > 0 ? result + "\"... and \(rest) more" : result + "\""
  }

  /// Without quotes if it is a plain word.
  static func key(_ text: String) -> String {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain) ? text : quoted(text)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_")
  }

  /// Takes a key from the front: a plain word, or what stands in quotes, escaped as ``key(_:)`` writes it; `nil` if
  /// neither is there.
  static func takeKey(from rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.first == "\"" else {
      let word = rest.prefix(while: isPlain)
      rest = rest.dropFirst(word.count)
      return word.isEmpty ? nil : String(word)
    }
    rest.removeFirst()
    var key = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(key)
      case "\\":
        guard let meant = takeEscape(from: &rest) else { return nil }
        key.append(meant)
      default: key.append(scalar)
      }
    }
    return nil
  }
}
