import ArgumentParser
import Campaigns
import Foundation

/// `touchstone init`: a first test in a user's package.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a starter test and a workflow into a Swift package.",
    discussion: """
      Writes a test into Tests/LawTests and .github/workflows/laws.yml, and prints what is to be \
      added to Package.swift. Nothing is ever overwritten; a package may have all kinds of test.

        touchstone init                  asks; if it cannot, as for models
        touchstone init --for merge      a test of a type that merges
        touchstone init --for engine     a test of a CRDT engine
      """
  )

  @Option(name: .customLong("for"), help: .value("kind", "What the test judges."))
  var kind: Starter.Kind?

  @Argument(help: .value("dir", "The folder of the package."))
  var folder: String = "."

  func run() throws {
    let starter = Starter(kind ?? asked(), in: URL(fileURLWithPath: folder))
    let program = Bundle.main.executableURL
    let files = try starter.write(program)
    for file in files {
      print(file.isKept ? "kept \(file.path), which was there" : "wrote \(file.path)")
    }
    print("\n\(starter.manifestLines(program))")
    // One that was there may have been changed since, and says itself what it checks out.
    let isNew = files.contains { $0.path == StarterWorkflow.path && !$0.isKept }
    if isNew, let note = starter.workflow(program).note { print("\n\(note)") }
  }

  /// What the user at the terminal chooses; a model where input or output is no terminal.
  private func asked() -> Starter.Kind {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return .model }
    while true {
      Output.write(Starter.Kind.questions)
      guard let answer = readLine() else { return .model }
      if let kind = Starter.Kind(answer: answer) { return kind }
    }
  }
}

extension Starter.Kind: ExpressibleByArgument {}
