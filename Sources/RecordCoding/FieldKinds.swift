import CodingSupport
import Foundation
import RecordModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// What the type of a property says of its field. The kind follows from the type alone, never from a value:
// a list that is empty today is of the kind that it has tomorrow. A URL alone is an exception.

/// A type that is a kind of field, alone and in a list.
///
/// A new kind of field is a conformance here, a case in `RecordReading+Values.swift`, and a row in
/// Records.md, "Values". Lists are made of whole arrays, and no element goes through an encoder of
/// its own.
protocol RecordElement: Codable {
  /// Of a single value; a list has it with `isList`.
  static var recordKind: RecordKind { get }
  /// The value as a field of its own.
  func recordValue(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordValue
  /// The list of many such values.
  ///
  /// - Throws: `EncodingError` at the index of an element that has no place in it.
  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) throws -> RecordList
}

/// An array whose elements are a kind of field.
///
/// Looked up by a cast (`as? any RecordElementList`), since an encoder gets `Array<T>` and not `T`.
protocol RecordElementList {
  static var elementType: Any.Type { get }
  static var elementKind: RecordKind { get }
  /// The list of the elements, as their type makes it.
  func recordList(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordList
}

extension Array: RecordElementList where Element: RecordElement {
  static var elementKind: RecordKind { Element.recordKind }

  func recordList(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordList {
    try Element.recordList(self, graph, path)
  }
}

/// An optional, whatever it wraps.
///
/// So that a `nil` is seen as one where a generic model encodes `T?` by `encode(_:forKey:)`.
protocol OptionalField {
  static var wrappedType: Any.Type { get }
  var wrappedValue: Any? { get }
}

extension Optional: OptionalField {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrappedValue: Any? { self }
}

/// An array, whatever it holds.
///
/// Asked where elements are records of their own, which are no ``RecordElement``.
protocol ArrayField {
  static var elementType: Any.Type { get }
  var anyElements: [Any] { get }
}

extension Array: ArrayField {
  static var elementType: Any.Type { Element.self }
  var anyElements: [Any] { self }
}

/// An enumeration that keeps raw values of other versions.
///
/// Worked example: `OpenEnum<Mood>` with the raw value "wild", which `Mood` lacks, is a field
/// "wild" like any text.
protocol OpenEnumField {
  static var rawType: Any.Type { get }
  /// The case, or what stands for none, of a raw value; `nil` if that is of another type.
  static func opened(_ rawValue: Any) -> Any?
  var anyRawValue: any Encodable { get }
}

extension OpenEnum: OpenEnumField {
  static var rawType: Any.Type { Known.RawValue.self }
  static func opened(_ rawValue: Any) -> Any? {
    (rawValue as? Known.RawValue).map { Self(rawValue: $0) }
  }
  var anyRawValue: any Encodable { rawValue }
}

// MARK: - Elements

/// A type whose every value has a place in a field as it is, whatever the options.
protocol PlainElement: RecordElement {
  var recordValue: RecordValue { get }
  static func recordList(_ elements: [Self]) -> RecordList
}

extension PlainElement {
  func recordValue(_ graph: RecordGraph, _ path: CodingPath) -> RecordValue { recordValue }

  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) -> RecordList { recordList(elements) }
}

extension String: PlainElement {
  static var recordKind: RecordKind { .string }
  var recordValue: RecordValue { .string(self) }
  static func recordList(_ elements: [Self]) -> RecordList { .strings(elements) }
}

/// Integers of all widths: one kind, of 64 bits with a sign.
protocol IntegerElement: RecordElement, FixedWidthInteger {}

extension IntegerElement {
  static var recordKind: RecordKind { .int64 }

  /// The integer in the 64 bits of a field.
  ///
  /// - Throws: `EncodingError` for a `UInt` or `UInt64` above `Int64.max`.
  private func exact(_ path: @autoclosure () -> CodingPath) throws -> Int64 {
    guard let exact = Int64(exactly: self) else { throw wideInteger(self, path()) }
    return exact
  }

  func recordValue(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordValue {
    .int64(try exact(path))
  }

  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) throws -> RecordList {
    .int64s(
      try elements.enumerated().map { try $0.element.exact(path.appending(.index($0.offset))) }
    )
  }
}

extension Int: IntegerElement {}
extension Int8: IntegerElement {}
extension Int16: IntegerElement {}
extension Int32: IntegerElement {}
extension Int64: IntegerElement {}
extension UInt: IntegerElement {}
extension UInt8: IntegerElement {}
extension UInt16: IntegerElement {}
extension UInt32: IntegerElement {}
extension UInt64: IntegerElement {}

// As servers have no booleans: 1 and 0, and nothing else when they are read.
extension Bool: PlainElement {
  static var recordKind: RecordKind { .int64 }
  var recordValue: RecordValue { .int64(self ? 1 : 0) }
  static func recordList(_ elements: [Self]) -> RecordList { .int64s(elements.map { $0 ? 1 : 0 }) }
}

extension Double: RecordElement {
  static var recordKind: RecordKind { .double }

  func recordValue(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordValue {
    guard isFinite || graph.options.validation != .server else { throw notFinite(self, path) }
    return .double(self)
  }

  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) throws -> RecordList {
    if graph.options.validation == .server, let bad = elements.firstIndex(where: { !$0.isFinite }) {
      throw notFinite(elements[bad], path.appending(.index(bad)))
    }
    return .doubles(elements)
  }
}

// Widened, which is exact; read back it must fit a `Float` exactly.
extension Float: RecordElement {
  static var recordKind: RecordKind { .double }

  func recordValue(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordValue {
    try Double(self).recordValue(graph, path)
  }

  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) throws -> RecordList { try Double.recordList(elements.map { Double($0) }, graph, path) }
}

extension Date: RecordElement {
  static var recordKind: RecordKind { .timestamp }

  /// The date as the options want it.
  ///
  /// - Throws: `EncodingError` for NaN, infinities, and what 64 bits of milliseconds do not hold,
  ///   unless dates are exact.
  func stored(_ graph: RecordGraph, _ path: @autoclosure () -> CodingPath) throws -> Date {
    if graph.options.dates == .exact { return self }
    guard let rounded = roundedToMilliseconds else {
      throw refusal(self, at: path(), "expected a date of 64 bits of milliseconds since 1970")
    }
    return rounded
  }

  func recordValue(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordValue {
    .timestamp(try stored(graph, path))
  }

  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) throws -> RecordList {
    .timestamps(
      try elements.enumerated().map {
        try $0.element.stored(graph, path.appending(.index($0.offset)))
      }
    )
  }
}

extension Data: PlainElement {
  static var recordKind: RecordKind { .bytes }
  var recordValue: RecordValue { .bytes(self) }
  static func recordList(_ elements: [Self]) -> RecordList { .bytes(elements) }
}

// The one type whose kind its value decides: `recordKind` is that of a URL that is no file's.
extension URL: RecordElement {
  static var recordKind: RecordKind { .string }

  /// Whether the file can be read: one call of the system, as each record with a file asks it.
  private var isThere: Bool {
    unsafe access(filePath, R_OK) == 0
  }

  /// `path` of a file's URL, by a quarter of its instructions where the URL's text has the path as it is.
  var filePath: String { plainPath ?? path }

  /// The path that stands in the URL's text; `nil` if it is to be decoded.
  private var plainPath: String? {
    let scheme = "file://"
    var text = absoluteString
    guard text.hasPrefix(scheme) else { return nil }
    return text.withUTF8 { utf8 in
      let path = unsafe utf8.dropFirst(scheme.utf8.count)
      guard unsafe path.first == UInt8(ascii: "/"), unsafe path.last != UInt8(ascii: "/"),
        unsafe path.allSatisfy(Self.standsForItself)
      else { return nil }
      return unsafe String(decoding: path, as: UTF8.self)
    }
  }

  /// Whether a byte of a URL's text is one of its path, and neither begins an escape nor ends the path.
  private static func standsForItself(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"): false
    default: true
    }
  }

  /// `isFileURL`, which makes another text of the scheme: asked only where a look at the text does not tell.
  var isFile: Bool {
    let text = absoluteString
    guard (text.utf8.first ?? 0) | 0x20 == UInt8(ascii: "f") else { return false }
    return text.hasPrefix("file:") || isFileURL
  }

  /// The asset of a file, which must be there and readable where files are checked.
  ///
  /// `place` is a closure, so that a path is made for an error only.
  func asset(_ graph: RecordGraph, _ place: () -> CodingPath) throws -> RecordAsset {
    if graph.options.validation != .off, !isThere {
      let path = place()
      let violation = RecordViolation(
        .field(path.keys.first?.stringValue ?? "", index: path.last?.intValue),
        .missingFile(self)
      )
      throw refusal(self, at: path, "\(violation)", cause: violation)
    }
    return RecordAsset(fileURL: self)
  }

  func recordValue(_ graph: RecordGraph, _ path: CodingPath) throws -> RecordValue {
    isFile ? .asset(try asset(graph) { path }) : .string(absoluteString)
  }

  /// Files make a list of assets and other URLs a list of strings; a list of both has no kind.
  static func recordList(
    _ elements: [Self],
    _ graph: RecordGraph,
    _ path: CodingPath
  ) throws -> RecordList {
    guard elements.contains(where: \.isFile) else {
      return .strings(elements.map(\.absoluteString))
    }
    return .assets(
      try elements.enumerated().map { index, url in
        guard url.isFile else {
          throw refusal(
            url,
            at: path.appending(.index(index)),
            "expected a file's URL as the list has, found another"
          )
        }
        return try url.asset(graph) { path.appending(.index(index)) }
      }
    )
  }
}

extension RecordReference: PlainElement {
  static var recordKind: RecordKind { .reference }
  var recordValue: RecordValue { .reference(self) }
  static func recordList(_ elements: [Self]) -> RecordList { .references(elements) }
}

extension RecordLocation: PlainElement {
  static var recordKind: RecordKind { .location }
  var recordValue: RecordValue { .location(self) }
  static func recordList(_ elements: [Self]) -> RecordList { .locations(elements) }
}

extension RecordAsset: PlainElement {
  static var recordKind: RecordKind { .asset }
  var recordValue: RecordValue { .asset(self) }
  static func recordList(_ elements: [Self]) -> RecordList { .assets(elements) }
}
