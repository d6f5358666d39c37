import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Texts and counters that move: in lists, rows and dictionaries of a `Ledger`, which the app edits between two encodes.

extension CodingLaw {
  /// Texts and counters whose places in lists change.
  static let movingReferenceLaws: [CodingLaw] = [
    referencesMove, referencesBasedOn, referencesShared,
  ]

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
    check: {
      $0.sample.numbers.isEmpty
        ? try moveFromLostKey($0.subject, $0) : try move($0.subject, $0)
    }
  )

  /// A counter whose key a peer has deleted moves to another key, and a new one takes the old key.
  ///
  /// Catches a count that is read where the counter stood once it is written elsewhere: the new counter's.
  ///
  ///     stored            a: 5    b: 7
  ///     the peer                  b: 7
  ///     the app           a: 100  b: 7    c: the counter of 5
  ///     expected          a: 100  b: 7    c: 5
  private static func moveFromLostKey<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    typealias Counters = [String: S.Counter]
    let document = try trial.document()
    try document.encode(["a": S.Counter(5), "b": S.Counter(7)])
    var counters = try document.decode(Counters.self)
    let peer = try document.fork(actor: 2)
    var theirs = try peer.decode(Counters.self)
    theirs["a"] = nil
    try peer.encode(theirs)
    try document.merge(peer)
    counters["c"] = counters["a"]
    counters["a"] = S.Counter(100)
    try document.encode(counters)
    let due = Tree.map(
      of: [("a", 100), ("b", 7), ("c", 5)].map { Tree.Entry($0, .counter($1)) }
    )
    return try trial.difference(document, from: due, "after a counter of a deleted key moved")
  }

  /// Edits a ledger number by number; after each encode the document must hold it, and each
  /// instance its own place.
  private static func move<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    typealias OwnLedger = Ledger<S.Text, S.Counter>
    let document = try trial.document(holding: 0)
    var ledger = try document.decode(OwnLedger.self)
    var edits: [Int] = []
    for (index, number) in trial.sample.numbers.enumerated() {
      // Instances that the document does not know take the places of what is like them.
      if edits.isEmpty, number.notNegative / editCount % 3 == 1 {
        let tree = try TreeRecorder.tree(of: try document.decode(OwnLedger.self))
        if let fresh = trial.value(of: tree) as? OwnLedger { ledger = fresh }
      }
      edit(&ledger, number.notNegative % editCount)
      edits.append(number.notNegative % editCount)
      let isLast = index + 1 == trial.sample.numbers.count
      if number.notNegative / editCount % 3 == 2, !isLast { continue }
      // Looking at an instance is a call of the coder: what is expected comes from other instances.
      // The same edits on instances of their own, recorded, are what the document must show after
      // the encode.
      var others = try document.decode(OwnLedger.self)
      for number in edits { edit(&others, number) }
      var settings = EncodingSettings()
      if canBeReadonly(edits) { settings.strategy = .readonly }
      edits = []
      let recorded = try TreeRecorder.tree(of: others)
      try document.encode(ledger, at: [], settings)
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

  /// Whether the edits reverse lists alone, so that an encode that makes and removes nothing can write them.
  ///
  /// Lists are then written place by place: texts and counters change what they hold. Parts are left out, as
  /// one without a counter cannot get one.
  private static func canBeReadonly(_ edits: [Int]) -> Bool {
    edits.allSatisfy { $0 % 4 == 2 && !($0 / 4 % 4 == 0 && $0 / 256 >= 8) }
  }

  /// Catches instances that are bound by what a branch knows: elements have other indexes there than
  /// in the merged list.
  ///
  /// Worked example: counters 1 and 5. The app appends a counter 9, a peer inserts a 7 in front. The
  /// encode based on the heads before leaves 7, 1, 5, 9; bound by the index in the branch, what is
  /// added to the app's 9 is added to the 5.
  static let referencesBasedOn = CodingLaw(
    "reference.based-on",
    "Encoding based on heads binds to merged places.",
    "Texts and counters that are encoded based on earlier heads are bound to where they stand after the "
      + "merge, whatever peers inserted before them; a copy of a counter counts what that counts now.",
    source: [
      .specification(.codable, "Concurrent encodes"), .specification(.codable, "Counter"),
      .specification(.codable, "AutomergeText"),
    ],
    needs: [.documents, .texts, .counters, .basedOnHeads],
    models: named("Ledger"),
    draw: drawLedger,
    check: { try bindBasedOn($0.subject, $0) }
  )

  /// The app edits its ledger while a peer inserts in front of each list; it encodes, and adds to
  /// each instance.
  ///
  /// What the document holds is compared without places: of all texts and counters, those of the app
  /// must have become others, and no other one.
  ///
  /// Worked example, with counters alone: 1 and 5 are stored, the app appends 9, the peer inserts 70.
  ///
  ///     after the encode                        70, 1, 5, 9
  ///     without the app's own                   70
  ///     the app's own, and 1, 2, 3 added        2, 7, 12
  ///     expected, in any order                  70, 2, 7, 12
  ///     bound by the index in the branch        71, 3, 8, 9
  private static func bindBasedOn<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    typealias OwnLedger = Ledger<S.Text, S.Counter>
    if let found = try copyBasedOn(subject, trial) { return found }
    let document = try trial.document(holding: 0)
    let heads = try document.heads()
    var ledger = try document.decode(OwnLedger.self)
    var others = try document.decode(OwnLedger.self)
    for number in trial.sample.numbers {
      edit(&ledger, number.notNegative % editCount)
      edit(&others, number.notNegative % editCount)
    }
    let recorded = trial.stored(try TreeRecorder.tree(of: others))
    guard tellsInstancesApart(recorded) else { throw Skipped("two elements of a list are alike") }
    let peer = try document.fork(actor: 2)
    var theirs = try peer.decode(OwnLedger.self)
    insertInFront(of: &theirs)
    try peer.encode(theirs)
    try document.merge(peer)
    var settings = EncodingSettings()
    settings.basedOn = heads
    try document.encode(ledger, at: [], settings)
    var expected = references(try document.tree())
    expected.subtract(references(recorded))
    expected.add(references(addToAll(ledger, recorded)))
    let found = references(try document.tree())
    guard found != expected else { return nil }
    return Difference(
      kind: "reference.other-place",
      summary: "what was added to an instance stands elsewhere",
      expected: expected.description,
      actual: found.description
    ).between("what was added", "the document")
  }

  /// Where a counter that is copied to a second key, based on heads before it was added to, has another count there
  /// than the counter has now.
  ///
  ///     at the heads          a: 3
  ///     a peer adds 5         a: 8
  ///     the app copies it     a: 8    b: 8, though the branch on which it is written had 3
  private static func copyBasedOn<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document()
    try document.encode(["a": S.Counter(3)])
    var settings = EncodingSettings()
    settings.basedOn = try document.heads()
    var counters = try document.decode([String: S.Counter].self)
    let added = Int64(1 + (trial.sample.numbers.first ?? 0).notNegative % 9)
    let peer = try document.fork(actor: 2)
    try peer.increment(at: [.key("a")], by: added)
    try document.merge(peer)
    counters["b"] = counters["a"]
    try document.encode(counters, at: [], settings)
    let due = Tree.map(of: ["a", "b"].map { Tree.Entry($0, .counter(3 + added)) })
    return try trial.difference(document, from: due, "after a counter was copied based on heads")
  }

  /// Catches an instance that is bound once for each place where it stands: what the app adds to it goes to the
  /// last.
  ///
  /// Worked example: one counter of 3 in front of all counters and behind them. It stands there twice; 1,000 more
  /// make the first 1,003, and the last stays 3. The instance is new: `reference.stays-bound` shares one that is bound
  /// already.
  static let referencesShared = CodingLaw(
    "reference.shared",
    "An instance held twice is bound once.",
    "A text or a counter that a value holds twice stands at both places; what is added to it afterwards stands at the "
      + "first.",
    source: [
      .specification(.codable, "Counter"), .specification(.codable, "AutomergeText"),
    ],
    needs: [.documents, .texts, .counters],
    models: named("Ledger"),
    draw: drawLedger,
    check: { try bindHeldTwice($0.subject, $0) }
  )

  /// Puts a new counter and a new text at both ends of their lists, encodes, edits both instances,
  /// and looks where the edits stand.
  private static func bindHeldTwice<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    guard var ledger = trial.value(of: trial.sample.values[0]) as? Ledger<S.Text, S.Counter> else {
      throw Skipped("the value is no ledger of the subject")
    }
    let (counter, text) = (S.Counter(trial.sample.index(0, below: 10)), S.Text("shared"))
    ledger.counters = [counter] + ledger.counters + [counter]
    ledger.texts = [text] + ledger.texts + [text]
    let document = try trial.document()
    let recorded = trial.stored(try TreeRecorder.tree(of: ledger))
    try document.encode(ledger)
    if let found = try trial.difference(document, from: recorded) { return found }
    counter.increment(by: 1000)
    text.value = "shared by two"
    let first = [PathKey.key("counters"), .index(0)]
    guard case .counter(let count)? = recorded[first] else { return nil }
    let added = recorded.replacing(first, with: .counter(count + 1000))
      .replacing([.key("texts"), .index(0)], with: .text("shared by two"))
    return try trial.difference(document, from: added, "after an edit of what stands twice")
  }

  /// Texts and counters wherever they stand, with how many there are of each.
  private struct References: Equatable, CustomStringConvertible {
    var counts: [Tree: Int] = [:]

    mutating func subtract(_ other: References) {
      counts.merge(other.counts) { $0 - $1 }
      counts = counts.filter { $0.value > 0 }
    }

    mutating func add(_ other: References) { counts.merge(other.counts, uniquingKeysWith: +) }

    var description: String {
      counts.flatMap { Array(repeating: "\($0.key)", count: $0.value) }.sorted()
        .joined(separator: ", ")
    }
  }

  private static func references(_ tree: Tree) -> References {
    var found = References()
    for path in tree.paths {
      switch tree[path] {
      case .text?, .counter?: tree[path].map { found.counts[$0, default: 0] += 1 }
      default: break
      }
    }
    return found
  }

  /// What a peer does: one element more before the first of each list.
  private static func insertInFront<Text: ModelText, Counter: ModelCounter>(
    of ledger: inout Ledger<Text, Counter>
  ) {
    ledger.counters.insert(Counter(70), at: 0)
    ledger.texts.insert(Text("the peer's"), at: 0)
    let row = Ledger<Text, Counter>.Row(id: -70, name: Text("the peer's row"), votes: Counter(71))
    ledger.rows.insert(row, at: 0)
    for key in ledger.groups.keys.sorted() { ledger.groups[key]?.insert(Counter(72), at: 0) }
    ledger.parts.insert(Ledger<Text, Counter>.Part(number: -71, tally: Counter(73)), at: 0)
  }

  /// Whether no list has two elements that are alike; rows count by their `id`.
  ///
  /// In counters 5, 5 either instance may be bound to either place, and both answers are right.
  private static func tellsInstancesApart(_ tree: Tree) -> Bool {
    tree.paths.allSatisfy { path in
      guard case .list(let elements)? = tree[path] else { return true }
      return Set(elements.map { $0.child(.key("id")) ?? $0 }).count == elements.count
    }
  }

  /// Adds to each text and counter something else; gives the tree that the document must have then.
  ///
  /// Each gets another amount, so that two instances that swapped their places show.
  ///
  /// Amounts are 1, 2, 3 and so on, over rows, counters, texts and groups in this order. What a place
  /// holds is read from the tree: an instance without a counter or text in its place gets nothing.
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
    for (index, part) in ledger.parts.enumerated() {
      part.tally.map { add(to: $0, [.key("parts"), .index(index), .key("tally")]) }
    }
    return tree
  }

  /// Numbers of different edits.
  private static let editCount = 4096

  /// A ledger and up to five edits: each a number for ``edit(_:_:)``; ``editCount`` more where instances
  /// that the document does not know stand in for those that are bound, and twice that where no encode
  /// comes before the next edit.
  ///
  ///     0x0324    an edit of the instances at hand, then an encode
  ///     0x1324    the same edit of fresh instances, unless an earlier edit still waits for its encode
  ///     0x2324    the same edit, and no encode: the next edit comes on top of it
  static let drawLedger: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    { model, sample, choices in
      sample.values = [try model.tree(&choices)]
      choices.repeated(upTo: 5, averaging: 2, "edit") { choices in
        sample.numbers.append(choices.number(in: 0...3 * editCount - 1))
      }
    }

  /// The number says which list, what happens to it, and where.
  ///
  /// From the lowest bits: two for what happens (move, remove, reverse, insert), two for the list,
  /// four for the element and the rest, up to 15, for the target and the content of a new one.
  ///
  /// Worked example: 0x324 has kind 0 (move) and list 1 (texts) in its last digit, element 2 in the
  /// one before, and target 3. Of texts a, b, c, d it makes a, b, d, c; where there is none to move or
  /// remove, it inserts one. The last digit f inserts into counters, texts and each group at once.
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
    case 0 where to >= 8:
      // A counter or none, so that some elements ask nothing of a coder; or one that counts what another does, which
      // is taken for it until the number beside it is looked at.
      let known = ledger.parts.lazy.compactMap(\.tally).first?.value
      let count = to % 4 == 2 ? known ?? to : to
      let fresh = Ledger<Text, Counter>.Part(number: to, tally: to % 2 == 0 ? Counter(count) : nil)
      ledger.parts = edited(ledger.parts, fresh)
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
