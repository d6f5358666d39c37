/// Bugs that small, polite histories pass by: boundaries of nodes, pages, runs and tables, calls that
/// must be refused, what a rollback leaves, values and actors that are nearly equal.
let engineWorldPatches: [SourcePatch] = [
  // Boundaries of size.
  // Needs a tree of three levels, which small histories never have.
  SourcePatch(
    .engine("inner-split-keeps-units"),
    "When a node of the tree's second level is split, a new leaf's units stay with the left half.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    "moveWidth(width, from: node, to: fresh)",
    becomes: "_ = fresh",
    as: .statements
  ),
  SourcePatch(
    .engine("split-forgets-first"),
    "After a leaf is split the index by id still has the first moved run in the old leaf.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    "if isIndexed { index.set(runs[target], leaf: fresh) }",
    becomes: "if isIndexed && slot > middle { index.set(runs[target], leaf: fresh) }",
    as: .statements
  ),
  SourcePatch(
    .engine("index-page-loses-last"),
    "A run that fills a page of the index by id leaves out the page's last element.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Store/IDIndex.swift",
    "for at in Int(begin)..<Int(begin + here) { pages[lastPage + at] = leaf }",
    becomes: """
      for at in Int(begin)..<Int(begin + here) where at < 63 || here < 64 {
        pages[lastPage + at] = leaf
      }
      """,
    as: .statements
  ),
  // LEB128 with sign: a literal run's count is negative, and -64 is the least that fits one byte.
  SourcePatch(
    .engine("literal-of-65-in-a-byte"),
    "The count of a literal run of 65 values is written in one byte.",
    law: "storage.column-lengths",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "count <= 64",
    becomes: "count <= 65"
  ),
  SourcePatch(
    .engine("flag-runs-in-a-byte"),
    "The last run of a boolean column is written in one byte, however long it is.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "if count > 0 { bytes.appendULEB(count) }",
    becomes: "if count > 0 { bytes.append(UInt8(truncatingIfNeeded: count)) }",
    as: .statements
  ),
  // Exactly at the threshold two comparisons must agree, the one that deflates and the one that
  // says so.
  SourcePatch(
    .engine("threshold-column-not-marked"),
    "A column of exactly 256 bytes is deflated and not marked as such.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Document/DocumentEncoder.swift",
    "UInt64(ColumnLayout.Column.deflateBit)",
    becomes: """
      bytes.count == Self.deflateThreshold
        ? UInt64(0) : UInt64(ColumnLayout.Column.deflateBit)
      """
  ),
  // A table that grows once or never in short histories.
  SourcePatch(
    .engine("hash-index-forgets-on-growth"),
    "The index of changes by hash loses what it held when it grows.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Changes/HashIndex.swift",
    """
    slots = HashSlots(sizeLog: sizeLog + 1)
          count = 0
    """,
    becomes: "slots = HashSlots(sizeLog: sizeLog + 1)",
    as: .statements
  ),
  SourcePatch(
    .engine("sort-skips-low-digit"),
    "More than 256 runs of operations are sorted without a digit in which only one bit differs.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/OpCollector.swift",
    "differing >> shift & mask == 0",
    becomes: "differing >> shift & mask <= 1"
  ),
  // Values and actors.
  // The sign is bit 6 of the last byte, not bit 7.
  SourcePatch(
    .engine("64-is-negative"),
    "The signed number 64 is written in one byte, which reads as -64.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Bytes/Arena.swift",
    "value >= -64 && value < 64",
    becomes: "value >= -64 && value <= 64"
  ),
  SourcePatch(
    .engine("same-put-by-first-byte"),
    "A put of a value that has the length and the first byte of the present one is no change.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    """
    values.view(from: Int(known.value), length: length)
            .matches(values.view(from: Int(stored.value), length: length))
    """,
    becomes: "(length == 0 || values[known.value] == values[stored.value])"
  ),
  SourcePatch(
    .engine("same-put-by-bits"),
    "A put of zero over minus zero is a change.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "old == fresh",
    becomes: "old.bitPattern == fresh.bitPattern"
  ),
  // Impolite calls.
  SourcePatch(
    .engine("negative-delete-goes-forward"),
    "A negative number of elements to delete deletes behind the index.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "return (index + count, -count)",
    becomes: "return (index, min(-count, length - index))",
    as: .statements
  ),
  SourcePatch(
    .engine("splice-past-the-end"),
    "A splice behind the end goes to the end instead of being refused.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    """
    guard index >= 0 && index <= length else {
          throw .indexOutOfBounds(index: index, length: length)
        }
        if count >= 0 { return (index, min(count, length - index)) }
    """,
    becomes: """
      if count >= 0 && index >= 0 {
        let start = min(index, length)
        return (start, min(count, length - start))
      }
      guard index >= 0 && index <= length else {
        throw .indexOutOfBounds(index: index, length: length)
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("refused-increment-takes-a-number"),
    "An increment that finds no counter is refused and uses up the number of an operation.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Edit.swift",
    "guard holdsCounter(target) else { throw .notACounter }",
    becomes: """
      if !holdsCounter(target) {
        _ = try nextOp()
        maxOp &+= 1
        throw .notACounter
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("unknown-object-is-root"),
    "An object that the document does not know is taken for the root.",
    law: "refusals.are-refused",
    in: "Sources/MergeEngine/Store/Core.swift",
    "throw .unknownObject(id)",
    becomes: "return .root",
    as: .statements
  ),
  SourcePatch(
    .engine("rollback-keeps-a-number"),
    "After a rollback the next operation's number is one too high.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "maxOp = transaction.startOp &- 1",
    becomes: "maxOp = transaction.startOp",
    as: .statements
  ),
  SourcePatch(
    .engine("increment-has-own-changes-only"),
    "Saving what is new leaves out the changes of other writers.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    """
    output.append(
              core.history.chunks,
              from: record.chunkStart,
              length: Int(record.chunkLength)
            )
    """,
    becomes: """
      if core.actors.ids[Int(record.actor)] == core.actor {
        output.append(
          core.history.chunks,
          from: record.chunkStart,
          length: Int(record.chunkLength)
        )
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("fork-at-first-head"),
    "A fork at several heads has the changes of the first alone.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "core.walk(from: heads)",
    becomes: "core.walk(from: Array(heads.prefix(1)))"
  ),
  SourcePatch(
    .tight("inner-minimum-kept"),
    "After a split the nodes above keep their least id.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Tree.swift",
    """
    if least != .above {
          lowerMinimum(above: inners[node].parent, Int(inners[node].slot), least)
        }
    """,
    becomes: "_ = least",
    as: .statements
  ),
]

/// Bugs of the public face that only impolite calls meet.
let documentWorldPatches: [SourcePatch] = [
  SourcePatch(
    .document("negative-delete-is-none"),
    "A negative number of elements to delete deletes none.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document+Edits.swift",
    """
    engine.splice(
            obj.engineID,
            at: Int(clamping: start),
            delete: Int(clamping: delete),
            insert: scalars
          )
    """,
    becomes: """
      engine.splice(
        obj.engineID,
        at: Int(clamping: start),
        delete: Int(clamping: max(0, delete)),
        insert: scalars
      )
      """
  ),
  SourcePatch(
    .document("refused-put-commits"),
    "A put that is refused closes the open change.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Edits.swift",
    "try engine.put(obj.engineID, .index(Int(clamping: index)), scalar)",
    becomes: """
      do throws(EditError) {
        try engine.put(obj.engineID, .index(Int(clamping: index)), scalar)
      } catch {
        engine.close()
        throw error
      }
      """,
    as: .statements
  ),
  // Typed in two changes, then taken back with the backspace key across their border.
  SourcePatch(
    .engine("backspaced-run-shows-later"),
    "A read of the past shows later letters of a run that was deleted from its end.",
    law: "agreement.past",
    in: "Sources/MergeEngine/Store/Core+Read.swift",
    "min(covered, visible)",
    becomes: "min(run.count, visible)"
  ),
  SourcePatch(
    .document("fork-at-now"),
    "A fork at old heads is one at the present ones.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.fork(at: heads.engineHashes, actor: ActorId().engineID)",
    becomes: "engine.fork(at: engine.heads, actor: ActorId().engineID)"
  ),
]
