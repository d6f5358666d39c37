package import CodingLaws
import CodingSupport
import DocumentModel
package import ModelGeneration
import NaiveModel

// The naive coder's saved documents and who else reads them, for the laws `peer.*`. Its saved form
// is the model's changes in memory (`NaiveSaved`), not bytes: what a mutant spoils on saving is
// spoilt there.

/// The naive model as the peer of a naive coder, with all rules right: by it the laws of peers are
/// proved where no other implementation is installed.
///
/// So a mutant whose saved form is wrong is read by rules that are right, and cannot agree with
/// itself.
package struct NaivePeer: DocumentPeer {
  package let name = "naive"

  package init() {}

  package func obstacle(toReading tree: Tree) -> String? { nil }

  package func obstacle(toWriting tree: Tree) -> String? { nil }

  package func read(_ saved: SavedDocument) throws -> PeerReading {
    let document = try NaiveDocument(saved: saved, actor: Self.actor, rules: NaiveCoderRules())
    // As the binding of the real Automerge, which shows no counts.
    let tree = try document.tree().mapNodes { node in
      if case .counter = node { .blank(.counter) } else { node }
    }
    return PeerReading(tree: tree, hidden: [.counter], heads: try document.heads().sorted())
  }

  package func write(_ entries: [Tree.Entry], over saved: SavedDocument) throws -> SavedDocument {
    let document = try NaiveDocument(saved: saved, actor: Self.actor, rules: NaiveCoderRules())
    for entry in entries { try document.put(entry.value, at: [.key(entry.key)]) }
    return document.saved()
  }

  /// An actor that no law uses for its own writers.
  private static let actor: UInt8 = 0xee
}

extension NaiveCoder: PeeredCoder, RememberingCoder {
  package var peer: PeerAvailability { .available(NaivePeer()) }

  /// The two rules that spoil it rewrite the whole tree into an empty document: its history is
  /// another one then.
  package func save(_ document: any CodingDocument) throws -> SavedDocument {
    guard let document = document as? NaiveDocument else {
      throw UnsupportedByCoder(feature: .documents)
    }
    guard rules.savesTextsAsTexts, rules.savesCounts else {
      let copy = NaiveDocument(actor: 1, rules: rules)
      guard case .map(let entries) = try document.tree() else { return document.saved() }
      for entry in entries {
        let value = entry.value.mapNodes { node in
          switch node {
          case .text(let text) where !rules.savesTextsAsTexts: .string(text)
          case .counter where !rules.savesCounts: .counter(0)
          default: node
          }
        }
        try copy.put(value, at: [.key(entry.key)])
      }
      return copy.saved()
    }
    return document.saved()
  }

  package func document(saved: SavedDocument, actor: UInt8) throws -> any CodingDocument {
    let document = try NaiveDocument(saved: saved, actor: actor, rules: rules)
    if rules.loadsChangesOfOthers { return document }
    return try document.withoutLastChange(actor: actor)
  }
}

// Loading and saving, as the model does it.
extension NaiveDocument {
  /// The document of a saved form.
  ///
  /// - Throws: ``UnsupportedByCoder`` for bytes, or another coder's form.
  convenience init(saved: SavedDocument, actor: UInt8, rules: NaiveCoderRules) throws {
    guard case .other(let saved) = saved, let saved = saved as? NaiveSaved else {
      throw UnsupportedByCoder(feature: .documents)
    }
    self.init(try Specification.load(saved, actor: ActorID(repeating: actor)), rules)
  }

  func saved() -> SavedDocument { .other(model.save()) }

  /// The document before the change that was applied last.
  fileprivate func withoutLastChange(actor: UInt8) throws -> NaiveDocument {
    let changes = model.changes(since: [])
    var earlier = Specification(actor: ActorID(repeating: actor))
    try earlier.apply(Array(changes.dropLast()))
    return NaiveDocument(earlier, rules)
  }
}
