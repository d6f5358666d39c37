/// Targets of `make` that documents, examples and workflows call and the Makefile does not have.
///
/// Looked at is `make target` where a command begins: in backticks, at the start of a line, behind `run: ` or `&& `.
func makeTargetBreaches(in repository: Repository) throws -> [Breach] {
  let targets = Set(
    try repository.text(at: "Makefile").matches(of: /(?m)^([a-z]+):/).map { String($0.output.1) }
  )
  var breaches: [Breach] = []
  let endings = [".md", ".yml", ".yaml", ".sh"]
  for path in repository.paths where endings.contains(where: path.hasSuffix) {
    let lines = try repository.text(at: path)
      .split(separator: "\n", omittingEmptySubsequences: false)
    // In Markdown a line of prose may begin with the word.
    var isCode = !path.hasSuffix(".md")
    for (index, line) in lines.enumerated() {
      if path.hasSuffix(".md"), line.hasPrefix("```") { isCode.toggle() }
      var called = line.matches(of: /(?:`|run: |&& )make ([a-z]+)/).map { String($0.output.1) }
      if isCode, let first = line.firstMatch(of: /^\s*make ([a-z]+)/) {
        called.append(String(first.output.1))
      }
      breaches += called.filter { !targets.contains($0) }
        .map { Breach(path, line: index + 1, "the Makefile has no target \($0)") }
    }
  }
  return breaches
}
