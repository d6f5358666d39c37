public import Foundation

// The protocols by which CloudKit takes and hands out values, and the objects behind them.

/// What a field hands out: an object of one of a few classes.
///
/// CloudKit has another name for it, which no code spells.
public protocol CKRecordObject: NSObjectProtocol {}

extension NSString: CKRecordObject {}
extension NSNumber: CKRecordObject {}
extension NSData: CKRecordObject {}
extension NSDate: CKRecordObject {}
extension NSArray: CKRecordObject {}
extension CKRecord.Reference: CKRecordObject {}
extension CKAsset: CKRecordObject {}
extension CLLocation: CKRecordObject {}

/// What a field takes.
public protocol CKRecordValueProtocol {
  /// The object that is stored for the value.
  ///
  /// CloudKit relies on bridging here, which Linux lacks.
  var standInObject: any CKRecordObject & NSObject { get }
}

extension String: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { NSString(string: self) }
}

extension Int64: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { NSNumber(value: self) }
}

extension UInt64: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { NSNumber(value: self) }
}

extension Bool: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { NSNumber(value: self) }
}

extension Double: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { NSNumber(value: self) }
}

extension Data: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { NSData(data: self) }
}

extension Date: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject {
    NSDate(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
  }
}

extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject {
    NSArray(array: map { $0.standInObject })
  }
}

extension NSArray: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { self }
}

extension CKRecord.Reference: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { self }
}

extension CKAsset: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { self }
}

extension CLLocation: CKRecordValueProtocol {
  public var standInObject: any CKRecordObject & NSObject { self }
}

/// Fields by key: those of a record, or its encrypted ones.
public protocol CKRecordKeyValueSetting: NSObjectProtocol {
  func object(forKey key: String) -> (any CKRecordObject)?
  func setObject(_ object: (any CKRecordObject)?, forKey key: String)
  func allKeys() -> [String]
  func changedKeys() -> [String]
}

extension CKRecordKeyValueSetting {
  public subscript(key: String) -> (any CKRecordValueProtocol)? {
    get { object(forKey: key) as? any CKRecordValueProtocol }
    set { setObject(newValue?.standInObject, forKey: key) }
  }
}

/// A place on Earth, as CoreLocation has it.
open class CLLocation: NSObject {
  public let coordinate: CLLocationCoordinate2D

  public init(latitude: Double, longitude: Double) {
    coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }
}

public struct CLLocationCoordinate2D {
  public var latitude: Double
  public var longitude: Double
}

/// A file beside a record.
open class CKAsset: NSObject {
  public let fileURL: URL?

  public init(fileURL: URL) { self.fileURL = fileURL }
}
