import Automerge
import Foundation
import TouchstoneAdapters

// automerge-swift's values and steps in the harness's vocabulary, and back.

extension Tree {
  init(_ scalar: ScalarValue) {
    self =
      switch scalar {
      case .Null: .null
      case .Boolean(let value): .boolean(value)
      case .Int(let value): .int(value)
      case .Uint(let value): .uint(value)
      case .F64(let value): .float(value)
      case .String(let value): .string(value)
      case .Bytes(let value): .bytes(Array(value))
      case .Counter(let value): .counter(value)
      case .Timestamp(let date): .timestamp(Self.milliseconds(date))
      case .Unknown(let code, let data): .unknown(code, Array(data))
      }
  }

  /// The whole milliseconds that a date was read from; the ends of the range for what has none.
  private static func milliseconds(_ date: Date) -> Int64 {
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
  }

  /// A date that becomes exactly `milliseconds`, whether its reader rounds or truncates.
  private static func date(milliseconds: Int64) -> Date {
    let nudge: Double = milliseconds < 0 ? -0.25 : 0.25
    return Date(timeIntervalSince1970: (Double(milliseconds) + nudge) / 1000)
  }

  var objectType: ObjType? {
    switch self {
    case .map: .Map
    case .list: .List
    case .text: .Text
    default: nil
    }
  }

  func scalar() throws -> ScalarValue {
    switch self {
    case .null: .Null
    case .boolean(let value): .Boolean(value)
    case .int(let value): .Int(value)
    case .uint(let value): .Uint(value)
    case .float(let value): .F64(value)
    case .string(let value): .String(value)
    case .bytes(let value): .Bytes(Data(value))
    case .counter(let value): .Counter(value)
    case .timestamp(let value): .Timestamp(Self.date(milliseconds: value))
    case .unknown(let code, let value): .Unknown(typeCode: code, data: Data(value))
    case .date, .text, .list, .map: throw AutomergeSwiftDocument.NoSuchPlace(path: [])
    }
  }
}

extension PathKey {
  /// The step as automerge-swift spells it.
  var codingKey: any CodingKey {
    switch self {
    case .key(let key): AnyCodingKey(key)
    case .index(let index): AnyCodingKey(UInt64(clamping: index))
    }
  }
}

extension SchemaStrategy {
  init(_ strategy: EncodingSettings.Strategy) {
    self =
      switch strategy {
      case .createWhenNeeded: .createWhenNeeded
      case .readonly: .readonly
      case .override: .override
      }
  }
}
