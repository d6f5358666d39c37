import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

/// One table of exit codes, the same in each subcommand: `Documentation/ExitCodes.md`.
@Suite("Exit codes")
struct ExitCodeTests {
  /// Command lines of one subcommand, and how each must end, in a folder as ``withFiles(_:)`` makes it.
  struct Row: Sendable {
    let command: String
    let endings: [(status: Int32, words: String)]

    init(_ command: String, _ endings: (Int32, String)...) {
      self.command = command
      self.endings = endings.map { (status: $0.0, words: $0.1) }
    }
  }

  private static let wrong = "mutant:delete-hides-concurrent-put"

  /// Each subcommand with a line for each way in which it can end, as far as it takes seconds.
  ///
  /// `fuzz` finds nothing here, since what it would find takes a fuzzer that is built first.
  static let rows = [
    Row(
      "check",
      (0, "--subject naive --cases 5 --seed 1"),
      (1, "--subject \(wrong) --law agreement.states --cases 30 --seed 7"),
      (2, "--subject naive --cases 1 --report junk/report"),
      (64, "--cases 0"),
      (64, "--subject no-such-subject --cases 5")
    ),
    Row("fuzz", (0, "ids --without-libfuzzer --inputs 5"), (64, "no-such-target"), (64, "")),
    Row(
      "selftest",
      (0, "--mutant delete-hides-concurrent-put"),
      (1, "--mutant hostile-saves-in-vain --cases 1"),
      (64, "--mutant no-such-mutant")
    ),
    Row(
      "replay",
      (0, "held.case"),
      (1, "failing.case"),
      (2, "junk"),
      (2, "no-such-file"),
      (64, "--subject no-such-subject held.case"),
      (64, "")
    ),
    Row(
      "shrink",
      (0, "fixed.case"),
      (1, "failing.case"),
      (2, "held.case"),
      (2, "junk"),
      (2, "no-such-file"),
      (64, "")
    ),
    Row("show", (0, "failing.case"), (2, "junk"), (2, "no-such-file"), (64, "")),
    Row("list", (0, "laws"), (64, "no-such-kind")),
    Row("explain", (0, "merge.commutes"), (64, "no-such-law")),
    Row(
      "worlds",
      (0, "--subject naive --edits 1"),
      (1, "--subject \(wrong) --edits 2"),
      (64, "--edits 9"),
      (64, "--subject no-such-subject")
    ),
    Row("report render", (0, "bad"), (2, "no-such-folder"), (64, "")),
    Row(
      "report merge",
      (0, "good --output merged-good"),
      (1, "bad good --output merged"),
      (2, "no-such-folder --output merged-none"),
      (64, "")
    ),
    Row(
      "report compare",
      (0, "bad bad"),
      (1, "good bad"),
      (2, "no-such-folder bad"),
      (64, "good")
    ),
    Row("report site", (0, "bad --output site"), (2, "no-such-folder --output none"), (64, "")),
    Row("history", (0, "past-good"), (1, "past-bad"), (2, "no-such-folder"), (64, "")),
    // What is installed where the tests run decides between 0 and 1.
    Row("doctor", (64, "--no-such-option")),
    Row("init", (2, "no-such-folder"), (64, "--for nothing")),
    Row(
      "adapter new",
      (0, "--language python Adapters/mine"),
      (2, "--language python ."),
      (64, "--language none x")
    ),
    Row(
      "adapter check",
      (1, "/bin/cat"),
      (2, "no-such-program"),
      (64, "")
    ),
    Row("adapter run", (1, "/bin/cat"), (2, "no-such-program"), (64, "")),
    Row("doc show", (0, "good.automerge"), (2, "junk"), (2, "no-such-file"), (64, "")),
    Row("doc export", (0, "good.automerge"), (2, "junk"), (2, "no-such-file"), (64, "")),
    Row("doc import", (0, "some.json --output new"), (2, "junk --output none"), (64, "")),
    Row("doc merge", (0, "good.automerge good.automerge --output both"), (2, "junk"), (64, "")),
    Row("doc diff", (0, "good.automerge good.automerge"), (2, "good.automerge junk"), (64, "junk")),
    Row("doc examine", (0, "good.automerge"), (1, "junk"), (2, "no-such-file"), (64, "")),
    Row(
      "doc recover",
      (0, "good.automerge --output kept"),
      (1, "junk --output rest"),
      (2, "no-such-file"),
      (64, "")
    ),
    Row("doc history", (0, "good.automerge"), (2, "junk"), (2, "no-such-file"), (64, "")),
    Row("mutant", (0, "engine --cases 2"), (64, "no-such-part")),
    Row("store write", (64, "--no-such-option")),
    Row("store kill", (64, "--no-such-option")),
    // Without a clone there is nothing to measure.
    Row("coverage", (2, "--seconds 1s"), (64, "--seconds 0")),
    Row("damage", (0, "--count 10 --seed 1"), (64, "--count 0")),
    Row("pace", (0, "--count 2 --seed 1"), (64, "--count 0")),
  ]

  @Test("A subcommand ends with the code that the table gives")
  func endings() throws {
    try withFiles { folder in
      for row in Self.rows {
        for (status, words) in row.endings {
          let line = "\(row.command) \(words)"
          let outcome = try touchstone(line.split(separator: " ").map(String.init), in: folder)
          #expect(outcome.status == status, "\(line): \(outcome.complaints)")
          // A message that something is wrong says what.
          let told = status == 64 ? "Error: " : status == 2 ? "touchstone: " : ""
          #expect(told.isEmpty || outcome.complaints.contains(told), "\(line)")
        }
      }
    }
  }

  @Test("Every subcommand is in the table")
  func complete() {
    #expect(Set(Self.rows.map(\.command)) == Set(Self.leaves(of: Touchstone.self, named: [])))
  }

  @Test("What is required of a run that is shared is judged once all parts are there")
  func requiredOfParts() throws {
    try withFolder { folder in
      // A history of one edit of one replica has none that meet.
      let run = [
        "check", "--subject", "naive", "--law", "calls.succeed", "--cases", "20", "--edits", "1",
        "--replicas", "2", "--seed", "0x5", "--require", "deletes-met",
      ]
      for part in 1...2 {
        let shard = ["--shard", "\(part)/2", "--report", "\(part)"]
        let outcome = try touchstone(run + shard, in: folder)
        #expect(outcome.status == 0, "\(outcome.complaints)")
      }
      let merged = try touchstone(["report", "merge", "1", "2", "--output", "all"], in: folder)
      #expect(merged.status == 2)
      let words = "the waypoint deletes-met was never reached: "
      #expect(merged.output.contains(words), "\(merged.output)")
      #expect(merged.output.contains(" --require deletes-met "), "\(merged.output)")
      #expect(!merged.output.contains("--shard"), "\(merged.output)")
    }
  }

  @Test("The program's help lists the codes of the document")
  func listed() throws {
    let document = try String(
      contentsOf: Program.root("Documentation/ExitCodes.md"),
      encoding: .utf8
    )
    let table = document.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let codes = table.flatMap { row in
      row.split(separator: "|")[1].split(separator: ",").compactMap {
        Int($0.trimmingCharacters(in: .whitespaces))
      }
    }
    #expect(Set(codes) == [0, 1, 2, 64, 130, 143])
    let help = Touchstone.helpMessage()
    for code in codes { #expect(help.contains("\n  \(code) "), "\(code)") }
  }

  private static func leaves(
    of command: any ParsableCommand.Type,
    named names: [String]
  ) -> [String] {
    let configuration = command.configuration
    let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    guard !below.isEmpty else { return [names.joined(separator: " ")] }
    return below.flatMap { leaves(of: $0, named: names + [$0._commandName]) }
  }

  /// What the command lines of ``rows`` name: stored cases, reports, past runs, documents and no such things.
  private func withFiles(_ body: (URL) throws -> Void) throws {
    try withFolder { folder in
      let copies = [
        ("corpus/histories/chain-of-waiting-changes.case", "held.case"),
        ("fixtures/documents/clownschool.automerge", "good.automerge"),
      ]
      for (source, name) in copies {
        try FileManager.default.copyItem(
          at: Program.root(source),
          to: folder.appendingPathComponent(name)
        )
      }
      try Data("junk\n".utf8).write(to: folder.appendingPathComponent("junk"))
      try Data(#"{"a": 1}"#.utf8).write(to: folder.appendingPathComponent("some.json"))
      let runs = [
        ("bad", Self.wrong, Int32(1)), ("good", "naive", 0),
      ]
      for (name, subject, status) in runs {
        let run = try touchstone(
          [
            "check", "--subject", subject, "--law", "agreement.states", "--law", "calls.succeed",
            "--cases", "30", "--seed", "7", "--report", name, "--history", "past-\(name)",
          ],
          in: folder
        )
        try #require(run.status == status, "\(run.complaints)")
      }
      let failures = folder.appendingPathComponent("bad/failures")
      let found = try FileManager.default.contentsOfDirectory(atPath: failures.path)
        .filter { $0.hasSuffix(".case") }.sorted()
      let failing = try String(
        contentsOf: failures.appendingPathComponent(try #require(found.first)),
        encoding: .utf8
      )
      let fixed = failing.replacing(Self.wrong, with: "engine")
      for (name, text) in [("failing.case", failing), ("fixed.case", fixed)] {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      }
    }
  }
}
