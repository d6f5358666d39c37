// Laws of one situation each, which random histories seldom meet: runs typed at one place, a run that goes on
// where another replica inserts, and counters alone. `RunScenario` below them draws histories of runs, and finds
// a run that is broken.

import DocumentModel
import Histories
import PropertyEngine
import Texts

extension DocumentLaw {
  /// Laws that speak of one situation, and bring histories of it along.
  static let scenarioLaws: [DocumentLaw] = [textRunsStayWhole, listRunsStayWhole, incrementsAdd]

  private static let interleaving: LawSource =
    .paper("Kleppmann et al., Interleaving anomalies in collaborative text editors, 2019")

  /// Catches the anomaly that makes two words typed at one place a mix of letters.
  ///
  /// Random histories hardly ever type runs at one place, and so the law brings its own.
  /// Misses runs typed backwards; the law says nothing about them.
  ///
  /// Worked example, in the text "ab" of the base:
  ///
  ///     r0 type text2 1 delete 0 insert "AB"
  ///     r1 type text2 1 delete 0 insert "FG"
  ///
  /// "aFGABb" and "aABFGb" are right, "aFAGBb" is not. Engines that order elements by id alone, and
  /// not by what they were inserted behind, mix the letters.
  static let textRunsStayWhole = DocumentLaw(
    "text.runs-stay-whole",
    "Typed runs are not interleaved.",
    "What one replica types in one go stays together, whatever others type at the same place.",
    source: interleaving,
    needs: .baseOfObjects([.contiguousRuns], edits: [.spliceText]),
    samples: .own { RunScenario(kind: .text, limits: $0).histories },
    judging: .one { plan in
      let runs = RunScenario.runs(in: plan.history.history)
      let question = plan.observe(0, .converged)
      return { answers in
        guard
          case .text(let text, _, _)? = answers.observation(question)?.root.child("t")?.content
        else { return nil }
        let letters = text.string.unicodeScalars.map { Int64($0.value) }
        return RunScenario.brokenRun(runs, in: letters, as: quoted(text.string))?
          .between(nil, answers.side(question))
      }
    }
  )

  /// The same in lists, which some engines keep in another structure.
  ///
  /// Values are letters' numbers from 65 on, so that both laws share what follows.
  static let listRunsStayWhole = DocumentLaw(
    "list.runs-stay-whole",
    "Inserted runs are not interleaved.",
    "Values that one replica inserts one after the other stay together in the list.",
    source: interleaving,
    needs: .baseOfObjects([.contiguousRuns], edits: [.splice]),
    samples: .own { RunScenario(kind: .list, limits: $0).histories },
    judging: .one { plan in
      let runs = RunScenario.runs(in: plan.history.history)
      let question = plan.observe(0, .converged)
      return { answers in
        guard case .list(let elements)? = answers.observation(question)?.root.child("l")?.content
        else { return nil }
        let numbers = elements.map { element -> Int64 in
          guard case .scalar(.int(let number))? = element.values.last?.content else { return -1 }
          return number
        }
        return RunScenario.brokenRun(runs, in: numbers, as: "\(numbers)")?
          .between(nil, answers.side(question))
      }
    }
  )

  /// Laws of runs that go on after others have heard of their beginning.
  static let growingRunLaws: [DocumentLaw] = [insertionsMeetRuns]

  /// Catches an engine that keeps a typed run as one piece, and puts what another replica inserted behind its beginning
  /// in the middle of it without a look at the ids.
  ///
  /// The other replica's insertion has the same number as the second letter only if it is the first thing that it
  /// does, and it is the lesser one for one of two orders of the writers: random histories hardly ever come to it.
  ///
  /// Worked example, in the text "ab" of the base:
  ///
  ///     r1 type text2 1 delete 0 insert "A"        9@r1
  ///     r1 -> r0 merge
  ///     r1 type text2 2 delete 0 insert "F"        10@r1, which goes on where "A" ends
  ///     r0 type text2 2 delete 0 insert "K"        10@r0, behind "A" as well
  ///
  /// "aAFKb" on both sides. r1 has "AF" as one run, and must pass the "F", whose id is greater.
  static let insertionsMeetRuns = DocumentLaw(
    "text.insertions-meet-runs",
    "Insertions into a growing run converge.",
    "If a replica goes on typing behind a character, or with values of a list, while another inserts there that has "
      + "heard of the beginning alone, all show one state, in which what each inserted stands in one piece.",
    source: [.specification(.semantics, "Insert rule"), interleaving],
    needs: .baseOfObjects([.contiguousRuns], edits: [.spliceText, .splice]),
    samples: .own { RunScenario.growing(within: $0) },
    judging: .one { plan in
      let runs = RunScenario.runs(in: plan.history.history).map(\.behindBeginning)
        .filter { !$0.values.isEmpty }
      let states = (0..<plan.replicaCount).map { plan.observe($0, .converged) }
      return { answers in
        for state in states.dropFirst() {
          if let difference = answers.difference(state, from: states[0]) { return difference }
        }
        guard
          case .text(let text, _, _)? = answers.observation(states[0])?.root.child("t")?.content
        else { return nil }
        let letters = text.string.unicodeScalars.map { Int64($0.value) }
        // The runs stand in the list if the text has no letter of theirs.
        guard runs.contains(where: { letters.contains($0.values.first ?? -1) }) else { return nil }
        return RunScenario.brokenRun(runs, in: letters, as: quoted(text.string))?
          .between(nil, answers.side(states[0]))
      }
    }
  )

  /// Catches increments that are lost, counted twice, or counted for one replica alone.
  ///
  /// Misses counters in lists, and counters that were overwritten meanwhile.
  ///
  /// Needs no ids and no oracle: the sum comes from the history. "n" starts at 10, "n2" at -5.
  ///
  ///     r0 increment root "n" 1
  ///     r1 increment root "n" 1      12; an engine that counts equal increments once shows 11
  static let incrementsAdd = DocumentLaw(
    "counter.increments-add",
    "Every increment counts once.",
    "A counter shows its start value plus every increment exactly once, in any order of arrival.",
    source: .specification(.semantics, "Counters"),
    needs: Needs([.fork], edits: [.increment], scalars: [.counter]),
    samples: .own { limits in
      var limits = limits
      limits.capabilities.edits.formIntersection([.increment])
      // A crash may undo increments that no other replica heard of.
      limits.faults.subtract([.crash, .staleRestart])
      // What is taken back does not count.
      limits.capabilities.features.remove(.rollback)
      limits.hostileText = false
      return Generator<History>.histories(limits).map { history in
        var history = history
        history.base = .counters
        return history
      }
    },
    judging: .one { plan in
      var sums: [ExactString: Int64] = [:]
      for edit in plan.history.history.base.edits {
        if case .put(_, .key(let key), .counter(let start)) = edit { sums[key] = start }
      }
      for edit in plan.history.history.steps.flatMap({ $0.edits?.edits ?? [] }) {
        if case .increment(.root, .key(let key), let amount) = edit {
          // Wraps around, as sums of 64 bits do: amounts of `Int64.max` are drawn.
          sums[key, default: 0] &+= amount
        }
      }
      let expected = sums
      let question = plan.observe(plan.replicaCount - 1, .converged)
      return { answers in
        guard let root = answers.observation(question)?.root else { return nil }
        return expected.keys.sorted().lazy.compactMap { key -> Difference? in
          let actual = root.value(key)
          guard actual != .scalar(.counter(expected[key] ?? 0)) else { return nil }
          return Difference(
            kind: "sum",
            summary: "the counter \(quoted(key.string)) is not its start and all increments",
            expected: "counter \(expected[key] ?? 0)",
            actual: actual.map { ObservedValue(id: nil, content: $0).brief } ?? "nothing"
          ).between(nil, answers.side(question))
        }.first
      }
    }
  )
}

extension DocumentLaw.Needs {
  /// What a law needs whose own histories begin with the base `objects`: what that is made of, besides what the
  /// steps hold.
  static func baseOfObjects(
    _ features: Set<Feature>,
    edits: Set<EditKind>,
    scalars: Set<ScalarKind> = []
  ) -> DocumentLaw.Needs {
    DocumentLaw.Needs(
      features.union([.fork]),
      edits: edits.union(Base.objects.edits.map(\.kind)),
      objects: Set(ObjectKind.allCases),
      scalars: scalars.union([.string, .int])
    )
  }
}

/// Histories in which each replica inserts one run at a place of its choice, before any hears of
/// another.
///
/// A run is of two to five values: at most five letters, so that each replica has a range of its
/// own from "A" on (A to E, F to J, K to O, P to T).
private struct RunScenario {
  /// In the order in which the replica inserted them, which is that of the text, as each goes
  /// behind the one before.
  struct Run {
    let replica: Int
    let values: [Int64]

    /// The letter that others hear of while the run goes on.
    static let beginning: Int64 = 65

    /// What was inserted behind that letter.
    var behindBeginning: Run {
      Run(replica: replica, values: values.filter { $0 != Self.beginning })
    }
  }

  let kind: ObjectKind
  /// The number of replicas and the transports are within them.
  let limits: HistoryLimits

  var histories: Generator<History> {
    let (kind, limits) = (kind, limits)
    return Generator { choices in
      // Four letter ranges are enough to interleave, and no more stay readable.
      let most = max(2, min(4, limits.replicas.upperBound))
      let count = choices.number(in: min(most, max(2, limits.replicas.lowerBound))...most)
      var steps: [Step] = []
      for replica in 0..<count {
        let start = choices.index(below: 3)
        // Capital letters, which the base lacks: a range for each replica, so that values tell runs.
        let first = Int64(65 + 5 * replica)
        var length: Int64 = 2
        choices.repeated(upTo: 3, averaging: 1, "value") { _ in length += 1 }
        let values = (0..<length).map { first + $0 }
        let isWhole = choices.flag()
        let groups = isWhole ? [values] : values.map { [$0] }
        var index = start
        for group in groups {
          steps.append(.edit(replica: replica, edit(kind, index, group)))
          index += group.count
          // A run that is cut into changes must stay whole as well.
          if choices.flag(percent: 25) { steps.append(.commit(replica: replica)) }
        }
      }
      let transports = Transport.allCases.filter(limits.capabilities.transports.contains)
      let healing = transports.isEmpty ? .merge : choices.element(of: transports)
      return History(base: .objects, replicaCount: count, healing: [healing], steps: steps)
    }
  }

  /// Histories in which one replica begins a run that another hears of, and both go on behind its beginning.
  static func growing(within limits: HistoryLimits) -> Generator<History> {
    Generator { choices in
      let scenario = RunScenario(kind: choices.element(of: [.text, .list]), limits: limits)
      let (typist, other) = choices.flag() ? (0, 1) : (1, 0)
      let transports = Transport.allCases.filter(limits.capabilities.transports.contains)
      let transport = transports.isEmpty ? .merge : choices.element(of: transports)
      let start = choices.index(below: 3)
      var steps: [Step] = [
        .edit(replica: typist, scenario.edit(scenario.kind, start, [Run.beginning])),
        .exchange(from: typist, to: other, transport),
      ]
      for (replica, first) in [(typist, Run.beginning + 5), (other, Run.beginning + 10)] {
        var values = [first]
        choices.repeated(upTo: 3, averaging: 1, "value") { _ in
          values.append(first + Int64(values.count))
        }
        let groups = choices.flag() ? [values] : values.map { [$0] }
        var index = start + 1
        for group in groups {
          steps.append(.edit(replica: replica, scenario.edit(scenario.kind, index, group)))
          index += group.count
          if choices.flag(percent: 25) { steps.append(.commit(replica: replica)) }
        }
      }
      // Others may be there, and do nothing.
      let count = max(2, limits.replicas.lowerBound)
      return History(base: .objects, replicaCount: count, healing: [transport], steps: steps)
    }
  }

  private func edit(_ kind: ObjectKind, _ index: Int, _ values: [Int64]) -> Edit<ObjectName> {
    guard kind == .text else {
      // The base makes the list first, then the text.
      return .splice(ObjectName(1), index: index, deleting: 0, inserting: values.map { .int($0) })
    }
    var text = String.UnicodeScalarView()
    for value in values {
      if let scalar = Unicode.Scalar(UInt32(value)) { text.append(scalar) }
    }
    return .spliceText(
      ObjectName(2),
      index: index,
      deleting: 0,
      inserting: ExactString(String(text))
    )
  }

  /// What each replica inserted, in the order it did.
  static func runs(in history: History) -> [Run] {
    var values: [Int: [Int64]] = [:]
    for case .edit(let replica, let edit) in history.steps {
      switch edit {
      case .splice(_, _, _, let inserted):
        values[replica, default: []] += inserted.map { value in
          if case .int(let number) = value { number } else { -1 }
        }
      case .spliceText(_, _, _, let text):
        values[replica, default: []] += text.string.unicodeScalars.map { Int64($0.value) }
      default: break
      }
    }
    return values.keys.sorted().map { Run(replica: $0, values: values[$0] ?? []) }
  }

  /// Values tell the runs apart, since each replica has a range of its own.
  ///
  /// A run whose first value is missing counts as broken.
  static func brokenRun(_ runs: [Run], in whole: [Int64], as text: String) -> Difference? {
    let broken = runs.first { run in
      guard let start = run.values.first.flatMap(whole.firstIndex(of:)) else { return true }
      return Array(whole[start...].prefix(run.values.count)) != run.values
    }
    return broken.map { run in
      Difference(
        kind: "broken run",
        summary: "what replica \(run.replica) inserted in one go does not stand together",
        expected: "\(run.values) in one piece",
        actual: text
      )
    }
  }
}

extension ObservedObject {
  /// The winner under a key of a map.
  func value(_ key: ExactString) -> ObservedValue.Content? {
    guard case .map(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.register.values.last?.content
  }

  func child(_ key: ExactString) -> ObservedObject? {
    guard case .object(let object)? = value(key) else { return nil }
    return object
  }
}
