// The calls that `Codable` wants of a container for each of its 14 scalars, written once for our coders: a
// container says in one generic method how it reads or writes any of them.
//
// What `@inline(__always)` earns here: a conformance that is generic over its keys asks the runtime for its
// tables in each call unless the call is inlined. Of the coder of records, decoding a nested value takes 578,000
// instructions with it, 609,000 without it, and 647,000 if the bodies are not inlinable either (callgrind, 88
// scalars: `RecordBenchmark loop decode-nested`). The keyed containers say it for their `scalar` as well.
//
// Two others stay out. The keyed containers of `DocumentCoding` write their calls out, as their fields cost less
// than a tenth of that: by these an encode that changes nothing takes 3 % more instructions, and a
// decode 9 % (`CodingBenchmark loop`). `ModelGeneration` has a family of its own (`ScalarFamilies.swift` there): the
// oracle of coders stands on it, and shares no code with what it judges (decision 22).

/// One of the 14 types for which containers have calls of their own.
@usableFromInline package protocol CodableScalar: Codable, Sendable {
  /// Reads the scalar by the method of its family.
  static func read(from place: some ScalarReading) throws -> Self
  /// Writes the scalar by the method of its family.
  func write(to place: some ScalarWriting) throws
}

/// A place from which a coder reads a scalar, in one way for each family of them.
@usableFromInline package protocol ScalarReading {
  func boolean() throws -> Bool
  func string() throws -> String
  func float<Number: BinaryFloatingPoint & CodableScalar>(_ type: Number.Type) throws -> Number
  func integer<Number: FixedWidthInteger & CodableScalar>(_ type: Number.Type) throws -> Number
}

/// A place to which a coder writes a scalar, in one way for each family of them.
@usableFromInline package protocol ScalarWriting {
  func write(boolean value: Bool) throws
  func write(string value: String) throws
  func write(double value: Double) throws
  func write(float value: Float) throws
  func write(integer value: some FixedWidthInteger & CodableScalar) throws
}

// MARK: - Scalars

extension Bool: CodableScalar {
  @inlinable @inline(__always) package static func read(
    from place: some ScalarReading
  ) throws -> Bool {
    try place.boolean()
  }
  @inlinable @inline(__always) package func write(to place: some ScalarWriting) throws {
    try place.write(boolean: self)
  }
}

extension String: CodableScalar {
  @inlinable @inline(__always) package static func read(
    from place: some ScalarReading
  ) throws -> String {
    try place.string()
  }
  @inlinable @inline(__always) package func write(to place: some ScalarWriting) throws {
    try place.write(string: self)
  }
}

extension Double: CodableScalar {
  @inlinable @inline(__always) package static func read(
    from place: some ScalarReading
  ) throws -> Double { try place.float(Double.self) }

  @inlinable @inline(__always) package func write(to place: some ScalarWriting) throws {
    try place.write(double: self)
  }
}

extension Float: CodableScalar {
  @inlinable @inline(__always) package static func read(
    from place: some ScalarReading
  ) throws -> Float { try place.float(Float.self) }

  @inlinable @inline(__always) package func write(to place: some ScalarWriting) throws {
    try place.write(float: self)
  }
}

extension FixedWidthInteger where Self: CodableScalar {
  @inlinable @inline(__always) package static func read(
    from place: some ScalarReading
  ) throws -> Self {
    try place.integer(Self.self)
  }

  @inlinable @inline(__always) package func write(to place: some ScalarWriting) throws {
    try place.write(integer: self)
  }
}

extension Int: CodableScalar {}
extension Int8: CodableScalar {}
extension Int16: CodableScalar {}
extension Int32: CodableScalar {}
extension Int64: CodableScalar {}
extension UInt: CodableScalar {}
extension UInt8: CodableScalar {}
extension UInt16: CodableScalar {}
extension UInt32: CodableScalar {}
extension UInt64: CodableScalar {}

// MARK: - Decoding

/// A map that reads any scalar in one way.
@usableFromInline package protocol KeyedScalarDecoding: KeyedDecodingContainerProtocol {
  func scalar<S: CodableScalar>(_ type: S.Type, forKey key: Key) throws -> S
}

extension KeyedScalarDecoding {
  @inlinable @inline(__always) package func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
    try scalar(Bool.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: String.Type, forKey key: Key) throws -> String
  {
    try scalar(String.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Double.Type, forKey key: Key) throws -> Double
  {
    try scalar(Double.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Float.Type, forKey key: Key) throws -> Float {
    try scalar(Float.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Int.Type, forKey key: Key) throws -> Int {
    try scalar(Int.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Int8.Type, forKey key: Key) throws -> Int8 {
    try scalar(Int8.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Int16.Type, forKey key: Key) throws -> Int16 {
    try scalar(Int16.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Int32.Type, forKey key: Key) throws -> Int32 {
    try scalar(Int32.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: Int64.Type, forKey key: Key) throws -> Int64 {
    try scalar(Int64.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: UInt.Type, forKey key: Key) throws -> UInt {
    try scalar(UInt.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try scalar(UInt8.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16
  {
    try scalar(UInt16.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32
  {
    try scalar(UInt32.self, forKey: key)
  }
  @inlinable @inline(__always) package func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64
  {
    try scalar(UInt64.self, forKey: key)
  }
}

/// A list that reads any scalar in one way, and goes on to the next element if that succeeds.
@usableFromInline package protocol UnkeyedScalarDecoding: UnkeyedDecodingContainer {
  mutating func scalar<S: CodableScalar>(_ type: S.Type) throws -> S
}

extension UnkeyedScalarDecoding {
  @inlinable @inline(__always) package mutating func decode(_ type: Bool.Type) throws -> Bool {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: String.Type) throws -> String {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Double.Type) throws -> Double {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Float.Type) throws -> Float {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Int.Type) throws -> Int {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: UInt.Type) throws -> UInt {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try scalar(type)
  }
  @inlinable @inline(__always) package mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try scalar(type)
  }
}

/// A single value that is read as any scalar in one way.
@usableFromInline package protocol SingleScalarDecoding: SingleValueDecodingContainer {
  func scalar<S: CodableScalar>(_ type: S.Type) throws -> S
}

extension SingleScalarDecoding {
  @inlinable @inline(__always) package func decode(_ type: Bool.Type) throws -> Bool {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: String.Type) throws -> String {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Double.Type) throws -> Double {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Float.Type) throws -> Float {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Int.Type) throws -> Int {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Int8.Type) throws -> Int8 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Int16.Type) throws -> Int16 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Int32.Type) throws -> Int32 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: Int64.Type) throws -> Int64 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: UInt.Type) throws -> UInt {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: UInt8.Type) throws -> UInt8 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: UInt16.Type) throws -> UInt16 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: UInt32.Type) throws -> UInt32 {
    try scalar(type)
  }
  @inlinable @inline(__always) package func decode(_ type: UInt64.Type) throws -> UInt64 {
    try scalar(type)
  }
}

// MARK: - Encoding

/// A map that writes any scalar in one way, and says in one way that an optional one is nil.
@usableFromInline package protocol KeyedScalarEncoding: KeyedEncodingContainerProtocol {
  func scalar<S: CodableScalar>(_ value: S, forKey key: Key) throws
}

extension KeyedScalarEncoding {
  @inlinable @inline(__always) package func encode(_ value: Bool, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: String, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Double, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Float, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Int, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Int8, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Int16, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Int32, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: Int64, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: UInt, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: UInt8, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: UInt16, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: UInt32, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encode(_ value: UInt64, forKey key: Key) throws {
    try scalar(value, forKey: key)
  }
}

/// A map that notes a property which is nil: the calls for optional scalars pass over it otherwise.
@usableFromInline package protocol KeyedOptionalScalarEncoding: KeyedScalarEncoding {
  func optionalScalar<S: CodableScalar>(_ value: S?, forKey key: Key) throws
}

extension KeyedOptionalScalarEncoding {
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Bool?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(
    _ value: String?,
    forKey key: Key
  ) throws {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(
    _ value: Double?,
    forKey key: Key
  ) throws {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Float?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Int8?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Int16?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Int32?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: Int64?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: UInt?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws
  {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(
    _ value: UInt16?,
    forKey key: Key
  ) throws {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(
    _ value: UInt32?,
    forKey key: Key
  ) throws {
    try optionalScalar(value, forKey: key)
  }
  @inlinable @inline(__always) package func encodeIfPresent(
    _ value: UInt64?,
    forKey key: Key
  ) throws {
    try optionalScalar(value, forKey: key)
  }
}

/// Whatever writes any scalar in one way, and needs no key for it.
@usableFromInline package protocol ScalarEncoding {
  func scalar<S: CodableScalar>(_ value: S) throws
}

extension ScalarEncoding {
  @inlinable @inline(__always) package func encode(_ value: Bool) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: String) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Double) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Float) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Int) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Int8) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Int16) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Int32) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: Int64) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: UInt) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: UInt8) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: UInt16) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: UInt32) throws { try scalar(value) }
  @inlinable @inline(__always) package func encode(_ value: UInt64) throws { try scalar(value) }
}

/// A list that appends any scalar in one way.
@usableFromInline package protocol UnkeyedScalarEncoding: UnkeyedEncodingContainer, ScalarEncoding {
}

/// A single value that is written as any scalar in one way.
@usableFromInline
package protocol SingleScalarEncoding: SingleValueEncodingContainer,
  ScalarEncoding
{
}
