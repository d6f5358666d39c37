import Foundation
import PastRuns
import RunHistories
import Synchronization
import Testing
import TouchstoneEngines

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Each test is a process of its own, since the environment belongs to all tests of one.
@Suite("What the environment asks for")
struct EnvironmentTests {
  static func set(_ variable: String, _ value: String) {
    unsafe setenv(variable, value, 1)
  }

  @Test("TOUCHSTONE_CASES has the last word on the number of cases")
  func cases() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      // The simplest value alone keeps what it does not have.
      let few = try await lawFailures(of: LateLoss.self, cases: 1, seed: 3, file: folder.file)
      #expect(few == [])
      EnvironmentTests.set("TOUCHSTONE_CASES", "600")
      let many = try await lawFailures(of: LateLoss.self, cases: 1, seed: 3, file: folder.file)
      #expect(many.map(\.law) == ["model.lossless"])
    }
  }

  @Test("TOUCHSTONE_SEED has the last word on the seed, and is told")
  func seed() async {
    await #expect(processExitsWith: .success) {
      EnvironmentTests.set("TOUCHSTONE_SEED", "0x2a")
      let folder = TemporaryFolder()
      let found = try await lawFailures(of: LateLoss.self, seed: 7, file: folder.file)
      #expect(found.first?.description.contains("of seed 0x2a") == true)
      let drift = try await driftFailures(from: LateLoss.self, to: Other.self, file: folder.file)
      #expect(drift.first?.description.contains("of seed 0x2a") == true)
      let merge = try await convergenceFailures(of: Sum.self, file: folder.file)
      #expect(merge.first?.description.contains("of seed 0x2a") == true)
    }
  }

  @Test("The profile `nightly` tries 50 times as much, and knows no limit of time")
  func profile() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let day = try await lawFailures(of: LateLoss.self, cases: 12, seed: 3, file: folder.file)
      #expect(day == [])
      await #expect(throws: JudgementError.nothingJudged(type: "LateLoss")) {
        try await lawFailures(of: LateLoss.self, cases: 12, time: .zero, file: folder.file)
      }
      EnvironmentTests.set("TOUCHSTONE_PROFILE", "nightly")
      let night = try await lawFailures(
        of: LateLoss.self,
        cases: 12,
        seed: 3,
        time: .zero,
        file: folder.file
      )
      #expect(night.map(\.law) == ["model.lossless"])
      #expect(LawSettings.nightlyFactor == 50)
    }
  }

  @Test("A variable that says nothing sensible is an error that names it")
  func nonsense() async {
    await #expect(processExitsWith: .success) {
      let wrong = [
        ("TOUCHSTONE_CASES", "many", "1 or more"), ("TOUCHSTONE_CASES", "0", "1 or more"),
        ("TOUCHSTONE_SEED", "luck", "42 or 0x2a"), ("TOUCHSTONE_PROFILE", "weekly", "nightly"),
      ]
      for (variable, value, expected) in wrong {
        EnvironmentTests.set(variable, value)
        let error = await #expect(throws: JudgementError.self) {
          try await lawFailures(of: LateLoss.self, file: TemporaryFolder().file)
        }
        #expect(error?.description == "\(variable) is '\(value)', and should be \(expected)")
        let ofEngine = await #expect(throws: JudgementError.self) {
          try await expectLaws(of: "naive", matching: ["network.*"], cases: 1)
        }
        #expect(ofEngine == error)
        unsafe unsetenv(variable)
      }
    }
  }

  @Test("An empty variable counts as unset, for models and engines alike")
  func empty() async {
    await #expect(processExitsWith: .success) {
      let variables = [
        "TOUCHSTONE_CASES", "TOUCHSTONE_SEED", "TOUCHSTONE_PROFILE", "TOUCHSTONE_REPLAY",
        "TOUCHSTONE_ADAPTERS", "TOUCHSTONE_ACCEPT", "TOUCHSTONE_HISTORY",
      ]
      for variable in variables { EnvironmentTests.set(variable, "") }
      let found = try await lawFailures(of: LateLoss.self, file: TemporaryFolder().file)
      #expect(found.first?.description.contains("of seed 0x1") == true)
      let merge = try await convergenceFailures(of: Sum.self, file: TemporaryFolder().file)
      #expect(merge.isEmpty == false)
      try await expectLaws(of: "naive", matching: ["network.*"], cases: 5)
    }
  }

  @Test("A variable that is not known is told, with the one that it most likely means")
  func unknown() {
    // In two halves, so that they are none of this repository's.
    let prefix = "TOUCHSTONE" + "_"
    let environment = [
      prefix + "CASE": "5", prefix + "SEDE": "7", prefix + "HISTROY": ".touchstone",
      prefix + "COLOUR": "red", prefix + "REPLAYS": "", prefix + "SHARD": "1/2", "CASES": "5",
    ]
    let told = KnownVariables.warnings(environment)
    #expect(
      told == [
        "\(prefix)CASE is not known; TOUCHSTONE_CASES is",
        "\(prefix)COLOUR is not known: tests read TOUCHSTONE_SEED, TOUCHSTONE_CASES, "
          + "TOUCHSTONE_PROFILE, TOUCHSTONE_REPLAY, TOUCHSTONE_HISTORY, TOUCHSTONE_ACCEPT, "
          + "TOUCHSTONE_ADAPTERS",
        "\(prefix)HISTROY is not known; TOUCHSTONE_HISTORY is",
        "\(prefix)SEDE is not known; TOUCHSTONE_SEED is",
      ]
    )
  }

  @Test("What is not known is told once in a process, by the first expectation")
  func unknownOnce() async {
    await #expect(processExitsWith: .success) {
      let variable = "TOUCHSTONE" + "_CASE"
      EnvironmentTests.set(variable, "600")
      let folder = TemporaryFolder()
      let notes = Mutex<[String]>([])
      for _ in 0..<2 {
        let found = try await lawFailures(
          of: LateLoss.self,
          cases: 1,
          seed: 3,
          file: folder.file,
          onNote: { note in notes.withLock { $0.append(note) } }
        )
        #expect(found == [])
      }
      #expect(notes.withLock { $0 } == ["\(variable) is not known; TOUCHSTONE_CASES is"])
    }
  }

  @Test("TOUCHSTONE_HISTORY keeps a run for each process, and a stored failure tells its life")
  func history() async throws {
    let folder = TemporaryFolder()
    let path = folder.url.appendingPathComponent("past").path
    await #expect(processExitsWith: .success) {
      [path = path as String, file = folder.file as String] in
      EnvironmentTests.set("TOUCHSTONE_HISTORY", path)
      let found = try await lawFailures(of: LateLoss.self, cases: 600, seed: 3, file: file)
      #expect(found.first?.description.contains("it fails") == false)
      try await expectLaws(of: "naive", matching: ["network.*"], cases: 5)
    }
    await #expect(processExitsWith: .success) {
      [path = path as String, file = folder.file as String] in
      EnvironmentTests.set("TOUCHSTONE_HISTORY", path)
      async let first = lawFailures(of: LateLoss.self, cases: 600, seed: 3, file: file)
      async let other = convergenceFailures(of: Sum.self, cases: 600, file: file)
      let text = try await first.first?.description
      #expect(text?.contains(/it fails in 1 of 1 earlier run: first 20[0-9T:-]{17}.*\n/) == true)
      _ = try await other
    }
    let runs = try await HistoryStore(folder: URL(fileURLWithPath: path)).runs()
    #expect(runs.count == 3)
    let ofTests = runs.filter { $0.repeatCommand == "swift test" }
    #expect(ofTests.map(\.word) == [.violated, .violated])
    let loss = try #require(ofTests.first?.failures.first { $0.law == "model.lossless" })
    #expect(loss.subject == "LateLoss (document-coder)")
    #expect(loss.replay?.hasPrefix("TOUCHSTONE_REPLAY=") == true)
    #expect(ofTests.contains { $0.judged.count == 2 })
  }

  @Test("A history that cannot be used is told, and fails no test")
  func brokenHistory() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let file = folder.url.appendingPathComponent("past")
      try Data("x".utf8).write(to: file)
      EnvironmentTests.set("TOUCHSTONE_HISTORY", file.path)
      let notes = Mutex<[String]>([])
      let found = try await lawFailures(
        of: LateLoss.self,
        cases: 1,
        seed: 3,
        file: folder.file,
        onNote: { note in notes.withLock { $0.append(note) } }
      )
      #expect(found == [])
      #expect(notes.withLock { $0.first }?.contains("is not in the history") == true)
    }
  }

  @Test("Each expectation refuses a run that could prove nothing")
  func nothingToProve() async throws {
    let refused = JudgementError.badSetting(
      variable: "cases",
      value: "0",
      expected: "1 or more"
    )
    let file = TemporaryFolder().file
    await #expect(throws: refused) {
      try await lawFailures(of: LateLoss.self, cases: 0, file: file)
    }
    await #expect(throws: refused) {
      try await convergenceFailures(of: Sum.self, cases: 0, file: file)
    }
    await #expect(throws: refused) {
      try await driftFailures(from: LateLoss.self, to: Other.self, cases: 0, file: file)
    }
    await #expect(throws: refused) {
      try await expectLaws(of: "naive", matching: ["network.*"], cases: 0)
    }
    await #expect(throws: JudgementError.nothingJudged(type: "Sum")) {
      try await convergenceFailures(of: Sum.self, time: .zero, file: file)
    }
  }

  @Test("TOUCHSTONE_REPLAY judges the case that it names, and nothing else")
  func replay() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let found = try await lawFailures(of: LateLoss.self, file: folder.file)
      let drift = try await driftFailures(from: LateLoss.self, to: Other.self, file: folder.file)
      for failure in found + drift {
        EnvironmentTests.set("TOUCHSTONE_REPLAY", try #require(failure.storedPath))
        let one = try await lawFailures(of: LateLoss.self, file: folder.file)
        let two = try await driftFailures(from: LateLoss.self, to: Other.self, file: folder.file)
        #expect((one + two).map(\.law) == [failure.law])
        #expect((one + two).first?.summary == failure.summary)
      }
      // A test that the case is not from says that it judged nothing.
      let notes = Mutex<[String]>([])
      let nothing = try await lawFailures(
        of: LateLoss.self,
        file: folder.file,
        onNote: { note in notes.withLock { $0.append(note) } }
      )
      #expect(nothing == [])
      let words = "LateLoss is not judged here: TOUCHSTONE_REPLAY names a case of Other that "
      #expect(notes.withLock { $0.first }?.hasPrefix(words) == true, "\(notes.withLock { $0 })")
      #expect(found.count == 1 && drift.count == 1)
    }
  }
}

extension EnvironmentTests {
  @Test("TOUCHSTONE_REPLAY judges the stored case of an engine, and nothing else")
  func replayOfEngine() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let place = SourceLocation(
        fileID: "TouchstoneTests/NoteTests.swift",
        filePath: folder.file,
        line: 1,
        column: 1
      )
      func told(cases: Int) async -> String {
        let failed = await #expect(throws: ExpectationFailed.self) {
          try await Task.detached {
            try await expectLaws(
              of: "mutant:delete-hides-concurrent-put",
              matching: ["network.converges"],
              cases: cases,
              seed: 3,
              sourceLocation: place
            )
          }.value
        }
        return failed?.description ?? ""
      }
      let first = await told(cases: 60)
      let command = first.firstMatch(of: /\nreplay: TOUCHSTONE_REPLAY=(\S+) swift test/)
      EnvironmentTests.set("TOUCHSTONE_REPLAY", String(try #require(command).output.1))
      let again = await told(cases: 1)
      #expect(again.contains("(found by an earlier run)"), "\(again)")
      #expect(!again.contains("found by case"), "\(again)")
      // One of another subject judges nothing here, not even whether it could be.
      try await Task.detached {
        try await expectLaws(of: "naive", cases: 1, sourceLocation: place)
      }.value
      let found = try await lawFailures(of: LateLoss.self, file: folder.file)
      #expect(found == [])
    }
  }

  /// A stay is kept in minutes: what is no whole number of them comes back shorter.
  private struct Stay: Codable, Equatable {
    let id: UUID
    var seconds: Int

    enum CodingKeys: CodingKey {
      case id, minutes
    }

    init(id: UUID, seconds: Int) {
      (self.id, self.seconds) = (id, seconds)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(UUID.self, forKey: .id)
      let minutes = try container.decode(Int.self, forKey: .minutes)
      seconds = minutes.multipliedReportingOverflow(by: 60).partialValue
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(seconds / 60, forKey: .minutes)
    }
  }

  @Test("A replay whose sample is another one by now does not pass in silence")
  func otherSample() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      func judged(
        _ id: UUID,
        _ notes: @escaping @Sendable (String) -> Void
      ) async throws
        -> [ModelFailure]
      {
        let samples = [Stay(id: id, seconds: 90)]
        return try await lawFailures(
          of: Stay.self,
          samples: samples,
          file: folder.file,
          onNote: notes
        )
      }
      let id = UUID()
      let found = try await judged(id) { _ in }
      let failure = try #require(found.first)
      EnvironmentTests.set("TOUCHSTONE_REPLAY", try #require(failure.storedPath))
      let again = try await judged(id) { _ in }
      #expect(again.map(\.law) == [failure.law])
      let notes = Mutex<[String]>([])
      let other = try await judged(UUID()) { note in notes.withLock { $0.append(note) } }
      #expect(other == [])
      #expect(notes.withLock { $0.first }?.contains("not for the sample that failed") == true)
    }
  }
}

extension EnvironmentTests {
  /// Loses numbers that are not small, or refuses them once it is fixed.
  private struct Fixed: Codable {
    static let isFixed = Atomic<Bool>(false)

    var number: Int

    enum CodingKeys: CodingKey { case number }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      number = try container.decode(Int.self, forKey: .number)
      guard !Self.isFixed.load(ordering: .relaxed) || number < 10_000 else {
        throw DecodingError.dataCorruptedError(
          forKey: .number,
          in: container,
          debugDescription: "too much"
        )
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(min(number, 9_999), forKey: .number)
    }
  }

  @Test("A replay of a value that the model refuses by now says that its law holds, and why")
  func refusedValue() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let found = try await lawFailures(of: Fixed.self, file: folder.file)
      let path = try #require(found.first?.storedPath)
      Fixed.isFixed.store(true, ordering: .relaxed)
      let notes = Mutex<[String]>([])
      func judged() async throws -> [ModelFailure] {
        try await lawFailures(
          of: Fixed.self,
          cases: 6,
          file: folder.file,
          onNote: { note in notes.withLock { $0.append(note) } }
        )
      }
      #expect(try await judged() == [])
      #expect(notes.withLock { $0 } == [])
      EnvironmentTests.set("TOUCHSTONE_REPLAY", path)
      #expect(try await judged() == [])
      let words = "\(path) holds now: the model refuses the value (`number`: too much)"
      #expect(notes.withLock { $0 } == [words])
    }
  }
}

/// A folder that looks as if a test stood in it.
struct TemporaryFolder {
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("touchstone-tests-\(UUID().uuidString)")
    .appendingPathComponent("NoteTests.swift").path

  var url: URL { URL(fileURLWithPath: file).deletingLastPathComponent() }
}

/// Reads a number under another name than `LateLoss` writes.
private struct Other: Codable {
  var amount: Int?
}

private struct Sum: MergeType {
  var content = 0

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    content += 1
    return "adds 1"
  }

  mutating func merge(_ other: Sum) { content += other.content }
}
