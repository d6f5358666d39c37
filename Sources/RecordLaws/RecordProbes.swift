import CodingSupport
import Foundation
import ModelGeneration
import ModelZoo
import PropertyEngine
import RecordModel

// Models that laws of single fields decode. First come three small values to encode, then
// `NumberProbe` (what number fits which type) and `HostileProbe` (records of any content). Used by
// `FieldLaws.swift` and `HostileRecords.swift`.

/// A record with one integer under a key of the law's choice.
struct OneKey: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "one" }
  var cloudKitRecordType: String { "Note" }
  let key: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encode(1, forKey: .key(key))
  }
}

/// What a record with one key holds under it; `nil` for other keys, or several.
struct OneKeyValue: Decodable {
  let number: Int?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PathKey.self)
    let keys = container.allKeys
    number = keys.count == 1 ? try container.decodeIfPresent(Int.self, forKey: keys[0]) : nil
  }
}

/// A record with one text, for limits of size.
struct OneText: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "one" }
  var cloudKitRecordType: String { "Note" }
  /// A key of three bytes, which count.
  let big: String

  enum CodingKeys: CodingKey { case big }
}

/// A record with bytes, for limits of size.
struct OneData: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "one" }
  var cloudKitRecordType: String { "Note" }
  let big: Data

  enum CodingKeys: CodingKey { case big }
}

/// A nested value that asks for its place more than once.
///
/// Worked example: `[.keyed, .value]` asks for a map and then writes 1 in its place. JSON has room
/// for one of the two.
struct TwoFaced: Encodable {
  /// One request of an encoder: a single value, a map, a list.
  enum Part: CaseIterable { case value, keyed, unkeyed }

  /// A record with such a value.
  struct Holder: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "two" }
    var cloudKitRecordType: String { "Note" }
    let nested: TwoFaced

    enum CodingKeys: CodingKey { case nested }
  }

  /// What it asks for, in this order.
  let parts: [Part]

  func encode(to encoder: any Encoder) throws {
    for part in parts {
      switch part {
      case .value:
        var container = encoder.singleValueContainer()
        try container.encode(1)
      case .keyed:
        var container = encoder.container(keyedBy: PathKey.self)
        try container.encode(1, forKey: .key("a"))
      case .unkeyed:
        var container = encoder.unkeyedContainer()
        try container.encode(1)
      }
    }
  }
}

/// A number of one type, as text, and what it should be.
///
/// Worked example: 300 as `Int8` must be refused, 2^53 + 1 as `Double`, too; 2.0 as `Int` is 2, 1.5
/// is refused; a boolean is 0 or 1 of an integer field, and never a float's.
///
/// An answer is text, so that eight types make one list. Floats are told by their bits, since -0.0
/// and 0.0 are equal and two stored values.
struct NumberProbe: Sendable {
  let name: String
  /// The number of the field `number`.
  let decode: @Sendable (any RecordSubject, Record) throws -> String
  /// The number under `number` of the JSON in the field `part`.
  let decodeNested: @Sendable (any RecordSubject, Record) throws -> String
  /// What an integer, or a float, is as this type; `nil` where it must be refused.
  ///
  /// The right answers come from `init(exactly:)` of Swift, and not from the coder's own
  /// arithmetic.
  private let ofInteger: @Sendable (Int64) -> String?
  private let ofDouble: @Sendable (Double) -> String?
  /// What a number of JSON is as a float of this type; `nil` for types that are no floats.
  private var ofJSON: (@Sendable (Double) -> String?)?

  /// What a number field is as this type; `nil` where it must be refused.
  func ofField(_ number: RecordValue) -> String? {
    switch number {
    case .int64(let integer): ofInteger(integer)
    case .double(let double): ofDouble(double)
    default: nil
    }
  }

  /// What the same number is as this type in nested JSON; `nil` where it must be refused.
  ///
  /// JSON has booleans of its own, so that 0 and 1 are none there.
  func ofNested(_ number: RecordValue) -> String? {
    if name == "Bool" { return nil }
    guard let ofJSON else { return ofField(number) }
    switch number {
    case .int64(let integer): return ofJSON(Double(integer))
    case .double(let double): return ofJSON(double)
    default: return nil
    }
  }

  /// The number as JSON, with all digits; `nil` for infinity and not-a-number.
  static func json(of number: RecordValue) -> String? {
    switch number {
    case .int64(let integer): "\(integer)"
    case .double(let double) where double.isFinite: "\(double)"
    default: nil
    }
  }

  /// So that the error's path has a key.
  private struct Holder<Value: Decodable>: Decodable { var number: Value }
  private struct Outer<Value: Decodable>: Decodable { var part: Holder<Value> }

  private static func integer<T: FixedWidthInteger & Codable & Sendable>(
    _ type: T.Type
  ) -> NumberProbe {
    NumberProbe(
      name: "\(type)",
      decode: { "\(try $0.decode(Holder<T>.self, from: $1).number)" },
      decodeNested: { "\(try $0.decode(Outer<T>.self, from: $1).part.number)" },
      ofInteger: { T(exactly: $0).map { "\($0)" } },
      ofDouble: { T(exactly: $0).map { "\($0)" } }
    )
  }

  /// Floats are told by their bits, and all that are not a number alike.
  private static func float<T: BinaryFloatingPoint & Codable & Sendable>(
    _ type: T.Type,
    _ bits: @escaping @Sendable (T) -> UInt64
  ) -> NumberProbe {
    @Sendable func text(_ value: T) -> String { value.isNaN ? "nan" : "\(bits(value))" }
    return NumberProbe(
      name: "\(type)",
      decode: { text(try $0.decode(Holder<T>.self, from: $1).number) },
      decodeNested: { text(try $0.decode(Outer<T>.self, from: $1).part.number) },
      ofInteger: { T(exactly: $0).map(text) },
      ofDouble: { $0.isNaN ? "nan" : T(exactly: $0).map(text) },
      // By way of a `Double`, as numbers of JSON are read.
      ofJSON: { T($0).isInfinite ? nil : text(T($0)) }
    )
  }

  static let all: [NumberProbe] = [
    integer(Int.self), integer(Int8.self), integer(UInt8.self), integer(Int32.self),
    integer(UInt64.self), float(Double.self) { $0.bitPattern },
    float(Float.self) { UInt64($0.bitPattern) },
    NumberProbe(
      name: "Bool",
      decode: { "\(try $0.decode(Holder<Bool>.self, from: $1).number)" },
      decodeNested: { "\(try $0.decode(Outer<Bool>.self, from: $1).part.number)" },
      ofInteger: { $0 == 0 ? "false" : $0 == 1 ? "true" : nil },
      ofDouble: { _ in nil }
    ),
  ]
}

/// A model that records of any content are decoded as.
struct HostileProbe: Sendable {
  /// A record, and the keys that its type has.
  struct Question {
    var record: Record
    var keys: Set<String>
  }

  let name: String
  /// Whether its keys are known, and each error is at one of them: hand-written decoding may ask for others, or
  /// refuse a value as a whole.
  let namesKeys: Bool
  let draw: @Sendable (any RecordSubject, inout Choices) throws -> Question
  let decode: @Sendable (any RecordSubject, Record) throws -> Void

  /// A type whose fields are all drawn.
  init<T: Decodable & Sendable>(_ type: T.Type, _ keys: [String], namesKeys: Bool = true) {
    name = "\(type)"
    self.namesKeys = namesKeys
    draw = { _, choices in Question(record: choices.record(keys), keys: Set(keys)) }
    decode = { _ = try $0.decode(type, from: $1) }
  }

  /// A model of the zoo, some of whose fields are drawn: where all are, nearly each record is refused at
  /// the first key.
  ///
  /// Three of ten keys get a value of any kind, or lose theirs in one of ten of these; one record
  /// in ten gets a key more.
  ///
  ///     the value       {"name": "a", "count": 1, "tags": []}
  ///     the record      {"name": STRING "a", "count": LOCATION, "tags": LIST<STRING> [], "_super": INT64 2}
  ///     asked           a value, or an error at `name`, `count`, `tags` or `_super`
  init(_ model: Model) {
    name = model.name
    namesKeys = model.traits.contains(.plainStruct)
    draw = { subject, choices in
      let value = try model.draw(&choices)
      var keys: Set<String> = []
      // Some values of some models refuse to be encoded.
      if case .map(let entries) = try? TreeRecorder.tree(of: value) {
        keys = Set(entries.map(\.key))
      }
      // What a record cannot hold is drawn as a whole.
      var record = (try? subject.encode(value, onto: nil)) ?? choices.record(keys.sorted())
      keys.formUnion(record.fields.keys)
      for key in keys.sorted() where choices.flag(percent: 30) {
        record[key] = choices.flag(percent: 90) ? choices.value() : nil
      }
      if choices.flag(percent: 10) {
        let key = choices.element(of: ["a", "0", "kind", "_super"])
        record[key] = choices.value()
        keys.insert(key)
      }
      return Question(record: record, keys: keys)
    }
    func decoding<T: Decodable & SendableMetatype>(
      _ type: T.Type
    ) -> @Sendable (any RecordSubject, Record) throws -> Void {
      { _ = try $0.decode(type, from: $1) }
    }
    decode = decoding(model.type)
  }

  /// A type some of whose fields are drawn, and others those of a value: where all are drawn, nearly each record is
  /// refused at the first key.
  ///
  /// Three of ten keys get a value of any kind, or lose theirs in one of ten of these.
  init<T: Codable & Sendable>(
    _ name: String,
    _ keys: [String],
    near value: @escaping @Sendable (inout Choices) -> T
  ) {
    self.name = name
    namesKeys = true
    draw = { subject, choices in
      let value = value(&choices)
      var record = (try? subject.encode(value, onto: nil)) ?? choices.record(keys)
      for key in keys where choices.flag(percent: 30) {
        record[key] = choices.flag(percent: 90) ? choices.value() : nil
      }
      return Question(record: record, keys: Set(keys))
    }
    decode = { _ = try $0.decode(T.self, from: $1) }
  }

  /// Each kind of field once.
  ///
  /// A record with a wrong kind under one of these keys must be refused at that key.
  struct Scalars: Codable, Sendable {
    var flag: Bool
    var small: Int8
    var wide: UInt64
    var float: Float
    var text: String
    var date: Date
    var data: Data
    var url: URL
    var place: RecordLocation
    var owner: RecordReference
    var file: RecordAsset

    static let sample = Scalars(
      flag: true,
      small: 1,
      wide: 1,
      float: 1.5,
      text: "a",
      date: Date(timeIntervalSince1970: 0),
      data: Data([1]),
      url: Sheet.file,
      place: RecordLocation(latitude: 1, longitude: 2),
      owner: RecordReference(recordID: RecordID(recordName: "r0", zoneID: recordZone)),
      file: RecordAsset(fileURL: nil)
    )
  }

  /// Each kind of list, and one of optionals, for which records have no kind.
  ///
  /// `maybes` is stored as JSON in bytes; all others are lists, whose elements may be of another
  /// kind than the type's, or too large for it.
  struct Lists: Codable, Sendable {
    var flags: [Bool]
    var numbers: [Int]
    var texts: [String]
    var dates: [Date]
    var urls: [URL]
    var blobs: [Data]
    var maybes: [Int?]

    static let sample = Lists(
      flags: [true],
      numbers: [1],
      texts: ["a"],
      dates: [],
      urls: [Sheet.file],
      blobs: [Data()],
      maybes: [nil, 1]
    )
  }

  /// Nested URLs, whose texts may be none.
  struct Links: Codable, Sendable {
    var link: [URL?]
    var links: [String: URL]

    init(link: [String], links: [String: URL]) {
      self.link = link.map { URL(string: $0) }
      self.links = links
    }
  }

  /// Nests as deep as its bytes say.
  ///
  /// Worked example: `{"node":{"_0":{"leaf":{"_0":1}},"_1":{"leaf":{"_0":2}}}}` is two levels deep.
  indirect enum Tree: Codable, Sendable {
    case leaf(Int)
    case node(Tree, Tree)
  }

  /// What is stored as JSON, types of Foundation among them that check what they decode.
  ///
  ///     indexes      `[{"location":-5,"length":9}]` is JSON of the right form, and no range of indexes
  ///     range        `[1,null]` has no end
  ///     amount       1e999 is beyond a `Double`
  ///     id           "a" is no UUID
  struct Nests: Codable, Sendable {
    var indexes: IndexSet
    var characters: CharacterSet
    var parts: URLComponents
    var tree: Tree
    var map: [String: Double]
    var numbered: [Int: String]
    var id: UUID
    var amount: Decimal
    var range: Range<Int>
  }

  static let all: [HostileProbe] =
    [
      HostileProbe(
        Scalars.self,
        keys(
          of: ["flag", "small", "wide", "float", "text", "date", "data"],
          ["url", "place", "owner", "file"]
        )
      ),
      HostileProbe(Lists.self, ["flags", "numbers", "texts", "dates", "urls", "blobs", "maybes"]),
      HostileProbe(
        Nests.self,
        ["indexes", "characters", "parts", "tree", "map", "numbered", "id", "amount", "range"]
      ),
    ] + zoo + near

  /// Models whose values are records: the root of one has keys.
  private static let zoo =
    ModelZoo.models(text: PlainText.self, counter: PlainCounter.self)
    .filter { $0.traits.contains(.keyedRoot) }.map(HostileProbe.init)

  /// Types with records that are mostly right: behind the first key there are others.
  private static let near: [HostileProbe] = [
    HostileProbe("Sheet", Sheet.CodingKeys.allCases.map(\.stringValue)) { Sheet(&$0) },
    HostileProbe("Annex", Annex.CodingKeys.allCases.map(\.stringValue)) { Annex(&$0) },
    HostileProbe(
      "Scalars near",
      keys(
        of: ["flag", "small", "wide", "float", "text", "date", "data"],
        ["url", "place", "owner", "file"]
      )
    ) { _ in Scalars.sample },
    HostileProbe(
      "Lists near",
      ["flags", "numbers", "texts", "dates", "urls", "blobs", "maybes"]
    ) { _ in Lists.sample },
    HostileProbe("Chapter", ["title", "parts", "cover"]) { choices in
      Chapter(cloudKitIdentifier: "c", title: choices.text(), parts: [], cover: nil)
    },
    HostileProbe(Weather.self, ["sky", "wind"]),
    // What would trap, at the root of a record.
    HostileProbe(IndexSet.self, ["indexes"], namesKeys: false),
    HostileProbe(CharacterSet.self, ["bitmap"], namesKeys: false),
    HostileProbe(
      URLComponents.self,
      keys(
        of: ["scheme", "user", "password", "host", "port"],
        ["path", "query", "fragment"]
      ),
      namesKeys: false
    ),
    // Texts of JSON that are no URLs.
    HostileProbe("Links", ["link", "links"]) { _ in Links(link: ["a:b"], links: [:]) },
  ]

  private static func keys(of first: [String], _ second: [String]) -> [String] { first + second }
}
