/// Bugs that a reader of the sources planted in files where hardly any stood, before looking at laws.
let readerPatches: [SourcePatch] = readerEnginePatches + readerDocumentPatches + readerCoderPatches

private let readerEnginePatches: [SourcePatch] = [
  SourcePatch(
    .engine("equal-marks-stay-two"),
    "Two marks of one name and value that touch are two.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "if let value, let open = stretches[name], open.value.isEqual(to: value) { return }",
    becomes: "_ = position",
    as: .statements
  ),
  SourcePatch(
    .engine("empty-marks-close-first"),
    "The end of a mark over nothing stands before its begin.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "end.reference == start.reference",
    becomes: "false"
  ),
  SourcePatch(
    .engine("patches-insert-without-conflict"),
    "No patch tells of a conflict in an element that is new.",
    law: "patches.conflicts",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "if change.isConflict && width > 0 { writer.add(.conflict(prop)) }",
    becomes: "_ = width",
    as: .statements
  ),
  SourcePatch(
    .engine("patches-insert-without-marks"),
    "Patches insert in a list under no marks.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "writer.insert(value, width: unit, marks.all(core))",
    becomes: "writer.insert(value, width: unit, [])",
    as: .statements
  ),
  SourcePatch(
    .engine("bloom-grows-by-another-word"),
    "The probes of a sync filter grow by other bytes of the hash than those of the real core.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Sync/BloomFilter.swift",
    "UInt32(truncatingIfNeeded: second >> 32)",
    becomes: "UInt32(truncatingIfNeeded: second)"
  ),
  SourcePatch(
    .engine("mark-changes-are-stale"),
    "A patch tells the marks that changed at the stretch before.",
    law: "patches.lead",
    in: "Sources/MergeEngine/Patches/MarkComparison.swift",
    "(typed, changes) = (nil, nil)",
    becomes: "typed = nil",
    as: .statements
  ),
  SourcePatch(
    .engine("marks-tie-by-arrival"),
    "Of two marks with one counter the one wins whose writer came later.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Marks/OpenMarks.swift",
    "UInt64(row.counter) << 16 | UInt64(rank)",
    becomes: "UInt64(row.counter) << 16 | UInt64(row.actor)"
  ),
  SourcePatch(
    .tight("refused-actors-keep-slots"),
    "Actors that a refusal took back are still found by their bytes.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/ActorTable.swift",
    "if count > Self.fewCount { rebuildSlots(sizeLog: slots.sizeLog) }",
    becomes: "_ = count",
    as: .statements
  ),
  SourcePatch(
    .tight("oldest-row-is-second"),
    "A value older than all of a register with many is entered behind the oldest.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/RowIndex.swift",
    "place(of: entry.id, core) ?? (0, -1)",
    becomes: "place(of: entry.id, core) ?? (0, 0)"
  ),
  SourcePatch(
    .tight("compaction-counts-as-saved"),
    "Changes that were not saved count as saved once a refusal has rebuilt the store.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Changes/History.swift",
    "savedCount = other.savedCount\n    waiting = other.waiting",
    becomes: "waiting = other.waiting",
    as: .statements
  ),
  SourcePatch(
    .engine("refusal-keeps-dropped-count"),
    "A refused call still counts the waiting changes that it had dropped.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Changes/History.swift",
    "dropped = mark.dropped\n    droppedCount = mark.droppedCount",
    becomes: "dropped = mark.dropped",
    as: .statements
  ),
  SourcePatch(
    .engine("whole-document-to-any-peer"),
    "A peer that reads version 2 is sent the whole document first, whatever it has.",
    law: "sync.nothing-twice",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.theirHeads == []",
    becomes: "state.theirHeads != nil"
  ),
  SourcePatch(
    .engine("refusal-loses-heads"),
    "A head that a refused call had covered is none once another change comes beside it.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Changes/History.swift",
    "Set(reopened)",
    becomes: "Set<ChangeHandle>()"
  ),
]

private let readerDocumentPatches: [SourcePatch] = [
  SourcePatch(
    .document("ended-marks-span-on"),
    "A span of text still has the marks that end where it begins.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Marks/MergeDocument+Spans.swift",
    "$0.range.upperBound <= next",
    becomes: "$0.range.upperBound < next"
  ),
  SourcePatch(
    .document("longer-run-is-no-change"),
    "An edit that lengthens the last run of the open change counts as none of its object.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Store/Core+Savepoint.swift",
    "transaction.log[from - 1].count > last.count",
    becomes: "transaction.log[from - 1].counter > last.counter"
  ),
  SourcePatch(
    .document("outer-transaction-has-no-way-back"),
    "A commit within nested transactions keeps a copy for the innermost alone.",
    law: "subject.answers",
    in: "Sources/AutomergeDocument/Document.swift",
    "transactions.indices",
    becomes: "transactions.indices.suffix(1)"
  ),
  SourcePatch(
    .document("marks-reach-their-end"),
    "A mark counts at the position behind its last unit.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Marks.swift",
    "index < $0.end",
    becomes: "index <= $0.end"
  ),
  SourcePatch(
    .document("keys-at-heads-are-now"),
    "The keys that a list had at earlier heads are the ids of its present elements.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.elementIDs(obj.engineID, at: hashes)",
    becomes: "engine.elementIDs(obj.engineID)"
  ),
  SourcePatch(
    .document("text-update-takes-equivalents"),
    "A text that differs in its scalars alone, and is canonically equivalent, is not written.",
    law: "api.equivalent-texts",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "!before.utf8.elementsEqual(value.utf8)",
    becomes: "before != value"
  ),
  SourcePatch(
    .document("uint16-wraps"),
    "A number that a UInt8, UInt16 or UInt32 cannot hold is cut to its low bits.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable+Numbers.swift",
    """
    if case .Uint(let value) = val, let exact = Self(exactly: value) { return .success(exact) }
    """,
    becomes: """
      if case .Uint(let value) = val { return .success(Self(truncatingIfNeeded: value)) }
      """,
    as: .statements
  ),
  SourcePatch(
    .document("waiting-bytes-limit-changes"),
    "The limit of waiting bytes that is set becomes that of waiting changes.",
    law: "api.limits",
    in: "Sources/AutomergeDocument/DocumentLimits.swift",
    "engine.waitingByteLimit = newValue",
    becomes: "engine.waitingChangeLimit = newValue",
    as: .statements
  ),
  SourcePatch(
    .document("nan-marks-never-end"),
    "A mark whose value is not a number covers all behind it.",
    law: "api.mark-values",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "scattered[name] = nil",
    becomes: "_ = name",
    as: .statements
  ),
  SourcePatch(
    .document("path-counts-elements"),
    "The path of an object counts the elements before it in its run, and not their units.",
    law: "api.neighbours",
    in: "Sources/MergeEngine/Document/MergeDocument+Reading.swift",
    "unitWidth.units(of: record.element.counter - run.counter)",
    becomes: "record.element.counter - run.counter"
  ),
  SourcePatch(
    .document("patch-paths-count-elements"),
    "The path of a patch counts the objects that are kept before it, and not their units.",
    law: "api.neighbours",
    in: "Sources/MergeEngine/Patches/PatchWalk.swift",
    "writer.index + unit * Int(offset &- from)",
    becomes: "writer.index + Int(offset &- from)"
  ),
  SourcePatch(
    .document("observer-ends-the-round"),
    "Where a call did not reach what one observer observes, those of other objects are not told.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "changed.contains(object)",
    becomes: """
      changed.contains(object)
        && mutation.audience.compactMap(\\.object).allSatisfy {
          $0 == mutation.target || changed.contains($0)
        }
      """
  ),
  SourcePatch(
    .document("index-needs-no-bracket"),
    "The index of a path may lack its closing bracket.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    #"first == "[" && step.hasSuffix("]")"#,
    becomes: #"first == "[""#
  ),
  SourcePatch(
    .document("new-actor-within-transaction"),
    "A transaction in which the document gets another actor has no way back.",
    law: "subject.answers",
    in: "Sources/AutomergeDocument/Document.swift",
    "prepareToCommit()\n        engine.actor = newValue.engineID",
    becomes: "engine.actor = newValue.engineID",
    as: .statements
  ),
  SourcePatch(
    .document("refused-update-stays-half"),
    "An update of a text that is refused halfway leaves what it did until then.",
    law: "api.last-numbers",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "rollback(to: start)",
    becomes: "_ = start",
    as: .statements
  ),
  SourcePatch(
    .document("splice-keeps-half-without-deletion"),
    "A splice that deletes nothing and is refused midway is not taken back.",
    law: "api.last-numbers",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "rollback(to: before)\n      values.truncate(to: valueCount)",
    becomes: "if length > 0 {\n  rollback(to: before)\n  values.truncate(to: valueCount)\n}",
    as: .statements
  ),
]

private let readerCoderPatches: [SourcePatch] = [
  SourcePatch(
    .coder("absent-is-whatever-stands"),
    "A field without a value counts as equal to whatever scalar stands there.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "record.action == .set && record.meta.type == TypeCode.null",
    becomes: "record.action == .set && record.meta.type != TypeCode.counter"
  ),
  SourcePatch(
    .coder("texts-of-two-documents-are-one"),
    "Texts with one id are equal, whichever documents they are in.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "first.document === second.document",
    becomes: "true"
  ),
  SourcePatch(
    .coder("fingerprints-count-the-absent"),
    "An element with an absent field does not look like the one that is stored.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    "if case .absent = value { continue }",
    becomes: "_ = value",
    as: .statements
  ),
  SourcePatch(
    .coder("enum-payloads-are-types"),
    "What an enumeration nests counts as a type of its own.",
    law: "unknown.not-in-dictionaries",
    in: "Sources/DocumentCoding/StagedValue.swift",
    "StagedMap(tree, entry).markEnumeration()",
    becomes: "_ = entry",
    as: .statements
  ),
  SourcePatch(
    .coder("selection-takes-the-next"),
    "A selection whose last character was deleted grows by the one behind.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "last.isThere && !last.bytes.isEmpty",
    becomes: "!last.bytes.isEmpty"
  ),
  SourcePatch(
    .coder("counter-rebinds-with-its-count"),
    "A bound counter that is bound again adds its count.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "state.withLock { $0.binding == nil ? $0.count : 0 }",
    becomes: "state.withLock { $0.count }"
  ),
  SourcePatch(
    .coder("super-of-no-key-is-missing"),
    "A super decoder under a key that is not there is refused.",
    law: "containers.calls",
    in: "Sources/DocumentCoding/KeyedReading.swift",
    "stored(key) == nil ? itself : try reader(key)",
    becomes: "try reader(key)"
  ),
  SourcePatch(
    .coder("infinity-does-not-fit"),
    "A stored infinity counts as a number that does not fit.",
    law: "float.reads-infinity",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "nearest.isFinite || !number.isFinite",
    becomes: "nearest.isFinite"
  ),
  SourcePatch(
    .coder("notes-of-equal-elements-dropped"),
    "What an equal element binds is forgotten where the next one differs and binds nothing.",
    law: "counter.bound-in-lists",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "if walk.begun != noted.begun { noted.bindings = bindings.count }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .coder("twin-of-pairs-kept"),
    "Two pairs with one key both stay.",
    law: "reencode.over-pairs",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "width == 1",
    becomes: "width >= 1"
  ),
  SourcePatch(
    .coder("odd-pair-read-past-the-end"),
    "A key without a value at the end of a list of pairs is taken for a pair.",
    law: "subject.answers",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "known.count - width",
    becomes: "known.count - 1"
  ),
  SourcePatch(
    .engine("first-load-drops-waiting"),
    "A document in which changes only wait counts as empty when bytes are loaded into it.",
    law: "storage.any-order",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "core.history.count == 0 && core.history.waiting.isEmpty",
    becomes: "core.history.count == 0"
  ),
  SourcePatch(
    .engine("loaded-object-is-its-own-element"),
    "An object over an element, once it is loaded, takes its own operation for the element.",
    law: "storage.loads-whole",
    in: "Sources/MergeEngine/Document/RowStore+Placing.swift",
    "isSequence ? (row.inserts ? row.id : row.element) : .none",
    becomes: "isSequence ? row.id : .none"
  ),
  SourcePatch(
    .engine("mark-behind-block-begins-late"),
    "Spans pass by the marks that begin or end at a block.",
    law: "marks.spans",
    in: "Sources/MergeEngine/Marks/MergeDocument+Spans.swift",
    """
    cut()
          endRun()
          spans.append(.block(block))
    """,
    becomes: """
      endRun()
            spans.append(.block(block))
      """,
    as: .statements
  ),
]
