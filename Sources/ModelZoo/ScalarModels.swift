import Foundation

/// Every scalar as a field.
struct Scalars: Codable, Equatable {
  var flag: Bool
  var text: String
  var float: Float
  var double: Double
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
}

struct ScalarLists: Codable, Equatable {
  var flags: [Bool]
  var texts: [String]
  var floats: [Float]
  var doubles: [Double]
  var ints: [Int]
  var int8s: [Int8]
  var int64s: [Int64]
  var uints: [UInt]
  var uint8s: [UInt8]
  var uint64s: [UInt64]
}

struct ScalarDictionaries: Codable, Equatable {
  var flags: [String: Bool]
  var texts: [String: String]
  var doubles: [String: Double]
  var ints: [String: Int]
  var uints: [String: UInt64]
}

struct ScalarOptionals: Codable, Equatable {
  var flag: Bool?
  var text: String?
  var float: Float?
  var double: Double?
  var int: Int?
  var int8: Int8?
  var uint: UInt?
  var uint64: UInt64?
  var list: [Int?]
  var texts: [String?]
  var map: [String: Int?]
}

/// An optional of each type that containers have calls of their own for, and of each kind that they have not:
/// Foundation's leaves, enumerations, structs, lists, dictionaries.
struct OptionalsOfAllTypes: Codable, Equatable {
  var flag: Bool?
  var text: String?
  var double: Double?
  var float: Float?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var date: Date?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var decimal: Decimal?
  var status: Status?
  var point: Point?
  var list: [Int]?
  var map: [String: Double?]?
  var maps: [[String: Float]?]?
}

/// Types of Foundation that documents have kinds or strings for.
struct Leaves: Codable, Equatable {
  var date: Date
  var data: Data
  var url: URL
  var uuid: UUID
  var decimal: Decimal
}

struct LeafLists: Codable, Equatable {
  var dates: [Date]
  var datas: [Data]
  var urls: [URL]
  var uuids: [UUID]
  var decimals: [Decimal]
}

struct LeafDictionaries: Codable, Equatable {
  var dates: [String: Date]
  var datas: [String: Data]
  var urls: [String: URL]
  var uuids: [String: UUID]
  var decimals: [String: Decimal]
}

struct LeafOptionals: Codable, Equatable {
  var date: Date?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var decimal: Decimal?
  var dates: [Date?]
  var urls: [URL?]
}

/// A value that encodes itself through a single-value container.
struct Single<Value: Codable & Equatable>: Codable, Equatable {
  var value: Value

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

struct Singles: Codable, Equatable {
  var flag: Single<Bool>
  var text: Single<String>
  var int8: Single<Int8>
  var uint64: Single<UInt64>
  var double: Single<Double>
  var float: Single<Float>
  var date: Single<Date>
  var data: Single<Data>
  var url: Single<URL>
  var uuid: Single<UUID>
  var list: [Single<Int>]
  var dates: [Single<Date>]
  var urls: [Single<URL>]
  var maybe: Single<Int>?
}

struct Collections: Codable, Equatable {
  var matrix: [[Double]]
  var groups: [[String: [Int?]]]
  var words: Set<String>
  var range: Range<Int>
  var pages: ClosedRange<Int>
  var empty: [String]
}

/// Other types of Foundation, which follow requests of their own.
struct FoundationTypes: Codable, Equatable {
  var zone: TimeZone
  var locale: Locale
  var indices: IndexSet
  var interval: DateInterval
}

struct Moments: Codable, Equatable {
  var start: Date
  var length: TimeInterval
  var marks: [Date]
  var named: [String: Date]
  var end: Date?
}

struct WideIntegers: Codable, Equatable {
  var signed: Int64
  var unsigned: UInt64
  var list: [Int64]
  var small: Int8
}

/// Fifty fields; one of them changes.
struct Wide: Codable, Equatable {
  var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9: Int
  var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9: String
  var c0, c1, c2, c3, c4, c5, c6, c7, c8, c9: Bool
  var d0, d1, d2, d3, d4, d5, d6, d7, d8, d9: Double
  var e0, e1, e2, e3, e4, e5, e6, e7, e8, e9: Int?
}

struct Empty: Codable, Equatable {}

struct Hollow: Codable, Equatable {
  var inner: Empty
  var list: [Empty]
  var map: [String: Empty]
  var maybe: Empty?
}
