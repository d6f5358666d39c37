package import ModelGeneration

// Another implementation as laws see it. Conforming: `SubjectPeer` of `Campaigns` for a subject of
// documents, such as the real Automerge, and `NaivePeer`.

/// Another implementation of a coder's documents, which reads what the coder saved and writes what
/// it reads.
///
/// A peer shares no code with the subject: what both agree on is what the saved form means.
///
/// Calls block until the peer answered; time limits are the peer's own matter.
package protocol DocumentPeer: Sendable {
  /// Name and version, for messages.
  var name: String { get }

  /// Why it cannot show a document with this content, in words; `nil` if it can.
  ///
  /// Asked before ``read(_:)``; a law skips such a sample.
  func obstacle(toReading tree: Tree) -> String?
  /// Why it cannot write this content, in words; `nil` if it can.
  func obstacle(toWriting tree: Tree) -> String?

  /// Everything visible in a saved document.
  ///
  /// - Throws: ``PeerFailure`` if the peer itself failed, and anything else if it refuses what the
  ///   document holds.
  func read(_ saved: SavedDocument) throws -> PeerReading
  /// Puts whole values at keys of the root of a saved document, and saves it.
  ///
  /// - Throws: as ``read(_:)``.
  func write(_ entries: [Tree.Entry], over saved: SavedDocument) throws -> SavedDocument
}

/// A saved document.
///
/// The naive coder has changes in memory and no bytes.
package enum SavedDocument: Sendable {
  case bytes([UInt8])
  /// A form that only the subject and its peer know.
  case other(any Sendable)
}

/// What a peer shows of a document.
package struct PeerReading: Sendable {
  /// The content; what is hidden is shown as ``Tree/blank(_:)``.
  package var tree: Tree
  /// Kinds of scalar that it finds without being able to read what they hold.
  package var hidden: Set<Tree.Kind>
  /// Names of the changes that no other depends on, as the subject names them; `nil` if the two name
  /// them differently.
  package var heads: [String]?

  package init(tree: Tree, hidden: Set<Tree.Kind> = [], heads: [String]? = nil) {
    self.tree = tree
    self.hidden = hidden
    self.heads = heads
  }
}

/// A peer that crashed, hung, or answered something that is no answer: no law is broken.
package struct PeerFailure: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A document, or content of one, that a peer refused.
///
/// It counts against the coder: the peer refuses what it saved.
package struct PeerRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package let peer: String
  /// The peer's own words.
  package let explanation: String

  package init(peer: String, explanation: String) {
    self.peer = peer
    self.explanation = explanation
  }

  package var description: String { "\(peer) refused it: \(explanation)" }
}

/// The peer of a coder, or why there is none.
///
/// The reason is shown where the laws of peers are skipped.
package enum PeerAvailability: Sendable {
  case available(any DocumentPeer)
  case absent(String)
}

/// A coder whose saved documents another implementation reads.
package protocol PeeredCoder: CoderSubject {
  var peer: PeerAvailability { get }

  /// The document in its saved form.
  ///
  /// - Throws: ``UnsupportedByCoder`` for a document of another coder.
  func save(_ document: any CodingDocument) throws -> SavedDocument
  /// A saved document, written on by the actor of 16 such bytes.
  func document(saved: SavedDocument, actor: UInt8) throws -> any CodingDocument
}

extension Tree {
  /// What stands for a scalar of a kind whose value is not known.
  ///
  /// The same for both sides of a comparison, so that the place and the kind still count.
  package static func blank(_ kind: Kind) -> Tree { kind.simplest ?? .null }

  /// The tree with blanks for all scalars of some kinds.
  func hiding(_ kinds: Set<Kind>) -> Tree {
    guard !kinds.isEmpty else { return self }
    return mapNodes { kinds.contains($0.kind) ? .blank($0.kind) : $0 }
  }
}
