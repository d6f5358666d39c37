import ArgumentParser
import Campaigns
import CaseFiles
import Foundation
import Mutants
import PastRuns
import Programs
import PropertyEngine
import Reporting
import Texts

/// `touchstone coverage`: what of Touchstone's own code the laws never come to.
struct CoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Shows which of the code under test no case ever enters.",
    discussion: """
      A bug in code that is never entered cannot be found. The program is built once more with the compiler's \
      counters (minutes, the first time), and each part is held to all laws that `touchstone check` asks, in a \
      process of its own. What was not entered is shown with its source.

        touchstone coverage                             all parts, a minute each
        touchstone coverage --target engine --seconds 10s --report coverage

      \(NeverEntered.path) lists code that nothing is expected to enter, each with its reason. Exit status: 0 if \
      all other code was entered, 1 if some was not, 2 if nothing can be said. Needs a clone of Touchstone, and \
      the tools of LLVM that Swift's toolchain has.
      """
  )

  @Option(
    help: .value(
      "part",
      "The part whose code it is about: engine, document, coder, records, store; may be repeated. Default: all."
    )
  )
  var target: [SourcePatch.Target] = []

  @Option(
    help: .value("time", "Processor time for each part. Default: 60s."),
    transform: TimeSpan.inSeconds
  )
  var seconds: TimeSpan?

  @OptionGroup var seedOption: SeedOption

  @Option(
    name: .customLong("package"),
    help: .value("dir", "Where the clone of Touchstone is.")
  )
  var package: String = "."

  @OptionGroup var jobsOption: JobsOption

  @Option(
    help: .value("dir", "Where index.html and coverage.json go. Default: .build/coverage/report.")
  )
  var report: String?

  @Flag(help: "Print coverage.json instead of words.")
  var json = false

  /// Gaps that are named in words.
  private static let shownGaps = 20

  mutating func validate() throws {
    if target.contains(.tight) {
      throw ValidationError("The part tight has the code of the engine: name --target engine.")
    }
    try requireFolder(report, of: "--report")
  }

  func run() throws {
    try Threads.require()
    let console = Console(isQuiet: json)
    Interruption.install(.init(result: "it ends without a result", loss: nil), console: console)
    let seed = try seedOption.value(usual: Seed(value: 1))
    let build = CoverageBuild(package: URL(fileURLWithPath: package))
    let folder =
      report.map { URL(fileURLWithPath: $0) } ?? build.folder.appendingPathComponent("report")
    try requireOwn(folder)
    let all = SourcePatch.Target.allCases.filter { $0 != .tight }
    let coverage: SourceCoverage
    do {
      coverage = try CoverageRun(
        build: build,
        targets: target.isEmpty ? all : SourcePatch.Target.allCases.filter(target.contains),
        seed: seed,
        seconds: seconds?.seconds ?? 60,
        jobs: jobsOption.count,
        isInterrupted: { Interruption.isRequested }
      ).run { console.line($0) }
    } catch is Subprogram.Interrupted {
      complain("touchstone: interrupted before anything could be said")
      throw ExitCode(Interruption.exitStatus ?? 2)
    } catch {
      throw failure(error)
    }
    let data = try ReportFolder.encoded(coverage)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try writeFile(data, to: folder.appendingPathComponent(CoveragePage.data))
    let page = folder.appendingPathComponent("index.html")
    try writeFile(Data(CoveragePage(coverage).text.utf8), to: page)
    if json {
      Output.writeOrEnd(String(decoding: data, as: UTF8.self))
    } else {
      print(Self.words(coverage))
      print("page: \(page.relativePath)")
    }
    throw ExitCode(coverage.unexplained.isEmpty ? 0 : 1)
  }

  /// Refuses a folder with a page of another origin before the run, which would replace it.
  private func requireOwn(_ folder: URL) throws {
    let manager = FileManager.default
    let page = folder.appendingPathComponent("index.html")
    let data = folder.appendingPathComponent(CoveragePage.data)
    guard manager.fileExists(atPath: page.path), !manager.fileExists(atPath: data.path) else {
      return
    }
    throw failure(CoverageError.foreignPage(page.relativePath))
  }

  /// Modules, the largest gaps, and the headline last.
  static func words(_ coverage: SourceCoverage) -> String {
    let width = coverage.modules.map(\.name.count).max() ?? 0
    var lines = coverage.modules.map { module in
      let name = module.name.padding(toLength: width, withPad: " ", startingAt: 0)
      return "  \(name)  \(module.percent) of \(counted(module.regions, "region"))"
    }
    let open = coverage.unexplained.sorted { $0.regions > $1.regions }
    if !open.isEmpty { lines += ["", "never entered, and without a reason:"] }
    lines += open.prefix(shownGaps).map { gap in
      let first = gap.source.first?.trimmingCharacters(in: .whitespaces) ?? ""
      return "  \(gap.place)  \(first.clipped(80))"
    }
    if open.count > shownGaps { lines.append("  and \(open.count - shownGaps) more on the page") }
    return (lines + ["", coverage.headline]).joined(separator: "\n")
  }
}
