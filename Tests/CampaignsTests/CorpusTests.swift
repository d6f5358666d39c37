import CaseFiles
import CodingLaws
import DocumentLaws
import FaultInjection
import FileSystems
import Foundation
import Histories
import PropertyEngine
import Reporting
import Subjects
import TestSupport
import Testing
import Texts

@testable import Campaigns

@Suite("Cases in folders")
struct CorpusTests {
  /// Two puts that meet, on a mutant that settles them wrongly.
  private func tie(
    law: String = "agreement.states",
    subjects: [String] = ["mutant:tie-break-reversed", "naive"],
    value: Int = 2
  ) -> CaseFile {
    CaseFile(
      law: law,
      subjects: subjects,
      kind: "value",
      seed: 1,
      choices: [],
      sampleFormat: FormName("history", version: 1),
      sample: """
        history 1
        base empty
        replicas 2
        healing merge
        r0 put root "k" int 1
        r1 put root "k" int \(value)

        """
    )
  }

  private func check(
    corpus: CaseFolder,
    into folder: ReportFolder?,
    cases: Int = 1,
    laws: [DocumentLaw] = laws("agreement.states"),
    subject: String = "mutant:tie-break-reversed",
    onStart: (String) -> Void = { _ in },
    onFailure: @escaping (Failure) -> Void = { _ in }
  ) throws -> Report {
    try CheckRun(
      registry: SubjectRegistry(adapters: corpus.url.appendingPathComponent("none")),
      subjects: [subject],
      laws: Set(laws.map(\.name)),
      seed: 1,
      budget: .cases(cases),
      jobs: 1,
      corpus: corpus,
      folder: folder
    ).run(onStart: onStart, onProgress: { _ in }, onFailure: onFailure)
  }

  private func names(_ folder: CaseFolder) throws -> [String] {
    try folder.caseURLs.map(\.lastPathComponent)
  }

  @Test("A stored case is tried first, keeps its day, and is not stored again under another name")
  func stored() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder.appendingPathComponent("corpus"))
      var file = tie()
      file.set(.firstSeen, to: "2001-02-03")
      try corpus.write(file, name: "puts-that-meet")
      let before = try CaseFolder.read(corpus.caseURLs[0]).render()
      let out = try ReportFolder(folder.appendingPathComponent("out"))
      let report = try check(corpus: corpus, into: out)
      let failure = try #require(report.failures.first)
      #expect(report.failures.count == 1)
      #expect(failure.firstSeen == "2001-02-03")
      #expect(failure.shrinkEnding == "stored")
      #expect(failure.size == 2)
      // Else who repeats the run would try the cases of the seed alone.
      #expect(report.run.storedCases == 1)
      let arguments = "--corpus \(shellWord(corpus.url.relativePath))"
      #expect(report.run.repeatCommand.hasSuffix(" --cases 1 \(arguments)"))
      #expect(try names(corpus) == ["puts-that-meet.case"])
      #expect(try CaseFolder.read(corpus.caseURLs[0]).render() == before)
      let written = try CaseFolder.read(out.url.appendingPathComponent(failure.file))
      #expect(written[.firstSeen] == "2001-02-03")
      #expect(written.sample == file.sample)
    }
  }

  @Test("Of stored cases that fail alike the report shows one, under the name that it has there")
  func alike() throws {
    try withFolder { folder in
      let first = CaseFolder(folder.appendingPathComponent("first"))
      try first.write(tie(), name: "tie")
      let usual = try #require(try check(corpus: first, into: nil).failures.first).id
      for (numbers, shown) in [([2, 1, 10], 1), ([10, 2], 2), ([1], 1)] {
        let corpus = CaseFolder(folder.appendingPathComponent("corpus-\(numbers.count)"))
        func name(_ number: Int) -> String { number == 1 ? usual : "\(usual)-\(number)" }
        for number in numbers {
          try corpus.write(tie(value: number + 2), name: name(number))
        }
        // One that a person has named comes last.
        try corpus.write(tie(), name: "a-tie")
        let before = try names(corpus)
        let out = try ReportFolder(folder.appendingPathComponent("out"))
        var told: [String] = []
        let report = try check(corpus: corpus, into: out, onFailure: { told.append($0.slug) })
        #expect(told == [name(shown)])
        let failure = try #require(report.failures.first)
        #expect(report.failures.count == 1 && failure.id == name(shown))
        #expect(failure.caseCount >= numbers.count + 1)
        let written = try CaseFolder.read(out.url.appendingPathComponent(failure.file))
        #expect(written.sample == tie(value: shown + 2).sample)
        #expect(try names(corpus) == before)
      }
    }
  }

  @Test("What a stored case comes to stands in its law's cell, and in every count of the report")
  func counted() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder)
      try corpus.write(tie(law: "cursors.agree"), name: "held")
      try corpus.write(tie(), name: "violated")
      // No case of the seed is drawn: whatever the cells hold is of the stored cases.
      var configuration = configuration(
        [lane(try mutant("tie-break-reversed"), laws("agreement.states", "cursors.agree"))],
        cases: 0
      )
      configuration.storedCases = try corpus.caseURLs.map(CaseFolder.read)
      let report = report(configuration)
      let failure = try #require(report.failures.first)
      #expect(report.failures.count == 1)
      #expect(failure.caseCount == 1)
      #expect(report.run.cases == 0)
      #expect(report.run.storedCases == 2)
      // What is refuted stays refuted though nothing was drawn.
      #expect(report.outcome.exitStatus == 1, "\(report.outcome.reasons)")
      let agreement = try #require(report.cells.first { $0.law == "agreement.states" })
      #expect(agreement.violated == 1 && agreement.held == 0)
      let cursors = try #require(report.cells.first { $0.law == "cursors.agree" })
      #expect([cursors.violated, cursors.held, cursors.errored, cursors.skipped].reduce(0, +) == 1)
      #expect(JUnitReport(report).text.contains("<failure message="))
      let site = try Conformance([report])
      #expect(site.implementations.map(\.violated) == [1])
      let verdict = try #require(site.verdicts.first { $0.law == "agreement.states" })
      #expect(verdict.failure?.hasPrefix("runs/1/index.html#agreement.states/") == true)
    }
  }

  @Test("A stored case that departs as it is known to is counted with its divergence")
  func countedKnown() throws {
    let divergence = try divergence()
    let file = CaseFile(
      law: "agreement.states",
      subjects: ["mutant:counter-as-register", "naive"],
      kind: "value",
      seed: 1,
      choices: [],
      sampleFormat: FormName("history", version: 1),
      sample: divergence.example.text
    )
    var configuration = configuration(
      [
        lane(
          try mutant("counter-as-register"),
          laws("agreement.states"),
          divergences: [divergence]
        )
      ],
      cases: 0
    )
    configuration.storedCases = [file]
    let report = report(configuration)
    #expect(report.failures == [])
    #expect(report.cells.map(\.known) == [1])
    #expect(report.knownDivergences.map(\.count) == [1])
  }

  @Test("A new failure is added with its day, and found there by the next run")
  func added() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder.appendingPathComponent("corpus"))
      var lines: [String] = []
      let first = try check(
        corpus: corpus,
        into: nil,
        cases: 80,
        onFailure: { lines.append($0.headline) }
      )
      #expect(!first.failures.isEmpty)
      #expect(lines.count == first.failures.count)
      #expect(try names(corpus) == first.failures.map { "\($0.id).case" }.sorted())
      let day = try CaseFolder.read(corpus.caseURLs[0])[.firstSeen]
      #expect(day?.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
      #expect(first.failures.allSatisfy { $0.firstSeen == nil })
      let second = try check(corpus: corpus, into: nil, cases: 1)
      #expect(second.failures.map(\.id) == first.failures.map(\.id))
      #expect(second.failures.allSatisfy { $0.firstSeen == day })
      #expect(second.failures.map(\.history) == first.failures.map(\.history))
    }
  }

  @Test("A stored case of another subject or law is passed over; one that holds is no failure")
  func passedOver() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder)
      try corpus.write(tie(subjects: ["engine", "naive"]), name: "engine")
      try corpus.write(tie(law: "merge.commutes"), name: "other-law")
      try corpus.write(tie(subjects: ["naive"]), name: "holds")
      var lines: [String] = []
      let report = try check(
        corpus: corpus,
        into: nil,
        subject: "naive",
        onStart: { lines.append($0) }
      )
      #expect(report.failures == [])
      // Green is not read as if all of them held.
      let words = "trying 0 of 3 stored cases first; 2 of other subjects or laws"
      #expect(lines.contains(words), "\(lines)")
      #expect(try names(corpus).count == 3)
    }
  }

  @Test("A case that cannot be read is named, the others are tried, and the run fails")
  func unreadable() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder)
      let broken = CaseFile(
        law: "agreement.states",
        subjects: ["naive"],
        kind: "value",
        seed: nil,
        choices: [],
        sampleFormat: FormName("history", version: 1),
        sample: "history 1\nbase nothing\n"
      )
      try corpus.write(broken, name: "broken")
      try corpus.write(tie(), name: "tie")
      let deep = folder.appendingPathComponent("deep")
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
      try Data("nothing".utf8).write(to: deep.appendingPathComponent("foreign.case"))
      var lines: [String] = []
      let report = try check(corpus: corpus, into: nil, onStart: { lines.append($0) })
      #expect(report.outcome.word == .failed)
      #expect(report.failures.map(\.shrinkEnding) == ["stored"])
      let unread = report.outcome.reasons.map(\.text).filter { $0.contains("cannot be read") }
      #expect(unread.count == 2)
      let begins =
        "the case broken.case of the corpus cannot be read: it holds no history: line 8: "
      #expect(unread.first?.hasPrefix(begins) == true)
      #expect(unread.last?.hasPrefix("the case deep/foreign.case of the corpus") == true)
      #expect(lines.filter { $0.contains("cannot be read") } == unread)
    }
  }

  @Test("A case that cannot be tried is named with its reason, and not announced as tried")
  func untried() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder)
      let peer = PeerAvailability.available(SubjectPeer(engineSubject))
      let laws = CodingLaw.all.filter { $0.name == "peer.reads" }
      let run = Lane(JudgedCoder.ours(peer: peer), laws: laws).run(seed: 1)
      var choices = Choices(replaying: [])
      let sample = try #require(run.judge(case: 0, &choices)?.sample?.stored())
      for (name, law) in [("skipped", "peer.reads"), ("mixed", "counter.adds")] {
        let file = CaseFile(
          law: law,
          subjects: ["document-coder"],
          kind: "value",
          seed: nil,
          choices: [],
          sampleFormat: name == "mixed" ? FormName("history", version: 1) : sample.form,
          sample: name == "mixed" ? tie().sample : sample.text
        )
        try corpus.write(file, name: name)
      }
      var lines: [String] = []
      let report = try CheckRun(
        registry: SubjectRegistry(adapters: folder.appendingPathComponent("none")),
        subjects: ["document-coder"],
        laws: ["peer.reads", "counter.adds"],
        seed: 1,
        budget: .cases(1),
        jobs: 1,
        corpus: corpus
      ).run(onStart: { lines.append($0) }, onProgress: { _ in }, onFailure: { _ in })
      let skipped =
        "the case skipped.case of the corpus is not tried: peer.reads is skipped (the real Automerge"
        + " is not set up here)"
      #expect(lines.contains("trying 1 of 2 stored cases first") && lines.contains(skipped))
      #expect(report.clock.remarks.contains(skipped))
      let refused =
        "the case mixed.case of the corpus was not tried: counter.adds is not asked of samples of the"
        + " form history 1 here"
      #expect(report.outcome.reasons.map(\.text).contains(refused), "\(report.outcome.reasons)")
      #expect(report.outcome.exitStatus == 2)
    }
  }

  @Test("A corpus is read behind links, each folder of it once; a link that leads nowhere is told")
  func linked() throws {
    try withFolder { folder in
      let place = folder.appendingPathComponent("elsewhere")
      try CaseFolder(place).write(tie(), name: "tie")
      let manager = FileManager.default
      try manager.createSymbolicLink(
        atPath: folder.appendingPathComponent("link").path,
        withDestinationPath: "elsewhere"
      )
      let holder = folder.appendingPathComponent("holder")
      try manager.createDirectory(at: holder, withIntermediateDirectories: true)
      for (name, goal) in [
        ("in", "../link"), ("again", "../elsewhere"), ("up", "."), ("a.case", "x"),
      ] {
        try manager.createSymbolicLink(
          atPath: holder.appendingPathComponent(name).path,
          withDestinationPath: goal
        )
      }
      #expect(try names(CaseFolder(folder.appendingPathComponent("link"))) == ["tie.case"])
      let cases = try CaseFolder(holder).cases
      #expect(cases.map(\.url.lastPathComponent) == ["a.case", "tie.case"])
      #expect(throws: FileFailure.self) { try cases[0].file.get() }
      let report = try check(corpus: CaseFolder(folder.appendingPathComponent("link")), into: nil)
      #expect(report.failures.map(\.shrinkEnding) == ["stored"])
    }
  }

  @Test(
    "A corpus that cannot be read ends the run before a case, and is not taken for an empty one",
    arguments: [FileError.Call.openFolder, .names, .status]
  )
  func closed(_ call: FileError.Call) throws {
    try withFolder { folder in
      try CaseFolder(folder.appendingPathComponent("deep")).write(tie(), name: "tie")
      var plan = FaultPlan()
      plan.refusal = FaultPlan.Refusal(call: 0, cause: .accessDenied, only: call)
      let corpus = CaseFolder(folder, files: FaultyFiles(SystemFiles(), plan))
      let failure = #expect(throws: FileFailure.self) { try check(corpus: corpus, into: nil) }
      #expect(
        failure?.description == "cannot read the folder \(folder.relativePath): permission denied"
      )
      // A file in its place is no empty folder either, and one that is not there is.
      let file = CaseFolder(folder.appendingPathComponent("deep/tie.case"))
      #expect(throws: FileFailure.self) { try file.caseURLs }
      #expect(try CaseFolder(folder.appendingPathComponent("none")).caseURLs == [])
    }
  }

  @Test("A report's folder loses the cases of an earlier run, readable or not, and nothing else")
  func cleared() throws {
    try withFolder { folder in
      // A folder that a run has taken once is the report's from then on.
      try ReportFolder(folder).clear()
      let failures = folder.appendingPathComponent("failures")
      try FileManager.default.createDirectory(at: failures, withIntermediateDirectories: true)
      try Data("nothing".utf8).write(to: failures.appendingPathComponent("old.case"))
      try CaseFolder(failures).write(tie(), name: "older")
      try Data("mine".utf8).write(to: failures.appendingPathComponent("notes.txt"))
      let corpus = CaseFolder(folder.appendingPathComponent("corpus"))
      try corpus.write(tie(), name: "kept")
      let link = failures.appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: corpus.url)
      let made = try ReportFolder(folder)
      try made.clear()
      #expect(try names(made.failures) == ["kept.case"])
      let left = try FileManager.default.contentsOfDirectory(atPath: failures.path)
      #expect(left.sorted() == ["link", "notes.txt"])
    }
  }

  @Test("A report's folder is this run's before adapters start, and says so before the first case")
  func takenOver() throws {
    try withFolder { folder in
      let corpus = CaseFolder(folder.appendingPathComponent("corpus"))
      let out = folder.appendingPathComponent("out")
      let file = out.appendingPathComponent("report.json")
      let earlier = try check(
        corpus: corpus,
        into: nil,
        cases: 30,
        laws: laws("merge.commutes"),
        subject: "naive"
      )
      try ReportFolder(out).write(earlier)
      #expect(earlier.outcome.word == .held)
      let adapter = folder.appendingPathComponent("adapters/broken")
      try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
      try Data("{".utf8).write(to: adapter.appendingPathComponent("adapter.json"))
      #expect(throws: (any Error).self) {
        try CheckRun(
          registry: SubjectRegistry(adapters: folder.appendingPathComponent("adapters")),
          subjects: ["broken"],
          laws: ["agreement.states"],
          seed: 3,
          budget: .cases(1),
          jobs: 1,
          folder: ReportFolder(out)
        ).run(onStart: { _ in }, onProgress: { _ in }, onFailure: { _ in })
      }
      #expect(!FileManager.default.fileExists(atPath: file.path))

      try ReportFolder(out).write(earlier)
      // While the first case runs; the caller writes the last report.
      _ = try check(corpus: corpus, into: ReportFolder(out), subject: "engine")
      let left = try ReportFolder.read(out)
      #expect(left.run.cases == 0)
      #expect(left.outcome.word == .failed)
      #expect(left.outcome.reasons.contains { $0.text == "interrupted after 0 of 1 case" })
    }
  }

  @Test(
    "Failures of an earlier report that stand in the corpus are tried before they are taken away"
  )
  func corpusAround() throws {
    try withFolder { folder in
      let out = try ReportFolder(folder.appendingPathComponent("out"))
      try out.clear()
      try out.failures.write(tie(), name: "earlier")
      let report = try check(corpus: CaseFolder(folder), into: out)
      #expect(report.failures.map(\.shrinkEnding) == ["stored"])
    }
  }

  @Test("A replay judges the history in the file, by the law and against the oracle it names")
  func replays() throws {
    let mutant = lane(try mutant("tie-break-reversed"), DocumentLaw.all)
    let replay = Replay(lanes: [mutant])
    let outcome = try replay.run(try CaseFile.parse(tie().render()))
    guard case .violated(let difference) = outcome.verdict else {
      Issue.record("\(outcome.verdict)")
      return
    }
    #expect(difference.kind == "value")
    #expect(outcome.law == "agreement.states")
    #expect(outcome.subject == "mutant:tie-break-reversed")
    #expect(try replay.run(tie(law: "merge.commutes")).verdict == .held)
    #expect(throws: Replay.Failure.self) { try replay.run(tie(law: "no.law")) }
    #expect(throws: Replay.Failure.self) { try replay.run(tie(subjects: ["nobody"])) }
    #expect(throws: Replay.Failure.self) { try replay.run(tie(subjects: [])) }

    // Of two lanes with one subject the one with the case's oracle is meant.
    let right = ScriptedSubject("right") { _, program in ScriptedSubject.right(program) }
    let wrong = ScriptedSubject("wrong") { _, program in ScriptedSubject.wrong(program) }
    let lanes = [right, wrong].map {
      Lane(right, oracle: $0, laws: DocumentLaw.all)
    }
    #expect(lanes.map { $0.oracle } == [nil, "wrong"])
    let second = try Replay(lanes: lanes).run(tie(subjects: ["right", "wrong"]))
    #expect(second.verdict.word == .violated)
  }

  @Test("A replay of numbers says what their law called, where it is violated")
  func saysCalls() throws {
    func lane(_ id: String) throws -> Lane {
      try #require(Catalogue.subject(id)?.subject.lane(["record.nil-clears"]))
    }
    let wrong = "mutant:record-nil-unmarked"
    var run = try lane(wrong).run(seed: Seed(value: 3))
    run.run(cases: 60, shrinkLimit: 50, failureLimit: 1)
    var file = try #require(run.failures.values.first).caseFile
    let violated = try Replay(lanes: [lane(wrong)]).run(file)
    #expect(violated.verdict.word == .violated && violated.calls.count > 2)
    #expect(violated.calls.first?.hasPrefix("encode ") == true)
    file.set(.subjects, to: "record-sync")
    let held = try Replay(lanes: [lane("record-sync")]).run(file)
    #expect(held.verdict == .held && held.calls.isEmpty)
  }

  @Test("A step is essential exactly if the case holds without it")
  func essential() throws {
    let lane = lane(try mutant("tie-break-missing"), laws("network.converges"))
    var configuration = configuration([lane], cases: 60)
    configuration.failureLimit = 1
    let report = report(configuration)
    let failure = try #require(report.failures.first)
    let history = try History(text: failure.history.joined(separator: "\n"))
    #expect(failure.timeline.count == history.steps.count + 1)
    #expect(failure.timeline.last?.kind == .heal)
    let replay = Replay(lanes: [lane])
    for index in history.steps.indices {
      var rest = history
      rest.steps.remove(at: index)
      let file = CaseFile(
        law: failure.law,
        subjects: [lane.subject.id],
        kind: failure.differenceKind,
        seed: nil,
        choices: [],
        sampleFormat: FormName("history", version: 1),
        sample: rest.text
      )
      var stillFails = false
      if case .violated(let difference) = try replay.run(file).verdict {
        stillFails = difference.kind == failure.differenceKind
      }
      #expect(failure.timeline[index].isEssential == !stillFails, "\(failure.history)")
    }
    #expect(failure.timeline.contains { $0.isEssential && $0.kind == .edit })
    // Each edit is looked at: also one that leaves the document empty says what it left.
    #expect(failure.timeline.allSatisfy { $0.kind != .edit || !$0.state.isEmpty })
  }

  @Test("Shrinking keeps to the law and the kind of difference that was found")
  func keepsKind() throws {
    var choices: [String: [String]] = [:]
    let lane = lane(try mutant("predecessors-none"), laws("agreement.states"))
    var configuration = configuration([lane], cases: 60)
    configuration.failureLimit = 3
    let report = report(configuration) { shrunk in
      choices[shrunk.slug] = [shrunk.caseFile.law, shrunk.caseFile.kind ?? ""]
    }
    #expect(report.failures.count > 1)
    #expect(Set(report.failures.map(\.id)).count == report.failures.count)
    let replay = Replay(lanes: [lane])
    for failure in report.failures {
      #expect(choices[failure.id] == [failure.law, failure.differenceKind])
      let file = CaseFile(
        law: failure.law,
        subjects: [failure.subject],
        kind: failure.differenceKind,
        seed: nil,
        choices: [],
        sampleFormat: FormName("history", version: 1),
        sample: failure.history.joined(separator: "\n")
      )
      guard case .violated(let difference) = try replay.run(file).verdict else {
        Issue.record("\(failure.id) does not replay")
        continue
      }
      #expect(difference.kind == failure.differenceKind)
      #expect(difference.summary == failure.summary)
    }
  }
}
