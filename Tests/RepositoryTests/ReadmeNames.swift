/// Names in READMEs of modules and test targets that nothing has any more.
///
/// Every capitalised word in backticks is the name of a file or a folder, without its extension, or
/// a word of some Swift source outside comments:
///
///     `OpStore+Seek.swift`, `TOUCHSTONE_ONLY=A swift test`, `Coder<Topic>Mutants.swift`
///
/// asks for `OpStore`, `Seek`, `TOUCHSTONE_ONLY` and `A`: a word with a placeholder in it stands
/// for many. What this folder's own sources say proves nothing, since they plant names to be found.
/// Fenced code is not looked at.
func readmeNameBreaches(
  in repository: Repository,
  exceptions: [String: String] = readmeNameExceptions
) throws -> [Breach] {
  let readmes = repository.paths.filter { path in
    let parts = path.split(separator: "/")
    return parts.count == 3 && ["Sources", "Tests"].contains(parts[0]) && parts[2] == "README.md"
  }
  var known = Set(exceptions.keys)
  for path in repository.paths { known.formUnion(capitalisedWords(Array(path.utf8))) }
  for path in repository.paths
  where path.hasSuffix(".swift") && !path.hasPrefix("Tests/RepositoryTests/") {
    known.formUnion(capitalisedWords([UInt8](try repository.data(at: path)), isSwift: true))
  }
  return try readmes.flatMap { path in
    try quotedNames(in: repository.text(at: path)).filter { !known.contains($0.name) }.map {
      Breach(path, line: $0.line, "nothing is called \($0.name)")
    }
  }
}

/// Names that a README says and nothing has, with the reason.
let readmeNameExceptions = [
  "PropertyFace": "the module that the name PropertyFaceTests suggests, and that there is not"
]

/// The capitalised words in backticks, with their lines.
private func quotedNames(in readme: String) -> [(name: String, line: Int)] {
  var found: [(name: String, line: Int)] = []
  var isCode = false
  for (index, line) in readme.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
  {
    if line.hasPrefix("```") { isCode.toggle() }
    guard !isCode else { continue }
    for match in line.matches(of: /`([^`]+)`/) {
      for part in match.output.1.split(separator: " ") where !part.contains("<") {
        found += capitalisedWords(Array(part.utf8)).sorted().map { ($0, index + 1) }
      }
    }
  }
  return found
}

/// The words of ASCII letters, digits and `_` that begin with a capital; of Swift those in code.
private func capitalisedWords(_ bytes: [UInt8], isSwift: Bool = false) -> Set<String> {
  var words: Set<String> = []
  var start: Int?
  var isComment = false
  var last: UInt8 = 0x20
  for (index, byte) in bytes.enumerated() {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A:
      if start == nil { start = index }
    default:
      if let first = start, !isComment, (0x41...0x5A).contains(bytes[first]) {
        words.insert(String(decoding: bytes[first..<index], as: UTF8.self))
      }
      start = nil
      if byte == 0x0A { isComment = false }
      // An address has a colon before its slashes.
      if isSwift, byte == 0x2F, last == 0x2F, index < 2 || bytes[index - 2] <= 0x20 {
        isComment = true
      }
    }
    last = byte
  }
  if let first = start, !isComment, (0x41...0x5A).contains(bytes[first]) {
    words.insert(String(decoding: bytes[first...], as: UTF8.self))
  }
  return words
}
