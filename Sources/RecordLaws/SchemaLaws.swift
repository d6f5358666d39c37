import Foundation
import PropertyEngine
import RecordModel

extension RecordLaw {
  /// Laws of what is said of a value before it is saved.
  static let schemaLaws: [RecordLaw] = [schemaByType, schemaChanges, dryRun]

  private static let sizes = LawSource.document("Records.md", "Sizes")

  /// Catches a kind that a value decides, and a property that is left out since it is nil.
  static let schemaByType = value(
    "record.schema",
    "A schema is that of the type.",
    "The schema of a value names each property with the kind of its type, whatever is nil, and those that are "
      + "encrypted; only a URL's kind depends on its value.",
    source: sizes,
    count: 400
  ) { subject, choices in
    var settings = RecordSettings()
    settings.storesWideAsJSON = choices.flag()
    settings.omitsNil = choices.flag()
    let keys = Sheet.CodingKeys.allCases.map(\.stringValue)
    settings.encryptedKeys = Set(
      (keys + ["other"]).filter { !["file", "owner"].contains($0) && choices.flag(percent: 20) }
    )
    var sheet = Sheet(&choices)
    if !settings.storesWideAsJSON { sheet.wide = sheet.wide.map { $0 >> 1 } }
    let schema = try subject.schema(of: sheet, settings)
    let expected = sheet.kinds(settings)
    guard schema.recordType == "Sheet", schema.kinds == expected else {
      return .record(
        "schema.kinds",
        "the schema has other kinds",
        expected: expected.map { "\($0.key) \($0.value)" }.sorted(),
        actual: schema.kinds.map { "\($0.key) \($0.value)" }.sorted()
      )
    }
    let encrypted = settings.encryptedKeys.intersection(keys)
    guard schema.encryptedKeys == encrypted else {
      return .record(
        "schema.encrypted",
        "the schema has other encrypted keys",
        expected: encrypted.sorted(),
        actual: schema.encryptedKeys.sorted()
      )
    }
    let lines = keys.sorted().map { key in
      "    \(key) \(encrypted.contains(key) ? "ENCRYPTED " : "")\(expected[key].map { "\($0)" } ?? "")"
    }
    let text = "RECORD TYPE Sheet (\n" + lines.joined(separator: ",\n") + "\n);\n"
    return schema.text == text
      ? nil : .record("schema.text", "its text is another", expected: text, actual: schema.text)
  }

  /// Catches a change that a server refuses and a comparison passes over.
  static let schemaChanges = value(
    "record.schema-changes",
    "Changes of a schema are told.",
    "Two schemas differ in the keys that one of them has alone and in those whose kinds a server would not take for "
      + "each other, in the order of the keys.",
    source: sizes
  ) { subject, choices in
    let kinds = [
      RecordFieldKind(.string), RecordFieldKind(.int64), RecordFieldKind(.int64, isList: true),
      RecordFieldKind(.string, isList: true), RecordFieldKind(nil, isList: true),
    ]
    func schema() -> [String: RecordFieldKind] {
      var found: [String: RecordFieldKind] = [:]
      for key in ["a", "b", "c", "d"] where choices.flag(percent: 75) {
        found[key] = choices.element(of: kinds)
      }
      return found
    }
    let (old, new) = (schema(), schema())
    var expected: [RecordSchema.Change] = []
    for key in ["a", "b", "c", "d"] {
      switch (old[key], new[key]) {
      case (let from?, let to?):
        // A list of nothing is a list of anything.
        let isOpen = from.isList && to.isList && (from.kind == nil || to.kind == nil)
        if from != to, !isOpen { expected.append(.changed(key: key, from: from, to: to)) }
      case (nil, let kind?): expected.append(.added(key: key, kind))
      case (let kind?, nil): expected.append(.removed(key: key, kind))
      case (nil, nil): continue
      }
    }
    let earlier = RecordSchema(recordType: "Note", kinds: old)
    let found = subject.changes(of: RecordSchema(recordType: "Note", kinds: new), since: earlier)
    return found == expected
      ? nil
      : .record("schema.changes", "other changes are told", expected: expected, actual: found)
  }

  /// Catches a check that ends at the first thing that is wrong, and one that blames what an encode mends.
  static let dryRun = value(
    "record.dry-run",
    "A dry run tells all that is wrong.",
    "What is wrong with the record of a value is told at once, each rule with its subject, and nothing else: names, "
      + "keys and, for a server, numbers without an end and dates with fractions that were asked for.",
    source: sizes
  ) { subject, choices in
    let audience = choices.element(of: RecordAudience.allCases)
    var settings = RecordSettings()
    settings.keepsExactDates = choices.flag()
    let value = Draft(
      cloudKitRecordType: choices.element(of: ["Note", "1Note", "N-"]),
      cloudKitIdentifier: choices.element(of: [
        "r0", "_r", "", "\u{E9}", String(repeating: "n", count: 256),
      ]),
      recordID: choices.flag() ? 1 : nil,
      ratio: choices.element(of: [1, .infinity, -.infinity]),
      ratios: [0, choices.element(of: [1, .infinity])],
      at: Date(timeIntervalSince1970: choices.element(of: [0, 0.5, 0.000_25]))
    )
    let expected = value.violations(audience, settings)
    let found = try subject.violations(of: value, for: audience, settings)
    return found == expected
      ? nil
      : .record(
        "dry.run",
        "other rules are said to be broken",
        expected: expected.map(\.description),
        actual: found.map(\.description)
      )
  }
}

/// A value that may break a rule with each of its properties.
private struct Draft: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String
  var cloudKitIdentifier: String
  /// A key that records keep for themselves.
  var recordID: Int?
  var ratio: Double
  var ratios: [Double]
  var at: Date

  enum CodingKeys: CodingKey { case recordID, ratio, ratios, at }

  /// Whether the date is no whole millisecond.
  private var hasFraction: Bool {
    at.timeIntervalSince1970.truncatingRemainder(dividingBy: 0.5) != 0
  }

  /// What is wrong, in the order of subjects and keys.
  func violations(_ audience: RecordAudience, _ settings: RecordSettings) -> [RecordViolation] {
    var found: [RecordViolation] = []
    switch cloudKitRecordType {
    case "1Note":
      found.append(RecordViolation(.recordType(cloudKitRecordType), .firstCharacter))
    case "N-": found.append(RecordViolation(.recordType(cloudKitRecordType), .character))
    default: break
    }
    let rule: RecordViolation.Rule? =
      switch cloudKitIdentifier {
      case "r0": nil
      case "_r": .firstCharacter
      case "": .empty
      case "\u{E9}": .character
      default: .tooLong(limit: 255)
      }
    if let rule { found.append(RecordViolation(.recordName(cloudKitIdentifier), rule)) }
    let isServer = audience == .server
    if isServer, settings.keepsExactDates, hasFraction {
      found.append(RecordViolation(.field("at", index: nil), .notMilliseconds))
    }
    if isServer, !ratio.isFinite {
      found.append(RecordViolation(.field("ratio", index: nil), .notFinite))
    }
    if isServer, !ratios[1].isFinite {
      found.append(RecordViolation(.field("ratios", index: 1), .notFinite))
    }
    if recordID != nil { found.append(RecordViolation(.field("recordID", index: nil), .reserved)) }
    return found
  }
}

extension Sheet {
  /// The kinds of all properties, nil ones included.
  fileprivate func kinds(_ settings: RecordSettings) -> [String: RecordFieldKind] {
    func kind(_ key: CodingKeys) -> RecordFieldKind {
      switch key {
      case .flag, .small, .whole: RecordFieldKind(.int64)
      case .wide: RecordFieldKind(settings.storesWideAsJSON ? .bytes : .int64)
      case .ratio, .float: RecordFieldKind(.double)
      case .text, .link: RecordFieldKind(.string)
      case .date: RecordFieldKind(.timestamp)
      case .data, .part, .parts: RecordFieldKind(.bytes)
      case .file: RecordFieldKind(file == nil ? .string : .asset)
      case .place: RecordFieldKind(.location)
      case .owner: RecordFieldKind(.reference)
      case .flags, .numbers: RecordFieldKind(.int64, isList: true)
      case .ratios: RecordFieldKind(.double, isList: true)
      case .texts, .links: RecordFieldKind(.string, isList: true)
      case .dates: RecordFieldKind(.timestamp, isList: true)
      case .datas: RecordFieldKind(.bytes, isList: true)
      }
    }
    return Dictionary(uniqueKeysWithValues: CodingKeys.allCases.map { ($0.stringValue, kind($0)) })
  }
}
