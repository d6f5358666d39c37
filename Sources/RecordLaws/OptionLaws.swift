import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

extension RecordLaw {
  /// What the caller of an encode asks for, on a model of all types.
  static let optionLaws: [RecordLaw] = [byRules]

  static let byRules = value(
    "record.by-rules",
    "Each property becomes its field.",
    "A value of every type, encoded by any options onto any record, gives the fields, encrypted fields and "
      + "marks that the rules say, and comes back with every bit.",
    source: .document("Records.md", "Values"),
    count: 480
  ) { subject, choices in
    var settings = RecordSettings()
    settings.keepsExactDates = choices.flag(percent: 30)
    settings.storesWideAsJSON = choices.flag(percent: 70)
    settings.omitsNil = choices.flag(percent: 25)
    settings.removesUnknown = choices.flag(percent: 25)
    settings.encryptedKeys = choices.encryptedKeys()
    let history = choices.flag(percent: 80) ? BaseHistory(&choices) : nil
    let old = Sheet(&choices)
    let new = Sheet(&choices, near: old)
    let base = try history?.record(of: old, settings, subject)
    let wide = new.wide ?? 0
    let record: Record
    do {
      record = try subject.encode(new, onto: base, settings)
    } catch {
      let isRefused = wide > UInt64(Int64.max) && !settings.storesWideAsJSON
      if isRefused, CodingFailure(error)?.path == [.key("wide")] { return nil }
      return .record("sheet.refused", "a value of legal properties was refused: \(error)")
    }
    let expected = RecordLaw.expected(new, onto: base, settings, nested: record)
    if let found = Difference.fields(
      "sheet.field",
      "a field is another than the rules say",
      expected: expected,
      actual: record
    ) {
      return found
    }
    guard record.changedKeySet == expected.changedKeySet else {
      return .record(
        "sheet.marks",
        "other keys are marked than the rules say",
        expected: expected.changedKeys(),
        actual: record.changedKeys()
      )
    }
    let listed = try subject.decode(KeyList.self, from: record).keys
    let keys = Set(record.fields.keys).union(record.encryptedFields.keys)
    guard listed == keys else {
      return .record(
        "sheet.keys",
        "a value that asks for all keys is told of others",
        expected: keys.sorted(),
        actual: listed.sorted()
      )
    }
    if settings.omitsNil, base != nil { return nil }
    let back =
      try choices.flag()
      ? subject.decode(Sheet.self, from: record)
      : subject.decode(PlainlyDecoded.self, from: record).sheet
    for key in Sheet.CodingKeys.allCases
    where back.field(key, settings) != new.field(key, settings) {
      return .record(
        "sheet.property",
        "'\(key.stringValue)' came back as something else",
        expected: new.field(key, settings) as Any,
        actual: back.field(key, settings) as Any
      )
    }
    let words = (back.nestedWords(settings), new.nestedWords(settings))
    guard words.0 != words.1 else { return nil }
    return .record(
      "sheet.nested",
      "a nested value came back as something else",
      expected: words.1,
      actual: words.0
    )
  }

  /// How a device came to the record that is encoded onto: with fields of another version, with keys that
  /// were encrypted otherwise, and perhaps with a change that was not saved.
  private struct BaseHistory {
    let encryptedKeys: Set<String>
    let later: RecordValue?
    let hidden: RecordValue?
    let isChanged: Bool

    init(_ choices: inout Choices) {
      encryptedKeys = choices.encryptedKeys()
      later = choices.flag() ? choices.plainValue() : nil
      hidden = choices.flag() ? choices.plainValue() : nil
      isChanged = choices.flag(percent: 20)
    }

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
      let before = isEncrypted ? encrypted[name] : fields[name]
      fields[name] = isEncrypted ? nil : value
      encrypted[name] = isEncrypted ? value : nil
      if base == nil || before != value { changed.insert(name) }
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

extension Choices {
  /// Some keys of a sheet that may be encrypted: no assets, no references.
  fileprivate mutating func encryptedKeys() -> Set<String> {
    guard flag() else { return [] }
    let keys = Sheet.CodingKeys.allCases.filter { $0 != .file && $0 != .owner }
    return Set(keys.map(\.stringValue).filter { _ in flag(percent: 20) })
  }
}
