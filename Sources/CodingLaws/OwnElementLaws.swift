import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Texts and counters among others of their list, which a peer edits meanwhile, and counters over what is no counter.

extension CodingLaw {
  /// Elements of lists that texts and counters are bound to, and counters over other kinds.
  static let ownElementLaws: [CodingLaw] = [ownElements, counterOverOther]

  /// Texts and counters of a list, where some go or move, and two lists of pairs.
  ///
  /// Numbers: 0 whether texts, 1 how many, 2 whether those that stay keep their order, and from 3 on
  /// which one comes next. The trees are lists of pairs, each of a word and a count.
  private static let drawElements:
    @Sendable (Model, inout CodingSample, inout Choices) throws -> Void = { _, sample, choices in
      sample.numbers = [1, 5, 1].map { choices.number(in: 0...$0) }
      let count = 1 + sample.numbers[1]
      for _ in 0..<choices.number(in: 0...count) {
        sample.numbers.append(choices.number(in: 0...255))
      }
      func pair(_ choices: inout Choices) -> Tree {
        .list([1, 2].map { .int(Int64(choices.number(in: 0...$0))) })
      }
      let before = (0..<choices.number(in: 1...4)).map { _ in pair(&choices) }
      var after = before
      if choices.flag() { after.removeFirst() }
      if choices.flag() { after.append(pair(&choices)) }
      if choices.flag() { after = (0..<choices.number(in: 1...4)).map { _ in pair(&choices) } }
      sample.trees = [.list(before), .list(after)]
    }

  /// Catches a coder that takes the element of one that went for another one that has moved.
  ///
  /// What a peer does to the first shows in the second then, though the tree is right until they merge.
  ///
  /// Worked example: counters 0, 1 and 2; the app keeps 1 alone. Found by its number, or written anew, it
  /// loses the 200 that a peer added meanwhile. Where some change places each coder may move others: one that moved is
  /// written as a new one.
  ///
  ///     counters          the app keeps     the peer adds     merged
  ///     0, 1, 2           1                 100, 200, 300     201
  ///     0, 1, 2           1, 0              100, 200, 300     201, 0 or 1, 100: never 300 more
  static let ownElements = CodingLaw(
    "reference.own-element",
    "Texts and counters keep their own elements.",
    "A bound text or counter of a list that stays in order is the element that it was, with what a peer does to it "
      + "at once, also where a struct has it; none gets what a peer does to another. Each that is encoded over a like one "
      + "is bound where it stands.",
    source: [
      .specification(.codable, "AutomergeText"), .specification(.codable, "Counter"),
      .specification(.codable, "Lists"),
    ],
    needs: [.documents, .texts, .counters],
    models: named("OneText"),
    draw: drawElements,
    check: {
      try $0.sample.index(0, below: 2) == 1
        ? keepOwnTexts($0.subject, $0) ?? keepOwnRows($0.subject, $0) ?? bindPairs($0.subject, $0)
        : keepOwnCounters($0.subject, $0) ?? bindPairs($0.subject, $0)
    }
  )

  private static let elements = PathKey.key("elements")

  /// Which of some elements the app keeps, in their new order.
  private static func keptElements(_ sample: CodingSample) -> (count: Int, kept: [Int]) {
    let count = 1 + sample.index(1, below: 6)
    var left = Array(0..<count)
    var kept: [Int] = []
    for number in sample.numbers.indices.dropFirst(3) where !left.isEmpty {
      kept.append(left.remove(at: sample.index(number, below: left.count)))
    }
    if sample.index(2, below: 2) == 0 { kept.sort() }
    return (count, kept)
  }

  private static func keepOwnTexts<S: CoderSubject>(
    _: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let (count, kept) = keptElements(trial.sample)
    let document = try trial.document()
    try document.encode(["elements": (0..<count).map { S.Text("\($0)") }])
    let peer = try document.fork(actor: 2)
    for index in 0..<count {
      let place = [elements, .index(index)]
      try peer.spliceText(at: place, index: 1, deleting: 0, inserting: " of \(index)")
    }
    let texts = try document.decode([String: [S.Text]].self)["elements"] ?? []
    guard texts.count == count else { throw Skipped("the list is not decoded") }
    try document.encode(["elements": kept.map { texts[$0] }])
    try document.merge(peer)
    return try ownElement(
      document,
      kept,
      alone: { .text("\($0)") },
      edited: { .text("\($0) of \($0)") }
    )
  }

  /// A text, and two numbers; none of them tells it from others for good.
  private struct Row<Text: ModelText>: Codable {
    var text: Text
    var note: Int
    var rank: Int
  }

  /// Catches a coder that takes a new struct, which has one field of an old one, for that: the old one has its text,
  /// and another field besides.
  ///
  /// Worked example: `note` of a row changes, and a new row with the old `note` comes in front of it. Both have
  /// something of the old row, and neither is equal to it.
  ///
  ///     stored              a, 11, 12       a peer types in a
  ///     encoded     x, 11, -1       a, -2, 12
  ///     due         the peer's letters stand in a, and x is new
  private static func keepOwnRows<S: CoderSubject>(
    _: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let (count, kept) = keptElements(trial.sample)
    let changed = kept.first ?? 0
    let document = try trial.document()
    let rows = (0..<count).map { Row(text: S.Text("\($0)"), note: 10 * $0 + 1, rank: 10 * $0 + 2) }
    try document.encode(["elements": rows])
    let peer = try document.fork(actor: 2)
    let place = [elements, .index(changed), .key("text")]
    try peer.spliceText(at: place, index: 1, deleting: 0, inserting: " of the peer")
    var edited = try document.decode([String: [Row<S.Text>]].self)["elements"] ?? []
    guard edited.count == count else { throw Skipped("the list is not decoded") }
    let fresh = Row(text: S.Text("x"), note: edited[changed].note, rank: -1)
    edited[changed].note = -2
    edited.insert(fresh, at: changed)
    try document.encode(["elements": edited])
    try document.merge(peer)
    var due = (0..<count).map { (text: "\($0)", note: 10 * $0 + 1, rank: 10 * $0 + 2) }
    due[changed] = ("\(changed) of the peer", -2, 10 * changed + 2)
    due.insert(("x", 10 * changed + 1, -1), at: changed)
    let list = due.map { row in
      Tree.map(of: [
        Tree.Entry("note", .int(Int64(row.note))), Tree.Entry("rank", .int(Int64(row.rank))),
        Tree.Entry("text", .text(row.text)),
      ])
    }
    return try trial.difference(
      document,
      from: .map([Tree.Entry("elements", .list(list))]),
      "once a new row has come in front of a changed one, and a peer has edited that"
    )
  }

  private static func keepOwnCounters<S: CoderSubject>(
    _: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let (count, kept) = keptElements(trial.sample)
    let document = try trial.document()
    try document.encode(["elements": (0..<count).map { S.Counter($0) }])
    let peer = try document.fork(actor: 2)
    for index in 0..<count {
      try peer.increment(at: [elements, .index(index)], by: Int64(100 * (index + 1)))
    }
    let counters = try document.decode([String: [S.Counter]].self)["elements"] ?? []
    guard counters.count == count else { throw Skipped("the list is not decoded") }
    try document.encode(["elements": kept.map { counters[$0] }])
    try document.merge(peer)
    return try ownElement(
      document,
      kept,
      alone: { .counter(Int64($0)) },
      edited: { .counter(Int64($0 + 100 * ($0 + 1))) }
    )
  }

  /// Where a merged list has other elements than those that were kept, or one has what a peer did to another.
  private static func ownElement(
    _ document: any CodingDocument,
    _ kept: [Int],
    alone: (Int) -> Tree,
    edited: (Int) -> Tree
  ) throws -> Difference? {
    let isInOrder = kept == kept.sorted()
    let found = try kept.indices.map { try document.tree()[[elements, .index($0)]] ?? .null }
    let length = try document.tree()[[elements]]?.steps.count ?? 0
    let isRight = zip(found, kept).allSatisfy { tree, element in
      tree == edited(element) || !isInOrder && tree == alone(element)
    }
    guard !isRight || length != kept.count else { return nil }
    return Difference(
      kind: "reference.element",
      summary: "what a peer did to a text or counter of a list is lost, or stands at another one",
      expected: "\(kept.map(edited))",
      actual: "\(found) of \(length)"
    ).between("what was kept, and a peer has edited", "the merged document")
  }

  /// A text and a counter that stand together; nothing else tells such elements apart.
  private struct Pair<Text: ModelText, Counter: ModelCounter>: Codable {
    var text: Text
    var tally: Counter
  }

  /// Catches a coder that binds by a comparison which came to nothing.
  ///
  /// Worked example: `x` with 3 and `x` with 5 are stored, and new instances of `x` with 5 and `y` with 9 encoded. The
  /// text is found equal to the first one, before the counters are found to differ: it belongs to the second.
  private static func bindPairs<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let trees = trial.sample.trees
    func pairs(_ number: Int) -> [Pair<S.Text, S.Counter>] {
      guard trees.indices.contains(number), case .list(let elements) = trees[number] else {
        return []
      }
      return elements.map { element in
        let (word, count) = (
          element.child(.index(0))?.wholeNumber ?? 0, element.child(.index(1))?.wholeNumber ?? 0
        )
        return Pair(text: S.Text("\(word)"), tally: S.Counter(Int(clamping: count)))
      }
    }
    let document = try trial.document()
    try document.encode(["elements": pairs(0)])
    let new = pairs(1)
    try document.encode(["elements": new])
    for (index, pair) in new.enumerated() {
      pair.text.value = "text \(index)"
      pair.tally.set(100 + index)
    }
    let expected = new.indices.map { index in
      Tree.map(
        of: [
          Tree.Entry("tally", .counter(Int64(100 + index))),
          Tree.Entry("text", .text("text \(index)")),
        ]
      )
    }
    return try trial.difference(
      document,
      from: .map([Tree.Entry("elements", .list(expected))]),
      "after an edit of all that was encoded over another list"
    )
  }

  /// Catches a counter that follows other rules than scalars do where something is in the way.
  ///
  /// Worked example: a list stands at `counter`. A readonly encode replaces no object: what a peer has put there stays.
  ///
  ///     stands there      .override, .createWhenNeeded     .readonly      with `cautiousWrite`
  ///     a null            put                              put            put
  ///     a scalar          put                              put            refused
  ///     an object         put                              refused        refused
  static let counterOverOther = CodingLaw(
    "counter.over-other",
    "A counter replaces what the caller allows.",
    "A counter takes the place of a value of another kind, but of no object with `.readonly`, and with `cautiousWrite` "
      + "of a null alone; a refusal touches nothing.",
    source: [
      .specification(.codable, "Counter"), .specification(.codable, "Schema strategies"),
      .specification(.codable, "Cautious writing"),
    ],
    needs: [.documents, .counters, .strategies, .cautiousWrite],
    models: named("OneCounter"),
    draw: { _, sample, choices in
      let others = CodingSample.strangers.filter { $0.kind != .counter }
      sample.trees = [choices.flag(percent: 20) ? .null : choices.element(of: others)]
      sample.numbers = [EncodingSettings.Strategy.allCases.count - 1, 1, 99].map {
        choices.number(in: 0...$0)
      }
    },
    check: { try overOther($0.subject, $0) }
  )

  private static func overOther<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    guard let other = trial.sample.trees.first, other.kind != .counter else {
      throw Skipped("nothing else stands there")
    }
    let document = try trial.document()
    try document.put(other, at: [.key("counter")])
    let before = try Untouched(document)
    let strategies = EncodingSettings.Strategy.allCases
    var settings = EncodingSettings()
    settings.strategy = strategies[trial.sample.index(0, below: strategies.count)]
    settings.cautiousWrite = trial.sample.index(1, below: 2) == 1
    let count = trial.sample.index(2, below: 100)
    let model = Own<S>.OneCounter(counter: S.Counter(count))
    let outcome = trial.outcome { try document.encode(model, at: [], settings) }
    let isKept = settings.strategy == .readonly && !other.kind.isScalar
    switch outcome {
    case .success where !isKept && (!settings.cautiousWrite || other == .null):
      let expected = Tree.map([Tree.Entry("counter", .counter(Int64(count)))])
      return try trial.difference(document, from: expected)
    case .success:
      return Difference(
        kind: "counter.wrote",
        summary: "a counter was written over \(other) with .\(settings.strategy.rawValue)"
          + (settings.cautiousWrite ? ", cautiously" : "")
      )
    case .failure(let error):
      // Which of two reasons is told is open.
      switch error.complaint {
      case .encoding(path: ["counter"]) where settings.cautiousWrite && other != .null: break
      case .schema where isKept: break
      default: return error.complaint.difference(from: .encoding(path: ["counter"]))
      }
      return try error.namesOther(than: other)
        ?? before.difference(document, after: "an encode that threw")
    }
  }
}
