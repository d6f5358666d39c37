/// Folders that should say what belongs there, and do not.
///
/// A README has a title, opens with what belongs there and closes with what does not.
func readmeBreaches(in repository: Repository) throws -> [Breach] {
  let whole = ["Adapters", "Benchmarks", "Documentation", "Examples", "Fuzz", "Scripts", "corpus"]
  let parents = [
    "Adapters", "Documentation", "Examples", "Sources", "Tests", "corpus", "fixtures",
  ]
  let folders =
    whole.filter { folder in repository.paths.contains { $0.hasPrefix(folder + "/") } }
    + (repository.paths.contains { $0.hasPrefix("fixtures/") } ? ["fixtures"] : [])
    + parents.flatMap { parent in repository.folders(in: parent).map { "\(parent)/\($0)" } }
  return try folders.sorted().compactMap { folder in
    let path = "\(folder)/README.md"
    guard repository.paths.contains(path) else {
      return Breach(folder, "has no README.md")
    }
    return objection(to: try repository.text(at: path)).map { Breach(path, $0) }
  }
}

private func objection(to text: String) -> String? {
  let paragraphs = text.split(separator: "\n\n")
  guard let title = paragraphs.first, title.hasPrefix("# ") else { return "has no title" }
  guard paragraphs.count > 2, let last = paragraphs.last else {
    return "does not say first what belongs here, and last what does not"
  }
  let words = last.lowercased().split { !$0.isLetter }
  // `No X here`, or `X belongs to Y`.
  let limits: Set<Substring> = [
    "belong", "belongs", "elsewhere", "neither", "never", "no", "none", "not", "nothing",
  ]
  return words.contains(where: limits.contains)
    ? nil : "does not say last what does not belong here"
}
