import CodingSupport
import Foundation
package import PropertyEngine
import Texts

extension Tree {
  /// The tree with some of its places changed to what is near them; none is simplest.
  ///
  /// A leaf becomes another of its kind: any, or one that a careless comparison takes for the same. Lists
  /// lose, gain, move and repeat elements, maps lose, gain and swap keys. A part of `donor`, another tree
  /// of the same type, may take the place of what stands at its path. What `accept` refuses is not
  /// changed; what it accepts it may give another form.
  package func mutated(
    _ choices: inout Choices,
    upTo limit: Int = 3,
    averaging average: Int = 1,
    donor: Tree? = nil,
    accepting accept: (Tree) -> Tree? = { $0 }
  ) -> Tree {
    var tree = self
    choices.repeated(upTo: limit, averaging: average, "mutation") { choices in
      let changed: Tree
      if let donor, choices.flag(percent: 25) {
        changed = tree.grafted(donor, &choices)
      } else {
        let wantsContainer = choices.flag(percent: 40)
        var places = tree.paths.filter { tree[$0]?.canMutate ?? false }
        let containers = places.filter { tree[$0]?.kind == .list || tree[$0]?.kind == .map }
        if wantsContainer, !containers.isEmpty { places = containers }
        // Of a tree with a long list that is what matters.
        let long = containers.filter { tree[$0]?.steps.count ?? 0 > Self.longCount }
        if !long.isEmpty, choices.flag(percent: 70) { places = long }
        guard !places.isEmpty else { return }
        let place = choices.element(of: places)
        guard let old = tree[place] else { return }
        changed = tree.replacing(place, with: old.another(&choices))
      }
      if changed != tree, let accepted = accept(changed) { tree = accepted }
    }
    return tree
  }

  /// The tree with what the donor holds at one of its places, or without what the donor lacks.
  private func grafted(_ donor: Tree, _ choices: inout Choices) -> Tree {
    let known = Set(donor.paths.dropFirst())
    let lacking = paths.dropFirst().filter { path in
      !known.contains(path) && donor[path.dropLast()]?.kind == self[path.dropLast()]?.kind
    }
    let fitting = donor.paths.dropFirst().filter { path in
      self[path] != donor[path] && donor[path.dropLast()]?.kind == self[path.dropLast()]?.kind
    }
    let places = fitting + lacking
    guard !places.isEmpty else { return self }
    let place = choices.element(of: places)
    return replacing(place, with: donor[place])
  }

  private var canMutate: Bool {
    switch self {
    case .boolean, .int, .uint, .float, .string, .bytes, .date, .text, .counter, .null: true
    case .list(let elements): !elements.isEmpty
    case .map(let entries): !entries.isEmpty
    case .timestamp, .unknown: false
    }
  }

  /// Another of the same kind: any, or one that is near it.
  package func another(_ choices: inout Choices) -> Tree {
    switch self {
    case .null: choices.element(of: [.int(0), .string(""), .boolean(false), .list([]), .map([])])
    case .boolean(let value): .boolean(!value)
    case .int(let value): .int(Self.near(value, &choices) { Int64(Int16.draw(&$0)) })
    case .uint(let value): .uint(Self.near(value, &choices) { UInt64(UInt8.draw(&$0)) })
    case .counter(let value): .counter(Self.near(value, &choices) { Int64(Int16.draw(&$0)) })
    case .float(let value): .float(Self.near(value, &choices))
    case .string(let value): .string(Self.near(value, &choices))
    case .text(let value): .text(Self.near(value, &choices))
    case .bytes(let value): .bytes(Self.near(value, &choices))
    case .date(let value): .date(Self.near(date: value, &choices))
    case .list(let elements): Self.another(elements, &choices)
    case .map(let entries): Self.another(entries, &choices)
    case .timestamp, .unknown: self
    }
  }

  // MARK: - Leaves

  /// Any number, a neighbour, or one that has much of its bits.
  ///
  /// The bits are those next to the ends of narrower integers, and the one from which a `Double` is
  /// no longer exact.
  private static func near<Integer: FixedWidthInteger>(
    _ value: Integer,
    _ choices: inout Choices,
    any: (inout Choices) -> Integer
  ) -> Integer {
    switch choices.pick(weights: [4, 3, 3, 2, 1, 4]) {
    case 0: any(&choices)
    case 1: value &+ 1
    case 2: value &- 1
    case 3: 0 &- value
    case 4: ~value
    default: value ^ (1 << choices.element(of: [32, 16, 8, 31, 15, 7, 53, 63]))
    }
  }

  /// Any number, a neighbour, or the same after it was rounded or written with fewer digits.
  private static func near(_ value: Double, _ choices: inout Choices) -> Double {
    let near: Double =
      switch choices.pick(weights: [4, 2, 2, 2, 2, 2, 2]) {
      case 0: Double.draw(&choices)
      case 1: -value
      case 2: value.nextUp
      case 3: value.nextDown
      case 4: Double(choices.flag() ? Float(value).nextUp : Float(value))
      case 5: value.rounded(.towardZero)
      default: value + 1 / Double(1 << choices.element(of: [0, 1, 10, 20]))
      }
    return near.isFinite ? near : value
  }

  /// Any string, a part of this one, one that this is a part of, or one that looks like it.
  private static func near(_ value: String, _ choices: inout Choices) -> String {
    let scalars = value.unicodeScalars
    switch choices.pick(weights: [4, 3, 2, 3, 2, 1, 1, 1, 2]) {
    case 0: return String.draw(&choices)
    case 1: return String(String.UnicodeScalarView(scalars.dropLast()))
    case 2: return String(String.UnicodeScalarView(scalars.dropFirst()))
    case 3: return value + choices.element(of: ["a", " ", "\u{0}", "\u{301}", value])
    case 4: return choices.element(of: ["a", " "]) + value
    case 5: return value == value.uppercased() ? value.lowercased() : value.uppercased()
    case 6: return value.precomposedStringWithCanonicalMapping
    case 7: return value.decomposedStringWithCanonicalMapping
    default: return String(String.UnicodeScalarView(scalars.reversed()))
    }
  }

  private static func near(_ value: [UInt8], _ choices: inout Choices) -> [UInt8] {
    var bytes = value
    switch choices.pick(weights: [3, 2, 2, 2, 3]) {
    case 0: return Array(StandardLeaves.data(&choices))
    case 1: return bytes.dropLast()
    case 2: return Array(bytes.dropFirst())
    case 3: return bytes + [0]
    default:
      guard !bytes.isEmpty else { return [0] }
      bytes[choices.index(below: bytes.count)] ^= 1
      return bytes
    }
  }

  /// Any date, one near it, or one on the other side of 1970.
  private static func near(date: Double, _ choices: inout Choices) -> Double {
    switch choices.pick(weights: [4, 2, 2, 3, 3, 1]) {
    case 0: return StandardLeaves.date(&choices).timeIntervalSinceReferenceDate
    case 1: return date + 1
    case 2: return date - 1
    case 3: return date + 0.001
    case 4: return date - 0.25
    default:
      let since1970 = Date(timeIntervalSinceReferenceDate: date).timeIntervalSince1970
      return Date(timeIntervalSince1970: -since1970).timeIntervalSinceReferenceDate
    }
  }

  // MARK: - Containers

  /// Elements in another order, fewer, more, or all a little different.
  private static func another(_ old: [Tree], _ choices: inout Choices) -> Tree {
    var elements = old
    let index = choices.index(below: elements.count)
    switch choices.pick(weights: [3, 2, 3, 3, 2, 1, 2, 1, 1]) {
    case 0: elements.remove(at: index)
    case 1: elements.append(elements[index])
    case 2: elements.swapAt(index, choices.index(below: elements.count))
    case 3:
      let moved = elements.remove(at: index)
      elements.insert(moved, at: choices.index(below: elements.count + 1))
    case 4: elements.insert(elements[index].numbered(elements.count), at: index)
    case 5: elements.reverse()
    case 6: elements.append(elements.removeFirst())
    case 7: for later in index..<elements.count { elements[later] = elements[later].numbered(1) }
    default: elements.removeSubrange(index...)
    }
    return .list(elements)
  }

  /// Entries with one fewer, one more, one renamed or respelled, or two whose values change places.
  private static func another(_ old: [Entry], _ choices: inout Choices) -> Tree {
    var entries = old
    let index = choices.index(below: entries.count)
    let other = choices.index(below: entries.count)
    switch choices.pick(weights: [1, 2, 2, 2, 3, 1]) {
    case 0: entries.remove(at: index)
    case 1: entries[index] = Entry(entries[index].key + "2", entries[index].value)
    case 2: entries.append(Entry(entries[index].key + "2", entries[other].value))
    case 3: entries[index].value = entries[other].value
    case 5:
      // Few keys have two forms; the others get one that has.
      let place = entries.firstIndex { Self.otherForm(of: $0.key) != nil } ?? index
      let key = entries[place].key
      entries[place] = Entry(Self.otherForm(of: key) ?? key + "\u{E9}", entries[place].value)
    default:
      (entries[index].value, entries[other].value) = (entries[other].value, entries[index].value)
    }
    return .map(of: entries)
  }

  /// The string in a normal form that it does not have, and which `==` takes for the same; `nil` if it has both.
  private static func otherForm(of value: String) -> String? {
    let forms = [
      value.precomposedStringWithCanonicalMapping, value.decomposedStringWithCanonicalMapping,
    ]
    return forms.first { !$0.utf8.elementsEqual(value.utf8) }
  }

  /// The tree with a number worked into each of its leaves, so that each number gives another tree.
  ///
  /// A `Decimal` stays as it is: arithmetic makes no `Decimal` with such numbers in its parts.
  private func numbered(_ number: Int) -> Tree {
    switch self {
    case .list(let elements): .list(elements.map { $0.numbered(number) })
    case .map(let entries):
      entries.contains { $0.key == "mantissa" }
        ? self : .map(of: entries.map { Entry($0.key, $0.value.numbered(number)) })
    case .int(let value): .int(value &+ Int64(number))
    case .uint(let value): .uint(value &+ UInt64(number))
    case .float(let value): .float(value + Double(number))
    case .date(let value): .date(value + Double(number))
    case .counter(let value): .counter(value &+ Int64(number))
    case .string(let value): .string(Self.numbered(value, number))
    case .text(let value): .text(value + "\(number)")
    default: self
    }
  }

  /// The string with a number behind it; within the last digits of a UUID, so that it stays one.
  private static func numbered(_ value: String, _ number: Int) -> String {
    guard value.utf8.count == 36, UUID(uuidString: value) != nil else { return value + "\(number)" }
    return value.dropLast(4) + hexString(UInt16(truncatingIfNeeded: number)).uppercased()
  }

  // MARK: - Length

  /// Elements of a list that counts as long.
  private static let longCount = 60

  /// Lengths at which tables, nodes and counts of one byte are full, and those beside them.
  private static let boundaries = [64, 63, 65, 127, 128, 129, 255, 256, 257, 300]

  /// The tree with one list, map, string or run of bytes made as long as a boundary, or with `isModest` 8 to 40 long,
  /// out of what it holds.
  ///
  /// Three choices, however long it becomes. What `accept` refuses stays short.
  package func stretched(
    _ choices: inout Choices,
    isModest: Bool = false,
    accepting accept: (Tree) -> Tree? = { $0 }
  ) -> Tree {
    let places = paths.filter { path in
      switch self[path] {
      case .list(let elements): !elements.isEmpty
      case .map(let entries): !entries.isEmpty && entries.count < 7
      case .string, .text, .bytes: true
      default: false
      }
    }
    guard !places.isEmpty else { return self }
    let lists = places.filter { self[$0]?.kind == .list }
    let place = choices.element(of: choices.flag(percent: 60) && !lists.isEmpty ? lists : places)
    let length =
      isModest ? choices.number(in: 8...40) : choices.element(of: Self.boundaries)
    guard let old = self[place] else { return self }
    for isNumbered in [true, false] {
      let long = replacing(place, with: old.long(length, isNumbered: isNumbered))
      if long.nodeCount <= Self.stretchLimit, let accepted = accept(long) { return accepted }
    }
    return self
  }

  /// Nodes of a tree that was made long, at most.
  private static let stretchLimit = 3_000

  private func long(_ length: Int, isNumbered: Bool) -> Tree {
    switch self {
    case .list(let elements):
      return .list(
        (0..<length).map { index in
          let element = elements[index % elements.count]
          return isNumbered && index >= elements.count ? element.numbered(index) : element
        }
      )
    case .map(let entries):
      let more = (entries.count..<max(entries.count, length)).map { index in
        let value = entries[index % entries.count].value
        return Entry("\(index)", isNumbered ? value.numbered(index) : value)
      }
      return .map(of: entries + more)
    case .string(let value): return .string(Self.long(value, length))
    case .text(let value): return .text(Self.long(value, length))
    case .bytes(let value):
      return .bytes((0..<length).map { value.isEmpty ? 0 : value[$0 % value.count] })
    default: return self
    }
  }

  private static func long(_ value: String, _ length: Int) -> String {
    let scalars = Array((value.isEmpty ? "a" : value).unicodeScalars)
    var long = String.UnicodeScalarView()
    for index in 0..<length { long.append(scalars[index % scalars.count]) }
    return String(long)
  }
}
