import DocumentLaws
import MergeEngine
import PropertyEngine
import Subjects

/// What a document held before bytes came, to compare with what it holds when they were refused.
struct DocumentState: Equatable {
  /// The saved form, changes that wait among it.
  let saved: [UInt8]
  let heads: [ChangeHash]
  let changeCount: Int

  init(_ document: MergeDocument) {
    saved = document.save(compressed: false)
    heads = document.heads
    changeCount = document.changeCount
  }

  /// Where a document that refused bytes is not what it was; `nil` if it is.
  func trace(in document: MergeDocument) -> Difference? {
    let now = DocumentState(document)
    guard now != self else { return nil }
    return Difference(
      kind: "trace",
      summary: "refused bytes changed the document",
      expected: "\(changeCount) changes in \(saved.count) bytes",
      actual: "\(now.changeCount) changes in \(now.saved.count) bytes"
    )
  }

  /// Where a document that took bytes is not sound, or lost what it had; `nil` if all is well.
  func harm(in document: MergeDocument) throws -> Difference? {
    if let breach = document.brokenInvariant {
      return Difference(kind: "invariant", summary: "the document is not sound: \(breach)")
    }
    // What is applied goes away by no message, whatever it says.
    guard heads.allSatisfy({ document.change($0) != nil }) else {
      return Difference(kind: "loss", summary: "the document lost changes")
    }
    let saved = document.save(compressed: false)
    do {
      if let difference = try DamageLaws<EngineReplica>.verdict(of: saved) { return difference }
      let again = try MergeDocument(loading: saved, actor: SampleDocument.actor(1))
      guard again.heads == document.heads, again.waitingCount == document.waitingCount else {
        return Difference(kind: "save", summary: "the document is another when saved and loaded")
      }
    } catch let error as ChunkError {
      return Difference(
        kind: "save",
        summary: "what the document saves is refused",
        actual: "\(error)"
      )
    }
    return nil
  }
}

extension Difference {
  /// A boundary threw what is not its error.
  static func untyped(_ error: any Error, expected: String) -> Difference {
    Difference(
      kind: "error",
      summary: "bytes are refused with an error of another type",
      expected: expected,
      actual: "\(type(of: error)): \(error)"
    )
  }
}
