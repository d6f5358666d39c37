import Foundation

/// A type that a schema names, with what a document holds of it.
///
/// Two are equal if their names are: snapshots of schemas store nothing else.
package struct SchemaType: Sendable {
  /// What a value of a type is in a document.
  package indirect enum Form: Sendable {
    case integer(bits: Int, isSigned: Bool)
    case float
    case string
    case optional(SchemaType)
    case list(SchemaType)
    case set(SchemaType)
    case dictionary(key: SchemaType, value: SchemaType)
    /// Any other, whose shape the schema may have.
    case other
  }

  /// As Swift prints it: `Array<Item>`.
  package let name: String
  package let form: Form

  package init(_ type: Any.Type) {
    name = "\(type)"
    form =
      switch type {
      case let type as any (DerivableScalar & FixedWidthInteger).Type:
        .integer(bits: type.bitWidth, isSigned: type.isSigned)
      case is Double.Type, is Float.Type, is CGFloat.Type: .float
      case is String.Type, is UUID.Type, is URL.Type: .string
      case let type as any AnyOptional.Type: .optional(SchemaType(type.wrappedType))
      case let type as any AnyList.Type: .list(SchemaType(type.elementType))
      case let type as any AnySet.Type: .set(SchemaType(type.elementType))
      case let type as any AnyDictionary.Type:
        .dictionary(key: SchemaType(type.keyType), value: SchemaType(type.valueType))
      default: .other
      }
  }

  package static let string = SchemaType(String.self)
  package static let int = SchemaType(Int.self)

  /// Whether it, or a type that it is made of, is one that is asked for.
  package func contains(_ isWanted: (SchemaType) -> Bool) -> Bool {
    if isWanted(self) { return true }
    return switch form {
    case .optional(let inner), .list(let inner), .set(let inner): inner.contains(isWanted)
    case .dictionary(let key, let value): key.contains(isWanted) || value.contains(isWanted)
    case .integer, .float, .string, .other: false
    }
  }
}

extension SchemaType: Hashable {
  package static func == (left: SchemaType, right: SchemaType) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: - Stored

/// Snapshots of schemas store a type by its name.
extension SchemaType: Codable {
  /// The types whose forms their names do not show.
  private static let scalars: [String: Form] = {
    let types: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
      UInt32.self, UInt64.self, Double.self, Float.self, CGFloat.self, String.self, UUID.self,
      URL.self,
    ]
    let scalars = types.map { SchemaType($0) }
    return Dictionary(scalars.map { ($0.name, $0.form) }, uniquingKeysWith: { first, _ in first })
  }()

  package init(from decoder: any Decoder) throws {
    self.init(stored: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Types within one another that are told apart: a file may hold any name.
  private static let depthLimit = 32

  private init(stored name: String, depth: Int = 0) {
    self.name = name
    let (generic, names) = depth < Self.depthLimit ? Self.parts(of: name) : (name[...], [])
    let arguments = names.map { SchemaType(stored: $0, depth: depth + 1) }
    form =
      switch (generic, arguments.count) {
      case ("Optional", 1): .optional(arguments[0])
      case ("Array", 1), ("ContiguousArray", 1): .list(arguments[0])
      case ("Set", 1): .set(arguments[0])
      case ("Dictionary", 2): .dictionary(key: arguments[0], value: arguments[1])
      default: Self.scalars[name] ?? .other
      }
  }

  /// The name of a generic type without its arguments, and these; no arguments for any other name.
  ///
  ///     Dictionary<String, Array<Item>>    Dictionary    String    Array<Item>
  private static func parts(of name: String) -> (generic: Substring, arguments: [String]) {
    guard let start = name.firstIndex(of: "<"), name.last == ">" else { return (name[...], []) }
    var arguments = [""]
    var depth = 0
    for character in name[start...].dropFirst().dropLast() {
      if "<([".contains(character) { depth += 1 }
      if ">)]".contains(character) { depth -= 1 }
      if depth == 0, character == "," {
        arguments.append("")
      } else if character != " " || !arguments[arguments.count - 1].isEmpty {
        arguments[arguments.count - 1].append(character)
      }
    }
    return (name[..<start], arguments)
  }
}
