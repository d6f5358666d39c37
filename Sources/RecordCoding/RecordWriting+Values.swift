import CodingSupport
import Foundation
import RecordModel
import Texts

// How one property becomes a field. The order of the questions matters: a URL, a list, any other kind of
// field, an optional, an enumeration, an asset's value, a record of its own, and JSON for the rest.

extension RecordWriting {
  func write<T: Encodable>(_ value: T, _ key: String, _ path: CodingPath) throws {
    if T.self == URL.self || T.self == Date.self || T.self == Data.self,
      let element = value as? any RecordElement
    {
      let field = try element.recordValue(graph, path)
      guard case .bytes(let bytes) = field else { return try checked(field, key, path, value) }
      return try putBytes(bytes, key)
    }
    if let list = value as? any RecordElementList {
      return try checked(.list(try list.recordList(graph, path)), key, path, value)
    }
    if let element = value as? any RecordElement {
      return try checked(try element.recordValue(graph, path), key, path, value)
    }
    if let optional = value as? any OptionalField {
      guard let wrapped = optional.wrappedValue as? any Encodable else {
        note(kind(of: T.self), key)
        return clear(key)
      }
      return try write(wrapped, key, path)
    }
    if let string = value as? any CloudKitStringEnum { return put(.string(string.rawValue), key) }
    if let number = value as? any CloudKitIntEnum {
      return put(.int64(Int64(number.rawValue)), key)
    }
    if let open = value as? any OpenEnumField, Self.isNative(type(of: open).rawType) {
      return try write(open.anyRawValue, key, path)
    }
    if let asset = value as? any CloudKitAssetValue {
      let url = try graph.assets.write(try asset.encoded(), named: asset.filename)
      return try checked(.asset(RecordAsset(fileURL: url)), key, path, value)
    }
    if options.nestedValues == .references {
      if let child = value as? any CustomCloudKitEncodable {
        let reference = try reference(to: child, key, path)
        return try checked(.reference(reference), key, path, value)
      }
      if let array = value as? any ArrayField,
        type(of: array).elementType is any CustomCloudKitEncodable.Type
      {
        let children = array.anyElements.compactMap { $0 as? any CustomCloudKitEncodable }
        let references = try children.enumerated().map { index, child in
          try reference(to: child, key, path.appending(.index(index)))
        }
        return try checked(.list(.references(references)), key, path, value)
      }
    }
    guard options.nestedValues != .reject else { throw refusal(value, path, Self.nestingWords) }
    let node = NestedNode()
    try NestedPlace(graph: graph, node: node, path: path).write(value)
    try putJSON(node.value, key)
  }

  /// Sets a field after what its kind alone does not tell.
  private func checked(
    _ field: RecordValue,
    _ key: String,
    _ path: CodingPath,
    _ value: Any
  ) throws {
    guard options.validation != .off else { return put(field, key) }
    if options.encryptedKeys.contains(key),
      field.kind.kind == .asset || field.kind.kind == .reference
    {
      let violation = RecordViolation(.field(key, index: nil), .notEncryptable(field.kind))
      throw refusal(value, path, "\(violation)", violation)
    }
    if let other = field.references.firstIndex(where: { $0.recordID.zoneID != recordID.zoneID }) {
      let isList = field.kind.isList
      let violation = RecordViolation(
        .field(key, index: isList ? other : nil),
        .otherZone(field.references[other].recordID.zoneID)
      )
      let place = isList ? path.appending(.index(other)) : path
      throw refusal(value, place, "\(violation)", violation)
    }
    put(field, key)
  }

  private func reference(
    to child: any CustomCloudKitEncodable,
    _ key: String,
    _ path: CodingPath
  ) throws -> RecordReference {
    let action = options.referenceActions[key] ?? type(of: child).cloudKitReferenceAction
    return try graph.reference(to: child, from: recordID, action: action, at: path)
  }

  private static func isNative(_ type: Any.Type) -> Bool { type is any RecordElement.Type }

  /// The kind of the fields of a type.
  func kind(of type: Any.Type) -> RecordFieldKind {
    if let type = type as? any RecordElement.Type { return RecordFieldKind(type.recordKind) }
    if let type = type as? any RecordElementList.Type {
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
