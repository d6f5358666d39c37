import Reporting
import Testing

@testable import Campaigns

/// What a report says that its cases tried.
@Suite("Counts of samples")
struct SampleCountTests {
  @Test(
    "A report counts the samples of each catalogue, and the values that they hold",
    arguments: [
      ("engine", "histories"), ("document-coder", "samples of coders"),
      ("record-coder", "samples of coders"), ("record-sync", "samples of records"),
      ("local-store", "runs of stores"),
    ]
  )
  func everyCatalogue(_ subject: String, _ name: String) throws {
    let registry = SubjectRegistry(adapters: nil)
    let lanes = registry.lanes(try registry.find([subject]))
    let counts = report(configuration(lanes, cases: 8)).counts
    #expect(counts.samples.contains { $0.name == name })
    let values = counts.values.filter { $0.samples == name }
    #expect(values.contains { $0.uses.contains { $0.count > 0 } })
  }

  @Test("A failure of a sample of numbers has the calls that the law made")
  func calls() throws {
    let registry = SubjectRegistry(adapters: nil)
    let lanes = registry.lanes(try registry.find(["mutant:record-all-marked"]))
    let failures = report(configuration(lanes, cases: 200)).failures
    let failure = try #require(failures.first { $0.law == "record.unchanged-unmarked" })
    let calls = try #require(failure.calls)
    #expect(calls.contains { $0.hasPrefix("encode {") })
    #expect(calls.contains { $0.hasPrefix("  -> Note Notes/r0 {") })
    #expect(failure.history.allSatisfy { !$0.hasSuffix(" 0") })
  }
}
