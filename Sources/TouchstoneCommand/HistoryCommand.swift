import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import PastRuns
import Reporting
import RunHistories
import Texts

/// `touchstone history`: past runs, and how long each failure has lived.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Shows past runs, and since when each failure fails.",
    discussion: """
      `touchstone check --history DIR` adds each run to DIR, tries the failures that are stored there first, \
      and stores new ones. Runs of several machines may share the folder, also at the same time. A report that \
      was made elsewhere is added by --add.

        touchstone check --history .touchstone
        touchstone history .touchstone
        touchstone history .touchstone --add nightly/report

      Exit status: 0 nothing fails, 1 something does, 2 the latest run came to no result, or there is no history.
      """
  )

  @Argument(help: .value("dir", "The folder of the history."))
  var folder: String

  @Option(help: .value("n", "Runs that are listed."), from: 1)
  var last: Int = 20

  @Option(
    help: .value("dir", "A report's folder whose run and failures are added; may be repeated.")
  )
  var add: [String] = []

  @Option(
    help: .value(
      "name",
      "A failure, by the name of its case file, that is taken out of all runs; may be repeated."
    )
  )
  var forget: [String] = []

  @Flag(help: "Take out all failures that were not seen again, and their case files.")
  var forgetGone = false

  @Flag(help: "Print the history as JSON instead of words.")
  var json = false

  mutating func validate() throws {
    try requireFolder(folder, of: "the history")
    if !add.isEmpty { try requireNoReport(in: folder, of: "the history") }
  }

  func run() throws {
    let store = HistoryStore(folder: URL(fileURLWithPath: folder))
    for path in add {
      let place = URL(fileURLWithPath: path)
      let report = try ReportFolder.read(place)
      let past = RunHistory(store.exists ? try waiting { try await store.runs() } : [])
      // A later run of this history tries them first.
      let names = try ReportFolder.addCases(of: report, in: place, to: store.cases, after: past)
      let run = PastRun(report, commit: nil).naming(failures: names)
      try waiting { try await store.add(run) }
    }
    let history = RunHistory(try waiting { try await store.runs() })
    let forgotten = try chosen(from: history)
    if !forgotten.isEmpty { try waiting { try await store.forget(forgotten) } }
    let rest = forgotten.isEmpty ? history : RunHistory(try waiting { try await store.runs() })
    if json {
      try printJSON(rest)
    } else {
      let lines = rest.lines(last: last) { failure in
        store.caseFile(of: failure).map { "\(folder)/cases/\($0.lastPathComponent)" }
      }
      for line in lines { print(line) }
    }
    throw ExitCode(rest.exitStatus)
  }

  private func chosen(from history: RunHistory) throws -> [PastFailure] {
    var chosen = forgetGone ? history.lives.filter { !$0.isFailing }.map(\.failure) : []
    let known = history.runs.flatMap(\.failures)
    for name in forget {
      let named = known.filter { $0.id == name || "\($0.id).case" == name }
      guard !named.isEmpty else {
        throw FileFailure(
          "there is no failure '\(name)'.\(suggestion(for: name, among: known.map(\.id).uniqued()))"
        )
      }
      chosen += named
    }
    return chosen
  }
}
