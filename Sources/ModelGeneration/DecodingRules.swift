/// Which kinds of a tree a model's fields read: one rule, the same in every position.
///
/// Source: Specification/Codable.md, "Decoding by type".
package struct DecodingRules: Hashable, Sendable {
  /// Signed integers read unsigned ones that they can hold, and the other way round.
  package var integersCrossSigns = true
  /// Floats read integers that they can hold exactly.
  package var floatsReadIntegers = true
  /// A float reads infinity and not-a-number, which no coder writes.
  package var floatsReadInfinity = true
  /// A string reads a text as what it holds now.
  package var stringsReadTexts = true

  /// An integer that does not fit is refused, not cut to its lowest bits.
  package var refusesOutOfRange = true
  /// So is an integer that is one past the greatest.
  package var refusesOnePast = true

  // Left open: automerge-swift says both; see ``readings``.

  /// Integers read floats that are whole numbers.
  package var integersReadFloats = false
  /// Floats read integers that they can only come close to.
  package var floatsRoundIntegers = false
  /// URLs read texts, as strings do.
  package var urlsReadTexts = false

  package init() {}

  /// The rules of documents.
  package static let document = DecodingRules()

  /// All rules that agree with the source: a coder is right if it follows one of them.
  package static let readings: [DecodingRules] = [false, true].flatMap { floats in
    [false, true].flatMap { rounding in
      [false, true].map { urls in
        var rules = DecodingRules()
        rules.integersReadFloats = floats
        rules.floatsRoundIntegers = rounding
        rules.urlsReadTexts = urls
        return rules
      }
    }
  }
}

/// Why a scalar of a tree is not what a field wants.
enum ScalarMismatch: Error {
  case kind
  /// The kind fits, the number does not.
  case range
}

extension DecodingRules {
  func boolean(_ tree: Tree) throws(ScalarMismatch) -> Bool {
    guard case .boolean(let value) = tree else { throw .kind }
    return value
  }

  func string(_ tree: Tree) throws(ScalarMismatch) -> String {
    switch tree {
    case .string(let value): return value
    case .text(let value) where stringsReadTexts: return value
    default: throw .kind
    }
  }

  func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type,
    _ tree: Tree
  ) throws(ScalarMismatch) -> Integer {
    let exact: Integer?
    switch tree {
    case .int(let value) where Integer.isSigned || integersCrossSigns:
      exact = Integer(exactly: value)
    case .uint(let value) where !Integer.isSigned || integersCrossSigns:
      exact = Integer(exactly: value)
    case .float(let value) where integersReadFloats: exact = Integer(exactly: value)
    default: throw .kind
    }
    if let exact { return exact }
    switch tree {
    case .int(let value) where !refusesOnePast && Int64(exactly: Integer.max) == value &- 1:
      return Integer.max
    case .uint(let value) where !refusesOnePast && UInt64(exactly: Integer.max) == value &- 1:
      return Integer.max
    case .int(let value) where !refusesOutOfRange: return Integer(truncatingIfNeeded: value)
    case .uint(let value) where !refusesOutOfRange: return Integer(truncatingIfNeeded: value)
    default: throw .range
    }
  }

  func float<Float: BinaryFloatingPoint>(
    _ type: Float.Type,
    _ tree: Tree
  ) throws(ScalarMismatch) -> Float {
    switch tree {
    case .float(let value):
      let rounded = Float(value)
      guard rounded.isFinite || floatsReadInfinity && !value.isFinite else { throw .range }
      return rounded
    case .int(let value) where floatsReadIntegers:
      if floatsRoundIntegers { return Float(value) }
      guard let exact = Float(exactly: value) else { throw .range }
      return exact
    case .uint(let value) where floatsReadIntegers:
      if floatsRoundIntegers { return Float(value) }
      guard let exact = Float(exactly: value) else { throw .range }
      return exact
    default: throw .kind
    }
  }
}
