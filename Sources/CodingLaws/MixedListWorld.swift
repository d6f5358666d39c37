import CodingSupport
import ModelGeneration
package import PropertyEngine

// The exhaustive walk behind the world `mixed-lists` of `Campaigns` (`WorldRun.CoderWorld`).

/// What became of a walk over a small world of a coder.
///
/// Tests look at its counts, so that a walk that became smaller does not go unseen.
package struct CoderWalk: Sendable {
  package internal(set) var sampleCount = 0
  /// What the samples came to.
  package internal(set) var totals = LawTotals()
  /// The places that were visited, lists or others, as `Model: path`, ascending.
  package internal(set) var places: [String] = []
  /// The first sample that breaks the law.
  package internal(set) var violation: (sample: CodingSample, difference: Difference)?

  /// Counts a sample and judges it; `onSample` hears its number before.
  ///
  /// - Returns: Whether the walk goes on: it ends with the first violation.
  mutating func goesOn(
    after sample: CodingSample,
    onSample: (Int) -> Void,
    judge: (CodingSample) -> Judgement
  ) -> Bool {
    sampleCount += 1
    onSample(sampleCount)
    let judgement = judge(sample)
    totals.add(judgement)
    guard case .violated(let difference) = judgement.verdict else { return true }
    violation = (sample, difference)
    return false
  }
}

/// Every list of some models with an element of every kind at every place, by enumeration: what
/// `list.mixed` meets by chance.
///
/// Samples are those of the law, so a violation replays as any stored case does. For a list of n
/// elements, n + 1 places times the strangers times two writers (the document itself, or a peer
/// whose change is merged). Lists of one to three elements have the places that a fast way through
/// lists may treat apart: the first, one between, and the last.
///
/// Worked example: `[1, 2]` has 3 places. With 21 strangers and 2 writers these are 126 samples, the
/// first `{"numbers": [0], "trees": [["insert", ["list", int 0], null]], ..}`.
package struct MixedListWorld: Sendable {
  private let subject: any CoderSubject
  private let pool: ModelPool
  private let models: [String]?

  /// A walk over the models of `list.mixed`, or over those among them with the given names.
  package init(_ subject: any CoderSubject, on pool: ModelPool, models: [String]? = nil) {
    self.subject = subject
    self.pool = pool
    self.models = models
  }

  /// Walks the whole world, or until the law is violated; `onSample` hears each number.
  ///
  /// - Throws: What deriving a value of a model threw.
  package func run(
    onSample: (Int) -> Void = { _ in },
    isInterrupted: () -> Bool = { false }
  ) throws -> CoderWalk {
    let law = CodingLaw.mixedLists
    var result = CoderWalk()
    for model in pool.models where law.models(model) {
      guard models?.contains(model.name) ?? true else { continue }
      // Of many lists that differ in the elements that hold them one is walked.
      var seen: Set<SchemaSlot> = []
      // Lists within values differ from value to value: a few show those that there can be.
      for number in 0..<Self.valueCount {
        var choices = Choices(seed: Seed(value: 1).stream(UInt64(number)))
        let tree = try model.tree(&choices)
        for list in tree.paths {
          guard case .list(let elements)? = tree[list], (1...3).contains(elements.count),
            seen.insert(SchemaSlot(of: list)).inserted
          else { continue }
          result.places.append("\(model.name): \(SchemaSlot(of: list).name)")
          for index in 0...elements.count {
            for stranger in CodingSample.strangers {
              for byPeer in 0...1 where !isInterrupted() {
                var sample = CodingSample(model: model.name)
                sample.values = [tree]
                let path = list + [.index(index)]
                sample.trees = [Drift(.insert, path, stranger).tree]
                sample.numbers = [byPeer]
                let goesOn = result.goesOn(after: sample, onSample: onSample) {
                  law.judgement(on: $0, subject: subject, pool: pool)
                }
                if !goesOn { return result }
              }
            }
          }
        }
      }
    }
    result.places.sort()
    return result
  }

  /// Values of each model whose lists are looked for; each list is walked in the first value that
  /// has it.
  private static let valueCount = 40
}
