// Histories as instructions: `History.opening`, then `Lowering` for each step, then
// `History.healingPhase`. Besides, what a history says of itself that laws need: which steps a
// restart or rollback may have undone.
//
//     opening     base at the last replica's number, its growth, then a fork for each replica
//     steps       one to five instructions each, a burst as many as its edits; a cut or a drop has none
//     healing     rounds of exchanges, all pairs, both ways

import DocumentModel

extension History {
  /// The instructions that bring the replicas to the start of the history.
  ///
  /// The last fork is of a document onto itself: the base's writer gives way to the replica's.
  package var opening: [Instruction] {
    guard base != .empty else {
      return (0..<replicaCount).map { .create(document: $0, writers.actor($0)) }
    }
    return [.base(document: replicaCount - 1, base)] + growth.flatMap { grown($0) } + openingForks
  }

  /// What makes the base larger; the base stands where the last replica will, so that no document is
  /// left over.
  func grown(_ burst: Burst) -> [Instruction] {
    Lowering.instructions(of: burst, document: replicaCount - 1)
      + [.commit(document: replicaCount - 1)]
  }

  /// The forks that make the replicas of the base.
  var openingForks: [Instruction] {
    (0..<replicaCount).map {
      .fork(document: $0, from: replicaCount - 1, writers.actor($0))
    }
  }

  /// Changes that all replicas have from the start.
  ///
  /// One for the base, one for each burst of the growth, or one for each edit of a burst that
  /// commits.
  package var baseChangeCount: Int {
    guard base != .empty else { return 0 }
    return 1 + growth.reduce(0) { $0 + ($1.commits ? max(1, $1.count) : 1) }
  }

  /// Replicas when all steps are done, forks among them.
  ///
  /// Replicas are never removed.
  package var finalReplicaCount: Int {
    steps.reduce(replicaCount) { count, step in
      switch step {
      case .fork, .branch: count + 1
      default: count
      }
    }
  }

  /// Rounds of exchanges after which all replicas show one state.
  ///
  /// After the first, everyone has every change that anyone had applied: each pair meets in turn, so
  /// replica 0 knows all and each later one meets, in its turn or before, one that does. That
  /// releases the changes that waited for them; the second round spreads these. A change whose author
  /// lost it to a restart may be applied nowhere and wait on one replica for another that waits
  /// elsewhere: each such change may take a round of its own.
  ///
  /// 2 for most histories; one more for each edit that a restart may have undone, 10 of them at
  /// most.
  ///
  /// Source: Decisions/0003-rounds-of-healing.md.
  package var healingRounds: Int {
    min(2 + doubtfulSteps.reduce(0) { min($0 + steps[$1].editCount, 10) }, 12)
  }

  /// Steps that a restart may have undone: those since the snapshot that their replica went back to.
  ///
  /// What others wrote and only that replica had heard of is in doubt as well as its own.
  ///
  /// Worked example: `r0 save s0` is step 1, and `r0 restart s0` step 4. Steps 1 to 3 are in doubt,
  /// by whichever replica: only r0 may have heard of what others did.
  package var doubtfulSteps: Set<Int> {
    var doubtful: Set<Int> = []
    var saves: [[Int]: Int] = [:]
    for (index, step) in steps.enumerated() {
      switch step {
      case .save(let replica, let slot), .call(let replica, .append(let slot)):
        saves[[replica, slot]] = index
      case .restart(let replica, let slot, _):
        doubtful.formUnion((saves[[replica, slot]] ?? 0)..<index)
      default: break
      }
    }
    return doubtful
  }

  /// Steps that a rollback has undone, or may have: those of its replica since the last commit that
  /// stands in the history.
  ///
  /// Only a `commit` ends what a rollback may take back here. An exchange or a save closes the
  /// change, too, so that more edits are in this set than were undone: "or may have".
  package var rolledBackSteps: Set<Int> {
    var undone: Set<Int> = []
    var open: [Int: [Int]] = [:]
    for (index, step) in steps.enumerated() {
      switch step {
      case .commit(let replica), .call(let replica, .commit): open[replica] = nil
      case .call(let replica, .rollback):
        undone.formUnion(open[replica, default: []])
        open[replica] = nil
      default:
        if let (replica, _) = step.edits { open[replica, default: []].append(index) }
      }
    }
    return undone
  }

  /// The exchanges of the healing phase: all pairs, both ways, in rounds.
  ///
  /// For callers who have lowered no steps; messages get the numbers behind those of the steps.
  package var healingPhase: [Instruction] {
    var lowering = Lowering(history: self)
    lowering.skipSteps()
    return healingPhase(after: &lowering)
  }

  /// The same, where all steps have been lowered.
  package func healingPhase(after lowering: inout Lowering) -> [Instruction] {
    var instructions: [Instruction] = []
    let count = finalReplicaCount
    for _ in 0..<healingRounds {
      for first in 0..<count {
        for second in (first + 1)..<max(first + 1, count) {
          let transport = healingTransport(between: first, and: second)
          instructions += lowering.exchange(from: first, to: second, transport, .missing)
          instructions += lowering.exchange(from: second, to: first, transport, .missing)
        }
      }
    }
    return instructions
  }
}

/// Turns steps into instructions, one step after the other.
///
/// Steps must be lowered in their order, each once: objects, cursors, replicas and messages are
/// counted on the way.
package struct Lowering {
  private var madeCount: Int
  private var cursorCount = 0
  private var replicaCount: Int
  private var messageCount = 0
  private var receivers: [Int: Int] = [:]
  private let history: History

  package init(history: History) {
    self.history = history
    madeCount = history.base.objectKinds.count
    replicaCount = history.replicaCount
  }

  /// Numbers messages as if all steps had been lowered.
  mutating func skipSteps() {
    for step in history.steps { _ = lower(step) }
  }

  package mutating func lower(_ step: Step) -> [Instruction] {
    switch step {
    case .edit(let replica, let edit):
      guard edit.madeKind != nil else { return [.edit(document: replica, edit, makes: nil)] }
      madeCount += 1
      return [.edit(document: replica, edit, makes: ObjectName(madeCount))]
    case .commit(let replica):
      return [.commit(document: replica)]
    case .fork(let replica, let actor):
      replicaCount += 1
      return [
        .fork(document: replicaCount - 1, from: replica, history.writers.actor(actor))
      ]
    case .branch(let replica, let slot, let actor):
      replicaCount += 1
      return [
        .forkAt(
          document: replicaCount - 1,
          from: replica,
          slot: Self.slot(slot, of: replica),
          history.writers.actor(actor)
        )
      ]
    case .call(let replica, let call):
      return lower(call, of: replica)
    case .exchange(let from, let to, let transport):
      return exchange(from: from, to: to, transport, .unsent)
    case .send(let message, let from, let to, let transport):
      receivers[message] = to
      // Odd numbers are the messages that steps name, even ones those of whole exchanges.
      return [.send(message: 2 * message - 1, from: from, to: to, transport, .unsent)]
    case .deliver(let message, let part):
      guard let receiver = receivers[message] else { return [] }
      return [.deliver(message: 2 * message - 1, document: receiver, part: part)]
    case .save(let replica, let slot):
      return [.save(document: replica, slot: Self.slot(slot, of: replica))]
    case .restart(let replica, let slot, let actor):
      let slot = Self.slot(slot, of: replica)
      return [.load(document: replica, slot: slot, history.writers.actor(actor))]
    case .drop, .cut, .mend, .clog, .unclog:
      return []
    }
  }

  private mutating func lower(_ call: ReplicaCall, of replica: Int) -> [Instruction] {
    switch call {
    case .burst(let burst): Self.instructions(of: burst, document: replica)
    case .attempt(let edit): [.call(document: replica, .attempt(edit))]
    case .rollback: [.call(document: replica, .rollback)]
    case .read: [.call(document: replica, .read)]
    case .append(let slot):
      [.call(document: replica, .append(slot: Self.slot(slot, of: replica)))]
    case .commit(let message, let time):
      [.call(document: replica, .commit(message: message, time: time))]
    case .hear(let attack): [.call(document: replica, .hear(attack))]
    case .cursor(let object, let index, let move):
      [.call(document: replica, .cursor(nextCursor(), object, index: index, move))]
    case .sync(let other, let fates): Self.session(of: replica, with: other, fates)
    }
  }

  private mutating func nextCursor() -> Int {
    cursorCount += 1
    return cursorCount
  }

  /// A session as a step.
  ///
  /// A side that starts again from what it stored is a copy for another writer: then copies sync, and
  /// each side takes in what its copy learnt.
  ///
  /// Copies are forks, which have all that the original shows. The originals take in what their
  /// copies have by a merge, so that a waiting change stays where it was.
  private static func session(
    of replica: Int,
    with other: Int,
    _ fates: [SyncFate]
  ) -> [Instruction] {
    guard fates.contains(.restart) else { return [.sync(document: replica, with: other, fates)] }
    let copies = (firstCopy, firstCopy + 1)
    return [
      .fork(document: copies.0, from: replica, courier),
      .fork(document: copies.1, from: other, courier),
      .sync(document: copies.0, with: copies.1, fates),
      .merge(document: replica, from: copies.0),
      .merge(document: other, from: copies.1),
    ]
  }

  /// Above all replicas, and below the documents of laws.
  ///
  /// Both copies are of one session, and are made again for the next.
  private static var firstCopy: Int { 900 }
  private static var courier: ActorID { ActorID(repeating: 0xec) }

  /// Two for each edit if the burst commits, else one.
  static func instructions(of burst: Burst, document: Int) -> [Instruction] {
    burst.edits.flatMap { edit -> [Instruction] in
      let edit = Instruction.edit(document: document, edit, makes: nil)
      return burst.commits ? [edit, .commit(document: document)] : [edit]
    }
  }

  /// By `merge` it is one instruction; else a message that is sent and delivered at once.
  mutating func exchange(
    from: Int,
    to: Int,
    _ transport: Transport,
    _ scope: Instruction.Scope
  ) -> [Instruction] {
    guard transport != .merge else { return [.merge(document: to, from: from)] }
    messageCount += 1
    return [
      .send(message: 2 * messageCount, from: from, to: to, transport, scope),
      .deliver(message: 2 * messageCount, document: to, part: nil),
    ]
  }

  /// Slots of all replicas in one numbering; those of the laws come after.
  ///
  /// Slot s of replica r is `32 * s + r`: no two replicas share one, and a history has fewer than
  /// 32.
  private static func slot(_ slot: Int, of replica: Int) -> Int {
    slot * slotStride + replica
  }

  /// Slots of one number: one for each replica that a history can have.
  private static var slotStride: Int { 32 }

  /// The first slot number that no history uses.
  package static let firstFreeSlot = 1 << 20
}
