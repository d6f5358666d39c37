/// A JSON value as json-c holds it.
package enum JSONOracleValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A whole number that 64 bits hold with a sign.
  case int(Int64)
  /// A whole number above `Int64.max`.
  case uint(UInt64)
  case double(Double)
  /// The UTF-8 of a string; bytes, as strings that look alike are different here.
  case string([UInt8])
  case array([JSONOracleValue])
  /// Members in the order of the text; of two with one key the last.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let key: [UInt8]
    package let value: JSONOracleValue

    package init(key: [UInt8], value: JSONOracleValue) {
      self.key = key
      self.value = value
    }
  }
}
