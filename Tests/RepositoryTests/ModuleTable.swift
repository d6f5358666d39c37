/// The table of modules as `Documentation/Architecture.md` shows it: the manifest's rows, each with
/// what the first sentence of the module's README says of it.
func moduleRows(of table: ManifestTable, in repository: Repository) throws -> [[String]] {
  try table.modules.sorted { ($0.tier, $0.name) < ($1.tier, $1.name) }.map { module in
    let readme = try repository.text(at: "Sources/\(module.name)/README.md")
    return [
      "\(module.tier)", "`\(module.name)`", module.usesFoundation ? "F" : "",
      duty(in: readme), module.dependencies.map { "`\($0)`" }.joined(separator: ", "),
    ]
  }
}

/// The first sentence below the title, without links; of a long one what stands before its colon.
func duty(in readme: String) -> String {
  let paragraphs = readme.split(separator: "\n\n")
  guard paragraphs.count > 1 else { return "" }
  let text = paragraphs[1].split(separator: "\n").joined(separator: " ")
    .replacing(/\[([^\]]+)\]\([^)]*\)/) { $0.output.1 }
  let sentence = text[..<(text.firstRange(of: /[.](?: |$)/)?.lowerBound ?? text.endIndex)]
  let colon = sentence.firstRange(of: /:(?: |$)/)?.lowerBound
  guard let colon, sentence.count > 140 || sentence.hasSuffix(":") else { return String(sentence) }
  return String(sentence[..<colon])
}
