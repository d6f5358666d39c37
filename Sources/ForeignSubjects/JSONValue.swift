import DocumentModel
import Foundation

/// Why a line from an adapter is no answer.
package struct AnswerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was due at the place.
  package let expected: String
  /// What stood there: its type, never its content.
  package let found: String
  /// The place, outermost first: `["outcome 12", "observation"]`.
  package var place: [String] = []

  package var description: String {
    let place = place.isEmpty ? "" : "\(place.joined(separator: ", ")): "
    return "\(place)expected \(expected), found \(found)"
  }
}

/// One JSON value of a line or file, as Foundation read it, with readers that take exactly what they name.
///
/// The protocol has objects, arrays, strings, whole numbers and null. There are no booleans and no
/// fractions: Foundation would turn `true` and `1.0` into the number 1, on some platforms.
struct JSONValue {
  /// The greatest depth of arrays and objects; Foundation's own limit is 512.
  static let nestingLimit = 500

  private let value: Any

  fileprivate init(_ value: Any) {
    self.value = value
  }

  /// Parses a line, or a file.
  ///
  /// - Throws: ``AnswerError`` for anything but one JSON object of the kinds named above.
  init(bytes: [UInt8]) throws(AnswerError) {
    if let flaw = Self.flaw(in: bytes) {
      throw AnswerError(expected: "a JSON object", found: flaw)
    }
    do {
      value = try JSONSerialization.jsonObject(with: Data(bytes))
    } catch {
      throw AnswerError(expected: "a JSON object", found: "something else")
    }
    guard isObject else { throw expected("a JSON object") }
  }

  /// What makes bytes unfit to be parsed at all, in one pass that reserves nothing.
  private static func flaw(in bytes: [UInt8]) -> String? {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > nestingLimit { return "nesting deeper than \(nestingLimit) levels" }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ","),
        UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"),
        UInt8(ascii: "\n"):
        break
      case UInt8(ascii: "n"), UInt8(ascii: "u"), UInt8(ascii: "l"):
        // `null`, which Foundation will spell out.
        break
      default:
        return "the byte 0x\(hexString([byte])) outside of a string"
      }
    }
    return nil
  }

  // MARK: - Readers

  var isNull: Bool { value is NSNull }

  var isArray: Bool { value is [Any] }

  var isObject: Bool { value is [String: Any] }

  func array(_ due: String) throws(AnswerError) -> Elements {
    guard let elements = value as? [Any] else { throw expected(due) }
    return Elements(values: elements)
  }

  /// The elements of an array, each wrapped only when it is looked at: most arrays are small, and
  /// an answer has tens of thousands.
  struct Elements: RandomAccessCollection {
    fileprivate let values: [Any]

    var startIndex: Int { 0 }
    var endIndex: Int { values.count }

    subscript(index: Int) -> JSONValue { JSONValue(values[index]) }
  }

  func string(_ due: String) throws(AnswerError) -> String {
    guard let string = value as? String else { throw expected(due) }
    return string
  }

  func strings(_ due: String) throws(AnswerError) -> [String] {
    var strings: [String] = []
    for element in try array(due) { strings.append(try element.string(due)) }
    return strings
  }

  /// A whole number of the range.
  func number(_ due: String, in range: ClosedRange<Int>) throws(AnswerError) -> Int {
    guard let number = value as? Int else { throw expected(due) }
    guard range.contains(number) else {
      throw AnswerError(expected: due, found: "the number \(number)")
    }
    return number
  }

  /// What `read` makes of a string.
  func parsed<Result>(
    _ due: String,
    _ read: (String) -> Result?
  ) throws(AnswerError) -> Result {
    guard let result = read(try string(due)) else {
      throw AnswerError(expected: due, found: "another string")
    }
    return result
  }

  /// The member of this name; nil if there is none or the value is no object.
  func member(_ name: String) -> JSONValue? {
    (value as? [String: Any])?[name].map(JSONValue.init)
  }

  func member(_ name: String, of due: String) throws(AnswerError) -> JSONValue {
    guard isObject else { throw expected(due) }
    guard let member = member(name) else {
      throw AnswerError(expected: "a member \(quoted(name)) of \(due)", found: "none")
    }
    return member
  }

  func expected(_ due: String) -> AnswerError {
    AnswerError(expected: due, found: kind)
  }

  private var kind: String {
    switch value {
    case is NSNull: "null"
    case is String: "a string"
    case is NSNumber: "a number"
    case let elements as [Any]: "an array of \(elements.count)"
    case is [String: Any]: "an object"
    default: "something else"
    }
  }
}

/// Runs `body`; an error that leaves it is at `place`.
func at<Result>(
  _ place: @autoclosure () -> String,
  _ body: () throws(AnswerError) -> Result
) throws(AnswerError) -> Result {
  do {
    return try body()
  } catch {
    var error = error
    error.place.insert(place(), at: 0)
    throw error
  }
}
