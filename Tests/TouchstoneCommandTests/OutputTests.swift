import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Output without a reader, and text that is not ours")
struct OutputTests {
  @Test("A list fits a narrow terminal: texts stand below their ids, and no line is wider")
  func narrowLists() {
    let rows: [(id: String, text: String)] = [
      ("a", "one two three"), ("long-id", "four\nfive"),
    ]
    #expect(ListCommand.lines(rows, nil) == ["a        one two three", "long-id  four"])
    #expect(ListCommand.lines(rows, 22) == ["a        one two three", "long-id  four"])
    #expect(
      ListCommand.lines(rows, 12) == ["a", "    one two", "    three", "long-id", "    four"]
    )
    #expect(ListCommand.lines([("a", "longer-than-it")], 8) == ["a", "    longer-than-it"])
  }

  @Test("What damaged inputs cost is told in units that leave something of it")
  func damage() {
    var call = DamageRun.CallTally()
    (call.accepted, call.refused, call.heldByteCount) = (3, 1_997, 2_500)
    (call.slowestNanoseconds, call.slowest) = (3_800_000, 976)
    var tally = DamageRun.Tally()
    tally.calls["load"] = call
    #expect(
      DamageCommand.lines(tally) == [
        "load   3 taken in, 1,997 refused; the slowest took 3.8 ms of processor time (input 976), "
          + "0 took more than 5 s; less than 0.1 % of the steps that are allowed, 2.5 kB held"
      ]
    )
    call.workPermille = 12
    tally.calls["load"] = call
    #expect(DamageCommand.lines(tally)[0].contains("at most 1.2 % of the steps"))
  }

  private static let check =
    "check --subject naive --law 'merge.*' --cases 20 --seed 1 --jobs 1 --report out"

  private func hasReport(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("out/report.json").path)
  }

  @Test(
    "A report is written whatever happens to standard error, and the run holds",
    arguments: [
      "touchstone \(check) 2>&-", "touchstone \(check) 2>/dev/full",
      // A pipe whose reader is gone.
      "{ (sleep 1; touchstone \(check) 2>&1 >&3) | true; exit ${PIPESTATUS[0]}; } 3>&1",
    ]
  )
  func standardError(_ line: String) throws {
    try withFolder { folder in
      let outcome = try shell(line, in: folder)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("held"))
      #expect(hasReport(folder))
      // Nothing that was meant for standard error got into a file of the report.
      let files = FileManager.default.enumerator(
        at: folder.appendingPathComponent("out"),
        includingPropertiesForKeys: nil
      )
      while let file = files?.nextObject() as? URL {
        let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        #expect(text?.contains("judging naive") != true, "\(file.path)")
      }
    }
  }

  @Test(
    "Lost output is said, and the exit status tells; the report is written all the same",
    arguments: [
      ("touchstone \(check) >&-", "it is closed"),
      ("touchstone \(check) >/dev/full", "the disk is full"),
      ("(sleep 1; touchstone \(check)) | true; exit ${PIPESTATUS[0]}", "its reader has ended"),
    ]
  )
  func standardOutput(_ line: String, reason: String) throws {
    try withFolder { folder in
      let outcome = try shell(line, in: folder)
      #expect(outcome.status == 2)
      #expect(
        outcome.complaints.contains(
          "touchstone: cannot write to the standard output: \(reason)\n"
        ),
        "\(outcome.complaints)"
      )
      #expect(hasReport(folder))
      let listed = try shell("touchstone list laws --json >/dev/full", in: folder)
      #expect(listed.status == 2)
    }
  }

  @Test(
    "Help and the version that are lost are told as any output is",
    arguments: [
      "--help", "--version", "check --help", "help check", "", "report", "adapter check -h",
    ]
  )
  func help(_ words: String) throws {
    try withFolder { folder in
      let lost = try shell("touchstone \(words) >/dev/full", in: folder)
      #expect(lost.status == 2)
      let line = "touchstone: cannot write to the standard output: the disk is full\n"
      #expect(lost.complaints == line)
      let told = try shell("touchstone \(words)", in: folder)
      #expect(told.status == 0 && !told.output.isEmpty && told.complaints.isEmpty)
    }
  }

  @Test(
    "Where few files can be opened, that is said and nothing begins",
    arguments: [10, 14, 15, 16, 17, 40]
  )
  func fewDescriptors(_ limit: Int) throws {
    try withFolder { folder in
      for line in ["touchstone \(Self.check)", "touchstone list laws"] {
        let outcome = try shell("ulimit -n \(limit); \(line)", in: folder)
        #expect(outcome.status == 2, "\(outcome.complaints)")
        #expect(outcome.output.isEmpty)
        #expect(
          outcome.complaints.wholeMatch(
            of: /touchstone: only \d+ more files can be opened here, and 64 are needed: .*\n/
          ) != nil,
          "\(outcome.complaints)"
        )
        #expect(!hasReport(folder))
      }
      #expect(try shell("ulimit -n \(limit); touchstone --help", in: folder).status == 0)
    }
  }

  @Test(
    "A run needs no more descriptors than it asks for; a low limit that may be raised is",
    arguments: [
      "ulimit -n 72; touchstone \(check)", "ulimit -S -n 10; touchstone \(check)",
      // What the caller had open beyond its own limit.
      "exec 200>&1; ulimit -n 100; touchstone \(check)",
      "ulimit -S -n 3000; exec 2000>&1; ulimit -n 100; touchstone \(check)",
    ]
  )
  func enoughDescriptors(_ line: String) throws {
    try withFolder { folder in
      let outcome = try shell(line, in: folder)
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.complaints)")
      #expect(hasReport(folder))
    }
  }

  /// The limit does not count for a user who may do everything.
  @Test("Where no thread can be started, that is said", .enabled(if: getuid() != 0))
  func noThreads() throws {
    let program = try #require(Executable.url)
    try withFolder { folder in
      // No further process is needed to get there.
      let line = "ulimit -u 1; exec '\(program.path)' \(Self.check)"
      let outcome = try shell(line, in: folder)
      #expect(outcome.status == 2)
      #expect(
        outcome.complaints.contains("more threads can be started here"),
        "\(outcome.complaints)"
      )
    }
  }

  @Test("A folder or a device in the place of a file, and a file in that of a folder, is named")
  func otherKinds() throws {
    try withFolder { folder in
      try Data("x".utf8).write(to: folder.appendingPathComponent("file"))
      for (arguments, reason) in [
        (["show", "."], "a folder is in the place of the file"),
        (["show", "/dev/null"], "it is no regular file"),
        (["report", "compare", "file", "file"], "a file is in the place of a folder"),
        (["show", "missing"], "there is no such file"),
      ] {
        let outcome = try touchstone(arguments, in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.complaints.hasPrefix("touchstone: cannot read "))
        #expect(outcome.complaints.hasSuffix(": \(reason)\n"), "\(outcome.complaints)")
      }
    }
  }

  @Test("In a folder that was removed nothing begins")
  func lostFolder() throws {
    try withFolder { folder in
      let line = "mkdir gone; cd gone; rmdir ../gone; touchstone \(Self.check)"
      let outcome = try shell(line, in: folder)
      #expect(outcome.status == 2)
      #expect(
        outcome.complaints == "touchstone: the working folder is gone: go to one that is there\n"
      )
    }
  }

  @Test("An argument that is no text is refused, and names no other file")
  func foreignArgument() throws {
    try withFolder { folder in
      let outcome = try shell("touchstone check --cases 1 --report $'bad\\xff'", in: folder)
      #expect(outcome.status == 64)
      #expect(outcome.complaints.contains("An argument is not UTF-8"), "\(outcome.complaints)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test("What Foundation says of a file is told in words")
  func foundationErrors() throws {
    try withFolder { folder in
      let words =
        "fuzz histories --without-libfuzzer --inputs 60 --seed 1 "
        + "--subject mutant:delete-hides-concurrent-put"
      let outcome = try shell("echo x >Fuzz; touchstone \(words)", in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.complaints.hasPrefix("touchstone: "), "\(outcome.complaints)")
      #expect(!outcome.complaints.contains("Error Domain"), "\(outcome.complaints)")
    }
  }

  @Test("What a case file holds is shown, and does not act on the terminal")
  func escapes() throws {
    try withFolder { folder in
      let hostile = """
        touchstone case 1
        law: network.converges
        subjects: naive
        note: \\u{1b}]0;pwned\\u{7}\\u{1b}[2J\\u{202e}evil
        shows: \\u{1b}[8m\(String(repeating: "x", count: 50_000))
        choices:
        sample: history 1
          history 1
          base empty
          replicas 2
          healing merge
          r0 put root "k\\u{1b}[31m" string "\\u{1b}]0;x\\u{7}"
        end

        """
      try Data(hostile.utf8).write(to: folder.appendingPathComponent("hostile.case"))
      let shown = try touchstone(["show", "hostile.case"], in: folder)
      #expect(shown.status == 0)
      #expect(shown.output.contains(#"note: \u{1B}]0;pwned\u{7}\u{1B}[2J\u{202E}evil"#))
      #expect(shown.output.contains(#"shows: \u{1B}[8mxxx"#))
      #expect(shown.output.contains("… ("))
      let missing = try touchstone(["show", "a\u{1b}[2J\u{7}.case"], in: folder)
      #expect(missing.complaints.contains(#"a\u{1B}[2J\u{7}.case"#))
      for text in [shown.output, missing.complaints] {
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        #expect(!text.unicodeScalars.contains("\u{202e}"))
      }
    }
  }

  // MARK: - Green without proof

  /// An adapter that starts right and says of every call that it failed.
  private func writeFailingAdapter(in folder: URL) throws {
    let adapter = folder.appendingPathComponent("adapters/broken")
    try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
    let program = """
      import json, sys
      for line in sys.stdin:
          request = json.loads(line)
          answer = {"n": request["n"]}
          if "start" in request:
              answer["started"] = {"protocol": 1, "id": "broken", "version": "1", "capabilities": {
                  "edits": ["put", "delete"], "objects": ["map"], "scalars": ["int"],
                  "transports": ["merge"], "features": []}}
          elif "run" in request:
              answer["ran"] = [["failed", "no"] for _ in request["run"]]
          elif "ping" in request:
              answer["pong"] = {}
          else:
              break
          print(json.dumps(answer), flush=True)
      """
    try Data(program.utf8).write(to: adapter.appendingPathComponent("adapter.py"))
    try Data(#"{"id":"broken","command":["python","adapter.py"]}"#.utf8)
      .write(to: adapter.appendingPathComponent("adapter.json"))
    let absent = folder.appendingPathComponent("adapters/absent")
    try FileManager.default.createDirectory(at: absent, withIntermediateDirectories: true)
    try Data(#"{"id":"absent","command":["no-such-program"]}"#.utf8)
      .write(to: absent.appendingPathComponent("adapter.json"))
  }

  @Test("A subject that fails every call has held no law")
  func failing() throws {
    try withFolder { folder in
      try writeFailingAdapter(in: folder)
      let outcome = try touchstone(
        [
          "check", "--adapters", "adapters", "--subject", "broken", "--law", "merge.*", "--cases",
          "10", "--seed", "1", "--json",
        ],
        in: folder
      )
      #expect(outcome.status == 2)
      let report = try #require(outcome.json as? [String: Any])
      let cells = try #require(report["cells"] as? [[String: Any]])
      #expect(cells.allSatisfy { $0["held"] as? Int == 0 })
      #expect(outcome.output.contains("could not be judged on broken"))
    }
  }

  @Test("A subject that was asked for by name and does not start makes the run fail")
  func absent() throws {
    try withFolder { folder in
      try writeFailingAdapter(in: folder)
      let words = [
        "check", "--adapters", "adapters", "--subject", "naive", "--law", "merge.*", "--cases",
        "10", "--seed", "1",
      ]
      #expect(try touchstone(words, in: folder).status == 0)
      let outcome = try touchstone(words + ["--subject", "absent"], in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.output.contains("absent was asked for and did not run"))
    }
  }

  // MARK: - Folders of other programs

  @Test(
    "What no report has written is not replaced",
    arguments: ["index.html", "report.json", "failures/a.case"]
  )
  func foreignFiles(_ path: String) throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("mine".utf8).write(to: url)
      let words = [
        "check", "--subject", "naive", "--law", "merge.*", "--cases", "2", "--seed", "1",
        "--report",
      ]
      let outcome = try touchstone(words + ["."], in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.complaints.contains("which no report has written"), "\(outcome.complaints)")
      #expect(try Data(contentsOf: url) == Data("mine".utf8))
      let empty = try touchstone(words + [""], in: folder)
      #expect(empty.status == 64)
      #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }
  }

  @Test("A report is replaced by the next run, but by one at a time")
  func oneAtATime() throws {
    try withFolder { folder in
      func check(_ budget: [String]) -> [String] {
        ["check", "--subject", "naive", "--law", "merge.*", "--seed", "1", "--report", "out"]
          + budget
      }
      #expect(try touchstone(check(["--cases", "2"]), in: folder).status == 0)
      let running = try Executable.start(check(["--budget", "600s"]), in: folder)
      try running.waitForComplaint("judging naive")
      let second = try touchstone(check(["--cases", "2"]), in: folder)
      #expect(second.status == 2)
      #expect(second.complaints.contains("another run is writing its report to"))
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.outcome()
      #expect(try touchstone(check(["--cases", "2"]), in: folder).status == 0)
    }
  }
}
