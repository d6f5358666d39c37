// long: one story, with the shapes that its models have and the plain values beside them.
//
// The law `reference.story` tells such stories to any coder. Here is what our coder alone promises: to which object or
// place an instance is bound, pairs that are known by their keys, two instances of one place, and cautious encodes.

import AutomergeDocument
import DocumentCoding
import Foundation
import MergeEngine
import PropertyEngine
import TestSupport
import Testing

/// A model of any shape, whose texts and counters are instances of their own.
private indirect enum Shape: Encodable {
  case null
  case int(Int)
  case string(String)
  case text(AutomergeText)
  case counter(Counter)
  case list([Shape])
  case map([String: Shape])
  case texts(Set<AutomergeText>)
  case counters(Set<Counter>)
  case pairs([Slot: Shape])

  /// A key that makes a dictionary a list of pairs.
  enum Slot: Int, Encodable, Comparable {
    case first, second, third

    static func < (left: Slot, right: Slot) -> Bool { left.rawValue < right.rawValue }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .int(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .counter(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .map(let value): try container.encode(value)
    case .texts(let value): try container.encode(value)
    case .counters(let value): try container.encode(value)
    case .pairs(let value): try container.encode(value)
    }
  }
}

/// What a shape holds, without instances; of a set the elements in their order.
private indirect enum Plain: Hashable, CustomStringConvertible {
  case null
  case int(Int)
  case string(String)
  case text(String)
  case counter(Int)
  case list([Plain])
  case map([String: Plain])
  case bag([Plain])
  case pairs([Int: Plain])

  init(_ shape: Shape) {
    switch shape {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .string(let value): self = .string(value)
    case .text(let value): self = .text(value.value)
    case .counter(let value): self = .counter(value.value)
    case .list(let value): self = .list(value.map { Plain($0) })
    case .map(let value): self = .map(value.mapValues { Plain($0) })
    case .texts(let value): self = .bag(value.map { .text($0.value) })
    case .counters(let value): self = .bag(value.map { .counter($0.value) })
    case .pairs(let value):
      self = .pairs(
        Dictionary(uniqueKeysWithValues: value.map { ($0.key.rawValue, Plain($0.value)) })
      )
    }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .int(let value): "\(value)"
    case .string(let value): value.debugDescription
    case .text(let value): "text \(value.debugDescription)"
    case .counter(let value): "counter \(value)"
    case .list(let value): "\(value)"
    case .map(let value):
      "{\(value.keys.sorted().map { "\($0): \(value[$0]?.description ?? "")" }.joined(separator: ", "))}"
    case .bag(let value): "bag \(value.map(\.description).sorted())"
    case .pairs(let value):
      "pairs {\(value.keys.sorted().map { "\($0): \(value[$0]?.description ?? "")" }.joined(separator: ", "))}"
    }
  }

  /// Where a value of a document is another one; nil if nowhere.
  ///
  /// Of what a readonly encode wrote, more may stand there.
  func difference(
    _ found: AutomergeDocument.Value?,
    in document: Document,
    hasMore: Bool,
    at path: String = ""
  ) throws -> String? {
    let wrong = "\(path): \(self) is \(found.map { "\($0)" } ?? "nothing")"
    switch (self, found) {
    case (.null, .Scalar(.Null)?): return nil
    case (.int(let value), .Scalar(.Int(let number))?): return number == Int64(value) ? nil : wrong
    case (.string(let value), .Scalar(.String(let text))?): return value == text ? nil : wrong
    case (.string(let value), .Object(let object, .Text)?),
      (.text(let value), .Object(let object, .Text)?):
      return try document.text(obj: object) == value
        ? nil : wrong + " \(try document.text(obj: object))"
    case (.counter(let value), .Scalar(.Counter(let number))?):
      return number == Int64(value) ? nil : wrong
    case (.list(let values), .Object(let object, .List)?):
      let elements = try document.values(obj: object)
      guard elements.count == values.count || (hasMore && elements.count > values.count) else {
        return wrong + " \(elements)"
      }
      for (index, value) in values.enumerated() {
        let place = "\(path).[\(index)]"
        let inner = try value.difference(
          elements[index],
          in: document,
          hasMore: hasMore,
          at: place
        )
        if let inner { return inner }
      }
      return nil
    case (.map(let values), .Object(let object, .Map)?):
      let keys = document.keys(obj: object)
      guard Set(keys) == Set(values.keys) || (hasMore && Set(keys).isSuperset(of: values.keys))
      else { return wrong + " \(keys)" }
      for (key, value) in values {
        let inner = try value.difference(
          try document.get(obj: object, key: key),
          in: document,
          hasMore: hasMore,
          at: "\(path).\(key)"
        )
        if let inner { return inner }
      }
      return nil
    case (.bag(let values), .Object(let object, .List)?):
      var left = try document.values(obj: object)
      for value in values {
        guard
          let place = try left.firstIndex(where: {
            try value.difference($0, in: document, hasMore: hasMore) == nil
          })
        else { return wrong + " \(left)" }
        left.remove(at: place)
      }
      return left.isEmpty || hasMore ? nil : wrong + ", too many: \(left)"
    case (.pairs(let values), .Object(let object, .List)?):
      let elements = try document.values(obj: object)
      guard elements.count == 2 * values.count || hasMore else { return wrong + " \(elements)" }
      for (key, value) in values {
        guard
          let place = stride(from: 0, to: elements.count - 1, by: 2).first(where: {
            elements[$0] == .Scalar(.Int(Int64(key)))
          })
        else { return wrong + " \(elements)" }
        let inner = try value.difference(
          elements[place + 1],
          in: document,
          hasMore: hasMore,
          at: "\(path).<\(key)>"
        )
        if let inner { return inner }
      }
      return nil
    default: return wrong
    }
  }
}

/// A step from a shape to one within it.
private enum Step: Hashable {
  case key(String)
  case index(Int)
  case slot(Shape.Slot)
  /// To an element of a set.
  case member
}

extension Shape {
  /// The places within, each with its shape, outermost first and in one order.
  var places: [(path: [Step], shape: Shape)] {
    var places: [(path: [Step], shape: Shape)] = [([], self)]
    switch self {
    case .list(let values):
      for (index, value) in values.enumerated() {
        places += value.places.map { ([.index(index)] + $0.path, $0.shape) }
      }
    case .map(let values):
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        places += value.places.map { ([.key(key)] + $0.path, $0.shape) }
      }
    case .pairs(let values):
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        places += value.places.map { ([.slot(key)] + $0.path, $0.shape) }
      }
    default: break
    }
    return places
  }

  /// The shape with another one at a place; nil takes the place away.
  func replacing(_ path: ArraySlice<Step>, with other: Shape?) -> Shape? {
    guard let step = path.first else { return other }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.list(var values), .index(let index)):
      guard values.indices.contains(index) else { return self }
      if let value = values[index].replacing(rest, with: other) {
        values[index] = value
      } else {
        values.remove(at: index)
      }
      return .list(values)
    case (.map(var values), .key(let key)):
      values[key] = values[key]?.replacing(rest, with: other)
      return .map(values)
    case (.pairs(var values), .slot(let key)):
      values[key] = values[key]?.replacing(rest, with: other)
      return .pairs(values)
    default: return self
    }
  }
}

/// A shape as it is drawn: instances are numbers.
private indirect enum Sketch: CustomStringConvertible {
  case null
  case int(Int)
  case string(Int)
  case newText(Int)
  case newCounter(Int)
  case text(Int)
  case counter(Int)
  case list([Sketch])
  case map([(Int, Sketch)])
  case texts([Int])
  case counters([Int])
  case pairs([(Int, Sketch)])

  init(_ choices: inout Choices, depth: Int) {
    let kind = choices.pick(
      weights: depth < 3 ? [1, 2, 2, 4, 4, 6, 6, 5, 5, 3, 3, 4] : [1, 2, 2, 4, 4, 6, 6]
    )
    func several<Item>(_ item: (inout Choices) -> Item) -> [Item] {
      var items: [Item] = []
      choices.repeated(upTo: 3, averaging: 2, "item") { items.append(item(&$0)) }
      return items
    }
    switch kind {
    case 0: self = .null
    case 1: self = .int(choices.index(below: 3))
    case 2: self = .string(choices.index(below: 3))
    case 3: self = .newText(choices.index(below: 4))
    case 4: self = .newCounter(choices.index(below: 4))
    case 5: self = .text(choices.index(below: 12))
    case 6: self = .counter(choices.index(below: 12))
    case 7: self = .list(several { Sketch(&$0, depth: depth + 1) })
    case 8:
      self = .map(several { ($0.index(below: 3), Sketch(&$0, depth: depth + 1)) })
    case 9: self = .texts(several { $0.index(below: 12) })
    case 10: self = .counters(several { $0.index(below: 12) })
    default:
      self = .pairs(several { ($0.index(below: 3), Sketch(&$0, depth: depth + 1)) })
    }
  }

  /// The same with new instances in place of those that are known.
  var withoutKnown: Sketch {
    switch self {
    case .text(let number): .newText(number % 4)
    case .counter(let number): .newCounter(number % 4)
    case .list(let values): .list(values.map(\.withoutKnown))
    case .map(let values): .map(values.map { ($0.0, $0.1.withoutKnown) })
    case .pairs(let values): .pairs(values.map { ($0.0, $0.1.withoutKnown) })
    case .texts, .counters: .texts([])
    default: self
    }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .int(let value): "\(value)"
    case .string(let value): "string \(value)"
    case .newText(let value): "new text \(value)"
    case .newCounter(let value): "new counter \(value)"
    case .text(let value): "text #\(value)"
    case .counter(let value): "counter #\(value)"
    case .list(let value): "\(value)"
    case .map(let value): "map \(value)"
    case .texts(let value): "texts \(value)"
    case .counters(let value): "counters \(value)"
    case .pairs(let value): "pairs \(value)"
    }
  }
}

/// What a story does next.
private enum Event: CustomStringConvertible {
  case put(Int, Sketch)
  case add(Int, key: Int, Sketch)
  case remove(Int)
  case swap(Int, Int)
  /// A text or counter comes into a set, or leaves it.
  case toggle(Int, Int)
  case encode(Int, elsewhere: Bool, again: Bool)
  case set(text: Int, Int)
  case count(Int, Int)
  case peerEdits(Int, Int)
  case merge
  /// Another instance of what one is bound to.
  case alias(Int)
  /// Instances are edited where they stand, and then the model by what is new, which is encoded based on the heads
  /// before.
  case encodeBasedOn(edits: [Int], [Change])

  struct Change {
    let place: Int
    /// Nil removes the place.
    let sketch: Sketch?
    let key: Int
  }

  init(_ choices: inout Choices) {
    switch choices.pick(weights: [2, 5, 3, 3, 4, 9, 2, 2, 3, 2, 3, 1]) {
    case 0: self = .merge
    case 11: self = .alias(choices.index(below: 24))
    case 10:
      var (edits, changes): ([Int], [Change]) = ([], [])
      choices.repeated(upTo: 3, averaging: 2, "edit") { edits.append($0.index(below: 24)) }
      choices.repeated(upTo: 3, averaging: 2, "change") { choices in
        let place = choices.index(below: 24)
        let sketch = choices.flag(percent: 70) ? Sketch(&choices, depth: 0).withoutKnown : nil
        changes.append(Change(place: place, sketch: sketch, key: choices.index(below: 4)))
      }
      self = .encodeBasedOn(edits: edits, changes)
    case 1:
      self = .add(
        choices.index(below: 24),
        key: choices.index(below: 4),
        Sketch(&choices, depth: 0)
      )
    case 2: self = .put(choices.index(below: 24), Sketch(&choices, depth: 0))
    case 3: self = .swap(choices.index(below: 24), choices.index(below: 24))
    case 4: self = .toggle(choices.index(below: 6), choices.index(below: 12))
    case 5:
      self = .encode(
        choices.pick(weights: [6, 3, 1, 1]),
        elsewhere: choices.flag(percent: 15),
        again: choices.flag(percent: 50)
      )
    case 6: self = .set(text: choices.index(below: 12), choices.index(below: 4))
    case 7: self = .count(choices.index(below: 12), choices.index(below: 4))
    case 8: self = .peerEdits(choices.index(below: 8), choices.index(below: 24))
    default: self = .remove(choices.index(below: 24))
    }
  }

  var description: String {
    switch self {
    case .put(let place, let sketch): "put \(sketch) at \(place)"
    case .add(let place, let key, let sketch): "add \(sketch) in \(place) as \(key)"
    case .remove(let place): "remove \(place)"
    case .swap(let one, let other): "swap \(one) and \(other)"
    case .toggle(let place, let instance): "toggle #\(instance) of set \(place)"
    case .encode(let strategy, let elsewhere, let again):
      "encode by \(strategy)\(elsewhere ? " elsewhere" : "")\(again ? " twice" : "")"
    case .set(let text, let number): "set text #\(text) to \(number)"
    case .count(let counter, let number): "add \(number) to counter #\(counter)"
    case .peerEdits(let kind, let place): "peer edits \(place) by \(kind)"
    case .merge: "merge"
    case .alias(let number): "another instance of #\(number)"
    case .encodeBasedOn(let edits, let changes):
      "encode based on heads after edits \(edits), changes \(changes)"
    }
  }
}

/// A text or a counter of a model, with its place; all elements of a set have one.
private struct Instance {
  let path: [Step]
  var text: AutomergeText?
  var counter: Counter?

  var identity: ObjectIdentifier? {
    text.map { ObjectIdentifier($0) } ?? counter.map { ObjectIdentifier($0) }
  }
  var value: String { text?.value ?? "\(counter?.value ?? 0)" }
  var isBound: Bool { text?.isBound ?? counter?.isBound ?? false }
  var isAttached: Bool { text?.isAttached ?? counter?.isAttached ?? false }
  var isInList: Bool {
    path.contains { step in
      if case .index = step { true } else { false }
    }
  }

  func edit(_ number: Int) {
    if let text { text.value += "\(number)" }
    counter?.increment(by: 10 + number)
  }
}

/// A model, the instances that were ever part of it, and the documents that it is written to.
private final class Story {
  private let home = Document()
  private let elsewhere = Document()
  private let peer: Document
  private var model: [String: Shape] = [:]
  private var texts: [AutomergeText] = []
  private var counters: [Counter] = []
  /// Where instances were written last: at places that no list is around.
  private var written: [[Step]: [Written]] = [:]
  /// Whether the peer has changed more than what texts and counters hold.
  private var isDamaged = false

  /// An instance, and what it was bound to.
  private struct Written {
    let instance: ObjectIdentifier
    let thing: String
  }

  init() throws {
    try home.put(obj: .ROOT, key: "start", value: .Int(1))
    peer = home.fork()
    for number in 0..<3 {
      texts.append(AutomergeText(Self.words[number]))
      counters.append(Counter(number))
    }
  }

  private static let words = ["", "a", "b", "ab"]

  private var shape: Shape {
    get { .map(model) }
    set { if case .map(let values) = newValue { model = values } }
  }

  func run(_ event: Event) throws -> String? {
    let places = shape.places
    switch event {
    case .put(let place, let sketch):
      let path = places[place % places.count].path
      if path.isEmpty { return nil }
      shape = shape.replacing(path[...], with: made(sketch)) ?? shape
    case .add(let place, let key, let sketch): add(sketch, to: place, key)
    case .remove(let place): remove(place)
    case .swap(let one, let other):
      let (left, right) = (places[one % places.count], places[other % places.count])
      guard !left.path.starts(with: right.path), !right.path.starts(with: left.path) else {
        return nil
      }
      shape = shape.replacing(left.path[...], with: right.shape) ?? shape
      shape = shape.replacing(right.path[...], with: left.shape) ?? shape
    case .toggle(let place, let instance):
      let sets = places.filter {
        switch $0.shape {
        case .texts, .counters: true
        default: false
        }
      }
      guard !sets.isEmpty else { return nil }
      let found = sets[place % sets.count]
      shape = shape.replacing(found.path[...], with: toggled(found.shape, instance)) ?? shape
    case .encode(let strategy, let isElsewhere, let again):
      return try encode(strategy, isElsewhere ? elsewhere : home, again: again)
    case .set(let text, let number):
      texts[text % texts.count].value = Self.words[number]
    case .count(let counter, let number):
      counters[counter % counters.count].increment(by: number + 1)
    case .peerEdits(let kind, let place): try peerEdits(kind, place)
    case .merge:
      try home.merge(other: peer)
      if isDamaged { written = [:] }
    case .alias(let number): alias(number)
    case .encodeBasedOn(let edits, let changes): return try encodeBasedOn(edits, changes)
    }
    return nil
  }

  private func alias(_ number: Int) {
    if let id = texts[number % texts.count].objId,
      let text = try? AutomergeText(doc: home, objId: id)
    {
      texts.append(text)
    }
    let counter = counters[number % counters.count]
    for key in ["k0", "k1", "k2", "k3"] {
      guard let id = counter.objId,
        let other = try? Counter(doc: home, objId: id, key: AnyCodingKey(key)), other == counter
      else { continue }
      counters.append(other)
    }
  }

  private func add(_ sketch: Sketch, to place: Int, _ key: Int) {
    let holders = shape.places.filter {
      switch $0.shape {
      case .list, .map, .pairs: true
      default: false
      }
    }
    let holder = holders[place % holders.count]
    let inner = made(sketch)
    let result: Shape
    switch holder.shape {
    case .list(var values):
      values.insert(inner, at: key % (values.count + 1))
      result = .list(values)
    case .map(var values):
      values["k\(key)"] = inner
      result = .map(values)
    case .pairs(var values):
      values[Shape.Slot(rawValue: key % 3) ?? .first] = inner
      result = .pairs(values)
    default: return
    }
    shape = shape.replacing(holder.path[...], with: result) ?? shape
  }

  private func remove(_ place: Int) {
    let places = shape.places
    let path = places[place % places.count].path
    if !path.isEmpty { shape = shape.replacing(path[...], with: nil) ?? shape }
  }

  /// The set made anew: instances hash by what they hold, which may be other than when they came into the set.
  private func toggled(_ shape: Shape, _ number: Int) -> Shape {
    func others<Element: AnyObject>(_ set: Set<Element>, than element: Element) -> Set<Element> {
      let others = Array(set).filter { $0 !== element }
      return Set(others.count < set.count ? others : others + [element])
    }
    switch shape {
    case .texts(let set): return .texts(others(set, than: texts[number % texts.count]))
    case .counters(let set): return .counters(others(set, than: counters[number % counters.count]))
    default: return shape
    }
  }

  private func made(_ sketch: Sketch) -> Shape {
    switch sketch {
    case .null: return .null
    case .int(let value): return .int(value)
    case .string(let value): return .string(Self.words[value])
    case .newText(let value):
      let text = AutomergeText(Self.words[value])
      texts.append(text)
      return .text(text)
    case .newCounter(let value):
      let counter = Counter(value)
      counters.append(counter)
      return .counter(counter)
    case .text(let number): return .text(texts[number % texts.count])
    case .counter(let number): return .counter(counters[number % counters.count])
    case .list(let values): return .list(values.map { made($0) })
    case .map(let values):
      return .map(
        Dictionary(values.map { ("k\($0.0)", made($0.1)) }) { $1 }
      )
    case .texts(let numbers): return .texts(Set(numbers.map { texts[$0 % texts.count] }))
    case .counters(let numbers):
      return .counters(Set(numbers.map { counters[$0 % counters.count] }))
    case .pairs(let values):
      return .pairs(
        Dictionary(values.map { (Shape.Slot(rawValue: $0.0) ?? .first, made($0.1)) }) { $1 }
      )
    }
  }

  // MARK: - Instances

  /// What a text is bound to in a document, as a name; nil if it is bound to nothing there.
  private func thing(_ text: AutomergeText, _ document: Document) -> String? {
    guard let id = text.objId, document.reading({ (try? $0.kind(of: id.engineID)) != nil }) else {
      return nil
    }
    return "\(id)"
  }

  /// The same of a counter: its holder, and the key or the element's id.
  private func thing(_ counter: Counter, _ document: Document) -> String? {
    guard let holder = counter.objId, counter.isAttached,
      document.reading({ (try? $0.kind(of: holder.engineID)) != nil })
    else { return nil }
    let keys = document.keys(obj: holder)
    let isList = document.objectType(obj: holder) != .Map
    for (index, key) in keys.enumerated() {
      let step = isList ? AnyCodingKey(UInt64(index)) : AnyCodingKey(key)
      guard let probe = try? Counter(doc: document, objId: holder, key: step) else { continue }
      if probe == counter { return "\(holder) \(key)" }
    }
    return nil
  }

  private func thing(_ instance: Instance, _ document: Document) -> String? {
    if let text = instance.text { return thing(text, document) }
    return instance.counter.flatMap { thing($0, document) }
  }

  private var instances: [Instance] {
    shape.places.flatMap { place -> [Instance] in
      switch place.shape {
      case .text(let text): [Instance(path: place.path, text: text)]
      case .counter(let counter): [Instance(path: place.path, counter: counter)]
      case .texts(let set): set.map { Instance(path: place.path + [.member], text: $0) }
      case .counters(let set): set.map { Instance(path: place.path + [.member], counter: $0) }
      default: []
      }
    }
  }

  private func bindings(_ document: Document) -> [String?] {
    texts.map { thing($0, document) } + counters.map { thing($0, document) }
  }

  private func values() -> [String] {
    texts.map(\.value) + counters.map { "\($0.value)" }
  }

  /// Everything that a failed encode must leave alone.
  private func state(_ document: Document) throws -> [String] {
    [
      "\(try document.schema())", "\(document.reading(\.pendingOpCount))",
      "\(bindings(document))", "\(values())",
    ]
  }

  // MARK: - Encoding

  private func encode(_ strategy: Int, _ document: Document, again: Bool) throws -> String? {
    let strategies: [SchemaStrategy] = [
      .override, .createWhenNeeded, .readonly, .createWhenNeeded,
    ]
    let encoder = AutomergeEncoder(
      doc: document,
      strategy: strategies[strategy],
      cautiousWrite: strategy == 3
    )
    let expected = Plain(shape)
    let own = instances
    let held = own.map(\.value)
    let before = try state(document)
    let kept = own.compactMap { instance -> (Instance, String)? in
      guard document === home, !instance.isInList, instance.isAttached,
        let thing = thing(instance, home),
        let known = written[instance.path],
        known.contains(where: { $0.instance == instance.identity && $0.thing == thing })
      else { return nil }
      return (instance, thing)
    }
    do {
      try encoder.encode(model)
    } catch {
      if strategy == 0 { return "refused by override: \(error)" }
      let after = try state(document)
      return before == after ? nil : "trace: \(before) \(after)"
    }
    let root = AutomergeDocument.Value.Object(.ROOT, .Map)
    if let found = try expected.difference(root, in: document, hasMore: strategy == 2) {
      return "content: \(found)"
    }
    let heldAfter = own.map(\.value)
    if held != heldAfter { return "held: instances hold \(heldAfter), held \(held)" }
    for instance in own where !instance.isBound {
      return "unbound: after the encode at \(instance.path)"
    }
    if strategy != 2 {
      for (instance, thing) in kept where self.thing(instance, home) != thing {
        return "replaced: what stayed at \(instance.path) is \(thing) no more"
      }
    }
    if document === home {
      written = [:]
      for instance in own where own.count(where: { $0.identity == instance.identity }) == 1 {
        guard let identity = instance.identity, let thing = thing(instance, home) else { continue }
        written[instance.path, default: []].append(Written(instance: identity, thing: thing))
      }
    }
    guard again, strategy != 2 else { return nil }
    if let found = try encodedAgain(encoder) { return found }
    return try editEach(document)
  }

  /// Edits instances where they stand, and changes the model elsewhere: both must be there in the end.
  private func encodeBasedOn(_ edits: [Int], _ changes: [Event.Change]) throws -> String? {
    let encoder = AutomergeEncoder(doc: home, strategy: .override)
    try encoder.encode(model)
    guard areApart(home) else { return nil }
    let heads = home.heads()
    let steady = ordered(instances.filter { !$0.isInList })
    let edited = edits.filter { _ in !steady.isEmpty }.map { steady[$0 % steady.count] }
    for (number, instance) in edited.enumerated() { instance.edit(number) }
    let things = steady.map { thing($0, home) }
    for change in changes {
      if let sketch = change.sketch {
        add(sketch, to: change.place, change.key)
      } else {
        remove(change.place)
      }
    }
    let left = instances
    func isLeft(_ instance: Instance) -> Bool {
      left.contains { $0.path == instance.path && $0.identity == instance.identity }
    }
    // Where an edit and a change meet, merging decides.
    guard edited.allSatisfy(isLeft) else { return nil }
    let root = AutomergeDocument.Value.Object(.ROOT, .Map)
    let expected = Plain(shape)
    try encoder.encode(model, basedOn: heads)
    if let found = try expected.difference(root, in: home, hasMore: false) {
      return "based on heads: \(found)"
    }
    for (instance, thing) in zip(steady, things)
    where isLeft(instance) && self.thing(instance, home) != thing {
      return "branched: what stayed at \(instance.path) is another"
    }
    return nil
  }

  /// Sets have no order: instances by their numbers.
  private func ordered(_ instances: [Instance]) -> [Instance] {
    func number(_ instance: Instance) -> Int {
      texts.firstIndex { $0 === instance.text }
        ?? texts.count + (counters.firstIndex { $0 === instance.counter } ?? 0)
    }
    return instances.sorted { number($0) < number($1) }
  }

  /// Whether no instance stands at two places, and none is bound to what another one is.
  private func areApart(_ document: Document) -> Bool {
    let things = instances.map { thing($0, document) ?? "" }
    return !things.contains("") && Set(things).count == things.count
  }

  private func encodedAgain(_ encoder: AutomergeEncoder) throws -> String? {
    guard areApart(encoder.doc) else { return nil }
    let before = encoder.doc.reading(\.pendingOpCount)
    try encoder.encode(model)
    let added = encoder.doc.reading(\.pendingOpCount) - before
    return added == 0 ? nil : "again: \(added) operations of an encode of the same model"
  }

  /// Edits each instance of the model: the document must show the edit at its place, and no other.
  private func editEach(_ document: Document) throws -> String? {
    guard areApart(document) else { return nil }
    let root = AutomergeDocument.Value.Object(.ROOT, .Map)
    for (number, instance) in instances.enumerated() {
      instance.edit(number)
      if let found = try Plain(shape).difference(root, in: document, hasMore: false) {
        return "edited: the instance at \(instance.path): \(found)"
      }
    }
    return nil
  }

  // MARK: - The peer

  private func peerEdits(_ kind: Int, _ place: Int) throws {
    try peer.merge(other: home)
    var objects: [ObjId] = [.ROOT]
    var next = 0
    while next < objects.count {
      for value in try peer.values(obj: objects[next]) {
        if case .Object(let id, _) = value { objects.append(id) }
      }
      next += 1
    }
    let object = objects[place % objects.count]
    if kind > 4, peer.objectType(obj: object) != .Text { isDamaged = true }
    switch peer.objectType(obj: object) {
    case .Map:
      let keys = peer.keys(obj: object)
      let key = keys.isEmpty ? "k0" : keys[place % keys.count]
      switch kind {
      case 0...4: try? peer.increment(obj: object, key: key, by: 100)
      case 5: try peer.delete(obj: object, key: key)
      case 6: try peer.put(obj: object, key: key, value: .Int(7))
      default: try peer.put(obj: object, key: "new", value: .Int(7))
      }
    case .List:
      let length = peer.length(obj: object)
      let index = length == 0 ? 0 : UInt64(place) % length
      switch kind {
      case 0...4: try? peer.increment(obj: object, index: index, by: 100)
      case 5: if length > 0 { try peer.delete(obj: object, index: index) }
      case 6: if length > 0 { try peer.put(obj: object, index: index, value: .Counter(7)) }
      default: try peer.insert(obj: object, index: index, value: .Int(7))
      }
    case .Text: try peer.spliceText(obj: object, start: 0, delete: 0, value: "p")
    }
  }
}

@Suite("Texts and counters beside plain values")
struct ReferenceStoryTests {
  private static let law = Law<[Event]>(
    "story.references",
    "Documents show what models hold.",
    source: .specification(.codable, "Texts and counters"),
    forAll: Generator { choices in
      var events: [Event] = []
      choices.repeated(upTo: 14, averaging: 9, "event") { events.append(Event(&$0)) }
      return events
    }
  ) { events in
    let story = try Story()
    for (number, event) in events.enumerated() {
      guard let found = try story.run(event) else { continue }
      let kind = "story." + found.prefix { $0.isLetter }
      return Difference(kind: kind, summary: "event \(number): \(found)")
    }
    return nil
  }

  @Test("Whatever moves, a document shows what its model holds, and instances keep it")
  func stories() throws {
    let outcome = try checkLaw(Self.law, seed: 1, cases: 100)
    #expect(outcome.failure == nil, "\(outcome)")
  }
}
