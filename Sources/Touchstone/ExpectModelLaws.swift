public import Testing

/// Expects that a model keeps the laws: every value comes back as it was, after merges as well.
///
/// ```swift
/// @Test func noteIsSafe() async throws {
///   try await expectLaws(of: Note.self)
/// }
/// ```
///
/// Values are derived from the type itself, with all the corners: empty and hostile strings, the ends
/// of integers, missing optionals, every case of an enumeration. First the model is judged by itself:
/// what `init(from:)` reads, `encode(to:)` must give back. Then the coder is judged on the model: round
/// trips, encoding again, concurrent edits and merges, dates, lists of mixed kinds, documents that
/// another version wrote.
///
/// What breaks a law is made small and recorded as an issue: law, value, what differs, and the command
/// that judges it again. A page of it and its case file are attached; the latter is stored in
/// `__Touchstone__` beside the test, where it is tried first at the next run. Where no test of Swift
/// Testing runs, as in one of XCTest, all issues are thrown as one ``ExpectationFailed``.
///
/// - Parameters:
///   - model: The type.
///   - coder: What encodes and decodes it.
///   - samples: Values to start from, where none can be derived, or where `init(from:)` cannot make all that
///     the app makes: it never sets a property, or reads a nil as 1. Each case changes one in a few places.
///   - words: What strings under a key may be, such as a discriminator's: `["kind": ["a", "b"]]`.
///   - generators: How values of some types are made.
///   - tolerance: Which differences do not count.
///   - cases: How many cases, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if nothing could be judged; it says what to add. ``ExpectationFailed``
///   where issues would not be seen.
public func expectLaws<Model: Codable & SendableMetatype>(
  of model: Model.Type,
  with coder: CodingSubject = .automerge,
  samples: [Model] = [],
  words: [String: [String]] = [:],
  generators: [ValueGenerator] = [],
  tolerance: LawTolerance = .exact,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await recordFailures(at: sourceLocation) { folder in
    try await ModelExpectation.outcome(
      ValueOptions<Model>(samples: samples, words: words, generators: generators),
      coder: coder,
      tolerance: tolerance,
      settings: LawSettings(cases: cases, seed: seed, time: time),
      in: folder
    )
  }
}

/// The laws that a model breaks: what ``expectLaws(of:with:samples:words:generators:tolerance:cases:seed:time:sourceLocation:)``
/// records, for tests of XCTest and other places.
///
/// ```swift
/// func testNote() async throws {
///   for failure in try await lawFailures(of: Note.self) { XCTFail("\(failure)") }
/// }
/// ```
///
/// `file` is the test's, beside which failures are stored, and `test` its name, as
/// `swift test --filter` takes it. `onNote` gets notes that are no failures, such as a stored case
/// that no longer fits the model.
public func lawFailures<Model: Codable & SendableMetatype>(
  of model: Model.Type,
  with coder: CodingSubject = .automerge,
  samples: [Model] = [],
  words: [String: [String]] = [:],
  generators: [ValueGenerator] = [],
  tolerance: LawTolerance = .exact,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  try await ModelExpectation.outcome(
    ValueOptions<Model>(samples: samples, words: words, generators: generators),
    coder: coder,
    tolerance: tolerance,
    settings: LawSettings(cases: cases, seed: seed, time: time),
    in: FailureFolder(besideFile: file, test: test)
  ).failures(onNote)
}

/// Throws ``LawsBroken`` if a model breaks a law, for tests that know no issues.
public func requireLaws<Model: Codable & SendableMetatype>(
  of model: Model.Type,
  with coder: CodingSubject = .automerge,
  samples: [Model] = [],
  words: [String: [String]] = [:],
  generators: [ValueGenerator] = [],
  tolerance: LawTolerance = .exact,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function
) async throws {
  let failures = try await lawFailures(
    of: model,
    with: coder,
    samples: samples,
    words: words,
    generators: generators,
    tolerance: tolerance,
    cases: cases,
    seed: seed,
    time: time,
    file: file,
    test: test
  )
  if !failures.isEmpty { throw LawsBroken(failures: failures) }
}

/// Runs an expectation beside the current test, and records what it finds as issues.
///
/// - Throws: ``ExpectationFailed`` where no test could show issues, and what `body` throws.
func recordFailures(
  at sourceLocation: SourceLocation,
  _ body: (FailureFolder) async throws -> Expectation.Outcome
) async throws {
  let outcome = try await body(FailureFolder(at: sourceLocation))
  var issues = TestIssues(at: sourceLocation)
  for remark in outcome.remarks { print(remark) }
  // What a model breaks by itself explains the rest, and so does what a merge loses; of several failures the shortest
  // does.
  let failures = outcome.failures { issues.warn($0) }
    .sorted { ($0.saysMost ? 0 : 1, $0.size) < ($1.saysMost ? 0 : 1, $1.size) }
  for (index, failure) in failures.enumerated() {
    // One bug often breaks several laws; each broken law is an issue of its own.
    let cause = failures[..<index].first { failure.mayFollow(from: $0) }
    issues.fail(failure.told(cause: cause?.law))
  }
  try issues.finish()
}
