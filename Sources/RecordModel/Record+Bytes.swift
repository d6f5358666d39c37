public import Foundation

// A record as bytes: what a device keeps, and what a test compares.

extension Record {
  private static let magic = "RREC"
  private static let version: UInt8 = 1

  /// The record as bytes; equal records give equal bytes.
  ///
  /// `RREC`, version 1, archived system fields, fields and encrypted fields in the order of their keys,
  /// changed keys, CRC-32C.
  public func serialized() -> Data {
    var writer = RecordBytesWriter(magic: Self.magic, version: Self.version)
    writer.blob(systemFields.archived())
    for fields in [fields, encryptedFields] {
      writer.count(fields.count)
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        writer.string(key)
        writer.value(value)
      }
    }
    writer.count(changedKeySet.count)
    for key in changedKeys() { writer.string(key) }
    return Data(writer.finished())
  }

  /// Reads a record from bytes, which may come from anywhere.
  ///
  /// - Throws: ``RecordBytesError``.
  public init(serialized data: Data) throws(RecordBytesError) {
    var reader = try RecordBytesReader(Array(data), magic: Self.magic, version: Self.version)
    let systemFields = try RecordSystemFields(archive: Data(try reader.blob()))
    let fields = try reader.fields()
    let encrypted = try reader.fields()
    let changed = try reader.list { (reader) throws(RecordBytesError) in try reader.string() }
    // One form for one record: what is read and written again is the same.
    guard zip(changed, changed.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw .malformed("changed keys out of order")
    }
    guard reader.isAtEnd else { throw .malformed("bytes behind the end") }
    self.init(
      systemFields: systemFields,
      fields: fields,
      encryptedFields: encrypted,
      changedKeys: Set(changed)
    )
  }
}

private enum ValueTag: UInt8 {
  case string = 1
  case int64, double, bytes, timestamp, location, reference, asset
  case emptyList = 16
  /// Added to the tag of the elements.
  static let list: UInt8 = 32
}

extension RecordBytesWriter {
  mutating func date(_ date: Date) { double(date.timeIntervalSinceReferenceDate) }

  mutating func recordID(_ id: RecordID) {
    string(id.recordName)
    string(id.zoneID.zoneName)
    string(id.zoneID.ownerName)
  }

  mutating func reference(_ reference: RecordReference) {
    recordID(reference.recordID)
    byte(UInt8(reference.action.rawValue))
  }

  fileprivate mutating func asset(_ asset: RecordAsset) {
    optional(asset.fileURL) { $0.string($1.absoluteString) }
  }

  fileprivate mutating func value(_ value: RecordValue) {
    func tag(_ tag: ValueTag) { byte(tag.rawValue) }
    switch value {
    case .string(let value):
      tag(.string)
      string(value)
    case .int64(let value):
      tag(.int64)
      fixed(UInt64(bitPattern: value))
    case .double(let value):
      tag(.double)
      double(value)
    case .bytes(let value):
      tag(.bytes)
      blob(value)
    case .timestamp(let value):
      tag(.timestamp)
      date(value)
    case .location(let value):
      tag(.location)
      double(value.latitude)
      double(value.longitude)
    case .reference(let value):
      tag(.reference)
      reference(value)
    case .asset(let value):
      tag(.asset)
      asset(value)
    case .list(let list): self.list(list)
    }
  }

  private mutating func list(_ list: RecordList) {
    func elements<T>(_ tag: ValueTag, _ elements: [T], _ body: (inout Self, T) -> Void) {
      byte(tag.rawValue | ValueTag.list)
      count(elements.count)
      for element in elements { body(&self, element) }
    }
    switch list {
    case .strings(let values): elements(.string, values) { $0.string($1) }
    case .int64s(let values): elements(.int64, values) { $0.fixed(UInt64(bitPattern: $1)) }
    case .doubles(let values): elements(.double, values) { $0.double($1) }
    case .bytes(let values): elements(.bytes, values) { $0.blob($1) }
    case .timestamps(let values): elements(.timestamp, values) { $0.date($1) }
    case .locations(let values):
      elements(.location, values) {
        $0.double($1.latitude)
        $0.double($1.longitude)
      }
    case .references(let values): elements(.reference, values) { $0.reference($1) }
    case .assets(let values): elements(.asset, values) { $0.asset($1) }
    case .empty: byte(ValueTag.emptyList.rawValue)
    }
  }
}

extension RecordBytesReader {
  mutating func date() throws(RecordBytesError) -> Date {
    Date(timeIntervalSinceReferenceDate: try double())
  }

  mutating func recordID() throws(RecordBytesError) -> RecordID {
    let name = try string()
    let zone = try string()
    return RecordID(
      recordName: name,
      zoneID: RecordZoneID(zoneName: zone, ownerName: try string())
    )
  }

  mutating func reference() throws(RecordBytesError) -> RecordReference {
    let id = try recordID()
    guard let action = RecordReference.Action(rawValue: Int(try byte())) else {
      throw .malformed("a reference's action")
    }
    return RecordReference(recordID: id, action: action)
  }

  fileprivate mutating func asset() throws(RecordBytesError) -> RecordAsset {
    let text = try optional { (reader) throws(RecordBytesError) in try reader.string() }
    guard let text else { return RecordAsset(fileURL: nil) }
    guard let url = URL(string: text), url.absoluteString == text else {
      throw .malformed("an asset's URL")
    }
    return RecordAsset(fileURL: url)
  }

  fileprivate mutating func location() throws(RecordBytesError) -> RecordLocation {
    let latitude = try double()
    return RecordLocation(latitude: latitude, longitude: try double())
  }

  fileprivate mutating func fields() throws(RecordBytesError) -> [String: RecordValue] {
    let count = try count()
    var fields: [String: RecordValue] = [:]
    var last: String?
    for _ in 0..<count {
      let key = try string()
      if let last, last >= key { throw .malformed("keys out of order") }
      last = key
      fields[key] = try value()
    }
    return fields
  }

  private mutating func value() throws(RecordBytesError) -> RecordValue {
    let raw = try byte()
    if raw == ValueTag.emptyList.rawValue { return .list(.empty) }
    guard let tag = ValueTag(rawValue: raw & ~ValueTag.list), tag != .emptyList else {
      throw .malformed("a value's kind")
    }
    if raw & ValueTag.list != 0 { return .list(try list(tag)) }
    switch tag {
    case .string: return .string(try string())
    case .int64: return .int64(Int64(bitPattern: try fixed()))
    case .double: return .double(try double())
    case .bytes: return .bytes(Data(try blob()))
    case .timestamp: return .timestamp(try date())
    case .location: return .location(try location())
    case .reference: return .reference(try reference())
    case .asset: return .asset(try asset())
    case .emptyList: throw .malformed("a value's kind")
    }
  }

  private mutating func list(_ tag: ValueTag) throws(RecordBytesError) -> RecordList {
    switch tag {
    case .string: .strings(try list { (it) throws(RecordBytesError) in try it.string() })
    case .int64:
      .int64s(
        try list { (it) throws(RecordBytesError) in Int64(bitPattern: try it.fixed()) }
      )
    case .double: .doubles(try list { (it) throws(RecordBytesError) in try it.double() })
    case .bytes: .bytes(try list { (it) throws(RecordBytesError) in Data(try it.blob()) })
    case .timestamp: .timestamps(try list { (it) throws(RecordBytesError) in try it.date() })
    case .location: .locations(try list { (it) throws(RecordBytesError) in try it.location() })
    case .reference: .references(try list { (it) throws(RecordBytesError) in try it.reference() })
    case .asset: .assets(try list { (it) throws(RecordBytesError) in try it.asset() })
    case .emptyList: throw .malformed("a list's kind")
    }
  }
}
