import ArgumentParser
import Campaigns
import Foundation
import PropertyEngine
import Reporting

/// `touchstone selftest`: the harness on implementations that are wrong on purpose.
struct SelfTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Runs the laws on mutants: implementations that are wrong in one way each.",
    discussion: """
      A mutant that no law kills is a hole in the laws; a law that kills none proves nothing; a law
      that fails on the correct implementation is a false alarm. Any of these is exit status 1.
      """
  )

  @OptionGroup var seedOption: SeedOption

  @Option(help: ArgumentHelp("A mutant, by its id; may be repeated.", valueName: "id"))
  var mutant: [String] = []

  @Option(help: ArgumentHelp("Cases after which a mutant counts as alive.", valueName: "n"))
  var cases: Int = 20_000

  @Option(help: ArgumentHelp("Threads. Default: one for each processor.", valueName: "n"))
  var jobs: Int?

  @Option(help: ArgumentHelp("Where the report goes.", valueName: "dir"))
  var report: String?

  @Flag(help: "Print the report as JSON instead of words.")
  var json = false

  mutating func validate() throws {
    if cases < 1 { throw ValidationError("--cases must be at least 1.") }
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs must be between 1 and 256.")
    }
  }

  func run() throws {
    let known = Set(SubjectShelf.mutants.map(\.id))
    for id in mutant where !known.contains(id) {
      throw ValidationError("There is no mutant '\(id)'. `touchstone list mutants`.")
    }
    let seed = try seedOption.seed == nil ? Seed(value: 1) : seedOption.value()
    Interruption.install()
    let console = Console(isQuiet: json)
    do {
      let folder = try report.map { try ReportFolder(URL(fileURLWithPath: $0)) }
      try folder?.clear()
      let test = SelfTest(
        mutants: mutant,
        seed: seed,
        caseLimit: cases,
        jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
        isInterrupted: { Interruption.isRequested }
      )
      let result = test.run { console.line($0) }
      try folder?.write(result)
      if json {
        print(String(decoding: try ReportFolder.json(result), as: UTF8.self), terminator: "")
      } else {
        printSummary(result, folder: report)
      }
      throw ExitCode(result.outcome.exitStatus)
    } catch let code as ExitCode {
      throw code
    } catch {
      throw failure(error)
    }
  }
}
