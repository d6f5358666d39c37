import DocumentModel
import NaiveModel
import Testing

/// A text of the elements `ab` (one, two wide), empty (0 wide), an object (1 wide) and `c`: the
/// units 0 and 1 are `ab`, 2 is the object, 3 is `c`.
private func wideText() throws -> (model: Model, text: ObjectID) {
  var model = Model(actor: .a)
  let text = try model.make(.text, "t")
  try model.edit(
    .insert(text, index: 0, "ab"),
    .insertObject(text, index: 2, .map),
    .insert(text, index: 3, "c"),
    .insert(text, index: 2, "")
  )
  return (model, text)
}

@Test("A text has the units of its elements' winners: strings by scalars, all else 1")
func measuresText() throws {
  var (model, text) = try wideText()
  #expect(model.shape(of: text)?.length == 4)
  #expect(
    try model.shown == #"""
      "t": text (1@a)
        "ab\u{fffc}c" (4 units)
        2: map (3@a)
      """#
  )
  // Four elements are visible, the empty one among them.
  guard case .map(let entries) = try model.observe(at: nil).root.content,
    case .object(let object) = entries[0].register.values[0].content,
    case .text(_, _, let elements) = object.content
  else {
    Issue.record("the document holds no text")
    return
  }
  #expect(
    try elements?.map { $0.values.compactMap(\.id) } == [
      ids("2@a"), ids("5@a"), ids("3@a"), ids("4@a"),
    ]
  )
  try model.edit(.put(text, .index(3), "\u{1f468}\u{200d}\u{1f469}"))
  #expect(model.shape(of: text)?.length == 6)
}

/// An edit of ``wideText()``, and the string then.
struct WideEdit: Sendable, CustomTestStringConvertible {
  let edit: @Sendable (ObjectID) -> Edit<ObjectID>
  let result: String

  init(gives result: String, _ edit: @escaping @Sendable (ObjectID) -> Edit<ObjectID>) {
    self.edit = edit
    self.result = result
  }

  var testDescription: String { result }
}

@Test(
  "An index inside a wide element takes the whole element, and inserts after it",
  arguments: [
    WideEdit(gives: "\u{fffc}c") { .delete($0, .index(0)) },
    WideEdit(gives: "\u{fffc}c") { .delete($0, .index(1)) },
    WideEdit(gives: "abc") { .delete($0, .index(2)) },
    WideEdit(gives: "abx\u{fffc}c") { .insert($0, index: 1, "x") },
    WideEdit(gives: "abx\u{fffc}c") { .insert($0, index: 2, "x") },
    WideEdit(gives: "xab\u{fffc}c") { .insert($0, index: 0, "x") },
    WideEdit(gives: "x\u{fffc}c") { .put($0, .index(1), "x") },
    WideEdit(gives: "xc") { .spliceText($0, index: 1, deleting: 2, inserting: "x") },
    WideEdit(gives: "x\u{fffc}c") { .spliceText($0, index: 1, deleting: 1, inserting: "x") },
    WideEdit(gives: "abx\u{fffc}c") { .spliceText($0, index: 1, deleting: 0, inserting: "x") },
    WideEdit(gives: "\u{fffc}c") { .spliceText($0, index: 0, deleting: 1, inserting: "") },
    WideEdit(gives: "ab") { .spliceText($0, index: 4, deleting: -2, inserting: "") },
  ]
)
func editsWide(_ edit: WideEdit) throws {
  var (model, text) = try wideText()
  try model.edit(edit.edit(text))
  #expect(try letters(of: model) == edit.result)
}

@Test("An element of no width is out of reach of every index")
func leavesEmptyElement() throws {
  var (model, text) = try wideText()
  let effect = try model.edit(.spliceText(text, index: 0, deleting: 4, inserting: ""))[0]
  #expect(try effect.replaced == ids("2@a", "3@a", "4@a"))
  #expect(model.shape(of: text)?.length == 0)
  guard case .map(let entries) = try model.observe(at: nil).root.content,
    case .object(let object) = entries[0].register.values[0].content
  else {
    Issue.record("the document holds no text")
    return
  }
  let empty = ObservedValue(id: try ids("5@a")[0], content: .scalar(""))
  let register = ObservedRegister(values: [empty], isComplete: true)
  #expect(object.content == .text("", length: 0, elements: [register]))
}

@Test("Text is split into one element for each scalar, whatever clusters they join to")
func splitsText() throws {
  var model = Model(actor: .a)
  let text = try model.make(.text, "t")
  let effect = try model.edit(
    .spliceText(text, index: 0, deleting: 0, inserting: "e\u{301}\r\n\u{1f1e9}\u{1f1ea}\u{0}")
  )[0]
  #expect(effect.written.count == 7)
  #expect(model.shape(of: text)?.length == 7)
  try model.edit(.delete(text, .index(1)), .delete(text, .index(2)))
  #expect(try letters(of: model) == "e\r\u{1f1e9}\u{1f1ea}\u{0}")
}

@Test("An element is as wide as its winner, not as its first or its losing values")
func measuresWinner() throws {
  var a = Model(actor: .a)
  let text = try a.make(.text, "t")
  try a.edit(.insert(text, index: 0, "abc"))
  var b = a.fork(actor: .b)
  try a.edit(.put(text, .index(0), "four"))
  try b.edit(.put(text, .index(2), "x"))
  a = try a.merging(b)
  #expect(try letters(of: a) == "x")
  #expect(a.shape(of: text)?.length == 1)
}
