import FaultInjection
import FileSystems
import PropertyEngine

/// What is done to stores and what goes wrong: what a report counts as the coverage of values.
///
/// Each sample has a crash, a refusal and damage; those that its law does not carry out count as nothing.
package enum StoreCoverage {
  /// What holds the values that are counted.
  package static let samples = "runs of stores"

  /// Every kind of step, text and fault, with every trait that one of the kind can have; `steps` counts the
  /// samples, by how many steps each has.
  package static let kinds: [(name: String, traits: [String])] = [
    ("steps", ValueTraits.ofCounts), ("change", items + [deletes]), ("text", ValueTraits.ofLengths),
    ("flush", []), ("compact", []), ("reopen", []), ("restart", []), ("crash", crashes),
    ("second crash", crashes),
    ("refusal", FaultPlan.causes.map { "\($0)" } + [ofOneCall, ofSeveralCalls]),
    ("damage", Damage.Kind.allCases.map(\.rawValue)),
  ]

  /// No change has more items.
  private static let items = Array(ValueTraits.ofCounts.prefix(3))
  private static let deletes = "deletes"
  private static let crashes = CrashModel.allCases.map(\.rawValue) + [losesNothing]
  private static let losesNothing = "loses nothing"
  private static let ofOneCall = "of one call"
  private static let ofSeveralCalls = "of several calls"

  /// What is done at each level; what is not of the law's shape is not done.
  static func tally(of sample: StoreSample, _ shape: StoreSample.Shape) -> ValueTally {
    var tally = ValueTally()
    func add(_ kind: String, _ traits: [String] = []) {
      tally.add(kind, traits, usedBy: sample.level.rawValue)
    }
    func addCrash(_ kind: String, _ loss: PowerLoss) {
      let losesAny = !loss.lost.isEmpty || loss.pattern != 0
      add(kind, [loss.model.rawValue] + (losesAny ? [] : [losesNothing]))
    }
    add("steps", [ValueTraits.of(count: sample.steps.count)])
    for step in sample.steps {
      switch step {
      case .change(let saved, let deleted):
        let count = ValueTraits.of(count: saved.count + deleted.count)
        add("change", [count] + (deleted.isEmpty ? [] : [deletes]))
        for text in saved {
          add("text", [ValueTraits.of(length: StoreSample.text(text.number).utf8.count)])
        }
      case .flush: add("flush")
      case .compact: add("compact")
      case .reopen: add("reopen")
      case .restart: add("restart")
      }
    }
    if shape.hasCrash { addCrash("crash", sample.loss) }
    if shape.hasSecondCrash { addCrash("second crash", sample.lossAgain) }
    if shape.hasRefusal {
      let calls = sample.refusedCount == 1 ? ofOneCall : ofSeveralCalls
      add("refusal", ["\(sample.refusalCause)", calls])
    }
    if shape.hasDamage { add("damage", [sample.damage.kind.rawValue]) }
    return tally
  }
}
