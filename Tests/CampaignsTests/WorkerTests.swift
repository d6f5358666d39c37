import CodingLaws
import ForeignSubjects
import Foundation
import PropertyEngine
import Reporting
import Subjects
import TestSupport
import Testing

@testable import Campaigns

@Suite("Workers and what they say")
struct WorkerTests {
  private static let peerLaws: Set = ["peer.reads", "peer.writes"]

  /// Our coder's lane of the laws of peers, with the engine for a peer or without any.
  private func lane(hasPeer: Bool) -> Lane {
    let peer = PeerAvailability.available(SubjectPeer(engineSubject))
    return Lane(
      hasPeer ? JudgedCoder.ours(peer: peer) : JudgedCoder.ours(),
      laws: CodingLaw.all.filter { Self.peerLaws.contains($0.name) || $0.name == "counter.adds" }
    )
  }

  /// A registry in whose folder another program stands for Automerge.
  private func registry(in folder: URL) throws -> SubjectRegistry {
    let adapter = folder.appendingPathComponent("Adapters/automerge")
    try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
    try Data(#"{"id": "automerge", "command": ["false"]}"#.utf8)
      .write(to: adapter.appendingPathComponent(AdapterManifest.fileName))
    return SubjectRegistry(adapters: folder.appendingPathComponent("Adapters"))
  }

  @Test(
    "A worker judges the laws of its parent or none: without a peer that the parent has it refuses",
    arguments: [
      (parentHasPeer: false, asksMore: false, refusal: nil),
      (true, false, "automerge cannot be set up: the peer of document-coder does not start: "),
      (false, true, "it would not ask document-coder the same laws as the run"),
    ] as [(parentHasPeer: Bool, asksMore: Bool, refusal: String?)]
  )
  func peers(parentHasPeer: Bool, asksMore: Bool, refusal: String?) throws {
    try withFolder { folder in
      let worker = Worker(
        registry: try registry(in: folder),
        laws: Self.peerLaws.union(["counter.adds"]),
        caseSeconds: 60
      )
      let parents = lane(hasPeer: parentHasPeer)
      var address = parents.address
      address.laws = lane(hasPeer: parentHasPeer || asksMore).address.laws
      let request = WorkerRequest(
        lane: address,
        seed: 1,
        // A range of cases would limit the time of this process.
        task: .draw(group: 0, Choices(seed: 1).origin, .init(JudgingRequest()))
      )
      let line = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
      // The second time as the first: a lane that was refused is not kept.
      for _ in 0..<2 {
        switch (worker.answer(line), refusal) {
        case (.judged(let sent), nil): #expect(sent.verdicts.map(\.law) == ["counter.adds"])
        case (.refused(let words), let refusal?): #expect(words.hasPrefix(refusal), "\(words)")
        case (let answer, _): Issue.record("\(answer)")
        }
      }
    }
  }

  @Test(
    "A peer that does not start though its folder is there is told before the run and in its report"
  )
  func absentPeer() throws {
    try withFolder { folder in
      var lines: [String] = []
      let report = try CheckRun(
        registry: try registry(in: folder),
        subjects: ["document-coder"],
        laws: Self.peerLaws.union(["counter.adds"]),
        seed: 1,
        budget: .cases(2),
        jobs: 1
      ).run(onStart: { lines.append($0) }, onProgress: { _ in }, onFailure: { _ in })
      let told = try #require(lines.first)
      #expect(told.hasPrefix("without automerge: the peer of document-coder does not start: "))
      #expect(report.clock.remarks.contains(told))
      let cells = report.cells.filter { Self.peerLaws.contains($0.law) }
      let reason = "the real Automerge does not start here"
      #expect(cells.map(\.skipReason) == [reason, reason])
      #expect(report.outcome.exitStatus == 0, "\(report.outcome.reasons)")
    }
  }

  /// The report of three cases of records in workers that are a shell with this script.
  private func report(workers script: String) throws -> Report {
    let lane = try #require(Catalogue.subject("record-sync")?.subject.lane(["record.nil-clears"]))
    let pool = try WorkerPool(
      program: URL(fileURLWithPath: "/bin/sh"),
      arguments: ["-c", script]
    )
    return CampaignsTests.report(configuration([lane.judged(in: pool, jobs: 1)], cases: 3))
  }

  @Test(
    "A worker that gives no verdict is a failure of the harness, and names no file that is not there",
    arguments: [
      (
        "echo 'no such library' >&2; echo usage >&2; exit 64",
        "a worker ended before it began to judge: it ended the process with status 64, and printed: no such"
          + " library"
      ),
      (
        #"while read -r line; do echo '{"refused": {"_0": "it has other laws"}}'; done"#,
        "a worker gave no verdict: it has other laws"
      ),
    ]
  )
  func noVerdict(script: String, summary: String) throws {
    let report = try report(workers: script)
    #expect(report.failures == [])
    let sightings = report.sightings ?? []
    #expect(sightings.map(\.summary) == [summary])
    #expect(sightings.map(\.file) == [nil] && sightings.map(\.caseCount) == [3])
    #expect(report.cells.allSatisfy { $0.violated == 0 && $0.errored == 3 })
    #expect(report.outcome.exitStatus == 2)
    let reasons = report.outcome.reasons.map(\.text)
    #expect(reasons.contains { $0.contains(summary) }, "\(reasons)")
  }

  @Test(
    "What a worker has told stays, and what an interruption ended was not judged",
    arguments: [
      // The second answer has the other cases, never comes as the run is over, or never comes.
      ("cat rest", 3, 0), ("touch over; kill -9 $$", 1, 0), ("kill -9 $$", 3, 2),
    ]
  )
  func parts(second: String, cases: Int, errored: Int) throws {
    try withFolder { folder in
      let lane = try #require(
        Catalogue.subject("record-sync")?.subject.lane(["record.nil-clears"])
      )
      let run = lane.run(seed: 5, clock: { 0 })
      for (name, range) in [("first", 0..<1), ("rest", 1..<3)] {
        var rest = range
        let totals = run.totals(of: { rest.popFirst() })
        let answer = WorkerAnswer.totals(totals, new: [], upTo: range.upperBound)
        let line = try JSONEncoder().encode(answer) + Data("\n".utf8)
        try line.write(to: folder.appendingPathComponent(name))
      }
      let over = folder.appendingPathComponent("over").path
      let pool = try WorkerPool(
        program: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", "cd '\(folder.path)'; read -r a; cat first; read -r b; \(second)"],
        isAbandoned: { FileManager.default.fileExists(atPath: over) }
      )
      let report = CampaignsTests.report(
        configuration([lane.judged(in: pool, jobs: 1)], cases: 3)
      )
      let cell = try #require(report.cells.first { $0.law == "record.nil-clears" })
      #expect(report.run.cases == cases)
      #expect(cell.judged == cases && cell.errored == errored)
      #expect((report.sightings ?? []).isEmpty == (errored == 0))
    }
  }

  @Test(
    "A worker answers once its time for a range is over, with the cases that it has judged",
    arguments: [(0, 5), (nil, 9)] as [(seconds: Double?, end: Int)]
  )
  func rangeTime(seconds: Double?, expected: Int) throws {
    let lane = lane(hasPeer: false)
    let worker = Worker(
      registry: SubjectRegistry(adapters: nil),
      laws: Self.peerLaws.union(["counter.adds"]),
      // A limit of this process, too, which it never comes to.
      caseSeconds: 1_000_000
    )
    let request = WorkerRequest(
      lane: lane.address,
      seed: 1,
      task: .judge(lower: 4, upper: 9, seconds: seconds)
    )
    let line = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
    guard case .totals(let totals, _, let end) = worker.answer(line) else {
      Issue.record("no totals")
      return
    }
    #expect(end == expected && totals.caseCount == expected - 4)
  }

  @Test(
    "A worker's death is its subject's where its code was at work, and else the harness's",
    arguments: [
      (.waiting, "harness.exit", true), (.law, "exit", false), (.drawing, "harness.exit", true),
      (.subject, "exit", false), (.oracle, "harness.exit", true),
    ] as [(phase: WorkerNote.Phase, kind: String, isError: Bool)]
  )
  func culprits(phase: WorkerNote.Phase, kind: String, isError: Bool) {
    let death = WorkerDeath(
      failure: .init(reason: .exited(status: 1), lastLines: ["words"]),
      place: .init(caseIndex: nil, phase: phase)
    )
    let key = death.finding(in: lane(hasPeer: false)).key
    #expect(key == FailureKey(law: FailureKey.answers, isError: isError, kind: kind))
  }
}
