import ModelGeneration
import PropertyEngine

/// Which values samples of coders hold: what a report counts as the coverage of values.
package enum CodingCoverage {
  /// What holds the values that are counted.
  package static let samples = "samples of coders"

  /// Every kind of value, with every trait that values of the kind can have.
  package static let kinds = Tree.Kind.allCases.map { (name: $0.rawValue, traits: traits(of: $0)) }

  private static func traits(of kind: Tree.Kind) -> [String] {
    switch kind {
    case .null: []
    case .boolean: ["false", "true"]
    case .int, .counter: ValueTraits.ofIntegers(isSigned: true)
    case .uint: ValueTraits.ofIntegers(isSigned: false)
    case .float, .date: ValueTraits.ofFloats
    case .string, .text: ValueTraits.ofTexts
    case .bytes, .unknown: ValueTraits.ofLengths
    case .timestamp: ValueTraits.ofTimestamps
    case .list, .map: ValueTraits.ofCounts
    }
  }

  static func tally(of sample: CodingSample) -> ValueTally {
    var tally = ValueTally()
    for tree in sample.values { add(tree, usedBy: "models", to: &tally) }
    // What stands in documents that the model did not write, and what laws put beside the model.
    for tree in sample.trees { add(tree, usedBy: "others", to: &tally) }
    return tally
  }

  private static func add(_ tree: Tree, usedBy use: String, to tally: inout ValueTally) {
    tally.add(tree.kind.rawValue, traits(of: tree), usedBy: use)
    switch tree {
    case .list(let elements): for element in elements { add(element, usedBy: use, to: &tally) }
    case .map(let entries): for entry in entries { add(entry.value, usedBy: use, to: &tally) }
    default: break
    }
  }

  private static func traits(of tree: Tree) -> [String] {
    switch tree {
    case .null: []
    case .boolean(let value): ["\(value)"]
    case .int(let value), .timestamp(let value), .counter(let value): ValueTraits.of(value)
    case .uint(let value): ValueTraits.of(value)
    case .float(let value), .date(let value): ValueTraits.of(value)
    case .string(let text), .text(let text): ValueTraits.of(text)
    case .bytes(let bytes), .unknown(_, let bytes): [ValueTraits.of(length: bytes.count)]
    case .list(let elements): [ValueTraits.of(count: elements.count)]
    case .map(let entries): [ValueTraits.of(count: entries.count)]
    }
  }
}
