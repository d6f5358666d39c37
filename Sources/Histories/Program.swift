package import DocumentModel

/// One instruction to an implementation that holds numbered documents.
///
/// Document numbers below a history's replica count are its replicas; the others are scratch
/// documents of the laws. Every instruction has one ``Outcome``, and one that cannot be carried out
/// leaves everything as it was.
///
/// `create` to `recall` are the 14 that every adapter knows (`base` and `open` are one there);
/// `sync`, `forkAt` and each `call` are asked of those alone that declare the feature.
package enum Instruction: Hashable, Sendable {
  case create(document: Int, ActorID)
  /// Makes the document hold a base: by the base's edits, or from its saved bytes.
  case base(document: Int, Base)
  /// Makes the document hold what stored bytes hold, which another subject may have written.
  case open(document: Int, [UInt8], ActorID)
  case fork(document: Int, from: Int, ActorID)
  /// Carries out an edit; an object that it makes is called `makes` from now on.
  case edit(document: Int, Edit<ObjectName>, makes: ObjectName?)
  case commit(document: Int)
  case merge(document: Int, from: Int)
  /// Keeps what the sender has for the receiver under a message number.
  ///
  /// The outcome is `sent`, with the number of parts that the receiver can be given one by one.
  case send(message: Int, from: Int, to: Int, Transport, Scope)
  /// Applies a message, or one of the changes in it, to a document.
  case deliver(message: Int, document: Int, part: Int?)
  /// Applies the changes in a message in the reverse of their order.
  case deliverReversed(message: Int, document: Int)
  case save(document: Int, slot: Int)
  /// Replaces the document by what a slot holds, which any document may have stored there.
  case load(document: Int, slot: Int, ActorID)
  case observe(document: Int)
  /// Keeps the document's present heads under a number, and shows its state.
  case remember(document: Int, mark: Int)
  /// Shows the state at the heads kept under a number.
  case recall(document: Int, mark: Int)
  /// Syncs two documents by messages. The first ones suffer the fates in turn, the document's own
  /// first; then both sides begin a new channel and go on until neither has anything to say.
  case sync(document: Int, with: Int, [SyncFate])
  /// A copy of a document as it was when it saved to a slot.
  case forkAt(document: Int, from: Int, slot: Int, ActorID)
  /// A call beside plain edits, which every subject has that declares its feature.
  case call(document: Int, Call)

  /// A call that not every subject has.
  package enum Call: Hashable, Sendable {
    /// An edit that is to be refused.
    case attempt(Edit<ObjectName>)
    /// Takes back the open change.
    case rollback
    /// Shows the state and leaves the open change open; without heads.
    case read
    /// Puts what is new behind what a slot holds.
    case append(slot: Int)
    /// Closes the open change with a message and a time in seconds since 1970.
    case commit(message: ExactString?, time: Int64)
    /// Is sent what a hostile peer makes, who knows all that a document does.
    case hear(Attack)
    /// Takes a cursor and keeps it under a number.
    case cursor(Int, ObjectName, index: Int, CursorMove)
    /// Says where a cursor is.
    case position(Int)
    /// Gives the patches from the state at one mark to the state at another; any document may have set them.
    case difference(from: Int, to: Int)

    /// The call's name, as protocols and messages spell it.
    package var name: String {
      switch self {
      case .attempt: "attempt"
      case .rollback: "rollback"
      case .read: "read"
      case .append: "append"
      case .commit: "commitWith"
      case .hear: "hear"
      case .cursor: "cursor"
      case .position: "position"
      case .difference: "difference"
      }
    }
  }

  /// Which changes a message carries when it carries changes.
  ///
  /// A lost message is not sent again under `unsent`. Healing asks for `missing`.
  package enum Scope: String, Hashable, Sendable {
    /// Those that the sender has not sent to this receiver yet.
    case unsent
    /// Those that the receiver lacks.
    case missing
  }

  /// The instruction's name, as protocols and messages spell it.
  package var name: String {
    switch self {
    case .create: "create"
    // To subjects that speak of bytes, a base is bytes as well.
    case .base, .open: "base"
    case .fork: "fork"
    case .edit: "edit"
    case .commit: "commit"
    case .merge: "merge"
    case .send: "send"
    case .deliver: "deliver"
    case .deliverReversed: "deliverReversed"
    case .save: "save"
    case .load: "load"
    case .observe: "observe"
    case .remember: "remember"
    case .recall: "recall"
    case .sync: "sync"
    case .forkAt: "forkAt"
    case .call(_, let call): call.name
    }
  }
}

/// What came of one instruction.
///
/// `refused` and `failed` are different things: an edit may be refused, and the document goes on; a
/// failure is a violation of `calls.succeed`.
package enum Outcome: Hashable, Sendable {
  case done
  case edited(EditEffect)
  /// The document refused the edit, for this reason.
  case refused(String)
  /// A message with this many parts was kept.
  case sent(parts: Int)
  case observed(Observation)
  /// The stored bytes, where the subject has a stored form that others read.
  case saved([UInt8]?)
  /// A sync came to its end.
  case synced(SyncReport)
  /// What a hostile peer sent was refused or taken in.
  case heard(AttackReport)
  case cursor(ObservedCursor)
  /// Where a cursor is; nil if the document does not know its element.
  case position(Int?)
  /// What leads from one state to another.
  case patches([ObservedPatch])
  /// A call that should have worked did not.
  case failed(String)
}

/// Instructions in order, and the answers to them.
package struct Program: Hashable, Sendable {
  package var instructions: [Instruction] = []

  package init() {}
}

package struct Transcript: Hashable, Sendable {
  /// One for each instruction of the program.
  package var outcomes: [Outcome]

  package init(outcomes: [Outcome]) {
    self.outcomes = outcomes
  }
}
