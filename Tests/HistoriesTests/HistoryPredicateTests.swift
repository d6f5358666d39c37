import Histories
import Subjects
import Testing
import Texts

@Suite("Conditions as data")
struct HistoryPredicateTests {
  private static func predicate(_ text: String) throws -> HistoryPredicate {
    try HistoryPredicate(JSONValue(parsing: text))
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
    Example(#""writes-empty-key""#, "r0 put root \"\" int 1\n\(put)", [0]),
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
    Example(#"{"all": [{"edit": {"kind": "put"}}, "widens-text"]}"#, "\(put)\n\(wide)", [0, 1]),
    Example(#"{"all": [{"edit": {"kind": "put"}}, "widens-text"]}"#, put, []),
    Example(#"{"any": [{"edit": {"kind": "put"}}, "widens-text"]}"#, wide, [0]),
    Example(#"{"any": [{"edit": {"kind": "put"}}, "widens-text"]}"#, mark, []),
    Example(#"{"all": [{"edit": {"kind": "put"}}, {"not": "widens-text"}]}"#, put, [0]),
    Example(
      #"{"all": [{"edit": {"kind": "put"}}, {"not": "widens-text"}]}"#,
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
  ]

  @Test(
    "A predicate holds by the steps that it is about, and without them no longer",
    arguments: patterns + joined + relations
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
    for member in members {
      let isAsked = (Self.patterns + Self.joined + Self.relations).contains {
        $0.predicate.contains("\"\(member)\":")
      }
      #expect(isAsked, "\(member)")
    }
  }

  @Test(
    "What is misspelt is refused with its place, a guess and what is allowed",
    arguments: [
      (
        #""writes-emty-key""#,
        "there is no condition 'writes-emty-key'. Did you mean 'writes-empty-key'? Known: writes"
      ),
      (
        #"{"edits": {}}"#,
        "there is no member 'edits'. Did you mean 'edit'? Known: edit, with, atLeast, all, any, not"
      ),
      (
        #"{"all": ["increments", {"edit": {"value": "strng"}}]}"#,
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
        "there is no trait 'colour' at with.same. Known: replica, object, key, mark"
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
        #"{"all": ["increments"], "any": ["increments"]}"#,
        "expected one of edit, all, any and not, and with and atLeast only beside edit, found all and any"
      ),
      (
        #"{"atLeast": 2}"#,
        "expected one of edit, all, any and not, and with and atLeast only beside edit, found atLeast"
      ),
      (
        #"{"edit": {"key": ""}, "all": ["increments"]}"#,
        "expected one of edit, all, any and not, and with and atLeast only beside edit, found edit and all"
      ),
      ("7", "expected a condition's name or an object, found a number"),
      ("{}", "expected an object with at least one member, found an object"),
      (#"{"not": "increments"}"#, "it holds for a history in which nothing happens"),
      (
        #"{"any": ["increments", {"not": "increments"}]}"#,
        "it holds for a history in which nothing"
      ),
      (
        #"{"all": [{"not": "increments"}, {"not": "marks-nan"}]}"#,
        "it holds for a history in which"
      ),
    ]
  )
  func refuses(_ text: String, _ start: String) throws {
    let json = try JSONValue(parsing: text)
    let error = #expect(throws: HistoryPredicateError.self) { try HistoryPredicate(json) }
    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }
}
