import Foundation
import TestSupport
import Testing

@Suite("Small worlds by command")
struct WorldsCommandTests {
  @Test("A small world exits with 0 where all holds, and with 1 on a mutant, with the history")
  func worlds() throws {
    let held = try touchstone("worlds", "--replicas", "2", "--edits", "2", "--json")
    #expect(held.status == 0)
    let rows = try #require(try held.json as? [[String: Any]])
    #expect(rows.compactMap { $0["world"] as? String } == ["key", "list", "counter"])
    #expect(rows.allSatisfy { $0["violation"] == nil && ($0["samples"] as? Int ?? 0) > 1 })
    let violated = try touchstone(
      "worlds",
      "--subject",
      "mutant:delete-hides-concurrent-put",
      "--replicas",
      "2",
      "--edits",
      "2"
    )
    #expect(violated.status == 1)
    #expect(violated.output.contains("violated: "))
    #expect(violated.output.contains("history 1"))
    #expect(violated.output.contains("add --cases DIR"))
    let chosen = try touchstone("worlds", "list", "key", "--edits", "1", "--json")
    let few = try #require(try chosen.json as? [[String: Any]])
    #expect(few.compactMap { $0["world"] as? String } == ["key", "list"])
  }

  @Test("The case of a small world's violation replays")
  func caseOfWorld() throws {
    try withFolder { folder in
      let subject = "mutant:delete-hides-concurrent-put"
      let words = ["worlds", "list", "--subject", subject, "--replicas", "2", "--edits", "2"]
      let outcome = try touchstone(words + ["--cases", "kept"], in: folder)
      #expect(outcome.status == 1)
      let cases = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/kept")
      #expect(cases.count == 1)
      let path = "kept/\(try #require(cases.first))"
      #expect(outcome.output.contains("touchstone replay \(path)\n"), "\(outcome.output)")
      let replayed = try touchstone(["replay", path], in: folder)
      #expect(replayed.status == 1, "\(replayed.output)")
      #expect(try touchstone(["show", path], in: folder).status == 0)
      let nowhere = try touchstone(words + ["--cases", "/dev/null/kept"], in: folder)
      #expect(nowhere.status == 2 && nowhere.output.isEmpty, "\(nowhere.output)")
    }
  }
}
