import DocumentModel
import Histories
import NaiveModel
import PropertyEngine
import Subjects
import Testing

@Suite("Bursts, large bases, and calls off the usual way")
struct BurstTests {
  struct Expanded: CustomStringConvertible {
    let line: String
    let edits: [String]

    init(_ line: String, _ edits: [String]) {
      self.line = line
      self.edits = edits
    }

    var description: String { line }
  }

  @Test(
    "A burst stands for edits, each seen from the one before",
    arguments: [
      Expanded(
        "r0 burst 3 forward type text2 0 delete 0 insert \"y\"",
        [
          "r0 type text2 0 delete 0 insert \"y\"", "r0 type text2 1 delete 0 insert \"z\"",
          "r0 type text2 2 delete 0 insert \"a\"",
        ]
      ),
      Expanded(
        "r0 burst 2 backward delete list1 1",
        ["r0 delete list1 1", "r0 delete list1 0"]
      ),
      Expanded("r0 burst 2 same delete list1 0", ["r0 delete list1 0", "r0 delete list1 0"]),
      Expanded(
        "r0 burst 3 forward put map3 \"k\" int 8",
        ["r0 put map3 \"k\" int 8", "r0 put map3 \"k1\" int 9", "r0 put map3 \"k2\" int 10"]
      ),
      Expanded(
        "r0 burst 2 same insert list1 2 boolean true",
        ["r0 insert list1 2 boolean true", "r0 insert list1 2 boolean false"]
      ),
    ]
  )
  func expands(_ expected: Expanded) throws {
    let history = try written(expected.line)
    let steps = try #require(history.steps.first?.edits)
    let single = History(
      base: .objects,
      replicaCount: 2,
      healing: [.merge],
      steps: steps.edits.map { .edit(replica: steps.replica, $0) }
    )
    #expect(single.stepLines == expected.edits)
    #expect(normalise(history).history == history, "it is valid as it stands")
  }

  @Test("A committing burst makes a change of each edit")
  func commits() throws {
    let history = try written("r0 burst 3 forward committing put root \"k\" int 0")
    let replicas = Normaliser<ReferenceModel>.run(history).replicas
    var first = try #require(replicas.first)
    #expect(first.parts(since: []).count == 4, "the base's change, and three")
  }

  @Test("A burst has as many edits as there is room for; of one edit it is that edit")
  func room() throws {
    let raw = try written(
      """
      r0 burst 9 same delete list1 0
      r0 burst 9 backward type text2 1 delete 0 insert "a"
      r0 burst 9 forward put list1 0 int 5
      r1 burst 9 forward put list1 1 int 5
      """
    )
    #expect(
      normalise(raw).history.stepLines == [
        "r0 burst 2 same delete list1 0",
        "r0 burst 2 backward type text2 1 delete 0 insert \"a\"",
        "r1 put list1 1 int 5",
      ]
    )
  }

  @Test("What the base holds besides is there when the replicas start")
  func grows() throws {
    let text = """
      history 1
      base objects
      replicas 3
      healing merge
      writers tails
      grow type text2 0 delete 0 insert "ab" times 150
      grow burst 40 same insert list1 0 int 0
      r2 delete list1 41

      """
    let history = try History(text: text)
    #expect(history.text == text.replacing("grow type", with: "grow burst 1 same type"))
    let (valid, replicas) = Normaliser<ReferenceModel>.run(history)
    #expect(valid.history == history)
    #expect(replicas.map { $0.shape(of: history.base.objectIDs[2])?.length } == [302, 302, 302])
    #expect(replicas.map { $0.shape(of: history.base.objectIDs[1])?.length } == [42, 42, 41])
    #expect(replicas[2].actor.bytes == Array(repeating: 0x77, count: 15) + [3])
  }

  @Test(
    "Writers have names of their own, in every way of calling them",
    arguments: Writers.allCases
  )
  func writers(_ writers: Writers) {
    let actors = (0..<History.actorLimit).map { writers.actor($0) }
    let others = Base.allCases.map(\.actor) + [0xdc, 0xdd, 0xee].map { ActorID(repeating: $0) }
    #expect(Set(actors + others).count == actors.count + Set(others).count)
  }

  @Test("A call that is to be refused is kept, moved past the end, or left out")
  func attempts() throws {
    let raw = try written(
      """
      r0 try put map3 4 int 1
      r0 try put list1 0 int 1
      r0 try insert list1 1 int 1
      r0 try put root "k" int 1
      r0 try splice text2 9 delete 1
      r0 put root "o" new list as list4
      r1 try insert list4 0 int 1
      """
    )
    #expect(
      normalise(raw).history.stepLines == [
        "r0 try put map3 4 int 1", "r0 try put list1 2 int 1", "r0 try insert list1 3 int 1",
        "r0 put root \"o\" new list as list4", "r1 try insert list4 0 int 1",
      ]
    )
  }

  @Test("What is appended goes to the slot last written, and only if nothing was saved elsewhere")
  func appends() throws {
    let raw = try written(
      """
      r0 append s0
      r0 save s0
      r0 put root "k" int 1
      r0 append s7
      r0 -> r1 document
      r0 append s0
      r1 save s0
      r1 restart s0 actor 1
      r1 append s0
      r1 restart s0 actor 1
      r0 fork r2 at s0 actor 2
      """
    )
    #expect(
      normalise(raw).history.stepLines == [
        "r0 save s0", "r0 put root \"k\" int 1", "r0 append s0", "r0 -> r1 document", "r1 save s0",
        "r1 restart s0 actor 1", "r1 append s0", "r1 restart s0 actor 1",
        "r0 fork r2 at s0 actor 2",
      ]
    )
  }

  @Test("Every size of a world is drawn, and its history is written and read back")
  func texts() throws {
    var kinds: Set<String> = []
    for sample in normalisedHistories(400, seed: 61) {
      #expect(try History(text: sample.history.text) == sample.history)
      for step in sample.history.steps {
        guard case .call(_, let call) = step else { continue }
        kinds.insert("\(call)".prefix { $0 != "(" }.description)
      }
    }
    #expect(kinds.isSuperset(of: ["attempt", "rollback", "read", "append", "commit", "burst"]))
  }

  @Test("A bug that needs a number of elements shrinks to one burst of that number")
  func shrinks() throws {
    let generator = Generator.histories()
    func fails(_ history: History) -> Bool {
      history.steps.contains { step in
        if case .call(_, .burst(let burst)) = step { burst.count >= 37 } else { false }
      }
    }
    var found: Choices?
    for index in 0..<4000 {
      var choices = Choices(seed: Seed(value: 62).stream(UInt64(index)))
      if fails(generator.draw(&choices)) {
        found = choices
        break
      }
    }
    let first = try #require(found)
    let shrinker = Shrinker(failing: first.recorded, spans: first.spans, stepLimit: 4000)
    let result = shrinker.run { candidate in
      var choices = Choices(replaying: candidate)
      let doesFail = fails(generator.draw(&choices))
      return ShrinkAttempt(choices, fails: doesFail)
    }
    var choices = Choices(replaying: result.values)
    let history = generator.draw(&choices)
    #expect(history.steps.count == 1)
    #expect(history.steps.first?.edits?.edits.count == 37)
    #expect(result.steps < 1500)
  }
}
