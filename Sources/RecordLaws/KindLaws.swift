import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of the kinds that a sheet has not (`Annex`): lists of places, references and assets, enumerations; of values
// that compare and hash by their bits; of children that may not be nil, and of types that say little of themselves.

extension RecordLaw {
  /// Laws of further kinds of fields, and of children and names by default.
  static let kindLaws: [RecordLaw] = [furtherKinds, equalByBits, childrenRequired, namedByDefault]

  private static let values = LawSource.document("Records.md", "Values")

  /// Catches an enumeration that is nested JSON, a kind that a value decides, and a list of files whose schema is
  /// another.
  ///
  /// The model is encoded as Swift's compiler does it, or each optional as a value of its own type, as generic models do.
  ///
  ///     property                                its field
  ///     sky .grey, openSky "wild"               STRING
  ///     wind .storm, openWind 12                INT64 9, INT64 12
  ///     places, owners, assets                  LIST<LOCATION>, LIST<REFERENCE>, LIST<ASSET>
  ///     files []                                LIST<STRING>: there is no file that says otherwise
  ///     floats, smalls, wides                   LIST<DOUBLE>, LIST<INT64>, LIST<INT64>
  ///     moods ["calm", "wild"]                  BYTES of JSON
  static let furtherKinds = value(
    "record.kinds-by-rules",
    "Lists and enumerations become their fields.",
    "Lists of places, references, assets, files and numbers of any width, and enumerations, open ones included, are "
      + "fields of the kind of their type, in a schema as in a record, and come back.",
    source: values,
    count: 140
  ) { subject, choices in
    let annex = Annex(&choices)
    let asValues = choices.flag()
    func encode(_ annex: Annex) throws -> (record: Record, schema: RecordSchema) {
      guard asValues else {
        return (
          try subject.encode(annex, onto: nil), try subject.schema(of: annex, RecordSettings())
        )
      }
      let plain = PlainlyEncoded(annex: annex)
      return (try subject.encode(plain, onto: nil), try subject.schema(of: plain, RecordSettings()))
    }
    let (record, schema) = try encode(annex)
    for key in Annex.CodingKeys.allCases where key != .moods {
      guard record[key.stringValue]?.bits != annex.field(key)?.bits else { continue }
      return .record(
        "kinds.field",
        "'\(key.stringValue)' is another field",
        expected: annex.field(key) as Any,
        actual: record[key.stringValue] as Any,
        between: "the fields that the rules give",
        "the record that was encoded"
      )
    }
    let kinds = annex.kinds
    guard schema.kinds == kinds else {
      return .record(
        "kinds.schema",
        "the schema has other kinds",
        expected: kinds.map { "\($0.key) \($0.value)" }.sorted(),
        actual: schema.kinds.map { "\($0.key) \($0.value)" }.sorted(),
        between: "the kinds that the rules give",
        "the schema"
      )
    }
    let back = try subject.decode(Annex.self, from: record)
    for key in Annex.CodingKeys.allCases where back.field(key)?.bits != annex.field(key)?.bits {
      return .record(
        "kinds.property",
        "'\(key.stringValue)' came back as something else",
        expected: annex.field(key) as Any,
        actual: back.field(key) as Any,
        between: "the value that was encoded",
        "the value that was decoded"
      )
    }
    // They are equal, and hash alike.
    return Set([back.moods, annex.moods]).count == 1
      ? nil
      : .record(
        "kinds.nested",
        "nested enumerations came back as others",
        expected: annex.moods as Any,
        actual: back.moods as Any,
        between: "the value that was encoded",
        "the value that was decoded"
      )
  }

  /// Catches values that are equal and hash otherwise, which a set then has twice, and a list that is made of its
  /// elements as another.
  ///
  /// Worked example: an app keeps records it has seen in a set. Of two that are equal, one made of a value and one read
  /// from a server, the set must have one.
  ///
  ///     0.0 and -0.0, U+00E9 and e U+0301       not equal: their bits are others
  ///     not a number, twice                     equal
  ///     [] of texts and [] of numbers           not equal
  static let equalByBits = value(
    "record.equal-by-bits",
    "Equal is what has equal bits.",
    "Two values, lists or records are equal if their bits are, and hash alike then; a list made of the elements of one "
      + "is that list, and there is none of elements of several kinds, or of lists.",
    source: values,
    count: 120
  ) { _, choices in
    let pairs = Self.closePairs
    let pair = choices.flag() ? choices.element(of: pairs) : (choices.value(), choices.value())
    let (left, right) = (pair.0, choices.flag(percent: 75) ? pair.1 : pair.0)
    let isEqual = left.bits == right.bits
    guard (left == right) == isEqual, !isEqual || left.hashValue == right.hashValue else {
      return .record("equal.values", "\(left) and \(right) are equal, or hash otherwise")
    }
    let id = choices.recordID()
    let keys: Set<String> = choices.flag() ? ["a"] : []
    func record(_ value: RecordValue, _ side: Bool) -> Record {
      Record(
        systemFields: RecordSystemFields(recordType: "Note", recordID: id),
        fields: side ? [:] : ["a": value],
        encryptedFields: side ? ["a": value] : [:],
        changedKeys: keys
      )
    }
    let isEncrypted = choices.flag()
    let (one, other) = (record(left, isEncrypted), record(right, isEncrypted))
    guard (one == other) == isEqual, Set([one, other]).count == (isEqual ? 1 : 2),
      one != one.unmarked() || keys.isEmpty, one != record(left, !isEncrypted)
    else {
      return .record("equal.records", "records of \(left) and \(right) are equal, or are not")
    }
    guard case .list(let list) = left else {
      return RecordList([left, .list(.empty)]) == nil && RecordList([.list(.empty)]) == nil
        && RecordList([left]) != nil
        ? nil : .record("equal.list", "\(left) is no list of one, or one with a list")
    }
    let again = RecordList(list.elements)
    let mixed = RecordList(list.elements + [list.kind == .string ? .int64(1) : .string("a")])
    guard again == (list.elements.isEmpty ? .empty : list), (mixed == nil) != list.elements.isEmpty
    else { return .record("equal.elements", "the elements of \(list) make another list") }
    return nil
  }

  /// Pairs of values that a comparison of less than all bits takes for one.
  private static let closePairs: [(RecordValue, RecordValue)] = {
    let place = { RecordLocation(latitude: 1, longitude: $0) }
    let reference = { (action: RecordReference.Action) in
      RecordReference(recordID: RecordID(recordName: "r0", zoneID: recordZone), action: action)
    }
    let second = Date(timeIntervalSinceReferenceDate: 1)
    return [
      (.double(0), .double(-0.0)), (.double(.nan), .double(.nan)), (.int64(1), .double(1)),
      (.string("\u{E9}"), .string("e\u{301}")), (.location(place(0)), .location(place(-0.0))),
      (.reference(reference(.none)), .reference(reference(.deleteSelf))),
      (.timestamp(second), .timestamp(Date(timeIntervalSinceReferenceDate: 1.0.nextUp))),
      (.bytes(Data([1])), .bytes(Data([1, 0]))), (.list(.strings([])), .list(.int64s([]))),
      (.list(.doubles([0])), .list(.doubles([-0.0]))), (.list(.empty), .list(.bytes([]))),
      (.list(.strings(["\u{E9}"])), .list(.strings(["e\u{301}"]))),
      (.asset(RecordAsset(fileURL: nil)), .asset(RecordAsset(fileURL: Sheet.file))),
    ]
  }()

  /// Catches a child that is `nil` where none may be, and a value that is saved without its children.
  ///
  /// Worked example: a poster has a picture, which another device has deleted. There is no poster without one: it is
  /// refused at `picture`, whatever the caller asked for.
  ///
  ///     what is gone     by itself                with `danglingIsNil`
  ///     picture          refused at `picture`     refused at `picture`
  ///     cover            refused at `cover`       nil
  ///     of more          refused at its index     refused at its index
  ///
  /// Encoded as one record the poster is refused: its references would lead nowhere.
  static let childrenRequired = value(
    "record.children-required",
    "A required child must be there.",
    "A child that may not be nil is refused at its key if its record is missing, whatever the caller asked for; a value "
      + "with children is not encoded as one record, and its schema has references.",
    source: values
  ) { subject, choices in
    var settings = RecordSettings()
    settings.hasChildren = true
    func picture(_ name: String) -> Picture {
      Picture(cloudKitIdentifier: name, caption: "of \(name)")
    }
    let poster = Poster(
      picture: picture("p0"),
      cover: choices.flag() ? picture("p1") : nil,
      more: choices.flag() ? ["p2", "p3"].map(picture) : nil
    )
    if (try? subject.encode(poster, onto: nil, settings)) != nil {
      return .record("required.alone", "a value with children was encoded as one record")
    }
    let schema = try subject.schema(of: poster, settings)
    guard schema.kinds == Poster.kinds else {
      return .record(
        "required.schema",
        "the schema has other kinds",
        expected: Poster.kinds.map { "\($0.key) \($0.value)" }.sorted(),
        actual: schema.kinds.map { "\($0.key) \($0.value)" }.sorted(),
        between: nil,
        "the schema"
      )
    }
    let records = try subject.encodeRecords(poster, settings)
    guard let root = records.last else { return .record("required.none", "there is no record") }
    var zone = Dictionary(records.map { ($0.recordID.recordName, $0) }) { $1 }
    let lost = choices.element(of: ["none", "p0", "p1", "p3"])
    let isLost = zone.removeValue(forKey: lost) != nil
    var reading = RecordReadSettings()
    reading.danglingIsNil = choices.flag()
    var expected = poster
    if lost == "p1" { expected.cover = nil }
    let isRefused = isLost && (lost != "p1" || !reading.danglingIsNil)
    let place: [PathKey] =
      lost == "p0" ? [.key("picture")] : lost == "p1" ? [.key("cover")] : [.key("more"), .index(1)]
    do {
      let back = try subject.decode(Poster.self, from: root, reading) { zone[$0.recordName] }
      return !isRefused && back.bare == expected
        ? nil
        : .record(
          "required.read",
          "a value came back without the child \(lost)",
          expected: isRefused ? "a refusal" : "\(expected)",
          actual: back.bare,
          between: nil,
          "the value that was decoded"
        )
    } catch {
      let failure = CodingFailure(decoding: error)
      return isRefused && failure?.path == place && failure?.kind == .valueNotFound
        ? nil : .record("required.refused", "without \(lost) the refusal is wrong: \(error)")
    }
  }

  /// Catches a name that two values share, or that is another at each save of one value.
  ///
  /// Worked example: a model says nothing of its identity. Each encode makes a new record, and the value that is read
  /// of one is saved as that one.
  ///
  ///     the model                       the record
  ///     says nothing                    of the type's name, named by a new UUID
  ///     `Identifiable`, with the id 7   named 7
  ///     with the raw value "a7"         named a7, whatever Swift calls the type of the id
  ///     with an optional "a7"           named a7
  ///     with `nil`, or an object        named by a new UUID
  static let namedByDefault = value(
    "record.named-by-default",
    "Names come by default.",
    "A model that says nothing of its record is one of its type's name, named by its `id` if it is identifiable and by "
      + "a new random UUID for each encode if not, or if that `id` is `nil` or an object, which is refused where a stable identity is asked for; read from a record, it "
      + "is saved as that one; what is no bytes in the place of system fields is refused.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    let title = choices.text()
    let nameless = [
      try subject.encode(Unnamed(title: title), onto: nil),
      try subject.encode(Unnamed(title: title), onto: nil),
    ]
    let names = nameless.map(\.recordID.recordName)
    guard nameless.allSatisfy({ $0.recordType == "Unnamed" }), names[0] != names[1],
      names.allSatisfy({ UUID(uuidString: $0) != nil })
    else { return .record("default.name", "a model without a name has another type or name") }
    // RFC 9562, section 5.4: version 4, and a variant of 8 to B.
    let texts = names.map { Array($0.utf8) }
    guard texts.allSatisfy({ $0[14] == UInt8(ascii: "4") && "89ABab".utf8.contains($0[19]) }) else {
      return .record("default.uuid", "a model without a name has a UUID that is not random")
    }
    var settings = RecordSettings()
    settings.wantsStableIdentity = true
    guard (try? subject.encode(Unnamed(title: title), onto: nil, settings)) == nil else {
      return .record(
        "default.stable",
        "a name that changes was taken where a stable one was asked for"
      )
    }
    let again = try subject.encode(subject.decode(Unnamed.self, from: nameless[0]), onto: nil)
    guard again.systemFields == nameless[0].systemFields else {
      return .record("default.again", "a value that was read is saved as another record")
    }
    if (try? subject.encode(Misfiled(), onto: nil)) != nil {
      return .record("default.fields", "system fields that are a number were taken")
    }
    let id = choices.number(in: 0...99)
    let numbered = try subject.encode(Numbered(id: id), onto: nil, settings)
    guard numbered.recordID.recordName == "\(id)", numbered.recordType == "Numbered" else {
      return .record("default.id", "a value with the id \(id) became \(numbered)")
    }
    return try identifiers(subject, id, settings)
  }

  /// How a value whose `id` is of another type has another name, or none that stays.
  private static func identifiers(
    _ subject: any RecordSubject,
    _ number: Int,
    _ settings: RecordSettings
  ) throws -> Difference? {
    let text = "a\(number)"
    let names = [
      try subject.encode(Labelled(id: text as String?), onto: nil, settings),
      try subject.encode(Labelled(id: TextID(rawValue: text)), onto: nil, settings),
      try subject.encode(Labelled(id: TextID(rawValue: text) as TextID?), onto: nil, settings),
    ].map(\.recordID.recordName)
    if let other = names.first(where: { $0 != text }) {
      return .record("default.label", "a value with the id \(text) became '\(other)'")
    }
    let nameless = [
      try subject.encode(Labelled(id: String?.none), onto: nil),
      try subject.encode(Labelled(id: String?.none), onto: nil),
      try subject.encode(Shared(), onto: nil),
    ].map(\.recordID.recordName)
    guard Set(nameless).count == 3, nameless.allSatisfy({ UUID(uuidString: $0) != nil }) else {
      return .record("default.nil", "values without an id have the names \(nameless)")
    }
    guard (try? subject.encode(Labelled(id: String?.none), onto: nil, settings)) == nil,
      (try? subject.encode(Shared(), onto: nil, settings)) == nil
    else {
      return .record("default.unstable", "an id that is nil or an object was taken as stable")
    }
    return nil
  }
}

/// An identifier with a type of its own.
private struct TextID: RawRepresentable, Hashable, Codable {
  let rawValue: String
}

/// A model whose identifier is of any type.
private struct Labelled<ID: Hashable & Codable>: CustomCloudKitCodable, Identifiable {
  var cloudKitSystemFields: Data?
  var cloudKitRecordType: String { "Labelled" }
  var id: ID
}

/// An object that is identifiable by being one.
private final class Shared: CustomCloudKitEncodable, Identifiable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Shared" }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encode("a", forKey: .key("title"))
  }
}

/// A model that says nothing of its record.
private struct Unnamed: CustomCloudKitCodable {
  var cloudKitSystemFields: Data?
  var title: String
}

/// A model that keeps something else where system fields are kept.
private struct Misfiled: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encode(1, forKey: .key("cloudKitSystemFields"))
    try container.encode("a", forKey: .key("title"))
  }
}

/// A model that is identifiable.
private struct Numbered: CustomCloudKitCodable, Identifiable {
  var cloudKitSystemFields: Data?
  var id: Int
}

/// A record with a child that may not be `nil`, one that may, and a list of them.
private struct Poster: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "poster" }
  var cloudKitRecordType: String { "Poster" }
  var picture: Picture
  var cover: Picture?
  var more: [Picture]?

  enum CodingKeys: CodingKey { case picture, cover, more }

  static let kinds = [
    "picture": RecordFieldKind(.reference),
    "cover": RecordFieldKind(.reference),
    "more": RecordFieldKind(.reference, isList: true),
  ]

  /// The poster as it comes back, without what a decode adds.
  var bare: Poster {
    var poster = self
    poster.picture.cloudKitSystemFields = nil
    poster.cover?.cloudKitSystemFields = nil
    poster.more = more?.map {
      Picture(cloudKitIdentifier: $0.cloudKitIdentifier, caption: $0.caption)
    }
    return poster
  }
}
