import DocumentModel

/// Which steps a condition is about, beside what they edit: those that have all that its members
/// demand.
///
///     {"by": "changes", "arrives": "early"}
package struct StepPattern: Hashable, Sendable {
  package enum Member: String, ConditionMember {
    case kind
    case transport = "by"
    case arrives

    package var sentence: String {
      switch self {
      case .kind:
        "The kind of step, by the words of the text form; `exchange` is one without a message, such"
          + " as `r0 -> r1 merge`."
      case .transport: "The transport of the exchange, or of the message."
      case .arrives:
        "`early`: changes arrive where some are missing that the sender sent before to the same"
          + " receiver."
      }
    }

    package var form: String {
      switch self {
      case .kind: "one or several of " + Self.spelled(StepPattern.Kind.allCases.map(\.rawValue))
      case .transport: "one or several of " + Self.spelled(Transport.allCases.map(\.rawValue))
      case .arrives: Self.spelled(StepPattern.arrivals)
      }
    }
  }

  /// Kinds of steps; what is an edit, `edit` of a condition speaks of.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case commit, fork, exchange, send, deliver, drop, cut, mend, clog, unclog, save, restart
    case append, rollback, read, cursor
    case attempt = "try"
    case sync = "syncs"
    case hear = "hears"
  }

  static let arrivals = ["early"]

  // `nil` where a member is absent, which demands nothing.
  private var kinds: Set<Kind>?
  private var transports: Set<Transport>?
  private var isEarly = false

  init(_ json: ConditionJSON) throws(HistoryPredicateError) {
    for (member, json) in try json.members(as: Member.self) {
      switch member {
      case .kind: kinds = try json.cases("kind of step")
      case .transport: transports = try json.cases("transport")
      case .arrives:
        isEarly = !(try json.names("word for an arrival", of: Self.arrivals)).isEmpty
      }
    }
  }

  /// The indexes of the steps that are such, ascending.
  func steps(of history: History) -> [Int] {
    var arrivals = EarlyArrivals()
    var sent: [Int: Transport] = [:]
    return history.steps.indices.filter { index in
      let step = history.steps[index]
      // Each step is taken in, whatever else is asked of it.
      let arrivesEarly = arrivals.isEarly(step)
      if case .send(let message, _, _, let transport) = step { sent[message] = transport }
      if isEarly, !arrivesEarly { return false }
      if let kinds, !(step.patternKind.map(kinds.contains) ?? false) { return false }
      guard let transports else { return true }
      return transport(of: step, sent).map(transports.contains) ?? false
    }
  }

  private func transport(of step: Step, _ sent: [Int: Transport]) -> Transport? {
    switch step {
    case .exchange(_, _, let transport), .send(_, _, _, let transport): transport
    case .deliver(let message, _), .drop(let message, _): sent[message]
    default: nil
    }
  }
}

extension Step {
  /// The step's own kind, or that of its call; `nil` for a step that edits.
  fileprivate var patternKind: StepPattern.Kind? {
    guard case .call(_, let call) = self else { return StepPattern.Kind(rawValue: kind.rawValue) }
    return switch call {
    case .burst: nil
    case .attempt: .attempt
    case .rollback: .rollback
    case .read: .read
    case .append: .append
    case .commit: .commit
    case .hear: .hear
    case .cursor: .cursor
    case .sync: .sync
    }
  }
}
