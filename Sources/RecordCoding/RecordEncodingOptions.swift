public import Foundation
public import RecordModel

/// How values become records.
public struct RecordEncodingOptions: Sendable {
  /// What becomes of a property that is nil.
  public enum NilHandling: Hashable, Sendable {
    /// Its key is removed and marked as changed, so that a save clears it on the server.
    case clearKey
    /// Its key is left as it is: the server keeps an old value.
    case omit
  }

  /// What becomes of fields of the base record that the value does not name.
  public enum UnknownKeys: Hashable, Sendable {
    /// They stay, unmarked: another version of the app wrote them.
    case preserve
    case remove
  }

  /// What becomes of a property whose type is no kind of field.
  public enum NestedValues: Hashable, Sendable {
    /// JSON, as the bytes of one field.
    case json
    /// A reference to a record of its own where the type is a `CustomCloudKitEncodable`, else JSON.
    case references
    /// An error.
    case reject
  }

  /// What becomes of dates, those in nested values included.
  public enum Dates: Hashable, Sendable {
    /// The nearest whole millisecond, halves away from 1970: what servers keep.
    case milliseconds
    /// Every bit, for records that no server sees.
    case exact
  }

  /// What becomes of coding keys that are no keys of fields.
  public enum Keys: Hashable, Sendable {
    /// They are refused.
    case strict
    /// They are spelled as `RecordNames.escaped(_:)` spells them; decode with the same option.
    case escaped
  }

  /// What is checked while a value is encoded.
  public enum Validation: Hashable, Sendable {
    /// Nothing: `Record.violations(for:existing:)` tells all of it at once.
    case off
    /// What any device can know: names, files, zones, sizes.
    case client
    /// As well what servers refuse: numbers that are not finite.
    case server
  }

  public var nilHandling = NilHandling.clearKey
  public var unknownKeys = UnknownKeys.preserve
  public var nestedValues = NestedValues.json
  public var dates = Dates.milliseconds
  public var keys = Keys.strict
  public var validation = Validation.client
  /// Keys whose values the server is not to read: no assets, no references.
  public var encryptedKeys: Set<String> = []
  /// What is deleted with whom, by the key of the field; else as the type of the nested value says.
  public var referenceActions: [String: RecordReference.Action] = [:]
  /// Whether a stored `cloudKitIdentifier` is written as a field, too.
  public var storesIdentifier = false
  /// Whether an identifier that changes from one access to the next is refused.
  public var requiresStableIdentity = false
  /// Where files of asset values are written, each in a folder of its own.
  public var assetDirectory = FileManager.default.temporaryDirectory
    .appendingPathComponent("record-assets", isDirectory: true)

  public init() {}

  /// What CloudKitCodable 0.3.0 does: nil leaves a key alone, dates keep every bit, identifiers are stored
  /// as fields, nothing is checked.
  public static var cloudKitCodable: RecordEncodingOptions {
    var options = RecordEncodingOptions()
    options.nilHandling = .omit
    options.dates = .exact
    options.storesIdentifier = true
    options.validation = .off
    return options
  }
}

/// How records become values.
public struct RecordDecodingOptions: Sendable {
  /// What becomes of a raw value that an enumeration does not have.
  public enum UnknownEnums: Hashable, Sendable {
    /// The type's fallback; refused where it has none.
    case fallback
    case fail
  }

  /// What becomes of a reference whose record is not there.
  public enum DanglingReferences: Hashable, Sendable {
    case fail
    /// An optional property is nil; any other is refused.
    case becomeNil
  }

  public var unknownEnums = UnknownEnums.fallback
  public var danglingReferences = DanglingReferences.fail
  public var keys = RecordEncodingOptions.Keys.strict
  /// References within references at most.
  public var referenceDepthLimit = 64

  public init() {}
}
