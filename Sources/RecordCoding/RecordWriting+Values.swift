import CodingSupport
import Foundation
import RecordModel
import Texts

// How one property becomes a field. The order of the questions matters: a URL, a list, any other kind of
// field, an optional, an enumeration, an asset's value, a record of its own, and JSON for the rest.

extension RecordWriting {
  /// Writes one property.
  ///
  /// Dates and data first, by a comparison of types before any cast. Optionals come before
  /// enumerations, so that a `nil` one clears its field; asset values and records of their own before
  /// JSON, which takes any value. An enumeration that conforms to none of the protocols is JSON.
  func write<T: Encodable>(_ value: T, _ key: String, _ path: CodingPath) throws {
    if T.self == Date.self || T.self == Data.self,
      let element = value as? any RecordElement
    {
      let field = try element.recordValue(graph, path)
      // A date. Data is measured by itself, so that the error names the field.
      guard case .bytes(let bytes) = field else {
        return try putChecked(field, key: key, at: path, of: value)
      }
      return try putBytes(bytes, key)
    }
    if let list = value as? any RecordElementList, !isJSON(type(of: list).elementType) {
      return try putChecked(.list(try list.recordList(graph, path)), key: key, at: path, of: value)
    }
    // The cast unwraps an optional.
    if let element = value as? any RecordElement, !isJSON(type(of: element)) {
      return try putChecked(try element.recordValue(graph, path), key: key, at: path, of: value)
    }
    if let optional = value as? any OptionalField {
      // Nil through `encode` and not `encodeIfPresent`: the same to a record.
      guard let wrapped = optional.wrappedValue as? any Encodable else {
        note(kind(of: T.self), key)
        return clear(key)
      }
      return try write(wrapped, key, path)
    }
    // Raw values of these two are fields of their own; of other enumerations JSON of what they
    // encode.
    if let string = value as? any CloudKitStringEnum { return put(.string(string.rawValue), key) }
    if let number = value as? any CloudKitIntEnum {
      return put(.int64(Int64(number.rawValue)), key)
    }
    // One whose raw values are no kind of field is JSON as well.
    if let open = value as? any OpenEnumField, Self.isNative(type(of: open).rawType) {
      return try write(open.anyRawValue, key, path)
    }
    // A value that passes over a refusal of these is stored without all that was made for them.
    try graph.attempt { try writeMade(value, key, path) }
  }

  /// Writes a property whose field is made of other values: a file's content, a record of its own, or JSON.
  private func writeMade<T: Encodable>(_ value: T, _ key: String, _ path: CodingPath) throws {
    if let asset = value as? any CloudKitAssetValue {
      // The file is written now; a refusal later on deletes it (`RecordGraph.assets`).
      let content: Data
      do { content = try asset.encoded() } catch let error as EncodingError {
        throw error.moved(below: path)
      }
      let url = try graph.assets.write(content, named: asset.filename)
      return try putChecked(.asset(RecordAsset(fileURL: url)), key: key, at: path, of: value)
    }
    if options.nestedValues == .references {
      if let child = value as? any CustomCloudKitEncodable {
        let reference = try reference(to: child, key, path)
        return try putChecked(.reference(reference), key: key, at: path, of: value)
      }
      if let array = value as? any ArrayField,
        type(of: array).elementType is any CustomCloudKitEncodable.Type
      {
        // None is left out: the element type conforms.
        let children = array.anyElements.compactMap { $0 as? any CustomCloudKitEncodable }
        let references = try children.enumerated().map { index, child in
          try reference(to: child, key, path.appending(.index(index)))
        }
        return try putChecked(.list(.references(references)), key: key, at: path, of: value)
      }
    }
    guard options.nestedValues != .reject else { throw refusal(value, at: path, Self.nestingWords) }
    // JSON, at the path of the field, so that errors within it have the whole path.
    let node = NestedNode()
    try NestedPlace(graph: graph, node: node, path: path).write(value)
    try putJSON(node.value, key)
  }

  /// Sets a field after what its kind alone does not tell.
  ///
  /// Two things: assets and references are never encrypted, and references stay in the record's
  /// zone, as servers have it.
  func putChecked(
    _ field: RecordValue,
    key: String,
    at path: @autoclosure () -> CodingPath,
    of value: @autoclosure () -> Any
  ) throws {
    guard options.validation != .off else { return put(field, key) }
    // No server encrypts these two: they are refused before anything is sent.
    if options.encryptedKeys.contains(key),
      field.kind.kind == .asset || field.kind.kind == .reference
    {
      let violation = RecordViolation(.field(key, index: nil), .notEncryptable(field.kind))
      throw refusal(value(), at: path(), "\(violation)", cause: violation)
    }
    if let other = field.references.firstIndex(where: { $0.recordID.zoneID != recordID.zoneID }) {
      let isList = field.kind.isList
      let violation = RecordViolation(
        .field(key, index: isList ? other : nil),
        .otherZone(field.references[other].recordID.zoneID)
      )
      let place = isList ? path().appending(.index(other)) : path()
      throw refusal(value(), at: place, "\(violation)", cause: violation)
    }
    put(field, key)
  }

  /// The reference to a child; what is deleted with whom is the option's word, then the type's.
  private func reference(
    to child: any CustomCloudKitEncodable,
    _ key: String,
    _ path: CodingPath
  ) throws -> RecordReference {
    let action = options.referenceActions[key] ?? type(of: child).cloudKitReferenceAction
    return try graph.reference(to: child, from: recordID, action: action, at: path)
  }

  /// Whether a type of integers is JSON, since not all of its numbers fit.
  func isJSON(_ type: Any.Type) -> Bool {
    options.wideIntegers == .json && (type == UInt64.self || type == UInt.self)
  }

  private static func isNative(_ type: Any.Type) -> Bool { type is any RecordElement.Type }

  /// The kind of the fields of a type.
  ///
  /// The same questions as `write` asks, of the type alone.
  func kind(of type: Any.Type) -> RecordFieldKind {
    if isJSON(type) { return RecordFieldKind(.bytes) }
    if let type = type as? any RecordElement.Type { return RecordFieldKind(type.recordKind) }
    if let type = type as? any RecordElementList.Type, !isJSON(type.elementType) {
      return RecordFieldKind(type.elementKind, isList: true)
    }
    if let type = type as? any OptionalField.Type { return kind(of: type.wrappedType) }
    if type is any CloudKitStringEnum.Type { return RecordFieldKind(.string) }
    if type is any CloudKitIntEnum.Type { return RecordFieldKind(.int64) }
    if let type = type as? any OpenEnumField.Type, Self.isNative(type.rawType) {
      return kind(of: type.rawType)
    }
    if type is any CloudKitAssetValue.Type { return RecordFieldKind(.asset) }
    if options.nestedValues == .references {
      if type is any CustomCloudKitEncodable.Type { return RecordFieldKind(.reference) }
      if let type = type as? any ArrayField.Type,
        type.elementType is any CustomCloudKitEncodable.Type
      {
        return RecordFieldKind(.reference, isList: true)
      }
    }
    return RecordFieldKind(.bytes)
  }
}

extension EncodingError {
  /// The same error, at a path that begins with another.
  ///
  /// An asset's content is encoded by a coder of its own, whose paths begin at the content.
  fileprivate func moved(below path: CodingPath) -> EncodingError {
    guard case .invalidValue(let value, let context) = self else { return self }
    return .invalidValue(
      value,
      Context(
        codingPath: path.codingKeys + context.codingPath,
        debugDescription: context.debugDescription,
        underlyingError: context.underlyingError
      )
    )
  }
}
