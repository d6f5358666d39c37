import CodingSupport
import ModelGeneration
import PropertyEngine

// Documents that another version, or a peer in another language, has changed: what a decoder makes of them, judged by
// the executable rules (`judge`, with `TreeDecoder` as the oracle). What an encoder keeps, removes and refuses over
// them: `EncodingOptionLaws.swift`. Drifts are drawn by `DriftSample.swift` and `DriftsBySchema.swift`.

extension CodingLaw {
  /// Documents that another version, or a peer in another language, has changed.
  static let driftLaws: [CodingLaw] = [
    mixedLists, driftRead, driftBySchema, nullsAsNil, driftTyped, conflictRead, concurrentDrift,
  ]

  /// Stored kinds that another type of the model reads.
  static let kindsReadAsOthersLaws: [CodingLaw] = [
    textsAsStrings, floatsFromIntegers, floatsFromInfinity,
  ]

  private static let kinds = LawSource.specification(.codable, "Decoding by type")

  /// Related values, a drift or two of the first, and a number that says who made it.
  private static func drifting(
    _ values: Int
  ) -> @Sendable (Model, inout CodingSample, inout Choices) throws -> Void {
    { model, sample, choices in
      try relatedValues(values)(model, &sample, &choices)
      sample.drift(&choices)
      sample.numbers = [choices.number(in: 0...2)]
    }
  }

  /// Compares what a document decodes to with what the rules say of its tree.
  ///
  /// There is more than one good reading of some documents (`DecodingRules.readings`); the first
  /// that agrees is enough. Decoding must not write.
  ///
  /// The document's own tree is what the rules are asked about, so a wrong tree is no concern of
  /// it: other laws hold the core. Cost: up to eight decodings by the oracle, one for each reading.
  static func judge(
    _ document: any CodingDocument,
    _ trial: CodingTrial,
    by readings: [DecodingRules] = DecodingRules.readings
  ) throws -> Difference? {
    let tree = try document.tree()
    let before = try Untouched(document)
    let outcome = trial.outcome { try document.decode(trial.type) }
    if let found = try before.difference(document, after: "decoding") { return found }
    var first: Difference?
    for rules in readings {
      guard let found = try difference(of: outcome, under: rules, from: tree, in: trial) else {
        return nil
      }
      first = first ?? found
    }
    return first
  }

  /// Where an outcome departs from what one reading of the rules says.
  ///
  /// Both gave a value: the two are compared as recorded trees. Both refused: the place and the
  /// reason must agree, with a null as one exception (``CoderComplaint/isSameRefusal(as:of:)``). Kinds
  /// `drift.accepted` and `drift.refused` say that only one refused.
  ///
  ///     the coder     the rules     judged
  ///     a value       a value       a difference between their trees, if there is one
  ///     a value       refuse        `drift.accepted`
  ///     refuses       a value       `drift.refused`
  ///     refuses       refuse        `complaint.differs`, unless place and reason agree
  private static func difference(
    of outcome: Result<any Decodable, CoderComplaintError>,
    under rules: DecodingRules,
    from tree: Tree,
    in trial: CodingTrial
  ) throws -> Difference? {
    var decoder = TreeDecoder()
    decoder.rules = rules
    // Of a generic type: `Box<Date?>` is asked for its value by `decode`, and not by `decodeIfPresent`.
    decoder.optionalsReadNothing = true
    let expected = trial.outcome { try decoder.decode(trial.type, from: tree) }
    switch (outcome, expected) {
    case (.success(let value), .success(let wanted)):
      guard let wanted = wanted as? any Encodable else { return nil }
      return try trial.difference(
        value,
        from: TreeRecorder.tree(of: wanted),
        "what the rules of decoding say"
      )
    case (.success(let value), .failure(let error)):
      return Difference(
        kind: "drift.accepted",
        summary: "a document that does not fit was decoded",
        expected: error.complaint.description,
        actual: "\(value)"
      ).between("what the rules of decoding say", "what the coder decoded")
    case (.failure(let error), .success):
      return Difference(
        kind: "drift.refused",
        summary: "a document that fits was refused",
        expected: "a value",
        actual: error.complaint.description
      ).between("what the rules of decoding say", "what the coder answered")
    case (.failure(let found), .failure(let wanted)):
      guard !found.complaint.isSameRefusal(as: wanted.complaint, of: tree) else { return nil }
      return found.complaint.difference(from: wanted.complaint)
    }
  }

  /// Catches a decoder that reads a number of one kind as another without saying so, takes a
  /// default for what is missing, or names the wrong place.
  ///
  /// Worked example: a peer put `float 1.5` where an `Int` stands. The rules refuse it as a type
  /// mismatch or as corrupted data at that very path; a decoder that gives 1 is wrong, and so is a
  /// path that ends at the container.
  package static let driftRead = CodingLaw(
    "drift.read",
    "Another version's document decodes by the rules.",
    "A document that another version wrote decodes to what the rules give, or is refused where it "
      + "stands.",
    source: kinds,
    needs: [.documents, .documentRules],
    models: ordered,
    draw: drifting(1)
  ) { trial in
    let document = try trial.document(holding: 0)
    // Two cases of three by a merge, which is how a document gets most of its foreign content.
    try trial.sample.apply(to: document, byPeer: trial.sample.index(0, below: 3) > 0)
    return try judge(document, trial)
  }

  /// Catches what random drift hardly meets: a new key, a number one past its range, a case of the
  /// next version.
  ///
  /// See ``DriftsBySchema`` for what is tried. Only derived models have a schema.
  static let driftBySchema = bySchema(
    "drift.by-schema",
    "Neighbouring versions' documents decode by the rules.",
    "What the next or the last version of a type would have written decodes by the rules, or is "
      + "refused where it stands.",
    models: { ordered($0) && $0.isDerived },
    drifts: { drifts, choices in
      (0...choices.number(in: 0...1)).compactMap { _ in
        choices.span("drift") { choices in drifts.draw(&choices) }?.tree
      }
    }
  )

  /// Catches an optional that knows nothing but a missing key: containers have a call of its own for an
  /// optional of each scalar, and each of them can forget that a null says the same.
  ///
  /// Of all places that a type may leave out three in four get a null at once, so that no type waits for its turn.
  ///
  /// Worked example: a program in JavaScript writes `{"float": null}` for what it does not know, and the type
  /// has `float: Float?`. It must be `nil`, and is refused by a decoder that asks whether the key is there.
  static let nullsAsNil = bySchema(
    "null.reads-as-nil",
    "Null under any optional reads as nil.",
    "Where another program wrote null for what a type may leave out, of whatever type, the document decodes "
      + "by the rules.",
    models: named(
      "OptionalsOfAllTypes",
      "ScalarOptionals",
      "LeafOptionals",
      "OptionalNest",
      "TextPlaces",
      "CounterPlaces"
    )
  ) { drifts, choices in
    drifts.places.filter(\.isOptional).compactMap { place in
      choices.flag(percent: 75) ? Drift(.put, place.path).tree : nil
    }
  }

  /// A law of models with a schema: some of its drifts of a value, in the value's document, decode by the rules.
  private static func bySchema(
    _ name: String,
    _ title: String,
    _ sentence: String,
    models: @escaping @Sendable (Model) -> Bool,
    drifts: @escaping @Sendable (DriftsBySchema, inout Choices) -> [Tree]
  ) -> CodingLaw {
    CodingLaw(
      name,
      title,
      sentence,
      source: kinds,
      needs: [.documents, .documentRules],
      models: models,
      draw: { model, sample, choices in
        let tree = try model.tree(&choices)
        sample.values = [tree]
        guard let schema = try model.schema() else { throw Skipped("the model has no schema") }
        sample.trees = drifts(DriftsBySchema(schema: schema, tree: tree), &choices)
      },
      check: { trial in
        let document = try trial.document(holding: 0)
        try trial.sample.apply(to: document)
        return try judge(document, trial)
      }
    )
  }

  /// Catches a decoder that looks at the loser of a conflict.
  ///
  /// One side encodes another value, the other drifts; neither saw the other. Which one wins is the
  /// core's business: the law reads the merged tree and expects what that tree decodes to.
  package static let conflictRead = CodingLaw(
    "drift.in-conflict",
    "Conflicting versions decode by the rules.",
    "A drift that conflicts with an edit leaves a document that decodes by the rules.",
    source: kinds,
    needs: [.documents, .documentRules],
    models: ordered,
    draw: drifting(2)
  ) { trial in
    let document = try trial.document(holding: 0)
    let peer = try document.fork(actor: 2)
    try document.encode(try trial.value(1))
    try trial.sample.apply(to: peer)
    try document.merge(peer)
    return try judge(document, trial)
  }

  /// Holds for any coder, bytes or documents.
  ///
  /// Catches traps, and errors without a path, which do not say where to look.
  /// Misses wrong values: what is decoded is not looked at.
  ///
  /// Worked example: `{"name": int 3}` for a struct whose `name` is a string.
  /// `DecodingError.typeMismatch` with the path `name` is good. A trap ends the process, and an
  /// empty path leaves the user with "data is corrupted".
  static let driftTyped = CodingLaw(
    "drift.typed",
    "Other versions' data decodes or is refused.",
    "What another version wrote is decoded, or refused as a `DecodingError` with a path.",
    source: .specification(.codable, "Errors"),
    models: ordered,
    draw: { model, sample, choices in
      let tree = try model.tree(&choices)
      let below = tree.paths.dropFirst().filter { tree[$0] != nil }
      let path = below.isEmpty ? [PathKey.key("added")] : choices.element(of: Array(below))
      let isRemoved = choices.flag(percent: 30)
      let stranger = choices.element(of: CodingSample.strangers)
      sample.trees = [tree.replacing(path, with: isRemoved ? nil : stranger)]
    },
    check: { trial in
      let encoded = try trial.subject.encode(
        TreeValue(tree: trial.sample.trees[0]),
        EncodingSettings()
      )
      let outcome = trial.outcome {
        try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
      }
      guard case .failure(let error) = outcome else { return nil }
      switch error.complaint {
      case .decoding(_, let path) where !path.isEmpty: return nil
      case .decoding, .encoding, .untyped, .schema:
        // A type that decodes an enumeration itself may stand at the root.
        if case .decoding = error.complaint, trial.sample.trees[0].kind == .map {
          return Self.rootMayRefuse(trial) ? nil : untyped(error.complaint)
        }
        return untyped(error.complaint)
      }
    }
  )

  private static func untyped(_ complaint: CoderComplaint) -> Difference {
    Difference(
      kind: "complaint.untyped",
      summary: "the refusal does not say where",
      expected: "a DecodingError with a path",
      actual: complaint.description
    ).between(nil, "the error that was thrown")
  }

  /// Whether the rules, too, refuse the tree with no path: the model's own code does.
  ///
  /// An enumeration whose `init(from:)` counts the root's keys itself has no deeper place to name.
  private static func rootMayRefuse(_ trial: CodingTrial) -> Bool {
    // A coder that has no null sees nothing in its place.
    let hasNull = trial.subject.features.contains(.explicitNull)
    let tree = trial.sample.trees[0]
    let seen = hasNull ? tree : tree.mapNodes(\.withoutNulls)
    let outcome = trial.outcome { try TreeDecoder().decode(trial.type, from: seen) }
    guard case .failure(let error) = outcome, case .decoding(_, let path) = error.complaint else {
      return false
    }
    return path.isEmpty
  }

  // MARK: - Mixed lists

  /// Catches a fast way through lists that looks at the first element alone.
  ///
  /// Worked example: `[int 1, "x", int 2]` as `[Int]` must be refused at index 1. To skip what does
  /// not fit gives `[1, 2]`, and the next save deletes the peer's element. `MixedListWorld` walks
  /// all such lists of these models.
  package static let mixedLists = CodingLaw(
    "list.mixed",
    "Lists of mixed kinds decode or are refused.",
    "A list with an element of another kind decodes exactly, or is refused at that index.",
    source: kinds,
    needs: [.documents, .documentRules],
    models: named(
      "ScalarLists",
      "LeafLists",
      "Strings",
      "Collections",
      "ColorList",
      "RawEnums",
      "TextList",
      "CounterPlaces"
    ),
    draw: { model, sample, choices in
      let tree = try model.tree(&choices)
      sample.values = [tree]
      let lists = tree.paths.filter { tree[$0]?.kind == .list }
      guard !lists.isEmpty else { return }
      let list = choices.element(of: lists)
      let index = choices.number(in: 0...(tree[list]?.steps.count ?? 0))
      let stranger = choices.element(of: CodingSample.strangers)
      sample.trees = [Drift(.insert, list + [.index(index)], stranger).tree]
      sample.numbers = [choices.number(in: 0...1)]
    },
    check: { trial in
      let document = try trial.document(holding: 0)
      try trial.sample.apply(to: document, byPeer: trial.sample.index(0, below: 2) > 0)
      return try judge(document, trial)
    }
  )

  /// Puts another kind with the same meaning at one place of a value, and expects the value.
  ///
  /// The value's own reading is expected, so `transform` must give what the rules read as the same.
  private static func reading(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    from: Tree.Kind,
    transform: @escaping @Sendable (Tree) -> Tree?
  ) -> CodingLaw {
    CodingLaw(
      name,
      title,
      sentence,
      source: source,
      needs: [.documents, .documentRules],
      models: named("Scalars", "ScalarLists", "ScalarDictionaries", "Strings", "Page"),
      draw: values(1, numbers: 1)
    ) { trial in
      let tree = trial.stored(trial.sample.values[0])
      let places = tree.paths.filter { path in
        tree[path].map { $0.kind == from && transform($0) != nil } ?? false
      }
      guard !places.isEmpty else { throw Skipped("nothing of the kind") }
      let path = places[trial.sample.index(0, below: places.count)]
      guard let value = tree[path].flatMap(transform) else { return nil }
      let document = try trial.document(holding: 0)
      try document.put(value, at: path)
      let decoded = try document.decode(trial.type)
      return try trial.difference(decoded, from: trial.declared(trial.sample.values[0]))
    }
  }

  /// Catches a decoder that knows texts where a property stands, and not in lists, dictionaries and
  /// payloads.
  static let textsAsStrings = reading(
    "string.reads-text",
    "A string reads a text, in every position.",
    source: [kinds, .requirement(8)],
    from: .string
  ) { tree in
    if case .string(let value) = tree { .text(value) } else { nil }
  }

  /// A peer in a language with one kind of number writes 1 for 1.0.
  ///
  /// Catches decoders that refuse it in some positions.
  static let floatsFromIntegers = reading(
    "float.reads-integer",
    "A float reads an exact integer.",
    "A float reads an integer that it holds exactly, in every position.",
    source: [.issue("automerge-swift", 153), kinds],
    from: .float
  ) { tree in
    guard case .float(let value) = tree, value.bitPattern != (-0.0).bitPattern else { return nil }
    // 2^24: integers below it are exact as `Float` too, which some of the fields are. -0 has no
    // integer.
    return Int64(exactly: value).flatMap { $0.magnitude < 1 << 24 ? .int($0) : nil }
  }

  /// Coders refuse to write infinity and not-a-number; other programs write them.
  ///
  /// Catches a decoder that refuses infinity, as it must refuse 1e300 for a `Float`.
  ///
  /// Worked example: a peer puts infinity where a sample's `ratio` stands. The rules give infinity,
  /// and `float-refuses-infinity` says that the number does not fit.
  ///
  /// The numbers beside infinity include integers: `int 16777217` decodes to a `Double`, and is
  /// refused for a `Float`, which would round it to 16777216.
  static let floatsFromInfinity = CodingLaw(
    "float.reads-infinity",
    "A float reads infinity and not-a-number.",
    "Where another program put infinity, not-a-number or a number that no `Float` holds, a float is decoded by "
      + "the rules, in every position.",
    source: kinds,
    needs: [.documents, .documentRules],
    models: named("Scalars", "ScalarLists", "ScalarDictionaries"),
    draw: values(1, numbers: 2)
  ) { trial in
    let tree = trial.stored(trial.sample.values[0])
    let places = tree.paths.filter { tree[$0]?.kind == .float }
    guard !places.isEmpty else { throw Skipped("nothing of the kind") }
    let numbers: [Tree] = [
      .float(.infinity), .float(-.infinity), .float(.nan), .float(1e300),
      .float(.leastNonzeroMagnitude), .int(9_007_199_254_740_993), .int(-9_007_199_254_740_993),
      .int(16_777_217), .uint(.max),
    ]
    let document = try trial.document(holding: 0)
    try document.put(
      numbers[trial.sample.index(1, below: numbers.count)],
      at: places[trial.sample.index(0, below: places.count)]
    )
    // Other laws leave open what automerge-swift does with integers that no float holds.
    let exact = DecodingRules.readings.filter { !$0.floatsRoundIntegers }
    return try judge(document, trial, by: exact)
  }
}

extension CoderComplaint {
  /// Whether both refuse the same place of a tree for the same reason.
  ///
  /// A null may be called a wrong type or a missing value; what is no null may not.
  func isSameRefusal(as other: CoderComplaint, of tree: Tree) -> Bool {
    guard case .decoding(let left, let leftPath) = self,
      case .decoding(let right, let rightPath) = other
    else { return self == other }
    guard leftPath == rightPath else { return false }
    return left == right
      || Set([left, right]).isSubset(of: [.typeMismatch, .valueNotFound])
        && tree.standing(at: rightPath) == .null
  }
}

extension Tree {
  /// What stands at a path whose steps are spelled; `nil` if nothing does.
  fileprivate func standing(at path: [String]) -> Tree? {
    path.reduce(self) { tree, spelled in
      let step = tree?.steps.first { $0.stringValue.utf8.elementsEqual(spelled.utf8) }
      return step.flatMap { tree?.child($0) }
    }
  }
}
