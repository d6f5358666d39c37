/// Calls that end the process, or that claim what was not checked, in Swift files outside tests.
///
/// Forced unwrapping is not looked for: `swift format lint` refuses it.
func forbiddenConstructs(in repository: Repository) throws -> [Breach] {
  try repository.paths.filter { path in
    path.hasSuffix(".swift") && !path.split(separator: "/").dropLast().contains("Tests")
  }
  .flatMap { path in
    forbiddenConstructs(in: swiftTokens(of: try repository.text(at: path)), path: path)
  }
}

private func forbiddenConstructs(in tokens: [SwiftToken], path: String) -> [Breach] {
  tokens.indices.compactMap { index in
    let token = tokens[index]
    let next = index + 1 < tokens.count ? tokens[index + 1] : nil
    let isForced = next?.isSign("!") == true && next?.isAttached == true
    let construct: String? =
      switch token.word {
      case "try" where isForced: "try!"
      case "as" where isForced: "as!"
      case "fatalError": "fatalError"
      default: nil
      }
    return construct.map {
      Breach(path, line: token.line, "\($0) is not used outside tests: throw a typed error")
    }
  }
}
