import Foundation
import TestSupport
import Testing

/// What is left in a report's folder, however the run ended.
@Suite("The folder of a report", .serialized)
struct ReportFolderTests {
  /// A run that finds several failures, and shrinks them.
  private static func check(
    cases: Int = 30,
    seed: Int = 7,
    laws: [String] = ["agreement.states"],
    into folder: String = "out"
  ) -> [String] {
    ["check", "--subject", "mutant:delete-hides-concurrent-put"] + laws.flatMap { ["--law", $0] }
      + ["--cases", "\(cases)", "--seed", "\(seed)", "--jobs", "2", "--report", folder]
  }

  private static let forms = ["index.html", "summary.md", "junit.xml", "results.sarif"]

  private func names(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// The report of a folder; `nil` if there is none.
  private func report(in folder: URL) throws -> [String: Any]? {
    let file = folder.appendingPathComponent("report.json")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let data = try Data(contentsOf: file)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// The seed of a report that says that its run did not end; `nil` of any other.
  private func seedOfInterruption(_ report: [String: Any]) -> String? {
    let outcome = report["outcome"] as? [String: Any]
    guard outcome?["word"] as? String == "failed",
      (outcome?["reasonKinds"] as? [String])?.contains("interruption") == true
    else { return nil }
    return (report["run"] as? [String: Any])?["seed"] as? String
  }

  /// Sees that the folder holds what was found, whole, and nothing that only looks whole.
  private func expectSound(_ folder: URL, in parent: URL) throws {
    let here = names(folder)
    let cases = names(folder.appendingPathComponent("failures")).filter { $0.hasSuffix(".case") }
    for name in cases {
      let outcome = try touchstone(["replay", "\(folder.path)/failures/\(name)"], in: parent)
      #expect(outcome.status == 1, "\(name): \(outcome.complaints)")
    }
    guard let report = try report(in: folder) else { return }
    for form in Self.forms { #expect(here.contains(form)) }
    for failure in try #require(report["failures"] as? [[String: Any]]) {
      for key in ["file", "reproducer"] {
        let path = try #require(failure[key] as? String)
        let url = folder.appendingPathComponent(path)
        #expect(FileManager.default.fileExists(atPath: url.path), "\(path)")
      }
    }
  }

  @Test("--open hands the page to the program that BROWSER names, and says if there is none")
  func opened() throws {
    try withFolder { folder in
      let browser = folder.appendingPathComponent("browser")
      try Data("#!/bin/sh\ncp \"$1\" partial && mv partial opened\n".utf8).write(to: browser)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: browser.path
      )
      let check = "touchstone check --subject naive --cases 2 --seed 1 --report out --open"
      let outcome = try shell("BROWSER=\"$PWD/browser\" \(check)", in: folder)
      #expect(outcome.status == 0, "\(outcome.complaints)")
      let opened = folder.appendingPathComponent("opened").path
      // The program is not waited for.
      for _ in 0..<3000 where !FileManager.default.fileExists(atPath: opened) {
        Thread.sleep(forTimeInterval: 0.01)
      }
      #expect(
        FileManager.default.contentsEqual(atPath: opened, andPath: "\(folder.path)/out/index.html")
      )
      let none = try shell("BROWSER=no-such-browser \(check)", in: folder)
      #expect(none.status == 0)
      #expect(none.complaints.contains("no program opens pages here"))
    }
  }

  @Test("Two reports are compared: what fails since, what does no longer, what is not judged")
  func compared() throws {
    try withFolder { folder in
      let before = Self.check(laws: ["agreement.states"], into: "before")
      let after = Self.check(laws: ["agreement.past"], into: "after")
      #expect(try touchstone(before, in: folder).status == 1)
      _ = try touchstone(after, in: folder)
      let same = try touchstone(["report", "compare", "before", "before"], in: folder)
      #expect(same.status == 0)
      #expect(same.output.contains("still failing:\n  agreement.states on mutant:"))
      let other = try touchstone(["report", "compare", "before", "after"], in: folder)
      #expect(other.output.contains("not seen again:\n"))
      #expect(other.output.contains("; its law is no longer judged\n"))
      #expect(!other.complaints.contains("began after"))
      let json = folder.appendingPathComponent("after/report.json")
      let text = String(decoding: try Data(contentsOf: json), as: UTF8.self)
      let old = text.replacing(
        /"startedAt" : "[^"]*"/,
        with: "\"startedAt\" : \"2001-02-03T04:05:06Z\""
      )
      try Data(old.utf8).write(to: json)
      let swapped = try touchstone(["report", "compare", "before", "after"], in: folder)
      #expect(swapped.status == other.status && swapped.output == other.output)
      #expect(
        swapped.complaints.contains(
          "the run of before, which is given as the earlier one, began after"
        ),
        "\(swapped.complaints)"
      )
      let missing = try touchstone(["report", "compare", "before", "none"], in: folder)
      #expect(missing.status == 2)
      #expect(missing.complaints.contains("there is no such file"))
    }
  }

  @Test("Killed at any moment, a run leaves what it has found, whole, and no half report")
  func killed() throws {
    try withFolder { folder in
      let out = folder.appendingPathComponent("out")
      var unfinished = 0
      // What an earlier night has left is green.
      let green = [
        "check", "--subject", "naive", "--law", "merge.*", "--cases", "2", "--seed", "99",
      ]
      #expect(try touchstone(green + ["--report", "out"], in: folder).status == 0)
      // One report after the other in one folder, as at night; moments that no clock decides alone.
      for (round, milliseconds) in [40, 150, 300, 450, 600, 800, 1100, 1500].enumerated() {
        let running = try Executable.start(Self.check(seed: round), in: folder)
        // The folder is taken over before anything is told.
        try running.waitForComplaint("judging ")
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        kill(running.process.processIdentifier, SIGKILL)
        let isKilled = try running.outcome().status != 1
        try expectSound(out, in: folder)
        guard isKilled else { continue }
        unfinished += 1
        // Nothing while its files are being replaced, and else of this run, which did not end.
        if let report = try report(in: out), seedOfInterruption(report) != "0x\(round)" {
          // It had ended but for its own exit.
          #expect((report["run"] as? [String: Any])?["seed"] as? String == "0x\(round)")
          #expect((report["outcome"] as? [String: Any])?["word"] as? String == "violated")
        }
      }
      #expect(unfinished > 0, "no run was killed before its end")
      // Once one is let run, nothing of the others is left.
      #expect(try touchstone(Self.check(), in: folder).status == 1)
      try expectSound(out, in: folder)
      let all = names(out) + names(out.appendingPathComponent("failures"))
      #expect(!all.contains { $0.hasSuffix(".touchstone-partial") })
      #expect(
        names(out) == (Self.forms + [".touchstone-report", "failures", "report.json"]).sorted()
      )
    }
  }

  @Test("A failure stands in its folder before it is shrunk")
  func early() throws {
    try withFolder { folder in
      // Too many cases to end: what is there came at once.
      let words = Self.check(cases: 1_000_000, laws: ["agreement.states", "network.converges"])
      let running = try Executable.start(words, in: folder)
      defer { kill(running.process.processIdentifier, SIGKILL) }
      let failures = folder.appendingPathComponent("out/failures")
      while names(failures).allSatisfy({ !$0.hasSuffix(".case") }), running.process.isRunning {
        Thread.sleep(forTimeInterval: 0.005)
      }
      #expect(running.process.isRunning)
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.outcome()
      let out = folder.appendingPathComponent("out")
      try expectSound(out, in: folder)
      let left = try #require(try report(in: out))
      #expect(seedOfInterruption(left) == "0x7", "\(left["outcome"] ?? "")")
      // A folder without a report says what it is.
      try FileManager.default.removeItem(at: out.appendingPathComponent("report.json"))
      let render = try touchstone(["report", "render", "out"], in: folder)
      #expect(render.status == 2)
      #expect(render.complaintLines.count == 1)
      #expect(render.complaints.contains("what a run had found when it was killed"))
    }
  }

  /// A terminal signals the whole group of processes in its foreground, others the process alone.
  @Test(
    "Ctrl-C ends a run with a complete report",
    arguments: [SIGINT, SIGTERM],
    [true, false]
  )
  func interrupted(_ signal: Int32, wholeGroup: Bool) throws {
    try withFolder { folder in
      let running = try Executable.start(Self.check(cases: 1_000_000), in: folder)
      try running.waitForComplaint("failure: ")
      let process = running.process.processIdentifier
      // A child of Foundation leads a group.
      try #require(getpgid(process) == process)
      kill(wholeGroup ? -process : process, signal)
      let outcome = try running.outcome()
      #expect(outcome.status == 128 + signal)
      #expect(outcome.output.contains("interrupted after "))
      let out = folder.appendingPathComponent("out")
      #expect(names(out).contains("report.json"))
      try expectSound(out, in: folder)
    }
  }

  /// Whatever the run is at: judging, shrinking, writing a case, starting a worker.
  @Test("Ctrl-C at any moment ends a run with a complete report", arguments: 0..<10)
  func interruptedAnywhere(_ moment: Int) throws {
    try withFolder { folder in
      let running = try Executable.start(Self.check(cases: 1_000_000), in: folder)
      try running.waitForComplaint("failure: ")
      // What the moments meet differs from machine to machine; what must come of them does not.
      Thread.sleep(forTimeInterval: 0.029 * Double(moment))
      kill(running.process.processIdentifier, moment.isMultiple(of: 2) ? SIGINT : SIGTERM)
      let outcome = try running.outcome()
      #expect(outcome.status == 128 + (moment.isMultiple(of: 2) ? SIGINT : SIGTERM))
      #expect(outcome.output.contains("interrupted after "))
      let out = folder.appendingPathComponent("out")
      #expect(names(out).contains("report.json"))
      try expectSound(out, in: folder)
    }
  }

  @Test("A second Ctrl-C ends the process at once")
  func interruptedTwice() throws {
    try withFolder { folder in
      let running = try Executable.start(Self.check(cases: 1_000_000), in: folder)
      try running.waitForComplaint("failure: ")
      let process = running.process.processIdentifier
      // Microseconds apart: a report takes longer.
      kill(process, SIGINT)
      kill(process, SIGTERM)
      let outcome = try running.outcome()
      #expect([128 + SIGINT, 128 + SIGTERM].contains(outcome.status))
      #expect(!outcome.output.contains("interrupted after "))
      if let left = try report(in: folder.appendingPathComponent("out")) {
        #expect(seedOfInterruption(left) == "0x7")
      }
    }
  }

  @Test(
    "A disk that takes no more ends the run with 2, in one clear line, and what was found is told",
    // Pages find no room; case files do.
    arguments: [8, 24]
  )
  func full(blocks: Int) throws {
    try withFolder { folder in
      let running = try Executable.start(Self.check(), in: folder, fileBlockLimit: blocks)
      let outcome = try running.outcome()
      #expect(outcome.status == 2)
      #expect(
        outcome.output.contains("✕ violated: agreement.states on mutant:"),
        "\(outcome.output)"
      )
      #expect(!outcome.output.contains("not all that failed is stored: "))
      #expect(!outcome.output.contains("report: "))
      let lines = outcome.complaintLines.filter { $0.hasPrefix("touchstone: ") }
      #expect(lines.count == 1)
      #expect(outcome.complaintLines.last == lines.first)
      #expect(lines.first?.hasPrefix("touchstone: cannot write ") == true)
      #expect(lines.first?.hasSuffix("than this process may write") == true)
      let out = folder.appendingPathComponent("out")
      #expect(!names(out).contains("report.json"))
    }
  }

  // MARK: - render, merge

  @Test("A report is rendered again from its JSON, byte for byte")
  func renders() throws {
    try withFolder { folder in
      #expect(try touchstone(Self.check(), in: folder).status == 1)
      let out = folder.appendingPathComponent("out")
      let all = Self.forms + ["report.json"]
      let before = try all.map { try Data(contentsOf: out.appendingPathComponent($0)) }
      for form in Self.forms { try Data("x".utf8).write(to: out.appendingPathComponent(form)) }
      let outcome = try touchstone(["report", "render", "out"], in: folder)
      #expect(outcome.status == 0)
      #expect(outcome.output == "out/index.html\n")
      let after = try all.map { try Data(contentsOf: out.appendingPathComponent($0)) }
      #expect(after == before)

      try Data("{\"version\": 7}".utf8).write(to: out.appendingPathComponent("report.json"))
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("empty"),
        withIntermediateDirectories: false
      )
      for (path, words) in [
        ("out", "a report of version 7; this program reads 1"), ("empty", "no such file"),
        ("nowhere", "no such file"),
      ] {
        let refused = try touchstone(["report", "render", path], in: folder)
        #expect(refused.status == 2)
        #expect(refused.complaintLines.count == 1)
        #expect(refused.complaints.contains(words), "\(refused.complaints)")
      }
    }
  }

  @Test("Reports of several nights become one, with the case files of its failures")
  func merges() throws {
    try withFolder { folder in
      for (seed, name) in [(7, "monday"), (7, "tuesday"), (8, "wednesday")] {
        #expect(try touchstone(Self.check(seed: seed, into: name), in: folder).status == 1)
      }
      let merge = ["report", "merge", "monday", "tuesday", "wednesday"]
      let outcome = try touchstone(merge + ["--output", "out", "--json"], in: folder)
      #expect(outcome.status == 1)
      let merged = try #require(try outcome.json as? [String: Any])
      #expect((merged["run"] as? [String: Any])?["cases"] as? Int == 90)
      let failures = try #require(merged["failures"] as? [[String: Any]])
      let monday = try touchstone(["report", "merge", "monday", "--output", "one"], in: folder)
      #expect(monday.status == 1)
      let histories = failures.map { "\($0["law"] ?? "") \($0["history"] ?? "")" }
      #expect(Set(histories).count == histories.count)
      try expectSound(folder.appendingPathComponent("out"), in: folder)
      let cases = names(folder.appendingPathComponent("out/failures"))
      #expect(cases.count == failures.count * 2)

      // A report that is merged is not replaced, whatever its path looks like.
      let before = names(folder.appendingPathComponent("monday"))
      for path in ["monday", "./out/../monday/"] {
        let into = try touchstone(
          ["report", "merge", "monday", "wednesday", "--output", path],
          in: folder
        )
        #expect(into.status == 64)
        #expect(into.complaints.contains("is one of the reports to merge"), "\(into.complaints)")
      }
      #expect(names(folder.appendingPathComponent("monday")) == before)

      // Of other laws that were asked for alike there is none; of another program there is.
      let json = folder.appendingPathComponent("tuesday/report.json")
      let text = String(decoding: try Data(contentsOf: json), as: UTF8.self)
      let other = text.replacing(/"program" : "touchstone [^"]*"/, with: "\"program\" : \"other\"")
      try Data(other.utf8).write(to: json)
      let refused = try touchstone(merge + ["--output", "never"], in: folder)
      #expect(refused.status == 2)
      #expect(refused.complaintLines.count == 1)
      #expect(refused.complaints.contains("written by different programs"))
      #expect(names(folder.appendingPathComponent("never")).isEmpty)

      // An empty path would be the working folder.
      let nowhere = try touchstone(merge + ["--output", ""], in: folder)
      #expect(nowhere.status == 64)
      #expect(nowhere.complaints.contains("--output is empty"), "\(nowhere.complaints)")
      #expect(!names(folder).contains("report.json"))
    }
  }

  @Test("The failures of a report are no corpus of the run that replaces it")
  func corpusWithin() throws {
    try withFolder { folder in
      #expect(try touchstone(Self.check(), in: folder).status == 1)
      let cases = names(folder.appendingPathComponent("out/failures"))
      for corpus in ["./out/failures/", "out/failures/kept"] {
        let refused = try touchstone(Self.check() + ["--corpus", corpus], in: folder)
        #expect(refused.status == 64)
        #expect(refused.complaints.contains("copy them to another folder"), "\(refused.complaints)")
      }
      #expect(names(folder.appendingPathComponent("out/failures")) == cases)
    }
  }

  @Test("What `report merge --help` says is so")
  func mergeHelp() throws {
    try withFolder { folder in
      for (seed, name) in [(7, "monday"), (8, "tuesday")] {
        #expect(try touchstone(Self.check(seed: seed, into: name), in: folder).status == 1)
      }
      let good = ["check", "--subject", "naive", "--cases", "5", "--report", "good"]
      #expect(try touchstone(good, in: folder).status == 0)
      for part in 1...2 {
        let shard = ["--shard", "\(part)/2", "--seed", "1", "--report", "part-\(part)"]
        #expect(try touchstone(good.dropLast(2) + shard, in: folder).status == 0)
      }
      let json = folder.appendingPathComponent("good/report.json")
      let text = String(decoding: try Data(contentsOf: json), as: UTF8.self)
      func variant(_ name: String, _ pattern: Regex<Substring>, _ words: String) throws {
        let copy = folder.appendingPathComponent("\(name)/report.json")
        let changed = text.replacing(pattern, with: words)
        try #require(changed != text, "\(name)")
        try FileManager.default.createDirectory(
          at: copy.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try Data(changed.utf8).write(to: copy)
      }
      try variant("other-program", /"program" : "touchstone [^"]*"/, #""program" : "touchstone 9""#)
      try variant("other-version", /"version" : "1"/, #""version" : "2""#)
      try variant("other-law", /"sentence" : "[^"]*"/, #""sentence" : "Another.""#)

      let help = try touchstone("report", "merge", "--help").output.split(
        whereSeparator: \.isWhitespace
      )
      .joined(separator: " ")
      let example = try #require(
        help.firstMatch(of: /touchstone report merge monday tuesday --output week/)
      )
      let lines: [(claim: String, command: String, status: Int32, words: String)] = [
        ("Counts add up.", String(example.output), 1, "60 cases"),
        ("Runs may differ in seed, machine and subjects.", "monday good --output a", 1, "35 cases"),
        ("Exit status: that of the gravest run", "good --output b", 0, "5 cases"),
        ("two versions of Touchstone", "good other-program --output c", 2, "different programs"),
        ("two versions of one subject", "good other-version --output d", 2, "naive"),
        ("laws that do not say the same", "good other-law --output e", 2, "does not say the same"),
        ("a run that is given twice", "good good --output f", 2, "twice"),
        (
          "Parts of a run (`check --shard`) that are missing are named", "part-1 --output g", 2, "2"
        ),
        ("merge them to the result when they are there.", "g part-2 --output h", 0, "5 cases"),
        (
          "or 2 if parts are missing or nothing could be merged.", "nowhere --output i", 2,
          "nowhere"
        ),
      ]
      for (claim, command, status, words) in lines {
        #expect(help.contains(claim), "\(claim)")
        let line =
          command.hasPrefix("touchstone ")
          ? String(command.dropFirst(11)) : "report merge \(command)"
        let outcome = try touchstone(line.split(separator: " ").map(String.init), in: folder)
        #expect(outcome.status == status, "\(claim): \(outcome.output)\(outcome.complaints)")
        #expect(
          (outcome.output + outcome.complaints).contains(words),
          "\(claim): \(outcome.output)\(outcome.complaints)"
        )
      }
    }
  }

  @Test("Reports become a site, whose links all lead to files of it")
  func site() throws {
    try withFolder { folder in
      for (seed, name) in [(7, "monday"), (8, "tuesday")] {
        #expect(try touchstone(Self.check(seed: seed, into: name), in: folder).status == 1)
      }
      let make = ["report", "site", "monday", "tuesday", "--output", "site"]
      // The second replaces the first, and what it no longer has goes.
      for _ in 0..<2 {
        let outcome = try touchstone(make, in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(" held\nsite: site/index.html\n"))
      }
      let site = folder.appendingPathComponent("site")
      let page = String(
        decoding: try Data(contentsOf: site.appendingPathComponent("index.html")),
        as: UTF8.self
      )
      let links = page.matches(of: /href="\.\/([^"#]+)(?:#([^"]+))?"/)
      #expect(links.contains { $0.output.2 != nil })
      for link in links {
        let file = site.appendingPathComponent(String(link.output.1))
        let text = try String(contentsOf: file, encoding: .utf8)
        if let anchor = link.output.2 { #expect(text.contains("id=\"\(anchor)\"")) }
      }
      for run in ["runs/1", "runs/2"] {
        try expectSound(site.appendingPathComponent(run), in: folder)
      }
      let one = try touchstone(["report", "site", "site/runs/2", "--output", "site"], in: folder)
      #expect(one.status == 0)
      #expect(names(site.appendingPathComponent("runs")) == ["1"])

      for (arguments, words) in [
        (["monday", "--output", "tuesday"], "which no site of touchstone has written"),
        (["nowhere", "--output", "site"], "no such file"),
        (["monday", "--output", ""], "--output"),
        (["monday", "--output", "/dev/null/x"], "cannot write into the folder /dev/null/x: "),
      ] {
        let refused = try touchstone(["report", "site"] + arguments, in: folder)
        #expect(refused.status != 0)
        #expect(refused.complaints.contains(words), "\(refused.complaints)")
      }
      #expect(names(site.appendingPathComponent("runs")) == ["1"])
    }
  }
}
