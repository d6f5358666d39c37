import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

@Suite("The normaliser")
struct NormaliserTests {
  @Test("A valid history stays as it is, with the same effects")
  func idempotent() {
    for sample in normalisedHistories(150, seed: 21) {
      let again = normalise(sample.history)
      #expect(again.history == sample.history, "\(sample.history.text)")
      #expect(again.effects == sample.effects)
      #expect(sample.effects.count == sample.history.steps.count)
    }
  }

  @Test("What it makes of any wishes is carried out, nothing refused")
  func valid() {
    var choices = Choices(seed: 22)
    for _ in 0..<120 {
      expectCarriedOut(normalise(wildHistory(&choices)).history)
    }
    for sample in normalisedHistories(120, seed: 23) { expectCarriedOut(sample.history) }
  }

  @Test("A history stays valid when any of its steps are left out")
  func validWithout() {
    var choices = Choices(seed: 24)
    for sample in normalisedHistories(150, seed: 25) {
      var history = sample.history
      history.steps = history.steps.filter { _ in choices.flag(percent: 70) }
      let rest = normalise(history)
      expectCarriedOut(rest.history)
      #expect(normalise(rest.history).history == rest.history)
    }
  }

  @Test("No operation is written twice, whatever was lost in restarts")
  func writers() {
    var limits = HistoryLimits()
    limits.capabilities.edits = [.put, .insert, .spliceText, .insertObject]
    // What is rolled back frees its numbers.
    limits.capabilities.features.remove(.rollback)
    var restarts = 0
    var staleRestarts = 0
    for sample in normalisedHistories(700, seed: 26, limits: limits) {
      let written = sample.effects.compactMap(\.self).flatMap(\.written)
      #expect(Set(written).count == written.count, "\(sample.history.text)")
      let writers = sample.history.steps.compactMap(\.newWriter)
      restarts += writers.count
      staleRestarts += writers.count { $0 >= sample.history.replicaCount }
    }
    // Both kinds were there: those that go on as the same writer, and those that may not.
    #expect(staleRestarts > 20)
    #expect(restarts > staleRestarts)
  }

  @Test("A restart that loses nothing keeps its writer; one that loses a change gets a new one")
  func restarts() throws {
    let history = try normalise(
      written(
        """
        r0 save s0
        r0 restart s0 actor 9
        r0 put root "k" int 1
        r0 save s1
        r0 restart s1 actor 9
        r0 restart s0 actor 9
        r0 save s2
        r0 restart s2 actor 9
        r1 fork r2 actor 9
        """
      )
    ).history
    #expect(history.steps.compactMap(\.newWriter) == [0, 0, 2, 2])
    #expect(history.steps.last == .fork(replica: 1, actor: 3))
  }

  /// One step as wished for and as it becomes; nil if it is left out.
  struct Mapping: CustomStringConvertible {
    let wish: String
    let becomes: String?
    var base = Base.objects

    init(_ wish: String, _ becomes: String?, base: Base = .objects) {
      self.wish = wish
      self.becomes = becomes
      self.base = base
    }

    var description: String { wish }
  }

  @Test(
    "A wish is mapped into what is there, or left out",
    arguments: [
      Mapping("r7 commit", "r1 commit"),
      Mapping("r0 insert list1 5 int 1", "r0 insert list1 2 int 1"),
      Mapping("r0 insert root 0 int 1", "r0 insert list1 0 int 1"),
      Mapping("r0 insert map3 0 int 1", "r0 insert text2 0 int 1"),
      Mapping("r0 put list9 0 int 1", "r0 put list1 0 int 1"),
      Mapping("r0 put list1 3 int 1", "r0 put list1 1 int 1"),
      Mapping("r0 put list1 \"t\" int 1", "r0 put list1 1 int 1"),
      Mapping("r0 put root 1 int 1", "r0 put root \"t\" int 1"),
      Mapping("r0 put root 0 int 1", "r0 put root \"k\" int 1", base: .empty),
      Mapping("r0 delete text2 5", "r0 delete text2 1"),
      Mapping("r0 splice list1 4 delete 9", "r0 splice list1 1 delete 1"),
      Mapping("r0 splice list1 2 delete 9", nil),
      Mapping("r0 splice text2 0 delete 1 insert int 1", "r0 splice list1 0 delete 1 insert int 1"),
      Mapping("r0 splice list1 0 delete 1", nil, base: .empty),
      Mapping("r0 type text2 5 delete 3 insert \"x\"", "r0 type text2 2 delete 0 insert \"x\""),
      Mapping("r0 type text2 0 delete 0 insert \"\"", nil),
      Mapping("r0 increment root \"n2\" 1", "r0 increment root \"n2\" 1", base: .counters),
      Mapping("r0 increment root \"x\" 1", "r0 increment root \"n\" 1", base: .counters),
      Mapping("r0 increment root \"k\" 1", nil),
      Mapping("r0 -> r2 merge", nil),
      Mapping("r3 -> r2 merge", "r1 -> r0 merge"),
      Mapping("m1 deliver", nil),
      Mapping("m1 drop noise", nil),
      Mapping("cut r0 r1", nil),
      Mapping("cut r2 r0 r4", "cut r0"),
      Mapping("cut", nil),
      Mapping("clog r0 -> r2", nil),
      Mapping("r0 restart s0 actor 0", nil),
      Mapping("r0 save s7", "r0 save s0"),
      Mapping("r5 fork r9 actor 9", "r1 fork r2 actor 2"),
    ]
  )
  func maps(_ mapping: Mapping) throws {
    let history = try normalise(written(mapping.wish, base: mapping.base)).history
    #expect(history.stepLines == (mapping.becomes.map { [$0] } ?? []))
  }

  @Test("A message is renumbered, and its parts counted")
  func messages() throws {
    let history = try normalise(
      written(
        """
        r0 put root "k" int 1
        r0 commit
        r0 put root "k" int 2
        r0 -> r1 send m7 changes
        r0 -> r1 send m7 merge
        r0 -> r1 send m3 document
        m7 deliver part 5
        m3 deliver part 5
        m7 drop noise
        """,
        base: .empty
      )
    ).history
    #expect(
      history.stepLines.suffix(5) == [
        "r0 -> r1 send m1 changes", "r0 -> r1 send m2 document", "m1 deliver part 1", "m2 deliver",
        "m1 drop noise",
      ]
    )
  }

  @Test("Nothing passes a cut, a clogged path or a loss")
  func passages() throws {
    let raw = try written(
      """
      r0 -> r1 send m1 merge
      r2 -> r0 send m2 merge
      r0 -> r1 send m3 merge
      m3 deliver
      cut-outgoing r0
      cut r1
      m1 drop cut
      m1 deliver
      m2 deliver
      m3 deliver
      r0 -> r1 merge
      r1 -> r0 merge
      r0 -> r2 send m4 merge
      mend
      mend
      m4 deliver
      m3 deliver
      clog r1 -> r2
      clog r1 -> r2
      r1 -> r2 send m5 merge
      m5 deliver
      r1 -> r2 document
      r2 -> r1 document
      unclog r2 -> r1
      unclog r1 -> r2
      m5 drop noise
      m5 deliver
      m5 drop noise
      m3 drop noise
      """,
      replicas: 3
    )
    #expect(
      normalise(raw).history.stepLines == [
        "r0 -> r1 send m1 merge", "r2 -> r0 send m2 merge", "r0 -> r1 send m3 merge",
        "m3 deliver", "cut-outgoing r0", "m1 drop cut", "m2 deliver", "r1 -> r0 merge",
        "r0 -> r2 send m4 merge", "mend", "m3 deliver", "clog r1 -> r2",
        "r1 -> r2 send m5 merge", "r2 -> r1 document", "unclog r1 -> r2", "m5 drop noise",
      ]
    )
  }

  @Test("Replicas and writers are limited, and no history grows past the limits")
  func limits() throws {
    let forks = try normalise(
      written(
        Array(repeating: "r0 fork r9 actor 9", count: 40).joined(
          separator: "\n"
        )
      )
    )
    #expect(forks.history.finalReplicaCount == History.replicaLimit)
    let restarts = try normalise(
      written(
        Array(
          repeating:
            "r0 save s0\nr0 put root \"k\" int 1\nr0 delete root \"k\"\nr0 restart s0 actor 0",
          count: 200
        ).joined(separator: "\n")
      )
    )
    let writers = restarts.history.steps.compactMap(\.newWriter)
    #expect(writers.max() == History.actorLimit - 1)
    #expect(
      try normalise(written("mend", replicas: 64)).history.replicaCount == History.replicaLimit
    )
  }

  @Test("A burst ends before wide elements leave it no room")
  func wideElements() throws {
    for walk in ["same", "forward", "backward"] {
      for edit in ["type text2 3 delete 1 insert \"\"", "delete text2 3"] {
        let raw = try written(
          """
          r0 put text2 0 string "aaa"
          r0 type text2 0 delete 0 insert "aa"
          r0 burst 9 \(walk) \(edit)
          """
        )
        let history = normalise(raw).history
        #expect(history.steps.count == 3)
        expectCarriedOut(history)
      }
    }
  }

  @Test("It knows by which exchanges nothing came")
  func withoutNews() throws {
    let history = try written(
      """
      r0 put root "k" int 1
      r0 -> r1 changes
      r0 -> r1 changes
      r0 -> r1 document
      r1 -> r0 changes
      """
    )
    #expect(normalise(history).withoutNews == [2])
  }

  private func expectCarriedOut(_ history: History) {
    #expect(complaints(history).isEmpty, "\(history.text)")
  }

  /// Steps without any regard for what is there.
  private func wildHistory(_ choices: inout Choices) -> History {
    var steps: [Step] = []
    let base = choices.element(of: Base.allCases)
    let count = 1 + choices.index(below: 4)
    for _ in 0..<choices.index(below: 60) { steps.append(wildStep(&choices)) }
    return History(base: base, replicaCount: count, healing: Transport.allCases, steps: steps)
  }

  private func wildStep(_ choices: inout Choices) -> Step {
    func number(_ choices: inout Choices) -> Int {
      choices.flag(percent: 90) ? choices.index(below: 6) : choices.number(in: 0...1_000_000_000)
    }
    let (first, second) = (number(&choices), number(&choices))
    let transport = choices.element(of: Transport.allCases)
    switch choices.index(below: 21) {
    case 0: return .commit(replica: first)
    case 1: return .fork(replica: first, actor: second)
    case 2: return .exchange(from: first, to: second, transport)
    case 3: return .send(message: first, from: second, to: number(&choices), transport)
    case 4: return .deliver(message: first, part: choices.flag() ? second : nil)
    case 5: return .drop(message: first, choices.element(of: Loss.allCases))
    case 6: return .cut(side: [first, second], bothWays: choices.flag())
    case 7: return .mend
    case 8: return .clog(from: first, to: second)
    case 9: return .unclog(from: first, to: second)
    case 10: return .save(replica: first, slot: second)
    case 11: return .restart(replica: first, slot: second, actor: number(&choices))
    case 12: return .branch(replica: first, slot: second, actor: number(&choices))
    case 13: return .call(replica: first, .attempt(wildEdit(&choices)))
    case 14: return .call(replica: first, .rollback)
    case 15: return .call(replica: first, .append(slot: second))
    case 16:
      let walk = choices.element(of: Burst.Walk.allCases)
      let burst = Burst(
        wildEdit(&choices),
        count: 1 + choices.index(below: 20),
        walk: walk,
        commits: choices.flag()
      )
      return .call(replica: first, .burst(burst))
    default: return .edit(replica: first, wildEdit(&choices))
    }
  }

  private func wildEdit(_ choices: inout Choices) -> Edit<ObjectName> {
    let object = ObjectName(choices.index(below: 9))
    let index = choices.index(below: 9)
    let slot: Slot = choices.flag() ? .index(index) : .key(choices.element(of: ["k", "n", ""]))
    let value: Scalar = choices.element(of: [.int(1), .counter(2), .string("ab"), .null])
    let kind = choices.element(of: ObjectKind.allCases)
    switch choices.element(of: EditKind.allCases) {
    case .put: return .put(object, slot, value)
    case .putObject: return .putObject(object, slot, kind)
    case .insert: return .insert(object, index: index, value)
    case .insertObject: return .insertObject(object, index: index, kind)
    case .delete: return .delete(object, slot)
    case .increment: return .increment(object, slot, by: .max)
    case .splice:
      return .splice(object, index: index, deleting: choices.index(below: 4), inserting: [value])
    case .spliceText:
      return .spliceText(object, index: index, deleting: choices.index(below: 4), inserting: "xy")
    case .mark:
      let end = choices.index(below: 9)
      return .mark(object, Marking(index, to: end, "b", value, expand: .both))
    }
  }
}

extension Step {
  /// The writer that a restart goes on as.
  fileprivate var newWriter: Int? {
    guard case .restart(_, _, let actor) = self else { return nil }
    return actor
  }
}
