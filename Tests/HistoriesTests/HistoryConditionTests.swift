import Histories
import Subjects
import Testing

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
    Example("r0 increment root \"n\" 1", [.increments], base: .counters),
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

  @Test("Every condition has an example here, and its name is stable words")
  func complete() {
    for condition in HistoryCondition.allCases {
      #expect(Self.examples.contains { $0.conditions.contains(condition) }, "\(condition)")
      #expect(condition.rawValue.utf8.allSatisfy { $0 == 0x2d || (0x61...0x7a).contains($0) })
    }
  }
}
