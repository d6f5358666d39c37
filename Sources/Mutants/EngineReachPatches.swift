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
  ),
  SourcePatch(
    .engine("drop-vain-one-late"),
    "A waiting change whose number a local commit takes goes on waiting, and is saved.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "history.count - 1",
    becomes: "history.count"
  ),
]
