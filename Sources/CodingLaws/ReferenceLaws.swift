import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// long: laws of texts and of counters, each with its check as a type, since checks are generic over
// the subject's types.
//
// Texts that merge by character and counters that merge by adding. Each law is a statement (`static
// let`) and below it a `ReferenceCheck`. Texts come first. Places and further bindings:
// `ReferencePlaceLaws.swift`, `BindingLaws.swift`; instances that move in lists:
// `RelatedLaws.swift`.

extension CodingLaw {
  /// Texts that merge by character and counters that merge by adding.
  static let referenceLaws: [CodingLaw] = [
    textKept, textMerges, textBinds, textEmptied, textForeign, textRemoved, counterAdds, counterSet,
    counterUnchanged, counterBinds, counterBound, counterSetsAdd,
  ]

  private static let texts = LawSource.specification(.codable, "AutomergeText")
  private static let counters = LawSource.specification(.codable, "Counter")

  /// Three hostile texts of up to 8 scalars, and a number.
  ///
  /// Hostile are emoji of several scalars, combining letters and the like (`HostileText.swift`): a
  /// text counts scalars, so a coder that counts characters splices at another place.
  private static let strings: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    {
      _,
      sample,
      choices in
      let text = Generator<String>.hostileText(unicodeScalarsUpTo: 8, long: false)
      for _ in 0..<3 { sample.trees.append(.string(text.draw(&choices))) }
      sample.numbers = [choices.number(in: 0...9)]
    }

  /// One of the three; empty if a stored sample has fewer.
  private static func string(_ trial: CodingTrial, _ index: Int) -> String {
    guard trial.sample.trees.indices.contains(index),
      case .string(let string) = trial.sample.trees[index]
    else { return "" }
    return string
  }

  /// A law on the subject's own types of text and counter.
  ///
  /// The models are generic over the subject's types, so that one law serves every coder with texts
  /// or counters.
  ///
  /// `OneText` or `OneCounter` is named only to have a model: checks make their own values.
  private static func law(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    needs feature: CoderFeature,
    draw: @escaping @Sendable (Model, inout CodingSample, inout Choices) throws -> Void,
    check: any ReferenceCheck
  ) -> CodingLaw {
    CodingLaw(
      name,
      title,
      sentence,
      source: source,
      needs: [.documents, feature],
      models: named(feature == .texts ? "OneText" : "OneCounter"),
      draw: draw
    ) { trial in
      func open<S: CoderSubject>(_ subject: S) throws -> Difference? {
        try check.check(subject, trial)
      }
      return try open(trial.subject)
    }
  }

  /// A check that is generic over the subject's types.
  private protocol ReferenceCheck: Sendable {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference?
  }

  /// The zoo's models with texts and counters of the subject's types.
  private typealias Own<S: CoderSubject> = Collaborative<S.Text, S.Counter>

  /// Where what is at `side` is another.
  private static func differs<Value: Equatable>(
    _ kind: String,
    _ summary: String,
    of side: String,
    actual: Value,
    expected: Value
  ) -> Difference? {
    guard actual != expected else { return nil }
    return Difference(
      kind: kind,
      summary: summary,
      expected: shown(expected),
      actual: shown(actual)
    ).between(nil, side)
  }

  /// A value as a reader writes it: without the `Optional(...)` of Swift's descriptions.
  private static func shown(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { "\($0.value)" } ?? "nothing"
  }

  /// Texts are compared by their bytes, and shown as texts.
  private static func differs(
    _ kind: String,
    _ summary: String,
    of side: String,
    actual: [UInt8]?,
    expected: [UInt8]
  ) -> Difference? {
    guard actual != expected else { return nil }
    let shown = actual.map { Tree.quoted(String(decoding: $0, as: UTF8.self)) }
    return Difference(
      kind: kind,
      summary: summary,
      expected: Tree.quoted(String(decoding: expected, as: UTF8.self)),
      actual: shown ?? "no text"
    ).between(nil, side)
  }

  /// The text at a key of the root, as UTF-8; nil if none stands there.
  private static func text(_ document: any CodingDocument, _ key: String) throws -> [UInt8]? {
    guard case .text(let text)? = try document.tree().child(.key(key)) else { return nil }
    return Array(text.utf8)
  }

  // MARK: - Texts

  /// Catches a text that is made anew on each save: what peers type meanwhile goes into the old one
  /// and is lost.
  ///
  /// Worked example: the app saves "Milk" over "Mil" while a peer types "Bread" into the same text.
  /// With `text-replaced` the peer's letters go into an object that nothing shows any more.
  static let textKept = law(
    "text.kept",
    "Encoding over a text keeps the text.",
    "Encoding another string over a text keeps the text, and makes it that string; where the text itself moves to, what "
      + "it held before stands.",
    source: [texts, .issue("automerge-swift", 60)],
    needs: .texts,
    draw: strings,
    check: TextKept()
  )

  /// The object must have the same name, and hold the new string.
  private struct TextKept: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      try document.encode(Own<S>.OneText(text: S.Text(string(trial, 0))))
      let name = try document.objectName(at: [.key("text")])
      try document.encode(Own<S>.OneText(text: S.Text(string(trial, 1))))
      let after = try document.objectName(at: [.key("text")])
      return try differs(
        "text.replaced",
        "the text is another object",
        of: "the text in the document",
        actual: after,
        expected: name
      )
        ?? differs(
          "text.content",
          "the text holds something else",
          of: "the text in the document",
          actual: try text(document, "text"),
          expected: Array(string(trial, 1).utf8)
        )
        ?? moved(subject, document, trial)
    }

    /// A string takes a text's place, and the text another one.
    private func moved<S: CoderSubject>(
      _ subject: S,
      _ document: any CodingDocument,
      _ trial: CodingTrial
    ) throws -> Difference? {
      let bound = try document.decode(Own<S>.OneText.self).text
      try document.encode(StringAndText(text: string(trial, 2), second: bound))
      return try differs(
        "text.moved",
        "the text that another string has followed holds something else",
        of: "the text in its new place",
        actual: try text(document, "second"),
        expected: Array(string(trial, 1).utf8)
      )
        ?? differs(
          "text.followed",
          "the text over which another string was encoded holds something else",
          of: "the text in its old place",
          actual: try text(document, "text"),
          expected: Array(string(trial, 2).utf8)
        )
    }
  }

  /// A string where a text is stored, and that text under another key.
  private struct StringAndText<Text: ModelText>: Encodable {
    let text: String
    let second: Text
  }

  /// The reason for texts.
  ///
  /// Catches a text that is replaced as a whole where a few letters changed.
  ///
  /// Worked example: over "<a>" one peer saves "left <a>", the other "<a> right". `text-rewritten`
  /// deletes all letters and inserts the new ones on each side: the merge shows the middle twice.
  static let textMerges = law(
    "text.merges",
    "Concurrent changes of a text both stay.",
    "Two peers that encode changed strings at both ends of a text lose neither change.",
    source: [texts, .specification(.codable, "Strings and texts")],
    needs: .texts,
    draw: strings,
    check: TextMerges()
  )

  /// Each peer inserts at one end alone, so no letter of the middle may be touched.
  private struct TextMerges: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      // Letters that no piece of the drawn text can be part of.
      let middle = "<\(string(trial, 0))>"
      let document = try trial.document()
      try document.encode(Own<S>.OneText(text: S.Text(middle)))
      let peer = try document.fork(actor: 2)
      try document.encode(Own<S>.OneText(text: S.Text("left \(middle)")))
      try peer.encode(Own<S>.OneText(text: S.Text("\(middle) right")))
      try document.merge(peer)
      return differs(
        "text.merge",
        "after the merge the text holds something else",
        of: "the text after the merge",
        actual: try text(document, "text"),
        expected: Array("left \(middle) right".utf8)
      )
    }
  }

  /// Catches an instance that is bound by one of the two ways only, or that caches its value.
  ///
  /// Worked example: after a save the app types into the instance that it has. With
  /// `encode-does-not-bind` it types into a copy of its own, and the document hears of it with the
  /// next save, or never.
  static let textBinds = law(
    "text.binds",
    "Encoding or decoding a text binds it.",
    "A text is bound once it was encoded or decoded, also by its path alone: what is set on it stands in the "
      + "document.",
    source: texts,
    needs: .texts,
    draw: strings,
    check: TextBinds()
  )

  /// Sets one instance and looks at the other, so that a cached value shows.
  private struct TextBinds: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      let model = Own<S>.OneText(text: S.Text(string(trial, 0)))
      try document.encode(model)
      let decoded = try document.decode(Own<S>.OneText.self)
      let bound = [model.text.isBound, decoded.text.isBound]
      if let found = differs(
        "text.unbound",
        "a text that was encoded, or one that was decoded, is not bound",
        of: "the instances, the encoded one first",
        actual: bound,
        expected: [true, true]
      ) {
        return found
      }
      model.text.value = string(trial, 1)
      let isSetTwice = subject.features.contains(.paths)
      if isSetTwice {
        let path: [PathKey] = [.key("text")]
        try document.decode(S.Text.self, at: path, userInfo: [:]).value = string(trial, 2)
      }
      let wanted = Array(string(trial, isSetTwice ? 2 : 1).utf8)
      let seen = Array(decoded.text.value.utf8)
      return try differs(
        "text.set",
        "what was set",
        of: "the text in the document",
        actual: text(document, "text"),
        expected: wanted
      )
        ?? differs(
          "text.seen",
          "what the other instance shows",
          of: "the other instance",
          actual: seen,
          expected: wanted
        )
        ?? boundOverEqual(subject, document, String(decoding: wanted, as: UTF8.self))
    }

    /// Whether a text that is encoded over an equal one, and so writes nothing, is bound as well.
    private func boundOverEqual<S: CoderSubject>(
      _ subject: S,
      _ document: any CodingDocument,
      _ string: String
    ) throws -> Difference? {
      let model = Own<S>.OneText(text: S.Text(string))
      try document.encode(model)
      model.text.value = string + "!"
      return try differs(
        "text.equal",
        "what was set on a text that was encoded over an equal one",
        of: "the text in the document",
        actual: text(document, "text"),
        expected: Array((string + "!").utf8)
      )
    }
  }

  /// Catches a coder that takes an empty new text for one that was not loaded, and keeps the old
  /// content.
  ///
  /// Worked example: the user deletes all of a note. `text-never-emptied` leaves the old words,
  /// which come back when the note is read again.
  static let textEmptied = law(
    "text.emptied",
    "An empty text replaces the stored one.",
    "An empty text that the caller made replaces what the document held.",
    source: texts,
    needs: .texts,
    draw: strings,
    check: TextEmptied()
  )

  /// "some " stands first, so that there is always something to empty.
  private struct TextEmptied: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      try document.encode(Own<S>.OneText(text: S.Text("some \(string(trial, 0))")))
      try document.encode(Own<S>.OneText(text: S.Text("")))
      return differs(
        "text.content",
        "the text that was emptied holds something",
        of: "the text in the document",
        actual: try text(document, "text"),
        expected: []
      )
    }
  }

  /// Catches a binding that outlives its document: the text would be written into the document that
  /// it came from, or not at all.
  ///
  /// Worked example: a note is decoded from one document and encoded into another. There it must be
  /// a text with its words, and the first document must stay as it is; `foreign-text-empty` writes
  /// an empty one.
  static let textForeign = law(
    "text.from-elsewhere",
    "A bound text is copied into other documents.",
    "A text bound to one document is written with its content into another.",
    source: texts,
    needs: .texts,
    draw: strings,
    check: TextForeign()
  )

  /// Decodes from one document, encodes into another, and looks at both.
  private struct TextForeign: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let (document, other) = (try trial.document(), try trial.document(actor: 2))
      try document.encode(Own<S>.OneText(text: S.Text(string(trial, 0))))
      try other.encode(document.decode(Own<S>.OneText.self))
      let wanted = Array(string(trial, 0).utf8)
      return try differs(
        "text.content",
        "the text of the other document holds something else",
        of: "the text of the other document",
        actual: try text(other, "text"),
        expected: wanted
      )
        ?? differs(
          "text.source",
          "the text of the first document has changed",
          of: "the text of the first document",
          actual: try text(document, "text"),
          expected: wanted
        )
    }
  }

  /// Catches texts that are matched by position and rewritten as their neighbours.
  ///
  /// Worked example: of three paragraphs the first is deleted. By position each of the others is
  /// edited into its neighbour, and what a peer types into the second meanwhile stands in the
  /// third.
  static let textRemoved = law(
    "text.remove-one",
    "Removing one text touches no other.",
    "Removing or moving one text of a list touches that text alone.",
    source: [texts, .requirement(6)],
    needs: .texts,
    draw: strings,
    check: TextRemoved()
  )

  /// Three texts, one of which is removed; then the two that stay change places.
  private struct TextRemoved: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      let strings = (0..<3).map { "\($0)\(string(trial, $0))" }
      try document.encode(Own<S>.TextList(texts: strings.map { S.Text($0) }))
      let names = try (0..<3).map { try document.objectName(at: [.key("texts"), .index($0)]) }
      var model = try document.decode(Own<S>.TextList.self)
      let index = trial.sample.index(0, below: 3)
      let removed = model.texts.remove(at: index)
      try document.encode(model)
      let after = try (0..<2).map { try document.objectName(at: [.key("texts"), .index($0)]) }
      var wanted = names
      wanted.remove(at: index)
      if let found = differs(
        "list.identity",
        "the texts that stay",
        of: "the objects of the texts that stay",
        actual: after,
        expected: wanted
      ) {
        return found
      }
      let values = model.texts.map { Array($0.value.utf8) }
      var left = strings.map { Array($0.utf8) }
      left.remove(at: index)
      if let found = differs(
        "text.content",
        "the instances that stay",
        of: "the instances that stay",
        actual: values,
        expected: left
      ) {
        return found
      }
      _ = removed
      model.texts.reverse()
      try document.encode(model)
      let tree = Tree.map([
        Tree.Entry(
          "texts",
          .list(left.reversed().map { .text(String(decoding: $0, as: UTF8.self)) })
        )
      ])
      return try trial.difference(document, from: tree, "after the texts were reversed")
    }
  }

  // MARK: - Counters

  /// Three numbers of -100 to 900, of which -100 is the simplest: a counter goes down, too.
  private static let numbers: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    {
      _,
      sample,
      choices in
      for _ in 0..<3 { sample.numbers.append(choices.number(in: 0...1000, bias: .small) - 100) }
    }

  /// One of the three; 0 if a stored sample has fewer.
  private static func number(_ trial: CodingTrial, _ index: Int) -> Int {
    trial.sample.numbers.indices.contains(index) ? trial.sample.numbers[index] : 0
  }

  /// The counter at the root's key; nil if something else stands there.
  private static func count(_ document: any CodingDocument) throws -> Int64? {
    guard case .counter(let value)? = try document.tree().child(.key("counter")) else { return nil }
    return value
  }

  /// The reason for counters.
  ///
  /// Catches a set in place of an increment.
  ///
  /// One side counts by encoding a new number over the old one, as an app does that keeps plain
  /// values.
  static let counterAdds = law(
    "counter.adds",
    "Concurrent counts add up.",
    "Two peers that count, one by an increment and one by encoding, add up.",
    source: [counters, .issue("automerge-swift", 64)],
    needs: .counters,
    draw: numbers,
    check: CounterAdds()
  )

  /// Worked example: 10, then one peer encodes 13 and the other adds 4: 17.
  ///
  /// A put of 13 loses the 4, or 13 loses to it.
  private struct CounterAdds: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let (start, left, right) = (number(trial, 0), number(trial, 1), number(trial, 2))
      let document = try trial.document()
      try document.encode(Own<S>.OneCounter(counter: S.Counter(start)))
      let peer = try document.fork(actor: 2)
      try document.encode(Own<S>.OneCounter(counter: S.Counter(start + left)))
      let model = try peer.decode(Own<S>.OneCounter.self)
      model.counter.increment(by: right)
      try peer.encode(model)
      try document.merge(peer)
      let expected = Int64(start + left + right)
      return differs(
        "counter.sum",
        "after the merge the counter has another value",
        of: "the counter after the merge",
        actual: try count(document),
        expected: expected
      )
    }
  }

  /// Catches the opposite: an increment by the new value, where a new counter is meant.
  ///
  /// An unbound counter knows nothing of what the document holds: its value is meant as the whole
  /// count.
  static let counterSet = law(
    "counter.set",
    "A new counter starts at its own value.",
    "A new counter over an older one leaves its own value.",
    source: [counters, .issue("automerge-swift", 64)],
    needs: .counters,
    draw: numbers,
    check: CounterSet()
  )

  /// Worked example: 5 over 3.
  ///
  /// With automerge-swift 0.6.1 it is 2 * 3 - 5 = 1 (#64).
  private struct CounterSet: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      try document.encode(Own<S>.OneCounter(counter: S.Counter(number(trial, 0))))
      try document.encode(Own<S>.OneCounter(counter: S.Counter(number(trial, 1))))
      return differs(
        "counter.value",
        "the counter has another value",
        of: "the counter in the document",
        actual: try count(document),
        expected: Int64(number(trial, 1))
      )
    }
  }

  /// Catches a difference that is added on each save, which is 0 only if value and document agree.
  ///
  /// Two cycles: a counter that doubles on each save (`counter-doubles`) is then four times what it
  /// was.
  static let counterUnchanged = CodingLaw(
    "counter.unchanged",
    "Encoding unchanged counters writes nothing.",
    "Encoding again what was decoded changes no counter, wherever it stands.",
    source: [counters, .requirement(7), .issue("automerge-swift", 64)],
    needs: [.documents, .counters],
    models: { ordered($0) && $0.traits.contains(.counters) },
    draw: values(1),
    check: { trial in
      let document = try trial.document(holding: 0)
      for _ in 0..<2 {
        guard let value = try document.decode(trial.type) as? any Encodable else { return nil }
        try document.encode(value)
      }
      return try trial.difference(document, from: trial.stored(trial.sample.values[0]))
    }
  )

  /// Catches an instance that counts for itself, and an increment that is made twice, at once and
  /// by the next encode.
  ///
  /// Two instances of one place are asked: the one that was decoded with the model, and one that
  /// was decoded by its path.
  static let counterBinds = law(
    "counter.binds",
    "A decoded counter is bound.",
    "A counter that was decoded is bound, also by its path alone: what is added to it stands in the document.",
    source: counters,
    needs: .counters,
    draw: numbers,
    check: CounterBinds()
  )

  /// The sum must stand in the document and in the instance, after edits by two instances of one
  /// place.
  private struct CounterBinds: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      try document.encode(Own<S>.OneCounter(counter: S.Counter(number(trial, 0))))
      let model = try document.decode(Own<S>.OneCounter.self)
      guard model.counter.isBound else {
        return Difference(kind: "counter.unbound", summary: "the decoded counter is not bound")
      }
      model.counter.increment(by: number(trial, 1))
      var expected = number(trial, 0) + number(trial, 1)
      if subject.features.contains(.paths) {
        let path: [PathKey] = [.key("counter")]
        try document.decode(S.Counter.self, at: path, userInfo: [:]).increment(by: 3)
        expected += 3
      }
      return differs(
        "counter.value",
        "the document",
        of: "the counter in the document",
        actual: try count(document),
        expected: Int64(expected)
      )
        ?? differs(
          "counter.value",
          "the instance",
          of: "the instance",
          actual: model.counter.value,
          expected: expected
        )
    }
  }

  /// The same for the instance that was encoded.
  ///
  /// Catches a coder that binds on decoding only: an app that has just saved would count in vain.
  static let counterBound = law(
    "counter.bound-by-encode",
    "An encoded counter is bound.",
    "A counter that was encoded is bound: what is added to it stands in the document.",
    source: counters,
    needs: .counters,
    draw: numbers,
    check: CounterBound()
  )

  /// Also over an equal counter, where nothing is written and binding is all that an encode does.
  private struct CounterBound: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let document = try trial.document()
      let model = Own<S>.OneCounter(counter: S.Counter(number(trial, 0)))
      try document.encode(model)
      guard model.counter.isBound else {
        return Difference(kind: "counter.unbound", summary: "the encoded counter is not bound")
      }
      model.counter.increment(by: number(trial, 1))
      let expected = number(trial, 0) + number(trial, 1)
      if let found = differs(
        "counter.value",
        "the document",
        of: "the counter in the document",
        actual: try count(document),
        expected: Int64(expected)
      ) {
        return found
      }
      // One that is equal, and so writes nothing, is bound as well.
      let equal = Own<S>.OneCounter(counter: S.Counter(expected))
      try document.encode(equal)
      equal.counter.increment(by: 2)
      return differs(
        "counter.equal",
        "the document, behind a counter that was encoded over an equal one",
        of: "the counter in the document",
        actual: try count(document),
        expected: Int64(expected + 2)
      )
    }
  }

  /// Catches a set that overwrites: setting a bound counter means adding the difference to what it
  /// showed.
  ///
  /// `set` is for apps that have a number and no amount.
  static let counterSetsAdd = law(
    "counter.sets-add",
    "Counters that are set concurrently add up.",
    "Two peers that set a bound counter each add what they changed.",
    source: counters,
    needs: .counters,
    draw: numbers,
    check: CounterSetsAdd()
  )

  /// Worked example: from 10, one sets 12 and the other 15: 17.
  ///
  /// As two puts it would be 12 or 15.
  private struct CounterSetsAdd: ReferenceCheck {
    func check<S: CoderSubject>(_ subject: S, _ trial: CodingTrial) throws -> Difference? {
      let (start, left, right) = (number(trial, 0), number(trial, 1), number(trial, 2))
      let document = try trial.document()
      try document.encode(Own<S>.OneCounter(counter: S.Counter(start)))
      let peer = try document.fork(actor: 2)
      try document.decode(Own<S>.OneCounter.self).counter.set(start + left)
      try peer.decode(Own<S>.OneCounter.self).counter.set(start + right)
      let alone = differs(
        "counter.value",
        "one peer's counter",
        of: "one peer's counter",
        actual: try count(peer),
        expected: Int64(start + right)
      )
      try document.merge(peer)
      let expected = Int64(start + left + right)
      if let alone { return alone }
      return differs(
        "counter.sum",
        "the merged counter",
        of: "the merged counter",
        actual: try count(document),
        expected: expected
      )
    }
  }
}
