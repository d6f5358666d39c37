// How histories are drawn. `HistoryDraft.init` draws what the history is like; `history(_:)` draws
// steps until there are enough; `step(_:)` draws one. `EditDraft` and `BulkDraft` draw the edits in
// it, `SimulatedNetwork` keeps the messages.
//
//     1. size: small, or one of the large worlds          4. weights of transports, steps, edits (swarm)
//     2. replicas at the start                            5. names of writers, growth of the base
//     3. base, transports of healing                      6. steps
//
// The order is part of the meaning of a seed: who draws something new in between gives all seeds
// other histories.

package import DocumentModel
package import PropertyEngine

extension Generator where Value == History {
  /// Raw histories: their numbers are wishes, which ``Normaliser`` maps into what is there.
  ///
  /// Which steps, edits and faults a run favours is itself drawn (*swarm* selection), because a run
  /// with every feature on drowns the rare meetings. That choice is bias only: every kind of step
  /// that the limits allow stays reachable for bytes and for shrinking.
  ///
  /// Pure: equal choices give equal histories.
  package static func histories(_ limits: HistoryLimits = HistoryLimits()) -> Self {
    Generator { choices in
      var draft = HistoryDraft(limits: limits, &choices)
      return draft.history(&choices)
    }
  }
}

/// A history in the making: the steps so far and the state of the simulated network.
///
/// A draft does not know what documents hold. So it draws wishes, and keeps track of nothing but
/// messages, slots and numbers of replicas.
struct HistoryDraft {
  private let limits: HistoryLimits
  private var edits: EditDraft
  private var bulk: BulkDraft
  private let size: WorldSize
  private let writers: Writers
  private let growth: [Burst]
  private let stepKinds: [StepKind]
  private let stepWeights: [Int]
  private let transports: [Transport]
  private let transportWeights: [Int]
  private let base: Base
  private let firstReplicaCount: Int
  private let healing: [Transport]

  private var network: SimulatedNetwork
  private var steps: [Step] = []
  /// For each replica its saves so far: its slots are `0..<count`.
  private var saveCounts: [Int]
  /// Edits that were asked for; some give no step, where a subject can make none.
  private var editCount = 0
  private var typing = Typing.no

  /// Whether a writer stays at one place.
  private enum Typing {
    case no
    /// The next edit says who, and where.
    case begins
    case goesOn(replica: Int, object: ObjectName, index: Int)
  }

  init(limits: HistoryLimits, _ choices: inout Choices) {
    self.limits = limits
    let capabilities = limits.capabilities
    size = Self.size(limits, &choices)
    firstReplicaCount = choices.number(
      in: size.replicas(limits.replicas),
      bias: size == .crowd ? .uniform : .weights([6, 3, 2, 1])
    )
    let bases = Base.available(to: capabilities)
    base = bases[choices.pick(weights: bases.map(\.weight))]
    transports = Transport.allCases.filter(capabilities.transports.contains)
    healing = Self.healing(transports, &choices)
    transportWeights = Self.swarm(transports.map { _ in 4 }, &choices)
    let size = size
    stepKinds = StepKind.allCases.filter { $0.isAllowed(by: limits, size) }
    stepWeights = Self.swarm(stepKinds.map { $0.weight(limits.hostility) }, &choices)
    edits = EditDraft(limits: limits, base: base, pasteLimit: size.pasteLimit, &choices)
    writers = Self.writers(capabilities, &choices)
    bulk = BulkDraft(size, capabilities, base)
    growth = bulk.growth(&choices)
    network = SimulatedNetwork(replicaCount: firstReplicaCount)
    saveCounts = Array(repeating: 0, count: firstReplicaCount)
  }

  /// Small where nothing else is drawn: bytes always give that, so that a fuzzer stays fast.
  private static func size(_ limits: HistoryLimits, _ choices: inout Choices) -> WorldSize {
    guard limits.largeWorlds else { return .small }
    let sizes = WorldSize.allCases
    return choices.preference { sizes[$0.pick(weights: sizes.map(\.weight))] }
  }

  /// Names of writers; their order matters to subjects that follow Automerge's rules.
  ///
  /// Eight in twelve histories have plain names.
  private static func writers(_ capabilities: Capabilities, _ choices: inout Choices) -> Writers {
    guard capabilities.features.contains(.automergeSemantics) else { return .plain }
    let all = Writers.allCases
    return all[choices.pick(weights: all.map { $0 == .plain ? 8 : 1 })]
  }

  /// The weights with a drawn selection of them set to zero.
  ///
  /// The first, the simplest, always stays. A choice of 0 leaves a weight alone, so that the simplest
  /// run is one with every feature.
  ///
  /// Three of ten weights are set to zero, and eight of ten in `narrowPercent` of the selections: what two or three
  /// kinds do to one another seldom comes about among many. Weights guide the seeded source alone: bytes and
  /// shrinking may still choose what has weight 0.
  ///
  /// Source: Decisions/0006-swarm-as-bias-only.md.
  static func swarm(
    _ weights: [Int],
    narrowPercent: Int = 0,
    _ choices: inout Choices
  ) -> [Int] {
    choices.preference { choices in
      let isNarrow = narrowPercent > 0 && choices.flag(percent: narrowPercent)
      let percent = isNarrow ? 80 : 30
      return weights.enumerated().map { index, weight in
        choices.flag(percent: percent) && index > 0 ? 0 : weight
      }
    }
  }

  /// One to three transports, which pairs use in turn.
  private static func healing(_ transports: [Transport], _ choices: inout Choices) -> [Transport] {
    guard !transports.isEmpty else { return [.merge] }
    var healing = [transports[choices.index(below: transports.count)]]
    choices.repeated(upTo: 2, averaging: 1, "healing") { choices in
      healing.append(transports[choices.index(below: transports.count)])
    }
    return healing
  }

  /// Twice as many steps are drawn as edits are wanted, as other steps come between; `step(_:)`
  /// keeps the limit on edits.
  mutating func history(_ choices: inout Choices) -> History {
    // A limit on attempts: bytes may ask for nothing but steps that are no edits.
    var attempts = 0
    while editCount < limits.edits.lowerBound, attempts < 8 * limits.edits.lowerBound {
      attempts += 1
      choices.span("step") { step(&$0) }
    }
    let spare = limits.edits.upperBound - limits.edits.lowerBound
    let mean = max(0, size.editMean(limits.editMean) - limits.edits.lowerBound)
    // Of seven steps one goes on typing.
    choices.repeated(upTo: 2 * spare, averaging: 2 * mean * 7 / 6, "step") { step(&$0) }
    return History(
      base: base,
      growth: growth,
      writers: writers,
      replicaCount: firstReplicaCount,
      healing: healing,
      steps: steps
    )
  }

  /// May add no step (a limit is reached, nothing is there to deliver), or several: a cut also
  /// drops what is under way across it.
  private mutating func step(_ choices: inout Choices) {
    beginOrEndTyping(&choices)
    let kind = stepKinds[choices.pick(weights: currentWeights)]
    switch kind {
    case .edit:
      guard editCount < limits.edits.upperBound else { return }
      editCount += 1
      let replica = writer(&choices)
      let keystroke = keystroke(&choices)
      let edit = edits.edit(&choices, leaningTo: keystroke)
      if let edit { steps.append(.edit(replica: replica, edit)) }
      if keystroke != nil { typing = typing(behind: edit, by: replica) }
    case .alike:
      alike(&choices)
    case .exchange:
      let (from, to) = pair(&choices)
      let transport = transport(&choices)
      // An exchange across a cut or clog becomes a message, which is lost or waits.
      if network.passes(from: from, to: to) {
        steps.append(.exchange(from: from, to: to, transport))
      } else {
        steps += network.send(from: from, to: to, transport)
      }
    case .commit:
      steps.append(.commit(replica: writer(&choices)))
    case .send:
      let (from, to) = pair(&choices)
      steps += network.send(from: from, to: to, transport(&choices))
    case .deliver, .deliverPart, .redeliver, .lose:
      message(kind, &choices)
    case .cut, .cutOneWay:
      let side = (0..<network.replicaCount).filter { _ in choices.flag() }
      steps += network.cut(side: side, bothWays: kind == .cut)
    case .mend:
      steps += network.mend()
    case .clog:
      let (from, to) = pair(&choices)
      steps += network.clog(from: from, to: to)
    case .unclog:
      steps += network.unclog()
    case .save, .crash, .staleRestart, .fork, .branch:
      machine(kind, &choices)
    case .sync:
      let (from, to) = pair(&choices)
      // Two on average, for the first messages of both sides; a network without faults has none.
      var fates: [SyncFate] = []
      if !limits.faults.isEmpty {
        choices.repeated(upTo: 6, averaging: 2, "fate") {
          fates.append($0.element(of: SyncFate.allCases))
        }
      }
      // A session goes both ways.
      guard network.passes(from: from, to: to), network.passes(from: to, to: from) else { return }
      steps.append(.call(replica: from, .sync(with: to, fates)))
    case .burst, .attempt, .rollback, .read, .append, .commitWith, .attack, .cursor:
      let replica = choices.index(below: network.replicaCount)
      guard let call = call(kind, &choices) else { return }
      // What was taken back is often done again: the same numbers of objects and operations are then
      // given a second time.
      let again = call == .rollback && choices.flag() ? openEdits(of: replica) : []
      steps.append(.call(replica: replica, call))
      if case .hear(let attack) = call, limits.hostility != .rare, choices.flag(percent: 20) {
        let twin = attack.twin(choices.number(in: 1...7))
        steps.append(.call(replica: replica, .hear(twin)))
      }
      let room = max(0, limits.edits.upperBound - editCount)
      steps += again.prefix(room)
      editCount += min(room, again.count)
    }
  }

  /// Two replicas that do the same without knowing of each other: what they write differs by its
  /// writers alone.
  ///
  /// Worked example: both replicas put "k" as int 5. After they meet, "k" holds two equal values of
  /// two writers: a merge that compares values takes them for one.
  private mutating func alike(_ choices: inout Choices) {
    let (first, second) = pair(&choices)
    guard first != second else { return }
    var drawn: [Edit<ObjectName>] = []
    if let edit = edits.edit(&choices) { drawn.append(edit) }
    choices.repeated(upTo: 3, averaging: 1, "alike") {
      if let edit = edits.edit(&$0) { drawn.append(edit) }
    }
    for replica in [first, second] {
      let room = max(0, limits.edits.upperBound - editCount)
      steps += drawn.prefix(room).map { .edit(replica: replica, $0) }
      editCount += min(room, drawn.count)
    }
  }

  // MARK: - Typing

  /// A writer who stays at one place: types, commits, types on behind it, and takes back what stands before.
  ///
  /// Edits that are drawn one by one seldom meet: this is how what one writer typed in several changes
  /// comes to stand in one row, and how a deletion comes to cross from one change into another.
  ///
  /// All of it is bias: the steps are plain ones, each with its own place, so that shrinking leaves out any of them.
  /// One step in 17 begins, and three on average follow.
  ///
  /// Worked example: "ab" at 2, a commit, "c" at 4, then the backspace key at 5 and at 4.
  private mutating func beginOrEndTyping(_ choices: inout Choices) {
    if case .no = typing {
      let canType = limits.capabilities.allow(.spliceText)
      if canType, choices.leans(percent: 6) { typing = .begins }
    } else if choices.leans(percent: 25) {
      typing = .no
    }
  }

  /// Of four steps at one place one commits.
  private var currentWeights: [Int] {
    switch typing {
    case .no: stepWeights
    case .begins: stepKinds.map { $0 == .edit ? 1 : 0 }
    case .goesOn: stepKinds.map { $0 == .edit ? 3 : $0 == .commit ? 1 : 0 }
    }
  }

  /// The replica that edits or commits.
  private func writer(_ choices: inout Choices) -> Int {
    var bias = Bias.uniform
    if case .goesOn(let replica, _, _) = typing { bias = .only(replica) }
    return choices.index(below: network.replicaCount, bias: bias)
  }

  /// Letters at one of the first three places, which most texts have; then letters, the backspace key or a value as
  /// one element, where the last one left off.
  ///
  /// Of nine keystrokes five type and three take back.
  private func keystroke(_ choices: inout Choices) -> Keystroke? {
    switch typing {
    case .no: return nil
    // Object 2 is the text of ``Base/objects``; an insertion into another would go to a list where that is one.
    case .begins:
      return Keystroke(object: .weights([1, 1, 6, 1, 1, 1, 1]), position: .weights([1, 1, 1]))
    case .goesOn(_, let object, let index):
      let object = Bias.only(object.number)
      if index > 0, choices.leans(percent: 33) {
        return Keystroke(object: object, position: .only(index - 1), isBackspace: true)
      }
      let isElement = limits.capabilities.allow(.insert) && choices.leans(percent: 17)
      return Keystroke(
        call: isElement ? .insert : .spliceText,
        object: object,
        position: .only(index)
      )
    }
  }

  /// Where a writer is behind an edit; one who left the positions that are drawn ends.
  private func typing(behind edit: Edit<ObjectName>?, by replica: Int) -> Typing {
    let place: (object: ObjectName, index: Int)? =
      switch edit {
      case .spliceText(let object, let index, let deleting, let text):
        (object, max(0, index + min(0, deleting)) + text.string.unicodeScalars.count)
      case .insert(let object, let index, _): (object, index + 1)
      default: nil
      }
    guard let place, place.index < EditDraft.positionLimit else { return .no }
    return .goesOn(replica: replica, object: place.object, index: place.index)
  }

  /// The edits of a replica since its last step of another kind.
  ///
  /// These are the edits that a rollback takes back, in their order.
  private func openEdits(of replica: Int) -> [Step] {
    var open: [Step] = []
    for step in steps.reversed() where step.names(replica) {
      guard step.edits != nil else { break }
      open.append(step)
    }
    return open.reversed()
  }

  private mutating func call(_ kind: StepKind, _ choices: inout Choices) -> ReplicaCall? {
    switch kind {
    case .burst:
      guard editCount < limits.edits.upperBound else { return nil }
      editCount += 1
      return bulk.burst(&edits, &choices).map { .burst($0) }
    case .attempt: return edits.unfit(&choices).map { .attempt($0) }
    case .rollback: return .rollback
    case .read: return .read
    case .append: return .append(slot: 0)
    case .cursor:
      let (object, index) = edits.place(&choices)
      return .cursor(object, index: index, choices.element(of: CursorMove.allCases))
    case .attack:
      let kinds = limits.hostility.kinds
      return .hear(
        Attack(
          kinds[choices.index(below: kinds.count)],
          knowing: choices.index(below: network.replicaCount),
          pick: choices.number(in: 0...Attack.pickLimit)
        )
      )
    default:
      let message = choices.number(in: 0...200, bias: .sizes)
      // A message of 0 scalars is none: the format cannot tell the two apart.
      let times = NotableValues.commitTimes
      return .commit(
        message: message == 0
          ? nil : ExactString(String(repeating: "m", count: message)),
        time: times[choices.index(below: times.count)]
      )
    }
  }

  /// Wishes are drawn before it is known whether there is a message, so that later choices keep
  /// their meaning.
  private mutating func message(_ kind: StepKind, _ choices: inout Choices) {
    switch kind {
    case .deliver:
      let wish = choices.index(below: 8, bias: .small)
      if let message = network.deliver(wish: wish) {
        steps.append(.deliver(message: message, part: nil))
      }
    case .deliverPart:
      let wish = choices.index(below: 8, bias: .small)
      let part = choices.index(below: 8)
      if let message = network.inFlight(wish: wish) {
        steps.append(.deliver(message: message, part: part))
      }
    case .redeliver:
      let wish = choices.index(below: 8)
      if let message = network.delivered(wish: wish) {
        steps.append(.deliver(message: message, part: nil))
      }
    default:
      let wish = choices.index(below: 8)
      if let message = network.lose(wish: wish) { steps.append(.drop(message: message, .noise)) }
    }
  }

  /// A crash starts again from the last slot, a stale restart from one before.
  ///
  /// The actor is that of the replica; the normaliser gives a new one where changes were lost.
  private mutating func machine(_ kind: StepKind, _ choices: inout Choices) {
    let replica = choices.index(below: network.replicaCount)
    switch kind {
    case .save: save(replica)
    case .crash:
      if restartsWhole, choices.flag() { save(replica) }
      guard let slot = saveCounts[replica] > 0 ? saveCounts[replica] - 1 : nil else { return }
      steps.append(.restart(replica: replica, slot: slot, actor: replica))
    case .staleRestart:
      let wish = choices.index(below: 4)
      // Stale is what is older than the last save; until there is one, the save is made.
      if saveCounts[replica] > 1 {
        let slot = wish % (saveCounts[replica] - 1)
        steps.append(.restart(replica: replica, slot: slot, actor: replica))
      } else {
        save(replica)
      }
    case .branch:
      let wish = choices.index(below: 4)
      guard saveCounts[replica] > 0, network.replicaCount <= limits.replicas.upperBound else {
        return
      }
      let slot = wish % saveCounts[replica]
      steps.append(.branch(replica: replica, slot: slot, actor: network.replicaCount))
      network.addReplica()
      saveCounts.append(0)
    default:
      guard network.replicaCount <= limits.replicas.upperBound else { return }
      steps.append(.fork(replica: replica, actor: network.replicaCount))
      network.addReplica()
      saveCounts.append(0)
    }
  }

  /// Whether half of the crashes follow a save, for what shows numbers that are used twice by overwriting alone.
  private var restartsWhole: Bool { !limits.capabilities.features.contains(.heads) }

  private mutating func save(_ replica: Int) {
    steps.append(.save(replica: replica, slot: saveCounts[replica]))
    saveCounts[replica] += 1
  }

  /// Two different replicas, or the same one twice where there is only one.
  ///
  /// The receiver is drawn as a distance from the sender, 1 to `count - 1`, so that it is another.
  private func pair(_ choices: inout Choices) -> (from: Int, to: Int) {
    let count = network.replicaCount
    let from = choices.index(below: count)
    let to = (from + 1 + choices.index(below: max(1, count - 1))) % count
    return (from, to)
  }

  private func transport(_ choices: inout Choices) -> Transport {
    transports.isEmpty ? .merge : transports[choices.pick(weights: transportWeights)]
  }
}

extension Step {
  /// Whether the step is one of the replica's own, or sends what it knows.
  fileprivate func names(_ replica: Int) -> Bool {
    switch self {
    case .edit(replica, _), .commit(replica), .call(replica, _), .save(replica, _),
      .restart(replica, _, _), .fork(replica, _), .branch(replica, _, _),
      .send(_, replica, _, _), .exchange(replica, _, _), .exchange(_, replica, _):
      true
    default: false
    }
  }
}

extension Attack {
  /// The same about the same change in another form, if 60 is a multiple of the number of its
  /// informant's changes.
  ///
  /// Two changes under one name may then wait for one and the same.
  fileprivate func twin(_ number: Int) -> Attack {
    let distance = 60 * number
    let isLow = pick + distance <= Self.pickLimit
    return Attack(kind, knowing: informant, pick: isLow ? pick + distance : pick - distance)
  }
}

/// The kinds of step, the simplest first, with how often they happen when nothing is left out.
///
/// `edit` comes first, so that shrinking turns steps into edits.
///
/// What is not a step of the same name:
///
///     deliverPart     one change of a message that stays under way      branch      a fork at a saved state
///     redeliver       a message that arrived before, once more          attack      a hostile peer sends something
///     lose            a message is dropped                              commitWith  a commit with message and time
///     cutOneWay       one side is not heard, and hears                  alike       the same edits by two replicas
///     crash           a restart from the last save                      staleRestart  one from an older save
private enum StepKind: CaseIterable {
  case edit, exchange, commit, send, deliver, deliverPart, redeliver, lose, cut, cutOneWay, mend
  case clog, unclog, save, crash, staleRestart, fork
  case burst, attempt, rollback, read, append, commitWith, branch, attack, cursor, sync, alike

  func weight(_ hostility: Hostility) -> Int {
    self == .attack && hostility != .rare ? 64 : weight
  }

  /// Of 124 in a small world 48 are edits and 12 exchanges.
  var weight: Int {
    switch self {
    case .edit: 48
    case .exchange: 12
    case .commit: 10
    case .send, .deliver: 6
    case .deliverPart: 4
    case .burst: 12
    case .save, .mend, .attempt: 3
    case .rollback, .read, .append, .commitWith: 1
    case .branch, .attack: 1
    case .cursor, .sync, .alike: 2
    case .redeliver, .lose, .cut, .cutOneWay, .clog, .unclog, .crash, .staleRestart: 2
    case .fork: 1
    }
  }

  /// What a subject cannot do, what the limits turn off, and what a large world would make too slow
  /// is left out here, once for a history, and not step by step.
  func isAllowed(by limits: HistoryLimits, _ size: WorldSize) -> Bool {
    let faults = limits.faults
    var features = limits.capabilities.features
    if !limits.impoliteCalls { features.subtract(Self.impolite) }
    let hasTransport = !limits.capabilities.transports.isEmpty
    return switch self {
    case .edit, .commit, .alike: true
    case .exchange: hasTransport
    case .send, .deliver: hasTransport && !faults.isEmpty
    case .deliverPart: limits.capabilities.transports.contains(.changes) && !faults.isEmpty
    case .redeliver: hasTransport && faults.contains(.duplication)
    case .lose: hasTransport && faults.contains(.loss)
    case .cut: hasTransport && faults.contains(.partition)
    case .cutOneWay: hasTransport && faults.contains(.oneWayPartition)
    case .mend: faults.contains(.partition) || faults.contains(.oneWayPartition)
    case .clog, .unclog: hasTransport && faults.contains(.clog)
    case .save: features.contains(.save)
    case .crash: features.contains(.save) && faults.contains(.crash)
    case .staleRestart: features.contains(.save) && faults.contains(.staleRestart)
    case .fork: features.contains(.fork)
    case .burst: size.burstLimit > 0
    case .attempt: features.contains(.refusals)
    case .rollback: features.contains(.rollback)
    case .read: features.contains(.openReads)
    case .append: features.isSuperset(of: [.save, .increments])
    case .commitWith: features.contains(.commitOptions)
    case .branch: features.isSuperset(of: [.save, .forkAt])
    case .attack: features.contains(.attacks)
    // A large sequence is walked by the specification for each question about a cursor.
    case .cursor: features.contains(.cursors) && size == .small
    case .sync:
      features.isSuperset(of: [.sync, .fork]) && limits.capabilities.transports.contains(.merge)
    }
  }

  /// Features whose steps go with ``HistoryLimits/impoliteCalls``.
  private static let impolite: Set<Feature> = [
    .refusals, .rollback, .openReads, .increments, .commitOptions, .forkAt, .attacks,
  ]
}

extension Base {
  /// Most histories have something of each kind to work on.
  fileprivate var weight: Int {
    switch self {
    case .empty: 1
    case .objects: 6
    case .counters: 2
    }
  }

  /// The bases that a subject with these capabilities can start from.
  ///
  /// All but the empty one are made once and then forked.
  ///
  /// A base is for subjects that can make it: by the edits that it consists of, or, for counters,
  /// by loading the saved document.
  package static func available(to capabilities: Capabilities) -> [Base] {
    allCases.filter { base in
      switch base {
      case .empty:
        true
      case .objects:
        capabilities.features.contains(.fork)
          && capabilities.objects.isSuperset(of: ObjectKind.allCases)
          && capabilities.edits.isSuperset(of: [.put, .putObject, .insert, .spliceText])
          && capabilities.scalars.isSuperset(of: [.string, .int])
      case .counters:
        capabilities.features.contains(.fork)
          && (capabilities.features.contains(.counterBase)
            || capabilities.scalars.contains(.counter) && capabilities.edits.contains(.put))
      }
    }
  }
}
