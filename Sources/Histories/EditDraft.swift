import DocumentModel
import PropertyEngine

/// Draws edits: which calls, on what, with which values a run makes.
struct EditDraft {
  private let kinds: [EditKind]
  private let kindWeights: [Int]
  private let scalarKinds: [ScalarKind]
  private let scalarWeights: [Int]
  private let objectKinds: [ObjectKind]
  private let keyCount: Int
  private let objectCount: Int
  private let isHostile: Bool
  private let confusables: [Scalar]
  private let confusablePercent: Int

  /// Keys in the order in which runs come to use them; the last few are the awkward ones.
  private static let keys: [ExactString] = [
    "k", "n", "l", "t", "n2", "m", "a", "\u{e9}", "e\u{301}", "",
  ]

  init(limits: HistoryLimits, base: Base, _ choices: inout Choices) {
    let capabilities = limits.capabilities
    kinds = EditKind.allCases.filter(capabilities.allow)
    kindWeights = HistoryDraft.swarm(kinds.map(\.weight), &choices)
    scalarKinds = ScalarKind.allCases.sorted { $0.simplicity < $1.simplicity }
      .filter(capabilities.scalars.contains)
    scalarWeights = HistoryDraft.swarm(scalarKinds.map(\.weight), &choices)
    objectKinds = [.list, .text, .map].filter(capabilities.objects.contains)
    keyCount = choices.preference { choices in
      1 + choices.index(below: Self.keys.count, bias: .weights([4, 4, 3, 2, 2, 2, 2, 1, 1, 1]))
    }
    objectCount = 1 + base.objectKinds.count + choices.index(below: 4)
    isHostile = limits.hostileText && choices.flag(percent: 25)
    confusables = Self.confusables.filter { capabilities.scalars.contains($0.kind) }
    confusablePercent = choices.preference { $0.flag(percent: 20) } ? 70 : 3
  }

  /// An edit that the subjects can carry out; nil if they can do none.
  func edit(_ choices: inout Choices) -> Edit<ObjectName>? {
    guard !kinds.isEmpty else { return nil }
    switch kinds[choices.pick(weights: kindWeights)] {
    case .put:
      return .put(object(&choices), slot(&choices), scalar(&choices))
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
      return .increment(object(&choices), slot(&choices), by: [1, 2, -1, 0, .max][amount])
    case .splice:
      let object = object(&choices)
      let index = position(&choices)
      let deleting = choices.index(below: 4, bias: .weights([3, 3, 2, 1]))
      var inserting: [Scalar] = []
      choices.repeated(upTo: 4, averaging: 1, "value") { inserting.append(scalar(&$0)) }
      return .splice(object, index: index, deleting: deleting, inserting: inserting)
    case .spliceText:
      let object = object(&choices)
      let index = position(&choices)
      let deleting = choices.index(below: 4, bias: .weights([5, 3, 2, 1]))
      return .spliceText(object, index: index, deleting: deleting, inserting: typed(&choices))
    }
  }

  private func object(_ choices: inout Choices) -> ObjectName {
    ObjectName(choices.index(below: objectCount))
  }

  /// A key and a position in one: which of them counts depends on the object.
  private func slot(_ choices: inout Choices) -> Slot {
    choices.flag(percent: 40) ? .index(position(&choices)) : key(&choices)
  }

  private func key(_ choices: inout Choices) -> Slot {
    .key(Self.keys[choices.number(in: 0...(Self.keys.count - 1), bias: .weights(keyWeights))])
  }

  private var keyWeights: [Int] {
    Self.keys.indices.map { $0 < keyCount ? 1 : 0 }
  }

  private func position(_ choices: inout Choices) -> Int {
    choices.index(below: 16, bias: .small)
  }

  private func objectKind(_ choices: inout Choices) -> ObjectKind {
    objectKinds.isEmpty ? .map : objectKinds[choices.index(below: objectKinds.count)]
  }

  private func scalar(_ choices: inout Choices) -> Scalar {
    guard !scalarKinds.isEmpty else { return .null }
    if !confusables.isEmpty, choices.flag(percent: confusablePercent) {
      return confusables[choices.index(below: confusables.count)]
    }
    let kind = scalarKinds[choices.pick(weights: scalarWeights)]
    return switch kind {
    case .null: .null
    case .boolean: .boolean(choices.flag())
    case .int: .int(integer(&choices))
    case .uint: .uint(UInt64(bitPattern: integer(&choices)))
    case .float: .float(Self.floats[choices.index(below: Self.floats.count)])
    case .string: .string(text(&choices))
    case .bytes: .bytes(bytes(&choices))
    case .counter: .counter(integer(&choices))
    case .timestamp: .timestamp(Self.timestamps[choices.index(below: Self.timestamps.count)])
    case .unknown:
      .unknown(typeCode: UInt8(choices.number(in: 10...15)), bytes: bytes(&choices))
    }
  }

  /// Values that a careless comparison takes for one another.
  private static let confusables: [Scalar] = [
    .int(0), .uint(0), .boolean(false), .boolean(true), .float(0), .float(-0.0), .counter(0),
    .timestamp(0), .null, .string(""), .string("\u{e9}"), .string("e\u{301}"), .bytes([]),
    .int(1), .uint(1), .string("0"), .float(.nan),
  ]

  private static let floats: [Double] = [
    0, -0.0, 1, -1.5, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]

  /// Milliseconds: around 1970, before it, today, and a fraction of a second.
  private static let timestamps: [Int64] = [
    0, 1, -1, 1_700_000_000_123, -86_400_001, 253_402_300_799_000,
  ]

  private static let integers: [Int64] = [.max, .min, (1 << 53) + 1, 127, 128, -64, -65]

  private func integer(_ choices: inout Choices) -> Int64 {
    let index = choices.number(
      in: 0...(9 + Self.integers.count),
      bias: .weights(Array(repeating: 6, count: 10) + Array(repeating: 1, count: 7))
    )
    return index < 10 ? Int64(index) : Self.integers[index - 10]
  }

  private func bytes(_ choices: inout Choices) -> [UInt8] {
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

  private func text(_ choices: inout Choices, long: Bool = true) -> ExactString {
    if isHostile && choices.flag(percent: 40) {
      return ExactString(Generator.hostileText(unicodeScalarsUpTo: 6, long: long).draw(&choices))
    }
    var text = ""
    choices.repeated(upTo: 5, averaging: 2, "letter") { choices in
      let letter = choices.number(in: 0...25)
      text.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(letter)))
    }
    return ExactString(text)
  }
}

extension Capabilities {
  /// Whether there is an edit of this kind, and something for it to write.
  fileprivate func allow(_ kind: EditKind) -> Bool {
    guard edits.contains(kind) else { return false }
    return switch kind {
    case .putObject, .insertObject: !objects.isEmpty
    case .put, .insert, .splice: !scalars.isEmpty
    case .delete, .increment, .spliceText: true
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
