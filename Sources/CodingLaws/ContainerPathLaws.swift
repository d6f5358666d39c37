import CodingSupport
import ModelGeneration
import PropertyEngine

// Where encoders and containers say that they are, while a value is encoded. What one place takes stands in
// `SecondValues.swift`.

extension CodingLaw {
  /// What encoders and containers say, and what they take, while a value is encoded.
  static let containerPathLaws: [CodingLaw] = [sayWhere, secondValues]

  /// Catches an index that is taken after the element was appended, a step that one kind of container leaves out or
  /// doubles, and refusals that name a container in the value's place.
  ///
  /// The tree is written by containers of every kind; the sample's numbers choose them one after the other. Half
  /// of the trees have one number that is not finite: a coder may take it, or refuse it at its place.
  ///
  /// Worked example: `{"a": {"a": [[nan]]}}`. A list that appends the inner one before it asks for the count says
  /// `a.a[1][0]`, where nothing stands.
  ///
  /// Of a coder of documents a map is asked for an encoder for a superclass first, now and then, and for a container
  /// under the same key then: a coder that gives that encoder's map again says the path that the encoder has, which in
  /// some coders is that of the map around it.
  static let sayWhere = CodingLaw(
    "containers.say-where",
    "Encoders say where they are.",
    "While a value is encoded, encoders and containers have the coding path of their place, lists of documents have "
      + "the number of their elements, and a refusal has the path of what it refuses.",
    source: .specification(.codable, "Errors"),
    models: named("Empty"),
    draw: { _, sample, choices in
      sample.trees = [PlacedTree.drawn(&choices)]
      for _ in 0..<8 { sample.numbers.append(choices.number(in: 0...PlacedTree.wayCount - 1)) }
    },
    check: { trial in
      let tree = trial.sample.trees.first ?? .map([])
      let notes = PlaceNotes(
        ways: trial.sample.numbers,
        isOfDocuments: trial.subject.features.contains(.documents)
      )
      let outcome = trial.outcome {
        try trial.subject.encode(PlacedTree(tree, [], notes), EncodingSettings())
      }
      if let found = notes.difference { return found }
      guard case .failure(let error) = outcome else { return nil }
      guard let path = PlacedTree.placeOfNaN(in: tree) else {
        return Difference(
          kind: "containers.refused",
          summary: "a value without anything to refuse was refused: \(error.complaint)"
        )
      }
      let wanted = CoderComplaint.encoding(path: path.map(\.stringValue))
      // Foundation's keys of elements are spelled "Index 3".
      if case .encoding(let said) = error.complaint,
        said.map({ $0.replacing("Index ", with: "") }) == path.map(\.stringValue)
      {
        return nil
      }
      return Difference(
        kind: notes.kind("refusal", at: path),
        summary: "a refusal names another place than that of what it refuses",
        expected: wanted.description,
        actual: error.complaint.description
      ).between(nil, "the error that was thrown")
    }
  )
}

/// What encoders and containers said of their place, and how the next value is to be written.
///
/// The sample's numbers are gone through in a circle, one for each element and each entry. Worked
/// example: `{"a": {"a": [[0.5]]}}` with the numbers 1, 0, 2.
///
///     a            1    a nested map that the root's map is asked for
///     a.a          0    `encode(_:forKey:)` of the outer list
///     a.a[0]       2    the outer list's `superEncoder()`, for the inner list
///     a.a[0][0]    1    a float, which way 1 writes as way 0 does
private final class PlaceNotes {
  private let ways: [Int]
  private var count = 0
  private(set) var difference: Difference?
  /// Places of containers that their parents were asked for.
  private var nested: Set<[PathKey]> = []

  /// Whether lists must say how many elements they have, and a map may be asked twice for what stands under a key.
  ///
  /// Foundation's coders end the process if the second is of another kind than the first.
  let isOfDocuments: Bool

  init(ways: [Int], isOfDocuments: Bool) {
    self.ways = ways
    self.isOfDocuments = isOfDocuments
  }

  /// The next way, of ``PlacedTree/wayCount``.
  func nextWay() -> Int {
    guard !ways.isEmpty else { return 0 }
    count += 1
    return ways[(count - 1) % ways.count].notNegative % PlacedTree.wayCount
  }

  func noteNested(_ path: [PathKey]) { nested.insert(path) }

  /// A difference in or below a container that its parent was asked for is one of its own: a coder may be wrong of
  /// these alone.
  ///
  /// In the example above `a` was asked for, so a wrong place at `a`, or anywhere below it, is of kind
  /// `containers.nested-place`, and a refusal there of kind `containers.nested-refusal`.
  func kind(_ name: String, at path: [PathKey]) -> String {
    let isNested = path.indices.contains { nested.contains(Array(path[...$0])) }
    return isNested ? "containers.nested-\(name)" : "containers.\(name)"
  }

  /// Keeps the first list that says another number of elements than were encoded into it.
  func look(_ list: any UnkeyedEncodingContainer, having count: Int, at path: [PathKey]) {
    guard isOfDocuments, difference == nil, list.count != count else { return }
    difference = Difference(
      kind: kind("count", at: path),
      summary: "a list says that it has another number of elements",
      expected: "\(count)",
      actual: "\(list.count)"
    ).between("what was encoded into \(path.place)", "its count")
  }

  /// Keeps the first place that the coding path does not name.
  func look(_ codingPath: [any CodingKey], at path: [PathKey], _ what: String) {
    let said = codingPath.map { PathKey(spelled: $0) }
    guard difference == nil, said != path else { return }
    difference = Difference(
      kind: kind("place", at: path),
      summary: "\(what) says that it is somewhere else",
      expected: path.place,
      actual: said.place
    ).between("its place", "its coding path")
  }
}

/// A tree of maps, lists and floats that knows its place and encodes itself by containers of every kind.
///
///     way 0    encode(_:), of a float by its own overload
///     way 1    a nested container that the parent asks for
///     way 2    an encoder that a list makes, `superEncoder()`; in maps as way 0, since automerge-swift's
///              `superEncoder(forKey:)` keeps the path of its map
///     way 3    in maps of documents as way 1, behind an encoder for a superclass under the same key, which has made a
///              map there; else as way 0
private struct PlacedTree: Encodable {
  static let wayCount = 4
  /// Containers within each other at most.
  private static let depthLimit = 5

  private let tree: Tree
  private let path: [PathKey]
  private let notes: PlaceNotes

  init(_ tree: Tree, _ path: [PathKey], _ notes: PlaceNotes) {
    (self.tree, self.path, self.notes) = (tree, path, notes)
  }

  // MARK: - Drawing

  /// A map in a map, so that what holds records alone keeps it as one value too.
  static func drawn(_ choices: inout Choices) -> Tree {
    let inner = Tree.map([Tree.Entry("a", content(&choices, depth: 2))])
    let tree = Tree.map([Tree.Entry("a", inner)])
    let leaves = tree.paths.filter { tree[$0]?.kind == .float }
    guard !leaves.isEmpty, choices.flag() else { return tree }
    return tree.replacing(choices.element(of: leaves), with: .float(.nan))
  }

  private static func content(_ choices: inout Choices, depth: Int) -> Tree {
    switch choices.pick(weights: depth < depthLimit ? [2, 3, 3] : [1]) {
    case 0: return .float(0.5)
    case 1:
      let count = choices.number(in: 1...3)
      return .list((0..<count).map { _ in content(&choices, depth: depth + 1) })
    default:
      let count = choices.number(in: 1...3)
      return .map(
        ["a", "b", "c"].prefix(count).map { Tree.Entry($0, content(&choices, depth: depth + 1)) }
      )
    }
  }

  static func placeOfNaN(in tree: Tree) -> [PathKey]? {
    tree.paths.first { path in
      if case .float(let value)? = tree[path] { value.isNaN } else { false }
    }
  }

  // MARK: - Encoding

  func encode(to encoder: any Encoder) throws {
    notes.look(encoder.codingPath, at: path, "an encoder")
    switch tree {
    case .list(let elements):
      var list = encoder.unkeyedContainer()
      try write(elements, into: &list)
    case .map(let entries):
      var map = encoder.container(keyedBy: PathKey.self)
      try write(entries, into: &map)
    case .float(let value):
      var container = encoder.singleValueContainer()
      notes.look(container.codingPath, at: path, "a single-value container")
      try container.encode(value)
    default: break
    }
  }

  private func write(_ elements: [Tree], into list: inout any UnkeyedEncodingContainer) throws {
    for (index, element) in elements.enumerated() {
      notes.look(list.codingPath, at: path, "a list")
      notes.look(list, having: index, at: path)
      let child = PlacedTree(element, path + [.index(index)], notes)
      switch (notes.nextWay(), element) {
      case (1, .list(let below)):
        notes.noteNested(child.path)
        var nested = list.nestedUnkeyedContainer()
        try child.write(below, into: &nested)
      case (1, .map(let below)):
        notes.noteNested(child.path)
        var nested = list.nestedContainer(keyedBy: PathKey.self)
        try child.write(below, into: &nested)
      case (2, _): try child.encode(to: list.superEncoder())
      case (_, .float(let value)): try list.encode(value)
      default: try list.encode(child)
      }
    }
  }

  private func write(
    _ entries: [Tree.Entry],
    into map: inout KeyedEncodingContainer<PathKey>
  ) throws {
    for entry in entries {
      notes.look(map.codingPath, at: path, "a map")
      let key = PathKey.key(entry.key)
      let child = PlacedTree(entry.value, path + [key], notes)
      var way = notes.nextWay()
      if way == 3, notes.isOfDocuments {
        _ = map.superEncoder(forKey: key).container(keyedBy: PathKey.self)
        way = 1
      }
      switch (way, entry.value) {
      case (1, .list(let below)):
        notes.noteNested(child.path)
        var nested = map.nestedUnkeyedContainer(forKey: key)
        try child.write(below, into: &nested)
      case (1, .map(let below)):
        notes.noteNested(child.path)
        var nested = map.nestedContainer(keyedBy: PathKey.self, forKey: key)
        try child.write(below, into: &nested)
      case (_, .float(let value)): try map.encode(value, forKey: key)
      default: try map.encode(child, forKey: key)
      }
    }
  }
}
