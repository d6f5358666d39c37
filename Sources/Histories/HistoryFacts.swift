// What a history holds, counted: for the coverage of a campaign (`Documentation/FaultModel.md`
// lists all waypoints). `HistoryFacts` is the result, `Waypoint` names what is looked for,
// `FactScan` looks.
//
//     r0 delete list1 0
//     r1 delete list1 0        both replaced one operation, and r1 did not know of r0's edit: deletes-met
//     r0 -> r1 merge           from here on r1 knows it
//
// Effects of edits (`NormalisedHistory/effects`) say which operations an edit replaced, as the
// specification has it.

package import DocumentModel
package import PropertyEngine

/// What a history holds, counted: edits, faults, transports, and the situations that it reaches.
///
/// Cost: for each edit the earlier ones that touched the same value or place.
package struct HistoryFacts: Sendable {
  /// By kind of edit; each edit of a burst counts.
  package private(set) var edits = Tally()
  package private(set) var faults = Tally()
  /// Faults again, by the transport of the message that they befell; none for a fault of machines or
  /// of links, whatever they carry.
  package private(set) var faultsByTransport: [Transport?: Tally] = [:]
  /// Exchanges and messages by their transport, arrived or not.
  package private(set) var transports = Tally()
  package private(set) var waypoints = Tally()
  /// Meetings of edits, by all that tells two of one waypoint apart: the object, its depth, how many met
  /// there before, and the edits: `puts-met in a list of depth 1, 2 there: put int, delete`.
  package private(set) var shapes = Tally()
  /// What the values are like that edits write; those of a burst count once.
  package private(set) var values = ValueTally()

  package init(_ normalised: NormalisedHistory) {
    var scan = FactScan(normalised)
    scan.run()
    edits = scan.edits
    faults = scan.faults
    faultsByTransport = scan.faultsByTransport
    transports = scan.transports
    waypoints = scan.waypoints
    shapes = scan.shapes
    values = scan.values
  }
}

/// The situations that a campaign is expected to reach.
extension Waypoint {
  /// Worked example: `r0 delete list1 0` and `r1 delete list1 0`.
  package static let deletesMet = Waypoint(
    "deletes-met",
    "Two replicas deleted one value without knowing of each other."
  )
  /// Worked example: `r0 delete root "k"` and `r1 put root "k" int 1`: the put stays, as the
  /// deletion does not name it.
  package static let deleteMetPut = Waypoint(
    "delete-met-put",
    "One replica deleted what another overwrote meanwhile."
  )
  /// Two values in conflict: the meeting that decides by ids.
  package static let putsMet = Waypoint(
    "puts-met",
    "Two replicas overwrote one value without knowing of each other."
  )
  /// Two objects under one key: one is hidden with all that is put into it.
  package static let objectsMet = Waypoint(
    "objects-met",
    "Two replicas made an object in one slot without knowing of each other."
  )
  /// The insert rule decides which comes first.
  package static let insertsMet = Waypoint(
    "inserts-met",
    "Two replicas inserted at one place without knowing of each other."
  )
  /// Both must count.
  package static let incrementsMet = Waypoint(
    "increments-met",
    "Two replicas incremented one counter without knowing of each other."
  )
  /// Worked example: `r0 delete list1 0` and `r1 put list1 0 int 1`, neither knowing of the other:
  /// the put is an operation that the deletion does not name, and the element is visible.
  package static let elementRevived = Waypoint(
    "element-revived",
    "A list element that one replica deleted was overwritten meanwhile by another."
  )
  /// Edits of such an object are valid: they are hidden unless a concurrent edit kept the object.
  package static let removedObjectEdited = Waypoint(
    "removed-object-edited",
    "An object was edited after an edit had deleted or overwritten it."
  )
  /// Ids, paths and patches then have several steps.
  package static let nestedEdited = Waypoint(
    "nested-edited",
    "An object was edited that stands in an object other than the root."
  )
  /// Both sides must have been edited while the cut lasted.
  package static let partitionHealed = Waypoint(
    "partition-healed",
    "Both sides of a cut were edited, and the cut ended."
  )
  /// Counted for edits behind the restart, whichever replica heard of what was lost.
  package static let staleWriter = Waypoint(
    "stale-writer",
    "A replica that lost changes to a stale restart went on editing."
  )
  /// Counted by parts of one message alone; a change of a later message may wait as well.
  package static let changeWaited = Waypoint(
    "change-waited",
    "A change arrived before one of the same message that precedes it.",
    perThousand: 3
  )
  /// A fork writes under a name of its own.
  package static let forkEdited = Waypoint(
    "fork-edited",
    "A replica that began as a fork was edited."
  )
  package static let hostileText = Waypoint(
    "hostile-text",
    "A text or a string held something other than printable ASCII."
  )

  /// The waypoints that only large worlds reach, which a fuzzer's bytes never make.
  package static let ofLargeWorlds = [largeBase, largeBurst]

  package static let largeBase = Waypoint(
    "large-base",
    "The replicas started from an object of 100 elements or more.",
    perThousand: 1
  )
  package static let largeBurst = Waypoint(
    "large-burst",
    "One replica made 100 edits or more in one go.",
    perThousand: 1
  )
  package static let callRefused = Waypoint(
    "call-refused",
    "A replica was asked for something that it had to refuse."
  )
  /// Counted only in histories in which a rollback takes something back.
  package static let rolledBack = Waypoint(
    "rolled-back",
    "A replica took edits back before it committed them."
  )
  package static let readWhileOpen = Waypoint(
    "read-while-open",
    "A replica was read while its edits were not committed."
  )
  /// A file of a snapshot and what came later.
  package static let savedByIncrement = Waypoint(
    "saved-by-increment",
    "A replica stored what was new behind what it had stored before."
  )
  package static let forkedInThePast = Waypoint(
    "forked-in-the-past",
    "A new replica began as an older one had been."
  )

  package static let marksMet = Waypoint(
    "marks-met",
    "Two replicas set marks of one name in one object without knowing of each other."
  )
  package static let cursorEdited = Waypoint(
    "cursor-edited-around",
    "An object in which one replica took a cursor was edited by another."
  )
  package static let synced = Waypoint(
    "synced",
    "Two replicas synced by messages in the middle of a history."
  )
  package static let syncDisturbed = Waypoint(
    "sync-disturbed",
    "Messages of such a sync were lost, doubled or late, or a side started again."
  )
  package static let forged = Waypoint(
    "change-forged",
    "A replica was sent a forged change whose hashes were right."
  )
  /// The peer knew of something that the replica had not heard of.
  package static let poisoned = Waypoint(
    "forgery-waited",
    "A forged change came before edits that it may follow.",
    perThousand: 6
  )
  package static let replayed = Waypoint(
    "change-replayed",
    "A hostile peer repeated what another replica knew."
  )
  package static let withheld = Waypoint(
    "dependency-withheld",
    "A replica was sent changes that wait for ever."
  )
  package static let liedTo = Waypoint(
    "sync-lied",
    "A replica was sent a sync message that was not true."
  )

  /// All waypoints of document histories.
  ///
  /// A run of enough histories (``requiredFrom``) must reach each of them, with a subject that can
  /// do everything: most from 2,000 cases on, since 1,600 of them are such histories.
  package static let documents: [Waypoint] = [
    largeBase, largeBurst, callRefused, rolledBack, readWhileOpen, savedByIncrement,
    forkedInThePast, marksMet, cursorEdited, synced, syncDisturbed, forged, poisoned, replayed,
    withheld, liedTo, deletesMet, deleteMetPut,
    putsMet, objectsMet, insertsMet, incrementsMet,
    elementRevived,
    removedObjectEdited, nestedEdited, partitionHealed, staleWriter, changeWaited, forkEdited,
    hostileText,
  ]
}

/// Walks a history once and counts.
///
/// Two edits that count as concurrent certainly are, by ``Knowledge``.
private struct FactScan {
  /// `highestPart` is the greatest part that arrived, -1 before any.
  private struct Message {
    let from: Int
    let to: Int
    let sentAt: Int
    let transport: Transport
    var arrivals = 0
    var highestPart = -1
    /// Whether it arrived whole.
    var hasArrived = false
  }

  /// An edit that replaced an operation, or that took place somewhere.
  private struct Mention {
    let step: Int
    let replica: Int
    let edit: Edit<ObjectName>
  }

  private let history: History
  private let effects: [EditEffect?]
  /// What each replica may have heard of before the step that is looked at.
  private var knowledge: Knowledge
  /// For each operation the edits that replaced it.
  private var mentions: [OpID: [Mention]] = [:]
  /// For each place the edits that do not replace there, but meet: insertions, increments, new
  /// objects, marks.
  private var places: [Place: [Mention]] = [:]
  private var replaced: Set<OpID> = []
  private var objects: [ObjectID?]
  private var parents: [ObjectName]
  private var kinds: [ObjectKind]
  private var messages: [Int: Message] = [:]
  /// `[receiver][sender]`: the step at which the message that arrived last was sent.
  private var latestArrival: [Int: [Int: Int]] = [:]
  /// Paths on which changes were sent: `[from, to]`.
  private var linksUsed: Set<[Int]> = []
  /// `edited` holds true once a replica of `side` was edited, false once another was.
  private var cut: (side: Set<Int>, edited: Set<Bool>)?
  private var slotCounts: [Int: Int] = [:]
  /// Replicas that lost changes in a restart.
  private var stale: Set<Int> = []
  private var cursors: [(object: ObjectName, replica: Int)] = []

  var edits = Tally()
  var faults = Tally()
  var faultsByTransport: [Transport?: Tally] = [:]
  var transports = Tally()
  var waypoints = Tally()
  var shapes = Tally()
  var values = ValueTally()

  private mutating func add(_ fault: Fault, by transport: Transport? = nil) {
    faults.add(fault.rawValue)
    faultsByTransport[transport, default: Tally()].add(fault.rawValue)
  }

  /// More edits or elements than any store keeps in one node, page or short run.
  private static let largeCount = 100
  private let rolledBack: Set<Int>

  /// Where an edit takes place, as its replica sees it.
  ///
  /// An insertion's index is the replica's own: two of one index need not be behind one element.
  fileprivate struct Place: Hashable {
    let object: ObjectName
    let slot: Slot
    let kind: Kind

    enum Kind: Hashable {
      case insert
      case increment
      case make
      case mark
    }
  }

  init(_ normalised: NormalisedHistory) {
    history = normalised.history
    effects = normalised.effects
    rolledBack = normalised.history.rolledBackSteps
    knowledge = Knowledge(history)
    objects = history.base.objectIDs
    parents = [.root] + history.base.objectKinds.map { _ in .root }
    kinds = [.map] + history.base.objectKinds
  }

  mutating func run() {
    if history.growth.contains(where: { $0.elementCount >= Self.largeCount }) {
      waypoints.add(.largeBase)
    }
    for (index, step) in history.steps.enumerated() {
      take(step, index)
      knowledge.take(step, index)
    }
  }

  private mutating func take(_ step: Step, _ index: Int) {
    switch step {
    case .edit(let replica, let edit):
      take(edit, at: replica, index)
    case .branch:
      waypoints.add(.forkedInThePast)
    case .call(let replica, let call):
      take(call, at: replica, index)
    case .exchange(let from, let to, let transport):
      transports.add(transport.rawValue)
      if transport == .changes { linksUsed.insert([from, to]) }
    case .send(let number, let from, let to, let transport):
      transports.add(transport.rawValue)
      var message = Message(
        from: from,
        to: to,
        sentAt: index,
        transport: transport
      )
      // The first changes on a path begin with the base's, which everyone has.
      let isFirst = transport == .changes && linksUsed.insert([from, to]).inserted
      // Part numbers count the base's changes as well, which never wait.
      if isFirst { message.highestPart = history.baseChangeCount - 1 }
      messages[number] = message
    case .deliver(let number, let part):
      arrive(number, part, index)
    case .drop(let number, let loss):
      if loss == .noise { add(.loss, by: messages[number]?.transport) }
    case .cut(let side, let bothWays):
      add(bothWays ? .partition : .oneWayPartition)
      cut = (Set(side), [])
    case .mend:
      if cut?.edited.count == 2 { waypoints.add(.partitionHealed) }
      cut = nil
    case .clog:
      add(.clog)
    case .save(let replica, let slot):
      slotCounts[replica] = slot + 1
    case .restart(let replica, let slot, _):
      restart(replica, slot)
    case .fork, .commit, .unclog: break
    }
  }

  private mutating func take(_ call: ReplicaCall, at replica: Int, _ index: Int) {
    switch call {
    case .burst(let burst):
      if burst.count >= Self.largeCount { waypoints.add(.largeBurst) }
      take(burst.edit, at: replica, index)
      edits.add(burst.edit.kind.rawValue, burst.count - 1)
    case .attempt: waypoints.add(.callRefused)
    case .rollback:
      if !rolledBack.isEmpty { waypoints.add(.rolledBack) }
    case .append: waypoints.add(.savedByIncrement)
    case .read: waypoints.add(.readWhileOpen)
    case .hear(let attack): take(attack, at: replica)
    case .cursor(let object, _, _): cursors.append((object, replica))
    case .sync(_, let fates):
      waypoints.add(.synced)
      if fates.contains(where: { $0 != .deliver }) { waypoints.add(.syncDisturbed) }
    case .commit: break
    }
  }

  private mutating func take(_ attack: Attack, at replica: Int) {
    switch attack.kind {
    case .replay: waypoints.add(.replayed)
    case .forge, .impostor, .equivocate: waypoints.add(.forged)
    case .poison:
      waypoints.add(.forged)
      if !knowledge[attack.informant].isSubset(of: knowledge[replica]) { waypoints.add(.poisoned) }
    case .withhold, .flood: waypoints.add(.withheld)
    case .lie: waypoints.add(.liedTo)
    }
  }

  private mutating func arrive(_ number: Int, _ part: Int?, _ index: Int) {
    guard var message = messages[number] else { return }
    if message.hasArrived { add(.duplication, by: message.transport) }
    // A message that arrives in the very next step was not late.
    if index > message.sentAt + 1, message.arrivals == 0 { add(.delay, by: message.transport) }
    // Once all parts are there, none that comes again has to wait, or is out of order.
    if let part, !message.hasArrived {
      if part < message.highestPart {
        add(.reorderWithinSender, by: message.transport)
      } else if part > message.highestPart + 1 {
        waypoints.add(.changeWaited)
      }
      message.highestPart = max(message.highestPart, part)
    }
    message.hasArrived = message.hasArrived || part == nil
    message.arrivals += 1
    messages[number] = message
    overtaking(message)
    latestArrival[message.to, default: [:]][message.from] = message.sentAt
  }

  /// Counts that a message arrives after one that was sent later.
  ///
  /// It is compared with the last arrival of each sender, its own among them.
  private mutating func overtaking(_ message: Message) {
    for (sender, sentAt) in latestArrival[message.to, default: [:]] where sentAt > message.sentAt {
      let fault: Fault = sender == message.from ? .reorderWithinSender : .reorderAcrossSenders
      add(fault, by: message.transport)
    }
  }

  /// Counts a restart from the last slot as a crash, and one from an older slot as a stale restart.
  private mutating func restart(_ replica: Int, _ slot: Int) {
    let isLatest = slot + 1 >= slotCounts[replica, default: 0]
    add(isLatest ? .crash : .staleRestart)
    if knowledge.saved(replica, slot) != knowledge[replica] { stale.insert(replica) }
  }

  // MARK: - Edits

  /// In order: what the edit is and where its replica stands; then what it replaces and meets.
  private mutating func take(_ edit: Edit<ObjectName>, at replica: Int, _ index: Int) {
    edits.add(edit.kind.rawValue)
    edit.count(in: &values)
    if let side = cut?.side.contains(replica) { cut?.edited.insert(side) }
    if stale.contains(replica) { waypoints.add(.staleWriter) }
    if cursors.contains(where: { $0.object == edit.object && $0.replica != replica }) {
      waypoints.add(.cursorEdited)
    }
    if replica >= history.replicaCount { waypoints.add(.forkEdited) }
    if edit.isHostile { waypoints.add(.hostileText) }
    let parent = edit.object.number < parents.count ? edit.object : .root
    if parent != .root, parents[parent.number] != .root { waypoints.add(.nestedEdited) }
    if objects.indices.contains(parent.number), case .made(let id)? = objects[parent.number],
      replaced.contains(id)
    {
      waypoints.add(.removedObjectEdited)
    }
    let effect = effects.indices.contains(index) ? effects[index] : nil
    // An edit that is taken back meets no other, but the object that it made keeps its number.
    guard !rolledBack.contains(index) else {
      add(edit.madeKind, made: nil, in: parent)
      return
    }
    let mention = Mention(step: index, replica: replica, edit: edit)
    for id in effect?.replaced ?? [] { meet(mention, at: id) }
    if let place = edit.place {
      meet(mention, at: Place(object: parent, slot: place.0, kind: place.1))
    }
    add(edit.madeKind, made: effect?.made, in: parent)
    replaced.formUnion(effect?.replaced ?? [])
  }

  /// Takes down an object that an edit makes, if it makes one.
  private mutating func add(_ kind: ObjectKind?, made id: ObjectID?, in parent: ObjectName) {
    guard let kind else { return }
    objects.append(id)
    parents.append(parent)
    kinds.append(kind)
  }

  /// Counts what it means that an edit replaces an operation that others replaced before.
  ///
  /// A splice counts as a deletion, also where it inserts.
  private mutating func meet(_ mention: Mention, at id: OpID) {
    let others = mentions[id, default: []]
    for other in others where isConcurrent(other, mention) {
      switch (other.edit.removes, mention.edit.removes) {
      case (true, true): meet(.deletesMet, other, mention, count: others.count)
      case (false, false): meet(.putsMet, other, mention, count: others.count)
      default:
        meet(.deleteMetPut, other, mention, count: others.count)
        if case .put(_, .index, _) = other.edit { waypoints.add(.elementRevived) }
        if case .put(_, .index, _) = mention.edit { waypoints.add(.elementRevived) }
      }
    }
    mentions[id, default: []].append(mention)
  }

  private mutating func meet(_ mention: Mention, at place: Place) {
    let others = places[place, default: []]
    for other in others where isConcurrent(other, mention) {
      let waypoint: Waypoint =
        switch place.kind {
        case .insert: .insertsMet
        case .increment: .incrementsMet
        case .make: .objectsMet
        case .mark: .marksMet
        }
      meet(waypoint, other, mention, count: others.count)
    }
    places[place, default: []].append(mention)
  }

  /// Counts that two edits met; `count` edits stood at this place before the later one.
  private mutating func meet(
    _ waypoint: Waypoint,
    _ earlier: Mention,
    _ later: Mention,
    count: Int
  ) {
    waypoints.add(waypoint)
    var (depth, object) = (0, later.edit.object)
    while object != .root, parents.indices.contains(object.number), depth < 3 {
      depth += 1
      object = parents[object.number]
    }
    let number = later.edit.object.number
    let kind = kinds.indices.contains(number) ? kinds[number] : .map
    shapes.add(
      "\(waypoint.name) in a \(kind) of depth \(depth), \(min(count, 4)) there: "
        + "\(earlier.edit.shape), \(later.edit.meeting(earlier.edit))"
    )
  }

  /// Steps come in the order of the history, so that the later replica alone may have known.
  private func isConcurrent(_ earlier: Mention, _ later: Mention) -> Bool {
    earlier.replica != later.replica && !knowledge[later.replica].contains(earlier.step)
  }
}

extension Edit where Object == ObjectName {
  /// A splice may delete nothing: it then replaces nothing, and is not asked.
  fileprivate var removes: Bool {
    switch self {
    case .delete, .splice, .spliceText: true
    default: false
    }
  }

  fileprivate var place: (Slot, FactScan.Place.Kind)? {
    switch self {
    case .insert(_, let index, _), .insertObject(_, let index, _): (.index(index), .insert)
    case .splice(_, let index, _, let values): values.isEmpty ? nil : (.index(index), .insert)
    case .spliceText(_, let index, _, let text):
      text.string.isEmpty ? nil : (.index(index), .insert)
    case .increment(_, let slot, _): (slot, .increment)
    case .putObject(_, let slot, _): (slot, .make)
    case .mark(_, let marking): (.key(marking.name), .mark)
    default: nil
    }
  }

  /// Whether the edit writes hostile text; keys do not count.
  fileprivate var isHostile: Bool {
    switch self {
    case .spliceText(_, _, _, let text): !text.isPrintableASCII
    case .put(_, _, .string(let text)), .insert(_, _, .string(let text)): !text.isPrintableASCII
    case .splice(_, _, _, let values):
      values.contains { if case .string(let text) = $0 { !text.isPrintableASCII } else { false } }
    default: false
    }
  }
}

extension ExactString {
  fileprivate var isPrintableASCII: Bool {
    string.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }
}
