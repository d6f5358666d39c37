import Foundation

/// `fixtures/MANIFEST.json`: where each fixture comes from, and what its bytes are.
///
/// ```json
/// {"fixtures": [{"path": "documents/text-empty.automerge", "sha256": "9f86...",
///   "producer": "automerge", "version": "1.0.0rc1", "licence": "MIT"}]}
/// ```
/// Paths are relative to `fixtures/`. Every file there has one entry, but for the manifest itself
/// and each README.
struct FixtureManifest: Decodable {
  struct Entry: Decodable {
    let path: String
    /// 64 hexadecimal digits in lower case.
    let sha256: String
    let producer: String
    let version: String
    let licence: String
  }

  let fixtures: [Entry]
}

/// Where the manifest and the files under `fixtures` differ.
///
/// - Throws: When a file cannot be read or hashed; a manifest that cannot is a breach.
func fixtureBreaches(in repository: Repository) throws -> [Breach] {
  let manifestPath = "fixtures/MANIFEST.json"
  let all = repository.paths.filter { $0.hasPrefix("fixtures/") }
  guard !all.isEmpty else { return [] }
  guard all.contains(manifestPath) else { return [Breach("fixtures", "has no MANIFEST.json")] }
  let manifest: FixtureManifest
  do {
    manifest = try JSONDecoder().decode(
      FixtureManifest.self,
      from: repository.data(at: manifestPath)
    )
  } catch {
    return [Breach(manifestPath, "cannot be decoded: \(error)")]
  }

  let files = all.filter { $0 != manifestPath && !$0.hasSuffix("/README.md") }
  let hashes = try sha256(of: files, in: repository.root)
  var seen: Set<String> = []
  var found: [Breach] = []
  for entry in manifest.fixtures {
    func breach(_ message: String) {
      found.append(Breach(manifestPath, "\(entry.path) \(message)"))
    }
    if !seen.insert("fixtures/\(entry.path)").inserted { breach("is listed twice") }
    for (name, text) in [
      ("producer", entry.producer), ("version", entry.version), ("licence", entry.licence),
    ] where !text.contains(where: { $0.isLetter || $0.isNumber }) {
      breach("names no \(name)")
    }
    switch hashes["fixtures/\(entry.path)"] {
    case nil: breach("is listed, but there is no such fixture")
    case entry.sha256: break
    case let hash?: breach("has the SHA-256 \(hash), not \(entry.sha256)")
    }
  }
  return found
    + files.filter { !seen.contains($0) }.map { Breach($0, "is not listed in \(manifestPath)") }
}

/// A program that hashes failed, or said something unexpected.
struct HashingFailure: Error {
  let output: String
}

/// SHA-256 of each file, in lower-case hexadecimal digits, by path.
func sha256(of paths: [String], in folder: URL) throws -> [String: String] {
  #if os(macOS)
  let command = ["shasum", "-a", "256"]
  #else
  let command = ["sha256sum"]
  #endif
  var hashes: [String: String] = [:]
  // In portions, as a command line has a limit.
  for start in stride(from: 0, to: paths.count, by: 200) {
    let portion = Array(paths[start..<min(start + 200, paths.count)])
    let result = try run(command[0], command.dropFirst() + ["--"] + portion, in: folder)
    let lines = result.output.split(whereSeparator: \.isNewline)
    guard result.status == 0, lines.count == portion.count else {
      throw HashingFailure(output: result.output)
    }
    for (path, line) in zip(portion, lines) {
      // Shape: `<64 digits>  <path>`.
      guard line.hasSuffix("  \(path)"), line.count == 64 + 2 + path.count else {
        throw HashingFailure(output: String(line))
      }
      hashes[path] = String(line.prefix(64))
    }
  }
  return hashes
}
