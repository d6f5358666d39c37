#if canImport(CloudKit)
public import CloudKit
import CoreLocation
#elseif CLOUDKIT_STAND_IN
public import CloudKitStandIn
#endif

#if canImport(CloudKit) || CLOUDKIT_STAND_IN
import Foundation
public import RecordModel

extension Record {
  /// The record that a `CKRecord` is: its system fields, fields, encrypted fields and changed keys.
  ///
  /// CloudKit's numbers have no kind of their own. One that is stored as a floating-point number becomes a
  /// `double`, any other an `int64`; a list with one floating-point number is a list of doubles. Of a
  /// location only latitude and longitude remain. An empty list does not say of what it is.
  ///
  /// - Throws: ``CloudKitConversionError``: `unknownValue`, `mixedList`, `numberOutOfRange`.
  public init(_ record: CKRecord) throws(CloudKitConversionError) {
    let encrypted = try Self.fields(of: record.encryptedValues)
    var fields = try Self.fields(of: record)
    // Whether `allKeys()` names encrypted keys as well is not documented.
    for key in encrypted.keys { fields[key] = nil }
    self.init(
      systemFields: RecordSystemFields(record),
      fields: fields,
      encryptedFields: encrypted,
      changedKeys: Set(record.changedKeys())
    )
  }

  private static func fields(
    of settings: any CKRecordKeyValueSetting
  ) throws(CloudKitConversionError) -> [String: RecordValue] {
    var fields: [String: RecordValue] = [:]
    for key in settings.allKeys() {
      guard let object: Any = settings.object(forKey: key) else { continue }
      fields[key] = try RecordValue(cloudKit: object, key: key)
    }
    return fields
  }
}

extension RecordValue {
  fileprivate init(cloudKit object: Any, key: String) throws(CloudKitConversionError) {
    if let list = object as? [Any] {
      self = .list(try RecordList(cloudKit: list, key: key))
    } else {
      self = try RecordValue(single: object, key: key)
    }
  }

  fileprivate init(single object: Any, key: String) throws(CloudKitConversionError) {
    switch object {
    case let number as NSNumber: self = try RecordValue(number, key: key)
    case let text as String: self = .string(text)
    case let bytes as Data: self = .bytes(bytes)
    case let date as Date: self = .timestamp(date)
    case let reference as CKRecord.Reference: self = .reference(RecordReference(reference))
    case let asset as CKAsset: self = .asset(RecordAsset(fileURL: asset.fileURL))
    case let location as CLLocation:
      let place = location.coordinate
      self = .location(RecordLocation(latitude: place.latitude, longitude: place.longitude))
    default: throw .unknownValue(key: key, type: "\(type(of: object))")
    }
  }

  private init(_ number: NSNumber, key: String) throws(CloudKitConversionError) {
    // The C string is as long-lived as the number, and has one character at least.
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    default:
      // Above 2^63 - 1 the two ways to read an integer differ.
      guard number.int64Value >= 0 || number.compare(NSNumber(value: 0)) == .orderedAscending
      else { throw .numberOutOfRange(key: key, value: number.stringValue) }
      self = .int64(number.int64Value)
    }
  }
}

extension RecordList {
  fileprivate init(cloudKit list: [Any], key: String) throws(CloudKitConversionError) {
    var elements: [RecordValue] = []
    for object in list { elements.append(try RecordValue(single: object, key: key)) }
    if elements.contains(where: { $0.kind.kind == .double }) {
      for index in elements.indices {
        guard case .int64(let number) = elements[index] else { continue }
        guard let exact = Double(exactly: number) else {
          throw .numberOutOfRange(key: key, value: "\(number) beside floating-point numbers")
        }
        elements[index] = .double(exact)
      }
    }
    guard let merged = RecordList(elements) else { throw .mixedList(key: key) }
    self = merged
  }
}
#endif
