import ArgumentParser
import Campaigns
import Foundation
import PropertyEngine
import SystemCalls
import Texts

/// `touchstone pace`: how many histories a second the harness gets through.
struct PaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pace",
    abstract: "Measures how many histories a second the harness gets through with the engine.",
    discussion: """
      On one core: 5 replicas, 40 edits, a commit for every 5; all meet, and each is saved and loaded. \
      With --agree the specification runs each history as well, and both are compared.
      """
  )

  @OptionGroup var seedOption: SeedOption

  @Option(help: .value("n", "How many histories."), from: 1)
  var count: Int = 10_000

  @Flag(help: "Compare with the specification.")
  var agree = false

  func run() throws {
    let seed = try seedOption.value(usual: Seed(value: 1))
    // Time of this process alone: the machine may be busy.
    let clock: @Sendable () -> Double = { ProcessUse.threadSeconds }
    Interruption.install()
    let result = PaceRun(seed: seed.value, clock: clock)
      .run(count: count, agrees: agree, isInterrupted: { Interruption.isRequested })
    let total = result.seconds.reduce(0, +)
    let names = [
      "drawing and making valid", "running", "meeting", "saving and loading", "the specification",
    ]
    print(
      "\(counted(result.histories, "history", "histories")), \(counted(result.edits, "edit")): "
        // Before the first history is through, no time has passed.
        + "\(total > 0 ? Int(Double(result.histories) / total) : 0) a second of CPU time"
    )
    for (name, seconds) in zip(names, result.seconds) where seconds > 0.001 {
      let micros = Int(seconds / Double(max(result.histories, 1)) * 1e6)
      print("  \(name): \(micros) us a history")
    }
    for failure in result.failures.prefix(10) { print("  \(failure)") }
    if let ending = Interruption.ending(after: result.histories, of: count, "history", "histories")
    {
      Interruption.tell(ending)
    }
    throw ExitCode(Interruption.exitStatus ?? (result.failures.isEmpty ? 0 : 1))
  }
}
