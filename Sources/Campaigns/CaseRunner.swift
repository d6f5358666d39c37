import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects

/// What makes two failures the same: shrinking and counting keep to it.
struct FailureKey: Hashable, Comparable {
  /// The pseudo-law under which a subject's own failures are filed.
  static let answers = "subject.answers"

  let law: String
  let isError: Bool
  /// The class of the difference, or of the subject's failure.
  let kind: String

  static func < (left: Self, right: Self) -> Bool {
    (left.law, left.kind) < (right.law, right.kind)
  }
}

/// One violated law, or a subject's own failure, on one history.
struct Finding {
  let key: FailureKey
  let difference: Difference
}

/// What came of one case.
struct CaseResult {
  let history: NormalisedHistory
  /// In the catalogue's order; an error counts for all laws.
  var verdicts: [(law: DocumentLaw, verdict: Verdict)] = []
  var findings: [Finding] = []
  var subjectSeconds = 0.0
  var oracleSeconds = 0.0
  var lawSeconds: [(law: String, seconds: Double)] = []
}

/// Judges cases of one lane, on one thread.
final class CaseRunner {
  private let lane: Lane
  private let clock: @Sendable () -> Double
  private var subject: (any SubjectSession)?
  private var oracle: (any SubjectSession)?

  init(_ lane: Lane, clock: @escaping @Sendable () -> Double) {
    self.lane = lane
    self.clock = clock
  }

  /// Draws a history and judges it.
  func run(_ group: SampleGroup, _ choices: inout Choices) -> CaseResult {
    judge(history(group, &choices), laws: group.laws)
  }

  /// Draws a history.
  func history(_ group: SampleGroup, _ choices: inout Choices) -> NormalisedHistory {
    let history = normalise(group.histories.draw(&choices))
    // The last choice, so that the history is the same whether there is something to avoid or not.
    guard !lane.avoided.isEmpty, choices.pick(weights: [7, 1]) == 0 else { return history }
    return avoiding(lane.avoided, history)
  }

  /// The history less the steps that make any of the conditions hold.
  private func avoiding(
    _ conditions: [HistoryCondition],
    _ history: NormalisedHistory
  ) -> NormalisedHistory {
    var history = history
    // Each round takes steps away, so it ends; what a later step meant may change meanwhile.
    while true {
      let offending = Set(conditions.flatMap { $0.steps(of: history.history) })
      guard !offending.isEmpty else { return history }
      var smaller = history.history
      smaller.steps = smaller.steps.enumerated().filter { !offending.contains($0.offset) }
        .map(\.element)
      history = normalise(smaller)
    }
  }

  /// Judges a history that is valid.
  func judge(_ history: NormalisedHistory, laws: [DocumentLaw]) -> CaseResult {
    var result = CaseResult(history: history)
    let trial = Trial(
      history,
      laws: laws,
      subject: lane.subject.capabilities,
      // The oracle's own lane is compared with nothing.
      oracle: lane.oracle?.capabilities
    )
    let start = clock()
    let transcript: Transcript
    do {
      transcript = try subjectSession().run(trial.plan.program)
      try check(transcript, against: trial.plan.program)
    } catch {
      return errored(error, trial, laws, result)
    }
    result.subjectSeconds = clock() - start
    var expected: Transcript?
    if trial.needsOracle, let oracle = lane.oracle {
      let start = clock()
      expected = try? oracleSession(oracle).run(trial.plan.program)
      result.oracleSeconds = clock() - start
    }
    result.verdicts = trial.skipped.map { ($0.law, .skipped($0.reason)) }
    let answers = Answers(plan: trial.plan, transcript: transcript)
    let expectedAnswers = expected.map { Answers(plan: trial.plan, transcript: $0) }
    for (index, law) in trial.laws.enumerated() {
      let start = clock()
      let verdict =
        trial.crossing(ofLaw: index).map { crossing($0, answers, expectedAnswers) }
        ?? trial.verdict(ofLaw: index, subject: answers, oracle: expectedAnswers)
      result.lawSeconds.append((law.name, clock() - start))
      let judged = excused(verdict, law, history)
      result.verdicts.append((law, judged))
      if case .violated(let difference) = judged {
        let key = FailureKey(law: law.name, isError: false, kind: difference.kind)
        result.findings.append(Finding(key: key, difference: difference))
      }
    }
    return result
  }

  /// Has subject and oracle open what the other saved.
  private func crossing(_ crossing: Crossing, _ subject: Answers, _ oracle: Answers?) -> Verdict {
    guard let oracle, let other = lane.oracle,
      let outward = crossing.visit(to: oracle), let homeward = crossing.visit(to: subject)
    else { return .skipped("one side has no bytes that the other reads") }
    do {
      let there = try subjectSession().run(outward.program)
      if let difference = crossing.difference(there, in: outward) { return .violated(difference) }
      let here = try oracleSession(other).run(homeward.program)
      if let difference = crossing.difference(here, in: homeward) { return .violated(difference) }
    } catch {
      return .errored("\(error)")
    }
    return crossing.excess(subject, oracle).map { .violated($0) } ?? .held
  }

  /// What the subject shows at each instruction: for timelines.
  func transcript(_ program: Program) -> Transcript? {
    try? subjectSession().run(program)
  }

  func oracleTranscript(_ program: Program) -> Transcript? {
    guard let oracle = lane.oracle else { return nil }
    return try? oracleSession(oracle).run(program)
  }

  private func excused(
    _ verdict: Verdict,
    _ law: DocumentLaw,
    _ history: NormalisedHistory
  ) -> Verdict {
    guard case .violated(let difference) = verdict,
      let known = lane.divergences.first(where: { $0.explains(law: law.name, history) })
    else { return verdict }
    return .known(difference, reason: known.reason)
  }

  private func subjectSession() throws -> any SubjectSession {
    if let subject { return subject }
    let session = try lane.subject.session()
    subject = session
    return session
  }

  private func oracleSession(_ oracle: any DocumentSubject) throws -> any SubjectSession {
    if let session = self.oracle { return session }
    let session = try oracle.session()
    self.oracle = session
    return session
  }

  private func check(_ transcript: Transcript, against program: Program) throws {
    guard transcript.outcomes.count != program.instructions.count else { return }
    throw SubjectFailure(
      kind: "garbage",
      description: "\(transcript.outcomes.count) answers to \(program.instructions.count) questions"
    )
  }

  private func errored(
    _ error: any Error,
    _ trial: Trial,
    _ laws: [DocumentLaw],
    _ result: CaseResult
  ) -> CaseResult {
    var result = result
    let failure = error as? SubjectFailure
    let kind = failure?.kind ?? "failure"
    let skipped = Set(trial.skipped.map(\.law.name))
    result.verdicts = trial.skipped.map { ($0.law, .skipped($0.reason)) }
    for law in laws where !skipped.contains(law.name) {
      result.verdicts.append((law, .errored("\(error)")))
    }
    result.findings = [
      Finding(
        key: FailureKey(law: FailureKey.answers, isError: true, kind: kind),
        difference: Difference(
          kind: kind,
          summary: failure?.description ?? "\(error)",
          expected: "an answer",
          actual: kind
        )
      )
    ]
    return result
  }
}
