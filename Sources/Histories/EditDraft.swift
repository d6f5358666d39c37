// How edits are drawn: what (`edit`), where (`object`, `slot`, `position`) and with which values
// (`scalar`, `text`). A draft belongs to one history. It draws first what that history is like:
// kinds of edits and values that it leaves out (*swarm*), how many keys and objects it works on,
// how often values resemble one another.
//
// Numbers are wishes. `object(...)` may name the fourth object of three, and `position` index 12 of
// a list of two; the normaliser maps both to what is there (`Normaliser.swift`).
//
// Choices of 0 give the simplest edit: a put of int 0 under "k" of the root.

import DocumentModel
import PropertyEngine

/// Draws edits: which calls, on what, with which values a run makes.
struct EditDraft {
  private let kinds: [EditKind]
  private let kindWeights: [Int]
  private let scalarKinds: [ScalarKind]
  private let scalarWeights: [Int]
  private let objectKinds: [ObjectKind]
  /// 1 to 10 of ``keys``: few keys make edits meet.
  private let keyCount: Int
  /// The root, the base's objects, and up to three that edits may have made.
  private let objectCount: Int
  private let isHostile: Bool
  private let confusables: [Scalar]
  /// Of values: 70 in one history of five, else 3.
  private let confusablePercent: Int
  private let deletesBackwards: Bool
  /// Elements that one edit may write or delete; 0 where edits are small.
  private let pasteLimit: Int
  /// The last values drawn, the latest first: what new ones are near to.
  private var recent: [Scalar] = []
  /// Where a value was put last.
  private var lastPut: (object: ObjectName, slot: Slot)?
  /// The text that was typed last.
  private var lastTyped: ExactString?
  /// What the edit that is being drawn leans to, if it does.
  private var keystroke: Keystroke?

  private static let recentLimit = 6
  /// Positions below it are drawn in worlds of every size.
  static let positionLimit = 16

  /// Keys in the order in which runs come to use them; the last few are the awkward ones.
  ///
  /// Two of the last three are canonically equivalent, and two keys to Automerge; the empty key is
  /// last.
  private static let keys: [ExactString] = [
    "k", "n", "l", "t", "n2", "m", "a", "\u{e9}", "e\u{301}", "",
  ]

  init(limits: HistoryLimits, base: Base, pasteLimit: Int = 0, _ choices: inout Choices) {
    let capabilities = limits.capabilities
    self.pasteLimit = pasteLimit
    deletesBackwards =
      limits.impoliteCalls && capabilities.features.contains(.negativeDeletes)
    kinds = EditKind.allCases.filter(capabilities.allow)
    // Large worlds of one kind of edit take the specification minutes.
    let narrowPercent = pasteLimit == 0 ? 20 : 0
    kindWeights = HistoryDraft.swarm(
      kinds.map(\.weight),
      narrowPercent: narrowPercent,
      &choices
    )
    scalarKinds = ScalarKind.allCases.sorted { $0.simplicity < $1.simplicity }
      .filter(capabilities.scalars.contains)
    scalarWeights = HistoryDraft.swarm(
      scalarKinds.map(\.weight),
      narrowPercent: narrowPercent,
      &choices
    )
    objectKinds = [.list, .text, .map].filter(capabilities.objects.contains)
    keyCount = choices.preference { choices in
      1 + choices.index(below: Self.keys.count, bias: .weights([4, 4, 3, 2, 2, 2, 2, 1, 1, 1]))
    }
    objectCount = 1 + base.objectKinds.count + choices.index(below: 4)
    isHostile = limits.hostileText && choices.flag(percent: 25)
    confusables = NotableValues.confusables.filter { capabilities.scalars.contains($0.kind) }
    confusablePercent = choices.preference { $0.flag(percent: 20) } ? 70 : 3
  }

  /// An edit that the subjects can carry out; `nil` if they can do none.
  ///
  /// Draws the kind first, and then object, place and values, in the order of the call's arguments. A keystroke
  /// changes what is likely, and not which choices are drawn.
  mutating func edit(
    _ choices: inout Choices,
    leaningTo keystroke: Keystroke? = nil
  ) -> Edit<ObjectName>? {
    guard !kinds.isEmpty else { return nil }
    self.keystroke = keystroke
    defer { self.keystroke = nil }
    let weights = keystroke.map { keystroke in kinds.map { $0 == keystroke.call ? 1 : 0 } }
    switch kinds[choices.pick(weights: weights ?? kindWeights)] {
    case .put:
      let drawn = (object(&choices), slot(&choices))
      let value = scalar(&choices)
      let place = lately(drawn, percent: 8, &choices)
      lastPut = place
      return .put(place.object, place.slot, value)
    case .putObject:
      return .putObject(object(&choices), slot(&choices), objectKind(&choices))
    case .insert:
      return .insert(object(&choices), index: position(&choices), scalar(&choices))
    case .insertObject:
      return .insertObject(object(&choices), index: position(&choices), objectKind(&choices))
    case .delete:
      return .delete(object(&choices), slot(&choices))
    case .increment:
      let amount = choices.pick(weights: [6, 3, 2, 1, 1])
      let drawn = (object(&choices), slot(&choices))
      let place = lately(drawn, percent: 25, &choices)
      // Nothing, and so much that sums wrap around, beside the usual.
      return .increment(place.object, place.slot, by: [1, 2, -1, 0, .max][amount])
    case .splice:
      let object = object(&choices)
      let index = position(&choices)
      // Up to three elements, none as often as one.
      let deleting = deletion([3, 3, 2, 1], &choices)
      var inserting: [Scalar] = []
      choices.repeated(upTo: 4, averaging: 1, "value") { inserting.append(scalar(&$0)) }
      return .splice(object, index: index, deleting: deleting, inserting: inserting)
    case .spliceText:
      let object = object(&choices)
      let index = position(&choices)
      let deleting = deletion([5, 3, 2, 1], &choices)
      let text = typed(&choices)
      lastTyped = text
      return .spliceText(object, index: index, deleting: deleting, inserting: text)
    case .mark:
      return .mark(object(&choices), marking(&choices))
    }
  }

  /// An object and an index in it.
  ///
  /// For cursors; the normaliser moves them to a list or text.
  func place(_ choices: inout Choices) -> (object: ObjectName, index: Int) {
    (object(&choices), position(&choices))
  }

  /// Few names, so that marks of one name meet.
  ///
  /// A mark covers 0 to 5 units, two most often; a mark of no units is valid.
  private mutating func marking(_ choices: inout Choices) -> Marking {
    let start = position(&choices)
    let length = choices.index(below: 6, bias: .weights([1, 3, 4, 2, 2, 1]))
    let name = choices.element(of: Self.markNames)
    let value = markValue(&choices)
    let expand = choices.element(of: MarkExpansion.allCases)
    return Marking(start, to: start + length, name, value, expand: expand)
  }

  /// Two of them are equal by Swift's `==`.
  ///
  /// Four names, the simplest first.
  private static let markNames: [ExactString] = ["b", "e\u{301}", "\u{e9}", ""]

  /// True five times in eleven, null three times: most marks are set or taken away.
  private mutating func markValue(_ choices: inout Choices) -> Scalar {
    switch choices.pick(weights: [5, 3, 2, 1]) {
    case 0: .boolean(true)
    case 1: .null
    case 2: .string(text(&choices))
    default: scalar(&choices)
    }
  }

  /// An edit that may not fit: any call on any object, with indexes that may lie anywhere.
  ///
  /// The normaliser keeps it where the specification refuses it.
  ///
  /// 85 of 100 are edits as any other; the specification refuses some of them: an increment where
  /// no counter stands, a splice of a map.
  mutating func unfit(_ choices: inout Choices) -> Edit<ObjectName>? {
    guard let edit = edit(&choices) else { return nil }
    guard choices.flag(percent: 15) else { return edit }
    // An index that no object has: the greatest that the text form can write.
    let index = 1_000_000_000
    return switch edit {
    case .put(let object, _, let value): .put(object, .index(index), value)
    case .putObject(let object, _, let kind): .putObject(object, .index(index), kind)
    case .insert(let object, _, let value): .insert(object, index: index, value)
    case .insertObject(let object, _, let kind): .insertObject(object, index: index, kind)
    case .delete(let object, _): .delete(object, .index(index))
    case .splice(let object, let start, _, let values):
      .splice(object, index: start, deleting: deletesBackwards ? -index : 0, inserting: values)
    case .mark(let object, let marking): .mark(object, marking.turned)
    default: edit
    }
  }

  /// How many to delete; seldom a negative number, which deletes before the index.
  ///
  /// In large worlds one in five deletes up to `pasteLimit`. Of deletions that may be negative, 8
  /// in 100 are.
  private func deletion(_ weights: [Int], _ choices: inout Choices) -> Int {
    if pasteLimit > 0, choices.flag(percent: keystroke == nil ? 20 : 0) {
      return choices.number(in: 0...pasteLimit, bias: .sizes)
    }
    let bias = keystroke.map { Bias.only($0.isBackspace ? 1 : 0) } ?? .weights(weights)
    let count = choices.index(below: weights.count, bias: bias)
    guard deletesBackwards, count > 0 else { return count }
    return choices.flag(percent: 8) ? -count : count
  }

  private func object(_ choices: inout Choices) -> ObjectName {
    ObjectName(choices.index(below: objectCount, bias: keystroke?.object ?? .uniform))
  }

  /// A key and a position in one: which of them counts depends on the object.
  ///
  /// Indexes and keys stand 40 to 60.
  private func slot(_ choices: inout Choices) -> Slot {
    choices.flag(percent: 40) ? .index(position(&choices)) : key(&choices)
  }

  /// The place of the last put instead of one that was drawn, in `percent` of a hundred.
  ///
  /// A counter that is incremented then stands beside what another writer has put there more often than by chance.
  private func lately(
    _ drawn: (ObjectName, Slot),
    percent: Int,
    _ choices: inout Choices
  ) -> (object: ObjectName, slot: Slot) {
    guard let lastPut, choices.flag(percent: keystroke == nil ? percent : 0) else { return drawn }
    return lastPut
  }

  private func key(_ choices: inout Choices) -> Slot {
    .key(Self.keys[choices.number(in: 0...(Self.keys.count - 1), bias: .weights(keyWeights))])
  }

  private var keyWeights: [Int] {
    Self.keys.indices.map { $0 < keyCount ? 1 : 0 }
  }

  /// Below 16, small ones more often; in a large world half of them anywhere up to `pasteLimit`.
  private func position(_ choices: inout Choices) -> Int {
    if pasteLimit > 0, choices.flag(percent: keystroke == nil ? 50 : 0) {
      return choices.number(in: 0...pasteLimit)
    }
    return choices.index(below: Self.positionLimit, bias: keystroke?.position ?? .small)
  }

  private func objectKind(_ choices: inout Choices) -> ObjectKind {
    objectKinds.isEmpty ? .map : objectKinds[choices.index(below: objectKinds.count)]
  }

  /// Values resemble earlier ones of the same history, for a comparison that is too short or too
  /// lax shows only where two values are nearly equal.
  private mutating func scalar(_ choices: inout Choices) -> Scalar {
    guard !scalarKinds.isEmpty else { return .null }
    let value = near(&choices) ?? fresh(&choices)
    recent.insert(value, at: 0)
    if recent.count > Self.recentLimit { recent.removeLast() }
    return value
  }

  /// A value near one that was drawn before; `nil` where a fresh one is due.
  ///
  /// Twelve values in a hundred are made of one of the last six, and half of those that are put as one element behind
  /// typed letters, most of them with as many bytes.
  private func near(_ choices: inout Choices) -> Scalar? {
    guard !recent.isEmpty, choices.flag(percent: keystroke == nil ? 12 : 50) else { return nil }
    let old = recent[choices.index(below: recent.count, bias: .small)]
    let kind = scalarKinds[choices.index(below: scalarKinds.count)]
    let relations = ValueRelation.allCases
    let last = relations.count - 1
    let bias =
      keystroke == nil ? Bias.uniform : .weights(relations.indices.map { $0 == last ? 8 : 1 })
    let relation = relations[choices.index(below: relations.count, bias: bias)]
    let value = relation.value(from: old, typed: lastTyped, kind: kind)
    return scalarKinds.contains(value.kind) ? value : old
  }

  /// A confusable, or a value of a kind that the run favours.
  private func fresh(_ choices: inout Choices) -> Scalar {
    if !confusables.isEmpty, choices.flag(percent: confusablePercent) {
      return confusables[choices.index(below: confusables.count)]
    }
    let kind = scalarKinds[choices.pick(weights: scalarWeights)]
    return switch kind {
    case .null: .null
    case .boolean: .boolean(choices.flag())
    case .int: .int(integer(&choices))
    case .uint: .uint(UInt64(bitPattern: integer(&choices)))
    case .float: .float(choices.element(of: NotableValues.floats))
    case .string: .string(string(&choices))
    case .bytes: .bytes(bytes(&choices))
    case .counter: .counter(integer(&choices))
    case .timestamp: .timestamp(choices.element(of: NotableValues.timestamps))
    case .unknown:
      .unknown(typeCode: UInt8(choices.number(in: 10...15)), bytes: bytes(&choices))
    }
  }

  /// A digit, or with a chance of one in three a number at a border.
  ///
  /// The weights are 20 for each digit and 1 for each of the numbers at a border.
  private func integer(_ choices: inout Choices) -> Int64 {
    let index = choices.number(
      in: 0...(9 + NotableValues.integers.count),
      bias: .weights(Self.integerWeights)
    )
    return index < 10 ? Int64(index) : NotableValues.integers[index - 10]
  }

  private static let integerWeights: [Int] =
    Array(repeating: 20, count: 10) + Array(repeating: 1, count: NotableValues.integers.count)

  /// A text as one value, seldom a long one: lengths are stored, too.
  ///
  /// A string of up to 300 scalars crosses the lengths at which LEB128 takes two bytes (128) and
  /// columns are deflated (256 bytes).
  private func string(_ choices: inout Choices) -> ExactString {
    guard choices.flag(percent: 4) else { return text(&choices) }
    let piece = choices.element(of: ["a", "\u{e9}", "ab"])
    let count = choices.number(in: 0...300, bias: .sizes)
    return ExactString(String(repeating: piece, count: count))
  }

  /// Four of a hundred are up to 300 equal bytes, which the text form writes as one byte and a
  /// count.
  private func bytes(_ choices: inout Choices) -> [UInt8] {
    if choices.flag(percent: 4) {
      return Array(repeating: 0x5a, count: choices.number(in: 0...300, bias: .sizes))
    }
    var bytes: [UInt8] = []
    choices.repeated(upTo: 4, averaging: 1, "byte") {
      bytes.append(UInt8($0.number(in: 0...255, bias: .edges)))
    }
    return bytes
  }

  /// A text to type: never long, since every scalar of it becomes an operation.
  private func typed(_ choices: inout Choices) -> ExactString {
    text(&choices, long: false)
  }

  /// Letters from a to z, two on average, five at most; the backspace key types none.
  ///
  /// In a quarter of the histories with hostile text, two in five texts are hostile.
  private func text(_ choices: inout Choices, long: Bool = true) -> ExactString {
    let isEmpty = keystroke?.isBackspace ?? false
    if isHostile && choices.flag(percent: isEmpty ? 0 : 40) {
      if choices.flag(percent: 40) { return clusters(&choices) }
      return ExactString(Generator.hostileText(unicodeScalarsUpTo: 6, long: long).draw(&choices))
    }
    if pasteLimit > 0, !long, choices.flag(percent: isEmpty ? 0 : 15) {
      let piece = choices.element(of: ["a", "ab", "a\u{e9}"])
      let count = choices.number(in: 0...(pasteLimit / 2), bias: .sizes)
      return ExactString(String(repeating: piece, count: count))
    }
    var text = ""
    choices.repeated(upTo: 5, averaging: isEmpty ? 0 : 2, "letter") { choices in
      let letter = choices.number(in: 0...25)
      text.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(letter)))
    }
    return ExactString(text)
  }

  /// Clusters that share their beginning or their look.
  ///
  /// A row of ``NotableValues/clusters`` is drawn, and two pieces of it on average stand side by
  /// side: what looks like one sign may be several scalars, and two of them may join.
  private func clusters(_ choices: inout Choices) -> ExactString {
    let row = choices.element(of: NotableValues.clusters)
    var text = choices.element(of: row)
    choices.repeated(upTo: 3, averaging: 1, "cluster") { text += $0.element(of: row) }
    return ExactString(text)
  }
}

/// What an edit leans to while its writer stays at one place of a text.
struct Keystroke {
  var call = EditKind.spliceText
  let object: Bias
  let position: Bias
  var isBackspace = false
}

extension Capabilities {
  /// Whether there is an edit of this kind, and something for it to write.
  func allow(_ kind: EditKind) -> Bool {
    guard edits.contains(kind) else { return false }
    return switch kind {
    case .putObject, .insertObject: !objects.isEmpty
    case .put, .insert, .splice: !scalars.isEmpty
    case .delete, .increment, .spliceText, .mark: true
    }
  }
}

extension EditKind {
  fileprivate var weight: Int {
    switch self {
    case .put: 6
    case .putObject: 2
    case .insert: 5
    case .insertObject: 2
    case .delete: 5
    case .increment: 4
    case .splice: 3
    case .spliceText: 6
    case .mark: 4
    }
  }
}

extension ScalarKind {
  fileprivate var weight: Int {
    switch self {
    case .int: 8
    case .string: 6
    case .counter: 4
    default: 1
    }
  }

  /// Rank among the kinds, the simplest to read first.
  ///
  /// Kinds in this order, so that a choice of 0 is an int.
  fileprivate var simplicity: Int {
    switch self {
    case .int: 0
    case .string: 1
    case .counter: 2
    case .null: 3
    case .boolean: 4
    case .uint: 5
    case .float: 6
    case .bytes: 7
    case .timestamp: 8
    case .unknown: 9
    }
  }
}
