/// What an implementation can do and show, beyond maps of values.
///
/// A law that needs more than a subject has is *skipped* for it, with the missing capability named.
package struct Capabilities: Hashable, Sendable {
  package var edits: Set<EditKind>
  package var objects: Set<ObjectKind>
  package var scalars: Set<ScalarKind>
  package var transports: Set<Transport>
  package var features: Set<Feature>

  package init(
    edits: Set<EditKind>,
    objects: Set<ObjectKind>,
    scalars: Set<ScalarKind>,
    transports: Set<Transport>,
    features: Set<Feature>
  ) {
    self.edits = edits
    self.objects = objects
    self.scalars = scalars
    self.transports = transports
    self.features = features
  }

  /// Everything that this version of the harness can ask for.
  package static let all = Capabilities(
    edits: Set(EditKind.allCases),
    objects: Set(ObjectKind.allCases),
    scalars: Set(ScalarKind.allCases),
    transports: Set(Transport.allCases),
    features: Set(Feature.allCases)
  )

  /// What both have: the common ground of a comparison.
  package func intersection(_ other: Capabilities) -> Capabilities {
    Capabilities(
      edits: edits.intersection(other.edits),
      objects: objects.intersection(other.objects),
      scalars: scalars.intersection(other.scalars),
      transports: transports.intersection(other.transports),
      features: features.intersection(other.features)
    )
  }
}

/// How a state travels from one replica to another.
package enum Transport: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// In memory, from one document object to the other.
  case merge
  /// The whole saved document.
  case document
  /// The changes the receiver was not yet sent, each a message of its own.
  case changes

  package var description: String { rawValue }
}

/// An ability that a law may need.
package enum Feature: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Shows the heads.
  case heads
  /// Shows all values of a conflict, not only the winner.
  case conflicts
  /// Shows the ids of operations, which are Automerge's.
  case operationIDs
  /// Reads the document as it was at earlier heads.
  case history
  /// Saves to bytes and loads them again.
  case save
  /// Forks one document into two.
  case fork
  /// Says which values an edit replaced and which operation it wrote.
  case effects
  /// Keeps what one replica typed in one go together, whatever others typed at the same place.
  case contiguousRuns
  /// Follows Automerge's rules: the same history gives the same visible state.
  case automergeSemantics
  /// Starts from a saved document that holds counters, where it cannot create one.
  case counterBase
  /// Syncs two documents by messages over a network with faults.
  case sync
  /// Refuses what Automerge's rules refuse, and is then as it was.
  case refusals
  /// Takes back the edits of the open change.
  case rollback
  /// Reads edits that are not committed yet, and leaves them so.
  case openReads
  /// Saves what is new since the last save, to stand behind it.
  case increments
  /// Keeps a message and a time with a change.
  case commitOptions
  /// Forks a document as it was at earlier heads.
  case forkAt
  /// Deletes before an index where the number to delete is negative.
  case negativeDeletes
  /// Is sent forged changes and messages, made to measure.
  case attacks
  /// Makes cursors and says where they are.
  case cursors
  /// Makes cursors, and says where they were, at earlier heads.
  case pastCursors
  /// Gives the patches that lead from one remembered state to another.
  case patches
  /// Tells in patches which values are in conflict from now on.
  case conflictPatches

  package var description: String { rawValue }
}
