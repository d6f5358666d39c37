import Foundation
import PropertyEngine
import Reporting
import Synchronization
import Testing

@testable import TouchstoneCommand

/// Targets whose fuzzer is a script: it prints figures, keeps an input, and writes one that fails, whose
/// text is the kind of its failure.
private final class ScriptSource: FuzzSource {
  let targets: [FuzzRun.Target]
  let folder: URL
  let repeatLimit: Int?
  let minimisingSeconds: Double? = 10
  let countsFailingInputs: Bool
  /// What each target's failing input says; "" for no such input, "slow" for one that holds when it is judged.
  let kinds: [String]
  let lines = Mutex<[String]>([])
  /// Failures that each fuzzer was told.
  let known = Mutex<[[FailureKey]]>([])

  /// Whether the user has enough once something was said.
  let isStopped: Bool

  var isInterrupted: @Sendable () -> Bool {
    { self.isStopped && self.lines.withLock { !$0.isEmpty } }
  }
  var say: @Sendable (String) -> Void { { line in self.lines.withLock { $0.append(line) } } }

  init(
    _ kinds: [String],
    scopes: [String],
    in folder: URL,
    repeatLimit: Int? = nil,
    countsFailingInputs: Bool = true,
    isStopped: Bool = false
  ) {
    self.kinds = kinds
    self.isStopped = isStopped
    self.folder = folder
    self.repeatLimit = repeatLimit
    self.countsFailingInputs = countsFailingInputs
    targets = scopes.enumerated().map { index, scope in
      FuzzRun.Target(id: "t\(index)", title: "title \(index)", subject: "s", scope: scope)
    }
  }

  static func key(_ kind: String) -> FailureKey {
    FailureKey(law: "a.law", isError: false, kind: kind)
  }

  /// As many as there are kept inputs.
  func situations(in corpus: URL, of target: Int) -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: corpus.path).count
  }

  func fuzzer(of target: Int, in folder: URL, known: [FailureKey]) throws -> Fuzzer {
    self.known.withLock { $0.append(known) }
    let program = folder.appendingPathComponent("fuzzer")
    let script = """
      #!/bin/sh
      for argument do
        case $argument in
        -artifact_prefix=*) prefix=${argument#*=} ;;
        -merge=1) merges=yes ;;
        esac
        before=$last last=$argument
      done
      if [ "$merges" ]; then cp "$last/kept" "$before"; exit 0; fi
      for folder do if [ -d "$folder" ]; then : >"$folder/kept"; : >"$folder/$$"; fi; done
      echo '10 9' >>"$TOUCHSTONE_FUZZ_TALLY"
      echo '#10 DONE cov: 5 ft: 6 corp: 1/1b'
      if [ "$KIND" = ends ]; then exit 3; fi
      if [ "$KIND" ]; then printf %s "$KIND" >"${prefix}crash-1"; exit 1; fi

      """
    let text = folder.appendingPathComponent("fuzzer.sh")
    try Data(script.utf8).write(to: text)
    // By another process: what another test starts at this moment would inherit a descriptor that
    // writes to the program, which cannot be started for as long.
    let copy = Process()
    copy.executableURL = URL(fileURLWithPath: "/bin/cp")
    copy.arguments = [text.path, program.path]
    try copy.run()
    copy.waitUntilExit()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    return Fuzzer(program: program, options: [], environment: ["KIND": kinds[target]], goesOn: true)
  }

  func judge(
    _ artifact: URL,
    of target: Int,
    log: URL,
    isKnown: (FailureKey) -> Bool
  ) throws -> [JudgedFinding]? {
    let kind = try String(contentsOf: artifact, encoding: .utf8)
    guard kind != "slow" else { return nil }
    #expect(FileManager.default.fileExists(atPath: log.path))
    let finding = FuzzFinding(
      target: targets[target].id,
      subject: targets[target].subject,
      key: Self.key(kind),
      summary: isKnown(Self.key(kind)) ? "known" : "new",
      input: artifact
    )
    return [JudgedFinding(finding: finding, text: "found \(kind)")]
  }
}

@Suite("A run of fuzzers, whatever their targets are")
struct FuzzRunTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let home = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    var folder: URL?
    try FuzzRun.withFolder(below: home) { own in
      folder = own
      try body(own)
    }
    #expect(try !FileManager.default.fileExists(atPath: #require(folder).path))
  }

  private func settings(_ folder: URL, inputs: Int? = nil) -> FuzzRun.Settings {
    FuzzRun.Settings(
      seconds: 600,
      jobs: 1,
      inputs: inputs.map { ($0, 1) },
      corpus: folder.appendingPathComponent("corpus")
    )
  }

  @Test("Targets that end the process of one subject alike have files of their own")
  func names() {
    let findings = ["load", "sync", "load"].map { target in
      FuzzFinding(
        target: target,
        subject: "engine",
        key: FailureKey(law: FailureKey.answers, isError: true, kind: "crash"),
        summary: "it crashed",
        input: URL(fileURLWithPath: "/none")
      )
    }
    let report = FuzzReport(
      rows: [],
      findings: findings,
      registry: nil,
      command: "touchstone fuzz all",
      seed: "1",
      isInterrupted: false,
      startedAt: "2026-11-23T00:00:00Z",
      seconds: 1,
      jobs: 1
    ).build()
    let id = "engine--subject.answers--crash"
    #expect(report.failures.map(\.id) == [id, "\(id)-2", "\(id)-3"])
    #expect(report.failures.map(\.file) == report.failures.map { "failures/\($0.id).case" })
  }

  @Test("With a number of inputs each target runs once; what is alike is found once")
  func once() throws {
    try withFolder { folder in
      let kinds = ["a", "a", "a", "slow", ""]
      let source = ScriptSource(kinds, scopes: ["x", "x", "y", "y", "y"], in: folder)
      let (rows, findings) = try FuzzRun(settings(folder, inputs: 5), on: source).run()
      #expect(rows.map(\.figures.executions) == [10, 10, 10, 10, 10])
      #expect(rows.map(\.figures.failingInputs) == [1, 1, 1, 0, 0])
      #expect(rows.map(\.figures.corpusBefore) == [0, 0, 0, 0, 0])
      #expect(rows.map(\.figures.corpus) == [2, 2, 2, 2, 2])
      #expect(rows.map(\.figures.passedPerThousand) == [900, 900, 900, 900, 900])
      #expect(rows.map(\.figures.situations) == [2, 2, 2, 2, 2])
      #expect(rows.flatMap(\.breakdowns).isEmpty)
      #expect(findings.map(\.target) == ["t0", "t2"])
      #expect(findings.map(\.count) == [2, 1])
      #expect(findings.map(\.summary) == ["new", "new"])
      #expect(
        source.lines.withLock { $0 } == [
          "found a", "title 0: 10 inputs, 5 edges, 1 failed",
          "title 1: 10 inputs, 5 edges, 1 failed",
          "found a", "title 2: 10 inputs, 5 edges, 1 failed", "title 3: 10 inputs, 5 edges",
          "title 4: 10 inputs, 5 edges",
        ]
      )
    }
  }

  @Test("A target that shows what is known again and again is left alone, and its corpus minimised")
  func leavesAlone() throws {
    try withFolder { folder in
      let source = ScriptSource(
        ["a"],
        scopes: ["x"],
        in: folder,
        repeatLimit: 3,
        countsFailingInputs: false
      )
      // Ends by itself, long before the time is over.
      let (rows, findings) = try FuzzRun(settings(folder), on: source).run()
      #expect(rows.flatMap(\.breakdowns) == [])
      #expect(findings.map(\.count) == [4])
      #expect(rows.map(\.figures.failingInputs) == [4])
      #expect(rows.map(\.figures.corpus) == [1])
      let key = ScriptSource.key("a")
      // The last fuzzer took the corpus to its minimum.
      #expect(source.known.withLock { $0 } == [[], [key], [key], [key], [key]])
      #expect(source.lines.withLock { $0.last } == "title 0: 40 inputs, 5 edges")
    }
  }

  @Test("A run that is interrupted keeps what it found and the inputs that it kept")
  func interrupted() throws {
    try withFolder { folder in
      let source = ScriptSource(["a", "a"], scopes: ["x", "y"], in: folder, isStopped: true)
      let (rows, findings) = try FuzzRun(settings(folder), on: source).run()
      #expect(rows.map(\.figures.executions) == [10, 0])
      #expect(rows.map(\.figures.corpus) == [2, 0] && rows.flatMap(\.breakdowns) == [])
      #expect(findings.map(\.target) == ["t0"])
      #expect(FileManager.default.fileExists(atPath: try #require(findings.first).input.path))
    }
  }

  @Test("A corpus that cannot be written is told, and the run goes on to its end")
  func unwritable() throws {
    try withFolder { folder in
      let corpus = folder.appendingPathComponent("corpus")
      try Data().write(to: corpus)
      let source = ScriptSource(["a"], scopes: ["x"], in: folder)
      let (rows, findings) = try FuzzRun(settings(folder, inputs: 5), on: source).run()
      #expect(findings.isEmpty && rows[0].figures.executions == 0)
      #expect(rows[0].breakdowns.count == 1)
      #expect(rows[0].breakdowns.first?.contains("corpus") == true, "\(rows[0].breakdowns)")
    }
  }

  @Test("A fuzzer that ends otherwise is told, and counts twice towards being left alone")
  func breakdowns() throws {
    try withFolder { folder in
      let source = ScriptSource(["ends"], scopes: ["x"], in: folder, repeatLimit: 4)
      let (rows, findings) = try FuzzRun(settings(folder), on: source).run()
      #expect(findings.isEmpty)
      #expect(rows[0].breakdowns.count == 2)
      let told = "the process ended with status 3; see "
      #expect(rows[0].breakdowns.allSatisfy { $0.hasPrefix(told) })
    }
  }
}
