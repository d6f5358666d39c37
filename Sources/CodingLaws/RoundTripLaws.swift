import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// What any coder owes a value, with documents or without: to give it back, to refuse what it cannot
// hold, and to say where. First the round trip and its repetition on models with a history of bugs
// (`special`), then equality, a second trip, refusals of numbers and floats, depth, and `userInfo`.

extension CodingLaw {
  /// What any coder owes a value: to give it back.
  static let roundTripLaws: [CodingLaw] =
    [
      roundTrip, equality, fixpoint, deterministic, outOfRange, nonFinite, nonFiniteBelow, depth,
      userInfo,
    ]
    + special

  /// Encodes by itself, decodes, and compares the tree that the decoded value is recorded as.
  private static let checkRoundTrip: @Sendable (CodingTrial) throws -> Difference? = { trial in
    let encoded = try trial.subject.encode(try trial.value(), EncodingSettings())
    let decoded = try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
    return try trial.difference(
      decoded,
      from: trial.declared(trial.sample.values[0]),
      CodingTrial.encoded
    )
  }

  /// The first law of any coder.
  ///
  /// Catches whatever is lost, altered or invented on the way there and back.
  /// Misses errors that cancel each other out, as a key misspelt by encoder and decoder; laws of
  /// trees, peers and JSON look between.
  ///
  /// Worked example: `Leaves` with `data: [1, 2]`. A coder that follows `Data`'s own conformance
  /// writes the list `[uint 1, uint 2]`; its decoder then asks for bytes and throws, which is the
  /// violation `coder.threw`.
  static let roundTrip = CodingLaw(
    "roundtrip.value",
    "A value comes back as it was.",
    "A value that is encoded and decoded is the original, except for the declared rounding of dates.",
    source: [.requirement(2), .decision(12)],
    models: usual,
    draw: values(1),
    check: checkRoundTrip
  )

  /// The round trip of models that a coder is known to have failed on, each under a name of its own.
  ///
  /// They repeat `roundtrip.value` on the models that matter: a failure then says by its name what
  /// is wrong, and each is met often enough.
  ///
  /// The models are `ModelZoo`'s. One that cannot stand at a document's root is left out for every
  /// subject.
  private static let special: [CodingLaw] = [
    special(
      // `decodeNil`, `contains` and `decodeIfPresent` must tell the three apart; #190 dropped the
      // null of `encode(nil)`.
      "null.explicit",
      "Null, missing and present are different.",
      "A null, a missing key and a value are three different things.",
      source: .issue("automerge-swift", 190),
      needs: [.explicitNull],
      models: ["ThreeStates", "ExplicitNull", "ScalarOptionals", "OptionalNest"]
    ),
    special(
      // `case box(size: Size)` is `{"box": {"size": {...}}}`. With #223 the inner map stood beside
      // `box`.
      "payload.nested",
      "Payloads stay with their case.",
      "Payloads of enumerations stay with their case, whatever they hold.",
      source: .issue("automerge-swift", 223),
      models: ["Shape", "Shapes", "Payloads", "Formula"]
    ),
    special(
      // Containers asked for by hand: twice for one key, in turns, in lists, and after a refusal.
      "containers.nested",
      "Nested containers keep their contents.",
      "Containers that a type requests itself keep what it puts into them.",
      source: .specification(.codable, "Nested containers"),
      models: [
        "FixedList", "NestedByHand", "SuperInList", "AskedTwice", "ListAskedTwice", "Woven",
        "RowsByHand", "WrittenAgain", "TriedTwice", "ShapesInside",
      ]
    ),
    special(
      "containers.inherited",
      "A class keeps what its superclass encodes.",
      source: .specification(.codable, "Nested containers"),
      models: ["Dog", "Cat", "Kennel", "SupersUnderKeys"]
    ),
    special(
      // `["2024": x]` has the key "2024" and no element 2024, and an `Int` coding key is stored by
      // its name.
      "keys.number-like",
      "Keys that look like numbers stay keys.",
      "A key that looks like a number is a key.",
      source: .specification(.codable, "Shapes"),
      models: ["NumberLikeKeys", "IntegerNamedKeys", "OpenKeys"]
    ),
    special(
      "integers.exact",
      "Integers come back exactly.",
      "Integers of every width come back exactly, both ends included.",
      source: .specification(.codable, "Encoding by type", "Decoding by type"),
      models: ["WideIntegers", "Scalars", "ScalarLists"]
    ),
    special(
      // `"\u{E9}"` and `"e\u{301}"` are equal by `==`: trees compare their bytes.
      "strings.exact",
      "Strings come back scalar for scalar.",
      "Strings and keys keep their scalars, whatever their normal form.",
      source: .specification(.codable, "Value types"),
      models: ["Strings", "Word", "OpenKeys"]
    ),
    special(
      "leaves.exact",
      "Foundation's values come back exactly.",
      "Dates, data, URLs, UUIDs and decimals come back in every position.",
      source: [
        .issue("automerge-swift", 136), .specification(.codable, "Encoding by type"),
      ],
      models: [
        "Leaves", "LeafLists", "LeafDictionaries", "LeafOptionals", "Singles", "FoundationTypes",
      ]
    ),
  ]

  private static func special(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    needs: Set<CoderFeature> = [],
    models: Set<String>
  ) -> CodingLaw {
    CodingLaw(
      name,
      title,
      sentence,
      source: source,
      needs: needs,
      models: { $0.isDerived && models.contains($0.name) && $0.traits.contains(.keyedRoot) },
      draw: values(1),
      check: checkRoundTrip
    )
  }

  /// Catches what recorded trees do not show: state that a model computes when it is made.
  ///
  /// Three kinds of value say nothing and are skipped: one whose dates lose something, one that
  /// does not equal itself (NaN), one whose type has no `==` (`areEqual` is `nil`, which is not
  /// false).
  static let equality = CodingLaw(
    "roundtrip.equality",
    "What is decoded equals the original.",
    "A value whose type says what is equal is equal to what is decoded.",
    source: [.requirement(2), .decision(12)],
    models: usual,
    draw: values(1)
  ) { trial in
    let tree = trial.sample.values[0]
    guard trial.declared(tree) == tree else { throw Skipped("a date loses what is declared") }
    let value = try trial.value()
    guard areEqual(value, value) == true else { throw Skipped("the value does not equal itself") }
    let encoded = try trial.subject.encode(value, EncodingSettings())
    let decoded = try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
    guard areEqual(value, decoded) == false else { return nil }
    return Difference(
      kind: "value.unequal",
      summary: "the decoded value is not equal",
      expected: "\(value)",
      actual: "\(decoded)"
    ).between(CodingTrial.encoded, CodingTrial.decoded)
  }

  /// Catches values that drift by a little on each save, and defaults that appear only in the
  /// second.
  ///
  /// Worked example: milliseconds that are cut toward zero. `Date` counts from 2001, so a decoded
  /// instant may lie a fraction below its millisecond; the next encode cuts it to the one before,
  /// and so on with each save. Trees of documents are compared, or all bytes.
  static let fixpoint = CodingLaw(
    "roundtrip.fixpoint",
    "A second round trip changes nothing.",
    "What is decoded is encoded as the same again.",
    source: .requirement(1),
    models: ordered,
    draw: values(1)
  ) { trial in
    let first = try trial.subject.encode(try trial.value(), EncodingSettings())
    let decoded = try trial.subject.decode(trial.type, from: first, userInfo: [:])
    guard let again = decoded as? any Encodable else { return nil }
    let second = try trial.subject.encode(again, EncodingSettings())
    return try second.difference(
      from: first,
      between: "encoded at first",
      "decoded and encoded again"
    )
  }

  /// Catches the order of hash tables in the output, and anything taken from a clock or an address.
  ///
  /// Two values are made of one tree and encoded one after the other by one subject, as an app does
  /// that keeps its encoder. Models with sets are left out; sets and dictionaries of other histories than their equals
  /// are encoded into documents besides (``hashedInOneOrder(_:)``).
  static let deterministic = CodingLaw(
    "encode.deterministic",
    "Encoding is deterministic.",
    "One value is encoded as one thing, however often; equal sets and dictionaries as one, whatever they held before.",
    source: .specification(.codable, "Encoder and decoder"),
    needs: [.deterministic],
    models: ordered,
    draw: values(1, numbers: 1)
  ) { trial in
    if let found = try hashedInOneOrder(trial) { return found }
    let first = try trial.subject.encode(try trial.value(), EncodingSettings())
    let second = try trial.subject.encode(trial.value(), EncodingSettings())
    return try second.difference(from: first, between: "encoded at first", "encoded a second time")
  }

  /// Where two equal sets, or dictionaries, are written in two orders.
  ///
  /// One was filled in the opposite order and has room for more, so that it iterates otherwise. The order of a
  /// dictionary shows in the names of objects: the first that was written has the least.
  private static func hashedInOneOrder(_ trial: CodingTrial) throws -> Difference? {
    guard trial.subject.features.contains(.documents) else { return nil }
    let numbers = Array(0..<6 + trial.sample.index(0, below: 12))
    var other = Set<Int>(minimumCapacity: 400)
    for number in numbers.reversed() { other.insert(number) }
    var roomy = [String: [Int]](minimumCapacity: 400)
    for number in numbers.reversed() { roomy["key \(number)"] = [number] }
    let plain = Dictionary(uniqueKeysWithValues: numbers.map { ("key \($0)", [$0]) })
    let sets = try [Set(numbers), other].map { set in
      let document = try trial.document()
      try document.encode(["set": set])
      return try document.tree()
    }
    if let found = sets[1].difference(from: sets[0]) {
      return found.between("a set", "an equal set that was filled otherwise").ofPeers()
    }
    let names = try [plain, roomy].map { dictionary in
      let document = try trial.document()
      try document.encode(dictionary)
      return try numbers.map { try document.objectName(at: [.key("key \($0)")]) ?? "none" }
    }
    return differs(
      "encode.order",
      "a dictionary is written in another order",
      of: "an equal dictionary that was filled otherwise",
      actual: names[1],
      expected: names[0]
    )
  }

  /// Catches truncation, which is silent, and traps, which are not.
  ///
  /// Worked example: `small` is an `Int8`, the document holds 300. A coder that takes the lowest
  /// byte gives 44. `WideIntegers` cannot hold 300 itself, so the tree is written by ``TreeValue``.
  /// The numbers are the first ones past either end, the ends of 64 bits in both kinds, and one in
  /// between.
  static let outOfRange = CodingLaw(
    "integers.out-of-range",
    "Numbers that do not fit are refused.",
    "A number that a field cannot hold is refused, with the path to it, and never traps.",
    source: [.specification(.codable, "Decoding by type"), .requirement(3)],
    models: named("WideIntegers"),
    draw: { model, sample, choices in
      sample.values = [try model.tree(&choices)]
      let beyond: [Tree] = [.int(128), .int(-129), .int(.max), .int(.min), .uint(.max), .uint(300)]
      sample.trees = [choices.element(of: beyond)]
    },
    check: { trial in
      let tree = trial.sample.values[0].replacing([.key("small")], with: trial.sample.trees[0])
      let encoded = try trial.subject.encode(TreeValue(tree: tree), EncodingSettings())
      let outcome = trial.outcome {
        try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
      }
      switch outcome {
      case .failure(let error):
        let expected = CoderComplaint.decoding(.dataCorrupted, path: ["small"])
        return error.complaint.difference(from: expected)
      case .success(let value):
        return Difference(
          kind: "integers.cut",
          summary: "\(trial.sample.trees[0]) was decoded into an Int8",
          expected: "DecodingError.dataCorrupted",
          actual: "\(value)"
        ).between(nil, "what the coder answered")
      }
    }
  )

  /// Catches a JSON text that no reader takes, and a null that stands for it.
  ///
  /// Both widths are asked: a coder that widens a `Float` may test only the `Double`. The path must
  /// be the key itself.
  static let nonFinite = CodingLaw(
    "floats.non-finite",
    "Infinity and NaN are refused.",
    "A float that is not finite is refused with an `EncodingError` that names its path.",
    source: .specification(.codable, "Encoding by type"),
    needs: [.refusesNonFinite],
    models: named("Scalars"),
    draw: { model, sample, choices in
      let none: [Tree] = [.float(.nan), .float(.infinity), .float(-.infinity)]
      let tree = try model.tree(&choices)
      let key = choices.element(of: ["double", "float"])
      sample.values = [tree.replacing([.key(key)], with: choices.element(of: none))]
      sample.trees = [.string(key)]
    },
    check: { trial in
      guard case .string(let key) = trial.sample.trees[0] else { return nil }
      let outcome = trial.outcome {
        try trial.subject.encode(try trial.value(), EncodingSettings())
      }
      guard case .failure(let error) = outcome else {
        return Difference(kind: "floats.encoded", summary: "\(key) was encoded")
      }
      return error.complaint.difference(from: .encoding(path: [key]))
    }
  )

  /// Catches a path that lacks a step, or that begins at the container.
  ///
  /// Worked example: `items[3].price` is NaN. `EncodingError` must have the path `items`, `3`,
  /// `price`, and the document no operation. The path is an empty list of trees where four more
  /// values hold no float, either.
  static let nonFiniteBelow = CodingLaw(
    "floats.non-finite-below",
    "Refusals name the whole path.",
    "A float that is not finite is refused with the path to it, at whatever depth, and nothing is written.",
    source: [
      .specification(.codable, "Encoding by type"), .specification(.codable, "Errors"),
    ],
    needs: [.documents, .refusesNonFinite],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: { model, sample, choices in
      var tree = try model.tree(&choices)
      func floats() -> [[PathKey]] { tree.paths.filter { tree[$0]?.kind == .float } }
      for _ in 0..<4 where floats().isEmpty { tree = try model.tree(&choices) }
      guard !floats().isEmpty else { return }
      let path = choices.element(of: floats())
      let none: [Tree] = [.float(.nan), .float(.infinity), .float(-.infinity)]
      sample.values = [tree.replacing(path, with: choices.element(of: none))]
      sample.trees = [Tree(path: path)]
    },
    check: { trial in
      guard let path = trial.sample.trees.first?.path,
        let value = trial.sample.values.first.flatMap({ trial.value(of: $0) })
      else { throw Skipped("the value holds no float") }
      guard case .float(let number)? = try? TreeRecorder.tree(of: value)[path], !number.isFinite
      else { throw Skipped("the model writes another float, or refuses this one") }
      let document = try trial.document()
      let before = try Untouched(document)
      guard case .failure(let error) = trial.outcome({ try document.encode(value) }) else {
        return Difference(kind: "floats.encoded", summary: "what is not finite was encoded")
      }
      return try error.complaint.difference(from: .encoding(path: path.map(\.stringValue)))
        ?? before.difference(document, after: "an encode that threw")
    }
  )

  /// Catches recursion without a limit, which ends the process, and limits that cut off in silence.
  ///
  /// 100 levels are owed to every value.
  ///
  /// The first number of the sample is the count of links of a `Chain`; each link is a map in the one
  /// before. 700 is well beyond the 512 containers that the specification admits, and 1000, the
  /// recorder's own limit, beyond both. It costs 16: a case may build, encode and record a chain of
  /// 700 maps on a thread of its own. The second says whether the containers are values in each other, or one
  /// value asks for all of them (`HandNested`).
  ///
  /// A coder of documents refuses to write what nests deeper than the limit, since no decoder could read it. Within
  /// eight levels of the limit a coder may write or refuse: it decides what counts as a level. What it has written it
  /// reads, at the limit as well.
  ///
  ///     levels        values in values     asked for by one value, in bytes     the same in a document
  ///     0...99        come back            come back                            come back
  ///     100...504     may be refused       may be refused                       come back
  ///     505...700     may be refused       may be refused                       come back, or the encoder refuses
  static let depth = CodingLaw(
    "depth.limited",
    "Deep values come back or are refused.",
    "A value that nests deep comes back, or is refused with a typed error; nothing is cut off, and no document gets what "
      + "nests deeper than the limit. A list of values that differ only deep below shows what was encoded last.",
    source: [.requirement(3), .specification(.codable, "Encoder and decoder"), .decision(14)],
    costs: 16,
    models: named("Chain"),
    draw: { _, sample, choices in
      sample.numbers = [
        choices.number(in: 0...700, bias: .small), choices.number(in: 0...HandNested.wayCount),
      ]
      if choices.flag(percent: 30) { sample.numbers[0] = choices.number(in: 490...700) }
      if choices.flag(percent: 20) { sample.numbers[0] = choices.number(in: 511...514) }
      // Those that a coder of documents still owes: one that counts some containers twice refuses them.
      if choices.flag(percent: 30) { sample.numbers[0] = choices.number(in: 490...504) }
    },
    check: { trial in
      let count = min(700, max(0, trial.sample.numbers.first ?? 0))
      let isInDocuments = trial.subject.features.contains(.documents)
      let wayCount = isInDocuments ? HandNested.wayCount : HandNested.plainWayCount
      let way = trial.sample.index(1, below: wayCount + 1)
      if way > 0 {
        return try handNested(count, way: way - 1, trial)
          ?? HandNested.inLists(from: count % 24, way: way - 1, trial)
      }
      var tree = Tree.map([Tree.Entry("value", .int(0))])
      // Each link has a number of its own, so that a chain that was cut or shifted differs from
      // this one.
      for number in 0..<count {
        tree = .map([Tree.Entry("next", tree), Tree.Entry("value", .int(Int64(number)))])
      }
      let outcome = try onDeepStack {
        trial.outcome {
          let encoded = try trial.subject.encode(TreeValue(tree: tree), EncodingSettings())
          let decoded = try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
          var recorder = TreeRecorder()
          recorder.limit = NestingLimit(depth: 1000)
          guard let value = decoded as? any Encodable else { return Tree.null }
          return try recorder.record(value).tree
        }
      }
      switch outcome {
      case .success(let decoded):
        return decoded.difference(from: tree)?.between(CodingTrial.encoded, CodingTrial.decoded)
      case .failure(let error):
        // A refusal is allowed from 100 levels on; below that it is a limit that models meet.
        guard error.complaint.isTyped else {
          return Difference(kind: "depth.untyped", summary: error.complaint.description)
        }
        guard count >= 100 else {
          return Difference(kind: "depth.refused", summary: "\(count) levels were refused")
        }
        return nil
      }
    }
  )

  /// What is wrong with `count` containers that one value asks for.
  private static func handNested(_ count: Int, way: Int, _ trial: CodingTrial) throws -> Difference?
  {
    let value = HandNested(way: way, count: count)
    var isEncoded = false
    let outcome = try onDeepStack {
      trial.outcome {
        let encoded = try trial.subject.encode(value, EncodingSettings())
        isEncoded = true
        var info: [CodingUserInfoKey: any Sendable] = [:]
        if let key = HandNested.wayKey { info[key] = way }
        return try trial.subject.decode(HandNested.self, from: encoded, userInfo: info).count
      }
    }
    switch outcome {
    case .success(value.count): return nil
    case .success(let decoded):
      return Difference(
        kind: "depth.cut",
        summary: "other levels came back than were encoded",
        expected: "\(value.count)",
        actual: "\(decoded)"
      ).between(CodingTrial.encoded, CodingTrial.decoded)
    case .failure(let error):
      guard error.complaint.isTyped else {
        return Difference(kind: "depth.untyped", summary: error.complaint.description)
      }
      let limit = NestingLimit.standard.depth
      let isOurs = trial.subject.features.contains(.documents)
      guard count >= 100, !isOurs || count > limit - 8 else {
        return Difference(kind: "depth.refused", summary: "\(count) levels were refused")
      }
      guard isOurs, isEncoded else { return nil }
      return Difference(kind: "depth.written", summary: "\(count) levels were written")
    }
  }

  /// Catches encoders and decoders that make others for nested values and forget to hand it on.
  ///
  /// Misses nested values: the model here is flat.
  ///
  /// The word is written by `encode(to:)` and read again, so one check tells which of the two sides
  /// lost it: the first half of "expected" is what was encoded, the second what the decoder showed.
  static let userInfo = CodingLaw(
    "userinfo.reaches",
    "`userInfo` reaches the value.",
    "What the caller puts into `userInfo` reaches the value that is encoded and decoded.",
    source: .specification(.codable, "Encoder and decoder"),
    models: named("Empty"),
    draw: { _, sample, choices in
      sample.trees = [.string(choices.element(of: ["a", "b", "\u{E9}"]))]
    },
    check: { trial in
      guard case .string(let word) = trial.sample.trees[0], let key = Informed.key else {
        return nil
      }
      var settings = EncodingSettings()
      settings.userInfo[key] = word
      let encoded = try trial.subject.encode(Informed(), settings)
      let decoded = try trial.subject.decode(Informed.self, from: encoded, userInfo: [key: word])
      guard decoded.word != word || decoded.seen != word else { return nil }
      return Difference(
        kind: "userinfo.lost",
        summary: "user info did not arrive",
        expected: "\(word), \(word)",
        actual: "\(decoded.word), \(decoded.seen)"
      ).between("what the caller put into userInfo", "what the encoder and the decoder showed")
    }
  )

  /// Encodes the word in `userInfo`, and keeps the word in `userInfo` when it is decoded.
  private struct Informed: Codable {
    static let key = CodingUserInfoKey(rawValue: "touchstone.word")
    var word = ""
    var seen = ""

    enum CodingKeys: CodingKey { case word }

    init() {}

    init(from decoder: any Decoder) throws {
      word = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .word)
      seen = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "nothing"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let told = Self.key.flatMap { encoder.userInfo[$0] as? String }
      try container.encode(told ?? "nothing", forKey: .word)
    }
  }
}

extension EncodedModel {
  /// Where two encodings of one value differ: trees of documents, or the bytes as text.
  ///
  /// `expected` and `actual` say which encoding each of the two is.
  func difference(
    from other: EncodedModel,
    between expected: String,
    _ actual: String
  ) throws -> Difference? {
    switch (other, self) {
    case (.document(let left), .document(let right)):
      return try right.tree().difference(from: left.tree())?.between(expected, actual).ofPeers()
    case (.bytes(let left), .bytes(let right)) where left == right: return nil
    case (.bytes(let left), .bytes(let right)):
      return Difference(
        kind: "bytes.differ",
        summary: "the bytes differ",
        expected: String(decoding: left, as: UTF8.self),
        actual: String(decoding: right, as: UTF8.self)
      ).between(expected, actual).ofPeers()
    default: return Difference(kind: "encoded.kind", summary: "one of two is no document")
    }
  }
}

extension CoderComplaint {
  /// Where the class of an error is another than the one that is due; words are never compared.
  func difference(from expected: CoderComplaint) -> Difference? {
    guard self != expected else { return nil }
    return Difference(
      kind: "complaint.differs",
      summary: "another error was thrown",
      expected: expected.description,
      actual: description
    ).between(nil, "the error that was thrown")
  }
}
