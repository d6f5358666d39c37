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

  /// The decoder of the old form, and the only one: runs of earlier versions have their sizes in the command
  /// that repeats them, and nowhere else.
  init(earlierCommand command: String) {
    for match in command.matches(of: /[ ]--(replicas|edits) ([0-9]+)/) {
      let number = Int(match.2)
      if match.1 == "replicas" { replicas = number } else { edits = number }
    }
  }
}
