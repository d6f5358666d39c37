// How two values of any type are compared: `ValueComparison` walks both by reflection. Used by
// `ModelTrial.swift`, and its `description(of:)` by all messages that show values.

package import CodingSupport
import Foundation
import ModelGeneration

/// The first place where two values of one type differ.
///
/// Names are those of stored properties, without the underscore that a property wrapper adds.
package struct ValueDifference: Hashable, Sendable {
  /// Properties by their names, elements by their indices.
  package let path: [PathKey]
  /// What stands there in the first value, in one line.
  package let first: String
  package let second: String
}

/// Walks two values side by side, property by property, as a debugger shows them.
///
/// Texts and counters are compared by content, dates and floats within a tolerance; types without
/// visible properties by their own `==`.
///
/// Cost: linear in the number of properties and elements. Sets are compared by `==`, as their order
/// says nothing; keys of dictionaries are walked in the order of their texts, so that the first
/// difference is the same in each run.
///
/// Worked example: `Note(title: "a", tags: ["x", "y"])` and `Note(title: "a", tags: ["x", "z"])`
/// differ at `tags[1]`, "y" and "z". Two lists of unequal lengths differ as wholes, unless an
/// element differs first.
package struct ValueComparison {
  package var tolerance = Tolerance.exact
  /// Whether a difference at a path counts.
  ///
  /// Asked where a difference was found, never to decide whether to look.
  package var counts: ([PathKey]) -> Bool = { _ in true }

  /// A reference cycle would be walked for ever; below this depth values are compared as wholes.
  ///
  /// In steps of the path. Optionals are no step.
  private static let depthLimit = 40

  package init(tolerance: Tolerance = .exact) {
    self.tolerance = tolerance
  }

  /// Where the first value differs from the second; `nil` if it does not.
  package func difference(_ first: Any, _ second: Any) -> ValueDifference? {
    difference(first, second, [])
  }

  /// Whether two values are equal by `==`; `nil` if it cannot tell: the type has none, or the value holds a NaN, and
  /// does not equal itself.
  ///
  /// To compare the value with itself shows nothing: an array equals itself whatever its elements are.
  static func areEqualAsSaid(_ first: Any, _ second: Any) -> Bool? {
    guard let isEqual = areEqual(first, second) else { return nil }
    return isEqual || !holdsNaN(second) ? isEqual : nil
  }

  private static func holdsNaN(_ value: Any, depth: Int = 0) -> Bool {
    switch value {
    case let number as Double: number.isNaN
    case let number as Float: number.isNaN
    case let date as Date: date.timeIntervalSince1970.isNaN
    default:
      depth < depthLimit
        && Mirror(reflecting: value).children.contains { holdsNaN($0.value, depth: depth + 1) }
    }
  }

  private static func areSame(_ first: Any, _ second: Any) -> Bool {
    areEqualAsSaid(first, second) ?? (description(of: first) == description(of: second))
  }

  private func differs(_ first: Any, _ second: Any, _ path: [PathKey]) -> ValueDifference? {
    guard counts(path) else { return nil }
    return ValueDifference(
      path: path,
      first: Self.description(of: first),
      second: Self.description(of: second)
    )
  }

  private func difference(_ first: Any, _ second: Any, _ path: [PathKey]) -> ValueDifference? {
    // Most values are strings, and the casts that come before their own take longer.
    if let left = first as? String, let right = second as? String {
      return left == right ? nil : differs(first, second, path)
    }
    switch (first, second) {
    case (let first as Date, let second as Date):
      let apart = abs(first.timeIntervalSince(second))
      let areNone = first.timeIntervalSince1970.isNaN && second.timeIntervalSince1970.isNaN
      return apart <= tolerance.dateSeconds || first == second || areNone
        ? nil : differs(first, second, path)
    case (let left as Double, let right as Double):
      return tolerance.accepts(left, right) ? nil : differs(first, second, path)
    case (let left as Float, let right as Float):
      return tolerance.accepts(Double(left), Double(right)) ? nil : differs(first, second, path)
    case (let left as [AnyHashable: Any], let right as [AnyHashable: Any]):
      return difference(left, right, path)
    default: break
    }
    switch (ModelReference(first), ModelReference(second)) {
    // By bytes: Swift's `==` calls canonically equivalent strings equal.
    case (.text(let left)?, .text(let right)?):
      return left.value.utf8.elementsEqual(right.value.utf8) ? nil : differs(first, second, path)
    case (.counter(let left)?, .counter(let right)?):
      return left.value == right.value ? nil : differs(first, second, path)
    default: break
    }
    let (left, right) = (Mirror(reflecting: first), Mirror(reflecting: second))
    if Self.isLeaf(first, left) || path.count > Self.depthLimit {
      return Self.areSame(first, second) ? nil : differs(first, second, path)
    }
    // One case of an enumeration against another.
    if left.displayStyle == .enum, left.children.first?.label != right.children.first?.label {
      return differs(first, second, path)
    }
    return difference(left, right, path)
      ?? nothingVisible(first, second, left: left, right: right, at: path)
  }

  /// Values without children are told apart by their descriptions: cases of an enumeration, `nil`.
  ///
  /// Structs and classes without properties are equal here: there is nothing to differ.
  private func nothingVisible(
    _ first: Any,
    _ second: Any,
    left: Mirror,
    right: Mirror,
    at path: [PathKey]
  ) -> ValueDifference? {
    let counts = (left.children.count, right.children.count)
    if counts.0 != counts.1 { return differs(first, second, path) }
    guard counts.0 == 0, left.displayStyle != .struct, left.displayStyle != .class else {
      return nil
    }
    return Self.areSame(first, second) ? nil : differs(first, second, path)
  }

  private func difference(_ left: Mirror, _ right: Mirror, _ path: [PathKey]) -> ValueDifference? {
    var index = -1
    for pair in zip(left.children, right.children) {
      index += 1
      let step: [PathKey] =
        switch (left.displayStyle, pair.0.label) {
        case (.collection, _), (.set, _): [.index(index)]
        case (.optional, _): []
        case (_, let label?): [.key(label.hasPrefix("_") ? String(label.dropFirst()) : label)]
        case (_, nil): [.index(index)]
        }
      if let found = difference(pair.0.value, pair.1.value, path + step) { return found }
    }
    guard let left = left.superclassMirror, let right = right.superclassMirror else { return nil }
    return difference(left, right, path)
  }

  private func difference(
    _ left: [AnyHashable: Any],
    _ right: [AnyHashable: Any],
    _ path: [PathKey]
  ) -> ValueDifference? {
    let keys = Set(left.keys).union(right.keys)
    let sorted = keys.map { (name: "\($0.base)", key: $0) }.sorted { $0.name < $1.name }
    for (name, key) in sorted {
      let place = path + [.key(name)]
      switch (left[key], right[key]) {
      case (let left?, let right?):
        if let found = difference(left, right, place) { return found }
      case (let left?, nil):
        if counts(place) {
          return ValueDifference(path: place, first: Self.description(of: left), second: "nothing")
        }
      case (nil, let right?):
        if counts(place) {
          return ValueDifference(path: place, first: "nothing", second: Self.description(of: right))
        }
      case (nil, nil): break
      }
    }
    return nil
  }

  /// Whether a value is compared as a whole.
  ///
  /// Types of Foundation's show their storage to a mirror, or nothing, and neither says whether
  /// they are equal.
  private static func isLeaf(_ value: Any, _ mirror: Mirror) -> Bool {
    switch value {
    case is String, is Data, is URL, is UUID, is Decimal, is TimeZone, is Locale, is Calendar,
      is IndexSet, is CharacterSet, is DateInterval, is DateComponents, is URLComponents,
      is any AnySet:
      true
    default: mirror.displayStyle == nil
    }
  }

  /// A value in one line that is not too long: as ``ValueText`` has it, but with all digits of a date, and with data as
  /// trees show it.
  ///
  /// At most 160 scalars; the last three are dots where more was there.
  package static func description(of value: Any) -> String {
    let text: String
    switch value {
    case let date as Date:
      text = "\(date) (\(date.timeIntervalSinceReferenceDate) s since 2001)"
    case let data as Data: text = Tree.bytes(Array(data)).description
    case let optional as any AnyOptional:
      let inner = optional.wrapped.map(description(of:)) ?? "nil"
      text = optional.wrapsNil ? ".some(\(inner))" : inner
    default: text = ValueText.text(of: value)
    }
    guard text.unicodeScalars.count > 160 else { return text }
    return String(text.unicodeScalars.prefix(157)) + "..."
  }
}
