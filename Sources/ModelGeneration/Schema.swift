/// What a type asks for when it is decoded: keys, their types, and whether they may be missing.
///
/// It is keyed by type, not by path, so that it is finite for types that contain themselves.
package struct Schema: Hashable, Sendable, Codable {
  /// One request of a type: a key, or a way through nested containers.
  package struct Field: Hashable, Sendable, Codable {
    /// Where the type asks; empty for the value itself.
    package let slot: SchemaSlot
    /// The names of the types that were asked for there, in the order of asking.
    package internal(set) var types: [String]
    /// Whether the value may be missing or null.
    package internal(set) var isOptional: Bool
  }

  /// What one type asks for.
  package struct TypeShape: Hashable, Sendable, Codable {
    package let name: String
    /// The keys of an enumeration's cases; none for other types.
    package internal(set) var cases: [String] = []
    /// The raw values of an enumeration that has some, as Swift prints them; none for other types.
    package internal(set) var rawValues: [String] = []
    package internal(set) var fields: [Field] = []
  }

  /// The types, the derived one first, in the order in which they were met.
  package internal(set) var types: [TypeShape] = []

  package func type(_ name: String) -> TypeShape? {
    types.first { $0.name == name }
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
      let types = field.types.isEmpty ? "any" : field.types.joined(separator: "|")
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
    guard isOpen, !isHidden(plan.type) else { return nil }
    let id = ObjectIdentifier(plan.type)
    if let index = indices[id] { return index }
    indices[id] = schema.types.count
    var shape = Schema.TypeShape(name: plan.name)
    shape.rawValues = plan.rawValues.map { values in values.map { "\($0)" } } ?? []
    schema.types.append(shape)
    return schema.types.count - 1
  }

  /// Containers of the standard library are told by their names.
  private func isHidden(_ type: any Decodable.Type) -> Bool {
    type is any AnyOptional.Type || type is any AnyDictionary.Type || type is any AnySequence.Type
  }

  func note(_ place: DerivationPlace, _ type: any Decodable.Type) {
    if let optional = type as? any AnyOptional.Type {
      note(place, "\(optional.wrappedType)")
      noteOptional(place)
    } else {
      note(place, "\(type)")
    }
  }

  func note(_ place: DerivationPlace, _ type: String) {
    update(place) { field in
      if !field.types.contains(type) { field.types.append(type) }
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

/// A list or set of the standard library.
private protocol AnySequence {}

extension Array: AnySequence {}
extension Set: AnySequence {}
extension ContiguousArray: AnySequence {}
