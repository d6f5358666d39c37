import Foundation
import Histories
import PropertyEngine
import Subjects
import TestSupport
import Testing
import Texts

/// What documents list of histories.
@Suite("The tables of histories")
struct HistoryTableTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let historyCount = 1000

  @Test("Waypoints are listed with the number of histories that reach them")
  func waypoints() throws {
    let generator = Generator.histories()
    var reached = Tally()
    for index in 0..<Self.historyCount {
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let facts = HistoryFacts(normalise(generator.draw(&choices)))
      for waypoint in Waypoint.documents where facts.waypoints[waypoint.name] > 0 {
        reached.add(waypoint.name)
      }
    }
    let rows = Waypoint.documents.map { waypoint in
      ["`\(waypoint.name)`", waypoint.sentence, "\(reached[waypoint.name])"]
    }
    try expectGenerated(
      "waypoints",
      in: "Documentation/FaultModel.md",
      below: Self.root,
      markdownTable(["waypoint", "situation", "of 1,000 histories"], rows)
    )
  }

  @Test("The conditions of known divergences are listed")
  func conditions() throws {
    try expectGenerated(
      "conditions",
      in: "Documentation/WritingAnAdapter.md",
      below: Self.root,
      markdownTable(
        ["condition", "what happens in the history", "as data"],
        HistoryCondition.allCases.map { condition in
          ["`\(condition.rawValue)`", condition.sentence, condition.source.map { "`\($0)`" } ?? ""]
        }
      )
    )
  }

  @Test("Conditions that are shown as data can be read")
  func examples() throws {
    let file = Self.root.appendingPathComponent("Documentation/WritingAnAdapter.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let shown = text.matches(of: /```json\n("condition": [\s\S]+?)\n```/).map(\.output.1)
    #expect(shown.count == 2)
    for example in shown {
      let json = try JSONValue(parsing: "{\(example)}")
      _ = try HistoryPredicate(#require(json["condition"]))
    }
  }

  @Test("The members of conditions as data are listed")
  func members() throws {
    func rows<Member: ConditionMember>(_ place: String, _: Member.Type) -> [[String]] {
      Member.allCases.map { [place, "`\($0.rawValue)`", $0.form, $0.sentence] }
    }
    try expectGenerated(
      "condition-members",
      in: "Documentation/WritingAnAdapter.md",
      below: Self.root,
      markdownTable(
        ["in", "member", "is", "demands"],
        rows("a condition", HistoryPredicate.Member.self) + rows("`edit`", EditPattern.Member.self)
          + rows("a number", EditPattern.Comparison.Member.self)
          + rows("`with`", EditRelation.Member.self)
      )
    )
  }
}
