import ArgumentParser
import Campaigns
import Foundation
import PropertyEngine

/// `touchstone damage`: damaged documents by the million.
struct DamageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage",
    abstract: "Has the engine load damaged documents, as many as you like.",
    discussion: """
      Small documents of the real Automerge get wounds, half of them under a checksum that is made \
      right again. Each is refused, or makes a document that is then held to the laws of every \
      document. All of it happens in processes of their own, so that a trap is counted and the rest \
      goes on. Exit status 1 for a trap or a violated law.
      """
  )

  @OptionGroup var seedOption: SeedOption

  @Option(help: ArgumentHelp("How many documents.", valueName: "n"))
  var count: Int = 1_000_000

  @Option(help: ArgumentHelp("Processes at a time. Default: one a processor.", valueName: "n"))
  var jobs: Int?

  @Option(help: .hidden) var from: Int = 0

  @Flag(help: .hidden) var worker = false

  func run() throws {
    guard count > 0, from >= 0, jobs ?? 1 > 0 else {
      throw ValidationError("A number of documents or processes is at least 1.")
    }
    let seed = try seedOption.value()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    if worker {
      let tally = DamageRun.work(
        from..<(from + count),
        seed: seed.value
      ) { index in
        Output.writeOrEnd("case \(index)\n")
      }
      Output.writeOrEnd(String(decoding: try encoder.encode(tally), as: UTF8.self) + "\n")
      return
    }
    let start = ProcessInfo.processInfo.systemUptime
    let run = DamageRun(
      program: Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]),
      seed: seed.value,
      count: count,
      jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount
    )
    let tally = run.run { total in
      complain("\(total.documents) documents, \(total.traps.count) traps")
    }
    let seconds = Int(ProcessInfo.processInfo.systemUptime - start)
    print(
      "\(tally.documents) damaged documents in \(seconds) s, seed \(seed): \(tally.refused) refused, "
        + "\(tally.accepted) accepted; \(tally.traps.count) traps, "
        + "\(tally.violations.count) laws violated; the dearest cost "
        + "\(tally.workPermille)/1000 of what is stated"
    )
    for words in (tally.traps + tally.violations).prefix(20) { print("  \(words)") }
    throw ExitCode(tally.traps.isEmpty && tally.violations.isEmpty ? 0 : 1)
  }
}
