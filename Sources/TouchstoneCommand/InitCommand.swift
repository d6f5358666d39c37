import ArgumentParser
import Campaigns
import Foundation

/// `touchstone init`: a first test in a user's package.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a starter test and a workflow into a Swift package.",
    discussion: """
      Writes Tests/LawTests/ReplicaLaws.swift and .github/workflows/laws.yml, and prints what is to \
      be added to Package.swift. Nothing is ever overwritten.
      """
  )

  @Argument(help: ArgumentHelp("The folder of the package.", valueName: "dir"))
  var folder: String = "."

  func run() throws {
    do {
      for path in try Starter(URL(fileURLWithPath: folder)).write() { print("wrote \(path)") }
      print("\n\(Starter.manifestLines)")
    } catch {
      throw failure(error)
    }
  }
}
