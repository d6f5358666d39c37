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
        return judge(
          history,
          isAlone ? asked : laws,
          wanting: request.law,
          clock: request.clock
        )
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
  ///
  /// A case has one finding for each thing that keeps laws from being judged, whatever their
  /// number: that of the wanted law if it is one of them, else of the first. A call that fails is
  /// told by `calls.succeed` where that is asked as well. Where a listed divergence from it explains
  /// the failure, the verdicts of the others are known.
  package func judge(
    _ history: NormalisedHistory,
    _ laws: [DocumentLaw],
    wanting wanted: String? = nil,
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
    let answers = Answers(plan: trial.plan, transcript: transcript)
    let expectedAnswers = expected.map { Answers(plan: trial.plan, transcript: $0) }
    let expectsRefusals = trial.laws.contains(where: \.expectsRefusals)
    // Call by call: behind one that fails for both there may be one that fails for the subject alone.
    let failure = answers.failedCall(unlike: expectedAnswers)
    let failedCall =
      expectsRefusals ? nil : failure.map { FailedCall($0, history, divergences) }
    let explainsFailures = trial.laws.contains(where: \.explainsOthers)
    var errors = CaseErrors(wanted: wanted)
    for (index, law) in trial.laws.enumerated() {
      let start = clock()
      var verdict: Verdict
      if law.isAgreement, let oracleFailure {
        verdict = .errored(oracleFailure)
        errors.note(Finding(law: law.name, verdict))
      } else if let crossed = trial.crossing(ofLaw: index) {
        do {
          verdict = try crossing(crossed, answers, expectedAnswers)
        } catch {
          verdict = .errored("\(error)")
          errors.note(Self.finding(of: error, law: law.name))
        }
      } else if law.explainsOthers {
        verdict = failure.map { .violated($0) } ?? .held
      } else {
        verdict = trial.verdict(ofLaw: index, subject: answers, oracle: expectedAnswers)
      }
      var judgement: Judgement
      if case .held = verdict, let failedCall {
        // A law that finds nothing wrong with a history that was not carried out has not held.
        judgement = failedCall.judgement
        if case .errored = judgement.verdict, !explainsFailures {
          errors.note(failedCall.finding(ofLaw: law.name))
        }
      } else {
        // Where no law asks for the call, the one that its consequences break says which it was.
        if case .violated(let found) = verdict, let failedCall, !explainsFailures {
          verdict = .violated(found.told(as: "\(found.summary), where \(failedCall.words)"))
        }
        judgement = Judgement(verdict, of: law.name, on: history, excusedBy: divergences)
      }
      judgement.seconds = clock() - start
      result.verdicts.append((law.name, judgement))
      if case .violated = judgement.verdict, let finding = Finding(law: law.name, verdict) {
        // What others find wrong where a call fails is its consequence.
        result.findings.insert(finding, at: law.explainsOthers ? 0 : result.findings.endIndex)
      }
    }
    result.findings += errors.findings
    return result
  }

  /// Has subject and oracle open what the other saved.
  ///
  /// - Throws: What the one throws that is to open it.
  private func crossing(
    _ crossing: CrossLoading,
    _ subject: Answers,
    _ oracle: Answers?
  ) throws -> Verdict {
    guard let oracle, let oracleSessions,
      let outward = crossing.visit(to: oracle), let homeward = crossing.visit(to: subject)
    else { return .skipped("saves in a format that is not comparable with the oracle's") }
    let there = try subjectSessions.run(outward.program)
    if let difference = crossing.difference(there, in: outward, by: .subject) {
      return .violated(difference)
    }
    let here = try oracleSessions.run(homeward.program)
    if let difference = crossing.difference(here, in: homeward, by: .oracle) {
      return .violated(difference)
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
    result.findings = [Self.finding(of: error, law: FailureKey.answers)]
    return result
  }

  /// What a session threw, filed under a law.
  private static func finding(of error: any Error, law: String) -> Finding {
    let failure = error as? SubjectFailure
    let kind = failure?.kind ?? "failure"
    return Finding(
      key: FailureKey(law: law, isError: true, kind: kind),
      difference: Difference(
        kind: kind,
        summary: failure?.description ?? "\(error)",
        expected: "an answer",
        actual: kind
      ),
      attemptLimit: kind == "timeout" ? 12 : 150
    )
  }
}

/// A call that the subject says has failed: on its history no law is known to hold.
private struct FailedCall {
  private let difference: Difference
  /// The verdict of a law that finds nothing wrong: errored, or known where a divergence from `calls.succeed` is
  /// listed that explains it.
  let judgement: Judgement
  /// What failed, as part of a sentence.
  let words: String

  init(
    _ difference: Difference,
    _ history: NormalisedHistory,
    _ divergences: [HistoryDivergence]
  ) {
    self.difference = difference
    words = "a call failed: \(difference.actual ?? difference.summary)"
    let asked = Judgement(
      .violated(difference),
      of: DocumentLaw.callsSucceed.name,
      on: history,
      excusedBy: divergences
    )
    if case .known = asked.verdict {
      judgement = asked
    } else {
      judgement = Judgement(.errored(words))
    }
  }

  /// The failure of a law that could not be judged for it.
  func finding(ofLaw law: String) -> Finding {
    Finding(
      key: FailureKey(law: law, isError: true, kind: difference.kind),
      difference: difference,
      errorClass: Verdict.errorClass(difference.actual ?? difference.summary)
    )
  }
}

/// What kept laws from being judged on one history: a finding of each kind, for one of the laws.
private struct CaseErrors {
  let wanted: String?
  private(set) var findings: [Finding] = []

  init(wanted: String?) {
    self.wanted = wanted
  }

  /// Notes why a law could not be judged, unless another law was kept from it in the same way.
  mutating func note(_ finding: Finding?) {
    guard let finding else { return }
    guard let known = findings.firstIndex(where: { $0.key.kind == finding.key.kind }) else {
      findings.append(finding)
      return
    }
    if finding.key.law == wanted { findings[known] = finding }
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
