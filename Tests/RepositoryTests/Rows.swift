/// Rows of `Documentation/Rows.md` that no test names, and rows that tests name and the list does not.
///
/// A line of the first table is `| ENC-07 | what | K | tests |`, of the second `| what | title | tests |`, of the
/// third `| TXT-04 to TXT-11 | what | why |`. Tests are named by their file, and by their target too where several
/// targets have a file of that name.
func rowBreaches(in repository: Repository) throws -> [Breach] {
  let list = "Documentation/Rows.md"
  let files = repository.paths.filter {
    $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") && !$0.hasPrefix("Tests/RepositoryTests/")
  }
  var texts: [String: [String]] = [:]
  var named: [String: [String]] = [:]
  for path in files {
    let text = try repository.text(at: path)
    let parts = path.split(separator: "/")
    let name = String(parts.last?.dropLast(".swift".count) ?? "")
    let isShared = files.count { $0.hasSuffix("/\(name).swift") } > 1
    let reference = isShared ? "\(parts[1])/\(name)" : name
    texts[reference, default: []].append(text)
    for row in rows(in: text) { named[row, default: []].append(reference) }
  }
  var breaches: [Breach] = []
  var listed: Set<String> = []
  var untested: Set<String> = []
  let lines = try repository.text(at: list).split(
    omittingEmptySubsequences: false,
    whereSeparator: \.isNewline
  )
  for (number, line) in lines.enumerated() where line.hasPrefix("| ") {
    func breach(_ message: String) {
      breaches.append(Breach(list, line: number + 1, message))
    }
    let cells = line.split(separator: "|").map { $0.trimming(\.isWhitespace) }
    guard let first = cells.first, let last = cells.last else { continue }
    let ids = rows(in: String(first)).sorted()
    let tests = last.split(separator: ",").map { $0.trimming { $0.isWhitespace || $0 == "`" } }
    if cells.count == 4, ids.count == 1 {
      listed.insert(ids[0])
      for test in tests where !named[ids[0], default: []].contains(String(test)) {
        breach("\(test) does not name \(ids[0])")
      }
    } else if cells.count == 3, !ids.isEmpty {
      untested.formUnion(ids)
    } else if cells.count == 3, last.hasPrefix("`") {
      for test in tests
      where !texts[String(test), default: []].contains(where: { $0.contains(cells[1]) }) {
        breach("\(test) has no such test")
      }
    }
  }
  let kinds = Set(listed.union(untested).map { $0.prefix { $0 != "-" } })
  for (row, tests) in named.sorted(by: { $0.key < $1.key })
  where kinds.contains(row.prefix { $0 != "-" }) {
    if untested.contains(row) {
      breaches.append(Breach(list, "\(row) is said to have no test, and \(tests[0]) names it"))
    } else if !listed.contains(row) {
      breaches.append(Breach(list, "\(row) is not listed, and \(tests[0]) names it"))
    }
  }
  return breaches
}

/// The ids in a text, those between the ends of `ENC-06 to ENC-08` included.
private func rows(in text: String) -> Set<String> {
  var found: Set<String> = []
  for match in text.matches(of: /\b([A-Z]{2,4})-([0-9]{2})\b(?: to ([A-Z]{2,4})-([0-9]{2})\b)?/) {
    let (_, kind, first, lastKind, last) = match.output
    let start = Int(first) ?? 0
    let end = lastKind == kind ? last.flatMap { Int($0) } ?? start : start
    for number in start...max(start, end) {
      found.insert("\(kind)-\(number < 10 ? "0" : "")\(number)")
    }
  }
  return found
}

extension Substring {
  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
    var rest = drop(while: isLeftOut)
    while let last = rest.last, isLeftOut(last) { rest.removeLast() }
    return rest
  }
}
