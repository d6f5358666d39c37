// Finds types of two releases that belong together; `SchemaDrift.swift` compares the pairs.

import ModelGeneration

/// Types of two releases that stand in the same place of documents, whatever they are called.
///
/// The walk starts with the models and those types that kept their names. Where a field asks for
/// another type than before, and both are known and of one sort, the two are a pair as well.
///
///     old: Note { items: Array<Item> }      new: Note { items: Array<Entry> }
///     Note-Note  ->  `items` asks for Item, then Entry: a pair  ->  their fields are compared next
///
/// Each pair is met once, so that types that name each other end the walk.
struct TypePairs {
  private let old: [String: Schema.TypeShape]
  private let new: [String: Schema.TypeShape]
  /// Pairs that were met and not yet given out, first come, first served.
  private var waiting: [(was: String, now: String)] = []
  private var met: Set<[String]> = []

  init(_ old: SchemaSnapshot, _ new: SchemaSnapshot) {
    // Of two types with one name the first is meant, as everywhere in a snapshot.
    func shapes(_ snapshot: SchemaSnapshot) -> [String: Schema.TypeShape] {
      Dictionary(snapshot.types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    (self.old, self.new) = (shapes(old), shapes(new))
    if self.old[old.model] != nil, self.new[new.model] != nil { meet(old.model, new.model) }
    for shape in old.types where self.new[shape.name] != nil { meet(shape.name, shape.name) }
  }

  private mutating func meet(_ was: String, _ now: String) {
    if met.insert([was, now]).inserted { waiting.append((was, now)) }
  }

  /// The next pair that was not compared yet.
  mutating func next() -> (was: Schema.TypeShape, now: Schema.TypeShape)? {
    while !waiting.isEmpty {
      let (was, now) = waiting.removeFirst()
      if let was = old[was], let now = new[now] { return (was, now) }
    }
    return nil
  }

  /// Whether the types that a field asks for are the same but for names, which are then compared.
  ///
  /// Worked example: `Array<Item>` and `Array<Entry>` are, if both snapshots know the types and
  /// both are enumerations or neither; `Array<Item>` and `Set<Item>` are not.
  mutating func areRenamed(_ was: [SchemaType], _ now: [SchemaType]) -> Bool {
    guard was.count == now.count else { return false }
    var found: [(String, String)] = []
    for (was, now) in zip(was, now) {
      guard let pairs = renamings(was, now) else { return false }
      found += pairs
    }
    for (was, now) in found { meet(was, now) }
    return true
  }

  /// The names that differ in two types of one form, as `Item` and `Entry` do in `Array<Item>` and
  /// `Array<Entry>`; `nil` if more than names differs.
  private func renamings(_ was: SchemaType, _ now: SchemaType) -> [(String, String)]? {
    if was == now { return [] }
    switch (was.form, now.form) {
    case (.optional(let was), .optional(let now)), (.list(let was), .list(let now)),
      (.set(let was), .set(let now)):
      return renamings(was, now)
    case (.dictionary(let wasKey, let was), .dictionary(let nowKey, let now)):
      guard let keys = renamings(wasKey, nowKey), let values = renamings(was, now) else {
        return nil
      }
      return keys + values
    default:
      guard let before = old[was.name], let after = new[now.name],
        before.cases.isEmpty == after.cases.isEmpty,
        before.rawValues.isEmpty == after.rawValues.isEmpty
      else { return nil }
      return [(was.name, now.name)]
    }
  }
}
