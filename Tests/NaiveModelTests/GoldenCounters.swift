import DocumentModel
import NaiveModel
import Testing

let goldenCounters = [
  GoldenHistory(
    "counter_concurrent",
    shows: """
      "n": counter 13 (1@aa01)
      "n2": counter 95 (2@aa01)
      """
  ) {
    let (a, b) = try counters()
    return try a.merging(b)
  },
  GoldenHistory(
    "counter_overwritten",
    shows: """
      "n": string "overwritten" (5@b)
      "n2": counter 95 (2@aa01)
      """
  ) {
    var (a, b) = try counters()
    a = try a.merging(b)
    try b.edit(.put("n", "overwritten"))
    try a.edit(.increment("n", by: 1))
    return try a.merging(b)
  },
  GoldenHistory(
    "counter_conflict",
    shows: """
      "n": counter 105 (1@bb01)
      "n" (conflict): counter 15 (1@aa01)
      """
  ) {
    try incremented(.counter(10), against: .counter(100))
  },
  GoldenHistory("counter_vs_string", shows: #""n": counter 15 (1@aa01)"#) {
    try incremented(.counter(10), against: "x")
  },
]

/// Actor aa01 makes two counters, which a and b then increment without knowing each other.
private func counters() throws -> (a: Model, b: Model) {
  var base = Model(actor: try #require(ActorID(hex: "aa01")))
  try base.edit(.put("n", .counter(10)), .put("n2", .counter(-5)))
  var a = base.fork(actor: .a)
  var b = base.fork(actor: .b)
  try a.edit(.increment("n", by: 5))
  try b.edit(.increment("n", by: -2), .increment("n2", by: 100))
  return (a, b)
}

/// Two actors put different values under one key; a third sees both and increments by 5.
private func incremented(_ value: Scalar, against other: Scalar) throws -> Model {
  var first = Model(actor: try #require(ActorID(hex: "aa01")))
  var second = Model(actor: try #require(ActorID(hex: "bb01")))
  try first.edit(.put("n", value))
  try second.edit(.put("n", other))
  var merged = try Model(actor: .a).merging(second, first)
  try merged.edit(.increment("n", by: 5))
  return merged
}
