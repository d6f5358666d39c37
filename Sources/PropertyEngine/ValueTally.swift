/// What values that were drawn are like, counted by their kind: a report shows which boundaries a green run
/// has met.
///
///     put int -1         int: used by put 1; of 1 byte 1, below 0 1
///
/// Tallies of parts of a run add up to that of the whole, in whatever order they are merged.
package struct ValueTally: Codable, Hashable, Sendable {
  /// What was counted of the values of one kind.
  private struct Kind: Codable, Hashable {
    var uses = Tally()
    var traits = Tally()
  }

  private var kinds: [String: Kind] = [:]

  package init() {}

  package var isEmpty: Bool { kinds.isEmpty }

  /// How often values of a kind were drawn, by what uses them: a kind of edit, or where they stand.
  package func uses(of kind: String) -> Tally { kinds[kind]?.uses ?? Tally() }

  /// How often values of a kind had a trait; one value may have several.
  package func traits(of kind: String) -> Tally { kinds[kind]?.traits ?? Tally() }

  /// Every count under a name of its own: `int: used by put`.
  var entries: [(name: String, count: Int)] {
    kinds.flatMap { name, kind in
      kind.uses.entries.map { ("\(name): used by \($0.name)", $0.count) }
        + kind.traits.entries.map { ("\(name): \($0.name)", $0.count) }
    }
  }

  /// Counts a value of a kind.
  package mutating func add(_ kind: String, _ traits: [String], usedBy use: String) {
    kinds[kind, default: Kind()].uses.add(use)
    for trait in traits { kinds[kind]?.traits.add(trait) }
  }

  package mutating func merge(_ other: ValueTally) {
    for (name, kind) in other.kinds {
      kinds[name, default: Kind()].uses.merge(kind.uses)
      kinds[name]?.traits.merge(kind.traits)
    }
  }
}

/// The ways in which values of one kind differ, as reports name them.
package enum ValueTraits {
  /// Every trait that whole numbers of a kind can have, the simplest first.
  package static func ofIntegers(isSigned: Bool) -> [String] {
    var traits = ["zero"] + (1...8).map(bytes(_:))
    if isSigned { traits += ["below 0", "least of 64 bits"] }
    return traits + ["greatest of 64 bits"]
  }

  package static func of(_ value: Int64) -> [String] {
    guard value != 0 else { return ["zero"] }
    // A sign takes a bit.
    let bits = 65 - (value < 0 ? ~value : value).leadingZeroBitCount
    var traits = [bytes((bits + 7) / 8)]
    if value < 0 { traits.append("below 0") }
    if value == .min { traits.append("least of 64 bits") }
    if value == .max { traits.append("greatest of 64 bits") }
    return traits
  }

  package static func of(_ value: UInt64) -> [String] {
    guard value != 0 else { return ["zero"] }
    let width = bytes((71 - value.leadingZeroBitCount) / 8)
    return value == .max ? [width, "greatest of 64 bits"] : [width]
  }

  private static func bytes(_ count: Int) -> String {
    count == 1 ? "of 1 byte" : "of \(count) bytes"
  }

  /// Milliseconds of the years 1 to 9999: bindings of engines have no others.
  package static let ofTimestamps = ["zero"] + (1...7).map(bytes(_:)) + ["below 0"]

  package static let ofFloats = [
    "zero", "minus zero", "whole", "with a fraction", "below 0", "2^53 or beyond", "subnormal",
    "greatest",
    "infinite", "not a number",
  ]

  package static func of(_ value: Double) -> [String] {
    if value.isNaN { return ["not a number"] }
    if value == 0 { return [value.sign == .minus ? "minus zero" : "zero"] }
    var traits: [String] = value < 0 ? ["below 0"] : []
    let size = value.magnitude
    if value.isInfinite { return traits + ["infinite"] }
    traits.append(value == value.rounded() ? "whole" : "with a fraction")
    if size >= 9_007_199_254_740_992 { traits.append("2^53 or beyond") }
    if value.isSubnormal { traits.append("subnormal") }
    if size == .greatestFiniteMagnitude { traits.append("greatest") }
    return traits
  }

  /// Lengths, by order of magnitude.
  package static let ofLengths = [
    "empty", "1 to 9 bytes", "10 to 99 bytes", "100 to 999 bytes", "1,000 bytes or more",
  ]

  package static func of(length count: Int) -> String {
    switch count {
    case 0: ofLengths[0]
    case ..<10: ofLengths[1]
    case ..<100: ofLengths[2]
    case ..<1000: ofLengths[3]
    default: ofLengths[4]
    }
  }

  /// How many elements or members a value has.
  package static let ofCounts = ["empty", "of 1", "of 2 to 9", "of 10 or more"]

  package static func of(count: Int) -> String {
    switch count {
    case 0: ofCounts[0]
    case 1: ofCounts[1]
    case ..<10: ofCounts[2]
    default: ofCounts[3]
    }
  }

  /// Lengths in UTF-8, and what a text holds.
  package static let ofTexts =
    ofLengths + [
      "with control characters", "beyond ASCII", "beyond 16 bits", "with combining marks",
    ]

  package static func of(_ text: String) -> [String] {
    var (hasControl, hasWide, hasAstral, hasMark) = (false, false, false, false)
    for scalar in text.unicodeScalars {
      let value = scalar.value
      hasControl = hasControl || value < 0x20 || (0x7f...0x9f).contains(value)
      hasWide = hasWide || value > 0x7f
      hasAstral = hasAstral || value > 0xffff
      hasMark =
        hasMark || value == 0x200d
        || (value > 0x2ff && scalar.properties.generalCategory == .nonspacingMark)
    }
    let held = zip([hasControl, hasWide, hasAstral, hasMark], ofTexts.suffix(4))
    return [of(length: text.utf8.count)] + held.filter(\.0).map(\.1)
  }
}
