// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of automerge-swift.

public import Combine
public import Foundation

/// Stand-in for the module `Automerge` of automerge-swift 0.6.1.
///
/// It declares the calls of its public interface that code of ours may use, with their own names,
/// labels, defaults and conformances. What returns something returns nothing of worth.

// MARK: - Documents

/// What every declared call throws.
public struct Declared: Error {}

public final class Document: @unchecked Sendable, ObservableObject {
  public let objectWillChange = ObservableObjectPublisher()
  public var actor = ActorId()
  public var textEncoding: TextEncoding { .unicodeScalar }

  public init(textEncoding: TextEncoding = .unicodeScalar, logLevel: LogVerbosity = .errorOnly) {}
  public init(_ bytes: Data, logLevel: LogVerbosity = .errorOnly) throws { throw Declared() }

  public func put(obj: ObjId, key: String, value: ScalarValue) throws {}
  public func put(obj: ObjId, index: UInt64, value: ScalarValue) throws {}
  public func putObject(obj: ObjId, key: String, ty: ObjType) throws -> ObjId { obj }
  public func putObject(obj: ObjId, index: UInt64, ty: ObjType) throws -> ObjId { obj }
  public func insert(obj: ObjId, index: UInt64, value: ScalarValue) throws {}
  public func insertObject(obj: ObjId, index: UInt64, ty: ObjType) throws -> ObjId { obj }
  public func delete(obj: ObjId, key: String) throws {}
  public func delete(obj: ObjId, index: UInt64) throws {}
  public func increment(obj: ObjId, key: String, by: Int64) throws {}
  public func increment(obj: ObjId, index: UInt64, by: Int64) throws {}
  public func splice(obj: ObjId, start: UInt64, delete: Int64, values: [ScalarValue]) throws {}
  public func spliceText(obj: ObjId, start: UInt64, delete: Int64, value: String? = nil) throws {}
  public func updateText(obj: ObjId, value: String) throws {}

  public func get(obj: ObjId, key: String) throws -> Value? { nil }
  public func get(obj: ObjId, index: UInt64) throws -> Value? { nil }
  public func getAll(obj: ObjId, key: String) throws -> Set<Value> { [] }
  public func getAll(obj: ObjId, index: UInt64) throws -> Set<Value> { [] }
  public func getAt(obj: ObjId, key: String, heads: Set<ChangeHash>) throws -> Value? { nil }
  public func getAt(obj: ObjId, index: UInt64, heads: Set<ChangeHash>) throws -> Value? { nil }
  public func getAllAt(obj: ObjId, key: String, heads: Set<ChangeHash>) throws -> Set<Value> { [] }
  public func getAllAt(
    obj: ObjId,
    index: UInt64,
    heads: Set<ChangeHash>
  ) throws -> Set<Value> { [] }
  public func keys(obj: ObjId) -> [String] { [] }
  public func keysAt(obj: ObjId, heads: Set<ChangeHash>) -> [String] { [] }
  public func values(obj: ObjId) throws -> [Value] { [] }
  public func valuesAt(obj: ObjId, heads: Set<ChangeHash>) throws -> [Value] { [] }
  public func mapEntries(obj: ObjId) throws -> [(String, Value)] { [] }
  public func mapEntriesAt(obj: ObjId, heads: Set<ChangeHash>) throws -> [(String, Value)] { [] }
  public func length(obj: ObjId) -> UInt64 { 0 }
  public func lengthAt(obj: ObjId, heads: Set<ChangeHash>) -> UInt64 { 0 }
  public func objectType(obj: ObjId) -> ObjType { .Map }
  public func text(obj: ObjId) throws -> String { "" }
  public func textAt(obj: ObjId, heads: Set<ChangeHash>) throws -> String { "" }

  public func commitWith(message: String? = nil, timestamp: Date = Date()) {}
  public func save() -> Data { Data() }
  public func encodeNewChanges() -> Data { Data() }
  public func encodeChangesSince(heads: Set<ChangeHash>) throws -> Data { Data() }
  public func applyEncodedChanges(encoded: Data) throws {}
  public func fork() -> Document { self }
  public func forkAt(heads: Set<ChangeHash>) throws -> Document { self }
  public func merge(other: Document) throws {}
  public func heads() -> Set<ChangeHash> { [] }
  public func getHistory() -> [ChangeHash] { [] }
  public func change(hash: ChangeHash) -> Change? { nil }
}

public enum TextEncoding {
  case graphemeCluster
  case unicodeScalar
  case utf8
  case utf16
}

public enum LogVerbosity: Int, Equatable, Sendable {
  case errorOnly = 3
  case debug = 6
  case tracing = 8
}

// MARK: - Values

public struct ObjId: Equatable, Hashable, Sendable, CustomDebugStringConvertible {
  public static let ROOT = ObjId()
  public var debugDescription: String { "" }
  init() {}
}

public enum ObjType: Sendable {
  case Map
  case List
  case Text
}

public enum Value: Equatable, Hashable, Sendable {
  case Object(ObjId, ObjType)
  case Scalar(ScalarValue)
}

public enum ScalarValue: Equatable, Hashable, Sendable {
  case Bytes(Data)
  case String(String)
  case Uint(UInt64)
  case Int(Int64)
  case F64(Double)
  case Counter(Int64)
  case Timestamp(Date)
  case Boolean(Bool)
  case Unknown(typeCode: UInt8, data: Data)
  case Null
}

public enum Prop: Equatable, Sendable {
  case Key(String)
  case Index(UInt64)
}

public struct ActorId: Equatable, Hashable, Sendable, CustomStringConvertible {
  public var description: String { "" }
  public init() {}
  public init(uuid: UUID) {}
  public init?(data: Data) {}
}

public struct ChangeHash: Equatable, Hashable, CustomDebugStringConvertible, Sendable {
  public var debugDescription: String { "" }
  init() {}
}

public struct Change: Equatable {
  public let actorId: ActorId
  public let message: String?
  public let deps: [ChangeHash]
  public let timestamp: Date
  public let bytes: Data
  public let hash: ChangeHash
}

public struct DocError: LocalizedError {}

public struct LoadError: LocalizedError {}

// MARK: - Coding

public enum SchemaStrategy {
  case createWhenNeeded
  case override
  case readonly
}

public struct AutomergeEncoder {
  public var userInfo: [CodingUserInfoKey: Any] = [:]
  public let doc: Document
  public var schemaStrategy: SchemaStrategy
  public var cautiousWrite: Bool

  public init(
    doc: Document,
    strategy: SchemaStrategy = .createWhenNeeded,
    cautiousWrite: Bool = false,
    reportingLoglevel: LogVerbosity = .errorOnly
  ) {
    self.doc = doc
    schemaStrategy = strategy
    self.cautiousWrite = cautiousWrite
  }

  public func encode<T: Encodable>(_ value: T?) throws {}
  public func encode<T: Encodable>(_ value: T) throws {}
  public func encode<T: Encodable>(_ value: T, at path: [any CodingKey]) throws {}
}

public struct AutomergeDecoder {
  public var userInfo: [CodingUserInfoKey: Any] = [:]
  public let doc: Document

  public init(doc: Document) { self.doc = doc }

  public func decode<T: Decodable>(_: T.Type) throws -> T { throw Declared() }
  public func decode<T: Decodable>(_: T.Type, from path: [any CodingKey]) throws -> T {
    throw Declared()
  }
}

public struct AnyCodingKey: Equatable, Hashable, CodingKey {
  public let stringValue: String
  public let intValue: Int?

  public init(_ stringVal: String) {
    stringValue = stringVal
    intValue = nil
  }
  public init(_ intValue: UInt64) {
    stringValue = ""
    self.intValue = Int(clamping: intValue)
  }
  public init?(intValue: Int) { return nil }
  public init?(stringValue: String) { self.init(stringValue) }
}

public enum CodingKeyLookupError: LocalizedError {
  case UnexpectedLookupFailure(String)
  case InvalidPathElement(String)
  case EmptyListIndex(String)
  case IndexOutOfBounds(String)
  case InvalidValueLookup(String)
  case InvalidIndexLookup(String)
  case PathExtendsThroughText(String)
  case PathExtendsThroughScalar(String)
  case MismatchedSchema(String)
  case SchemaMissing(String)
  case NoPathForSingleValue(String)
  case AutomergeDocError(any Error)
}

// MARK: - Types that merge

public final class AutomergeText: Codable, Hashable, @unchecked Sendable, ObservableObject {
  public let objectWillChange = ObservableObjectPublisher()
  public var value: String = ""
  public var isBound: Bool { false }

  public init(_ initialValue: String = "") {}
  public convenience init(_ initialValue: String = "", doc: Document, path: String) throws {
    throw Declared()
  }
  public convenience init(doc: Document, objId: ObjId) throws { throw Declared() }
  public init(from decoder: any Decoder) throws { throw Declared() }

  public func encode(to encoder: any Encoder) throws {}
  public func bind(doc: Document, path: String) throws {}
  public func bind(doc: Document, id: ObjId) throws {}
  public static func == (left: AutomergeText, right: AutomergeText) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}

public final class Counter: Codable, Hashable, @unchecked Sendable, ObservableObject {
  public let objectWillChange = ObservableObjectPublisher()
  public var value: Int = 0
  public var isBound: Bool { false }

  public init(_ initialValue: Int = 0) {}
  public convenience init(_ initialValue: Int = 0, doc: Document, path: String) throws {
    throw Declared()
  }
  public convenience init(doc: Document, objId: ObjId, key: any CodingKey) throws {
    throw Declared()
  }
  public init(from decoder: any Decoder) throws { throw Declared() }

  public func encode(to encoder: any Encoder) throws {}
  public func bind(doc: Document, path: String) throws {}
  public func increment(by: Int) {}
  public static func == (left: Counter, right: Counter) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
