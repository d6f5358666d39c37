import CodingSupport
import Foundation
public import RecordModel

// From a record to a value. `CloudKitRecordDecoder` is the face, `RecordReading` one call with its
// references, circles and depth, `RootDecoding` the decoder that `init(from:)` gets. Fields are
// `FieldReading.swift`, properties `RecordReading+Values.swift`, nested JSON `NestedReading.swift`.

/// Decodes a value from a record.
///
/// The record may hold anything: what does not fit is refused with a `DecodingError` whose path ends at the
/// field, or goes on inside its nested value. A number is never cut or rounded to fit.
///
/// Source: Records.md, "Values".
public final class CloudKitRecordDecoder {
  public var options = RecordDecodingOptions()
  /// The `userInfo` that `init(from:)` of values gets.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// The value of a record.
  ///
  /// A property `cloudKitSystemFields` gets the record's archived system fields, and
  /// `cloudKitIdentifier` its name.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - record: The record, which may hold anything.
  ///   - resolve: Finds the record that a reference names, for properties that are records of their
  ///     own; `nil` if there is none.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, or what the value itself or `resolve` throws.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    resolving resolve: @escaping (RecordID) throws -> Record? = { _ in nil }
  ) throws -> T {
    let reading = RecordReading(options, userInfo, resolve)
    return try reading.read(type, from: record, at: .root)
  }

  /// The value of a record whose references are fetched as they are met, breadth first.
  ///
  /// - Throws: as ``decode(_:from:resolving:)``.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    fetching fetch: (RecordID) async throws -> Record?
  ) async throws -> T {
    var fetched: [RecordID: Record] = [record.recordID: record]
    var known: Set<RecordID> = [record.recordID]
    var layer = [record]
    // One layer more than is read: what refers too deep is refused where it stands, not taken for missing.
    // A layer is all records at one distance from the root: each is asked for once, in the order of
    // the references to it.
    for _ in 0...max(0, options.referenceDepthLimit) where !layer.isEmpty {
      var next: [Record] = []
      for reference in layer.flatMap(\.references) {
        guard known.insert(reference.recordID).inserted else { continue }
        // What is not there is no error yet: the property decides when it is read.
        guard let target = try await fetch(reference.recordID) else { continue }
        fetched[reference.recordID] = target
        next.append(target)
      }
      layer = next
    }
    // Then all is at hand, and the value is decoded without another suspension.
    let all = fetched
    return try decode(type, from: record, resolving: { all[$0] })
  }
}

/// What one call of a decoder shares between the records that it reads.
///
/// It follows references depth first and reads a record again for each reference to it: values have
/// no identity.
final class RecordReading {
  let options: RecordDecodingOptions
  let userInfo: [CodingUserInfoKey: any Sendable]
  let resolve: (RecordID) throws -> Record?
  let room = StackRoom()
  /// The records that are being read, outermost first.
  private var open: [RecordID] = []
  /// Records read so far, each as often as it was read; the first is no reference's.
  private var readCount = 0

  init(
    _ options: RecordDecodingOptions,
    _ userInfo: [CodingUserInfoKey: any Sendable],
    _ resolve: @escaping (RecordID) throws -> Record?
  ) {
    self.options = options
    self.userInfo = userInfo
    self.resolve = resolve
  }

  /// Reads the value of a record, within those that are being read.
  ///
  /// - Throws: `dataCorrupted` for a circle, for too many references within each other or in all, and what
  ///   `init(from:)` throws.
  func read<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    at path: CodingPath
  ) throws -> T {
    if open.contains(record.recordID) {
      let cycle = (open + [record.recordID]).map(\.description).joined(separator: " to ")
      throw corrupted(path, "records refer to each other in a circle: \(cycle)")
    }
    guard open.count <= options.referenceDepthLimit, room.admits(open.count * 4 + path.depth)
    else {
      throw corrupted(
        path,
        "records refer to each other deeper than \(options.referenceDepthLimit)"
      )
    }
    guard readCount <= max(0, options.referencedRecordLimit) else {
      throw corrupted(
        path,
        "references lead to more than \(options.referencedRecordLimit) records, those counted again that are "
          + "referred to again; `referencedRecordLimit` admits more"
      )
    }
    readCount += 1
    open.append(record.recordID)
    defer { open.removeLast() }
    return try T(from: RootDecoding(reading: self, record: record, path: path))
  }

  /// The value of a record that a reference names; `nil` if it is not there and that is admitted.
  ///
  /// - Throws: `valueNotFound` at the reference if the record is not there, and that is not
  ///   admitted.
  func follow<T: Decodable>(
    _ type: T.Type,
    _ reference: RecordReference,
    _ path: CodingPath
  ) throws -> T? {
    guard let record = try resolve(reference.recordID) else {
      if options.danglingReferences == .becomeNil { return nil }
      throw missing(reference, type, path)
    }
    return try read(type, from: record, at: path)
  }

  func missing(
    _ reference: RecordReference,
    _ type: Any.Type,
    _ path: CodingPath
  ) -> DecodingError {
    DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path.codingKeys,
        debugDescription:
          "expected the record \(reference.recordID) for \(path), and there is none"
      )
    )
  }
}

/// The root of a value: the fields of a record.
///
/// A list or a single value at the root is refused: a record has keys.
struct RootDecoding: Decoder {
  let reading: RecordReading
  let record: Record
  let path: CodingPath

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try FoundationTraps.check(keys: ObjectIdentifier(type), from: self)
    return KeyedDecodingContainer(FieldReading<Key>(reading: reading, record: record, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw mismatch([Any].self, "a record", path)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    RootValueReading(root: self)
  }
}

/// A value that passes on to another what it decodes itself from.
///
/// A wrapper that decodes `container.decode(Inner.self)` gets the same record; a scalar is refused.
private struct RootValueReading: SingleValueDecodingContainer {
  let root: RootDecoding

  var codingPath: [any CodingKey] { root.codingPath }

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try T(from: root)
  }

  func decode<S: CodableScalar>(_ type: S.Type) throws -> S {
    throw mismatch(type, "a record", root.path)
  }
}

// MARK: - Refusals

/// `typeMismatch`: the kind is another.
///
/// `found` names what stands there, without its content.
func mismatch(_ type: Any.Type, _ found: String, _ path: CodingPath) -> DecodingError {
  DecodingError.typeMismatch(
    type,
    DecodingError.Context(
      codingPath: path.codingKeys,
      debugDescription: "expected \(type), found \(found) at \(path)"
    )
  )
}

/// `dataCorrupted`: the kind is right and the content is not.
func corrupted(_ path: CodingPath, _ words: String, _ cause: (any Error)? = nil) -> DecodingError {
  DecodingError.dataCorrupted(
    DecodingError.Context(
      codingPath: path.codingKeys,
      debugDescription: words,
      underlyingError: cause
    )
  )
}
