import DocumentModel
import Histories

// Why a law is skipped, in words that go on from the subject's name: "engine does not save".

extension Capabilities {
  /// What a program asks for and a subject lacks, in words; `nil` if the subject can carry out all of it.
  ///
  /// Histories of a campaign are drawn from what a subject can do. Those of a file or of a small world may not be.
  func lack(for program: Program) -> String? {
    guard self != .all else { return nil }
    let bases = Base.available(to: self)
    var needs = DocumentLaw.Needs()
    for instruction in program.instructions {
      if case .base(_, let base) = instruction, !bases.contains(base) {
        return "does not start from the base \(base.rawValue)"
      }
      needs.add(instruction)
    }
    return needs.missing(from: self)
  }
}

extension DocumentLaw.Needs {
  /// Adds what one instruction asks of a subject.
  fileprivate mutating func add(_ instruction: Instruction) {
    switch instruction {
    case .create, .base, .open, .commit, .deliver, .observe: break
    case .edit(_, let edit, _):
      edits.insert(edit.kind)
      if let kind = edit.madeKind { objects.insert(kind) }
      scalars.formUnion(edit.scalars.map(\.kind))
    case .fork: features.insert(.fork)
    case .merge: transports.insert(.merge)
    case .send(_, _, _, let transport, _): transports.insert(transport)
    case .deliverReversed: transports.insert(.changes)
    case .save, .load: features.insert(.save)
    case .remember, .recall: features.insert(.history)
    case .sync: features.insert(.sync)
    case .forkAt: features.insert(.forkAt)
    case .call(_, let call): features.insert(call.feature)
    }
  }
}

extension Edit {
  /// The scalars that it writes.
  fileprivate var scalars: [Scalar] {
    switch self {
    case .put(_, _, let value), .insert(_, _, let value): [value]
    case .splice(_, _, _, let values): values
    case .mark(_, let marking): [marking.value]
    case .putObject, .insertObject, .delete, .increment, .spliceText: []
    }
  }
}

extension Instruction.Call {
  /// The ability that a subject states for it.
  fileprivate var feature: Feature {
    switch self {
    case .attempt: .refusals
    case .rollback: .rollback
    case .read: .openReads
    case .append: .increments
    case .commit: .commitOptions
    case .hear: .attacks
    case .cursor, .position: .cursors
    case .cursorAt, .positionAt: .pastCursors
    case .difference: .patches
    }
  }
}

extension Feature {
  /// What a subject without the feature does not do.
  var lack: String {
    switch self {
    case .heads: "does not show its heads"
    case .conflicts: "does not show all values of a conflict"
    case .operationIDs: "does not show Automerge's ids of operations"
    case .history: "does not read a document as it was at earlier heads"
    case .save: "does not save and load documents"
    case .fork: "does not fork documents"
    case .effects: "does not report which operations an edit replaced"
    case .contiguousRuns: "does not keep what one replica typed in one go together"
    case .automergeSemantics: "does not follow Automerge's rules"
    case .counterBase: "does not start from a saved document that holds counters"
    case .sync: "does not sync by messages"
    case .refusals: "does not refuse what Automerge's rules refuse"
    case .rollback: "does not take back the edits of an open change"
    case .openReads: "does not read edits before they are committed"
    case .increments: "does not save what is new since the last save"
    case .commitOptions: "does not keep a message and a time with a change"
    case .forkAt: "does not fork a document as it was at earlier heads"
    case .negativeDeletes: "does not delete before an index"
    case .cursors: "has no cursors"
    case .pastCursors: "has no cursors at earlier heads"
    case .patches: "gives no patches between two states"
    case .conflictPatches: "does not tell in patches which values are in conflict"
    case .attacks: "is not sent what hostile peers forge"
    }
  }
}

extension EditKind {
  /// What a subject without such edits does not do.
  var lack: String { "has no edits of kind \(rawValue)" }
}

extension Transport {
  /// What a subject without the transport does not do.
  var lack: String {
    switch self {
    case .merge: "does not merge two documents in memory"
    case .document: "does not send whole saved documents"
    case .changes: "does not send single changes"
    }
  }
}

extension ObjectKind {
  /// What a subject without such objects does not do.
  var lack: String { "has no objects of kind \(rawValue)" }
}

extension ScalarKind {
  /// What a subject without such scalars does not do.
  var lack: String { "does not write scalars of type \(rawValue)" }
}
