/// Bugs that all laws let live once: of the engine beside a peer of another make or another age, where several marks
/// or writers meet at one place, and in what is taken back.
let engineReachPatches: [SourcePatch] = [
  SourcePatch(
    .engine("timestamp-unchecked"),
    "The bytes of a received timestamp are taken without a look at them.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/OpRowReader.swift",
    "TypeCode.timestamp",
    becomes: "TypeCode.counter"
  )
]
