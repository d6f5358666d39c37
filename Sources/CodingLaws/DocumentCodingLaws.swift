import CodingSupport
import ModelGeneration
import PropertyEngine

// Encoding into a document that holds something already: what stands there afterwards, what it
// costs in operations, which objects are kept, and what a refusal leaves behind. On two related
// values see `RelatedLaws.swift`. The laws look at the document through its core (`tree`,
// `objectName`, `operationCount`), as a peer would.

extension CodingLaw {
  /// Encoding into a document that holds something already.
  static let documentLaws: [CodingLaw] = [
    tree, unchanged, oneChange, overValue, overDrift, atomic, arraysMerge, removesOne,
    concurrentRemoval, keyedRoot, integerKeys, reloads,
  ]

  /// Catches values under other kinds than their own: a date as a string, an unsigned number as a
  /// signed one, and keys that no property has.
  ///
  /// Worked example: 1 s after 1970 is `timestamp 1000`. The releases before #141 wrote `timestamp
  /// 1`, which their own decoder read back well: no round trip shows it, and every peer reads
  /// another date.
  static let tree = CodingLaw(
    "document.tree",
    "A document holds exactly the encoded value.",
    "A document holds a value's own kinds, where the value put them, and nothing else.",
    source: [.specification(.codable, "Encoding by type"), .issue("automerge-swift", 136, 139)],
    needs: [.documents, .nativeLeaves],
    models: ordered,
    draw: values(1, numbers: 4)
  ) { trial in
    try trial.difference(trial.document(holding: 0), from: trial.stored(trial.sample.values[0]))
      ?? mixedLists(trial.subject, trial)
  }

  /// Catches coders that write everything on each save.
  ///
  /// The history then grows with each save, and merges decide between writes that changed nothing.
  ///
  /// Three steps must write nothing: to decode, to encode what was decoded, whose texts and
  /// counters are bound to the document, and to encode an equal value that is bound to nothing.
  /// Counters doubled in the second of them (#64).
  static let unchanged = CodingLaw(
    "reencode.unchanged",
    "Encoding an unchanged value writes nothing.",
    "Encoding again what was decoded adds no operation and no change, and neither does nil at the root.",
    source: [
      .requirement(1), .decision(10), .issue("automerge-swift", 54, 60, 64),
      .specification(.codable, "Encoder and decoder"),
    ],
    needs: [.documents],
    models: ordered,
    draw: values(1)
  ) { trial in
    let document = try trial.document(holding: 0)
    let before = try Untouched(document)
    guard let decoded = try document.decode(trial.type) as? any Encodable else { return nil }
    if let found = try before.difference(document, after: "decoding") { return found }
    try document.encode(decoded)
    if let found = try before.difference(document, after: "encoding what was decoded") {
      return found
    }
    try document.encode(try trial.value())
    if let found = try before.difference(document, after: "encoding an equal value") {
      return found
    }
    try document.encodeNothing()
    return try before.difference(document, after: "encoding nil at the root")
  }

  /// Catches a container that is replaced because one of its fields changed.
  ///
  /// Misses the cost in lists and below the first level; `reencode.one-leaf` goes there.
  ///
  /// Worked example: `Scalars` with `int: 3` becomes `int: 7`. One put is due; a coder that writes
  /// every scalar makes one for each of its fields, and a peer's concurrent edit of any of them is
  /// in conflict.
  static let oneChange = CodingLaw(
    "reencode.one-change",
    "One changed scalar field adds one operation.",
    source: .decision(10),
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.plainStruct) },
    draw: values(1, numbers: 1),
    check: { trial in
      let tree = trial.sample.values[0]
      let fields = tree.paths.filter { path in
        path.count == 1 && tree[path].map { Self.changed($0) != $0 } ?? false
      }
      guard !fields.isEmpty else { throw Skipped("no field can change") }
      let path = fields[trial.sample.index(0, below: fields.count)]
      let edited = tree.replacing(path, with: tree[path].map { Self.changed($0) })
      let (value, written) = try trial.written(edited, editedAt: path)
      guard written != tree, written[path]?.kind.isWrittenWhole ?? true else {
        throw Skipped("the model writes no other scalar")
      }
      let document = try trial.document(holding: 0)
      _ = try document.heads()
      let before = try document.operationCount()
      try document.encode(value)
      let added = try document.operationCount() - before
      guard added == 1 else {
        return Difference(
          kind: "operations.count",
          summary: "a change at \(path.place) added another number of operations",
          expected: "1",
          actual: "\(added)"
        ).between(nil, "what the encode added to the document")
      }
      return try trial.difference(document, from: trial.stored(written))
    }
  )

  /// Another scalar of the same kind; itself where there is none.
  ///
  /// Never drawn, so that the edit is part of the check and not of the sample. `changed(x) != x`
  /// asks whether a leaf is one that laws can edit: dates, bytes, texts and counters are not.
  static func changed(_ tree: Tree) -> Tree { tree.changedScalar ?? tree }

  /// Catches remains of the old value: keys of an enumeration's old case, the end of a longer list.
  ///
  /// Worked example: `{"todo": {}}` becomes `.done`. A coder that keeps the old key leaves
  /// `{"done": {}, "todo": {}}`, which no longer decodes (#217). The value must be there in the
  /// tree, and come back from it.
  static let overValue = CodingLaw(
    "reencode.over-value",
    "Encoding over an older value replaces it.",
    "Encoding over an older value leaves exactly the new one: longer, shorter, another case.",
    source: [
      .specification(.codable, "Encoding over existing data"),
      .issue("automerge-swift", 54, 64, 217),
    ],
    needs: [.documents],
    models: ordered,
    draw: relatedValues(2)
  ) { trial in
    let document = try trial.document(holding: 0)
    try document.encode(try trial.value(1))
    let expected = trial.stored(trial.sample.values[1])
    if let found = try trial.difference(document, from: expected) { return found }
    guard let decoded = try document.decode(trial.type) as? any Encodable else { return nil }
    return try TreeRecorder.tree(of: decoded).withoutSignsOfZero
      .difference(from: trial.declared(trial.sample.values[1]).withoutSignsOfZero)?
      .between(CodingTrial.encoded, CodingTrial.decoded)
      ?? nullsInLists(trial) ?? nilsInElements(trial)
  }

  /// The same over what another version left.
  ///
  /// Catches an encode that trusts the stored kinds.
  ///
  /// Worked example: a peer left `text "t"` where the value has `string "t"`. To keep the text is
  /// right; to take a `counter 4` for the value's `int 4` is not.
  package static let overDrift = CodingLaw(
    "reencode.over-drift",
    "Encoding over another version's value replaces it.",
    "Encoding over a value of another version leaves the new one, or throws and touches nothing.",
    source: [.requirement(3), .requirement(4)],
    needs: [.documents],
    models: ordered,
    draw: { model, sample, choices in
      try relatedValues(2)(model, &sample, &choices)
      sample.drift(&choices)
    },
    check: { trial in
      let document = try trial.document(holding: 0)
      try trial.sample.apply(to: document)
      let before = try Untouched(document)
      let outcome = trial.outcome { try document.encode(try trial.value(1)) }
      switch outcome {
      case .success:
        // What is read as the new value may stay: a text for a string, a number of another kind, a
        // null for nothing.
        let found = try document.tree().mapNodes { $0.asString.asNumber.withoutNulls }
        let expected = trial.stored(trial.sample.values[1]).mapNodes {
          $0.asString.asNumber.withoutNulls
        }
        return found.difference(from: expected)?
          .between(CodingTrial.encoded, "the document")
      case .failure(let error):
        return try before.refused(error, document)
      }
    }
  )

  /// Catches an encode that writes as it goes.
  ///
  /// What stands in the way is put at the last container, so that much would have been written
  /// before it. Catches what a failed encode leaves inside coder and document, by the same encode with
  /// nothing in the way.
  /// Misses errors in the middle of a list.
  ///
  /// The value is tried twice: over what stands in the way, and as the first part of one that
  /// throws when all of it was written.
  static let atomic = CodingLaw(
    "encode.atomic",
    "A failed encode changes nothing.",
    "An encode that throws leaves the document as it was; the same value, encoded when nothing stands in the way, comes back.",
    source: [.requirement(4), .decision(10)],
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: values(2, numbers: 1),
    check: { trial in
      // Of the second writer, whose encoder may log what is refused.
      let document = try trial.document(actor: 2)
      try document.encode(try trial.value())
      // A value stands where the last container of the new value is to stand.
      let tree = trial.stored(trial.sample.values[1])
      let places = tree.paths.filter { path in
        path.count == 1 && (tree[path]?.kind == .list || tree[path]?.kind == .map)
      }
      guard let place = places.last else { throw Skipped("the value holds no container") }
      // A string is of another kind than each container, so the default strategy must refuse it.
      try document.put(.string("in the way"), at: place)
      let before = try Untouched(document)
      let value = try trial.value(1)
      for (encode, words) in [
        ({ try document.encode(value) }, "an encode over another kind"),
        ({ try document.encode(Exploding(value: value)) }, "an encode whose value threw"),
      ] {
        guard case .failure = trial.outcome(encode) else {
          return Difference(kind: "encode.accepted", summary: "\(words) did not throw")
        }
        if let found = try before.difference(document, after: words) { return found }
      }
      try document.delete(at: place)
      return try differenceOnceMended(document, value, trial)
    }
  )

  /// Where a value that was refused is not decoded as from an empty document, once it is encoded for good.
  private static func differenceOnceMended(
    _ document: any CodingDocument,
    _ value: any Encodable,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let fresh = try trial.document()
    try fresh.encode(value)
    let outcome = trial.outcome { try fresh.decode(trial.type) }
    guard case .success(let wanted as any Encodable) = outcome else { return nil }
    try document.encode(value)
    let decoded: Any
    switch trial.outcome({ try document.decode(trial.type) }) {
    case .success(let found): decoded = found
    case .failure(let error):
      return Difference(
        kind: "encode.mended",
        summary: "a value that was refused before is not decoded: \(error)"
      )
    }
    guard let decoded = decoded as? any Encodable else { return nil }
    // Cores write nothing over a zero of another sign.
    return try TreeRecorder.tree(of: decoded).withoutSignsOfZero
      .difference(from: try TreeRecorder.tree(of: wanted).withoutSignsOfZero)?
      .between("what an empty document gives", CodingTrial.decoded)
  }

  /// Encodes a value, and then throws.
  private struct Exploding: Encodable {
    let value: any Encodable

    struct Explosion: Error {}

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      throw Explosion()
    }
  }

  /// Catches lists that are rewritten: two peers who saved the same list end with each element
  /// twice.
  ///
  /// Worked example: both peers have `[1, 2]` and save it. If each inserts both elements again and
  /// deletes the old ones, the merge shows `[1, 2, 1, 2]`.
  static let arraysMerge = CodingLaw(
    "merge.same-value",
    "Peers that encode the same duplicate nothing.",
    "Two peers that decode the same value, encode it again and merge show it once, whichever peer wrote it.",
    source: .requirement(5),
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: values(2),
    check: { trial in
      // A third peer wrote it, over another value: what is stored is neither peer's own, nor new.
      let origin = try trial.document(holding: 0)
      try origin.encode(try trial.value(1))
      let peers = [try origin.fork(actor: 2), try origin.fork(actor: 3)]
      for document in peers {
        guard let value = try document.decode(trial.type) as? any Encodable else { return nil }
        try document.encode(value)
      }
      let expected = trial.stored(trial.sample.values[1])
      for (one, other) in [(0, 1), (1, 0)] {
        try peers[one].merge(peers[other])
        let words = "after both encoded what they had"
        if let found = try trial.difference(peers[one], from: expected, words) { return found }
      }
      return nil
    }
  )

  /// Lists of two or more containers, no two of them alike.
  ///
  /// Alike elements are left out: of two equal ones it cannot be said which was removed.
  static func listsOfMaps(in tree: Tree) -> [[PathKey]] {
    tree.paths.filter { path in
      guard case .list(let elements)? = tree[path], elements.count > 1,
        Set(elements).count == elements.count
      else { return false }
      return elements.allSatisfy { $0.kind == .map }
    }
  }

  /// A value that has such a list, if one of a few has, and three numbers.
  ///
  /// Up to twelve more values are drawn, unless the model has none. One without such a list is kept
  /// all the same, and the check skips it. The numbers choose the list, the element and what else the law decides.
  static func valueWithListOfMaps(
    _ model: Model,
    _ sample: inout CodingSample,
    _ choices: inout Choices
  ) throws {
    var tree = try model.tree(&choices)
    let moreCount = model.traits.contains(.plainLists) ? 0 : 12
    for _ in 0..<moreCount where listsOfMaps(in: tree).isEmpty { tree = try model.tree(&choices) }
    sample.values = [tree]
    for _ in 0..<3 { sample.numbers.append(choices.number(in: 0...255)) }
  }

  /// Such lists of the sample's first value whose elements are not alike as they are stored, either.
  ///
  /// Dates that differ in milliseconds are one date in a document that keeps seconds. Neither lists within what is
  /// written as a whole are kept, nor lists of such values.
  ///
  /// - Throws: `Skipped` if there is none.
  static func listsOfMaps(_ trial: CodingTrial) throws -> [[PathKey]] {
    let tree = trial.sample.values[0]
    let stored = Set(listsOfMaps(in: trial.stored(tree).withoutSignsOfZero))
    let wholes = try trial.wholes(of: trial.value())
    let lists = listsOfMaps(in: tree).filter { list in
      stored.contains(list)
        && !wholes.contains { list.starts(with: $0) || $0.dropLast().elementsEqual(list) }
    }
    guard !lists.isEmpty else { throw Skipped("there is no list of two maps") }
    return lists
  }

  /// A list of containers in the sample's first value, and one of its elements.
  ///
  /// Numbers 0 and 1 of the sample choose.
  private static func element(_ trial: CodingTrial) throws -> (list: [PathKey], index: Int) {
    let tree = trial.sample.values[0]
    let lists = try listsOfMaps(trial)
    let list = lists[trial.sample.index(0, below: lists.count)]
    let count = tree[list]?.steps.count ?? 1
    return (list, trial.sample.index(1, below: count))
  }

  /// Catches matching by position, by which all elements behind the removed one are rewritten as
  /// their neighbours.
  ///
  /// Worked example: of items A, B, C the first goes. By position A's object gets B's content, B's
  /// gets C's, and C's is deleted; the tree is right, the names of the objects are [A, B] where [B,
  /// C] are due.
  static let removesOne = CodingLaw(
    "list.remove-one",
    "Removing one element touches no other.",
    "Removing one element of a list of structs touches that element alone.",
    source: .requirement(6),
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: valueWithListOfMaps,
    check: { trial in
      let (list, index) = try element(trial)
      let tree = trial.sample.values[0]
      let shorter = tree.replacing(list + [.index(index)], with: nil)
      guard trial.model.accepted(shorter) == shorter, let value = trial.value(of: shorter) else {
        throw Skipped("the model refuses it")
      }
      let document = try trial.document(holding: 0)
      let steps = tree[list]?.steps ?? []
      var names = try steps.map { try document.objectName(at: list + [$0]) }
      names.remove(at: index)
      try document.encode(value)
      let after = try steps.dropLast().map { try document.objectName(at: list + [$0]) }
      if let found = try trial.difference(document, from: trial.stored(shorter)) { return found }
      guard after != names else { return nil }
      return Difference(
        kind: "list.identity",
        summary: "removing element \(index) of \(list.place) touched others",
        expected: "\(names)",
        actual: "\(after)"
      ).between("the objects of the kept elements before", "the objects of the elements after")
    }
  )

  /// What users lose by that: an edit of the third element ends in the fourth, or nowhere.
  ///
  /// Worked example: one peer removes A of A, B, C while another edits B. If B's content was moved
  /// into A's object, the edit still goes to B's, which shows C's content now.
  static let concurrentRemoval = CodingLaw(
    "merge.remove-and-edit",
    "An edit survives the removal of another element.",
    "A peer's edit of one element survives another peer's removal of a different one.",
    source: .requirement(6),
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: valueWithListOfMaps,
    check: { trial in
      let (list, index) = try element(trial)
      let tree = trial.sample.values[0]
      let count = tree[list]?.steps.count ?? 2
      // Another element than the removed one: 1 to count - 1 places on, round and round.
      let other = (index + 1 + trial.sample.index(2, below: count - 1)) % count
      let fields = (tree[list + [.index(other)]] ?? .null).steps.filter { step in
        let value = tree[list + [.index(other), step]] ?? .null
        return changed(value) != value
      }
      guard let field = fields.first else { throw Skipped("no field of the element can change") }
      let path = list + [.index(other), field]
      let edited = tree.replacing(path, with: tree[path].map { changed($0) })
      let shorter = tree.replacing(list + [.index(index)], with: nil)
      guard trial.model.accepted(shorter) == shorter, let left = trial.value(of: shorter) else {
        throw Skipped("the model refuses it")
      }
      let (right, written) = try trial.written(edited, editedAt: list + [.index(other)])
      let document = try trial.document(holding: 0)
      let peer = try document.fork(actor: 2)
      try document.encode(left)
      try peer.encode(right)
      try document.merge(peer)
      let expected = written.replacing(list + [.index(index)], with: nil)
      return try trial.difference(document, from: trial.stored(expected), "after the merge")
    }
  )

  /// Catches a coder that makes a map of its own around what is no map.
  ///
  /// Worked example: `[1, 2]` at the root. To accept it and write nothing is the worst: the caller
  /// learns of the loss when it decodes.
  static let keyedRoot = CodingLaw(
    "root.keyed",
    "Only a map can be a document.",
    "A value that is not a map is refused at the root of a document.",
    source: .specification(.codable, "Shapes"),
    needs: [.documents],
    models: { !$0.traits.contains(.keyedRoot) },
    draw: values(1),
    check: { trial in
      let document = try trial.document()
      let before = try Untouched(document)
      guard case .failure(let error) = trial.outcome({ try document.encode(try trial.value()) })
      else {
        return Difference(kind: "root.accepted", summary: "what is no map was encoded at the root")
      }
      guard error.complaint == .schema(.invalidPlace) else {
        return error.complaint.difference(from: .schema(.invalidPlace))
      }
      return try before.difference(document, after: "an encode that threw")
    }
  )

  /// Catches keys that become strings in one place and elements of a list in another.
  ///
  /// An empty dictionary must be refused, too, or the first entry of a stored model fails.
  static let integerKeys = CodingLaw(
    "keys.integers-refused",
    "Integer keys are refused.",
    "A dictionary with integer keys is refused, an empty one included.",
    source: .specification(.codable, "Encoding by type"),
    needs: [.documents, .refusesIntegerKeys],
    models: { $0.traits.contains(.integerKeys) },
    draw: values(1),
    check: { trial in
      let document = try trial.document()
      let before = try Untouched(document)
      guard case .failure(let error) = trial.outcome({ try document.encode(try trial.value()) })
      else {
        return Difference(
          kind: "keys.accepted",
          summary: "a dictionary with integer keys was encoded"
        )
      }
      return try before.refused(error, document)
    }
  )

  /// Catches state that lives in memory alone, as a cache of what was written last.
  ///
  /// The loaded document has another actor, as after a restart of an app, and no instance is bound
  /// to it. Encoding what it decoded must write nothing there, too.
  static let reloads = CodingLaw(
    "document.reloads",
    "A saved document decodes to the same value.",
    "A document that is saved and loaded decodes to the same value, and stays as it is.",
    source: .requirement(2),
    needs: [.documents],
    models: ordered,
    draw: values(1)
  ) { trial in
    let document = try trial.document(holding: 0)
    let loaded = try document.reloaded(actor: 9)
    let decoded = try loaded.decode(trial.type)
    if let found = try trial.difference(decoded, from: trial.declared(trial.sample.values[0])) {
      return found
    }
    let before = try Untouched(loaded)
    guard let value = decoded as? any Encodable else { return nil }
    try loaded.encode(value)
    return try before.difference(loaded, after: "encoding what was loaded")
  }
}

extension Tree {
  /// A string where a text stands.
  ///
  /// For comparisons in which a kept text is as good as the string.
  var asString: Tree {
    if case .text(let text) = self { .string(text) } else { self }
  }

  /// A map without what an optional reads as `nil`.
  var withoutNulls: Tree {
    if case .map(let entries) = self { .map(entries.filter { $0.value != .null }) } else { self }
  }

  /// One kind for each number, whichever kind it is stored as.
  ///
  /// `int` where 64 signed bits hold it, else `uint`; floats that are whole follow, others stay.
  var asNumber: Tree {
    switch self {
    case .uint(let value): Int64(exactly: value).map { .int($0) } ?? self
    case .float(let value):
      Int64(exactly: value).map { .int($0) } ?? UInt64(exactly: value).map { .uint($0) } ?? self
    default: self
    }
  }
}
