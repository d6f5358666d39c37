public import Foundation
package import MergeEngine

/// A value that is not an object.
///
/// Equal as Swift compares: `-0.0` equals `0.0`, strings by canonical equivalence, a `F64` that is
/// not a number nothing, itself included. A document tells strings apart by their bytes.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum ScalarValue: Hashable, Sendable, CustomStringConvertible {
  case Bytes(Data)
  case String(String)
  case Uint(UInt64)
  case Int(Int64)
  case F64(Double)
  /// A number that concurrent increments add up in.
  case Counter(Int64)
  /// A moment; the document keeps it to the nearest millisecond.
  case Timestamp(Date)
  case Boolean(Bool)
  /// A type that this version of the format has no meaning for; `typeCode` is 10...15.
  case Unknown(typeCode: UInt8, data: Data)
  case Null

  package init(_ scalar: MergeEngine.Scalar) {
    switch scalar {
    case .null: self = .Null
    case .bool(let value): self = .Boolean(value)
    case .uint(let value): self = .Uint(value)
    case .int(let value): self = .Int(value)
    case .double(let value): self = .F64(value)
    case .string(let value): self = .String(value)
    case .bytes(let value): self = .Bytes(Data(value))
    case .counter(let value): self = .Counter(value)
    case .timestamp(let value): self = .Timestamp(Date(millisecondsSince1970: value))
    case .unknown(let code, let bytes): self = .Unknown(typeCode: code, data: Data(bytes))
    }
  }

  /// The engine's word.
  ///
  /// - Throws: `invalidScalar` for a moment that no 64-bit number of milliseconds can say.
  package func engineScalar() throws(DocError) -> MergeEngine.Scalar {
    switch self {
    case .Null: return .null
    case .Boolean(let value): return .bool(value)
    case .Uint(let value): return .uint(value)
    case .Int(let value): return .int(value)
    case .F64(let value): return .double(value)
    case .String(let value): return .string(value)
    case .Counter(let value): return .counter(value)
    default: return try rareEngineScalar()
    }
  }

  @inline(never)
  private func rareEngineScalar() throws(DocError) -> MergeEngine.Scalar {
    switch self {
    case .Bytes(let value): return .bytes([UInt8](value))
    case .Timestamp(let date):
      guard let milliseconds = date.millisecondsSince1970 else {
        throw DocError(
          kind: .invalidScalar("a timestamp needs a 64-bit number of milliseconds since 1970")
        )
      }
      return .timestamp(milliseconds)
    case .Unknown(let code, let data): return .unknown(code: code, bytes: [UInt8](data))
    default: return .null
    }
  }

  /// The case and its value, as in `UInt(1)`; of long bytes the first 16.
  public var description: Swift.String {
    switch self {
    case .Bytes(let data):
      let shown = data.prefix(Self.shownByteLimit).hexadecimal
      return "Data(\(shown)\(data.count > Self.shownByteLimit ? "..." : ""))"
    case .String(let value): return "String(\(value))"
    case .Uint(let value): return "UInt(\(value))"
    case .Int(let value): return "Int(\(value))"
    case .F64(let value): return "Double(\(value))"
    case .Counter(let value): return "Counter(\(value))"
    case .Timestamp(let date): return "Timestamp(\(date))"
    case .Boolean(let value): return "Boolean(\(value))"
    case .Unknown(let code, let data): return "Unknown(type: \(code), data: \(data.hexadecimal))"
    case .Null: return "Null()"
    }
  }

  private static let shownByteLimit = 16
}

extension Date {
  package init(millisecondsSince1970 milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The nearest millisecond; `nil` for NaN, infinities and what 64 bits do not hold.
  package var millisecondsSince1970: Int64? {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded())
  }
}
