import Foundation
import TestSupport
import Testing

/// `make check` hands on what it is asked, and takes away nothing.
@Suite("The script of `make check`")
struct CheckScriptTests {
  /// Runs the script in a folder where setting up and building do nothing, and `touchstone` is `program`.
  ///
  /// `ready`: Ids of the foreign subjects that could be set up.
  private func check(
    _ variables: [String],
    ready: [String] = [],
    program: String = "mkdir -p out; echo new >out/report.json",
    in folder: URL
  ) throws -> CommandResult {
    let listed = ready.map { "\($0)\n" }.joined()
    let files = [
      ("Scripts/setup.sh", "mkdir -p .build; printf '\(listed)' >.build/subjects"),
      ("Scripts/build-flags.sh", "SWIFT_BUILD_FLAGS=''"),
      ("bin/swift", "echo .build/release"),
      (".build/release/touchstone", program),
    ]
    for (path, script) in files {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
    }
    let script = folder.appendingPathComponent("Scripts/check.sh")
    try? FileManager.default.removeItem(at: script)
    let text = try Repository.current().text(at: "Scripts/check.sh")
    try Data(text.utf8).write(to: script)
    let path = "PATH=\(folder.path)/bin:/usr/bin:/bin"
    let arguments = ["-i", path, "REPORT=out", "CASES=2"] + variables
    return try run("env", arguments + ["bash", "Scripts/check.sh"], in: folder)
  }

  @Test(
    "A subject that was named is asked for though it could not be set up",
    arguments: [
      ("", ["automerge"], ["usual"]), (" ", [], ["usual"]), ("engine", [], ["engine"]),
      ("engine loro", [], ["engine", "loro"]), ("loro", [], ["loro"]),
      ("automerge yrs", ["yrs"], ["automerge", "yrs"]), ("all", ["yrs"], ["usual", "yrs"]),
      ("naive all", ["loro", "yrs"], ["naive", "usual", "loro", "yrs"]),
    ]
  )
  func subjects(_ named: String, _ ready: [String], _ asked: [String]) throws {
    try withFolder { folder in
      let result = try check(["SUBJECTS=\(named)"], ready: ready, in: folder)
      #expect(result.status == 0, "\(result.output)")
      let words = asked.map { "--subject \($0) " }.joined()
      #expect(
        result.output.contains("touchstone check \(words)--cases 2 --report out\n"),
        "\(result.output)"
      )
    }
  }

  @Test("A required subject that could not be set up fails the run")
  func required() throws {
    try withFolder { folder in
      let result = try check(["SUBJECTS=engine", "REQUIRED=loro"], in: folder)
      #expect(result.status == 2)
      #expect(result.output.contains("subject loro is required and could not be set up"))
    }
  }

  @Test("What stands in the report's folder stays, and an old report is not called the run's")
  func keeps() throws {
    try withFolder { folder in
      let out = folder.appendingPathComponent("out")
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
      for name in ["notes.txt", "report.json"] {
        try Data("old\n".utf8).write(to: out.appendingPathComponent(name))
      }
      let refused = try check([], program: "echo refused; exit 64", in: folder)
      #expect(refused.status == 64)
      #expect(!refused.output.contains("the report is in out"), "\(refused.output)")
      let silent = try check([], program: "exit 0", in: folder)
      #expect(silent.status == 2)
      #expect(silent.output.contains("touchstone succeeded, but wrote no out"))
      let judged = try check([], in: folder)
      #expect(judged.status == 0)
      #expect(judged.output.contains("the report is in out"), "\(judged.output)")
      let notes = try Data(contentsOf: out.appendingPathComponent("notes.txt"))
      #expect(notes == Data("old\n".utf8))
    }
  }
}
