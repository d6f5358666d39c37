import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// Encoding over what a careless comparison takes for the value, or does not take for it:
// `reencode.over-twin` for one leaf or key, `reencode.over-other-kinds` for numbers that are stored as
// another kind, `list.fewest-operations` for whole lists, and the generators of them. Drifts are data
// as in `DriftSample.swift`.

extension CodingLaw {
  /// Encoding over what a careless comparison takes for the value.
  static let twinLaws: [CodingLaw] = [overTwin, overOtherKinds, fewestOperations]

  private static let over = LawSource.specification(.codable, "Encoding over existing data")

  /// Catches comparisons that are shorter than the value: by the bits of another kind, by `==` of
  /// strings, by a rounded number, by the second of a date.
  ///
  /// Worked example: the value has `int -1`, a peer left `uint 18446744073709551615`, which has the
  /// same bits. To write nothing leaves a document that no longer decodes to -1. The same for a
  /// dictionary's key `"\u{E9}"` beside a stored `"e\u{301}"`: both are keys, and the second is
  /// surplus.
  static let overTwin = CodingLaw(
    "reencode.over-twin",
    "What only resembles the value is replaced.",
    "Where a peer left a scalar, or a key, that resembles the value's, the document reads as the value "
      + "after it was encoded again, or the encode throws and touches nothing.",
    source: [over, .requirement(4), .specification(.codable, "Dates")],
    needs: [.documents, .documentRules],
    models: ordered,
    draw: { model, sample, choices in
      let tree = try model.anyTree(&choices)
      sample.values = [tree]
      if choices.flag(percent: 25), sample.drawRespelledKey(model, &choices) { return }
      let leaves = tree.paths.filter { tree[$0]?.hasTwin ?? false }
      guard let (path, leaf) = tree.drawnPlace(among: leaves, &choices) else {
        throw Skipped("no leaf has a twin")
      }
      if choices.flag(percent: 40), sample.drawRoundedNumber(model, path, &choices) { return }
      guard let twin = leaf.storedTwin(&choices) else { throw Skipped("no leaf has a twin") }
      sample.trees = [Drift(.put, path, twin).tree]
    },
    check: { trial in
      guard !trial.sample.trees.isEmpty else { throw Skipped("no leaf has a twin") }
      let tree = trial.sample.values[0]
      let document = try trial.document(holding: 0)
      try trial.sample.apply(to: document)
      let before = try Untouched(document)
      if case .failure(let error) = trial.outcome({ try document.encode(try trial.value()) }) {
        return try before.refused(error, document)
      }
      // Surplus places first: a stray key may hide in what is decoded, as the model does not ask
      // for it.
      let steps = try document.tree().paths
      let known = Set(trial.stored(tree).paths)
      if let stray = steps.first(where: { !known.contains($0) && document.isThere($0) }) {
        return Difference(
          kind: "twin.stays",
          summary: "\(stray.place) is no part of the value, and is there after an encode"
        )
      }
      guard let decoded = try document.decode(trial.type) as? any Encodable else { return nil }
      let found = try TreeRecorder.tree(of: decoded).withDates(of: tree, keptBy: document.tree())
      return trial.declared(found).withoutSignsOfZero
        .difference(from: trial.declared(tree).withoutSignsOfZero)?
        .between(CodingTrial.encoded, CodingTrial.decoded)
    }
  )

  /// Catches comparisons, and numbers that stand for values in a search, that tell one number from
  /// itself where a peer stored it as another kind.
  ///
  /// Worked example: a set holds `uint 9223372036854775808`, which a peer in JavaScript stored as the
  /// float of that value. An encoder that looks for the element by its bits deletes one element and
  /// inserts the other, and so does the peer when it saves next.
  ///
  /// The sample's numbers are pairs: the place among the document's numbers, and the kind that the number
  /// gets there. A set stands in the document in an order of its own, so that places are of the document.
  static let overOtherKinds = CodingLaw(
    "reencode.over-other-kinds",
    "Equal numbers of other kinds stay.",
    "Where a peer stored numbers of the value as another kind of number, encoding the value again writes "
      + "nothing, in fields, lists and sets.",
    source: .specification(.codable, "Numbers of other kinds"),
    needs: [.documents, .documentRules],
    models: usual,
    draw: { model, sample, choices in
      var tree = try model.anyTree(&choices)
      let numbers = tree.paths.filter { tree[$0]?.wholeNumber != nil }
      // Numbers at which kinds end, which values seldom have.
      if !numbers.isEmpty, choices.flag(percent: 60) {
        let path = choices.element(of: numbers)
        let edited = tree.replacing(path, with: tree[path]?.greatNumber(&choices))
        if let accepted = model.accepted(edited) { tree = accepted }
      }
      sample.values = [tree]
      choices.repeated(upTo: 4, averaging: 2, "number") { choices in
        sample.numbers += [choices.number(in: 0...255), choices.number(in: 0...1)]
      }
    },
    check: { trial in
      guard trial.sample.values[0] == trial.sample.values[0].withoutSignsOfZero else {
        throw Skipped("a zero has a sign")
      }
      let document = try trial.document(holding: 0)
      let tree = try document.tree()
      let places = tree.paths.filter { !(tree[$0]?.otherKinds ?? []).isEmpty }
      guard !places.isEmpty, trial.sample.numbers.count > 1 else {
        throw Skipped("there is no number")
      }
      for pair in 0..<trial.sample.numbers.count / 2 {
        let place = places[trial.sample.index(2 * pair, below: places.count)]
        let kinds = tree[place]?.otherKinds ?? []
        try document.put(kinds[trial.sample.index(2 * pair + 1, below: kinds.count)], at: place)
      }
      let before = try Untouched(document)
      try document.encode(try trial.value())
      return try before.difference(document, after: "encoding the same numbers")
    }
  )

  // MARK: - The difference between lists

  /// Catches lists that are rewritten, or from the first difference to the end.
  ///
  /// Worked example: `[1, 2, 3, 4]` becomes `[2, 3, 4, 9]`: the common part is 2, 3, 4, so at most
  /// two operations are due. Element by element it would be four puts, and a peer's concurrent
  /// insertion would stand between other values.
  ///
  /// The limit counts deletions and insertions alone, so it is never less than what a coder needs:
  /// 4 elements and 4 elements, without twice the 3 in common, leave 2. `[1, 2]` to `[1, 9]` has the
  /// limit 2 as well, though one put does it. An element that is a list or map counts once, and once
  /// for each of its values: `[[1, 2], [3, 4]]` to `[[3, 4]]` has the limit 3.
  ///
  /// One sample in eight says to try a long list of the law's own, too (``twiceInLongList(_:)``).
  static let fewestOperations = CodingLaw(
    "list.fewest-operations",
    "Lists are written by their difference.",
    "A list that becomes another one adds at most an operation for each element, old or new, that stands outside "
      + "of their longest common part, and one for each value in it.",
    source: [.specification(.codable, "Lists"), .decision(10)],
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.lists) },
    draw: { model, sample, choices in
      let tree = try model.anyTree(&choices)
      sample.values = [tree]
      let lists = tree.paths.filter { tree[$0]?.isListOfFlatElements ?? false }
      guard !lists.isEmpty else { throw Skipped("no list can change") }
      let path = choices.element(of: lists)
      var list = tree[path] ?? .list([])
      if choices.flag(percent: 15), let long = list.longer(&choices) {
        let longTree = tree.replacing(path, with: long.old)
        if model.accepted(longTree) == longTree {
          sample.values = [longTree]
          list = long.new
        }
      } else if choices.flag(percent: 25), let shifted = list.shifted(&choices) {
        let otherTree = tree.replacing(path, with: shifted.old)
        if model.accepted(otherTree) == otherTree {
          sample.values = [otherTree]
          list = shifted.new
        }
      } else if choices.flag(percent: 15), let enclosed = list.enclosed(&choices) {
        let otherTree = tree.replacing(path, with: enclosed.old)
        if model.accepted(otherTree) == otherTree {
          sample.values = [otherTree]
          list = enclosed.new
        }
      } else {
        choices.repeated(upTo: 5, averaging: 2, "edit") { choices in
          if list.steps.count > 0 { list = list.another(&choices) }
        }
      }
      let edited = tree.replacing(path, with: list)
      guard edited != sample.values[0], model.accepted(edited) == edited else {
        throw Skipped("no list can change")
      }
      sample.values.append(edited)
      sample.trees = [Tree(path: path)]
      sample.numbers = [choices.number(in: 0...7)]
    },
    check: { trial in
      guard trial.sample.values.count == 2, let path = trial.sample.trees.first?.path else {
        throw Skipped("no list can change")
      }
      if let found = try twiceInLongList(trial) { return found }
      let (old, new) = (trial.sample.values[0], trial.sample.values[1])
      guard try !trial.wholes(of: trial.value()).contains(where: { path.starts(with: $0) }) else {
        throw Skipped("the list is part of what is written as a whole")
      }
      guard case .list(let before)? = trial.stored(old).withoutSignsOfZero[path],
        case .list(let after)? = trial.stored(new).withoutSignsOfZero[path]
      else { throw Skipped("no list can change") }
      // A coder may take lists for alike that have the same values in another order, as sets are stored in any.
      guard Set((before + after).map(\.withoutOrder)).count == Set(before + after).count else {
        throw Skipped("two elements have the same values")
      }
      // A coder may compare by a table of both lengths (200 * 200), unless equal ends leave less than
      // 8 of it. Lists without repetitions may be longer: their common part is found without such a
      // table, and so is the rest of a list in which some stand once. Of others the content alone is asked for.
      let isCounted =
        before.count * after.count <= 40_000 || differInOnePlace(before, after)
        || Set(before).count == before.count && Set(after).count == after.count
        || isEnclosed(before, in: after)
      let document = try trial.document(holding: 0)
      _ = try document.heads()
      let count = try document.operationCount()
      try document.encode(try trial.value(1))
      if let found = try trial.difference(document, from: trial.stored(new)) { return found }
      let added = try document.operationCount() - count
      // A deletion for each old element outside of the common part, an insertion for each new one.
      // A put serves both.
      let limit = after.difference(from: before).reduce(0) { count, change in
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): count + element.nodeCount
        }
      }
      guard isCounted, added > limit else { return nil }
      return Difference(
        kind: "operations.count",
        summary: "a list that became another added more operations than differences",
        expected: "at most \(limit)",
        actual: "\(added)"
      ).between(nil, "what the encode added to the document")
    }
  )

  /// Where a long list, of whose elements nearly all stand once, is not what was encoded last, once an element that stood
  /// twice in it stands once.
  ///
  /// Too long for a coder to compare each element with each, so that it looks for those that stand once on both sides.
  /// The element stands where such a run would begin.
  ///
  ///     old     0 1 2 ... 129  1  131 ... 258 259
  ///     new   260 1 2 ... 129 130 131 ... 258 261
  private static func twiceInLongList(_ trial: CodingTrial) throws -> Difference? {
    guard trial.sample.index(0, below: 8) == 7 else { return nil }
    let count = 260
    var old = Array(0..<count)
    old[count / 2] = 1
    let new = [count] + Array(1..<count - 1) + [count + 1]
    let document = try trial.document()
    try document.encode(["list": old])
    try document.encode(["list": new])
    let list = Tree.list(new.map { .int(Int64($0)) })
    return try trial.difference(
      document,
      from: .map([Tree.Entry("list", list)]),
      "after an element of a long list went that stood twice"
    )
  }

  /// Whether a list has got an element at either end, and one of its own stands once, before and after.
  ///
  /// Between such elements nothing differs, whatever is there again and again.
  private static func isEnclosed(_ old: [Tree], in new: [Tree]) -> Bool {
    guard new.count == old.count + 2, new.dropFirst().dropLast().elementsEqual(old) else {
      return false
    }
    let counts = Dictionary(new.map { ($0, 1) }, uniquingKeysWith: +)
    return old.contains { counts[$0] == 1 }
  }

  /// Whether all but a few elements stand in front of or behind what two lists have at one place.
  private static func differInOnePlace(_ left: [Tree], _ right: [Tree]) -> Bool {
    let start = zip(left, right).prefix { $0 == $1 }.count
    let (restOfLeft, restOfRight) = (left.dropFirst(start), right.dropFirst(start))
    let end = zip(restOfLeft.reversed(), restOfRight.reversed()).prefix { $0 == $1 }.count
    return max(restOfLeft.count, restOfRight.count) - end < 8
  }
}

extension CodingSample {
  /// Puts a number at a leaf that another one would round to, or that it would round to, and that one in the
  /// document; false if the leaf is no number, or its type holds none of those.
  ///
  /// Integers are those beside 2^53, from which a `Double` is no longer exact, and at the ends of
  /// 64 bits. Worked example: the value has 2^53 + 1, the document the float 2^53. A comparison as
  /// `Double` finds them equal.
  fileprivate mutating func drawRoundedNumber(
    _ model: Model,
    _ path: [PathKey],
    _ choices: inout Choices
  ) -> Bool {
    let tree = values[0]
    let pair: (value: Tree, twin: Tree)
    let beyond = Int64(1) << 53
    switch tree[path] {
    case .int:
      let value = choices.element(of: [beyond + 1, -beyond - 1, .max, beyond - 1, .min, beyond + 3])
      pair = (.int(value), .float(Double(value)))
    case .uint:
      let value = choices.element(of: [UInt64(beyond + 1), .max, 1 << 63, UInt64(Int64.max)])
      pair = (.uint(value), .float(Double(value)))
    case .float(let value):
      // A `Float`, if the field is one or may be.
      let rounded = Double(Float(value))
      let short = rounded.isFinite ? rounded : 0.5
      pair = (.float(short), .float(choices.element(of: [short.nextUp, short.nextDown, short])))
    default: return false
    }
    let edited = tree.replacing(path, with: pair.value)
    guard model.accepted(edited) == edited else { return false }
    values = [edited]
    trees = [Drift(.put, path, pair.twin).tree]
    return true
  }

  /// Puts a key into one of the value's dictionaries, and beside it in the document the same text in
  /// another spelling; false if it has none.
  ///
  /// One spelling or the other is the model's: a coder that normalises all keys passes with one of
  /// them.
  fileprivate mutating func drawRespelledKey(_ model: Model, _ choices: inout Choices) -> Bool {
    let tree = values[0]
    let maps = tree.paths.filter { path in
      if case .map(let entries)? = tree[path] { !entries.isEmpty } else { false }
    }
    guard !maps.isEmpty else { return false }
    let map = choices.element(of: maps)
    guard case .map(let entries)? = tree[map] else { return false }
    let isDecomposed = choices.flag()
    let value = choices.element(of: entries).value
    let keys = isDecomposed ? ["e\u{301}", "\u{E9}"] : ["\u{E9}", "e\u{301}"]
    let edited = tree.replacing(map + [.key(keys[0])], with: value)
    guard model.accepted(edited) == edited else { return false }
    values = [edited]
    trees = [Drift(.put, map + [.key(keys[1])], .string("beside")).tree]
    return true
  }
}

extension CodingDocument {
  /// Whether anything but a null, which an optional reads as nothing, stands at a path.
  fileprivate func isThere(_ path: [PathKey]) -> Bool {
    guard let tree = try? tree() else { return false }
    return (tree[path] ?? .null) != .null
  }
}

extension Tree {
  /// Whether it is a list, and each element a scalar or a list or map of scalars.
  fileprivate var isListOfFlatElements: Bool {
    guard case .list(let elements) = self, !elements.isEmpty else { return false }
    return elements.allSatisfy { element in
      switch element {
      case .list(let values): values.allSatisfy(\.kind.isWrittenWhole)
      case .map(let entries): entries.allSatisfy(\.value.kind.isWrittenWhole)
      default: element.kind.isWrittenWhole
      }
    }
  }

  /// A list as if its elements came in one order; all else as it is.
  fileprivate var withoutOrder: Tree {
    guard case .list(let elements) = self else { return self }
    return .list(elements.sorted { "\($0)" < "\($1)" })
  }

  /// A list of 4 to 10 elements that resemble its first, and the same without one or two at its start and with as many
  /// more at its end; `nil` for an empty list.
  ///
  /// Two or three elements again and again, or up to eight: nearly nothing stays at its index, and of repeated elements
  /// none stands once.
  fileprivate func shifted(_ choices: inout Choices) -> (old: Tree, new: Tree)? {
    guard case .list(let elements) = self, let first = elements.first else { return nil }
    var pool = [first]
    for _ in 1..<choices.element(of: [2, 3, 8]) {
      pool.append((pool.last ?? first).mutated(&choices, upTo: 3, averaging: 2))
    }
    let shift = choices.number(in: 1...2)
    let count = choices.number(in: 4...10)
    let long = (0..<count + shift).map { _ in choices.element(of: pool) }
    return (.list(Array(long.dropLast(shift))), .list(Array(long.dropFirst(shift))))
  }

  /// A list of one element, and the same with one or two others on both sides of it, or the reverse; `nil` for an empty
  /// list, and where no three elements are found.
  ///
  /// The one is at neither end of the longer list.
  fileprivate func enclosed(_ choices: inout Choices) -> (old: Tree, new: Tree)? {
    guard case .list(let elements) = self, let first = elements.first else { return nil }
    var pool = [first]
    for _ in 0..<8 where pool.count < 5 {
      let other = (pool.last ?? first).mutated(&choices, upTo: 3, averaging: 2)
      if !pool.contains(other) { pool.append(other) }
    }
    guard pool.count > 2 else { return nil }
    let others = pool.dropFirst()
    let long = Tree.list([others[1]] + [first] + others.dropFirst())
    return choices.flag() ? (.list([first]), long) : (long, .list([first]))
  }

  /// Lists of 260 to 400 other elements, each once, that share no end and have long stretches in common, or of
  /// the same few elements again and again, that differ in one place; `nil` for a list whose first element is no
  /// number or string.
  ///
  /// Too long for a coder to compare each element with each. Of every fourth list of other elements one in three
  /// stands once, between few others; of every fourth one stands twice and another one not.
  ///
  /// Lists of few elements differ in one stretch of up to three elements; every other such edit is
  /// a pure insertion. Three in ten of them get an element at either end as well. Half get no other edit than that, and
  /// up to 40 elements that stand once in front of the others or behind them. In lists of other elements up to six stretches of up to 20 elements go or
  /// move; of every fourth one the start moves behind all others.
  fileprivate func longer(_ choices: inout Choices) -> (old: Tree, new: Tree)? {
    guard case .list(let elements) = self, let first = elements.first else { return nil }
    func element(_ number: Int) -> Tree? {
      switch first {
      case .int: .int(Int64(number))
      case .uint: .uint(UInt64(number))
      case .float: .float(Double(number))
      case .string: .string("\(number)")
      default: nil
      }
    }
    let count = choices.number(in: 260...400)
    if choices.flag(percent: 25) {
      let period = choices.number(in: 1...3)
      var numbers = (0..<count).map { $0 % period }
      let start = choices.index(below: count)
      let end = choices.flag() ? start : min(count, start + choices.number(in: 1...3))
      let inserted = (0..<choices.number(in: start == end ? 1...3 : 0...3)).map { $0 + 5 }
      var new = numbers[..<start] + inserted + numbers[end...]
      // At both ends, so that no end is equal, and nothing between them stands once.
      if choices.flag(percent: 30) { new = [4] + new + [4] }
      if choices.flag() {
        let single = (0..<choices.number(in: 1...40)).map { $0 + 10 }
        numbers = choices.flag() ? single + numbers : numbers + single
        new = [4] + numbers + [4]
      }
      let (old, edited) = (numbers.compactMap(element), new.compactMap(element))
      return old.count == numbers.count ? (.list(old), .list(edited)) : nil
    }
    var numbers = Array(0..<count)
    numbers.removeFirst()
    numbers.removeLast()
    choices.repeated(upTo: 6, averaging: 3, "edit") { choices in
      let start = choices.index(below: numbers.count)
      let end = min(numbers.count, start + choices.number(in: 1...20))
      let stretch = Array(numbers[start..<end])
      numbers.removeSubrange(start..<end)
      if choices.flag() {
        numbers.insert(contentsOf: stretch, at: choices.index(below: numbers.count + 1))
      }
    }
    if choices.flag(percent: 25) {
      let start = choices.number(in: 1...20)
      numbers = Array(numbers.dropFirst(start) + numbers.prefix(start))
    }
    numbers = [count + 1] + numbers + [count + 2]
    let repeats = choices.flag(percent: 25)
    func mixed(_ number: Int) -> Tree? {
      element(repeats && number < count && number % 3 > 0 ? number % 3 : number)
    }
    // One that stands twice before, and at most once afterwards.
    var before = Array(0..<count)
    if choices.flag(percent: 25) {
      // Of the first ones, too, which a coder would begin the common part with.
      before[choices.index(below: count)] =
        choices.flag() ? choices.number(in: 1...3) : choices.index(below: count)
    }
    let (old, new) = (before.compactMap(mixed), numbers.compactMap(mixed))
    return old.count == count ? (.list(old), .list(new)) : nil
  }

  /// The same number as each other kind that holds it exactly.
  ///
  ///     int 7           uint 7, float 7
  ///     int -1          float -1
  ///     uint 2^63       float 2^63
  ///     int 2^53 + 1    uint 2^53 + 1, as no float holds it
  ///     float 0.5       none
  var otherKinds: [Tree] {
    guard let number = wholeNumber else { return [] }
    let kinds: [Tree?] = [
      Int64(exactly: number).map { .int($0) }, UInt64(exactly: number).map { .uint($0) },
      Double(exactly: number).map { .float($0) },
    ]
    return kinds.compactMap { $0 }.filter { $0.kind != kind }
  }

  /// A number of the same kind at which another kind ends, or beside one; itself if it is no number.
  ///
  /// All of them are exact as a float.
  fileprivate func greatNumber(_ choices: inout Choices) -> Tree {
    let half = UInt64(1) << 63
    return switch self {
    case .int: .int(choices.element(of: [1 << 53, .min, -1 << 53, 1 << 62, 0]))
    case .uint: .uint(choices.element(of: [half, half + 2048, 1 << 53, 1 << 62, 0]))
    case .float: .float(choices.element(of: [0x1p63, 0x1p53, -0x1p63, 0x1p63 + 2048, 0]))
    default: self
    }
  }

  /// Whether ``storedTwin(_:)`` has something that resembles it.
  fileprivate var hasTwin: Bool {
    switch self {
    case .boolean, .int, .uint, .float, .string, .bytes, .date, .text, .counter: true
    case .null, .timestamp, .unknown, .list, .map: false
    }
  }

  /// The tree with the dates of a value where the document holds a fraction of the same second.
  ///
  /// A peer's fraction stays there, and a model that rounds its dates may read another second of it.
  ///
  /// The rule itself is the law `date.keeps-milliseconds`; here it must not count as a difference.
  ///
  /// Worked example, in seconds since 1970: the value has 10.0.
  ///
  ///     the document has     after the encode     decoded     taken for
  ///     10 500 ms            10 500 ms            10.5        10.0: the fraction is the peer's
  ///     11 500 ms            10 000 ms            10.0        10.0, as it is
  fileprivate func withDates(of value: Tree, keptBy stored: Tree) -> Tree {
    value.paths.reduce(self) { found, path in
      guard case .date(let seconds)? = value[path],
        case .timestamp(let milliseconds)? = stored[path], milliseconds % 1000 != 0
      else { return found }
      let since1970 = Date(timeIntervalSinceReferenceDate: seconds).timeIntervalSince1970
      let isSameSecond = (Double(milliseconds) / 1000).rounded(.down) == since1970.rounded(.down)
      return isSameSecond ? found.replacing(path, with: value[path]) : found
    }
  }

  /// What a document may hold that resembles the leaf of a value; `nil` for a leaf that nothing resembles.
  fileprivate func storedTwin(_ choices: inout Choices) -> Tree? {
    if case .date(let seconds) = self {
      let since1970 = Date(timeIntervalSinceReferenceDate: seconds).timeIntervalSince1970
      guard let second = Int64(exactly: since1970.rounded(.down)),
        second.magnitude < 1 << 50
      else { return .timestamp(0) }
      // Within the second, at both of its ends, and in its neighbours.
      // 1, 500 and 999 lie in the second, 0 to 999 being its milliseconds; all others in a second
      // beside it.
      let offset = choices.element(of: [1, 999, 500, 1000, -1, -500, -999, -1000, 1500])
      return .timestamp(second * 1000 + Int64(offset))
    }
    // Otherwise the other normal form of a string, or another value of the same kind.
    if choices.flag() { return twin(&choices) }
    if case .string(let text) = self {
      let spellings = [
        text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
      ]
      if let other = spellings.first(where: { !$0.utf8.elementsEqual(text.utf8) }) {
        return .string(other)
      }
    }
    return another(&choices)
  }
}
