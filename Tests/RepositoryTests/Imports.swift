/// One `import` of a Swift file.
struct Import: Hashable {
  /// The module, without submodule or declaration: `Glibc` for `import func Glibc.read`.
  let module: String
  let line: Int
}

/// Every `import` among the tokens: behind attributes and access levels, of a whole module or of
/// one declaration, in inactive branches too.
func imports(in tokens: [SwiftToken]) -> [Import] {
  let kinds: Set = [
    "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]
  return tokens.indices.compactMap { index in
    guard tokens[index].word == "import" else { return nil }
    // `value.import`, `call(import: x)`, `call(to: y, import: x)`: only labels and members may bear
    // the word.
    if index > 0, case .sign(let sign) = tokens[index - 1].kind, ".(,".contains(sign) { return nil }
    var name = index + 1
    if name + 1 < tokens.count, let word = tokens[name].word, kinds.contains(word),
      tokens[name + 1].word != nil
    {
      name += 1
    }
    guard name < tokens.count, let module = tokens[name].word else { return nil }
    return Import(module: module.filter { $0 != "`" }, line: tokens[index].line)
  }
}
