/// What a type asks for when it is decoded: keys, their types, and whether they may be missing.
///
/// It is keyed by type, not by path, so that it is finite for types that contain themselves.
package struct Schema: Hashable, Sendable, Codable {
  /// One request of a type: a key, or a way through nested containers.
  package struct Field: Hashable, Sendable, Codable {
    /// Where the type asks; empty for the value itself.
    package let slot: SchemaSlot
    /// The types that were asked for there, in the order of asking.
    package internal(set) var types: [SchemaType]
    /// Whether the value may be missing or null.
    package internal(set) var isOptional: Bool
  }

  /// What one type asks for.
  package struct TypeShape: Hashable, Sendable, Codable {
    package let name: String
    /// The keys of an enumeration's cases; none for other types.
    package internal(set) var cases: [String] = []
    /// The raw values of an enumeration that has some; none for other types.
    package internal(set) var rawValues: [RawValue] = []
    package internal(set) var fields: [Field] = []
  }

  /// The raw value of an enumeration's case.
  ///
  /// Two are equal if their texts are: a snapshot stores nothing else.
  package struct RawValue: Sendable {
    /// As Swift prints it.
    package let text: String
    /// The number, if it is an integer; `nil` where a file told of it.
    package let integer: Int64?

    init(_ value: Any) {
      text = "\(value)"
      integer = (value as? any BinaryInteger).flatMap { Int64(exactly: $0) }
    }
  }

  /// The types, the derived one first, in the order in which they were met.
  package internal(set) var types: [TypeShape] = []

  /// What a type asks for; `nil` for a scalar, a container or another type without a shape.
  package func shape(of type: SchemaType) -> TypeShape? {
    types.first { $0.name == type.name }
  }
}

extension Schema.RawValue: Hashable, Codable {
  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    integer = nil
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Schema: CustomStringConvertible {
  /// One line a type: `Outer { name: String, more: Array<Inner>? }`.
  package var description: String {
    types.map(\.description).joined(separator: "\n")
  }
}

extension Schema.TypeShape: CustomStringConvertible {
  package var description: String {
    let choice = cases.isEmpty ? [] : ["#case: \(cases.joined(separator: "|"))"]
    let rest = fields.map { field in
      let name = field.slot.isEmpty ? "self" : field.slot.name
      let types = field.types.isEmpty ? "any" : field.types.map(\.name).joined(separator: "|")
      return "\(name): \(types)\(field.isOptional ? "?" : "")"
    }
    return "\(name) { \((choice + rest).joined(separator: ", ")) }"
  }
}

/// Gathers a schema while types are planned; afterwards it only reads.
final class SchemaBuilder {
  private var indices: [ObjectIdentifier: Int] = [:]
  private(set) var schema = Schema()
  var isOpen = true

  private func index(_ plan: TypePlan) -> Int? {
    guard isOpen, !(plan.type is any Shapeless.Type) else { return nil }
    let id = ObjectIdentifier(plan.type)
    if let index = indices[id] { return index }
    indices[id] = schema.types.count
    var shape = Schema.TypeShape(name: plan.name)
    shape.rawValues = plan.rawValues?.map { Schema.RawValue($0) } ?? []
    schema.types.append(shape)
    return schema.types.count - 1
  }

  /// Notes a request for a type, or, of an optional, for what it wraps.
  func note(_ place: DerivationPlace, _ type: any Decodable.Type) {
    guard isOpen else { return }
    let wrapped = (type as? any AnyOptional.Type)?.wrappedType
    let asked = SchemaType(wrapped ?? type)
    update(place) { field in
      if !field.types.contains(asked) { field.types.append(asked) }
      if wrapped != nil { field.isOptional = true }
    }
  }

  func noteOptional(_ place: DerivationPlace) {
    update(place) { $0.isOptional = true }
  }

  func noteCases(_ plan: TypePlan, _ cases: [String]) {
    guard let index = index(plan) else { return }
    schema.types[index].cases = cases
  }

  private func update(_ place: DerivationPlace, _ change: (inout Schema.Field) -> Void) {
    guard place.slot.steps.last != .entryKey, let index = index(place.owner) else { return }
    let slot = place.slot
    if let known = schema.types[index].fields.firstIndex(where: { $0.slot == slot }) {
      change(&schema.types[index].fields[known])
    } else {
      var field = Schema.Field(slot: slot, types: [], isOptional: false)
      change(&field)
      schema.types[index].fields.append(field)
    }
  }
}

/// A type that has no shape in a schema: a container of the standard library, whose own type tells what it holds, or
/// the root of a derivation.
protocol Shapeless {}

extension Optional: Shapeless {}
extension Dictionary: Shapeless {}
extension Array: Shapeless {}
extension Set: Shapeless {}
extension ContiguousArray: Shapeless {}
