public import Foundation
import MergeEngine

/// A saved document that is read without loading it.
///
/// For apps that show a document before it is edited, or look for one among many: each question reads what it
/// needs and no more, and the answers are those of a ``Document`` of the same bytes. An essay of 260,000
/// edits shows its text in a fifth of the time that loading it takes. Edits, history, marks, sync and saving
/// need a document, which ``document(logLevel:)`` loads.
///
///     let view = try SavedDocumentView(bytes)
///     if case .Object(let text, .Text) = try view.get(obj: .ROOT, key: "text") {
///       show(try view.text(obj: text))
///     }
///
/// What ``Document/save()`` gives is read in this way. Where changes stand in front of a document or behind it, as
/// ``Document/encodeNewChanges()`` appends them, the whole is loaded, and asked.
///
/// **What is verified:** the checksum of the bytes, so that those which were damaged on their way are refused, and
/// the form of the columns that are read. **What is not:** that the changes have the hashes of the heads, the order
/// of operations, and everything that no question asked for. Bytes that were forged with a checksum of their own may
/// show what a ``Document`` refuses to load. So load what strangers send, and use a view for what this app has loaded
/// or saved before. Whatever the bytes are, nothing traps, and the work on them has the bounds of
/// ``DocumentLimits``.
///
/// Safe to use from several threads: each call takes the view's lock.
public final class SavedDocumentView: @unchecked Sendable {
  private let view: SavedView
  private let lock = RecursiveLock()

  /// What positions and lengths of texts count.
  public let textEncoding: TextEncoding

  /// Opens saved bytes: what ``Document/save()`` gave, changes, or several one after the other.
  ///
  /// - Throws: ``LoadError``, if the bytes are no document or their checksum is wrong.
  public init(
    _ bytes: Data,
    textEncoding: TextEncoding = .unicodeScalar,
    limits: DocumentLimits = DocumentLimits()
  ) throws {
    do throws(ChunkError) {
      view = try SavedView(
        [UInt8](bytes),
        unit: textEncoding.engineUnit,
        limits: limits.engine
      )
    } catch {
      throw LoadError(error)
    }
    self.textEncoding = TextEncoding(view.unit)
  }

  /// The document of the bytes, with a random actor: loaded with all that a load verifies.
  ///
  /// The view stays as it is, and sees no edits of the document.
  ///
  /// - Throws: ``LoadError``.
  public func document(logLevel: LogVerbosity = .errorOnly) throws -> Document {
    do throws(ChunkError) {
      let engine = try lock.withLock { () throws(ChunkError) in
        try view.document(actor: ActorId().engineID)
      }
      let document = Document(engine: engine, log: DocumentLog(logLevel))
      document.logDropped(since: 0)
      return document
    } catch {
      throw LoadError(error)
    }
  }

  /// Whether the bytes were loaded after all, as they are no single document or turned out damaged.
  package var isLoaded: Bool { lock.withLock { view.isLoaded } }

  // MARK: - Questions

  /// What a key holds: of concurrent values the winner.
  ///
  /// - Throws: ``DocError`` for an object that the document does not know, or that is no map; ``LoadError`` if the
  ///   bytes turn out damaged.
  public func get(obj: ObjId, key: String) throws -> Value? {
    try read { view throws(ReadError) in try view.get(obj.engineID, .key(key)) }
      .map { Value($0.value) }
  }

  /// What an index holds; `nil` past the end.
  ///
  /// - Throws: ``DocError`` for an object that the document does not know, or that is a map; ``LoadError`` if the
  ///   bytes turn out damaged.
  public func get(obj: ObjId, index: UInt64) throws -> Value? {
    try read { view throws(ReadError) in
      try view.get(obj.engineID, .index(Int(clamping: index)))
    }.map { Value($0.value) }
  }

  /// All concurrent values of a key.
  ///
  /// - Throws: As ``get(obj:key:)``.
  public func getAll(obj: ObjId, key: String) throws -> Set<Value> {
    Set(
      try read { view throws(ReadError) in try view.getAll(obj.engineID, .key(key)) }
        .map { Value($0.value) }
    )
  }

  /// All concurrent values of an index.
  ///
  /// - Throws: As ``get(obj:index:)``.
  public func getAll(obj: ObjId, index: UInt64) throws -> Set<Value> {
    Set(
      try read { view throws(ReadError) in
        try view.getAll(obj.engineID, .index(Int(clamping: index)))
      }.map { Value($0.value) }
    )
  }

  /// The keys of a map, ordered by their UTF-8 bytes; of a list or text the ids of its elements.
  ///
  /// - Throws: ``DocError`` for an object that the document does not know; ``LoadError`` if the bytes turn out
  ///   damaged.
  public func keys(obj: ObjId) throws -> [String] {
    try read { view throws(ReadError) in
      try view.kind(of: obj.engineID).isSequence
        ? view.elementIDs(obj.engineID).map(\.description) : view.keys(obj.engineID)
    }
  }

  /// A list's elements, or a map's values in the order of their keys.
  ///
  /// - Throws: As ``keys(obj:)``.
  public func values(obj: ObjId) throws -> [Value] {
    try read { view throws(ReadError) in try view.values(obj.engineID) }.map { Value($0.value) }
  }

  /// A map's keys with their values, in the order of the keys.
  ///
  /// - Throws: As ``get(obj:key:)``.
  public func mapEntries(obj: ObjId) throws -> [(String, Value)] {
    try read { view throws(ReadError) in
      let kind = try view.kind(of: obj.engineID)
      guard !kind.isSequence else { throw .refused(.invalidOperation(kind: kind)) }
      return try view.mapEntries(obj.engineID)
    }.map { ($0.key, Value($0.entry.value)) }
  }

  /// How many keys or elements an object has, or units of ``textEncoding`` a text.
  ///
  /// - Throws: As ``keys(obj:)``.
  public func length(obj: ObjId) throws -> UInt64 {
    UInt64(try read { view throws(ReadError) in try view.length(obj.engineID) })
  }

  /// What an object is.
  ///
  /// - Throws: As ``keys(obj:)``.
  public func objectType(obj: ObjId) throws -> ObjType {
    ObjType(try read { view throws(ReadError) in try view.kind(of: obj.engineID) })
  }

  /// A text as a string; U+FFFC stands for an element that is no string.
  ///
  /// - Throws: ``DocError`` for an object that the document does not know, or that is no text; ``LoadError`` if the
  ///   bytes turn out damaged.
  public func text(obj: ObjId) throws -> String {
    try read { view throws(ReadError) in
      let kind = try view.kind(of: obj.engineID)
      guard kind == .text else { throw .refused(.invalidOperation(kind: kind)) }
      return try view.text(obj.engineID)
    }
  }

  /// Asks under the lock.
  private func read<Answer>(
    _ question: (SavedView) throws(ReadError) -> Answer
  ) throws -> Answer {
    do throws(ReadError) {
      return try lock.withLock { () throws(ReadError) in try question(view) }
    } catch {
      switch error {
      case .refused(let error): throw DocError(error)
      case .damaged(let error): throw LoadError(error)
      }
    }
  }
}
