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
}

extension MergeRules where State: MergeType, Content == State.Content {
  init(_ type: State.Type) {
    self.init(
      initial: { State(replica: $0) },
      edit: { $0.edit(&$1) },
      merge: { $0.merge($1) },
      content: { $0.content },
      kept: Self.kept
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
    let stage = Self.stage(subject, settings)
    return try await Expectation.outcome(
      of: subject.name,
      subject: Self.subjectID,
      settings,
      in: folder
    ) { expectation in
      let wantsMore = try expectation.tryStored { stored in
        var file = stored
        let law = MergeLaw.currentName(of: stored.law)
        file.set(.law, to: law)
        if let reason = subject.reasonToSkip(law) {
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
      kept: kept
    )
  }

  private static func stage(
    _ subject: MergeSubject<State, Content>,
    _ settings: ResolvedSettings
  ) -> LawStage<MergeHistory<State>> {
    LawStage(
      name: "merge",
      laws: subject.laws,
      order: .lawByLaw,
      cases: settings.cases,
      startsSimple: false,
      shrinkLimit: 4000,
      text: { law, difference, history in
        let steps = history.lines.enumerated().map { "\($0.offset + 1). \($0.element)" }
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
