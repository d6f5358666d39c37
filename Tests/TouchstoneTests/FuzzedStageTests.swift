import Foundation
import FuzzSessions
import PropertyEngine
import Testing
import Touchstone

/// Each test is a process of its own, since a process reads its request once.
@Suite("Stages under a fuzzer")
struct FuzzedStageTests {
  /// Loses its count once it is not 0.
  private struct Losing: Codable {
    var name = ""
    var count = 0

    enum CodingKeys: String, CodingKey { case name, count }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(0, forKey: .count)
    }
  }

  /// Traps on one name.
  private struct Trapping: Codable {
    var name: String

    enum CodingKeys: String, CodingKey { case name }

    init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
      precondition(name != "a word that no generator makes")
    }
  }

  /// A folder that the process of the test and the one that it starts agree on.
  private static func folder(_ name: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("touchstone-tests-fuzzed-\(name)")
  }

  private static func clean(_ name: String) throws -> URL {
    let folder = folder(name)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func request(_ mode: FuzzRequest.Mode, in folder: URL) -> FuzzRequest {
    FuzzRequest(mode: mode, answersPath: folder.appendingPathComponent("answers").path)
  }

  private static func send(_ request: FuzzRequest, in folder: URL) throws {
    try? FileManager.default.removeItem(atPath: request.answersPath)
    try request.write(to: folder.appendingPathComponent("request.json"))
  }

  /// What a process does that was started with a request.
  private static func judge<Model: Codable & SendableMetatype>(
    _ model: Model.Type,
    _ name: String
  ) async throws {
    let folder = folder(name)
    unsafe setenv(FuzzRequest.variable, folder.appendingPathComponent("request.json").path, 1)
    let file = folder.appendingPathComponent("NoteTests.swift").path
    _ = try await lawFailures(of: model, file: file, test: "fuzzed()")
  }

  private static let modelStage = "fuzzed/Losing/document-coder/model"

  @Test("A list names each kind of laws, and leaves inputs to start from")
  func lists() async throws {
    let folder = try Self.clean("list")
    var request = Self.request(.list, in: folder)
    request.seedsPath = folder.appendingPathComponent("seeds").path
    try Self.send(request, in: folder)
    await #expect(processExitsWith: .success) {
      try await FuzzedStageTests.judge(Losing.self, "list")
    }
    let stages = request.answers.compactMap { answer in
      if case .stage(let stage) = answer { stage } else { nil }
    }
    #expect(stages.map(\.model) == ["Losing", "Losing"])
    #expect(stages.map { $0.id.split(separator: "/").last } == ["model", "coding"])
    #expect(stages.first?.laws.contains("model.lossless") == true)
    let seeds = try FileManager.default.subpathsOfDirectory(atPath: request.seedsPath ?? "")
    #expect(seeds.count { $0.contains("/case-") } == 128)
  }

  @Test("An input that fails is made small, told and stored beside the test")
  func judges() async throws {
    let folder = try Self.clean("judge")
    var request = Self.request(.judge, in: folder)
    // Law 1 of the stage is model.lossless; then a name, and a count of 16 bits.
    request.stage = Self.modelStage
    var failure: FuzzFailureText?
    for seed in UInt8(1)...40 where failure == nil {
      let input = folder.appendingPathComponent("input")
      try Data((0..<40).map { UInt8(truncatingIfNeeded: ($0 + 3) &* Int(seed) &* 37) }).write(
        to: input
      )
      request.inputPath = input.path
      try Self.send(request, in: folder)
      await #expect(processExitsWith: .success) {
        try await FuzzedStageTests.judge(Losing.self, "judge")
      }
      for case .failure(let found) in request.answers where found.name.law == "model.lossless" {
        failure = found
      }
    }
    let found = try #require(failure)
    #expect(found.text.contains("found by touchstone fuzz, shrunk in "))
    #expect(found.text.contains("Losing breaks model.lossless"))
    let stored = try #require(found.storedPath)
    #expect(FileManager.default.fileExists(atPath: stored))
    #expect(found.replay.map { found.text.contains("\nreplay: \($0)") } == true)
    // The next run without a fuzzer tries it first.
    let file = folder.appendingPathComponent("NoteTests.swift").path
    let again = try await lawFailures(of: Losing.self, cases: 2, file: file, test: "fuzzed()")
    #expect(again.contains { $0.description.contains("(found by an earlier run)") })
  }

  @Test("A trap on a literal of the request is told, and no verdict is given")
  func literals() async throws {
    let folder = try Self.clean("literal")
    var request = Self.request(.judge, in: folder)
    request.stage = "fuzzed/Trapping/document-coder/model"
    request.literals.words = ["another", "a word that no generator makes"]
    let input = folder.appendingPathComponent("input")
    request.inputPath = input.path
    // The first law; somewhere behind it, that the name is a literal, and the second of them.
    var words = ""
    for number in UInt8(0)..<64 where words.isEmpty {
      try Data([0] + (0..<6).map { number >> $0 & 1 }).write(to: input)
      try Self.send(request, in: folder)
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await FuzzedStageTests.judge(Trapping.self, "literal")
        exit(3)
      }
      // A process that does not trap has judged its input.
      guard !request.answers.contains(.judged) else { continue }
      words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    #expect(words.contains("Trapping breaks model.old-data"), "\(words)")
    #expect(words.contains("a word that no generator makes"), "\(words)")
    let left = request.answers.compactMap { answer in
      if case .ending(let text) = answer { text } else { nil }
    }
    #expect(left.map(\.name.law) == ["model.old-data"])
    let ending = try #require(left.first)
    #expect(words.contains(ending.text))
    #expect(ending.storedPath.map(FileManager.default.fileExists(atPath:)) == true)
    #expect(ending.replay.map { ending.text.hasSuffix("\nreplay: \($0)") } == true)
  }

  @Test("A process without libFuzzer says so")
  func unlinked() async throws {
    let folder = try Self.clean("fuzz")
    var request = Self.request(.fuzz, in: folder)
    request.stage = Self.modelStage
    request.artifactsPath = folder.path
    try Self.send(request, in: folder)
    await #expect(processExitsWith: .success) {
      try await FuzzedStageTests.judge(Losing.self, "fuzz")
    }
    #expect(request.answers == [.problem("the tests were built without libFuzzer")])
  }
}
