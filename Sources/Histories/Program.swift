// What laws and subjects exchange. A `Program` is a list of `Instruction`s to numbered documents; a
// `Transcript` has one `Outcome` for each. `Interpreter` runs programs in this process,
// `ForeignSubjects` sends them to adapters.
//
//     1   create 0, writer 0101...        done
//     2   edit 0, put root "k" int 5      edited
//     3   commit 0                        done
//     4   fork 1001 from 0, writer dddd   done
//     5   observe 1001                    observed: {"k": 5}, one head
//
// Source: Decisions/0001-programs-instead-of-calls.md.

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
  /// An empty document, in the place of whatever had the number.
  case create(document: Int, ActorID)
  /// Makes the document hold a base: by the base's edits, or from its saved bytes.
  ///
  /// Objects that the base makes get their names, from 1 on.
  case base(document: Int, Base)
  /// Makes the document hold what stored bytes hold, which another subject may have written.
  case open(document: Int, [UInt8], ActorID)
  /// A copy, changes that wait included, with the open change closed on both sides.
  case fork(document: Int, from: Int, ActorID)
  /// Carries out an edit; an object that it makes is called `makes` from now on.
  ///
  /// The outcome is `edited`, or `refused` for an edit that does not fit.
  case edit(document: Int, Edit<ObjectName>, makes: ObjectName?)
  case commit(document: Int)
  /// Takes in all that another document has applied.
  case merge(document: Int, from: Int)
  /// Keeps what the sender has for the receiver under a message number.
  ///
  /// The outcome is `sent`, with the number of parts that the receiver can be given one by one.
  case send(message: Int, from: Int, to: Int, Transport, Scope)
  /// Applies a message, or one of the changes in it, to a document.
  ///
  /// The same message may be delivered to any document, and again.
  case deliver(message: Int, document: Int, part: Int?)
  /// Applies the changes in a message in the reverse of their order.
  ///
  /// Only for messages of changes.
  case deliverReversed(message: Int, document: Int)
  /// Stores a document; the outcome is `saved`, with the bytes where the form has some.
  case save(document: Int, slot: Int)
  /// Replaces the document by what a slot holds, which any document may have stored there.
  ///
  /// The slot stays as it is.
  case load(document: Int, slot: Int, ActorID)
  /// Shows all that the document has, with its heads: the open change is closed.
  case observe(document: Int)
  /// Keeps the document's present heads under a number, and shows its state.
  ///
  /// The number is a law's or a plan's; one that is kept again is replaced.
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
    /// Makes a cursor, which moves after, at a unit that the object of a cursor had at a mark.
    ///
    /// It is shown and not kept. Any document may have set the mark.
    case cursorAt(Int, index: Int, mark: Int)
    /// Says where a cursor was at a mark, which any document may have set.
    case positionAt(Int, mark: Int)
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
      case .cursorAt: "cursorAt"
      case .positionAt: "positionAt"
      case .difference: "difference"
      }
    }
  }

  /// Which changes a message carries when it carries changes.
  ///
  /// A lost message is not sent again under `unsent`. Healing asks for `missing`.
  package enum Scope: String, Hashable, Sendable {
    /// The changes that the sender has not sent to this receiver yet.
    case unsent
    /// The changes that the receiver lacks.
    case missing
  }

  /// The document that carries it out: of a message that is sent, the sender.
  package var document: Int {
    switch self {
    case .create(let document, _), .base(let document, _), .open(let document, _, _),
      .fork(let document, _, _), .edit(let document, _, _), .commit(let document),
      .merge(let document, _), .send(_, let document, _, _, _), .deliver(_, let document, _),
      .deliverReversed(_, let document), .save(let document, _), .load(let document, _, _),
      .observe(let document), .remember(let document, _), .recall(let document, _),
      .sync(let document, _, _), .forkAt(let document, _, _, _), .call(let document, _):
      document
    }
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
  /// Carried out, with nothing to show.
  case done
  /// What the edit wrote and replaced, as far as the subject says.
  case edited(EditEffect)
  /// The document refused the edit, for this reason.
  case refused(String)
  /// A message with this many parts was kept.
  case sent(parts: Int)
  /// A state, of `observe`, `remember`, `recall` and `read`.
  case observed(Observation)
  /// The stored bytes, where the subject has a stored form that others read.
  case saved([UInt8]?)
  /// A sync came to its end.
  case synced(SyncReport)
  /// What a hostile peer sent was refused or taken in.
  case heard(AttackReport)
  case cursor(ObservedCursor)
  /// Where a cursor is, or was; `nil` if the document does not know its element, or did not then.
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
