import CodingSupport
import Foundation
import PropertyEngine
import RecordModel

// The law of what people read where a value has no record at all. What is wrong with one field is an `EncodingError` with
// its path, and asked for elsewhere.

extension RecordLaw {
  /// The law of what people read where a value has no record.
  static let reasonLaws: [RecordLaw] = [reasonsNamed]

  /// Catches a refusal that comes as another one, that names the wrong side, or that no log can tell from another.
  ///
  /// Worked example: an app takes the archived fields of a page for a note. The words name both types; with the two
  /// changed places a developer looks for the fault in the note.
  ///
  ///     the value                                         its refusal names
  ///     has 1,000,000 bytes of data                       the key, the bytes
  ///     has system fields of another type                 the type that was found, the one that was expected
  ///     is encoded onto another record                    the name of the base, the name that was expected
  ///     has system fields that are none                   system fields
  ///     has a container in their place                    system fields
  ///     has another identifier each time                  its type
  ///     has two children, and one record is asked for     2
  ///
  /// A container in place of the identifier is passed over, as a value there is.
  static let reasonsNamed = value(
    "record.reasons-named",
    "A refused value is told why.",
    "A value that has no record is refused, with words that name what is refused: the key and size of its data, the type or "
      + "name that was expected and the one that was found, its system fields, its type, or how many records it has.",
    source: .document("Records.md", "Names")
  ) { subject, choices in
    let refusal = choices.element(of: Refusal.allCases)
    do {
      let record = try refusal.encode(subject)
      guard refusal == .identifierContainer else {
        return .record("reasons.taken", "a value with \(refusal.rawValue) was taken")
      }
      return record.allKeys().isEmpty
        ? nil
        : .record(
          "reasons.field",
          "a container in place of the identifier is a field",
          actual: record.allKeys(),
          between: nil,
          "the record that was encoded"
        )
    } catch {
      let words = "\(error)"
      guard CodingFailure(error) == nil, words.hasAll(refusal.names),
        refusal != .identifierContainer
      else {
        return .record(
          "reasons.words",
          "a value with \(refusal.rawValue) is refused with other words",
          expected: refusal.names,
          actual: words,
          between: nil,
          "the refusal"
        )
      }
      return nil
    }
  }
}

/// A value that has no record, and why.
private enum Refusal: String, CaseIterable {
  case data = "1,000,000 bytes of data"
  case type = "the system fields of another type"
  case base = "another record for a base"
  case archive = "system fields that are none"
  case container = "a container in place of system fields"
  case identity = "another identifier each time"
  case children = "children of its own"
  case identifierContainer = "a container in place of the identifier"

  /// What the words must hold, in this order.
  var names: [String] {
    switch self {
    case .data: ["'big'", "1000000"]
    case .type: ["Note", "Page"]
    case .base: ["n0", "n1"]
    case .archive, .container: ["system fields"]
    case .identity: ["Restless"]
    case .children: ["2"]
    case .identifierContainer: []
    }
  }

  func encode(_ subject: any RecordSubject) throws -> Record {
    var settings = RecordSettings()
    settings.checks = .client
    switch self {
    case .data:
      return try subject.encode(OneData(big: Data(count: 1_000_000)), onto: nil, settings)
    case .type:
      var note = OldNote(named: "n0")
      note.cloudKitSystemFields = Self.fields("Page", "n0").archived()
      return try subject.encode(note, onto: nil, settings)
    case .base:
      var note = OldNote(named: "n0")
      note.cloudKitSystemFields = Self.fields("Note", "n0").archived()
      let base = Record(systemFields: Self.fields("Note", "n1"))
      return try subject.encode(note, onto: base, settings)
    case .archive:
      var note = OldNote(named: "n0")
      note.cloudKitSystemFields = Data([1, 2, 3])
      return try subject.encode(note, onto: nil, settings)
    case .container:
      return try subject.encode(Contained(key: "cloudKitSystemFields"), onto: nil, settings)
    case .identifierContainer:
      return try subject.encode(Contained(key: "cloudKitIdentifier"), onto: nil, settings)
    case .identity:
      settings.wantsStableIdentity = true
      return try subject.encode(Restless(), onto: nil, settings)
    case .children:
      settings.hasChildren = true
      let parts = ["c1", "c2"].map {
        Chapter(cloudKitIdentifier: $0, title: "", parts: [], cover: nil)
      }
      let chapter = Chapter(cloudKitIdentifier: "c0", title: "", parts: parts, cover: nil)
      return try subject.encode(chapter, onto: nil, settings)
    }
  }

  private static func fields(_ type: String, _ name: String) -> RecordSystemFields {
    RecordSystemFields(
      recordType: type,
      recordID: RecordID(recordName: name, zoneID: recordZone)
    )
  }
}

/// A value that asks for a container where its record's identity stands.
private struct Contained: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { "contained" }
  var cloudKitRecordType: String { "Contained" }
  let key: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    var part = container.nestedContainer(keyedBy: PathKey.self, forKey: .key(key))
    try part.encode(1, forKey: .key("a"))
  }
}

/// A value that is another record each time it is asked.
private struct Restless: CustomCloudKitEncodable {
  var cloudKitSystemFields: Data? { nil }
  var cloudKitIdentifier: String { UUID().uuidString }
  var cloudKitRecordType: String { "Restless" }
  let title = "a"

  enum CodingKeys: CodingKey { case title }
}

extension String {
  /// Whether it holds all of these, each behind the one before.
  fileprivate func hasAll(_ parts: [String]) -> Bool {
    var rest = self[...]
    for part in parts {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
