import Foundation

/// The JSON of the line protocol: there are no booleans and no fractions.
enum JSON: Hashable {
  case null
  case number(Int)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  static func words(_ words: String...) -> JSON { .array(words.map { .string($0) }) }

  /// What a request should have been.
  struct Unexpected: Error, CustomStringConvertible {
    let description: String
  }

  func number() throws -> Int {
    guard case .number(let number) = self else { throw Unexpected(description: "no number") }
    return number
  }

  func string() throws -> String {
    guard case .string(let string) = self else { throw Unexpected(description: "no string") }
    return string
  }

  func array() throws -> [JSON] {
    guard case .array(let array) = self else { throw Unexpected(description: "no array") }
    return array
  }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}

extension Data {
  /// The bytes of hexadecimal text.
  init(hexadecimal text: String) throws {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else {
      throw JSON.Unexpected(description: "half a byte of hexadecimal")
    }
    self.init()
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else {
        throw JSON.Unexpected(description: "no hexadecimal: \(pair)")
      }
      append(byte)
    }
  }

  var hexadecimal: String {
    map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
