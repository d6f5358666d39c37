package import AutomergeDocument
import DocumentCoding
import Foundation
import PropertyEngine

extension Boundary {
  /// Bytes are ids and cursors, as an app stored them or a peer sent them.
  package static func ids(
    readingCursor read: @escaping @Sendable (String) -> Cursor? = { Cursor(text: $0) }
  ) -> Boundary {
    Boundary(
      "ids",
      "The bytes and texts of cursors, objects, writers and heads; a document is asked for each.",
      on: "document",
      rule:
        "Bytes are no id, or are one that is read from its own bytes as the same. A document answers "
        + "for any id, within its length, or throws a `DocError`.",
      byteLimit: 256,
      notation: .text(words: ["0", "s", "e", "a001", "a002", "7"]),
      seedSentence: "an id of each kind, of a document and of none",
      seeds: { try storedIDs() },
      judge: { bytes in
        let data = Data(bytes)
        let (document, objects) = try groundDocument()
        if let text = String(validating: bytes, as: UTF8.self), let cursor = read(text) {
          guard cursor.text.utf8.elementsEqual(text.utf8) else {
            return Difference(kind: "text", summary: "a cursor is spelled in two ways")
          }
          if let difference = try answers(cursor, document, objects) { return difference }
        }
        if let cursor = Cursor(bytes: data) {
          guard Cursor(bytes: cursor.bytes) == cursor, read(cursor.text) == cursor else {
            return Difference(
              kind: "round-trip",
              summary: "a cursor is another one when read again"
            )
          }
          if let difference = try answers(cursor, document, objects) { return difference }
        }
        if let object = ObjId(bytes: data) {
          guard ObjId(bytes: object.bytes) == object else {
            return Difference(
              kind: "round-trip",
              summary: "an object's id is another when read again"
            )
          }
          if let difference = try answers(object, document) { return difference }
        }
        return try answers(ActorId(data: data), data.heads(), document)
      }
    )
  }

  /// Bytes are the path of a place in a document.
  package static func paths(
    parsing parse: @escaping @Sendable (String) throws -> [AnyCodingKey] = {
      try AnyCodingKey.parsePath($0)
    }
  ) -> Boundary {
    Boundary(
      "paths",
      "The path of a place in a document; it is looked up, and a value is encoded there.",
      on: "document",
      rule:
        "A path is refused with a `PathParseError`, or is one that is read from its own text as the "
        + "same. Encoding there throws and leaves the document as it was, or the value can be read there.",
      byteLimit: 128,
      notation: .text(words: ["list", "text", "title", "map", "none", "[0]", "[1]", "[9]", "."]),
      seedSentence: "a path to each kind of place, and to none",
      seeds: {
        [
          ("key", "a key", ".title"), ("index", "an element", ".list.[0]"),
          ("end", "behind the last element", ".list.[2]"), ("text", "into a text", ".text.[1]"),
          ("beyond", "far beyond the end", ".list.[99]"), ("none", "no such key", ".none.inner"),
          ("root", "the root itself", "."), ("deep", "through a value", ".title.[0].x"),
        ].map { Seed($0.0, $0.1, Array($0.2.utf8)) }
      },
      judge: { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let keys: [AnyCodingKey]
        do { keys = try parse(text) } catch let error {
          return error is PathParseError ? nil : .untyped(error, expected: "PathParseError")
        }
        guard (try? parse(keys.stringPath())) == keys else {
          return Difference(
            kind: "round-trip",
            summary: "a path is another one when written and read",
            expected: text,
            actual: keys.stringPath()
          )
        }
        return try encodes(at: keys, text)
      }
    )
  }

  // MARK: - Judging

  private static func groundDocument() throws -> (Document, [ObjId]) {
    let document = try Document(Data(SampleDocument.saved()))
    if let actor = ActorId(data: Data([0xa0, 0x09])) { document.actor = actor }
    let objects = try ["list", "text"].compactMap { key -> ObjId? in
      guard case .Object(let id, _)? = try document.get(obj: .ROOT, key: key) else { return nil }
      return id
    }
    return (document, objects + [.ROOT])
  }

  private static func answers(
    _ cursor: Cursor,
    _ document: Document,
    _ objects: [ObjId]
  ) throws -> Difference? {
    for object in objects {
      do {
        let position = try document.position(obj: object, cursor: cursor)
        guard position <= document.length(obj: object) else {
          return Difference(kind: "position", summary: "a cursor points behind the end")
        }
      } catch let error where !(error is DocError) {
        return .untyped(error, expected: "DocError")
      } catch {}
    }
    return nil
  }

  private static func answers(_ object: ObjId, _ document: Document) throws -> Difference? {
    let before = document.heads()
    let calls: [() throws -> Void] = [
      { _ = try document.path(obj: object) }, { _ = try document.text(obj: object) },
      { _ = try document.get(obj: object, key: "k") },
      { _ = try document.get(obj: object, index: 1) },
      { _ = try document.marks(obj: object) },
    ]
    for call in calls {
      do { try call() } catch let error where !(error is DocError) {
        return .untyped(error, expected: "DocError")
      } catch {}
    }
    _ = document.keys(obj: object)
    _ = document.length(obj: object)
    return document.heads() == before
      ? nil : Difference(kind: "trace", summary: "a question changed the document")
  }

  private static func answers(
    _ actor: ActorId?,
    _ heads: Set<ChangeHash>?,
    _ document: Document
  ) throws -> Difference? {
    if let actor {
      let fork = document.fork()
      fork.actor = actor
      try fork.put(obj: .ROOT, key: "theirs", value: .Boolean(true))
      let loaded = try Document(fork.save())
      guard ActorId(data: actor.data) == actor, loaded.heads() == fork.heads() else {
        return Difference(kind: "actor", summary: "what a writer of this name wrote is not kept")
      }
    }
    guard let heads else { return nil }
    guard heads.raw().heads() == heads else {
      return Difference(kind: "heads", summary: "heads are others when read again")
    }
    for hash in heads { _ = document.change(hash: hash) }
    do { _ = try document.getAt(obj: .ROOT, key: "title", heads: heads) } catch let error {
      return error is DocError ? nil : .untyped(error, expected: "DocError")
    }
    return nil
  }

  private static func encodes(at keys: [AnyCodingKey], _ text: String) throws -> Difference? {
    let (document, _) = try groundDocument()
    let before = document.heads()
    _ = try? document.lookupPath(path: text)
    do {
      try AutomergeEncoder(doc: document, strategy: .createWhenNeeded).encode("here", at: keys)
    } catch {
      guard document.heads() == before else {
        return Difference(kind: "trace", summary: "a refused path changed the document")
      }
      return nil
    }
    guard let found = try? AutomergeDecoder(doc: document).decode(String.self, from: keys),
      found == "here"
    else {
      return Difference(kind: "place", summary: "what was encoded at a path is not there")
    }
    return nil
  }

  // MARK: - Seeds

  private static func storedIDs() throws -> [Seed] {
    let (document, objects) = try groundDocument()
    var seeds: [Seed] = []
    for (name, object) in zip(["list", "text"], objects) {
      let cursor = try document.cursor(obj: object, position: 1)
      let before = try document.cursor(obj: object, position: 1, moving: .before)
      seeds += [
        Seed("object-\(name)", "the id of a \(name)", Array(object.bytes)),
        Seed("cursor-\(name)", "a cursor in a \(name)", Array(cursor.bytes)),
        Seed("cursor-\(name)-text", "the same as text", Array(cursor.text.utf8)),
        Seed("cursor-\(name)-before", "one that moves before", Array(before.text.utf8)),
      ]
    }
    let heads = document.heads()
    return seeds + [
      Seed("object-root", "the id of the root", Array(ObjId.ROOT.bytes)),
      Seed("cursor-end", "the end, as text", Array("e".utf8)),
      Seed("cursor-zero", "a spelling that no cursor has", Array("07@a001".utf8)),
      Seed("actor", "a writer's name", Array(document.actor.data)),
      Seed("heads", "the heads of a document", Array(heads.raw())),
    ]
  }
}
