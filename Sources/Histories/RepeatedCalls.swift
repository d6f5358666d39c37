// Finds calls of a program that need not be made twice. The interpreter alone uses it
// (`Machine.run`), for replicas that share states. Read the comment of the type, then `take`, which
// has a case for each instruction.

import DocumentModel

/// Which instructions of a program make a call on states on which an earlier one made the same call.
///
///     1  create d1             d1 is state a
///     2  merge d1 from r0      d1 is state b, which came of a and of r0's
///     3  create d2             repeats 1: state a
///     4  merge d2 from r0      repeats 2: state b
///
/// What a document is follows from the calls that made it. So each state has a number, and what comes
/// of a call has the number that call and states had before. Laws ask much of the same copies, and a
/// replica that shares states (``Replica/sharesStates``) makes each of them once.
///
/// Only calls on scratch documents are worth it: making, forking, merging, saving, loading, syncing.
/// After every other call a document's state is a new one.
///
/// A state is known by its number alone: two states of different numbers may be equal, and are then
/// made twice.
struct RepeatedCalls {
  /// For each instruction the one that it repeats, and -1 for one that repeats none.
  private(set) var origins: [Int] = []
  /// Whether a later instruction repeats this one.
  private(set) var isRepeated: [Bool] = []

  /// A call on states, by their numbers.
  ///
  /// The hash is a few shifts of these small numbers; equality compares all.
  private struct Call: Hashable {
    enum Kind: UInt8 {
      case create, fork, merge, save, load, sync
    }

    let kind: Kind
    var left = 0
    var right = 0
    /// A writer or fates, by number.
    var detail = 0

    func hash(into hasher: inout Hasher) {
      hasher.combine(
        UInt(truncatingIfNeeded: ((left << 20 ^ right) << 20 ^ detail) << 3) ^ UInt(kind.rawValue)
      )
    }
  }

  /// The state of each document, and of what each slot holds.
  private var documents = NumberTable<Int>()
  private var slots = NumberTable<Int>()
  /// States of documents without an open change: looking at such a document leaves it as it is.
  ///
  /// Indexed by state. State 0 stands for documents that no call of the program made.
  private var isClosed: [Bool] = [false]
  /// Each call with its state and its first instruction.
  private var calls: [Call: (state: Int, index: Int)] = [:]
  private var writers: [ActorID] = []
  private var fates: [[SyncFate]] = []
  /// Where a program appends to slots, a save is no look: it moves the point from which is appended.
  private let appends: Bool

  /// Cost: linear in the instructions, apart from the few writers and lists of fates, which are
  /// searched.
  init(_ program: Program) {
    appends = program.instructions.contains {
      if case .call(_, .append) = $0 { true } else { false }
    }
    isRepeated = [Bool](repeating: false, count: program.instructions.count)
    origins.reserveCapacity(program.instructions.count)
    calls.reserveCapacity(128)
    for (index, instruction) in program.instructions.enumerated() {
      let origin = take(instruction, index)
      origins.append(origin)
      if origin >= 0 { isRepeated[origin] = true }
    }
  }

  // MARK: - States

  private mutating func newState(isClosed closed: Bool) -> Int {
    isClosed.append(closed)
    return isClosed.count - 1
  }

  private func state(_ document: Int) -> Int { documents[document] ?? 0 }

  /// The state of a document that a call looks at, which closes the open change.
  private mutating func look(at document: Int) -> Int {
    let state = state(document)
    if isClosed[state] { return state }
    let closed = newState(isClosed: true)
    documents[document] = closed
    return closed
  }

  private mutating func renew(_ document: Int, isClosed closed: Bool) {
    documents[document] = newState(isClosed: closed)
  }

  /// The state that a call leaves, and its first instruction if that is an earlier one.
  private mutating func make(_ call: Call, _ index: Int) -> (state: Int, origin: Int) {
    if let known = calls[call] { return (known.state, known.index) }
    let state = newState(isClosed: true)
    calls[call] = (state, index)
    return (state, -1)
  }

  private mutating func number(of writer: ActorID) -> Int {
    if let known = writers.firstIndex(of: writer) { return known }
    writers.append(writer)
    return writers.count - 1
  }

  private mutating func number(of list: [SyncFate]) -> Int {
    if let known = fates.firstIndex(of: list) { return known }
    fates.append(list)
    return fates.count - 1
  }

  // MARK: - Calls

  /// The instruction that this one repeats; -1 if it is the first, or not of a kind that is repeated.
  private mutating func take(_ instruction: Instruction, _ index: Int) -> Int {
    switch instruction {
    case .create(let document, let writer):
      return put(Call(kind: .create, detail: number(of: writer)), at: document, index)
    case .fork(let document, let from, let writer):
      let call = Call(kind: .fork, left: look(at: from), detail: number(of: writer))
      return put(call, at: document, index)
    case .merge(let document, let from):
      let right = look(at: from)
      return put(Call(kind: .merge, left: look(at: document), right: right), at: document, index)
    case .save(let document, let slot):
      let (state, origin) = make(Call(kind: .save, left: look(at: document)), index)
      slots[slot] = state
      if appends { renew(document, isClosed: true) }
      // A slot of the history keeps the heads as well.
      return slot < Lowering.firstFreeSlot ? -1 : origin
    case .load(let document, let slot, let writer):
      let call = Call(kind: .load, left: slots[slot] ?? 0, detail: number(of: writer))
      return put(call, at: document, index)
    case .sync(let document, let other, let list):
      let right = look(at: other)
      let call = Call(
        kind: .sync,
        left: look(at: document),
        right: right,
        detail: number(of: list)
      )
      let (state, origin) = make(call, index)
      documents[document] = state
      // Both states have one origin: the number behind stands for the other side's.
      if origin < 0 { _ = newState(isClosed: true) }
      documents[other] = state + 1
      return origin
    case .send(_, let from, let to, let transport, let scope):
      _ = look(at: from)
      if transport == .changes, scope == .missing { _ = look(at: to) }
    case .observe(let document), .remember(let document, _), .call(let document, .difference):
      _ = look(at: document)
    case .recall, .call(_, .read), .call(_, .cursor), .call(_, .position), .call(_, .cursorAt),
      .call(_, .positionAt):
      break
    case .forkAt(let document, let from, _, _):
      _ = look(at: from)
      renew(document, isClosed: true)
    case .base(let document, _), .open(let document, _, _), .commit(let document),
      .deliver(_, let document, _), .deliverReversed(_, let document),
      .call(let document, .commit):
      renew(document, isClosed: true)
    case .call(let document, .hear(let attack)):
      _ = look(at: attack.informant)
      renew(document, isClosed: true)
    case .call(let document, .append(let slot)):
      slots[slot] = newState(isClosed: true)
      renew(document, isClosed: true)
    case .edit(let document, _, _), .call(let document, .attempt), .call(let document, .rollback):
      renew(document, isClosed: false)
    }
    return -1
  }

  private mutating func put(_ call: Call, at document: Int, _ index: Int) -> Int {
    let (state, origin) = make(call, index)
    documents[document] = state
    return origin
  }
}
