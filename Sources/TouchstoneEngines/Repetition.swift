import Campaigns
import PropertyEngine
import Texts
import Touchstone

/// How a failure of a subject is judged again: by the test, or by the program `touchstone`.
struct Repetition: Sendable {
  /// What the text of the failure ends with.
  let lines: [String]

  /// By the case that is kept beside the test; there are no lines if it could not be.
  init(_ kept: FailureFolder.Kept?, in registry: SubjectRegistry) {
    lines = kept.map { $0.lines + [Self.program($0.path, registry)] } ?? []
  }

  /// By a test in which the case is written down, or the path of its file.
  ///
  /// The program needs a file: it is put aside where the test names none.
  init(of failure: Failure, path: String?, in folder: FailureFolder, _ registry: SubjectRegistry) {
    let path = path ?? FailureFolder.putAside(failure.caseFile, failure.nameParts)
    lines =
      ["replay: \(folder.testCommand)"]
      + (path.map { [Self.program(FailureFolder.short($0), registry)] } ?? [])
  }

  private static func program(_ path: String, _ registry: SubjectRegistry) -> String {
    let words = ["touchstone replay"] + registry.arguments + [shellWord(path)]
    return "or:     \(words.joined(separator: " "))"
  }
}

extension Failure {
  /// The parts of the name of its case's file.
  var nameParts: [String] { [subject, key.law, key.kind] }
}
