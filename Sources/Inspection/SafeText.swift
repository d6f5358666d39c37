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
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
      }
    return isPlain ? text : quoted(text)
  }
}
