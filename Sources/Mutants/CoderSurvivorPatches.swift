/// Bugs that `Mutation/` wrote into the coder by rule, and that all laws let live until one asked for them.
let coderSurvivorPatches: [SourcePatch] = [
  SourcePatch(
    .coder("refused-maps-name-the-wanted-kind"),
    "The words of a refusal say the wanted kind for the one that was found.",
    law: "strategy.create-refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    #"mismatch(path(), wanted: "a map", found: current.word)"#,
    becomes: #"mismatch(path(), wanted: current.word, found: "a map")"#
  ),
  SourcePatch(
    .coder("strings-give-way-to-texts"),
    "A text takes the place of a string in a list.",
    law: "text.over-other",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "if case .text = value, case .scalar(.string) = old { return true }",
    becomes: "_ = value",
    as: .statements
  ),
  SourcePatch(
    .coder("readonly-counters-replace-objects"),
    "A readonly encode puts a counter over an object.",
    law: "counter.over-other",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    #"throw mismatch(path(), wanted: "a counter", found: kind.word)"#,
    becomes: "_ = kind",
    as: .statements
  ),
  SourcePatch(
    .coder("unbound-texts-are-constant"),
    "What is set on a text that is bound to nothing is dropped.",
    law: "text.binds",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "$0.text = newValue",
    becomes: "if $0.binding != nil { $0.text = newValue }",
    as: .statements
  ),
  SourcePatch(
    .coder("read-texts-are-forgotten"),
    "A text whose object is gone knows nothing of what was read.",
    law: "text.binds",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "state.withLock { if $0.text == known { $0.text = text } }",
    becomes: "_ = known",
    as: .statements
  ),
  SourcePatch(
    .coder("unbound-counters-are-constant"),
    "What is added to a counter that is bound to nothing is dropped.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/Counter.swift",
    "if $0.binding == nil { $0.count &+= amount }",
    becomes: "_ = amount",
    as: .statements
  ),
  SourcePatch(
    .coder("dictionaries-as-hashed"),
    "A dictionary is written in the order of its hash table.",
    law: "encode.deterministic",
    in: "Sources/DocumentCoding/StagedValue.swift",
    "owner == .dictionary",
    becomes: "owner != .dictionary"
  ),
  SourcePatch(
    .coder("sets-as-hashed"),
    "A set is written in the order of its hash table.",
    law: "encode.deterministic",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "elements.count > width",
    becomes: "false"
  ),
  SourcePatch(
    .coder("supers-in-lists-are-no-levels"),
    "A superclass that is an element of a list does not count as a level.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "return StagingEncoder(session: session, node: node, depth: depth + 1)",
    becomes: "return StagingEncoder(session: session, node: node, depth: depth)",
    as: .statements
  ),
  SourcePatch(
    .coder("deep-strings-are-values"),
    "A string in a list counts as a level.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "type == String.self",
    becomes: "false"
  ),
  SourcePatch(
    .coder("counters-of-a-list-are-alike"),
    "A counter that stays in its list is looked for as if it came from elsewhere.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "place.holder == holder",
    becomes: "place.holder != holder"
  ),
  SourcePatch(
    .coder("moved-counters-take-elements"),
    "A counter that has moved takes the element of one that went.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "counter.place(in: home)?.holder == known.object ? 0 : 1",
    becomes: "1"
  ),
  SourcePatch(
    .coder("moved-texts-take-elements"),
    "A text that has moved takes the element of one that went.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "text.object(in: home).map { $0 == object ? 101 : 0 } ?? 1",
    becomes: "1"
  ),
  SourcePatch(
    .coder("failed-comparisons-bind"),
    "A comparison that comes to nothing leaves what it has found to be bound.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "if !result { bindings.removeSubrange(noted...) }",
    becomes: "_ = noted",
    as: .statements
  ),
  SourcePatch(
    .coder("branches-hold-counts"),
    "A counter that is copied on a branch counts what the branch had.",
    law: "reference.based-on",
    in: "Sources/DocumentCoding/HeldValues.swift",
    "home.reading { $0 === engine }",
    becomes: "true"
  ),
  SourcePatch(
    .coder("fingerprints-of-two-depths"),
    "Of deep elements the document's side is looked into further than the model's.",
    law: "list.edit-one",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "kind != .text",
    becomes: "kind == .text"
  ),
  SourcePatch(
    .coder("fingerprints-without-keys"),
    "Values under each other's keys have one fingerprint.",
    law: "merge.sets",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "hasher.combine(key)",
    becomes: "_ = key",
    as: .statements
  ),
  SourcePatch(
    .coder("sets-in-lists-only-grow"),
    "A set in a list that has lost an element is taken for equal.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "engine.length(object) == list.count",
    becomes: "engine.length(object) >= list.count"
  ),
  SourcePatch(
    .coder("ends-of-longer-lists-unseen"),
    "The end of a list that became longer is not looked at.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "newEnd > start",
    becomes: "false"
  ),
  SourcePatch(
    .coder("single-elements-pair-by-place"),
    "A list of one element that gets others around it is written over from its start.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "old.count > 1 || new.count > 1",
    becomes: "old.count > 1 && new.count > 1"
  ),
  SourcePatch(
    .coder("one-anchor-a-level"),
    "Of the elements of a long list that stand once the last alone is kept in each part.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "low < high",
    becomes: "false"
  ),
]
