/// Bugs of storage: the column codecs, loading, saving, hashing.
let engineStoragePatches: [SourcePatch] = [
  // Writing columns.
  // A writer's bug that other programs see: our own reader refuses the file as well.
  SourcePatch(
    .engine("run-counts-one-more"),
    "A run-length column claims one row more than it has in each repeated run.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    """
    closeLiteral()
          bytes.appendSLEB(Int64(count))
          write(value)
    """,
    becomes: "closeLiteral()\nbytes.appendSLEB(Int64(count) + 1)\nwrite(value)",
    as: .statements
  ),
  SourcePatch(
    .engine("delta-forgets-steps"),
    "A delta column goes on from the value before a run of steps.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "last &+= step &* Int64(count)",
    becomes: "last &+= step",
    as: .statements
  ),
  // A boolean column alternates and begins with false, so the first run is often empty and easily
  // forgotten.
  SourcePatch(
    .engine("flags-start-with-true"),
    "A boolean column whose first row is true leaves out the empty run of false.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    """
    bytes.appendULEB(count)
          value = newValue
          count = 0
    """,
    becomes: "if count > 0 { bytes.appendULEB(count) }\nvalue = newValue\ncount = 0",
    as: .statements
  ),
  SourcePatch(
    .engine("keys-repeat-the-first"),
    "A column of strings takes every string for the one before.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "count > 0 && newKey == key",
    becomes: "count > 0"
  ),
  // Reading columns.
  SourcePatch(
    .engine("literal-one-short"),
    "A literal run of several values is read as one value fewer.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "literal = count.magnitude",
    becomes: "literal = count.magnitude > 1 ? count.magnitude - 1 : 1"
  ),
  // Readers take rows one by one or several at a time; the second way is the fast one, and the one
  // with bugs.
  SourcePatch(
    .engine("delta-advances-once"),
    "Taking several rows of a delta column at once adds one step.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "current &+= Int64(bitPattern: runs.value) &* Int64(count)",
    becomes: "current &+= Int64(bitPattern: runs.value)",
    as: .statements
  ),
  SourcePatch(
    .engine("values-by-row"),
    "Taking several rows at once moves on by one byte of the value column for each.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "Int(count * size)",
    becomes: "Int(count)"
  ),
  SourcePatch(
    .engine("flag-run-not-taken"),
    "Taking rows of a boolean column at once takes one too few.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "min(count, remaining)",
    becomes: "min(count, remaining) &- (count > 1 ? 1 : 0)"
  ),
  // Loading and saving.
  SourcePatch(
    .engine("load-hides-counters"),
    "A counter that was incremented is gone after loading.",
    law: "save.round-trips",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "if hiders == 0 { rows[row].flags.remove(.hidden) }",
    becomes: "_ = hiders",
    as: .statements
  ),
  SourcePatch(
    .engine("save-drops-waiting"),
    "Saving leaves out the changes that wait for their dependencies.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "for change in history.waiting { output.append(change.bytes) }",
    becomes: "_ = deflates",
    as: .statements
  ),
  // A run of deletions has a direction; text deleted with the backspace key has the other one.
  SourcePatch(
    .engine("load-takes-falling-for-rising"),
    "Elements deleted from the last to the first are loaded as deleted from the first to the last.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "rises ? .ascending : .descending",
    becomes: ".ascending"
  ),
  // Shows with hostile bytes alone: no writer of ours makes them.
  SourcePatch(
    .engine("load-trusts-text"),
    "Strings of columns are not checked for well-formed UTF-8.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "isUTF8(bytes)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("writes-empty-marks"),
    "Every document is saved with a column that says which marks expand.",
    law: "golden.same-bytes",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "encoder.expand.hasTrue",
    becomes: "true"
  ),
  // Saved bytes must follow from the content alone, or two devices with one document have two
  // files.
  SourcePatch(
    .engine("save-knows-who-wrote"),
    "A document written here is saved with a column that the same one has not once it was loaded.",
    law: "storage.canonical",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "encoder.expand.hasTrue",
    becomes: "encoder.expand.hasTrue || !history.chunks.isEmpty"
  ),
  SourcePatch(
    .engine("increment-starts-late"),
    "An increment leaves out the first change since the last save.",
    law: "storage.increments",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "core.history.changes(from: core.history.savedCount)",
    becomes: "core.history.changes(from: core.history.savedCount + 1)"
  ),
  // The hash is that of the chunk before deflation; with this one large changes have other hashes
  // than elsewhere.
  SourcePatch(
    .engine("hashes-compressed-as-such"),
    "The hash of a change that came deflated is taken with the type of a deflated chunk.",
    law: "storage.compressed-changes",
    in: "Sources/MergeEngine/Store/Core+Load.swift",
    "appendChunk(type: ChunkFrame.change, plain.view, to: &output)",
    becomes: "appendChunk(type: ChunkFrame.compressed, plain.view, to: &output)"
  ),
  // A value from a later version must be carried through unchanged, or its change's hash no longer
  // fits.
  SourcePatch(
    .engine("forgets-unknown-types"),
    "A value of an unknown type is read as of type 15.",
    law: "golden.accepted",
    in: "Sources/MergeEngine/Columns/StoredValue.swift",
    ".unknown(code: UInt8(type), bytes: bytes.array)",
    becomes: ".unknown(code: 15, bytes: bytes.array)"
  ),
  // What a load checks.
  // Checks that no honest file needs: damage, forgery and foreign writers show their lack.
  SourcePatch(
    .engine("load-ignores-checksum"),
    "A chunk whose checksum is wrong is read.",
    law: "golden.refused",
    in: "Sources/MergeEngine/Changes/ChangeHeader.swift",
    "hash.checksum == checksum",
    becomes: "true"
  ),
  SourcePatch(
    .engine("load-ignores-heads"),
    "The heads that a document states are not compared with those of its changes.",
    law: "golden.refused",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "Set(heads) == Set(core.history.headHashes)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("load-ignores-order"),
    "List elements of a document may stand in any order among siblings.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/OrderStack.swift",
    "!popped.isNone && !core.precedes(id, popped)",
    becomes: "false"
  ),
  SourcePatch(
    .engine("takes-any-form"),
    "A change that is not in canonical form is taken in.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "encoder.content.view.matches(content)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("takes-overlong-number"),
    "A number of a change of one operation may have a byte too many.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "column.count > 2 && column[column.count - 1] == 0 ? nil : number(column)",
    becomes: "number(column)"
  ),
  SourcePatch(
    .engine("takes-actor-without-use"),
    "A change of one operation may list an actor that the operation does not name.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "namesOther && actors[1] != actors[0]",
    becomes: "true"
  ),
  // A refused call has to leave everything as it was, derived numbers included.
  SourcePatch(
    .engine("refusal-keeps-counter"),
    "After a refused change the next operation's counter goes on from its operations.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "maxOp = oldMaxOp",
    becomes: "_ = oldMaxOp",
    as: .statements
  ),
  SourcePatch(
    .engine("refusal-keeps-good-changes"),
    "Changes before a damaged one stay when the call is refused.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    """
    rewind(to: mark)
          values.truncate(to: valueCount)
    """,
    becomes: "throw error",
    as: .statements
  ),
  SourcePatch(
    .engine("accepts-seq-gap"),
    "A change whose number is beyond the actor's next one is applied.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "header.seq == known + 1",
    becomes: "header.seq > known"
  ),
  // Limits.
  // Budgets are for a call, not for a part of it: a file may have thousands of parts.
  SourcePatch(
    .engine("each-chunk-works-anew"),
    "Each document chunk of a file may cost as much as a file of its own.",
    law: "bomb.many-chunks",
    in: "Sources/MergeEngine/Store/Core+Load.swift",
    "other.meter.begin(left: meter.left)",
    becomes: "other.meter.begin(byteCount: content.count)"
  ),
  SourcePatch(
    .engine("work-unlimited"),
    "Bytes from outside may cost as many steps as they like.",
    law: "bomb.quadratic-heads",
    in: "Sources/MergeEngine/WorkMeter.swift",
    "count <= left",
    becomes: "true"
  ),
  // Not wrong but quadratic: many values of one key, each looked for from an end.
  SourcePatch(
    .engine("never-indexes-rows"),
    "A value among many of one key is always looked for one by one.",
    law: "bomb.quadratic-register",
    in: "Sources/MergeEngine/Store/RowIndex.swift",
    "known == Self.walkedOnce",
    becomes: "known != Self.walkedOnce"
  ),
  // A stranger's change with the last number would end all editing: a denial of service by one
  // small message.
  SourcePatch(
    .engine("numbers-used-up"),
    "A change may begin at any operation number, and leave none to others.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "Int(startOp) - 1 - Int(pathLength) <= limits.operationGapLimit",
    becomes: "true"
  ),
  SourcePatch(
    .engine("collector-orders-by-meeting"),
    "Successors are written in the order in which actors were met.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/OpCollector.swift",
    "left == right ? $0 < $1 : core.precedes(left, right)",
    becomes: "left == right ? $0 < $1 : left.raw < right.raw"
  ),
  SourcePatch(
    .engine("first-hider-counted"),
    "An increment counts as hiding its counter.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Store/Core+Register.swift",
    "wasHidden ? 1 : 0",
    becomes: "1"
  ),
  SourcePatch(
    .engine("extra-bytes-by-length-alone"),
    "A saved document has the lengths of the bytes behind its changes, and not the bytes.",
    law: "storage.extra-bytes",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "record.extraLength > 0",
    becomes: "false"
  ),
]

/// All bugs of `MergeEngine`.
let enginePatches =
  engineStorePatches + engineStoragePatches + engineWorldPatches + engineHiddenPatches
  + engineHostilePatches + engineDifferencePatches + engineSyncPatches + engineReachPatches
