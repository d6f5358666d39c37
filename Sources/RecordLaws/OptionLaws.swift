import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// What the caller of an encode asks for. `byRules` is the widest law of the coder: any sheet, any
// options, any base, with fields and marks by an oracle. `optionsHold` asks for the options that a
// sheet does not show.

extension RecordLaw {
  /// What the caller of an encode asks for.
  static let optionLaws: [RecordLaw] = [byRules, optionsHold]

  /// Catches a preset that lacks one of its options, and an option that changes what others mean.
  ///
  /// A page has one property for each thing that an option decides: a date off whole milliseconds,
  /// a number that may be infinite, a key that may begin with a digit, a nested value, and an
  /// identifier that may change with each look. What the nested value becomes is not judged here;
  /// ``byRules`` reads it back.
  ///
  /// Worked example: `record-preset-forgotten` does by `followsCloudKitCodable` what it does
  /// without: `nil` clears the title, where CloudKitCodable leaves it.
  ///
  ///     title     base has     by itself            `omitsNil`, or the preset
  ///     nil       "x"          gone, and marked     "x", not marked
  ///     nil       no base      gone, and marked     gone, not marked
  ///     "y"       "x"          "y", and marked      "y", and marked
  static let optionsHold = value(
    "record.options-hold",
    "Each option does what it says.",
    "By any options, alone or on top of what CloudKitCodable does, nil is cleared or left, a date keeps its bits or not, "
      + "an identifier is a field or not, and a key, a number without an end, a nested value or an identifier that "
      + "changes is taken or refused.",
    source: .document("Records.md", "What differs from CloudKitCodable")
  ) { subject, choices in
    var settings = RecordSettings()
    settings.followsCloudKitCodable = choices.flag()
    // By itself, in two of five, a caller asks for nothing.
    settings.checks = choices.element(of: [nil, nil, .off, .client, .server])
    settings.storesIdentifier = choices.flag(percent: 25)
    settings.refusesNested = choices.flag(percent: 25)
    settings.wantsStableIdentity = choices.flag(percent: 25)
    settings.omitsNil = choices.flag(percent: 25)
    settings.keepsExactDates = choices.flag(percent: 25)
    let page = Page(&choices)
    var base: Record?
    if choices.flag() {
      var old = Record(
        recordType: "Page",
        recordID: RecordID(recordName: "old", zoneID: recordZone)
      )
      old["title"] = .string(choices.text())
      base = old.unmarked()
    }
    // Known before the encode: the law says which of two outcomes is right, and then what the
    // record must hold.
    let isRefused = page.isRefused(settings, hasBase: base != nil)
    let record: Record
    do {
      record = try subject.encode(page, onto: base, settings)
    } catch {
      return isRefused
        ? nil : .record("options.refused", "a value that its options take was refused: \(error)")
    }
    guard !isRefused else {
      return .record(
        "options.taken",
        "a value that its options refuse was taken",
        actual: record,
        between: nil,
        "the record that was encoded"
      )
    }
    let fields = page.fields(settings, base, nested: record["part"])
    // Without a base every field is marked; with one those that differ, and a title that nil took
    // away.
    var marks = Set(fields.keys.filter { base?[$0] != fields[$0] })
    if page.title == nil, !settings.leavesNil, base == nil || base?["title"] != nil {
      marks.insert("title")
    }
    guard record.fields == fields, record.changedKeySet == marks else {
      return .record(
        "options.fields",
        "fields or marks are others than the options say",
        expected: "\(fields.sorted { $0.key < $1.key }), marked \(marks.sorted())",
        actual: "\(record.fields.sorted { $0.key < $1.key }), marked \(record.changedKeys())",
        between: "the fields that the options give",
        "the record that was encoded"
      )
    }
    return nil
  }

  /// Catches a property whose field depends on what its record held before: a `nil` that leaves the
  /// old field, an equal value that is marked, a key that stands encrypted and plain at once.
  ///
  /// The oracle knows fields and marks of all types but nested values, whose bytes it takes from
  /// the record on trial and which are compared when they come back. 480 bytes feed two sheets, a
  /// base and the options.
  ///
  /// Worked example: `data` was plain and is encrypted from now on. With `record-encrypted-twice`
  /// it stands in the clear as well, where the server reads it.
  ///
  /// Worked example: the base has the place (1, 2), and the sheet (1, 3). A coder that compares
  /// latitudes alone writes the new place and does not mark it: no save sends it
  /// (`Sheet.bringClose`).
  ///
  /// Half of the sheets encode each optional as a value of its own type, as generic models do (`PlainlyEncoded`).
  ///
  /// One refusal is right: `wide` of 2^63 or more without `storesWideAsJSON`, at that key. Any
  /// other refusal of a sheet is a violation, since each of its values is legal.
  static let byRules = value(
    "record.by-rules",
    "Each property becomes its field.",
    "A value of every type, encoded by any options onto any record, gives the fields, encrypted fields and "
      + "marks that the rules say, and comes back with every bit.",
    source: .document("Records.md", "Values"),
    count: 488
  ) { subject, choices in
    var settings = RecordSettings()
    settings.keepsExactDates = choices.flag(percent: 30)
    settings.storesWideAsJSON = choices.flag(percent: 70)
    settings.omitsNil = choices.flag(percent: 25)
    settings.removesUnknown = choices.flag(percent: 25)
    settings.encryptedKeys = choices.encryptedKeys()
    // Most sheets are encoded onto a record, as an app that has fetched one does.
    let history = choices.flag(percent: 80) ? BaseHistory(&choices) : nil
    var old = Sheet(&choices)
    var new = Sheet(&choices, near: old)
    // Half of them by `decodeIfPresent`, half by `decode` of an optional type.
    let asksIfPresent = choices.flag()
    // Drawn last: zeros leave both sheets as they are.
    Sheet.bringClose(&old, &new, &choices)
    let asValues = choices.flag()
    // No property is a record of its own: the option changes nothing.
    settings.hasChildren = choices.flag()
    let base = try history?.record(of: old, settings, subject)
    // The one property whose legal values may be refused, by an option.
    let wide = new.wide ?? 0
    let record: Record
    do {
      record =
        try asValues
        ? subject.encode(PlainlyEncoded(sheet: new), onto: base, settings)
        : subject.encode(new, onto: base, settings)
    } catch {
      let isRefused = wide > UInt64(Int64.max) && !settings.storesWideAsJSON
      if isRefused, CodingFailure(encoding: error)?.path == [.key("wide")] { return nil }
      return .record("sheet.refused", "a value of legal properties was refused: \(error)")
    }
    let expected = RecordLaw.expected(new, onto: base, settings, nested: record)
    if let found = Difference.fields(
      "sheet.field",
      "a field is another than the rules say",
      expected: expected,
      actual: record,
      between: "the fields that the rules give",
      "the record that was encoded"
    ) {
      return found
    }
    guard record.changedKeySet == expected.changedKeySet else {
      return .record(
        "sheet.marks",
        "other keys are marked than the rules say",
        expected: expected.changedKeys(),
        actual: record.changedKeys(),
        between: "the marks that the rules give",
        "the record that was encoded"
      )
    }
    // What a dictionary would ask: all keys of both sides, and no system fields.
    let listed = try subject.decode(KeyList.self, from: record).keys
    let keys = Set(record.fields.keys).union(record.encryptedFields.keys)
    guard listed == keys else {
      return .record(
        "sheet.keys",
        "a value that asks for all keys is told of others",
        expected: keys.sorted(),
        actual: listed.sorted(),
        between: "the keys of the record",
        "the keys that the decoder told of"
      )
    }
    // A nil that was left alone comes back as the base's value: not the new sheet's.
    if settings.omitsNil, base != nil { return nil }
    let back =
      try asksIfPresent
      ? subject.decode(Sheet.self, from: record)
      : subject.decode(PlainlyDecoded.self, from: record).sheet
    for key in Sheet.CodingKeys.allCases
    where back.field(key, settings) != new.field(key, settings) {
      return .record(
        "sheet.property",
        "'\(key.stringValue)' came back as something else",
        expected: new.field(key, settings) as Any,
        actual: back.field(key, settings) as Any,
        between: "the value that was encoded",
        "the value that was decoded"
      )
    }
    let words = (back.nestedWords(settings), new.nestedWords(settings))
    guard words.0 != words.1 else { return nil }
    return .record(
      "sheet.nested",
      "a nested value came back as something else",
      expected: words.1,
      actual: words.0,
      between: "the value that was encoded",
      "the value that was decoded"
    )
  }

  /// How a device came to the record that is encoded onto: with fields of another version, with keys that
  /// were encrypted otherwise, and perhaps with a change that was not saved.
  ///
  /// `later` and `hidden` are fields that a sheet does not know, plain and encrypted. The base is
  /// made without the options that leave something out, so that it has all that the options then
  /// decide about.
  ///
  ///     the base              by itself              with `removesUnknown`
  ///     later: 1              stays, not marked      gone, and marked
  ///     later: 7, unsaved     stays, marked still    gone, and marked
  ///     hidden: "a"           stays encrypted        gone, and marked
  private struct BaseHistory {
    let encryptedKeys: Set<String>
    let later: RecordValue?
    let hidden: RecordValue?
    /// Whether the device has set `later` and not saved it: the mark must still be there after the
    /// encode.
    let isChanged: Bool

    init(_ choices: inout Choices) {
      encryptedKeys = choices.encryptedKeys()
      later = choices.flag() ? choices.plainValue() : nil
      hidden = choices.flag() ? choices.plainValue() : nil
      isChanged = choices.flag(percent: 20)
    }

    /// The record that the device has, by an encode of the old sheet.
    func record(
      of sheet: Sheet,
      _ settings: RecordSettings,
      _ subject: any RecordSubject
    ) throws -> Record {
      var settings = settings
      settings.omitsNil = false
      settings.removesUnknown = false
      settings.storesWideAsJSON = true
      settings.encryptedKeys = encryptedKeys
      var record = try subject.encode(sheet, onto: nil, settings)
      if let later { record["later"] = later }
      if let hidden { record[encrypted: "hidden"] = hidden }
      record = record.unmarked()
      if isChanged { record["later"] = .int64(7) }
      return record
    }
  }

  /// The record that the rules say; what nested values become is taken from the one that is judged.
  ///
  /// Key by key: `nil` takes the key from both sides and marks it if there was something, or if there
  /// is no base; a value goes to its side, leaves the other, and is marked if its bits are others.
  ///
  ///     property            the base has      the record has      marked
  ///     nil                 7                 nothing             yes
  ///     nil                 nothing           nothing             no
  ///     nil, `omitsNil`     7                 7                   no
  ///     7                   7                 7                   no
  ///     7                   8                 7                   yes
  ///     7, encrypted        7 in the clear    7 encrypted         yes
  ///     unknown (`later`)   1                 1                   as the base has it
  ///
  /// Without a base all that is written is marked, and so is each `nil` but an omitted one.
  private static func expected(
    _ sheet: Sheet,
    onto base: Record?,
    _ settings: RecordSettings,
    nested record: Record
  ) -> Record {
    var (fields, encrypted) = (base?.fields ?? [:], base?.encryptedFields ?? [:])
    var changed = base?.changedKeySet ?? []
    var named: Set<String> = []
    for key in Sheet.CodingKeys.allCases {
      let name = key.stringValue
      let isEncrypted = settings.encryptedKeys.contains(name)
      let isNested = key == .part || key == .parts
      let value =
        isNested && !sheet.isNil(key)
        ? (isEncrypted ? record.encryptedFields[name] : record.fields[name])
        : sheet.field(key, settings)
      guard let value else {
        named.insert(name)
        if settings.omitsNil { continue }
        let had = fields.removeValue(forKey: name) != nil
        let hadEncrypted = encrypted.removeValue(forKey: name) != nil
        if base == nil || had || hadEncrypted { changed.insert(name) }
        continue
      }
      named.insert(name)
      // A key stands on one side: a server that is not to read it must not have the former value.
      // What stood on the same side: a value that changes sides is a change, even if its bits are
      // the same.
      let before = isEncrypted ? encrypted[name] : fields[name]
      fields[name] = isEncrypted ? nil : value
      encrypted[name] = isEncrypted ? value : nil
      if base == nil || before?.bits != value.bits { changed.insert(name) }
    }
    if settings.removesUnknown, base != nil {
      for key in Set(fields.keys).union(encrypted.keys).subtracting(named) {
        fields[key] = nil
        encrypted[key] = nil
        changed.insert(key)
      }
    }
    return Record(
      systemFields: record.systemFields,
      fields: fields,
      encryptedFields: encrypted,
      changedKeys: changed
    )
  }
}

/// A value that options take or refuse.
///
///     property       drawn                               decided by
///     identifier     "page"; another each time in 1/4    `wantsStableIdentity`, `storesIdentifier`
///     title          a text, or nil                      `omitsNil`
///     at             mostly off whole milliseconds       `keepsExactDates`
///     ratio          1; infinity in 1/5                  `checks`: `.server` refuses it
///     key            "first"; "1st" in 1/5               `checks`: only `.off` takes "1st"
///     part           nil; a dictionary in 3/10           `refusesNested`
private struct Page: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String { "Page" }
  var cloudKitIdentifier: String { isStable ? "page" : UUID().uuidString }
  /// Whether the identifier is the same at each access; three of four are.
  let isStable: Bool
  let title: String?
  let at: Date
  /// 1, or infinity in one of five pages.
  let ratio: Double
  /// The key of a number.
  let key: String
  let part: [String: Int]?

  init(_ choices: inout Choices) {
    isStable = choices.flag(percent: 75)
    title = choices.flag() ? choices.text() : nil
    at = choices.date()
    ratio = choices.flag(percent: 80) ? 1 : .infinity
    key = choices.flag(percent: 80) ? "first" : "1st"
    part = choices.flag(percent: 30) ? ["a": 1] : nil
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encode("page", forKey: .key("cloudKitIdentifier"))
    try container.encodeIfPresent(title, forKey: .key("title"))
    try container.encode(at, forKey: .key("at"))
    try container.encode(ratio, forKey: .key("ratio"))
    try container.encode(1, forKey: .key(key))
    if let part { try container.encode(part, forKey: .key("part")) }
  }

  /// Whether a key, a number, a nested value or the identifier is refused under these options.
  ///
  ///     the key "1st"                   unless nothing is checked
  ///     a ratio without an end          if it is checked for a server
  ///     a nested value                  with `refusesNested`
  ///     an identifier that changes      with `wantsStableIdentity`, unless a base has the name
  ///
  /// CloudKitCodable checks nothing, so its preset does not either, unless the caller asks for it.
  func isRefused(_ settings: RecordSettings, hasBase: Bool) -> Bool {
    let checks = settings.checks ?? (settings.followsCloudKitCodable ? .off : .client)
    return checks != .off && key == "1st" || checks == .server && !ratio.isFinite
      || settings.refusesNested && part != nil
      || settings.wantsStableIdentity && !isStable && !hasBase
  }

  /// The fields that the rules say; what the nested value becomes is taken from the one that is judged.
  func fields(
    _ settings: RecordSettings,
    _ base: Record?,
    nested: RecordValue?
  ) -> [String: RecordValue] {
    var fields: [String: RecordValue] = ["ratio": .double(ratio), key: .int64(1)]
    let isExact = settings.keepsExactDates || settings.followsCloudKitCodable
    fields["at"] = .timestamp(isExact ? at : at.roundedToMilliseconds ?? at)
    fields["title"] = title.map { .string($0) } ?? (settings.leavesNil ? base?["title"] : nil)
    if settings.storesIdentifier || settings.followsCloudKitCodable {
      fields["cloudKitIdentifier"] = .string("page")
    }
    if part != nil { fields["part"] = nested }
    return fields
  }
}

extension RecordSettings {
  /// CloudKitCodable leaves `nil` alone; here it takes an option.
  fileprivate var leavesNil: Bool { omitsNil || followsCloudKitCodable }
}

extension Choices {
  /// Some keys of a sheet that may be encrypted: no assets, no references.
  fileprivate mutating func encryptedKeys() -> Set<String> {
    guard flag() else { return [] }
    let keys = Sheet.CodingKeys.allCases.filter { $0 != .file && $0 != .owner }
    return Set(keys.map(\.stringValue).filter { _ in flag(percent: 20) })
  }
}
