public import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// What a model says of itself to become a record. The names are those of CloudKitCodable.

/// A value that a record stands for.
public protocol CloudKitRecordRepresentable {
  /// Archived system fields of the record that the value came from; `nil` before that.
  ///
  /// Keep them with the value: without them a save is that of a new record.
  var cloudKitSystemFields: Data? { get }
  /// The record type; the type's own name if the model does not say otherwise.
  var cloudKitRecordType: String { get }
  /// The record's name as long as there are no system fields.
  ///
  /// By default the `id` of an `Identifiable` value, as text: that of its raw value if it is a
  /// `RawRepresentable`, without the `Optional` around it. Otherwise, and for an `id` that is `nil` or
  /// an object's address, it is another UUID at each access, so that two encodes of one value make two
  /// records: give the model an identifier.
  var cloudKitIdentifier: String { get }
}

extension CloudKitRecordRepresentable {
  public var cloudKitRecordType: String { TypeName.of(Self.self) }

  public var cloudKitIdentifier: String { RandomName.next() }
}

/// The names of types, without their modules.
package enum TypeName {
  // A lock and no actor: names are asked for by synchronous code. It guards the names that are known.
  private static let known = Mutex<[ObjectIdentifier: String]>([:])

  /// `String(describing:)` of a type, which takes thousands of instructions the first time, and few from then on.
  package static func of(_ type: Any.Type) -> String {
    let id = ObjectIdentifier(type)
    if let name = known.withLock({ $0[id] }) { return name }
    let name = String(describing: type)
    known.withLock { $0[id] = name }
    return name
  }
}

/// Names that never come again.
///
/// An encode of a new record makes one, and takes 6.6 µs in all. What is `unsafe` here makes the bits in 0.37 µs,
/// for which the system's generator takes 0.75, and the text in 0.08 µs, which an array and the digits of
/// `Texts` make in 0.19.
package enum RandomName {
  private static let digits: StaticString = "0123456789ABCDEF"

  /// The text of a random UUID, as `UUID().uuidString` is one; that formats it with `snprintf`.
  package static func next() -> String {
    // Version 4, variant 1: RFC 9562, section 5.4.
    let random = bits()
    let high = random.0 & ~0xF000 | 0x4000
    let low = random.1 >> 2 | 1 << 63
    return unsafe String(unsafeUninitializedCapacity: 36) { text in
      let digits = unsafe digits.utf8Start
      var end = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          unsafe text[end] = UInt8(ascii: "-")
          end += 1
        }
        let byte = Int(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - index % 8 * 8))
        unsafe text[end] = digits[byte >> 4 & 0xF]
        unsafe text[end + 1] = digits[byte & 0xF]
        end += 2
      }
      return end
    }
  }

  /// 128 random bits; on Linux by one call of the system, where the generator makes one for each 64.
  private static func bits() -> (UInt64, UInt64) {
    #if canImport(Glibc) || canImport(Musl)
    var bits: (UInt64, UInt64) = (0, 0)
    let failure = unsafe withUnsafeMutableBytes(of: &bits) { bytes in
      unsafe bytes.baseAddress.map { unsafe getentropy($0, bytes.count) } ?? -1
    }
    if failure == 0 { return bits }
    #endif
    var random = SystemRandomNumberGenerator()
    return (random.next(), random.next())
  }
}

extension CloudKitRecordRepresentable where Self: Identifiable {
  public var cloudKitIdentifier: String { IdentifierText.of(id) ?? UUID().uuidString }
}

private protocol OptionalIdentifier {
  var anyIdentifier: Any? { get }
}

extension Optional: OptionalIdentifier {
  fileprivate var anyIdentifier: Any? { self }
}

/// The texts of values' identifiers, which outlive the program: they name records and files.
enum IdentifierText {
  /// The text of an `id`; `nil` if it identifies nothing, or nothing beyond this run of the program.
  ///
  ///     7, "a", a UUID                   their text
  ///     NoteID(rawValue: "a")            "a", whatever Swift calls the type today
  ///     Optional("a"), nil               "a", nil
  ///     an object without `id`           nil: its address is another object's in the next run
  ///     anything else                    its description
  static func of(_ id: Any) -> String? {
    switch id {
    case let text as String: return text
    case let id as UUID: return id.uuidString
    default: break
    }
    if id is ObjectIdentifier { return nil }
    if let optional = id as? any OptionalIdentifier {
      return optional.anyIdentifier.flatMap { of($0) }
    }
    if let id = id as? any RawRepresentable {
      let raw: Any = id.rawValue
      // A type that is its own raw value would lead nowhere.
      if type(of: raw) != type(of: id) { return of(raw) }
    }
    return "\(id)"
  }
}

/// A value that is encoded as a record.
public protocol CustomCloudKitEncodable: CloudKitRecordRepresentable, Encodable {
  /// What becomes of a record that refers to this one when this one is deleted.
  static var cloudKitReferenceAction: RecordReference.Action { get }
}

extension CustomCloudKitEncodable {
  public static var cloudKitReferenceAction: RecordReference.Action { .none }
}

/// A value that is decoded from a record.
public protocol CustomCloudKitDecodable: CloudKitRecordRepresentable, Decodable {}

/// A value that is encoded as a record and decoded from one.
public protocol CustomCloudKitCodable: CustomCloudKitEncodable, CustomCloudKitDecodable {}

// MARK: - Enumerations

/// An enumeration that is stored as its raw value.
public protocol CloudKitEnum {
  /// What a raw value that this version does not know is decoded as; `nil` to refuse it.
  ///
  /// A fallback hides what another version wrote, and a save overwrites it; ``OpenEnum`` keeps it.
  static var cloudKitFallbackCase: Self? { get }
}

extension CloudKitEnum where Self: CaseIterable {
  public static var cloudKitFallbackCase: Self? { allCases.first }
}

/// An enumeration that is stored as a string.
public protocol CloudKitStringEnum: Codable, RawRepresentable, CloudKitEnum
where RawValue == String {
}

/// An enumeration that is stored as an integer.
public protocol CloudKitIntEnum: Codable, RawRepresentable, CloudKitEnum where RawValue == Int {}

/// An enumeration's case, or a raw value that this version of it does not know.
///
/// Another version's case survives a decode and an encode.
public enum OpenEnum<Known: RawRepresentable>
where Known.RawValue: Codable & Hashable & Sendable {
  case known(Known)
  case unknown(Known.RawValue)

  public init(rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
  }

  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let raw): raw
    }
  }
}

extension OpenEnum: Sendable where Known: Sendable {}

extension OpenEnum: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OpenEnum: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

// MARK: - Assets

/// What the bytes of an asset are.
public enum RecordContentType: Hashable, Sendable {
  case json
  case xmlPropertyList
  case binaryPropertyList
  /// Another type, by its identifier.
  case other(String)

  /// The suffix of a file's name, with its dot.
  public var filenameSuffix: String {
    switch self {
    case .json: ".json"
    case .xmlPropertyList, .binaryPropertyList: ".plist"
    case .other: ""
    }
  }

  /// What bytes look like: `bplist00`, `<?xml`, or a first character that begins a JSON text.
  ///
  /// `nil` if like none of them. The name of a file is not asked, since a download loses it.
  public init?(sniffing bytes: Data) {
    if bytes.starts(with: "bplist00".utf8) {
      self = .binaryPropertyList
    } else if bytes.starts(with: "<?xml".utf8) {
      self = .xmlPropertyList
    } else if let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
      "{[\"-0123456789tfn".utf8.contains(first)
    {
      self = .json
    } else {
      return nil
    }
  }
}

/// A value that is stored as a file beside its record.
public protocol CloudKitAssetValue: Codable {
  /// The form in which the value is written; JSON if it does not say otherwise.
  static var preferredContentType: RecordContentType { get }
  /// A name for the file; what cannot stand in a name of a file is replaced.
  var filename: String { get }
  /// The file's content.
  func encoded() throws -> Data
  /// A value of a file's content.
  static func decoded(from data: Data, type: RecordContentType) throws -> Self
}

extension CloudKitAssetValue {
  public static var preferredContentType: RecordContentType { .json }

  public static var filenameSuffix: String { preferredContentType.filenameSuffix }

  public var filename: String { "\(Self.self)-\(UUID().uuidString)\(Self.filenameSuffix)" }
}

extension CloudKitAssetValue where Self: Identifiable {
  public var filename: String {
    "\(Self.self)-\(IdentifierText.of(id) ?? UUID().uuidString)\(Self.filenameSuffix)"
  }
}
