/// Files of code or prose of more than 600 lines that do not say why.
///
/// A longer file has a comment `long: why` in one of its first 30 lines. Data is free.
func longFiles(in repository: Repository) throws -> [Breach] {
  let lineCountLimit = 600
  let headLineCount = 30
  let endings = [".c", ".h", ".md", ".modulemap", ".py", ".sh", ".swift", ".yml"]
  let data = ["corpus/", "fixtures/"]
  return try repository.paths.compactMap { path in
    guard endings.contains(where: path.hasSuffix), !data.contains(where: path.hasPrefix) else {
      return nil
    }
    let lines = try repository.text(at: path).split(
      omittingEmptySubsequences: false,
      whereSeparator: \.isNewline
    )
    // A newline at the end begins no line.
    let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
    guard count > lineCountLimit, !lines.prefix(headLineCount).contains(where: givesReason) else {
      return nil
    }
    return Breach(path, "\(count) lines: split it, or say why in a comment `long: why`")
  }
}

private func givesReason(_ line: Substring) -> Bool {
  let text = line.drop(while: \.isWhitespace)
  for start in ["// long:", "# long:", "<!-- long:"] where text.hasPrefix(start) {
    return text.dropFirst(start.count).contains(where: \.isLetter)
  }
  return false
}
