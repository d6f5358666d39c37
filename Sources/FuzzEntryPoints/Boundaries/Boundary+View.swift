package import MergeEngine
import PropertyEngine

/// What an object shows, of a view or of a loaded document.
package struct ShownObject: Equatable, Sendable {
  package var kind: ObjectKind
  package var length: Int
  package var keys: [String]
  /// Winners, by key or by position.
  package var winners: [Entry]
  /// All visible values of the first places.
  package var places: [[Entry]]
  package var elementIDs: [OpID]
  /// Its UTF-8; empty for a map.
  package var text: [UInt8]

  /// Places of an object whose values are all compared.
  private static let placeLimit = 16

  /// What a view shows.
  package init(_ object: ObjectID, in view: SavedView) throws(ReadError) {
    kind = try view.kind(of: object)
    length = try view.length(object)
    keys = try view.keys(object)
    winners = try view.values(object)
    places = []
    for prop in Self.props(kind, length, keys) { places.append(try view.getAll(object, prop)) }
    elementIDs = try view.elementIDs(object)
    text = kind.isSequence ? Array(try view.text(object).utf8) : []
  }

  /// What a document shows.
  init(_ object: ObjectID, in document: MergeDocument) throws(EditError) {
    kind = try document.kind(of: object)
    length = try document.length(object)
    keys = try document.keys(object)
    winners = try document.values(object)
    places = []
    for prop in Self.props(kind, length, keys) { places.append(try document.getAll(object, prop)) }
    elementIDs = try document.elementIDs(object)
    text = kind.isSequence ? Array(try document.text(object).utf8) : []
  }

  private static func props(_ kind: ObjectKind, _ length: Int, _ keys: [String]) -> [Prop] {
    kind.isSequence
      ? (0..<min(length, placeLimit)).map { .index($0) } : keys.prefix(placeLimit).map { .key($0) }
  }

  /// Equal to the bit: Swift's strings are equal where their bytes are not, and not a number equals nothing.
  package static func == (one: Self, other: Self) -> Bool { one.form == other.form }

  private var form: [String] {
    ["\(kind) \(length)"] + keys.map(Self.exact) + winners.map(Self.exact)
      + places.map { "\($0.map(Self.exact))" } + elementIDs.map { "\($0)" } + ["\(text)"]
  }

  private static func exact(_ key: String) -> String { "\(Array(key.utf8))" }

  private static func exact(_ entry: Entry) -> String {
    let value =
      switch entry.value {
      case .scalar(.string(let text)): exact(text)
      case .scalar(.double(let number)): "double \(number.bitPattern)"
      default: "\(entry.value)"
      }
    return "\(entry.id) \(value)"
  }

  /// Objects that are shown in it.
  var children: [ObjectID] {
    (winners + places.flatMap(\.self)).compactMap { entry in
      if case .object(let id, _) = entry.value { id } else { nil }
    }
  }
}

extension Boundary {
  /// Bytes are a stored file, which is looked at without loading it.
  package static func view(
    showing show: @escaping @Sendable (ObjectID, SavedView) throws -> ShownObject = {
      try ShownObject($0, in: $1)
    }
  ) -> Boundary {
    Boundary(
      "view",
      "A stored file; a view of it shows what the loaded document shows.",
      on: engine,
      rule:
        "A view takes all bytes that a load takes, and shows of them what the loaded document shows; others it "
        + "refuses, at once or when it is asked, with a typed error, or shows what it can read of them.",
      byteLimit: 4096,
      notation: .binary(pieces: .chunks),
      entrance: .chunk,
      otherFolders: ["fixtures/vectors", "fixtures/excerpts"],
      seedSentence: "saved documents, plain and deflated",
      seeds: {
        let document = try SampleDocument.document()
        let merged = try SampleDocument.document()
        for change in try SampleDocument.changes(on: document) {
          try merged.applyChanges([change.chunk])
        }
        return [
          Seed(
            "empty",
            "a document without content",
            MergeDocument(actor: SampleDocument.actor(1)).save()
          ),
          Seed("small", "a document of few edits", document.save(compressed: false)),
          Seed("many", "each kind of edit", merged.save(compressed: false)),
          Seed("deflated", "the same, its columns as DEFLATE streams", deflated(merged)),
        ]
      },
      judge: { bytes in
        let sealed = Entrance.chunk.repaired(bytes)
        for form in sealed == bytes ? [bytes] : [bytes, sealed] {
          if let difference = try difference(between: form, show) { return difference }
        }
        return nil
      }
    )
  }

  /// A document's saved form with all its columns as streams: that of a small one has none.
  static func deflated(_ document: MergeDocument) -> [UInt8] {
    let plain = document.save(compressed: false)
    return DeflatedChunk.closed(plain) ?? plain
  }

  /// Objects of a file that are looked at.
  private static let objectLimit = 64

  /// Where a view of bytes shows something else than their document.
  private static func difference(
    between bytes: [UInt8],
    _ show: (ObjectID, SavedView) throws -> ShownObject
  ) throws -> Difference? {
    let document = try? MergeDocument(loading: bytes, actor: SampleDocument.actor(9))
    let view: SavedView
    do {
      view = try SavedView(bytes)
    } catch {
      return document == nil ? nil : Self.refused("\(error)")
    }
    var objects = [ObjectID.root]
    var known: Set = [ObjectID.root]
    while let object = objects.popLast() {
      let shown: ShownObject
      do { shown = try show(object, view) } catch let error as ReadError {
        if document == nil { continue }
        return Self.refused("\(error)")
      } catch {
        return Difference.untyped(error, expected: "ReadError")
      }
      if let document, let right = try? ShownObject(object, in: document), shown != right {
        return Difference(
          kind: "view",
          summary: "a view shows an object otherwise than the document",
          expected: "\(right)",
          actual: "\(shown)"
        )
      }
      for child in shown.children where known.count < objectLimit && known.insert(child).inserted {
        objects.append(child)
      }
    }
    return nil
  }

  private static func refused(_ error: String) -> Difference {
    Difference(
      kind: "refusal",
      summary: "a view refuses what a load takes",
      actual: error
    )
  }
}
