import Foundation
import PropertyEngine
import TestSupport
import Testing

@testable import FuzzSessions

// The counters are one memory of the process.
@Suite("What libFuzzer learns of a sample", .serialized)
struct FuzzFeedbackTests {
  private func sample(_ counts: [String: Int]) -> JudgedSample {
    JudgedSample(
      value: counts,
      stored: {
        StoredSample(form: FormName("counts", version: 1), text: "", size: 0, measure: "")
      },
      count: { coverage in
        var tally = Tally()
        for (name, count) in counts { tally.add(name, count) }
        coverage.add(tally, to: "edits")
      },
      partCount: 0,
      without: { _, _ in JudgedCase() }
    )
  }

  @Test("Each count of a sample raises a counter of its own, and no more than a byte holds")
  func counters() {
    // Names of their own: other tests of this process may raise counters, too.
    func raised(_ name: String) -> UInt8? {
      FuzzCounters.raised[FuzzFeedback.slot(of: "edits : \(name)")]
    }
    FuzzFeedback.note(sample(["counted by this test": 3, "counted too often": 1_000]))
    #expect(raised("counted by this test") == 3)
    #expect(raised("counted too often") == 255)
    FuzzFeedback.note(sample(["counted by this test": 2]))
    #expect(raised("counted by this test") == 3, "what stands is not lowered")
  }

  @Test("A count is told by the step that it reaches")
  func steps() {
    var coverage = Coverage()
    sample(["put": 5, "delete": 200, "mark": 0]).count(&coverage)
    #expect(Set(FuzzFeedback.steps(in: coverage)) == ["edits : put 4", "edits : delete 128"])
  }

  @Test("What processes counted adds up, whatever a killed one left behind")
  func tally() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("tally")
      let environment = [FuzzTally.variable: file.path]
      #expect(FuzzTally.read(file) == nil)
      for passes in [[true, false], [true, true, true]] {
        let tally = FuzzTally()
        for isPassed in passes { tally.add(isPassed: isPassed) }
        tally.append(environment: environment)
      }
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("7".utf8))
      try handle.close()
      let counts = try #require(FuzzTally.read(file))
      #expect(counts.judged == 5)
      #expect(counts.passed == 4)
      // Without a file, nothing is written.
      FuzzTally().append(environment: [:])
    }
  }
}
