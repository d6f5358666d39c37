import Histories
import Subjects
import Testing
import Texts

@Suite("Conditions as data")
struct HistoryPredicateTests {
  /// What a file defines by name.
  private static let named = #"""
    {
      "wide": {"edit": {"in": "text", "units": {"not": 1}}},
      "never": {"not": {"edit": {"in": "text"}}},
      "other": {"all": ["wide"]}
    }
    """#

  private static func predicate(_ text: String) throws -> HistoryPredicate {
    try HistoryPredicate(JSONValue(parsing: text), named: JSONValue(parsing: named))
  }

  struct Example: CustomStringConvertible {
    let predicate: String
    let steps: String
    /// The steps that make it hold.
    let found: [Int]
    /// Whether it holds without such a step, as something does not happen.
    var holdsByItself = false
    var base = Base.objects

    init(_ predicate: String, _ steps: String, _ found: [Int]) {
      self.predicate = predicate
      self.steps = steps
      self.found = found
    }

    var description: String { "\(predicate) \(steps)" }
  }

  static let put = "r0 put root \"k\" int 1"
  static let wide = "r1 insert text2 0 string \"xy\""
  static let mark = "r0 mark list1 0 to 1 \"b\" null expand none"

  static let patterns: [Example] = [
    Example(#""wide""#, "\(put)\n\(wide)", [1]),
    Example(#"{"edit": [{"kind": "put"}, {"units": 2}]}"#, "\(put)\n\(mark)\n\(wide)", [0, 2]),
    Example(#"{"edit": {"deletes": 1}}"#, "\(put)\nr0 delete list1 0", [1]),
    Example(
      #"{"edit": {"deletes": {"above": 1}}}"#,
      "r0 delete list1 0\nr0 type text2 0 delete 2 insert \"\"",
      [1]
    ),
    Example(
      #"{"edit": {"kind": "splice", "deletes": 0}}"#,
      "r0 delete list1 0\nr0 splice list1 0 delete 0 insert int 1",
      [1]
    ),
    Example(#"{"edit": {"kind": "put"}}"#, "\(put)\n\(wide)", [0]),
    Example(#"{"edit": {"kind": ["insert", "delete"]}}"#, "\(put)\n\(wide)", [1]),
    Example(#"{"edit": {"in": "text"}}"#, "\(put)\n\(wide)", [1]),
    Example(#"{"edit": {"in": ["map", "list"]}}"#, "\(put)\n\(wide)", [0]),
    Example(
      #"{"edit": {"in": "text"}}"#,
      "r0 put root \"o\" new text as text4\nr0 insert text4 0 string \"xy\"",
      [1]
    ),
    Example(#"{"edit": {"key": "k"}}"#, "\(put)\n\(wide)\nr1 delete root \"k\"", [0, 2]),
    Example(#"{"edit": {"value": "int"}}"#, "\(put)\n\(wide)", [0]),
    Example(#"{"edit": {"value": "map"}}"#, "\(put)\nr0 put root \"m\" new map as map4", [1]),
    Example(#"{"edit": {"value": "nan"}}"#, "r0 put root \"k\" float nan\n\(put)", [0]),
    Example(#"{"edit": {"value": "nan"}}"#, "r0 put root \"k\" float 1e300", []),
    Example(#"{"edit": {"value": "float"}}"#, "r0 put root \"k\" float nan\n\(put)", [0]),
    Example(#"{"edit": {"units": 2}}"#, "\(put)\n\(wide)", [1]),
    Example(#"{"edit": {"units": 3}}"#, "\(put)\n\(wide)", []),
    Example(#"{"edit": {"units": {"above": 2}}}"#, "\(put)\n\(wide)", []),
    Example(#"{"edit": {"units": {"above": 1, "below": 3}}}"#, "\(put)\n\(wide)", [1]),
    Example(#"{"edit": {"units": {"above": 1, "below": 2}}}"#, "\(put)\n\(wide)", []),
    Example(#"{"edit": {"units": {"not": 2}}}"#, "\(put)\n\(wide)", []),
    Example(#"{"edit": {"magnitude": {"above": 6}}}"#, "r0 put root \"k\" int -7\n\(put)", [0]),
    Example(#"{"edit": {"kind": "put", "key": "k"}}"#, "r0 delete root \"k\"", []),
    // One value has all that is demanded of a value.
    Example(
      #"{"edit": {"value": "int", "units": 1}}"#,
      "r0 splice list1 0 delete 0 insert int 1 insert string \"a\"",
      []
    ),
    Example(
      #"{"edit": {"kind": "mark", "length": {"above": 1}}}"#,
      "\(mark)\nr0 mark list1 0 to 2 \"b\" null expand none",
      [1]
    ),
  ]

  static let joined: [Example] = [
    Example(#"{"edit": {"kind": "put"}, "atLeast": 2}"#, "\(put)\n\(wide)", []),
    Example(#"{"edit": {"kind": "put"}, "atLeast": 2}"#, "\(put)\n\(wide)\n\(put)", [0, 2]),
    Example(#"{"all": [{"edit": {"kind": "put"}}, "wide"]}"#, "\(put)\n\(wide)", [0, 1]),
    Example(#"{"all": [{"edit": {"kind": "put"}}, "wide"]}"#, put, []),
    Example(#"{"any": [{"edit": {"kind": "put"}}, "wide"]}"#, wide, [0]),
    Example(#"{"any": [{"edit": {"kind": "put"}}, "wide"]}"#, mark, []),
    Example(#"{"all": [{"edit": {"kind": "put"}}, {"not": "wide"}]}"#, put, [0]),
    Example(
      #"{"all": [{"edit": {"kind": "put"}}, {"not": "wide"}]}"#,
      "\(put)\n\(wide)",
      []
    ),
    Example(#"{"not": {"not": {"edit": {"kind": "put"}}}}"#, wide, []),
  ]

  private static let deletes = "r0 delete root \"k\"\nr1 put root \"k\" int 2"
  private static func with(_ members: String) -> String {
    #"{"edit": {"kind": "put"}, "with": {\#(members)}}"#
  }

  static let relations: [Example] = [
    Example(with(#""edit": {"kind": "delete"}"#), put, []),
    Example(with(#""edit": {"kind": "delete"}"#), deletes, [1]),
    // An edit does not meet itself.
    Example(with(#""edit": {"kind": "put"}"#), put, []),
    Example(with(#""edit": {"kind": "put"}"#), "\(put)\n\(put)", [0, 1]),
    Example(with(#""same": "replica""#), deletes, []),
    Example(with(#""other": "replica""#), deletes, [1]),
    Example(with(#""same": "replica""#), "\(put)\nr0 put root \"j\" int 1", [0, 1]),
    Example(with(#""same": ["object", "key"]"#), deletes, [1]),
    Example(with(#""same": "object", "other": "key""#), deletes, []),
    Example(with(#""same": "object", "other": "key""#), "\(put)\nr1 put root \"j\" int 1", [0, 1]),
    Example(with(#""other": "object""#), "\(put)\n\(wide)", [0]),
    // What has no key neither agrees nor differs in it.
    Example(with(#""same": "key""#), "r0 put list1 0 int 1\nr1 put list1 0 int 2", []),
    Example(with(#""other": "key""#), "\(put)\n\(wide)", []),
    Example(
      #"{"edit": {"kind": "mark"}, "with": {"same": "mark"}}"#,
      "\(mark)\nr1 mark text2 0 to 1 \"b\" null expand none",
      [0, 1]
    ),
    Example(
      #"{"edit": {"kind": "mark"}, "with": {"same": "mark"}}"#,
      "\(mark)\nr1 mark text2 0 to 1 \"c\" null expand none",
      []
    ),
    Example(with(#""order": "concurrent""#), deletes, [1]),
    Example(with(#""order": "concurrent""#), "r0 delete root \"k\"\nr0 put root \"k\" int 2", []),
    Example(
      with(#""order": "concurrent""#),
      "r0 delete root \"k\"\nr0 -> r1 merge\nr1 put root \"k\" int 2",
      []
    ),
    Example(
      with(#""order": "before""#),
      "r0 delete root \"k\"\nr0 -> r1 merge\nr1 put root \"k\" int 2",
      [2]
    ),
    Example(with(#""order": "after""#), "\(put)\nr0 delete root \"k\"", [0]),
    Example(with(#""order": "before""#), "\(put)\nr0 delete root \"k\"", []),
    Example(with(#""order": ["before", "after"]"#), deletes, []),
    // A message counts where it arrives, with what its sender knew.
    Example(
      with(#""order": "concurrent""#),
      "r0 -> r1 send m1 merge\nr0 delete root \"k\"\nm1 deliver\nr1 put root \"k\" int 2",
      [3]
    ),
    Example(
      with(#""order": "concurrent""#),
      "r0 delete root \"k\"\nr0 -> r1 send m1 merge\nm1 deliver\nr1 put root \"k\" int 2",
      []
    ),
    // What a stale restart has lost is not known any more.
    Example(
      with(#""order": "concurrent""#),
      "r0 save s0\nr0 put root \"k\" int 1\nr0 restart s0 actor 2\nr0 put root \"k\" int 2",
      [1, 3]
    ),
    Example(
      #"{"edit": {"kind": "put"}, "with": {"edit": {"kind": "put"}}, "atLeast": 3}"#,
      "\(put)\n\(put)",
      []
    ),
    // By the order of the history, not by what replicas know.
    Example(with(#""order": "earlier""#), deletes, [1]),
    Example(with(#""order": "later""#), deletes, []),
    Example(with(#""order": "later""#), "\(put)\nr1 delete root \"k\"", [0]),
    Example(with(#""order": ["earlier", "after"], "other": "replica""#), deletes, [1]),
    // One of several other edits.
    Example(
      with(#""edit": [{"kind": "mark"}, {"deletes": 1}], "same": "key""#),
      deletes,
      [1]
    ),
    // A replica that starts again writes under another name.
    Example(
      with(#""other": "writer", "same": "replica""#),
      "r0 save s0\nr0 put root \"k\" int 1\nr0 restart s0 actor 2\nr0 put root \"k\" int 2",
      [1, 3]
    ),
    Example(with(#""same": "writer""#), deletes, []),
    // A place is a key, or a whole list.
    Example(with(#""same": "place""#), "r0 put list1 0 int 1\nr0 put list1 1 int 1", [0, 1]),
    Example(with(#""same": "place""#), "\(put)\nr0 put root \"j\" int 1", []),
    // The start is known to all, and asked about only if it is named: the base has "l" and "k".
    Example(with(#""same": "place""#), "r0 put root \"l\" int 1", []),
    Example(with(#""same": "place", "from": "start""#), "r0 put root \"l\" int 1", [0]),
    Example(with(#""same": "place", "from": "start""#), deletes, []),
    Example(with(#""same": "place", "from": ["start", "steps"]"#), deletes, [1]),
    Example(
      with(#""same": "place", "from": "start", "order": "concurrent""#),
      "r0 put root \"l\" int 1",
      []
    ),
    Example(with(#""same": "replica", "from": "start""#), put, []),
    Example(with(#""other": "writer", "from": "start", "order": "before""#), put, [0]),
  ]

  private static let sends = "r0 -> r1 send m1 changes\n\(put)\nr0 -> r1 merge"

  static let steps: [Example] = [
    Example(#"{"step": {"kind": "send"}}"#, sends, [0]),
    Example(#"{"step": {"kind": ["exchange", "save"]}}"#, "\(sends)\nr0 save s0", [2, 3]),
    Example(#"{"step": {"kind": "restart"}}"#, "r0 save s0\nr0 restart s0 actor 0", [1]),
    Example(#"{"step": {"kind": "fork"}}"#, "r0 fork r2 actor 2\n\(put)", [0]),
    Example(#"{"step": {"kind": "rollback"}}"#, "\(put)\nr0 rollback", [1]),
    Example(#"{"step": {"by": "merge"}}"#, sends, [2]),
    // A message keeps its transport until it arrives.
    Example(#"{"step": {"by": "changes"}}"#, "\(sends)\nm1 deliver", [0, 3]),
    Example(#"{"step": {"kind": "deliver", "by": "changes"}}"#, "\(sends)\nm1 deliver", [3]),
    Example(#"{"step": {"kind": "deliver", "by": "merge"}}"#, "\(sends)\nm1 deliver", []),
    Example(#"{"step": {"by": "changes"}, "atLeast": 3}"#, "\(sends)\nm1 deliver", []),
    Example(
      #"{"step": {"arrives": "early"}}"#,
      "\(put)\nr0 -> r1 send m1 changes\nr0 put root \"j\" int 1\nr0 -> r1 changes",
      [3]
    ),
  ]

  @Test(
    "A predicate holds by the steps that it is about, and without them no longer",
    arguments: patterns + joined + relations + steps
  )
  func holds(_ example: Example) throws {
    let predicate = try Self.predicate(example.predicate)
    var history = try written(example.steps)
    #expect(normalise(history).history == history)
    #expect(predicate.steps(of: history) == example.found)
    #expect(predicate.holds(for: history) == !example.found.isEmpty)
    for index in example.found.reversed() { history.steps.remove(at: index) }
    #expect(!predicate.holds(for: history))
  }

  @Test("Edits of a burst meet one another")
  func bursts() throws {
    let history = try written("r0 burst 3 forward insert list1 0 int 1")
    func steps(_ members: String) throws -> [Int] {
      try Self.predicate(#"{"edit": {"kind": "insert"}, "with": {\#(members)}, "atLeast": 2}"#)
        .steps(of: history)
    }
    #expect(try steps(#""order": "before""#) == [0])
    #expect(try steps(#""order": "concurrent""#) == [])
  }

  @Test("Every member of a condition has an example")
  func complete() {
    let members =
      HistoryPredicate.Member.allCases.map(\.rawValue) + EditPattern.Member.allCases.map(\.rawValue)
      + EditPattern.Comparison.Member.allCases.map(\.rawValue)
      + EditRelation.Member.allCases.map(\.rawValue)
      + StepPattern.Member.allCases.map(\.rawValue)
    for member in members {
      let isAsked = (Self.patterns + Self.joined + Self.relations + Self.steps).contains {
        $0.predicate.contains("\"\(member)\":")
      }
      #expect(isAsked, "\(member)")
    }
  }

  @Test(
    "What is misspelt is refused with its place, a guess and what is allowed",
    arguments: [
      (
        #""wid""#,
        "there is no condition 'wid'. Did you mean 'wide'? Known: wide, never, other"
      ),
      (
        #"{"all": ["wide", "other"]}"#,
        "expected an object, as a condition that has a name names no others at conditions.other.all.0"
      ),
      (
        #"{"edits": {}}"#,
        "there is no member 'edits'. Did you mean 'edit'? Known: edit, with, step, atLeast, all, any, not"
      ),
      (
        #"{"all": ["wide", {"edit": {"value": "strng"}}]}"#,
        "there is no kind of value 'strng' at all.1.edit.value. Did you mean 'string'? Known: null, "
      ),
      (#"{"edit": {"unit": 1}}"#, "there is no member 'unit' at edit. Did you mean 'units'?"),
      (
        #"{"edit": {"units": {"abov": 1}}}"#,
        "there is no member 'abov' at edit.units. Did you mean 'above'? Known: not, above, below"
      ),
      (
        #"{"edit": {"units": {"above": -1}}}"#,
        "expected a whole number from 0 on at edit.units.above, found -1"
      ),
      (
        #"{"edit": {"length": 1.5}}"#,
        "expected a whole number from 0 on at edit.length, found a number with"
      ),
      (
        #"{"edit": {"key": ""}, "atLeast": 0}"#,
        "expected a whole number from 1 on at atLeast, found 0"
      ),
      (#"{"edit": {}}"#, "expected an object with at least one member at edit, found an object"),
      (#"{"edit": 1}"#, "expected an object with at least one member at edit, found a number"),
      (
        #"{"edit": {"key": ""}, "with": {}}"#,
        "expected an object with at least one member at with, found"
      ),
      (
        #"{"edit": {"key": ""}, "with": {"same": "colour"}}"#,
        "there is no trait 'colour' at with.same. Known: replica, writer, object, key, place, mark"
      ),
      (
        #"{"edit": {"key": ""}, "with": {"from": "begin"}}"#,
        "there is no part of a history 'begin' at with.from. Known: steps, start"
      ),
      (
        #"{"edit": [{"key": ""}, {"kind": "putt"}]}"#,
        "there is no kind of edit 'putt' at edit.1.kind. Did you mean 'put'"
      ),
      (
        #"{"step": {"kind": "restarts"}}"#,
        "there is no kind of step 'restarts' at step.kind. Did you mean 'restart'? Known: commit, "
      ),
      (
        #"{"step": {"arrives": "late"}}"#,
        "there is no word for an arrival 'late' at step.arrives. Known: early"
      ),
      (
        #"{"edit": {"key": ""}, "with": {"order": ["before", 1]}}"#,
        "expected a word for the order at with.order.1, found a number"
      ),
      (
        #"{"any": []}"#, "expected an array of at least one condition at any, found an array of 0"
      ),
      (
        #"{"edit": {"kind": []}}"#,
        "expected an array of at least one kind of edit at edit.kind, found"
      ),
      (#"{"edit": {"key": 1}}"#, "expected a string at edit.key, found a number"),
      (
        #"{"all": ["wide"], "any": ["wide"]}"#,
        "expected one of edit, step, all, any and not, with only beside edit, and atLeast only"
      ),
      (
        #"{"atLeast": 2}"#,
        "expected one of edit, step, all, any and not, with only beside edit, and atLeast only"
      ),
      (
        #"{"edit": {"key": ""}, "all": ["wide"]}"#,
        "expected one of edit, step, all, any and not, with only beside edit, and atLeast only"
      ),
      (
        #"{"step": {"kind": "save"}, "with": {"same": "key"}}"#,
        "expected one of edit, step, all, any and not, with only beside edit, and atLeast only"
      ),
      ("7", "expected a condition's name or an object, found a number"),
      ("{}", "expected an object with at least one member, found an object"),
      (#"{"not": "wide"}"#, "the condition holds for a history in which nothing happens"),
      (#""never""#, "the condition holds for a history in which nothing happens"),
      (
        #"{"any": ["wide", {"not": "wide"}]}"#,
        "the condition holds for a history in which nothing"
      ),
      (
        #"{"all": [{"not": "wide"}, {"not": {"edit": {"value": "nan"}}}]}"#,
        "the condition holds for a history in which"
      ),
    ]
  )
  func refuses(_ text: String, _ start: String) throws {
    let error = #expect(throws: HistoryPredicateError.self) { try Self.predicate(text) }
    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }

  @Test("Where a file defines no conditions, a name is refused with what to do")
  func needsDefinition() throws {
    let json = try JSONValue(parsing: #""wide""#)
    let error = #expect(throws: HistoryPredicateError.self) {
      try HistoryPredicate(json, at: ["knownDivergences", "3", "condition"])
    }
    #expect(
      error?.description
        == "there is no condition 'wide' at knownDivergences.3.condition. Write it as data, or define"
        + " the name in \"conditions\" of the file"
    )
  }

  @Test("An edit meets one of a long burst before it")
  func manyEdits() throws {
    let burst = "r0 burst 2000 forward put root \"k\" int 0"
    let history = try written("\(burst)\nr1 put root \"k7\" int 1")
    let overwrites = try Self.predicate(
      #"{"edit": {"kind": "put"}, "with": {"same": ["object", "key"], "order": "earlier"}}"#
    )
    #expect(overwrites.steps(of: history) == [1])
  }
}
