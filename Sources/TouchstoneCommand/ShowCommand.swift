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
    abstract: "Shows the history of a case file as text and diagram, or the value or steps of one.",
    discussion: """
      Of several files each is headed by its path. One that cannot be read is named, and the others \
      are shown all the same; the exit status is then 2.
      """
  )

  @Argument(help: ArgumentHelp("Case files.", valueName: "path"))
  var paths: [String]

  @Flag(help: "Print JSON instead of words; of several files an array.")
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
    var shown: [any Encodable] = []
    var last: ExitCode?
    for path in paths {
      do {
        let file = try CaseFolder.read(URL(fileURLWithPath: path))
        let isCoder = CodingSample.isSample(of: file)
        if json {
          shown.append(try jsonCase(file, isCoder: isCoder))
        } else {
          try printText(of: file, isCoder: isCoder, headedBy: paths.count > 1 ? path : nil)
        }
      } catch {
        last = failure(error)
      }
    }
    if json, paths.count > 1 {
      try printJSON(shown.map(AnyCase.init))
    } else if let only = shown.first {
      try printJSON(AnyCase(only))
    }
    if let last { throw last }
  }

  /// Cases of several kinds in one array.
  private struct AnyCase: Encodable {
    let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  private func jsonCase(_ file: CaseFile, isCoder: Bool) throws -> any Encodable {
    if isCoder { return try coderCase(file) }
    if let lines = try otherLines(of: file) {
      return OtherCase(law: file.law, subjects: file.subjects, kind: file.kind, sample: lines)
    }
    return try historyCase(file)
  }

  private func printText(of file: CaseFile, isCoder: Bool, headedBy path: String?) throws {
    // Read before anything is printed: a case that cannot be read is an error.
    let parts: [[String]] =
      if isCoder {
        [try CodingSample(file).lines]
      } else if let lines = try otherLines(of: file) {
        [lines]
      } else {
        [try Replay.history(of: file).lines, file.stored.picture]
      }
    if let path { print("\(path == paths[0] ? "" : "\n")file: \(Output.visible(path))") }
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
