import ArgumentParser
import Campaigns
import Foundation
import Histories
import Inspection
import PropertyEngine

/// `touchstone show`: a stored history for the eye.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the history of a case file as text and as a space-time diagram."
  )

  @Argument(help: ArgumentHelp("A case file.", valueName: "path"))
  var path: String

  @Flag(help: "Print JSON instead of words.")
  var json = false

  private struct Case: Encodable {
    let law: String
    let subjects: [String]
    let kind: String?
    let size: Int
    let replicas: Int
    let history: [String]
    let diagram: [String]
  }

  func run() throws {
    do {
      let file = try CaseFolder.read(URL(fileURLWithPath: path))
      let history = try Replay.history(of: file)
      let diagram = SpaceTimeDiagram(history).lines
      guard !json else {
        try printJSON(
          Case(
            law: file.law,
            subjects: file.subjects,
            kind: file.kind,
            size: history.size,
            replicas: history.finalReplicaCount,
            history: history.lines,
            diagram: diagram
          )
        )
        return
      }
      for header in file.headers { print("\(header.key): \(header.value)") }
      print("")
      for line in history.lines { print(line) }
      print("")
      for line in diagram { print(line) }
    } catch {
      throw failure(error)
    }
  }
}
