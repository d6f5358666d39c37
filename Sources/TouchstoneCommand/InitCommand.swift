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
      added to Package.swift. Nothing is ever overwritten; a package may have both kinds of test.

        touchstone init                  a test of Codable models
        touchstone init --for engine     a test of a CRDT engine
      """
  )

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("What the test judges.", valueName: "kind")
  )
  var kind: Starter.Kind = .model

  @Argument(help: ArgumentHelp("The folder of the package.", valueName: "dir"))
  var folder: String = "."

  func run() throws {
    let starter = Starter(kind, in: URL(fileURLWithPath: folder))
    do {
      for file in try starter.write() {
        print(file.isKept ? "kept \(file.path), which was there" : "wrote \(file.path)")
      }
      print("\n\(starter.manifestLines)")
    } catch {
      throw failure(error)
    }
  }
}

extension Starter.Kind: ExpressibleByArgument {}
