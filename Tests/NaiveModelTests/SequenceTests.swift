import DocumentModel
import NaiveModel
import Testing

/// A splice of the list `abcd`, and the letters then.
struct ListSplice: Sendable {
  let index: Int
  let deleting: Int
  let inserting: String
  let result: String

  init(_ index: Int, deleting: Int, inserting: String, gives result: String) {
    self.index = index
    self.deleting = deleting
    self.inserting = inserting
    self.result = result
  }
}

@Test(
  "A splice deletes, then inserts in order, and stops deleting at the end",
  arguments: [
    ListSplice(0, deleting: 0, inserting: "", gives: "abcd"),
    ListSplice(0, deleting: 0, inserting: "xy", gives: "xyabcd"),
    ListSplice(4, deleting: 0, inserting: "xy", gives: "abcdxy"),
    ListSplice(1, deleting: 2, inserting: "xyz", gives: "axyzd"),
    ListSplice(3, deleting: 1, inserting: "", gives: "abc"),
    ListSplice(2, deleting: 9, inserting: "x", gives: "abx"),
    ListSplice(0, deleting: .max, inserting: "", gives: ""),
    ListSplice(4, deleting: .max, inserting: "x", gives: "abcdx"),
    ListSplice(3, deleting: -2, inserting: "x", gives: "axd"),
    ListSplice(4, deleting: -4, inserting: "", gives: ""),
    ListSplice(6, deleting: -3, inserting: "x", gives: "abcx"),
  ]
)
func splices(_ splice: ListSplice) throws {
  var (model, list) = try listOfLetters("abcd")
  let new = splice.inserting.map { Scalar.string(ExactString(String($0))) }
  try model.edit(
    .splice(list, index: splice.index, deleting: splice.deleting, inserting: new)
  )
  #expect(try letters(of: model) == splice.result)

  // A text splices alike.
  var text = Model(actor: .a)
  let id = try text.make(.text, "t")
  try text.edit(
    .spliceText(id, index: 0, deleting: 0, inserting: "abcd"),
    .spliceText(
      id,
      index: splice.index,
      deleting: splice.deleting,
      inserting: ExactString(splice.inserting)
    )
  )
  #expect(try letters(of: text) == splice.result)
}

@Test("A splice gives its deletions the first ids, then its insertions")
func numbersSplice() throws {
  var (model, list) = try listOfLetters("abcd")
  let effect = try model.edit(
    .splice(list, index: 1, deleting: 2, inserting: ["x", "y"])
  )[0]
  #expect(try effect == EditEffect(replaced: ids("3@a", "4@a"), written: ids("8@a", "9@a")))
  let last = try #require(model.changes(since: []).last)
  #expect(last.ops.map(\.action) == [.delete, .delete, .set("x"), .set("y")])
  #expect(last.ops.map(\.predecessors) == [try ids("3@a"), try ids("4@a"), [], []])
  // The tombstones b and c are passed over: x stands right of a.
  #expect(try last.ops[2].place == .after(ids("2@a")[0]))
  #expect(try last.ops[3].place == .after(ids("8@a")[0]))
}

@Test("Concurrent overwrites and deletes of one element: the overwrite stays, at its place")
func revivesElement() throws {
  var (a, list) = try listOfLetters("abc")
  var b = a.fork(actor: .b)
  try a.edit(.delete(list, .index(1)))
  try b.edit(.put(list, .index(1), "B"))
  let merged = try a.merging(b)
  #expect(try letters(of: merged) == "aBc")
  #expect(try b.merging(a).observe(at: nil).root == merged.observe(at: nil).root)

  // The deleter writes on: an insert before and behind the tombstone finds its place.
  try a.edit(.insert(list, index: 1, "x"))
  #expect(try letters(of: a.merging(b)) == "axBc")
}

@Test("Two deletes of one element leave one gap")
func deletesTwice() throws {
  var (a, list) = try listOfLetters("abc")
  var b = a.fork(actor: .b)
  try a.edit(.delete(list, .index(1)))
  try b.edit(.delete(list, .index(1)), .insert(list, index: 1, "x"))
  #expect(try letters(of: a.merging(b)) == "axc")
}

@Test("An element in conflict counts once, and its object is read in either place")
func countsConflictOnce() throws {
  var (a, list) = try listOfLetters("ab")
  var b = a.fork(actor: .b)
  let map = try #require(try a.edit(.putObject(list, .index(0), .map))[0].made)
  try a.edit(.put(map, .key("x"), 1))
  try b.edit(.put(list, .index(0), "B"))
  a = try a.merging(b)
  #expect(a.shape(of: list)?.length == 2)
  #expect(
    try a.shown == """
      "l": list (1@a)
        0: string "B" (4@b)
        0 (conflict): map (4@a)
          "x": int 1 (5@a)
        1: string "b" (3@a)
      """
  )
  #expect(try a.edit(.delete(list, .index(0)))[0].replaced == ids("4@a", "4@b"))
  #expect(try letters(of: a) == "b")
}

@Test("Concurrent runs stay whole in every order of merging", arguments: 0..<6)
func keepsRunsWhole(_ order: Int) throws {
  var base = Model(actor: .d)
  let text = try base.make(.text, "t")
  try base.edit(.spliceText(text, index: 0, deleting: 0, inserting: "[]"))
  var writers: [Model] = []
  for (actor, run) in [(ActorID.a, "aaa"), (.b, "bbb"), (.c, "ccc")] {
    var writer = base.fork(actor: actor)
    for edit in Edit.type(run, in: text, at: 1) { _ = try writer.apply(edit) }
    writers.append(writer)
  }
  let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
  var merged = base
  for index in orders[order] { try merged.merge(&writers[index]) }
  #expect(try letters(of: merged) == "[cccbbbaaa]")
}

/// The joined winners of the one list or text in the document.
func letters(of model: Model) throws -> String {
  guard case .map(let entries) = try model.observe(at: nil).root.content,
    case .object(let object) = entries.first?.register.values.last?.content
  else { return "" }
  switch object.content {
  case .map: return ""
  case .text(let text, _, _): return text.string
  case .list(let registers):
    return registers.map { register in
      guard case .scalar(.string(let string)) = register.values.last?.content else { return "?" }
      return string.string
    }
    .joined()
  }
}
