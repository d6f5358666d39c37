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
      [
        "`\(waypoint.name)`", waypoint.sentence, "\(reached[waypoint.name])",
        grouped(waypoint.requiredFrom),
      ]
    }
    for waypoint in Waypoint.documents {
      // Half of the floor, as a thousand histories are few.
      #expect(reached[waypoint.name] >= waypoint.perThousand / 2, "\(waypoint.name)")
    }
    try expectGenerated(
      "waypoints",
      in: "Documentation/FaultModel.md",
      below: Self.root,
      markdownTable(["waypoint", "situation", "of 1,000 histories", "required from"], rows)
    )
  }

  /// The conditions that adapters define by name: `[adapter, name, data]`.
  private static func defined() throws -> [(adapter: String, name: String, data: JSONValue)] {
    let folder = root.appendingPathComponent("Adapters")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { ($0, folder.appendingPathComponent($0).appendingPathComponent("adapter.json")) }
      .filter { FileManager.default.fileExists(atPath: $0.1.path) }
    return try files.flatMap { id, file -> [(String, String, JSONValue)] in
      let json = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
      guard case .object(let members) = json["conditions"] else { return [] }
      return members.map { (id, $0.key, $0.value) }
    }
  }

  @Test("The conditions that adapters define are listed as examples")
  func conditions() throws {
    try expectGenerated(
      "conditions",
      in: "Documentation/WritingAnAdapter.md",
      below: Self.root,
      markdownTable(
        ["adapter", "condition", "as data"],
        Self.defined().map { ["`\($0.adapter)`", "`\($0.name)`", "`\($0.data.text(.compact))`"] }
      )
    )
  }

  @Test("Conditions that are shown as data can be read, and each member is in one of them")
  func examples() throws {
    let file = Self.root.appendingPathComponent("Documentation/WritingAnAdapter.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let shown = text.matches(of: /```json\n("conditions?": [\s\S]+?)\n```/).map(\.output.1)
    #expect(shown.count == 3)
    var examples = try Self.defined().map(\.data)
    for example in shown {
      let json = try JSONValue(parsing: "{\(example)}")
      if let condition = json["condition"] { examples.append(condition) }
      if case .object(let members) = json["conditions"] { examples += members.map(\.value) }
    }
    let names = try JSONValue(parsing: #"{"arrives-early": {"step": {"arrives": "early"}}}"#)
    for example in examples { _ = try HistoryPredicate(example, named: names) }
    let words = examples.map { $0.text(.compact) }.joined()
    let members =
      HistoryPredicate.Member.allCases.map(\.rawValue) + EditPattern.Member.allCases.map(\.rawValue)
      + EditRelation.Member.allCases.map(\.rawValue) + StepPattern.Member.allCases.map(\.rawValue)
      + EditPattern.Comparison.Member.allCases.map(\.rawValue)
    for member in members { #expect(words.contains("\"\(member)\":"), "\(member)") }
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
          + rows("`with`", EditRelation.Member.self) + rows("`step`", StepPattern.Member.self)
      )
    )
  }
}
