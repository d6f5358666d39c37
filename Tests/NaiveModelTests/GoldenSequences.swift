import DocumentModel
import NaiveModel

let goldenSequences = [
  GoldenHistory(
    "nested",
    shows: """
      "m": map (1@a)
        "l": list (2@a)
          0: text (8@a)
            "abc" (3 units)
          1: int 0 (3@a)
          2: map (6@a)
            "deep": boolean true (7@a)
          3: int 1 (4@a)
          4: list (12@a)
      """
  ) {
    var model = Model(actor: .a)
    let map = try model.make(.map, "m")
    let list = try model.edit(.putObject(map, .key("l"), .list))[0].made ?? .root
    for number in 0..<3 {
      try model.edit(.insert(list, index: number, .int(Int64(number))))
    }
    let inner = try model.edit(.insertObject(list, index: 1, .map))[0].made ?? .root
    try model.edit(.put(inner, .key("deep"), .boolean(true)))
    let text = try model.edit(.insertObject(list, index: 0, .text))[0].made ?? .root
    for edit in Edit.type("abc", in: text, at: 0) { try model.edit(edit) }
    try model.edit(.putObject(list, .index(4), .list))
    return model
  },
  GoldenHistory(
    "conflict_list_element",
    shows: """
      "l": list (1@a)
        0: string "a" (2@a)
        1: string "B" (5@b)
        1 (conflict): string "A" (5@a)
        2: string "c" (4@a)
      """
  ) {
    var (a, list) = try listOfLetters("abc")
    var b = a.fork(actor: .b)
    try a.edit(.put(list, .index(1), "A"))
    try b.edit(.put(list, .index(1), "B"))
    return try a.merging(b)
  },
  GoldenHistory(
    "list_concurrent_inserts",
    shows: """
      "l": list (1@a)
        0: string "base" (2@a)
        1: string "c1" (3@c)
        2: string "c2" (4@c)
        3: string "b1" (3@b)
        4: string "b2" (4@b)
        5: string "a1" (3@a)
        6: string "a2" (4@a)
      """
  ) {
    var a = Model(actor: .a)
    let list = try a.make(.list, "l")
    try a.edit(.insert(list, index: 0, "base"))
    var b = a.fork(actor: .b)
    var c = a.fork(actor: .c)
    try a.edit(.insert(list, index: 1, "a1"), .insert(list, index: 2, "a2"))
    try b.edit(.insert(list, index: 1, "b1"), .insert(list, index: 2, "b2"))
    try c.edit(.insert(list, index: 1, "c1"), .insert(list, index: 2, "c2"))
    return try a.merging(b, c)
  },
  GoldenHistory(
    "list_concurrent_prepends",
    shows: """
      "l": list (1@a)
        0: string "b2" (4@b)
        1: string "a2" (4@a)
        2: string "b1" (3@b)
        3: string "a1" (3@a)
        4: string "b0" (2@b)
        5: string "a0" (2@a)
      """
  ) {
    var a = Model(actor: .a)
    let list = try a.make(.list, "l")
    var b = a.fork(actor: .b)
    for number in 0..<3 {
      try a.edit(.insert(list, index: 0, .string(ExactString("a\(number)"))))
      try b.edit(.insert(list, index: 0, .string(ExactString("b\(number)"))))
    }
    return try a.merging(b)
  },
  GoldenHistory(
    "list_delete_vs_edit",
    shows: """
      "l": list (1@a)
        0: string "a" (2@a)
        1: string "B" (7@b)
        2: string "X" (6@b)
        3: string "d" (5@a)
      """
  ) {
    var (a, list) = try listOfLetters("abcd")
    var b = a.fork(actor: .b)
    try a.edit(.delete(list, .index(1)), .delete(list, .index(1)))
    try b.edit(.insert(list, index: 2, "X"), .put(list, .index(1), "B"))
    return try a.merging(b)
  },
  GoldenHistory(
    "text_unicode",
    shows: #"""
      "t": text (1@a)
        "h\u{e9}llo \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} e\u{301}" (14 units)
      """#
  ) {
    try greeting().model
  },
  GoldenHistory(
    "text_merge",
    shows: #"""
      "t": text (1@a)
        "Jllo, there \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} e\u{301}" (20 units)
      """#
  ) {
    var (a, text) = try greeting()
    var b = a.fork(actor: .b)
    try a.edit(.spliceText(text, index: 5, deleting: 0, inserting: ", there"))
    try b.edit(.delete(text, .index(0)), .delete(text, .index(0)))
    try b.edit(.spliceText(text, index: 0, deleting: 0, inserting: "J"))
    return try a.merging(b)
  },
]

/// A list `l` of these letters, made by actor a: the list is 1@a, the letters follow.
func listOfLetters(_ letters: String) throws -> (model: Model, list: ObjectID) {
  var model = Model(actor: .a)
  let list = try model.make(.list, "l")
  for edit in Edit.type(letters, in: list, at: 0) { _ = try model.apply(edit) }
  model.commit()
  return (model, list)
}

/// A text `t` of scalars that join to clusters, made by actor a.
private func greeting() throws -> (model: Model, text: ObjectID) {
  var model = Model(actor: .a)
  let text = try model.make(.text, "t")
  let greeting: ExactString = "h\u{e9}llo \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} e\u{301}"
  try model.edit(.spliceText(text, index: 0, deleting: 0, inserting: greeting))
  return (model, text)
}
