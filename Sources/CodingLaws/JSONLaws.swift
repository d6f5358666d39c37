import CodingSupport
import Foundation
import JSONOracle
import ModelGeneration
import PropertyEngine
import Texts

// What json-c, a reader of another make, finds in the JSON that a coder wrote. Each scalar of the
// recorded tree has its usual form in JSON (`means`); objects and arrays are compared as trees,
// with four exceptions: sets in any order, texts and counters as `{"value": ...}`, what a
// superclass encodes below `super`, and `Decimal` as a number.

extension CodingLaw {
  /// What others read in what a coder of JSON wrote.
  static let jsonLaws: [CodingLaw] = [jsonReads]

  /// A round trip by one coder says nothing of others.
  ///
  /// Catches numbers that lose digits, escapes that only their writer understands, and keys that
  /// are not where a reader looks.
  /// Misses what json-c itself cannot hold, such as keys with a zero byte, and forms that readers
  /// disagree on.
  ///
  /// Worked example: `Int64.max` written as 9.223372036854776e18. The coder's own decoder may round
  /// it back; another reader finds 9223372036854775808, one too many.
  static let jsonReads = CodingLaw(
    "json.means-the-same",
    "Other readers of JSON find the same.",
    "Another reader of JSON finds in the text what the value holds, number for number.",
    source: [.standard("RFC 8259"), .standard("ECMA-404")],
    needs: [.json],
    obstacle: { _ in JSONOracle.isPresent ? nil : JSONOracle.absence },
    models: usual,
    draw: values(1),
    check: { trial in
      guard case .bytes(let bytes) = try trial.subject.encode(trial.value(), EncodingSettings())
      else { return Difference(kind: "encoded.kind", summary: "the encoding is no text") }
      let tree = trial.sample.values[0]
      let hasZero = tree.paths.contains { path in
        if case .key(let key)? = path.last { key.utf8.contains(0) } else { false }
      }
      guard !hasZero else { throw Skipped("json-c has no keys with a zero byte") }
      let value: JSONValue
      do {
        value = try JSONOracle.read(bytes)
      } catch {
        return Difference(
          kind: "json.refused",
          summary: "json-c refuses the text: \(error)",
          expected: tree.description,
          actual: String(decoding: bytes, as: UTF8.self)
        ).between("the value that was encoded", "the text that was written")
      }
      return JSONComparison(hasSets: trial.model.traits.contains(.unordered))
        .difference(value, from: tree, at: [])
    }
  )
}

/// Where what json-c read departs from what a value holds.
///
/// Kinds of difference: `json.missing` for a key, `json.value` for anything else that stands there.
private struct JSONComparison {
  /// Whether lists may be sets, or dictionaries whose keys are no strings, in an order of their own.
  let hasSets: Bool
  /// Whether a number of 32 bits must be written with all digits of its `Double`.
  var isExact = false

  /// The first place, in the order of the tree, where the text says something else; `nil` if there is
  /// none.
  func difference(
    _ value: JSONValue,
    from tree: Tree,
    at path: [PathKey]
  ) -> Difference? {
    switch (value, tree) {
    case (.array(let elements), .list(let wanted)) where elements.count == wanted.count:
      if hasSets, isRearranged(elements, wanted, by: 1) || isRearranged(elements, wanted, by: 2) {
        return nil
      }
      for (index, pair) in zip(elements, wanted).enumerated() {
        let found = difference(pair.0, from: pair.1, at: path + [.index(index)])
        if let found { return found }
      }
      return nil
    // Without documents a text is a class with one property.
    case (.object(let members), .text(let text)):
      return difference(.object(members), from: .map(of: [Self.own(.string(text))]), at: path)
    case (.object(let members), .counter(let count)):
      return difference(.object(members), from: .map(of: [Self.own(.int(count))]), at: path)
    case (.object(let members), .map(let entries)):
      let members = Self.withoutSuper(members, entries)
      // Keys by their bytes, each once: of two members with one key json-c keeps one.
      guard members.count == entries.count else { break }
      for entry in entries {
        let step = path + [.key(entry.key)]
        guard let member = members.first(where: { $0.key.utf8.elementsEqual(entry.key.utf8) })
        else {
          return Difference(
            kind: "json.missing",
            summary: "nothing stands at \(step.place)",
            expected: entry.value.description,
            actual: "nothing"
          ).between("the value that was encoded", "what json-c reads in the text")
        }
        if let found = difference(member.value, from: entry.value, at: step) { return found }
      }
      return nil
    default: break
    }
    guard !value.means(tree, exactly: isExact) else { return nil }
    return Difference(
      kind: "json.value",
      summary: "json-c reads something else at \(path.place)",
      expected: tree.description,
      actual: value.text(.compact)
    ).between("the value that was encoded", "what json-c reads in the text")
  }

  /// How texts and counters are coded where they are nothing special.
  private static func own(_ value: Tree) -> Tree.Entry { Tree.Entry("value", value) }

  /// The members with those of a superclass among them, which has a member of its own in JSON.
  private static func withoutSuper(
    _ members: [JSONValue.Member],
    _ entries: [Tree.Entry]
  ) -> [JSONValue.Member] {
    let key = "super"
    guard !entries.contains(where: { $0.key == key }),
      let place = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }),
      case .object(let inherited) = members[place].value
    else { return members }
    return members[..<place] + inherited + members[(place + 1)...]
  }

  /// Whether each group of elements has one of its own among the wanted ones.
  ///
  /// Of size 2 for dictionaries that are written as a list of keys and values in turn.
  ///
  /// What fits exactly is taken first: 5e-324 is also what is read for the `Float` 0, and may take its place. Never
  /// goes back. Cost: the square of the number of groups.
  private func isRearranged(
    _ elements: [JSONValue],
    _ wanted: [Tree],
    by size: Int
  ) -> Bool {
    guard elements.count.isMultiple(of: size) else { return false }
    var left = Array(stride(from: 0, to: wanted.count, by: size))
    var unplaced = Array(stride(from: 0, to: elements.count, by: size))
    for comparison in [JSONComparison(hasSets: hasSets, isExact: true), self] {
      unplaced.removeAll { start in
        let found = left.firstIndex { other in
          (0..<size).allSatisfy {
            comparison.difference(elements[start + $0], from: wanted[other + $0], at: []) == nil
          }
        }
        if let found { left.remove(at: found) }
        return found != nil
      }
    }
    return unplaced.isEmpty
  }
}

extension JSONValue {
  /// Whether a scalar is what a value holds.
  ///
  /// A date is the number of seconds since 2001, bytes are base64: what Foundation's coder does by
  /// default. A coder of JSON with other forms for these would break the law.
  fileprivate func means(_ tree: Tree, exactly isExact: Bool) -> Bool {
    switch (self, tree) {
    case (.null, .null): true
    case (.boolean(let value), .boolean(let wanted)): value == wanted
    case (.int(let value), .int(let wanted)): value == wanted
    case (.int(let value), .uint(let wanted)): UInt64(exactly: value) == wanted
    case (.uint(let value), .uint(let wanted)): value == wanted
    case (.string(let text), .string(let wanted)): text.utf8.elementsEqual(wanted.utf8)
    case (.string(let text), .bytes(let wanted)): text.utf8.elementsEqual(base64(wanted))
    case (_, .float(let wanted)), (_, .date(let wanted)): isNumber(wanted, exactly: isExact)
    // Foundation writes a `Decimal` as a number, which other coders find to be a struct.
    case (_, .map): Decimal(coded: tree).map(isNumber) ?? false
    default: false
    }
  }

  /// Whether it is the number; one of 32 bits is written with as many digits as tell it apart.
  ///
  /// Worked example: the `Float` 0.1 is 0.10000000149011612 as a `Double`, and 0.1 in the text. As
  /// `Float`s the two are one number, but only if the wanted one is a `Float`'s at all.
  private func isNumber(_ wanted: Double, exactly isExact: Bool) -> Bool {
    let number: Double? =
      switch self {
      case .int(let value): Double(value)
      case .uint(let value): Double(value)
      case .double(let value): value
      default: nil
      }
    guard let number else { return false }
    if number == wanted { return true }
    return !isExact && Double(Float(wanted)) == wanted && Float(number) == Float(wanted)
  }

  /// Whether it is the number, as far as a `double` of json-c holds its digits.
  private func isNumber(_ wanted: Decimal) -> Bool {
    switch self {
    case .int(let value): Decimal(value) == wanted
    case .uint(let value): Decimal(value) == wanted
    case .double(let value): Double("\(wanted)") == value
    default: false
    }
  }
}

extension Decimal {
  /// The number that a `Decimal` asks other coders to store: the parts of its mantissa, the last
  /// ones first, and powers of ten.
  ///
  /// Worked example: 1.5 is `{exponent: -1, isNegative: false, length: 1, mantissa: [15, ...]}`.
  /// Each part of the mantissa has 16 bits; `length` says how many of them count. Nil for any other
  /// map.
  fileprivate init?(coded tree: Tree) {
    guard let exponent = tree.child(.key("exponent"))?.integer,
      let length = tree.child(.key("length"))?.integer,
      case .boolean(let isNegative)? = tree.child(.key("isNegative")),
      case .list(let parts)? = tree.child(.key("mantissa")), (0...parts.count).contains(length)
    else { return nil }
    var mantissa = Decimal(0)
    for part in parts.prefix(length).reversed() {
      guard let part = part.integer else { return nil }
      mantissa = mantissa * 65_536 + Decimal(part)
    }
    self = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: mantissa)
  }
}

extension Tree {
  /// The number, of either kind of integer.
  fileprivate var integer: Int? {
    switch self {
    case .int(let value): Int(exactly: value)
    case .uint(let value): Int(exactly: value)
    default: nil
    }
  }
}

/// Bytes in the letters of RFC 4648, with padding.
///
/// Written here and not taken from Foundation, whose coder may be the one on trial.
///
/// Three bytes are four letters of six bits; a group of one byte has two letters and "==", one of
/// two three and "=".
private func base64(_ bytes: [UInt8]) -> [UInt8] {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var result: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bits <<= UInt32(3 - group.count) * 8
    for place in 0..<4 {
      let letter = letters[Int(bits >> UInt32(18 - 6 * place) & 63)]
      result.append(place <= group.count ? letter : UInt8(ascii: "="))
    }
  }
  return result
}
