import CodingSupport
import ModelGeneration
import PropertyEngine

// What two writers made of one value has to be a value after the merge. Merging is no concern of a model, so what does
// not decode is what an app is stuck with: it reads before it writes, on every device.

extension CodingLaw {
  /// Values that two writers changed at once.
  static let mergedValueLaws: [CodingLaw] = [decodesMerged]

  /// Catches parts that are merged one by one though they mean something together alone: the ends of a range, the
  /// key and the payload of an enum's case, the key and the value of a pair.
  ///
  /// The value stands below the root, which no encode can replace. Both writers start from what is there, so that none
  /// is stale. Misses values that decode and that neither wrote: of most structs that is what a merge is for.
  ///
  /// Worked example: `1...10` becomes `8...10` here and `1...3` there. Written part by part it merges to a range
  /// that ends before it starts, which no range decodes from.
  ///
  /// A type whose `init(from:)` compares its fields, and throws, breaks it by itself: the coder cannot know what belongs
  /// together. It is told all the same, since the app is stuck all the same; it is the type that has to change.
  package static let decodesMerged = CodingLaw(
    "concurrent.decodes",
    "What two writers encode at once decodes.",
    "Two values that are encoded at once over the same older one, below the root, merge to what decodes.",
    source: .specification(.codable, "Values that merge as one"),
    needs: [.documents, .paths, .wholeValues],
    models: { $0.traits.isDisjoint(with: [.refuses, .integerKeys]) },
    draw: { model, sample, choices in
      let tree = try model.anyTree(&choices)
      sample.values = [tree]
      // Of related values each edits some places of the older one, as a writer does.
      for _ in 0..<2 { sample.values.append(try model.tree(near: tree, &choices)) }
      sample.numbers = [choices.number(in: 0...255)]
    },
    check: { trial in
      guard trial.sample.values.count > 2 else { throw Skipped("there are no two writers") }
      if let found = try Tally.difference(trial) { return found }
      let values = try (0..<3).map { try trial.value($0) }
      return try difference(of: values, decodedAs: trial.type, trial)
    }
  )

  private static let place = [PathKey.key("value")]

  /// Where two values that are encoded over the first one at once merge to what does not decode.
  fileprivate static func difference(
    of values: [any Encodable],
    decodedAs type: any Decodable.Type,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document()
    func encode(_ index: Int, into document: any CodingDocument) throws {
      let outcome = trial.outcome { try document.encode(values[index], at: place, .init()) }
      // A value of several kinds may not stand where one of another kind does.
      if case .failure(let error) = outcome {
        throw Skipped("the coder refuses the change: \(error.complaint)")
      }
    }
    try encode(0, into: document)
    let peer = try document.fork(actor: 2)
    try encode(1, into: document)
    try encode(2, into: peer)
    try document.merge(peer)
    let merged = try document.tree()
    do {
      _ = try document.decode(type, at: place, userInfo: [:])
      return nil
    } catch {
      let complaint = CoderComplaint(error, of: trial.subject)
      let reason = CodingFailure(error)?.explanation ?? "\(error)"
      return Difference(
        kind: "merge.undecodable",
        summary: "what two writers made of one value does not decode: \(reason)",
        expected: "a value",
        actual: "\(complaint), from \(merged)"
      ).between(nil, "what the merged document decodes to")
    }
  }
}

/// One of each kind of value whose parts mean something together alone; few models have any.
private struct Tally: Codable {
  var span: ClosedRange<Int>
  var state: State
  var votes: [Double: Int]
  var spot: Spot

  enum State: Codable {
    case open
    case done(by: Int)
    case late
  }

  /// Written by hand as a list of three numbers, as a vector is.
  struct Spot: Codable {
    let first: Int
    let second: Int
    let third: Int

    init(_ first: Int, _ second: Int, _ third: Int) {
      (self.first, self.second, self.third) = (first, second, third)
    }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      first = try list.decode(Int.self)
      second = try list.decode(Int.self)
      third = try list.decode(Int.self)
      guard list.isAtEnd else {
        throw DecodingError.dataCorruptedError(in: list, debugDescription: "a fourth number")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(first)
      try list.encode(second)
      try list.encode(third)
    }
  }

  /// Where two writers edit each part of one.
  ///
  ///             first          one writer       the other
  ///     span    1...10         8...10           1...3
  ///     state   open           done             late
  ///     votes   1: 0, 2: 0     1: 7, 2: 0       2: 0
  ///     spot    1 2 3          2 3 7            2 3 8
  static func difference(_ trial: CodingTrial) throws -> Difference? {
    let number = 4 + trial.sample.index(0, below: 256)
    let first = Tally(
      span: 1...10,
      state: .open,
      votes: [1: 0, 2: 0],
      spot: Spot(1, 2, 3)
    )
    let one = Tally(
      span: 8...10,
      state: .done(by: number),
      votes: [1: number, 2: 0],
      spot: Spot(2, 3, number)
    )
    let other = Tally(span: 1...3, state: .late, votes: [2: 0], spot: Spot(2, 3, number + 1))
    // Which writer is the greater decides conflicts.
    let values = number.isMultiple(of: 2) ? [first, one, other] : [first, other, one]
    return try CodingLaw.difference(of: values, decodedAs: Tally.self, trial)
  }
}
