import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// What is the same and what only looks so: spellings of strings, a string over a text, depth of
// documents, order of keys, raw values of enumerations. Most of them are about errors and how
// exactly they say where.

extension CodingLaw {
  /// What is the same and what only looks so: strings, texts, keys, raw values, depth.
  static let wordingLaws: [CodingLaw] = [
    normalForm, textUnderString, deepDocuments, keysInAnyOrder, unknownRawValue,
  ]

  /// Spellings that Swift holds to be equal, of one letter each.
  ///
  /// Composed and decomposed, and letters that have two code points.
  ///
  /// E with acute; the angstrom sign and A with ring; a Hangul syllable and its three parts; omega
  /// and the ohm sign.
  private static let lookalikes: [(String, String)] = [
    ("e\u{301}", "\u{E9}"), ("\u{212B}", "A\u{30A}"), ("\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
    ("\u{3A9}", "\u{2126}"),
  ]

  /// Models that have strings under keys, and take any string there.
  private static let holdsStrings = named(
    "Scalars",
    "ScalarLists",
    "ScalarDictionaries",
    "Strings",
    "Branch",
    "Wide"
  )

  /// A place of a string in the first value.
  private static func string(_ trial: CodingTrial) throws -> [PathKey] {
    let tree = trial.sample.values[0]
    // Elements of lists are matched by content: what stands under them is another one.
    let wholes = try trial.wholes(of: trial.value())
    let places = tree.paths.filter { path in
      path.last?.intValue == nil && tree[path]?.kind == .string
        && !wholes.contains { path.starts(with: $0) }
    }
    guard !places.isEmpty else { throw Skipped("the value holds no string") }
    return places[trial.sample.index(0, below: places.count)]
  }

  /// Catches comparison with `==` in place of bytes: the new spelling is taken for the old one and
  /// never written.
  ///
  /// Worked example: `"e\u{301}"` is stored, the user types `"\u{E9}"`. Swift's `==` says nothing
  /// changed; a peer that looks for the composed word never finds it. As a dictionary's key the old
  /// spelling must go: one that takes it for the new one leaves both.
  static let normalForm = CodingLaw(
    "strings.normal-form",
    "Look-alike strings are still written.",
    "A string that only looks like the stored one is written, scalar for scalar, and a dictionary's key takes "
      + "the other's place.",
    source: [.specification(.codable, "Value types"), .standard("Unicode Standard Annex #15")],
    needs: [.documents],
    models: holdsStrings,
    draw: values(1, numbers: 2),
    check: { trial in
      let (old, new) = lookalikes[trial.sample.index(1, below: lookalikes.count)]
      let tree = trial.sample.values[0]
      if let found = try respelling(old, as: new, trial) { return found }
      let path = try string(trial)
      let (before, after) = (
        tree.replacing(path, with: .string(old)), tree.replacing(path, with: .string(new))
      )
      guard let first = trial.value(of: before), let second = trial.value(of: after) else {
        throw Skipped("the model refuses it")
      }
      let document = try trial.document()
      try document.encode(first)
      try document.encode(second)
      if let found = try trial.difference(document, from: trial.stored(after)) { return found }
      guard trial.subject.features.contains(.documentRules) else { return nil }
      // The same where a peer made a text of it.
      try document.put(.text(old), at: path)
      try document.encode(second)
      let expected = trial.stored(after).replacing(path, with: .text(new))
      return try trial.difference(document, from: expected, "over a text")
    }
  )

  /// What is wrong after a key of one of the value's dictionaries got another spelling; `nil` if it has none.
  ///
  /// Number 0 chooses the dictionary, as it does the string.
  private static func respelling(
    _ old: String,
    as new: String,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let tree = trial.sample.values[0]
    // Long values have hundreds of maps, and each is tried.
    let maps = tree.paths.filter { tree[$0]?.kind == .map }.prefix(16)
    // A struct drops the key; a dictionary that has it in some spelling already keeps that.
    let edits = maps.compactMap { path -> (before: Tree, after: Tree)? in
      guard case .map(let entries)? = tree[path], let value = entries.first?.value else {
        return nil
      }
      let before = tree.replacing(path + [.key(old)], with: value)
      let after = tree.replacing(path + [.key(new)], with: value)
      let isKept = [before, after].allSatisfy { trial.model.accepted($0) == $0 }
      return isKept ? (before, after) : nil
    }
    guard !edits.isEmpty else { return nil }
    let (before, after) = edits[trial.sample.index(0, below: edits.count)]
    guard let first = trial.value(of: before), let second = trial.value(of: after) else {
      return nil
    }
    let document = try trial.document()
    try document.encode(first)
    try document.encode(second)
    return try trial.difference(document, from: trial.stored(after), "with a key respelled")
  }

  /// Catches a string that replaces a peer's text, and with it what others are typing.
  ///
  /// Worked example: version 2 made `title` a text, and a peer types in it while version 1 saves a
  /// string. The object must stay, and hold the string with what was typed somewhere in it.
  ///
  /// Where the document held "old", a peer typed "<…>" behind it, and the app saves "new":
  ///
  ///     new<…>, <…>new, n<…>ew      held
  ///     new                         `text.lost`: what the peer typed is gone
  ///     old<…>                      `text.lost`: what the app saved is gone
  ///     a string, another text      `text.replaced`
  static let textUnderString = CodingLaw(
    "text.under-string",
    "A string over a text keeps the text.",
    "A string that is encoded over a text keeps the text, and what a peer types in it.",
    source: .specification(.codable, "Switching types"),
    needs: [.documents, .documentRules],
    models: holdsStrings,
    draw: values(1, numbers: 1),
    check: { trial in
      let path = try string(trial)
      guard case .string(let string)? = trial.sample.values[0][path] else { return nil }
      let document = try trial.document(holding: 0)
      try document.put(.text("old"), at: path)
      let name = try document.objectName(at: path)
      let peer = try document.fork(actor: 2)
      try peer.spliceText(at: path, index: 3, deleting: 0, inserting: typed)
      try document.encode(try trial.value())
      try document.merge(peer)
      let after = try document.objectName(at: path)
      guard after == name, case .text(let text)? = try document.tree()[path] else {
        return Difference(
          kind: "text.replaced",
          summary: "another value stands at \(path.place)",
          expected: "the text \(name ?? "")",
          actual: try document.tree()[path]?.description ?? "nothing"
        ).between(nil, "the place in the document")
      }
      // It stands somewhere between the string's scalars.
      let (scalars, peers) = (Array(text.unicodeScalars), Array(typed.unicodeScalars))
      let places = 0...max(0, scalars.count - peers.count)
      // Where exactly depends on the difference that the coder chose. Cost: the product of both
      // lengths.
      let isWhole = places.contains { place in
        scalars[place...].starts(with: peers)
          && (scalars[..<place] + scalars[(place + peers.count)...])
            .elementsEqual(string.unicodeScalars)
      }
      guard !isWhole else { return nil }
      return Difference(
        kind: "text.lost",
        summary: "the text at \(path.place) holds something else",
        expected: "\(string) with \(typed) in it",
        actual: text
      ).between(nil, "the text in the document")
    }
  )

  /// What a peer types.
  private static let typed = "<typed by a peer>"

  /// Catches a decoder whose depth is bounded by its stack alone.
  ///
  /// Both sides of the limit are tried, a few levels away from it: what exactly counts as a level
  /// is the coder's.
  ///
  /// 4 to 44 levels away from 512 on either side, by the sample. It runs on a large stack, so that
  /// the limit is met and not the end of the stack.
  ///
  ///     numbers     levels     due
  ///     0, 0         516       a `DecodingError` with a path
  ///     0, 40        556       a `DecodingError` with a path
  ///     1, 0         508       a value of 508 levels
  ///     1, 40        468       a value of 468 levels
  static let deepDocuments = CodingLaw(
    "depth.refused",
    "Documents that nest too deep are refused.",
    "A document that nests deeper than the limit is refused with a path, one below it is decoded.",
    source: [.requirement(3), .decision(14)],
    needs: [.documents, .documentRules],
    costs: 16,
    models: named("Empty"),
    draw: { _, sample, choices in
      sample.numbers = [choices.number(in: 0...1), choices.number(in: 0...40)]
    },
    check: { trial in
      let limit = NestingLimit.standard.depth
      let isDeeper = trial.sample.index(0, below: 2) == 0
      let margin = 4 + trial.sample.index(1, below: 41)
      let count = isDeeper ? limit + margin : limit - margin
      var tree = Tree.map([])
      // Two levels are there already: the root, and the innermost map.
      for _ in 2..<count { tree = .map([Tree.Entry("next", tree)]) }
      let document = try trial.document()
      try document.put(tree, at: [.key("next")])
      let outcome = try onDeepStack { trial.outcome { try document.decode(Nest.self).depth } }
      switch outcome {
      case .success(count) where !isDeeper: return nil
      case .success(let depth):
        return Difference(
          kind: "depth.decoded",
          summary: "\(count) levels were decoded",
          expected: isDeeper ? "a DecodingError with a path" : "\(count) levels",
          actual: "\(depth) levels"
        ).between(nil, "what the coder answered")
      case .failure(let error):
        if case .decoding(_, let path) = error.complaint, !path.isEmpty, isDeeper { return nil }
        return Difference(
          kind: "depth.refusal",
          summary: "\(count) levels",
          expected: isDeeper ? "a DecodingError with a path" : "a value",
          actual: error.complaint.description
        ).between(nil, "what the coder answered")
      }
    }
  )

  /// A map within a map, as often as the document has it.
  private final class Nest: Decodable {
    let next: Nest?

    var depth: Int { 1 + (next?.depth ?? 0) }
  }

  // MARK: - Keys and raw values

  /// Catches decoders that expect keys in the order of properties, and encoders that take another
  /// order for a change.
  ///
  /// Worked example: `{"b": 1, "a": 2}` for a struct that asks for `a` first. A decoder that reads
  /// on from where it stands misses `a`; an encoder that compares entries by their place writes
  /// both again (`order-of-keys-counts`).
  ///
  /// The keys are written by a type of the law's own, and so are leaves. A coder may have a form of its own for a type:
  /// `JSONEncoder` writes a `Decimal` as a number, where `Decimal` itself writes a map. What does not decode with
  /// its keys in their own order says nothing of orders.
  static let keysInAnyOrder = CodingLaw(
    "keys.any-order",
    "The order of keys does not matter.",
    "The order in which a value writes its keys changes nothing of what is stored or decoded.",
    source: .specification(.codable, "Shapes"),
    models: { model in
      // Others write leaves, and what superclasses encode, in forms of their own.
      ordered(model) && model.traits.isDisjoint(with: [.texts, .counters, .dates])
        && !["Dog", "Cat", "Kennel", "SuperInList", "Recipe"].contains(model.name)
    },
    draw: values(1, numbers: 1),
    check: { trial in
      let tree = trial.sample.values[0]
      func difference(of value: some Encodable) throws -> Difference? {
        let encoded = try trial.subject.encode(value, EncodingSettings())
        let decoded = try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
        return try trial.difference(decoded, from: trial.declared(tree))
      }
      let shuffled = ShuffledTree(tree: tree, number: trial.sample.index(0, below: 256))
      guard case .success(nil) = trial.outcome({ try difference(of: TreeValue(tree: tree)) })
      else {
        throw Skipped("the coder has forms of its own for what the tree holds")
      }
      if let found = try difference(of: shuffled) { return found }
      guard trial.subject.features.contains(.documents) else { return nil }
      let document = try trial.document(holding: 0)
      let before = try Untouched(document)
      try document.encode(shuffled)
      return try before.difference(document, after: "an encode with its keys in another order")
    }
  )

  /// Catches enumerations that trap or fall back to a first case; and errors that name the
  /// enumeration and not the place.
  ///
  /// Worked example: `status: "archived"` of version 3. The error must be `dataCorrupted` with the
  /// path of the field; Swift's own conformance throws it with the path of the decoder that it was
  /// given.
  static let unknownRawValue = CodingLaw(
    "enum.unknown-raw",
    "Unknown raw values are refused.",
    "A raw value that no case has is refused as corrupted data, with the path to it.",
    source: .specification(.codable, "Decoding by type"),
    models: named("RawEnums"),
    draw: values(1, numbers: 1),
    check: { trial in
      let tree = trial.sample.values[0]
      let places = tree.paths.filter { path in
        // A dictionary with such keys is a list of keys and values; a refusal names the index of an
        // element.
        guard case .key(let key)? = path.first, key != "byStatus" else { return false }
        return tree[path].map { $0.kind == .string || $0.kind == .int } ?? false
      }
      guard !places.isEmpty else { throw Skipped("the value has no raw value") }
      let path = places[trial.sample.index(0, below: places.count)]
      let unknown: Tree = tree[path]?.kind == .int ? .int(12_345) : .string("no such case")
      let encoded = try trial.subject.encode(
        TreeValue(tree: tree.replacing(path, with: unknown)),
        EncodingSettings()
      )
      let outcome = trial.outcome {
        try trial.subject.decode(trial.type, from: encoded, userInfo: [:])
      }
      // Coders name elements each in its own way; keys are keys.
      if case .failure(let error) = outcome,
        case .decoding(.dataCorrupted, let found) = error.complaint, found.count == path.count,
        zip(found, path).allSatisfy({ $1.intValue != nil || $0 == $1.stringValue })
      {
        return nil
      }
      let actual: String =
        switch outcome {
        case .success(let value): "\(value)"
        case .failure(let error): error.complaint.description
        }
      return Difference(
        kind: "enum.raw",
        summary: "\(unknown) at \(path.place) is no case's raw value",
        expected: CoderComplaint.decoding(.dataCorrupted, path: path.map(\.stringValue))
          .description,
        actual: actual
      ).between(nil, "what the coder answered")
    }
  )
}

/// A tree whose maps write their keys in an order of the number's.
///
/// Of another type than the model: a model's own `encode(to:)` takes no order.
private struct ShuffledTree: Encodable {
  let tree: Tree
  let number: Int

  /// The bytes of a key, hashed with the number: FNV-1a.
  ///
  /// A hash, so that a stored number gives the same order on every system; `Hasher` has a new seed
  /// in each process.
  private func rank(_ key: String) -> UInt64 {
    key.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ UInt64(number)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch tree {
    case .map(let entries):
      var container = encoder.container(keyedBy: PathKey.self)
      let order = entries.map { ($0, rank($0.key)) }.sorted { $0.1 < $1.1 }
      for (entry, _) in order {
        if entry.value == .null {
          try container.encodeNil(forKey: .key(entry.key))
        } else {
          let value = ShuffledTree(tree: entry.value, number: number)
          try container.encode(value, forKey: .key(entry.key))
        }
      }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements {
        try container.encode(ShuffledTree(tree: element, number: number))
      }
    default: try TreeValue(tree: tree).encode(to: encoder)
    }
  }
}
