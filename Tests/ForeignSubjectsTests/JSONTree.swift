import Foundation

/// Any JSON, as the tests look at it: strict about types, whatever the platform.
enum JSONTree: Hashable, Sendable, Decodable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  init(parsing text: some Sequence<UInt8>) throws {
    self = try JSONDecoder().decode(JSONTree.self, from: Data(text))
  }

  init(parsing text: String) throws {
    try self.init(parsing: text.utf8)
  }

  subscript(name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var elements: [JSONTree]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one.
  var integer: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }
}
