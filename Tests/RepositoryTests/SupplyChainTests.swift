import Foundation
import TestSupport
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
      + ["Sources/TouchstoneCommand/Tools/StarterWorkflow.swift"]
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

  /// What the image's `RUN` lines call, in order, where a call of `refused` fails: over programs that only note their
  /// names and arguments.
  private func calls(refused: String) throws -> [String] {
    let text = try Repository.current().text(at: ".clusterfuzzlite/Dockerfile")
    let lines = text.replacing("\\\n", with: "").split(separator: "\n")
    let arguments = lines.filter { $0.hasPrefix("ARG ") }.map { $0.dropFirst(4) }
    let commands = lines.filter { $0.hasPrefix("RUN ") }.map { $0.dropFirst(4) }
    return try withFolder { folder in
      for name in ["apt-get", "curl", "gpg", "mkdir", "tar"] {
        let path = folder.appendingPathComponent(name).path
        let script = """
          #!/bin/sh
          echo "CALL \(name) $*"
          case "\(name) $*" in *\(refused)*) exit 1 ;; esac
          """
        #expect(
          FileManager.default.createFile(
            atPath: path,
            contents: Data(script.utf8),
            attributes: [.posixPermissions: 0o700]
          )
        )
      }
      let script =
        "set -e; PATH=\(folder.path):$PATH; TMPDIR=\(folder.path); "
        + arguments.map { "\($0); " }.joined() + commands.joined(separator: "\n")
      let result = try run("sh", ["-c", script], in: folder)
      return result.output.split(separator: "\n").filter { $0.hasPrefix("CALL ") }
        .map { String($0.dropFirst(5)) }
    }
  }

  @Test("The fuzz image unpacks a toolchain only after its signature by a named key was verified")
  func fuzzImage() throws {
    let all = try calls(refused: "nothing")
    let unpacked = try #require(all.firstIndex { $0.hasPrefix("tar -xzf ") })
    let verified = try #require(all.firstIndex { $0.hasPrefix("gpg --batch --verify ") })
    #expect(verified < unpacked)
    #expect(all.contains { $0.contains(/^gpg .*--recv-keys [0-9A-F]{40}$/) })
    for refused in ["gpg --batch --verify", "--recv-keys", "curl"] {
      #expect(try !calls(refused: refused).contains { $0.hasPrefix("tar ") }, "\(refused)")
    }
  }

  @Test("CI fuzzes under the address sanitizer, and damages files")
  func sanitized() throws {
    let repository = try Repository.current()
    #expect(
      try repository.text(at: ".github/workflows/ci.yml")
        .contains("touchstone fuzz all --budget 10m --sanitizer address")
    )
    #expect(try repository.text(at: ".ci/run").contains("touchstone\" damage "))
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

  @Test("The project of OSS-Fuzz is that of ClusterFuzzLite, on a clone of the repository")
  func project() throws {
    let repository = try Repository.current()
    try withFolder { folder in
      let address = "https://example.org/touchstone.git"
      let done = try run(
        "Scripts/oss-fuzz-project.sh",
        [address, "findings@example.org", folder.path],
        in: repository.root
      )
      #expect(done.status == 0, "\(done.output)")
      func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      }
      #expect(try text("build.sh") == repository.text(at: ".clusterfuzzlite/build.sh"))
      let settings = try text("project.yaml")
      #expect(settings.contains("main_repo: \"\(address)\"\n"))
      #expect(settings.contains("primary_contact: \"findings@example.org\"\n"))
      #expect(settings.contains("sanitizers:\n  - address\n"))
      let image = try text("Dockerfile")
      #expect(image.contains("RUN git clone --depth 1 \(address) $SRC/touchstone\n"))
      #expect(image.contains("COPY build.sh $SRC/\n"))
      #expect(!image.contains(".clusterfuzzlite"))
      let lines = try repository.text(at: ".clusterfuzzlite/Dockerfile").split(separator: "\n")
      #expect(image.split(separator: "\n").count == lines.count)
    }
    let refused = try run("Scripts/oss-fuzz-project.sh", [], in: repository.root)
    #expect(refused.status == 64)
  }
}
