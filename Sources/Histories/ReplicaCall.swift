// Steps of one replica beside plain edits, and what they have in common with edits: the extension
// of `Step` at the end.

package import DocumentModel

/// What one replica does beside plain edits.
///
/// Most of it is what a caller should not do, or seldom does: calls that are refused, a rollback,
/// reading while a change is open.
package enum ReplicaCall: Hashable, Sendable {
  /// Many edits as one step.
  case burst(Burst)
  /// A call that the specification refuses; an object of it may be one that this replica never
  /// heard of.
  ///
  /// The normaliser keeps it only where the specification refuses it.
  case attempt(Edit<ObjectName>)
  /// Takes back what was done since the last commit.
  case rollback
  /// Looks at everything while the change stays open.
  case read
  /// Stores what is new in the slot that was last saved to, or restarted from, behind what is there.
  ///
  /// Saves are one file that grows: a snapshot, then increments.
  case append(slot: Int)
  /// Closes the open change with a message and a time in seconds since 1970.
  case commit(message: ExactString?, time: Int64)
  /// A hostile peer sends something.
  case hear(Attack)
  /// Takes a cursor at a unit of a list or text; cursors are numbered from 1 in the order of such steps.
  ///
  /// Laws of cursors ask for its place after each later step, at the replicas that the step may
  /// change.
  case cursor(ObjectName, index: Int, CursorMove)
  /// Syncs with another replica by messages; the first ones suffer the fates.
  case sync(with: Int, [SyncFate])
}

extension Step {
  /// The edits that the step carries out, in their order, and the replica that does; `nil` if the step
  /// edits nothing.
  ///
  /// A burst gives all of its edits: up to 100,000.
  package var edits: (replica: Int, edits: [Edit<ObjectName>])? {
    switch self {
    case .edit(let replica, let edit): (replica, [edit])
    case .call(let replica, .burst(let burst)): (replica, burst.edits)
    default: nil
    }
  }

  /// The first of ``edits``.
  package var firstEdit: Edit<ObjectName>? {
    switch self {
    case .edit(_, let edit): edit
    case .call(_, .burst(let burst)): burst.edit
    default: nil
    }
  }

  /// The number of ``edits``.
  package var editCount: Int {
    switch self {
    case .edit: 1
    case .call(_, .burst(let burst)): max(1, burst.count)
    default: 0
    }
  }
}
