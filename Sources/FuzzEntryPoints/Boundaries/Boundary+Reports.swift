import Campaigns
import CaseFiles
package import Foundation
import PropertyEngine
package import Reporting

extension Boundary {
  /// Bytes are the report of another run, which is merged with one of ours and shown.
  package static func reportMerge(
    reading read: @escaping @Sendable (Data) throws -> Report = {
      try ReportFolder.report($0, at: "report.json")
    }
  ) -> Boundary {
    Boundary(
      "reportmerge",
      "The report of another run; it is merged with a report, and all forms of both are made.",
      on: "touchstone",
      rule:
        "Bytes are refused with an error in words, or are a report. It merges, or is refused as one "
        + "that does not fit; what comes of it has every count of both, and can be written and read.",
      byteLimit: 16384,
      notation: .text(words: ["held", "violated", "failed", "check", "selftest", "null", "true"]),
      seedSentence: "a report that held, one with a failure, and one of a fuzzer",
      seeds: {
        try [
          ("held", "a run in which all laws held", report(failing: false)),
          ("failed", "a run with a failure", report(failing: true)),
          ("merged", "two reports, merged", Report.merged([report(failing: true), ours]).report),
        ].map { Seed($0.0, $0.1, Array(try ReportFolder.json($0.2))) }
      },
      judge: { bytes in
        let theirs: Report
        do { theirs = try read(Data(bytes)) } catch let error {
          return error is FileFailure || error is ReportFolder.UnknownVersion
            ? nil : .untyped(error, expected: "FileFailure")
        }
        for order in [[theirs, ours], [ours, theirs], [theirs, theirs]] {
          let merged: Report
          do throws(ReportMergeError) { merged = try Report.merged(order).report } catch {
            continue
          }
          if let difference = try kept(order, merged, read) { return difference }
        }
        return nil
      }
    )
  }

  // MARK: - Judging

  private static func kept(
    _ reports: [Report],
    _ merged: Report,
    _ read: (Data) throws -> Report
  ) throws -> Difference? {
    let counts: [(String, (Report) -> [Int])] = [
      ("cases", { [$0.run.cases] }), ("held", { $0.cells.map(\.held) }),
      ("violated", { $0.cells.map(\.violated) }), ("errored", { $0.cells.map(\.errored) }),
      ("failing cases", { $0.failures.map(\.caseCount) }),
    ]
    for (name, count) in counts {
      // Negative and saturated counts do not add up in any order.
      let parts = reports.flatMap(count)
      guard parts.allSatisfy({ (0..<1 << 40).contains($0) }), parts.count < 1 << 10 else {
        continue
      }
      let (expected, actual) = (parts.reduce(0, +), count(merged).reduce(0, &+))
      guard expected == actual else {
        return Difference(
          kind: "count",
          summary: "a merged report has another number of \(name)",
          expected: "\(expected)",
          actual: "\(actual)"
        )
      }
    }
    do {
      let again = try read(try ReportFolder.json(merged))
      guard again == merged else {
        return Difference(kind: "round-trip", summary: "a merged report is another one when read")
      }
    } catch {
      return Difference(
        kind: "unwritable",
        summary: "a merged report cannot be written and read",
        actual: "\(error)"
      )
    }
    _ = try ReportFolder.forms(of: merged)
    _ = TerminalReport(merged, hasColour: true, folder: "report").text
    _ = ReportComparison(from: reports[0], to: merged).lines()
    return nil
  }

  // MARK: - Seeds

  /// What reports from outside are merged with.
  private static let ours = report(failing: false)

  private static func report(failing: Bool) -> Report {
    var run = Report.Run(
      command: .check,
      seed: "0x2a",
      cases: 20,
      lawGlobs: [],
      repeatCommand: "touchstone check --cases 20 --seed 42"
    )
    run.program = "touchstone 1.0.0"
    var report = Report(
      run: run,
      outcome: .init(
        word: failing ? .violated : .held,
        reasons: failing ? [Report.Reason("a law")] : []
      ),
      clock: .init(
        startedAt: "2026-01-01T00:00:00Z",
        seconds: 2,
        jobs: 1,
        machine: "a machine",
        casesPerSecond: 10
      )
    )
    report.subjects = [.init(id: "naive", version: "1", capabilities: ["merge", "text"])]
    report.laws = [.init(name: "merge.commutes", sentence: "Merging commutes.", source: "a paper")]
    var cell = Report.Cell(law: "merge.commutes", subject: "naive", oracle: nil)
    (cell.held, cell.violated) = failing ? (19, 1) : (20, 0)
    report.cells = [cell]
    report.counts.edits = [.init(name: "put", count: 40)]
    report.counts.sizes = [.init(least: 0, most: 4, count: 20)]
    report.counts.waypoints = [
      .init(name: "puts-met", sentence: "Two puts met.", count: 3, isRequired: true)
    ]
    if failing { report.failures = [failure] }
    return report
  }

  private static var failure: Report.Failure {
    var failure = Report.Failure(
      id: "merge-commutes-naive-map-winner",
      law: "merge.commutes",
      subject: "naive",
      kind: .violated,
      differenceKind: "map.winner",
      summary: "another winner"
    )
    (failure.expected, failure.actual) = ("1", "2")
    failure.caseIndex = 4
    (failure.size, failure.measure, failure.replicas) = (1, "1 step", 2)
    (failure.shrinkSteps, failure.shrinkEnding) = (9, "smallest")
    failure.history = [
      "history 1", "base empty", "replicas 2", "healing merge", "r0 -> r1 merge",
    ]
    failure.timeline = [
      .init(
        kind: .exchange,
        text: "r0 -> r1 merge",
        replicas: [0, 1],
        state: ["root"],
        oracleState: nil
      )
    ]
    failure.firstSeen = "2026-01-01"
    return failure
  }
}
