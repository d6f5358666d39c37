import Foundation
import RecordCoding
import Testing

/// The model of the README of CloudKitCodable, with another import.
struct Person: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data?
  let name: String
  let age: Int
  let website: URL
  let avatar: URL
  let isDeveloper: Bool
}

/// A person whose file is there.
func person(_ avatar: URL, systemFields: Data? = nil) throws -> Person {
  Person(
    cloudKitSystemFields: systemFields,
    name: "Guilherme Rambo",
    age: 26,
    website: try #require(URL(string: "https://guilhermerambo.me")),
    avatar: avatar,
    isDeveloper: true
  )
}

/// A file with some bytes in a folder.
func file(_ name: String, in folder: URL, _ text: String = "image") throws -> URL {
  let url = folder.appendingPathComponent(name)
  try Data(text.utf8).write(to: url)
  return url
}

/// One property of any type.
struct Box<Value: Codable>: Codable {
  var field: Value
}

/// What a record is without the name that differs in each: its fields and marks.
func encoded<Value: Codable>(
  _ value: Value,
  _ change: (inout RecordEncodingOptions) -> Void = { _ in }
) throws -> RecordValue? {
  let encoder = CloudKitRecordEncoder()
  encoder.options = options(change)
  return try encoder.encode(Holder(field: value))["field"]
}

func options(_ change: (inout RecordEncodingOptions) -> Void) -> RecordEncodingOptions {
  var options = RecordEncodingOptions()
  change(&options)
  return options
}

/// A property with a record type that may stand, whatever its type is called.
struct Holder<Value: Codable>: CustomCloudKitCodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Holder" }
  var cloudKitIdentifier: String { "holder" }
  var field: Value

  init(field: Value) { self.field = field }

  enum CodingKeys: CodingKey { case field }

  init(from decoder: any Decoder) throws {
    field = try decoder.container(keyedBy: CodingKeys.self).decode(Value.self, forKey: .field)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(field, forKey: .field)
  }
}

/// A record of the type `Holder` with one field.
func holder(_ value: RecordValue?) -> Record {
  var record = Record(recordType: "Holder", recordID: RecordID(recordName: "holder"))
  record["field"] = value
  return record
}

func decoded<Value: Codable>(_ type: Value.Type, _ value: RecordValue?) throws -> Value {
  try CloudKitRecordDecoder().decode(Holder<Value>.self, from: holder(value)).field
}

/// What a decoder says of a field that does not fit: the case, and its path with dots.
func complaint(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing"
  } catch let error as DecodingError {
    switch error {
    case .typeMismatch(_, let context): return "typeMismatch \(path(context.codingPath))"
    case .valueNotFound(_, let context): return "valueNotFound \(path(context.codingPath))"
    case .keyNotFound(let key, let context):
      return "keyNotFound \(path(context.codingPath + [key]))"
    case .dataCorrupted(let context): return "dataCorrupted \(path(context.codingPath))"
    @unknown default: return "\(error)"
    }
  } catch let EncodingError.invalidValue(_, context) {
    return "invalidValue \(path(context.codingPath))"
  } catch {
    return "\(error)"
  }
}

private func path(_ keys: [any CodingKey]) -> String {
  keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
}
