import Texts

/// The kinds of object that hold further values.
package enum ObjectKind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case map
  case list
  case text

  package var description: String { rawValue }
}

/// A value without parts.
///
/// Equality is identity of what was stored: a float equals the same bit pattern, a string the same
/// bytes, and an int never equals a uint of the same number.
package enum Scalar: Hashable, Sendable {
  case null
  case boolean(Bool)
  case int(Int64)
  case uint(UInt64)
  case float(Double)
  case string(ExactString)
  case bytes([UInt8])
  /// A counter's current value: its start plus the increments that it has seen.
  case counter(Int64)
  /// Milliseconds since 1970.
  case timestamp(Int64)
  /// A scalar whose type code no version of the format has named yet.
  case unknown(typeCode: UInt8, bytes: [UInt8])

  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.counter(let left), .counter(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.unknown(let leftCode, let left), .unknown(let rightCode, let right)):
      leftCode == rightCode && left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .int(let value), .counter(let value), .timestamp(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.bitPattern)
    case .string(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .unknown(let typeCode, let value):
      hasher.combine(typeCode)
      hasher.combine(value)
    }
  }

  /// The name of the scalar's type, as histories and reports spell it.
  package var kind: ScalarKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .int: .int
    case .uint: .uint
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .counter: .counter
    case .timestamp: .timestamp
    case .unknown: .unknown
    }
  }
}

/// The types of scalar.
package enum ScalarKind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case null
  case boolean
  case int
  case uint
  case float
  case string
  case bytes
  case counter
  case timestamp
  case unknown

  package var description: String { rawValue }
}

extension Scalar: CustomStringConvertible {
  /// The scalar as a person would write it, with its type: `int 5`, `string "a\u{301}"`.
  package var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "boolean \(value)"
    case .int(let value): "int \(value)"
    case .uint(let value): "uint \(value)"
    case .float(let value): "float \(exactDescription(value))"
    case .string(let value): "string \(quoted(value.string))"
    case .bytes(let value): "bytes 0x\(hexString(value))"
    case .counter(let value): "counter \(value)"
    case .timestamp(let value): "timestamp \(value)"
    case .unknown(let typeCode, let value): "unknown \(typeCode) 0x\(hexString(value))"
    }
  }
}

/// The shortest text from which the same bit pattern is read; a NaN with a payload as its bits.
private func exactDescription(_ value: Double) -> String {
  guard value.isNaN, value.bitPattern != Double.nan.bitPattern else { return value.description }
  return "bits:" + String(value.bitPattern, radix: 16)
}
