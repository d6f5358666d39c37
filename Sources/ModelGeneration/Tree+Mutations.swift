import CodingSupport
import Foundation
package import PropertyEngine

extension Tree {
  /// The tree with up to three of its places changed to others of the same kind; none is simplest.
  ///
  /// Which keys there are stays: what is changed is what they hold, and how long lists are.
  package func mutated(_ choices: inout Choices) -> Tree {
    var tree = self
    choices.repeated(upTo: 3, averaging: 1, "mutation") { choices in
      let places = tree.paths.filter { tree[$0]?.canMutate ?? false }
      guard !places.isEmpty else { return }
      let place = choices.element(of: places)
      if let old = tree[place] { tree = tree.replacing(place, with: old.another(&choices)) }
    }
    return tree
  }

  private var canMutate: Bool {
    switch self {
    case .boolean, .int, .uint, .float, .string, .bytes, .date, .text, .counter: true
    case .list(let elements): !elements.isEmpty
    case .null, .timestamp, .unknown, .map: false
    }
  }

  private func another(_ choices: inout Choices) -> Tree {
    switch self {
    case .boolean(let value): .boolean(!value)
    case .int: .int(Int64(Int16.draw(&choices)))
    case .uint: .uint(UInt64(UInt8.draw(&choices)))
    case .float: .float(Double.draw(&choices))
    case .string: .string(String.draw(&choices))
    case .text: .text(String.draw(&choices))
    case .bytes: .bytes(Array(StandardLeaves.data(&choices)))
    case .date: .date(StandardLeaves.date(&choices).timeIntervalSinceReferenceDate)
    case .counter: .counter(Int64(Int16.draw(&choices)))
    case .list(let elements): Self.another(elements, &choices)
    case .null, .timestamp, .unknown, .map: self
    }
  }

  /// Elements with one fewer, one twice, or two in each other's place.
  private static func another(_ elements: [Tree], _ choices: inout Choices) -> Tree {
    var elements = elements
    let index = choices.index(below: elements.count)
    switch choices.pick(weights: [1, 1, 1]) {
    case 0: elements.remove(at: index)
    case 1: elements.append(elements[index])
    default: elements.swapAt(index, choices.index(below: elements.count))
    }
    return .list(elements)
  }
}
