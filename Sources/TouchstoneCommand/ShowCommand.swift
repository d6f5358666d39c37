import ArgumentParser
import Campaigns
import CodingLaws
import Foundation
import Histories
import Inspection
import PropertyEngine

/// `touchstone show`: a stored history for the eye.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the history of a case file as text and diagram, or the model's value of one."
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

  /// A case of a coder.
  private struct CoderCase: Encodable {
    let law: String
    let subjects: [String]
    let kind: String?
    let model: String
    let size: Int
    let sample: [String]
  }

  private func show(coder file: CaseFile) throws {
    let sample = try CodingSample(file)
    guard !json else {
      try printJSON(
        CoderCase(
          law: file.law,
          subjects: file.subjects,
          kind: file.kind,
          model: sample.model,
          size: sample.size,
          sample: sample.lines
        )
      )
      return
    }
    for header in file.headers { print("\(header.key): \(header.value)") }
    print("")
    for line in sample.lines { print(line) }
  }

  func run() throws {
    do {
      let file = try CaseFolder.read(URL(fileURLWithPath: path))
      if CodingSample.isSample(of: file) { return try show(coder: file) }
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
