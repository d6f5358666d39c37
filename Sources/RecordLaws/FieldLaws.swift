import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of single fields (hostile content, numbers, kinds, keys, places, size), and what a server
// holds a field and a request to. A server that is laxer than a real one would hide what a coder
// does wrong: hence `server.*` here.

extension RecordLaw {
  /// Laws of single fields, of rules, and of what a server refuses.
  static let fieldLaws: [RecordLaw] = [
    hostileTyped, numbersExact, kindByType, keysGuarded, keysEscaped, onePlaceOneValue, sizeGuarded,
    kindFixed, requestLimited, referencesLimited, forcedSaveMerges, repeatable,
  ]

  private static let values = LawSource.document("Records.md", "Values")
  private static let server = LawSource.document("Records.md", "The server")

  /// Any app may write into a shared zone.
  ///
  /// Catches traps, and errors that do not say at which key.
  /// Misses wrong values; which number fits where is asked by `record.numbers-exact`.
  ///
  /// Worked example: `{"small": 300}` for an `Int8`, `{"date": "x"}`, `{"range": bytes of "[[[["}`.
  /// Each must be an error at `small`, `date`, `range`. `record-paths-dropped` throws without a
  /// path: the app can only say "damaged".
  ///
  ///     what a decode does                              verdict
  ///     gives a value                                   held: which one is left to other laws
  ///     refuses at `small`, or below it                 held
  ///     refuses without a key, a type decoding by hand  held
  ///     refuses at index 0                              `hostile.path`: a record has keys, no indices
  ///     throws any other error                          `hostile.untyped`
  ///     traps                                           `subject.answers`
  static let hostileTyped = value(
    "record.hostile-typed",
    "Hostile records are refused where they stand.",
    "A record with any kinds under any keys decodes, or gives a "
      + "`DecodingError` whose path begins with one of its type's keys, or, where a type decodes by hand, with any "
      + "key or none.",
    source: values,
    count: 640
  ) { subject, choices in
    try choices.element(of: HostileProbe.all).answer(subject, &choices).difference
  }

  /// Catches `Int(double)` and its like, which trap or cut, and floats that are rounded in silence.
  ///
  /// Worked example: `record-floats-rounded` reads 1.5 as 2; `record-any-number-is-boolean` reads 2
  /// as true.
  ///
  ///     the field           Int8        UInt64      Double      Bool
  ///     INT64 300           refused     300         300.0       refused
  ///     INT64 -1            -1          refused     -1.0        refused
  ///     INT64 2^53 + 1      refused     itself      refused     refused
  ///     DOUBLE 2.0          2           2           2.0         refused
  ///     DOUBLE 1.5          refused     refused     1.5         refused
  ///     DOUBLE NaN          refused     refused     NaN         refused
  ///
  /// Nested, the same number is asked as every type. The decimal of a float is seldom exact, so
  /// that a `Float` is the nearest one there.
  ///
  ///     the JSON            Int8        Double      Float       Bool
  ///     300                 refused     300.0       300.0       refused
  ///     0.1                 refused     0.1         0.1         refused
  ///     1e39                refused     1e39        refused     refused
  ///
  /// Worked example: 1e39 is beyond the greatest `Float`. Without a look at what came of it, it is
  /// infinite, and the next save stores another number than the one that was read.
  static let numbersExact = value(
    "record.numbers-exact",
    "Numbers fit or are refused.",
    "A number field gives a property the number that it holds, or a `DecodingError` at its "
      + "key; never a rounded or cut one, and only 0 and 1 are booleans; in nested JSON no number "
      + "is a boolean, and a float is the nearest one, or refused if that is infinite.",
    source: values,
    of: Generator { choices -> RecordValue in
      // Both, whichever is taken: a stored case depends on the order of draws.
      let (isInteger, integer, double) = (choices.flag(), choices.integer(), choices.double())
      return isInteger ? .int64(integer) : .double(double)
    }
  ) { subject, number, choices in
    var record = Record(recordType: "Note", recordID: RecordID(recordName: "r0"))
    record["number"] = number
    let probe = choices.element(of: NumberProbe.all)
    let found = inexact("\(number) as \(probe.name)", probe.ofField(number), at: [.key("number")]) {
      try probe.decode(subject, record)
    }
    // JSON has no word for infinity, nor for what is no number.
    guard found == nil, let json = NumberProbe.json(of: number) else { return found }
    record = Record(recordType: "Note", recordID: RecordID(recordName: "r0"))
    record["part"] = .bytes(Data(#"{"number":\#(json)}"#.utf8))
    // As every type: most numbers are a question to one or two of them.
    for probe in NumberProbe.all {
      let found = inexact(
        "\(json) in nested JSON as \(probe.name)",
        probe.ofNested(number),
        at: [.key("part"), .key("number")]
      ) { try probe.decodeNested(subject, record) }
      if let found { return found }
    }
    return nil
  }

  /// What is wrong with a number that a decode gives, or with how it is refused.
  ///
  /// `expected`: The number as text; `nil` where it must be refused.
  private static func inexact(
    _ question: String,
    _ expected: String?,
    at path: [PathKey],
    _ decode: () throws -> String
  ) -> Difference? {
    var actual: String?
    do {
      actual = try decode()
    } catch {
      guard CodingFailure(decoding: error)?.path == path else {
        return .record("number.path", "\(question): \(error)")
      }
    }
    guard actual != expected else { return nil }
    return .record(
      "number.inexact",
      question,
      expected: expected ?? "a refusal",
      actual: actual ?? "a refusal",
      between: nil,
      "the number that was decoded"
    )
  }

  /// A server fixes a field's kind with the first save.
  ///
  /// Catches an empty list that becomes a list without kind, and a whole number that is stored as
  /// an integer.
  ///
  /// Worked example: `tags: []` becomes a list of nothing, the first device saves it, and every
  /// later save of `tags: ["a"]` is refused: for ever, as no server lets a field change its kind.
  ///
  ///     the value        field `tags`       field `links`
  ///     nil              none               none
  ///     []               LIST<STRING>       BYTES
  ///     one element      LIST<STRING>       BYTES
  ///
  /// `record-empty-structs-list` makes a list of `links: []`, as CloudKitCodable does.
  static let kindByType = value(
    "record.kind-by-type",
    "Types decide kinds.",
    "A property gives a field of one kind for all its values, an empty list as a full one.",
    source: values,
    of: Generator { [$0.note(), $0.note()] }
  ) { subject, notes, _ in
    let base = Record(recordType: "Note", recordID: RecordID(recordName: "r0", zoneID: recordZone))
    let first = try subject.encode(notes[0], onto: base)
    let second = try subject.encode(notes[1], onto: base)
    // Only keys that both records have: nil has no kind, and gives none.
    for key in first.allKeys() {
      guard let kind = first[key]?.kind, let other = second[key]?.kind, kind != other else {
        continue
      }
      return .record(
        "kind.flips",
        "'\(key)' changes its kind",
        expected: kind,
        actual: other,
        between: "the field of one value",
        "the field of another value"
      ).ofPeers()
    }
    return nil
  }

  /// Catches keys that the server would refuse long after the app was shipped, and rules that
  /// refuse good ones.
  ///
  /// Worked example: `1a` begins with a digit, `recordID` is the record's own, `"\u{E9}"` is no
  /// ASCII letter.
  ///
  ///     taken       a, a1_, Z
  ///     refused     1a, _a, the empty key         no letter comes first
  ///     refused     "a b", a-b, U+00E9            another character
  ///     refused     recordID, share, etag         a record or its server has it already
  ///
  /// A second spelling without a word would be no help: `record-keys-escaped` writes `1a` under a
  /// key that no other reader of the record looks for.
  static let keysGuarded = value(
    "record.keys-guarded",
    "Bad keys are refused.",
    "A key that no server takes is an `EncodingError` at that key, and any other is "
      + "written as it is.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    let known = [
      "a", "a1_", "recordID", "1a", "_a", "a b", "", "share", "\u{E9}", "Z", "etag", "a-b",
    ]
    let key = choices.flag() ? choices.element(of: known) : choices.text()
    let value = OneKey(key: key)
    let isLegal = isLegal(key)
    do {
      let record = try subject.encode(value, onto: nil)
      guard isLegal else { return .record("key.taken", "the key '\(key)' was taken") }
      return record[key] == .int64(1) ? nil : .record("key.lost", "'\(key)' was not written")
    } catch {
      guard !isLegal else { return .record("key.refused", "'\(key)' was refused: \(error)") }
      guard CodingFailure(encoding: error)?.path == [.key(key)] else {
        return .record("key.path", "the refusal of '\(key)' says otherwise: \(error)")
      }
      return nil
    }
  }

  /// Catches two texts with one spelling, and a spelling that is not read as what it was.
  ///
  /// Worked example: if `"="` is spelled `x_3d`, the text `"x_3d"` needs another spelling, or two
  /// properties share a field.
  ///
  ///     "a"        a             legal, and as it is
  ///     "="        x__3d         no letter or digit: two digits
  ///     "share"    x_share       legal letters, and a key of the record's own
  ///     "x_3d"     x_x_5f3d      legal, but begins as a spelling does
  ///     ""         x_
  ///
  /// `record-spelled-keys-unread` gives the second column back where the first was encoded.
  static let keysEscaped = value(
    "record.keys-escaped",
    "Any key can be spelled.",
    "Where keys are spelled so that they may stand, any text is the key of one field, a legal key as it is unless it "
      + "begins as a spelling does, any other by its letters and digits as they are and all other bytes in hexadecimal, and "
      + "is read as it was; two texts are never one.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    // 30 of 100 begin with one of these; most of these are spellings or the beginnings of one.
    func text() -> String {
      let plain = choices.flag(percent: 30) ? choices.element(of: ["x_", "x_61", "x__", "a"]) : ""
      var scalars = String.UnicodeScalarView()
      for _ in 0..<choices.number(in: 0...3) {
        scalars.append(Unicode.Scalar(UInt8(choices.number(in: 0...127))))
      }
      return plain + String(scalars) + (choices.flag(percent: 30) ? choices.text() : "")
    }
    let texts = [text(), text()]
    var settings = RecordSettings()
    settings.escapesKeys = true
    if choices.flag() { settings.encryptedKeys = Set(texts) }
    var reading = RecordReadSettings()
    reading.escapesKeys = true
    var spelled: [String] = []
    for text in texts {
      let record = try subject.encode(OneKey(key: text), onto: nil, settings)
      let keys = Array(record.fields.keys) + record.encryptedFields.keys
      guard let key = keys.first, keys.count == 1, isLegal(key) else {
        return .record(
          "spelling.illegal",
          "'\(text)' is no legal key",
          actual: keys,
          between: nil,
          "the record that was encoded"
        )
      }
      guard key == spelling(text) else {
        return .record("spelling.changed", "'\(text)' became '\(key)', not '\(spelling(text))'")
      }
      let read = try subject.decode(KeyList.self, from: record, reading).keys
      guard read.count == 1, read.first?.utf8.elementsEqual(text.utf8) == true else {
        return .record(
          "spelling.read",
          "'\(text)' is read otherwise",
          actual: read.sorted(),
          between: nil,
          "the keys that were decoded"
        )
      }
      guard try subject.decode(OneKeyValue.self, from: record, reading).number == 1 else {
        return .record("spelling.value", "what stands under '\(text)' is not read")
      }
      spelled.append(key)
    }
    let isSame = texts[0].utf8.elementsEqual(texts[1].utf8)
    return (spelled[0] == spelled[1]) == isSame
      ? nil
      : .record(
        "spelling.shared",
        "two texts are spelled alike",
        actual: spelled,
        between: nil,
        "the keys that were encoded"
      )
  }

  /// The key of a text: itself, or `x_` and its bytes, all but ASCII letters and digits as `_` and two digits.
  private static func spelling(_ text: String) -> String {
    if isLegal(text), !text.hasPrefix("x_") { return text }
    return text.utf8.reduce(into: "x_") { key, byte in
      let text = String(Unicode.Scalar(byte))
      let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16)
      key += text.contains(/[A-Za-z0-9]/) ? text : "_" + digits
    }
  }

  /// Whether a server takes a key.
  ///
  /// A pattern of the law's own: `RecordNames` is what the coder asks, and a mistake there must
  /// show.
  private static func isLegal(_ key: String) -> Bool {
    key.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/.asciiOnlyDigits()) != nil && !isReserved(key)
  }

  /// Catches the second of two values that silently replaces the first.
  ///
  /// Worked example: `TwoFaced([.value, .value])` encodes 1 twice in one place: the first is lost
  /// without a sign.
  ///
  ///     [.value]                    taken
  ///     [.keyed, .keyed]            taken: the second request goes on in the first one's container
  ///     [.value, .value]            refused at `nested`
  ///     [.keyed, .unkeyed]          refused at `nested`
  ///
  /// `record-places-unguarded` refuses as well, but at the root: the author does not learn which
  /// property of the model is at fault.
  static let onePlaceOneValue = value(
    "record.one-place",
    "One place holds one value.",
    "A nested value that puts a value where another one or a container stands, or asks for containers of two kinds in one "
      + "place, is refused at its key; what has a place of its own is stored.",
    source: values
  ) { subject, choices in
    let parts = (0..<choices.number(in: 1...3)).map { _ in
      choices.element(of: TwoFaced.Part.allCases)
    }
    // Containers of one kind go on where they were.
    let isLegal = parts.count == 1 || Set(parts).count == 1 && parts[0] != .value
    let value = TwoFaced.Holder(nested: TwoFaced(parts: parts))
    do {
      let record = try subject.encode(value, onto: nil)
      guard isLegal, record["nested"] != nil else {
        return .record(
          "place.taken",
          "two values stand in one place: \(parts)",
          actual: record,
          between: nil,
          "the record that was encoded"
        )
      }
      return nil
    } catch {
      return !isLegal && CodingFailure(encoding: error)?.path == [.key("nested")]
        ? nil : .record("place.refused", "\(parts) were refused, or elsewhere: \(error)")
    }
  }

  /// Keys that a record of CloudKit has as properties, or its server as fields.
  private static func isReserved(_ key: String) -> Bool {
    [
      "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
      "creatorUserRecordID", "lastModifiedUserRecordID", "parent", "share", "etag",
      "modifiedByDevice", "encryptedValues", "changedKeys", "allKeys",
    ].contains(key)
  }

  /// Holds the server of the other laws to what a real one does; a laxer one would hide faults of
  /// the coder.
  ///
  /// Worked example: a list of texts over a text, an empty list of numbers over an empty list of
  /// texts.
  ///
  ///     first saved         saved then             the answer
  ///     "a"                 "a"                    done
  ///     1                   1.0                    refused: INT64 is not DOUBLE
  ///     "a"                 LIST<STRING> ["a"]     refused
  ///     LIST<STRING> []     LIST<STRING> ["a"]     done
  ///     LIST<STRING> []     LIST<INT64> []         refused, although both are empty
  static let kindFixed = value(
    "server.kind-fixed",
    "A field keeps its kind.",
    "A server refuses a field of another kind than it was first saved with, a list of "
      + "another kind included, keeps what it has, and tells the kinds that it has fixed.",
    source: server
  ) { subject, choices in
    let server = subject.server()
    var record = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "r0", zoneID: recordZone)
    )
    record["field"] = .list(.empty)
    guard !server.modify(RecordRequest(saving: [record])).isDone, server.all().isEmpty else {
      return .record(
        "kind.none",
        "an empty list of no kind was taken for the first value of a field"
      )
    }
    record["field"] = choices.plainValue()
    guard
      case .done(let saved?)? = server.modify(RecordRequest(saving: [record])).outcomes[
        record.recordID
      ]
    else { return .record("kind.first", "the first save was refused: \(record)") }
    var second = saved
    let plain = choices.plainValue()
    // A list that does not say of what fits each list.
    let value = choices.flag() ? plain : .list(.empty)
    second["field"] = value
    let answer = server.modify(RecordRequest(saving: [second]))
    let kind = saved["field"]?.kind
    guard server.kinds(of: "Note") == kind.map({ ["field": $0] }), server.kinds(of: "None").isEmpty
    else {
      return .record("kind.fixed", "the server says other kinds than that of the first save")
    }
    let isSame = value.kind == kind || value == .list(.empty) && kind?.isList == true
    guard answer.isDone != isSame else { return nil }
    return .record(
      "kind.drifted",
      "a save of \(value.kind) over \(saved["field"]?.kind as Any) was \(answer.isDone ? "taken" : "refused")"
    )
  }

  /// The same for the size of a request; the number is that of CloudKit (`Records.md`, "Sizes").
  ///
  /// 398 to 402 records; up to three are deletions of what is not there. Or three records of
  /// 1,999,996 to 2,000,004 bytes together; each is below the limit of a record.
  ///
  ///     397 saves, 3 deletions       400      carried out
  ///     398 saves, 3 deletions       401      nothing is changed
  ///     three records                2,000,000 bytes, keys included: carried out
  ///     three records                2,000,001 bytes: nothing is changed
  ///
  /// 2,000,000 is the last size that a request may have; 1,000,000 is the first that a record may
  /// not.
  static let requestLimited = value(
    "server.request-limited",
    "Requests have a limit.",
    "A request that saves and deletes more than 400 records, or saves more than 2,000,000 bytes, changes nothing; one "
      + "of exactly that size is carried out.",
    source: .document("Records.md", "Sizes")
  ) { subject, choices in
    let isOfBytes = choices.flag(percent: 30)
    let count = isOfBytes ? 3 : 398 + choices.number(in: 0...4)
    let byteCount = isOfBytes ? 2_000_000 - 4 + choices.number(in: 0...8) : 0
    let deletedCount = isOfBytes ? 0 : choices.number(in: 0...3)
    let server = subject.server()
    var records = (0..<(count - deletedCount)).map {
      Record(recordType: "Note", recordID: RecordID(recordName: "n\($0)", zoneID: recordZone))
    }
    if isOfBytes {
      let sizes = [700_000, 700_000, byteCount - 1_400_000]
      for (index, size) in sizes.enumerated() {
        // The key counts as well.
        records[index]["big"] = .bytes(Data(count: size - "big".utf8.count))
      }
    }
    let deleted = (0..<deletedCount).map { RecordID(recordName: "d\($0)", zoneID: recordZone) }
    let answer = server.modify(RecordRequest(saving: records, deleting: deleted))
    let isLegal = count <= 400 && byteCount <= 2_000_000
    let expected = isLegal ? records.count : 0
    guard answer.isDone != isLegal || server.all().count != expected else { return nil }
    return .record(
      "request.size",
      isOfBytes ? "\(byteCount) bytes" : "\(count) records",
      expected: expected,
      actual: server.all().count,
      between: nil,
      "the records on the server"
    )
  }

  /// Catches a limit that is off by one, and one that counts a record beside itself, so that what was saved
  /// once can never be saved again.
  ///
  /// 748 to 752 records refer to one; then one of the first 748 is saved again.
  ///
  /// Worked example: n0 to n749 refer to the owner, and n750 is refused. When n5 is saved again,
  /// 749 others refer to the owner, and there is room. `server-counts-referrers-again` counts n5
  /// beside itself, comes to 750, and refuses: n5 can never be changed again. That shows only where
  /// 750 are there, which three of the five counts lead to.
  static let referencesLimited = value(
    "server.references-limited",
    "References to a record have a limit.",
    "A record takes 750 records that are to be deleted with it, and no more; each of them can be saved again.",
    source: .document("Records.md", "Sizes"),
    // Each save looks at all references.
    costs: 16
  ) { subject, choices in
    let server = subject.server()
    let owner = RecordID(recordName: "owner", zoneID: recordZone)
    let ids = (0..<748 + choices.number(in: 0...4)).map {
      RecordID(recordName: "n\($0)", zoneID: recordZone)
    }
    let again = choices.index(below: 748)
    func owned(_ fields: RecordSystemFields) -> Record {
      var record = Record(systemFields: fields)
      record["owner"] = .reference(RecordReference(recordID: owner, action: .deleteSelf))
      return record
    }
    _ = server.modify(RecordRequest(saving: [Record(recordType: "Owner", recordID: owner)]))
    // 200 a request, half of what one may have: the limit that is asked for here is another.
    for start in stride(from: 0, to: ids.count, by: 200) {
      let part = ids[start..<min(start + 200, ids.count)].map { id in
        owned(RecordSystemFields(recordType: "Note", recordID: id))
      }
      _ = server.modify(RecordRequest(saving: part))
    }
    let expected = min(ids.count, 750)
    let taken = ids.count { server.fetch($0) != nil }
    guard taken == expected else {
      return .record(
        "references.count",
        "\(ids.count) records refer to one",
        expected: "\(expected) are taken",
        actual: "\(taken) are",
        between: nil,
        "the records on the server"
      )
    }
    guard let known = server.fetch(ids[again]) else { return nil }
    let answer = server.modify(RecordRequest(saving: [owned(known.systemFields)]))
    guard !answer.isDone else { return nil }
    return .record(
      "references.again",
      "a record that refers to one, as \(taken - 1) others do, cannot be saved again",
      actual: answer.outcomes[ids[again]] as Any,
      between: nil,
      "what the server answered"
    )
  }

  /// Catches dictionaries that are encoded in the order of their hash: each save would mark and
  /// send the field again.
  ///
  /// Worked example: `record-encodes-counted` writes how many encodes there were before.
  ///
  /// Records are compared by their fields and then by their bytes: two records may be equal and be
  /// written in two orders of their keys.
  static let repeatable = value(
    "record.repeatable",
    "One value, one record.",
    "Encoding a value twice gives the same record and the same bytes.",
    source: values,
    of: Generator { $0.note() }
  ) { subject, note, _ in
    let base = Record(recordType: "Note", recordID: RecordID(recordName: "r0", zoneID: recordZone))
    let first = try subject.encode(note, onto: base)
    let second = try subject.encode(note, onto: base)
    if let found = Difference.fields(
      "encode.differs",
      "two encodes differ",
      expected: first,
      actual: second,
      between: "encoded at first",
      "encoded a second time"
    ) {
      return found.ofPeers()
    }
    return try subject.bytes(of: first) == subject.bytes(of: second)
      ? nil : .record("encode.bytes", "two encodes have other bytes")
  }
}

extension Regex<Substring> {
  /// ASCII letters and digits alone, and characters as scalars.
  fileprivate func asciiOnlyDigits() -> Regex<Substring> { matchingSemantics(.unicodeScalar) }
}
