import CodingLaws
import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine
public import Testing

/// Expects that a model keeps the laws: it comes back as it was, whatever it holds, whoever merges.
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
/// that judges it again. Its case file is attached, and stored in `__Touchstone__` beside the test,
/// where it is tried first at the next run.
///
/// - Parameters:
///   - model: The type.
///   - coder: What encodes and decodes it.
///   - samples: Values to start from where none can be derived; each case changes one in a few places.
///   - words: What strings under a key may be, such as a discriminator's: `["kind": ["a", "b"]]`.
///   - generators: How values of some types are made.
///   - tolerance: Which differences do not count.
///   - cases: How many cases, ``LawSettings/defaultCases`` if nobody says.
///   - seed: Where the choices start, 1 if nobody says.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if nothing could be judged, with words for what to add.
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
    file: sourceLocation.filePath,
    test: Test.current?.name ?? sourceLocation.fileName,
    onNote: { note in
      Issue.record(Comment(rawValue: note), severity: .warning, sourceLocation: sourceLocation)
    }
  )
  for failure in failures { record(failure, sourceLocation) }
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
/// `swift test --filter` takes it. `onNote` is told what is worth knowing and no failure, such as a
/// stored case that no longer fits the model.
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
  let settings = try ResolvedSettings(LawSettings(cases: cases, seed: seed, time: time))
  let folder = FailureFolder(besideFile: file, test: test)
  let source = try modelSource(model, samples, words, generators, storing: folder, judgedBy: coder)
  let outcome = try await offThread { cancellation in
    try ModelExpectation(
      source: source,
      coder: coder,
      tolerance: Tolerance(
        dateSeconds: tolerance.dateSeconds,
        floatFraction: tolerance.floatFraction
      ),
      settings: settings,
      folder: folder,
      cancellation: cancellation
    ).run()
  }
  for note in outcome.notes { onNote(note) }
  guard outcome.isJudged else { throw JudgementError.nothingJudged(type: source.name) }
  return outcome.failures
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

/// Where values of a model come from.
func modelSource<Value: Codable & SendableMetatype>(
  _ type: Value.Type,
  _ samples: [Value],
  _ words: [String: [String]],
  _ generators: [ValueGenerator],
  storing folder: FailureFolder? = nil,
  judgedBy coder: CodingSubject = .automerge
) throws -> ModelSource<Value> {
  if !samples.isEmpty { return try ModelSource(mutating: samples) }
  var options = DerivationOptions()
  options.words = words
  for generator in generators { generator.add(&options) }
  options.willAnswer = { answers in
    CrashNote.current.set(words: LastWords.deriving("\(type)", answers, folder))
  }
  do {
    return try CrashNote.during { note in
      if let folder {
        let name = LastWords.derivationName("\(type)")
        note.set(file: LastWords.planCase("\(type)", coder.id).render(), at: folder.url(name))
      }
      return try ModelSource(deriving: type, options)
    }
  } catch let error as NotDerivable {
    throw JudgementError.notDerivable(type: error.type, reason: error.description)
  }
}

/// Records a failure as an issue of the current test, with its case file.
func record(_ failure: ModelFailure, _ sourceLocation: SourceLocation) {
  if !failure.caseFile.isEmpty {
    Attachment.record(
      failure.caseFile,
      named: "\(failure.caseName).case",
      sourceLocation: sourceLocation
    )
  }
  Issue.record(Comment(rawValue: failure.description), sourceLocation: sourceLocation)
}
