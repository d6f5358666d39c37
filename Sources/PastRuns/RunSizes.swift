/// What the histories of a run were made of, where that was other than usual.
package struct RunSizes: Codable, Hashable, Sendable {
  /// Replicas of each history; `nil` for the usual number.
  package var replicas: Int?
  /// Edits of each history; `nil` for the usual number.
  package var edits: Int?

  package init(replicas: Int? = nil, edits: Int? = nil) {
    self.replicas = replicas
    self.edits = edits
  }

  /// The arguments that ask for them: `["--replicas 3", "--edits 200"]`.
  package var arguments: [String] {
    (replicas.map { ["--replicas \($0)"] } ?? []) + (edits.map { ["--edits \($0)"] } ?? [])
  }
}
