/// Code blocks of the README that are not what a test builds.
///
/// Each block of Swift stands below a line `<!-- from: PATH -->`: it is that file, or lines of it
/// that follow each other. A user's clone stands beside their package, so `../touchstone` in the
/// README is `../..` in an example.
func snippetBreaches(in repository: Repository) throws -> [Breach] {
  let article = "README.md"
  let lines = try repository.text(at: article).split(
    separator: "\n",
    omittingEmptySubsequences: false
  )
  var breaches: [Breach] = []
  for (index, line) in lines.enumerated() where line == "```swift" {
    func breach(_ message: String) { breaches.append(Breach(article, line: index + 1, message)) }
    guard index > 0, let match = lines[index - 1].wholeMatch(of: /<!-- from: (\S+) -->/) else {
      breach("no line above says which file this code is from")
      continue
    }
    let path = String(match.output.1)
    guard repository.paths.contains(path) else {
      breach("there is no \(path)")
      continue
    }
    let code = lines[(index + 1)...].prefix { $0 != "```" }
      .map { String($0.replacing("../touchstone", with: "../..")) }
    let file = try repository.text(at: path).split(
      separator: "\n",
      omittingEmptySubsequences: false
    ).map(String.init)
    if !file.indices.contains(where: { file[$0...].starts(with: code) }) {
      breach("this is not in \(path)")
    }
  }
  return breaches
}
