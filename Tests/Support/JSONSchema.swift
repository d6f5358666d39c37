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

  private static let annotations: Set = ["$schema", "$id", "title", "description", "$comment"]

  private let root: JSONValue

  package init(_ root: JSONValue) {
    self.root = root
  }

  /// Everything in which the document departs from the schema, in the order of members' names.
  package func violations(in document: JSONValue) throws(Unreadable) -> [Violation] {
    var found: [Violation] = []
    try check(document, against: root, at: "", into: &found)
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
    for (keyword, argument) in keywords.sorted(by: { $0.key < $1.key }) {
      func report(_ message: String) {
        found.append(Violation(place: place, message: message))
      }
      switch keyword {
      case "$ref":
        try check(value, against: resolve(argument), at: place, into: &found)
      case "type":
        let names = argument.array?.compactMap(\.string) ?? [argument.string].compactMap(\.self)
        guard !names.isEmpty else { throw Unreadable(message: "type needs a name") }
        let isWhole = value.typeName == "integer" && names.contains("number")
        if !names.contains(value.typeName), !isWhole {
          report("is \(value.typeName), not \(names.joined(separator: " or "))")
        }
      case "const":
        if value != argument { report("is not the one value allowed") }
      case "enum":
        guard let values = argument.array else { throw Unreadable(message: "enum needs a list") }
        if !values.contains(value) { report("is none of the values allowed") }
      case "minimum":
        guard let least = number(argument) else {
          throw Unreadable(message: "minimum is no number")
        }
        if let number = number(value), number < least { report("is less than \(least)") }
      case "minLength":
        guard let least = number(argument) else { throw Unreadable(message: "minLength: number") }
        if let text = value.string, Double(text.unicodeScalars.count) < least {
          report("is shorter than \(Int(least))")
        }
      case "pattern":
        try checkPattern(value, argument, at: place, into: &found)
      case "items":
        for (index, element) in (value.array ?? []).enumerated() {
          try check(element, against: argument, at: "\(place)/\(index)", into: &found)
        }
      case "required":
        guard let names = argument.array?.compactMap(\.string), case .object(let members) = value
        else { continue }
        for name in names where members[name] == nil { report("lacks \(name)") }
      case "properties":
        guard case .object(let properties) = argument, case .object(let members) = value else {
          continue
        }
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
          guard let member = members[name] else { continue }
          try check(member, against: property, at: "\(place)/\(name)", into: &found)
        }
      case "additionalProperties":
        guard case .object(let members) = value else { continue }
        var known: Set<String> = []
        if case .object(let properties)? = keywords["properties"] { known = Set(properties.keys) }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
          try check(member, against: argument, at: "\(place)/\(name)", into: &found)
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

  private func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
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
