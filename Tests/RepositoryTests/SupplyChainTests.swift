import Foundation
import Testing

/// What CI and `make` fetch is named by its hash: a name alone can be given to something else.
@Suite("Supply chain")
struct SupplyChainTests {
  /// Lines of workflows, ours and the one that `touchstone init` writes, that use an action.
  private func actions(in text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("- uses:") || $0.hasPrefix("uses:") }
  }

  private func isPinned(_ line: String) -> Bool {
    line.wholeMatch(of: /(- )?uses: [A-Za-z0-9_.\/-]+@[0-9a-f]{40} # v[0-9.]+/) != nil
  }

  @Test("Actions are pinned by commit, and workflows may read the repository and no more")
  func workflows() throws {
    let repository = try Repository.current()
    let paths =
      repository.paths.filter { path in
        path.hasPrefix(".github/workflows/")
          || (path.hasPrefix("Examples/") && path.hasSuffix("github.yml"))
      }
      + ["Sources/TouchstoneCommand/Tools/Starter.swift"]
    #expect(paths.count > 1)
    for path in paths {
      let text = try repository.text(at: path)
      let used = actions(in: text)
      #expect(!used.isEmpty, "\(path)")
      for line in used { #expect(isPinned(line), "\(path): \(line)") }
      #expect(text.contains("permissions:\n"), "\(path)")
      #expect(text.contains("contents: read\n"), "\(path)")
      #expect(!text.contains(": write"), "\(path)")
    }
    #expect(!isPinned("- uses: actions/checkout@v4"))
  }

  @Test("Every Python package is pinned by version and by hash")
  func requirements() throws {
    let repository = try Repository.current()
    let paths = repository.paths.filter { $0.hasSuffix("/requirements.txt") }
    #expect(paths.count == 3)
    for path in paths {
      let text = try repository.text(at: path).replacing("\\\n", with: "")
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        #expect(line.contains("=="), "\(path): \(line)")
        #expect(line.contains(/--hash=sha256:[0-9a-f]{64}/), "\(path): \(line)")
      }
    }
    #expect(try repository.text(at: "Scripts/setup.sh").contains("--require-hashes"))
  }
}
