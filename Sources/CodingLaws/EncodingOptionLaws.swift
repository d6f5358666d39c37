import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// What an encoder keeps, removes and refuses over a document that another version, or a peer in another language, has
// changed, under each option of the caller.

extension CodingLaw {
  /// Unknown keys, cautious encodes, and strategies of encoding.
  static let encodingOptionLaws: [CodingLaw] = [
    preserves, removesUnknown, preserveNamed, preserveDictionary, cautious, cautiousNull, readonly,
    override,
    createRefuses,
  ]

  /// Catches an older app that removes what a newer one has written, by saving.
  ///
  /// Misses keys below the root; `unknown.in-elements` goes there. Says nothing where a struct names other keys for
  /// the second value than for the first: a key that it leaves out stays (decision 11), by the type's choice.
  ///
  /// Worked example: version 2 stored `color`; version 1, which does not know it, saves its model.
  /// By default the key goes, and with it what version 2 wrote. The value of the key may be of any
  /// kind.
  package static let preserves = CodingLaw(
    "unknown.preserved",
    "With `.preserve`, unknown keys stay.",
    "With `.preserve` a key that the type never named stays, whatever it holds.",
    source: .decision(11),
    needs: [.documents, .unknownKeys],
    models: { ordered($0) && $0.traits.contains(.plainStruct) },
    draw: { model, sample, choices in
      try relatedValues(2)(model, &sample, &choices)
      sample.trees = [choices.element(of: CodingSample.strangers)]
    },
    check: { trial in
      let recorder = TreeRecorder()
      guard
        try recorder.record(try trial.value(0)).namesSameKeys(as: recorder.record(trial.value(1)))
      else {
        throw Skipped(
          "the model leaves out keys of some values, which `.preserve` keeps: write each key always, "
            + "by `encodeIfPresent` if there may be no value"
        )
      }
      let document = try trial.document(holding: 0)
      let key = [PathKey.key("of another version")]
      try document.put(trial.sample.trees[0], at: key)
      var settings = EncodingSettings()
      settings.unknownKeys = .preserve
      try document.encode(try trial.value(1), at: [], settings)
      let expected = trial.stored(trial.sample.values[1])
        .replacing(key, with: trial.sample.trees[0])
      return try trial.difference(document, from: expected)
    }
  )

  /// The default.
  ///
  /// Catches keys that stay forever, removal that takes a known key with it, and removal that counts keys: of what is
  /// there, of what was written and of what went with this very encode.
  ///
  /// Most samples encode another value than the document has, so that fields come and go beside the unknown keys. The
  /// root has one or more of them, and maps below it may have some.
  ///
  /// Worked example: the document has `{"a": 1, "b": 2, "z": 3}` and the value `a` alone: `b` became `nil`. A coder that
  /// counts `b` as present, as it was when the encode began, finds two keys where there are two, and `z` stays.
  package static let removesUnknown = CodingLaw(
    "unknown.removed",
    "With `.remove`, unknown keys go.",
    "With `.remove` exactly the keys that were not written go, and nothing else is lost.",
    source: .specification(.codable, "Surplus and unknown keys"),
    needs: [.documents],
    models: { ordered($0) && ($0.traits.contains(.plainStruct) || withOptionals($0)) },
    draw: { model, sample, choices in
      let tree = try model.anyTree(&choices)
      sample.values = [tree]
      if choices.flag(percent: 85) {
        // Any other value lacks more of the first one's fields than one that is near it.
        let other = try choices.flag() ? model.tree(&choices) : model.tree(near: tree, &choices)
        sample.values.append(other)
      }
      sample.trees = [choices.element(of: CodingSample.strangers)]
      // A map without keys may be that of a type that writes nothing, and so removes nothing.
      let maps = tree.paths.filter { tree[$0]?.kind == .map && tree[$0]?.steps.isEmpty == false }
      guard !maps.isEmpty else { return }
      choices.repeated(upTo: 3, averaging: 1, "key") { choices in
        let map = choices.element(of: maps)
        let key = choices.element(of: ["of the next version", "of the version before"])
        let value = choices.element(of: CodingSample.strangers)
        guard tree[map + [.key(key)]] == nil else { return }
        sample.trees.append(Drift(.put, map + [.key(key)], value).tree)
      }
    },
    check: { trial in
      let document = try trial.document(holding: 0)
      try document.put(trial.sample.trees[0], at: [.key("of another version")])
      try CodingSample.apply(trial.sample.trees.dropFirst(), to: document)
      // A stored sample may have one value alone.
      let last = min(1, trial.sample.values.count - 1)
      try document.encode(try trial.value(last))
      return try trial.difference(document, from: trial.stored(trial.sample.values[last]))
    }
  )

  /// Models whose fields are absent in some values.
  private static let withOptionals = named(
    "FlexibleModel",
    "ScalarOptionals",
    "LeafOptionals",
    "OptionalsOfAllTypes",
    "OptionalNest",
    "ExplicitNull",
    "Catalogue",
    "TextPlaces",
    "CounterPlaces"
  )

  /// Catches a rule that keeps whatever is not written: a property that became `nil` would come back.
  ///
  /// Worked example: `newField: "x"` becomes `nil`, and `encodeIfPresent` names the key without
  /// writing it. To tell that from a key that was never named, containers must implement the whole
  /// `encodeIfPresent` family (decision 11). So it is in an element of a list where nothing else may differ.
  static let preserveNamed = CodingLaw(
    "unknown.named-is-known",
    "With `.preserve`, a key the type names goes.",
    "With `.preserve` a key that the type names goes when its value is nil.",
    source: .decision(11),
    needs: [.documents, .unknownKeys],
    models: named(
      "FlexibleModel",
      "ScalarOptionals",
      "OptionalsOfAllTypes",
      "ExplicitNull",
      "ToDoList",
      "Recipe"
    ),
    draw: { model, sample, choices in
      try relatedValues(2)(model, &sample, &choices)
      if ["ToDoList", "Recipe"].contains(model.name) {
        let value = sample.values[0]
        let fields = optionalFieldsOfElements(value, model)
        sample.values[1] = value
        if !fields.isEmpty {
          sample.values[1] = value.replacing(choices.element(of: fields), with: nil)
        }
        return
      }
      // Where no other field differs, a coder that compares first finds nothing but the key that is gone.
      guard choices.flag(), !sample.values[0].steps.isEmpty else { return }
      let key = choices.element(of: sample.values[0].steps)
      let other = try model.anyTree(&choices)
      sample.values[1] = sample.values[0].replacing([key], with: other[[key]])
    },
    check: preserved
  )

  /// Catches the same rule in dictionaries, whose removed entries would come back, and in
  /// enumerations, which would have two cases.
  ///
  /// Worked example: `["a": 1, "b": 2]` becomes `["a": 1]`. To a dictionary every key is one that
  /// no type named.
  static let preserveDictionary = CodingLaw(
    "unknown.not-in-dictionaries",
    "With `.preserve`, dictionaries and enumerations stay exact.",
    "With `.preserve` a dictionary still loses the keys that it no longer has, and an enumeration "
      + "its old case, in what it nests as well.",
    source: .decision(11),
    needs: [.documents, .unknownKeys],
    models: named(
      "NumberLikeKeys",
      "ScalarDictionaries",
      "RankedEntries",
      "PlainEnums",
      "Shapes",
      "TaggedList"
    ),
    draw: relatedValues(2),
    check: preserved
  )

  /// The first 16 fields of elements of lists that the model can do without.
  private static func optionalFieldsOfElements(_ value: Tree, _ model: Model) -> [[PathKey]] {
    let fields = value.paths.lazy.filter { path in
      guard case .key? = path.last, path.count > 1, case .index = path[path.count - 2] else {
        return false
      }
      let without = value.replacing(path, with: nil)
      return model.accepted(without) == without
    }
    return Array(fields.prefix(16))
  }

  /// Where a document of the first value differs from the second, encoded over it with `.preserve`.
  private static func preserved(_ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document(holding: 0)
    var settings = EncodingSettings()
    settings.unknownKeys = .preserve
    try document.encode(try trial.value(1), at: [], settings)
    return try trial.difference(document, from: trial.stored(trial.sample.values[1]))
  }

  /// A scalar field of the first value, and a scalar of another kind.
  ///
  /// Not an element of a list, which is matched by content and may move. Numbers 0 and 1 choose
  /// field and scalar.
  private static func retyped(_ trial: CodingTrial) throws -> (path: [PathKey], value: Tree) {
    let tree = trial.stored(trial.sample.values[0])
    let fields = tree.paths.filter { path in
      path.last?.intValue == nil && tree[path].map { $0.kind.isScalar && $0 != .null } ?? false
    }
    guard !fields.isEmpty else { throw Skipped("there is no scalar field") }
    let path = fields[trial.sample.index(0, below: fields.count)]
    let others = CodingSample.strangers.filter {
      $0.kind.isScalar && $0 != .null && $0.kind != tree[path]?.kind
    }
    // The very value as another kind, which only a cautious encode refuses.
    let twins = tree[path]?.otherKinds ?? []
    let all = others + twins + twins + twins
    return (path, all[trial.sample.index(1, below: all.count)])
  }

  /// Catches a check that comes when something is written already, or that looks at the root alone.
  ///
  /// Worked example: `count` is `int 3`, a peer made it `string "x"`. The error's path must be the
  /// whole one, and the fields before `count` must not be written either.
  ///
  /// Catches a refusal too many as well: in a list of several kinds 1 becomes 2, and behind it comes a list. That
  /// takes no element's place; a coder that holds the 1 for an element that went refuses it.
  ///
  /// And a list whose only element is of another kind than the map or list that is to stand there: a coder that compares
  /// lists by content finds nothing to write over, and would take the element for one that went.
  package static let cautious = CodingLaw(
    "cautious.refuses",
    "With `cautiousWrite`, another type is refused.",
    "With `cautiousWrite` a value over another type is refused at its full path, and nothing is "
      + "written, neither is a map or list in place of a list's only element of another kind; what joins a list beside a "
      + "changed element is of any type.",
    source: [
      .specification(.codable, "Cautious writing"), .specification(.codable, "Lists"),
    ],
    needs: [.documents, .cautiousWrite],
    models: { ordered($0) && ($0.traits.contains(.plainStruct) || withMixedLists($0)) },
    draw: values(1, numbers: 2),
    check: { trial in
      if let found = try elementOfOtherKind(trial) { return found }
      if let (old, new) = grownList(trial) { return try takesGrown(old, new, trial) }
      let (path, value) = try retyped(trial)
      let document = try trial.document(holding: 0)
      try document.put(value, at: path)
      let before = try Untouched(document)
      var settings = EncodingSettings()
      settings.cautiousWrite = true
      let outcome = trial.outcome { try document.encode(try trial.value(), at: [], settings) }
      guard case .failure(let error) = outcome else {
        return Difference(
          kind: "cautious.wrote",
          summary: "\(path.place) was written over \(value)"
        )
      }
      let expected = CoderComplaint.encoding(path: path.map(\.stringValue))
      return try error.complaint.difference(from: expected) ?? error.namesOther(than: value)
        ?? before.difference(document, after: "a cautious encode that threw")
    }
  )

  /// Where a cautious encode of a list puts a map or list in the place of an element of another kind, or changes anything.
  ///
  /// Numbers 0 and 1 of the sample choose what stands there and what is encoded.
  ///
  ///     stored     ["a"], [1], [true], [[1]] or [{"a": 1}], also a text
  ///     encoded    [[5]] or [{"b": 5}]
  private static func elementOfOtherKind(_ trial: CodingTrial) throws -> Difference? {
    let wanted = [Tree.list([.int(5)]), .map([Tree.Entry("b", .int(5))])]
    let new = wanted[trial.sample.index(1, below: wanted.count)]
    let kinds = [
      Tree.string("a"), .int(1), .boolean(true), .text("a"), .list([.int(1)]),
      .map([Tree.Entry("a", .int(1))]),
    ].filter { $0.kind != new.kind }
    let old = kinds[trial.sample.index(0, below: kinds.count)]
    let document = try trial.document()
    try document.put(.list([old]), at: [.key("list")])
    let before = try Untouched(document)
    var settings = EncodingSettings()
    settings.cautiousWrite = true
    let value = TreeValue(tree: .map([Tree.Entry("list", .list([new]))]))
    guard case .failure(let error) = trial.outcome({ try document.encode(value, at: [], settings) })
    else {
      return Difference(
        kind: "cautious.wrote",
        summary: "\(new) took the place of the element \(old) of a list"
      )
    }
    return try before.refused(error, document, after: "a cautious encode that threw")
  }

  /// Models with a list whose elements are scalars and lists.
  private static let withMixedLists = named("LooseList")

  /// The sample's value with a 1 behind one of its lists, and the same with a 2 and a list there; `nil` if the model
  /// has no list that holds both.
  ///
  ///     old     [..., 1]
  ///     new     [..., 2, [5]]
  private static func grownList(_ trial: CodingTrial) -> (old: Tree, new: Tree)? {
    let tree = trial.sample.values[0]
    let lists = tree.paths.filter { tree[$0]?.kind == .list }
    guard !lists.isEmpty else { return nil }
    let path = lists[trial.sample.index(0, below: lists.count)]
    guard case .list(let elements)? = tree[path] else { return nil }
    let old = tree.replacing(path, with: .list(elements + [.int(1)]))
    let new = tree.replacing(path, with: .list(elements + [.int(2), .list([.int(5)])]))
    guard trial.model.accepted(new) == new, trial.model.accepted(old) == old else { return nil }
    return (old, new)
  }

  /// Where a cautious encode of a grown list is refused, or leaves something else.
  private static func takesGrown(
    _ old: Tree,
    _ new: Tree,
    _ trial: CodingTrial
  ) throws -> Difference? {
    guard let before = trial.value(of: old), let after = trial.value(of: new) else { return nil }
    let document = try trial.document()
    try document.encode(before)
    var settings = EncodingSettings()
    settings.cautiousWrite = true
    if case .failure(let error) = trial.outcome({ try document.encode(after, at: [], settings) }) {
      return Difference(
        kind: "cautious.refused",
        summary: "a list with one more element was refused",
        expected: "success",
        actual: error.complaint.description
      ).between(nil, "what the coder answered")
    }
    return try trial.difference(document, from: trial.stored(new))
  }

  /// Catches a check that takes null for a type.
  ///
  /// The first encode of a property that an older version left null would otherwise fail for ever.
  static let cautiousNull = CodingLaw(
    "cautious.fills-null",
    "With `cautiousWrite` a stored null may become anything.",
    source: .specification(.codable, "Cautious writing"),
    needs: [.documents, .cautiousWrite],
    models: { ordered($0) && $0.traits.contains(.plainStruct) },
    draw: values(1, numbers: 2),
    check: { trial in
      let (path, _) = try retyped(trial)
      let document = try trial.document(holding: 0)
      try document.put(.null, at: path)
      var settings = EncodingSettings()
      settings.cautiousWrite = true
      try document.encode(try trial.value(), at: [], settings)
      return try trial.difference(document, from: trial.stored(trial.sample.values[0]))
    }
  )

  /// Catches keys that appear by way of a default or an optional, and keys that go since their value is `nil`.
  ///
  /// In two cases of five the second value is the first without a field that may be `nil`: most others are refused for
  /// a longer list or a new key.
  ///
  /// Values may change, places may not.
  ///
  /// Misses whether a value that fits is written; `path.by-strategy` asks that of one scalar.
  package static let readonly = CodingLaw(
    "strategy.readonly",
    "With `.readonly`, the document keeps its shape.",
    "With `.readonly` no key, element or object is made or removed; what does not fit throws.",
    source: [.specification(.codable, "Schema strategies"), .requirement(9)],
    needs: [.documents, .strategies],
    models: ordered,
    draw: { model, sample, choices in
      try relatedValues(2)(model, &sample, &choices)
      guard choices.flag(percent: 40) else { return }
      let tree = sample.values[0]
      let fields = tree.paths.filter { path in
        if case .key? = path.last { true } else { false }
      }
      guard !fields.isEmpty else { return }
      // Few fields may be nil: of most models several are tried.
      for _ in 0..<6 {
        let edited = tree.replacing(choices.element(of: fields), with: nil)
        guard model.accepted(edited) == edited else { continue }
        sample.values[1] = edited
        return
      }
    },
    check: { trial in
      let document = try trial.document(holding: 0)
      let before = try Untouched(document)
      // Paths have the indices of elements, so a list that became longer or shorter is another shape.
      let shape = try document.tree().paths
      var settings = EncodingSettings()
      settings.strategy = .readonly
      let outcome = trial.outcome { try document.encode(try trial.value(1), at: [], settings) }
      if case .failure(let error) = outcome {
        return try before.refused(error, document, after: "a readonly encode that threw")
      }
      return try trial.readonlyChange(of: document, from: shape)
    }
  )

  /// A place of a container in the first value, of a list's elements only if asked for.
  private static func container(
    _ trial: CodingTrial,
    inLists: Bool
  ) throws -> [PathKey] {
    let tree = trial.sample.values[0]
    let places = tree.paths.dropFirst().filter { path in
      (inLists || path.last?.intValue == nil)
        && (tree[path]?.kind == .list || tree[path]?.kind == .map)
    }
    guard !places.isEmpty else { throw Skipped("there is no container") }
    return places[trial.sample.index(0, below: places.count)]
  }

  /// Catches a replacement that leaves something of the old value, or refuses scalars.
  ///
  /// Worked example: `tags` is a list, a peer put a text there. With automerge-swift 0.6.1
  /// `.override` throws or traps.
  static let override = CodingLaw(
    "strategy.override",
    "With `.override`, the value replaces what misfits.",
    "With `.override` the value takes the place of whatever does not fit.",
    source: [.specification(.codable, "Schema strategies"), .requirement(9)],
    needs: [.documents, .strategies],
    models: ordered,
    draw: values(1, numbers: 2)
  ) { trial in
    let path = try container(trial, inLists: true)
    let document = try trial.document(holding: 0)
    let strangers = CodingSample.strangers
    try document.put(strangers[trial.sample.index(1, below: strangers.count)], at: path)
    var settings = EncodingSettings()
    settings.strategy = .override
    try document.encode(try trial.value(), at: [], settings)
    // A number of another kind that reads as the value's may stay.
    let found = try document.tree().mapNodes(\.asNumber)
    return found.withoutSignsOfZero.difference(
      from: trial.stored(trial.sample.values[0]).mapNodes(\.asNumber).withoutSignsOfZero
    )
  }

  /// Catches a coder that overwrites a peer's data without being asked to.
  ///
  /// A null is no obstacle: a container is made in its place. So nulls are not drawn among the
  /// strangers here.
  static let createRefuses = CodingLaw(
    "strategy.create-refuses",
    "With `.createWhenNeeded`, a misfit is refused.",
    "With `.createWhenNeeded` a container is refused where a value or another kind stands.",
    source: .specification(.codable, "Schema strategies", "Switching types"),
    needs: [.documents, .strategies],
    models: ordered,
    draw: values(1, numbers: 2)
  ) { trial in
    let path = try container(trial, inLists: false)
    // What is written anew takes the place of all that stood there, of whatever kinds.
    guard try !trial.wholes(of: trial.value()).contains(where: { path.dropLast().starts(with: $0) })
    else { throw Skipped("it is part of a value that is written as a whole") }
    let kind = trial.sample.values[0][path]?.kind
    let strangers = CodingSample.strangers.filter { $0 != .null && $0.kind != kind }
    let stranger = strangers[trial.sample.index(1, below: strangers.count)]
    let document = try trial.document(holding: 0)
    try document.put(stranger, at: path)
    let before = try Untouched(document)
    guard case .failure(let error) = trial.outcome({ try document.encode(try trial.value()) })
    else {
      return Difference(kind: "strategy.replaced", summary: "\(path.place) was replaced")
    }
    guard case .schema = error.complaint else {
      return error.complaint.difference(from: .schema(.mismatched))
    }
    return try error.namesOther(than: stranger)
      ?? before.difference(document, after: "an encode that threw")
  }
}
