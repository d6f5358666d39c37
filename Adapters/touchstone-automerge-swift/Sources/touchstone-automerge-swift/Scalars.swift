import Automerge
import Foundation

// Scalars as the protocol writes them: `["int", "-5"]`.

extension ScalarValue {
  init(_ json: JSON) throws {
    let words = try json.array().map { try $0.string() }
    let text = words.count > 1 ? words[1] : ""
    switch words.first {
    case "null": self = .Null
    case "boolean": self = .Boolean(text == "true")
    case "int": self = .Int(try Self.number(text))
    case "uint": self = .Uint(try Self.number(text))
    case "float": self = .F64(Double(bitPattern: try Self.number(text, radix: 16)))
    case "string": self = .String(text)
    case "bytes": self = .Bytes(try Data(hexadecimal: text))
    case "counter": self = .Counter(try Self.number(text))
    case "timestamp":
      let milliseconds: Int64 = try Self.number(text)
      // Becomes exactly `milliseconds`, whether the reader rounds or truncates.
      let nudge = milliseconds < 0 ? -0.25 : 0.25
      self = .Timestamp(Date(timeIntervalSince1970: (Double(milliseconds) + nudge) / 1000))
    case "unknown":
      let bytes = try Data(hexadecimal: words.count > 2 ? words[2] : "")
      self = .Unknown(typeCode: try Self.number(text), data: bytes)
    default: throw JSON.Unexpected(description: "no scalar: \(words)")
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ text: Swift.String,
    radix: Int = 10
  ) throws -> Number {
    guard let number = Number(text, radix: radix) else {
      throw JSON.Unexpected(description: "no number: \(text)")
    }
    return number
  }

  /// Kind and text; of a date that no timestamp holds the kind alone.
  var words: [Swift.String] {
    switch self {
    case .Null: return ["null"]
    case .Boolean(let value): return ["boolean", "\(value)"]
    case .Int(let value): return ["int", "\(value)"]
    case .Uint(let value): return ["uint", "\(value)"]
    case .F64(let value):
      let bits = Swift.String(value.bitPattern, radix: 16)
      return ["float", Swift.String(repeating: "0", count: 16 - bits.count) + bits]
    case .String(let value): return ["string", value]
    case .Bytes(let value): return ["bytes", value.hexadecimal]
    case .Counter(let value): return ["counter", "\(value)"]
    case .Timestamp(let date):
      let exact = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
      return exact.map { ["timestamp", "\($0)"] } ?? ["hidden", "timestamp"]
    case .Unknown(let code, let data): return ["unknown", "\(code)", data.hexadecimal]
    }
  }
}

extension ObjType {
  init(_ json: JSON) throws {
    switch try json.string() {
    case "map": self = .Map
    case "list": self = .List
    case "text": self = .Text
    case let other: throw JSON.Unexpected(description: "no kind of object: \(other)")
    }
  }
}
