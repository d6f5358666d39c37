// The language of histories: names of objects, steps, and the history itself with its limits.
// Everything else in this module draws, reads, writes, counts or carries out what is defined here.

package import DocumentModel

/// Names an object within a history: 0 is the root, the others count up as edits make them.
package struct ObjectName: Hashable, Sendable, Comparable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  package static let root = ObjectName(0)

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// One thing that happens in a history.
///
/// Replicas are numbered from 0 and messages from 1. `actor` numbers a writer: replica `i` starts as
/// writer `i`, and each fork and each restart from a stale snapshot brings in the next number.
///
/// Each case is one line of the text form (`History+Text.swift`). Adding a case: the module's
/// README says where.
package enum Step: Hashable, Sendable {
  case edit(replica: Int, Edit<ObjectName>)
  /// Closes the replica's open transaction into one change.
  case commit(replica: Int)
  /// A new replica, numbered next, starts as a copy of this one.
  case fork(replica: Int, actor: Int)
  /// The receiver takes in the sender's state at once, by this transport.
  case exchange(from: Int, to: Int, Transport)
  /// The sender's state, or its changes not yet sent to this receiver, set out on their way.
  case send(message: Int, from: Int, to: Int, Transport)
  /// The message arrives: whole, or one of the changes in it.
  case deliver(message: Int, part: Int?)
  /// What has not arrived of the message never will.
  case drop(message: Int, Loss)
  /// From here on nothing passes from the replicas in `side` to the others; if `bothWays`, nor back.
  ///
  /// What is under way across it is lost, and so is what is sent while it lasts.
  case cut(side: [Int], bothWays: Bool)
  /// All cuts end.
  case mend
  /// From here on messages between the two wait.
  case clog(from: Int, to: Int)
  /// The messages that wait may arrive.
  case unclog(from: Int, to: Int)
  /// The replica commits and stores its state in a slot of its own.
  case save(replica: Int, slot: Int)
  /// The replica loses its memory and starts again from a slot, as this writer.
  ///
  /// The normaliser gives a new writer where the replica had written more than the slot holds.
  case restart(replica: Int, slot: Int, actor: Int)
  /// A new replica, numbered next, starts as this one was when it saved to a slot.
  case branch(replica: Int, slot: Int, actor: Int)
  /// The replica does something beside plain edits.
  case call(replica: Int, ReplicaCall)
}

extension Step {
  /// What happens, without the replicas and messages that it happens to.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case edit, commit
    /// A new replica, from another or from a slot.
    case fork
    case exchange, send, deliver, drop, cut, mend, clog, unclog, save, restart
    /// What only some subjects can do; the ``ReplicaCall`` says more.
    case call
  }

  /// The kind of the step.
  package var kind: Kind {
    switch self {
    case .edit: .edit
    case .commit: .commit
    case .fork, .branch: .fork
    case .exchange: .exchange
    case .send: .send
    case .deliver: .deliver
    case .drop: .drop
    case .cut: .cut
    case .mend: .mend
    case .clog: .clog
    case .unclog: .unclog
    case .save: .save
    case .restart: .restart
    case .call: .call
    }
  }
}

/// Why a message was lost.
package enum Loss: String, Hashable, Sendable, CaseIterable {
  /// At random.
  case noise
  /// It ran into a cut.
  case cut
}

/// What happens to a group of replicas, from a common start.
///
/// Replicas `0..<replicaCount` start as forks of the base. The steps then happen one after the other.
/// At the end the network heals: all cuts and clogs end, and every pair of replicas exchanges its
/// state both ways by its transport of `healing`: twice, and more often after restarts that lost
/// changes (``History/healingRounds``).
package struct History: Hashable, Sendable {
  package var base: Base
  /// What the base holds besides, written by its own writer in changes behind its first.
  package var growth: [Burst]
  package var writers: Writers
  package var replicaCount: Int
  /// Transports of the healing phase; a pair `(a, b)` uses the one at `(a + b) % count`.
  package var healing: [Transport]
  package var steps: [Step]

  package init(
    base: Base,
    growth: [Burst] = [],
    writers: Writers = .plain,
    replicaCount: Int,
    healing: [Transport],
    steps: [Step]
  ) {
    self.base = base
    self.growth = growth
    self.writers = writers
    self.replicaCount = replicaCount
    self.healing = healing
    self.steps = steps
  }

  package func healingTransport(between first: Int, and second: Int) -> Transport {
    healing.isEmpty ? .merge : healing[(first + second) % healing.count]
  }

  /// Edits and exchanges: how large a failure is said to be; a message counts when it arrives.
  ///
  /// Commits, forks, saves and faults cost a reader less, and do not count.
  package var size: Int {
    steps.count { step in
      switch step {
      case .edit, .exchange, .deliver, .call: true
      default: false
      }
    }
  }

  /// Steps that edit; a burst is one.
  package var editCount: Int {
    steps.count { $0.editCount > 0 }
  }

  /// The writer with this number, where ``writers`` are plain.
  package static func actor(_ number: Int) -> ActorID { Writers.plain.actor(number) }

  /// Replicas that a history can have, forks among them.
  package static let replicaLimit = 24

  /// Cursors that a history can have; each is asked for its place after every step.
  package static let cursorLimit = 6

  /// Messages of a sync beyond this number add nothing: a session is over after four or five.
  package static let fateLimit = 24

  /// Writers a history can have; the bases' own actors lie above.
  package static let actorLimit = 160
}
