/// Why a text is not read as JSON.
package struct JSONTextError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The bytes are no UTF-8, or hold a zero byte or a byte order mark.
    case notUTF8Text
    /// No JSON; the parser's own words.
    case malformed(String)
    case trailingComma
    /// Arrays and objects lie in one another deeper than ``JSONTree/depthLimit``.
    case tooDeep(limit: Int)
    /// An object has a key twice; the key as it is written, without its quotes.
    case duplicateKey(String)
    /// Two keys of an object that are written differently and mean the same.
    case equivalentKeys
    /// A whole number that 64 bits do not hold.
    case integerTooLarge(String)
    /// A number greater than any double.
    case numberTooLarge(String)
  }

  package let reason: Reason
  /// Bytes from the start of the text; nil where the parser does not say.
  package let offset: Int?

  package var description: String {
    let words =
      switch reason {
      case .notUTF8Text: "no plain UTF-8 text"
      case .malformed(let why): "no JSON: \(why)"
      case .trailingComma: "no JSON: a comma with nothing behind it"
      case .tooDeep(let limit): "deeper than \(limit) arrays and objects"
      case .duplicateKey(let key): "an object has the key \"\(key)\" twice"
      case .equivalentKeys: "an object has two keys that are the same when read"
      case .integerTooLarge(let number): "64 bits do not hold \(number); write it as a string"
      case .numberTooLarge(let number): "no double is as great as \(number)"
      }
    return offset.map { "\(words) at byte \($0)" } ?? words
  }
}
