/// Bugs of the coder that show only in what is long, nearly the same, asked for twice, or moves, or where two
/// conditions meet.
let coderReachPatches: [SourcePatch] = [
  SourcePatch(
    .coder("nested-maps-begin-anew"),
    "A nested map that is asked for again loses what the first request wrote.",
    law: "containers.nested",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "nested(.map, key)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("nested-lists-begin-anew"),
    "A nested list that is asked for again loses what the first request wrote.",
    law: "containers.nested",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "nested(.list, key)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("keys-of-supers-are-ignored"),
    "A superclass under a key writes beside it.",
    law: "containers.inherited",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    #"""
    session.link(node, depth)
        return StagingEncoder(session: session, node: node, depth: depth + 1)
    """#,
    becomes: "return superEncoder()",
    as: .statements
  ),
  // This one and the next three compare too little, each right for the short and different values
  // that tests are first written with.
  SourcePatch(
    .coder("integers-compare-short"),
    "Integers that share their lower halves are taken for equal.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .int(let new) = scalar, case .int(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return Int32(truncatingIfNeeded: new) == Int32(truncatingIfNeeded: old)
          }()
      """#
  ),
  SourcePatch(
    .coder("strings-compare-starts"),
    "A string is not written over one that begins with it.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .string(let new) = scalar, case .string(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return old.utf8.starts(with: new.utf8)
          }()
      """#
  ),
  SourcePatch(
    .coder("bytes-compare-ends"),
    "Bytes of one length and one first byte are taken for equal.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .bytes(let new) = scalar, case .bytes(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return new.count == old.count && new.first == old.first
          }()
      """#
  ),
  SourcePatch(
    .coder("integers-equal-by-bits"),
    "An integer is taken for the one of other sign with its bits.",
    law: "reencode.over-drift",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .uint(let new) = scalar, case .int(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return new == UInt64(bitPattern: old)
          }()
      """#
  ),
  SourcePatch(
    .coder("pairs-keep-values"),
    "A dictionary that is stored as a list keeps the old values of keys that stay.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "plan.steps.append((elements[place + 1], .update(start + 1)))",
    becomes: "plan.steps.append((elements[place + 1], .same(start + 1)))",
    as: .statements
  ),
  // A limit meant for a batch, which ends the work instead of the batch.
  SourcePatch(
    .coder("long-runs-stay"),
    "Of elements that are removed in one run, 64 go.",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "try engine.splice(known.object, at: start, delete: end - start)",
    becomes: "try engine.splice(known.object, at: start, delete: min(end - start, 64))",
    as: .statements
  ),
  // `Identifiable` says which element it is, not that it is as before.
  SourcePatch(
    .coder("identity-is-equality"),
    "An element with the id of a stored one is taken for equal to it.",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    #"""
    matches[to] = .update(from)
            pairs.append((from, to))
    """#,
    becomes: #"""
      matches[to] = .same(from)
              pairs.append((from, to))
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("preserve-at-root-only"),
    "With unknown keys kept, those below the root go.",
    law: "unknown.in-elements",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "if strategy == .readonly || keepsUnknownKeys(map) { return }",
    becomes: "if strategy == .readonly || (keepsUnknownKeys(map) && object == .root) { return }",
    as: .statements
  ),
  SourcePatch(
    .coder("moved-counter-stays-behind"),
    "A counter that moved within its list stays bound to the element that went.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "engine.count(at: bound.place) == nil",
    becomes: "false"
  ),
  SourcePatch(
    .coder("lost-counter-not-held"),
    "A counter whose key is gone is not asked for its count before others are written.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/HeldValues.swift",
    """
    if let count = engine.count(at: place) {
              counts[place] = count
            } else {
              lostCounts[ObjectIdentifier(counter)] = Int64(counter.value)
            }
    """,
    becomes: "if let count = engine.count(at: place) { counts[place] = count }",
    as: .statements
  ),
  SourcePatch(
    .coder("likeness-of-last-pair-alone"),
    "Elements are paired by their own likeness, whatever is lost for those behind them.",
    law: "list.fewest-in-structs",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "max(apart, alike + best[place + new + 2])",
    becomes: "max(apart, alike)"
  ),
  SourcePatch(
    .coder("path-never-appends"),
    "A path to the end of a list is refused.",
    law: "path.by-strategy",
    in: "Sources/DocumentCoding/Locator.swift",
    "index == length",
    becomes: "false"
  ),
  // The index of a large map is one more place that has to hear of each key.
  SourcePatch(
    .coder("index-misses-new-entries"),
    "A key that comes to a large map after its index was made is not found in it.",
    law: "merge.same-value",
    in: "Sources/MergeEngine/Drafts/DraftStore.swift",
    "if !indexes.isEmpty { indexes[holder]?[key] = node }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .coder("great-numbers-differ"),
    "A whole float beyond 63 bits stands for another value than the integer that it equals.",
    law: "reencode.over-other-kinds",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "UInt64(exactly: value)",
    becomes: "UInt64(exactly: value).flatMap({ _ in UInt64?.none })"
  ),
  SourcePatch(
    .coder("ends-bind-nothing"),
    "Texts and counters in front of the first element that differs are not bound.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "bindings.removeSubrange(noted.bindings...)",
    becomes: "bindings.removeAll()",
    as: .statements
  ),
  SourcePatch(
    .coder("nulls-serve-for-nothing"),
    "A null in a list is deleted, and the value that comes in its place inserted.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "Self.fits(current, value)",
    becomes: "Self.fits(current, value) && !current.isNull"
  ),
  SourcePatch(
    .coder("objects-pass-for-nothing"),
    "An object under a key whose value is nil is taken for nothing.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "record.action == .set && record.meta.type == TypeCode.null",
    becomes: "record.action != .set || record.meta.type == TypeCode.null"
  ),
  SourcePatch(
    .coder("ids-by-their-letters"),
    "In a set an id in lower case is another element than the one that it reads as.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "isUUID ? value.uppercased() : value",
    becomes: "value"
  ),
  SourcePatch(
    .coder("floats-by-their-digits"),
    "In a set a float of more digits is another element than the one that it reads as.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    ".scalar(.double(Double(Float(number))))",
    becomes: "current"
  ),
  SourcePatch(
    .coder("twins-in-sets-go"),
    "Of an element that two writers added to a set a save leaves one.",
    law: "merge.sets",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "twins[print] = place",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .coder("cautious-takes-equal-numbers"),
    "A cautious encode takes the very number as another kind for its own.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "current.word != value.storedScalar.word",
    becomes: "false"
  ),
  SourcePatch(
    .coder("lists-by-hand-uncounted"),
    "Lists that a value asks for within its lists do not count as levels.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "UnkeyedStaging(session: session, list: nest(.list), depth: depth + 1)",
    becomes: "UnkeyedStaging(session: session, list: nest(.list), depth: depth)"
  ),
  SourcePatch(
    .coder("null-is-no-missing-float"),
    "A null under an optional Float is refused.",
    law: "null.reads-as-nil",
    in: "Sources/DocumentCoding/KeyedReading.swift",
    "present(key).map { try session.float(Float.self, $0) { path(to: key) } }",
    becomes: "stored(key).map { try session.float(Float.self, $0) { path(to: key) } }"
  ),
  SourcePatch(
    .coder("respelled-key-stays"),
    "A key of a dictionary stays if the model has another spelling of the same letters.",
    law: "strings.normal-form",
    in: "Sources/DocumentCoding/StagedValue.swift",
    "left.key == right.key && left.key.utf8.elementsEqual(right.key.utf8)",
    becomes: "left.key == right.key"
  ),
  SourcePatch(
    .coder("foreign-moments-in-sets-go"),
    "A date in a set is rewritten if another program stored it with a fraction.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "dateTruncation.truncated(value)",
    becomes: "value"
  ),
  // The last writer is the one that merged last: an own change in front of a peer's has its number
  // all the same.
  SourcePatch(
    .coder("branch-asks-last-writer"),
    "A stale model is written by the document's writer if another one's change came last.",
    law: "stale.based-on",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    #"engine.changes(since: branch.reading(\.heads)).contains { $0.actor == engine.actor }"#,
    becomes: #"engine.changes(since: branch.reading(\.heads)).last?.actor == engine.actor"#
  ),
  SourcePatch(
    .coder("half-alike-is-another"),
    "An element whose id changes is replaced where just half of its fields are alike.",
    law: "list.other-identity",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "(same - lacking) * 2 < map.count - lacking",
    becomes: "(same - lacking) * 2 <= map.count - lacking"
  ),
  SourcePatch(
    .coder("branches-of-one-writer"),
    "Two with equal heads give a branch from older ones the same writer, and cannot merge any more.",
    law: "stale.based-on",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "doc.actor.data",
    becomes: "doc.actor.data.dropFirst(16)"
  ),
]
