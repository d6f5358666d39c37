/// Bugs of the coder where texts and counters move among maps, lists, sets and pairs.
let coderReferencePatches: [SourcePatch] = [
  SourcePatch(
    .coder("alike-elements-hide-each-other"),
    "Of a set's elements that read alike, one alone can be the stored one.",
    law: "reference.story",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "fresh[print] ?? []",
    becomes: "Array((fresh[print] ?? []).suffix(1))"
  ),
  SourcePatch(
    .coder("branches-know-texts-by-later-content"),
    "On a branch, a set's text is looked for by what was typed in it since.",
    law: "reference.story",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "stored ?? held.content(of: text, in: home)",
    becomes: "{ _ = stored; return held.content(of: text, in: home) }()"
  ),
  SourcePatch(
    .coder("strings-leave-texts-bound"),
    "A text in whose place a string was written stays bound to that.",
    law: "reference.story",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "held.hasInstance(of: object)",
    becomes: "false"
  ),
]
