package import Texts

/// A validator for the part of JSON Schema 2020-12 that this repository's schemas use.
///
/// A keyword of no known meaning is an error, as is a reference that leads nowhere: a schema that
/// was half understood would accept everything.
package struct JSONSchema: Sendable {
  /// A place of a document, and what is wrong there.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// JSON Pointer into the document.
    package let place: String
    package let message: String

    package var description: String { "\(place.isEmpty ? "/" : place): \(message)" }
  }

  /// A schema that cannot be used.
  package struct Unreadable: Error, Equatable {
    package let message: String
  }

  private static let types: Set = [
    "null", "boolean", "integer", "number", "string", "array", "object",
  ]
  private static let annotations: Set = ["$schema", "$id", "title", "description", "$comment"]

  private let root: JSONValue

  package init(_ root: JSONValue) {
    self.root = root
  }

  /// Everything in which the document departs from the schema, in the order of members' names.
  ///
  /// With a name, by that one of the schema's definitions.
  package func violations(
    in document: JSONValue,
    definition name: String? = nil
  ) throws(Unreadable) -> [Violation] {
    var schema = root
    if let name { schema = try resolve(.string("#/$defs/\(name)")) }
    var found: [Violation] = []
    try check(document, against: schema, at: "", into: &found)
    return found
  }

  private func check(
    _ value: JSONValue,
    against schema: JSONValue,
    at place: String,
    into found: inout [Violation]
  ) throws(Unreadable) {
    if case .boolean(let isAllowed) = schema {
      if !isAllowed { found.append(Violation(place: place, message: "is not allowed")) }
      return
    }
    guard case .object(let keywords) = schema else {
      throw Unreadable(message: "a schema is an object or a boolean, not \(schema.typeName)")
    }
    for member in keywords.sorted(by: { $0.key < $1.key }) {
      let (keyword, argument) = (member.key, member.value)
      func report(_ message: String) {
        found.append(Violation(place: place, message: message))
      }
      switch keyword {
      case "$ref":
        try check(value, against: resolve(argument), at: place, into: &found)
      case "type":
        let names = argument.array?.compactMap(\.string) ?? [argument.string].compactMap(\.self)
        guard !names.isEmpty, Self.types.isSuperset(of: names) else {
          throw Unreadable(message: "type needs names of types")
        }
        let isWhole = value.typeName == "integer" && names.contains("number")
        if !names.contains(value.typeName), !isWhole {
          report("is \(value.typeName), not \(names.joined(separator: " or "))")
        }
      case "const":
        if value.sorted != argument.sorted { report("is not the one value allowed") }
      case "enum":
        guard let values = argument.array else { throw Unreadable(message: "enum needs a list") }
        if !values.map(\.sorted).contains(value.sorted) { report("is none of the values allowed") }
      case "anyOf", "oneOf":
        guard let schemas = argument.array, !schemas.isEmpty else {
          throw Unreadable(message: "\(keyword) needs schemas")
        }
        var count = 0
        for schema in schemas {
          var violations: [Violation] = []
          try check(value, against: schema, at: place, into: &violations)
          if violations.isEmpty { count += 1 }
        }
        if count == 0 || keyword == "oneOf" && count > 1 {
          report("fits \(count) of the \(schemas.count) schemas of \(keyword)")
        }
      case "minimum":
        let least = try number(keyword, argument)
        if let number = value.number, number < least { report("is less than \(least)") }
      case "maximum":
        let most = try number(keyword, argument)
        if let number = value.number, number > most { report("is more than \(most)") }
      case "minLength":
        let least = try number(keyword, argument)
        if let text = value.string, Double(text.unicodeScalars.count) < least {
          report("is shorter than \(Int(least))")
        }
      case "pattern":
        try checkPattern(value, argument, at: place, into: &found)
      case "minItems":
        let least = try number(keyword, argument)
        if let elements = value.array, Double(elements.count) < least {
          report("has fewer than \(Int(least)) elements")
        }
      case "prefixItems":
        guard let schemas = argument.array else {
          throw Unreadable(message: "prefixItems needs schemas")
        }
        for (index, pair) in zip(value.array ?? [], schemas).enumerated() {
          try check(pair.0, against: pair.1, at: "\(place)/\(index)", into: &found)
        }
      case "items":
        let prefix = schema["prefixItems"]?.array?.count ?? 0
        for (index, element) in (value.array ?? []).enumerated().dropFirst(prefix) {
          try check(element, against: argument, at: "\(place)/\(index)", into: &found)
        }
      case "required":
        guard let names = argument.array?.compactMap(\.string), case .object = value
        else { continue }
        for name in names where value[name] == nil { report("lacks \(name)") }
      case "properties":
        guard case .object(let properties) = argument else { continue }
        for property in properties.sorted(by: { $0.key < $1.key }) {
          guard let member = value[property.key] else { continue }
          try check(member, against: property.value, at: "\(place)/\(property.key)", into: &found)
        }
      case "additionalProperties":
        guard case .object(let members) = value else { continue }
        for member in members.sorted(by: { $0.key < $1.key })
        where schema["properties"]?[member.key] == nil {
          try check(member.value, against: argument, at: "\(place)/\(member.key)", into: &found)
        }
      case "$defs": continue
      case _ where Self.annotations.contains(keyword): continue
      default: throw Unreadable(message: "the keyword \(keyword) is not known here")
      }
    }
  }

  private func checkPattern(
    _ value: JSONValue,
    _ pattern: JSONValue,
    at place: String,
    into found: inout [Violation]
  ) throws(Unreadable) {
    guard let text = value.string else { return }
    guard let words = pattern.string, let expression = try? Regex(words) else {
      throw Unreadable(message: "a pattern is no regular expression")
    }
    if text.firstMatch(of: expression) == nil {
      found.append(Violation(place: place, message: "does not match \(words)"))
    }
  }

  private func number(_ keyword: String, _ argument: JSONValue) throws(Unreadable) -> Double {
    guard let number = argument.number else {
      throw Unreadable(message: "\(keyword) needs a number")
    }
    return number
  }

  /// The schema that `#/$defs/name` names.
  private func resolve(_ reference: JSONValue) throws(Unreadable) -> JSONValue {
    guard let path = reference.string, path.hasPrefix("#/") else {
      throw Unreadable(message: "only references within the schema are known here")
    }
    var place = root
    for part in path.dropFirst(2).split(separator: "/") {
      guard let next = place[String(part)] else {
        throw Unreadable(message: "the reference \(path) leads nowhere")
      }
      place = next
    }
    return place
  }
}

extension JSONValue {
  /// As JSON Schema names it: a number without a fraction is an integer, however it is written.
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .int, .uint: "integer"
    case .double(let value): value == value.rounded() ? "integer" : "number"
    case .decimal: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
