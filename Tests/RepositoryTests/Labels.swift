/// Functions and initialisers outside tests that take four or more parameters without labels.
///
/// `f(disk, path, bytes, policy)` does not say which argument is which, and two of one type may be
/// swapped unseen. Operators have two parameters at most, and closures never have labels.
func unlabelledParameters(in repository: Repository) throws -> [Breach] {
  try repository.paths.filter { path in
    path.hasSuffix(".swift") && !path.split(separator: "/").dropLast().contains("Tests")
  }
  .flatMap { path in
    unlabelledParameters(in: swiftTokens(of: try repository.text(at: path)), path: path)
  }
}

/// Functions that may have more, as `path: name`, each with its reason.
let allowedUnlabelled = [
  "Sources/MergeEngine/Store/Core+Receive.swift: apply":
    "its only caller lends it a change, its header and two buffers, the latter as `inout`"
]

private func unlabelledParameters(in tokens: [SwiftToken], path: String) -> [Breach] {
  let unlabelledLimit = 3
  return tokens.indices.compactMap { index in
    guard let name = declaredName(at: index, in: tokens),
      let start = parameterList(after: index, in: tokens),
      allowedUnlabelled["\(path): \(name)"] == nil
    else { return nil }
    let count = unlabelledCount(in: tokens[start...])
    guard count > unlabelledLimit else { return nil }
    return Breach(
      path,
      line: tokens[index].line,
      "\(name) has \(count) parameters without labels: label all but \(unlabelledLimit)"
    )
  }
}

/// The name of what a token declares; `nil` if it declares no function or initialiser.
private func declaredName(at index: Int, in tokens: [SwiftToken]) -> String? {
  switch tokens[index].word {
  case "func": index + 1 < tokens.count ? tokens[index + 1].word : nil
  // `self.init(…)` and `.init(…)` are calls.
  case "init" where index == 0 || !tokens[index - 1].isSign("."): "init"
  default: nil
  }
}

/// Where the parenthesis stands that opens the parameters, behind a name and generic parameters.
private func parameterList(after index: Int, in tokens: [SwiftToken]) -> Int? {
  var position = index + (tokens[index].word == "func" ? 2 : 1)
  if position < tokens.count, tokens[position].isSign("?") || tokens[position].isSign("!") {
    position += 1
  }
  if position < tokens.count, tokens[position].isSign("<") {
    var depth = 0
    repeat {
      if tokens[position].isSign("<") { depth += 1 }
      if tokens[position].isSign(">") { depth -= 1 }
      position += 1
    } while depth > 0 && position < tokens.count
  }
  return position < tokens.count && tokens[position].isSign("(") ? position : nil
}

/// How many parameters of the list that the first token opens begin with `_` and a name.
private func unlabelledCount(in tokens: ArraySlice<SwiftToken>) -> Int {
  var (count, depth) = (0, 0)
  for index in tokens.indices {
    let token = tokens[index]
    if case .sign(let sign) = token.kind {
      if "([{".contains(sign) { depth += 1 }
      if ")]}".contains(sign) { depth -= 1 }
      if depth == 0 { break }
    }
    // Only a parameter has a `_` with a name behind it.
    if depth == 1, token.word == "_", index + 1 < tokens.endIndex, tokens[index + 1].word != nil {
      count += 1
    }
  }
  return count
}
