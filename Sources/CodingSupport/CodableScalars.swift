// How our coders read and write the 14 scalars for which `Codable` wants calls of their own. A container has one
// generic call for all of them beside the one for any type, which the compiler takes for each of the 14:
//
//     func encode<S: CodableScalar>(_ value: S, forKey key: Key) throws      Int, Bool, String ...
//     func encode<T: Encodable>(_ value: T, forKey key: Key) throws          all others
//
// The calls for optional scalars have defaults in the standard library, which a generic call does not replace: they
// are written out here, once (`KeyedOptionalScalarEncoding`).
//
// What `@inline(__always)` earns here: a conformance that is generic over its keys asks the runtime for its
// tables in each call unless the call is inlined. Of the coder of records, decoding a nested value takes 578,000
// instructions with it, 609,000 without it, and 647,000 if the bodies are not inlinable either (callgrind, 88
// scalars: `RecordBenchmark loop decode-nested`). The keyed containers say it for their calls as well.
//
// Two others stay out. The keyed containers of `DocumentCoding` have calls for each family of scalars, as their
// fields cost less than a tenth of that: by one call for all, an encode that changes nothing takes 3 % more
// instructions, and a decode 9 % (`CodingBenchmark loop`). `ModelGeneration` has scalars of its own (`DerivableScalar`): the
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

// MARK: - Optional scalars

/// A map that notes a property which is `nil`: the calls for optional scalars pass over it otherwise.
@usableFromInline package protocol KeyedOptionalScalarEncoding: KeyedEncodingContainerProtocol {
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
