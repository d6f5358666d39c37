import Histories
import Subjects
import Testing
import Texts

@Suite("Conditions of known divergences")
struct HistoryConditionTests {
  struct Example: CustomStringConvertible {
    let steps: String
    let conditions: Set<HistoryCondition>
    var base = Base.objects

    init(_ steps: String, _ conditions: Set<HistoryCondition>, base: Base = .objects) {
      self.steps = steps
      self.conditions = conditions
      self.base = base
    }

    var description: String { steps }
  }

  static let examples: [Example] = [
    Example("r0 put root \"\" int 1", [.writesEmptyKey]),
    Example("r0 put map3 \"\" new map as map4", [.writesEmptyKey]),
    Example("r0 put root \"k\" int 1\nr0 delete root \"\"", [.writesEmptyKey]),
    Example("r0 put root \"k\" string \"\"", []),
    Example("r0 put text2 0 new map as map4", [.putsObjectInText]),
    Example("r0 put list1 0 new map as map4", []),
    Example("r0 insert text2 0 new map as map4", []),
    Example("r0 put text2 0 string \"xy\"", [.widensText]),
    Example("r0 insert text2 0 string \"\"", [.widensText]),
    Example("r0 insert text2 0 string \"x\"", []),
    Example("r0 put text2 0 int 12", []),
    Example("r0 insert list1 0 string \"xy\"", []),
    Example("r0 type text2 0 delete 0 insert \"xy\"", []),
    Example("r0 delete text2 0", []),
    Example(
      "r0 put root \"o\" new text as text4\nr0 insert text4 0 string \"xy\"",
      [.widensText]
    ),
    Example("r0 mark list1 1 to 1 \"b\" null expand after", [.marksNothing]),
    Example("r0 mark list1 0 to 1 \"b\" null expand none", []),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 mark list1 1 to 2 \"b\" null expand none",
      [.marksMeet]
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr0 mark list1 0 to 1 \"b\" null expand none",
      []
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 mark list1 0 to 1 \"c\" null expand none",
      [.marksMeet]
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 mark text2 0 to 1 \"c\" null expand none",
      [.marksObjects]
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 put list1 1 int 0",
      [.marksOverwritten]
    ),
    Example("r0 mark list1 0 to 1 \"b\" null expand none\nr1 put root \"k\" int 0", []),
    Example("r0 mark list1 0 to 1 \"b\" float nan expand none", [.marksNaN]),
    Example(
      """
      r0 mark list1 0 to 1 "b" null expand none
      r0 fork r2 actor 2
      r2 mark list1 0 to 1 "b" null expand none
      """,
      [.marksMeet]
    ),
    Example("r0 increment root \"n\" 1", [.increments], base: .counters),
    Example("r0 put root \"k\" int 9007199254740993", [.writesWideNumber]),
    Example("r0 put root \"k\" int 9007199254740992", []),
    Example("r0 put root \"k\" int -9223372036854775808", [.writesWideNumber]),
    Example("r0 put root \"k\" uint 18446744073709551615", [.writesWideNumber]),
    Example("r0 put root \"k\" float 1e300", []),
    Example("r0 put root \"k\" timestamp 9223372036854775807", []),
    Example("r0 insert list1 0 int 9223372036854775807", [.writesWideNumber]),
    Example(
      "r0 splice list1 0 delete 0 insert int 1 insert int 9223372036854775807",
      [.writesWideNumber]
    ),
    Example(
      "r0 increment root \"n\" 9223372036854775807",
      [.increments, .writesWideNumber],
      base: .counters
    ),
    Example("r0 put root \"k\" int 1\nr0 put root \"k2\" int 1", []),
    Example("r0 put root \"k\" int 1\nr0 put root \"k\" int 1", [.overwritesKey]),
    Example(
      "r0 put root \"k\" int 1\nr1 put root \"k\" new map as map4",
      [.overwritesKey, .hidesObject]
    ),
    Example("r0 put map3 \"k\" int 1", [.overwritesKey]),
    Example("r0 put root \"l\" int 1", [.overwritesKey, .hidesObject]),
    Example("r0 put root \"a\" int 1\nr0 put map3 \"a\" int 1", []),
    Example("r0 delete root \"l\"", [.hidesObject]),
    Example("r0 delete list1 0", []),
    Example("r0 insert list1 0 new map as map4\nr1 splice list1 0 delete 1", [.hidesObject]),
    Example(
      "r0 insert text2 0 new map as map4\nr0 insert text2 0 new map as map5",
      []
    ),
    Example("r0 put list1 0 new map as map4\nr1 put list1 0 int 1", [.hidesObject]),
    Example("r0 -> r1 send m1 changes\nr0 -> r1 changes", [.arrivesEarly]),
    Example("r0 -> r1 send m1 changes\nm1 deliver\nr0 -> r1 changes", []),
    Example("r0 -> r1 send m1 merge\nr0 -> r1 changes", []),
    Example("r0 -> r1 send m1 changes\nm1 drop noise\nr0 -> r1 changes", [.arrivesEarly]),
    Example("r0 -> r1 send m1 changes\nr1 -> r0 changes", []),
    Example(
      "r0 put root \"a\" int 1\nr0 -> r1 send m1 changes\nm1 deliver part 1",
      [.arrivesEarly]
    ),
    Example("r0 put root \"a\" int 1\nr0 -> r1 send m1 changes\nm1 deliver part 0", []),
    Example(
      "r1 save s0\nr0 -> r1 changes\nr1 restart s0 actor 1\nr0 -> r1 changes",
      [.arrivesEarly]
    ),
    Example("", []),
  ]

  @Test("A condition holds for the histories that it names, and no others", arguments: examples)
  func holds(_ example: Example) throws {
    let raw = try written(example.steps, base: example.base)
    let sample = normalise(raw)
    #expect(sample.history == raw)
    let found = HistoryCondition.allCases.filter { $0.holds(for: sample.history) }
    #expect(Set(found) == example.conditions)
    for condition in HistoryCondition.allCases {
      var rest = raw
      for index in condition.steps(of: raw).reversed() { rest.steps.remove(at: index) }
      #expect(!condition.holds(for: rest), "without its steps")
    }
  }

  @Test(
    "What a name is short for can be read, and holds for the same histories",
    arguments: examples
  )
  func sources(_ example: Example) throws {
    let history = try written(example.steps, base: example.base)
    let spelled = HistoryCondition.allCases.filter { $0.source != nil }
    #expect(spelled.count == 7)
    for condition in spelled {
      let json = try JSONValue(parsing: try #require(condition.source))
      let isNamed = example.conditions.contains(condition)
      #expect(try HistoryPredicate(json).holds(for: history) == isNamed, "\(condition)")
    }
  }

  @Test("Every condition has an example here, and its name is stable words")
  func complete() {
    for condition in HistoryCondition.allCases {
      #expect(Self.examples.contains { $0.conditions.contains(condition) }, "\(condition)")
      #expect(condition.rawValue.utf8.allSatisfy { $0 == 0x2d || (0x61...0x7a).contains($0) })
    }
  }
}
