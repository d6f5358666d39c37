/// A saved document that is read without loading it: the columns that an answer needs, and no others.
///
/// For apps that show a document before it is edited, or look for one among many. What a question asks for is
/// read when it is asked, each object once; the answers are those that a ``MergeDocument`` of the same bytes gives.
/// The text of W1, an essay of 259,778 edits, takes a seventh of the instructions of a load.
///
///     let view = try SavedView(saved)
///     let entry = try view.get(.root, .key("text"))       reads the root
///     let text = try view.text(id)                        reads the text
///     let document = try view.document(actor: writer)     loads, for all else
///
/// Only bytes that are one document chunk are read in this way, which is what ``MergeDocument/save(compressed:)``
/// gives. With change chunks in front or behind, as ``MergeDocument/saveIncremental()`` appends them, the view
/// loads the whole as ``document(actor:)`` does, and answers from that.
///
/// ## What is verified
///
/// The checksum of the chunk is right: bytes that were damaged on a disk or on their way are refused. The maker of
/// the bytes is trusted with more than a load trusts it with. These are not looked at:
///
/// - that the changes have the hashes of the heads, since no change is rebuilt;
/// - the order of elements and operations, and what elements operations name;
/// - actors, times, messages and dependencies of the changes;
/// - columns and values that no question needed, among them what was deleted.
///
/// So bytes that were forged, with a checksum of their own, may show here what a load refuses. Load documents of
/// strangers, and use a view for what was loaded, or written, here before.
///
/// A column that is read and found damaged makes the view load the whole, so that the refusal is that of a load. The
/// work on untrusted bytes has the bounds of a load; nothing traps.
///
/// Not safe for use from several threads at once, since reading fills it.
package final class SavedView {
  private enum Source {
    case chunk(SavedChunk)
    case loaded(MergeDocument)
    case refused(ChunkError)
  }

  private var source: Source
  private let bytes: [UInt8]
  private let limits: DocumentLimits
  /// What indexes and lengths of texts count.
  package let unit: TextUnit

  /// Opens saved bytes.
  ///
  /// Cost: the checksum, and the columns that tell which objects there are.
  ///
  /// - Throws: What a load says of the bytes, as far as they were read.
  package init(
    _ bytes: [UInt8],
    unit: TextUnit = .scalar,
    limits: DocumentLimits = DocumentLimits()
  ) throws(ChunkError) {
    self.bytes = bytes
    self.unit = unit
    self.limits = limits
    if let content = try Self.content(of: bytes),
      let columns = try? SavedColumns(bytes, content: content, limits: limits),
      let chunk = try? SavedChunk(columns, unit: unit)
    {
      source = .chunk(chunk)
    } else {
      source = .loaded(
        try MergeDocument(loading: bytes, actor: Self.reader, unit: unit, limits: limits)
      )
    }
  }

  /// The actor of a document that is only read.
  private static let reader = ActorID([])

  /// Where the content of a document chunk lies whose checksum is right; `nil` if the bytes are
  /// anything but one such chunk.
  private static func content(of bytes: [UInt8]) throws(ChunkError) -> Range<Int>? {
    try withView(of: bytes) { (view) throws(ChunkError) in
      do throws(Fault) {
        if view.count == 0 { return nil }
        var cursor = ByteCursor(view)
        let frame = try ChunkFrame(&cursor)
        guard frame.type == ChunkFrame.document, cursor.isAtEnd else { return nil }
        _ = try frame.hash(view)
        return frame.contentStart..<frame.end
      } catch {
        throw error.error(base: 0, in: ["chunk"])
      }
    }
  }

  /// The document of the bytes, for whatever a view does not answer: edits, history, marks, merging.
  ///
  /// A strict load, with all that it verifies. The view stays as it is.
  ///
  /// - Throws: What a load says of the bytes.
  package func document(actor: ActorID) throws(ChunkError) -> MergeDocument {
    try MergeDocument(loading: bytes, actor: actor, unit: unit, limits: limits)
  }

  /// Whether the view has loaded the whole document.
  package var isLoaded: Bool {
    if case .loaded = source { true } else { false }
  }

  // MARK: Questions

  /// The winner of a key or an index; `nil` if nothing is visible there.
  ///
  /// - Throws: ``ReadError``.
  package func get(_ object: ObjectID, _ prop: Prop) throws(ReadError) -> Entry? {
    try ask(object) { (document) throws(EditError) in
      try document.get(object, prop)
    } of: { (chunk, place) throws(Fault) in
      guard let winner = try chunk.values(place, prop).last else { return nil }
      return try chunk.entry(winner)
    } fitting: {
      $0.isSequence == prop.isIndex
    }
  }

  /// All visible values of a key or an index, ascending by id; more than one is a conflict.
  ///
  /// - Throws: ``ReadError``.
  package func getAll(_ object: ObjectID, _ prop: Prop) throws(ReadError) -> [Entry] {
    try ask(object) { (document) throws(EditError) in
      try document.getAll(object, prop)
    } of: { (chunk, place) throws(Fault) in
      try chunk.entries(chunk.values(place, prop))
    } fitting: {
      $0.isSequence == prop.isIndex
    }
  }

  /// A map's visible keys, in UTF-8 byte order; none for a sequence.
  ///
  /// - Throws: ``ReadError``.
  package func keys(_ object: ObjectID) throws(ReadError) -> [String] {
    try ask(object) { (document) throws(EditError) in
      try document.keys(object)
    } of: { (chunk, place) throws(Fault) in
      chunk.kind(of: place).isSequence ? [] : try chunk.map(place).entries(chunk).map(\.key)
    }
  }

  /// A map's visible keys with their winners; none for a sequence.
  ///
  /// - Throws: ``ReadError``.
  package func mapEntries(
    _ object: ObjectID
  ) throws(ReadError) -> [(key: String, entry: Entry)] {
    try ask(object) { (document) throws(EditError) in
      try document.mapEntries(object)
    } of: { (chunk, place) throws(Fault) in
      if chunk.kind(of: place).isSequence { return [] }
      var result: [(key: String, entry: Entry)] = []
      for (key, winner) in try chunk.map(place).entries(chunk) {
        result.append((key, try chunk.entry(winner)))
      }
      return result
    }
  }

  /// Winners in key order or list order; of a text, one for each element.
  ///
  /// - Throws: ``ReadError``.
  package func values(_ object: ObjectID) throws(ReadError) -> [Entry] {
    try ask(object) { (document) throws(EditError) in
      try document.values(object)
    } of: { (chunk, place) throws(Fault) in
      if chunk.kind(of: place).isSequence {
        return try chunk.entries(chunk.sequence(place).winners)
      }
      return try chunk.entries(chunk.map(place).entries(chunk).map(\.winner))
    }
  }

  /// The ids of a sequence's visible elements: of the insertions, not of the winners; none for a map.
  ///
  /// - Throws: ``ReadError``.
  package func elementIDs(_ object: ObjectID) throws(ReadError) -> [OpID] {
    try ask(object) { (document) throws(EditError) in
      try document.elementIDs(object)
    } of: { (chunk, place) throws(Fault) in
      guard chunk.kind(of: place).isSequence else { return [] }
      var result: [OpID] = []
      for row in try chunk.sequence(place).rows { result.append(try chunk.publicID(ofRow: row)) }
      return result
    }
  }

  /// Visible keys, elements, or text units.
  ///
  /// - Throws: ``ReadError``.
  package func length(_ object: ObjectID) throws(ReadError) -> Int {
    try ask(object) { (document) throws(EditError) in
      try document.length(object)
    } of: { (chunk, place) throws(Fault) in
      try chunk.length(place)
    }
  }

  /// The text of a sequence: its strings joined, U+FFFC for every other element.
  ///
  /// - Throws: ``ReadError``.
  package func text(_ object: ObjectID) throws(ReadError) -> String {
    try ask(object) { (document) throws(EditError) in
      try document.text(object)
    } of: { (chunk, place) throws(Fault) in
      try chunk.sequence(place).text(chunk.columns.bytes(of: .value))
    } fitting: {
      $0.isSequence
    }
  }

  /// What an object is.
  ///
  /// - Throws: ``ReadError``.
  package func kind(of object: ObjectID) throws(ReadError) -> ObjectKind {
    try ask(object) { (document) throws(EditError) in
      try document.kind(of: object)
    } of: { (chunk, place) throws(Fault) in
      chunk.kind(of: place)
    }
  }

  // MARK: How questions are answered

  /// Answers from the chunk; if that turns out damaged, or is loaded already, from the loaded document.
  private func ask<Answer>(
    _ object: ObjectID,
    _ whole: (MergeDocument) throws(EditError) -> Answer,
    of part: (SavedChunk, ObjectHandle) throws(Fault) -> Answer,
    fitting fits: (ObjectKind) -> Bool = { _ in true }
  ) throws(ReadError) -> Answer {
    if case .chunk(let chunk) = source {
      guard let place = chunk.find(object) else { throw .refused(.unknownObject(object)) }
      let kind = chunk.kind(of: place)
      guard fits(kind) else { throw .refused(.invalidOperation(kind: kind)) }
      do throws(Fault) { return try part(chunk, place) } catch { load() }
    }
    switch source {
    case .loaded(let document):
      do throws(EditError) { return try whole(document) } catch { throw .refused(error) }
    case .refused(let error): throw .damaged(error)
    case .chunk: preconditionFailure("a chunk that was given up")
    }
  }

  /// Lets a load decide what is wrong with the bytes.
  private func load() {
    do throws(ChunkError) {
      source = .loaded(try document(actor: Self.reader))
    } catch {
      source = .refused(error)
    }
  }
}

/// Why a question to a ``SavedView`` has no answer.
package enum ReadError: Error, Hashable, Sendable {
  /// The question does not fit: `unknownObject`, or `invalidOperation` for a key of a sequence, an index of a map,
  /// and the text of a map.
  case refused(EditError)
  /// The bytes are damaged where the question looked, and a load refuses them for this.
  case damaged(ChunkError)
}

extension ReadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .refused(let error): error.description
    case .damaged(let error): error.description
    }
  }
}

extension Prop {
  fileprivate var isIndex: Bool {
    if case .index = self { true } else { false }
  }
}
