package import Foundation
package import RecordModel

// The model of the laws, in two versions of an app: a newer one has fields that an older one does not know.

/// The zone of all records of a story.
package let recordZone = RecordZoneID(zoneName: "Notes")

/// Without a fallback: a raw value that it does not know is only kept by `OpenEnum`.
enum Mood: String, CloudKitStringEnum, CaseIterable {
  case calm
  case glad

  static var cloudKitFallbackCase: Mood? { nil }
}

/// The moods of a later version.
///
/// `wild` is what an older device must keep and cannot name.
enum LaterMood: String, CloudKitStringEnum, CaseIterable {
  case calm
  case glad
  case wild
}

/// A note as the older version has it.
struct OldNote: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data?
  var cloudKitIdentifier: String
  var cloudKitRecordType: String { "Note" }
  var title: String?
  var count: Int?
  var tags: [String]?
  var at: Date?
  var parent: RecordReference?
  var mood: OpenEnum<Mood>?

  enum CodingKeys: String, CodingKey {
    case cloudKitSystemFields, cloudKitIdentifier
    case title, count, tags, at, mood
    // `parent` is a key that records keep for themselves.
    case parent = "owner"
  }
}

/// A note as the newer version has it.
///
///     key                 kind             the older version
///     title               STRING           has it
///     count               INT64            has it
///     tags                LIST<STRING>     has it
///     at                  TIMESTAMP        has it
///     owner               REFERENCE        has it
///     mood                STRING           has it, and does not know "wild"
///     isPinned, links     INT64, BYTES     does not know them, and must keep them
struct NewNote: CustomCloudKitCodable, Equatable, Sendable {
  var cloudKitSystemFields: Data?
  var cloudKitIdentifier: String
  var cloudKitRecordType: String { "Note" }
  var title: String?
  var count: Int?
  var tags: [String]?
  var at: Date?
  var parent: RecordReference?
  var mood: OpenEnum<LaterMood>?
  var isPinned: Bool?
  var links: [Link]?

  /// No kind of field, and so stored as JSON.
  struct Link: Codable, Equatable {
    var name: String
    var weight: Double
  }

  enum CodingKeys: String, CodingKey {
    case cloudKitSystemFields, cloudKitIdentifier
    case title, count, tags, at, mood, isPinned, links
    case parent = "owner"
  }
}

/// A property that an edit sets.
package enum NoteField: String, Hashable, Sendable, CaseIterable {
  case title
  case count
  case tags
  case at
  case mood
  /// Known to the newer version alone, as all that follows.
  case isPinned = "pinned"
  case links

  /// The fields that the older version knows.
  package static let old: [NoteField] = [.title, .count, .tags, .at, .mood]
  /// The key of its field.
  package var key: String { self == .isPinned ? "isPinned" : rawValue }
}

/// A note of either version, and the edits of it.
///
/// Both versions take each edit that they know, so that one story runs on either.
///
///     number   title        count   tags     mood (old, new)   isPinned   links
///     0        nil          nil     nil      nil               nil        nil
///     1        "e\u{301}1"  1       []       calm              false      []
///     2        "\u{E9}2"    2       ["t2"]   glad, wild        true       one
///     3        "a/b3"       3       ["t3"]   glad, wild        true       one
package protocol EditableNote: CustomCloudKitCodable {
  /// A note without properties, which becomes the record of that name.
  init(named name: String)

  var title: String? { get set }
  var count: Int? { get set }
  var tags: [String]? { get set }
  var at: Date? { get set }
  var parent: RecordReference? { get set }
  /// Sets a property that is another in each version, or in one alone, to the value of a number.
  mutating func setOwn(_ field: NoteField, to number: Int)
}

/// Texts that readers cannot tell apart among them.
private func text(_ number: Int) -> String {
  ["", "e\u{301}", "\u{E9}", "a/b"][number % 4] + "\(number)"
}

/// 0.37 ms apart, so that an encode must round; the base is a moment in 2023.
///
/// Number 1 is stored as 0 ms past the second, 2, 3 and 4 as 1 ms, and 5 as 2 ms. So an edit from 2
/// to 3 changes the property and not its field, which must not be marked then.
private func moment(_ number: Int) -> Date {
  Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 0.000_37)
}

extension EditableNote {
  /// Sets a property to the value of a number; 0 is `nil`.
  package mutating func set(_ field: NoteField, to number: Int) {
    let isNil = number == 0
    switch field {
    case .title: title = isNil ? nil : text(number)
    case .count: count = isNil ? nil : number
    case .tags: tags = isNil ? nil : number == 1 ? [] : ["t\(number)"]
    case .at: at = isNil ? nil : moment(number)
    case .mood, .isPinned, .links: setOwn(field, to: number)
    }
  }

  /// Sets the field `owner`; `nil` clears it.
  package mutating func refer(to target: RecordReference?) { parent = target }
}

extension OldNote: EditableNote {
  package init(named name: String) { cloudKitIdentifier = name }

  package mutating func setOwn(_ field: NoteField, to number: Int) {
    guard field == .mood else { return }
    mood = number == 0 ? nil : OpenEnum(rawValue: number == 1 ? "calm" : "glad")
  }
}

extension NewNote: EditableNote {
  package init(named name: String) { cloudKitIdentifier = name }

  package mutating func setOwn(_ field: NoteField, to number: Int) {
    let isNil = number == 0
    switch field {
    case .mood: mood = isNil ? nil : OpenEnum(rawValue: number == 1 ? "calm" : "wild")
    case .isPinned: isPinned = isNil ? nil : number > 1
    case .links:
      links =
        isNil ? nil : number == 1 ? [] : [Link(name: "l\(number)", weight: Double(number) / 3)]
    case .title, .count, .tags, .at: break
    }
  }
}
