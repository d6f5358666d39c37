import CodingSupport
import ModelGeneration
import NaiveCoder
import PropertyEngine
import Testing

@testable import CodingLaws

@Suite("Events of stories")
struct StoryEventTests {
  @Test("Every event that is drawn is read back from its tree, and every kind of event is drawn")
  func readBack() throws {
    var names: Set<Tree?> = []
    for index in 0..<2000 as Range<UInt64> {
      var choices = Choices(seed: Seed(value: 5).stream(index))
      let tree = StoryEvent.drawn(&choices).tree
      #expect(try StoryEvent(tree: tree).tree == tree)
      #expect(try Tree(text: tree.text) == tree)
      names.insert(tree.child(.key("do")))
    }
    #expect(names.count == 12 && !names.contains(nil))
  }

  @Test(
    "An event has a tree that stored samples keep",
    arguments: [
      (
        .change(.add(.pairs([.init(slot: .second, value: .texts([1, 0]))]), in: 3, as: 2)),
        #"{"do": "add", "what": {"pairs": [int 1, {"texts": [int 1, int 0]}]}, "in": int 3, "as": int 2}"#
      ),
      (.change(.remove(at: 1)), #"{"do": "remove", "at": int 1}"#),
      (.change(.swap(at: 1, with: 2)), #"{"do": "swap", "at": int 1, "with": int 2}"#),
      (
        .put(.map([.init(key: "k0", value: .list([.null, .int(1), .string("a")]))]), at: 4),
        #"{"do": "put", "what": {"map": {"k0": [null, int 1, "a"]}}, "at": int 4}"#
      ),
      (
        .move(at: 1, in: 2, as: 3, leavesPlain: true),
        #"{"do": "move", "at": int 1, "in": int 2, "as": int 3, "leaves plain": true}"#
      ),
      (.toggle(set: 1, instance: 2), #"{"do": "toggle", "set": int 1, "instance": int 2}"#),
      (.alter(instance: 13, to: "ab"), #"{"do": "alter", "instance": int 13, "to": "ab"}"#),
      (.peer(at: 1, by: 7), #"{"do": "peer", "at": int 1, "by": int 7}"#),
      (.merge, #"{"do": "merge"}"#), (.reopen, #"{"do": "reopen"}"#),
      (
        .encode(StoryEncode(strategy: .readonly, isElsewhere: true, editsThen: true)),
        #"""
        {"do": "encode", "by": "readonly", "elsewhere": true, "with witness": false, "then edit": true}
        """#
      ),
      (
        .based(edits: [0, 5], changes: [.remove(at: 1), .add(.newCounter(5), in: 0, as: 1)]),
        #"""
        {"do": "based", "edits": [int 0, int 5], "changes": [
          {"do": "remove", "at": int 1},
          {"do": "add", "what": counter 5, "in": int 0, "as": int 1}
        ]}
        """#
      ),
      (.put(.newText("a"), at: 0), #"{"do": "put", "what": text "a", "at": int 0}"#),
      (.put(.text(2), at: 0), #"{"do": "put", "what": {"text": int 2}, "at": int 0}"#),
      (.put(.counter(2), at: 0), #"{"do": "put", "what": {"counter": int 2}, "at": int 0}"#),
      (.put(.counters([2]), at: 0), #"{"do": "put", "what": {"counters": [int 2]}, "at": int 0}"#),
    ] as [(StoryEvent, String)]
  )
  func form(event: StoryEvent, text: String) throws {
    let tree = try Tree(text: text)
    #expect(event.tree == tree)
    #expect(try StoryEvent(tree: tree) == event)
  }

  @Test("A flag that is left out is not set")
  func flags() throws {
    let tree = try Tree(text: #"{"do": "encode", "by": "override"}"#)
    #expect(try StoryEvent(tree: tree) == .encode(StoryEncode(strategy: .override)))
  }

  @Test(
    "A tree that is no event, or is misspelled, is refused with what is wrong",
    arguments: [
      ("null", #"an event is a map that has its name under "do""#),
      (#"{"at": int 1}"#, #"an event is a map that has its name under "do""#),
      (#"{"do": "ad"}"#, #"there is no event "ad""#),
      (#"{"do": "remove"}"#, #"the event "remove" lacks a proper "at""#),
      (#"{"do": "remove", "at": int -1}"#, #"the event "remove" lacks a proper "at""#),
      (#"{"do": "remove", "at": "1"}"#, #"the event "remove" lacks a proper "at""#),
      (#"{"do": "merge", "at": int 1}"#, #"the event "merge" has no part "at""#),
      (#"{"do": "encode", "by": "overide"}"#, #"the event "encode" lacks a proper "by""#),
      (
        #"{"do": "encode", "by": "override", "with witnes": true}"#,
        #"the event "encode" has no part "with witnes""#
      ),
      (
        #"{"do": "encode", "by": "override", "then edit": int 1}"#,
        #"the event "encode" lacks a proper "then edit""#
      ),
      (
        #"{"do": "put", "what": {"txt": int 1}, "at": int 0}"#,
        #"{"txt": int 1} is not a value of a story"#
      ),
      (
        #"{"do": "put", "what": [{"texts": [null]}], "at": int 0}"#,
        #"{"texts": [null]} is not a value of a story"#
      ),
      (
        #"{"do": "put", "what": {"pairs": [int 0]}, "at": int 0}"#,
        #"{"pairs": [int 0]} is not a value of a story"#
      ),
      (
        #"{"do": "based", "edits": [], "changes": [{"do": "merge"}]}"#,
        #"there is no event "merge""#
      ),
    ]
  )
  func refused(text: String, reason: String) throws {
    let tree = try Tree(text: text)
    let error = #expect(throws: StoryEventError.self) { try StoryEvent(tree: tree) }
    #expect(error?.description == reason)
  }

  @Test(
    "A story with an event that is not read is refused when it is stored, and skipped otherwise"
  )
  func stored() throws {
    let law = try #require(CodingLaw.all.named(["reference.story"]).first)
    var sample = CodingSample(model: "Empty")
    sample.numbers = [0]
    sample.trees = try [#"{"do": "merge"}"#, #"{"do": "mrge"}"#].map { try Tree(text: $0) }
    let lowered = law.lowered(on: NaiveCoder(), CatalogueTests.pool)
    let reason = #"event 2: there is no event "mrge""#
    let error = #expect(throws: StoryEventError.self) { try lowered.form.parse(sample.text) }
    #expect(error?.description == reason)
    #expect(lowered.verdict(of: sample) == .skipped(reason))
    sample.trees.removeLast()
    #expect(try lowered.form.parse(sample.text) == sample)
    #expect(lowered.verdict(of: sample) == .held)
  }

  @Test("What a listed divergence needs is worded whole, and one that needs nothing says so")
  func conditions() {
    func condition(
      _ kind: String? = nil,
      _ model: String? = nil,
      holding: Tree.Kind? = nil,
      twoSpellings: Bool = false,
      endsProcess: Bool = false
    ) -> String {
      CoderDivergence(
        law: "roundtrip.value",
        kind: kind,
        model: model,
        holding: holding,
        twoSpellings: twoSpellings,
        endsProcess: endsProcess,
        reason: "none"
      ).condition
    }
    #expect(condition() == "any difference")
    #expect(condition("tree.value", "Ledger") == "tree.value, model Ledger")
    #expect(condition(holding: .date) == "a value of kind date")
    #expect(condition(twoSpellings: true) == "a string in two spellings")
    #expect(condition(nil, "FoundationTypes", endsProcess: true) == "a trap, model FoundationTypes")
  }
}
