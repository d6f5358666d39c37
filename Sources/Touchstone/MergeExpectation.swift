import FuzzSessions
import ModelLaws
import PropertyEngine

/// How a type merges, as closures.
struct MergeRules<State: SendableMetatype, Content: Equatable & SendableMetatype>: Sendable {
  var name: String?
  let initial: @Sendable (Int) -> State
  let edit: @Sendable (inout State, inout ValueSource) -> String
  let merge: @Sendable (inout State, State) -> Void
  let content: @Sendable (State) -> Content
  let kept: (@Sendable (State) -> Set<AnyHashable>)?
  let invariant: (@Sendable (State) -> Bool)?
}

extension MergeRules where State: MergeType, Content == State.Content {
  init(_ type: State.Type, invariant: (@Sendable (State) -> Bool)?) {
    self.init(
      initial: { State(replica: $0) },
      edit: { $0.edit(&$1) },
      merge: { $0.merge($1) },
      content: { $0.content },
      kept: Self.kept,
      invariant: invariant
    )
  }

  private static var kept: (@Sendable (State) -> Set<AnyHashable>)? {
    guard State.Kept.self != Never.self else { return nil }
    return { $0.kept }
  }
}

extension MergeRules {
  /// What stands in case files in the place of a subject.
  private static var subjectID: String { "merge" }

  /// Holds the type to the laws of merge types: stored cases first.
  ///
  /// - Throws: ``JudgementError`` if the run proves nothing.
  func outcome(
    _ given: LawSettings,
    in folder: FailureFolder
  ) async throws -> Expectation.Outcome {
    guard !(State.self is AnyObject.Type) else {
      throw JudgementError.sharedState(type: "\(State.self)")
    }
    let settings = try ResolvedSettings(given)
    let subject = subject
    return try await Expectation.outcome(
      of: subject.name,
      subject: Self.subjectID,
      settings,
      in: folder
    ) { expectation in
      do {
        try Self.run(&expectation, on: subject)
      } catch let error as UnrepeatableEdit {
        throw JudgementError.unrepeatableEdit(type: subject.name, edits: "\(error)")
      }
    }
  }

  /// - Throws: ``JudgementError`` if the run proves nothing; ``UnrepeatableEdit``.
  private static func run(
    _ expectation: inout Expectation,
    on subject: MergeSubject<State, Content>
  ) throws {
    let report = expectation.crashReport
    let stage = stage(subject.reporting(report), expectation.settings, report)
    report.leave(
      MergeLaw.converges,
      "The process ends before any edit: replicas of `\(subject.name)` start, and show what they hold"
    )
    if let (one, other) = subject.unequalStarts {
      throw JudgementError.unequalStarts(type: subject.name, one: one, other: other)
    }
    let wantsMore = try expectation.tryStored { stored in
      var file = stored
      let law = MergeLaw.currentName(of: stored.law)
      file.set(.law, to: law)
      if let reason = stage.has(law) ? subject.silences[law] : "there is no such law" {
        throw JudgementError.notJudged(law: law, subject: subject.name, reason: reason)
      }
      return try stage.judge(file)
    }
    guard wantsMore, expectation.failures.isEmpty else { return }
    let found = try expectation.run(stage) { [subject.name, $0.key.law] }
    let outcome = expectation.outcome
    guard outcome.isJudged, outcome.failures.isEmpty else { return }
    guard found.coverage.hasVisibleEdit else {
      throw JudgementError.nothingChanges(type: subject.name)
    }
    // A run that was stopped before its last law counts for what it did.
    let keeps = MergeLaw.keeps.name
    guard subject.kept == nil || found.judged[keeps] != nil || found.skippedCount == 0 else {
      throw JudgementError.nothingToLose(type: subject.name)
    }
    if subject.kept == nil {
      expectation.remark(
        "\(subject.name): \(keeps) was not asked, so that a merge may lose what a replica holds; "
          + "`keeping:`, or `kept` in the type, says what no merge may lose"
      )
    }
  }

  private var subject: MergeSubject<State, Content> {
    MergeSubject(
      name: name ?? "\(State.self)",
      initial: initial,
      edit: { state, choices in
        var source = ValueSource(choices)
        let description = edit(&state, &source)
        choices = source.choices
        return description
      },
      merge: merge,
      content: content,
      kept: kept,
      invariant: invariant
    )
  }

  private static func stage(
    _ subject: MergeSubject<State, Content>,
    _ settings: ResolvedSettings,
    _ report: CrashReport
  ) -> LawStage<MergeHistory<State>> {
    LawStage(
      name: "merge",
      laws: subject.laws.map { law in
        law.reporting(
          report,
          drawing: law.statement,
          choices: { $0.choices },
          advice: MergeLaw.adviceOnTraps
        ) { history in
          "The process ends while states of this history are merged once more, and compared:\n"
            + numberedSteps(history.lines).map { "  \($0)" }.joined(separator: "\n")
        }
      },
      order: .lawByLaw,
      cases: settings.cases,
      startsSimple: false,
      shrinkLimit: 4000,
      text: { law, difference, history in
        let steps = numberedSteps(history.lines)
        var text = FailureText.steps(
          steps,
          called: "history",
          of: subject.name,
          law: law,
          difference: difference
        )
        text.mergeSteps = history.steps
        return text
      },
      origin: { $0.shrunkOrigin(settings.seed) }
    )
  }
}

extension MergeSubject {
  /// The subject, which says before each step what the process ends with if the step traps.
  fileprivate func reporting(_ report: CrashReport) -> MergeSubject {
    guard !FuzzRequest.isFuzzing else { return self }
    var subject = self
    subject.willStep = { law, lines in
      report.leave(
        law,
        "The process ends in the last step of this history:\n"
          + numberedSteps(lines).map { "  \($0)" }.joined(separator: "\n"),
        advice: MergeLaw.adviceOnTraps
      )
    }
    return subject
  }
}
