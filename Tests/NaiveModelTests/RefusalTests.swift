import DocumentModel
import NaiveModel
import Testing

/// An edit of ``refusingDocument()``, and why it is refused.
struct RefusedEdit: Sendable, CustomTestStringConvertible {
  let edit: Edit<ObjectID>
  let refusal: EditRefusal

  init(_ edit: Edit<ObjectID>, _ refusal: EditRefusal) {
    self.edit = edit
    self.refusal = refusal
  }

  var testDescription: String { "\(edit)" }
}

private let map = ObjectID.made(OpID(counter: 1, actor: .a))
private let list = ObjectID.made(OpID(counter: 2, actor: .a))
private let text = ObjectID.made(OpID(counter: 5, actor: .a))
private let scalar = ObjectID.made(OpID(counter: 3, actor: .a))
private let stranger = ObjectID.made(OpID(counter: 1, actor: .b))

/// A map, a list of two, a text of two and a string under keys of the root.
private func refusingDocument() throws -> Model {
  var model = Model(actor: .a)
  try model.edit(
    .putObject(.root, .key("m"), .map),
    .putObject(.root, .key("l"), .list),
    .insert(list, index: 0, 1),
    .insert(list, index: 1, 2),
    .putObject(.root, .key("t"), .text),
    .spliceText(text, index: 0, deleting: 0, inserting: "ab"),
    .put("s", "x")
  )
  return model
}

private let refusedByObject = [
  RefusedEdit(.put(stranger, .key("k"), 1), .noObject(stranger)),
  RefusedEdit(.delete(scalar, .key("k")), .noObject(scalar)),
]

private let refusedByKind = [
  RefusedEdit(.put(map, .index(0), 1), .wrongKind(.map, for: .put)),
  RefusedEdit(.put(list, .key("k"), 1), .wrongKind(.list, for: .put)),
  RefusedEdit(.put(text, .key("k"), 1), .wrongKind(.text, for: .put)),
  RefusedEdit(.putObject(map, .index(0), .map), .wrongKind(.map, for: .putObject)),
  RefusedEdit(.putObject(list, .key("k"), .map), .wrongKind(.list, for: .putObject)),
  RefusedEdit(.delete(map, .index(0)), .wrongKind(.map, for: .delete)),
  RefusedEdit(.delete(list, .key("k")), .wrongKind(.list, for: .delete)),
  RefusedEdit(.delete(text, .key("k")), .wrongKind(.text, for: .delete)),
  RefusedEdit(.increment(map, .index(0), by: 1), .wrongKind(.map, for: .increment)),
  RefusedEdit(.increment(list, .key("k"), by: 1), .wrongKind(.list, for: .increment)),
  RefusedEdit(.insert(map, index: 0, 1), .wrongKind(.map, for: .insert)),
  RefusedEdit(.insertObject(map, index: 0, .map), .wrongKind(.map, for: .insertObject)),
  RefusedEdit(
    .splice(map, index: 0, deleting: 0, inserting: []),
    .wrongKind(.map, for: .splice)
  ),
  RefusedEdit(
    .splice(text, index: 0, deleting: 1, inserting: [1]),
    .wrongKind(.text, for: .splice)
  ),
  RefusedEdit(
    .spliceText(list, index: 0, deleting: 1, inserting: "x"),
    .wrongKind(.list, for: .spliceText)
  ),
  RefusedEdit(
    .spliceText(map, index: 0, deleting: 0, inserting: ""),
    .wrongKind(.map, for: .spliceText)
  ),
]

private let refusedByIndex = [
  RefusedEdit(.put(list, .index(2), 1), .indexOutOfBounds(2, length: 2)),
  RefusedEdit(.put(list, .index(-1), 1), .indexOutOfBounds(-1, length: 2)),
  RefusedEdit(.put(text, .index(2), "c"), .indexOutOfBounds(2, length: 2)),
  RefusedEdit(.putObject(list, .index(.max), .map), .indexOutOfBounds(.max, length: 2)),
  RefusedEdit(.insert(list, index: 3, 1), .indexOutOfBounds(3, length: 2)),
  RefusedEdit(.insert(list, index: .min, 1), .indexOutOfBounds(.min, length: 2)),
  RefusedEdit(.insertObject(text, index: 3, .map), .indexOutOfBounds(3, length: 2)),
  RefusedEdit(.delete(list, .index(2)), .indexOutOfBounds(2, length: 2)),
  RefusedEdit(.delete(list, .index(-1)), .indexOutOfBounds(-1, length: 2)),
  RefusedEdit(.delete(text, .index(-1)), .indexOutOfBounds(-1, length: 2)),
  RefusedEdit(.increment(list, .index(2), by: 1), .indexOutOfBounds(2, length: 2)),
  RefusedEdit(
    .splice(list, index: 3, deleting: 0, inserting: [1]),
    .indexOutOfBounds(3, length: 2)
  ),
  RefusedEdit(
    .splice(list, index: 1, deleting: -2, inserting: [1]),
    .indexOutOfBounds(1, length: 2)
  ),
  RefusedEdit(
    .splice(list, index: -1, deleting: .min, inserting: []),
    .indexOutOfBounds(-1, length: 2)
  ),
  RefusedEdit(
    .splice(list, index: -1, deleting: .max, inserting: []),
    .indexOutOfBounds(-1, length: 2)
  ),
  RefusedEdit(
    .spliceText(text, index: .max, deleting: .max, inserting: "x"),
    .indexOutOfBounds(.max, length: 2)
  ),
]

private let refusedIncrements = [
  RefusedEdit(.increment("s", by: 1), .notACounter(.key("s"))),
  RefusedEdit(.increment("absent", by: 1), .notACounter(.key("absent"))),
  RefusedEdit(.increment("m", by: 1), .notACounter(.key("m"))),
  RefusedEdit(.increment(list, .index(0), by: 1), .notACounter(.index(0))),
]

@Test(
  "An edit that does not fit is refused with its reason and changes nothing",
  arguments: refusedByObject + refusedByKind + refusedByIndex + refusedIncrements
)
func refuses(_ refused: RefusedEdit) throws {
  var model = try refusingDocument()
  let before = try model.observe(at: nil)
  #expect(throws: refused.refusal) { try model.apply(refused.edit) }
  #expect(try model.observe(at: nil) == before)
  model.commit()
  #expect(try model.observe(at: nil) == before)
  #expect(try model.edit(.put("next", 1))[0].written == ids("9@a"))
}

/// Automerge's rules in a document whose counters have nearly run out.
private enum NearlyExhausted: Rules {
  static func firstCounter(highest: UInt32, ownHighest: UInt32) -> UInt64 {
    UInt64(max(highest, .max - 3)) + 1
  }
}

@Test("The last operation id is used, and an edit that needs one more is refused whole")
func exhaustsCounters() throws {
  var model = NaiveModel<NearlyExhausted>(actor: .a)
  let list = try model.make(.list, "l")
  let before = try model.observe(at: nil)
  #expect(throws: EditRefusal.self) {
    try model.apply(.splice(list, index: 0, deleting: 0, inserting: [1, 2, 3]))
  }
  #expect(try model.observe(at: nil) == before)

  let effect = try model.edit(.splice(list, index: 0, deleting: 0, inserting: [1, 2]))[0]
  #expect(effect.written.map(\.counter) == [.max - 1, .max])
  let full = try model.observe(at: nil)
  let refused: [Edit<ObjectID>] = [
    .put("k", 1),
    .putObject(.root, .key("k"), .map),
    .delete("l"),
    .delete(list, .index(0)),
    .insert(list, index: 0, 1),
    .splice(list, index: 0, deleting: 2, inserting: []),
  ]
  for edit in refused {
    #expect(throws: EditRefusal.self) { try model.apply(edit) }
    #expect(try model.observe(at: nil) == full)
  }
  #expect(try model.apply(.splice(list, index: 0, deleting: 0, inserting: [])) == EditEffect())
}

@Test("A refusal says what was expected and found")
func describesRefusals() throws {
  let actor = try #require(ActorID(hex: "0a"))
  var model = NaiveModel<NearlyExhausted>(actor: actor)
  let words = #expect(throws: EditRefusal.self) {
    try model.apply(.splice(model.make(.list, "l"), index: 0, deleting: 0, inserting: [1, 2, 3]))
  }
  #expect(
    words?.description == "no operation id is left: 3 more after counter 4294967293"
  )
  let foreign = #expect(throws: NaiveRefusal.self) {
    try model.observe(at: ObservedHeads(scheme: "hash", ids: []))
  }
  #expect(foreign?.description == #"heads of scheme "hash", expected "naive""#)
}

@Test("Deleting past the end of a text is neither an error nor an operation")
func deletesPastEndOfText() throws {
  var model = try refusingDocument()
  #expect(try model.apply(.delete(text, .index(2))) == EditEffect())
  #expect(try model.apply(.delete(text, .index(.max))) == EditEffect())
  #expect(try model.edit(.put("next", 1))[0].written == ids("9@a"))
}
