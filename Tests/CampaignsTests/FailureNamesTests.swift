import CaseFiles
import DocumentLaws
import Foundation
import Histories
import PastRuns
import PropertyEngine
import Reporting
import TestSupport
import Testing

@testable import Campaigns

@Suite("Names of failures")
struct FailureNamesTests {
  private static let usual = "engine--agreement.states--marks"

  private func failure(_ kind: String = "marks", sample: String = "one\n") -> Failure {
    Failure(
      subjects: ["engine", "naive"],
      Finding(
        key: FailureKey(law: "agreement.states", isError: false, kind: kind),
        difference: Difference(kind: kind, summary: "the marks differ")
      ),
      StoredSample(form: FormName("history", version: 1), text: sample, size: 1, measure: "1 edit"),
      choices: [],
      seed: 1,
      caseIndex: 3,
      stage: .raw
    )
  }

  @Test("A kind of failure keeps its name, and no two of a run have the same")
  func unique() {
    let names = FailureNames(corpus: nil)
    for _ in 0..<2 {
      #expect(names.named(failure(), inLane: 0).slug == Self.usual)
      #expect(names.named(failure(), inLane: 1).slug == "\(Self.usual)-2")
      #expect(names.named(failure("marks-2"), inLane: 0).slug == "\(Self.usual)-2-2")
      let counted = names.name(of: failure().key, on: ["engine"], inLane: 2)
      #expect(counted == "\(Self.usual)-3")
    }
  }

  /// What stands in a corpus under the names of a failure, in their order.
  enum Stored: CaseIterable {
    case failing, untried, held, other, unreadable
  }

  @Test(
    "A new failure is stored beside cases that hold, or are none of it",
    arguments: [
      ([], 1), ([.untried], 1), ([.held], 2), ([.other], 2), ([.unreadable], 2),
      ([.held, .untried], 2), ([.held, .held], 3), ([.held, .other, .unreadable], 4),
      ([.held, .failing], 2), ([.failing, .held], 1),
    ] as [([Stored], Int)]
  )
  func beside(_ stored: [Stored], _ number: Int) throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder)
      let names = FailureNames(corpus: corpus)
      for (name, state) in zip(numbered, stored) {
        let file = failure(state == .other ? "text" : "marks", sample: "\(name)\n").caseFile
        try corpus.write(file, name: name)
        let read = try #require(try corpus.read(name))
        switch state {
        case .held: names.noteHeld(read)
        case .failing:
          #expect(names.named(failure(), inLane: 0, storedIn: read).slug == name)
        case .unreadable: try Data("no case".utf8).write(to: folder.appending(path: "\(name).case"))
        case .untried, .other: break
        }
      }
      #expect(names.named(failure(), inLane: 0).slug == numbered[number - 1])
    }
  }

  private var numbered: [String] { [Self.usual] + (2...4).map { "\(Self.usual)-\($0)" } }

  @Test("Lanes of one subject that fail alike have files of their own")
  func lanes() throws {
    let wrong = lane(try mutant("tie-break-reversed"), laws("agreement.states"))
    var told: [String: [String]] = [:]
    var configuration = configuration([wrong, wrong], cases: 120)
    configuration.failureLimit = 2
    configuration.shrinkStepLimit = 50
    let report = report(configuration) { told[$0.slug, default: []].append($0.sample.text) }
    let sightings = report.sightings ?? []
    let ids = report.failures.map(\.id) + sightings.map(\.id)
    #expect(report.failures.count == 4 && Set(ids).count == ids.count, "\(ids)")
    #expect(told.values.allSatisfy { $0.count == 1 })
    #expect(Set(told.keys) == Set(report.failures.map(\.id)))
    for failure in report.failures { #expect(failure.file == "failures/\(failure.id).case") }
    #expect(ids.contains { $0.hasSuffix("-2") })
  }

  private func check(
    _ corpus: CaseFolder,
    into folder: ReportFolder? = nil,
    cases: Int = 60
  ) throws -> Report {
    var run = CheckRun(
      registry: SubjectRegistry(adapters: corpus.url.appendingPathComponent("none")),
      subjects: ["mutant:tie-break-reversed"],
      laws: ["agreement.states"],
      seed: 1,
      budget: .cases(cases),
      jobs: 1,
      corpus: corpus,
      folder: folder
    )
    // One failure is made small, and that is enough.
    run.limits = HistoryLimits(largeWorlds: false, impoliteCalls: false)
    run.stopsAtFirstFailure = true
    let report = try run.run(onStart: { _ in }, onProgress: { _ in }, onFailure: { _ in })
    try folder?.write(report)
    return report
  }

  /// A case of the same failure that does not show it.
  private func holding(_ found: CaseFile) -> CaseFile {
    CaseFile(
      law: found.law,
      subjects: found.subjects,
      kind: found.kind ?? "",
      seed: 1,
      choices: [],
      sampleFormat: found.sampleFormat,
      sample: "history 1\nbase empty\nreplicas 2\nhealing merge\nr0 put root \"k\" int 1\n"
    )
  }

  @Test("A case in a folder below the corpus takes no name from what is found, held or not")
  func below() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder.appendingPathComponent("cases"))
      let below = CaseFolder(corpus.url.appendingPathComponent("old"))
      let id = try #require(try check(corpus).failures.first?.id)
      let found = try #require(try corpus.read(id))
      for url in try corpus.caseURLs { try removeFile(url) }
      try below.write(holding(found), name: id)
      let report = try check(corpus)
      #expect(report.failures.map(\.id).contains(id))
      #expect(try corpus.read(id)?.sample == found.sample)
      #expect(!corpus.contains("\(id)-2"))
    }
  }

  @Test("A failure that comes back though its case holds has a file of its own, once, and its name")
  func comesBack() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder.appendingPathComponent("cases"))
      let first = try check(corpus)
      let before = try corpus.caseURLs.map(\.lastPathComponent)
      let id = try #require(first.failures.first?.id)
      let found = try #require(try corpus.read(id))
      for url in try corpus.caseURLs { try removeFile(url) }
      // As it would be if the bug had been fixed, and another broken the same law in the same way.
      var holding = holding(found)
      holding.set(.firstSeen, to: "2001-02-03")
      try corpus.write(holding, name: id)
      let out = try ReportFolder(folder.appendingPathComponent("out"))
      // The second run finds it, the others try what is stored: one case is too few to find it again.
      for cases in [60, 1, 1] {
        let report = try check(corpus, into: out, cases: cases)
        let failure = try #require(report.failures.first { $0.id == "\(id)-2" })
        let written = try CaseFolder.read(out.url.appendingPathComponent(failure.file))
        let kept = try #require(try corpus.read(failure.id))
        #expect(written.sample == kept.sample && written.sample == found.sample)
        #expect(!report.failures.contains { $0.id == id })
        #expect(PastRun(report, commit: nil).failures.contains { $0.id == failure.id })
        #expect(try corpus.read(id) == holding)
        let names = try corpus.caseURLs.map(\.lastPathComponent)
        #expect(Set(names) == Set(before).union(["\(id)-2.case"]))
      }
    }
  }

  @Test(
    "A failure with a number adds no file that says nothing new",
    arguments: [
      (Failure.Stage.raw, "two\n", true),
      (.shrunk(steps: 1, .finished, originalCount: 1), "two\n", true),
      (.shrunk(steps: 1, .finished, originalCount: 1), "one\n", false),
      (.flaky(steps: 0, otherwise: "held"), "two\n", false),
    ]
  )
  func addsNothing(_ stage: Failure.Stage, _ sample: String, _ isStored: Bool) throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder)
      try corpus.write(failure().caseFile, name: Self.usual)
      let names = FailureNames(corpus: corpus)
      names.noteHeld(try #require(try corpus.read(Self.usual)))
      let store = FailureStore(folder: nil, corpus: corpus, day: "2001-02-03")
      store.keep(names.named(failure(sample: "large\n"), inLane: 0))
      #expect(try corpus.read("\(Self.usual)-2")?.sample == "large\n")
      let small = Failure(
        subjects: ["engine", "naive"],
        Finding(key: failure().key, difference: failure().difference),
        failure(sample: sample).sample,
        choices: [],
        seed: 1,
        caseIndex: 3,
        stage: stage
      )
      store.keep(names.named(small, inLane: 0))
      #expect(store.failure == nil)
      #expect(try corpus.read("\(Self.usual)-2")?.sample == (isStored ? sample : nil))
      #expect(try corpus.read(Self.usual)?.sample == "one\n")
    }
  }

  @Test("A report that is added later names the file that has its failure, old or new")
  func added() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder.appendingPathComponent("cases"))
      let out = try ReportFolder(folder.appendingPathComponent("out"))
      let report = try check(CaseFolder(folder.appendingPathComponent("none")), into: out)
      let id = try #require(report.failures.first?.id)
      func add(after runs: [PastRun]) throws -> String? {
        try ReportFolder.addCases(
          of: report,
          in: out.url,
          to: corpus,
          after: RunHistory(runs)
        )[id]
      }
      #expect(try add(after: []) == id)
      let known = try #require(try corpus.read(id))
      let other = CaseFile(
        law: known.law,
        subjects: known.subjects,
        kind: known.kind ?? "",
        seed: nil,
        choices: [],
        sampleFormat: known.sampleFormat,
        sample: "another"
      )
      try corpus.write(other, name: id)
      let had = PastRun(report, commit: nil)
      // It fails still, as far as is known: the case that is there stands for it.
      for runs in [[], [had]] { #expect(try add(after: runs) == id) }
      #expect(try corpus.read("\(id)-2") == nil)
      var without = report
      without.failures = []
      without.sightings = nil
      without.clock.startedAt = "2999-01-01T00:00:00Z"
      // It was gone.
      let gone = [had, PastRun(without, commit: nil)]
      for _ in 0..<2 { #expect(try add(after: gone) == "\(id)-2") }
      #expect(try corpus.read("\(id)-2")?.sample == known.sample)
      #expect(try corpus.read("\(id)-3") == nil)
      // Its life goes on under the new name.
      let named = had.naming(failures: [id: "\(id)-2"])
      try corpus.write(other, name: "\(id)-2")
      #expect(try add(after: [named]) == "\(id)-2")
    }
  }
}
