import ForeignSubjects
import Foundation
import Histories
import TestSupport
import Testing

@testable import Campaigns

@Suite("Divergences that an adapter lists")
struct ListedDivergenceTests {
  private func divergences(law: String, condition: String) throws -> [HistoryDivergence] {
    let example = """
      touchstone case 1
      law: merge.commutes
      subjects: mine
      kind: key
      seed: 0x1
      choices:
        0/1
      sample: history 1
        history 1
        base empty
        replicas 2
        healing merge
        r0 put root "k" int 1
      end

      """
    let manifest = """
      {
        "id": "mine",
        "command": ["adapter"],
        "conditions": {"puts": {"edit": {"kind": "put"}}},
        "knownDivergences": [
          {"law": "\(law)", "condition": \(condition), "case": "a.case", "reason": "It is so."}
        ]
      }
      """
    return try withFolder { folder in
      try Data(example.utf8).write(to: folder.appending(path: "a.case"))
      try Data(manifest.utf8).write(to: folder.appending(path: "adapter.json"))
      let read = try AdapterManifest(folder: folder)
      return try SubjectRegistry.divergences(read.knownDivergences)
    }
  }

  @Test("One whose condition has a name is told by its name")
  func named() throws {
    let listed = try divergences(law: "merge.*", condition: #""puts""#)
    #expect(listed.map(\.condition) == ["puts"])
    #expect(listed.map { $0.predicate.holds(for: $0.example) } == [true])
  }

  @Test(
    "One that could excuse nothing is refused with its place",
    arguments: [
      (
        "merge.comutes", #""puts""#,
        "knownDivergences.0.law: no law is called 'merge.comutes'. Did you mean 'merge.commutes'?"
      ),
      (
        "*", #""put""#,
        "there is no condition 'put' at knownDivergences.0.condition. Did you mean 'puts'?"
      ),
      (
        "*", #"{"edit": {"kind": "delete"}}"#,
        "knownDivergences.0.condition: it does not hold for the history in a.case"
      ),
    ]
  )
  func refuses(_ law: String, _ condition: String, _ words: String) throws {
    let error = #expect(throws: AdapterManifestError.self) {
      try divergences(law: law, condition: condition)
    }
    let description = try #require(error?.description)
    #expect(description.contains("/adapter.json: \(words)"), "\(description)")
  }
}
