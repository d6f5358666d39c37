import Foundation

extension Schema {
  /// Whether a value may be a list of maps somewhere, as far as what is asked for tells.
  ///
  /// False for models of scalars, lists of scalars, and structs of both. Whatever is not clearly so counts as a list of
  /// maps: a generator's type, elements of any other type, dictionaries whose keys make them lists.
  package var mayHaveListOfMaps: Bool {
    types.contains { type in
      type.fields.contains { field in
        // Requests below an element are those of a map; one for the element itself says what it is.
        if field.slot.steps.dropLast().contains(.element) { return true }
        if field.slot.steps.last == .element { return !field.types.allSatisfy(\.isScalar) }
        return field.types.contains(where: mayBeListOfMaps)
      }
    }
  }

  private func mayBeListOfMaps(_ type: SchemaType) -> Bool {
    switch type.form {
    case .integer, .float, .string: false
    case .optional(let inner): mayBeListOfMaps(inner)
    case .list(let element), .set(let element): !element.isScalar
    case .dictionary(let key, let value):
      (key != .string && key != .int) || mayBeListOfMaps(value)
    // What its own requests may be is asked where they stand.
    case .other: !type.isScalar && shape(of: type) == nil
    }
  }
}

extension SchemaType {
  /// Types beside numbers and strings whose values are single values in a document.
  private static let leaves = Set(
    [Bool.self, Date.self, Data.self].map { (type: Any.Type) in SchemaType(type) }
  )

  /// Whether its values are surely single values in a document.
  fileprivate var isScalar: Bool {
    switch form {
    case .integer, .float, .string: true
    case .optional(let inner): inner.isScalar
    case .other: Self.leaves.contains(self)
    case .list, .set, .dictionary: false
    }
  }
}
