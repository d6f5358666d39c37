import ArgumentParser
import Campaigns
import CaseFiles
import CodingLaws
import Foundation
import Histories
import Inspection
import PropertyEngine

/// `touchstone show`: a stored history for the eye.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the history of a case file as text and diagram, or the value or steps of one."
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

  /// A case whose sample is neither a history nor a coder's.
  private struct OtherCase: Encodable {
    let law: String
    let subjects: [String]
    let kind: String?
    let sample: [String]
  }

  func run() throws {
    do {
      let file = try CaseFolder.read(URL(fileURLWithPath: path))
      let isCoder = CodingSample.isSample(of: file)
      guard json else { return try printText(of: file, isCoder: isCoder) }
      if isCoder {
        try printJSON(coderCase(file))
      } else if let lines = try otherLines(of: file) {
        try printJSON(
          OtherCase(law: file.law, subjects: file.subjects, kind: file.kind, sample: lines)
        )
      } else {
        try printJSON(historyCase(file))
      }
    } catch {
      throw failure(error)
    }
  }

  private func printText(of file: CaseFile, isCoder: Bool) throws {
    // Read before anything is printed: a case that cannot be read is an error.
    let parts: [[String]] =
      if isCoder {
        [try CodingSample(file).lines]
      } else if let lines = try otherLines(of: file) {
        [lines]
      } else {
        [try Replay.history(of: file).lines, file.stored.picture]
      }
    for header in file.headers { print("\(header.key): \(header.value)") }
    for lines in parts { print(([""] + lines).joined(separator: "\n")) }
  }

  /// The lines of a sample that is neither a history nor a coder's; `nil` for those two.
  private func otherLines(of file: CaseFile) throws -> [String]? {
    // What a test of a user's package judged is text here.
    if file[.model] != nil { return file.stored.lines }
    for catalogue in [Catalogue.storedBytes, .records, .stores] where try catalogue.reads(file) {
      return file.stored.lines
    }
    return nil
  }

  private func coderCase(_ file: CaseFile) throws -> CoderCase {
    let sample = try CodingSample(file)
    return CoderCase(
      law: file.law,
      subjects: file.subjects,
      kind: file.kind,
      model: sample.model,
      size: sample.size,
      sample: sample.lines
    )
  }

  private func historyCase(_ file: CaseFile) throws -> Case {
    let history = try Replay.history(of: file)
    return Case(
      law: file.law,
      subjects: file.subjects,
      kind: file.kind,
      size: history.size,
      replicas: history.finalReplicaCount,
      history: history.lines,
      diagram: file.stored.picture
    )
  }
}
