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
  /// What the laws of bytes hold the engine to: a quarter of the steps that it takes by default for bytes of any
  /// number, so that bombs need not be as large.
  private static var limits: DocumentLimits {
    var limits = DocumentLimits()
    limits.freeWorkLimit /= 4
    return limits
  }

  /// `work` counts also where the bytes are refused.
  package static func load(
    _ bytes: [UInt8],
    actor: DocumentModel.ActorID,
    work: inout Int
  ) throws -> Self {
    let document = MergeDocument(actor: EngineActorID(actor.bytes), limits: limits)
    defer { work += document.workDone }
    try document.loadWhole(bytes)
    return Self(document)
  }

  package static func recovered(
    _ bytes: [UInt8],
    actor: DocumentModel.ActorID,
    work: inout Int
  ) -> (document: Self, losses: [Range<Int>]) {
    let recovery = DocumentRecovery(bytes, actor: EngineActorID(actor.bytes), limits: limits)
    work += recovery.document.workDone
    return (Self(recovery.document), recovery.losses.map(\.range))
  }

  /// What is refused late is taken back for as much again.
  package static func workLimit(forByteCount count: Int) -> Int {
    2 * limits.workLimit(forByteCount: count)
  }

  /// - Throws: What the engine refuses; `work` counts all the same.
  package mutating func take(_ bytes: [UInt8], work: inout Int) throws {
    let before = document.workDone
    defer { work += document.workDone - before }
    document.limits.freeWorkLimit = Self.limits.freeWorkLimit
    try document.loadIncremental(bytes)
  }

  package var workDone: Int { document.workDone }

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
