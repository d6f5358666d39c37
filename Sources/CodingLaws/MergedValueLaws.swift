import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// What two writers made of one value has to be a value after the merge. Merging is no concern of a model, so what does
// not decode is what an app is stuck with: it reads before it writes, on every device.

extension CodingLaw {
  /// Values that two writers changed at once.
  static let mergedValueLaws: [CodingLaw] = [decodesMerged, mergesInOneCase]

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

  /// Catches a coder that takes an edit for another case, and puts a new object where another writer edits the old one: a
  /// part that has got its first value, a title that is another one, a key that a type of any keys has written in place
  /// of another.
  ///
  /// Worked example: a note of a title and a size becomes pinned here and gets another size there. Written anew it is
  /// pinned, and has the old size.
  static let mergesInOneCase = CodingLaw(
    "concurrent.in-one-case",
    "Edits within one case of an enum merge.",
    "What two writers change at once in one case of an enum, or under keys that may be any, each another part, both "
      + "stays.",
    source: .specification(.codable, "Values that merge as one"),
    needs: [.documents, .paths, .wholeValues],
    models: named("Empty"),
    draw: { _, sample, choices in sample.numbers = [choices.number(in: 0...255)] },
    check: { trial in
      let number = 4 + trial.sample.index(0, below: 256)
      let edits = MergedCases.edits(number)
      let values =
        number.isMultiple(of: 2)
        ? [edits.first, edits.one, edits.other] : [edits.first, edits.other, edits.one]
      return try difference(of: values, decodedAs: MergedCases.self, trial) { value, merged in
        if value as? MergedCases == edits.both { return nil }
        return Difference(
          kind: "merge.lost",
          summary: "an edit within one case of an enum is lost",
          expected: "\(edits.both)",
          actual: "\(value), from \(merged)"
        ).between(nil, "what the merged document decodes to")
      }
    }
  )

  private static let place = [PathKey.key("value")]

  /// Where two values that are encoded over the first one at once merge to what does not decode, or to what is told.
  ///
  /// Without such a question the values are any model's, and one that the coder refuses is passed over: a field of a
  /// struct that is of several kinds may not stand where one of another kind does. Values with a question have none of those.
  fileprivate static func difference(
    of values: [any Encodable],
    decodedAs type: any Decodable.Type,
    _ trial: CodingTrial,
    ask question: ((any Decodable, Tree) -> Difference?)? = nil
  ) throws -> Difference? {
    let document = try trial.document()
    func refusal(_ index: Int, into document: any CodingDocument) throws -> Difference? {
      let outcome = trial.outcome { try document.encode(values[index], at: place, .init()) }
      guard case .failure(let error) = outcome else { return nil }
      guard question != nil else {
        throw Skipped("the coder refuses the change: \(error.complaint)")
      }
      return Difference(
        kind: "merge.refused",
        summary: "a value is not written over another one of its type",
        expected: "a value",
        actual: "\(error.complaint)"
      ).between(nil, "the encode")
    }
    if let found = try refusal(0, into: document) { return found }
    let peer = try document.fork(actor: 2)
    if let found = try refusal(1, into: document) { return found }
    if let found = try refusal(2, into: peer) { return found }
    try document.merge(peer)
    let merged = try document.tree()
    do {
      let value = try document.decode(type, at: place, userInfo: [:])
      return question?(value, merged)
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
  var block: MergedCases.Block
  var section: MergedCases.Section
  var outline: MergedCases.Outline
  var price: MergedCases.Price

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
  ///                first          one writer       the other
  ///     span       1...10         8...10           1...3
  ///     state      open           done             late
  ///     votes      1: 0, 2: 0     1: 7, 2: 0       2: 0
  ///     spot       1 2 3          2 3 7            2 3 8
  ///     block      a text         an image         a link
  ///     section    a text         an image         a link
  ///     outline    a circle       a polygon        another polygon
  ///     price      1.5            12345678.25      7000
  static func difference(_ trial: CodingTrial) throws -> Difference? {
    let number = 4 + trial.sample.index(0, below: 256)
    let text = MergedCases.Text(title: "t", body: "b")
    let image = MergedCases.Image(title: "t", image: "i")
    let link = MergedCases.Link(body: "b", url: "u")
    let prices = [
      Decimal(sign: .plus, exponent: -1, significand: 15),
      Decimal(sign: .plus, exponent: -2, significand: 1_234_567_825),
      Decimal(7000),
    ].map { MergedCases.Price($0) }
    let first = Tally(
      span: 1...10,
      state: .open,
      votes: [1: 0, 2: 0],
      spot: Spot(1, 2, 3),
      block: .text(text),
      section: .text(text),
      outline: .circle(1),
      price: prices[0]
    )
    let one = Tally(
      span: 8...10,
      state: .done(by: number),
      votes: [1: number, 2: 0],
      spot: Spot(2, 3, number),
      block: .image(image),
      section: .image(image),
      outline: .polygon([1, 2]),
      price: prices[1]
    )
    let other = Tally(
      span: 1...3,
      state: .late,
      votes: [2: 0],
      spot: Spot(2, 3, number + 1),
      block: .link(link),
      section: .link(link),
      outline: .polygon([3]),
      price: prices[2]
    )
    // Which writer is the greater decides conflicts.
    let values = number.isMultiple(of: 2) ? [first, one, other] : [first, other, one]
    return try CodingLaw.difference(of: values, decodedAs: Tally.self, trial) { value, merged in
      guard let price = (value as? Tally)?.price, !prices[1...].contains(price) else { return nil }
      return Difference(
        kind: "merge.mixed",
        summary: "a value that means something as a whole alone is what neither writer wrote",
        expected: "\(prices[1].value), or \(prices[2].value)",
        actual: "\(price.value), from \(merged)"
      ).between(nil, "what the merged document decodes to")
    }
  }
}
