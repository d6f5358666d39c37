import CodingSupport
import ModelGeneration
import PropertyEngine

// Two versions of an app that write at the same time: the law `drift.concurrent`, and the
// exhaustive walk behind the world `concurrent-drifts` of `Campaigns` (`WorldRun.CoderWorld`).

extension CodingLaw {
  /// Catches a decoder that reads a conflict's loser on one side, and a document that both versions
  /// have changed into something that neither reads.
  ///
  /// Worked example: one version puts `int 3` at `title`, the other a list. The merge shows one of
  /// them, on both sides the same; the decoder must read that one, by the rules.
  /// `conflicts-read-by-age` reads the value written first.
  package static let concurrentDrift = CodingLaw(
    "drift.concurrent",
    "Merged writes of two versions decode.",
    "What two versions changed at once decodes by the rules, to the same for both after they merged.",
    source: .specification(.codable, "Decoding by type"),
    needs: [.documents, .documentRules],
    models: { ordered($0) && $0.isDerived },
    draw: { model, sample, choices in
      let tree = try model.tree(&choices)
      sample.values = [tree]
      guard let schema = try model.schema() else { throw Skipped("the model has no schema") }
      let drift = DriftsBySchema(schema: schema, tree: tree)
      guard let first = choices.span("drift", { drift.draw(&$0) }) else {
        throw Skipped("the model has no place to drift")
      }
      // The other version as often changes the same place.
      let isSame = choices.flag(percent: 50)
      let second = choices.span("drift") { choices in
        isSame ? drift.draw(&choices, at: first.path) : drift.draw(&choices)
      }
      sample.trees = [first, second].compactMap { $0?.tree }
    },
    check: { trial in
      let document = try trial.document(holding: 0)
      let peer = try document.fork(actor: 2)
      try CodingSample.apply(trial.sample.trees.prefix(1), to: document)
      try CodingSample.apply(trial.sample.trees.dropFirst(), to: peer)
      try document.merge(peer)
      try peer.merge(document)
      if let found = try peer.tree().difference(from: document.tree()) {
        return found.with("after both merged, ")
          .between("the document after both merged", "its fork after both merged").ofPeers()
      }
      return try judge(document, trial) ?? judge(peer, trial)
    }
  )
}

/// Every pair of things that two versions can do at once to one place of a small document, or to a
/// place and one below it: what `drift.concurrent` meets by chance.
///
/// For each place and each place at or below it: 14 drifts of the one times 14 of the other, in
/// both orders unless the two places are one, where the order comes by the pairs themselves.
///
/// Worked example: a value whose places are `title`, `items` and `items[0]`.
///
///     title with title, items with items, items[0] with items[0]      3 * 14 * 14       588
///     items with items[0], in both orders                             2 * 14 * 14       392
///     samples                                                                           980
package struct ConcurrentDriftWorld: Sendable {
  private let subject: any CoderSubject
  private let pool: ModelPool
  private let models: [String]

  /// One model for each shape that a type's next version may change.
  package static let usualModels = [
    "FlexibleModel", "PlainEnums", "Payloads", "ColorList", "ExplicitNull", "Recipe",
  ]

  /// A walk over models of some names.
  package init(
    _ subject: any CoderSubject,
    on pool: ModelPool,
    models: [String] = Self.usualModels
  ) {
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
    let law = CodingLaw.concurrentDrift
    var result = CoderWalk()
    for model in pool.models where models.contains(model.name) {
      guard law.models(model), let schema = try model.schema() else { continue }
      let tree = try smallValue(of: model)
      let places = DriftsBySchema(schema: schema, tree: tree).places.map(\.path)
      result.places += places.map { "\(model.name): \($0.place)" }
      for place in places {
        for other in places where other.starts(with: place) {
          for first in Self.drifts(at: place) {
            for second in Self.drifts(at: other) {
              // Which of the two writers is the greater decides a conflict.
              for drifts in place == other
                ? [[first, second]] : [[first, second], [second, first]]
              where !isInterrupted() {
                var sample = CodingSample(model: model.name)
                sample.values = [tree]
                sample.trees = drifts.map(\.tree)
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

  /// The smallest of some values in which nothing is empty, as far as one has none.
  ///
  /// 60 values are tried, in the order of their streams; the first of the best is taken. Hollow
  /// places (a null, an empty list) count before size, since nothing can be done below them.
  private func smallValue(of model: Model) throws -> Tree {
    var best: (hollow: Int, size: Int, tree: Tree)?
    for number in 0..<Self.valueCount {
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(number)))
      let tree = try model.tree(&choices)
      let hollow = tree.paths.count { tree[$0] == .null || tree[$0]?.isEmptyContainer == true }
      if best.map({ (hollow, tree.nodeCount) < ($0.hollow, $0.size) }) ?? true {
        best = (hollow, tree.nodeCount, tree)
      }
    }
    return best?.tree ?? .map([])
  }

  private static let valueCount = 60

  /// What a version can do to a place: take it away, give it another name, or put a value of each
  /// kind there.
  ///
  /// Two of shape, and one for each kind of value that a document has.
  ///
  /// One value of each kind is enough: what matters here is which kinds meet.
  private static func drifts(at path: [PathKey]) -> [Drift] {
    let values: [Tree] = [
      .null, .boolean(true), .int(-3), .uint(.max), .float(0.5), .string("x"), .bytes([1]),
      .timestamp(1_500), .counter(4), .text("t"), .list([.int(1)]),
      .map([Tree.Entry("x", .int(1))]),
    ]
    return [Drift(.remove, path), Drift(.rename, path)] + values.map { Drift(.put, path, $0) }
  }
}

extension Tree {
  /// Whether it is a list or map without anything in it.
  fileprivate var isEmptyContainer: Bool {
    switch self {
    case .list(let elements): elements.isEmpty
    case .map(let entries): entries.isEmpty
    default: false
    }
  }
}
