/// A JSON value: whole numbers exact, members in order, strings compared byte for byte.
///
/// Values are equal if their members stand in one order, too; ``sorted`` makes that so. Equality
/// is that of JSON texts, not of people: `"\u{e9}"` and `"e\u{301}"` are two keys, as they are
/// in a document.
package enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case int(Int64)
  /// A whole number above `Int64.max`; one that fits is an ``int(_:)``.
  case uint(UInt64)
  /// A number with a point or an exponent; finite, as JSON has no word for anything else.
  case double(Double)
  /// A number whose digits neither 64 bits nor a double keep, as it is written; a reader gives one only where it is to
  /// keep all digits.
  ///
  /// Worked example: `0.1234567890123456789`, which is the double 0.12345678901234568 otherwise.
  case decimal(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }

    package static func == (left: Self, right: Self) -> Bool {
      left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
      JSONValue.string(key).hash(into: &hasher)
      hasher.combine(value)
    }
  }

  /// A whole number, in the case that is its own.
  package init(_ number: UInt64) {
    self = Int64(exactly: number).map { .int($0) } ?? .uint(number)
  }

  /// How deep arrays and objects may lie in one another in a text that is read.
  package static let depthLimit = 500
}

extension JSONValue: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.decimal(let left), .decimal(let right)),
      (.string(let left), .string(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .decimal(let value), .string(let value):
      for byte in value.utf8 { hasher.combine(byte) }
      hasher.combine(0xFF)
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSONValue {
  /// The member of this name; `nil` if there is none, or the value is not an object.
  ///
  /// Cost: linear in the number of members.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The element at an index; `nil` if there is none, or the value is not an array.
  package subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The string, if it is one.
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, if it is an array.
  package var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The whole number, if it is one that `Int` holds.
  package var integer: Int? {
    switch self {
    case .int(let value): Int(exactly: value)
    case .uint(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number of any kind, rounded to a double.
  package var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }

  /// The value with the members of all its objects in the order of their keys' bytes.
  package var sorted: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member($0.key, $0.value.sorted) }
          .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      )
    default: self
    }
  }

  /// The kind of value with its article, for a sentence: `an array of 3`, never its content.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .int, .uint: "a number"
    case .decimal: "a number of many digits"
    case .double: "a number with a point or an exponent"
    case .string: "a string"
    case .array(let elements): "an array of \(elements.count)"
    case .object: "an object"
    }
  }
}
