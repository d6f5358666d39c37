package import Foundation
package import RecordModel

/// What the caller of an encode asks for; by itself nothing.
///
/// Each property is an option of `RecordEncodingOptions`, whose defaults these are; the subject
/// translates.
package struct RecordSettings: Hashable, Sendable {
  /// What is checked while a value is encoded.
  ///
  /// Nothing, what a device can know (names, keys, sizes, files), or what a server refuses besides.
  package enum Checks: Hashable, Sendable, CaseIterable {
    case off, client, server
  }

  /// What CloudKitCodable does, before all that follows.
  package var followsCloudKitCodable = false
  /// As it is where the caller says nothing if `nil`.
  package var checks: Checks?
  /// Where files of asset values are written; where the coder pleases if `nil`.
  package var assetDirectory: URL?
  /// Coding keys that are no keys of fields are spelled otherwise.
  package var escapesKeys = false
  /// An identifier is a field as well.
  package var storesIdentifier = false
  /// A value that is no kind of field is refused.
  package var refusesNested = false
  /// An identifier that is another one at each access is refused.
  package var wantsStableIdentity = false
  /// A `nil` property leaves its field alone.
  package var omitsNil = false
  /// Fields that the value does not name go.
  package var removesUnknown = false
  /// Dates keep every bit.
  package var keepsExactDates = false
  /// Unsigned integers of 64 bits are JSON.
  package var storesWideAsJSON = false
  /// Keys whose values the server is not to read.
  package var encryptedKeys: Set<String> = []
  /// Nested values that may be records are records of their own.
  package var hasChildren = false
  /// What is deleted with whom, by the key of the reference; else as the type of the child says.
  package var actions: [String: RecordReference.Action] = [:]
  /// What values may ask the coder for, under ``Foundation/CodingUserInfoKey/recordLawInfo``; nothing if it is 0.
  package var info = 0

  package init() {}
}

/// What the caller of a decode asks for; by itself nothing.
///
/// As the options of `CloudKitRecordDecoder`.
package struct RecordReadSettings: Hashable, Sendable {
  /// A raw value that an enumeration lacks is refused, also where the type has a fallback.
  package var refusesUnknownCases = false
  /// Keys are those that `RecordSettings.escapesKeys` has spelled.
  package var escapesKeys = false
  /// A reference that leads nowhere is `nil` where the property may be.
  package var danglingIsNil = false
  /// References within references at most; as many as the coder takes if `nil`.
  package var depthLimit: Int?
  /// Records that references lead to at most, each counted as often as it is referred to; as many as the coder takes
  /// if `nil`.
  package var recordLimit: Int?
  /// As `RecordSettings.info`.
  package var info = 0

  package init() {}
}
