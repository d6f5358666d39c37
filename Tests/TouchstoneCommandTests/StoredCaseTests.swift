import Foundation
import TestSupport
import Testing

@Suite("Stored cases judged again and made smaller")
struct StoredCaseTests {
  @Test("A case with choices is made smaller in its file")
  func shrinks() throws {
    try withFolder { folder in
      let words = [
        "check", "--law", "agreement.states", "--subject", "mutant:tie-break-reversed", "--cases",
        "60", "--seed", "7", "--report", "out",
      ]
      #expect(try touchstone(words, in: folder).status == 1)
      let failures = folder.appendingPathComponent("out/failures")
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: failures.path)
          .filter { $0.hasSuffix(".case") }.sorted().first
      )
      // The choices of the failure with a history that is larger than what they give: a step that
      // changes nothing for the law, and so must go.
      let url = failures.appendingPathComponent(name)
      let found = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      let shown = try touchstone(["show", "out/failures/\(name)", "--json"], in: folder)
      let size = try #require((try shown.json as? [String: Any])?["size"] as? Int)
      let larger = found.withNull
      try Data(larger.utf8).write(to: url)
      let outcome = try touchstone(
        ["shrink", "out/failures/\(name)", "--steps", "300", "--json"],
        in: folder
      )
      #expect(outcome.status == 1)
      let result = try #require(try outcome.json as? [String: Any])
      #expect(result["repeats"] as? Bool == true)
      #expect(result["size"] as? Int == size)
      let after = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      let history = { (text: String) in text.split(separator: "sample:").last.map(String.init) }
      #expect(history(after) == history(found))
      // What a person has written down is theirs, and nothing is made up that the file did not say.
      let notes = "first seen: 2025-01-02\nnote: see ticket 4711\nowner: ann\nchoices:"
      let noted = found.replacing("choices:", with: notes).replacing(/\n(seed|case): .*/, with: "")
      for (text, place) in [(noted, "as before, in"), (noted.withNull, "written to")] {
        try Data(text.utf8).write(to: url)
        let kept = try touchstone(["shrink", "out/failures/\(name)", "--steps", "300"], in: folder)
        #expect(kept.status == 1 && kept.output.contains(place), "\(kept.output)")
        #expect(String(decoding: try Data(contentsOf: url), as: UTF8.self) == noted)
      }
      let again = try touchstone(["shrink", "out/failures/\(name)", "--steps", "300"], in: folder)
      #expect(again.status == 1)
      #expect(again.output.hasPrefix("nothing smaller was found: "), "\(again.output)")
      // A log has no line for each step.
      #expect(again.complaints == "")
      // A file of another name is replaced as well, and none beside it is written; so is what a link leads to.
      try Data(larger.utf8).write(to: folder.appendingPathComponent("mine.txt"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent("link.case").path,
        withDestinationPath: "mine.txt"
      )
      let linked = try touchstone(["shrink", "link.case", "--steps", "300"], in: folder)
      #expect(linked.status == 1)
      let mine = try Data(contentsOf: folder.appendingPathComponent("mine.txt"))
      #expect(history(String(decoding: mine, as: UTF8.self)) == history(found))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.sorted() == ["link.case", "mine.txt", "out"])
      // The same choices on a subject that keeps the law.
      let right = after.replacing("subjects: mutant:tie-break-reversed", with: "subjects: engine")
      try Data(right.utf8).write(to: url)
      let held = try touchstone(["shrink", "out/failures/\(name)"], in: folder)
      #expect(held.status == 0)
      #expect(
        held.output == """
          held  agreement.states on engine  out/failures/\(name)
            the case holds now: there is nothing to shrink, and nothing was changed

          """
      )
      #expect(try Data(contentsOf: url) == Data(right.utf8))
    }
  }

  @Test("A golden file that is listed and not there fails a run of its laws, and no other")
  func missingGoldenFile() throws {
    try withFolder { folder in
      let vectors = folder.appendingPathComponent("fixtures/vectors")
      try FileManager.default.createDirectory(at: vectors, withIntermediateDirectories: true)
      let list = #"{"vectors": [{"name": "a", "file": "a.automerge", "expect": "ok"}]}"#
      try Data(list.utf8).write(to: vectors.appendingPathComponent("vectors.json"))
      let words = ["check", "--subject", "engine", "--cases", "2", "--seed", "1", "--law"]
      let golden = try touchstone(words + ["golden.*", "--law", "damage.*"], in: folder)
      #expect(golden.status == 2)
      let named =
        "the golden file fixtures/vectors/a.automerge cannot be read: there is no such file"
      let line = golden.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(line.contains(named), "\(golden.output)")
      #expect(try touchstone(words + ["merge.*"], in: folder).status == 0)
    }
  }

  @Test("A case of a law that judges other subjects alone is refused as that")
  func otherSubjects() throws {
    try withFolder { folder in
      let held = Program.root("corpus/histories/chain-of-waiting-changes.case").path
      let outcome = try touchstone(["replay", held, "--subject", "foundation-json"], in: folder)
      #expect(outcome.status == 2)
      #expect(
        outcome.complaints.contains("foundation-json is not judged by network.converges: that is"),
        "\(outcome.complaints)"
      )
    }
  }
}

extension String {
  /// The text of a case whose history has one step more.
  fileprivate var withNull: String {
    replacing("\nend\n", with: "\n  r0 put root \"z\" null\nend\n")
  }
}
