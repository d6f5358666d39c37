import ArgumentParser
import Campaigns
import Foundation
import Mutants
import Programs
import PropertyEngine
import SelfTests
import SystemCalls

/// `touchstone mutant`: what `selftest --target` starts in its patched copy, once for each mutant.
///
/// It is a ``Programs/CaseProcess``, whose answer is the outcome.
struct MutantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutant",
    abstract: "Holds one part of this program to its laws until one is violated.",
    discussion: """
      In a patched copy \(SourcePatch.variable) says which bug is on. Elsewhere no bug is on.
      """,
    shouldDisplay: false
  )

  @Argument(help: "engine, tight, document, coder, records or store.")
  var target: SourcePatch.Target

  @OptionGroup var seedOption: SeedOption

  @Option(help: .value("n", "Cases at most."), from: 1)
  var cases: Int = 20_000

  @Option(help: .value("name", "The only law to ask."))
  var law: String?

  @Option(
    help: .value("n", "Processor time, instead of cases: what `check` asks, without shrinking.")
  )
  var seconds: Double?

  @Option(help: .value("n", "With --seconds: processor time of one case."))
  var caseSeconds: Double = 10

  /// Address space of a mutant, which may ask for any: it traps at the limit, and the system need not kill processes
  /// that may be others.
  private static let memoryByteLimit: UInt64 = 6 << 30

  func run() throws {
    Output.writeOrEnd(try CaseProcess.line(of: try outcome(seed: try seedOption.value())))
  }

  private func outcome(seed: Seed) throws -> PatchOutcome {
    ProcessLimits.allowMemory(byteCount: Self.memoryByteLimit)
    guard let seconds else {
      return try PatchSuite(target).run(law: law, seed: seed, caseLimit: cases, onCase: Self.tell)
    }
    return try PatchSuite(checked: target)
      .race(seed: seed, secondsLimit: seconds, caseSeconds: caseSeconds, onCase: Self.tell)
  }

  private static func tell(_ mark: CaseMark) { Output.writeOrEnd("\(mark)\n") }
}

extension SourcePatch.Target: ExpressibleByArgument {}
