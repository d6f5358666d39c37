import CaseFiles
import Foundation
import ModelGeneration
import ModelLaws
public import Testing
import Texts

/// Expects that a model is what it was when its snapshot was taken, or that a change was accepted.
///
/// The snapshot is a readable file in the repository: what each type asks for, and documents that it
/// wrote. The first run writes it. From then on a change of the model is an issue, which says in a
/// table what this release would lose, refuse or misread of documents that the last one wrote, and
/// the other way round; a page of it is attached. To accept it, run the test once more with `TOUCHSTONE_ACCEPT=Note`, which
/// rewrites the snapshot, and commit it with the change.
///
/// - Parameters:
///   - model: The type.
///   - path: The snapshot's file, from the folder of the test's file.
///   - sourceLocation: Where issues are recorded.
/// - Throws: ``JudgementError`` if the type cannot be derived, or the snapshot not be read or written.
public func expectNoSilentDrift<Model: Codable & SendableMetatype>(
  of model: Model.Type,
  since path: String,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let folder = URL(fileURLWithPath: sourceLocation.filePath).deletingLastPathComponent()
  let comparison = try SnapshotComparison(of: model, since: path, in: folder.path)
  var issues = TestIssues(at: sourceLocation)
  switch comparison {
  case .unchanged: break
  case .written(let text): issues.warn(text)
  case .drifted(let drifted): issues.fail(drifted.told)
  }
  try issues.finish()
}

/// What came of comparing a model with its snapshot.
public enum SilentDrift: Hashable, Sendable {
  case unchanged
  /// There was no snapshot, or a new one was asked for.
  case written(String)
  /// The model has changed, with the table of what that means.
  case drifted(String)
}

/// Compares a model with its snapshot in a folder, for tests of XCTest and other places.
///
/// `accepting` is the name of a model whose snapshot is rewritten; without it, what
/// `TOUCHSTONE_ACCEPT` names.
///
/// - Throws: ``JudgementError`` if the type cannot be derived, or the snapshot not be read or written.
public func silentDrift<Model: Codable & SendableMetatype>(
  of model: Model.Type,
  since path: String,
  in folder: String,
  accepting: String? = nil
) throws -> SilentDrift {
  switch try SnapshotComparison(of: model, since: path, in: folder, accepting: accepting) {
  case .unchanged: .unchanged
  case .written(let text): .written(text)
  case .drifted(let drifted): .drifted(drifted.text)
  }
}

/// What came of comparing a model with its snapshot, before it is put into words.
private enum SnapshotComparison {
  case unchanged
  case written(String)
  case drifted(DriftedModel)

  init<Model: Codable & SendableMetatype>(
    of model: Model.Type,
    since path: String,
    in folder: String,
    accepting: String? = nil
  ) throws {
    let source = try ValueOptions<Model>().source(storing: nil, judgedBy: driftSubjectID)
    let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
    let accepted = accepting ?? ProcessInfo.processInfo.environment["TOUCHSTONE_ACCEPT"]
    let now = try SchemaSnapshot(source)
    let isAccepted = accepted == source.name
    guard !isAccepted, FileManager.default.fileExists(atPath: url.path) else {
      try write(now, to: url, called: path)
      self = .written("\(path) was written: the schema of \(source.name). Commit it.")
      return
    }
    let old: SchemaSnapshot
    do {
      old = try JSONDecoder().decode(SchemaSnapshot.self, from: readFile(url))
    } catch let failure as FileFailure {
      throw JudgementError.unreadable(reason: "\(path): \(failure.reason)")
    } catch {
      throw JudgementError.unreadable(reason: "\(path): \(explanation(ofCodingError: error))")
    }
    guard old.version == SchemaSnapshot.version else {
      throw JudgementError.unreadable(
        reason:
          "\(path): it is of version \(old.version), and \(SchemaSnapshot.version) is read here"
      )
    }
    let drift = SchemaDrift(from: old, to: now, model)
    self =
      drift.changes.isEmpty
      ? .unchanged
      : .drifted(DriftedModel(name: source.name, path: path, table: drift.table))
  }
}

/// A model that is another than when its snapshot was taken.
package struct DriftedModel {
  private let name: String
  /// The snapshot's.
  private let path: String
  /// What changed, line by line.
  private let table: [String]

  package init(name: String, path: String, table: [String]) {
    self.name = name
    self.path = path
    self.table = table
  }

  var text: String { told.text }

  /// The drift as a test tells it: there is no case.
  package var told: TestFailure {
    var text = FailureText(
      title: "\(name) has drifted since \(path) was written",
      judgedTexts: [
        FailureText.JudgedText("what changed", table.joined(separator: "\n"), lines: table)
      ]
    )
    text.advice = """
      If that is meant, rewrite the snapshot, and commit it with the change:
      TOUCHSTONE_ACCEPT=\(name) swift test
      """
    return TestFailure(text, name: slug("\(name)--drift"), caseFile: nil)
  }
}

private func write(_ snapshot: SchemaSnapshot, to url: URL, called path: String) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  do {
    try writeFile(encoder.encode(snapshot) + Data("\n".utf8), to: url)
  } catch {
    throw JudgementError.unwritable(reason: "\(path): \(FileFailure.reason(of: error))")
  }
}
