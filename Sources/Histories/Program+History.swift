import DocumentModel

extension History {
  /// The instructions that bring the replicas to the start of the history.
  package var opening: [Instruction] {
    let actors = (0..<replicaCount).map { History.actor($0) }
    guard base != .empty else {
      return actors.enumerated().map { .create(document: $0, $1) }
    }
    // The base stands where the last replica will, so that no document is left over.
    let last = replicaCount - 1
    var instructions: [Instruction] = [.base(document: last, base)]
    for replica in 0..<replicaCount {
      instructions.append(.fork(document: replica, from: last, actors[replica]))
    }
    return instructions
  }

  /// Replicas when all steps are done, forks among them.
  package var finalReplicaCount: Int {
    steps.reduce(replicaCount) { count, step in
      if case .fork = step { count + 1 } else { count }
    }
  }

  /// Rounds of exchanges after which all replicas show one state.
  ///
  /// After the first, everyone has every change that anyone had applied: each pair meets in turn, so
  /// replica 0 knows all and each later one meets, in its turn or before, one that does. That
  /// releases the changes that waited for them; the second round spreads these. A change whose author
  /// lost it to a restart may be applied nowhere and wait on one replica for another that waits
  /// elsewhere: each such change may take a round of its own.
  package var healingRounds: Int {
    min(2 + doubtfulSteps.count { if case .edit = steps[$0] { true } else { false } }, 12)
  }

  /// Steps that a restart may have undone: those since the snapshot that their replica went back to.
  ///
  /// What others wrote and only that replica had heard of is in doubt as well as its own.
  package var doubtfulSteps: Set<Int> {
    var doubtful: Set<Int> = []
    var saves: [[Int]: Int] = [:]
    for (index, step) in steps.enumerated() {
      switch step {
      case .save(let replica, let slot):
        saves[[replica, slot]] = index
      case .restart(let replica, let slot, _):
        doubtful.formUnion((saves[[replica, slot]] ?? 0)..<index)
      default: break
      }
    }
    return doubtful
  }

  /// The exchanges of the healing phase: all pairs, both ways, in rounds.
  package var healingPhase: [Instruction] {
    var lowering = Lowering(history: self)
    lowering.skipSteps()
    var instructions: [Instruction] = []
    for _ in 0..<healingRounds {
      for first in 0..<finalReplicaCount {
        for second in (first + 1)..<max(first + 1, finalReplicaCount) {
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
package struct Lowering {
  private var madeCount: Int
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
      return [.fork(document: replicaCount - 1, from: replica, History.actor(actor))]
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
      return [.load(document: replica, slot: slot, History.actor(actor))]
    case .drop, .cut, .mend, .clog, .unclog:
      return []
    }
  }

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
  private static func slot(_ slot: Int, of replica: Int) -> Int {
    slot * 16 + replica
  }

  /// The first slot number that no history uses.
  package static let firstFreeSlot = 1 << 20
}
