import Foundation
import ModelGeneration
import ModelLaws
import PropertyEngine
public import Testing

/// Expects that a newer model reads what an older one wrote, and loses nothing of it.
///
/// Values of the older model are derived, encoded, decoded as the newer one, and encoded again: no
/// document may be refused, no value may change, and no key may go but those that `losing` names, such
/// as one that was renamed.
///
/// - Parameters:
///   - old: The model as it was.
///   - new: The model as it is.
///   - losing: Keys that may go: `room`, or `agenda[].room` for one in a list.
///   - cases: How many values, a sixth of ``LawSettings/defaultCases`` if nobody says.
///   - seed: Where the choices start, 1 if nobody says.
///   - sourceLocation: Where issues are recorded.
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectDrift<Old: Codable & SendableMetatype, New: Codable & SendableMetatype>(
  from old: Old.Type,
  to new: New.Type,
  losing: Set<String> = [],
  cases: Int? = nil,
  seed: UInt64? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let failures = try await driftFailures(
    from: old,
    to: new,
    losing: losing,
    cases: cases,
    seed: seed
  )
  for failure in failures { record(failure, sourceLocation) }
}

/// What a newer model makes of documents of an older one that it should not, for tests of XCTest and
/// other places.
///
/// - Throws: ``JudgementError`` if nothing could be judged.
public func driftFailures<Old: Codable & SendableMetatype, New: Codable & SendableMetatype>(
  from old: Old.Type,
  to new: New.Type,
  losing: Set<String> = [],
  cases: Int? = nil,
  seed: UInt64? = nil
) async throws -> [ModelFailure] {
  let settings = try ResolvedSettings(LawSettings(cases: cases, seed: seed))
  let source = try modelSource(old, [], [:], [])
  let law = Law<Tree?>(
    "drift.upgrade",
    "A newer version reads what an older one wrote, and loses nothing of it.",
    source: "codable-api.md, B.3",
    forAll: Generator { choices in
      (try? source.draw(&choices)).flatMap { try? TreeRecorder.tree(of: $0.value) }
    }
  ) { document in
    guard let document else { throw Skipped("the older model has no such value") }
    return upgrade(document, new, losing)
  }
  return try await offThread { _ in
    let outcome = checkLaw(
      law,
      seed: settings.seed,
      cases: max(1, settings.cases / 6),
      shrinkLimit: 2000
    )
    guard outcome.heldCount + (outcome.failure == nil ? 0 : 1) > 0 else {
      throw JudgementError.nothingJudged(type: source.name)
    }
    guard let failure = outcome.failure else { return [] }
    let document = failure.sample ?? .null
    let words = FailureWords(
      model: "\(new)",
      law: law.name,
      sentence: law.sentence,
      verdict: failure.verdict,
      exhibits: [("written by \(old)", document.text)],
      advice: "Decode what the older version wrote, or declare the loss: `losing: [\"key\"]`.",
      origin: "found by case \(failure.caseIndex) of seed \(settings.seed)"
    )
    var file = CaseFile(
      law: law.name,
      subjects: ["\(old)", "\(new)"],
      kind: failure.verdict.kind,
      seed: settings.seed,
      choices: failure.shrunk.recorded,
      sampleFormat: "model 1",
      sample: document.text + "\n"
    )
    file.set("model", to: "\(new)")
    return [
      ModelFailure(
        law: law.name,
        model: "\(new)",
        summary: words.summary,
        description: words.text(stored: nil, replay: nil),
        caseFile: file.render(),
        storedPath: nil,
        caseName: "\(FailureFolder.plain("\(new)"))--\(law.name)"
      )
    ]
  }
}

/// Where a newer model does not do justice to a document of an older one.
private func upgrade<New: Codable>(
  _ document: Tree,
  _ new: New.Type,
  _ losing: Set<String>
) -> Difference? {
  let written: Tree
  do {
    written = try TreeRecorder.tree(of: TreeDecoder().decode(new, from: document))
  } catch {
    return Difference(
      kind: "drift.refused",
      summary: "the document is refused: \(ModelJudge<New>.words(error))"
    )
  }
  for path in document.paths {
    guard let was = document[path], was != .null else { continue }
    let places = path.indices.map { path.prefix($0 + 1).map(\.self).swiftly }
    let isDeclared = places.contains { place in
      losing.contains(place.replacing(/\[\d+\]/, with: "[]"))
    }
    guard !isDeclared else { continue }
    guard let now = written[path] else {
      return Difference(
        kind: "drift.lost",
        summary: "`\(path.swiftly)` is lost when the document is written again",
        expected: was.description,
        actual: "nothing"
      )
    }
    let isLeaf = was.steps.isEmpty && now.steps.isEmpty
    guard was.kind != now.kind || (isLeaf && was != now) else { continue }
    return Difference(
      kind: "drift.misread",
      summary: "`\(path.swiftly)` is read as something else",
      expected: was.description,
      actual: now.description
    )
  }
  return nil
}

/// Expects that two subjects show the same on histories that are written down.
///
/// - Parameters:
///   - first: The id of the subject that is judged; see ``expectLaw(_:of:against:on:adapters:sourceLocation:)``.
///   - second: The id of the one it must agree with.
///   - histories: What happened, in the form of `touchstone show`; at least one.
///   - adapters: The folder of subjects in other languages.
///   - sourceLocation: Where issues are recorded.
/// - Throws: ``JudgementError`` if there is no history, or one cannot be judged.
public func expectAgreement(
  of first: String,
  and second: String,
  on histories: [String],
  adapters: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  guard !histories.isEmpty else { throw JudgementError.nothingJudged(type: first) }
  for history in histories {
    try await expectLaw(
      "agreement.states",
      of: first,
      against: second,
      on: history,
      adapters: adapters,
      sourceLocation: sourceLocation
    )
  }
}
