package import DocumentLaws
import DocumentModel
package import Histories
package import PropertyEngine
import Subjects
import Texts

/// Judges histories by the laws of documents: one subject, what it is compared with, and what it is
/// known to do otherwise.
package struct DocumentJudge: Sendable {
  package let subject: any DocumentSubject
  /// `nil` for the oracle itself, and for subjects that follow rules of their own.
  package let oracle: (any DocumentSubject)?
  let divergences: [HistoryDivergence]
  private let subjectSessions: SessionPool
  private let oracleSessions: SessionPool?

  /// A judge that compares the subject with the oracle, if it follows the oracle's rules and is not
  /// the oracle.
  package init(
    _ subject: any DocumentSubject,
    oracle: (any DocumentSubject)?,
    divergences: [HistoryDivergence] = []
  ) {
    let follows = subject.capabilities.features.contains(.automergeSemantics)
    let oracle = follows && oracle?.id != subject.id ? oracle : nil
    self.subject = subject
    self.oracle = oracle
    self.divergences = divergences
    subjectSessions = SessionPool(subject)
    oracleSessions = oracle.map { SessionPool($0, .oracle) }
  }

  /// The laws as groups that a run takes: the laws on any history together, then each law with
  /// histories of its own.
  func groups(_ laws: [DocumentLaw], limits: HistoryLimits) -> [LawGroup] {
    var limits = limits
    limits.capabilities = limits.capabilities.intersection(subject.capabilities)
    var shared: [DocumentLaw] = []
    var own: [LawGroup] = []
    for law in laws {
      switch law.samples {
      case .any: shared.append(law)
      case .own(let histories):
        let histories = histories(limits)
        own.append(group([law]) { draw(histories, &$0) })
      }
    }
    guard !shared.isEmpty else { return own }
    let histories = Generator.histories(limits)
    return [group(shared, isShared: true) { draw(histories, &$0) }] + own
  }

  /// Laws that are judged together, on the histories that `draw` makes.
  package func group(
    _ laws: [DocumentLaw],
    isShared: Bool = false,
    draw: @escaping @Sendable (inout Choices) -> NormalisedHistory
  ) -> LawGroup {
    LawGroup(
      laws.map(\.statement),
      form: .history,
      isShared: isShared,
      draw: draw,
      judge: { history, request in
        let asked = laws.filter { $0.name == request.law }
        // What watches all answers needs the questions of the other laws.
        let isAlone = !asked.isEmpty && !asked.contains(where: \.watchesAll)
        return judge(history, isAlone ? asked : laws, clock: request.clock)
      }
    )
  }

  /// Why a law says nothing of the subject, whatever the history; `nil` if it may.
  func reasonToSkip(_ law: DocumentLaw) -> String? {
    law.reasonToSkip(subject: subject.capabilities, oracle: oracle?.capabilities)
  }

  // MARK: - Drawing

  /// Draws a history.
  ///
  /// Most cases keep away from the conditions under which even states differ: a case
  /// that a known divergence explains can show nothing else.
  private func draw(
    _ histories: Generator<History>,
    _ choices: inout Choices
  ) -> NormalisedHistory {
    WorkerNote.enter(.drawing)
    defer { WorkerNote.enter(.law) }
    let history = normalise(histories.draw(&choices))
    let avoided = divergences.filter { Glob($0.law).matches(DocumentLaw.statesAgree.name) }
    // The last choice, so that the history is the same whether there is something to avoid or not.
    guard !avoided.isEmpty, choices.pick(weights: [7, 1]) == 0 else { return history }
    return avoiding(avoided.map(\.predicate), history)
  }

  /// The history less the steps that make any of the conditions hold.
  private func avoiding(
    _ conditions: [HistoryPredicate],
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

  // MARK: - Judging

  /// Judges a valid history: the subject runs one program for all laws, the oracle what the laws ask
  /// that compare them.
  package func judge(
    _ history: NormalisedHistory,
    _ laws: [DocumentLaw],
    clock: @Sendable () -> Double = { 0 }
  ) -> JudgedCase {
    let trial = Trial(
      history,
      laws: laws,
      subject: subject.capabilities,
      oracle: oracle?.capabilities
    )
    var result = JudgedCase()
    result.verdicts = trial.skipped.map { ($0.law.name, Judgement(.skipped($0.reason))) }
    // A law brings histories of its own with what it needs: a subject that cannot be asked cannot run them.
    guard !trial.laws.isEmpty else { return result }
    let start = clock()
    let transcript: Transcript
    do {
      transcript = try subjectSessions.run(trial.plan.program)
    } catch {
      return errored(error, laws, result)
    }
    result.subjectSeconds = clock() - start
    var expected: Transcript?
    // Without the oracle's answers nothing is known of the laws that compare, whose subject may be right.
    var oracleFailure: String?
    if trial.needsOracle, let oracle, let oracleSessions {
      let start = clock()
      do {
        expected = trial.plan.spread(try oracleSessions.run(trial.plan.oracleProgram))
      } catch {
        oracleFailure = "the oracle, \(oracle.id), did not answer: \(error)"
      }
      result.oracleSeconds = clock() - start
    }
    let refusal =
      trial.laws.contains(where: \.expectsRefusals) ? nil : transcript.firstFailure
    let explainsFailures = trial.laws.contains(where: \.explainsOthers)
    let answers = Answers(plan: trial.plan, transcript: transcript)
    let expectedAnswers = expected.map { Answers(plan: trial.plan, transcript: $0) }
    for (index, law) in trial.laws.enumerated() {
      let start = clock()
      var verdict =
        (law.isAgreement ? oracleFailure : nil).map { .errored($0) }
        ?? trial.crossing(ofLaw: index).map { crossing($0, answers, expectedAnswers) }
        ?? trial.verdict(ofLaw: index, subject: answers, oracle: expectedAnswers)
      // A law that finds nothing wrong with a history that was not carried out has not held.
      if case .held = verdict, let refusal { verdict = .errored(refusal) }
      // Where no law asks for the call, the one that its consequences break says which it was.
      if case .violated(let found) = verdict, let refusal, !explainsFailures {
        verdict = .violated(found.told(as: "\(found.summary), where \(refusal)"))
      }
      var judgement = Judgement(verdict, of: law.name, on: history, excusedBy: divergences)
      judgement.seconds = clock() - start
      result.verdicts.append((law.name, judgement))
      if case .violated = judgement.verdict, let finding = Finding(law: law.name, verdict) {
        // What others find wrong where a call fails is its consequence.
        result.findings.insert(finding, at: law.explainsOthers ? 0 : result.findings.endIndex)
      }
    }
    return result
  }

  /// Has subject and oracle open what the other saved.
  private func crossing(
    _ crossing: CrossLoading,
    _ subject: Answers,
    _ oracle: Answers?
  ) -> Verdict {
    guard let oracle, let oracleSessions,
      let outward = crossing.visit(to: oracle), let homeward = crossing.visit(to: subject)
    else { return .skipped("saves in a format that is not comparable with the oracle's") }
    do {
      let there = try subjectSessions.run(outward.program)
      if let difference = crossing.difference(there, in: outward, by: .subject) {
        return .violated(difference)
      }
      let here = try oracleSessions.run(homeward.program)
      if let difference = crossing.difference(here, in: homeward, by: .oracle) {
        return .violated(difference)
      }
    } catch {
      return .errored("\(error)")
    }
    return crossing.excess(subject, oracle).map { .violated($0) } ?? .held
  }

  /// What the subject shows at each instruction; `nil` if it fails.
  func transcript(_ program: Program) -> Transcript? { try? subjectSessions.run(program) }

  /// What the oracle shows at each instruction; `nil` without one.
  func oracleTranscript(_ program: Program) -> Transcript? { try? oracleSessions?.run(program) }

  /// A case on which the subject itself failed: one finding, and an error for every law.
  private func errored(
    _ error: any Error,
    _ laws: [DocumentLaw],
    _ result: JudgedCase
  ) -> JudgedCase {
    var result = result
    let skipped = Set(result.verdicts.map(\.law))
    for law in laws where !skipped.contains(law.name) {
      result.verdicts.append((law.name, Judgement(.errored("\(error)"))))
    }
    let failure = error as? SubjectFailure
    let kind = failure?.kind ?? "failure"
    result.findings = [
      Finding(
        key: FailureKey(law: FailureKey.answers, isError: true, kind: kind),
        difference: Difference(
          kind: kind,
          summary: failure?.description ?? "\(error)",
          expected: "an answer",
          actual: kind
        ),
        attemptLimit: kind == "timeout" ? 12 : 150
      )
    ]
    return result
  }
}

extension Transcript {
  /// The first call that the subject says has failed, with its words; `nil` if it carried out all.
  fileprivate var firstFailure: String? {
    for outcome in outcomes {
      if case .failed(let words) = outcome { return "a call failed: \(words)" }
    }
    return nil
  }
}

extension SampleForm<NormalisedHistory> {
  /// The form of histories, `history 1`.
  ///
  /// A history that is read is made valid, which leaves a valid one as it is.
  package static let history = SampleForm(
    name: FormName("history", version: History.textVersion),
    plural: "histories",
    render: { $0.history.text },
    parse: { normalise(try History(text: $0)) },
    size: { $0.history.size },
    measure: { counted($0.history.size, "edit or exchange", "edits and exchanges") },
    count: { history, coverage in coverage.add(history) },
    parts: SampleParts(
      count: { $0.history.steps.count },
      removing: { index, history in
        var smaller = history.history
        smaller.steps.remove(at: index)
        return normalise(smaller)
      }
    )
  )
}

extension Coverage {
  /// Topics of histories.
  enum HistoryTopic {
    static let edits = "edits"
    static let faults = "faults"
    static let transports = "transports"
    static let waypoints = "waypoints"
    static let shapes = "shapes"
    /// Faults by the transport of the message, or `otherFaults` for those of machines and links.
    static let faultsByTransport = "faults by transport"
    static let otherFaults = ""
    /// What holds the values that are counted.
    static let values = "histories"
    static let sizeBinWidth = 5
  }

  fileprivate mutating func add(_ history: NormalisedHistory) {
    let facts = HistoryFacts(history)
    add(facts.edits, to: HistoryTopic.edits)
    add(facts.faults, to: HistoryTopic.faults)
    add(facts.transports, to: HistoryTopic.transports)
    add(facts.waypoints, to: HistoryTopic.waypoints)
    add(facts.shapes, to: HistoryTopic.shapes)
    for (transport, tally) in facts.faultsByTransport {
      add(
        tally,
        to: HistoryTopic.faultsByTransport,
        part: transport?.rawValue ?? HistoryTopic.otherFaults
      )
    }
    add(facts.values, in: HistoryTopic.values)
    add(size: history.history.editCount, binWidth: HistoryTopic.sizeBinWidth)
  }
}

extension Failure {
  /// The failing history; `nil` if the sample is of another kind.
  package var history: History? { sample.history }
}

/// A divergence that shows on histories that meet a condition.
package struct HistoryDivergence: KnownDivergence {
  package let law: String
  /// The name of the condition, or its JSON.
  package let condition: String
  package let predicate: HistoryPredicate
  package let reason: String
  /// A history that shows it.
  package let example: History

  package func explains(
    _ law: String,
    _ difference: Difference,
    _ sample: NormalisedHistory
  ) -> Bool {
    Glob(self.law).matches(law) && predicate.holds(for: sample.history)
  }
}
