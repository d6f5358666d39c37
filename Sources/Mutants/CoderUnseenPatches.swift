/// Bugs of the coder that a stranger planted and a minute of all laws did not find.
///
/// One more of them, an id in lower case that a shifted list does not know again, is `ids-by-their-letters`.
let coderUnseenPatches: [SourcePatch] = [
  SourcePatch(
    .coder("missing-key-names-itself-twice"),
    "At a path, the refusal of a missing key names the key where its map is meant.",
    law: "path.values",
    in: "Sources/DocumentCoding/AutomergeDecoder.swift",
    "CodingPath.of(steps.dropLast())",
    becomes: "CodingPath.of(steps)"
  ),
  SourcePatch(
    .coder("end-is-out-of-bounds"),
    "Where nothing may be made, the end of a list counts as a place beyond it.",
    law: "path.element",
    in: "Sources/DocumentCoding/Locator.swift",
    "index <= length",
    becomes: "strategy == .readonly ? index < length : index <= length"
  ),
  SourcePatch(
    .coder("keys-of-elements-unnamed"),
    "With unknown keys kept, keys that elements of lists alone have count as unknown.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "for element in list { element.collectKeys(&keys) }",
    becomes: "_ = list",
    as: .statements
  ),
  SourcePatch(
    .coder("counters-equal-anywhere"),
    "Counters at two places of a document are equal if they count the same.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "first.place == second.place",
    becomes: "true"
  ),
  SourcePatch(
    .coder("paired-element-counts-as-left"),
    "A cautious encode refuses a new element for the sake of one that became another.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "left.remove(pair.old + old.lowerBound)",
    becomes: "_ = pair",
    as: .statements
  ),
  SourcePatch(
    .coder("readonly-deletes-nil"),
    "A read-only encode deletes the key of a field that became nil.",
    law: "strategy.readonly",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "strategy != .readonly",
    becomes: "true"
  ),
  // The statement comes in front of the text.
  SourcePatch(
    .coder("integers-round-to-floats"),
    "A float reads an integer that it only comes close to.",
    law: "float.reads-infinity",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    """
    switch value {
        case .scalar(.double(let number)):
          let nearest
    """,
    becomes: "if case .scalar(.int(let number)) = value { return Number(number) }",
    as: .insertion
  ),
  SourcePatch(
    .coder("open-change-counts-as-based-on"),
    "An encode that is based on the present heads is written beside what is not committed.",
    law: "subject.answers",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "engine.pendingOpCount == 0",
    becomes: "true"
  ),
]
