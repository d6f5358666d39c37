import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of what is refused: fields that no server takes, zones, how deep children nest, JSON that nests too deep, and
// a record's words, which hold no content. `FieldQuestion` is one field with what an encode must make of it.

extension RecordLaw {
  /// Laws of what is refused, and of what words tell.
  static let refusalLaws: [RecordLaw] = [
    fieldsChecked, zonesChecked, childrenDeep, nestingRead, wordsHide, typeStays, archivesTold,
  ]

  private static let values = LawSource.document("Records.md", "Values")

  /// Catches references and assets that are encrypted, references that leave the zone, and dates that no server holds,
  /// where they stand in lists, in children or in nested values.
  ///
  /// Worked example: `field` is a list of two references, and the second is to a record of another zone. It is refused
  /// at `field`, 1; a coder that looks at the first alone leaves it to the server, which refuses the save.
  ///
  ///     the value                                             refused
  ///     a file, an asset, a reference or a child, encrypted   at `field`, unless nothing is checked
  ///     a reference to, or a child of, another zone           at `field`, or at its index, unless nothing is checked
  ///     a file in a list that is not there                    at its index, unless nothing is checked
  ///     a file beside another URL in a list                   at the other's index
  ///     a date of 1e300 s, infinite or none at all            at `field`, its index or its key, unless dates are exact
  ///     a number without an end                               at `field` or its index, if all is checked as by a server
  static let fieldsChecked = value(
    "record.fields-checked",
    "Fields are checked wherever they stand.",
    "An encrypted asset or reference, a reference or child of another zone, a file that is not there, a number without an "
      + "end and a date that no number of milliseconds is are refused at their place, in a list at their index, unless the "
      + "options admit them; they are fields then.",
    source: [values, .document("Records.md", "Names")]
  ) { subject, choices in
    let question = choices.element(of: FieldQuestion.all)
    var settings = RecordSettings()
    settings.hasChildren = true
    settings.checks = choices.element(of: [nil, .off, .client, .server])
    settings.keepsExactDates = choices.flag()
    if question.isEncrypted { settings.encryptedKeys = ["field"] }
    let isRefused =
      switch question.guardedBy {
      case .checks: settings.checks != .off
      case .exactDates: !settings.keepsExactDates
      case .server: settings.checks == .server
      case .nothing: false
      case .all: true
      }
    let records: [Record]
    do {
      records = try question.encode(subject, settings)
    } catch {
      return isRefused && CodingFailure(encoding: error)?.path == question.path
        ? nil : .record("field.refused", "\(question.name) was refused, or elsewhere: \(error)")
    }
    guard !isRefused else { return .record("field.taken", "\(question.name) was taken") }
    let record = records.last
    let found = question.isEncrypted ? record?[encrypted: "field"] : record?["field"]
    return found?.kind == question.kind
      ? nil
      : .record(
        "field.kind",
        "\(question.name) is another field",
        expected: question.kind,
        actual: found ?? "nothing" as Any,
        between: nil,
        "the record that was encoded"
      )
  }

  /// Catches a zone that the server refuses long after the record was made.
  ///
  /// What a server has named is not asked again: it knows its names.
  ///
  ///     the zone            no tag      with a tag, or checks off
  ///     Z of o              taken       taken
  ///     _Z, "", U+00E9      refused     taken
  ///     256 characters      refused     taken
  ///     Z of ""             refused     taken
  static let zonesChecked = value(
    "record.zones-checked",
    "Bad zones are refused.",
    "A value whose system fields name a zone that none may be is refused as a whole, in words that name the zone, unless "
      + "nothing is checked or a server has given a change tag; a dry run lists it in any case.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    let bad = ["_Z", "", "\u{E9}", String(repeating: "n", count: 256)]
    let isBad = choices.flag()
    let zone = RecordZoneID(
      zoneName: isBad ? choices.element(of: bad) : choices.element(of: ["Z", "_defaultZone"]),
      ownerName: choices.flag(percent: 75) ? "o" : ""
    )
    let rule: RecordViolation.Rule? =
      switch (zone.ownerName, zone.zoneName) {
      case ("", _), (_, ""): .empty
      case (_, "_Z"): .firstCharacter
      case (_, "\u{E9}"): .character
      default: isBad ? .tooLong(limit: 255) : nil
      }
    var fields = RecordSystemFields(
      recordType: "Note",
      recordID: RecordID(recordName: "n", zoneID: zone)
    )
    let isNamed = choices.flag(percent: 30)
    if isNamed { fields.recordChangeTag = "t" }
    var note = OldNote(named: "n")
    note.cloudKitSystemFields = fields.archived()
    var settings = RecordSettings()
    settings.checks = choices.element(of: [nil, .off, .client, .server])
    let found = try subject.violations(of: note, for: .client, settings)
    let expected = rule.map { [RecordViolation(.zone(zone), $0)] } ?? []
    guard found == expected else {
      return .record(
        "zone.dry-run",
        "a dry run says otherwise of a zone",
        expected: expected,
        actual: found,
        between: nil,
        "what the dry run said"
      )
    }
    let isRefused = rule != nil && !isNamed && settings.checks != .off
    do {
      let record = try subject.encode(note, onto: nil, settings)
      return record.recordID.zoneID == zone && !isRefused
        ? nil
        : .record("zone.taken", "the zone '\(zone.zoneName)' of '\(zone.ownerName)' was taken")
    } catch {
      let words = "\(error)"
      return isRefused && CodingFailure(error) == nil && words.contains("'\(zone.zoneName)'")
        ? nil : .record("zone.refused", "the zone was refused, or without its name: \(words)")
    }
  }

  /// Catches a limit that is off by one: what was encoded is not read, or the stack ends the process.
  ///
  /// A thread with a small stack refuses earlier, at `parts` as well.
  ///
  ///     chapters within each other     encoded     read by itself
  ///     64 references                  64 more     the same value
  ///     65 references                  refused at `parts`
  static let childrenDeep = value(
    "record.children-deep",
    "Children have a depth.",
    "Records that refer to each other deeper than 64 are refused at the first reference too deep, and what is encoded is "
      + "read.",
    source: values,
    costs: 4
  ) { subject, choices in
    let count = choices.element(of: [1, 2, 33, 63, 64, 65, 66])
    var chapter = Chapter(cloudKitIdentifier: "c0", title: "", parts: [], cover: nil)
    for number in 0..<count {
      chapter = Chapter(
        cloudKitIdentifier: "c\(number + 1)",
        title: "\(number)",
        parts: [chapter],
        cover: nil
      )
    }
    var settings = RecordSettings()
    settings.hasChildren = true
    let records: [Record]
    do {
      records = try subject.encodeRecords(chapter, settings)
    } catch {
      let first = CodingFailure(encoding: error)?.path.first
      return count > 32 && first == .key("parts")
        ? nil : .record("deep.refused", "\(count) references deep is refused: \(error)")
    }
    guard count <= 64, let root = records.last, records.count == count + 1 else {
      return .record("deep.taken", "\(count) references deep gave \(records.count) records")
    }
    let zone = Dictionary(records.map { ($0.recordID, $0) }) { $1 }
    let back = try subject.decode(Chapter.self, from: root, RecordReadSettings()) { zone[$0] }
    return back.bare == chapter
      ? nil : .record("deep.differs", "\(count) references deep came back as another value")
  }

  /// Catches JSON whose depth ends the process: any app may write it.
  ///
  /// Worked example: a field with 100,000 opening brackets. Read by calls within calls it takes more stack than a
  /// thread has.
  ///
  ///     brackets            answer
  ///     up to 64            a list as deep
  ///     65 to 600           a list as deep, or refused below `part`: a thread may have a small stack
  ///     more                refused below `part`
  static let nestingRead = value(
    "record.nesting-read",
    "Deep JSON is read or refused.",
    "A field of JSON that nests up to 64 levels deep is read, also in a child; one of more than 600 is refused with a "
      + "`DecodingError` at its field or below it, and what lies between is either.",
    source: values,
    costs: 4
  ) { subject, choices in
    let depth = choices.element(of: [1, 31, 33, 64, 200, 498, 499, 500, 501, 502, 601, 10_000])
    let isWhole = choices.flag(percent: 80)
    var record = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "r0", zoneID: recordZone)
    )
    let text =
      String(repeating: "[", count: depth) + String(repeating: "]", count: isWhole ? depth : 0)
    record["part"] = .bytes(Data(text.utf8))
    // A child's field lies deeper than one of the value itself.
    let isChild = choices.flag()
    var parent = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "r1", zoneID: recordZone)
    )
    parent["child"] = .reference(RecordReference(recordID: record.recordID))
    do {
      let found =
        try isChild
        ? subject.decode(Deep.Parent.self, from: parent, RecordReadSettings()) { _ in record }.child
          .part.depth
        : subject.decode(Deep.Holder.self, from: record).part.depth
      return isWhole && depth <= 600 && found == depth
        ? nil : .record("nesting.read", "\(depth) brackets were read as \(found) levels")
    } catch {
      let first = CodingFailure(decoding: error)?.path.first
      return (depth > 64 || !isWhole) && first == .key(isChild ? "child" : "part")
        ? nil : .record("nesting.refused", "\(depth) brackets are refused, or elsewhere: \(error)")
    }
  }

  /// Catches what a log must not have: descriptions are printed, and content is the user's.
  ///
  ///     Note Notes/r0 with 2 fields       whatever the two hold
  static let wordsHide = value(
    "record.words-hide-content",
    "A record's words hold no content.",
    "The description of a record names its type, name and zone, an owner that is not the user, and how many fields it "
      + "has, and holds nothing of their keys and values.",
    source: .document("Records.md", "Values"),
    count: 70
  ) { subject, choices in
    var fields = choices.systemFields()
    fields.platformArchive = Data("secret".utf8)
    var record = Record(systemFields: fields)
    for key in ["secret", "secret2"] where choices.flag() { record[key] = .string("secret") }
    if choices.flag() { record[encrypted: "secret3"] = .string("secret") }
    let count = record.fields.count + record.encryptedFields.count
    let id = fields.recordID
    // As it is stored and read: what a subject makes of a record says no more.
    let words = try subject.record(of: subject.bytes(of: record)).description
    let expected =
      "\(fields.recordType) \(id.zoneID.ownerName)/\(id.zoneID.zoneName)/\(id.recordName) with \(count) fields"
    return words == expected
      ? nil
      : .record(
        "words.differ",
        "a record is described otherwise",
        expected: expected,
        actual: words,
        between: nil,
        "the description of the record"
      )
  }

  /// Catches a server that puts one type's record over another's, or counts a conflict as done.
  ///
  /// Worked example: two models give their values one identifier. Saved one after the other, the second would take the
  /// first one's place, and the device that reads the first finds another type.
  static let typeStays = value(
    "server.type-stays",
    "A record keeps its type.",
    "A save of another type under the name of a record is answered with that record by each policy, alone or beside "
      + "others, and changes nothing of it.",
    source: .document("Records.md", "The server")
  ) { subject, choices in
    let server = subject.server()
    let id = RecordID(recordName: "r0", zoneID: recordZone)
    var first = Record(recordType: "Note", recordID: id)
    first["field"] = .int64(1)
    guard case .done(let saved?)? = server.modify(RecordRequest(saving: [first])).outcomes[id]
    else {
      return .record("type.first", "the first save was refused")
    }
    var fields = RecordSystemFields(recordType: "Page", recordID: id)
    fields.recordChangeTag = saved.recordChangeTag
    var second = Record(systemFields: fields)
    second["field"] = .int64(2)
    var request = RecordRequest(saving: [second])
    request.policy = choices.element(of: RecordRequest.Policy.allCases)
    request.isAtomic = choices.flag()
    let other = RecordID(recordName: "r1", zoneID: recordZone)
    if choices.flag() { request.saving.append(Record(recordType: "Page", recordID: other)) }
    let answer = server.modify(request)
    guard answer.outcomes[id] == .changed(saved), server.fetch(id) == saved else {
      return .record(
        "type.changed",
        "a save of another type was answered otherwise, or changed the record",
        expected: "changed, \(saved.recordType)",
        actual: answer.outcomes[id].map { "\($0)" } ?? "no answer",
        between: nil,
        "what the server answered"
      )
    }
    let isStored = server.fetch(other) != nil
    return isStored == (request.saving.count > 1 && !request.isAtomic)
      ? nil
      : .record("type.other", "what the request saves besides is \(isStored ? "" : "not ")stored")
  }
}

/// A list of lists, as deep as its JSON says.
private struct Deep: Decodable {
  struct Holder: Decodable { let part: Deep }
  struct Parent: Decodable { let child: Child }

  struct Child: CustomCloudKitDecodable {
    var cloudKitSystemFields: Data? { nil }
    let part: Deep

    enum CodingKeys: CodingKey { case part }
  }

  let depth: Int

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    depth = list.isAtEnd ? 1 : 1 + (try list.decode(Deep.self).depth)
  }
}

/// A value with one field, and what an encode must make of it.
private struct FieldQuestion: Sendable {
  /// What decides whether the value is refused.
  enum Guard { case nothing, checks, server, exactDates, all }

  let name: String
  let encode: @Sendable (any RecordSubject, RecordSettings) throws -> [Record]
  let kind: RecordFieldKind
  let isEncrypted: Bool
  let guardedBy: Guard
  /// Where it is refused.
  let path: [PathKey]

  private init<Value: Encodable & Sendable>(
    _ name: String,
    _ value: Value,
    _ kind: RecordFieldKind,
    isEncrypted: Bool = false,
    guardedBy: Guard,
    below path: [PathKey] = []
  ) {
    self.name = name
    self.kind = kind
    self.isEncrypted = isEncrypted
    self.guardedBy = guardedBy
    self.path = [.key("field")] + path
    encode = { try $0.encodeRecords(OneField(field: value), $1) }
  }

  private struct OneField<Value: Encodable>: CustomCloudKitEncodable {
    var cloudKitSystemFields: Data? { nil }
    var cloudKitIdentifier: String { "one" }
    var cloudKitRecordType: String { "One" }
    let field: Value

    enum CodingKeys: CodingKey { case field }
  }

  private struct Nested: Encodable { let at: Date }

  static let all: [FieldQuestion] = secrets + zones + files + dates + numbers + optionals

  private static func reference(in zone: RecordZoneID = recordZone) -> RecordReference {
    RecordReference(recordID: RecordID(recordName: "r0", zoneID: zone))
  }

  private static let otherZone = RecordZoneID(zoneName: "Other")

  private static func picture(_ number: Int, in zone: RecordZoneID = recordZone) -> Picture {
    let id = RecordID(recordName: "p\(number)", zoneID: zone)
    let fields = RecordSystemFields(recordType: "Picture", recordID: id)
    return Picture(
      cloudKitSystemFields: fields.archived(),
      cloudKitIdentifier: id.recordName,
      caption: ""
    )
  }

  private static func kind(_ kind: RecordKind, isList: Bool = false) -> RecordFieldKind {
    RecordFieldKind(kind, isList: isList)
  }

  private static let secrets: [FieldQuestion] = [
    FieldQuestion(
      "an encrypted file",
      Sheet.file,
      kind(.asset),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted asset",
      RecordAsset(fileURL: Sheet.file),
      kind(.asset),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted list of assets",
      [RecordAsset(fileURL: Sheet.file)],
      kind(.asset, isList: true),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted reference",
      reference(),
      kind(.reference),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted list of references",
      [reference()],
      kind(.reference, isList: true),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted child",
      picture(0),
      kind(.reference),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted list of children",
      [picture(0), picture(1)],
      kind(.reference, isList: true),
      isEncrypted: true,
      guardedBy: .checks
    ),
    FieldQuestion(
      "an encrypted number",
      1,
      kind(.int64),
      isEncrypted: true,
      guardedBy: .nothing
    ),
  ]

  private static let zones: [FieldQuestion] = [
    FieldQuestion(
      "a reference to another zone",
      reference(in: otherZone),
      kind(.reference),
      guardedBy: .checks
    ),
    FieldQuestion(
      "a list with a reference to another zone",
      [reference(), reference(in: otherZone)],
      kind(.reference, isList: true),
      guardedBy: .checks,
      below: [.index(1)]
    ),
    FieldQuestion(
      "a child of another zone",
      picture(0, in: otherZone),
      kind(.reference),
      guardedBy: .checks
    ),
    FieldQuestion(
      "a list with a child of another zone",
      [picture(0), picture(1, in: otherZone)],
      kind(.reference, isList: true),
      guardedBy: .checks,
      below: [.index(1)]
    ),
  ]

  private static let missing = URL(fileURLWithPath: "/nowhere/file")

  private static let files: [FieldQuestion] = [
    FieldQuestion(
      "a list with a file that is not there",
      [Sheet.file, missing],
      kind(.asset, isList: true),
      guardedBy: .checks,
      below: [.index(1)]
    ),
    FieldQuestion(
      "a list of a file and another URL",
      [Sheet.file] + [URL(string: "a:b")].compactMap(\.self),
      kind(.asset, isList: true),
      guardedBy: .all,
      below: [.index(1)]
    ),
  ]

  private static let numbers: [FieldQuestion] = [
    FieldQuestion(
      "a number without an end",
      Double.infinity,
      kind(.double),
      guardedBy: .server
    ),
    FieldQuestion("a float that is no number", Float.nan, kind(.double), guardedBy: .server),
    FieldQuestion(
      "a list with a number without an end",
      [0, -Double.infinity],
      kind(.double, isList: true),
      guardedBy: .server,
      below: [.index(1)]
    ),
  ]

  // As generic models encode them, which do not know that the value is an optional.
  private static let optionals: [FieldQuestion] = [
    FieldQuestion("an optional file", Optional(Sheet.file), kind(.asset), guardedBy: .nothing),
    FieldQuestion(
      "an optional file that is not there",
      Optional(missing),
      kind(.asset),
      guardedBy: .checks
    ),
    FieldQuestion("an optional URL", URL(string: "a:b"), kind(.string), guardedBy: .nothing),
    FieldQuestion(
      "an optional number without an end",
      Optional(Double.infinity),
      kind(.double),
      guardedBy: .server
    ),
  ]

  private static let dates: [FieldQuestion] = [1e300, -1e300, .infinity, .nan].flatMap { seconds in
    let date = Date(timeIntervalSince1970: seconds)
    let list = [Date(timeIntervalSince1970: 0), date]
    return [
      FieldQuestion("a date of \(seconds) s", date, kind(.timestamp), guardedBy: .exactDates),
      FieldQuestion(
        "a list with a date of \(seconds) s",
        list,
        kind(.timestamp, isList: true),
        guardedBy: .exactDates,
        below: [.index(1)]
      ),
      // JSON has no number for what has no end.
      FieldQuestion(
        "a nested date of \(seconds) s",
        Nested(at: date),
        kind(.bytes),
        guardedBy: seconds.isFinite ? .exactDates : .all,
        below: [.key("at")]
      ),
    ]
  }
}
