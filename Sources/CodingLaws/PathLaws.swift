import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// Encoding and decoding at a place within a document. The rules of paths are in
// Specification/Codable.md, "Locating a path".

extension CodingLaw {
  /// Encoding and decoding at a place within a document.
  static let pathLaws: [CodingLaw] = [pathSiblings, pathValues, pathElement, pathByStrategy]

  private static let siblings: LawSource = [
    .specification(.codable, "Surplus and unknown keys"), .issue("automerge-swift", 57),
  ]

  /// Catches an encode at a path that takes the document for its own and removes the surplus.
  ///
  /// Worked example: the app stores its settings at `settings.inner`. A coder that cleans up
  /// surplus keys from the root deletes everything else (#57). Two paths are written, so that the
  /// first is a sibling of the second.
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
  ///
  /// Worked example: a `URL` at a path was a map `{relative: ...}` (#136), a `Date` a float, `Data`
  /// a list: places that go round the encoder's own cases for leaves. Models without a keyed root,
  /// `Int` lists and strings, are asked here. Catches a decoder that names another place than that of what it
  /// misses, and one that refuses an optional there.
  static let pathValues = CodingLaw(
    "path.values",
    "A value at a path comes back.",
    "A value at a path is stored and decoded there as it is anywhere else, scalars included; where nothing stands, "
      + "an optional is nil, and any other type is refused at that place, as is what a path leads to that goes through "
      + "nothing, a scalar or a text, or does not fit its container. A URL is read of a map with its relative part.",
    source: .specification(.codable, "Encoding by type", "Decoding by type"),
    needs: [.documents, .paths],
    models: {
      !$0.traits.contains(.unordered) && $0.traits.isDisjoint(with: [.refuses, .integerKeys])
    },
    draw: values(1, numbers: 1),
    check: { trial in
      // In every other sample the value is a list's first element, and the list is made on the way.
      let list: [PathKey] = [.key("a"), .key("b"), .index(0)]
      let path = trial.sample.index(0, below: 2) == 0 ? Array(list.prefix(2)) : list
      let document = try trial.document()
      try document.encode(try trial.value(), at: path, EncodingSettings())
      let stored = try document.tree()[path]
      // Where nothing was written, decoding fails next.
      if let found = stored?.difference(from: trial.stored(trial.sample.values[0])) {
        return found.between(CodingTrial.encoded, "the place in the document")
      }
      let decoded = try document.decode(trial.type, at: path, userInfo: [:])
      if let found = try trial.difference(
        decoded,
        from: trial.declared(trial.sample.values[0])
      ) {
        return found
      }
      let beside: [PathKey] = [.key("a"), .key("not there")]
      if let found = readsSomething(document, at: beside, trial) { return found }
      if let found = try leadsSomewhere(document, isList: path == list, trial) { return found }
      guard path == list else { return nil }
      return readsSomething(document, at: Array(list.dropLast()) + [.index(1)], trial)
    }
  )

  /// Where a path that leads nowhere is decoded, is refused without its path, or leaves something behind, or a URL is
  /// not read.
  ///
  /// Through what is not there, a scalar or a text, past the end of a list, by an index of a map or a key of a list. The
  /// specification leaves open which of its errors is thrown.
  ///
  /// automerge-swift 0.6.1 wrote a URL at a path as a map, which still is one; a string that is no URL is refused.
  ///
  ///     {"a": {"b": ..., "scalar": 1, "text": text "t", "url": "http://["}}
  ///     a.none.more     a.scalar.more     a.text[0]     a[0]     a.b[3]     a.b.k     a.url as a URL
  ///
  ///     {"relative": "x:/a"}                                     x:/a
  ///     {"relative": "b", "base": {"relative": "http://a/"}}     http://a/b
  private static func leadsSomewhere(
    _ document: any CodingDocument,
    isList: Bool,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let holder = [PathKey.key("a")]
    let list = holder + [.key("b")]
    let (scalar, text) = (holder + [.key("scalar")], holder + [.key("text")])
    let url = holder + [.key("url")]
    try document.put(.int(1), at: scalar)
    try document.put(.text("t"), at: text)
    try document.put(.string("http://["), at: url)
    try document.put(
      .map([
        Tree.Entry("base", .map([Tree.Entry("relative", .string("http://a/"))])),
        Tree.Entry("relative", .string("b")),
      ]),
      at: holder + [.key("written as a map")]
    )
    let before = try Untouched(document)
    var paths = [
      holder + [.key("none"), .key("more")], scalar + [.key("more")], text + [.index(0)],
      holder + [.index(0)],
    ]
    if isList { paths += [list + [.index(3)], list + [.key("k")]] }
    for path in paths {
      let outcome = trial.outcome { try document.decode(Int.self, at: path, userInfo: [:]) }
      guard case .failure(let error) = outcome else {
        return Difference(
          kind: "path.read",
          summary: "a number is read at \(path.place), which leads nowhere"
        )
      }
      guard case .decoding(_, path.map(\.stringValue)) = error.complaint else {
        return Difference(
          kind: "path.nowhere",
          summary: "a path that leads nowhere is refused without its place",
          expected: "DecodingError at \(path.map(\.stringValue))",
          actual: error.complaint.description
        ).between(nil, "what the coder answered")
      }
    }
    if let found = try readsMap(document, at: holder + [.key("written as a map")], trial) {
      return found
    }
    if URL(string: "http://[") == nil {
      let outcome = trial.outcome { try document.decode(URL.self, at: url, userInfo: [:]) }
      guard case .failure(let error) = outcome else {
        return Difference(kind: "path.read", summary: "a URL is read of another string")
      }
      let due = CoderComplaint.decoding(.dataCorrupted, path: url.map(\.stringValue))
      if let found = error.complaint.difference(from: due) { return found }
    }
    return try before.difference(document, after: "a path that leads nowhere")
  }

  /// Where a URL that was written as a map, on a base or by itself, is read as another.
  private static func readsMap(
    _ document: any CodingDocument,
    at place: [PathKey],
    _ trial: CodingTrial
  ) throws -> Difference? {
    for (path, due) in [(place, "http://a/b"), (place + [.key("base")], "http://a/")] {
      let outcome = trial.outcome { try document.decode(URL.self, at: path, userInfo: [:]) }
      switch outcome {
      case .success(let found) where found.absoluteString == due: continue
      case .success(let found):
        return Difference(
          kind: "path.url",
          summary: "a map with a relative URL is read as another one",
          expected: due,
          actual: found.absoluteString
        ).between("what was written at \(path.place)", CodingTrial.decoded)
      case .failure(let error):
        return Difference(
          kind: "path.url",
          summary: "a map with a relative URL is refused",
          expected: due,
          actual: error.complaint.description
        ).between("what was written at \(path.place)", "what the coder answered")
      }
    }
    return nil
  }

  /// Where a key that its map lacks, or the index behind a list's last element, is read as if something stood there.
  ///
  ///     {"a": {"b": 1}}       path a, c       keyNotFound of c, at a
  ///     {"a": {"b": [1]}}     path a, b, 1    valueNotFound, at a, b, 1
  private static func readsSomething(
    _ document: any CodingDocument,
    at path: [PathKey],
    _ trial: CodingTrial
  ) -> Difference? {
    let outcome = trial.outcome { try document.decode(Int.self, at: path, userInfo: [:]) }
    guard case .failure(let error) = outcome else {
      return Difference(
        kind: "path.read",
        summary: "a number is read at \(path.place), where nothing stands"
      )
    }
    let reason: CoderComplaint.DecodingCase =
      path.last?.intValue == nil ? .keyNotFound : .valueNotFound
    let expected = CoderComplaint.decoding(reason, path: path.map(\.stringValue))
    if let found = error.complaint.difference(from: expected) { return found }
    let optional = trial.outcome { try document.decode(Int?.self, at: path, userInfo: [:]) }
    if case .success(.none) = optional { return nil }
    return Difference(
      kind: "path.optional",
      summary: "an optional is not nil at \(path.place), where nothing stands"
    )
  }

  /// Catches an index that inserts where it should replace, and one past the end that traps.
  ///
  /// Catches a `.readonly` that adds an element, or takes the end of a list for a place beyond it.
  ///
  /// The list has two elements, and the index is 0, 1 or 2, where 2 is its end. One past the end is
  /// for ``pathByStrategy``.
  ///
  /// Worked example: `encode("c", at: list.[0])` over `["a", "b"]` is `["c", "b"]`; 0.6.1 makes it
  /// `["c", "a", "b"]`.
  static let pathElement = CodingLaw(
    "path.element",
    "Encoding at an index replaces one element.",
    "Encoding at the index of a list replaces that element, and at its end adds one, which `.readonly` refuses as "
      + "missing.",
    source: [
      .specification(.codable, "Locating a path", item: 6),
      .specification(.codable, "Schema strategies"),
    ],
    needs: [.documents, .paths],
    models: ordered,
    draw: relatedValues(2, numbers: 1)
  ) { trial in
    let document = try trial.document()
    let list: [PathKey] = [.key("list")]
    let old = trial.stored(trial.sample.values[0])
    try document.put(.list([old, old]), at: list)
    if let found = try takesNoEnd(document, list + [.index(2)], trial) { return found }
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

  /// Where a readonly encode at the end of a list does anything but say that nothing stands there.
  ///
  /// The index is no greater than the length, so it is not out of bounds: what is missing is the element.
  private static func takesNoEnd(
    _ document: any CodingDocument,
    _ end: [PathKey],
    _ trial: CodingTrial
  ) throws -> Difference? {
    guard trial.subject.features.contains(.strategies) else { return nil }
    var settings = EncodingSettings()
    settings.strategy = .readonly
    let before = try Untouched(document)
    guard case .failure(let error) = trial.outcome({ try document.encode(word, at: end, settings) })
    else {
      return Difference(
        kind: "path.taken",
        summary: "\(end.place) was taken with .readonly",
        expected: "a refusal",
        actual: "success"
      ).between(nil, "what the coder answered")
    }
    return try error.complaint.difference(from: .schema(.missing))
      ?? before.difference(document, after: "a path that was refused")
  }

  /// Catches a path that is followed, made or refused under another strategy than the one asked for, and
  /// what a refused path leaves behind of its way.
  ///
  /// Misses which error it is, which `strategy.*` and the tests of the coders ask for; and paths through a
  /// null or to a text: the specification leaves open what becomes of them.
  ///
  /// The path leads to a place of the value, or up to three steps on from it, into what is missing
  /// or in the way. `written` says in terms of trees what must come of it: it is the
  /// specification's list as code.
  static let pathByStrategy = CodingLaw(
    "path.by-strategy",
    "Paths are made or refused by the strategy.",
    "A string is written at a path, and read back there, if the strategy allows it to create what is missing and "
      + "to replace what is in the way. Otherwise the path is refused and nothing changes.",
    source: [
      .specification(.codable, "Locating a path"), .specification(.codable, "Schema strategies"),
    ],
    needs: [.documents, .paths, .strategies],
    models: ordered,
    draw: { model, sample, choices in
      let tree = try model.anyTree(&choices)
      sample.values = [tree]
      var path = choices.element(of: tree.paths)
      var steps: [PathKey] = [.key("new"), .index(0), .index(1), .key("inner")]
      if case .list(let elements)? = tree[path] {
        steps += [.index(elements.count), .index(elements.count + 1)]
      }
      choices.repeated(upTo: 3, averaging: 1, "step") { path.append($0.element(of: steps)) }
      if path.isEmpty { path = [choices.element(of: steps)] }
      sample.trees = [Tree(path: path)]
      sample.numbers = [choices.index(below: EncodingSettings.Strategy.allCases.count)]
    },
    check: { trial in
      guard let path = trial.sample.trees.first?.path else { throw Skipped("no path") }
      let strategies = EncodingSettings.Strategy.allCases
      var settings = EncodingSettings()
      settings.strategy = strategies[trial.sample.index(0, below: strategies.count)]
      let document = try trial.document(holding: 0)
      let tree = try document.tree()
      // Not drawn otherwise but skipped, so that a stored sample of any path is judged alike.
      guard tree[path]?.kind != .text,
        !path.indices.dropFirst().contains(where: { tree[path[..<$0]] == .null })
      else { throw Skipped("the path leads through a null, or to a text") }
      let before = try Untouched(document)
      let expected = written(path[...], over: tree, settings.strategy)
      let outcome = trial.outcome { try document.encode(word, at: path, settings) }
      switch (outcome, expected) {
      case (.success, let expected?):
        if let found = try trial.difference(document, from: expected) { return found }
        let found = try document.decode(String.self, at: path, userInfo: [:])
        guard found != word else { return nil }
        return Difference(kind: "path.read", summary: "another string is read at \(path.place)")
      case (.failure, nil): return try before.difference(document, after: "a path that was refused")
      case (.success, nil):
        return Difference(
          kind: "path.taken",
          summary: "\(path.place) was taken with .\(settings.strategy.rawValue)",
          expected: "a refusal",
          actual: "success"
        ).between(nil, "what the coder answered")
      case (.failure(let error), _?):
        return Difference(
          kind: "path.refused",
          summary: "\(path.place) was refused with .\(settings.strategy.rawValue)",
          expected: "success",
          actual: error.complaint.description
        ).between(nil, "what the coder answered")
      }
    }
  )

  /// A text that no model's value holds by chance.
  private static let word = "written at a path"

  /// What stands at a place once a string was written at a path below it; `nil` if the path is refused.
  ///
  /// Readonly makes nothing and takes no container's place; override makes a container of the
  /// step's kind of whatever is in the way; createWhenNeeded makes only what is missing. An index
  /// may be the count, which appends, and none beyond.
  ///
  /// Worked example: path `a.[0]` over `{}`. By `.createWhenNeeded` the tree is `{"a": [word]}`; by
  /// `.readonly` `nil`, a refusal; over `{"a": "x"}` only `.override` gives `{"a": [word]}`.
  private static func written(
    _ path: ArraySlice<PathKey>,
    over node: Tree?,
    _ strategy: EncodingSettings.Strategy
  ) -> Tree? {
    guard let step = path.first else {
      switch node {
      case nil, .map?, .list?: return strategy == .readonly ? nil : .string(word)
      default: return .string(word)
      }
    }
    var holder: Tree
    switch node {
    case .map?, .list?: holder = node ?? .null
    // The next step says which container is made: a list for an index, else a map.
    case nil where strategy != .readonly, _? where strategy == .override:
      if case .key = step { holder = .map([]) } else { holder = .list([]) }
    default: return nil
    }
    switch (step, holder) {
    case (.key, .map): break
    case (.index(let index), .list(let elements)) where index <= elements.count: break
    default: return nil
    }
    guard let below = written(path.dropFirst(), over: holder.child(step), strategy) else {
      return nil
    }
    holder = holder.replacing([step], with: below)
    return holder
  }
}
