import Foundation
import FuzzSessions
import PropertyEngine
import Texts

extension LawStage {
  /// The laws before a fuzzer.
  fileprivate func loop(_ request: FuzzRequest) -> FuzzLoop {
    FuzzLoop(
      laws.map { LawGroup($0) },
      known: Set(request.known),
      numbers: request.literals.numbers
    )
  }
}

extension Expectation {
  /// Inputs that a fuzzer starts from: what a test's first cases are.
  private static var seedCount: Int { 64 }
  /// Bytes of an input at most: a value of some dozens of fields has a few hundred.
  private static var byteLimit: Int { 2048 }
  /// Seconds for making one failure small.
  private static var shrinkingSeconds: Duration { .seconds(60) }

  /// Does with a stage what `touchstone fuzz` asks for.
  ///
  /// In the mode `fuzz` this does not return from the stage that is meant: libFuzzer ends the process.
  ///
  /// - Throws: What writing an answer, or reading the input, throws.
  mutating func fuzz<Sample>(
    _ stage: LawStage<Sample>,
    for request: FuzzRequest,
    name: (Failure) -> [String]
  ) throws {
    let parts = [folder.testID, model] + (writer.map { [$0] } ?? []) + [subject, stage.name]
    let listed = FuzzStage(
      id: parts.joined(separator: "/"),
      test: folder.testID,
      model: model,
      laws: stage.laws.map(\.name)
    )
    guard request.stage == nil || request.stage == listed.id else { return }
    switch request.mode {
    case .list:
      if let path = request.seedsPath {
        try writeSeeds(stage.loop(request), of: listed, below: path)
      }
      try request.answer(.stage(listed))
    case .fuzz:
      let arguments = ProcessInfo.processInfo.environment[FuzzRequest.argumentsVariable] ?? ""
      LibFuzzer.run(
        FuzzProcess(
          stage.loop(request),
          artifacts: URL(fileURLWithPath: request.artifactsPath ?? ".")
        ),
        arguments: arguments.split(separator: "\n").map(String.init)
          + ["-max_len=\(Self.byteLimit)", "-len_control=0"]
      )
      try request.answer(.problem("the tests were built without libFuzzer"))
    case .judge:
      try judge(request, stage, name)
    case .enter:
      let loop = stage.loop(request)
      let folder = URL(fileURLWithPath: request.inputPath ?? "")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        _ = loop.judge(Array(try Data(contentsOf: folder.appendingPathComponent(name))))
      }
      try request.answer(.judged)
    }
  }

  private func writeSeeds(_ loop: FuzzLoop, of stage: FuzzStage, below path: String) throws {
    let folder = URL(fileURLWithPath: path).appendingPathComponent(slug(stage.id))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for index in 0..<Self.seedCount {
      let file = folder.appendingPathComponent("case-\(index)")
      try Data(loop.seed(index).prefix(Self.byteLimit)).write(to: file)
    }
  }

  /// Judges the request's input, and makes what it shows small.
  private mutating func judge<Sample>(
    _ request: FuzzRequest,
    _ stage: LawStage<Sample>,
    _ name: (Failure) -> [String]
  ) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: request.inputPath ?? ""))
    let input = stage.loop(request).judge(Array(bytes))
    let end = ContinuousClock.now.advanced(by: Self.shrinkingSeconds)
    let run = LawRun([input.group], on: [subject], seed: settings.seed)
    for finding in input.judged.findings {
      let small = run.shrunk(
        finding,
        of: input.group,
        input.choices,
        stepLimit: stage.shrinkLimit,
        shouldStop: { ContinuousClock.now > end }
      )
      guard let small, var text = stage.text(small, stage.laws) else { continue }
      text.origin = [
        "found by touchstone fuzz, shrunk in \(counted(small.shrinkSteps, "attempt"))"
          + (small.otherwise == nil ? "" : "; it did not repeat")
      ]
      store(small, text, name(small))
      guard let failure = failures.last else { continue }
      try request.answer(
        .failure(
          FuzzFailureText(
            name: small.key,
            summary: failure.summary,
            text: failure.description,
            caseFile: failure.caseFile,
            storedPath: failure.storedPath,
            replay: failure.storedPath.map(folder.command(replaying:))
          )
        )
      )
    }
    try request.answer(.judged)
  }
}
