import Foundation
import PastRuns
import Testing

@Suite("Runs of tests")
struct PastRunTests {
  private func failure(_ law: String, _ kind: String, replay: String? = nil) -> PastFailure {
    PastFailure(
      id: "Note--\(law)",
      law: law,
      subject: "Note (automerge)",
      differenceKind: kind,
      summary: "title is lost",
      path: "Tests/__Touchstone__/Note--\(law).case",
      replay: replay
    )
  }

  private func part(
    _ day: Int = 1,
    _ failures: [PastFailure] = [],
    _ judged: [String: [String: Int]]
  ) -> PastRun {
    PastRun(
      tests: "run \(day)",
      startedAt: "2026-11-0\(day)T01:02:03Z",
      seconds: 2,
      machine: "m",
      commit: "\(day)\(String(repeating: "0", count: 39))",
      seed: "0x1",
      repeatCommand: "swift test",
      failures: failures,
      judged: judged
    )
  }

  @Test("Parts add up: cases of each law, failures once, and what it came to")
  func adds() {
    let held = part(1, [], ["Note (automerge)": ["a": 10, "b": 3], "Plan (merge)": ["c": 1]])
    #expect(held.cases == 14)
    #expect(held.word == .held)
    #expect(held.headline == "All laws held on 2 tested subjects")
    let broken = part(1, [failure("a", "state")], ["Note (automerge)": ["a": .max]])
    let sum = held.adding(broken).adding(broken).adding(held)
    #expect(sum.judged == ["Note (automerge)": ["a": .max, "b": 6], "Plan (merge)": ["c": 2]])
    #expect(sum.failures == broken.failures)
    #expect(sum.cases == .max)
    #expect(sum.word == .violated)
    #expect(sum.headline == "1 law violated on 1 tested subject")
    #expect(sum.id == held.id)
  }

  @Test(
    "A run says what its histories were made of, where that was other than usual",
    arguments: [
      (#", "sizes": {"replicas": 3}"#, RunSizes(replicas: 3)),
      (#", "sizes": {"replicas": 3, "edits": 200}"#, RunSizes(replicas: 3, edits: 200)),
      ("", nil),
    ] as [(String, RunSizes?)]
  )
  func sizes(_ fields: String, _ sizes: RunSizes?) throws {
    let text = """
      {"id": "a", "startedAt": "2026-11-01T01:02:03Z", "machine": "m", "seed": "0x1", "cases": 5,
      "seconds": 1, "word": "held", "headline": "All laws held", "failures": [], "judged": {},
      "repeatCommand": "touchstone check"\(fields)}
      """
    let run = try JSONDecoder().decode(PastRun.self, from: Data(text.utf8))
    #expect(run.sizes == sizes)
    let again = try JSONDecoder().decode(PastRun.self, from: JSONEncoder().encode(run))
    #expect(again == run)
    let line = RunHistory([run]).lines(last: 1) { _ in nil }[1]
    #expect(
      line
        == (["  ✓ 2026-11-01T01:02:03: All laws held, 5 cases"] + (sizes?.arguments ?? [])).joined(
          separator: ", "
        )
    )
  }

  @Test("A failure of a test is told with its own command, and its life is found by what it is")
  func life() throws {
    let judged = ["Note (automerge)": ["a": 1]]
    let known = failure("a", "state", replay: "TOUCHSTONE_REPLAY=x swift test --filter note")
    let history = RunHistory([
      part(1, [], judged), part(2, [known], judged), part(3, [known], judged),
    ])
    let life = try #require(
      history.life(law: "a", subject: "Note (automerge)", differenceKind: "state")
    )
    #expect(
      life.summary(counting: "earlier run")
        == "in 2 of 2 earlier runs: first 2026-11-02T01:02:03 (commit 2000000000), not yet 2026-11-01T01:02:03 (commit 1000000000)"
    )
    #expect(history.life(law: "a", subject: "Note (automerge)", differenceKind: "other") == nil)
    let lines = history.lines(last: 1) { _ in "never/asked.case" }
    #expect(lines.contains("    TOUCHSTONE_REPLAY=x swift test --filter note"))
  }
}
