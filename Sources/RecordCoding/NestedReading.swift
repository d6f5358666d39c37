import CodingSupport
import Foundation
import RecordModel
import Texts

// A nested value out of the JSON in a field's bytes: `NestedDecoding` is a place in it, with its
// three containers below. The bytes are not trusted; the parser has refused keys that stand twice
// and what nests too deep.

/// Decodes a nested value from JSON.
///
/// Numbers are more lenient than in fields: JSON has one kind of number, and the decimal text of a
/// float is seldom exact.
struct NestedDecoding: Decoder, ScalarReading {
  let reading: RecordReading
  let value: JSONValue
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

  /// A place one step further in.
  func below(_ value: JSONValue, _ key: PathKey) -> NestedDecoding {
    NestedDecoding(reading: reading, value: value, path: path.appending(key))
  }

  /// Nothing was found where a value is needed, or another kind.
  ///
  /// `valueNotFound` for a null, `typeMismatch` for another kind.
  func refused(_ type: Any.Type) -> DecodingError {
    guard value == .null else { return mismatch(type, value.kind, path) }
    return DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected \(type), found null at \(path)"
      )
    )
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw refused([String: Any].self) }
    try FoundationTraps.check(keys: ObjectIdentifier(type), from: self)
    return KeyedDecodingContainer(NestedKeyedReading<Key>(decoding: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw refused([Any].self) }
    return NestedUnkeyedReading(decoding: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    NestedSingleReading(decoding: self)
  }

  // MARK: - Values

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard NestedPlace.limit.admits(path), reading.room.admits(path.depth) else {
      throw corrupted(path, NestedPlace.limit.explanation(at: path.depth))
    }
    if let leaf = try leaf(type) {
      // `T` is the very type that was asked about, so this does not fail.
      guard let leaf = leaf as? T else { throw refused(type) }
      return leaf
    }
    return try T(from: self)
  }

  /// Types that JSON has a form of its own for; `nil` for any other.
  private func leaf(_ type: Any.Type) throws -> Any? {
    if type == Date.self {
      guard let seconds = value.number else { throw refused(type) }
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    if type == Data.self {
      guard case .string(let text) = value else { throw refused(type) }
      guard let bytes = Data(base64Encoded: text) else {
        throw corrupted(path, "expected base64 at \(path)")
      }
      return bytes
    }
    if type == URL.self {
      guard case .string(let text) = value else { throw refused(type) }
      guard let url = URL(string: text) else {
        throw corrupted(path, "expected a URL at \(path), found a string that is not a URL")
      }
      return url
    }
    // Also the map that `Decimal` itself decodes.
    if type == Decimal.self, value.number != nil {
      guard let decimal = value.exactDecimal else {
        throw corrupted(path, "expected Decimal, found a number that it does not hold at \(path)")
      }
      return decimal
    }
    return nil
  }

  func boolean() throws -> Bool {
    guard case .boolean(let value) = value else { throw refused(Bool.self) }
    return value
  }

  func string() throws -> String {
    guard case .string(let value) = value else { throw refused(String.self) }
    return value
  }

  /// Worked example: 300 as `Int8` is `dataCorrupted`, 1.0 is 1, 1.5 and "1" are `typeMismatch`.
  func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    let exact: T?
    switch value {
    case .int(let number): exact = T(exactly: number)
    case .uint(let number): exact = T(exactly: number)
    // What Foundation writes has no point for a whole number; what others write may.
    case .double(let number) where number == number.rounded(): exact = T(exactly: number)
    case .decimal:
      guard let digits = value.exactDecimal?.description, !digits.contains(".") else {
        throw refused(type)
      }
      exact = T(digits)
    default: throw refused(type)
    }
    if let exact { return exact }
    throw corrupted(path, "expected \(type), found a number that it does not hold at \(path)")
  }

  /// The nearest number that the type has: the decimal of a `Float` is seldom exact as a `Double`.
  ///
  /// - Throws: `dataCorrupted` for a number beyond the type's greatest, which would become
  ///   infinity.
  func float<T: BinaryFloatingPoint>(_ type: T.Type) throws -> T {
    guard let number = value.number else { throw refused(type) }
    let rounded = T(number)
    guard rounded.isFinite else {
      throw corrupted(path, "expected \(type), found a number that is too great at \(path)")
    }
    return rounded
  }
}

/// The members of an object by their keys' bytes.
struct NestedKeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoding: NestedDecoding
  private let members: [JSONValue.Member]
  /// Positions of members, once there are many.
  private let positions: [PathKey: Int]

  /// Members up to which looking at each is cheaper than a dictionary.
  ///
  /// A dictionary of keys costs its hashes for each object; models have few properties.
  private static var fewLimit: Int { 12 }

  init(decoding: NestedDecoding, members: [JSONValue.Member]) {
    self.decoding = decoding
    self.members = members
    positions =
      members.count <= Self.fewLimit
      ? [:]
      : Dictionary(
        members.enumerated().map { (.key($0.element.key), $0.offset) },
        // The parser refuses a key that stands twice, so there is nothing to decide.
        uniquingKeysWith: { $1 }
      )
  }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

  /// The member of a key; keys are compared by their bytes.
  private func find(_ key: String) -> JSONValue? {
    if members.count <= Self.fewLimit {
      return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
    return positions[.key(key)].map { members[$0].value }
  }

  func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

  /// The place of a member that must be there.
  ///
  /// - Throws: `keyNotFound` at the object, with the key.
  private func place(_ key: Key) throws -> NestedDecoding {
    guard let value = find(key.stringValue) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "expected a value for '\(key.stringValue)', found none"
        )
      )
    }
    return decoding.below(value, PathKey(keyed: key))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try place(key).value == .null }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try place(key).decode(type)
  }
  @inline(__always) func decode<S: CodableScalar>(_ type: S.Type, forKey key: Key) throws -> S {
    try S.read(from: place(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try place(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try place(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(named: "super") }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    superDecoder(named: key.stringValue)
  }

  // A null where nothing stands: a superclass that asks for a container is then told which value is
  // missing.
  private func superDecoder(named key: String) -> any Decoder {
    decoding.below(find(key) ?? .null, .key(key))
  }
}

/// A list, element by element.
struct NestedUnkeyedReading: UnkeyedDecodingContainer {
  let decoding: NestedDecoding
  let elements: [JSONValue]
  private(set) var currentIndex = 0

  init(decoding: NestedDecoding, elements: [JSONValue]) {
    self.decoding = decoding
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// Reads the next element, and goes on to the one after it only if that succeeds.
  private mutating func next<T>(
    _ type: Any.Type,
    _ read: (NestedDecoding) throws -> T
  ) throws -> T {
    guard !isAtEnd else {
      let path = decoding.path.appending(.index(currentIndex))
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: path.codingKeys,
          debugDescription: "expected \(type), found the end of the list at \(path)"
        )
      )
    }
    let value = try read(decoding.below(elements[currentIndex], .index(currentIndex)))
    currentIndex += 1
    return value
  }

  /// Whether a null stands next, which is then passed; behind the end nothing does.
  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(type) { try $0.decode(type) }
  }

  mutating func decode<S: CodableScalar>(_ type: S.Type) throws -> S {
    try next(type) { try S.read(from: $0) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}

/// The place itself as one value.
struct NestedSingleReading: SingleValueDecodingContainer {
  let decoding: NestedDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }

  func decodeNil() -> Bool { decoding.value == .null }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoding.decode(type) }
  func decode<S: CodableScalar>(_ type: S.Type) throws -> S {
    try S.read(from: decoding)
  }
}
