import DocumentModel
import NaiveModel
import Testing

/// Actor a writes two changes, b one that knows them, c one that knows nothing.
private func fourChanges() throws -> (changes: [NaiveChange], shown: String) {
  var a = Model(actor: .a)
  let list = try a.make(.list, "l")
  try a.edit(.insert(list, index: 0, "x"), .put("n", .counter(1)))
  var b = a.fork(actor: .b)
  try b.edit(.insert(list, index: 1, "y"), .increment("n", by: 1), .delete(list, .index(0)))
  var c = Model(actor: .c)
  try c.edit(.put("n", "c"))
  a = try a.merging(b, c)
  return (a.changes(since: []), try a.shown)
}

@Test("Changes give one state in whatever order they come, waiting where they must")
func appliesInAnyOrder() throws {
  let (changes, shown) = try fourChanges()
  #expect(changes.map(\.id.seq) == [1, 2, 1, 1])
  for order in permutations(of: changes) {
    var receiver = Model(actor: .d)
    for change in order { try receiver.apply([change]) }
    #expect(try receiver.shown == shown)
    #expect(try receiver.heads() == heads("b#1", "c#1"))
    var together = Model(actor: .d)
    try together.apply(order)
    #expect(try together.observe(at: nil) == receiver.observe(at: nil))
  }
}

private func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard let last = elements.last else { return [[]] }
  return permutations(of: elements.dropLast()).flatMap { shorter in
    (0...shorter.count).map { shorter[..<$0] + [last] + shorter[$0...] }
  }
}

@Test("A waiting change shows nothing, is forked and saved, but not merged")
func keepsWaiting() throws {
  let (changes, _) = try fourChanges()
  var receiver = Model(actor: .d)
  try receiver.apply([changes[2]])
  #expect(try receiver.shown == "")
  #expect(try receiver.heads() == heads())
  #expect(receiver.changes(since: []) == [])

  var merged = try Model(actor: .d).merging(receiver)
  var forked = receiver.fork(actor: .a)
  var loaded = try Model.load(receiver.save(), actor: .b)
  let rest = Array(changes[..<2])
  try merged.apply(rest)
  try forked.apply(rest)
  try loaded.apply(rest)
  #expect(try merged.heads() == heads("a#2"))
  #expect(try forked.heads() == heads("b#1"))
  #expect(try loaded.heads() == heads("b#1"))
}

@Test("A merge brings what a waiting change waits for")
func mergesDependency() throws {
  let (changes, _) = try fourChanges()
  var receiver = Model(actor: .d)
  try receiver.apply([changes[2]])
  var sender = Model(actor: .c)
  try sender.apply(Array(changes[..<2]))
  try receiver.merge(&sender)
  #expect(try receiver.heads() == heads("b#1"))
}

@Test("Changes that are here already are ignored, waiting or applied")
func ignoresDuplicates() throws {
  let (changes, shown) = try fourChanges()
  var receiver = Model(actor: .d)
  try receiver.apply([changes[2], changes[2]])
  try receiver.apply([changes[2]])
  try receiver.apply(changes + changes)
  #expect(try receiver.shown == shown)
  #expect(receiver.changes(since: []).count == 4)
}

@Test("Of two different changes with one actor and seq, the second is refused")
func refusesActorReuse() throws {
  var first = Model(actor: .a)
  var second = Model(actor: .a)
  try first.edit(.put("k", 1))
  try second.edit(.put("k", 2))
  let id = try #require(first.changes(since: []).first).id
  let before = try first.observe(at: nil)
  #expect(throws: NaiveRefusal.duplicateSequence(id)) { try first.merge(&second) }
  #expect(try first.observe(at: nil) == before)

  // What came with it is not taken either, and a waiting change counts as here.
  var other = Model(actor: .b)
  try other.edit(.put("x", 1))
  let mixed = other.changes(since: []) + second.changes(since: [])
  #expect(throws: NaiveRefusal.duplicateSequence(id)) { try first.apply(mixed) }
  #expect(try first.observe(at: nil) == before)
  #expect(
    NaiveRefusal.duplicateSequence(id).description
      == "duplicate seq 1 found for actor 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"
  )
}

/// Automerge's rules, but that a change does not depend on its author's last one.
private enum ForgetfulOfOwn: Rules {
  static func dependencies(
    heads: [NaiveChange.ID],
    previous: NaiveChange.ID?
  ) -> [NaiveChange.ID] { [] }
}

@Test("A change that skips one of its author's is refused")
func refusesGap() throws {
  var author = NaiveModel<ForgetfulOfOwn>(actor: .a)
  try author.edit(.put("k", 1))
  try author.edit(.put("k", 2))
  let second = try #require(author.changes(since: []).last)
  var receiver = Model(actor: .b)
  #expect(throws: NaiveRefusal.sequenceGap(second.id, expected: 1)) {
    try receiver.apply([second])
  }
  #expect(try receiver.shown == "")
}

@Test("Merging is idempotent, associative, and the same from either side")
func merges() throws {
  var base = Model(actor: .d)
  let list = try base.make(.list, "l")
  var replicas: [Model] = []
  for actor in [ActorID.a, .b, .c] {
    var replica = base.fork(actor: actor)
    try replica.edit(.insert(list, index: 0, "x"), .put("k", .string(ExactString("\(actor)"))))
    replicas.append(replica)
  }
  let (a, b, c) = (replicas[0], replicas[1], replicas[2])
  let merged = try a.merging(b, c).observe(at: nil)
  #expect(try a.merging(b, b, c, b).observe(at: nil) == merged)
  #expect(try c.merging(b.merging(a)).observe(at: nil) == merged)
  #expect(try a.merging(b.merging(c)).observe(at: nil) == merged)
  #expect(try merged.heads == heads("a#1", "b#1", "c#1"))
}

@Test("Every state reads later as it did when it was the present")
func readsPast() throws {
  var a = Model(actor: .a)
  let list = try a.make(.list, "l")
  var b = a.fork(actor: .b)
  var states: [Observation] = [try Model(actor: .a).observe(at: nil)]
  let steps: [[Edit<ObjectID>]] = [
    [.splice(list, index: 0, deleting: 0, inserting: ["a", "b", "c"])],
    [.delete(list, .index(1)), .put("n", .counter(1))],
    [.put(list, .index(0), "A"), .increment("n", by: 1)],
    [.putObject(.root, .key("m"), .map)],
    [.delete("m"), .delete(list, .index(0))],
  ]
  for step in steps {
    for edit in step { _ = try a.apply(edit) }
    a.commit()
    states.append(try a.observe(at: nil))
    try b.edit(.insert(list, index: 0, "z"))
    try a.merge(&b)
    states.append(try a.observe(at: nil))
  }
  // An open transaction does not reach into the past.
  _ = try a.apply(.splice(list, index: 0, deleting: 3, inserting: ["open"]))
  for state in states { #expect(try a.observe(at: state.heads) == state) }
  #expect(try a.observe(at: nil) != states.last)
  #expect(states.count == 11)
}

@Test("Unknown heads are ignored, those of another scheme refused")
func readsUnknownHeads() throws {
  var model = Model(actor: .a)
  try model.edit(.put("k", 1))
  #expect(try show(model.observe(at: heads("b#1"))) == "")
  #expect(try show(model.observe(at: heads("a#1", "b#1", "a#2"))) == #""k": int 1 (1@a)"#)
  let garbage = ObservedHeads(scheme: "naive", ids: ["", "#", "zz#1", "0a#+1", "0A#1"])
  #expect(try show(model.observe(at: garbage)) == "")
  let foreign = ObservedHeads(scheme: "hash", ids: [])
  #expect(throws: NaiveRefusal.foreignHeads(scheme: "hash")) { try model.observe(at: foreign) }
}

@Test("Changes since heads leave out the heads and all before them")
func listsChangesSince() throws {
  let (changes, _) = try fourChanges()
  var model = Model(actor: .d)
  try model.apply(changes)
  func seqs(since ids: String...) throws -> [String] {
    let known = try ids.flatMap { try heads($0).ids }
    return model.changes(since: known).map { abbreviated($0.id.description) }
  }
  #expect(try seqs() == ["a#1", "a#2", "b#1", "c#1"])
  #expect(try seqs(since: "a#1") == ["a#2", "b#1", "c#1"])
  #expect(try seqs(since: "b#1") == ["c#1"])
  #expect(try seqs(since: "b#1", "c#1") == [])
  #expect(try seqs(since: "d#7", "c#1") == ["a#1", "a#2", "b#1"])
}

@Test("A transaction is one change; without operations there is none")
func commits() throws {
  var model = Model(actor: .a)
  model.commit()
  #expect(try model.heads() == heads())
  _ = try model.apply(.put("k", 1))
  _ = try model.apply(.put("k", 2))
  #expect(try model.shown == #""k": int 2 (2@a)"#)
  model.commit()
  model.commit()
  #expect(try model.heads() == heads("a#1"))
  #expect(model.changes(since: [])[0].ops.count == 2)
}

@Test("What looks at changes commits first", arguments: CommittingCall.allCases)
func commitsBefore(_ call: CommittingCall) throws {
  var model = Model(actor: .a)
  var other = Model(actor: .b)
  _ = try model.apply(.put("k", 1))
  _ = try other.apply(.put("x", 2))
  switch call {
  case .heads: #expect(try model.heads() == heads("a#1"))
  case .fork: #expect(try model.fork(actor: .c).shown == #""k": int 1 (1@a)"#)
  case .merge:
    try model.merge(&other)
    #expect(try model.heads() == heads("a#1", "b#1"))
    #expect(try other.heads() == heads("b#1"))
  case .changes: #expect(model.changes(since: []).count == 1)
  case .apply: try model.apply(other.changes(since: []))
  case .save: #expect(try Model.load(model.save(), actor: .c).shown == #""k": int 1 (1@a)"#)
  }
  model.rollback()
  #expect(try model.shown.contains(#""k": int 1 (1@a)"#))
}

@Test("A rollback leaves no trace, and frees seq and counters")
func rollsBack() throws {
  var (model, list) = try listOfLetters("ab")
  let before = try model.observe(at: nil)
  let edits: [Edit<ObjectID>] = [
    .put("k", 1), .delete("l"), .putObject(.root, .key("m"), .map),
    .splice(list, index: 0, deleting: 1, inserting: ["x", "y"]), .put(list, .index(0), "z"),
  ]
  let made = try edits.compactMap { try model.apply($0).made }
  model.rollback()
  #expect(try model.observe(at: nil) == before)
  #expect(model.shape(of: made[0]) == nil)
  #expect(try model.edit(.put("k", 1))[0].written == ids("4@a"))
  #expect(try model.heads() == heads("a#3"))
}

@Test("A fork and its origin do not touch each other")
func forksApart() throws {
  var model = Model(actor: .a)
  try model.edit(.put("k", 1))
  var fork = model.fork(actor: .b)
  try fork.edit(.put("k", 2))
  try model.edit(.put("x", 3))
  #expect(try fork.shown == #""k": int 2 (2@b)"#)
  #expect(try model.shown.contains(#""k": int 1 (1@a)"#))
  #expect(fork.actor == .b)
}

@Test("A loaded document is written on by the actor it was loaded for")
func writesOnAfterLoading() throws {
  var model = Model(actor: .a)
  try model.edit(.put("k", 1))
  var same = try Model.load(model.save(), actor: .a)
  var other = try Model.load(model.save(), actor: .b)
  try same.edit(.put("k", 2))
  try other.edit(.put("k", 3))
  #expect(try same.heads() == heads("a#2"))
  #expect(try other.heads() == heads("b#1"))
  #expect(
    try show(same.merging(other).observe(at: nil)) == """
      "k": int 3 (2@b)
      "k" (conflict): int 2 (2@a)
      """
  )
  #expect(Model.bytes(of: model.save()) == nil)
}
