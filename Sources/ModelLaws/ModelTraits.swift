// What laws of coders ask of a model before they apply: whether it has dates, lists, sets and so
// on. Nothing declares it, so that 32 values are looked at, and the types that decoding asks for.
//
//     trait            holds if
//     keyedRoot        every value is encoded as a map
//     dates, lists...  some value has one
//     plainLists       no value has a list of maps, and no list that is asked for may hold one
//     unordered        a set is asked for, or a value is encoded in another order after a turn
//     plainStruct      each scalar of the root can be changed alone, and no unknown key is kept

import CodingSupport
package import ModelGeneration
import PropertyEngine

/// Finds out what laws of coders must know of a model, by looking at values of it.
///
/// Cost: 32 values are drawn, encoded, decoded with each type watched, and encoded again.
package struct ModelTraits<Value: Codable & SendableMetatype> {
  /// Values that are looked at.
  ///
  /// Traits switch laws on, so a trait that shows in one value of 33 may be missed, and its laws
  /// are then skipped, not wrong. The seed is fixed ("traits" in ASCII): one model has the same
  /// traits in every run.
  private static var sampleCount: Int { 32 }
  private static var seed: Seed { 0x7472_6169_7473 }

  package private(set) var traits: Set<Model.Trait> = []
  /// Types of Foundation's in the values that trap on documents that no program should write, by name.
  ///
  /// A model that has one is not asked about samples that another program or peer changed
  /// (`Touchstone/ModelExpectation.swift`).
  package private(set) var trappingTypes: [String] = []
  /// Trees of the values.
  ///
  /// One for each value, as `encode(to:)` writes it, in the order of drawing.
  private var trees: [Tree] = []
  /// Keys that the values are written with, at any depth.
  package var writtenKeys: Set<String> {
    Set(
      trees.flatMap(\.paths).compactMap { path in
        if case .key(let key)? = path.last { key } else { nil }
      }
    )
  }
  /// Types that are asked for: by a derivation wherever it may, and by decoding the values.
  private var asked: Set<SchemaType> = []

  /// Looks at values; `willTry` gets each piece of the model's own code that may trap before it runs.
  ///
  /// - Throws: What drawing a value, or encoding it, throws.
  package init(
    _ source: ModelSource<Value>,
    willTry: (ModelAttempt) -> Void = { _ in }
  ) throws {
    var isRecord = true
    var named: [Set<String>] = []
    for index in 0..<Self.sampleCount {
      var choices = Choices(seed: Self.seed.stream(UInt64(index)))
      let sample = try source.draw(&choices)
      let value = sample.value
      willTry(.encoding(sample.document))
      let recorded = try TreeRecorder().record(value)
      let tree = recorded.tree
      trees.append(tree)
      willTry(
        ModelAttempt(
          law: ModelLaw.oldData,
          document: tree,
          description: "decoding \(tree), and documents in which one value is another"
        )
      )
      noteTypes(of: tree)
      // Keys that were encoded as nil count as well: a struct names the same keys in every value.
      if case .map(let map) = recorded {
        named.append(Set(map.entries.map(\.key) + map.absentKeys))
      }
      let style = Mirror(reflecting: value).displayStyle
      if style != .struct, style != .class { isRecord = false }
    }
    if trees.allSatisfy({ $0.kind == .map }) { traits.insert(.keyedRoot) }
    let kinds: [(Tree.Kind, Model.Trait)] = [
      (.date, .dates), (.list, .lists), (.text, .texts), (.counter, .counters), (.null, .nulls),
    ]
    for (kind, trait) in kinds where trees.contains(where: { $0.contains(kind) }) {
      traits.insert(trait)
    }
    asked.formUnion(source.schema?.types.flatMap { $0.fields.flatMap(\.types) } ?? [])
    if asked.contains(where: { $0.contains(Self.isUnordered) }) || losesOrder() {
      traits.insert(.unordered)
    }
    let isPlain = source.schema.map { !$0.mayHaveListOfMaps } ?? false
    if isPlain, !trees.contains(where: \.hasMapInList) { traits.insert(.plainLists) }
    if asked.contains(where: { $0.contains(Self.hasIntegerKeys) }) { traits.insert(.integerKeys) }
    let namesAll = named.allSatisfy { $0 == named.first }
    if isRecord, namesAll, isPlainStruct(Value.self) { traits.insert(.plainStruct) }
  }

  /// Notes the types that decoding a tree asks for.
  private mutating func noteTypes(of tree: Tree) {
    var types: Set<SchemaType> = []
    var trapping: Set<String> = []
    var decoder = TreeDecoder()
    decoder.intercept = { type, _, _ in
      types.insert(SchemaType(type))
      return nil
    }
    decoder.willReadTrapping = { trapping.insert("\($0)") }
    _ = try? decoder.decode(Value.self, from: tree)
    asked.formUnion(types)
    trappingTypes = trapping.union(trappingTypes).sorted()
  }

  /// Whether a type is encoded in no order: a set, or a dictionary with keys that are neither strings nor integers.
  private static func isUnordered(_ type: SchemaType) -> Bool {
    switch type.form {
    case .set: true
    case .dictionary(let key, _): key != .string && key != .int
    default: false
    }
  }

  private static func hasIntegerKeys(_ type: SchemaType) -> Bool {
    if case .dictionary(.int, _) = type.form { true } else { false }
  }

  /// Whether some value, decoded from what it was encoded to, is encoded in another order.
  ///
  /// Catches order that no name of a type gives away, such as a dictionary behind a hand-written
  /// `encode(to:)`. Runs the model's own code: a decoding and an encoding of each value.
  ///
  /// A value of two elements may keep their order by chance; any one that does not is enough.
  private func losesOrder() -> Bool {
    trees.contains { tree in
      guard let value = try? TreeDecoder().decode(Value.self, from: tree),
        let again = try? TreeRecorder.tree(of: value)
      else { return false }
      return again != tree
    }
  }

  /// Whether each scalar at the root can be changed by itself, and a key that the type does not know
  /// is dropped.
  ///
  /// Stops at the first value for which it does not hold. Costs a decoding and an encoding for each
  /// scalar of each root.
  private func isPlainStruct(_ type: Value.Type) -> Bool {
    guard traits.contains(.keyedRoot) else { return false }
    func passes(_ tree: Tree) -> Tree? {
      guard let value = try? TreeDecoder().decode(type, from: tree) else { return nil }
      return try? TreeRecorder.tree(of: value)
    }
    return trees.allSatisfy { tree in
      guard passes(tree.replacing([.key("of another version")], with: .int(1))) == tree else {
        return false
      }
      return tree.steps.allSatisfy { step in
        guard let scalar = tree.child(step)?.changedScalar else { return true }
        let edited = tree.replacing([step], with: scalar)
        // What the type refuses is no sample; what it silently makes something else is no plain one.
        return passes(edited).map { $0 == edited } ?? true
      }
    }
  }
}

extension Tree {
  /// Whether some list in it holds a map.
  fileprivate var hasMapInList: Bool {
    switch self {
    case .list(let elements): elements.contains { $0.kind == .map || $0.hasMapInList }
    case .map(let entries): entries.contains { $0.value.hasMapInList }
    default: false
    }
  }
}

extension Model {
  /// A user's model, as laws of coders want it.
  package init<Value: Codable & SendableMetatype>(
    _ source: ModelSource<Value>,
    traits: Set<Model.Trait>
  ) {
    self.init(source.name, traits, Value.self) { try source.draw(&$0).value }
  }
}
