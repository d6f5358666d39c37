import DocumentModel
import PropertyEngine

/// What an implementation shows on the random history of this seed.
///
/// Every effect, the states after each step, and the first error, which ends it.
func trace<R: Replica>(of type: R.Type, seed: Seed) -> [String] {
  var trace: [String] = []
  do {
    var world = try World<R>(seed: seed)
    defer { trace = world.trace }
    for _ in 0..<40 { try world.step() }
    try world.finish()
  } catch {
    trace.append("error: \(error)")
  }
  return trace
}

/// Two or three replicas that begin with one list and one text, driven at random.
private struct World<R: Replica> {
  var trace: [String] = []
  private var choices: Choices
  private var replicas: [R] = []
  /// The changes on their way to each replica, and what it was sent from where up to now.
  private var inboxes: [[R.Change]] = [[], [], []]
  private var sent: [[[String]]] = [[[], [], []], [[], [], []], [[], [], []]]
  private var objects: [ObjectID] = [.root]
  /// What this history keeps to, so that its edits meet: some objects, keys and scalars.
  private var focus: [ObjectID] = []
  private var keys: [ExactString] = []
  private var scalars: [Scalar] = []
  /// Whether replicas also merge in memory, instead of sending each other changes only.
  private var merges = true
  private var past: [ObservedHeads] = []
  private var forks: UInt8 = 0

  init(seed: Seed) throws {
    choices = Choices(seed: seed)
    var base = R(actor: ActorID(repeating: 0))
    for kind in [ObjectKind.list, .text] {
      let made = try base.apply(.putObject(.root, .key(ExactString("\(kind)")), kind)).made ?? .root
      for letter in ["p", "q", "r"] {
        _ = try base.apply(.insert(made, index: 0, .string(ExactString(letter))))
      }
      objects.append(made)
    }
    let count = choices.index(below: 3) == 0 ? 3 : 2
    replicas = try (1...UInt8(count)).map { try base.fork(actor: ActorID(repeating: $0)) }
    focus = pick([[objects[0]], [objects[1]], [objects[2]], objects])
    merges = pick([true, true, false])
    keys = pick([["a"], ["a"], ["\u{e9}", "e\u{301}"]])
    scalars = pick([
      [.counter(1), .string("x")],
      [.counter(1), .int(1), .uint(1)],
      [.boolean(true), .boolean(false), .counter(1)],
      [.float(0.0), .float(-0.0), .float(.nan)],
      [.string("\u{e9}"), .string("e\u{301}"), .string("\u{1f600}")],
      [.bytes([1]), .timestamp(1_001), .null],
    ])
  }

  mutating func step() throws {
    let index = choices.index(below: replicas.count)
    let other = (index + 1 + choices.index(below: replicas.count - 1)) % replicas.count
    var replica = replicas[index]

    /// Takes one of the changes on their way here, often not the first.
    func receive() throws {
      if inboxes[index].isEmpty { return }
      let change = inboxes[index].remove(at: choices.index(below: inboxes[index].count))
      try replica.apply([change])
    }

    switch choices.index(below: 24) {
    case 0, 1:
      if merges { try replica.merge(&replicas[other]) } else { try receive() }
    case 2, 3:
      inboxes[other] += try replica.changes(since: sent[index][other])
      sent[index][other] = replica.heads().ids
    case 4, 5, 6:
      try receive()
    case 7, 8:
      replica = try R.load(replica.save(), actor: freshActor())
    case 9:
      replica = try replica.fork(actor: freshActor())
    case 10:
      past.append(replica.heads())
    case 11, 12:
      replica.commit()
    default:
      let effect = try? replica.apply(edit(of: replica))
      if let made = effect?.made {
        objects.append(made)
        focus.append(made)
      }
      trace.append("\(effect?.written ?? []) over \(effect?.replaced ?? [])")
    }
    replicas[index] = replica
    try show(replica)
  }

  mutating func finish() throws {
    for index in replicas.indices {
      try replicas[index].apply(inboxes[index])
      try show(replicas[index])
    }
    let synced = [SyncFate](repeating: .deliver, count: 4)
    for fates in [[], SyncFate.allCases + SyncFate.allCases.reversed(), synced + [.restart]] {
      var (left, right) = (replicas[0], replicas[1])
      let report = try R.sync(&left, &right, fates)
      trace.append("\(report)")
      try show(left)
      try show(right)
    }
    try stepBesideHostilePeers()
    let cursors = try cursors()
    // Heads of others, some of them not known here yet.
    for replica in replicas {
      for heads in past { trace += try replica.observe(at: heads).lines }
    }
    var stored: [R.Saved] = []
    for index in replicas.indices { stored.append(try replicas[index].save()) }
    for index in replicas.indices {
      for other in replicas.indices where other != index {
        var sender = replicas[other]
        try replicas[index].merge(&sender)
      }
      try show(replicas[index])
      let present = replicas[index].heads()
      for heads in past {
        trace += try replicas[index].observe(at: heads).lines
        for (before, after) in [(heads, present), (present, heads), (heads, heads)] {
          let patches = try replicas[index].patches(from: before, to: after)
          trace += patches.map(\.description)
        }
      }
      for (object, cursor) in cursors {
        let position = try replicas[index].position(of: cursor, in: object, at: nil)
        trace.append("\(position.map(String.init) ?? "-")")
        for heads in past {
          let position = try replicas[index].position(of: cursor, in: object, at: heads)
          trace.append("\(position.map(String.init) ?? "-")")
        }
      }
    }
    for index in replicas.indices {
      try stepOffTheWay(replicas[index], since: stored[index])
    }
  }

  /// Cursors at the first units of every sequence, on each replica.
  private mutating func cursors() throws -> [(ObjectID, ObservedCursor)] {
    var cursors: [(ObjectID, ObservedCursor)] = []
    for index in replicas.indices {
      for object in objects {
        for place in 0..<4 {
          let move = CursorMove.allCases[place % 2]
          guard
            let cursor = try replicas[index].cursor(
              in: object,
              at: place,
              moving: move,
              heads: nil
            )
          else { continue }
          trace.append("\(cursor)")
          cursors.append((object, cursor))
          var copy = replicas[index]
          guard (try? copy.apply(.delete(object, .index(place)))) != nil else { continue }
          trace.append("\(try copy.position(of: cursor, in: object, at: nil) ?? -1)")
        }
      }
    }
    return cursors
  }

  /// Each kind of attack on a replica that knows nothing, before and after it takes in all.
  private mutating func stepBesideHostilePeers() throws {
    for kind in Attack.Kind.allCases {
      var (victim, informant) = (R(actor: freshActor()), replicas[0])
      for isInformed in [false, true] {
        if isInformed { trace.append("\((try? victim.merge(&informant)) != nil)") }
        for pick in [0, 1, 0] {
          let attack = Attack(kind, knowing: 0, pick: pick)
          trace.append("\(try victim.hear(attack, from: &informant))")
        }
        try show(victim)
      }
    }
  }

  /// Calls that are refused or taken back, a save of what is new, and a fork in the past.
  private mutating func stepOffTheWay(_ replica: R, since stored: R.Saved) throws {
    var replica = replica
    let heads = replica.heads()
    try show(R.load(replica.append(to: stored), actor: freshActor()))
    try show(replica.fork(at: heads, actor: freshActor()))
    let length = replica.shape(of: objects[1])?.length ?? 0
    for (index, count) in [(length + 1, 0), (0, -1)] {
      let splice = Edit.splice(objects[1], index: index, deleting: count, inserting: [.int(1)])
      trace.append("\((try? replica.apply(splice)) != nil)")
    }
    _ = try replica.apply(.put(.root, .key("gone"), .int(1)))
    try replica.rollback()
    trace.append("\(try replica.apply(.put(.root, .key("kept"), .int(1))).written)")
  }

  private mutating func freshActor() -> ActorID {
    forks += 1
    return ActorID(repeating: 16 + forks)
  }

  private mutating func show(_ replica: R) throws {
    trace += try replica.observe(at: nil).lines
    for object in objects {
      if let shape = replica.shape(of: object) { trace.append("\(shape)") }
    }
  }

  private mutating func edit(of replica: R) -> Edit<ObjectID> {
    let object = pick(focus)
    guard let shape = replica.shape(of: object), shape.kind != .map else {
      let slot = Slot.key(pick(keys))
      switch choices.index(below: 12) {
      case 0: return .putObject(object, slot, pick(ObjectKind.allCases))
      case 1: return .delete(object, slot)
      case 2...5: return .increment(object, slot, by: pick([1, 1, 2]))
      default: return .put(object, slot, scalar())
      }
    }
    let index = choices.index(below: shape.length + 1)
    let count = pick([0, 1, 2, 9])
    switch choices.index(below: 16) {
    case 12...: return .mark(object, marking(from: index))
    case 0: return .insert(object, index: index, scalar())
    case 1: return .insertObject(object, index: index, .map)
    case 2...5: return .put(object, .index(index), scalar())
    case 6: return .delete(object, .index(index))
    case 7: return .increment(object, .index(index), by: 1)
    default:
      guard shape.kind == .text else {
        let values = (0..<pick([0, 1, 2])).map { _ in scalar() }
        return .splice(object, index: index, deleting: count, inserting: values)
      }
      let text: ExactString = pick(["", "x", "yz", "\u{1f600}", "e\u{301}"])
      return .spliceText(object, index: index, deleting: count, inserting: text)
    }
  }

  private mutating func marking(from start: Int) -> Marking {
    let value: Scalar = pick([.boolean(true), .boolean(false), .null])
    let end = start + choices.index(below: 4)
    return Marking(start, to: end, "bold", value, expand: pick(MarkExpansion.allCases))
  }

  private mutating func scalar() -> Scalar { pick(scalars) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    choices.element(of: elements)
  }
}
