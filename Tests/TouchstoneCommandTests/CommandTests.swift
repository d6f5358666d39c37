import Foundation
import TestSupport
import Testing

@Suite("The command", .serialized)
struct CommandTests {
  /// A case that a mutant fails: two puts that meet.
  private static let failing = """
    touchstone case 1
    law: agreement.states
    subjects: mutant:tie-break-reversed, naive
    kind: value
    seed: 0x1
    choices:
    sample: history 1
      history 1
      base empty
      replicas 2
      healing merge
      r0 put root "k" int 1
      r1 put root "k" int 2
    end

    """

  private func write(_ text: String, _ name: String, in folder: URL) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  private func report(_ folder: URL, _ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appendingPathComponent("\(path)/report.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  // MARK: - check

  private static let quick = ["check", "--law", "network.converges", "--seed", "7"]

  /// A report without what differs between one run and several: the clock, and the list of parts.
  private func content(_ folder: URL, _ path: String) throws -> Data {
    var report = try report(folder, path)
    report.removeValue(forKey: "clock")
    var run = try #require(report["run"] as? [String: Any])
    run.removeValue(forKey: "parts")
    report["run"] = run
    return try JSONSerialization.data(withJSONObject: report, options: [.sortedKeys])
  }

  @Test("Eight parts of a run, as processes, come to the report of the one run")
  func shards() throws {
    try withFolder { folder in
      let run = Self.quick + ["--subject", "naive", "--cases", "203", "--jobs", "1"]
      let whole = try touchstone(run + ["--report", "whole"], in: folder)
      #expect(whole.status == 0, "\(whole.complaints)")
      let parts = (1...8).map { "part-\($0)" }
      for (index, part) in parts.enumerated() {
        let shard = ["--shard", "\(index + 1)/8", "--report", part]
        let outcome = try touchstone(run + shard, in: folder)
        #expect(outcome.status == 0, "\(outcome.complaints)")
      }
      let merge = ["report", "merge"] + parts + ["--output", "merged"]
      #expect(try touchstone(merge, in: folder).status == 0)
      #expect(try content(folder, "merged") == content(folder, "whole"))
      // Without one of them the report is none of the run, until it comes.
      let some = try touchstone(
        ["report", "merge"] + parts.dropLast() + ["--output", "some"],
        in: folder
      )
      #expect(some.status == 2)
      #expect(some.output.contains("! The run is incomplete"))
      #expect(some.output.contains("1 of 8 parts of the run with seed 0x7 is missing: 8/8"))
      let late = ["report", "merge", "part-8", "some", "--output", "late"]
      #expect(try touchstone(late, in: folder).status == 0)
      let twice = try touchstone(
        ["report", "merge", "some", "part-3", "--output", "x"],
        in: folder
      )
      #expect(twice.status == 2)
      #expect(twice.complaints.contains("is given twice, and would count twice"))
      let part = try report(folder, "part-2")
      let words = try #require((part["run"] as? [String: Any])?["repeatCommand"] as? String)
      #expect(words.hasSuffix("--cases 203 --shard 2/8"))
    }
  }

  @Test("A part of a run by time is repeated with that time, however short it is")
  func shardOfTime() throws {
    try withFolder { folder in
      let part = ["--subject", "naive", "--budget", "0.5s", "--shard", "1/2", "--json"]
      let outcome = try touchstone(Self.quick + part, in: folder)
      let report = try #require(try outcome.json as? [String: Any], "\(outcome.complaints)")
      let words = try #require((report["run"] as? [String: Any])?["repeatCommand"] as? String)
      #expect(words.hasSuffix("--budget 0.5s --shard 1/2"), "\(words)")
    }
  }

  @Test("Three parts of a self-test, as processes, come to the report of the one self-test")
  func selfTestShards() throws {
    try withFolder { folder in
      let mutants = [
        "tie-break-reversed", "url-stored-as-map", "store-stores-the-moment",
        "save-forgets-signedness",
      ]
      let run =
        ["selftest", "--jobs", "1", "--cases", "4000"] + mutants.flatMap { ["--mutant", $0] }
      let whole = try touchstone(run + ["--report", "whole"], in: folder)
      #expect(whole.status == 0, "\(whole.complaints)")
      for part in 1...3 {
        let outcome = try touchstone(
          run + ["--shard", "\(part)/3", "--report", "\(part)"],
          in: folder
        )
        #expect(outcome.status == 0, "\(outcome.complaints)")
      }
      let merge = ["report", "merge", "1", "2", "3", "--output", "merged"]
      #expect(try touchstone(merge, in: folder).status == 0)
      #expect(try content(folder, "merged") == content(folder, "whole"))
      #expect(try content(folder, "merged").count > 500)
    }
  }

  @Test("A run that holds exits with 0, on any number of jobs with one report but for its clock")
  func checkHolds() throws {
    try withFolder { folder in
      var reports: [Data] = []
      for jobs in ["1", "2"] {
        let outcome = try touchstone(
          Self.quick + ["--subject", "naive", "--cases", "200", "--jobs", jobs, "--report", jobs],
          in: folder
        )
        #expect(outcome.status == 0, "\(outcome.complaints)")
        #expect(outcome.output.contains("200 cases"))
        var report = try report(folder, jobs)
        let clock = try #require(report.removeValue(forKey: "clock") as? [String: Any])
        #expect(clock["jobs"] as? Int == Int(jobs))
        reports.append(
          try JSONSerialization.data(withJSONObject: report, options: [.sortedKeys])
        )
      }
      #expect(reports[0] == reports[1])
      #expect(reports[0].count > 1000)
    }
  }

  @Test("A violated law exits with 1, and leaves cases that replay as violated, twice alike")
  func checkViolates() throws {
    try withFolder { folder in
      let words =
        Self.quick + [
          "--law", "agreement.states", "--subject", "mutant:tie-break-reversed", "--cases", "60",
          "--jobs", "2", "--report", "out", "--corpus", "corpus", "--json",
        ]
      let outcome = try touchstone(words, in: folder)
      #expect(outcome.status == 1)
      let printed = try #require(try outcome.json as? [String: Any])
      let failures = try #require(printed["failures"] as? [[String: Any]])
      #expect(!failures.isEmpty)
      #expect(
        NSDictionary(dictionary: printed) == NSDictionary(dictionary: try report(folder, "out"))
      )
      for failure in failures {
        let file = try #require(failure["file"] as? String)
        let replays = try (0..<2).map { _ in
          try touchstone(["replay", "out/\(file)", "--json"], in: folder)
        }
        #expect(replays.map(\.status) == [1, 1])
        #expect(replays[0].output == replays[1].output)
        let rows = try #require(try replays[0].json as? [[String: Any]])
        #expect(rows.map { $0["verdict"] as? String } == ["violated"])
        #expect(rows.first?["law"] as? String == failure["law"] as? String)
        #expect(rows.first?["summary"] as? String == failure["summary"] as? String)
      }
      let corpus = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("corpus").path
      )
      #expect(corpus.count == failures.count)
      let all = try touchstone(["replay", "corpus"], in: folder)
      #expect(all.status == 1)
      #expect(all.output.contains("violated  agreement.states on mutant:tie-break-reversed"))
    }
  }

  @Test("A run in which nothing can be judged exits with 2, in one line that says why")
  func checkFails() throws {
    try withFolder { folder in
      try write("", "file", in: folder)
      let words = ["--cases", "1", "--report", "file/report"]
      let outcome = try touchstone(Self.quick + words, in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.complaintLines.count == 1, "\(outcome.complaints)")
      let line =
        "touchstone: cannot write into the folder file/report: a file is in the place of a folder"
      #expect(outcome.complaints.hasPrefix(line), "\(outcome.complaints)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test(
    "A folder that cannot be written is said in one line, before anything is judged",
    arguments: ["--report", "--history", "--corpus"]
  )
  func readOnly(option: String) throws {
    try withFolder { folder in
      let report = folder.appendingPathComponent("report")
      try FileManager.default.createDirectory(at: report, withIntermediateDirectories: false)
      let manager = FileManager.default
      try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: report.path)
      // The superuser may write anywhere but where there can be no files.
      let path = manager.isWritableFile(atPath: report.path) ? "/dev/null/report" : "report"
      let outcome = try touchstone(
        Self.quick + ["--cases", "1000000", option, path],
        in: folder
      )
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.complaintLines.count == 1, "\(outcome.complaints)")
      let words = "touchstone: cannot write into the folder \(path): "
      #expect(outcome.complaints.hasPrefix(words), "\(outcome.complaints)")
    }
  }

  @Test("A required waypoint that is not reached exits with 2")
  func waypoint() throws {
    let outcome = try touchstone(
      "check",
      "--law",
      "counter.increments-add",
      "--subject",
      "naive",
      "--cases",
      "3",
      "--seed",
      "1",
      "--require",
      "deletes-met"
    )
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("the waypoint deletes-met was never reached"))
  }

  // MARK: - replay, show, shrink

  @Test("A case is judged on the subject that is asked for, and exits as its verdict")
  func replays() throws {
    try withFolder { folder in
      try write(Self.failing, "tie.case", in: folder)
      let violated = try touchstone(["replay", "tie.case"], in: folder)
      #expect(violated.status == 1)
      #expect(violated.output.contains("violated  agreement.states on mutant:tie-break-reversed"))
      #expect(violated.output.contains("put root \"k\" int 2"))
      // The compared sides are named as in the report.
      #expect(violated.output.contains("\n    Compared: naive, "), "\(violated.output)")
      #expect(violated.output.contains(", with mutant:tie-break-reversed, "))
      #expect(violated.output.contains("\n    expected: "))
      #expect(violated.output.contains("\n    found:    "))
      let other = ["replay", "tie.case", "--subject", "mutant:counter-as-register"]
      let held = try touchstone(other, in: folder)
      #expect(held.status == 0)
      #expect(held.output.hasPrefix("held  agreement.states on mutant:counter-as-register"))
      // Each of several is judged, whichever stands first.
      let both = try touchstone(other + ["--subject", "mutant:tie-break-reversed"], in: folder)
      #expect(both.status == 1)
      #expect(both.output.hasPrefix("held  agreement.states on mutant:counter-as-register"))
      #expect(both.output.contains("\nviolated  agreement.states on mutant:tie-break-reversed  "))
      let usual = try touchstone(["replay", "tie.case", "--subject", "usual"], in: folder)
      #expect(usual.status == 64)
      #expect(usual.complaints.contains("name each subject"), "\(usual.complaints)")

      try write(
        Self.failing.replacing("mutant:tie-break-reversed", with: "mutant:nobody"),
        "nobody.case",
        in: folder
      )
      try write(Self.failing.replacing("agreement.states", with: "no.law"), "law.case", in: folder)
      try write(Self.failing.replacing("base empty", with: "base nothing"), "no.case", in: folder)
      try write("", "empty.case", in: folder)
      for name in ["nobody", "law", "no", "empty"] {
        let outcome = try touchstone(["replay", "\(name).case"], in: folder)
        #expect(outcome.status == 2, "\(name)")
        #expect(outcome.complaintLines.count == 1)
      }
    }
  }

  @Test("A file of a folder that is no case is named, and the others are judged")
  func replaysTheOthers() throws {
    try withFolder { folder in
      for name in ["a", "z"] { try write(Self.failing, "cases/\(name).case", in: folder) }
      try write("nothing", "cases/foreign.case", in: folder)
      try write(
        Self.failing.replacing("mutant:tie-break-reversed", with: "mutant:nobody"),
        "cases/nobody.case",
        in: folder
      )
      let outcome = try touchstone(["replay", "cases"], in: folder)
      #expect(outcome.status == 2)
      for name in ["a", "z"] {
        let lines = outcome.output.split(separator: "\n")
        let line = lines.first { $0.hasSuffix("  cases/\(name).case") }
        let words = "violated  agreement.states on mutant:tie-break-reversed  "
        #expect(line?.hasPrefix(words) == true, "\(outcome.output)")
      }
      let complaints = outcome.complaintLines
      #expect(complaints.count == 3)
      // By the path that was given, and not by one of the machine.
      let foreign = "touchstone: cases/foreign.case is not a case file: "
      #expect(complaints.first?.hasPrefix(foreign) == true, "\(complaints)")
      #expect(complaints.dropFirst().first?.hasPrefix("touchstone: cases/nobody.case: ") == true)
      #expect(complaints.last == "touchstone: 2 of 4 files could not be judged")
      let json = try touchstone(["replay", "cases", "--json"], in: folder)
      let rows = try #require(try json.json as? [[String: Any]])
      #expect(json.status == 2)
      #expect(
        rows.map { $0["verdict"] as? String }
          == ["violated", "not judged", "not judged", "violated"]
      )
      #expect(
        rows.map { $0["path"] as? String }
          == ["a", "foreign", "nobody", "z"].map { "cases/\($0).case" }
      )
    }
  }

  @Test("A case is shown as text and diagram; what is no case exits with 2")
  func shows() throws {
    try withFolder { folder in
      try write(Self.failing, "tie.case", in: folder)
      let shown = try touchstone(["show", "tie.case"], in: folder)
      #expect(shown.status == 0)
      #expect(shown.output.contains("law: agreement.states"))
      #expect(shown.output.contains("r1 put root \"k\" int 2"))
      #expect(shown.output.contains("   2  │   ●   put root \"k\" int 2"))
      let json = try #require(
        try touchstone(["show", "tie.case", "--json"], in: folder).json as? [String: Any]
      )
      #expect(json["size"] as? Int == 2)
      #expect(json["replicas"] as? Int == 2)
      #expect((json["history"] as? [String])?.count == 6)

      // Whose state is whose is known of a law that compares two subjects.
      let sides = "kind: value\nexpected: int 2\nactual: int 1\n"
      for (law, named) in [("agreement.states", true), ("merge.commutes", false)] {
        try write(
          Self.failing.replacing("agreement.states", with: law)
            .replacing("kind: value\n", with: sides),
          "sides.case",
          in: folder
        )
        let text = try touchstone(["show", "sides.case"], in: folder).output
        let (oracle, subject) =
          named ? (", shown by naive", ", shown by mutant:tie-break-reversed") : ("", "")
        #expect(text.contains("\nexpected\(oracle): int 2\nfound\(subject): int 1\n"), "\(text)")
      }

      // Of two peers the names stand in place of these words.
      let peers = "expected: int 2\nactual: int 1\nexpected side: r0\nactual side: r1 later\n"
      try write(
        Self.failing.replacing("kind: value\n", with: "kind: value\n" + peers),
        "peers.case",
        in: folder
      )
      let ofPeers = try touchstone(["show", "peers.case"], in: folder).output
      let named =
        "\nr0, shown by naive: int 2\nr1 later, shown by mutant:tie-break-reversed: int 1\n"
      #expect(ofPeers.contains(named), "\(ofPeers)")
      #expect(!ofPeers.contains(" side"), "\(ofPeers)")

      // Several are shown one after the other, as `failures/mine--*.case` names them.
      try write(Self.failing.replacing("int 2", with: "int 3"), "other.case", in: folder)
      let both = try touchstone(["show", "other.case", "nowhere.case", "tie.case"], in: folder)
      #expect(both.status == 2)
      #expect(both.complaintLines.count == 1 && both.complaints.contains("nowhere.case"))
      #expect(both.output.hasPrefix("file: other.case\n"))
      #expect(both.output.hasSuffix("\n\nfile: tie.case\n\(shown.output)"))
      let array = try touchstone(["show", "other.case", "tie.case", "--json"], in: folder)
      #expect(array.status == 0)
      #expect((try array.json as? [[String: Any]])?.count == 2)

      // A history that is not valid is shown as it stands.
      try write(Self.failing.replacing("r1 put", with: "r7 put"), "wild.case", in: folder)
      let wild = try touchstone(["show", "wild.case"], in: folder)
      #expect(wild.status == 0)
      #expect(wild.output.contains("r7 put root"))
      try write("touchstone case 9\n", "new.case", in: folder)
      for path in ["nowhere.case", "new.case"] {
        let outcome = try touchstone(["show", path], in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.complaintLines.count == 1)
      }
    }
  }

  @Test("A case that a user's test stored is shown, and judged by that test alone")
  func casesOfTests() throws {
    let text = """
      touchstone case 1
      law: commands.model
      subjects: property
      kind: pop returns
      seed: 0x1
      model: ring
      choices:
        1/1 0/1
      sample: commands 1
        1. push(0)
        2. pop
      end

      """
    try withFolder { folder in
      try write(text, "ring.case", in: folder)
      let shown = try touchstone(["show", "ring.case"], in: folder)
      #expect(shown.status == 0)
      #expect(shown.output.contains("model: ring\n"))
      #expect(shown.output.hasSuffix("\n\n1. push(0)\n2. pop\n"), "\(shown.output)")
      for command in ["replay", "shrink"] {
        let outcome = try touchstone([command, "ring.case"], in: folder)
        #expect(outcome.status == 2)
        let words = """
          touchstone: ring.case is a case of ring, whose code is in the tests of a package and not in this \
          program; the test judges it again: TOUCHSTONE_REPLAY=ring.case swift test

          """
        #expect(outcome.complaints == words)
      }
    }
  }

  @Test(
    "The command for the case of a test names the test and stands where `swift test` runs",
    arguments: [
      ("model: Ring\ntest: ring", "Ring", "ring"),
      ("model: Ring\ntest: `a ring`", "Ring", "'`a ring`'"),
      // An engine of a user's tests has no model.
      ("test: mine", "my-engine", "mine"),
    ]
  )
  func commandOfTest(headers: String, judged: String, test: String) throws {
    let text = Self.failing.replacing(/subjects: .*/, with: "subjects: my-engine\n\(headers)")
    try withFolder { folder in
      let package = folder.appendingPathComponent("My App")
      let cases = package.appendingPathComponent("Tests/RingTests/__Touchstone__")
      try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: true)
      try write(text, "Ring.case", in: cases)
      try write("", "Package.swift", in: package)
      let path = "Tests/RingTests/__Touchstone__/Ring.case"
      let command = "TOUCHSTONE_REPLAY=\(path) swift test --filter \(test)\n"
      for subcommand in ["replay", "shrink"] {
        let inside = try touchstone([subcommand, path], in: package)
        #expect(inside.status == 2)
        #expect(inside.complaints.contains("Ring.case is a case of \(judged), whose code"))
        #expect(inside.complaints.hasSuffix(" again: \(command)"), "\(inside.complaints)")
        let outside = try touchstone([subcommand, "My App/\(path)"], in: folder)
        #expect(
          outside.complaints.contains(/again: cd '[^']*\/My App' && TOUCHSTONE_REPLAY=/),
          "\(outside.complaints)"
        )
        #expect(outside.complaints.hasSuffix(" && \(command)"), "\(outside.complaints)")
      }
    }
  }

  @Test("What is wrong in a case's history is told with the line of the file, and what was meant")
  func misspeltSteps() throws {
    try withFolder { folder in
      let text = Self.failing.replacing(" put root", with: " putt root")
      try write(text, "tie.case", in: folder)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = try #require(lines.firstIndex { $0.contains("putt") }) + 1
      for command in ["replay", "show"] {
        let outcome = try touchstone([command, "tie.case"], in: folder)
        #expect(outcome.status == 2)
        let words = "line \(line): expected put, insert, "
        #expect(outcome.complaints.contains(words), "\(outcome.complaints)")
        #expect(outcome.complaints.contains("found putt. Did you mean 'put'?"))
      }
    }
  }

  @Test("A case without subjects is refused as that, whatever subjects there are")
  func withoutSubjects() throws {
    try withFolder { folder in
      try write(Self.failing.replacing(/subjects: .*\n/, with: ""), "tie.case", in: folder)
      let adapter = folder.appendingPathComponent("Adapters/broken")
      try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
      try write(#"{"id":"broken","command":["./nowhere"]}"#, "adapter.json", in: adapter)
      for command in ["replay", "shrink"] {
        let outcome = try touchstone([command, "tie.case"], in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.complaints.contains("the case names no subject"), "\(outcome.complaints)")
      }
    }
  }

  @Test("A case without choices cannot be shrunk, and is left as it is")
  func shrinkRefuses() throws {
    try withFolder { folder in
      try write(Self.failing, "tie.case", in: folder)
      let outcome = try touchstone(["shrink", "tie.case"], in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.complaintLines.count == 1)
      let url = folder.appendingPathComponent("tie.case")
      #expect(try Data(contentsOf: url) == Data(Self.failing.utf8))
    }
  }

  // MARK: - list, selftest

  @Test(
    "A list is one thing a line, and in JSON an array of objects with their ids",
    arguments: [
      ("laws", "merge.commutes"), ("subjects", "naive"), ("mutants", "tie-break-reversed"),
      ("waypoints", "deletes-met"),
    ]
  )
  func lists(kind: String, id: String) throws {
    let lines = try touchstone("list", kind)
    #expect(lines.status == 0)
    let rows = try #require(try touchstone("list", kind, "--json").json as? [[String: Any]])
    let ids = rows.compactMap { $0["id"] as? String }
    #expect(ids.count == rows.count)
    #expect(ids.contains(id))
    #expect(Set(ids).count == ids.count)
    #expect(rows.allSatisfy { ($0["words"] as? String)?.isEmpty == false })
    let firstWords = lines.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(firstWords.map(String.init) == ids)
  }

  @Test("As many mutants are listed as the documents say")
  func mutantCount() throws {
    let listed = try touchstone("list", "mutants").output.split(separator: "\n").count
    let article = URL(filePath: Program.fixtures).deletingLastPathComponent()
      .appending(path: "Documentation/SelfTest.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let row = try #require(text.firstMatch(of: /names them \| ([0-9]+) \|/))
    #expect(Int(row.1) == listed)
  }

  @Test("The self-test exits with 1 when a mutant lives, and names it")
  func selfTest() throws {
    let words = ["selftest", "--mutant", "increment-revives-counter", "--cases", "1", "--json"]
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 1)
    let report = try #require(try outcome.json as? [String: Any])
    let repeated = (report["run"] as? [String: Any])?["repeatCommand"] as? String
    #expect(
      repeated
        == "touchstone selftest --mutant increment-revives-counter --cases 1 --seed 0x1",
      "\(repeated ?? "")"
    )
    let reasons = (report["outcome"] as? [String: Any])?["reasons"] as? [String]
    #expect(reasons?.contains { $0.contains("no law kills the mutant increment-revives") } == true)
    // One mutant was asked for: laws are not proved by it, nor correct implementations held to them.
    let selfTest = report["selfTest"] as? [String: Any]
    #expect((selfTest?["mutants"] as? [Any])?.count == 1)
    #expect((selfTest?["laws"] as? [Any])?.isEmpty == true)
  }

  @Test("A self-test that needs Touchstone's sources says so where they are not")
  func selfTestWithoutSources() throws {
    try withFolder { folder in
      for (words, reason) in [
        (["--generated", "5"], "is no clone of Touchstone: it has no Mutation/Package.swift"),
        (
          ["--target", "engine"],
          "has no Package.swift: source patches need Touchstone's own sources"
        ),
      ] {
        let outcome = try touchstone(["selftest"] + words, in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.complaints.contains(reason), "\(outcome.complaints)")
        // Nothing is said to be built where nothing can be.
        #expect(outcome.complaintLines.count == 1, "\(outcome.complaints)")
      }
    }
  }

  @Test("The self-test tells of one case as of one, and takes a mutant by its id as a subject")
  func selfTestOfOneCase() throws {
    let words = ["selftest", "--mutant", "mutant:increment-revives-counter", "--cases", "1"]
    let outcome = try withFolder { try touchstone(words, in: $0) }
    let lines = outcome.complaintLines
    #expect(lines.contains("increment-revives-counter: ALIVE after 1 case"), "\(lines)")
  }
}
