import ArgumentParser
import ForeignSubjects
import Foundation
import Histories

/// `touchstone adapter run`: one conversation, line by line.
struct AdapterRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Shows one short conversation with an adapter, line by line.",
    discussion: """
      Two replicas write one key, and one takes in the other's state. What the adapter writes to its \
      standard error is passed on if it fails.

        touchstone adapter run Adapters/template
        touchstone adapter run node adapter.js

      Exit status: 0 it answered, 1 it gave no answer or an invalid one, 2 there is no such program, or it cannot be \
      started.
      """
  )

  @Argument(
    parsing: .captureForPassthrough,
    help: .value("command", "An adapter's folder, or a command.")
  )
  var command: [String]

  mutating func validate() throws { command = try adapterWords(command) }

  func run() throws {
    let checkup = try AdapterCheckup(named: command, AdapterLimits())
    do {
      try checkup.converse { speaker, line in print("\(speaker.rawValue)  \(line)") }
    } catch let failure as SubjectFailure {
      // It never ran.
      throw failure
    } catch {
      complain("touchstone: \(error)")
      throw ExitCode(1)
    }
  }
}
