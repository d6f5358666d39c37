import PropertyEngine
import Texts

/// A scalar that containers are asked for by name.
protocol DerivableScalar: Decodable {
  /// Draws one; a smaller choice gives a simpler one.
  static func draw(_ choices: inout Choices) -> Self
  /// What a leaf of a tree is as this scalar.
  static func read(_ tree: Tree, by rules: DecodingRules) throws(ScalarMismatch) -> Self
  /// The literals that are such scalars.
  static func literals(_ literals: Literals) -> [Self]
}

extension DerivableScalar {
  static func literals(_ literals: Literals) -> [Self] { [] }
}

extension Bool: DerivableScalar {
  static func draw(_ choices: inout Choices) -> Bool { choices.flag() }

  static func read(_ tree: Tree, by rules: DecodingRules) throws(ScalarMismatch) -> Bool {
    try rules.boolean(tree)
  }
}

extension String: DerivableScalar {
  /// Unicode scalars of a derived string at most.
  static let derivedScalarLimit = 10

  private static let derived = PropertyEngine.Generator<String>.hostileText(
    unicodeScalarsUpTo: derivedScalarLimit,
    long: false
  )

  static func draw(_ choices: inout Choices) -> String { derived.draw(&choices) }

  static func literals(_ literals: Literals) -> [String] { literals.words }

  static func read(_ tree: Tree, by rules: DecodingRules) throws(ScalarMismatch) -> String {
    try rules.string(tree)
  }
}

extension FixedWidthInteger where Self: DerivableScalar {
  static func read(_ tree: Tree, by rules: DecodingRules) throws(ScalarMismatch) -> Self {
    try rules.integer(Self.self, tree)
  }

  static func literals(_ literals: Literals) -> [Self] {
    literals.numbers.compactMap { Self(exactly: $0) }
  }

  /// How wide the number is first, then the number: a byte around zero, 16, 32 or 64 bits by magnitude, an
  /// edge, any bits.
  ///
  /// Numbers of 32 and 64 bits by magnitude are never drawn at random; they are there for shrinking to
  /// find.
  static func draw(_ choices: inout Choices) -> Self {
    switch choices.pick(weights: [10, 3, 0, 0, 4, 3]) {
    case 0: return zigzag(UInt64(choices.choice(upTo: 255, bias: .small)))
    case 1: return zigzag(UInt64(choices.choice(upTo: 65_535)))
    case 2: return zigzag(UInt64(choices.choice(upTo: .max)))
    case 3: return zigzag(choices.bits64())
    case 4:
      let edge = choices.element(of: edges)
      // As many choices as a number of 64 bits, which would not be simpler otherwise.
      if bitWidth > 32 { _ = choices.choice(upTo: 0) }
      return edge
    default: return Self(truncatingIfNeeded: choices.bits64())
    }
  }

  /// 0, -1, 1, -2, 2 and on for signed types, 0, 1, 2 and on for others.
  static func zigzag(_ code: UInt64) -> Self {
    guard isSigned else { return Self(truncatingIfNeeded: code) }
    let half = Int64(code >> 1)
    return Self(truncatingIfNeeded: code & 1 == 0 ? half : -half - 1)
  }

  private static var edges: [Self] {
    let beyondFloats = Int64(1) << 53
    let candidates: [Self?] = [
      max, min, Self(exactly: Int8.max), Self(exactly: Int16.max), Self(exactly: Int32.max),
      Self(exactly: Int32.min), Self(exactly: UInt32.max), Self(exactly: beyondFloats),
      Self(exactly: beyondFloats + 1), Self(exactly: Int64.max), Self(exactly: Int64.min),
    ]
    return candidates.compactMap { $0 }
  }
}

extension BinaryFloatingPoint where Self: DerivableScalar {
  static func read(_ tree: Tree, by rules: DecodingRules) throws(ScalarMismatch) -> Self {
    try rules.float(Self.self, tree)
  }

  /// One of the elements, by as many choices as a number of 64 bits, which would not be simpler otherwise.
  fileprivate static func special(_ elements: [Self], _ choices: inout Choices) -> Self {
    let element = choices.element(of: elements)
    _ = choices.choice(upTo: 0)
    return element
  }

  static func literals(_ literals: Literals) -> [Self] {
    literals.decimals.map { Self($0) }.filter(\.isFinite)
      + literals.numbers.compactMap { Self(exactly: $0) }
  }
}

extension Double: DerivableScalar {
  /// A small whole number, one with a fraction, a special one, any bits.
  ///
  /// Whole numbers of 32 and 64 bits are never drawn at random; they are there for shrinking to find.
  static func draw(_ choices: inout Choices) -> Double {
    switch choices.pick(weights: [8, 0, 0, 4, 3, 3]) {
    case 0: return Double(Int8.draw(&choices))
    case 1: return Double(Int32.zigzag(UInt64(choices.choice(upTo: .max))))
    case 2: return Double(Int64.zigzag(choices.bits64()))
    case 3: return Double(Int16.draw(&choices)) / 64
    case 4: return special(specials, &choices)
    default:
      let any = Double(bitPattern: choices.bits64())
      // The lowest exponent bit taken away makes what is not finite finite.
      return any.isFinite ? any : Double(bitPattern: any.bitPattern & ~(1 << 52))
    }
  }

  // The first is the simplest, so that a failure that has nothing to do with the number shows 0.
  private static let specials: [Double] = [
    0, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 9_007_199_254_740_992, 1e21, 1 / 3, -0.0, -0x1p63, 0x1p63, 0x1p64,
  ]
}

extension Float: DerivableScalar {
  /// As of `Double`.
  static func draw(_ choices: inout Choices) -> Float {
    switch choices.pick(weights: [8, 0, 0, 4, 3, 3]) {
    case 0: return Float(Int8.draw(&choices))
    case 1: return Float(Int32.zigzag(UInt64(choices.choice(upTo: .max))))
    case 2: return Float(Int64.zigzag(choices.bits64()))
    case 3: return Float(Int16.draw(&choices)) / 64
    case 4: return special(specials, &choices)
    default:
      let any = Float(bitPattern: choices.choice(upTo: .max))
      _ = choices.choice(upTo: 0)
      return any.isFinite ? any : Float(bitPattern: any.bitPattern & ~(1 << 23))
    }
  }

  private static let specials: [Float] = [
    0, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 16_777_216, -0.0, -0x1p63, 0x1p63,
  ]
}

extension Int8: DerivableScalar {}
extension Int16: DerivableScalar {}
extension Int32: DerivableScalar {}
extension Int64: DerivableScalar {}
extension Int: DerivableScalar {}
extension UInt8: DerivableScalar {}
extension UInt16: DerivableScalar {}
extension UInt32: DerivableScalar {}
extension UInt64: DerivableScalar {}
extension UInt: DerivableScalar {}

/// Keys of dictionaries and other open maps: words, digits, and what programs get wrong.
enum KeyWords {
  private static let words = [
    "a", "b", "key", "1", "2024", "-1", "", "a.b", "[0]", "\u{E9}", "value",
  ]

  static func draw(_ choices: inout Choices) -> String {
    choices.pick(weights: [3, 1]) == 0 ? choices.element(of: words) : String.draw(&choices)
  }
}

/// A dictionary, whose keys and values are drawn in pairs; its own `init(from:)` is not run.
protocol DerivableDictionary {
  static func derive(_ place: DerivationPlace) throws -> Any
}

extension Dictionary: DerivableDictionary where Key: Decodable, Value: Decodable {
  static func derive(_ place: DerivationPlace) throws -> Any {
    let node = place.node
    if case .value(let stored) = node.state { return stored }
    var result: [Key: Value] = [:]
    var count = 0
    let limit = place.run.showsAll ? 1 : 6
    while count < limit, place.run.flag(percent: place.run.percentOfMore) {
      let span = place.run.beginSpan("element")
      defer { place.run.endSpan(span) }
      let key = DerivationNode()
      let keyPlace = place.element(count, key).key
      if Key.self == String.self {
        key.state = .value(place.run.draw { KeyWords.draw(&$0) })
      }
      let drawn = try keyPlace.value(Key.self)
      let value = place.element(count, DerivationNode())
      result[drawn] = try value.value(Value.self)
      count += 1
    }
    node.state = .value(result)
    let total = result.count
    place.tell(
      total == 0
        ? "is an empty dictionary" : "is a dictionary of \(counted(total, "entry", "entries"))"
    )
    return result
  }
}
