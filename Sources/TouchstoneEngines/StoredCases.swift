import Campaigns
import Foundation
import PropertyEngine
import Touchstone

/// The cases that earlier runs of a test stored beside it, judged again before new ones.
struct StoredCases {
  private(set) var issues: [FailureIssue] = []
  /// What is worth knowing and no failure, such as a case that cannot be judged any more.
  private(set) var notes: [String]

  /// Judges the cases of a subject by those laws that the test asks for.
  init(
    of subject: String,
    by laws: Set<String>,
    in folder: FailureFolder,
    _ registry: SubjectRegistry
  ) async {
    let found = folder.cases { $0.isOf(subject) && laws.contains($0.law) }
    notes = found.unreadable
    for (url, file) in found.cases where !Task.isCancelled {
      let kept = folder.kept(at: url.path)
      do {
        guard let failure = try await failure(of: file, in: registry) else { continue }
        issues.append(FailureIssue(failure, replay: ReplayHint(kept, in: registry)))
      } catch {
        notes.append("\(kept.path) cannot be judged here, and is left as it is: \(error)")
      }
    }
  }
}

extension CaseFile {
  /// Whether it is of a subject, and not of a model that a test judged.
  func isOf(_ subject: String) -> Bool { subjects.first == subject && self[.model] == nil }
}
