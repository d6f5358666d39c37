import CodingSupport
import ModelGeneration

/// A model of any shape, whose texts and counters are instances of the subject's types.
indirect enum StoryShape<Text: ModelText, Counter: ModelCounter>: Encodable {
  case null
  case int(Int)
  case string(String)
  case text(Text)
  case counter(Counter)
  case list([Self])
  case map([String: Self])
  /// Sets, where the subject's types can be elements of one; otherwise lists.
  case texts([Text])
  case counters([Counter])
  case pairs([StorySlot: Self])

  /// Whether it is a value that a text or counter may read like.
  var isPlain: Bool {
    switch self {
    case .string, .int: true
    default: false
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .int(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .counter(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .map(let values): try container.encode(values)
    case .texts(let values): try Self.encodeSet(values, into: &container)
    case .counters(let values): try Self.encodeSet(values, into: &container)
    case .pairs(let values): try container.encode(values)
    }
  }

  /// Whether both of the subject's types can be elements of sets.
  static var hasSets: Bool { Text.self is any Hashable.Type && Counter.self is any Hashable.Type }

  private static func encodeSet<Element: Encodable>(
    _ elements: [Element],
    into container: inout any SingleValueEncodingContainer
  ) throws {
    func encode<Hashed: Hashable & Encodable>(as type: Hashed.Type) throws {
      try container.encode(Set(elements.compactMap { $0 as? Hashed }))
    }
    guard let type = Element.self as? any (Hashable & Encodable).Type else {
      return try container.encode(elements)
    }
    try encode(as: type)
  }
}

/// A key that makes a dictionary a list of pairs.
enum StorySlot: Int, Encodable, CaseIterable, Comparable {
  case first, second, third

  init(_ number: Int) { self = Self.allCases[number % Self.allCases.count] }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A step from a shape to one within it.
enum StoryStep: Hashable, CustomStringConvertible {
  case key(String)
  case index(Int)
  case slot(StorySlot)
  /// To an element of a set.
  case member

  var description: String {
    switch self {
    case .key(let key): key
    case .index(let index): "[\(index)]"
    case .slot(let slot): "<\(slot)>"
    case .member: "{}"
    }
  }
}

extension StoryShape {
  /// The places within, each with its shape, outermost first and in one order.
  var places: [(path: [StoryStep], shape: Self)] {
    var places: [(path: [StoryStep], shape: Self)] = [([], self)]
    func add(_ step: StoryStep, _ inner: Self) {
      places += inner.places.map { ([step] + $0.path, $0.shape) }
    }
    switch self {
    case .list(let values):
      for (index, value) in values.enumerated() { add(.index(index), value) }
    case .map(let values):
      for (key, value) in values.sorted(by: { $0.key < $1.key }) { add(.key(key), value) }
    case .pairs(let values):
      for (key, value) in values.sorted(by: { $0.key < $1.key }) { add(.slot(key), value) }
    default: break
    }
    return places
  }

  /// The shape with another one at a place; `nil` takes the place away.
  func replacing(_ path: ArraySlice<StoryStep>, with other: Self?) -> Self? {
    guard let step = path.first else { return other }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.list(var values), .index(let index)) where values.indices.contains(index):
      if let value = values[index].replacing(rest, with: other) {
        values[index] = value
      } else {
        values.remove(at: index)
      }
      return .list(values)
    case (.map(var values), .key(let key)):
      values[key] = values[key]?.replacing(rest, with: other)
      return .map(values)
    case (.pairs(var values), .slot(let slot)):
      values[slot] = values[slot]?.replacing(rest, with: other)
      return .pairs(values)
    default: return self
    }
  }

  /// The shape with the elements of each set unlike each other by what they hold.
  ///
  /// A set itself keeps two that are bound to two places.
  var withProperSets: Self {
    func distinct<Element, Value: Hashable>(
      _ elements: [Element],
      by value: (Element) -> Value
    ) -> [Element] {
      var known: Set<Value> = []
      return elements.filter { known.insert(value($0)).inserted }
    }
    switch self {
    case .list(let values): return .list(values.map(\.withProperSets))
    case .map(let values): return .map(values.mapValues(\.withProperSets))
    case .pairs(let values): return .pairs(values.mapValues(\.withProperSets))
    case .texts(let values): return .texts(distinct(values, by: \.value))
    case .counters(let values): return .counters(distinct(values, by: \.value))
    default: return self
    }
  }

  /// Where a document's tree is another one, as a place and what is there; `nil` if nowhere.
  ///
  /// What a `readonly` encode did not remove may stand there beside.
  func difference(
    from tree: Tree?,
    mayHaveMore: Bool,
    at path: [StoryStep] = []
  ) -> StoryDifference? {
    func inner(_ value: Self, _ tree: Tree?, _ step: StoryStep) -> StoryDifference? {
      value.difference(from: tree, mayHaveMore: mayHaveMore, at: path + [step])
    }
    func wrong() -> StoryDifference { StoryDifference(path, expected: shown, tree) }
    switch (self, tree) {
    case (.null, .null?): return nil
    case (.int(let value), .int(let number)?): return number == Int64(value) ? nil : wrong()
    // A string leaves a text that reads like it.
    case (.string(let value), .string(let text)?), (.string(let value), .text(let text)?):
      return value == text ? nil : wrong()
    case (.text(let value), .text(let text)?): return value.value == text ? nil : wrong()
    case (.counter(let value), .counter(let number)?):
      return number == Int64(value.value) ? nil : wrong()
    case (.list(let values), .list(let elements)?):
      guard elements.count == values.count || (mayHaveMore && elements.count > values.count) else {
        return wrong()
      }
      return zip(values, elements).enumerated().lazy
        .compactMap { inner($1.0, $1.1, .index($0)) }.first
    case (.map(let values), .map(let entries)?):
      let keys = Set(entries.map(\.key))
      guard keys == Set(values.keys) || (mayHaveMore && keys.isSuperset(of: values.keys)) else {
        return wrong()
      }
      return values.sorted { $0.key < $1.key }.lazy
        .compactMap { inner($0.value, tree?.child(.key($0.key)), .key($0.key)) }.first
    case (.texts(let values), .list(let elements)?):
      return Self.isBag(values.map { .text($0.value) }, elements, mayHaveMore) ? nil : wrong()
    case (.counters(let values), .list(let elements)?):
      let counts = values.map { Tree.counter(Int64($0.value)) }
      return Self.isBag(counts, elements, mayHaveMore) ? nil : wrong()
    case (.pairs(let values), .list(let elements)?):
      guard elements.count == 2 * values.count || mayHaveMore else { return wrong() }
      for (slot, value) in values.sorted(by: { $0.key < $1.key }) {
        let key = Tree.int(Int64(slot.rawValue))
        let place = stride(from: 0, to: elements.count - 1, by: 2).first { elements[$0] == key }
        guard let place else { return wrong() }
        if let found = inner(value, elements[place + 1], .slot(slot)) { return found }
      }
      return nil
    default: return wrong()
    }
  }

  /// Whether the elements are these, in any order.
  private static func isBag(_ expected: [Tree], _ elements: [Tree], _ mayHaveMore: Bool) -> Bool {
    var left = elements
    for value in expected {
      guard let place = left.firstIndex(of: value) else { return false }
      left.remove(at: place)
    }
    return left.isEmpty || mayHaveMore
  }

  /// What it holds, in the form of trees; sets and pairs as lists.
  private var shown: String {
    func joined(_ parts: [String]) -> String { "[\(parts.joined(separator: ", "))]" }
    switch self {
    case .null: return "null"
    case .int(let value): return "\(value)"
    case .string(let value): return Tree.quoted(value)
    case .text(let value): return "\(Tree.text(value.value))"
    case .counter(let value): return "\(Tree.counter(Int64(value.value)))"
    case .list(let values): return joined(values.map(\.shown))
    case .map(let values):
      let entries = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
      return "{\(entries.joined(separator: ", "))}"
    case .texts(let values): return joined(values.map { "\(Tree.text($0.value))" })
    case .counters(let values): return joined(values.map { "\(Tree.counter(Int64($0.value)))" })
    case .pairs(let values):
      return joined(
        values.sorted { $0.key < $1.key }.map { "\($0.key.rawValue), \($0.value.shown)" }
      )
    }
  }
}

/// Where a document shows something else than the model.
struct StoryDifference {
  let place: String
  let expected: String
  let actual: String

  init(_ path: [StoryStep], expected: String, _ tree: Tree?) {
    place = path.isEmpty ? "the root" : path.map { "\($0)" }.joined(separator: ".")
    self.expected = expected
    actual = tree.map { "\($0)" } ?? "nothing"
  }
}
