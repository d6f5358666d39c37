import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Commands that are interrupted say how far they came")
struct InterruptionTests {
  /// What a command that would take hours says and ends with after a signal.
  private func interrupted(
    _ words: [String],
    by signal: Int32 = SIGINT,
    in folder: URL
  ) throws -> Outcome {
    let running = try Executable.start(words, in: folder)
    // Long enough to have taken the signals over, which each does before its first sample.
    Thread.sleep(forTimeInterval: 3)
    kill(running.process.processIdentifier, signal)
    return try running.outcome()
  }

  @Test(
    "Small worlds, inputs without libFuzzer, a pace and a self-test name what was left",
    arguments: [
      (
        ["worlds", "--subject", "naive", "--replicas", "3", "--edits", "4"],
        "interrupted after \\d+ of \\d+ worlds"
      ),
      (
        ["fuzz", "load", "--without-libfuzzer", "--inputs", "100000000", "--seed", "1"],
        "interrupted after [0-9,]+ of 100,000,000 inputs"
      ),
      (["pace", "--count", "100000000"], "interrupted after [0-9,]+ of 100,000,000 histories"),
      (["selftest", "--cases", "20000"], "interrupted after \\d+ of \\d+ mutants"),
      // What the process at work had judged counts.
      (
        ["damage", "--count", "100000000", "--seed", "1", "--jobs", "1"],
        "interrupted after [1-9][0-9,]* of 100,000,000 inputs"
      ),
    ]
  )
  func told(words: [String], ending: String) throws {
    try withFolder { folder in
      let outcome = try interrupted(words, in: folder)
      #expect(outcome.status == 130, "\(outcome.complaints)")
      #expect(outcome.output.contains(try Regex(ending)), "\(outcome.output)")
    }
  }

  @Test("SIGTERM is another status")
  func terminated() throws {
    try withFolder { folder in
      let outcome = try interrupted(["pace", "--count", "100000000"], by: SIGTERM, in: folder)
      #expect(outcome.status == 143)
    }
  }

  @Test(
    "A run whose output has no reader any more ends soon, and says on standard error how far it came",
    arguments: [
      (
        "check --subject naive --cases 100000000 --seed 1 --jobs 1",
        "touchstone: failed: interrupted after [0-9,]+ of 100,000,000 cases"
      ),
      (
        "check --subject naive --cases 100000000 --seed 1 --jobs 1 --json",
        "touchstone: failed: interrupted after [0-9,]+ of 100,000,000 cases"
      ),
      (
        "selftest --cases 20000",
        "touchstone: failed: interrupted after \\d+ of \\d+ mutants"
      ),
      (
        "pace --count 100000000",
        "touchstone: interrupted after [0-9,]+ of 100,000,000 histories"
      ),
      (
        "fuzz load --without-libfuzzer --inputs 100000000 --seed 1",
        "touchstone: interrupted after [0-9,]+ of 100,000,000 inputs"
      ),
      (
        "worlds --subject naive --replicas 3 --edits 4",
        "touchstone: interrupted after \\d+ of \\d+ worlds"
      ),
    ]
  )
  func withoutReader(words: String, ending: String) throws {
    try withFolder { folder in
      // None of them would end on its own while this test waits.
      let outcome = try shell("touchstone \(words) | sleep 1; exit ${PIPESTATUS[0]}", in: folder)
      #expect(outcome.status == 2, "\(outcome.complaints)")
      #expect(outcome.complaints.contains(try Regex(ending)), "\(outcome.complaints)")
      #expect(outcome.complaints.contains("standard output: its reader has ended\n"))
    }
  }

  /// Makes an adapter that leaves a file and never answers where a program lets something arrive.
  ///
  /// - Returns: The file.
  private func hangingAdapter(in folder: URL) throws -> URL {
    let made = try touchstone(["adapter", "new", "shelf/mine"], in: folder)
    #expect(made.status == 0, "\(made.complaints)")
    let home = folder.appendingPathComponent("shelf/mine")
    let toy = home.appendingPathComponent("toy.py")
    let text = try String(contentsOf: toy, encoding: .utf8)
    let hangs = #"exec("open('hangs', 'w').close()\nwhile True: pass")"#
    let changed = text.replacing("self.log.update(log)", with: hangs)
    #expect(changed != text)
    try Data(changed.utf8).write(to: toy)
    // A wait for its answer takes an hour.
    let manifest = home.appendingPathComponent("adapter.json")
    let usual = try String(contentsOf: manifest, encoding: .utf8)
    let patient = usual.replacing(
      #""knownDivergences""#,
      with: #""answerSeconds": 3600, "knownDivergences""#
    )
    #expect(patient != usual)
    try Data(patient.utf8).write(to: manifest)
    return home.appendingPathComponent("hangs")
  }

  private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

  @Test(
    "An adapter that never answers keeps no run from ending",
    .enabled(if: hasPython),
    .timeLimit(.minutes(5)),
    arguments: [
      (["check", "--cases", "10000", "--seed", "1", "--jobs", "2"], "the cases at work"),
      (["worlds", "key"], "what is at work"),
    ]
  )
  func hanging(words: [String], work: String) throws {
    try withFolder { folder in
      let left = try hangingAdapter(in: folder)
      let running = try Executable.start(
        words + ["--adapters", "shelf", "--subject", "mine"],
        in: folder
      )
      while running.process.isRunning, !FileManager.default.fileExists(atPath: left.path) {
        Thread.sleep(forTimeInterval: 0.05)
      }
      kill(running.process.processIdentifier, SIGINT)
      let outcome = try running.outcome()
      #expect(outcome.status == 130, "\(outcome.complaints)")
      let said =
        "touchstone: interrupted: \(work) may go on for a second, then what was judged is reported; "
        + "a second Ctrl-C ends at once: nothing is reported then\n"
      #expect(outcome.complaints.contains(said), "\(outcome.complaints)")
      #expect(outcome.output.contains("interrupted after "), "\(outcome.output)")
      // What was ended for the interruption has failed at nothing.
      for words in ["errored", "could not be judged", "signal 9"] {
        #expect(!outcome.output.contains(words), "\(outcome.output)")
      }
    }
  }

  @Test("--case-time is the time of an adapter's answer as well", .enabled(if: hasPython))
  func caseTime() throws {
    try withFolder { folder in
      _ = try hangingAdapter(in: folder)
      let outcome = try touchstone(
        [
          "check", "--adapters", "shelf", "--subject", "mine", "--law", "merge.commutes",
          "--cases", "4", "--seed", "1", "--case-time", "1s", "--fail-fast",
        ],
        in: folder
      )
      #expect(outcome.status == 2, "\(outcome.complaints)")
      #expect(outcome.output.contains("gave no answer within 1 s"), "\(outcome.output)")
    }
  }

  @Test(
    "The answer to a signal says what goes on, what follows, and what a second one costs",
    arguments: [
      (Interruption.Promise(), SIGINT, "a second Ctrl-C ends at once: nothing is reported then"),
      (Interruption.Promise(loss: nil), SIGTERM, "a second signal ends at once"),
    ]
  )
  func answer(promise: Interruption.Promise, signal: CInt, ending: String) {
    #expect(
      promise.line(for: signal)
        == "touchstone: interrupted: what is at work may go on for a second, "
        + "then what was judged is reported; \(ending)"
    )
  }

  @Test("A replay of many files says how many it judged")
  func replayed() throws {
    try withFolder { folder in
      try writeInputs(to: folder)
      let outcome = try interrupted(["replay", "histories"], in: folder)
      #expect(outcome.status == 130, "\(outcome.complaints.suffix(500))")
      #expect(
        outcome.complaints.contains(/touchstone: interrupted after [0-9,]+ of 20,000 files\n/),
        "\(outcome.complaints.suffix(500))"
      )
      let unread = try shell(
        "touchstone replay histories | sleep 1; exit ${PIPESTATUS[0]}",
        in: folder
      )
      #expect(unread.status == 2, "\(unread.complaints.suffix(500))")
      #expect(
        unread.complaints.contains(/touchstone: interrupted after [0-9,]+ of 20,000 files\n/),
        "\(unread.complaints.suffix(500))"
      )
    }
  }

  /// Inputs of the target `histories` that take hours to judge.
  private func writeInputs(to folder: URL) throws {
    let inputs = folder.appendingPathComponent("histories")
    try FileManager.default.createDirectory(at: inputs, withIntermediateDirectories: true)
    // Choices of a history that takes some milliseconds to judge.
    let bytes = Data((0..<2000).map { UInt8(truncatingIfNeeded: $0 * 31) })
    let first = inputs.appendingPathComponent("0.bin")
    try bytes.write(to: first)
    // To write them all would take longer than what is tested.
    for number in 1..<20_000 {
      let other = inputs.appendingPathComponent("\(number).bin")
      try FileManager.default.linkItem(at: first, to: other)
    }
  }

  @Test("A pace that is asked to end runs no further history")
  func pace() {
    var asked = 0
    let result = PaceRun(seed: 1, clock: { 0 }).run(count: 40, agrees: false) {
      asked += 1
      return asked > 3
    }
    #expect(result.histories == 3)
  }
}
