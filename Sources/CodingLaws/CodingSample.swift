package import CodingSupport
package import ModelGeneration
import Synchronization

/// What a law of coders is held against, as data.
///
/// Example of the text form:
/// `{"model": "Note", "numbers": [], "trees": [], "values": [{"title": "a"}]}`.
///
/// All is data, so that a stored case is judged by the law of its name without the generators that
/// drew it. What the numbers mean is the law's own: a law that changes their meaning makes its
/// stored cases others.
///
/// The parts of a sample: `values` are always of the model, and the check makes them again for each
/// use; `trees` are what stands in a document that the model did not write, drifts
/// (`DriftSample.swift`), paths, or single values, as each law says beside its `draw`; `numbers`
/// choose among what the trees hold, by ``index(_:below:)``.
package struct CodingSample: Hashable, Sendable {
  /// The name of the model.
  package var model: String
  /// Recorded trees of values of the model.
  package var values: [Tree] = []
  /// Trees that need not be the model's: what a peer or another version wrote.
  package var trees: [Tree] = []
  /// Further decisions, in the law's own order.
  ///
  /// Within ±`UInt32.max`. Checks take them modulo a count, so any number of a shrunk or
  /// hand-written sample does.
  package var numbers: [Int] = []
  /// Counts the numbers that a check asks for and the sample does not have; tests alone set it.
  var missingNumbers: MissingNumbers?

  package init(model: String) {
    self.model = model
  }

  package var tree: Tree {
    .map(of: [
      Tree.Entry("model", .string(model)),
      Tree.Entry("numbers", .list(numbers.map { .int(Int64($0)) })),
      Tree.Entry("trees", .list(trees)),
      Tree.Entry("values", .list(values)),
    ])
  }

  package var text: String { tree.text + "\n" }

  /// Nodes of all trees: what shrinking makes small.
  ///
  /// Numbers count one each. The report shows it; the shrinker itself compares choices.
  package var size: Int { (values + trees).reduce(numbers.count) { $0 + $1.nodeCount } }

  /// Reads the text form.
  ///
  /// - Throws: ``TreeTextError``, or ``CodingSampleError`` if the tree is not a sample's.
  // Numbers are ints of 64 bits in the text and must fit into `Int`, which has 32 bits on some
  // systems.
  package init(text: String) throws {
    let tree = try Tree(text: text)
    guard case .string(let model)? = tree.child(.key("model")) else {
      throw CodingSampleError(missing: "model")
    }
    self.model = model
    values = try Self.list("values", of: tree)
    trees = try Self.list("trees", of: tree)
    numbers = try Self.list("numbers", of: tree).map { number in
      guard case .int(let value) = number, Self.numberRange.contains(value),
        let exact = Int(exactly: value)
      else {
        throw CodingSampleError(missing: "numbers")
      }
      return exact
    }
  }

  /// What any law draws lies within it, and laws count with them without overflow.
  ///
  /// The bound that keeps `abs(number)` from trapping, which `Int.min` would.
  private static let numberRange = -Int64(UInt32.max)...Int64(UInt32.max)

  private static func list(_ key: String, of tree: Tree) throws(CodingSampleError) -> [Tree] {
    guard case .list(let list)? = tree.child(.key(key)) else {
      throw CodingSampleError(missing: key)
    }
    return list
  }
}

/// How many numbers a check asked for that its sample does not have.
///
/// A law whose own samples lack numbers draws too few, and holds for 0 alone there. What is asked is no part of a sample:
/// all counts are equal.
final class MissingNumbers: Hashable, Sendable {
  private let asked = Mutex(0)

  var count: Int { asked.withLock { $0 } }

  func add() { asked.withLock { $0 += 1 } }

  static func == (_: MissingNumbers, _: MissingNumbers) -> Bool { true }

  func hash(into _: inout Hasher) {}
}

/// A text is a tree, but not that of a sample.
package struct CodingSampleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part that is missing or of another kind.
  package let missing: String

  package var description: String { "the sample lacks a proper \"\(missing)\"" }
}

extension Tree {
  /// A path as a tree: a list of its keys as strings, and of its indices as ints.
  package init(path: [PathKey]) {
    self = .list(
      path.map { step in
        switch step {
        case .key(let key): .string(key)
        case .index(let index): .int(Int64(index))
        }
      }
    )
  }

  /// The path that such a tree stands for; `nil` for a tree that is no list.
  ///
  /// What is no step is left out, a negative index among them: paths come from stored samples, too.
  package var path: [PathKey]? {
    guard case .list(let steps) = self else { return nil }
    return steps.compactMap { step in
      switch step {
      case .string(let key): .key(key)
      case .int(let index) where index >= 0: .index(Int(index))
      default: nil
      }
    }
  }
}
