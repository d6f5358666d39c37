import CaseFiles
import Foundation
import FuzzSessions
import Programs
import PropertyEngine
import Texts

/// The stages of laws that the tests of a package ask for.
struct PackageFuzzSource: FuzzSource {
  /// A stage, and the test that asks for it.
  struct Stage: Sendable {
    let stage: FuzzStage
    let test: PackageTests.Test

    /// What a person calls it.
    var title: String { "\(test.function), \(stage.model), \(counted(stage.laws.count, "law"))" }
  }

  /// Seconds for judging one input and making it small.
  private static let judgingSecondsLimit = 240.0
  /// Seconds, and processes, for making an input small that ends its process.
  private static let shrinkingSecondsLimit = 90.0
  private static let shrinkingLimit = 200

  private let stages: [Stage]
  private let tests: PackageTests
  private let literals: Literals
  /// Where everything of fuzzing is kept from run to run.
  private let home: URL
  let targets: [FuzzRun.Target]
  let say: @Sendable (String) -> Void

  var folder: URL { tests.folder }
  var isInterrupted: @Sendable () -> Bool { tests.isInterrupted }

  /// libFuzzer cannot go past an input that ends its process.
  let repeatLimit: Int? = 8
  let minimisingSeconds: Double? = 60
  /// Each failure is printed with all that a person needs.
  let countsFailingInputs = false

  init(
    _ stages: [Stage],
    of tests: PackageTests,
    literals: Literals,
    home: URL,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.stages = stages
    self.tests = tests
    self.literals = literals
    self.home = home
    self.say = say
    targets = stages.map { stage in
      let id = slug(stage.stage.id)
      return FuzzRun.Target(id: id, title: stage.title, subject: stage.stage.model, scope: id)
    }
  }

  func fuzzer(of index: Int, in folder: URL, known: [FailureKey]) throws -> Fuzzer {
    var request = request(.fuzz, index, answers: folder.appendingPathComponent("answers"))
    request.known = known
    request.artifactsPath = folder.appendingPathComponent("artifacts").path
    let program = folder.appendingPathComponent("fuzzer")
    try tests.fuzzer(stages[index].test, request, at: program)
    return Fuzzer(
      program: program,
      // A comparison that comes closer is worth keeping, as two fields that must agree seldom do at once.
      options: ["use_value_profile=1"],
      inputSecondsLimit: 0,
      goesOn: false
    )
  }

  private func request(_ mode: FuzzRequest.Mode, _ index: Int, answers: URL) -> FuzzRequest {
    var request = FuzzRequest(mode: mode, answersPath: answers.path)
    request.stage = stages[index].stage.id
    request.literals = literals
    return request
  }

  /// The inputs that a run begins with, a folder for each target.
  var seeds: URL { folder.appendingPathComponent("seeds") }

  /// Has a program of the tests judge all inputs of a folder.
  ///
  /// - Throws: ``CoverageError`` if the program ends before.
  func enter(
    _ inputs: URL,
    of index: Int,
    by program: URL,
    _ environment: [String: String],
    name: String,
    secondsLimit: Double
  ) throws {
    let answers = folder.appendingPathComponent("\(name)-answers")
    var request = request(.enter, index, answers: answers)
    request.inputPath = inputs.path
    let tests = PackageTests(
      program: program,
      package: tests.package,
      folder: folder,
      isInterrupted: isInterrupted
    )
    let (_, answered, log) = try tests.run(
      [stages[index].test],
      request,
      environment: environment,
      name: name,
      secondsLimit: secondsLimit
    )
    guard answered.contains(.judged) || isInterrupted() else {
      // The folder goes with the run.
      let kept = home.appendingPathComponent("coverage/\(name).log")
      try? FileManager.default.removeItem(at: kept)
      try FileManager.default.moveItem(at: log, to: kept)
      throw CoverageError.noCounts(log: kept.path)
    }
  }

  // MARK: - What fails

  /// What the inputs of a package hold is known in its tests alone.
  func situations(in corpus: URL, of target: Int) -> Int? { nil }

  func judge(
    _ artifact: URL,
    of index: Int,
    log: URL,
    isKnown: (FailureKey) -> Bool
  ) throws -> [JudgedFinding]? {
    let target = targets[index]
    let kept = try FuzzSlice.keep(artifact, of: target.id, below: home)
    let first = isInterrupted() ? nil : try verdict(of: kept, index, stores: false)
    guard let first, !isInterrupted() else { return unjudged(kept, of: index) }
    switch first {
    case .failures(let failures) where failures.isEmpty: return [unrepeated(kept, of: index)]
    case .failures(let failures):
      return failures.map { judged($0, kept, of: index) }
    case .ended(let ending):
      // What ends a process has to be made small in others, and leaves its case as the last does.
      let small = isKnown(ending.name) ? nil : try smallest(kept, index, ending.name)
      guard let small, case .ended(let last) = try verdict(of: small, index, stores: true) else {
        return [judged(ending, kept, of: index, tellsInput: true)]
      }
      return [judged(last, small, of: index, tellsInput: true)]
    }
  }

  /// What came of judging one input.
  private enum Verdict {
    /// All that the input shows; none if all laws hold.
    case failures([FuzzFailureText])
    /// How the process ended that judged the input.
    case ended(FuzzFailureText)
  }

  /// Judges an input in a process of its own.
  private func verdict(of input: URL, _ index: Int, stores: Bool) throws -> Verdict {
    var request = request(.judge, index, answers: folder.appendingPathComponent("judged"))
    request.inputPath = input.path
    request.storesCases = stores
    let (end, answers, _) = try tests.run(
      [stages[index].test],
      request,
      name: "judging",
      secondsLimit: Self.judgingSecondsLimit
    )
    let failures = answers.compactMap { answer in
      if case .failure(let failure) = answer { failure } else { nil }
    }
    if !failures.isEmpty || answers.contains(.judged) { return .failures(failures) }
    let left = answers.compactMap { answer in
      if case .ending(let text) = answer { text } else { nil }
    }
    return .ended(ending(end, left.last, of: targets[index]))
  }

  /// The smallest input found that ends its process alike: bytes are left out, or lowered.
  private func smallest(_ input: URL, _ index: Int, _ key: FailureKey) throws -> URL {
    let bytes = [UInt8](try Data(contentsOf: input))
    let candidate = input.appendingPathExtension("small")
    let deadline = ProcessInfo.processInfo.systemUptime + Self.shrinkingSecondsLimit
    let shrinker = Shrinker(
      failing: bytes.map { Choice(value: UInt32($0), limit: 255) },
      spans: [],
      stepLimit: Self.shrinkingLimit
    )
    let result = shrinker.run(
      { values in
        let recorded = values.map { Choice(value: $0, limit: 255) }
        let isWritten =
          (try? Data(values.map { UInt8(truncatingIfNeeded: $0) }).write(to: candidate)) != nil
        guard isWritten,
          case .ended(let ending)? = try? verdict(of: candidate, index, stores: false)
        else { return ShrinkAttempt(recorded: recorded, spans: [], fails: false) }
        return ShrinkAttempt(recorded: recorded, spans: [], fails: ending.name == key)
      },
      shouldStop: { isInterrupted() || ProcessInfo.processInfo.systemUptime > deadline }
    )
    try Data(result.values.map { UInt8(truncatingIfNeeded: $0) }).write(to: candidate)
    return candidate
  }

  /// A failure of a stage, with a text that has all that a person needs.
  private func judged(
    _ failure: FuzzFailureText,
    _ input: URL,
    of index: Int,
    tellsInput: Bool = false
  ) -> JudgedFinding {
    let stored = failure.storedPath.map { URL(fileURLWithPath: $0, relativeTo: tests.package) }
    let finding = FuzzFinding(
      target: targets[index].id,
      subject: targets[index].subject,
      key: failure.name,
      summary: failure.summary,
      input: input,
      file: failure.caseFile.flatMap { try? CaseFile.parse($0) }
        ?? stored.flatMap { try? CaseFolder.read($0) },
      // Where no test told a command, the report says at least where the input is.
      replayCommand: failure.replay ?? "see \(input.path)"
    )
    let place = tellsInput ? "\nthe input: \(input.path)" : ""
    return JudgedFinding(finding: finding, text: "\n\(failure.text)\(place)\n")
  }

  /// A process's end, with what the test left of what it was at.
  private func ending(
    _ end: Subprogram.End,
    _ left: FuzzFailureText?,
    of target: FuzzRun.Target
  ) -> FuzzFailureText {
    let words = end.explanation(secondsLimit: Self.judgingSecondsLimit)
    return FuzzFailureText(
      name: FailureKey(
        law: FailureKey.answers,
        isError: true,
        kind: left.map { "\(end.kind) in \($0.name.law)" } ?? end.kind
      ),
      summary: left.map { "\(words): \($0.summary)" } ?? words,
      text: left?.text ?? "\(target.title): \(words)",
      storedPath: left?.storedPath,
      replay: left?.replay
    )
  }

  /// The failure that an input is which fails under the fuzzer alone.
  private func unrepeated(_ input: URL, of index: Int) -> JudgedFinding {
    let kind = String(input.lastPathComponent.prefix { $0 != "-" })
    let words =
      switch kind {
      case "timeout": "an input took more than \(Int(FuzzProcess.processorSecondsLimit)) s"
      case "oom": "an input took more than \(FuzzSlice.memoryLimit) MiB"
      default:
        "an input failed under the fuzzer, and not when it was judged again: is the test's code random?"
      }
    let failure = FuzzFailureText(
      name: FailureKey(law: FailureKey.answers, isError: true, kind: kind),
      summary: words,
      text: "\(targets[index].title): \(words)"
    )
    return judged(failure, input, of: index, tellsInput: true)
  }
}
