import DocumentModel
import Histories
import PropertyEngine
import Subjects
import Testing

/// A tiny history, and everything that is counted of it.
struct Facts: CustomStringConvertible {
  let name: String
  let steps: String
  var waypoints: [Waypoint] = []
  var faults: [Fault] = []
  var base = Base.objects
  var replicas = 2

  init(
    _ name: String,
    _ steps: String,
    _ waypoints: [Waypoint] = [],
    faults: [Fault] = [],
    base: Base = .objects,
    replicas: Int = 2
  ) {
    self.name = name
    self.steps = steps
    self.waypoints = waypoints
    self.faults = faults
    self.base = base
    self.replicas = replicas
  }

  var description: String { name }
}

@Suite("What is counted of a history")
struct HistoryFactsTests {
  static let meetings: [Facts] = [
    Facts("two deletes", "r0 delete list1 0\nr1 delete list1 0", [.deletesMet]),
    Facts(
      "two deletes, one after the other",
      "r0 delete list1 0\nr0 -> r1 merge\nr1 delete list1 0"
    ),
    Facts("deletes of two elements", "r0 delete list1 0\nr1 delete list1 1"),
    Facts("a delete and a put", "r0 delete map3 \"k\"\nr1 put map3 \"k\" int 5", [.deleteMetPut]),
    Facts(
      "a delete that heard of the put",
      "r1 put map3 \"k\" int 5\nr1 -> r0 merge\nr0 delete map3 \"k\""
    ),
    Facts(
      "a deleted element is put",
      "r0 delete list1 0\nr1 put list1 0 string \"x\"",
      [.deleteMetPut, .elementRevived]
    ),
    Facts(
      "an element is put and then deleted elsewhere",
      "r1 put list1 0 string \"x\"\nr0 splice list1 0 delete 2",
      [.deleteMetPut, .elementRevived]
    ),
    Facts("two puts", "r0 put map3 \"k\" int 1\nr1 put map3 \"k\" int 2", [.putsMet]),
    Facts("two puts where nothing stood", "r0 put map3 \"z\" int 1\nr1 put map3 \"z\" int 2"),
    Facts("two puts of one replica", "r0 put map3 \"k\" int 1\nr0 put map3 \"k\" int 2"),
    Facts(
      "two objects",
      "r0 put root \"o\" new map as map4\nr1 put root \"o\" new list as list5",
      [.objectsMet]
    ),
    Facts(
      "two objects under two keys",
      "r0 put root \"o\" new map as map4\nr1 put root \"p\" new list as list5"
    ),
    Facts("two inserts", "r0 insert list1 1 int 1\nr1 insert list1 1 int 2", [.insertsMet]),
    Facts(
      "two texts typed",
      "r0 type text2 0 delete 0 insert \"x\"\n"
        + "r1 type text2 0 delete 0 insert \"y\"",
      [.insertsMet]
    ),
    Facts("two inserts at two places", "r0 insert list1 0 int 1\nr1 insert list1 1 int 2"),
    Facts(
      "two inserts, one after the other",
      "r0 insert list1 1 int 1\nr0 -> r1 changes\nr1 insert list1 1 int 2"
    ),
    Facts(
      "two increments",
      "r0 increment root \"n\" 1\nr1 increment root \"n\" 2",
      [.incrementsMet],
      base: .counters
    ),
    Facts(
      "increments of two counters",
      "r0 increment root \"n\" 1\nr1 increment root \"n2\" 2",
      base: .counters
    ),
  ]

  static let situations: [Facts] = [
    Facts(
      "an edit of an object that was deleted elsewhere",
      "r0 delete root \"l\"\nr1 insert list1 0 int 1",
      [.removedObjectEdited]
    ),
    Facts(
      "an edit of an object that was overwritten",
      "r0 put root \"o\" new list as list4\nr0 put root \"o\" int 1\nr0 insert list4 0 int 1",
      [.removedObjectEdited]
    ),
    Facts("an edit before the object is deleted", "r0 insert list1 0 int 1\nr0 delete root \"l\""),
    Facts(
      "an edit in an object in an object",
      "r0 insert list1 0 new map as map4\nr0 put map4 \"k\" int 1",
      [.nestedEdited]
    ),
    Facts(
      "an edit in an object in the root",
      "r0 put root \"o\" new map as map4\nr0 put map4 \"k\" int 1"
    ),
    Facts(
      "edits on both sides of a cut that ends",
      "cut r0\nr0 put root \"a\" int 1\nr1 put root \"z\" int 1\nmend",
      [.partitionHealed],
      faults: [.partition]
    ),
    Facts(
      "edits on one side of a cut",
      "cut r0\nr0 put root \"a\" int 1\nmend\nr1 put root \"z\" int 1",
      faults: [.partition]
    ),
    Facts(
      "a cut that does not end",
      "cut-outgoing r0\nr0 put root \"a\" int 1\nr1 put root \"z\" int 1",
      faults: [.oneWayPartition]
    ),
    Facts(
      "a writer that lost an edit",
      "r0 save s0\nr0 put map3 \"k\" int 1\nr0 restart s0 actor 2\nr0 put root \"z\" int 2",
      [.staleWriter],
      faults: [.crash]
    ),
    Facts(
      "a restart that loses nothing",
      "r0 put map3 \"k\" int 1\nr0 save s0\nr0 restart s0 actor 0\nr0 put root \"z\" int 2",
      faults: [.crash]
    ),
    Facts(
      "a loser of edits that writes no more",
      "r0 save s0\nr0 put map3 \"k\" int 1\nr0 restart s0 actor 2\nr1 put root \"z\" int 2",
      faults: [.crash]
    ),
    Facts(
      "a change that arrives before the one it needs",
      "r0 put root \"a\" int 1\nr0 commit\nr0 put root \"z\" int 2\nr0 -> r1 send m1 changes\n"
        + "m1 deliver part 1",
      [.changeWaited],
      base: .empty
    ),
    Facts(
      "the base's change need not arrive",
      "r0 put root \"a\" int 1\nr0 -> r1 send m1 changes\nm1 deliver part 1"
    ),
    Facts(
      "a change that waits where there is a base",
      "r0 put root \"a\" int 1\nr0 commit\nr0 put root \"z\" int 2\nr0 -> r1 send m1 changes\n"
        + "m1 deliver part 2",
      [.changeWaited]
    ),
    Facts(
      "changes in order",
      "r0 put root \"a\" int 1\nr0 commit\nr0 put root \"z\" int 2\nr0 -> r1 send m1 changes\n"
        + "m1 deliver part 0\nm1 deliver part 1",
      base: .empty
    ),
    Facts(
      "a change that comes again after all",
      "r0 put root \"a\" int 1\nr0 commit\nr0 put root \"z\" int 2\nr0 -> r1 send m1 changes\n"
        + "m1 deliver\nm1 deliver part 1",
      faults: [.duplication],
      base: .empty
    ),
    Facts("an edit of a fork", "r0 fork r2 actor 2\nr2 put root \"z\" int 1", [.forkEdited]),
    Facts("an edit of a fork's original", "r0 fork r2 actor 2\nr0 put root \"z\" int 1"),
    Facts("hostile words", "r0 put root \"z\" string \"\\u{e9}\"", [.hostileText]),
    Facts(
      "hostile words in a splice",
      "r0 splice list1 0 delete 0 insert string \"\\u{0}\"",
      [.hostileText]
    ),
    Facts("hostile typing", "r0 type text2 0 delete 0 insert \"\\u{301}\"", [.hostileText]),
    Facts("plain words", "r0 put root \"z\" string \"~ ok\""),
  ]

  static let faults: [Facts] = [
    Facts(
      "a message that is late",
      "r0 -> r1 send m1 merge\nr0 commit\nm1 deliver",
      faults: [.delay]
    ),
    Facts("a message in time", "r0 -> r1 send m1 merge\nm1 deliver"),
    Facts(
      "a message that comes twice",
      "r0 -> r1 send m1 merge\nm1 deliver\nm1 deliver",
      faults: [.duplication]
    ),
    Facts(
      "a part, and then the whole message",
      "r0 put root \"a\" int 1\nr0 commit\nr0 put root \"z\" int 2\nr0 -> r1 send m1 changes\n"
        + "m1 deliver part 0\nm1 deliver",
      base: .empty
    ),
    Facts("a message that is lost", "r0 -> r1 send m1 merge\nm1 drop noise", faults: [.loss]),
    Facts(
      "a message that runs into a cut",
      "cut r0\nr0 -> r1 send m1 merge\nm1 drop cut",
      faults: [.partition]
    ),
    Facts("a clog", "clog r0 -> r1\nunclog r0 -> r1", faults: [.clog]),
    Facts(
      "two snapshots, and the older one is loaded",
      "r0 save s0\nr0 save s1\nr0 restart s0 actor 0",
      faults: [.staleRestart]
    ),
    Facts(
      "two messages of one sender change places",
      "r0 -> r1 send m1 merge\nr0 -> r1 send m2 merge\nm2 deliver\nm1 deliver",
      faults: [.delay, .reorderWithinSender]
    ),
    Facts(
      "two changes of one message change places",
      "r0 put root \"a\" int 1\nr0 commit\nr0 put root \"z\" int 2\nr0 -> r1 send m1 changes\n"
        + "m1 deliver part 1\nm1 deliver part 0",
      [.changeWaited],
      faults: [.reorderWithinSender],
      base: .empty
    ),
    Facts(
      "two messages of two senders change places",
      "r0 -> r2 send m1 merge\nr1 -> r2 send m2 merge\nm2 deliver\nm1 deliver",
      faults: [.delay, .reorderAcrossSenders],
      replicas: 3
    ),
    Facts(
      "calls off the usual way",
      """
      r0 try put list1 7 int 1
      r0 put root "k" int 1
      r0 read
      r0 save s0
      r0 append s0
      r0 fork r2 at s0 actor 2
      """,
      [.callRefused, .readWhileOpen, .savedByIncrement, .forkedInThePast]
    ),
    Facts(
      "marks of one name, a cursor beside an edit, a session, one with a loss",
      """
      r0 mark list1 0 to 1 "b" int 1 expand none
      r1 mark list1 0 to 1 "b" int 1 expand none
      r0 cursor list1 0 moving after
      r1 mark list1 0 to 1 "c" int 1 expand none
      r0 syncs r1
      r0 syncs r1 lose
      """,
      [.marksMet, .cursorEdited, .synced, .syncDisturbed]
    ),
    Facts(
      "a hostile peer",
      """
      r0 put root "k" int 1
      r0 commit
      r1 hears forge knowing r1 pick 0
      r1 hears poison knowing r0 pick 1
      r1 hears withhold knowing r0 pick 0
      r1 hears lie knowing r0 pick 0
      r1 hears replay knowing r0 pick 0
      """,
      [.forged, .poisoned, .withheld, .liedTo, .replayed]
    ),
    Facts(
      "two deletes, one of them taken back",
      "r0 delete list1 0\nr0 rollback\nr1 delete list1 0",
      [.rolledBack]
    ),
    Facts(
      "a hundred letters, one by one",
      "r0 burst 100 forward type text2 0 delete 0 insert \"a\"",
      [.largeBurst]
    ),
    Facts(
      "a base of a hundred elements",
      "grow splice list1 0 delete 0 insert int 0 times 100 counting\nr0 delete list1 99",
      [.largeBase]
    ),
    Facts(
      "two messages of two senders in order",
      "r0 -> r2 send m1 merge\nm1 deliver\nr1 -> r2 send m2 merge\nm2 deliver",
      replicas: 3
    ),
  ]

  @Test(
    "A history has exactly the waypoints and faults that it shows",
    arguments: meetings + situations + faults
  )
  func counts(_ expected: Facts) throws {
    let raw = try written(expected.steps, base: expected.base, replicas: expected.replicas)
    let sample = normalise(raw)
    #expect(sample.history.steps == raw.steps, "the example is valid as it stands")
    let facts = HistoryFacts(sample)
    #expect(Set(facts.waypoints.entries.map(\.name)) == Set(expected.waypoints.map(\.name)))
    #expect(Set(facts.faults.entries.map(\.name)) == Set(expected.faults.map(\.rawValue)))
  }

  @Test("Every waypoint and every fault has an example here, and a counterexample")
  func complete() {
    let all = Self.meetings + Self.situations + Self.faults
    for waypoint in Waypoint.documents {
      #expect(all.contains { $0.waypoints.contains(waypoint) }, "\(waypoint.name)")
      #expect(all.contains { !$0.waypoints.contains(waypoint) }, "\(waypoint.name)")
    }
    for fault in Fault.allCases {
      #expect(all.contains { $0.faults.contains(fault) }, "\(fault)")
    }
    #expect(Set(Waypoint.documents.map(\.name)).count == Waypoint.documents.count)
  }

  private static let met = [
    (
      "two puts and a third",
      "r0 put map3 \"k\" int 1\nr1 put map3 \"k\" null\nr2 put map3 \"k\" int 3",
      [
        "puts-met in a map of depth 1, 1 there: put int, put null",
        "puts-met in a map of depth 1, 2 there: put int, put int",
        "puts-met in a map of depth 1, 2 there: put null, put int",
      ]
    ),
    (
      "puts in an object that an edit made",
      """
      r0 put map3 "o" new map as map4
      r0 put map4 "k" int 1
      r0 -> r1 merge
      r0 put map4 "k" boolean true
      r1 delete map4 "k"
      """,
      ["delete-met-put in a map of depth 2, 1 there: put boolean, delete"]
    ),
    (
      "marks that overlap",
      """
      r0 mark text2 0 to 2 "bold" boolean true expand both
      r1 mark text2 1 to 2 "bold" boolean true expand none
      """,
      [
        "marks-met in a text of depth 1, 1 there: mark both boolean, "
          + "mark none boolean, start >, end ="
      ]
    ),
  ]

  @Test("Meetings of one waypoint differ by object, depth, number and edits", arguments: met)
  func shapes(name: String, steps: String, shapes: [String]) throws {
    let raw = try written(steps, base: .objects, replicas: 3)
    let sample = normalise(raw)
    #expect(sample.history.steps == raw.steps, "the example is valid as it stands")
    #expect(HistoryFacts(sample).shapes.entries.map(\.name) == shapes)
  }

  @Test("Values are counted by the edit that writes them, with what they are like")
  func values() throws {
    let history = try History(
      text: """
        history 1
        base objects
        replicas 2
        healing merge
        r0 put root "k" int -1
        r0 splice list1 0 delete 0 insert null insert string ""
        r1 increment root "k" 300

        """
    )
    let values = HistoryFacts(normalise(history)).values
    #expect(values.uses(of: "int")["put"] == 1)
    #expect(values.traits(of: "int")["below 0"] == 1)
    #expect(values.uses(of: "null")["splice"] == 1)
    #expect(values.traits(of: "string")["empty"] == 1)
    #expect(values.uses(of: "float").isEmpty)
    // What is drawn has traits that are listed, or no report would show them.
    for stream in 0..<40 as Range<UInt64> {
      var choices = Choices(seed: Seed(value: 7).stream(stream))
      let drawn = HistoryFacts(normalise(Generator<History>.histories().draw(&choices))).values
      for kind in ScalarKind.allCases {
        let unlisted = drawn.traits(of: kind.rawValue).entries.map(\.name)
          .filter { !kind.traits.contains($0) }
        #expect(unlisted == [])
      }
    }
  }

  @Test("Edits and transports are counted one by one")
  func tallies() throws {
    let facts = HistoryFacts(
      try normalise(
        written(
          """
          r0 put root "k" int 1
          r0 put root "k" int 2
          r1 delete list1 0
          r0 -> r1 merge
          r0 -> r1 document
          r1 -> r0 send m1 document
          m1 deliver
          """
        )
      )
    )
    #expect(facts.edits.entries.map { "\($0.name) \($0.count)" } == ["delete 1", "put 2"])
    #expect(facts.transports.entries.map { "\($0.name) \($0.count)" } == ["document 2", "merge 1"])
  }
}
