import Foundation
import RecordCoding
import TestSupport
import Testing

@Suite("Rules of records")
struct RuleTests {
  struct Note: CustomCloudKitCodable, Equatable {
    var cloudKitSystemFields: Data?
    var cloudKitIdentifier: String { "note" }
    var title: String?
    var count: Int?
    var tags: [String]?

    enum CodingKeys: CodingKey { case cloudKitSystemFields, title, count, tags }
  }

  @Test("RC-22 A nil property clears its field, and is marked; by option it leaves it alone")
  func nilClears() throws {
    let encoder = CloudKitRecordEncoder()
    let fresh = try encoder.encode(Note(title: "a"))
    #expect(fresh.allKeys() == ["title"])
    #expect(fresh.changedKeys() == ["count", "tags", "title"])
    let saved = fresh.unmarked()
    let cleared = try encoder.encode(Note(), onto: saved)
    #expect(cleared.allKeys() == [] && cleared.changedKeys() == ["title"])
    encoder.options.nilHandling = .omit
    let kept = try encoder.encode(Note(count: 1), onto: saved)
    #expect(kept["title"] == .string("a") && kept.changedKeys() == ["count"])
    struct Explicit: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Note.CodingKeys.self)
        try container.encodeNil(forKey: .title)
        try container.encode(Int?.none, forKey: .count)
      }
    }
    #expect(try CloudKitRecordEncoder().encode(Explicit()).changedKeys() == ["count", "title"])
    #expect(try decoded(Int?.self, nil) == nil)
  }

  @Test("RC-31 Fields that the value does not name stay, and go by option")
  func unknownKeys() throws {
    var base = try CloudKitRecordEncoder().encode(Note(title: "a"))
    base["later"] = .int64(1)
    base = base.unmarked()
    let encoder = CloudKitRecordEncoder()
    let kept = try encoder.encode(Note(title: "b"), onto: base)
    #expect(kept["later"] == .int64(1) && kept.changedKeys() == ["title"])
    encoder.options.unknownKeys = .remove
    let removed = try encoder.encode(Note(title: "b"), onto: base)
    #expect(removed["later"] == nil && removed.changedKeys() == ["later", "title"])
    #expect(base["later"] == .int64(1))
  }

  @Test("RC-32 Marked is what differs from the base, and what was cleared")
  func changedKeys() throws {
    let encoder = CloudKitRecordEncoder()
    let base = try encoder.encode(Note(title: "e\u{301}", count: 1)).unmarked()
    #expect(try encoder.encode(Note(title: "e\u{301}", count: 1), onto: base).changedKeys() == [])
    let other = try encoder.encode(Note(title: "\u{E9}", count: 1), onto: base)
    #expect(other.changedKeys() == ["title"])
    #expect(throws: CloudKitRecordEncodingError.self) {
      var wrong = Note()
      wrong.cloudKitSystemFields =
        RecordSystemFields(recordType: "Note", recordID: RecordID(recordName: "x")).archived()
      _ = try encoder.encode(wrong, onto: base)
    }
  }

  @Test("RC-33 A key begins with a letter and is not reserved; any text has a key by option")
  func keys() throws {
    for (key, rule) in [
      ("", RecordViolation.Rule.empty), ("1a", .firstCharacter), ("_a", .firstCharacter),
      ("a b", .character), ("\u{E9}", .firstCharacter), ("recordID", .reserved),
      ("parent", .reserved),
    ] {
      #expect(RecordNames.keyProblem(key) == rule)
      let error = #expect(throws: EncodingError.self) {
        try CloudKitRecordEncoder().encode(Wrapped(values: [key: 1]))
      }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(
        context.underlyingError as? RecordViolation
          == RecordViolation(.field(key, index: nil), rule)
      )
      #expect(context.codingPath.map(\.stringValue) == [key])
      #expect(RecordNames.keyProblem(RecordNames.escaped(key)) == nil)
      #expect(RecordNames.unescaped(RecordNames.escaped(key)) == key)
    }
    let encoder = CloudKitRecordEncoder()
    encoder.options.keys = .escaped
    let decoder = CloudKitRecordDecoder()
    decoder.options.keys = .escaped
    let value = ["a": 1, "": 2, "x_a": 3, "e\u{301}": 4, "x__00": 5, "share": 6, "cA": 7]
    encoder.options.validation = .client
    let record = try encoder.encode(Wrapped(values: value))
    #expect(record.violations(for: .server).isEmpty)
    #expect(try decoder.decode(Wrapped.self, from: record).values == value)
  }

  /// A dictionary as a whole record, with a type name that may stand.
  struct Wrapped: Codable {
    var values: [String: Int]
    init(values: [String: Int]) { self.values = values }
    init(from decoder: any Decoder) throws { values = try [String: Int](from: decoder) }
    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
  }

  @Test("RC-34 Names of records and zones are ASCII, 1 to 255 characters, with no underscore first")
  func names() throws {
    #expect(RecordNames.nameProblem("a b/!") == nil)
    #expect(RecordNames.nameProblem(String(repeating: "a", count: 255)) == nil)
    #expect(RecordNames.nameProblem(String(repeating: "a", count: 256)) == .tooLong(limit: 255))
    #expect(RecordNames.nameProblem("") == .empty)
    #expect(RecordNames.nameProblem("_a") == .firstCharacter)
    #expect(RecordNames.nameProblem("\u{E9}") == .character)
    // A server gives names with an underscore, and they may be referred to.
    #expect(RecordNames.knownNameProblem("_a") == nil)
    #expect(RecordNames.knownNameProblem("") == .empty)
    #expect(RecordNames.knownNameProblem("_\u{E9}") == .character)
    let long = String(repeating: "_", count: 256)
    #expect(RecordNames.knownNameProblem(long) == .tooLong(limit: 255))
    #expect(RecordNames.zoneProblem(.default) == nil)
    #expect(RecordNames.zoneProblem(RecordZoneID(zoneName: "a", ownerName: "")) == .empty)
    #expect(RecordNames.typeProblem("Outer.Person") == .character)
    struct Odd: CustomCloudKitEncodable {
      var cloudKitSystemFields: Data? { nil }
      var cloudKitIdentifier: String { "_odd" }
      enum CodingKeys: CodingKey {}
    }
    #expect(
      throws: CloudKitRecordEncodingError.invalidRecord(
        RecordViolation(.recordName("_odd"), .firstCharacter)
      )
    ) { try CloudKitRecordEncoder().encode(Odd()) }
  }

  @Test(
    "RC-35 A record takes fewer than a million bytes, assets apart; the largest fields are named"
  )
  func size() throws {
    func record(_ count: Int) throws -> Record {
      try CloudKitRecordEncoder().encode(
        Note(
          title: String(repeating: "a", count: 600_000),
          tags: [String(repeating: "b", count: count)]
        )
      )
    }
    let room = RecordLimits.recordBytes - 600_000 - "title".utf8.count - "tags".utf8.count
    #expect(try record(room - 1).byteCount == RecordLimits.recordBytes - 1)
    let error = #expect(throws: CloudKitRecordEncodingError.self) { try record(room) }
    let sizes = [
      RecordFieldSize(key: "title", byteCount: 600_005),
      RecordFieldSize(key: "tags", byteCount: room + 4),
    ]
    #expect(
      error
        == .invalidRecord(
          RecordViolation(.record, .tooLarge(byteCount: RecordLimits.recordBytes, largest: sizes))
        )
    )
    // What is replaced or cleared no longer counts.
    let full = try record(room - 1)
    let note = Note(title: String(repeating: "c", count: 600_000), tags: [])
    #expect(try CloudKitRecordEncoder().encode(note, onto: full).byteCount == 600_009)
    try withFolder { folder in
      let big = try file("big", in: folder, String(repeating: "x", count: 2_000_000))
      #expect(try CloudKitRecordEncoder().encode(Holder(field: big)).byteCount == 5)
    }
  }

  struct Deep: Codable {
    struct Inner: Codable { var numbers: [Int8] }
    var inner: Inner
  }

  @Test("RC-36 The path of an error ends in the field, the index, or inside the nested value")
  func paths() throws {
    let nested = RecordValue.bytes(Data(#"{"inner":{"numbers":[1,300]}}"#.utf8))
    #expect(
      complaint { _ = try decoded(Deep.self, nested) } == "dataCorrupted field.inner.numbers.[1]"
    )
    let lacking = RecordValue.bytes(Data(#"{"inner":{}}"#.utf8))
    #expect(
      complaint { _ = try decoded(Deep.self, lacking) } == "keyNotFound field.inner.numbers"
    )
    #expect(complaint { _ = try decoded(Deep.self, nil) } == "keyNotFound field")
    // What another writer stored as JSON is read by any type but Data.
    let link = RecordValue.bytes(Data(#""https://a.example""#.utf8))
    #expect(try decoded(URL.self, link).absoluteString == "https://a.example")
    #expect(try decoded(Date.self, .bytes(Data("1.5".utf8))).timeIntervalSinceReferenceDate == 1.5)
    #expect(
      complaint { _ = try decoded(Deep.self, .bytes(Data([0xFF]))) } == "dataCorrupted field"
    )
    #expect(
      complaint { _ = try decoded(String.self, .bytes(Data([0xFF]))) } == "typeMismatch field"
    )
    #expect(complaint { _ = try encoded(["a": [Double.nan]]) } == "invalidValue field.a.[0]")
  }

  @Test("RC-40 Encrypted values have a key space of their own, without assets and references")
  func encrypted() throws {
    let encoder = CloudKitRecordEncoder()
    encoder.options.encryptedKeys = ["title"]
    let note = Note(title: "secret", count: 1)
    let record = try encoder.encode(note)
    #expect(record["title"] == nil && record[encrypted: "title"] == .string("secret"))
    var back = try CloudKitRecordDecoder().decode(Note.self, from: record)
    back.cloudKitSystemFields = nil
    #expect(back == note)
    let cleared = try encoder.encode(Note(count: 1), onto: record.unmarked())
    #expect(cleared.encryptedFields.isEmpty && cleared.changedKeys() == ["title"])
    encoder.options.encryptedKeys = []
    let opened = try encoder.encode(Note(title: "open", count: 1), onto: record.unmarked())
    #expect(opened.encryptedFields.isEmpty && opened["title"] == .string("open"))
    #expect(try CloudKitRecordDecoder().decode(Note.self, from: opened).title == "open")
    encoder.options.encryptedKeys = ["field"]
    let reference = RecordReference(recordID: RecordID(recordName: "r"))
    #expect(complaint { _ = try encoder.encode(Holder(field: reference)) } == "invalidValue field")
  }

  @Test("RC-43 A schema names each key with its kind, and differences between two")
  func schema() throws {
    let encoder = CloudKitRecordEncoder()
    encoder.options.encryptedKeys = ["count"]
    let empty = try encoder.schema(of: Note())
    #expect(
      empty.text == """
        RECORD TYPE Note (
            count ENCRYPTED INT64,
            tags LIST<STRING>,
            title STRING
        );

        """
    )
    #expect(try encoder.schema(of: Note(title: "a", count: 1, tags: ["a"])) == empty)
    let earlier = RecordSchema(
      recordType: "Note",
      kinds: [
        "title": RecordFieldKind(.bytes), "old": RecordFieldKind(.int64),
        "tags": RecordFieldKind(nil, isList: true),
      ]
    )
    #expect(
      empty.changes(since: earlier) == [
        .added(key: "count", RecordFieldKind(.int64)),
        .removed(key: "old", RecordFieldKind(.int64)),
        .changed(key: "title", from: RecordFieldKind(.bytes), to: RecordFieldKind(.string)),
      ]
    )
  }

  @Test("RC-44 A dry run tells everything that is wrong at once")
  func dryRun() throws {
    struct Bad: CustomCloudKitEncodable {
      var cloudKitSystemFields: Data? { nil }
      var cloudKitIdentifier: String { "_bad" }
      var cloudKitRecordType: String { "1Bad" }
      var recordID = Double.nan
      var file = URL(fileURLWithPath: "/nowhere/at/all")
      var list = [1.0, .infinity]
    }
    let found = try CloudKitRecordEncoder().violations(of: Bad(), for: .server)
    #expect(
      found.map(\.description) == [
        "record type '1Bad' begins with a character that is not allowed there",
        "record name '_bad' begins with a character that is not allowed there",
        "field 'file' is an asset whose file is not there: file:///nowhere/at/all",
        "field 'list', element 1 is a number that is not finite",
        "field 'recordID' has a reserved key",
        "field 'recordID' is a number that is not finite",
      ]
    )
    #expect(try CloudKitRecordEncoder().violations(of: Note(), for: .server).isEmpty)
  }

  @Test("RC-45 userInfo reaches values on both sides, nested ones too")
  func userInfo() throws {
    struct Informed: Codable {
      static let key = CodingUserInfoKey(rawValue: "word")
      var word = ""
      init() {}
      init(from decoder: any Decoder) throws {
        word = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String } ?? "none")
      }
    }
    let key = try #require(Informed.key)
    let encoder = CloudKitRecordEncoder()
    encoder.userInfo[key] = "told"
    let record = try encoder.encode(Holder(field: Informed()))
    #expect(record["field"] == .bytes(Data(#""told""#.utf8)))
    let decoder = CloudKitRecordDecoder()
    decoder.userInfo[key] = "heard"
    #expect(try decoder.decode(Holder<Informed>.self, from: record).field.word == "heard")
  }
}
