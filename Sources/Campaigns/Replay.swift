import DocumentLaws
import FuzzEntryPoints
package import Histories
package import PropertyEngine
import Subjects

/// What came of judging a stored case again.
package struct ReplayOutcome {
  package let law: String
  package let subject: String
  package let verdict: Verdict
  package let history: NormalisedHistory
}

/// Judges stored cases: the history in the case, not what today's generator would make of its
/// choices.
package struct Replay {
  private let lanes: [Lane]

  /// The law of a case on which the subject itself failed.
  package static let answersLaw = FailureKey.answers

  /// Lanes for the subjects that cases may name.
  package init(lanes: [Lane]) {
    self.lanes = lanes
  }

  /// Why a case cannot be judged at all.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The history that a case holds.
  package static func history(of file: CaseFile) throws -> History {
    guard file.sampleFormat.hasPrefix("history ") else {
      throw Failure(description: "a case of \(file.sampleFormat) is not a history")
    }
    return try History(text: file.sample)
  }

  /// The verdict of the case's law on its first subject.
  package func run(_ file: CaseFile) throws -> ReplayOutcome {
    let lane = try lane(for: file)
    let history = normalise(try Self.history(of: file))
    let runner = CaseRunner(lane, clock: { 0 })
    let laws = lane.laws(judging: file.law)
    guard !laws.isEmpty else {
      throw Failure(
        description: "there is no law \(file.law); `touchstone list laws` names them all"
      )
    }
    let result = runner.judge(history, laws: laws)
    let own = result.verdicts.first { $0.law.name == file.law }?.verdict
    let verdict =
      file.law == FailureKey.answers
      ? result.findings.first { $0.key.isError }.map { .errored($0.difference.summary) } ?? .held
      : own ?? .skipped("the law says nothing of this subject")
    return ReplayOutcome(
      law: file.law,
      subject: lane.subject.id,
      verdict: verdict,
      history: history
    )
  }

  /// The verdicts on an input of the fuzz target *histories*, of the laws that it is held to.
  ///
  /// Only what did not hold is listed; one verdict for the law `*` if all did.
  package func run(histories bytes: [UInt8], on subject: String) throws -> [ReplayOutcome] {
    let lane = try lane(for: subject)
    let input = HistoryInput(bytes: bytes)
    let result = CaseRunner(lane, clock: { 0 }).judge(input.history, laws: input.laws)
    func outcome(_ law: String, _ verdict: Verdict) -> ReplayOutcome {
      ReplayOutcome(law: law, subject: subject, verdict: verdict, history: input.history)
    }
    let failures = result.verdicts.filter { _, verdict in
      switch verdict {
      case .held, .skipped: false
      case .violated, .known, .errored: true
      }
    }
    return failures.isEmpty
      ? [outcome("*", .held)] : failures.map { outcome($0.law.name, $0.verdict) }
  }

  /// Shrinks the case's history further, by the choices that made it.
  package func shrink(
    _ file: CaseFile,
    stepLimit: Int,
    onSmaller: (Int) -> Void
  ) throws -> ShrunkFailure? {
    let lane = try lane(for: file)
    guard let group = lane.groups.first(where: { $0.laws.contains { $0.name == file.law } }),
      !file.choices.isEmpty
    else { throw Failure(description: "the case has no choices of a law known here") }
    var choices = Choices(replaying: file.choices.map(\.value))
    let runner = CaseRunner(lane, clock: { 0 })
    let result = runner.run(group, &choices)
    guard
      let finding = result.findings.first(where: {
        $0.key.law == file.law && (file.kind == nil || $0.key.kind == file.kind)
      })
    else { return nil }
    var shrinker = FailureShrinker(
      runner: runner,
      lane: lane,
      sighting: LaneTotals.Sighting(
        caseIndex: file["case"].flatMap { Int($0) } ?? 0,
        caseCount: 1,
        finding: finding,
        group: group,
        choices: choices
      ),
      seed: file.seed ?? Seed(value: 0)
    )
    return shrinker.run(stepLimit: stepLimit, shouldStop: { false }, onSmaller: onSmaller)
  }

  private func lane(for file: CaseFile) throws -> Lane {
    guard let id = file.subjects.first else {
      throw Failure(description: "the case names no subject")
    }
    if let lane = lanes.first(where: { $0.isMeant(by: file) }) { return lane }
    return try lane(for: id)
  }

  private func lane(for id: String) throws -> Lane {
    guard let lane = lanes.first(where: { $0.subject.id == id }) else {
      throw Failure(description: "the subject \(id) is not set up; `touchstone list subjects`")
    }
    return lane
  }
}
