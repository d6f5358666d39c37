/// Bugs of the coder in what is the same and what only looks so, in counters and at depth.
let coderWordingPatches: [SourcePatch] = [
  SourcePatch(
    .coder("strings-equal-by-look"),
    "Strings that are canonically equivalent count as equal.",
    law: "strings.normal-form",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "left == right && left.utf8.elementsEqual(right.utf8)",
    becomes: "left == right"
  ),
  SourcePatch(
    .coder("texts-turn-into-strings"),
    "A string field over a text replaces the text.",
    law: "text.under-string",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "return try engine.updateText(object, text)",
    becomes: #"""
      try put(scalar, over: current, at: place, path)
              return
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("counters-stay-unbound"),
    "Encoding binds no counter.",
    law: "counter.bound-by-encode",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "counter.attach(to: home, place)",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .coder("decoded-counters-stay-unbound"),
    "Decoding gives counters that no document knows.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "counter.attach(to: document, place, count: count)",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .coder("decoded-counters-know-no-count"),
    "A decoded counter reads 0 if its key is deleted before its first read.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "counter.attach(to: document, place, count: count)",
    becomes: "counter.attach(to: document, place)",
    as: .statements
  ),
  // Of the ways to write a counter one merges: to add the difference.
  SourcePatch(
    .coder("counters-are-set"),
    "Setting a bound counter adds the whole new number.",
    law: "counter.sets-add",
    in: "Sources/DocumentCoding/Counter.swift",
    "increment(by: newValue &- value)",
    becomes: "increment(by: newValue)"
  ),
  SourcePatch(
    .coder("counters-are-put"),
    "Encoding a counter puts a new one in the place of the old.",
    law: "counter.adds",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "try engine.increment(holder, .key(key), by: amount)",
    becomes: "try engine.put(holder, .key(key), .counter(Int64(counter.value)))",
    as: .statements
  ),
  // A document of any depth then ends the process by its stack.
  SourcePatch(
    .coder("depth-is-unbounded"),
    "Decoding counts no depth.",
    law: "depth.refused",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "depth < limit.depth",
    becomes: "true"
  ),
  SourcePatch(
    .coder("elements-are-inserted"),
    "A scalar at the path of an element is inserted before it.",
    law: "path.element",
    in: "Sources/DocumentCoding/Locator.swift",
    ".element(holder, index)",
    becomes: ".insertion(holder, index)"
  ),
]
