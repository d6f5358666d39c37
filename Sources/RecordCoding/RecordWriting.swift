import CodingSupport
import Foundation
import RecordModel
import Texts

// One record while a value is encoded as it: its content (`RecordContent.swift`), containers that are
// still open, and the first thing that is wrong. Keyed containers (`FieldWriting.swift`) write here; how a property
// becomes a field is `RecordWriting+Values.swift`. A container cannot throw where `Encoder` has no
// `throws`: what is wrong there is kept in `failure`, and thrown by `finished()`.

/// One record while a value is encoded as it.
final class RecordWriting {
  let graph: RecordGraph
  private let systemFields: RecordSystemFields
  private let skipsIdentifier: Bool
  // Unchecked: a check for each field takes 5 % of an encode, and nothing that is called while the content changes
  // comes back here.
  @exclusivity(unchecked)
  private var content: RecordContent
  /// Nested containers whose content is not complete before the value is.
  ///
  /// In the order in which they were asked for. `coding` is the property's key, `key` the field's,
  /// which may be spelled.
  private var open: [(key: String, coding: String, node: NestedNode)] = []
  /// What the value asked for that a record cannot give; the first of it.
  ///
  /// It may be thrown late: what was written before is part of no record.
  private var failure: (any Error)?
  /// Whether a container with keys was asked for: a value without properties asks and writes nothing.
  var isKeyed = false
  var notesKinds = false
  /// Kinds of all keys that were named, `nil` or not, where a schema wants them.
  private(set) var kinds: [String: RecordFieldKind] = [:]

  var options: RecordEncodingOptions { graph.options }
  var recordID: RecordID { systemFields.recordID }

  init(
    _ graph: RecordGraph,
    systemFields: RecordSystemFields,
    base: Record?,
    skipsIdentifier: Bool
  ) {
    self.graph = graph
    self.systemFields = systemFields
    self.skipsIdentifier = skipsIdentifier
    unsafe content = RecordContent(onto: base, graph.options.unknownKeys)
  }

  /// Notes that the value is none that a record can hold.
  func fail(_ words: String) {
    failure = failure ?? refusal(Record.self, at: .root, words)
  }

  /// Runs the encoding of a value that this record is handed to; if it throws, what it wrote is forgotten, and
  /// another value may be written.
  func attempt(_ encode: () throws -> Void) throws {
    let content = unsafe content
    let before = (open, failure, isKeyed, kinds)
    do {
      try graph.attempt(encode)
    } catch {
      unsafe self.content = content
      (open, failure, isKeyed, kinds) = before
      throw error
    }
  }

  // MARK: - Fields

  /// The key of a field; `nil` for what is no field.
  ///
  /// `nil` for `cloudKitSystemFields`, and for `cloudKitIdentifier` of a value whose name that is:
  /// they are the record's identity. The length is looked at before the rest, as this is
  /// asked for each field.
  ///
  /// - Throws: `EncodingError` at the key if no server takes it and keys are checked.
  func fieldKey(_ coding: String) throws -> String? {
    if coding.utf8.count >= "cloudKitIdentifier".utf8.count {
      if coding == "cloudKitSystemFields", !options.storesSystemFields { return nil }
      if skipsIdentifier, coding == "cloudKitIdentifier" { return nil }
    }
    if options.keys == .escaped { return RecordNames.escaped(coding) }
    guard options.validation != .off, let rule = RecordNames.keyProblem(coding) else {
      return coding
    }
    let violation = RecordViolation(.field(coding, index: nil), rule)
    throw refusal(coding, at: .root.appending(.key(coding)), "\(violation)", cause: violation)
  }

  /// Notes the kind of a key for a schema; `nil` tells nothing, as `encodeNil(forKey:)` knows no
  /// type.
  func note(_ kind: @autoclosure () -> RecordFieldKind?, _ key: String) {
    if notesKinds, let kind = kind() { kinds[key] = kind }
  }

  /// Sets a field, on the side of its key.
  func put(_ value: RecordValue, _ key: String) {
    note(value.kind, key)
    let isEncrypted = !options.encryptedKeys.isEmpty && options.encryptedKeys.contains(key)
    unsafe content.put(value, key, isEncrypted: isEncrypted)
  }

  /// Clears a field, as the options want it.
  func clear(_ key: String) { unsafe content.clear(key, options.nilHandling) }

  /// A nested container that is written by and by; the one that is open there, unless it must be fresh.
  ///
  /// Asked for the same key again, a container goes on where it was; a `superEncoder` starts again.
  func nested(_ coding: String, isFresh: Bool) -> NestedNode {
    do {
      guard options.nestedValues != .reject else {
        throw refusal(coding, at: .root.appending(.key(coding)), Self.nestingWords)
      }
      guard let key = try fieldKey(coding) else {
        // What no decode would read is refused, as a value of another type is.
        if coding == "cloudKitSystemFields" {
          throw CloudKitRecordEncodingError.systemFieldsDecode("expected Data, found a container")
        }
        return NestedNode()
      }
      if !isFresh, let known = open.last(where: { $0.1 == coding }) { return known.2 }
      let node = NestedNode()
      open.append((key, coding, node))
      return node
    } catch {
      failure = failure ?? error
      return NestedNode()
    }
  }

  static let nestingWords = "a value that is no kind of field, and nesting was ruled out"

  /// The JSON of a nested value, as the bytes of a field.
  ///
  /// Keys are sorted, so that one value has one text: a dictionary in another order would mark the
  /// field.
  func putJSON(_ value: JSONValue, _ key: String) throws {
    try graph.checkPlaces()
    var writer = JSONWriter(.compact)
    writer.value(value.sorted)
    try putBytes(Data(writer.bytes), key)
  }

  /// Sets a field to bytes.
  ///
  /// - Throws: ``CloudKitRecordEncodingError/dataFieldTooLarge(key:size:)`` from 1,000,000 bytes
  ///   on, where sizes are checked.
  func putBytes(_ bytes: Data, _ key: String) throws {
    if options.validation != .off, bytes.count >= RecordLimits.recordBytes {
      throw CloudKitRecordEncodingError.dataFieldTooLarge(key: key, size: bytes.count)
    }
    put(.bytes(bytes), key)
  }

  // MARK: - The end

  /// The record, once the value has written all that it has.
  ///
  /// - Throws: What went wrong on the way; ``CloudKitRecordEncodingError/invalidRecord(_:)`` for a
  /// record that is too large.
  func finished() throws -> Record {
    // A later container of one key holds what was written into it, and the earlier is forgotten.
    for entry in open { try putJSON(entry.node.value, entry.key) }
    if let failure { throw failure }
    guard isKeyed else {
      throw refusal(Record.self, at: .root, "a record has keys, and the value asked for none")
    }
    let record = unsafe content.record(systemFields)
    guard options.validation != .off, unsafe content.byteBound >= RecordLimits.recordBytes else {
      return record
    }
    let byteCount = record.byteCount
    guard byteCount < RecordLimits.recordBytes else {
      throw CloudKitRecordEncodingError.invalidRecord(
        RecordViolation(
          .record,
          .tooLarge(byteCount: byteCount, largest: record.largestFields())
        )
      )
    }
    return record
  }
}

/// The root of a value: it becomes fields.
///
/// It has no path: the root of a record is where paths begin.
struct RootEncoding: Encoder {
  let writing: RecordWriting

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { writing.graph.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writing.isKeyed = true
    return KeyedEncodingContainer(FieldWriting<Key>(writing: writing))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writing.fail("a record has keys, and the value is a list")
    return NestedUnkeyedWriting(place: NestedPlace(graph: writing.graph, node: NestedNode()))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RootValueWriting(writing: writing)
  }
}

/// A value that passes itself on to another, or is a single value, which no record is.
///
/// A wrapper that encodes its content through a single-value container is its content: the
/// content's keys are the fields.
private struct RootValueWriting: SingleValueEncodingContainer {
  let writing: RecordWriting

  var codingPath: [any CodingKey] { [] }

  private func refuse(_ value: Any) throws -> Never {
    throw refusal(value, at: .root, "a record has keys, and the value is a single one")
  }

  func encode<T: Encodable>(_ value: T) throws {
    try writing.attempt { try value.encode(to: RootEncoding(writing: writing)) }
  }

  func encodeNil() throws { try refuse(String?.none as Any) }
  func encode<S: CodableScalar>(_ value: S) throws { try refuse(value) }
}
