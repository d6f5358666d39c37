import CodingSupport
import ModelGeneration

// Events of a story to and from the trees that samples hold. A tree that is not read whole is refused: an event that
// did nothing for a misspelled part would make the law hold.

/// Why a tree of a sample is not an event of a story.
struct StoryEventError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the tree.
  enum Reason: Hashable, Sendable {
    /// The tree is not a map with the name of an event under "do".
    case nameless
    /// There is no event of this name.
    case unknown(String)
    /// A part of an event is missing, or is of another kind.
    case missing(String, of: String)
    /// An event has a part that events of its name do not have.
    case surplus(String, of: String)
    /// A tree within is not the sketch of a value.
    case sketch(Tree)
  }

  let reason: Reason
  /// Number of the event in its story, from 1.
  var number: Int?

  init(_ reason: Reason) {
    self.reason = reason
  }

  var description: String {
    let words =
      switch reason {
      case .nameless: "an event is a map that has its name under \"do\""
      case .unknown(let name): "there is no event \(Tree.quoted(name))"
      case .missing(let part, let name):
        "the event \(Tree.quoted(name)) lacks a proper \(Tree.quoted(part))"
      case .surplus(let part, let name):
        "the event \(Tree.quoted(name)) has no part \(Tree.quoted(part))"
      case .sketch(let tree): "\(tree) is not a value of a story"
      }
    return number.map { "event \($0): \(words)" } ?? words
  }
}

extension StoryEvent {
  /// The events that a sample's trees stand for; those beyond the limit are left out.
  static func story(_ trees: [Tree]) throws(StoryEventError) -> [StoryEvent] {
    var events: [StoryEvent] = []
    for tree in trees.prefix(storyLimit) {
      do throws(StoryEventError) {
        events.append(try StoryEvent(tree: tree))
      } catch {
        var error = error
        error.number = events.count + 1
        throw error
      }
    }
    return events
  }

  var tree: Tree {
    switch self {
    case .change(let change): change.tree
    case .put(let what, let place): .event("put", [("what", what.tree), ("at", .number(place))])
    case .move(let place, let holder, let key, let leavesPlain):
      .event(
        "move",
        [
          ("at", .number(place)), ("in", .number(holder)), ("as", .number(key)),
          ("leaves plain", .boolean(leavesPlain)),
        ]
      )
    case .toggle(let set, let instance):
      .event("toggle", [("set", .number(set)), ("instance", .number(instance))])
    case .alter(let instance, let text):
      .event("alter", [("instance", .number(instance)), ("to", .string(text))])
    case .peer(let place, let edit):
      .event("peer", [("at", .number(place)), ("by", .number(edit))])
    case .merge: .event("merge", [])
    case .encode(let encode):
      .event(
        "encode",
        [
          ("by", .string(encode.strategy.rawValue)), ("elsewhere", .boolean(encode.isElsewhere)),
          ("with witness", .boolean(encode.hasWitness)), ("then edit", .boolean(encode.editsThen)),
        ]
      )
    case .based(let edits, let changes):
      .event(
        "based",
        [("edits", .list(edits.map { .number($0) })), ("changes", .list(changes.map(\.tree)))]
      )
    case .reopen: .event("reopen", [])
    }
  }

  /// Reads ``tree``; a flag that is left out is not set.
  init(tree: Tree) throws(StoryEventError) {
    var parts = try StoryParts(of: tree)
    switch parts.name {
    case "put": self = .put(try parts.sketch("what"), at: try parts.number("at"))
    case "move":
      self = .move(
        at: try parts.number("at"),
        in: try parts.number("in"),
        as: try parts.number("as"),
        leavesPlain: try parts.flag("leaves plain")
      )
    case "toggle":
      self = .toggle(set: try parts.number("set"), instance: try parts.number("instance"))
    case "alter": self = .alter(instance: try parts.number("instance"), to: try parts.text("to"))
    case "peer": self = .peer(at: try parts.number("at"), by: try parts.number("by"))
    case "merge": self = .merge
    case "encode":
      guard let strategy = EncodingSettings.Strategy(rawValue: try parts.text("by")) else {
        throw StoryEventError(.missing("by", of: parts.name))
      }
      self = .encode(
        StoryEncode(
          strategy: strategy,
          isElsewhere: try parts.flag("elsewhere"),
          hasWitness: try parts.flag("with witness"),
          editsThen: try parts.flag("then edit")
        )
      )
    case "based":
      self = .based(
        edits: try parts.numbers("edits"),
        changes: try parts.list("changes").map(StoryChange.init(tree:))
      )
    case "reopen": self = .reopen
    default: self = .change(try StoryChange(&parts))
    }
    try parts.end()
  }
}

extension StoryChange {
  var tree: Tree {
    switch self {
    case .add(let what, let holder, let key):
      .event("add", [("what", what.tree), ("in", .number(holder)), ("as", .number(key))])
    case .remove(let place): .event("remove", [("at", .number(place))])
    case .swap(let place, let other):
      .event("swap", [("at", .number(place)), ("with", .number(other))])
    }
  }

  fileprivate init(tree: Tree) throws(StoryEventError) {
    var parts = try StoryParts(of: tree)
    try self.init(&parts)
    try parts.end()
  }

  fileprivate init(_ parts: inout StoryParts) throws(StoryEventError) {
    switch parts.name {
    case "add":
      self = .add(
        try parts.sketch("what"),
        in: try parts.number("in"),
        as: try parts.number("as")
      )
    case "remove": self = .remove(at: try parts.number("at"))
    case "swap": self = .swap(at: try parts.number("at"), with: try parts.number("with"))
    default: throw StoryEventError(.unknown(parts.name))
    }
  }
}

extension StorySketch {
  var tree: Tree {
    func one(_ key: String, _ value: Tree) -> Tree { .map(of: [Tree.Entry(key, value)]) }
    func numbers(_ numbers: [Int]) -> Tree { .list(numbers.map { .number($0) }) }
    return switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .string(let value): .string(value)
    case .newText(let value): .text(value)
    case .newCounter(let value): .counter(value)
    case .text(let number): one("text", .number(number))
    case .counter(let number): one("counter", .number(number))
    case .texts(let set): one("texts", numbers(set))
    case .counters(let set): one("counters", numbers(set))
    case .list(let values): .list(values.map(\.tree))
    case .map(let entries):
      one("map", .map(of: entries.map { Tree.Entry($0.key, $0.value.tree) }))
    case .pairs(let pairs):
      one("pairs", .list(pairs.flatMap { [.number($0.slot.rawValue), $0.value.tree] }))
    }
  }

  /// Reads ``tree``; entries of a map come in the order of the tree.
  init(tree: Tree) throws(StoryEventError) {
    switch tree {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .string(let value): self = .string(value)
    case .text(let value): self = .newText(value)
    case .counter(let value): self = .newCounter(value)
    case .list(let values): self = .list(try values.map(StorySketch.init(tree:)))
    case .map(let entries):
      guard let entry = entries.first, entries.count == 1,
        let sketch = try StorySketch(entry.key, entry.value)
      else { throw StoryEventError(.sketch(tree)) }
      self = sketch
    default: throw StoryEventError(.sketch(tree))
    }
  }

  /// What a map of one key stands for; `nil` if that is nothing.
  private init?(_ key: String, _ value: Tree) throws(StoryEventError) {
    switch (key, value) {
    case ("text", _):
      guard let number = value.number else { return nil }
      self = .text(number)
    case ("counter", _):
      guard let number = value.number else { return nil }
      self = .counter(number)
    case ("texts", _):
      guard let numbers = value.numbers else { return nil }
      self = .texts(numbers)
    case ("counters", _):
      guard let numbers = value.numbers else { return nil }
      self = .counters(numbers)
    case ("map", .map(let entries)):
      var read: [Entry] = []
      for entry in entries {
        read.append(Entry(key: entry.key, value: try StorySketch(tree: entry.value)))
      }
      self = .map(read)
    case ("pairs", .list(let values)) where values.count.isMultiple(of: 2):
      var pairs: [Pair] = []
      for index in stride(from: 0, to: values.count, by: 2) {
        guard let slot = values[index].number else { return nil }
        let value = try StorySketch(tree: values[index + 1])
        pairs.append(Pair(slot: StorySlot(slot), value: value))
      }
      self = .pairs(pairs)
    default: return nil
    }
  }
}

extension Tree {
  fileprivate static func event(_ name: String, _ parts: [(String, Tree)]) -> Tree {
    .map(of: [Entry("do", .string(name))] + parts.map { Entry($0.0, $0.1) })
  }

  fileprivate static func number(_ number: Int) -> Tree { .int(Int64(number)) }

  /// An int from 0 on.
  fileprivate var number: Int? {
    guard case .int(let value) = self, value >= 0 else { return nil }
    return Int(exactly: value)
  }

  fileprivate var numbers: [Int]? {
    guard case .list(let trees) = self else { return nil }
    let numbers = trees.compactMap(\.number)
    return numbers.count == trees.count ? numbers : nil
  }
}

/// The parts of an event, which are taken one by one until none is left.
private struct StoryParts {
  let name: String
  private var parts: [String: Tree] = [:]

  init(of tree: Tree) throws(StoryEventError) {
    guard case .map(let entries) = tree, case .string(let name)? = tree.child(.key("do")) else {
      throw StoryEventError(.nameless)
    }
    self.name = name
    for entry in entries where entry.key != "do" { parts[entry.key] = entry.value }
  }

  mutating func number(_ part: String) throws(StoryEventError) -> Int {
    guard let number = parts.removeValue(forKey: part)?.number else { throw missing(part) }
    return number
  }

  mutating func numbers(_ part: String) throws(StoryEventError) -> [Int] {
    guard let numbers = parts.removeValue(forKey: part)?.numbers else { throw missing(part) }
    return numbers
  }

  mutating func flag(_ part: String) throws(StoryEventError) -> Bool {
    switch parts.removeValue(forKey: part) {
    case .boolean(let flag): return flag
    case nil: return false
    default: throw missing(part)
    }
  }

  mutating func text(_ part: String) throws(StoryEventError) -> String {
    guard case .string(let text)? = parts.removeValue(forKey: part) else { throw missing(part) }
    return text
  }

  mutating func list(_ part: String) throws(StoryEventError) -> [Tree] {
    guard case .list(let list)? = parts.removeValue(forKey: part) else { throw missing(part) }
    return list
  }

  mutating func sketch(_ part: String) throws(StoryEventError) -> StorySketch {
    guard let tree = parts.removeValue(forKey: part) else { throw missing(part) }
    return try StorySketch(tree: tree)
  }

  /// - Throws: ``StoryEventError`` for a part that nothing has taken.
  func end() throws(StoryEventError) {
    if let part = parts.keys.min() { throw StoryEventError(.surplus(part, of: name)) }
  }

  private func missing(_ part: String) -> StoryEventError {
    StoryEventError(.missing(part, of: name))
  }
}
