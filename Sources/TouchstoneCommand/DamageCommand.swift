import ArgumentParser
import Campaigns
import Foundation
import FuzzEntryPoints
import Programs
import PropertyEngine
import Texts

/// `touchstone damage`: damaged and forged inputs by the million.
struct DamageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage",
    abstract: "Gives the engine damaged and forged inputs, as many as you like.",
    discussion: """
      In turn: a stored file is loaded; changes come to a document; a message or state of sync comes; a \
      file is loaded and decoded as a model. Valid bytes are corrupted, most of them with checksums that are \
      made right again, and a hostile peer's changes and messages are among them. Each input is refused \
      with a typed error and leaves no trace, or makes a document that is then held to the laws of every \
      document; neither may cost more steps or memory than is stated for its bytes.

      All of it happens in processes of their own, so that a trap is counted and the rest goes on. Input n \
      is a function of the seed and of n: --from goes on where another run ended.

      Exit status: 0 if all held, 1 for a trap or what did not hold, 130 or 143 if it was interrupted.
      """
  )

  @OptionGroup var seedOption: SeedOption

  @Option(help: .value("n", "How many inputs."), from: 1)
  var count: Int = 1_000_000

  @Option(help: .value("n", "The number of the first input."), from: 0)
  var from: Int = 0

  @OptionGroup var jobsOption: JobsOption

  @Flag(help: .hidden) var worker = false

  mutating func validate() throws {
    if from.addingReportingOverflow(count).overflow {
      throw ValidationError("--from and --count are too large together.")
    }
  }

  func run() throws {
    let seed = try seedOption.value()
    if worker {
      // Its parent asks it to end, and counts what it has judged.
      Interruption.install(nil)
      let tally = try DamageRun.work(
        from..<from + count,
        seed: seed.value,
        isInterrupted: { Interruption.isRequested },
        onInput: { Output.writeOrEnd("\(CaseMark(index: $0))\n") }
      )
      Output.writeOrEnd(try CaseProcess.line(of: tally))
      return
    }
    Interruption.install()
    let start = ProcessInfo.processInfo.systemUptime
    let run = DamageRun(
      program: Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]),
      seed: seed.value,
      range: from..<from + count,
      jobs: jobsOption.count
    )
    let tally = run.run(
      isInterrupted: { Interruption.isRequested },
      onBatch: { total in
        complain(
          "\(counted(total.count, "input")), \(counted(total.traps.count, "trap")), "
            + "\(grouped(total.breaches.count)) that did not hold"
        )
      }
    )
    let seconds = ProcessInfo.processInfo.systemUptime - start
    let isHeld = tally.traps.isEmpty && tally.breaches.isEmpty
    for line in Self.lines(tally) { print(line) }
    if let ending = Interruption.ending(after: tally.count, of: count, "input") {
      Interruption.tell(ending)
    }
    print(
      "\(counted(tally.count, "input")) in \(decimal(seconds)) s, seed \(seed): "
        + "\(counted(tally.traps.count, "trap")), \(grouped(tally.breaches.count)) that did not hold; "
        + "no process had more than \(Self.size(tally.peakByteCount)) of memory"
    )
    for words in (tally.traps + tally.breaches).prefix(20) { print("  \(words)") }
    throw ExitCode(Interruption.exitStatus ?? (isHeld ? 0 : 1))
  }

  /// What came of each call's inputs, a line each.
  static func lines(_ tally: DamageRun.Tally) -> [String] {
    DamageTrial.Call.allCases.compactMap { call in
      guard let one = tally.calls[call.rawValue] else { return nil }
      let name = call.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
      let milliseconds = Double(one.slowestNanoseconds) / 1e6
      // Most inputs cost a small part of the steps that are allowed whatever their size.
      let work =
        one.workPermille > 0 ? "at most \(decimal(Double(one.workPermille) / 10))" : "less than 0.1"
      return name
        + "\(grouped(one.accepted)) taken in, \(grouped(one.refused)) refused; "
        + "the slowest took \(decimal(milliseconds)) ms of processor time (input \(one.slowest)), "
        + "\(grouped(one.slowCount)) took more than \(Int(DamageRun.secondsLimit)) s; "
        + "\(work) % of the steps that are allowed, \(size(one.heldByteCount)) held"
    }
  }

  private static func size(_ byteCount: Int) -> String {
    byteCount < 100_000
      ? "\(decimal(Double(byteCount) / 1e3)) kB" : "\(decimal(Double(byteCount) / 1e6)) MB"
  }
}
