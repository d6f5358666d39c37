import DocumentModel
import NaiveModel

let goldenRegisters = [
  GoldenHistory("one_key", shows: #""hello": string "world" (1@a)"#) {
    var model = Model(actor: .a)
    try model.edit(.put("hello", "world"))
    return model
  },
  GoldenHistory(
    "scalars",
    shows: #"""
      "bytes": bytes 0x00ff10 (6@a)
      "empty": string "" (5@a)
      "f": float 1.5 (8@a)
      "false": boolean false (3@a)
      "inf": float inf (10@a)
      "negzero": float -0.0 (9@a)
      "nobytes": bytes 0x (7@a)
      "null": null (1@a)
      "old": timestamp -86400000 (12@a)
      "str": string "h\u{e9}llo \u{1f600}" (4@a)
      "time": timestamp 1700000000123 (11@a)
      "true": boolean true (2@a)
      """#
  ) {
    var model = Model(actor: .a)
    try model.edit(
      .put("null", .null),
      .put("true", .boolean(true)),
      .put("false", .boolean(false)),
      .put("str", "h\u{e9}llo \u{1f600}"),
      .put("empty", ""),
      .put("bytes", .bytes([0, 255, 16])),
      .put("nobytes", .bytes([])),
      .put("f", .float(1.5)),
      .put("negzero", .float(-0.0)),
      .put("inf", .float(.infinity)),
      .put("time", .timestamp(1_700_000_000_123)),
      .put("old", .timestamp(-86_400_000))
    )
    return model
  },
  GoldenHistory(
    "key_order",
    shows: #"""
      "B": string "B" (8@a)
      "a": string "a" (2@a)
      "ab": string "ab" (7@a)
      "b": string "b" (1@a)
      "z": string "z" (3@a)
      "~": string "~" (9@a)
      "\u{e9}": string "\u{e9}" (4@a)
      "\u{ffee}": string "\u{ffee}" (5@a)
      "\u{10000}": string "\u{10000}" (6@a)
      """#
  ) {
    var model = Model(actor: .a)
    for key in ["b", "a", "z", "\u{e9}", "\u{ffee}", "\u{10000}", "ab", "B", "~"] {
      try model.edit(.put(ExactString(key), .string(ExactString(key))))
    }
    return model
  },
  GoldenHistory(
    "delete_then_put",
    shows: """
      "a": int 4 (5@a)
      "b": int 3 (4@a)
      """
  ) {
    var model = Model(actor: .a)
    try model.edit(.put("a", 1), .put("b", 2))
    try model.edit(.delete("a"), .put("b", 3))
    try model.edit(.put("a", 4))
    return model
  },
  GoldenHistory(
    "conflict_three",
    shows: """
      "k": string "from c" (2@c)
      "k" (conflict): string "from b" (2@b)
      "k" (conflict): string "from a" (2@a)
      """
  ) {
    var a = Model(actor: .a)
    try a.edit(.put("k", 0))
    var b = a.fork(actor: .b)
    var c = a.fork(actor: .c)
    try a.edit(.put("k", "from a"))
    try b.edit(.put("k", "from b"))
    try c.edit(.put("k", "from c"))
    return try a.merging(b, c)
  },
  GoldenHistory(
    "conflict_counter_beats_actor",
    shows: """
      "k": string "higher counter" (3@a)
      "k" (conflict): string "lower counter, greater actor" (2@b)
      "other": int 1 (2@a)
      """
  ) {
    var a = Model(actor: .a)
    try a.edit(.put("k", 0))
    var b = a.fork(actor: .b)
    try a.edit(.put("other", 1), .put("k", "higher counter"))
    try b.edit(.put("k", "lower counter, greater actor"))
    return try a.merging(b)
  },
  GoldenHistory("delete_vs_put", shows: #""k": string "survives" (2@b)"#) {
    var a = Model(actor: .a)
    try a.edit(.put("k", 0))
    var b = a.fork(actor: .b)
    try a.edit(.delete("k"))
    try b.edit(.put("k", "survives"))
    return try a.merging(b)
  },
  GoldenHistory(
    "conflict_objects",
    shows: """
      "m": map (1@b)
        "b": int 2 (2@b)
      "m" (conflict): map (1@a)
        "a": int 1 (2@a)
      """
  ) {
    var a = Model(actor: .a)
    var b = Model(actor: .b)
    try a.edit(.put(a.make(.map, "m"), .key("a"), 1))
    try b.edit(.put(b.make(.map, "m"), .key("b"), 2))
    return try a.merging(b)
  },
  GoldenHistory(
    "actor_order",
    shows: """
      "a": int 3 (3@ff)
      "b": int 2 (2@80)
      """,
    build: actorOrder
  ),
]
