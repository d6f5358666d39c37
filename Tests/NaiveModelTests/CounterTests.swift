import DocumentModel
import NaiveModel
import Testing

@Test("Sums of counters wrap around at 64 bits")
func wrapsAround() throws {
  var model = Model(actor: .a)
  try model.edit(.put("n", .counter(.max)), .increment("n", by: 1))
  #expect(try model.shown == #""n": counter -9223372036854775808 (1@a)"#)
  try model.edit(.increment("n", by: .min), .increment("n", by: -1))
  #expect(try model.shown == #""n": counter -1 (1@a)"#)
}

@Test("Equal concurrent increments both count")
func countsEqualIncrements() throws {
  var a = Model(actor: .a)
  try a.edit(.put("n", .counter(0)))
  var b = a.fork(actor: .b)
  try a.edit(.increment("n", by: 1))
  try b.edit(.increment("n", by: 1))
  #expect(try a.merging(b).shown == #""n": counter 2 (1@a)"#)
  #expect(try b.merging(a).shown == #""n": counter 2 (1@a)"#)
}

@Test("An increment does not make its counter newer, and hides what is not a counter")
func ranksByOwnID() throws {
  var a = Model(actor: .a)
  var b = Model(actor: .b)
  try a.edit(.put("n", .counter(1)), .increment("n", by: 1))
  try b.edit(.put("n", "x"))
  a = try a.merging(b)
  // The counter's last increment is 2@a, yet 1@b wins over 1@a.
  #expect(
    try a.shown == """
      "n": string "x" (1@b)
      "n" (conflict): counter 2 (1@a)
      """
  )
  #expect(a.holdsCounter(.root, .key("n")))
  let effect = try a.edit(.increment("n", by: 5))[0]
  #expect(try effect == EditEffect(replaced: ids("1@b")))
  #expect(try a.shown == #""n": counter 7 (1@a)"#)
}

@Test("A counter lives in a list element and in a text as in a map")
func countsInSequences() throws {
  var model = Model(actor: .a)
  let list = try model.make(.list, "l")
  let text = try model.make(.text, "t")
  try model.edit(
    .insert(list, index: 0, .counter(1)),
    .increment(list, .index(0), by: 2),
    .insert(text, index: 0, .counter(3)),
    .increment(text, .index(0), by: 4)
  )
  #expect(
    try model.shown == #"""
      "l": list (1@a)
        0: counter 3 (3@a)
      "t": text (2@a)
        "\u{fffc}" (1 units)
        0: counter 7 (5@a)
      """#
  )
  #expect(model.holdsCounter(list, .index(0)))
  #expect(!model.holdsCounter(list, .index(1)))
  #expect(!model.holdsCounter(list, .key("k")))
  #expect(!model.holdsCounter(.root, .key("l")))
}

@Test("At heads, a counter shows the increments of its time")
func readsCounterInPast() throws {
  var model = Model(actor: .a)
  try model.edit(.put("n", .counter(10)))
  for _ in 0..<3 { try model.edit(.increment("n", by: 1)) }
  try model.edit(.put("n", "gone"))
  let past = ["a#1", "a#2", "a#3", "a#4", "a#5"].map { head in
    try? show(model.observe(at: heads(head)))
  }
  #expect(
    past == [
      #""n": counter 10 (1@a)"#,
      #""n": counter 11 (1@a)"#,
      #""n": counter 12 (1@a)"#,
      #""n": counter 13 (1@a)"#,
      #""n": string "gone" (5@a)"#,
    ]
  )
}
