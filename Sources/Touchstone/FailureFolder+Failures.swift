import Campaigns
import Foundation
import PropertyEngine

extension FailureFolder {
  /// A failure that was found just now, whose case is stored under a name.
  func failure(_ words: FailureWords, _ file: CaseFile, storing name: String) -> ModelFailure {
    let path = write(file, name: name)
    return ModelFailure(
      law: words.law,
      model: words.model,
      summary: words.summary,
      description: words.text(
        stored: path.map { "\($0) (tried first from now on)" },
        replay: path.map { command(replaying: $0) }
      ),
      caseFile: file.render(),
      storedPath: path,
      caseName: name
    )
  }

  /// A failure whose case an earlier run has stored.
  func failure(_ words: FailureWords, _ file: CaseFile, storedAt path: String) -> ModelFailure {
    ModelFailure(
      law: words.law,
      model: words.model,
      summary: words.summary,
      description: words.text(
        stored: "\(path) (found by an earlier run)",
        replay: command(replaying: path)
      ),
      caseFile: file.render(),
      storedPath: path,
      caseName: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    )
  }

  /// The name of a case, out of parts that say what it is about.
  static func name(_ parts: [String]) -> String {
    parts.map(plain).joined(separator: "--")
  }

  /// The case that `TOUCHSTONE_REPLAY` names.
  static func readCase(at path: String) throws(JudgementError) -> CaseFile {
    do {
      return try CaseFolder.read(URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(reason: "\(error)")
    }
  }
}
