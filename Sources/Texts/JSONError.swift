/// Why a text is not read as JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// Something else was due, such as `a value`.
    case expected(String)
    /// Bytes that are not UTF-8.
    case notUTF8
    /// U+FEFF before the text. Within a string it is a character as any other.
    case byteOrderMark
    /// A character below U+0020 in a string, which JSON escapes.
    case controlCharacter
    /// A backslash with anything behind it but `"\/bfnrt` and `u` with four digits.
    case malformedEscape
    /// `\u` with one half of a surrogate pair: no character.
    case loneSurrogate
    /// A word of digits that is not a number; the word.
    case malformedNumber(String)
    /// A comma with nothing behind it.
    case trailingComma
    /// Arrays and objects lie deeper in one another than the limit.
    case tooDeep(limit: Int)
    /// An object has a key twice; the key.
    case duplicateKey(String)
    /// A whole number that 64 bits do not hold.
    case integerTooLarge(String)
    /// A number greater than any double.
    case numberTooLarge(String)
  }

  package let reason: Reason
  /// Bytes from the start of the text.
  package let offset: Int

  package var description: String {
    "unreadable JSON at byte \(offset): \(explanation)"
  }

  /// What is wrong, without the place.
  private var explanation: String {
    // Words of the text are foreign: they are shown, not printed.
    let visible = VisibleText(scalarLimit: 60)
    return switch reason {
    case .expected(let due): "expected \(due)"
    case .notUTF8: "not UTF-8"
    case .byteOrderMark: "a byte order mark before the text"
    case .controlCharacter: "a control character in a string, which must be escaped"
    case .malformedEscape: "an escape that JSON does not have"
    case .loneSurrogate: "half of a surrogate pair"
    case .malformedNumber(let word): "'\(visible(word))' is not a number"
    case .trailingComma: "a comma with nothing behind it"
    case .tooDeep(let limit): "nesting deeper than \(limit) levels"
    case .duplicateKey(let key): "an object has the key \"\(visible(key))\" twice"
    case .integerTooLarge(let number):
      "64 bits do not hold \(visible(number)); write it as a string"
    case .numberTooLarge(let number): "no double is as great as \(visible(number))"
    }
  }
}
