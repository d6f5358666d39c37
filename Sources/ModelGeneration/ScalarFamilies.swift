// The calls for single scalars that `Codable` wants of a container, written once for all containers of this module
// where one generic call of a container does not stand for them: the calls for optional scalars, which have defaults
// in the standard library, and those that write leaves.
//
// `CodingSupport` has what our coders share. These here are not those: the oracle of coders stands on this
// module, and shares no code with what it judges (decision 22).

/// A map that reads any optional scalar in one way.
protocol KeyedOptionalScalarDecoding: KeyedDecodingContainerProtocol {
  func optional<S: DerivableScalar>(_ key: Key) throws -> S?
}

extension KeyedOptionalScalarDecoding {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(key) }
}

/// A list or a single value that writes any scalar as a leaf of a tree.
protocol LeafRecording {
  /// Writes the leaf; a list appends it.
  func set(_ leaf: Recorded)
  /// The leaf of a float, which `original` is in the caller's own type.
  func float(_ value: Double, _ original: Any) throws -> Tree
}

extension LeafRecording {
  func set(_ leaf: Tree) { set(.leaf(leaf)) }

  func encode(_ value: Double) throws { set(try float(value, value)) }
  func encode(_ value: Float) throws { set(.spelled(try float(Double(value), value), .float)) }
  func encode(_ value: Bool) { set(.boolean(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Int) { set(.int(Int64(value))) }
  func encode(_ value: Int8) { set(.int(Int64(value))) }
  func encode(_ value: Int16) { set(.int(Int64(value))) }
  func encode(_ value: Int32) { set(.int(Int64(value))) }
  func encode(_ value: Int64) { set(.int(value)) }
  func encode(_ value: UInt) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { set(.uint(value)) }
}

/// A map that writes any scalar as a leaf of a tree, and notes which keys were named and `nil`.
protocol KeyedLeafRecording: KeyedEncodingContainerProtocol {
  func set(_ leaf: Recorded, _ key: Key)
  /// The leaf of a float, which `original` is in the caller's own type.
  func float(_ value: Double, _ original: Any, _ key: Key) throws -> Tree
  func noteAbsent(_ key: Key)
}

extension KeyedLeafRecording {
  func set(_ leaf: Tree, _ key: Key) { set(.leaf(leaf), key) }

  func encode(_ value: Double, forKey key: Key) throws { set(try float(value, value, key), key) }
  func encode(_ value: Float, forKey key: Key) throws {
    set(.spelled(try float(Double(value), value, key), .float), key)
  }
  func encode(_ value: Bool, forKey key: Key) { set(.boolean(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Int, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int8, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { set(.int(value), key) }
  func encode(_ value: UInt, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt8, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) { set(.uint(value), key) }

  private func leaf<Scalar>(
    _ value: Scalar?,
    _ key: Key,
    _ encode: (Scalar, Key) throws -> Void
  ) throws {
    if let value { try encode(value, key) } else { noteAbsent(key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try leaf(value, key, encode) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try leaf(value, key, encode) }
}
