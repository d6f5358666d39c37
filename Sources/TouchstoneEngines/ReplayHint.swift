import Campaigns
import PropertyEngine
import Texts
import Touchstone

/// How a failure of a subject is judged again: by the test, or by the program `touchstone`.
struct ReplayHint: Sendable {
  /// Where the case is kept beside the test; `nil` if the test has it, or it could not be kept.
  let kept: FailureFolder.Kept?
  /// The test's command first, then the program's; none for a case that could not be kept.
  let commands: [String]

  /// By the case that is kept beside the test.
  init(_ kept: FailureFolder.Kept?, in registry: SubjectRegistry) {
    self.kept = kept
    commands = kept.map { [$0.command, Self.program($0.path, registry)] } ?? []
  }

  /// By a test in which the case is written down, or the path of its file.
  ///
  /// The program needs a file: it is put aside where the test names none.
  init(of failure: Failure, path: String?, in folder: FailureFolder, _ registry: SubjectRegistry) {
    let path = path ?? FailureFolder.putAside(failure.caseFile, failure.nameParts)
    kept = nil
    commands =
      [folder.testCommand]
      + (path.map { [Self.program(FailureFolder.short($0), registry)] } ?? [])
  }

  private static func program(_ path: String, _ registry: SubjectRegistry) -> String {
    (["touchstone replay"] + registry.arguments + [shellWord(path)]).joined(separator: " ")
  }
}

extension Failure {
  /// The parts of the name of its case's file.
  var nameParts: [String] { [subject, key.law, key.kind] }
}
