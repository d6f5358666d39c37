import Foundation
import PropertyEngine
import RecordModel

// Models whose nested values are records of their own.

/// A record with children of two types; a tree of them may have a picture more than once.
///
///     c0 -parts-> c1, c2       each chapter one record
///     c1 -cover-> p0           pictures are of three, so that c1 and c2 may have the same one
///
/// The records of a chapter c1 with the parts c2 and c3 and the cover p0:
///
///     c1    title STRING    parts LIST<REFERENCE> c2, c3    cover REFERENCE p0, deleteSelf
///     p0    caption STRING
struct Chapter: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data?
  var cloudKitIdentifier: String
  var cloudKitRecordType: String { "Chapter" }
  var title: String
  var parts: [Chapter]
  var cover: Picture?

  enum CodingKeys: CodingKey {
    case cloudKitSystemFields, cloudKitIdentifier, title, parts, cover
  }
}

/// A record that takes those that refer to it along when it is deleted.
struct Picture: CustomCloudKitCodable, Equatable {
  var cloudKitSystemFields: Data?
  var cloudKitIdentifier: String
  var cloudKitRecordType: String { "Picture" }
  var caption: String

  enum CodingKeys: CodingKey { case cloudKitSystemFields, cloudKitIdentifier, caption }

  static var cloudKitReferenceAction: RecordReference.Action { .deleteSelf }
}

extension Chapter {
  /// Chapters within chapters; `count` is how many there were before.
  ///
  /// Up to two parts on each of three levels below the root: at most 15 chapters.
  init(_ choices: inout Choices, depth: Int = 0, count: inout Int) {
    cloudKitIdentifier = "c\(count)"
    count += 1
    title = choices.text()
    parts = []
    if depth < 3 {
      for _ in 0..<choices.number(in: 0...2) {
        parts.append(Chapter(&choices, depth: depth + 1, count: &count))
      }
    }
    // One of few, so that two chapters have the same.
    let picture = choices.index(below: 3)
    cover =
      choices.flag()
      ? Picture(cloudKitIdentifier: "p\(picture)", caption: "picture \(picture)") : nil
  }

  /// The chapter as it comes back, without what a decode adds.
  var bare: Chapter {
    var chapter = self
    chapter.cloudKitSystemFields = nil
    chapter.parts = parts.map(\.bare)
    chapter.cover?.cloudKitSystemFields = nil
    return chapter
  }

  /// References within references.
  ///
  /// 0 for a chapter alone, 1 for one with a cover, 2 for c0 -> c1 -> p0, and 4 at most: three
  /// levels of parts and a cover on the last.
  var depth: Int { max(cover == nil ? 0 : 1, parts.map { $0.depth + 1 }.max() ?? 0) }

  /// References in all: a picture counts as often as a chapter has it.
  var referenceCount: Int {
    parts.reduce(parts.count + (cover == nil ? 0 : 1)) { $0 + $1.referenceCount }
  }

  /// Gives a part, somewhere within, one more part: a chapter around it once more, by its name alone.
  ///
  /// - Returns: The records of the part and of the chapter that it refers back to; `nil` if there are no parts.
  mutating func referringBack(_ choices: inout Choices) -> (from: RecordID, to: RecordID)? {
    guard !parts.isEmpty else { return nil }
    let place = choices.index(below: parts.count)
    if choices.flag(), let deeper = parts[place].referringBack(&choices) { return deeper }
    parts[place].parts.append(
      Chapter(cloudKitIdentifier: cloudKitIdentifier, title: "", parts: [], cover: nil)
    )
    return (Self.id(parts[place].cloudKitIdentifier), Self.id(cloudKitIdentifier))
  }

  private static func id(_ name: String) -> RecordID {
    RecordID(recordName: name, zoneID: recordZone)
  }

  /// The fields that the records of the chapter and of all below it have, by their ids.
  ///
  /// A picture's reference deletes by its type's wish, a part's does not; `actions` overrides
  /// either by key.
  ///
  /// A picture that several chapters have comes up once for each, with equal fields: its caption
  /// follows from its name. So it does not matter which of them the dictionary keeps.
  func fields(
    _ actions: [String: RecordReference.Action]
  ) -> [RecordID: [String: RecordValue]] {
    var all: [RecordID: [String: RecordValue]] = [:]
    var own: [String: RecordValue] = ["title": .string(title)]
    own["parts"] = .list(
      .references(
        parts.map {
          RecordReference(
            recordID: Self.id($0.cloudKitIdentifier),
            action: actions["parts"] ?? .none
          )
        }
      )
    )
    if let cover {
      let id = Self.id(cover.cloudKitIdentifier)
      let action = actions["cover"] ?? .deleteSelf
      own["cover"] = .reference(RecordReference(recordID: id, action: action))
      all[id] = ["caption": .string(cover.caption)]
    }
    all[Self.id(cloudKitIdentifier)] = own
    for part in parts { all.merge(part.fields(actions)) { $1 } }
    return all
  }
}

/// An enumeration of texts with a fallback of its own, and one of numbers whose fallback is its first case.
///
/// Of `Sky` a caller sees `unknown` for what it does not know; of `Wind` the first case, `calm`.
struct Weather: Decodable {
  /// Its fallback is a case of its own, as a caller sees it.
  enum Sky: String, CloudKitStringEnum {
    case clear, grey, unknown
    static var cloudKitFallbackCase: Sky? { .unknown }
  }

  /// Raw values that are not the places of their cases.
  ///
  /// A coder that takes a raw value for the place of its case is caught: 3 and 9 are no places
  /// among two cases, and 0 is no raw value.
  enum Wind: Int, CloudKitIntEnum, CaseIterable {
    case calm = 3
    case storm = 9
  }

  var sky: Sky
  var wind: Wind
}
