import Texts

/// Why a line from an adapter is not an answer.
package struct AnswerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was due at the place.
  package let expected: String
  /// What stood there: its type, never its content.
  package let found: String
  /// The place, outermost first: `["outcome 12", "observation"]`.
  package var place: [String] = []
  /// A sentence behind the description, with what was likely meant; empty without a guess.
  var guess = ""
  /// What the adapter's author can do, where it is not what the check at hand says.
  var advice: String?

  package var description: String {
    let place = place.isEmpty ? "" : "\(place.joined(separator: ", ")): "
    return "\(place)expected \(expected), found \(found)" + (guess.isEmpty ? "" : "." + guess)
  }
}

/// Readers that take exactly what they name.
///
/// The protocol has objects, arrays, strings, whole numbers and null; where a value has a meaning,
/// no reader takes a boolean or a number with a point.
extension JSONValue {
  /// Parses a line, or a file.
  ///
  /// - Throws: ``AnswerError`` for anything but one JSON object.
  init(object bytes: [UInt8]) throws(AnswerError) {
    do throws(JSONError) {
      try self.init(parsing: bytes)
    } catch {
      throw AnswerError(expected: "a JSON object", found: "\(error)")
    }
    guard isObject else { throw expected("a JSON object") }
  }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  var isArray: Bool { array != nil }

  var isObject: Bool {
    if case .object = self { true } else { false }
  }

  func array(_ due: String) throws(AnswerError) -> [JSONValue] {
    guard case .array(let elements) = self else { throw expected(due) }
    return elements
  }

  func string(_ due: String) throws(AnswerError) -> String {
    guard case .string(let string) = self else { throw expected(due) }
    return string
  }

  func strings(_ due: String) throws(AnswerError) -> [String] {
    var strings: [String] = []
    for element in try array(due) { strings.append(try element.string(due)) }
    return strings
  }

  /// A whole number of the range.
  func number(_ due: String, in range: ClosedRange<Int>) throws(AnswerError) -> Int {
    guard let number = integer else { throw expected(due) }
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

  func member(_ name: String, of due: String) throws(AnswerError) -> JSONValue {
    guard isObject else { throw expected(due) }
    guard let member = self[name] else {
      throw AnswerError(expected: "a member \(quoted(name)) of \(due)", found: "none")
    }
    return member
  }

  /// Refuses an object with a member of another name, which would say nothing to this version.
  func refuseMembers(except known: [String], of due: String) throws(AnswerError) {
    guard case .object(let members) = self else { throw expected(due) }
    guard let other = members.first(where: { !known.contains($0.key) }) else { return }
    throw AnswerError(
      expected: "no members of \(due) but \(known.joined(separator: ", "))",
      found: quoted(other.key),
      guess: suggestion(for: other.key, among: known)
    )
  }

  func expected(_ due: String) -> AnswerError {
    AnswerError(expected: due, found: kind)
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
