import Foundation
import ModelLaws
import PropertyEngine
public import Testing

/// Expects that a newer model reads what an older one wrote, and loses nothing of it.
///
/// ```swift
/// try await expectDrift(from: NoteV1.self, to: Note.self, losing: ["color"])
/// ```
///
/// Values of the older model are derived, encoded, decoded as the newer one, and encoded again: no
/// document may be refused, no value may change, and no key may go but those that `losing` names, such
/// as one that was renamed.
///
/// In a document that is shared there are also peers that were not updated: they read what the newer
/// version wrote, and write it back. With `oldPeersLosing` that direction is judged, too: they may
/// refuse nothing, and lose nothing but those keys, such as one that is new.
///
/// What breaks the law is made small, recorded as an issue, and stored in `__Touchstone__` beside the
/// test, where it is tried first at the next run.
///
/// - Parameters:
///   - old: The model as it was.
///   - new: The model as it is.
///   - losing: Keys that may go: `room`, or `agenda[].room` for one in a list.
///   - oldPeersLosing: Keys that peers with the older model may drop, `[]` for none; nil if all peers
///     are updated at once, and only the newer model reads.
///   - samples: Values of the older model to start from where none can be derived.
///   - words: What strings under a key may be, such as a discriminator's.
///   - generators: How values of some types are made.
///   - cases: Six times how many values, ``LawSettings/defaultCases`` if nobody says.
///   - seed: Where the choices start, 1 if nobody says.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectDrift<Old: Codable & SendableMetatype, New: Codable & SendableMetatype>(
  from old: Old.Type,
  to new: New.Type,
  losing: Set<String> = [],
  oldPeersLosing: Set<String>? = nil,
  samples: [Old] = [],
  words: [String: [String]] = [:],
  generators: [ValueGenerator] = [],
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let failures = try await driftFailures(
    from: old,
    to: new,
    losing: losing,
    oldPeersLosing: oldPeersLosing,
    samples: samples,
    words: words,
    generators: generators,
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

/// What one of two versions of a model makes of the other's documents that it should not, for tests of
/// XCTest and other places.
///
/// `file` is the test's, beside which failures are stored, and `test` its name, as
/// `swift test --filter` takes it.
///
/// - Throws: ``JudgementError`` if nothing could be judged.
public func driftFailures<Old: Codable & SendableMetatype, New: Codable & SendableMetatype>(
  from old: Old.Type,
  to new: New.Type,
  losing: Set<String> = [],
  oldPeersLosing: Set<String>? = nil,
  samples: [Old] = [],
  words: [String: [String]] = [:],
  generators: [ValueGenerator] = [],
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  let settings = try ResolvedSettings(LawSettings(cases: cases, seed: seed, time: time))
  let folder = FailureFolder(besideFile: file, test: test)
  let forward = try modelSource(old, samples, words, generators)
  let back = try oldPeersLosing.map { (try modelSource(new, [], words, generators), $0) }
  let (failures, notes) = try await offThread { cancellation in
    var (failures, notes) = try DriftExpectation<Old, New>(
      law: .upgrade,
      source: forward,
      losing: losing,
      settings: settings,
      folder: folder,
      cancellation: cancellation
    ).run()
    if let (source, losing) = back {
      let found = try DriftExpectation<New, Old>(
        law: .downgrade,
        source: source,
        losing: losing,
        settings: settings,
        folder: folder,
        cancellation: cancellation
      ).run()
      failures += found.failures
      notes += found.notes
    }
    return (failures, notes)
  }
  for note in notes { onNote(note) }
  return failures
}
