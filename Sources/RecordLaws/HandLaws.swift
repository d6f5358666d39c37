import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of values that code themselves by hand: what stands at a record's root, nested containers, nil, and what the
// caller tells a value. Swift's compiler writes one way of asking a coder; these models have the others
// (`HandModels.swift`).

extension RecordLaw {
  /// Laws of values that code themselves by hand.
  static let handLaws: [RecordLaw] = [
    rootsKeyed, madeByHand, nilByHand, infoReaches, foreignKeys,
  ]

  private static let values = LawSource.document("Records.md", "Values")

  /// Catches a trap, or an empty record, where a value is a list or a number, and a wrapper whose content is lost.
  ///
  /// Worked example: an app encodes `[1, 2]` as a record. There is no key for a field: it is an error, and no record
  /// that a later save would put over a good one.
  ///
  ///     the value asks for                      encoded             decoded
  ///     a list, a number, nil                   refused             refused
  ///     no container                            refused
  ///     a place for another value, by itself    the other's record  the other
  ///     a place for a type of Foundation that       refused, where reading it would end the process
  ///     ends the process on such a record
  static let rootsKeyed = value(
    "record.roots-keyed",
    "A record has keys.",
    "A value that asks for a list, a single value, nil or no container is refused with an `EncodingError`, and a type "
      + "that asks for the first three with a `DecodingError`, both without a key; one that passes its place on to "
      + "another value is that value's record, and comes back.",
    source: [values, .document("Records.md", "What differs from CloudKitCodable")]
  ) { subject, choices in
    let form = choices.element(of: Rootless.Form.allCases)
    do {
      let record = try subject.encode(Rootless(form: form), onto: nil)
      return .record("root.taken", "a value that asks for \(form) was taken: \(record.allKeys())")
    } catch {
      guard CodingFailure(encoding: error)?.path == [] else {
        return .record(
          "root.refusal",
          "a value that asks for \(form) is refused otherwise: \(error)"
        )
      }
    }
    var settings = RecordSettings()
    settings.checks = choices.element(of: [nil, .off, .client, .server])
    let wrapper = Wrapper(content: Plain(title: choices.text(), count: Int(choices.integer())))
    let record = try subject.encode(wrapper, onto: nil, settings)
    let back = try subject.decode(Wrapper.self, from: record)
    guard back.content.isSame(as: wrapper.content), record.allKeys() == ["count", "title"] else {
      return .record(
        "root.wrapper",
        "a value that passes its place on came back as another",
        expected: wrapper.content,
        actual: back.content,
        between: "the value that was encoded",
        "the value that was decoded"
      )
    }
    return choices.element(of: RootQuestion.all).difference(subject, record)
      ?? PassedOn<IndexSet>.trap(subject)
  }

  /// Catches containers whose content is lost, keys that are checked for values alone, and paths that a value is told
  /// otherwise than an error tells them.
  ///
  /// Worked example: a superclass writes its part by `superEncoder(forKey:)` under `1a`. No server takes the key: a
  /// coder that checks keys of values alone saves it on the device, and the server refuses it there.
  ///
  ///     key          by itself             `checks` off     `refusesNested`
  ///     part, a1_    a field of JSON       the same         refused at the key
  ///     1a, "a b"    refused at the key    a field          refused at the key
  ///
  /// The model throws where the coder tells it another path than it is at.
  static let madeByHand = value(
    "record.made-by-hand",
    "Containers by hand are fields.",
    "A nested container, list or superclass under a key is the JSON of that field and is read by the same requests, each "
      + "at its path; its keys are told apart by their bytes; it is refused at its key if no server takes the key, or "
      + "nothing may nest.",
    source: values
  ) { subject, choices in
    var settings = RecordSettings()
    settings.checks = choices.element(of: [nil, .client, .off])
    settings.refusesNested = choices.flag(percent: 25)
    let isLegal = choices.flag()
    let keys = isLegal ? ["part", "a1_"] : ["1a", "recordID", "a b", ""]
    let numbers = (0..<choices.number(in: 0...3)).map { _ in Int(choices.integer()) }
    let value = HandMade(
      key: choices.element(of: keys),
      form: choices.element(of: HandMade.Form.allCases),
      numbers: numbers
    )
    let isKeyRefused = !isLegal && settings.checks != .off && value.form != .superAlone
    let isRefused = isKeyRefused || settings.refusesNested
    let record: Record
    do {
      record = try subject.encode(value, onto: nil, settings)
    } catch {
      let path = CodingFailure(encoding: error)?.path
      return isRefused && path == [.key(value.place)]
        ? nil : .record("hand.refused", "\(value) was refused, or elsewhere: \(error)")
    }
    guard !isRefused else { return .record("hand.taken", "\(value) was taken") }
    guard record.allKeys() == [value.place], record[value.place]?.kind == RecordFieldKind(.bytes)
    else {
      return .record(
        "hand.field",
        "\(value) is another field",
        expected: "\(value.place): BYTES",
        actual: record.fields,
        between: nil,
        "the record that was encoded"
      )
    }
    let read = try subject.decode(HandRead.self, from: record)
    guard read.numbers != numbers || read.bySuper != numbers else {
      return try spellings(subject, &choices)
    }
    return .record(
      "hand.read",
      "\(value) is read otherwise",
      expected: [numbers, numbers],
      actual: [read.numbers, read.bySuper],
      between: "the numbers that were encoded",
      "the numbers that were decoded, by a container and by a superclass's decoder"
    )
  }

  /// Where a nested key is taken for another one that looks the same: its value is lost, or read under the other.
  ///
  /// Swift's `==` takes spellings of one letter for equal, and so no dictionary has two of them: the value is coded by
  /// hand. Other keys are beside them, since a coder may look for one of many in another way than for one of few.
  ///
  ///     keys       \u{e9}   e\u{301}   key 2      and up to 14 more
  ///     numbers    0       1          2
  private static func spellings(
    _ subject: any RecordSubject,
    _ choices: inout Choices
  ) throws -> Difference? {
    let letters = choices.element(of: [
      ["\u{e9}", "e\u{301}"],
      ["\u{1e69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{1e61}\u{323}"],
    ])
    let count = letters.count + choices.number(in: 0...14)
    let keys = letters + (letters.count..<count).map { "key \($0)" }
    let record = try subject.encode(SpelledKeys(keys: keys), onto: nil)
    let read = try subject.decode(SpelledKeys.Read.self, from: record)
    let due = keys.enumerated().sorted {
      $0.element.utf8.lexicographicallyPrecedes($1.element.utf8)
    }
    guard read.numbers != due.map(\.offset) else { return nil }
    return .record(
      "hand.spelling",
      "a nested value with \(letters.count) keys that look the same is read as another",
      expected: due.map(\.offset),
      actual: read.numbers,
      between: "the numbers that were encoded",
      "the numbers that were decoded"
    )
  }

  /// Catches a `nil` by hand that leaves the server's value, and a question for `nil` whose answer another call contradicts.
  ///
  /// Worked example: a model writes `encodeNil(forKey: .title)`. A coder that does nothing then keeps the old title on
  /// the server, as it does for a property that is merely not there.
  ///
  ///     the field              `decodeNil`     an optional number
  ///     none                   true            nil
  ///     BYTES `null`           true            nil
  ///     BYTES `1`              false           1
  ///     INT64 1, encrypted     false           1
  static let nilByHand = value(
    "record.nil-by-hand",
    "A nil by hand is a nil.",
    "A nil that a value encodes by hand clears its field as a nil property does, and so does an optional that is encoded "
      + "as a value; a key is nil to a value that asks for it if it has no field, or the JSON text `null` in bytes.",
    source: values
  ) { subject, choices in
    var settings = RecordSettings()
    settings.omitsNil = choices.flag(percent: 25)
    var base: Record?
    if choices.flag() {
      var old = Record(recordType: "Nils", recordID: RecordID(recordName: "n", zoneID: recordZone))
      for key in NilByHand.keys where choices.flag() { old[key] = .int64(1) }
      base = old.unmarked()
    }
    let record = try subject.encode(NilByHand(), onto: base, settings)
    for key in NilByHand.keys {
      let old = base?[key]
      let isMarked = !settings.omitsNil && (base == nil || old != nil)
      let field = settings.omitsNil ? old : nil
      guard record[key] == field, record.changedKeySet.contains(key) == isMarked else {
        return .record(
          "nil.by-hand",
          "'\(key)' is nil and \(isMarked ? "not cleared" : "marked, or another")",
          expected: field as Any,
          actual: record[key] as Any,
          between: nil,
          "the record that was encoded"
        )
      }
    }
    var read = Record(recordType: "Nils", recordID: RecordID(recordName: "n", zoneID: recordZone))
    let content = choices.element(of: [nil, "null", "1", "encrypted"])
    switch content {
    case nil: break
    case "encrypted": read[encrypted: "number"] = .int64(1)
    case let text?: read["number"] = .bytes(Data(text.utf8))
    }
    // What is nil by hand has no type to tell.
    let kinds = try subject.schema(of: NilByHand(), RecordSettings()).kinds
    guard kinds["byHand"] == nil, kinds["ifPresent"] == RecordFieldKind(.int64) else {
      return .record(
        "nil.schema",
        "a schema has other kinds for what is nil",
        expected: "ifPresent INT64, and none for byHand",
        actual: kinds.sorted { $0.key < $1.key },
        between: nil,
        "the schema"
      )
    }
    let found = try subject.decode(NilRead.self, from: read)
    let isNil = content == nil || content == "null"
    let number = isNil ? nil : 1
    guard found.isNil == isNil, found.numbers == [number, number] else {
      return .record(
        "nil.read",
        "a field of \(content ?? "nothing") is asked for nil",
        expected: "nil \(isNil), \([number, number])",
        actual: "nil \(found.isNil), \(found.numbers)",
        between: nil,
        "the value that was decoded"
      )
    }
    return nil
  }

  /// Catches a key of another writer that is told as a text which is spelled otherwise, or not at all: written again it
  /// would be another field.
  ///
  ///     the key     told as      that text is spelled
  ///     x__3d       "="          x__3d
  ///     x_a         "x_a"        (a is spelled a, and no text as x_a)
  ///     x__e9       "x__e9"      (the byte E9 alone is no text)
  ///     x__zz       "x__zz"      (zz are no digits)
  static let foreignKeys = value(
    "record.foreign-keys",
    "Other writers' keys are told.",
    "Where keys are spelled, a key of a record is told as the text that is spelled so, or as it is if there is none, and "
      + "reads as that.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    let parts = (0..<choices.number(in: 0...4)).map { _ in
      choices.element(of: ["a", "6", "_", "_61", "_3d", "_e9", "_c3", "_a9", "_zz", "_6"])
    }
    let key = "x_" + parts.joined()
    var record = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "r0", zoneID: recordZone)
    )
    record[key] = .int64(1)
    var reading = RecordReadSettings()
    reading.escapesKeys = true
    var settings = RecordSettings()
    settings.escapesKeys = true
    let told = try subject.decode(KeyList.self, from: record, reading).keys
    guard let text = told.first, told.count == 1 else {
      return .record("foreign.count", "of one key \(told.count) are told")
    }
    let values = try subject.decode([String: Int].self, from: record, reading)
    guard values == [text: 1] else {
      return .record(
        "foreign.unread",
        "the key '\(key)' is told as '\(text)', and does not read as that",
        expected: "\([text: 1])",
        actual: "\(values)",
        between: nil,
        "the record"
      )
    }
    let again = try subject.encode(OneKey(key: text), onto: nil, settings).allKeys()
    guard text != key, again != [key] else { return nil }
    return .record(
      "foreign.other",
      "the key '\(key)' is told as a text that is spelled otherwise",
      expected: key,
      actual: "\(text), spelled \(again)",
      between: nil,
      "the keys that were decoded"
    )
  }

  /// Catches a coder that hands a caller's words to the value alone, and not to what is nested in it.
  ///
  /// Worked example: an app gives its decoder the store that models look things up in. A child whose decoder lacks it
  /// finds nothing, or ends the app.
  static let infoReaches = value(
    "record.info-reaches",
    "The caller's information reaches each value.",
    "What a caller gives to an encoder or decoder for values to ask for is told to the value, to what is nested in it, "
      + "to elements, superclasses and children.",
    source: values
  ) { subject, choices in
    var settings = RecordSettings()
    settings.hasChildren = true
    settings.info = 1 + choices.index(below: 200)
    var reading = RecordReadSettings()
    reading.info = 1 + choices.index(below: 200)
    let records = try subject.encodeRecords(Informed(), settings)
    guard let root = records.last else { return .record("info.none", "there is no record") }
    let zone = Dictionary(records.map { ($0.recordID, $0) }) { $1 }
    let back = try subject.decode(Informed.self, from: root, reading) { zone[$0] }
    let (told, heard) = (Set(back.told), Set(back.heard))
    guard told != [settings.info] || heard != [reading.info] else { return nil }
    return .record(
      "info.lost",
      "a value was told something else than the caller had given",
      expected: "encoded \(settings.info), decoded \(reading.info)",
      actual: "encoded \(back.told), decoded \(back.heard)",
      between: "what the caller gave",
      "what values were told"
    )
  }

  /// Catches an empty object where a value was refused and passed over: the record is then read by no version of the
  /// model, and the first device that fetches it cannot open it.
  ///
  /// Worked example: a model writes its numbers by `try? container.encode(number)`, since JSON has none for infinity. Of
  /// 1, infinity and 3 the list `[1,3]` is stored; a coder that makes room before it writes stores `[1,{},3]`.
  ///
  ///     numbers 1, inf     the JSON
  ///     listed             [1]
  ///     keyed              {"n0":1}
  ///     paired             [{"first":1,"second":1}]
  ///     replaced           [{"first":1,"second":1},"inf"]
  ///
  /// A value that stands for the record itself and passes over what it wrote first is what it wrote then. Children of what
  /// was refused are no records: nothing refers to them.
  static let refusedIsAbsent = value(
    "record.refused-is-absent",
    "What is refused leaves nothing.",
    "A value that passes over what was refused within it is stored without that, and one that writes another value in the "
      + "same place is stored as that one, in nested values and at the root; records to which only what was refused refers "
      + "are not given out.",
    source: values
  ) { subject, choices in
    let lossy = Lossy(
      form: choices.element(of: Lossy.Form.allCases),
      numbers: (0..<choices.number(in: 0...4)).map { _ in
        choices.element(of: [1, 2, 300, .infinity, -.infinity])
      }
    )
    let value = LossyRecord(
      part: lossy,
      count: choices.number(in: 0...9),
      passedOver: choices.element(of: LossyRecord.PassedOver.allCases)
    )
    var settings = RecordSettings()
    settings.hasChildren = true
    let records: [Record]
    do {
      records = try subject.encodeRecords(value, settings)
    } catch {
      let words = "what was refused and passed over refuses the rest"
      return .record("refused.complains", "\(words): \(error)")
    }
    guard let record = records.last, records.count == 1 else {
      let names = records.map(\.recordID.recordName).joined(separator: ", ")
      return .record("refused.children", "records of what was refused are given out: \(names)")
    }
    guard record["part"] == .bytes(Data(lossy.json.utf8)) else {
      return .record(
        "refused.stays",
        "a value of the form \(lossy.form) that passes over what is refused is stored otherwise",
        expected: lossy.json,
        actual: record["part"]?.text ?? "nothing",
        between: nil,
        "the JSON"
      )
    }
    let keys = record.allKeys()
    return keys == ["count", "part"]
      ? nil : .record("refused.root", "a record has the keys \(keys) of a value that was refused")
  }
}
