import ArgumentParser
import Campaigns
import Foundation
import Reporting

/// `touchstone report`: what is done with reports after a run.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Renders reports again, makes one of several, compares two, or shows many as a site.",
    discussion: """
      A report's folder is what `touchstone check --report DIR` wrote. All of its files are made out \
      of report.json; its failures are case files for `touchstone replay DIR/failures`.
      """,
    subcommands: [
      RenderCommand.self, MergeCommand.self, CompareCommand.self, SiteCommand.self,
    ]
  )

  struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "render",
      abstract: "Writes every form of a report again, from its report.json.",
      discussion: """
        After an update of Touchstone, say, or where only report.json was kept. With --compared-with the \
        page shows what is new, fixed and still failing since an earlier run, and what failed in the last ones.

          touchstone report render .build/report
          touchstone report render .build/report --compared-with last-week
        """
    )

    @Argument(help: .value("dir", "Folders of reports."))
    var folders: [String]

    @Option(
      help: .value(
        "dir",
        "The folder of an earlier report; may be repeated, and the last run counts."
      )
    )
    var comparedWith: [String] = []

    func run() throws {
      for folder in folders {
        try ReportFolder.render(
          URL(fileURLWithPath: folder),
          comparedWith: comparedWith.map { URL(fileURLWithPath: $0) }
        )
        print("\(folder)/index.html")
      }
    }
  }

  struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Makes one report of several runs: of several machines, or of several nights.",
      discussion: """
        Counts add up. Failures of one law and subject with the same smallest history become one, \
        first seen on the earliest day. Runs may differ in seed, machine and subjects. Refused are \
        runs of two versions of Touchstone, of two versions of one subject, or of laws that do not say \
        the same, and a run that is given twice, or as a whole and as one of its parts. Parts of a run (`check --shard`) that are missing are \
        named; merge them to the result when they are there.

          touchstone report merge monday tuesday --output week

        Exit status: that of the gravest run, or 2 if parts are missing or nothing could be merged.
        """
    )

    @Argument(help: .value("dir", "Folders of reports."))
    var folders: [String]

    @Option(help: .value("dir", "Where the one report goes."))
    var output: String

    @Flag(help: "Print the report as JSON instead of words.")
    var json = false

    mutating func validate() throws {
      try requireFolder(output, of: "--output")
      if folders.contains(where: { place(of: $0) == place(of: output) }) {
        throw ValidationError(
          "--output: \(output) is one of the reports to merge, and would be replaced: name another folder."
        )
      }
    }

    func run() throws {
      let urls = folders.map { URL(fileURLWithPath: $0) }
      let report = try ReportFolder.merge(urls, into: URL(fileURLWithPath: output))
      try printReport(report, asJSON: json, folder: output)
      throw ExitCode(report.outcome.exitStatus)
    }
  }

  struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare",
      abstract: "Says what fails since an earlier run, and what does no longer.",
      discussion: """
        A failure is the same in both runs if law, subject and kind of difference are. Laws that only \
        one of the runs judged are named as well.

          touchstone report compare last-week .build/report

        Exit status: 0 nothing new fails, 1 something does, 2 the later run came to no result or did \
        not judge what failed before, or a report could not be read.
        """
    )

    @Argument(help: .value("earlier", "The folder of the earlier report."))
    var earlier: String

    @Argument(help: .value("later", "The folder of the later report."))
    var later: String

    @Flag(help: "Print the comparison as JSON instead of words.")
    var json = false

    func run() throws {
      let before = try ReportFolder.read(URL(fileURLWithPath: earlier))
      let after = try ReportFolder.read(URL(fileURLWithPath: later))
      // Two branches may be judged in any order; but two reports that were mixed up would look fixed.
      if before.clock.startedAt > after.clock.startedAt {
        complain(
          "touchstone: the run of \(earlier), which is given as the earlier one, began after that of \(later)"
        )
      }
      let comparison = ReportComparison(from: before, to: after)
      if json {
        try printJSON(comparison)
      } else {
        for line in comparison.lines() { print(line) }
      }
      throw ExitCode(comparison.exitStatus)
    }
  }

  struct SiteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "site",
      abstract: "Makes a site out of reports: all laws on all versions of all implementations.",
      discussion: """
        One page with a matrix whose red cells lead to the smallest failure, the report of each run \
        behind it, and a badge for each implementation. Reports may be of other machines, days, \
        versions of a subject and versions of Touchstone; verdicts of one version add up, and a run that is in \
        two of the reports is refused, inside of a merged one as well. Parts of a run (`check --shard`) are whole once \
        all of them are there. The folder needs no server: publish it as it is.

          touchstone report site nightly/*/report --output site

        Exit status: 0 if the site was written, whatever the verdicts in it; 2 if not.
        """
    )

    @Argument(help: .value("dir", "Folders of reports."))
    var folders: [String]

    @Option(help: .value("dir", "Where the site goes."))
    var output: String

    mutating func validate() throws {
      try requireFolder(output, of: "--output")
    }

    func run() throws {
      let site = SiteFolder(URL(fileURLWithPath: output))
      let conformance = try site.write(reportsIn: folders.map { URL(fileURLWithPath: $0) })
      for implementation in conformance.implementations { print(Badge(implementation).title) }
      print("site: \(output)/index.html")
    }
  }
}
