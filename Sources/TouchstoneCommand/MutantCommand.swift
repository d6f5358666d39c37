import ArgumentParser
import Campaigns
import Foundation
import Mutants
import PropertyEngine
import SelfTests

/// `touchstone mutant`: what `selftest --target` starts in its patched copy, once for each mutant.
///
/// Prints the number of each case before it starts, and the outcome as one line of JSON at the end:
/// a process that traps has told how far it came.
struct MutantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutant",
    abstract: "Holds one part of this program to its laws until one is violated.",
    discussion: """
      In a patched copy \(SourcePatch.variable) says which bug is on. Elsewhere no bug is on.
      """,
    shouldDisplay: false
  )

  @Argument(help: "engine, document, coder or store.")
  var target: SourcePatch.Target

  @OptionGroup var seedOption: SeedOption

  @Option(help: ArgumentHelp("Cases at most.", valueName: "n"))
  var cases: Int = 20_000

  @Option(help: ArgumentHelp("The only law to ask.", valueName: "name"))
  var law: String?

  func run() throws {
    let outcome = PatchSuite(target).run(
      law: law,
      seed: try seedOption.value(),
      caseLimit: cases
    ) { index in
      Output.writeOrEnd("case \(index)\n")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    Output.writeOrEnd(String(decoding: try encoder.encode(outcome), as: UTF8.self) + "\n")
  }
}

extension SourcePatch.Target: ExpressibleByArgument {}
