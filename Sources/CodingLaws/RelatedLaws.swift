import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// long: laws whose checks share helpers for one list that is edited, side by side so that they can
// be compared.
//
// Encoding over what is nearly the same. Most bugs of an encoder that writes differences need two
// values that are nearly equal, which two drawn ones never are: here the second is made of the
// first. In this order: one leaf, what has no order, stories of many encodes, lists of which one
// element changed, unknown keys below the root, and texts and counters that move.

extension CodingLaw {
  /// Encoding over what is nearly the same, once and many times.
  static let relatedLaws: [CodingLaw] = [
    oneLeaf, overUnordered, story, editsOne, fewestInStructs, unknownInElements, referencesMove,
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
    "A leaf that becomes one much like it, at whatever depth, adds one operation and is read back.",
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
      // The kinds in turn, so that what models have few of is met as often.
      let kinds = Tree.Kind.allCases.filter { kind in leaves.contains { tree[$0]?.kind == kind } }
      guard !kinds.isEmpty else { throw Skipped("no leaf can change") }
      let kind = choices.element(of: kinds)
      let path = choices.element(of: leaves.filter { tree[$0]?.kind == kind })
      guard let old = tree[path] else { throw Skipped("no leaf can change") }
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
      guard added != 1 else { return nil }
      return Difference(
        kind: "operations.count",
        summary: "one changed leaf added another number of operations",
        expected: "1",
        actual: "\(added)"
      ).between(nil, "what the encode added to the document")
    }
  )

  // MARK: - No order

  /// Catches matching by position where there is none: a set that is written anew for its order
  /// alone.
  ///
  /// Worked example: `Set([3, 1])` over the list `[1, 3]` must write nothing, in whatever order the
  /// set iterates.
  static let overUnordered = CodingLaw(
    "reencode.over-unordered",
    "Sets and dictionaries are replaced exactly, too.",
    "A set, or a dictionary that is stored as a list, is exactly the new one after it was encoded over an "
      + "older one, and encoding it again writes nothing.",
    source: [over, .specification(.codable, "Lists")],
    needs: [.documents],
    models: { usual($0) && $0.traits.contains(.unordered) },
    draw: relatedValues(2),
    check: { trial in
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
      return try before.difference(document, after: "encoding an equal value")
    }
  )

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
        let (step, index) = (abs(number) % 8, abs(number) / 8 % 4)
        let value: any Encodable
        switch step {
        case 0, 1: value = try trial.value(index)
        case 2:
          // Merged values of one type may not be a value of it, and then say so.
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
            try ListEdit.editList(of: peer, abs(number) / 8 + 37 * part)
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
          guard error.complaint.isTyped else {
            return Difference(kind: "complaint.untyped", summary: error.complaint.description)
          }
          return try before.difference(document, after: "an encode that threw")
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

  // MARK: - Lists

  /// A list of containers, and the same with one element inserted, moved or removed.
  ///
  /// Elements must be told apart by what is stored of them, or no coder could know which one went.
  ///
  /// Numbers of the sample: 0 the list, 1 the element, 2 the edit, 3 the target of a move. The new
  /// element is the first of the first tree.
  private struct EditedList {
    /// Where the list stands in the value, old and new.
    let path: [PathKey]
    /// For each new element the old one that it is; nil for one that is new or moved.
    let origins: [Int?]
    /// The whole value with the edited list.
    let tree: Tree

    /// Edits the list that the sample's numbers choose.
    ///
    /// - Throws: `Skipped` where the sample has no such list, or no coder could tell its elements
    ///   apart.
    init(_ trial: CodingTrial) throws {
      let tree = trial.sample.values[0]
      let lists = listsOfMaps(in: tree)
      guard !lists.isEmpty else { throw Skipped("there is no list of two maps") }
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
            summary: "element \(origin) of \(edit.path.dotted) became another object",
            expected: names[origin] ?? "an object",
            actual: name ?? "no object"
          ).between("the element's object before the edit", "the element's object after it")
        }
      }
      return nil
    }
  )

  /// Catches elements that are paired with others than those that they are most like, where none of them
  /// is as it was.
  ///
  /// An element that changed and one that came or went stand beside each other as often as not, and no
  /// equal element tells them apart then. Misses elements that move, of which any coder may keep others.
  ///
  /// The limit, in operations: one for each of one or two changed fields; for the element that came
  /// one for its map and one for each field; for the element that went one deletion.
  ///
  /// Worked example: of `[A, B, C]` A goes while a field of C changes: 2 operations. Paired by
  /// position each field of B is written over A's, and each of C over B's.
  static let fewestInStructs = CodingLaw(
    "list.fewest-in-structs",
    "Lists of structs are written by difference.",
    "A list of structs of scalars, of which one or two changed a field while another came or went, adds an "
      + "operation for each changed field, one for the element that went, and the fields and one for the "
      + "element that came.",
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
      let edit = try EditedList(trial)
      let old = trial.sample.values[0]
      guard case .list(let before)? = old[edit.path], case .list(var after)? = edit.tree[edit.path]
      else { throw Skipped("there is no list") }
      guard areAlikeStructs(before + after) else { throw Skipped("no list of structs of scalars") }
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

  /// Whether all are maps of scalars under the same two keys or more.
  ///
  /// Two keys at least, for with one field a changed element has nothing left to be known by.
  private static func areAlikeStructs(_ elements: [Tree]) -> Bool {
    guard let first = elements.first, first.steps.count > 1 else { return false }
    let keys = Set(first.steps)
    return elements.allSatisfy { element in
      guard case .map(let entries) = element else { return false }
      return Set(element.steps) == keys
        && entries.allSatisfy {
          $0.value.kind.isScalar && $0.value.kind != .counter && $0.value.kind != .text
        }
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
  /// Where two are alike, either may get the unknown key.
  private static func tellsElementsApart(_ tree: Tree, along path: [PathKey]) -> Bool {
    path.indices.allSatisfy { count in
      guard case .list(let elements)? = tree[path[..<count]] else { return true }
      return Set(elements.map(\.withoutSignsOfZero)).count == elements.count
    }
  }

  /// A key that no model of the zoo has.
  private static let stranger = PathKey.key("of another version")

  /// Catches `.preserve` that looks at the root alone, and elements that are made anew and so lose
  /// what they did not name.
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
      let places = maps(of: try TreeRecorder().record(try trial.value()))
      guard !places.isEmpty else { throw Skipped("there is no struct") }
      let place = places[trial.sample.index(4, below: places.count)]
      // The map's path after the edit; nil if the element that it is in went or moved, which makes
      // it anew.
      var moved: [PathKey]? = place
      let edited: Tree
      if let edit, trial.model.accepted(edit.tree) == edit.tree {
        edited = edit.tree
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

  // MARK: - Texts and counters that move

  /// Catches texts and counters that are matched by place and not by identity: contents that change
  /// owners when a list is sorted, and instances that are bound to the place that another one has now.
  ///
  /// Worked example: counters 1 and 5, reversed by the app and saved. Matched by place, the first
  /// place becomes 5 by an increment of 4, and the app's instance that counted 1 shows 5.
  static let referencesMove = CodingLaw(
    "reference.moves",
    "Texts and counters keep what they hold.",
    "Texts and counters that were decoded, and are encoded in another order, hold what they held; what is "
      + "added to any of them then stands where it does.",
    source: [
      .specification(.codable, "Counter"), .specification(.codable, "AutomergeText"),
      .requirement(6),
    ],
    needs: [.documents, .texts, .counters],
    models: named("Ledger"),
    draw: drawLedger,
    check: { trial in
      func open<S: CoderSubject>(_ subject: S) throws -> Difference? {
        try move(Ledger<S.Text, S.Counter>.self, trial)
      }
      return try open(trial.subject)
    }
  )

  /// Edits a ledger number by number; after each encode the document must hold it, and each
  /// instance its own place.
  private static func move<Text: ModelText, Counter: ModelCounter>(
    _ type: Ledger<Text, Counter>.Type,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document(holding: 0)
    var ledger = try document.decode(type)
    for number in trial.sample.numbers {
      // Instances of which the document knows nothing take the places of what is like them.
      if abs(number) / editCount % 2 == 1 {
        let tree = try TreeRecorder.tree(of: try document.decode(type))
        if let fresh = trial.value(of: tree) as? Ledger<Text, Counter> { ledger = fresh }
      }
      // Looking at an instance is a call of the coder: what is expected is told by others.
      // The same edit on instances of their own, recorded, is what the document must show after the
      // encode.
      var others = try document.decode(type)
      edit(&others, abs(number) % editCount)
      let recorded = try TreeRecorder.tree(of: others)
      edit(&ledger, abs(number) % editCount)
      try document.encode(ledger)
      if let found = try trial.difference(document, from: trial.stored(recorded)) { return found }
      // Of two that are alike, either may have taken the other's place.
      guard tellsInstancesApart(recorded) else { continue }
      let added = addToAll(ledger, trial.stored(recorded))
      if let found = try trial.difference(document, from: added, "after an edit of each instance") {
        return found
      }
    }
    return nil
  }

  /// Whether no list has two elements that are alike; rows count by their `id`.
  private static func tellsInstancesApart(_ tree: Tree) -> Bool {
    tree.paths.allSatisfy { path in
      guard case .list(let elements)? = tree[path] else { return true }
      return Set(elements.map { $0.child(.key("id")) ?? $0 }).count == elements.count
    }
  }

  /// Adds to each text and counter something else; gives the tree that the document must have then.
  ///
  /// Each gets another amount, so that two instances that swapped their places show.
  private static func addToAll<Text: ModelText, Counter: ModelCounter>(
    _ ledger: Ledger<Text, Counter>,
    _ tree: Tree
  ) -> Tree {
    var tree = tree
    var number = 0
    func add(to counter: Counter, _ place: [PathKey]) {
      guard case .counter(let count)? = tree[place] else { return }
      number += 1
      counter.increment(by: number)
      tree = tree.replacing(place, with: .counter(count &+ Int64(number)))
    }
    func add(to text: Text, _ place: [PathKey]) {
      guard case .text(let string)? = tree[place] else { return }
      number += 1
      text.value = string + "+\(number)"
      tree = tree.replacing(place, with: .text(string + "+\(number)"))
    }
    for (index, row) in ledger.rows.enumerated() {
      add(to: row.name, [.key("rows"), .index(index), .key("name")])
      add(to: row.votes, [.key("rows"), .index(index), .key("votes")])
    }
    for (index, counter) in ledger.counters.enumerated() {
      add(to: counter, [.key("counters"), .index(index)])
    }
    for (index, text) in ledger.texts.enumerated() {
      add(to: text, [.key("texts"), .index(index)])
    }
    for key in ledger.groups.keys.sorted() {
      for (index, counter) in (ledger.groups[key] ?? []).enumerated() {
        add(to: counter, [.key("groups"), .key(key), .index(index)])
      }
    }
    return tree
  }

  /// Numbers of different edits.
  private static let editCount = 4096

  /// A ledger and up to five edits: each a number for ``edit(_:_:)``, and ``editCount`` more where instances of
  /// which the document knows nothing stand in for those that are bound.
  static let drawLedger: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    { model, sample, choices in
      sample.values = [try model.tree(&choices)]
      choices.repeated(upTo: 5, averaging: 2, "edit") { choices in
        sample.numbers.append(choices.number(in: 0...2 * editCount - 1))
      }
    }

  /// The number says which list, what happens to it, and where.
  ///
  /// From the lowest bits: two for what happens (move, remove, reverse, insert), two for the list,
  /// four for the element and the rest, up to 15, for the target and the content of a new one.
  private static func edit<Text: ModelText, Counter: ModelCounter>(
    _ ledger: inout Ledger<Text, Counter>,
    _ number: Int
  ) {
    let (kind, from, to) = (number % 4, number / 16 % 16, number / 256)
    func edited<Element>(_ list: [Element], _ fresh: Element) -> [Element] {
      var list = list
      switch kind {
      case 0 where !list.isEmpty:
        let element = list.remove(at: from % list.count)
        list.insert(element, at: to % (list.count + 1))
      case 1 where !list.isEmpty: list.remove(at: from % list.count)
      case 2: list.reverse()
      default: list.insert(fresh, at: to % (list.count + 1))
      }
      return list
    }
    switch number / 4 % 4 {
    case 0: ledger.counters = edited(ledger.counters, Counter(to))
    case 1: ledger.texts = edited(ledger.texts, Text("text \(to)"))
    case 2:
      let fresh = Ledger<Text, Counter>.Row(id: 1000 + to, name: Text("row"), votes: Counter(to))
      ledger.rows = edited(ledger.rows, fresh)
    default:
      ledger.counters = edited(ledger.counters, Counter(to))
      ledger.texts = edited(ledger.texts, Text("\(to)"))
      for key in ledger.groups.keys.sorted() {
        ledger.groups[key] = edited(ledger.groups[key] ?? [], Counter(to))
      }
    }
  }
}

extension Tree {
  /// The tree with null for one of the leaves that are elements of lists; nil if none is.
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
