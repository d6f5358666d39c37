import CodingSupport
import ModelGeneration
import PropertyEngine

// The exhaustive walk behind the world `mixed-lists` of `Campaigns` (`WorldRun.CoderWorld`).

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

  /// A walk over the models of `list.mixed`.
  package init(_ subject: any CoderSubject, on pool: ModelPool) {
    self.subject = subject
    self.pool = pool
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
