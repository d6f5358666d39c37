import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Encoding over a list of containers after one element was inserted, moved or removed, and over keys below the root
// that the model does not know.

extension CodingLaw {
  /// Lists with one changed element, and unknown keys in their elements.
  static let editedListLaws: [CodingLaw] = [editsOne, fewestInStructs, unknownInElements]

  /// A list of containers, and the same with one element inserted, moved or removed.
  ///
  /// Elements must be told apart by what is stored of them, or no coder could know which one went.
  ///
  /// Numbers of the sample: 0 the list, 1 the element, 2 the edit, 3 the target of a move. The new
  /// element is the first of the first tree.
  ///
  ///     numbers        edit of [A, B, C]          origins
  ///     0, 1, 0, 0     X comes before B           [0, nil, 1, 2]
  ///     0, 0, 1, 2     A moves behind C           [1, 2, nil]
  ///     0, 1, 2, 0     B goes                     [0, 2]
  private struct EditedList {
    /// Where the list stands in the value, old and new.
    let path: [PathKey]
    /// For each new element the old one that it is; `nil` for one that is new or moved.
    let origins: [Int?]
    /// The whole value with the edited list.
    let tree: Tree

    /// Edits the list that the sample's numbers choose.
    ///
    /// - Throws: `Skipped` where the sample has no such list, or no coder could tell its elements
    ///   apart.
    init(_ trial: CodingTrial) throws {
      let tree = trial.sample.values[0]
      let lists = try listsOfMaps(trial)
      let path = lists[trial.sample.index(0, below: lists.count)]
      guard case .list(let elements)? = tree[path] else { throw Skipped("there is no list") }
      var pairs = elements.enumerated().map { (origin: Optional($0.offset), tree: $0.element) }
      let index = trial.sample.index(1, below: pairs.count)
      let kinds = ListEdit.allCases
      switch kinds[trial.sample.index(2, below: kinds.count)] {
      case .insert:
        guard case .list(let fresh)? = trial.sample.trees.first, let element = fresh.first,
          !elements.contains(element)
        else { throw Skipped("there is no new element") }
        pairs.insert((nil, element), at: index)
      case .remove: pairs.remove(at: index)
      case .move:
        let moved = pairs.remove(at: index)
        let target = trial.sample.index(3, below: pairs.count + 1)
        // Of two neighbours that change places either may be the one that moved: two answers would
        // be right.
        guard abs(target - index) > 1 else { throw Skipped("neighbours change places") }
        pairs.insert((nil, moved.tree), at: target)
      }
      // Dates that are stored as one second tell no elements apart.
      let stored = pairs.map { trial.stored($0.tree).withoutSignsOfZero }
      guard Set(stored).count == stored.count else { throw Skipped("two elements are alike") }
      self.path = path
      origins = pairs.map(\.origin)
      self.tree = tree.replacing(path, with: .list(pairs.map(\.tree)))
    }
  }

  /// A value with a list of maps, an element that it does not have, and decisions.
  ///
  /// The new element is one of the list's with up to three mutations, so that it resembles its
  /// neighbours.
  private static func drawEditedList(
    _ model: Model,
    _ sample: inout CodingSample,
    _ choices: inout Choices
  ) throws {
    try valueWithListOfMaps(model, &sample, &choices)
    sample.numbers.append(choices.number(in: 0...255))
    let tree = sample.values[0]
    let lists = listsOfMaps(in: tree)
    guard !lists.isEmpty else { return }
    let list = lists[sample.index(0, below: lists.count)]
    guard case .list(let elements)? = tree[list] else { return }
    let element = choices.element(of: elements).mutated(&choices, upTo: 3, averaging: 2)
    sample.trees = [.list([element])]
  }

  /// Catches a comparison that finds the first difference and rewrites all behind it.
  ///
  /// Worked example: X is inserted before A, B, C. A comparison from the front pairs X with A's
  /// object, A with B's, and inserts C: the tree is right, and each of the three objects is another
  /// one than before.
  static let editsOne = CodingLaw(
    "list.edit-one",
    "Inserting or moving one element touches no other.",
    "Inserting, moving or removing one element of a list of structs leaves every other the object it was.",
    source: [.requirement(6), .specification(.codable, "Lists")],
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: drawEditedList,
    check: { trial in
      if let found = try keepsDeepElements(trial) { return found }
      let edit = try EditedList(trial)
      guard trial.model.accepted(edit.tree) == edit.tree, let value = trial.value(of: edit.tree)
      else { throw Skipped("the model refuses it") }
      let document = try trial.document(holding: 0)
      let steps = trial.sample.values[0][edit.path]?.steps ?? []
      let names = try steps.map { try document.objectName(at: edit.path + [$0]) }
      try document.encode(value)
      if let found = try trial.difference(document, from: trial.stored(edit.tree)) { return found }
      for (index, origin) in edit.origins.enumerated() {
        guard let origin else { continue }
        let name = try document.objectName(at: edit.path + [.index(index)])
        guard name == names[origin] else {
          return Difference(
            kind: "list.identity",
            summary: "element \(origin) of \(edit.path.place) became another object",
            expected: names[origin] ?? "an object",
            actual: name ?? "no object"
          ).between("the element's object before the edit", "the element's object after it")
        }
      }
      return nil
    }
  )

  /// Where elements that nest deep become other objects once one went before them and one came behind.
  ///
  /// Each is a list of its number and of up to 24 maps within each other: a coder that looks at the upper ones alone
  /// must do so on both sides.
  ///
  ///     stored      [0, {..}]  [1, {..}]  [2, {..}]
  ///     encoded     [1, {..}]  [2, {..}]  [3, {..}]
  private static func keepsDeepElements(_ trial: CodingTrial) throws -> Difference? {
    let depth = 1 + trial.sample.index(0, below: 24)
    let deep = (0..<depth).reduce(Tree.int(0)) { tree, _ in .map([Tree.Entry("next", tree)]) }
    let elements = (0..<4).map { Tree.list([.int(Int64($0)), deep]) }
    let path = [PathKey.key("elements")]
    func value(_ range: Range<Int>) -> TreeValue {
      TreeValue(tree: .map([Tree.Entry("elements", .list(Array(elements[range])))]))
    }
    let document = try trial.document()
    try document.encode(value(0..<3))
    let names = try [1, 2].map { try document.objectName(at: path + [.index($0)]) ?? "none" }
    try document.encode(value(1..<4))
    if let found = try trial.difference(document, from: value(1..<4).tree) { return found }
    return differs(
      "list.identity",
      "deep elements that stay are other objects",
      of: "the objects of the elements that stay",
      actual: try [0, 1].map { try document.objectName(at: path + [.index($0)]) ?? "none" },
      expected: names
    )
  }

  /// Catches elements that are paired with others than those that they are most like, where none of them
  /// is as it was.
  ///
  /// An element that changed and one that came or went stand beside each other as often as not, and no
  /// equal element tells them apart then. Misses elements that move: each coder may keep others of them.
  ///
  /// The limit, in operations: one for each of one or two changed fields; for the element that came
  /// one for its map and one for each field; for the element that went one deletion.
  ///
  /// Worked example: of `[A, B, C]` A goes while a field of C changes: 2 operations. Paired by
  /// position each field of B is written over A's, and each of C over B's.
  ///
  ///     elements of three fields each            changed     came       went     limit
  ///     A goes, C changes a field                   1          0          1        2
  ///     X comes, A and C change a field each        2        1 + 3        0        6
  static let fewestInStructs = CodingLaw(
    "list.fewest-in-structs",
    "Lists of structs are written by difference.",
    "When one or two elements of a list of structs of scalars change a field, and another comes or goes, encoding "
      + "adds an operation for each changed field, one for the element that went, and the fields and one for "
      + "the element that came. So it does where many come or go and each that stays has changed a field, for up to "
      + "4,096 pairs of an old and a new one.",
    source: [.specification(.codable, "Lists"), .decision(10)],
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: { model, sample, choices in
      try drawEditedList(model, &sample, &choices)
      let kind: ListEdit = choices.flag() ? .insert : .remove
      // Numbers 4 and 5 choose the elements that change, 6 and 7 their fields.
      sample.numbers[2] = kind.rawValue
      for _ in 0..<4 { sample.numbers.append(choices.number(in: 0...255)) }
    },
    check: { trial in
      if let found = try pairsManyAlike(trial) { return found }
      let edit = try EditedList(trial)
      let old = trial.sample.values[0]
      guard case .list(let before)? = old[edit.path], case .list(var after)? = edit.tree[edit.path]
      else { throw Skipped("there is no list") }
      guard areAlikeStructs(before + after) else { throw Skipped("no list of structs of scalars") }
      let wholes = try trial.wholes(of: trial.value())
      let isWritten = wholes.contains { $0.starts(with: edit.path) || edit.path.starts(with: $0) }
      guard !isWritten else { throw Skipped("its elements are written as wholes") }
      let kept = edit.origins.indices.filter { edit.origins[$0] != nil }
      guard !kept.isEmpty else { throw Skipped("no element is left") }
      let places = Set((4...5).map { kept[trial.sample.index($0, below: kept.count)] })
      for (offset, place) in places.sorted().enumerated() {
        let keys = after[place].steps.filter { key in
          key != .key("id") && after[place].child(key).map { changed($0) != $0 } ?? false
        }
        guard !keys.isEmpty else { throw Skipped("no field can change") }
        let key = keys[trial.sample.index(6 + offset, below: keys.count)]
        after[place] = after[place].replacing([key], with: after[place].child(key).map(changed))
      }
      guard Set(after).count == after.count, places.allSatisfy({ !before.contains(after[$0]) }),
        tellsIdentitiesApart(before), tellsIdentitiesApart(after)
      else { throw Skipped("two elements are alike") }
      let edited = old.replacing(edit.path, with: .list(after))
      guard trial.model.accepted(edited) == edited, let value = trial.value(of: edited) else {
        throw Skipped("the model refuses it")
      }
      let document = try trial.document(holding: 0)
      _ = try document.heads()
      let count = try document.operationCount()
      try document.encode(value)
      if let found = try trial.difference(document, from: trial.stored(edited)) { return found }
      let added = try document.operationCount() - count
      let came = edit.origins.indices.filter { edit.origins[$0] == nil }
        .reduce(0) { $0 + 1 + after[$1].steps.count }
      let limit = places.count + came + before.count - kept.count
      // Fewer is no violation: the limit is that of one way to pair the elements.
      guard added > limit else { return nil }
      return Difference(
        kind: "operations.count",
        summary: "a list of structs that became another added more operations than differences",
        expected: "at most \(limit)",
        actual: "\(added)"
      ).between(nil, "what the encode added to the document")
    }
  )

  /// Where structs that have each changed one of three fields are not updated in place, though many others come or go.
  ///
  /// The longer of both lists is so long that the number of pairs is just what a coder looks at one by one. In front
  /// of each that stands in both lists are those that came or went: by position none is at its place. Seven of
  /// eight samples have no such lists, which take time.
  ///
  ///     old     4, 8, 12...     new     1, 2, 3, 4', 5, 6, 7, 8'...     one operation for 4', four for 1
  private static func pairsManyAlike(_ trial: CodingTrial) throws -> Difference? {
    let sizes = [(16, 256), (32, 128), (128, 32), (256, 16)]
    let number = trial.sample.index(3, below: 32)
    guard sizes.indices.contains(number) else { return nil }
    let (oldCount, newCount) = sizes[number]
    func list(_ count: Int, isChanged: Bool) -> Tree {
      let step = max(oldCount, newCount) / count
      let elements = (1...count).map { place in
        let number = Int64(step * place)
        return Tree.map(of: [
          Tree.Entry("a", .int(number)), Tree.Entry("b", .string("\(number)")),
          Tree.Entry("c", .int(isChanged ? -number : 1_000 + number)),
        ])
      }
      return .map([Tree.Entry("elements", .list(elements))])
    }
    let document = try trial.document()
    try document.encode(TreeValue(tree: list(oldCount, isChanged: false)))
    _ = try document.heads()
    let count = try document.operationCount()
    let new = list(newCount, isChanged: true)
    try document.encode(TreeValue(tree: new))
    if let found = try trial.difference(document, from: new) { return found }
    let added = try document.operationCount() - count
    let came = max(newCount - oldCount, 0)
    let limit = min(oldCount, newCount) + max(oldCount - newCount, 0) + came * 4
    guard added > limit else { return nil }
    return Difference(
      kind: "operations.count",
      summary: "\(oldCount) structs that became \(newCount) added more operations than differences",
      expected: "at most \(limit)",
      actual: "\(added)"
    ).between(nil, "what the encode added to the document")
  }

  /// Whether all are maps of scalars under the same two keys or more.
  ///
  /// Two keys at least, for with one field a changed element has nothing left to be known by.
  private static func areAlikeStructs(_ elements: [Tree]) -> Bool {
    guard let first = elements.first, first.steps.count > 1 else { return false }
    let keys = Set(first.steps)
    return elements.allSatisfy { element in
      guard case .map(let entries) = element else { return false }
      return Set(element.steps) == keys && entries.allSatisfy(\.value.kind.isWrittenWhole)
    }
  }

  /// Whether no two elements have one `id`; coders may pair elements by it.
  private static func tellsIdentitiesApart(_ elements: [Tree]) -> Bool {
    let names = elements.compactMap { $0.child(.key("id")) }
    return Set(names.map(\.withoutSignsOfZero)).count == names.count
  }

  // MARK: - Unknown keys below the root

  /// The paths of all maps that structs and classes asked for.
  ///
  /// Not those of dictionaries and enumerations, where `.preserve` keeps nothing (decision 11).
  private static func maps(of recorded: Recorded, at path: [PathKey] = []) -> [[PathKey]] {
    switch recorded {
    case .leaf, .spelled, .keyedNil, .reference: return []
    case .list(let elements), .set(let elements):
      return elements.enumerated().flatMap { maps(of: $1, at: path + [.index($0)]) }
    case .map(let map):
      let below = map.entries.flatMap { maps(of: $0.value, at: path + [.key($0.key)]) }
      return (map.owner == .type ? [path] : []) + below
    }
  }

  /// Whether no list on the way has two elements that are alike.
  ///
  /// Where two are alike, either may get the unknown key. So may an element that has all keys of another: it
  /// may be the other one with keys that its type does not know.
  private static func tellsElementsApart(_ tree: Tree, along path: [PathKey]) -> Bool {
    path.indices.allSatisfy { count in
      guard case .list(let listed)? = tree[path[..<count]] else { return true }
      let elements = listed.map(\.withoutSignsOfZero)
      return elements.indices.allSatisfy { index in
        elements[..<index].allSatisfy { !$0.holds(elements[index]) && !elements[index].holds($0) }
      }
    }
  }

  /// A key that no model of the zoo has.
  private static let stranger = PathKey.key("of another version")

  /// Catches `.preserve` that looks at the root alone, and elements that are replaced by new ones
  /// and so lose what they did not name.
  ///
  /// The key is put into one map of the document by its core, as a newer version would have written
  /// it. Then the value is encoded after one edit, and the key must stand where that map went.
  ///
  /// Worked example: rows A and B, the unknown key in B, and the user removes A. A coder that
  /// writes B's content over A's object deletes B's with the key in it.
  static let unknownInElements = CodingLaw(
    "unknown.in-elements",
    "With `.preserve`, unknown keys stay in elements, too.",
    "With `.preserve` a key that the type never named stays at whatever depth, when a leaf beside it "
      + "changes, or when another element of its list is inserted, moved or removed.",
    source: [.decision(11), .specification(.codable, "Surplus and unknown keys")],
    needs: [.documents, .unknownKeys],
    models: ordered,
    draw: { model, sample, choices in
      if choices.flag(percent: 60), model.traits.contains(.lists) {
        try drawEditedList(model, &sample, &choices)
      } else {
        try values(1, numbers: 4)(model, &sample, &choices)
      }
      sample.numbers += [choices.number(in: 0...255)]
    },
    check: { trial in
      let tree = trial.sample.values[0]
      let document = try trial.document(holding: 0)
      var settings = EncodingSettings()
      settings.unknownKeys = .preserve
      let edit = try? EditedList(trial)
      // What is written as a whole has no keys that its type does not know.
      let wholes = try trial.wholes(of: trial.value())
      let places = maps(of: try TreeRecorder().record(try trial.value())).filter { place in
        !wholes.contains { place.starts(with: $0) }
      }
      guard !places.isEmpty else { throw Skipped("there is no struct") }
      let place = places[trial.sample.index(4, below: places.count)]
      // The map's path after the edit; nil if the element that it is in went or moved, which makes
      // a new one.
      var moved: [PathKey]? = place
      let edited: Tree
      if let edit, trial.model.accepted(edit.tree) == edit.tree {
        edited = edit.tree
        let isTold = [tree, edited].allSatisfy { tree in
          tellsElementsApart(trial.stored(tree), along: edit.path + [.index(0)])
        }
        guard isTold else { throw Skipped("two elements are alike") }
        if place.starts(with: edit.path), place.count > edit.path.count,
          case .index(let old) = place[edit.path.count]
        {
          moved = edit.origins.firstIndex(of: old).map { index in
            edit.path + [.index(index)] + place.dropFirst(edit.path.count + 1)
          }
        }
      } else {
        let leaves = tree.paths.filter { path in
          tree[path].map { changed($0) != $0 } ?? false && path.last != .key("id")
        }
        guard !leaves.isEmpty else { throw Skipped("no leaf can change") }
        let leaf = leaves[trial.sample.index(1, below: leaves.count)]
        edited = tree.replacing(leaf, with: tree[leaf].map { changed($0) })
        guard trial.model.accepted(edited) == edited else { throw Skipped("the model refuses it") }
        let isTold = [place, leaf].allSatisfy { path in
          [tree, edited].allSatisfy { tellsElementsApart(trial.stored($0), along: path) }
        }
        guard isTold else { throw Skipped("two elements are alike") }
      }
      guard let moved else { throw Skipped("the element itself went") }
      try document.put(.string("kept"), at: place + [stranger])
      guard let value = trial.value(of: edited) else { throw Skipped("the model refuses it") }
      try document.encode(value, at: [], settings)
      let expected = trial.stored(edited).replacing(moved + [stranger], with: .string("kept"))
      return try trial.difference(document, from: expected)
    }
  )
}

extension Tree {
  /// Whether this is the other tree, or a map with all of its entries and more.
  fileprivate func holds(_ other: Tree) -> Bool {
    guard case .map(let entries) = self, case .map(let fewer) = other else { return self == other }
    return fewer.allSatisfy { entry in
      entries.contains { $0 == entry }
    }
  }
}
