import CodingSupport
import ModelGeneration
import PropertyEngine

extension CodingLaw {
  /// Encoding and decoding at a place within a document.
  static let pathLaws: [CodingLaw] = [pathSiblings, pathValues, pathElement]

  private static let siblings: LawSource = [
    .specification(.codable, "Surplus and unknown keys"), .issue("automerge-swift", 57),
  ]

  /// Catches an encode at a path that takes the document for its own and removes the surplus.
  static let pathSiblings = CodingLaw(
    "path.siblings",
    "Encoding at a path touches nothing beside it.",
    source: siblings,
    needs: [.documents, .paths],
    models: ordered,
    draw: values(2)
  ) { trial in
    let document = try trial.document(holding: 0)
    let path: [PathKey] = [.key("settings of another"), .key("inner")]
    try document.encode(try trial.value(1), at: path, EncodingSettings())
    let outer = Tree.map([Tree.Entry("inner", trial.stored(trial.sample.values[1]))])
    let both = trial.stored(trial.sample.values[0]).replacing([path[0]], with: outer)
    if let found = try trial.difference(document, from: both) { return found }
    let beside: [PathKey] = [.key("settings beside")]
    try document.encode(try trial.value(0), at: beside, EncodingSettings())
    let all = both.replacing(beside, with: trial.stored(trial.sample.values[0]))
    return try trial.difference(document, from: all, "after a second encode beside the first")
  }

  /// Catches the places where root and path differ: scalars are allowed here, and maps on the way
  /// are made.
  static let pathValues = CodingLaw(
    "path.values",
    "A value at a path comes back.",
    "A value at a path is stored and decoded there as it is anywhere else, scalars included.",
    source: .specification(.codable, "Encoding by type"),
    needs: [.documents, .paths],
    models: {
      !$0.traits.contains(.unordered) && $0.traits.isDisjoint(with: [.refuses, .integerKeys])
    },
    draw: values(1, numbers: 1),
    check: { trial in
      let list: [PathKey] = [.key("a"), .key("b"), .index(0)]
      let path = trial.sample.index(0, below: 2) == 0 ? Array(list.prefix(2)) : list
      let document = try trial.document()
      try document.encode(try trial.value(), at: path, EncodingSettings())
      let stored = try document.tree()[path]
      if let found = stored?.difference(from: trial.stored(trial.sample.values[0])) { return found }
      let decoded = try document.decode(trial.type, at: path, userInfo: [:])
      return try trial.difference(decoded, from: trial.declared(trial.sample.values[0]))
    }
  )

  /// Catches an index that inserts where it should replace, and one past the end that traps.
  static let pathElement = CodingLaw(
    "path.element",
    "Encoding at an index replaces one element.",
    "Encoding at the index of a list replaces that element, and at its end adds one.",
    source: .specification(.codable, "Locating a path", item: 6),
    needs: [.documents, .paths],
    models: ordered,
    draw: relatedValues(2, numbers: 1)
  ) { trial in
    let document = try trial.document()
    let list: [PathKey] = [.key("list")]
    let old = trial.stored(trial.sample.values[0])
    try document.put(.list([old, old]), at: list)
    let index = trial.sample.index(0, below: 3)
    try document.encode(try trial.value(1), at: list + [.index(index)], EncodingSettings())
    let expected = Tree.map([Tree.Entry("list", .list([old, old]))])
      .replacing(list + [.index(index)], with: trial.stored(trial.sample.values[1]))
    if let found = try trial.difference(document, from: expected) { return found }
    // A container is written into, a scalar is replaced.
    let scalars: [Tree] = [.string("a"), .string("b")]
    try document.put(.list(scalars), at: list)
    try document.encode("c", at: list + [.index(index)], EncodingSettings())
    let replaced = Tree.map([Tree.Entry("list", .list(scalars))])
      .replacing(list + [.index(index)], with: .string("c"))
    return try trial.difference(document, from: replaced, "a scalar at an element's path")
  }
}
