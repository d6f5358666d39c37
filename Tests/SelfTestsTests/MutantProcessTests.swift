import Foundation
import Mutants
import PropertyEngine
import TestSupport
import Testing

@testable import SelfTests

@Suite("Processes of mutants")
struct MutantProcessTests {
  /// What a process comes to that does what a line of a shell says, as in `kill -ABRT $$`.
  private func run(_ line: String) throws -> MutantProcess.Result {
    try withFolder { folder in
      let copy = PatchedCopy(of: folder, name: "copy", edits: [:])
      let manager = FileManager.default
      try manager.createDirectory(
        at: copy.program.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try manager.createSymbolicLink(atPath: copy.program.path, withDestinationPath: "/bin/bash")
      // What bash does before it looks for what its arguments name: no program has to be written here.
      let script = folder.appendingPathComponent("script")
      try Data("ulimit -c 0; \(line)\n".utf8).write(to: script)
      return try MutantProcess(copy: copy, seed: 1).run(
        .engine,
        bug: 1,
        mutantID: "engine-x",
        [],
        logName: "log",
        environment: ["BASH_ENV": script.path],
        secondsLimit: 60,
        isInterrupted: { false }
      )
    }
  }

  @Test(
    "An end that a bug can cause counts as caught, at the case that was named last",
    arguments: ["ILL", "TRAP", "ABRT", "FPE", "BUS", "SEGV", "PROF"]
  )
  func caught(signal: String) throws {
    let outcome = try run("echo 'case 3 0.5'; kill -\(signal) $$").outcome
    #expect(outcome.finding?.key.law == FailureKey.answers)
    #expect(outcome.cases == 4 && outcome.seconds == 0.5)
  }

  @Test("An answer is what it says")
  func answers() throws {
    let outcome = try run("echo 'case 0'; echo '{\"cases\":7}'; exit 0").outcome
    #expect(outcome.finding == nil && outcome.cases == 7)
  }

  @Test(
    "A process that ended as no bug can make it was not run, and nothing is caught",
    arguments: [
      ("exit 2", "the process ended with status 2"),
      (
        "echo 'the disk is full' >&2; exit 2",
        "the process ended with status 2; it printed: the disk is full"
      ),
      ("exit 0", "the process ended with status 0"),
      ("kill -KILL $$", "signal 9 ended the process"),
      ("kill -TERM $$", "signal 15 ended the process"),
    ]
  )
  func notRun(line: String, reason: String) {
    let refusal = #expect(throws: MutantProcess.NotRun.self) { try run("echo 'case 0'; \(line)") }
    #expect(refusal?.reason == reason)
  }
}
