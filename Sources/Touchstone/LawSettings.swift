import Foundation
package import PropertyEngine
public import Testing

/// How much an expectation tries.
///
/// An argument of the expectation wins over a trait of the test, and that over a trait of its suite. The
/// environment wins over all of them; an empty variable counts as unset, and an unknown one that
/// begins with `TOUCHSTONE_` is reported:
///
/// | variable | means |
/// |---|---|
/// | `TOUCHSTONE_SEED` | where the choices start: `42` or `0x2a` |
/// | `TOUCHSTONE_CASES` | how many cases |
/// | `TOUCHSTONE_PROFILE` | `nightly`: 50 times as many cases as without it, and no limit of time |
/// | `TOUCHSTONE_REPLAY` | the path of a case file, and nothing else is judged |
/// | `TOUCHSTONE_HISTORY` | a folder of past runs, to which this one is added; `touchstone history` shows them |
/// | `TOUCHSTONE_ACCEPT` | the name of a model whose schema ``silentDrift(of:since:in:accepting:)`` rewrites |
/// | `TOUCHSTONE_ADAPTERS` | the folder of subjects in other languages, for tests of engines |
public struct LawSettings: Hashable, Sendable {
  /// Where the choices start; the same seed and number of cases give the same result everywhere.
  public var seed: UInt64?
  /// How many cases of laws are tried.
  public var cases: Int?
  /// When to stop early, after the case at hand; what was tried until then counts.
  public var time: Duration?

  public init(cases: Int? = nil, seed: UInt64? = nil, time: Duration? = nil) {
    self.seed = seed
    self.cases = cases
    self.time = time
  }

  /// Cases where no argument, trait or variable says otherwise.
  public static let defaultCases = 600
  /// How many times as many cases the profile `nightly` tries.
  public static let nightlyFactor = 50

  /// What the traits of the current test say.
  @TaskLocal static var current = LawSettings()

  func over(_ outer: LawSettings) -> LawSettings {
    LawSettings(
      cases: cases ?? outer.cases,
      seed: seed ?? outer.seed,
      time: time ?? outer.time
    )
  }
}

/// A trait of a test or suite that says how much its expectations try.
public struct LawSettingsTrait: TestTrait, SuiteTrait, TestScoping {
  public let settings: LawSettings

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await LawSettings.$current.withValue(settings.over(LawSettings.current)) {
      try await function()
    }
  }
}

extension Trait where Self == LawSettingsTrait {
  /// How many cases the expectations of the test try, from which seed, for how long at most.
  public static func laws(cases: Int? = nil, seed: UInt64? = nil, time: Duration? = nil) -> Self {
    LawSettingsTrait(settings: LawSettings(cases: cases, seed: seed, time: time))
  }
}

/// What an expectation tries, after the environment was asked.
package struct ResolvedSettings: Sendable {
  package let seed: Seed
  package let cases: Int
  let deadline: ContinuousClock.Instant?
  /// The case file that alone is to be judged.
  package let replayPath: String?

  /// - Throws: ``JudgementError`` for a variable that makes no sense, or a number of cases that proves
  ///   nothing.
  package init(
    _ given: LawSettings,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(JudgementError) {
    let settings = given.over(LawSettings.current)
    // Workflows pass what was not given on as an empty text.
    let environment = environment.filter { !$0.value.isEmpty }
    if let cases = settings.cases, cases < 1 {
      throw .badSetting(variable: "cases", value: "\(cases)", expected: "1 or more")
    }
    seed =
      try environment["TOUCHSTONE_SEED"].map { (text) throws(JudgementError) in
        guard let seed = Seed(text) else {
          throw .badSetting(variable: "TOUCHSTONE_SEED", value: text, expected: "42 or 0x2a")
        }
        return seed
      } ?? Seed(value: settings.seed ?? 1)
    let isNightly: Bool
    switch environment["TOUCHSTONE_PROFILE"] {
    case nil, "default": isNightly = false
    case "nightly": isNightly = true
    case let other?:
      throw .badSetting(variable: "TOUCHSTONE_PROFILE", value: other, expected: "nightly")
    }
    let asked = try environment["TOUCHSTONE_CASES"].map { (text) throws(JudgementError) in
      guard let cases = Int(text), cases > 0 else {
        throw .badSetting(variable: "TOUCHSTONE_CASES", value: text, expected: "1 or more")
      }
      return cases
    }
    let base = settings.cases ?? LawSettings.defaultCases
    let (nightly, overflow) = base.multipliedReportingOverflow(by: LawSettings.nightlyFactor)
    cases = asked ?? (isNightly && !overflow ? nightly : base)
    deadline = isNightly ? nil : settings.time.map { ContinuousClock.now.advanced(by: $0) }
    replayPath = environment["TOUCHSTONE_REPLAY"]
  }

  var isOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
}
