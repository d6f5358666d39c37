/// The id of an implementation that is wrong on purpose, and the name that it has among subjects.
///
///     tie-break-reversed             its id, as lists and reports of mutants have it
///     mutant:tie-break-reversed      the subject's id, as `--subject` and case files have it
package struct MutantID: Hashable, Sendable, CustomStringConvertible {
  private static let prefix = "mutant:"

  /// Lower-case words joined by hyphens.
  package let description: String

  package init(_ id: String) {
    description = id
  }

  /// The mutant that a subject's id names; `nil` for the id of another subject.
  package init?(subjectID: String) {
    guard subjectID.hasPrefix(Self.prefix) else { return nil }
    description = String(subjectID.dropFirst(Self.prefix.count))
  }

  /// The id of the subject.
  package var subjectID: String { Self.prefix + description }
}
