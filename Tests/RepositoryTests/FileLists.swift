/// READMEs whose lists of files are not true.
///
/// In a README of `Sources`, what the first column of a table headed `file` or `files` names in
/// backticks is a file of that folder: `Core`, `Core*`, or `+Paths` after `Core`. A README with such a
/// table names every Swift file: by its name, by a pattern, or by the folder that it is in. The README
/// of an index folder names every file beside it.
func fileListBreaches(in repository: Repository) throws -> [Breach] {
  let indexes = [
    "Documentation", "Documentation/Decisions", "Documentation/Specification", "Scripts",
  ]
  var breaches: [Breach] = []
  for module in repository.folders(in: "Sources").map({ "Sources/\($0)" }) {
    let readme = "\(module)/README.md"
    guard repository.paths.contains(readme) else { continue }
    let files = repository.paths.filter { $0.hasPrefix(module + "/") }
    let stems = files.map(stem)
    let listed = listedNames(in: try repository.text(at: readme))
    for name in listed {
      let isThere =
        stems.contains { matches(stem(name.pattern), $0) }
        || repository.paths.contains { $0.hasPrefix("\(module)/\(name.pattern)") }
      if !isThere {
        breaches.append(Breach(readme, line: name.line, "there is no \(name.pattern)"))
      }
    }
    guard !listed.isEmpty else { continue }
    for file in files where file.hasSuffix(".swift") {
      let path = file.dropFirst(module.count + 1)
      let isNamed = listed.contains { name in
        matches(stem(name.pattern), stem(file))
          || path.hasPrefix(name.pattern.hasSuffix("/") ? name.pattern : name.pattern + "/")
      }
      if !isNamed { breaches.append(Breach(readme, "does not name \(path)")) }
    }
  }
  for folder in indexes where repository.paths.contains("\(folder)/README.md") {
    let text = try repository.text(at: "\(folder)/README.md")
    for path in repository.paths where path.hasPrefix(folder + "/") {
      let name = path.dropFirst(folder.count + 1)
      guard !name.contains("/"), name != "README.md", !name.hasSuffix(".png") else { continue }
      if !text.contains(name) {
        breaches.append(Breach("\(folder)/README.md", "does not name \(name)"))
      }
    }
  }
  return breaches
}

/// The names in the first column of tables of files.
private func listedNames(in readme: String) -> [(pattern: String, line: Int)] {
  var found: [(pattern: String, line: Int)] = []
  var isList = false
  for (index, line) in readme.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
  {
    if line.starts(with: /\| files? \|/) {
      isList = true
    } else if !line.hasPrefix("|") {
      isList = false
    } else if isList, let cell = line.split(separator: "|").first {
      var base = ""
      for match in cell.matches(of: /`([^`]+)`/) {
        let name = String(match.output.1)
        if name.hasPrefix("+") {
          found.append((base + name, index + 1))
        } else {
          base = String(name.prefix { $0 != "+" && $0 != "*" })
          found.append((name, index + 1))
        }
      }
    }
  }
  return found
}

/// A path's last part without `.swift`.
private func stem(_ path: String) -> String {
  let name = path.split(separator: "/").last ?? ""
  return String(name.hasSuffix(".swift") ? name.dropLast(6) : name)
}

/// Whether a name is of a pattern; `*` stands for any text.
private func matches(_ pattern: String, _ name: String) -> Bool {
  let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  guard parts.count > 1, let last = parts.last else { return pattern == name }
  guard name.hasPrefix(parts[0]), name.hasSuffix(last),
    name.count >= parts[0].count + last.count
  else { return false }
  var rest = name.dropFirst(parts[0].count).dropLast(last.count)
  for part in parts.dropFirst().dropLast() where !part.isEmpty {
    guard let range = rest.firstRange(of: part) else { return false }
    rest = rest[range.upperBound...]
  }
  return true
}
