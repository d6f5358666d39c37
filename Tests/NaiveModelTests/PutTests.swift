import DocumentModel
import NaiveModel
import Testing

/// A put over a value that is there.
struct Overwrite: Sendable, CustomTestStringConvertible {
  let old: Scalar
  let new: Scalar
  let isSkipped: Bool

  init(_ old: Scalar, by new: Scalar, isSkipped: Bool) {
    self.old = old
    self.new = new
    self.isSkipped = isSkipped
  }

  var testDescription: String { "\(old) by \(new)" }
}

@Test(
  "A put of the very value that is there makes no operation, any other makes one",
  arguments: [
    Overwrite(1, by: 1, isSkipped: true),
    Overwrite(1, by: 2, isSkipped: false),
    Overwrite(1, by: .uint(1), isSkipped: false),
    Overwrite(1, by: .timestamp(1), isSkipped: false),
    Overwrite(1, by: .counter(1), isSkipped: false),
    Overwrite(.float(0.0), by: .float(-0.0), isSkipped: true),
    Overwrite(.float(-0.0), by: .float(0.0), isSkipped: true),
    Overwrite(.float(.nan), by: .float(.nan), isSkipped: false),
    Overwrite(.float(1), by: 1, isSkipped: false),
    Overwrite("\u{e9}", by: "\u{e9}", isSkipped: true),
    Overwrite("\u{e9}", by: "e\u{301}", isSkipped: false),
    Overwrite("", by: .null, isSkipped: false),
    Overwrite(.null, by: .null, isSkipped: true),
    Overwrite(.bytes([]), by: "", isSkipped: false),
    Overwrite(.bytes([1]), by: .bytes([1]), isSkipped: true),
    Overwrite(.boolean(false), by: .boolean(false), isSkipped: true),
    Overwrite(.counter(5), by: .counter(5), isSkipped: true),
    Overwrite(
      .unknown(typeCode: 10, bytes: [1]),
      by: .unknown(typeCode: 11, bytes: [1]),
      isSkipped: false
    ),
  ]
)
func putsOver(_ overwrite: Overwrite) throws {
  var model = Model(actor: .a)
  try model.edit(.put("k", overwrite.old))
  let before = model.heads()
  let effect = try model.edit(.put("k", overwrite.new))[0]
  let put = EditEffect(replaced: try ids("1@a"), written: try ids("2@a"))
  #expect(effect == (overwrite.isSkipped ? EditEffect() : put))
  #expect(try model.heads() == (overwrite.isSkipped ? before : heads("a#2")))
  let value = overwrite.isSkipped ? overwrite.old : overwrite.new
  #expect(try model.shown == "\"k\": \(value) (\(overwrite.isSkipped ? 1 : 2)@a)")
}

@Test("A counter counts by its current value when it is put again")
func putsOverIncrementedCounter() throws {
  var model = Model(actor: .a)
  try model.edit(.put("k", .counter(3)), .increment("k", by: 2))
  #expect(try model.edit(.put("k", .counter(5)))[0].written.isEmpty)
  #expect(try model.edit(.put("k", .counter(3)))[0].written == ids("3@a"))
}

@Test("A put over a conflict names all its values, even when the winner has the new value")
func putsOverConflict() throws {
  var a = Model(actor: .a)
  var b = Model(actor: .b)
  try a.edit(.put("k", 1))
  try b.edit(.put("k", 2))
  a = try a.merging(b)
  let effect = try a.edit(.put("k", 2))[0]
  #expect(try effect == EditEffect(replaced: ids("1@a", "1@b"), written: ids("2@a")))
  #expect(try a.shown == #""k": int 2 (2@a)"#)
}

@Test("A write replaces only what its author saw")
func replacesWhatWasSeen() throws {
  var a = Model(actor: .a)
  try a.edit(.put("k", 0))
  var b = a.fork(actor: .b)
  var c = a.fork(actor: .c)
  try a.edit(.put("k", 1))
  try b.edit(.put("k", 2))
  c = try c.merging(a)
  try c.edit(.put("k", 3))
  #expect(
    try c.merging(b).shown == """
      "k": int 3 (3@c)
      "k" (conflict): int 2 (2@b)
      """
  )
  try c.edit(.delete("k"))
  #expect(try c.merging(b).shown == #""k": int 2 (2@b)"#)
}

@Test("An object put over an equal kind of object is a new, empty one")
func putsNewObject() throws {
  var model = Model(actor: .a)
  let first = try model.make(.map, "m")
  try model.edit(.put(first, .key("x"), 1))
  let second = try model.make(.map, "m")
  #expect(second != first)
  #expect(try model.shown == #""m": map (3@a)"#)
}

@Test("A deleted or overwritten object can still be written, and comes back in the past")
func writesDeletedObject() throws {
  var model = Model(actor: .a)
  let map = try model.make(.map, "m")
  let before = model.heads()
  try model.edit(.delete("m"))
  #expect(try model.edit(.put(map, .key("x"), 1))[0].written == ids("3@a"))
  #expect(model.shape(of: map)?.length == 1)
  #expect(try model.shown == "")
  #expect(try show(model.observe(at: before)) == #""m": map (1@a)"#)

  var other = Model(actor: .b)
  try other.merge(&model)
  #expect(other.shape(of: map)?.kind == .map)
  #expect(other.shape(of: map)?.length == 1)
}

@Test("Deleting a key that is not there makes no operation")
func deletesNothing() throws {
  var model = Model(actor: .a)
  #expect(try model.edit(.delete("k")) == [EditEffect()])
  #expect(try model.heads() == heads())
}

@Test("The empty key, a NUL and canonically equivalent keys are keys of their own")
func keepsKeysApart() throws {
  var model = Model(actor: .a)
  try model.edit(
    .put("", 1),
    .put("\u{0}", 2),
    .put("\u{e9}", 3),
    .put("e\u{301}", 4),
    .put("\u{212b}", 5),
    .put("\u{c5}", 6)
  )
  #expect(
    try model.shown == #"""
      "": int 1 (1@a)
      "\u{0}": int 2 (2@a)
      "e\u{301}": int 4 (4@a)
      "\u{c5}": int 6 (6@a)
      "\u{e9}": int 3 (3@a)
      "\u{212b}": int 5 (5@a)
      """#
  )
  try model.edit(.delete("e\u{301}"), .put("", .null))
  #expect(
    try model.shown == #"""
      "": null (8@a)
      "\u{0}": int 2 (2@a)
      "\u{c5}": int 6 (6@a)
      "\u{e9}": int 3 (3@a)
      "\u{212b}": int 5 (5@a)
      """#
  )
}

@Test("The next operation counts on from the highest of the document, whichever writer made it")
func countsOn() throws {
  var a = Model(actor: .a)
  try a.edit(.put("k", 1), .put("k", 2), .put("k", 3))
  var b = try Model(actor: .b).merging(a)
  #expect(try b.edit(.put("k", 4))[0].written == ids("4@b"))
}
