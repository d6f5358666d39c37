import ModelGeneration
import PropertyEngine

/// Which values samples of coders hold: what a report counts as the coverage of values.
package enum CodingCoverage {
  /// What holds the values that are counted.
  package static let samples = "samples of coders"

  /// Every kind of value, with every trait that values of the kind can have.
  package static let kinds: [(name: String, traits: [String])] = [
    ("null", []), ("boolean", ["false", "true"]), ("int", integers),
    ("uint", ValueTraits.ofIntegers(isSigned: false)), ("float", ValueTraits.ofFloats),
    ("string", ValueTraits.ofTexts), ("bytes", ValueTraits.ofLengths),
    ("date", ValueTraits.ofFloats), ("timestamp", ValueTraits.ofTimestamps),
    ("text", ValueTraits.ofTexts),
    ("counter", integers), ("unknown", ValueTraits.ofLengths), ("list", ValueTraits.ofCounts),
    ("map", ValueTraits.ofCounts),
  ]

  private static let integers = ValueTraits.ofIntegers(isSigned: true)

  static func tally(of sample: CodingSample) -> ValueTally {
    var tally = ValueTally()
    for tree in sample.values { add(tree, usedBy: "models", to: &tally) }
    // What stands in documents that the model did not write, and what laws put beside the model.
    for tree in sample.trees { add(tree, usedBy: "others", to: &tally) }
    return tally
  }

  private static func add(_ tree: Tree, usedBy use: String, to tally: inout ValueTally) {
    let (kind, traits) = kindAndTraits(of: tree)
    tally.add(kind, traits, usedBy: use)
    switch tree {
    case .list(let elements): for element in elements { add(element, usedBy: use, to: &tally) }
    case .map(let entries): for entry in entries { add(entry.value, usedBy: use, to: &tally) }
    default: break
    }
  }

  private static func kindAndTraits(of tree: Tree) -> (kind: String, traits: [String]) {
    switch tree {
    case .null: ("null", [])
    case .boolean(let value): ("boolean", ["\(value)"])
    case .int(let value): ("int", ValueTraits.of(value))
    case .uint(let value): ("uint", ValueTraits.of(value))
    case .float(let value): ("float", ValueTraits.of(value))
    case .string(let text): ("string", ValueTraits.of(text))
    case .bytes(let bytes): ("bytes", [ValueTraits.of(length: bytes.count)])
    case .date(let seconds): ("date", ValueTraits.of(seconds))
    case .timestamp(let value): ("timestamp", ValueTraits.of(value))
    case .text(let text): ("text", ValueTraits.of(text))
    case .counter(let value): ("counter", ValueTraits.of(value))
    case .unknown(_, let bytes): ("unknown", [ValueTraits.of(length: bytes.count)])
    case .list(let elements): ("list", [ValueTraits.of(count: elements.count)])
    case .map(let entries): ("map", [ValueTraits.of(count: entries.count)])
    }
  }
}
