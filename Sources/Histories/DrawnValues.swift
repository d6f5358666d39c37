// Which values edits write: what a report counts as the coverage of values.

package import DocumentModel
import PropertyEngine

extension ScalarKind {
  /// Every trait that values of the kind can have.
  package var traits: [String] {
    switch self {
    case .null: []
    case .boolean: ["false", "true"]
    case .int, .counter: ValueTraits.ofIntegers(isSigned: true)
    case .timestamp: ValueTraits.ofTimestamps
    case .uint: ValueTraits.ofIntegers(isSigned: false)
    case .float: ValueTraits.ofFloats
    case .string: ValueTraits.ofTexts
    case .bytes, .unknown: ValueTraits.ofLengths
    }
  }
}

extension Edit {
  /// Counts the values that the edit writes; a text that is spliced counts as a string, an amount as a
  /// counter.
  func count(in tally: inout ValueTally) {
    let values: [Scalar] =
      switch self {
      case .put(_, _, let value), .insert(_, _, let value): [value]
      case .mark(_, let marking): [marking.value]
      case .increment(_, _, let amount): [.counter(amount)]
      case .splice(_, _, _, let values): values
      case .spliceText(_, _, _, let text): [.string(text)]
      case .putObject, .insertObject, .delete: []
      }
    for value in values { tally.add(value.kind.rawValue, value.traits, usedBy: kind.rawValue) }
  }
}

extension Scalar {
  fileprivate var traits: [String] {
    switch self {
    case .null: []
    case .boolean(let value): ["\(value)"]
    case .int(let value), .counter(let value), .timestamp(let value): ValueTraits.of(value)
    case .uint(let value): ValueTraits.of(value)
    case .float(let value): ValueTraits.of(value)
    case .string(let text): ValueTraits.of(text.string)
    case .bytes(let bytes), .unknown(_, let bytes): [ValueTraits.of(length: bytes.count)]
    }
  }
}
