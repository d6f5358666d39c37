import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Reporting

extension DocumentJudge {
  /// The failing history step by step, with what its replica shows after each.
  func illustration(of failure: Failure, runsSubject: Bool) -> Lane.Illustration {
    var illustration = Lane.Illustration()
    guard let history = failure.history else { return illustration }
    illustration.replicas = history.finalReplicaCount
    let observed = ObservedProgram(history)
    let subject = runsSubject ? transcript(observed.program) : nil
    let oracle = runsSubject ? oracleTranscript(observed.program) : nil
    func isEssential(_ step: Int) -> Bool {
      failure.essentialParts.indices.contains(step) ? failure.essentialParts[step] : true
    }
    var numbering = ReplicaNumbering(history)
    // A call that fails at each look differs at each; the first says all there is to say.
    var failures: Set<String> = []
    func differing(_ state: [String], _ expected: [String], at position: Int?) -> [String]? {
      if let words = failedLook(subject, position), !failures.insert(words).inserted { return nil }
      return expected == state || oracle == nil ? nil : expected
    }
    illustration.start = lines(subject, observed.opened, ofEmpty: [])
    illustration.timeline = zip(history.steps, history.stepLines).enumerated().map {
      index,
      pair -> Report.TimelineStep in
      let (step, text) = pair
      let place = numbering.place(of: step)
      let state = lines(subject, observed.steps[index])
      let expected = lines(oracle, observed.steps[index])
      var shown = Report.TimelineStep(
        kind: step.timelineKind,
        text: text,
        replicas: place.replicas,
        state: state,
        oracleState: differing(state, expected, at: observed.steps[index])
      )
      shown.message = place.message
      shown.isEssential = isEssential(index)
      return shown
    }
    let replicas = Array(0..<history.finalReplicaCount)
    let (state, expected, namesReplicas) = byReplica(
      replicas.map { (lines(subject, observed.healed + $0), lines(oracle, observed.healed + $0)) }
    )
    var healing = Report.TimelineStep(
      kind: .heal,
      text: "heal: every pair exchanges both ways",
      replicas: replicas,
      state: state,
      oracleState: differing(state, expected, at: observed.healed)
    )
    healing.namesReplicas = namesReplicas
    illustration.timeline.append(healing)
    return illustration
  }

  /// What subject and oracle show: one state each if all replicas show it; otherwise each pair that there
  /// is, on both sides below the names of the replicas that show it, so that like stands beside like.
  private func byReplica(
    _ shown: [(subject: [String], oracle: [String])]
  ) -> (subject: [String], oracle: [String], namesReplicas: Bool) {
    var groups: [(shown: (subject: [String], oracle: [String]), names: [String])] = []
    for (replica, pair) in shown.enumerated() {
      if let index = groups.firstIndex(where: { $0.shown == pair }) {
        groups[index].names.append("r\(replica)")
      } else {
        groups.append((pair, ["r\(replica)"]))
      }
    }
    if groups.count <= 1 {
      return (groups.first?.shown.subject ?? [], groups.first?.shown.oracle ?? [], false)
    }
    func named(_ state: ((subject: [String], oracle: [String])) -> [String]) -> [String] {
      groups.flatMap { group in
        ["\(group.names.joined(separator: ", ")):"] + state(group.shown).map { "  \($0)" }
      }
    }
    return (named { $0.subject }, named { $0.oracle }, true)
  }

  /// The words of a look that failed; `nil` if it did not, or there was none.
  private func failedLook(_ transcript: Transcript?, _ position: Int?) -> String? {
    guard let position, let transcript, transcript.outcomes.indices.contains(position),
      case .failed(let words) = transcript.outcomes[position]
    else { return nil }
    return words
  }

  /// What a document shows at a position; no line where it was not looked at.
  private func lines(
    _ transcript: Transcript?,
    _ position: Int?,
    ofEmpty: [String] = ["the document is empty"]
  ) -> [String] {
    guard let position, let transcript, transcript.outcomes.indices.contains(position) else {
      return []
    }
    switch transcript.outcomes[position] {
    case .observed(let observation):
      return observation.lines.isEmpty ? ofEmpty : observation.lines
    case .failed(let words), .refused(let words): return [words]
    default: return []
    }
  }
}

/// A history's program that looks at a replica after each step that may change it, and at all in the end.
private struct ObservedProgram {
  private(set) var program = Program()
  /// Where the first replica is looked at before any step: an index of instructions, as all here.
  let opened: Int
  /// Where the changed replica is looked at after each step; `nil` where none may have changed.
  private(set) var steps: [Int?] = []
  /// Where the first replica is looked at after healing; the others follow.
  let healed: Int

  init(_ history: History) {
    program.instructions = history.opening
    opened = program.instructions.count
    program.instructions.append(.observe(document: 0))
    var lowering = Lowering(history: history)
    for step in history.steps {
      program.instructions += lowering.lower(step)
      guard let replica = step.changedReplica(in: history) else {
        steps.append(nil)
        continue
      }
      steps.append(program.instructions.count)
      program.instructions.append(.observe(document: replica))
    }
    program.instructions += history.healingPhase
    healed = program.instructions.count
    program.instructions += (0..<history.finalReplicaCount).map { .observe(document: $0) }
  }
}

/// Knows the replica that a message goes to, and the one that a fork becomes.
private struct ReplicaNumbering {
  private var count: Int
  private var messages: [Int: (from: Int, to: Int)] = [:]

  init(_ history: History) {
    count = history.replicaCount
  }

  mutating func place(of step: Step) -> (replicas: [Int], message: Int?) {
    switch step {
    case .edit(let replica, _), .commit(let replica), .save(let replica, _),
      .restart(let replica, _, _), .call(let replica, _):
      return ([replica], nil)
    case .fork(let replica, _), .branch(let replica, _, _):
      count += 1
      return ([replica, count - 1], nil)
    case .exchange(let from, let to, _), .clog(let from, let to), .unclog(let from, let to):
      return ([from, to], nil)
    case .send(let message, let from, let to, _):
      messages[message] = (from, to)
      return ([from, to], message)
    case .deliver(let message, _), .drop(let message, _):
      guard let ends = messages[message] else { return ([], message) }
      return ([ends.from, ends.to], message)
    case .cut(let side, _): return (side, nil)
    case .mend: return ([], nil)
    }
  }
}

extension Step {
  /// The replica whose state the step may change.
  fileprivate func changedReplica(in history: History) -> Int? {
    switch self {
    case .edit(let replica, _), .restart(let replica, _, _), .fork(let replica, _): return replica
    case .call(let replica, .burst), .call(let replica, .rollback): return replica
    case .exchange(_, let to, _): return to
    case .deliver(let message, _):
      for case .send(message, _, let to, _) in history.steps { return to }
      return nil
    default: return nil
    }
  }

  /// The step's own kind; a call is shown as an edit.
  fileprivate var timelineKind: Report.TimelineStep.Kind {
    Report.TimelineStep.Kind(rawValue: kind.rawValue) ?? .edit
  }
}
