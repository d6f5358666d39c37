// How one history is judged by many laws: a trial plans the history for all laws that apply, and
// turns two transcripts into verdicts. It runs nothing itself. `Campaigns/DocumentJudge.swift`
// does:
//
//     Trial(history, laws)              one plan
//     run plan.program on the subject   and plan.oracleProgram on the oracle, if `needsOracle`
//     verdict(ofLaw:subject:oracle:)    for each law; a crossing needs a second run first

package import DocumentModel
package import Histories
package import PropertyEngine

/// One history, the laws it is held to, and the one program that asks for all of them.
package struct Trial: Sendable {
  private enum Judge {
    case one(OneSubjectJudge)
    case agreement(TwoSubjectJudge)
    case crossing(CrossLoading)
  }

  package let plan: Plan
  /// What each applicable law left behind when it was planned.
  private let judges: [(law: DocumentLaw, judge: Judge)]
  /// Laws that say nothing of this subject, and why.
  package let skipped: [(law: DocumentLaw, reason: String)]

  /// Plans a history for a subject; laws of agreement need what both it and the oracle can do.
  ///
  /// Which states are remembered, and what the oracle is asked, follows from the laws that apply: a
  /// trial of one law is cheaper than one of all.
  package init(
    _ history: NormalisedHistory,
    laws: [DocumentLaw],
    subject: Capabilities,
    oracle: Capabilities?
  ) {
    var applicable: [DocumentLaw] = []
    var skipped: [(law: DocumentLaw, reason: String)] = []
    for law in laws {
      if let reason = law.reasonToSkip(subject: subject, oracle: oracle) {
        skipped.append((law, reason))
      } else {
        applicable.append(law)
      }
    }
    // States are remembered for subjects that read them again, and for laws that compare them.
    let remembers = applicable.contains { $0.readsStates || $0.isAgreement }
    var plan = Plan(
      history,
      remembersStates: remembers && subject.features.isSuperset(of: [.heads, .history]),
      watchesCursors: applicable.contains(where: \.watchesCursors)
    )
    var judges: [(law: DocumentLaw, judge: Judge)] = []
    for law in applicable {
      switch law.scope {
      case .one(let ask): judges.append((law, .one(plan.asking(for: law, ask))))
      case .agreement(let ask): judges.append((law, .agreement(plan.asking(for: law, ask))))
      case .crossing:
        judges.append((law, .crossing(plan.asking(for: law) { CrossLoading(&$0) })))
      }
    }
    plan.seal()
    self.plan = plan
    // What a subject cannot carry out shows nothing of it.
    if let lack = subject.lack(for: plan.program) {
      skipped += judges.map { ($0.law, lack) }
      judges = []
    }
    self.judges = judges
    self.skipped = skipped
  }

  /// Whether any law compares the subject with the oracle.
  package var needsOracle: Bool {
    judges.contains { if case .one = $0.judge { false } else { true } }
  }

  /// The laws that apply, in the catalogue's order.
  package var laws: [DocumentLaw] { judges.map(\.law) }

  /// The verdict of the law at an index of ``laws``.
  ///
  /// A crossing is judged by its caller, who runs the second program.
  ///
  /// Never throws: a law without an oracle, or without its second run, is skipped.
  package func verdict(ofLaw index: Int, subject: Answers, oracle: Answers?) -> Verdict {
    switch (judges[index].judge, oracle) {
    case (.one(let judge), _):
      judge(subject).map { .violated($0) } ?? .held
    case (.agreement(let judge), let oracle?):
      judge(subject, oracle).map { .violated($0) } ?? .held
    case (.agreement, nil):
      .skipped("has no other implementation to be compared with")
    case (.crossing, _):
      .skipped("was not run a second time")
    }
  }

  /// What the law at an index of ``laws`` asks in a second run; `nil` if it needs none.
  package func crossing(ofLaw index: Int) -> CrossLoading? {
    if case .crossing(let crossing) = judges[index].judge { crossing } else { nil }
  }

  /// The verdict of each law that applies.
  package func verdicts(
    subject: Transcript,
    oracle: Transcript?
  ) -> [(law: DocumentLaw, verdict: Verdict)] {
    let answers = Answers(plan: plan, transcript: subject)
    let expected = oracle.map { Answers(plan: plan, transcript: $0) }
    return judges.indices.map { index in
      (judges[index].law, verdict(ofLaw: index, subject: answers, oracle: expected))
    }
  }
}

extension DocumentLaw {
  package var isAgreement: Bool {
    if case .one = scope { false } else { true }
  }

  /// Whether subject and oracle load each other's bytes, which takes a second run.
  package var isCrossing: Bool {
    if case .crossing = scope { true } else { false }
  }

  /// Why the law says nothing of a subject; `nil` if it does.
  package func reasonToSkip(subject: Capabilities, oracle: Capabilities?) -> String? {
    if let missing = needs.missing(from: subject) { return missing }
    guard isAgreement else { return nil }
    guard let oracle else { return "has no other implementation to be compared with" }
    return needs.missing(from: oracle).map { "is compared with an oracle that \($0)" }
  }
}
