// What hostile peers may not achieve. Four laws of histories in which peers send forged things
// (`DocumentModel/Attack.swift` says which), then what the law of twins asks (`Twins`), then the
// law of costs, which is one of stored bytes and calls a replica itself.
//
//     r0 put root "k" int 1
//     r1 hears poison knowing r0 pick 0      a bad change that follows r0's; it waits in r1
//     r0 -> r1 changes                       r0's change releases it: it is dropped, and r1 shows "k"
//
// In an engine that lets the bad change refuse the call (`engine-bad-waiting-refuses-call`), r1
// never takes in what r0 wrote.

import DocumentModel
import Histories
package import PropertyEngine

extension DocumentLaw {
  /// What documents promise whatever a hostile peer sends.
  static let hostileLaws: [DocumentLaw] = [
    hostileKeepsNothingOut, hostileShowsNothing, hostileIsTold, hostileTwinsStayApart,
    hostileFilesLoad,
  ]

  /// Histories in which a third of all steps is a hostile peer's.
  ///
  /// `impoliteCalls` must be on: attacks are among the calls that it allows. Worlds are small,
  /// since what an attack costs beside a large document is the affair of `hostile.costs-its-bytes`.
  private static func attacked(
    _ limits: HistoryLimits,
    _ hostility: Hostility
  ) -> Generator<History> {
    var limits = limits
    limits.impoliteCalls = true
    limits.hostility = hostility
    limits.largeWorlds = false
    if hostility == .equivocal {
      // By every other transport a replica takes in all of another's changes, or none.
      limits.capabilities.transports.formIntersection([.changes])
    }
    return .histories(limits)
  }

  /// Catches a queue in which a bad change stops the call that brings what it waited for, through
  /// save, load and fork; a number that is taken by a change which is not its author's; a document
  /// that saves what its load refuses.
  ///
  /// Misses what honest replicas show alike and wrong.
  ///
  /// Asks for convergence and not only for success: a change that is kept out may be kept out in
  /// silence. Each replica is saved and loaded as well, since the real core saves forged changes
  /// that it cannot load.
  static let hostileKeepsNothingOut = DocumentLaw(
    "hostile.keeps-nothing-out",
    "Hostile peers keep no honest change out.",
    "Whatever hostile peers send, every call of honest replicas succeeds, what they save loads, and they converge.",
    source: .decision(47),
    needs: Needs([.attacks, .save]),
    samples: .own { attacked($0, .frequent) },
    judging: .one { plan in
      let states =
        (0..<plan.replicaCount).map { plan.observe($0, .converged) }
        + (0..<plan.replicaCount).map { plan.reload($0).shown }
      return { answers in
        let failed = answers.firstOutcome { instruction, outcome in
          guard case .failed(let reason) = outcome else { return nil }
          return Difference(
            kind: "\(instruction.name) fails",
            summary: "\(instruction.name) failed beside a hostile peer",
            expected: "success",
            actual: reason
          )
        }
        return failed
          ?? states.dropFirst().lazy.compactMap { answers.difference($0, from: states[0]) }.first
      }
    }
  )

  /// Catches a load that refuses a whole file because a change that waits in its first save turns out bad by
  /// what the later saves bring: one forged change would lose an app its document.
  ///
  ///     file = save before healing, with a poisoned change that waits for X
  ///          + what is new after healing, X among it
  ///
  /// A single save never holds both, since X drops what waits for it. ``hostileKeepsNothingOut`` asks for those.
  static let hostileFilesLoad = DocumentLaw(
    "hostile.files-load",
    "Files load that a hostile peer reached.",
    "A save of a replica that hostile peers reached loads with what is new behind it, and shows what the replica shows.",
    source: .decision(47),
    needs: Needs([.attacks, .save, .fork, .increments]),
    samples: .own { attacked($0, .frequent) },
    judging: .one { plan in
      let files = (0..<plan.replicaCount).map { plan.growFile(of: $0) }
      return { answers in
        for file in files {
          for question in file.calls {
            guard case .failed(let reason)? = answers.outcome(question) else { continue }
            return Difference(
              kind: "a file fails",
              summary: "the file of an attacked replica was not written or does not load",
              expected: "success",
              actual: reason
            ).between(nil, answers.asked(question))
          }
          if let difference = answers.difference(file.loaded, from: file.written) {
            return difference
          }
        }
        return nil
      }
    }
  )

  /// Catches forged changes that are taken in, and lies that leave something behind.
  ///
  /// Worked example: r1 hears a change with number 2 of a writer whose number 1 no replica has. An
  /// engine that does not ask for number 1 takes it in, and shows a head more than the
  /// specification (`engine-numbers-may-skip`).
  static let hostileShowsNothing = DocumentLaw(
    "hostile.shows-nothing",
    "Forged changes show nothing.",
    "Documents show what honest writers wrote, whatever hostile peers send, before and after healing.",
    source: [.decision(47), .specification(.semantics, "Fork, merge, duplicates")],
    needs: Needs([.attacks, .automergeSemantics]),
    samples: .own { attacked($0, .frequent) },
    judging: .agreement { plan in
      let states =
        (0..<plan.replicaCount).map { plan.observe($0, .divergent) }
        + (0..<plan.replicaCount).map { plan.observe($0, .converged) }
      return { subject, oracle in disagreement(on: states, subject, oracle) }
    }
  )

  /// Catches refusals that no caller hears of, changes that are dropped and not counted, and good changes
  /// that are refused because they came from a stranger.
  ///
  /// Lies of sync may be believed or not: of them it asks only that a message with 16 Haves is taken, and one with 17
  /// is not.
  ///
  /// The oracle's forged changes are wrong by their number alone, and its reports say what is due.
  /// Reports stand in the order of the history's attacks on both sides, so that they are compared
  /// in pairs.
  static let hostileIsTold = DocumentLaw(
    "hostile.is-told",
    "Refused and dropped changes are reported.",
    "A forged change is refused, or waits and is dropped and counted when its dependencies come; a sync message "
      + "with 16 Haves is taken, and one with more is refused.",
    source: [.decision(47), .specification(.format, "Bloom filters")],
    needs: Needs([.attacks, .automergeSemantics]),
    samples: .own { attacked($0, .frequent) },
    judging: .agreement { plan in
      { subject, oracle in
        zip(subject.attackReports, oracle.attackReports).lazy.compactMap {
          actual,
          expected -> Difference? in
          guard let isRefused = expected.report.isRefused else { return nil }
          let kind = "\(expected.attack.kind.rawValue)"
          guard isRefused == actual.report.isRefused else {
            return Difference(
              kind: "\(kind) is told wrongly",
              summary: "what became of what is sent as \(kind) is not what is due",
              expected: isRefused ? "a refusal" : "taken in, or kept waiting",
              actual: actual.report.isRefused == true ? "a refusal" : "none"
            ).between(
              oracle.asked(at: expected.position, .oracle),
              subject.asked(at: actual.position)
            )
          }
          // The specification counts nothing for what is no change.
          guard let due = expected.report.droppedCount, due != actual.report.droppedCount else {
            return nil
          }
          return Difference(
            kind: "dropped changes",
            summary: "a replica tells another number of dropped changes",
            expected: "\(due)",
            actual: "\(actual.report.droppedCount ?? 0)"
          ).between(
            oracle.asked(at: expected.position, .oracle),
            subject.asked(at: actual.position)
          )
        }.first
      }
    }
  )

  /// Catches a second change that is taken for the first, or takes its place; and honest changes that are
  /// refused because one beside them is.
  ///
  /// Replicas that heard the same twins converge; others cannot. Misses twins that travel in one message with
  /// honest changes: those are refused as a whole.
  ///
  /// `expectsRefusals` is set, for honest deliveries fail where they bring the other twin.
  static let hostileTwinsStayApart = DocumentLaw(
    "hostile.twins-stay-apart",
    "Of two twin changes, the first stays.",
    "If two changes have the same actor and number, the first to arrive stays and the second is refused. Changes "
      + "that follow neither are taken in. Replicas with the same ones converge.",
    source: [.decision(47), .specification(.semantics, "Fork, merge, duplicates")],
    needs: Needs([.attacks, .save, .fork], transports: [.changes], scalars: [.int]),
    samples: .own { attacked($0, .equivocal) },
    expectsRefusals: true,
    judging: .one { plan in
      let replicas = (0..<plan.replicaCount).map { Twins.Asked(of: $0, &plan) }
      let crossing = Twins.crossing(&plan)
      return { answers in
        for replica in replicas {
          if let difference = replica.judge(answers) { return difference }
        }
        var first: [Twins.Heard: Question] = [:]
        for state in replicas.map(\.state) {
          guard let heard = Twins.Heard(answers.observation(state)) else { continue }
          if let other = first[heard] {
            if let difference = answers.difference(state, from: other) { return difference }
          } else {
            first[heard] = state
          }
        }
        guard let shown = answers.observation(crossing), shown.root.value("neutral") == nil else {
          return nil
        }
        return Difference(
          kind: "crossing",
          summary: "an honest change is kept out that came with a twin and does not follow it",
          expected: "int 1 under \"neutral\"",
          actual: "nothing"
        ).between(nil, answers.side(crossing))
      }
    }
  )

  private static func disagreement(
    on states: [Question],
    _ subject: Answers,
    _ oracle: Answers
  ) -> Difference? {
    states.lazy.compactMap { question -> Difference? in
      guard let expected = oracle.observation(question),
        let actual = subject.observation(question)
      else { return nil }
      return actual.difference(from: expected)?
        .between(oracle.side(question, .oracle), subject.side(question))
    }.first
  }
}

extension Plan {
  /// A replica after healing, saved and loaded: the copy, and what it shows.
  ///
  /// The copy is the law's own, so that it may hear what it likes.
  fileprivate mutating func reload(_ replica: Int) -> (copy: Int, shown: Question) {
    let (slot, copy) = (scratchSlot(), scratchDocument())
    ask(.save(document: replica, slot: slot), .converged)
    ask(.load(document: copy, slot: slot, Plan.scratchActor), .converged)
    return (copy, observe(copy, .converged, as: "r\(replica) after healing, saved and loaded"))
  }

  /// A file of a copy of a replica: saved before healing, then what healing brought behind it.
  fileprivate mutating func growFile(
    of replica: Int
  ) -> (calls: [Question], written: Question, loaded: Question) {
    let (slot, writer) = (scratchSlot(), copy(of: replica, .divergent))
    let saved = ask(.save(document: writer, slot: slot), .divergent)
    let merged = ask(.merge(document: writer, from: replica), .converged)
    let appended = ask(.call(document: writer, .append(slot: slot)), .converged)
    let reader = scratchDocument()
    let loaded = ask(.load(document: reader, slot: slot, Plan.scratchActor), .converged)
    return (
      [saved, merged, appended, loaded],
      observe(writer, .converged, as: "the writer of the file"),
      observe(reader, .converged, as: "the file, loaded")
    )
  }
}

extension Answers {
  /// What became of each attack of the history.
  ///
  /// Only attacks that were answered with a report; one that the subject failed at is left out.
  fileprivate var attackReports: [(attack: Attack, report: AttackReport, position: Int)] {
    let answered = zip(plan.program.instructions, transcript.outcomes)
    return answered.enumerated().compactMap { position, answer in
      guard case .call(_, .hear(let attack)) = answer.0, case .heard(let report) = answer.1 else {
        return nil
      }
      return (attack, report, position)
    }
  }
}

/// What the law of twins asks.
///
/// A twin is a put of 0 or 1 under the root's key "twin", first change of a writer of its own.
/// There are two pairs, by `pick`:
///
///     pick       0     1     2     3
///     writer     f2    f2    f3    f3
///     value      0     1     0     1
///
/// A replica that has heard all four shows two values, one for each pair.
private enum Twins {
  /// Which twins a replica has heard: what it shows under their key.
  ///
  /// Ids of the values are compared, too, where the subject shows them.
  struct Heard: Hashable {
    let values: [ObservedValue]

    init?(_ observation: Observation?) {
      guard case .map(let entries)? = observation?.root.content else { return nil }
      values = entries.first { $0.key == "twin" }?.register.values ?? []
    }
  }

  /// One replica after healing, what it shows when it is saved and loaded, and a copy of it that hears all
  /// twins once more.
  struct Asked {
    let state: Question
    let loaded: Question
    let reports: [Question]
    let after: Question

    init(of replica: Int, _ plan: inout Plan) {
      state = plan.observe(replica, .converged)
      let (copy, shown) = plan.reload(replica)
      loaded = shown
      reports = (0..<4).map { pick in
        let attack = Attack(.equivocate, knowing: replica, pick: pick)
        return plan.ask(.call(document: copy, .hear(attack)), .converged)
      }
      after = plan.observe(copy, .converged, as: "r\(replica) after it heard all twins")
    }

    /// Twins that were heard before stay, one of each pair is shown in the end, and of each pair
    /// just one was refused.
    func judge(_ answers: Answers) -> Difference? {
      if let difference = answers.difference(loaded, from: state) { return difference }
      guard let before = Heard(answers.observation(state)),
        let after = Heard(answers.observation(after))
      else { return nil }
      let kept = before.values.allSatisfy(after.values.contains)
      guard kept, after.values.count == 2 else {
        return Difference(
          kind: "twins",
          summary: "of two pairs of twins a replica shows \(after.values.count) changes",
          expected: "the first of each pair to come",
          actual: after.values.map(\.brief).joined(separator: ", ")
        ).between(nil, answers.side(self.after))
      }
      let refused = reports.map { question -> Bool? in
        guard case .heard(let report) = answers.outcome(question) else { return nil }
        return report.isRefused
      }
      // A subject that does not say whether it refuses is not judged by what it says.
      for pair in [refused.prefix(2), refused.suffix(2)] {
        guard !pair.contains(nil), pair.count(where: { $0 == true }) != 1 else { continue }
        return Difference(
          kind: "twins are told",
          summary: "of two twins a replica refuses \(pair.count { $0 == true })",
          expected: "1",
          actual: "\(pair.count { $0 == true })"
        ).between(nil, answers.side(self.after))
      }
      return nil
    }
  }

  /// Two documents that hear one twin each; one has written before.
  ///
  /// What it wrote is to reach the other.
  ///
  ///     writer     puts "neutral", then hears twin 0
  ///     reader     hears twin 1, then is sent all that the writer has: "neutral", and twin 0
  ///
  /// The reader refuses twin 0. "neutral" follows neither, and must be taken in all the same.
  static func crossing(_ plan: inout Plan) -> Question {
    let (writer, reader, message) = (
      plan.scratchDocument(), plan.scratchDocument(), plan.scratchMessage()
    )
    let instructions: [Instruction] = [
      .create(document: writer, ActorID(repeating: 0xdb)),
      .create(document: reader, ActorID(repeating: 0xda)),
      .edit(document: writer, .put(.root, .key("neutral"), .int(1)), makes: nil),
      .commit(document: writer),
      .call(document: writer, .hear(Attack(.equivocate, knowing: writer, pick: 0))),
      .call(document: reader, .hear(Attack(.equivocate, knowing: reader, pick: 1))),
      .send(message: message, from: writer, to: reader, .changes, .missing),
      .deliver(message: message, document: reader, part: nil),
    ]
    for instruction in instructions { plan.ask(instruction, .converged) }
    return plan.observe(reader, .converged, as: "the reader, which heard the other twin")
  }
}

/// What a hostile peer may cost.
package enum HostileLaws<R: StoredReplica> {
  /// Steps that a byte of a hostile peer may cost, and bytes of memory that may be held for it.
  ///
  /// Far less than what is stated for bytes of any kind (``StoredReplica/workLimit(forByteCount:)``),
  /// which have long runs and deflated parts; here a change has one operation at most.
  private static var stepsPerByte: Int { 256 }
  private static var memoryPerByte: Int { 16 }

  /// The law of costs on the replicas of a history.
  ///
  /// The victim is the last replica of the history, made large; its peer knows all that replica 0
  /// knows. Each case sends 16 attacks of all kinds but `replay`, which sends what is honest.
  package static var costsItsBytes: Law<PickedHistory> {
    Law(
      "hostile.costs-its-bytes",
      "Hostile bytes cost in proportion.",
      "What a hostile peer sends costs 256 steps and 16 bytes of memory a byte at most, however large the document is; what is said in answer to its lies is no larger than what the document holds.",
      source: .decision(47),
      forAll: PickedHistory.samples()
    ) { sample in
      var replicas = Normaliser<R>.run(sample.history).replicas
      guard var victim = replicas.popLast() else { throw Skipped("no replica") }
      try grow(&victim)
      var informant = replicas.isEmpty ? try victim.fork(actor: writer) : replicas[0]
      // An answer may be all changes at once, told as a message to a peer that has nothing.
      let held = try victim.changes(since: []).reduce(0) { $0 + $1.count + changeOverhead }
      // The first refusal may rebuild what honest growth has left behind, and the first answer to a peer that says
      // that it has nothing (pick 1) the changes of a loaded document, which are then kept.
      _ = try victim.hear(Attack(.forge, knowing: 0, pick: 0), from: &informant)
      _ = try victim.hear(Attack(.lie, knowing: 0, pick: 1), from: &informant)
      for index in 0..<16 {
        let kinds = Attack.Kind.allCases.filter { $0 != .replay }
        let attack = Attack(
          kinds[(sample.pick(index) + index) % kinds.count],
          knowing: 0,
          pick: sample.pick(index + 1)
        )
        let report = try victim.hear(attack, from: &informant)
        let bytes = report.byteCount
        for (name, cost, bound) in [
          ("steps", report.work, stepsPerByte * bytes),
          ("bytes of memory", report.memory, memoryPerByte * bytes),
          ("bytes of answers", report.answerByteCount, 2 * held + answerOverhead),
        ] {
          guard let cost, cost > bound else { continue }
          return Difference(
            kind: name,
            summary: "an attack of kind \(attack.kind.rawValue) costs more than its bytes may",
            expected: "\(bound) \(name) at most for \(bytes) bytes",
            actual: "\(cost)"
          ).between(nil, "the replica that is attacked")
        }
      }
      return nil
    }
  }

  /// Makes the document large beside what is sent to it.
  ///
  /// Squares, so that the values are no run that is stored in a few bytes.
  private static func grow(_ document: inout R) throws {
    guard let list = try document.apply(.putObject(.root, .key("large"), .list)).made else {
      return
    }
    let values = (0..<2048).map { Scalar.int(Int64($0 * $0)) }
    _ = try document.apply(.splice(list, index: 0, deleting: 0, inserting: values))
    document.commit()
  }

  private static var writer: ActorID { ActorID(repeating: 0xdd) }
  /// What an answer says of each change beside its bytes: a head, a part of a filter, a length.
  private static var changeOverhead: Int { 64 }
  /// Messages, and hashes that are asked for.
  private static var answerOverhead: Int { 4096 }
}
