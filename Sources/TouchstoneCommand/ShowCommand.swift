import ArgumentParser
import Campaigns
import CaseFiles
import CodingLaws
import DocumentLaws
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

  @Argument(help: .value("path", "Case files."))
  var paths: [String]

  @Flag(help: "Print JSON instead of words; of several files an array.")
  var json = false

  /// A case; the members that its kind of sample does not have are `nil` and left out.
  private struct Case: Encodable {
    let law: String
    let subjects: [String]
    let kind: String?
    var model: String?
    var size: Int?
    var replicas: Int?
    var history: [String]?
    var diagram: [String]?
    var sample: [String]?
  }

  func run() throws {
    var shown: [Case] = []
    var last: ExitCode?
    for path in paths {
      do {
        let file = try CaseFolder.read(URL(fileURLWithPath: path))
        // Of any version: a case of another one is a coder's, and refused as such.
        let isCoder = file.sampleFormat.kind == SampleForm.coding.name.kind
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
      try printJSON(shown)
    } else if let only = shown.first {
      try printJSON(only)
    }
    if let last { throw last }
  }

  private func jsonCase(_ file: CaseFile, isCoder: Bool) throws -> Case {
    var shown = Case(law: file.law, subjects: file.subjects, kind: file.kind)
    if isCoder {
      let sample = try SampleForm.coding.sample(of: file)
      shown.model = sample.model
      shown.size = sample.size
      shown.sample = StoredSample(sample, .coding).lines
    } else if let lines = try otherLines(of: file) {
      shown.sample = lines
    } else {
      let history = try history(of: file)
      shown.size = history.size
      shown.replicas = history.finalReplicaCount
      shown.history = history.lines
      shown.diagram = file.stored.picture
    }
    return shown
  }

  private func printText(of file: CaseFile, isCoder: Bool, headedBy path: String?) throws {
    // Read before anything is printed: a case that cannot be read is an error.
    let parts: [[String]] =
      if isCoder {
        [StoredSample(try SampleForm.coding.sample(of: file), .coding).lines]
      } else if let lines = try otherLines(of: file) {
        [lines]
      } else {
        [try history(of: file).lines, file.stored.picture]
      }
    if let path { print("\(path == paths[0] ? "" : "\n")file: \(Output.visible(path))") }
    for line in Self.head(of: file) { print(line) }
    for lines in parts { print(([""] + lines).joined(separator: "\n")) }
  }

  private func history(of file: CaseFile) throws -> History {
    try file.requireReadableSample()
    return try Replay.history(of: file)
  }

  /// The headers, a line each: the two sides under the words that all reports have for them.
  private static func head(of file: CaseFile) -> [String] {
    let labels = file.difference("", kind: "").labels
    let shownBy = shownBy(file)
    return file.headers.compactMap { header in
      let party = shownBy[header.key].map { ", shown by \($0)" } ?? ""
      switch CaseFile.Key(rawValue: header.key) {
      case .expected: return "\(labels.expected)\(party): \(header.value)"
      case .actual: return "\(labels.found)\(party): \(header.value)"
      // The names of peers stand before what they show; one alone is shown as it is.
      case .expectedSide where file[.actualSide] != nil && file[.expected] != nil: return nil
      case .actualSide where file[.expectedSide] != nil && file[.actual] != nil: return nil
      default: return "\(header.key)\(party): \(header.value)"
      }
    }
  }

  /// The sides that show what was expected and what was found, by the headers that hold them; empty
  /// where these may be of one subject, or the law's own demand.
  private static func shownBy(_ file: CaseFile) -> [String: String] {
    let (law, subjects) = (DocumentLaw.all.first { $0.name == file.law }, file.subjects)
    // Of bytes that both load, either may be the one that saved them.
    guard let law, law.isAgreement, !law.isCrossing, subjects.count == 2 else { return [:] }
    return [
      CaseFile.Key.expected.rawValue: subjects[1], CaseFile.Key.actual.rawValue: subjects[0],
    ]
  }

  /// The lines of a sample that is neither a history nor a coder's; `nil` for those two.
  private func otherLines(of file: CaseFile) throws -> [String]? {
    // What a test of a user's package judged is text here.
    if file[.model] != nil { return file.stored.lines }
    for catalogue in Catalogue.shownAsText where try catalogue.reads(file) {
      return file.stored.lines
    }
    return nil
  }
}
