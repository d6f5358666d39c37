import DocumentModel
import Histories
import PropertyEngine
import Testing

@Suite("Histories as programs")
struct LoweringTests {
  @Test("The replicas start as forks of the base, whose place the last one takes")
  func opening() throws {
    #expect(
      try written("", base: .empty).opening == [
        .create(document: 0, History.actor(0)), .create(document: 1, History.actor(1)),
      ]
    )
    #expect(
      try written("", base: .objects, replicas: 3).opening == [
        .base(document: 2, .objects), .fork(document: 0, from: 2, History.actor(0)),
        .fork(document: 1, from: 2, History.actor(1)),
        .fork(document: 2, from: 2, History.actor(2)),
      ]
    )
  }

  @Test("Objects, replicas, messages and slots get numbers that never meet")
  func numbers() throws {
    let history = try written(
      """
      r1 put root "m" new map as map4
      r0 insert list1 0 int 1
      r0 insert list1 0 new text as text5
      r1 fork r2 actor 7
      r2 fork r3 actor 8
      r0 -> r1 changes
      r0 -> r1 merge
      r0 -> r1 send m1 changes
      r1 -> r0 send m2 document
      m2 deliver
      m1 deliver part 3
      m9 deliver
      r1 save s0
      r1 save s2
      r1 restart s2 actor 9
      m1 drop noise
      cut r0
      cut-outgoing r0
      mend
      clog r0 -> r1
      unclog r0 -> r1
      r3 commit
      """
    )
    var lowering = Lowering(history: history)
    #expect(
      history.steps.flatMap { lowering.lower($0) } == [
        .edit(document: 1, .putObject(.root, .key("m"), .map), makes: ObjectName(4)),
        .edit(document: 0, .insert(ObjectName(1), index: 0, .int(1)), makes: nil),
        .edit(document: 0, .insertObject(ObjectName(1), index: 0, .text), makes: ObjectName(5)),
        .fork(document: 2, from: 1, History.actor(7)),
        .fork(document: 3, from: 2, History.actor(8)),
        .send(message: 2, from: 0, to: 1, .changes, .unsent),
        .deliver(message: 2, document: 1, part: nil),
        .merge(document: 1, from: 0),
        .send(message: 1, from: 0, to: 1, .changes, .unsent),
        .send(message: 3, from: 1, to: 0, .document, .unsent),
        .deliver(message: 3, document: 0, part: nil),
        .deliver(message: 1, document: 1, part: 3),
        .save(document: 1, slot: 1),
        .save(document: 1, slot: 65),
        .load(document: 1, slot: 65, History.actor(9)),
        .commit(document: 3),
      ]
    )
  }

  @Test("Healing is two rounds of all pairs, both ways, by the transport of the pair")
  func healing() throws {
    var history = try written("r0 fork r2 actor 2\nr0 -> r1 changes")
    history.healing = [.changes, .merge]
    // A pair's transport is that at the sum of its numbers: only 0 and 2 meet by changes.
    func round(_ first: Int) -> [Instruction] {
      [
        .merge(document: 1, from: 0), .merge(document: 0, from: 1),
        .send(message: first, from: 0, to: 2, .changes, .missing),
        .deliver(message: first, document: 2, part: nil),
        .send(message: first + 2, from: 2, to: 0, .changes, .missing),
        .deliver(message: first + 2, document: 0, part: nil),
        .merge(document: 2, from: 1), .merge(document: 1, from: 2),
      ]
    }
    // Message 2 is the exchange of the history itself.
    #expect(history.healingPhase == round(4) + round(8))
    #expect(history.finalReplicaCount == 3)
    history.healing = []
    #expect(history.healingTransport(between: 1, and: 2) == .merge)
  }

  @Test("Healing brings all replicas of any history to one state")
  func healingSuffices() {
    for sample in normalisedHistories(250, seed: 31) {
      let count = sample.history.finalReplicaCount
      let states = outcomes(sample.history).suffix(count).map(\.observation)
      #expect(states.first != .some(nil))
      #expect(states.allSatisfy { $0 == states.first }, "\(sample.history.text)")
    }
  }

  @Test("A history's size counts edits and what arrives")
  func sizes() throws {
    let history = try written(
      """
      r0 put root "k" int 1
      r0 commit
      r0 -> r1 merge
      r0 -> r1 send m1 merge
      m1 deliver
      m1 drop noise
      r0 fork r2 actor 2
      mend
      """
    )
    #expect(history.size == 3)
    #expect(history.editCount == 1)
    #expect(History.actor(0).description == String(repeating: "01", count: 16))
    #expect(History.actor(159).description == String(repeating: "a0", count: 16))
  }
}
