import Foundation

/// Holds a JSON value to a schema in the part of JSON Schema 2020-12 that the project's schemas use.
///
/// A keyword that it does not know is an error, so that no rule of a schema is passed over.
struct SchemaValidator {
  struct SchemaError: Error, CustomStringConvertible {
    let description: String
  }

  private let root: JSONTree

  init(_ schema: JSONTree) {
    root = schema
  }

  /// What is wrong with the value, each with the way to it; empty if nothing is.
  func problems(of value: JSONTree) throws -> [String] {
    try problems(of: value, against: root, at: "$")
  }

  /// What is wrong with the value by one of the schema's definitions.
  func problems(of value: JSONTree, definition name: String) throws -> [String] {
    try problems(of: value, against: try definition("#/$defs/\(name)"), at: "$")
  }

  private static let annotations: Set<String> = ["$schema", "$defs", "title", "description"]

  private func problems(
    of value: JSONTree,
    against schema: JSONTree,
    at place: String
  ) throws -> [String] {
    if case .boolean(let isAllowed) = schema {
      return isAllowed ? [] : ["\(place): nothing is allowed here"]
    }
    guard case .object(let keywords) = schema else {
      throw SchemaError(description: "a schema is an object or a boolean")
    }
    return try keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule in
      Self.annotations.contains(keyword)
        ? [] : try problems(of: value, keyword, rule, beside: keywords, at: place)
    }
  }

  private func definition(_ reference: String) throws -> JSONTree {
    let prefix = "#/$defs/"
    guard reference.hasPrefix(prefix),
      let found = root["$defs"]?[String(reference.dropFirst(prefix.count))]
    else { throw SchemaError(description: "there is no definition \(reference)") }
    return found
  }

  private func problems(
    of value: JSONTree,
    _ keyword: String,
    _ rule: JSONTree,
    beside keywords: [String: JSONTree],
    at place: String
  ) throws -> [String] {
    func require(_ holds: Bool, _ words: String) -> [String] { holds ? [] : ["\(place): \(words)"] }

    switch (keyword, rule, value) {
    case ("$ref", .string(let reference), _):
      return try problems(of: value, against: try definition(reference), at: place)
    case ("type", .string(let type), _):
      return require(try value.isOf(type: type), "not of type \(type)")
    case ("const", _, _):
      return require(value == rule, "not the constant")
    case ("enum", .array(let cases), _):
      return require(cases.contains(value), "none of the values")
    case ("anyOf", .array(let schemas), _):
      let count = try matches(value, schemas, at: place)
      return require(count >= 1, "matches none of the schemas")
    case ("oneOf", .array(let schemas), _):
      let count = try matches(value, schemas, at: place)
      return require(count == 1, "matches \(count) of the schemas instead of one")

    case ("minimum", .number(let bound), .number(let number)):
      return require(number >= bound, "less than \(bound)")
    case ("maximum", .number(let bound), .number(let number)):
      return require(number <= bound, "more than \(bound)")
    case ("pattern", .string(let pattern), .string(let text)):
      return require(try text.contains(Regex(pattern)), "does not match \(pattern)")

    case ("prefixItems", .array(let schemas), .array(let elements)):
      return try zip(elements, schemas).enumerated().flatMap { index, pair in
        try problems(of: pair.0, against: pair.1, at: "\(place)[\(index)]")
      }
    case ("items", _, .array(let elements)):
      let start = keywords["prefixItems"]?.elements?.count ?? 0
      return try elements.enumerated().dropFirst(start).flatMap { index, element in
        try problems(of: element, against: rule, at: "\(place)[\(index)]")
      }
    case ("minItems", .number(let bound), .array(let elements)):
      return require(Double(elements.count) >= bound, "fewer than \(bound) elements")

    case ("properties", .object(let schemas), .object(let members)):
      return try schemas.sorted { $0.key < $1.key }.flatMap { name, schema in
        try members[name].map { try problems(of: $0, against: schema, at: "\(place).\(name)") }
          ?? []
      }
    case ("additionalProperties", _, .object(let members)):
      guard case .object(let named) = keywords["properties"] ?? .object([:]) else {
        throw SchemaError(description: "properties is no object")
      }
      return try members.sorted { $0.key < $1.key }.flatMap { name, member in
        named[name] == nil ? try problems(of: member, against: rule, at: "\(place).\(name)") : []
      }
    case ("required", .array(let names), .object(let members)):
      return names.compactMap(\.text).flatMap {
        require(members[$0] != nil, "no member \($0)")
      }

    // Rules for another type say nothing of the value, as long as they are rules.
    case ("minimum", .number, _), ("maximum", .number, _), ("pattern", .string, _),
      ("prefixItems", .array, _), ("items", _, _), ("minItems", .number, _),
      ("properties", .object, _), ("additionalProperties", _, _), ("required", .array, _):
      return []
    default:
      throw SchemaError(description: "the keyword \(keyword) is not known here, or not so")
    }
  }

  private func matches(_ value: JSONTree, _ schemas: [JSONTree], at place: String) throws -> Int {
    try schemas.count { try problems(of: value, against: $0, at: place).isEmpty }
  }
}

extension JSONTree {
  fileprivate func isOf(type: String) throws -> Bool {
    switch (type, self) {
    case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string),
      ("array", .array), ("object", .object):
      true
    case ("integer", .number(let number)):
      number == number.rounded()
    case ("null", _), ("boolean", _), ("number", _), ("integer", _), ("string", _), ("array", _),
      ("object", _):
      false
    default:
      throw SchemaValidator.SchemaError(description: "there is no type \(type)")
    }
  }
}
