import CaseFiles
import CodingLaws
import DocumentLaws
import Foundation
import Mutants
import PropertyEngine
import Reporting
import TestSupport
import Testing

@testable import Campaigns

@Suite("Coders in campaigns")
struct CoderCampaignTests {
  private func laws(_ names: String...) -> [CodingLaw] {
    CodingLaw.all.filter { names.contains($0.name) }
  }

  private func check(
    _ subjects: [String],
    laws: [CodingLaw],
    ofDocuments documentLaws: [String] = [],
    cases: Int,
    jobs: Int = 1,
    corpus: CaseFolder? = nil,
    folder: ReportFolder? = nil
  ) throws -> Report {
    try CheckRun(
      registry: SubjectRegistry(adapters: URL(fileURLWithPath: "/nonexistent")),
      subjects: subjects,
      laws: Set(laws.map(\.name) + documentLaws),
      lawChoice: LawChoice(laws.map(\.name) + documentLaws),
      seed: 3,
      budget: .cases(cases),
      jobs: jobs,
      corpus: corpus,
      folder: folder
    ).run(onStart: { _ in }, onProgress: { _ in }, onFailure: { _ in })
  }

  @Test("Histories that no law was judged on do not make a run one of empty histories")
  func skippedHistories() throws {
    // The specification has nothing to agree with.
    let report = try check(
      ["naive", "naive-coder"],
      laws: laws("integers.out-of-range"),
      ofDocuments: ["agreement.states"],
      cases: 20
    )
    #expect(report.outcome.word == .held, "\(report.outcome.reasons)")
    #expect(report.counts.edits.allSatisfy { $0.count == 0 })
  }

  @Test("A wrong coder is caught, shrunk, stored and judged again, beside a right one")
  func wrongCoder() throws {
    try withFolder { folder in
      let out = try ReportFolder(folder.appendingPathComponent("out"))
      let corpus = CaseFolder(folder.appendingPathComponent("corpus"))
      let report = try check(
        ["naive-coder", "mutant:integers-wrap"],
        laws: laws("integers.out-of-range"),
        cases: 20,
        corpus: corpus,
        folder: out
      )
      #expect(report.outcome.word == .violated)
      let failure = try #require(report.failures.first)
      #expect(report.failures.count == 1)
      #expect(failure.subject == "mutant:integers-wrap")
      #expect(failure.model == "WideIntegers")
      #expect(failure.caseCount > 0)
      #expect(failure.history.joined().contains("WideIntegers"))
      #expect(report.subjects.map(\.topic) == [.coders, .coders])
      let cells = report.cells.filter { $0.law == "integers.out-of-range" }
      #expect(cells.map(\.violated).map { $0 > 0 } == [false, true])
      // The report has it as a test, too.
      try out.write(report)
      let path = try #require(failure.reproducer)
      let test = try String(contentsOf: out.url.appendingPathComponent(path), encoding: .utf8)
      #expect(test.contains("try await expectLaw("))
      #expect(test.contains("of: \"mutant:integers-wrap\""))
      #expect(test.contains("\"model\": \"WideIntegers\""))
      // The case file is what a reader replays.
      let file = try CaseFolder.read(out.url.appendingPathComponent(failure.file))
      let registry = SubjectRegistry(adapters: folder)
      let replay = Replay(lanes: registry.lanes(try registry.find(file.subjects)))
      guard case .violated(let difference) = try replay.run(file).verdict else {
        Issue.record("the case no longer fails")
        return
      }
      #expect(difference.kind == file.kind)
      #expect(try replay.shrink(file, stepLimit: 50, onSmaller: { _ in }) != nil)
      // The corpus has it now, and the next run tries it first.
      #expect(try corpus.caseURLs.count == 1)
      let again = try check(
        ["mutant:integers-wrap"],
        laws: laws("integers.out-of-range"),
        cases: 1,
        corpus: corpus
      )
      #expect(again.failures.first?.shrinkEnding == "stored")
      #expect(again.failures.first?.firstSeen != nil)
    }
  }

  @Test("The number of workers leaves no trace")
  func workers() throws {
    let names = laws("reencode.over-value", "list.mixed", "merge.same-value")
    func report(jobs: Int) throws -> Report {
      var report = try check(
        ["document-coder", "mutant:old-case-kept"],
        laws: names,
        cases: 60,
        jobs: jobs
      )
      report.clock = Report.Clock(
        startedAt: "",
        seconds: 0,
        jobs: 0,
        machine: "",
        casesPerSecond: 0
      )
      return report
    }
    let alone = try report(jobs: 1)
    #expect(try report(jobs: 3) == alone)
    #expect(alone.failures.map(\.law) == ["merge.same-value", "reencode.over-value"])
  }

  @Test("What Foundation's coders do otherwise is known, and red as soon as it is not listed")
  func knownDivergences() throws {
    let name = "integers.out-of-range"
    let report = try check(["foundation-json"], laws: laws(name, "text.merges"), cases: 20)
    #expect(report.outcome.word == .held, "\(report.outcome.reasons)")
    let listed = try #require(report.knownDivergences.first)
    #expect(listed.law == name && listed.stillShows && listed.count > 0)
    // A law that says nothing of a coder says why.
    let skipped = try #require(report.cells.first { $0.law == "text.merges" })
    #expect(skipped.skipReason?.hasPrefix("does not ") == true)
    #expect(skipped.held == 0)
  }

  @Test("A known divergence whose example no longer shows it makes the run fail")
  func staleDivergence() {
    let stale = CoderDivergence(law: "roundtrip.value", reason: "none", example: "{}")
    #expect(!JudgedCoder.specification.shows(stale))
    for coder in JudgedCoder.usual {
      for divergence in coder.subject.divergences {
        #expect(coder.shows(divergence), "\(coder.subject.id) \(divergence.law)")
      }
    }
  }

  @Test("A coder's small worlds are its lists and what versions do at once: wrong ones are found")
  func worlds() throws {
    func run(_ world: WorldRun.CoderWorld, _ id: String) throws -> WorldRun.Result {
      let coder = try #require(JudgedCoder.named(id))
      return try WorldRun.run(world, of: coder, onProgress: { _ in }, isInterrupted: { false })
    }
    let wrong = try run(.lists, "mutant:mixed-elements-skipped")
    #expect(wrong.world == "mixed-lists" && wrong.samples > 0)
    #expect(wrong.violation?.law == "list.mixed")
    #expect(throws: UnsupportedByCoder.self) { try run(.lists, "foundation-json") }
    let losing = try run(.drifts, "mutant:conflicts-read-by-age")
    #expect(losing.world == "concurrent-drifts" && losing.samples > 0)
    #expect(losing.violation?.law == "drift.concurrent")
    #expect(throws: UnsupportedByCoder.self) { try run(.drifts, "foundation-json") }
  }

  @Test("Every id and every law's name means one thing")
  func names() {
    let registry = SubjectRegistry(adapters: URL(fileURLWithPath: "/nonexistent"))
    let ids = registry.entries().map(\.id) + SubjectRegistry.mutants.map(\.subject.id)
    #expect(Set(ids).count == ids.count)
    #expect(Catalogue.lawNames.count == Catalogue.all.flatMap(\.laws).count)
  }
}
