public import CodingSupport
public import ModelGeneration

// What a coder offers to be judged: `CoderSubject` for any coder, `CodingDocument` for those that
// write into documents, `CoderFeature` for what a subject can be asked, and the settings of one
// encode. Implementations: `FoundationCoders`, `NaiveCoder`, `CoderSubjects`, `RecordSubjects`,
// `Mutants`, and the coders that users hand over through `TouchstoneAdapters`.

/// A coder under test: an encoder and the decoder that reads what it writes.
///
/// Any coder can be judged. One that encodes into documents says so by the feature `documents` and
/// makes ``CodingDocument``s; laws that need a feature which a subject lacks are skipped for it.
///
/// A subject keeps nothing from one call to the next, but what the documents that it made hold.
public protocol CoderSubject: Sendable {
  /// The coder's own type of texts that merge; `PlainText` if it has none.
  ///
  /// Models with texts are generic over it, so that laws hold the type that users have in their
  /// hands.
  associatedtype Text: ModelText
  /// The coder's own type of counters that merge; `PlainCounter` if it has none.
  associatedtype Counter: ModelCounter

  /// Short and stable: `naive-coder`, `foundation-json`.
  ///
  /// Stored cases name it: one is replayed on the subject of that id.
  var id: String { get }
  /// The version of what is tested, as its maker names it.
  var version: String { get }
  /// What may be asked of it.
  ///
  /// A feature that it has and does not list leaves laws unasked, without any failure.
  var features: Set<CoderFeature> { get }
  /// What becomes of a model's dates, when nothing else is asked for.
  ///
  /// It is a declaration that the laws hold the subject to: a coder that says `.exact` and rounds
  /// breaks `roundtrip.value`.
  var dates: DateFidelity { get }
  /// Where the subject is known to do otherwise.
  ///
  /// Tried in their order; the first that explains a difference is the reason that is reported.
  var divergences: [CoderDivergence] { get }

  /// Encodes a value by itself: into bytes, or at the root of a new document.
  ///
  /// - Throws: Whatever the coder throws, unchanged: laws look at the error itself.
  func encode<T: Encodable>(_ value: T, _ settings: EncodingSettings) throws -> EncodedModel

  /// Decodes what ``encode(_:_:)`` of this subject gave.
  ///
  /// - Throws: What the coder throws; ``UnsupportedByCoder`` for the other form of
  ///   ``EncodedModel``.
  func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T

  /// An empty document written by the actor of 16 such bytes.
  func document(actor: UInt8) throws -> any CodingDocument

  /// The class of an error that this coder threw, for errors that are its own.
  ///
  /// `nil` for all others, `DecodingError` and `EncodingError` among them: ``CoderComplaint`` knows
  /// those.
  func complaint(_ error: any Error) -> CoderComplaint?

  /// The kind of value that an error of this coder says it found in a document, as
  /// Specification/Codable.md, "Cautious writing", calls the kinds.
  ///
  /// `nil` if it does not say that in words that the coder promises.
  func foundWord(in error: any Error) -> String?

  /// Whether a value of a type is written anew where a part of it differs, so that a changed part costs as many
  /// operations as the value has.
  ///
  /// False for all if the subject does not say.
  func isWhole(_ type: Any.Type) -> Bool
}

extension CoderSubject {
  public var divergences: [CoderDivergence] { [] }

  public func document(actor: UInt8) throws -> any CodingDocument {
    throw UnsupportedByCoder(feature: .documents)
  }

  public func complaint(_ error: any Error) -> CoderComplaint? { nil }

  public func foundWord(in error: any Error) -> String? { nil }

  public func isWhole(_ type: Any.Type) -> Bool { false }
}

/// A value that was encoded by itself.
public enum EncodedModel {
  case bytes([UInt8])
  case document(any CodingDocument)
}

/// A subject was asked for what it does not offer.
///
/// Laws name the features that they need, so it reaches a check only from a subject that claims too
/// much, and then counts as the coder's error.
public struct UnsupportedByCoder: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was asked for.
  public let feature: CoderFeature

  public init(feature: CoderFeature) {
    self.feature = feature
  }

  public var description: String {
    "the coder does not offer what a law asked for: \(feature)"
  }
}

/// An ability of a coder that laws may need.
///
/// A feature says more than "has the call": its laws hold the subject to the whole rule. Each one
/// is listed with the words with which a law that needs it is skipped (`lack`).
public enum CoderFeature: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Encodes into documents that live on, and can be forked and merged.
  case documents
  /// Has texts that merge by character.
  case texts
  /// Has counters that merge by adding.
  case counters
  /// `SchemaStrategy`: creating, reading only, overriding.
  case strategies
  /// Refuses, when asked to, to write over a value of another type.
  case cautiousWrite
  /// Keeps, when asked to, keys that the model never named.
  case unknownKeys
  /// Truncates dates to seconds or milliseconds, as asked.
  case dateTruncation
  /// Writes only what changed since given heads.
  case basedOnHeads
  /// Encodes and decodes at a path within a document.
  case paths
  /// Binds new texts and counters to places that the caller names, without an encode.
  case bindsToPlaces
  /// Which kinds read each other is as in Specification/Codable.md, "Decoding by type".
  case documentRules
  /// Tells a null from a missing key.
  case explicitNull
  /// Encodes any value at the root, not only those that ask for a keyed container.
  case anyRoot
  /// Throws for dictionaries whose keys are integers.
  case refusesIntegerKeys
  /// Stores a date, bytes and a URL as kinds of their own, or as a string.
  case nativeLeaves
  /// Refuses floats that are no finite number.
  case refusesNonFinite
  /// Gives the same encoding for the same value.
  case deterministic
  /// A superclass that asks for `superEncoder()` shares its subclass's map.
  case sharedSuper
  /// What it encodes is a JSON text.
  case json
  /// Keeps the sign of a zero.
  case signsOfZero
  /// Writes anew, by one operation on its place, what means something as a whole alone: ranges, cases of enums, pairs of
  /// dictionaries.
  case wholeValues

  public var description: String { rawValue }

  /// What a coder without the feature does not do, in words that go on from its name.
  package var lack: String {
    switch self {
    case .documents: "does not encode into documents that can be forked and merged"
    case .texts: "has no texts that merge by character"
    case .counters: "has no counters that merge by adding"
    case .strategies: "has no schema strategies"
    case .cautiousWrite: "does not refuse to write over a value of another type"
    case .unknownKeys: "does not keep keys that the model never named"
    case .dateTruncation: "does not truncate dates"
    case .basedOnHeads: "does not write only what changed since given heads"
    case .paths: "does not encode at a path within a document"
    case .bindsToPlaces: "binds texts and counters to no places that the caller names"
    case .documentRules: "reads kinds of values by other rules than documents do"
    case .explicitNull: "does not tell a null from a missing key"
    case .anyRoot: "encodes only keyed values at the root"
    case .refusesIntegerKeys: "takes dictionaries whose keys are integers"
    case .nativeLeaves: "has no kinds of its own for dates, bytes and URLs"
    case .refusesNonFinite: "takes floats that are not finite"
    case .deterministic: "may encode one value in two ways"
    case .sharedSuper: "gives a superclass a map of its own"
    case .json: "does not encode to JSON"
    case .signsOfZero: "does not keep the sign of a zero"
    case .wholeValues: "writes ranges, enums and pairs part by part"
    }
  }

  /// Everything that a coder of documents can be asked for.
  ///
  /// But the two that documents rule out: a document's root is a map, and its saved form is no
  /// JSON.
  public static let allOfDocuments = Set(allCases).subtracting([.anyRoot, .json])
}

/// What becomes of a model's dates.
///
/// Source: Specification/Codable.md, "Dates".
public enum DateFidelity: String, Hashable, Sendable, CaseIterable {
  /// They keep every bit.
  case exact
  /// Whole seconds since 1970, rounded down: toward the past, before 1970 too.
  case seconds
  /// The nearest millisecond since 1970.
  case milliseconds
  /// Whole milliseconds since 1970, cut toward 1970.
  case millisecondsTowardZero
}

/// What the caller of an encoder asks for.
///
/// The defaults are those of the specification, under which most laws encode. A subject without one
/// of the features never gets another value of its field.
public struct EncodingSettings: Hashable, Sendable {
  /// What may be made and removed.
  ///
  /// Source: Specification/Codable.md, "Schema strategies".
  public enum Strategy: String, Hashable, Sendable, CaseIterable {
    case createWhenNeeded
    case readonly
    case override
  }

  /// What becomes of keys that the value does not write.
  ///
  /// Source: Specification/Codable.md, "Surplus and unknown keys".
  public enum UnknownKeys: String, Hashable, Sendable, CaseIterable {
    case remove
    case preserve
  }

  public var strategy = Strategy.createWhenNeeded
  /// Whether a scalar over another kind of scalar is refused; a stored null fits everything.
  public var cautiousWrite = false
  public var unknownKeys = UnknownKeys.remove
  /// Nil for what the subject does by itself.
  public var dateTruncation: DateFidelity?
  /// The heads since which changes are written; `nil` to write the whole value.
  ///
  /// Heads as ``CodingDocument/heads()`` names them, of the moment at which the value was decoded.
  public var basedOn: [String]?
  public var userInfo: [CodingUserInfoKey: String] = [:]

  public init() {}
}

/// How a caller names the place that it binds a text or counter to.
public enum PlaceName: String, Hashable, Sendable, CaseIterable {
  /// By the steps that lead to it from the root.
  case path
  /// A text by its object, a counter by the object that holds it and its key or index there.
  case object
}

/// A document that a coder encodes into, and what a law needs to know of it.
///
/// `tree()` and the writing calls go through the document's core, never through the coder: what a
/// peer in another language would see and do. A path of no steps is the root, which is a map.
///
/// Laws set a situation up through the core's side, call the coder, and look at the core's side
/// again. So a coder that deceives itself, and decodes what it never wrote, is found.
///
/// Not thread-safe: a law uses a document on one thread at a time. The core's side throws where a step does
/// not fit (a key in a list, an index past the end); laws that may meet that look at the tree
/// first.
public protocol CodingDocument: AnyObject {
  // The coder's side.

  /// Encodes a value at a path, the root for none.
  ///
  /// Must leave the document as it was if it throws (`encode.atomic`).
  func encode<T: Encodable>(
    _ value: T,
    at path: [PathKey],
    _ settings: EncodingSettings
  ) throws
  /// Encodes `nil` at the root, as an app does whose model is not there: it must do nothing.
  func encodeNothing() throws
  /// Decodes what stands at a path, and writes nothing.
  func decode<T: Decodable>(
    _ type: T.Type,
    at path: [PathKey],
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T

  /// A new text that holds `value` and is bound to the place at a path, without an encode.
  func boundText(
    _ value: String,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelText
  /// A new counter that counts `value` and is bound to the place at a path, without an encode.
  ///
  /// By its object it is bound without a count of its own: `value` is then 0.
  func boundCounter(
    _ value: Int,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelCounter

  /// Binds a text or counter that is bound to the place at a path to it once more.
  ///
  /// A law takes ``UnsupportedByCoder`` for an answer: the call is optional.
  func bindAgain(_ instance: AnyObject, at path: [PathKey]) throws
  /// As ``bindAgain(_:at:)``, by the name that the caller chooses: a text that is bound by a path writes there what it
  /// holds, wherever that stands now.
  func bindAgain(_ instance: AnyObject, at path: [PathKey], by name: PlaceName) throws

  /// Which object a bound text is, or holds a bound counter, as ``objectName(at:)`` names it; `nil` if it is unbound.
  ///
  /// A law takes ``UnsupportedByCoder`` for an answer: the call is optional.
  func objectName(of instance: AnyObject) throws -> String?

  // The core's side.

  /// Everything visible: of conflicting values, the winners.
  func tree() throws -> Tree
  /// All conflicting values at a path, the winner last.
  ///
  /// One value where there is no conflict, none where nothing stands.
  func values(at path: [PathKey]) throws -> [Tree]
  /// Which object stands at a path: equal names, same object; `nil` for a scalar or nothing.
  ///
  /// Laws compare names to see that an object was kept and not replaced by an equal one: peers'
  /// edits go into the object that they know.
  func objectName(at path: [PathKey]) throws -> String?
  /// Puts a value at a key or over an element, with all below it.
  func put(_ tree: Tree, at path: [PathKey]) throws
  /// Inserts a value before the element that the path names, or at the list's end.
  func insert(_ tree: Tree, at path: [PathKey]) throws
  /// Deletes a key with all that conflicts there, or an element.
  func delete(at path: [PathKey]) throws
  /// Adds to the counter at a path, as a peer would; other replicas' increments are kept.
  func increment(at path: [PathKey], by amount: Int64) throws
  /// Replaces `deleting` Unicode scalars of a text at `index`.
  func spliceText(at path: [PathKey], index: Int, deleting: Int, inserting: String) throws

  /// Does something as one transaction that fails at its end, so that nothing of it is left; throws what `body`
  /// throws.
  ///
  /// A law takes ``UnsupportedByCoder`` for an answer: the call is optional.
  func takenBack(_ body: () throws -> Void) throws

  /// Names of the changes that no other change depends on, ascending; closes the open change.
  ///
  /// Two calls without a write between them give the same names.
  func heads() throws -> [String]
  /// Number of operations in all changes, the open one included.
  ///
  /// Laws subtract two counts. What counts as one operation is the format's: a put, an insert, a
  /// deletion or an increment each.
  func operationCount() throws -> Int
  /// A second replica with the same history, written by the actor of 16 such bytes.
  func fork(actor: UInt8) throws -> any CodingDocument
  /// Takes in the changes of another document of the same subject.
  func merge(_ other: any CodingDocument) throws
  /// The document saved and loaded again, written on by another actor.
  ///
  /// Texts and counters that were bound to this document stay with it and not with the new one.
  func reloaded(actor: UInt8) throws -> any CodingDocument
}

extension CodingDocument {
  public func boundText(
    _ value: String,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelText {
    throw UnsupportedByCoder(feature: .bindsToPlaces)
  }

  public func boundCounter(
    _ value: Int,
    at path: [PathKey],
    by name: PlaceName
  ) throws -> any ModelCounter {
    throw UnsupportedByCoder(feature: .bindsToPlaces)
  }

  public func bindAgain(_ instance: AnyObject, at path: [PathKey]) throws {
    throw UnsupportedByCoder(feature: .bindsToPlaces)
  }

  public func bindAgain(_ instance: AnyObject, at path: [PathKey], by name: PlaceName) throws {
    guard name == .object else { throw UnsupportedByCoder(feature: .bindsToPlaces) }
    try bindAgain(instance, at: path)
  }

  public func objectName(of instance: AnyObject) throws -> String? {
    throw UnsupportedByCoder(feature: .bindsToPlaces)
  }

  public func takenBack(_ body: () throws -> Void) throws {
    throw UnsupportedByCoder(feature: .documents)
  }

  public func encodeNothing() throws {}

  public func encode<T: Encodable>(_ value: T) throws {
    try encode(value, at: [], EncodingSettings())
  }

  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decode(type, at: [], userInfo: [:])
  }
}
