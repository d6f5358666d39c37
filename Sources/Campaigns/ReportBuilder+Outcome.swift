import DocumentLaws
import PropertyEngine
import Reporting
import Texts

extension ReportBuilder {
  /// Sightings of a subject that the outcome names.
  private static let sightingLimit = 8

  /// What the run came to, with a reason for all that is not as it should be.
  func outcome(_ report: Report) -> Report.RunOutcome {
    let violations =
      failures(report) + sightings(report, of: .violated) + goneDivergences(report)
    let breakdowns =
      (result.isInterrupted ? [interruption(cases: report.run.cases)] : [])
      + breakdowns(report) + sightings(report, of: .errored) + omissions(report)
      + unjudged(report, found: !violations.isEmpty)
    let word: Report.RunOutcome.Word =
      breakdowns.isEmpty ? (violations.isEmpty ? .held : .violated) : .failed
    return Report.RunOutcome(word: word, reasons: violations + breakdowns)
  }

  // MARK: - Violations

  /// Failures that were confirmed and made small.
  private func failures(_ report: Report) -> [Report.Reason] {
    report.failures.filter { $0.kind == .violated }.map {
      Report.Reason("\($0.law) on \($0.subject): \($0.summary)", kind: .failure)
    }
  }

  /// Failures of one kind that were counted, a reason for each subject.
  private func sightings(
    _ report: Report,
    of kind: Report.Failure.Kind
  ) -> [Report.Reason] {
    report.subjects.map(\.id).compactMap { subject in
      let own = (report.sightings ?? []).filter { $0.subject == subject && $0.kind == kind }
      guard !own.isEmpty else { return nil }
      // Without a sample nothing but the words says what happened.
      let named = own.prefix(Self.sightingLimit).map { "\($0.law) (\($0.file ?? $0.summary))" }
      let verb = kind == .errored ? "failed" : "fails"
      return Report.Reason(
        "\(subject) \(verb) in \(counted(own.count, "more way")), counted and not shrunk: "
          + named.joined(separator: ", ")
          + (own.count > Self.sightingLimit ? " and more in report.json" : ""),
        kind: .sightings
      )
    }
  }

  private func goneDivergences(_ report: Report) -> [Report.Reason] {
    report.knownDivergences.filter { !$0.stillShows }.map {
      Report.Reason(
        "\($0.subject) no longer shows its known divergence from \($0.law)"
          + ($0.condition.isEmpty ? "" : " (\($0.condition))") + ": take it off the list"
      )
    }
  }

  // MARK: - What makes a run no proof

  /// Subjects that failed, laws that could not be judged, and failures that did not repeat.
  private func breakdowns(_ report: Report) -> [Report.Reason] {
    report.failures.compactMap { failure in
      switch failure.kind {
      case .violated: nil
      case .errored:
        Report.Reason(
          failure.law == FailureKey.answers
            ? "\(failure.subject) failed: \(failure.summary)"
            : "\(failure.law) was not judged on \(failure.subject): \(failure.summary)",
          kind: .breakdown
        )
      case .flaky:
        Report.Reason(
          "did not repeat: \(failure.law) on \(failure.subject): \(failure.summary)",
          kind: .breakdown
        )
      }
    }
  }

  /// What was to be reached, read, caught or judged, and was not.
  private func omissions(_ report: Report) -> [Report.Reason] {
    let waypoints = report.counts.waypoints.filter { $0.isRequired && $0.count == 0 }
      .map(\.absence)
    let canary =
      report.canary?.wasCaught == false
      ? ["the canary was not caught: failures do not reach the report"] : []
    let absent = context.absent.filter(\.isNamed).map {
      let reason = $0.reason.split(separator: "\n").first ?? ""
      return "\($0.id) was asked for and did not run: \(reason)"
    }
    let unasked = context.unaskedSubjects.map {
      "\($0) was asked for, and none of the laws that were asked says anything of it"
    }
    let unstored = context.storageFailure.map { ["not all that failed is stored: \($0)"] } ?? []
    // Lanes of one subject list the same.
    let untold = report.knownDivergences.compactMap { known in
      known.unjudged.map {
        "whether \(known.subject) still shows its known divergence from \(known.law)"
          + (known.condition.isEmpty ? "" : " (\(known.condition))")
          + " cannot be judged on its case: \(known.subject) \($0)"
      }
    }.uniqued()
    return (waypoints + context.unreadFiles + unstored + canary + absent + unasked + untold)
      .map { Report.Reason($0) }
  }

  /// Laws that no case was judged by, or that nothing was proved at all; `found` is whether a law was violated.
  private func unjudged(_ report: Report, found: Bool) -> [Report.Reason] {
    // A subject that does not answer is reported once, not once for each law.
    let silent = Set(
      report.failures.filter { $0.law == FailureKey.answers && $0.kind == .violated }.map(\.subject)
    )
    var texts = unexplainedErrors(report)
    texts += report.cells.filter {
      // A run that was to end at its first failure has asked some laws a case or two.
      !(result.endsAtFailure && found) && $0.errored > 0 && $0.judged == $0.errored
        && $0.law != FailureKey.answers && !silent.contains($0.subject)
    }.map {
      "\($0.law) could not be judged on \($0.subject): "
        + "it failed in \(counted($0.errored, "case")), and answered in none"
    }
    if !report.cells.contains(where: { $0.judged > 0 }) {
      // What was not tried yet may be judged.
      let isOver = !result.isInterrupted || result.lanes.allSatisfy(\.lane.groups.isEmpty)
      texts.append(
        isOver
          ? nothingRan(report)
          : "nothing was judged before it ended"
      )
    } else if hasOnlyEmptyHistories, !found {
      texts.append("nothing was proved: no history had an edit")
    }
    return texts.map { Report.Reason($0) }
  }

  /// Reasons for skips that the outcome names.
  private static let skipReasonLimit = 3

  /// Why no verdict is more than a skip: no law speaks of the subjects, or their cases lacked what the laws ask for.
  private func nothingRan(_ report: Report) -> String {
    let asked = Set(
      result.lanes.flatMap { lane in
        lane.lane.entries.filter { $0.inapplicable == nil }
          .map { [$0.statement.name, lane.lane.subject.id] }
      }
    )
    let skips = report.cells.filter { $0.skipped > 0 && asked.contains([$0.law, $0.subject]) }
    guard !skips.isEmpty else { return "nothing ran: no law says anything of these subjects" }
    let reasons = skips.compactMap(\.skipReason).uniqued()
    let named = reasons.prefix(Self.skipReasonLimit).joined(separator: "; ")
    return "nothing was judged: each verdict is a skip"
      + (named.isEmpty ? "" : " (\(named))")
      + ". Other cases may have what a law asks for: more of them are tried with a higher --cases or --budget"
  }

  /// Errors of laws that no failure of their subject is the cause of, such as samples that could not be drawn: some
  /// cases were judged, and what became of the others is told nowhere else.
  private func unexplainedErrors(_ report: Report) -> [String] {
    typealias Claim = (law: String, subject: String, kind: Report.Failure.Kind?)
    let claims =
      report.failures.map { Claim($0.law, $0.subject, $0.kind) }
      + (report.sightings ?? []).map { Claim($0.law, $0.subject, $0.kind) }
    let causes = [FailureKey.answers, DocumentLaw.callsSucceed.name]
    let explained = Set(
      claims.filter { $0.kind != .violated || causes.contains($0.law) }.map(\.subject)
    )
    return report.cells.filter {
      $0.errored > 0 && $0.errored < $0.judged && !explained.contains($0.subject)
    }.map {
      "\($0.law) could not be judged on \($0.subject) in \(counted($0.errored, "case"))"
        + ($0.errorReason.map { ": \($0)" } ?? "")
    }
  }

  /// How far an interrupted run came: what it did not try, it does not vouch for.
  private func interruption(cases: Int) -> Report.Reason {
    switch result.budget {
    case .cases(let count):
      let lanes = result.lanes.count { !$0.lane.groups.isEmpty }
      return .interruption(after: "\(grouped(cases)) of \(counted(count * lanes, "case"))")
    case .seconds(let seconds):
      return .interruption(
        after: "\(counted(cases, "case")), \(decimal(result.seconds)) of \(decimal(seconds)) s"
      )
    }
  }

  /// Whether histories were judged, and nothing was done in any of them.
  private var hasOnlyEmptyHistories: Bool {
    let lanes = result.lanes.filter { $0.lane.judgesHistories && $0.totals.isJudged }
    return !lanes.isEmpty
      && lanes.allSatisfy { $0.totals.coverage[Coverage.HistoryTopic.edits].isEmpty }
  }
}
