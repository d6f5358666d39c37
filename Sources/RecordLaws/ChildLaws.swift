import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of values that are several records (`Chapter`), and of what a caller asks of a decode:
// missing records, depth, unknown cases, and a base that is another record's.

extension RecordLaw {
  /// Laws of values that are several records, and of what a caller asks of a decode.
  static let childLaws: [RecordLaw] = [
    children, backReferences, missingChildren, unknownCases, baseRefused,
  ]

  private static let values = LawSource.document("Records.md", "Values")

  /// Any chapter; names count from c0, which is the root's.
  private static func chapter(_ choices: inout Choices) -> Chapter {
    var count = 0
    return Chapter(&choices, count: &count)
  }

  /// With children, and perhaps another action than the type's for either key.
  ///
  ///     key       by its type      by the caller, in one of two samples
  ///     parts     none             none, or deleteSelf
  ///     cover     deleteSelf       none, or deleteSelf
  ///
  /// `.some(.none)` is the action of that name. A plain `.none` would be the `nil` of the dictionary,
  /// and the caller would have asked for nothing.
  private static func settings(_ choices: inout Choices) -> RecordSettings {
    var settings = RecordSettings()
    settings.hasChildren = true
    if choices.flag() { settings.actions["parts"] = choices.flag() ? .deleteSelf : .some(.none) }
    if choices.flag() { settings.actions["cover"] = choices.flag() ? .deleteSelf : .some(.none) }
    return settings
  }

  /// Catches records that a server refuses, since what they refer to comes later, and a child that is
  /// saved twice or deleted with the wrong one.
  ///
  /// Worked example: chapters c1 and c2 have the picture p0. It must be one record, before both;
  /// `record-children-last` gives the chapter first, and a server refuses its reference.
  ///
  /// Of the depth: with a limit of 2 a root whose part has a picture is read, since c0 -> c1 -> p0
  /// is two references deep. c0 -> c1 -> c2 -> p0 is three deep and is refused at `parts`. With a
  /// limit of 0 only a chapter without parts and cover is read.
  ///
  /// In most samples a limit is beside what the chapter has, so that the last reference is one that is just taken or
  /// just refused. A refusal for a limit is `dataCorrupted`: no record is missing, whichever call reads them, and
  /// a caller who takes `nil` for a missing record gets none for what is too deep.
  ///
  /// By fetching, p0 is asked for once although c1 and c2 have it: a second request throws, and the
  /// law counts that as a refusal. A decoder that asks once for each reference would turn one
  /// picture of a hundred chapters into a hundred requests.
  static let children = value(
    "record.children",
    "Children are records of their own.",
    "A value whose children are records gives each of them once, targets before those that refer to them and the "
      + "value's own last; their fields are those that the rules say, a server takes them, and the value comes back, "
      + "also by fetching each record once, unless references are deeper within each other than allowed, or more in all.",
    source: values,
    count: 140
  ) { subject, choices in
    // Drawn before the chapter, so that shrinking the chapter leaves them alone.
    let settings = settings(&choices)
    let chapter = chapter(&choices)
    let records = try subject.encodeRecords(chapter, settings)
    let expected = chapter.fields(settings.actions)
    // Four questions in turn: which records, in which order, with which fields, and whether a
    // server takes them.
    let ids = records.map(\.recordID)
    guard Set(ids) == Set(expected.keys), ids.count == expected.count else {
      return .record(
        "children.ids",
        "there are other records",
        expected: expected.keys.map(\.recordName).sorted(),
        actual: ids.map(\.recordName),
        between: nil,
        "the records that were encoded"
      )
    }
    guard ids.last?.recordName == chapter.cloudKitIdentifier else {
      return .record(
        "children.last",
        "the value's own record is not the last",
        actual: ids,
        between: nil,
        "the records that were encoded"
      )
    }
    var known: Set<RecordID> = []
    for record in records {
      known.insert(record.recordID)
      if let early = record.references.first(where: { !known.contains($0.recordID) }) {
        return .record(
          "children.order",
          "\(record.recordID) refers to \(early.recordID), which comes later"
        )
      }
      guard record.fields != expected[record.recordID] else { continue }
      return .record(
        "children.fields",
        "\(record.recordID) has other fields than the rules say",
        expected: expected[record.recordID] as Any,
        actual: record.fields,
        between: "the fields that the rules give",
        "the record that was encoded"
      )
    }
    let server = subject.server()
    let answer = server.modify(RecordRequest(saving: records))
    guard answer.isDone, let id = ids.last, let root = server.fetch(id) else {
      return .record(
        "children.refused",
        "the server refused them: \(answer.outcomes.count) outcomes"
      )
    }
    // What is read below is what the server has, not what was sent.
    let zone = Dictionary(server.all().map { ($0.recordID, $0) }) { $1 }
    var reading = RecordReadSettings()
    reading.depthLimit = limit(near: chapter.depth, &choices)
    let isFetching = choices.flag()
    reading.recordLimit = limit(near: chapter.referenceCount, &choices)
    reading.danglingIsNil = choices.flag()
    let (deepest, most) = (reading.depthLimit ?? 64, reading.recordLimit ?? .max)
    let isAdmitted = chapter.depth <= deepest && chapter.referenceCount <= most
    do {
      let back = try read(root, reading, by: isFetching, from: zone, subject)
      guard isAdmitted else {
        return .record(
          "children.deep",
          "references came back that are deeper within each other than allowed, or more in all",
          expected: "at most \(deepest) deep, \(most) in all",
          actual: "\(chapter.depth) deep, \(chapter.referenceCount) in all",
          between: nil,
          "the value that was decoded"
        )
      }
      guard back.bare != chapter else { return nil }
      return .record(
        "children.differ",
        "another value came back",
        expected: chapter,
        actual: back.bare,
        between: "the value that was encoded",
        "the value that was decoded"
      )
    } catch {
      let failure = CodingFailure(decoding: error)
      guard !isAdmitted, ["parts", "cover"].contains(failure?.path.first?.stringValue) else {
        return .record("children.read", "the value was refused: \(error)")
      }
      guard failure?.kind != .dataCorrupted else { return nil }
      return .record("children.told", "what is beyond a limit is refused otherwise: \(error)")
    }
  }

  /// A limit beside the size of what it limits, in one of four samples none: the size itself is the simplest, and two
  /// of five are one less, the greatest that refuses.
  private static func limit(near size: Int, _ choices: inout Choices) -> Int? {
    let isLimited = choices.index(below: 4) > 0
    let limits = [size, size - 1, size + 1, 0, size - 1]
    let limit = max(0, choices.element(of: limits))
    return isLimited ? limit : nil
  }

  /// Catches a value's own record that is not known while its children are encoded: it is given twice, and a server
  /// refuses the request.
  ///
  /// Worked example: part c1 of c0 has a part whose record is c0 again, as a child that knows its parent has. There are
  /// two records, and c1 refers to c0.
  static let backReferences = value(
    "record.back-references",
    "A child refers to what it is within.",
    "A child that has the value itself, or a record around it, as its own child refers to that record, which is given "
      + "once, with its own fields.",
    source: values,
    count: 100
  ) { subject, choices in
    let settings = settings(&choices)
    var chapter = chapter(&choices)
    var expected = chapter.fields(settings.actions)
    guard let (from, to) = chapter.referringBack(&choices) else {
      throw Skipped("the chapter has no parts")
    }
    if case .list(.references(let parts))? = expected[from]?["parts"] {
      let back = RecordReference(recordID: to, action: settings.actions["parts"] ?? .none)
      expected[from]?["parts"] = .list(.references(parts + [back]))
    }
    let records = try subject.encodeRecords(chapter, settings)
    let ids = records.map(\.recordID)
    guard Set(ids) == Set(expected.keys), ids.count == expected.count else {
      return .record(
        "back.ids",
        "there are other records, or one twice",
        expected: expected.keys.map(\.recordName).sorted(),
        actual: ids.map(\.recordName),
        between: nil,
        "the records that were encoded"
      )
    }
    for record in records where record.fields != expected[record.recordID] {
      return .record(
        "back.fields",
        "\(record.recordID) has other fields than the rules say",
        expected: expected[record.recordID] as Any,
        actual: record.fields,
        between: "the fields that the rules give",
        "the record that was encoded"
      )
    }
    return nil
  }

  /// A chapter of a record and others, which are looked up, or fetched one by one.
  private static func read(
    _ root: Record,
    _ settings: RecordReadSettings,
    by isFetching: Bool,
    from zone: [RecordID: Record],
    _ subject: any RecordSubject
  ) throws -> Chapter {
    guard isFetching else {
      return try subject.decode(Chapter.self, from: root, settings) { zone[$0] }
    }
    let asked = Fetched()
    return try subject.decode(Chapter.self, from: root, settings) { id in
      try await asked.note(id)
      return zone[id]
    }
  }

  /// A source that is asked for records one by one.
  private actor Fetched {
    /// A record was asked for twice.
    struct Repeated: Error { let id: RecordID }

    private var ids: Set<RecordID> = []

    /// Notes that a record was asked for.
    ///
    /// - Throws: ``Repeated`` if the record was asked for before, which the law counts as a refusal
    ///   of the coder.
    func note(_ id: RecordID) throws {
      guard ids.insert(id).inserted else { throw Repeated(id: id) }
    }
  }

  /// Any device may have deleted a child, and any app may have written a circle.
  ///
  /// One record is taken out of the zone, or the root refers to itself. Two cases may be read all
  /// the same: the root itself is the one that is gone, which nothing looks up, and a picture is
  /// gone where `nil` was asked for. The limit of depth is 64 unless the caller sets one.
  ///
  /// Worked example: picture p0 was deleted by another device. By default the chapter is refused at
  /// `cover`; with `danglingIsNil` it comes back without a cover. A missing part is refused in
  /// either case: a list has no `nil`.
  ///
  ///     what is gone                    by itself     with `danglingIsNil`
  ///     a part                          refused       refused
  ///     a picture                       refused       nil
  ///     the root                        read          read
  ///     nothing: the root is its part   refused       refused
  ///
  /// Worked example: `record-dangling-is-nil` gives `nil` to a caller who did not ask for it. The app
  /// shows a chapter without a cover, and its next save clears the reference for all devices.
  ///
  /// A circle has no end: a decoder without a limit of depth asks for ever or overflows its stack,
  /// and the case ends in `subject.answers`.
  static let missingChildren = value(
    "record.children-missing",
    "Missing children are refused or nil.",
    "A reference that leads nowhere is refused at its place, or nil where the caller asked for that and the property "
      + "may be; references in a circle, or deeper than allowed, are refused.",
    source: values,
    count: 140
  ) { subject, choices in
    var settings = RecordReadSettings()
    settings.danglingIsNil = choices.flag()
    let limit = choices.flag(percent: 30) ? choices.index(below: 4) : nil
    let chapter = chapter(&choices)
    // Beside the chapter's own depth, which the greatest reference has.
    settings.depthLimit = limit.map { max(0, [chapter.depth, chapter.depth - 1, 0, 1][$0]) }
    let records = try subject.encodeRecords(chapter, RecordLaw.settings(&choices))
    // The value's own record, which `record.children` holds to be the last.
    guard var root = records.last else { return .record("children.none", "there is no record") }
    var zone = Dictionary(records.map { ($0.recordID, $0) }) { $1 }
    let isCircle = choices.flag(percent: 30)
    let lost = choices.element(of: records).recordID
    if isCircle {
      // The shortest circle: a chapter that is its own part.
      root["parts"] = .list(.references([RecordReference(recordID: root.recordID)]))
      zone[root.recordID] = root
    } else if lost != root.recordID {
      zone[lost] = nil
    }
    let lostPictures = Set(lost.recordName.hasPrefix("p") && !isCircle ? [lost.recordName] : [])
    // The root is handed over, not looked up: that the zone lacks it does no harm.
    let isWhole = !isCircle && lost == root.recordID
    let expected = chapter.without(pictures: lostPictures)
    let isAdmitted =
      (isWhole || settings.danglingIsNil && !lostPictures.isEmpty)
      && expected.depth <= settings.depthLimit ?? 64
    do {
      let back = try read(root, settings, by: choices.flag(), from: zone, subject)
      guard isAdmitted, back.bare == expected else {
        return .record(
          "missing.read",
          "a value came back that is not the one without what is missing",
          expected: isAdmitted ? "\(expected)" : "a refusal",
          actual: back.bare,
          between: nil,
          "the value that was decoded"
        )
      }
      return nil
    } catch {
      let first = CodingFailure(decoding: error)?.path.first?.stringValue
      guard isAdmitted || first != "parts" && first != "cover" else { return nil }
      return .record(
        isAdmitted ? "missing.refused" : "missing.path",
        "the refusal is wrong, or says another place: \(error)",
        expected: isAdmitted ? "no refusal" : "a path below 'parts' or 'cover'",
        between: nil,
        "the refusal of the coder"
      )
    }
  }

  /// Catches a fallback that hides from a caller who asked for it what another version wrote.
  ///
  /// Worked example: sky "green" is `unknown` by itself, and refused at `sky` with
  /// `refusesUnknownCases`.
  ///
  ///     sky         wind     by itself           with `refusesUnknownCases`
  ///     "grey"      9        grey, storm         grey, storm
  ///     "green"     3        unknown, calm       refused at `sky`
  ///     "grey"      12       grey, calm          refused at `wind`
  ///     "Clear"     0        unknown, calm       refused at `sky` or `wind`
  ///
  /// `record-fallback-forced` reads the third column whatever was asked. "Clear" differs from a
  /// case in one letter's size alone, and 0 is what a number that is missing is often read as.
  static let unknownCases = value(
    "record.unknown-cases",
    "Unknown cases fall back or are refused.",
    "A raw value that an enumeration lacks is decoded as the type's fallback, or refused at its key where the caller "
      + "asked for that; one that it has is decoded as that case.",
    source: values
  ) { subject, choices in
    var settings = RecordReadSettings()
    settings.refusesUnknownCases = choices.flag()
    let sky = choices.element(of: ["clear", "grey", "green", "", "Clear"])
    let wind = choices.element(of: [3, 9, 0, -1, 12])
    var record = Record(
      recordType: "Weather",
      recordID: RecordID(recordName: "w", zoneID: recordZone)
    )
    record["sky"] = .string(sky)
    record["wind"] = .int64(Int64(wind))
    let (knownSky, knownWind) = (Weather.Sky(rawValue: sky), Weather.Wind(rawValue: wind))
    // Either key may be the one that a refusal names: which is looked at first is the type's own
    // order.
    let unknownKeys = [knownSky == nil ? "sky" : nil, knownWind == nil ? "wind" : nil]
      .compactMap(\.self)
    do {
      let back = try subject.decode(Weather.self, from: record, settings)
      guard !settings.refusesUnknownCases || unknownKeys.isEmpty else {
        return .record(
          "case.taken",
          "an unknown case was taken: '\(sky)', \(wind)",
          actual: back,
          between: nil,
          "the value that was decoded"
        )
      }
      guard back.sky == knownSky ?? .unknown, back.wind == knownWind ?? .calm else {
        return .record(
          "case.other",
          "'\(sky)', \(wind) were decoded as others",
          actual: back,
          between: nil,
          "the value that was decoded"
        )
      }
      return nil
    } catch {
      let path = CodingFailure(decoding: error)?.path.first?.stringValue
      guard settings.refusesUnknownCases, let path, unknownKeys.contains(path) else {
        return .record("case.refused", "the refusal of '\(sky)', \(wind) is wrong: \(error)")
      }
      return nil
    }
  }

  /// Catches a base that belongs to another record: a save would write the value over that one.
  ///
  /// And an old tag that goes before the fetched one: the server refuses the save, however often the record is
  /// fetched.
  ///
  /// Worked example: a list shows notes n0 and n1, and the app takes n1's record as the base for
  /// n0. Encoded, n0's text has n1's name and tag, and a save puts it over n1
  /// (`record-base-ignored`).
  ///
  ///     the value's record     the base             an encode gives
  ///     never saved            n1, tag t1           a record n1 with tag t1
  ///     n0, tag t0             n0, tag t1           n0 with tag t1, the one that was fetched
  ///     n0, tag t0             n0, no tag           n0 without a tag
  ///     n0 of zone Z0          n0 of zone Z1        a refusal; other owners are other zones, too
  ///     n0 of type Note        n0 of type Other     a refusal
  static let baseRefused = value(
    "record.base-refused",
    "Another record's base is refused.",
    "A value is encoded onto a record of its own name, zone and type, whose change tag it then has, and onto no other; "
      + "a value that never was a record takes the identity of one of its type.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    // Two names, two zones, two owners, and Note in three of four: two draws are one record in 8 of
    // 100 samples, and often differ in one part alone.
    func fields() -> RecordSystemFields {
      RecordSystemFields(
        recordType: choices.flag(percent: 75) ? "Note" : "Other",
        recordID: RecordID(
          recordName: "n\(choices.index(below: 2))",
          zoneID: RecordZoneID(
            zoneName: "Z\(choices.index(below: 2))",
            ownerName: "o\(choices.index(below: 2))"
          )
        )
      )
    }
    let isNew = choices.flag(percent: 30)
    let (own, other) = (fields(), fields())
    // Each was fetched at a time of its own; a record may have moved on since.
    func tagged(_ fields: RecordSystemFields) -> RecordSystemFields {
      var tagged = fields
      if choices.flag() { tagged.recordChangeTag = "t\(choices.index(below: 3))" }
      return tagged
    }
    let (archived, fetched) = (tagged(own), tagged(other))
    var note = OldNote(named: own.recordID.recordName)
    note.title = "a"
    if !isNew { note.cloudKitSystemFields = archived.archived() }
    let base = Record(systemFields: fetched)
    // A new note has no identity yet, and takes that of any record of its type.
    let isRight = (isNew || own == other && own.recordType == "Note") && other.recordType == "Note"
    guard let record = try? subject.encode(note, onto: base) else {
      return isRight
        ? .record("base.refused", "the value's own record was refused as a base") : nil
    }
    guard isRight else {
      return .record(
        "base.taken",
        "a value of \(own.recordID) was encoded onto \(other.recordID)",
        actual: record.description,
        between: nil,
        "the record that was encoded"
      )
    }
    return record.systemFields == fetched
      ? nil
      : .record(
        "base.identity",
        "the record is not that of its base",
        actual: record,
        between: nil,
        "the record that was encoded"
      )
  }
}

extension Chapter {
  /// The chapter with some pictures gone.
  fileprivate func without(pictures: Set<String>) -> Chapter {
    var chapter = self
    chapter.parts = parts.map { $0.without(pictures: pictures) }
    if let cover, pictures.contains(cover.cloudKitIdentifier) { chapter.cover = nil }
    return chapter
  }
}
