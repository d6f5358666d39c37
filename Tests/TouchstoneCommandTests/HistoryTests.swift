import Foundation
import TestSupport
import Testing

@Suite("The history of runs")
struct HistoryTests {
  private static func check(_ seed: Int, _ subject: String, cases: Int = 60) -> [String] {
    [
      "check", "--subject", subject, "--seed", "\(seed)", "--cases", "\(cases)", "--law",
      "agreement.*",
      "--history", "past",
    ]
  }

  @Test("Runs are added, failures tried first, shown with their lives, and forgotten on request")
  func runs() throws {
    try withFolder { folder in
      let missing = try touchstone(["history", "past"], in: folder)
      #expect(missing.status == 2)
      #expect(missing.complaints.contains("past holds no history"))

      let first = try touchstone(Self.check(1, "mutant:tie-break-reversed"), in: folder)
      #expect(first.status == 1)
      #expect(first.output.contains("history: touchstone history past\n"))
      // One case is too few to find it again: what is stored is tried.
      let second = try touchstone(Self.check(2, "mutant:tie-break-reversed", cases: 1), in: folder)
      #expect(second.status == 1)

      let shown = try touchstone(["history", "past"], in: folder)
      #expect(shown.status == 1)
      #expect(shown.output.contains("in 2 of 2 runs"))
      let commands = shown.output.matches(of: /touchstone replay (past\/cases\/(.+)\.case)/)
      #expect(!commands.isEmpty)
      for command in commands {
        #expect(try touchstone(["replay", String(command.output.1)], in: folder).status == 1)
      }

      let unknown = try touchstone(["history", "past", "--forget", "nothing"], in: folder)
      #expect(unknown.status == 2)
      #expect(unknown.complaints.contains("no failure 'nothing'"))
      let names = commands.flatMap { ["--forget", String($0.output.2)] }
      let forgotten = try touchstone(["history", "past"] + names, in: folder)
      #expect(forgotten.status == 0)
      #expect(forgotten.output.hasSuffix("✓ 0 failures in 2 runs\n"))
      let cases = folder.appendingPathComponent("past/cases").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: cases).isEmpty)
    }
  }

  @Test("A failure that comes back though its case holds is a failing one, with a case of its own")
  func comesBack() throws {
    try withFolder { folder in
      let wrong = "mutant:tie-break-reversed"
      let check = Self.check(1, wrong, cases: 20) + ["--fail-fast"]
      #expect(try touchstone(check, in: folder).status == 1)
      let cases = folder.appendingPathComponent("past/cases")
      func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: cases.path))
      }
      let before = try names()
      // As if what each case shows had been fixed, and something else broken that fails alike.
      for name in before {
        let url = cases.appendingPathComponent(name)
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let holding = """
          sample: history 1
            history 1
            base empty
            replicas 2
            healing merge
            r0 put root "k" int 1
          end

          """
        let kept = text.replacing(/(?s)choices:.*/, with: "choices:\n\(holding)")
        try Data(kept.utf8).write(to: url)
      }
      #expect(try touchstone(check, in: folder).status == 1)
      let both = try names()
      let new = both.subtracting(before)
      #expect(!new.isEmpty && new.allSatisfy { $0.hasSuffix("-2.case") }, "\(new)")
      // The cases that hold are tried in each run, and say nothing of the others.
      #expect(try touchstone(Self.check(1, wrong, cases: 1), in: folder).status == 1)
      #expect(try names() == both)
      let shown = try touchstone(["history", "past"], in: folder)
      #expect(shown.status == 1)
      let failing = shown.output.split(separator: "\nnot seen again:")[0]
      let commands = failing.matches(of: /touchstone replay (past\/cases\/.+\.case)/)
      #expect(!commands.isEmpty, "\(shown.output)")
      for command in commands {
        let replayed = try touchstone(["replay", String(command.output.1)], in: folder)
        #expect(replayed.status == 1, "\(replayed.output)")
      }
      let forget = commands.flatMap { command in
        let name = command.output.1.split(separator: "/").last.map(String.init) ?? ""
        return ["--forget", name]
      }
      _ = try touchstone(["history", "past"] + forget, in: folder)
      #expect(try names().isDisjoint(with: forget))
    }
  }

  @Test("A run that is killed is in its history, which is not green then")
  func killed() throws {
    try withFolder { folder in
      let running = try Executable.start(
        Array(Self.check(1, "engine", cases: 1_000_000)),
        in: folder
      )
      let process = running.process
      defer { kill(process.processIdentifier, SIGKILL) }
      var shown = try touchstone(["history", "past"], in: folder)
      while process.isRunning, !shown.output.contains("It has begun, and not ended") {
        Thread.sleep(forTimeInterval: 0.1)
        shown = try touchstone(["history", "past"], in: folder)
      }
      kill(process.processIdentifier, SIGKILL)
      _ = try running.outcome()
      shown = try touchstone(["history", "past"], in: folder)
      #expect(shown.status == 2)
      #expect(shown.output.contains("It has begun, and not ended"), "\(shown.output)")
      #expect(shown.output.hasSuffix("in 1 run; the latest run came to no result\n"))
      // The next run stands beside it, once.
      #expect(try touchstone(Self.check(2, "mutant:tie-break-reversed"), in: folder).status == 1)
      shown = try touchstone(["history", "past"], in: folder)
      #expect(shown.status == 1)
      #expect(shown.output.contains("in 2 runs"), "\(shown.output)")
    }
  }

  @Test("A report that was made elsewhere is added once")
  func adds() throws {
    try withFolder { folder in
      let check = ["check", "--subject", "naive", "--cases", "4", "--seed", "1", "--report", "out"]
      #expect(try touchstone(check, in: folder).status == 0)
      for _ in 0..<2 {
        let shown = try touchstone(["history", "past", "--add", "out", "--json"], in: folder)
        #expect(shown.status == 0)
        let history = try #require(try shown.json as? [String: Any])
        #expect((history["runs"] as? [Any])?.count == 1)
      }
    }
  }

  @Test("The failures of a report that was made elsewhere are cases of the history")
  func addsCases() throws {
    try withFolder { folder in
      let plain = Array(Self.check(1, "mutant:tie-break-reversed").dropLast(2))
      #expect(try touchstone(plain + ["--report", "out"], in: folder).status == 1)
      let shown = try touchstone(["history", "past", "--add", "out"], in: folder)
      #expect(shown.status == 1)
      let command = try #require(
        shown.output.firstMatch(of: /touchstone replay (past\/cases\/.+\.case)/)
      )
      #expect(try touchstone(["replay", String(command.output.1)], in: folder).status == 1)
    }
  }

  @Test("A history does not begin in a report's folder, nor a report in a history's")
  func apart() throws {
    try withFolder { folder in
      let check = ["check", "--subject", "naive", "--cases", "2", "--seed", "1"]
      #expect(try touchstone(check + ["--report", "out"], in: folder).status == 0)
      for words in [check + ["--history", "out"], ["history", "out", "--add", "out"]] {
        let refused = try touchstone(words, in: folder)
        #expect(refused.status == 64)
        #expect(refused.complaints.contains(": out holds a report: "), "\(refused.complaints)")
      }
      let both = try touchstone(check + ["--history", "new", "--report", "./new"], in: folder)
      #expect(both.status == 64)
      #expect(both.complaints.contains("name one folder: "), "\(both.complaints)")
      #expect(try touchstone(check + ["--history", "past"], in: folder).status == 0)
      let refused = try touchstone(check + ["--report", "past"], in: folder)
      #expect(refused.status == 64)
      #expect(refused.complaints.contains(": past holds a history: "), "\(refused.complaints)")
    }
  }

  @Test("A damaged history is named before the first case")
  func damaged() throws {
    try withFolder { folder in
      let wrong = "mutant:tie-break-reversed"
      #expect(try touchstone(Self.check(1, wrong, cases: 20), in: folder).status == 1)
      let store = folder.appendingPathComponent("past/runs.json.store")
      let manager = FileManager.default
      for name in try manager.contentsOfDirectory(atPath: store.path) {
        let file = store.appendingPathComponent(name)
        guard let data = try? Data(contentsOf: file), data.count > 16 else { continue }
        try Data(data.map { $0 ^ 0xff }).write(to: file)
      }
      let refused = try touchstone(Self.check(1, wrong, cases: 1_000_000), in: folder)
      #expect(refused.status == 2)
      #expect(refused.output.isEmpty)
      #expect(refused.complaints.contains("the history in past cannot be used"))
    }
  }

  @Test("A run is compared with the last one of its history, in words and on its page")
  func compared() throws {
    try withFolder { folder in
      func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      }
      func check(_ seed: Int, _ report: String) throws -> String {
        let check = Self.check(seed, "mutant:tie-break-reversed")
        let outcome = try touchstone(check + ["--report", report], in: folder)
        #expect(outcome.status == 1)
        return outcome.output
      }
      let section = "<section id=\"earlier\""
      let first = try check(1, "first")
      #expect(!first.contains("since "))
      #expect(try !text("first/index.html").contains(section))
      #expect(throws: (any Error).self) { try text("first/earlier-runs.json") }

      let second = try check(2, "second")
      #expect(
        second.contains(/since 20.+: [✓✕] \d+ new, [1-9]\d* still failing, \d+ not seen again/)
      )
      let page = try text("second/index.html")
      #expect(page.contains(section))
      #expect(try !text("second/report.json").contains("earlier"))

      // What the page says of earlier runs outlives a rendering, and can be replaced.
      #expect(try touchstone(["report", "render", "second"], in: folder).status == 0)
      #expect(try text("second/index.html") == page)
      let compare = ["report", "render", "second", "--compared-with", "first"]
      #expect(try touchstone(compare, in: folder).status == 0)
      #expect(try text("second/index.html").contains(section))
      let same = try touchstone(
        ["report", "render", "first", "--compared-with", "first"],
        in: folder
      )
      #expect(same.status == 2)
      #expect(same.complaints.contains("is not earlier than"))

      let damaged = folder.appendingPathComponent("second/earlier-runs.json")
      try Data("{}".utf8).write(to: damaged)
      let refused = try touchstone(["report", "render", "second"], in: folder)
      #expect(refused.status == 2)
      #expect(refused.complaints.contains("holds no earlier runs: it has no trend"))

      // The next report of the folder is of a run without a history.
      let plain = Array(Self.check(1, "mutant:tie-break-reversed", cases: 20).dropLast(2))
      #expect(try touchstone(plain + ["--report", "second"], in: folder).status == 1)
      #expect(try !text("second/index.html").contains(section))
      #expect(!FileManager.default.fileExists(atPath: damaged.path))
    }
  }

  @Test("Runs at the same time share a history")
  func shares() async throws {
    try await withFolder { folder in
      try await withThrowingTaskGroup(of: Int32.self) { group in
        for seed in 1...4 {
          group.addTask { try touchstone(Self.check(seed, "engine", cases: 4), in: folder).status }
        }
        for try await status in group { #expect(status == 0) }
        let shown = try touchstone(["history", "past", "--json"], in: folder)
        let history = try #require(try shown.json as? [String: Any])
        #expect((history["runs"] as? [Any])?.count == 4)
      }
    }
  }
}
