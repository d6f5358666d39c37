import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Counters that merge by adding. Places and further bindings: `ReferencePlaceLaws.swift`, `BindingLaws.swift`; instances
// that move in lists: `MovingReferenceLaws.swift`.

extension CodingLaw {
  /// Counters that merge by adding.
  static let counterLaws: [CodingLaw] = [
    counterAdds, counterSet, counterUnchanged, counterBinds, counterBound, countersBoundInLists,
    counterSetsAdd,
  ]

  private static let counters = LawSource.specification(.codable, "Counter")

  /// Three numbers of -100 to 900; -100 is the simplest: a counter goes down, too.
  private static let numbers: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    {
      _,
      sample,
      choices in
      for _ in 0..<3 { sample.numbers.append(choices.number(in: 0...1000, bias: .small) - 100) }
    }

  /// The counter at the root's key; `nil` if something else stands there.
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
  static let counterAdds = referenceLaw(
    "counter.adds",
    "Concurrent counts add up.",
    "Two peers that count, one by an increment and one by encoding, add up.",
    source: [counters, .issue("automerge-swift", 64)],
    needs: .counters,
    draw: numbers,
    check: { try adds($0.subject, $0) }
  )

  /// Worked example: 10, then one peer encodes 13 and the other adds 4: 17.
  ///
  /// A put of 13 loses the 4, or 13 loses to it.
  private static func adds<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let sample = trial.sample
    let (start, left, right) = (sample.number(0), sample.number(1), sample.number(2))
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

  /// Catches the opposite: an increment by the new value, where a new counter is meant.
  ///
  /// An unbound counter knows nothing of what the document holds: its value is meant as the whole
  /// count.
  static let counterSet = referenceLaw(
    "counter.set",
    "A new counter starts at its own value.",
    "A new counter over an older one leaves its own value.",
    source: [counters, .issue("automerge-swift", 64)],
    needs: .counters,
    draw: numbers,
    check: { try starts($0.subject, $0) }
  )

  /// Worked example: 5 over 3.
  ///
  /// With automerge-swift 0.6.1 it is 2 * 3 - 5 = 1 (#64).
  private static func starts<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document()
    try document.encode(Own<S>.OneCounter(counter: S.Counter(trial.sample.number(0))))
    try document.encode(Own<S>.OneCounter(counter: S.Counter(trial.sample.number(1))))
    return differs(
      "counter.value",
      "the counter has another value",
      of: "the counter in the document",
      actual: try count(document),
      expected: Int64(trial.sample.number(1))
    )
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
  static let counterBinds = referenceLaw(
    "counter.binds",
    "A decoded counter is bound.",
    "A counter that was decoded is bound, also by its path alone: what is added to it stands in the document. One that "
      + "is bound to nothing counts by itself. At a path where none stands none is read.",
    source: [counters, .specification(.codable, "Text and counter at the top level")],
    needs: .counters,
    draw: numbers,
    check: { try binds($0.subject, $0) }
  )

  /// The sum must stand in the document and in the instance, after edits by two instances of one
  /// place.
  private static func binds<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document()
    // Of its own as yet: what is added to it is what is encoded.
    let fresh = S.Counter(trial.sample.number(1))
    fresh.increment(by: trial.sample.number(2))
    fresh.set(trial.sample.number(0) - 1)
    fresh.increment(by: 1)
    if let found = differs(
      "counter.unbound-count",
      "a counter that is bound to nothing",
      of: "the instance",
      actual: fresh.value,
      expected: trial.sample.number(0)
    ) {
      return found
    }
    guard !fresh.isAttached else {
      return Difference(
        kind: "counter.attached",
        summary: "a counter is attached before it is bound"
      )
    }
    try document.encode(Own<S>.OneCounter(counter: fresh))
    let model = try document.decode(Own<S>.OneCounter.self)
    guard model.counter.isBound else {
      return Difference(kind: "counter.unbound", summary: "the decoded counter is not bound")
    }
    model.counter.increment(by: trial.sample.number(1))
    // The same field by a type that is written as its counter.
    let bare = try document.decode(Own<S>.BareCounter.self).counter.value
    guard bare.isBound else {
      return Difference(
        kind: "counter.unbound",
        summary: "the counter of a type that is written as its counter is not bound"
      )
    }
    bare.increment(by: 1)
    var expected = trial.sample.number(0) + trial.sample.number(1) + 1
    if subject.features.contains(.paths) {
      let path: [PathKey] = [.key("counter")]
      try document.decode(S.Counter.self, at: path, userInfo: [:]).increment(by: 3)
      expected += 3
    }
    return try differs(
      "counter.value",
      "the document",
      of: "the counter in the document",
      actual: count(document),
      expected: Int64(expected)
    )
      ?? differs(
        "counter.value",
        "the instance",
        of: "the instance",
        actual: model.counter.value,
        expected: expected
      )
      ?? readsOther(S.Counter.self, document, trial)
  }

  /// The same for the instance that was encoded.
  ///
  /// Catches a coder that binds on decoding only: an app that has just saved would count in vain.
  static let counterBound = referenceLaw(
    "counter.bound-by-encode",
    "An encoded counter is bound.",
    "A counter that was encoded is bound: what is added to it stands in the document.",
    source: counters,
    needs: .counters,
    draw: numbers,
    check: { try bound($0.subject, $0) }
  )

  /// Also over an equal counter, where nothing is written and binding is all that an encode does.
  private static func bound<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document()
    let model = Own<S>.OneCounter(counter: S.Counter(trial.sample.number(0)))
    try document.encode(model)
    guard model.counter.isBound else {
      return Difference(kind: "counter.unbound", summary: "the encoded counter is not bound")
    }
    model.counter.increment(by: trial.sample.number(1))
    let expected = trial.sample.number(0) + trial.sample.number(1)
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

  /// Elements of a list, each a number and perhaps a counter, and the same elements after some edits.
  ///
  /// As numbers: how many elements, then two numbers for each, and the same for the second list. A number
  /// below 0 stands for no counter.
  private static let twoLists: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    {
      _,
      sample,
      choices in
      func part(_ choices: inout Choices) -> [Int] {
        [choices.number(in: 0...2), choices.number(in: 0...3) - 1]
      }
      var parts = (0...choices.number(in: 0...4)).map { _ in part(&choices) }
      sample.numbers = [parts.count] + parts.flatMap(\.self)
      for _ in 0...choices.number(in: 0...1) {
        let place = choices.number(in: 0...parts.count)
        switch choices.number(in: 0...2) {
        case 0 where place < parts.count: parts[place] = part(&choices)
        case 1 where place < parts.count: parts.remove(at: place)
        default: parts.insert(part(&choices), at: place)
        }
      }
      sample.numbers += [parts.count] + parts.flatMap(\.self)
    }

  /// Catches a coder that binds what it writes, and not what it finds equal and passes by.
  ///
  /// Worked example: a list has an element with the counter 1 and one without. An app encodes new values, of
  /// which the second alone differs, and adds to the first one's counter.
  static let countersBoundInLists = referenceLaw(
    "counter.bound-in-lists",
    "All counters of an encoded list are bound.",
    "Of a list that is encoded over another one each counter is bound, whether its element was written or "
      + "stood there: what is added to it stands in the document.",
    source: counters,
    needs: .counters,
    draw: twoLists,
    check: { try boundInLists($0.subject, $0) }
  )

  private static func boundInLists<S: CoderSubject>(
    _: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    var numbers = trial.sample.numbers[...]
    func ledger() -> Ledger<S.Text, S.Counter> {
      let count = max(0, min(numbers.popFirst() ?? 0, numbers.count / 2))
      let parts = (0..<count).map { _ in
        let (number, tally) = (numbers.removeFirst(), numbers.removeFirst())
        return Ledger<S.Text, S.Counter>.Part(
          number: number,
          tally: tally < 0 ? nil : S.Counter(tally)
        )
      }
      return Ledger<S.Text, S.Counter>(rows: [], counters: [], texts: [], groups: [:], parts: parts)
    }
    let document = try trial.document()
    try document.encode(ledger())
    let model = ledger()
    try document.encode(model)
    var expected: [Int64?] = []
    for (index, part) in model.parts.enumerated() {
      guard let tally = part.tally else {
        expected.append(nil)
        continue
      }
      guard tally.isBound else {
        return Difference(
          kind: "counter.unbound",
          summary: "the encoded counter of element \(index) is not bound"
        )
      }
      tally.increment(by: index + 1)
      expected.append(Int64(tally.value))
    }
    let parts = try document.tree().child(.key("parts"))
    for (index, value) in expected.enumerated() {
      let stored = parts?.child(.index(index))?.child(.key("tally"))
      let count: Int64? = if case .counter(let count)? = stored { count } else { nil }
      if let found = differs(
        "counter.value",
        "the document",
        of: "the counter of element \(index) in the document",
        actual: count,
        expected: value
      ) {
        return found
      }
    }
    return nil
  }

  /// Catches a set that overwrites: setting a bound counter means adding the difference to what it
  /// showed.
  ///
  /// `set` is for apps that have a number and no amount.
  static let counterSetsAdd = referenceLaw(
    "counter.sets-add",
    "Counters that are set concurrently add up.",
    "Two peers that set a bound counter each add what they changed.",
    source: counters,
    needs: .counters,
    draw: numbers,
    check: { try setsAdd($0.subject, $0) }
  )

  /// Worked example: from 10, one sets 12 and the other 15: 17.
  ///
  /// As two puts it would be 12 or 15.
  private static func setsAdd<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let sample = trial.sample
    let (start, left, right) = (sample.number(0), sample.number(1), sample.number(2))
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
