/// Folders that should say what belongs there, and do not.
///
/// A README has a title, opens with what belongs there and closes with what does not.
func readmeBreaches(in repository: Repository) throws -> [Breach] {
  let whole = [
    "Adapters", "Benchmarks", "Documentation", "Examples", "Fuzz", "Mutation", "Scripts", "corpus",
  ]
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

/// Modules whose source is unsafe somewhere, and whose README does not say where and why.
func unsafeBreaches(in repository: Repository) throws -> [Breach] {
  var modules: Set<String> = []
  for path in repository.paths where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
    let module = path.split(separator: "/").prefix(2).joined(separator: "/")
    guard !modules.contains(module) else { continue }
    let lines = try repository.text(at: path).split(separator: "\n")
    let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    if code.contains(where: { $0.contains(/\bunsafe\b/) }) { modules.insert(module) }
  }
  return try modules.sorted().compactMap { module in
    let path = "\(module)/README.md"
    let text = repository.paths.contains(path) ? try repository.text(at: path) : ""
    return text.contains("unsafe") ? nil : Breach(path, "does not say where and why it is unsafe")
  }
}
