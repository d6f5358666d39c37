/// Packages of the repository whose folder has the name of a package that they depend on.
///
/// SwiftPM tells packages apart by the last part of their address, in lower case and without `.git`. A package
/// in a folder `automerge-swift` that depends on `https://github.com/automerge/automerge-swift.git` is taken for
/// its own dependency, and cannot be built:
///
///     product 'Automerge' required by package 'automerge-swift' ... not found in package 'automerge-swift'
func clashingPackageIdentities(in repository: Repository) throws -> [Breach] {
  try repository.paths.filter { $0.hasSuffix("/Package.swift") }.flatMap { path in
    let own = packageIdentity(of: path.dropLast("/Package.swift".count))
    let text = try repository.text(at: path)
    let words = text.split(separator: "\"", omittingEmptySubsequences: false)
    // Behind `url:` or `path:` stands a text: every second part.
    return words.indices.dropLast().compactMap { index -> Breach? in
      let label = words[index]
      guard label.hasSuffix("url: ") || label.hasSuffix("path: "),
        packageIdentity(of: words[index + 1]) == own
      else { return nil }
      return Breach(path, "depends on \(words[index + 1]), whose name its own folder has")
    }
  }
}

private func packageIdentity(of address: Substring) -> String {
  let last = address.split(separator: "/").last?.lowercased() ?? ""
  return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
}
