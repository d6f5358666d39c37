import DocumentLaws
package import MergeEngine
import PropertyEngine

extension Boundary {
  /// What takes chunks into a document, or throws and leaves it as it was.
  package typealias Taking = @Sendable (MergeDocument, [UInt8]) throws -> Void

  private static let rule =
    "A document refuses bytes with a `ChunkError` and is as it was, or takes them and is sound, "
    + "saves what loads, and has all that it had."

  /// Bytes are change chunks, which a document without content and one with content apply.
  package static func changes(
    applying apply: @escaping Taking = { try $0.applyChanges([$1]) }
  ) -> Boundary {
    Boundary(
      "changes",
      "Change chunks; a document without content, and one with content, applies them.",
      on: engine,
      rule: rule,
      byteLimit: 4096,
      notation: .binary(pieces: .chunks),
      entrance: .chunks,
      seedSentence: "a change of each kind of edit, alone and with those it depends on",
      seeds: {
        let document = try SampleDocument.document()
        let own = document.changes().compactMap { document.changeBytes($0.hash) }
        let later = try SampleDocument.changes(on: document)
        return [Seed("all-in-order", "the changes of the document, in order", own.flatMap(\.self))]
          + later.map { Seed($0.name, "\($0.sentence), on what the document holds", $0.chunk) }
          + [
            Seed(
              "waiting",
              "the same out of order, so that most wait for others",
              later.flatMap(\.chunk) + own.reversed().flatMap(\.self)
            )
          ]
      },
      judge: { bytes in
        for document in [
          MergeDocument(actor: SampleDocument.actor(9)), try SampleDocument.document(),
        ] {
          if let difference = try taking(bytes, into: document, apply) { return difference }
        }
        return nil
      }
    )
  }

  /// Bytes are chunks of any kind, which a document with content, and one with an open change, loads.
  package static func incremental(
    loading load: @escaping Taking = { try $0.loadIncremental($1) }
  ) -> Boundary {
    Boundary(
      "incremental",
      "Chunks of any kind; a document with content loads them, twice.",
      on: engine,
      rule: rule + " Loading them again changes nothing.",
      byteLimit: 4096,
      notation: .binary(pieces: .chunks),
      entrance: .chunks,
      seedSentence: "what a document saves, whole and in parts",
      seeds: {
        let document = try SampleDocument.document()
        let later = try SampleDocument.changes(on: document)
        let merged = try SampleDocument.document()
        for change in later { try merged.applyChanges([change.chunk]) }
        let all = later.flatMap(\.chunk)
        let stranger = MergeDocument(actor: SampleDocument.actor(5))
        try stranger.put(.root, .key("title"), .string("other"))
        stranger.commit(time: 1)
        return [
          Seed("stranger", "a document that shares nothing", stranger.save(compressed: false)),
          Seed("whole", "the saved document itself", document.save(compressed: false)),
          Seed("whole-later", "a later state, saved whole", merged.save(compressed: false)),
          Seed("whole-deflated", "the same, its columns as DEFLATE streams", deflated(merged)),
          Seed("appended", "a saved document and changes behind it", document.save() + all),
        ]
      },
      judge: { bytes in
        let document = try SampleDocument.document()
        if let difference = try taking(bytes, into: document, load) { return difference }
        let once = DocumentState(document)
        if (try? load(document, bytes)) != nil, DocumentState(document) != once {
          return Difference(kind: "again", summary: "the same bytes change a document twice")
        }
        let recovery = DocumentRecovery(bytes, actor: SampleDocument.actor(9))
        return try DocumentState(recovery.document).harm(in: recovery.document)
      }
    )
  }

  /// Bytes are the columns of a change: what stands behind its header, which is right.
  package static func columns(
    applying apply: @escaping Taking = { try $0.applyChanges([$1]) }
  ) -> Boundary {
    Boundary(
      "columns",
      "Actors and columns of a change behind a right header; a document with content applies it.",
      on: engine,
      rule: rule,
      byteLimit: 1024,
      notation: .binary(pieces: .columns),
      seedSentence: "the columns of a change of each kind of edit",
      seeds: {
        try SampleDocument.changes(on: try SampleDocument.document()).map { change in
          Seed(change.name, change.sentence, columns(of: change.chunk))
        }
      },
      judge: { bytes in
        let document = try SampleDocument.document()
        var header = LenientReader.hashes(document.heads.flatMap(\.bytes))
        header += ChunkForge.counted([0xa0, 0x77]) + ChunkForge.unsigned(1)
        let nextOp = document.changes().map(\.maxOp).max() ?? 0
        header += ChunkForge.unsigned(nextOp + 1) + [0, 0]
        return try taking(ChunkForge.chunk(1, header + bytes), into: document, apply)
      }
    )
  }

  /// What follows the message of a change.
  private static func columns(of chunk: [UInt8]) -> [UInt8] {
    var reader = LenientReader(chunk)
    _ = reader.take(9)
    _ = reader.number()
    _ = reader.hashes()
    _ = reader.counted()
    for _ in 0..<3 { _ = reader.number() }
    _ = reader.counted()
    return reader.rest()
  }

  private static func taking(
    _ bytes: [UInt8],
    into document: MergeDocument,
    _ take: Taking
  ) throws -> Difference? {
    let before = DocumentState(document)
    do {
      try take(document, bytes)
    } catch let error {
      guard error is ChunkError else { return .untyped(error, expected: "ChunkError") }
      return before.trace(in: document)
    }
    return try before.harm(in: document)
  }
}
