public import Foundation
public import RecordModel

// What a caller may choose, for both directions. By default nil clears, unknown fields stay, and
// names and sizes are checked; `cloudKitCodable` is what the library of that name does. Laws:
// `record.by-rules`, `record.options-hold`, `record.checks-as-asked`.

/// How values become records.
public struct RecordEncodingOptions: Sendable {
  /// What becomes of a property that is `nil`.
  public enum NilHandling: Hashable, Sendable {
    /// Its key is removed and marked as changed, so that a save clears it on the server.
    ///
    /// Without a base it is marked always, with one only if the base had the key.
    case clearKey
    /// Its key is left as it is: the server keeps an old value.
    ///
    /// A property that became `nil` comes back with the next fetch.
    case omit
  }

  /// What becomes of fields of the base record that the value does not name.
  public enum UnknownKeys: Hashable, Sendable {
    /// They stay, unmarked: another version of the app wrote them.
    case preserve
    /// They go and are marked: of two versions that share a record the older deletes what the newer
    /// wrote.
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
    ///
    /// Worked example: 0.37 ms past a second becomes that second. A date that no 64 bits of
    /// milliseconds hold is refused.
    case milliseconds
    /// Every bit, for records that no server sees.
    case exact
  }

  /// What becomes of coding keys that are no keys of fields.
  public enum Keys: Hashable, Sendable {
    /// They are refused.
    case strict
    /// They are spelled as `RecordNames.escaped(_:)` spells them; decode with the same option.
    ///
    /// Worked example: `a b` gets a legal spelling of its own, and no other text has it; see
    /// `record.keys-escaped`.
    case escaped
  }

  /// What becomes of `UInt` and `UInt64`, whose greater half no server has.
  public enum WideIntegers: Hashable, Sendable {
    /// Integers as others; what does not fit is refused.
    case refuse
    /// JSON, all of them, since the kind of a field follows from its type.
    case json
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
  public var wideIntegers = WideIntegers.refuse
  public var validation = Validation.client
  /// Keys whose values the server is not to read: no assets, no references.
  ///
  /// A key stands on one side: when it comes to this set or leaves it, the former field goes with
  /// the next encode.
  public var encryptedKeys: Set<String> = []
  /// What is deleted with whom, by the key of the field; else as the type of the nested value says.
  public var referenceActions: [String: RecordReference.Action] = [:]
  /// Whether a stored `cloudKitIdentifier` is written as a field, too.
  public var storesIdentifier = false
  /// Whether system fields are a field as any other and make no identity, for laws that speak of values alone.
  package var storesSystemFields = false
  /// Whether an identifier that changes from one access to the next is refused.
  ///
  /// For types that compute a new UUID at each access: each save would make another record.
  public var requiresStableIdentity = false
  /// Where files of asset values are written, each in a folder of its own.
  ///
  /// The system may empty the default; give a folder of the app's own if a save may come after a
  /// restart.
  public var assetDirectory = FileManager.default.temporaryDirectory
    .appendingPathComponent("record-assets", isDirectory: true)

  public init() {}

  /// What CloudKitCodable 0.3.0 does: `nil` leaves a key alone, dates keep every bit, identifiers are stored
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
    /// An optional property is `nil`; any other is refused.
    ///
    /// A list has no `nil`: a missing element is refused in either case.
    case becomeNil
  }

  public var unknownEnums = UnknownEnums.fallback
  public var danglingReferences = DanglingReferences.fail
  public var keys = RecordEncodingOptions.Keys.strict
  /// Whether system fields are read from a field alone.
  ///
  /// The counterpart of `storesSystemFields`, for laws that speak of values alone.
  package var readsSystemFieldsFromField = false
  /// References within references at most.
  ///
  /// 0 admits none; what refers deeper is refused, and a circle is refused whatever the limit.
  public var referenceDepthLimit = 64
  /// Records that one call reads for references at most, a record counted again for each reference to it.
  ///
  /// Values have no identity, so that two references to one record are read twice: with two at each of 40
  /// levels there would be 2^40 to read.
  public var referencedRecordLimit = 100_000

  public init() {}
}
