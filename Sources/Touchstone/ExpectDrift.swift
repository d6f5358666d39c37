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
///   - oldPeersLosing: Keys that peers with the older model may drop, `[]` for none; `nil` if all peers
///     are updated at once, and only the newer model reads.
///   - samples: Values of the older model to start from where none can be derived.
///   - words: What strings under a key may be, such as a discriminator's.
///   - generators: How values of some types are made.
///   - cases: Six times how many values, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
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
  try await recordFailures(at: sourceLocation) { folder in
    try await DriftExpectation<Old, New>(
      values: ValueOptions(samples: samples, words: words, generators: generators),
      losing: losing,
      oldPeersLosing: oldPeersLosing
    ).outcome(LawSettings(cases: cases, seed: seed, time: time), in: folder)
  }
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
  try await DriftExpectation<Old, New>(
    values: ValueOptions(samples: samples, words: words, generators: generators),
    losing: losing,
    oldPeersLosing: oldPeersLosing
  ).outcome(
    LawSettings(cases: cases, seed: seed, time: time),
    in: FailureFolder(besideFile: file, test: test)
  ).failures(onNote)
}
