import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Calls that no derived model makes, and places that texts and counters are not made for: single
// calls of containers (`ProbedCalls.swift`), one instance at two places, a text over another kind,
// an element with another identity, a text or counter that is no part of a value.

extension CodingLaw {
  /// Calls that no derived model makes, and places that texts and counters are not made for.
  static let placeLaws: [CodingLaw] = [
    containerCalls, staysBound, textOverOther, otherIdentity, alone,
  ]

  // MARK: - Containers

  /// Catches containers that advance when they refuse, count wrong, or answer `decodeIfPresent` by
  /// another rule than `decode`.
  ///
  /// Models stop at the first refusal. Code written by hand goes on: `try?
  /// container.decode(Int.self)`, then `decode(String.self)`. Up to 16 calls are made of a list of
  /// up to 5 elements and of two keys of any kind.
  static let containerCalls = CodingLaw(
    "containers.calls",
    "Each call of a container follows the rules.",
    "Whatever a type asks a container for, in whatever order and after whatever refusal, is answered by the "
      + "rules: a refused element stays the next one.",
    source: .specification(.codable, "Decoding by type"),
    needs: [.documents, .documentRules],
    models: named("Empty"),
    draw: { _, sample, choices in
      var elements: [Tree] = []
      // Of any kind: most calls are then refused, which is what is asked about.
      choices.repeated(upTo: 5, averaging: 3, "element") { choices in
        elements.append(choices.element(of: CodingSample.strangers))
      }
      var entries = [Tree.Entry(ProbedCalls.listKey.stringValue, .list(elements))]
      for key in ProbedCalls.keys where choices.flag(percent: 80) {
        entries.append(Tree.Entry(key.stringValue, choices.element(of: CodingSample.strangers)))
      }
      sample.trees = [.map(of: entries)]
      choices.repeated(upTo: 16, averaging: 8, "call") { choices in
        sample.numbers.append(choices.number(in: 0...(ProbedCalls.callCount * 8 - 1)))
      }
    },
    check: { trial in
      guard case .map(let entries)? = trial.sample.trees.first, let key = ProbedCalls.key else {
        return nil
      }
      let document = try trial.document()
      for entry in entries { try document.put(entry.value, at: [.key(entry.key)]) }
      // Stored samples may have negative ones, which would count as no call.
      let numbers = trial.sample.numbers.map(\.notNegative)
      let found = try document.decode(ProbedCalls.self, at: [], userInfo: [key: numbers]).outcomes
      var first: [String]?
      for rules in DecodingRules.readings {
        var decoder = TreeDecoder()
        decoder.rules = rules
        decoder.optionalsReadNothing = true
        decoder.userInfo = [key: numbers]
        let expected = try decoder.decode(ProbedCalls.self, from: document.tree()).outcomes
        // One reading must explain all answers: a coder that follows one rule here and another
        // there is wrong.
        if expected == found { return nil }
        first = first ?? expected
      }
      guard let first else { return nil }
      let place = zip(first, found).enumerated().first { $1.0 != $1.1 }
      return Difference(
        kind: "calls.differ",
        summary: "answer \(place?.offset ?? 0) of a container is another",
        expected: place?.element.0 ?? "\(first.count) answers",
        actual: place?.element.1 ?? "\(found.count) answers"
      ).between("the containers of the rules of decoding", "the coder's containers")
    }
  )

  // MARK: - Texts and counters

  /// Catches an encode that binds each instance to the place that it wrote last.
  ///
  /// Worked example: a counter stands in `counters` and, by mistake of the app, in `groups` as
  /// well. If it is bound to `groups` (`counter-bound-anew`), the next increment is missing where
  /// the app had read the counter.
  static let staysBound = CodingLaw(
    "reference.stays-bound",
    "A second place leaves texts and counters bound.",
    "A text or counter that is encoded at a second place as well is written there and stays bound to the "
      + "first: what is added to it stands there alone until the next encode.",
    source: [
      .specification(.codable, "Counter"), .specification(.codable, "AutomergeText"),
    ],
    needs: [.documents, .texts, .counters],
    models: named("Ledger"),
    draw: drawLedger,
    check: { try share($0.subject, $0) }
  )

  /// Puts the first counter and text of the sample's choice at a second place each, and looks three
  /// times: after the encode, after an edit of both instances, and after another encode, which
  /// brings the copies up to date.
  ///
  /// Worked example: number 0, counters 1 and 5. The first is shared, and 1 is added to it.
  ///
  ///                           counters[0]      groups, "a second place"      the new row's votes
  ///     the first encode           1                      1                           1
  ///     the instance's edit        2                      1                           1
  ///     the next encode            2                      2                           2
  private static func share<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    typealias OwnLedger = Ledger<S.Text, S.Counter>
    let document = try trial.document(holding: 0)
    var ledger = try document.decode(OwnLedger.self)
    guard !ledger.counters.isEmpty, !ledger.texts.isEmpty else {
      throw Skipped("there is no counter, or no text, in a list")
    }
    let number = (trial.sample.numbers.first ?? 0).notNegative
    let first = (counter: number % ledger.counters.count, text: number / 16 % ledger.texts.count)
    let (counter, text) = (ledger.counters[first.counter], ledger.texts[first.text])
    // The counter goes into two more places, a group and the new row; the text into that row alone.
    ledger.groups["a second place"] = [counter]
    ledger.rows.append(OwnLedger.Row(id: 5000, name: text, votes: counter))
    try document.encode(ledger)
    // What the document holds after the encode is the base of all that follows: other laws judge
    // it.
    let before = try document.tree()
    let places =
      (
        counter: [
          [.key("counters"), .index(first.counter)],
          [.key("groups"), .key("a second place"), .index(0)],
        ],
        text: [
          [.key("texts"), .index(first.text)],
          [.key("rows"), .index(ledger.rows.count - 1), .key("name")],
        ]
      ) as (counter: [[PathKey]], text: [[PathKey]])
    guard case .counter(let count)? = before[places.counter[0]],
      case .text(let string)? = before[places.text[0]]
    else {
      return Difference(kind: "reference.gone", summary: "the first place holds something else")
    }
    // A copy: both places hold one count and one string, though only the first is bound.
    guard before[places.counter[1]] == .counter(count), before[places.text[1]] == .text(string)
    else {
      return Difference(
        kind: "reference.copy",
        summary: "the second place holds something else than the first",
        expected: "\(count) and \(Tree.quoted(string))",
        actual: "\(before[places.counter[1]] ?? .null) and \(before[places.text[1]] ?? .null)"
      ).between("the first place in the document", "the second place in the document")
    }
    counter.increment(by: 1 + number % 9)
    text.value = string + "!"
    var expected = before.replacing(
      places.counter[0],
      with: .counter(count &+ Int64(1 + number % 9))
    )
    .replacing(places.text[0], with: .text(string + "!"))
    if let found = try trial.difference(document, from: expected, "after an edit of both") {
      return found
    }
    try document.encode(ledger)
    for place in places.counter + [[.key("rows"), .index(ledger.rows.count - 1), .key("votes")]] {
      expected = expected.replacing(place, with: .counter(count &+ Int64(1 + number % 9)))
    }
    expected = expected.replacing(places.text[1], with: .text(string + "!"))
    return try trial.difference(document, from: expected, "after another encode")
  }

  /// Catches texts that follow another rule than maps and lists where something is in the way.
  ///
  /// Worked example: a string stands at `text`, and the model has an `AutomergeText` there. By
  /// default this is refused: to write over the string would lose what a version that knows no
  /// texts wrote.
  ///
  /// Half of the texts stand in a list, where an element of another kind is taken for one that went, but a string is
  /// another version's.
  ///
  ///     strategy             over "x"       over a null       over a 3, in a list     over "x", in a list
  ///     .override            a text         a text            a text                  a text
  ///     .createWhenNeeded    refused        a text            a text                  refused
  ///     .readonly            refused        refused           refused                 refused
  static let textOverOther = CodingLaw(
    "text.over-other",
    "A text replaces another kind only with `.override`.",
    "A text over a value of another kind, in a list over a string, is refused, and touches nothing, unless the strategy "
      + "is `.override`; over a null it is made, unless the strategy is `.readonly`.",
    source: [
      .specification(.codable, "AutomergeText"),
      .specification(.codable, "Schema strategies", "Switching types"),
    ],
    needs: [.documents, .texts, .strategies],
    models: named("OneText"),
    draw: { model, sample, choices in
      sample.values = [try model.tree(&choices)]
      // Any kind but a text, which is no obstacle.
      sample.trees = [choices.element(of: CodingSample.strangers.filter { $0.kind != .text })]
      sample.numbers = [choices.index(below: EncodingSettings.Strategy.allCases.count)]
      sample.numbers.append(choices.number(in: 0...1))
      if sample.numbers[1] == 1, choices.flag() { sample.trees = [.string("x")] }
    },
    check: { try textOver($0.subject, $0) }
  )

  private static func textOver<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let other = trial.sample.trees[0]
    let isElement = trial.sample.index(1, below: 2) == 1
    let document = try trial.document()
    let place: [PathKey] = isElement ? [.key("texts")] : [.key("text")]
    try document.put(isElement ? .list([other]) : other, at: place)
    let before = try Untouched(document)
    let strategies = EncodingSettings.Strategy.allCases
    var settings = EncodingSettings()
    settings.strategy = strategies[trial.sample.index(0, below: strategies.count)]
    let outcome = trial.outcome {
      if isElement {
        try document.encode(Own<S>.TextList(texts: [S.Text("typed")]), at: [], settings)
      } else {
        try document.encode(try trial.value(), at: [], settings)
      }
    }
    // A null is nothing in the way, but readonly makes no text there either.
    let isMade =
      switch settings.strategy {
      case .override: true
      case .createWhenNeeded: isElement ? other.kind != .string : other == .null
      case .readonly: false
      }
    switch outcome {
    case .success where isMade:
      let list = Tree.map([Tree.Entry("texts", .list([.text("typed")]))])
      let expected = isElement ? list : trial.stored(trial.sample.values[0])
      return try trial.difference(document, from: expected)
    case .success:
      return Difference(
        kind: "text.wrote",
        summary: "a text was written over \(other) with .\(settings.strategy.rawValue)"
      )
    case .failure(let error) where isMade:
      return error.complaint.difference(from: .schema(.other))
    case .failure(let error):
      guard case .schema = error.complaint else {
        return error.complaint.difference(from: .schema(.mismatched))
      }
      return try error.namesOther(than: other)
        ?? before.difference(document, after: "an encode that threw")
    }
  }

  // MARK: - Identities

  /// Catches matching that ignores `id` (`identities-ignored`): of two elements the old object
  /// stays, with all fields of the new one.
  ///
  /// Worked example: `{id: 1, name: "a", done: false}` is replaced by `{id: 7, name: "changed",
  /// done: true}`. A peer's edit of the first, which it knows as item 1, would show in item 7.
  static let otherIdentity = CodingLaw(
    "list.other-identity",
    "Another id, and little alike, is another element.",
    "An element that is replaced by one with another `id`, less than half of whose fields are alike, "
      + "becomes another object: a peer's edit of the old one does not reach it. With half of them alike it stays, and "
      + "so does one whose `id` is a null in both.",
    source: .specification(.codable, "Lists"),
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: valueWithListOfMaps,
    check: { trial in
      let keepsName = trial.sample.index(2, below: 2) == 1
      if let found = try Sparse.difference(trial, keepsName: keepsName) { return found }
      let tree = trial.sample.values[0]
      let lists = try listsOfMaps(trial)
      let list = lists[trial.sample.index(0, below: lists.count)]
      let place = list + [.index(trial.sample.index(1, below: tree[list]?.steps.count ?? 1))]
      guard let old = tree[place], case .map(let fields) = old,
        old.child(.key("id"))?.kind.isScalar ?? false
      else { throw Skipped("the element has no id") }
      // A field is kept or changed by a bit of its own; 0 keeps none. Every leaf of the others that can change
      // does, and so does the `id` if it is a number or string.
      let kept = trial.sample.index(2, below: 256)
      let new = Tree.map(
        fields.enumerated().map { number, field in
          let isKept = field.key != "id" && kept >> (number % 8) & 1 == 1
          return isKept ? field : Tree.Entry(field.key, field.value.mapNodes(changed))
        }
      )
      let alike = old.steps.count { old.child($0) == new.child($0) }
      guard old.child(.key("id")) != new.child(.key("id")),
        !fields.contains(where: { $0.value == .null })
      else { throw Skipped("the element's id does not change, or it has fields that are nil") }
      let isOther = alike * 2 < fields.count
      let edited = tree.replacing(place, with: new)
      guard trial.model.accepted(edited) == edited, let value = trial.value(of: edited),
        case .list(let elements)? = edited[list], Set(elements).count == elements.count
      else { throw Skipped("the model refuses it") }
      let document = try trial.document(holding: 0)
      let name = try document.objectName(at: place)
      try document.encode(value)
      if let found = try trial.difference(document, from: trial.stored(edited)) { return found }
      guard try (document.objectName(at: place) != name) != isOther else {
        return try Nameless.difference(trial)
      }
      return Difference(
        kind: "list.identity",
        summary: isOther
          ? "an element with another id stayed the object that the old one was"
          : "an element with another id, and half of its fields as they were, became another object"
      )
    }
  )
}

/// An element whose `id` it writes as a null by itself.
private struct Nameless: Encodable {
  let count: Int

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKey.self)
    try container.encodeNil(forKey: .key("id"))
    try container.encode(count, forKey: .key("count"))
    try container.encode("\(count)", forKey: .key("name"))
  }

  /// Where one of two such elements becomes another object, though its `id` is as it was.
  ///
  /// Of its three fields only the `id` stays.
  static func difference(_ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document()
    let place = [PathKey.key("list"), .index(0)]
    try document.encode(["list": [Nameless(count: 1), Nameless(count: 2)]])
    let name = try document.objectName(at: place)
    try document.encode(["list": [Nameless(count: 3), Nameless(count: 2)]])
    let elements = [3, 2].map { count in
      Tree.map(
        of: [
          Tree.Entry("count", .int(Int64(count))), Tree.Entry("id", .null),
          Tree.Entry("name", .string("\(count)")),
        ]
      )
    }
    let due = Tree.map([Tree.Entry("list", .list(elements))])
    if let found = try trial.difference(document, from: due, "elements without an id") {
      return found
    }
    guard try document.objectName(at: place) != name else { return nil }
    return Difference(
      kind: "list.identity",
      summary: "an element whose id is a null became another object"
    )
  }
}

/// An element most of whose fields are `nil`, and written all the same.
private struct Sparse: Encodable {
  let id: Int
  let name: String
  let note: String?
  let place: String?
  let color: String?

  init(_ id: Int, _ name: String) {
    (self.id, self.name) = (id, name)
    (note, place, color) = (nil, nil, nil)
  }

  /// Where one of two such elements, whose `id` has changed, is another object though its `name` stays, or the same
  /// one though that has changed as well.
  ///
  /// What both lack makes no two elements alike.
  static func difference(_ trial: CodingTrial, keepsName: Bool) throws -> Difference? {
    let document = try trial.document()
    let place = [PathKey.key("list"), .index(0)]
    try document.encode(["list": [Sparse(1, "a"), Sparse(2, "b")]])
    let before = try document.objectName(at: place)
    try document.encode(["list": [Sparse(7, keepsName ? "a" : "c"), Sparse(2, "b")]])
    guard try (document.objectName(at: place) == before) != keepsName else { return nil }
    return Difference(
      kind: "list.identity",
      summary: keepsName
        ? "an element with another id, whose only other field stays, became another object"
        : "an element with another id, and nothing alike but what is nil, stayed the object that the old one was"
    )
  }
}

extension CodingLaw {
  /// Catches an instance that is looked for where a value has its fields, or that is read and not bound.
  ///
  /// The sample's numbers, in order: the count, the place, text or counter, and whether an earlier program has left it
  /// under `value` there. A value that is found is edited, and must reach the place.
  ///
  ///     encoded             at             stands at       as an earlier program left it
  ///     the text "a"        the root       value           value
  ///     the text "a"        a              a               a.value
  ///     a counter of 3      a.[0]          a.[0]           a.[0].value
  static let alone = CodingLaw(
    "reference.alone",
    "Texts and counters alone are found again.",
    "A text or counter that is encoded alone stands under `value` at the root, and itself at a path; it is read there "
      + "bound, also where an earlier program put it under `value`, and a text is written there.",
    source: .specification(.codable, "Text and counter at the top level"),
    needs: [.documents, .texts, .counters, .paths, .bindsToPlaces],
    models: named("OneText"),
    draw: { _, sample, choices in
      let text = Generator<String>.hostileText(unicodeScalarsUpTo: 4, long: false)
      sample.trees = [.string(text.draw(&choices))]
      sample.numbers = [99, 3, 1, 1].map { choices.number(in: 0...$0) }
    },
    check: { try alone($0.subject, $0) }
  )

  private static func alone<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let sample = trial.sample
    var word = ""
    if case .string(let drawn)? = sample.trees.first { word = drawn }
    let count = sample.index(0, below: 100)
    let paths: [[PathKey]] = [
      [], [.key("a")], [.key("a"), .key("b")], [.key("a"), .index(0)],
    ]
    let path = paths[sample.index(1, below: paths.count)]
    let isText = sample.index(2, below: 2) == 0
    let isEarlier = sample.index(3, below: 2) == 1
    let place = path.isEmpty || isEarlier ? path + [.key("value")] : path
    let document = try trial.document()
    func difference(_ content: Tree, _ words: String) throws -> Difference? {
      try trial.difference(document, from: tree(content, at: place), words)
    }
    func unbound(_ words: String) -> Difference {
      Difference(kind: "reference.unbound", summary: "one that was \(words) alone is not bound")
    }
    let content: Tree = isText ? .text(word) : .counter(Int64(count))
    if isEarlier {
      let whole = tree(content, at: place)
      for step in whole.steps { try document.put(whole.child(step) ?? .null, at: [step]) }
    } else if isText {
      let text = S.Text(word)
      try document.encode(text, at: path, EncodingSettings())
      guard text.isBound else { return unbound("encoded") }
    } else {
      let counter = S.Counter(count)
      try document.encode(counter, at: path, EncodingSettings())
      guard counter.isBound else { return unbound("encoded") }
    }
    if let found = try difference(content, "once it is there") { return found }
    guard isText else {
      let counter = try document.decode(S.Counter.self, at: path, userInfo: [:])
      guard counter.isBound else { return unbound("decoded") }
      counter.increment(by: 5)
      return try difference(.counter(Int64(count + 5)), "once what was decoded was edited")
    }
    let text = try document.decode(S.Text.self, at: path, userInfo: [:])
    guard text.isBound else { return unbound("decoded") }
    text.value = "<" + word
    if let found = try difference(.text("<" + word), "once what was decoded was edited") {
      return found
    }
    try document.encode(S.Text("another"), at: path, EncodingSettings())
    return try difference(.text("another"), "once another one was encoded there")
  }

  /// A document's tree with nothing but what stands at a path.
  private static func tree(_ content: Tree, at path: [PathKey]) -> Tree {
    path.reversed().reduce(content) { below, step in
      switch step {
      case .key(let key): .map([Tree.Entry(key, below)])
      case .index: .list([below])
      }
    }
  }
}
