import CodingSupport
import Foundation
import RecordModel
import Texts

// How a field becomes a property. Numbers fit exactly or are refused; bytes are JSON for any type but
// `Data`, so that a field which was nested once is still read after its type became an asset's.

/// Worked example: 300 of an integer field as `Int8` is `dataCorrupted`; 1.5 of a float field as
/// `Int` `typeMismatch`.
func exactInteger<T: FixedWidthInteger>(
  _ type: T.Type,
  _ value: RecordValue,
  _ path: () -> CodingPath
) throws -> T {
  switch value {
  case .int64(let number):
    if let exact = T(exactly: number) { return exact }
    throw corrupted(path(), "expected \(type), found a number that it does not hold at \(path())")
  case .double(let number):
    if let exact = T(exactly: number) { return exact }
    throw mismatch(type, "a number that is not whole or not held", path())
  default: throw mismatch(type, "\(value.kind)", path())
  }
}

/// Worked example: 2^53 + 1 as `Double`, or 0.1 as `Float`, is refused: rounded, it would be saved
/// as another number.
func exactFloat<T: BinaryFloatingPoint>(
  _ type: T.Type,
  _ value: RecordValue,
  _ path: () -> CodingPath
) throws -> T {
  let exact: T?
  switch value {
  // NaN equals no number, itself included: `init(exactly:)` would refuse it.
  case .double(let number) where number.isNaN: return T.nan
  case .double(let number): exact = T(exactly: number)
  case .int64(let number): exact = T(exactly: number)
  default: throw mismatch(type, "\(value.kind)", path())
  }
  if let exact { return exact }
  throw corrupted(
    path(),
    "expected \(type), found a number that it cannot hold exactly at \(path())"
  )
}

/// Only 0 and 1 are booleans; any other number is an integer of the app.
func exactBool(_ value: RecordValue, _ path: () -> CodingPath) throws -> Bool {
  switch value {
  case .int64(0): return false
  case .int64(1): return true
  case .int64: throw mismatch(Bool.self, "a number that is neither 0 nor 1", path())
  default: throw mismatch(Bool.self, "\(value.kind)", path())
  }
}

/// A string field's text; a URL's is one, too.
func exactString(_ value: RecordValue, _ path: () -> CodingPath) throws -> String {
  guard case .string(let text) = value else { throw mismatch(String.self, "\(value.kind)", path()) }
  return text
}

/// The URL of a text.
///
/// - Throws: `dataCorrupted` for a text that is no URL.
func url(_ text: String, _ path: () -> CodingPath) throws -> URL {
  if let url = URL(string: text) { return url }
  let path = path()
  throw corrupted(path, "expected a URL at \(path), found a string that is not a URL")
}

// MARK: - Properties of any type

extension RecordReading {
  /// The value of a field for a property of any type.
  ///
  /// In this order: types with a conversion, a reference to a record of its own, a list of such,
  /// and JSON in bytes. A kind that fits none ends in `nested`, which says what was found.
  func read<T: Decodable>(
    _ type: T.Type,
    _ value: RecordValue,
    _ path: CodingPath
  ) throws -> T {
    if let found = try convert(type, value, path) {
      guard let result = found as? T else { throw mismatch(type, "\(value.kind)", path) }
      return result
    }
    if case .reference(let reference) = value, type is any CustomCloudKitDecodable.Type {
      // `becomeNil` is of no use to a property that may not be nil.
      guard let found = try follow(type, reference, path) else {
        throw missing(reference, type, path)
      }
      return found
    }
    if case .list(let list) = value, let type = type as? any ReferencedList.Type,
      let found = try type.read(list, self, path) as? T
    {
      return found
    }
    return try nested(value, type, path).decode(type)
  }

  /// As ``read(_:_:_:)``, but `nil` for a reference that leads nowhere where that is admitted.
  func readOptional<T: Decodable>(
    _ type: T.Type,
    _ value: RecordValue,
    _ path: CodingPath
  ) throws -> T? {
    switch value {
    case .reference(let reference) where type is any CustomCloudKitDecodable.Type:
      return try follow(type, reference, path)
    case .bytes(let bytes) where bytes.elementsEqual("null".utf8) && type != Data.self:
      return nil
    default: return try read(type, value, path)
    }
  }

  /// A value of a type that is read without its `init(from:)`; `nil` for any other type.
  ///
  /// Bytes are `Data` for `Data` alone, and JSON for all others, whatever their conversion: a field
  /// outlives its type.
  private func convert(_ type: Any.Type, _ value: RecordValue, _ path: CodingPath) throws -> Any? {
    if let type = type as? any RecordElement.Type {
      if case .bytes(let bytes) = value {
        // JSON then, for the last line of `read`.
        guard type == Data.self else { return nil }
        return bytes
      }
      return try type.read(value, self, path)
    }
    // Before bytes count as JSON: those of an optional `Data` are none.
    if let type = type as? any OptionalField.Type,
      let wrapped = type.wrappedType as? any Decodable.Type
    {
      // An optional in an `Any`: the caller's cast to `T?` finds it, nil or not.
      return try readOptional(wrapped, value, path) as Any
    }
    if case .bytes = value { return nil }
    if let type = type as? any ReadableList.Type {
      guard case .list(let list) = value else { throw mismatch(type, "\(value.kind)", path) }
      return try type.read(list, self, path)
    }
    if let type = type as? any CloudKitStringEnum.Type { return try stringCase(type, value, path) }
    if let type = type as? any CloudKitIntEnum.Type { return try intCase(type, value, path) }
    if let type = type as? any OpenEnumField.Type,
      let raw = type.rawType as? any RecordElement.Type
    {
      return type.opened(try raw.read(value, self, path))
    }
    if let type = type as? any CloudKitAssetValue.Type, case .asset(let asset) = value {
      return try read(type, asset, path)
    }
    return nil
  }

  /// The case of a raw value, or its fallback.
  private func stringCase<E: CloudKitStringEnum>(
    _ type: E.Type,
    _ value: RecordValue,
    _ path: CodingPath
  ) throws -> E {
    let raw = try exactString(value) { path }
    return try E(rawValue: raw) ?? fallback(type.cloudKitFallbackCase, path)
  }

  /// As `stringCase`, of numbers: an `Int` field that holds no `Int` is refused before.
  private func intCase<E: CloudKitIntEnum>(
    _ type: E.Type,
    _ value: RecordValue,
    _ path: CodingPath
  ) throws -> E {
    let raw = try exactInteger(Int.self, value) { path }
    return try E(rawValue: raw) ?? fallback(type.cloudKitFallbackCase, path)
  }

  /// The case that stands for a raw value that no case has.
  ///
  /// - Throws: `dataCorrupted` where the type has no fallback, or the caller asked for a refusal.
  private func fallback<E>(_ fallback: E?, _ path: CodingPath) throws -> E {
    if options.unknownEnums == .fallback, let fallback { return fallback }
    throw corrupted(path, "expected \(E.self), found a raw value that it does not have at \(path)")
  }

  /// What a file holds, by what its bytes look like; its name may be another after a download.
  private func read<Value: CloudKitAssetValue>(
    _ type: Value.Type,
    _ asset: RecordAsset,
    _ path: CodingPath
  ) throws -> Value {
    guard let url = asset.fileURL else { throw Self.noFile(type, path) }
    let bytes: Data
    do {
      // The whole file: it is decoded at once, and the record's size says nothing of it.
      bytes = try Data(contentsOf: url)
    } catch {
      throw corrupted(path, "expected the file of an asset at \(path), which is not read", error)
    }
    do {
      return try Value.decoded(
        from: bytes,
        type: RecordContentType(sniffing: bytes) ?? Value.preferredContentType
      )
    } catch let error as DecodingError {
      throw error.moved(below: path)
    }
  }

  static func noFile(_ type: Any.Type, _ path: CodingPath) -> DecodingError {
    DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path.codingKeys,
        debugDescription: "expected an asset with a file at \(path), found one without"
      )
    )
  }

  // MARK: - Nested values

  /// A decoder of the JSON in a field's bytes.
  ///
  /// - Throws: `typeMismatch` for a field that is not of bytes, `dataCorrupted` for bytes that are
  ///   no JSON.
  func nested(_ value: RecordValue, _ type: Any.Type, _ path: CodingPath) throws -> NestedDecoding {
    guard case .bytes(let bytes) = value else { throw mismatch(type, "\(value.kind)", path) }
    let json: JSONValue
    do {
      json = try JSONValue(
        parsing: Array(bytes),
        depthLimit: NestedPlace.limit.depth,
        keepsDigits: true
      )
    } catch {
      // Bytes that are no JSON are of another kind for a scalar, not a broken text.
      guard !(type is any RecordElement.Type) else { throw mismatch(type, "\(value.kind)", path) }
      throw corrupted(path, "expected JSON at \(path): \(error)", error)
    }
    return NestedDecoding(reading: self, value: json, path: path)
  }
}

extension DecodingError {
  /// The same error, at a path that begins with another.
  ///
  /// An asset's content is decoded by a coder of its own, whose paths begin at the content.
  func moved(below path: CodingPath) -> DecodingError {
    func moved(_ context: Context) -> Context {
      Context(
        codingPath: path.codingKeys + context.codingPath,
        debugDescription: context.debugDescription,
        underlyingError: context.underlyingError
      )
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
    case .dataCorrupted(let context): .dataCorrupted(moved(context))
    @unknown default: self
    }
  }
}

// MARK: - Elements

/// An array whose elements are read one by one from a list.
protocol ReadableList {
  static func read(_ list: RecordList, _ reading: RecordReading, _ path: CodingPath) throws -> Any
}

// Element by element, each at its index, so that a refusal says which.
extension Array: ReadableList where Element: RecordElement {
  static func read(_ list: RecordList, _ reading: RecordReading, _ path: CodingPath) throws -> Any {
    try list.elements.enumerated().map { index, element in
      try Element.read(element, reading, path.appending(.index(index)))
    }
  }
}

/// An array whose elements are records of their own.
protocol ReferencedList {
  static func read(_ list: RecordList, _ reading: RecordReading, _ path: CodingPath) throws -> Any?
}

extension Array: ReferencedList where Element: CustomCloudKitDecodable {
  static func read(_ list: RecordList, _ reading: RecordReading, _ path: CodingPath) throws -> Any?
  {
    // An empty list has no kind where another writer made it.
    guard list.kind == nil || list.kind == .reference else { return nil }
    return try list.elements.flatMap(\.references).enumerated().map { index, reference in
      let place = path.appending(.index(index))
      guard let found = try reading.follow(Element.self, reference, place) else {
        throw reading.missing(reference, Element.self, place)
      }
      return found
    }
  }
}

extension RecordElement {
  /// Reads a value that is not JSON in bytes.
  static func read(
    _ value: RecordValue,
    _ reading: RecordReading,
    _ path: CodingPath
  ) throws -> Self {
    guard let found = try any(value, path) as? Self else {
      throw mismatch(Self.self, "\(value.kind)", path)
    }
    return found
  }

  /// By the field's kind, and by the type only where several share a kind: numbers, and texts as
  /// URLs.
  ///
  /// The caller casts to its type: a kind that is another type's is a mismatch there.
  private static func any(_ value: RecordValue, _ path: CodingPath) throws -> Any {
    if let type = Self.self as? any IntegerElement.Type { return try integer(type, value, path) }
    switch value {
    case .int64, .double:
      if Self.self == Bool.self { return try exactBool(value) { path } }
      if Self.self == Double.self { return try exactFloat(Double.self, value) { path } }
      if Self.self == Float.self { return try exactFloat(Float.self, value) { path } }
    case .string(let text):
      guard Self.self == URL.self else { return text }
      return try url(text) { path }
    case .asset(let asset):
      guard Self.self == URL.self else { return asset }
      if let url = asset.fileURL { return url }
      throw RecordReading.noFile(URL.self, path)
    // `Data`, or an element of a list of it; the JSON of a single field never comes here.
    case .bytes(let bytes): return bytes
    case .timestamp(let date): return date
    case .location(let location): return location
    case .reference(let reference): return reference
    case .list: break
    }
    throw mismatch(Self.self, "\(value.kind)", path)
  }

  private static func integer<T: IntegerElement>(
    _ type: T.Type,
    _ value: RecordValue,
    _ path: CodingPath
  ) throws -> T { try exactInteger(type, value) { path } }
}
