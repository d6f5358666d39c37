import CodingSupport
import ModelGeneration
import PropertyEngine

// Places that a value asks for first and fills last.

extension CodingLaw {
  /// Encoders that are asked for before other values are encoded, and filled behind them.
  static let lateValueLaws: [CodingLaw] = [filledLate]

  /// Catches a coder that puts what fills a place behind all that came since, or loses what stands behind the place.
  ///
  /// The sample's numbers: whether in a list, how many values come before the place is asked for and how many before it
  /// is filled, and with what.
  ///
  ///     asks for a list, encodes 0, asks for an encoder, encodes 1 and 2
  ///     fills the encoder with {"a": 7}        [0, {"a": 7}, 1, 2]
  static let filledLate = CodingLaw(
    "containers.filled-late",
    "A place is kept until it is filled.",
    "An encoder that a list or a map has given keeps its place, whatever is encoded before it is filled, and with "
      + "whatever it is filled.",
    source: .specification(.codable, "Nested containers"),
    needs: [.documents],
    models: named("Empty"),
    draw: { _, sample, choices in
      sample.numbers = [1, 3, 3, LateValue.contents.count - 1].map { choices.number(in: 0...$0) }
    },
    check: { trial in
      let value = LateValue(trial.sample)
      let document = try trial.document()
      try document.encode(["value": value])
      let due = Tree.map([Tree.Entry("value", value.due)])
      if let found = try trial.difference(document, from: due) { return found }
      let written = try Untouched(document)
      try document.encode(["value": value])
      return try written.difference(document, after: "encoding the same value")
    }
  )
}

/// A value that fills the encoder for a superclass behind others that it encodes.
private struct LateValue: Encodable {
  let isList: Bool
  let countBefore: Int
  let countBehind: Int
  let content: Tree

  /// A container of another value, of either kind, and a scalar.
  static let contents: [Tree] = [
    .int(7), .map([Tree.Entry("a", .int(7))]), .list([.int(7), .int(8)]), .map([]), .list([]),
  ]

  init(_ sample: CodingSample) {
    isList = sample.index(0, below: 2) == 0
    countBefore = sample.index(1, below: 4)
    countBehind = sample.index(2, below: 4)
    content = Self.contents[sample.index(3, below: Self.contents.count)]
  }

  var due: Tree {
    let before = (0..<countBefore).map { (key: "\($0)", tree: Tree.int(Int64($0))) }
    let behind = (100..<100 + countBehind).map { (key: "\($0)", tree: Tree.int(Int64($0))) }
    let all = before + [(key: "late", tree: content)] + behind
    return isList ? .list(all.map(\.tree)) : .map(of: all.map { Tree.Entry($0.key, $0.tree) })
  }

  func encode(to encoder: any Encoder) throws {
    let late: any Encoder
    if isList {
      var list = encoder.unkeyedContainer()
      for number in 0..<countBefore { try list.encode(number) }
      late = list.superEncoder()
      for number in 100..<100 + countBehind { try list.encode(number) }
    } else {
      var map = encoder.container(keyedBy: PathKey.self)
      for number in 0..<countBefore { try map.encode(number, forKey: .key("\(number)")) }
      late = map.superEncoder(forKey: .key("late"))
      for number in 100..<100 + countBehind { try map.encode(number, forKey: .key("\(number)")) }
    }
    var place = late.singleValueContainer()
    try place.encode(TreeValue(tree: content))
  }
}
