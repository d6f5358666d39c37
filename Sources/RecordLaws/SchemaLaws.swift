import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// Laws of what is said of a value before it is saved: its schema, changes of schemas, everything
// that is wrong with it (`violations`), what an encode checks, and sizes. `Draft` and `Bag` are
// values with rules broken and sizes counted by the laws themselves.

extension RecordLaw {
  /// Laws of what is said of a value before it is saved.
  static let schemaLaws: [RecordLaw] = [schemaByType, schemaChanges, dryRun, checks, sizes]

  private static let source = LawSource.document("Records.md", "Sizes")

  /// Catches a kind that a value decides, and a property that is left out since it is `nil`.
  ///
  /// Worked example: `date: nil` still has the kind TIMESTAMP. A schema out of the value would lack
  /// it, and change with whatever the first record happens to hold. The text is compared whole: it
  /// is what a repository keeps.
  ///
  ///     RECORD TYPE Sheet (
  ///         data ENCRYPTED BYTES,
  ///         date TIMESTAMP,
  ///         dates LIST<TIMESTAMP>
  ///     );
  ///
  /// `record-schema-hides-encryption` leaves ENCRYPTED out. Kinds and keys are right then, so that
  /// only the set of encrypted keys and the text tell: who makes the schema by that text makes
  /// `data` a field that the server reads.
  static let schemaByType = value(
    "record.schema",
    "A schema is that of the type.",
    "The schema of a value names each property with the kind of its type, whatever is nil, and those that are "
      + "encrypted; only a URL's kind depends on its value.",
    source: source,
    count: 406
  ) { subject, choices in
    var settings = RecordSettings()
    settings.storesWideAsJSON = choices.flag()
    settings.omitsNil = choices.flag()
    let keys = Sheet.CodingKeys.allCases.map(\.stringValue)
    // "other" is no property: a key that is not named must not turn up as encrypted.
    settings.encryptedKeys = Set(
      (keys + ["other"]).filter { !["file", "owner"].contains($0) && choices.flag(percent: 20) }
    )
    var sheet = Sheet(&choices)
    // Half of it, which fits 64 bits with a sign: wider ones are refused, and have no schema.
    if !settings.storesWideAsJSON { sheet.wide = sheet.wide.map { $0 >> 1 } }
    let asValues = choices.flag()
    settings.hasChildren = choices.flag()
    let schema =
      try asValues
      ? subject.schema(of: PlainlyEncoded(sheet: sheet), settings)
      : subject.schema(of: sheet, settings)
    let expected = sheet.kinds(settings)
    guard schema.recordType == "Sheet", schema.kinds == expected else {
      return .record(
        "schema.kinds",
        "the schema has other kinds",
        expected: expected.map { "\($0.key) \($0.value)" }.sorted(),
        actual: schema.kinds.map { "\($0.key) \($0.value)" }.sorted(),
        between: "the kinds that the rules give",
        "the schema"
      )
    }
    let encrypted = settings.encryptedKeys.intersection(keys)
    guard schema.encryptedKeys == encrypted else {
      return .record(
        "schema.encrypted",
        "the schema has other encrypted keys",
        expected: encrypted.sorted(),
        actual: schema.encryptedKeys.sorted(),
        between: "the keys that are to be encrypted",
        "the schema"
      )
    }
    // The text, written here once more: it is what a repository compares line by line.
    let lines = keys.sorted().map { key in
      "    \(key) \(encrypted.contains(key) ? "ENCRYPTED " : "")\(expected[key].map { "\($0)" } ?? "")"
    }
    let text = "RECORD TYPE Sheet (\n" + lines.joined(separator: ",\n") + "\n);\n"
    return schema.text == text
      ? nil
      : .record(
        "schema.text",
        "its text is another",
        expected: text,
        actual: schema.text,
        between: "the text that the rules give",
        "the text of the schema"
      )
  }

  /// Catches a change that a server refuses and a comparison passes over.
  ///
  /// Worked example: `tags` was LIST<STRING> and is STRING: `changed`. A key that is gone is
  /// `removed` (`record-schema-losses-untold` says nothing). A list whose kind is not known yet
  /// fits every list.
  ///
  ///     before           now              told
  ///     STRING           LIST<STRING>     changed
  ///     LIST<INT64>      LIST<STRING>     changed
  ///     LIST<>           LIST<STRING>     nothing: an empty list may become any list
  ///     LIST<>           STRING           changed: a text is no list
  ///     none             INT64            added
  ///     INT64            none             removed
  static let schemaChanges = value(
    "record.schema-changes",
    "Changes of a schema are reported.",
    "Two schemas differ in the keys that one of them has alone and in those whose kinds a server would not take for "
      + "each other, in the order of the keys.",
    source: source
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
    // Four keys, each of five kinds or none, on either side.
    let (old, new) = (schema(), schema())
    var expected: [RecordSchema.Change] = []
    for key in ["a", "b", "c", "d"] {
      switch (old[key], new[key]) {
      case (let from?, let to?):
        // A list of nothing is a list of anything.
        // `RecordFieldKind(nil, isList: true)`: a list that was empty when its schema was taken.
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
      : .record(
        "schema.changes",
        "other changes are reported",
        expected: expected,
        actual: found,
        between: "the changes that were made",
        "the changes that the comparison reported"
      )
  }

  /// Catches a check that ends at the first thing that is wrong, and one that blames what an encode fixes.
  ///
  /// Worked example: a record of type "1Note", named "_r", with a file that is not there: three
  /// violations in one answer. `record-dry-run-ends-early` tells the first, and the author fixes
  /// them one release after the other.
  ///
  ///     wrong with the record              for a device     for a server
  ///     the type "1Note", the name "_r"    told             told
  ///     the key `recordID`                 told             told
  ///     a file that is not there           told             told
  ///     `ratio: infinity`                  -                told
  ///     0.25 ms past a second              -                told, with `keepsExactDates`
  ///
  /// Without `keepsExactDates` an encode rounds the date, so that nothing is wrong with its record.
  static let dryRun = value(
    "record.dry-run",
    "A dry run reports all that is wrong.",
    "A dry run lists each rule that the record of a value breaks, with its subject, and nothing else: names, "
      + "keys, files that are not there and, for a server, numbers without an end and dates with fractions that were asked "
      + "for.",
    source: source
  ) { subject, choices in
    let audience = choices.element(of: RecordAudience.allCases)
    var settings = RecordSettings()
    settings.keepsExactDates = choices.flag()
    let value = Draft(&choices)
    let expected = value.violations(audience, settings)
    let found = try subject.violations(of: value, for: audience, settings)
    return found == expected
      ? nil
      : .record(
        "dry.run",
        "other rules are said to be broken",
        expected: expected.map(\.description),
        actual: found.map(\.description),
        between: "the rules that are broken",
        "what the dry run said"
      )
  }

  /// Catches a check that the options ask for and the coder omits, and one that they do not ask for.
  ///
  /// Level and audience go together: `.client` checks what a device can know, `.server` numbers and
  /// fractions besides.
  ///
  ///     level             "1Note" alone          infinity alone
  ///     off               taken                  taken
  ///     client, or nil    refused, no path       taken
  ///     server            refused, no path       refused at `ratio`
  ///
  /// Where a name and a field are wrong the refusal is the field's, since a path tells more.
  /// `record-server-unchecked` takes `server` for `client`: the encode succeeds, and the save
  /// fails.
  static let checks = value(
    "record.checks-as-asked",
    "What is asked for is checked.",
    "An encode refuses what a device can know if it is to check that, by itself numbers without an end only if it is to "
      + "check what servers do, and nothing if it is to check nothing; a field is refused at its place.",
    source: source
  ) { subject, choices in
    var settings = RecordSettings()
    let level = choices.element(of: RecordSettings.Checks.allCases)
    // By itself an encode checks what a device can know.
    // Half of the time by the default, which is the same.
    settings.checks = level == .client && choices.flag() ? nil : level
    let value = Draft(&choices)
    let wrong =
      level == .off ? [] : value.violations(level == .server ? .server : .client, settings)
    do {
      let record = try subject.encode(value, onto: nil, settings)
      guard wrong.isEmpty, record.allKeys() == value.keys else {
        return .record(
          "checks.taken",
          "a value was taken, checked for \(level)",
          expected: wrong.map(\.description),
          actual: record.allKeys(),
          between: "the rules that are broken",
          "the record that was encoded"
        )
      }
      return nil
    } catch {
      // The error of a field has a path; what is wrong with a name or type has none.
      let places = wrong.compactMap { violation -> [PathKey]? in
        guard case .field(let key, let index) = violation.subject else { return nil }
        return [.key(key)] + (index.map { [.index($0)] } ?? [])
      }
      let isPlaced =
        places.isEmpty
        ? CodingFailure(error) == nil
        : CodingFailure(encoding: error).map { places.contains($0.path) } == true
      return !wrong.isEmpty && isPlaced
        ? nil
        : .record(
          "checks.refused",
          "checked for \(level), a value was refused, or elsewhere than it is wrong: \(error)",
          expected: wrong.map(\.description),
          actual: ["\(error)"],
          between: "the rules that are broken",
          "the refusal of the coder"
        )
    }
  }

  /// Around the limit alone, byte by byte: that is where a rule that counts keys, or does not,
  /// shows.
  ///
  /// 999,992 to 1,000,004 bytes of text and 3 of the key: 5 of the 13 sizes are below the limit
  /// with the key counted.
  ///
  /// Worked example: 999,996 letters and the three of `big` make 999,999 bytes, which are taken.
  /// With one letter more there are 1,000,000, and a rule that forgets the key still takes them.
  /// `record-size-unchecked` takes any size; the server then refuses the save on the user's device.
  ///
  /// Half of the large records that it is encoded onto have a field that the value does not name, which stays and counts.
  /// Worked example: 400,000 bytes stay and 600,000 are added. Neither is too large by itself.
  static let sizeGuarded = value(
    "record.size-guarded",
    "Oversize is refused.",
    "A record of 1,000,000 bytes or more is refused, and a smaller one is not, also onto a large one, whose fields that stay "
      + "count and those that are replaced do not.",
    source: .document("Records.md", "Sizes")
  ) { subject, choices in
    // The key counts: `big` has three bytes.
    let total = 1_000_000 - 8 + choices.number(in: 0...12) + "big".utf8.count
    let isText = choices.flag()
    // What it replaces does not count.
    var old = Record(recordType: "Note", recordID: RecordID(recordName: "one"))
    old["big"] = .bytes(Data(count: 500_000))
    let isOnto = choices.flag()
    // What stays does.
    let keptCount = isOnto && choices.flag() ? 400_000 : 0
    if keptCount > 0 { old["kept"] = .bytes(Data(count: keptCount - "kept".utf8.count)) }
    let base = isOnto ? old.unmarked() : nil
    // `String(repeating:count:)` appends letter by letter: 150 million instructions.
    let letters = [UInt8](
      repeating: UInt8(ascii: "a"),
      count: total - keptCount - "big".utf8.count
    )
    let text = OneText(big: String(decoding: letters, as: UTF8.self))
    let record =
      isText
      ? try? subject.encode(text, onto: base)
      : try? subject.encode(OneData(big: Data(letters)), onto: base)
    guard (record != nil) != (total < 1_000_000) else { return nil }
    return .record(
      "size.wrong",
      "a record of \(total) bytes was \(record == nil ? "refused" : "taken")"
    )
  }

  /// Catches kinds whose bytes are not counted, and a list of the largest in another order.
  ///
  /// 9 totals around the limit, from 4 bytes below to 4 above. Padding makes the total exact: one
  /// large field, or two or three of nearly one size, whose order their keys decide.
  ///
  /// Worked example: `c` is a date, 1 + 8 bytes, and the total is to be 1,000,000: 999,991 are
  /// left. One pad `p` takes them all. Three take 333,330, 333,330 and 333,331, named r, p, q:
  /// the largest first, and equal ones by their keys. `record-largest-untold` tells r alone, and
  /// the author makes the wrong field smaller.
  static let sizes = value(
    "record.sizes",
    "Sizes are those of all fields.",
    "A record of \(RecordLimits.recordBytes) bytes or more is reported with its size and its three largest fields, equal "
      + "ones in the order of their keys: keys and texts count as UTF-8, numbers and dates 8, places 16, references their "
      + "names and 1, files nothing, lists what their elements do.",
    source: source,
    count: 60
  ) { subject, choices in
    var bag = Bag()
    for key in ["a", "b", "c", "d", "ee"] where choices.flag(percent: 75) {
      bag.values[key] = choices.sized()
    }
    // Up to the limit by bytes that are one of the largest fields, or two or three of the largest.
    let total = RecordLimits.recordBytes - 4 + choices.number(in: 0...8)
    let pads = ["p", "q", "r"].prefix(1 + choices.index(below: 3))
    // What padding must make up, its own keys included.
    var rest = total - bag.byteCount
    for (index, pad) in pads.enumerated() {
      let part = index == pads.count - 1 ? rest : rest / (pads.count - index)
      bag.values[pad] = .bytes(part - pad.utf8.count)
      rest -= part
    }
    let largest = bag.values.map { key, value in
      RecordFieldSize(key: key, byteCount: key.utf8.count + value.byteCount)
    }
    .sorted { ($1.byteCount, $0.key) < ($0.byteCount, $1.key) }
    let expected =
      total < RecordLimits.recordBytes
      ? []
      : [
        RecordViolation(
          .record,
          .tooLarge(byteCount: total, largest: Array(largest.prefix(3)))
        )
      ]
    let found = try subject.violations(of: bag, for: .client, RecordSettings())
    return found == expected
      ? nil
      : .record(
        "sizes.differ",
        "a record of \(total) bytes has another size, or other large fields",
        expected: expected.map(\.description),
        actual: found.map(\.description),
        between: "the sizes that the rules give",
        "what the dry run said"
      )
  }
}

/// A value with any fields, each of a size that the law counts by itself.
///
/// Worked example: `{"a": text "\u{E9}\u{E9}\u{E9}\u{E9}", "ee": owner r1}` is 1 + 8 and 2 + 2 + 5
/// + 16 + 1 bytes, 35 in all.
private struct Bag: CustomCloudKitEncodable {
  /// A field's content, by what its size depends on.
  enum Value {
    case text(String)
    case number(Int)
    case date
    case place
    /// By name; the zone is that of all records.
    case owner(String)
    case file
    case bytes(Int)
    case texts([String])
    case numbers([Int])
    case owners([String])

    var byteCount: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .number, .date: 8
      case .place: 16
      // "Notes" and "__defaultOwner__", and 1.
      case .owner(let name): name.utf8.count + 5 + 16 + 1
      case .file: 0
      case .bytes(let count): count
      case .texts(let texts): texts.reduce(0) { $0 + $1.utf8.count }
      case .numbers(let numbers): 8 * numbers.count
      case .owners(let names): names.reduce(0) { $0 + $1.utf8.count + 22 }
      }
    }
  }

  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "bag" }
  var cloudKitRecordType: String { "Bag" }
  var values: [String: Value] = [:]

  var byteCount: Int { values.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount } }

  /// A reference within the zone of all records, whose action costs its one byte.
  private func reference(_ name: String) -> RecordReference {
    RecordReference(recordID: RecordID(recordName: name, zoneID: recordZone))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let key = PathKey.key(key)
      switch value {
      case .text(let text): try container.encode(text, forKey: key)
      case .number(let number): try container.encode(number, forKey: key)
      case .date: try container.encode(Date(timeIntervalSince1970: 1), forKey: key)
      case .place:
        try container.encode(RecordLocation(latitude: 1, longitude: 2), forKey: key)
      case .owner(let name): try container.encode(reference(name), forKey: key)
      case .file: try container.encode(Sheet.file, forKey: key)
      case .bytes(let count): try container.encode(Data(count: count), forKey: key)
      case .texts(let texts): try container.encode(texts, forKey: key)
      case .numbers(let numbers): try container.encode(numbers, forKey: key)
      case .owners(let names): try container.encode(names.map(reference), forKey: key)
      }
    }
  }
}

extension Choices {
  /// A value of any kind of field, of few bytes.
  ///
  ///     text              0, 8 or 16 bytes; a count of characters would be half of it
  ///     number, date      8
  ///     place             16
  ///     owner             24: "r0" 2, "Notes" 5, "__defaultOwner__" 16, the action 1
  ///     file              0
  ///     texts             0, 0 or 8: the first text of a list is empty
  ///     numbers           0, 8 or 16
  ///     owners            0, 24 or 48
  fileprivate mutating func sized() -> Bag.Value {
    let count = index(below: 3)
    switch index(below: 9) {
    case 0: return .text(String(repeating: "\u{E9}", count: 4 * count))
    case 1: return .number(count)
    case 2: return .date
    case 3: return .place
    case 4: return .owner("r\(count)")
    case 5: return .file
    case 6: return .texts((0..<count).map { String(repeating: "\u{E9}", count: 4 * $0) })
    case 7: return .numbers(Array(0..<count))
    default: return .owners((0..<count).map { "r\($0)" })
    }
  }
}

/// A value that may break a rule with each of its properties.
///
/// `violations` is the oracle, in the order in which the coder must tell: type, name, then fields
/// by key.
///
///     recordType      "1Note": first character     "N-": a hyphen
///     recordName      "_r", "", U+00E9             256 letters: one more than 255
///     ratios          [0, infinity]: told at index 1, not at the field as a whole
///     at              0 and 0.5 s are whole milliseconds, 0.25 ms is not
private struct Draft: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitRecordType: String
  var cloudKitIdentifier: String
  /// A key that records keep for themselves.
  var recordID: Int?
  var ratio: Double
  var ratios: [Double]
  var at: Date
  var file: URL?

  enum CodingKeys: CodingKey { case recordID, ratio, ratios, at, file }

  init(_ choices: inout Choices) {
    cloudKitRecordType = choices.element(of: ["Note", "1Note", "N-"])
    cloudKitIdentifier = choices.element(of: [
      "r0", "_r", "", "\u{E9}", String(repeating: "n", count: 256),
    ])
    // A key that no field may have, though a property may.
    recordID = choices.flag() ? 1 : nil
    ratio = choices.element(of: [1, .infinity, -.infinity])
    ratios = [0, choices.element(of: [1, .infinity])]
    at = Date(timeIntervalSince1970: choices.element(of: [0, 0.5, 0.000_25]))
    file = choices.element(of: [nil, Sheet.file, Self.missing])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // A nil would name the key as well.
    if let recordID { try container.encode(recordID, forKey: .recordID) }
    try container.encode(ratio, forKey: .ratio)
    try container.encode(ratios, forKey: .ratios)
    try container.encode(at, forKey: .at)
    try container.encodeIfPresent(file, forKey: .file)
  }

  /// A file that no system has.
  private static let missing = URL(fileURLWithPath: "/nowhere/file")

  /// The keys of its fields, sorted.
  var keys: [String] {
    ["at", file == nil ? nil : "file", "ratio", "ratios", recordID == nil ? nil : "recordID"]
      .compactMap(\.self)
  }

  /// Whether the date is no whole millisecond.
  ///
  /// 0 and 0.5 s are whole milliseconds, 0.25 ms is not: the three dates that are drawn.
  private var hasFraction: Bool {
    at.timeIntervalSince1970.truncatingRemainder(dividingBy: 0.5) != 0
  }

  /// What is wrong, in the order of subjects and keys.
  ///
  /// Each property is wrong in at most one way, so that the order of keys is the order of
  /// violations.
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
    if let file, file == Self.missing {
      found.append(RecordViolation(.field("file", index: nil), .missingFile(file)))
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
  /// The kinds of all properties, `nil` ones included.
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
