import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Encoding over what is nearly the same. Most bugs of an encoder that writes differences need two
// values that are nearly equal, which two drawn ones never are: here the second is made of the
// first. In this order: one leaf, what has no order, stories of many encodes. Lists with one changed
// element: `EditedListLaws.swift`.

extension CodingLaw {
  /// Encoding over what is nearly the same, once and many times.
  static let relatedLaws: [CodingLaw] = [
    oneLeaf, overUnordered, story,
  ]

  private static let over = LawSource.specification(.codable, "Encoding over existing data")

  // MARK: - One leaf

  /// Catches replaced containers at any depth, and leaves that look alike and are taken for equal:
  /// a value one bit away, another normal form.
  ///
  /// Worked example: `int 1` becomes `int 4294967297`, which has the same lower half. An encoder
  /// that compares 32 bits adds no operation, and the document still shows 1.
  static let oneLeaf = CodingLaw(
    "reencode.one-leaf",
    "One changed leaf adds one operation.",
    "A leaf that becomes one much like it, at whatever depth, adds one operation and is read back; within what "
      + "is written as a whole it adds those of the whole.",
    source: [.decision(10), .specification(.codable, "Lists")],
    needs: [.documents],
    models: ordered,
    draw: { model, sample, choices in
      let tree = try model.anyTree(&choices)
      sample.values = [tree]
      let leaves = tree.paths.filter { path in
        // Elements of another identity are other elements.
        (tree[path]?.isPlainLeaf ?? false) && path.last != .key("id")
      }
      if choices.flag(percent: 10), let edited = tree.withNullElement(leaves, &choices),
        model.accepted(edited) == edited
      {
        // Either way: an element becomes null, or a null becomes an element.
        sample.values = choices.flag() ? [tree, edited] : [edited, tree]
        return
      }
      guard let (path, old) = tree.drawnPlace(among: leaves, &choices) else {
        throw Skipped("no leaf can change")
      }
      let edited = tree.replacing(path, with: old.another(&choices))
      // The same twice where the model refuses the edit: there is nothing to judge then.
      sample.values.append(model.accepted(edited) == edited ? edited : tree)
    },
    check: { trial in
      guard trial.sample.values.count == 2 else { throw Skipped("no leaf can change") }
      let (old, new) = (trial.sample.values[0], trial.sample.values[1])
      // Two dates within one second are stored as one timestamp: no operation is due then.
      guard trial.stored(old).withoutSignsOfZero != trial.stored(new).withoutSignsOfZero else {
        throw Skipped("what is stored is the same")
      }
      let document = try trial.document(holding: 0)
      _ = try document.heads()
      let before = try document.operationCount()
      try document.encode(try trial.value(1))
      if let found = try trial.difference(document, from: trial.stored(new)) { return found }
      let added = try document.operationCount() - before
      let whole = try trial.wholes(of: trial.value(1)).first { path in
        trial.stored(old)[path] != trial.stored(new)[path]
      }
      let due = whole.flatMap { trial.stored(new)[$0]?.nodeCount } ?? 1
      guard added != due else { return nil }
      return Difference(
        kind: "operations.count",
        summary: "one changed leaf added another number of operations",
        expected: "\(due)",
        actual: "\(added)"
      ).between(nil, "what the encode added to the document")
    }
  )

  // MARK: - No order

  /// Catches matching by position where there is none: a set that is rewritten for its order
  /// alone.
  ///
  /// Worked example: `Set([3, 1])` over the list `[1, 3]` must write nothing, in whatever order the
  /// set iterates.
  ///
  /// With unknown keys kept, elements are compared by the keys that their type names, wherever those stand: a coder
  /// that forgets the keys of a set's elements finds none of them again, and writes all anew.
  static let overUnordered = CodingLaw(
    "reencode.over-unordered",
    "Sets and dictionaries are replaced exactly, too.",
    "A set, or a dictionary that is stored as a list, is exactly the new one after it was encoded over an "
      + "older one, and encoding it again writes nothing, whether unknown keys go or stay.",
    source: [over, .specification(.codable, "Lists")],
    needs: [.documents],
    models: { usual($0) && $0.traits.contains(.unordered) },
    draw: relatedValues(2, numbers: 2),
    check: { trial in
      if let found = try setsInList(trial) { return found }
      // Which of the two zeros a set keeps is open, and decides the order in which it is recorded.
      guard trial.sample.values.allSatisfy({ $0 == $0.withoutSignsOfZero }) else {
        throw Skipped("a zero has a sign")
      }
      let document = try trial.document(holding: 0)
      try document.encode(try trial.value(1))
      let decoded = try document.decode(trial.type)
      if let found = try trial.difference(decoded, from: trial.declared(trial.sample.values[1])) {
        return found
      }
      let before = try Untouched(document)
      try document.encode(try trial.value(1))
      if let found = try before.difference(document, after: "encoding an equal value") {
        return found
      }
      guard trial.subject.features.contains(.unknownKeys) else { return nil }
      var settings = EncodingSettings()
      settings.unknownKeys = .preserve
      try document.encode(try trial.value(1), at: [], settings)
      return try before.difference(document, after: "encoding an equal value with `.preserve`")
    }
  )

  /// Where sets that stand in a list are not what was encoded last, once one of them has lost or got an element, and
  /// another set came before them.
  ///
  /// A list is compared element by element before it is written: a set that has more than its equal is no equal one.
  private static func setsInList(_ trial: CodingTrial) throws -> Difference? {
    var sets: [Set<Int>] = (0..<3).map { [10 * $0, 10 * $0 + 1, 10 * $0 + 2] }
    let document = try trial.document()
    try document.encode(["sets": sets])
    let names = try sets.indices.map { try document.objectName(at: [.key("sets"), .index($0)]) }
    let changed = trial.sample.index(0, below: 3)
    let isLonger = trial.sample.index(1, below: 2) == 1
    if isLonger {
      sets[changed].insert(10 * changed + 7)
    } else {
      sets[changed].remove(10 * changed + 1)
    }
    try document.encode(["sets": sets])
    sets.insert([100], at: 0)
    try document.encode(["sets": sets])
    if let found = differs(
      "list.sets",
      "sets of a list",
      of: "the sets that were decoded",
      actual: try document.decode([String: [Set<Int>]].self)["sets"]?.map { $0.sorted() },
      expected: sets.map { $0.sorted() }
    ) {
      return found
    }
    let moved = try names.indices.map { index in
      try document.objectName(at: [.key("sets"), .index(index + 1)])
    }
    return differs(
      "list.identity",
      "sets behind one that was inserted are other objects",
      of: "the objects of the sets behind it",
      actual: moved.map { $0 ?? "none" },
      expected: names.map { $0 ?? "none" }
    )
  }

  // MARK: - Stories

  /// Catches state that a coder keeps from one encode to the next, and trusts when the document has
  /// moved on.
  ///
  /// Misses what needs more than eight steps or two writers.
  ///
  /// A step is a number of 0 to 4095: the lowest three bits say what happens (see the cases), the
  /// next two which of the four values, and all but the lowest three the edit of a list. Each
  /// encode is followed by a second one of the same value, which must write nothing.
  ///
  /// Worked example: encode A, merge a peer's removal of an element, encode A again. A coder that
  /// skips what it believes to be written already leaves the element away.
  static let story = CodingLaw(
    "reencode.story",
    "A document follows its values, encode after encode.",
    "After each of several encodes, decodes, merges, reloads and edits of a peer the document holds what "
      + "was encoded last, and encoding that again writes nothing.",
    source: [over, .requirement(1), .specification(.codable, "Concurrent encodes")],
    needs: [.documents],
    models: ordered,
    draw: { model, sample, choices in
      try relatedValues(4)(model, &sample, &choices)
      choices.repeated(upTo: 8, averaging: 4, "step") { choices in
        sample.numbers.append(choices.number(in: 0...4095))
      }
    },
    check: { trial in
      var document = try trial.document(holding: 0)
      let peer = try document.fork(actor: 2)
      // What was decoded last, with texts and counters that are bound; a reload makes them another
      // document's.
      var held: (any Encodable)?
      for (place, number) in trial.sample.numbers.enumerated() {
        let (step, index) = (number.notNegative % 8, number.notNegative / 8 % 4)
        let value: any Encodable
        switch step {
        case 0, 1: value = try trial.value(index)
        case 2:
          // A merge of two values of a type may not be a value of it; decoding then throws.
          let decoded = trial.outcome { try document.decode(trial.type) }
          guard case .success(let found) = decoded, let found = found as? any Encodable else {
            return nil
          }
          held = found
          continue
        case 3:
          guard let known = held else { continue }
          value = known
        case 4:
          // A refusal ends the story without a verdict: what was merged may not fit the value.
          guard case .success = trial.outcome({ try peer.encode(try trial.value(index)) }) else {
            return nil
          }
          try document.merge(peer)
          try peer.merge(document)
          continue
        case 5, 6:
          try peer.merge(document)
          for part in 0...(step - 5) {
            try ListEdit.editList(of: peer, number.notNegative / 8 + 37 * part)
          }
          // What is encoded meanwhile meets the edits within the list.
          if index == 0 { _ = trial.outcome { try document.encode(try trial.value(index)) } }
          try document.merge(peer)
          continue
        default:
          // Actors of 20 and more: 1 is the document's, 2 the peer's, and no actor may write in two
          // documents. A stored story may reload more often than there are actors; one that comes back has all of
          // its changes.
          document = try document.reloaded(actor: UInt8(20 + place % 200))
          held = nil
          continue
        }
        let recorded = try TreeRecorder.tree(of: value)
        let before = try Untouched(document)
        if case .failure(let error) = trial.outcome({ try document.encode(value) }) {
          return try before.refused(error, document)
        }
        let words = "after step \(place + 1)"
        if let found = try trial.difference(document, from: trial.stored(recorded), words) {
          return found
        }
        let after = try Untouched(document)
        try document.encode(value)
        if let found = try after.difference(document, after: "encoding the same once more") {
          return found
        }
      }
      return nil
    }
  )
}

extension Tree {
  /// The tree with null for one of the leaves that are elements of lists; `nil` if none is.
  fileprivate func withNullElement(_ leaves: [[PathKey]], _ choices: inout Choices) -> Tree? {
    let elements = leaves.filter { path in
      if case .index = path.last { true } else { false }
    }
    guard !elements.isEmpty else { return nil }
    return replacing(choices.element(of: elements), with: .null)
  }

  /// Whether it is a scalar that a model's own encoding writes, and not null.
  fileprivate var isPlainLeaf: Bool {
    switch self {
    case .boolean, .int, .uint, .float, .string, .bytes, .date: true
    default: false
    }
  }
}
