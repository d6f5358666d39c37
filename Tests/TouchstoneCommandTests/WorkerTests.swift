import Foundation
import PropertyEngine
import TestSupport
import Testing

/// What a subject does to the process that it runs in ends no run.
@Suite("Workers", .serialized)
struct WorkerTests {
  /// A check of one deadly mutant by few laws; its report's outcome, failures and status.
  private func check(
    _ mutant: String,
    cases: Int,
    jobs: Int = 2,
    in folder: URL
  ) throws -> (status: Int32, failures: [[String: Any]], report: [String: Any]) {
    let outcome = try touchstone(
      [
        "check", "--subject", "mutant:\(mutant)", "--law", "merge.*", "--cases", "\(cases)",
        "--seed", "7", "--jobs", "\(jobs)",
        "--case-time", "60s", "--case-memory", "256", "--report", "out-\(jobs)",
        "--json",
      ],
      in: folder
    )
    let report = try #require(try outcome.json as? [String: Any], "\(outcome.complaints)")
    return (outcome.status, try #require(report["failures"] as? [[String: Any]]), report)
  }

  @Test(
    "A trap and a hoard of memory are verdicts: shrunk, stored and replayed; the run goes on",
    arguments: [
      ("range-deletes-trap", 60, "trap"), ("conflicts-hoard-memory", 20, "memory"),
    ]
  )
  func deadly(mutant: String, cases: Int, kind: String) throws {
    try withFolder { folder in
      let (status, failures, report) = try check(mutant, cases: cases, in: folder)
      #expect(status == 1)
      let run = try #require(report["run"] as? [String: Any])
      #expect(run["cases"] as? Int == cases)
      let failure = try #require(failures.first { $0["law"] as? String == "subject.answers" })
      #expect((failure["differenceKind"] as? String)?.hasPrefix(kind) == true)
      #expect(failure["kind"] as? String == "violated")
      #expect((failure["summary"] as? String)?.hasPrefix("mutant:\(mutant) ") == true)
      let size = try #require(failure["size"] as? Int)
      #expect(size <= 6, "\(failure["history"] ?? [])")
      #expect(failure["caseCount"] as? Int ?? 0 > 0)
      let file = try #require(failure["file"] as? String)
      let replay = try touchstone(["replay", "out-2/\(file)", "--json"], in: folder)
      #expect(replay.status == 1, "\(replay.complaints)")
      let rows = try #require(try replay.json as? [[String: Any]])
      #expect(rows.map { $0["verdict"] as? String } == ["violated"])
    }
  }

  #if os(Linux)
  @Test("One that waits for ever is found within seconds, and the run goes on") func waits() throws
  {
    try withFolder { folder in
      let (status, failures, report) = try check("range-deletes-wait", cases: 4, in: folder)
      #expect(status == 1)
      #expect((report["run"] as? [String: Any])?["cases"] as? Int == 4)
      let failure = try #require(failures.first { $0["law"] as? String == "subject.answers" })
      #expect(failure["differenceKind"] as? String == "hang")
      #expect(failure["kind"] as? String == "violated")
      let words = "waited for at least 5 seconds, as for a lock that is not given back"
      #expect((failure["summary"] as? String)?.hasSuffix(words) == true)
    }
  }
  #endif

  @Test("Which worker died leaves no trace in the report")
  func jobs() throws {
    try withFolder { folder in
      let reports = try [1, 3].map { jobs -> NSDictionary in
        var report = try check("range-deletes-trap", cases: 40, jobs: jobs, in: folder).report
        report["clock"] = nil
        return NSDictionary(dictionary: report)
      }
      #expect(reports[0] == reports[1])
    }
  }

  @Test(
    "A SIGTERM to all processes of a run interrupts it, and is no failure of a subject",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task"))
  )
  func terminated() throws {
    try withFolder { folder in
      let running = try Executable.start(
        [
          "check", "--subject", "engine", "--law", "merge.*", "--cases", "1000000", "--seed", "1",
          "--jobs", "2", "--json",
        ],
        in: folder
      )
      let process = running.process.processIdentifier
      while running.process.isRunning, try Self.children(of: process).count < 3 {
        Thread.sleep(forTimeInterval: 0.05)
      }
      Thread.sleep(forTimeInterval: 0.5)
      for child in try Self.children(of: process) { kill(child, SIGTERM) }
      Thread.sleep(forTimeInterval: 0.5)
      kill(process, SIGTERM)
      let outcome = try running.outcome()
      #expect(outcome.status == 143, "\(outcome.complaints)")
      let report = try #require(try outcome.json as? [String: Any])
      #expect((report["failures"] as? [Any])?.isEmpty == true, "\(outcome.output.prefix(2_000))")
    }
  }

  /// The processes that one has started, as Linux tells.
  private static func children(of process: pid_t) throws -> [pid_t] {
    let tasks = URL(fileURLWithPath: "/proc/\(process)/task")
    return try FileManager.default.contentsOfDirectory(atPath: tasks.path).flatMap { task in
      let list = try? String(
        contentsOf: tasks.appendingPathComponent("\(task)/children"),
        encoding: .utf8
      )
      return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Of Linux: sets limits of a process that runs.
  private static let limiter = URL(fileURLWithPath: "/usr/bin/prlimit")

  /// From that moment on the system gives the workers that much more, and refuses the next byte: what was
  /// asked for then is what the run happens to do.
  @Test(
    "Workers to which the system gives no more memory, at whatever point, end no run",
    .enabled(if: FileManager.default.isExecutableFile(atPath: limiter.path)),
    arguments: [0, 16, 256, 1_024, 4_096]
  )
  func memoryEnds(kibibytes: Int) throws {
    try withFolder { folder in
      let cases = 600
      let running = try Executable.start(
        [
          "check", "--subject", "engine", "--law", "merge.*", "--cases", "\(cases)", "--seed", "1",
          "--jobs", "2", "--json", "--report", "out",
        ],
        in: folder
      )
      let process = running.process.processIdentifier
      var limited: Set<pid_t> = []
      while running.process.isRunning, limited.count < 2 {
        for child in try Self.children(of: process) where !limited.contains(child) {
          // Pages that the process has, of 4 KiB.
          let sizes = try? String(contentsOfFile: "/proc/\(child)/statm", encoding: .utf8)
          guard let pages = sizes?.split(separator: " ").first.flatMap({ Int($0) }) else {
            continue
          }
          let limiting = try Executable.run(
            ["--pid", "\(child)", "--as=\(pages * 4_096 + kibibytes << 10)"],
            in: folder,
            program: Self.limiter
          )
          if limiting.status == 0 { limited.insert(child) }
        }
        Thread.sleep(forTimeInterval: 0.01)
      }
      let outcome = try running.outcome()
      #expect([0, 1, 2].contains(outcome.status), "\(outcome.complaints)")
      let report = try #require(try outcome.json as? [String: Any], "\(outcome.complaints)")
      let run = try #require(report["run"] as? [String: Any])
      #expect(run["cases"] as? Int == cases)
      #expect(FileManager.default.fileExists(atPath: folder.path + "/out/index.html"))
      // With nothing to spare a worker dies, and that is never a success.
      #expect(kibibytes > 0 || outcome.status != 0, "\(outcome.complaints)")
    }
  }

  @Test("Behind a -- no option follows: a worker is told that it is one before, and judges")
  func terminator() throws {
    let words = "check --subject record-sync --cases 8 --seed 1 --jobs 1 --"
    try withFolder { folder in
      let outcome = try touchstone(words.split(separator: " ").map(String.init), in: folder)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
  }

  @Test("A run over damaged files leaves nothing behind")
  func damageLeavesNothing() throws {
    try withFolder { folder in
      let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
      let outcome = try Executable.run(
        ["damage", "--count", "20", "--seed", "1", "--jobs", "1"],
        in: folder,
        environment: environment
      )
      #expect(outcome.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test("A worker at work has no file with a name: none is left if its parent is killed")
  func namesNoFile() throws {
    try withFolder { folder in
      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
          .filter { $0.hasPrefix("touchstone-worker") }
      }
      let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
      let running = try Executable.start(
        ["check", "--subject", "naive", "--budget", "5m", "--jobs", "1"],
        in: folder,
        environment: environment
      )
      let parent = running.process.processIdentifier
      defer { kill(parent, SIGKILL) }
      let deadline = ContinuousClock.now + .seconds(60)
      func isWorking() throws -> Bool {
        let list = try Executable.run(
          ["-A", "-o", "ppid=,args="],
          in: folder,
          program: URL(fileURLWithPath: "/bin/ps")
        )
        return list.output.split(separator: "\n").contains { line in
          line.split(separator: " ").first == "\(parent)" && line.contains("--worker")
        }
      }
      while try !isWorking(), ContinuousClock.now < deadline { usleep(50_000) }
      #expect(try isWorking())
      while try !names().isEmpty, ContinuousClock.now < deadline { usleep(50_000) }
      #expect(try isWorking() && names().isEmpty)
      kill(parent, SIGKILL)
      running.process.waitUntilExit()
      #expect(try names() == [])
    }
  }

  @Test("No worker outlives a run, and none leaves a file")
  func leavesNothing() throws {
    try withFolder { folder in
      let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
      let outcome = try Executable.run(
        ["check", "--subject", "mutant:range-deletes-trap", "--law", "merge.*", "--cases", "30"],
        in: folder,
        environment: environment
      )
      #expect(outcome.status == 1)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.filter { $0.hasPrefix("touchstone-worker") }.isEmpty, "\(left)")
    }
  }
}
