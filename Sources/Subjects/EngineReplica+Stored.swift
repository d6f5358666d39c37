import DocumentLaws
package import DocumentModel
import Histories

#if TOUCHSTONE_TIGHT_SIZES
import TightEngine
#else
import MergeEngine
#endif

/// The engine's documents as bytes.
extension EngineReplica: StoredReplica {
  /// `work` counts also where the bytes are refused.
  package static func load(
    _ bytes: [UInt8],
    actor: DocumentModel.ActorID,
    work: inout Int
  ) throws -> Self {
    let document = MergeDocument(actor: EngineActorID(actor.bytes))
    defer { work += document.workDone }
    try document.loadWhole(bytes)
    return Self(document)
  }

  package static func recovered(
    _ bytes: [UInt8],
    actor: DocumentModel.ActorID
  ) -> (document: Self, losses: [Range<Int>]) {
    let recovery = DocumentRecovery(bytes, actor: EngineActorID(actor.bytes))
    return (Self(recovery.document), recovery.losses.map(\.range))
  }

  /// What is refused late is taken back for as much again.
  package static func workLimit(forByteCount count: Int) -> Int {
    2 * Limits.workLimit(forByteCount: count)
  }

  /// - Throws: What the engine refuses; `work` counts all the same.
  package mutating func take(_ bytes: [UInt8], work: inout Int) throws {
    let before = document.workDone
    defer { work += document.workDone - before }
    try document.loadIncremental(bytes)
  }

  package mutating func save(compressed: Bool) -> [UInt8] {
    document.save(compressed: compressed)
  }

  package mutating func saveIncremental() -> [UInt8] {
    document.saveIncremental()
  }

  package mutating func compressedChanges() -> [[UInt8]] {
    document.changeBytes(since: [], compressed: true)
  }

  package var droppedCount: Int { document.droppedChangeCount }

  package mutating func missingDependencies() -> Set<String> {
    Set(document.missingDependencies().map(\.description))
  }

  package mutating func changeIDs() -> [String] {
    document.changeHashes(since: []).map(\.description)
  }

  /// Bytes of all that the document holds.
  package var heldByteCount: Int { document.heldByteCount }

  package mutating func brokenInvariant() -> String? {
    document.brokenInvariant
  }

  package mutating func spans(of text: DocumentModel.ObjectID) throws -> [ObservedSpan] {
    try document.spans(Self.id(text)).map { span in
      switch span {
      case .text(let string, let marks): .text(ExactString(string), marks: marks.map(Self.mark))
      case .block(let id): .block(Self.id(id))
      }
    }
  }
}
