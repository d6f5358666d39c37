/// Bugs of the engine in documents as a whole: loading, saving, views of saved ones, drafts, limits.
let engineFilePatches: [SourcePatch] = [
  // MARK: ChangeHash.swift

  SourcePatch(
    .document("hashes-by-their-first-word"),
    "Hashes are ordered by their first eight bytes alone.",
    law: "api.hashes",
    in: "Sources/MergeEngine/ChangeHash.swift",
    "left.words < right.words",
    becomes: "left.words.0 < right.words.0"
  ),

  // MARK: DocumentEncoder.swift

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

  // MARK: DocumentReader+Rows.swift

  SourcePatch(
    .engine("loaded-increment-by-anything"),
    "A document loads whose counter is incremented by what is no int.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Document/DocumentReader+Rows.swift",
    "checked.type == TypeCode.int",
    becomes: "true"
  ),

  // MARK: DocumentReader.swift

  SourcePatch(
    .engine("message-of-equal-length"),
    "A message as long as that of the change before is loaded as that one.",
    law: "storage.alike-commits",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "message.value == lastMessage",
    becomes: "changes.count > 0 && changes[changes.count - 1].messageLength == record.messageLength"
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
    .engine("load-refuses-empty-change"),
    "A load refuses a change without operations behind another one of its writer.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "last >= lastOps[author]",
    becomes: "last > lastOps[author]"
  ),
  SourcePatch(
    .engine("dependency-on-later-change"),
    "A change of a document may depend on itself or on one behind it.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "index < Int64(changeCount)",
    becomes: "index < Int64(UInt32.max)"
  ),
  SourcePatch(
    .engine("document-times-too-early"),
    "The time of a document's change may be any before 1970.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "value > -Limits.timeLimit",
    becomes: "true"
  ),

  // MARK: MergeDocument+History.swift

  SourcePatch(
    .engine("missing-names-waiting"),
    "A change that waits is said to be missing where another depends on it.",
    law: "storage.waits-for-all",
    in: "Sources/MergeEngine/Document/MergeDocument+History.swift",
    "waiting.contains(hash)",
    becomes: "hash != hash"
  ),

  // MARK: MergeDocument+Reading.swift

  SourcePatch(
    .document("path-ends-at-run"),
    "The path of an object in a list has the index at which the element's run begins.",
    law: "api.neighbours",
    in: "Sources/MergeEngine/Document/MergeDocument+Reading.swift",
    "core.start(of: place) + before",
    becomes: "core.start(of: place)"
  ),
  SourcePatch(
    .document("path-counts-elements"),
    "The path of an object counts the elements before it in its run, and not their units.",
    law: "api.neighbours",
    in: "Sources/MergeEngine/Document/MergeDocument+Reading.swift",
    "unitWidth.units(of: record.element.counter - run.counter)",
    becomes: "record.element.counter - run.counter"
  ),

  // MARK: MergeDocument+Storage.swift

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
    .engine("increment-starts-late"),
    "An increment leaves out the first change since the last save.",
    law: "storage.increments",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "core.history.changes(from: core.history.savedCount)",
    becomes: "core.history.changes(from: core.history.savedCount + 1)"
  ),
  SourcePatch(
    .document("first-document-counts-as-saved"),
    "What an empty document is brought as a saved document is not new.",
    law: "api.new-changes",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "replaceCore(by: fresh)",
    becomes: "fresh.history.savedCount = fresh.history.count\n      replaceCore(by: fresh)",
    as: .statements
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
    .document("fork-without-hidden-object"),
    "A fork at a change that lacks its object is empty, and not refused.",
    law: "api.hidden-dependencies",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "throw .incompleteHistory(error)",
    becomes: "_ = error",
    as: .statements
  ),
  // With 33 changes and more those that are left out are missed; with fewer the engine traps.
  SourcePatch(
    .document("merge-takes-sixty-four"),
    "A merge takes in the first 64 changes that are missing alone.",
    law: "api.crossed-merges",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "core.unknown(in: other.core)",
    becomes: "Array(core.unknown(in: other.core).suffix(64))"
  ),
  SourcePatch(
    .engine("empty-document-takes-changes"),
    "An empty document takes a file as its changes, which have stricter limits.",
    law: "bomb.long-list",
    in: "Sources/MergeEngine/Document/MergeDocument+Storage.swift",
    "fresh.take(bytes, intoEmpty: true)",
    becomes: "fresh.take(bytes, intoEmpty: false)"
  ),

  // MARK: MergeDocument.swift

  SourcePatch(
    .document("open-change-changes-hands"),
    "What was edited before the document got another actor becomes a change of that one.",
    law: "api.actors",
    in: "Sources/MergeEngine/Document/MergeDocument.swift",
    """
    core.commit()
          core.actor = newValue
    """,
    becomes: "core.actor = newValue",
    as: .statements
  ),

  // MARK: RowStore+Placing.swift

  SourcePatch(
    .engine("loaded-marks-take-values"),
    "A file is loaded that has a value in the place of a mark.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Document/RowStore+Placing.swift",
    "!pending.isMark",
    becomes: "true"
  ),
  SourcePatch(
    .engine("loaded-object-is-its-own-element"),
    "An object over an element, once it is loaded, takes its own operation for the element.",
    law: "storage.loads-whole",
    in: "Sources/MergeEngine/Document/RowStore+Placing.swift",
    "isSequence ? (row.inserts ? row.id : row.element) : .none",
    becomes: "isSequence ? row.id : .none"
  ),

  // MARK: RowStore+Runs.swift

  SourcePatch(
    .engine("values-by-row"),
    "Taking several rows at once moves on by one byte of the value column for each.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "Int(count * size)",
    becomes: "Int(count)"
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
  SourcePatch(
    .engine("strings-join-letters-of-their-size"),
    "Loading joins a string of several characters, as one element, with letters of as many bytes.",
    law: "save.round-trips",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "core.scalarLength(columns.value[offset]) != size",
    becomes: "false"
  ),
  SourcePatch(
    .engine("typed-ints-unchecked"),
    "The bytes of ints are not checked where a document's rows are taken many at once.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "type > TypeCode.timestamp",
    becomes: "type > TypeCode.timestamp || type == TypeCode.int"
  ),
  SourcePatch(
    .engine("long-lists-row-by-row"),
    "Elements that go on alike are read one by one, and refused as too many rows.",
    law: "bomb.long-list",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "run.continues(pending)",
    becomes: "pending.count > 1 && run.continues(pending)"
  ),
  SourcePatch(
    .document("loaded-wide-elements-join"),
    "Loaded elements of several characters join when they have as many bytes.",
    law: "api.wide-characters",
    in: "Sources/MergeEngine/Document/RowStore+Runs.swift",
    "run.isPlain || !isText || run.meta.type != TypeCode.string",
    becomes: "true"
  ),

  // MARK: DocumentLimits.swift

  SourcePatch(
    .engine("work-by-bytes-alone"),
    "What bytes may cost follows from their number alone: a file of many alike commits is refused.",
    law: "storage.alike-commits",
    in: "Sources/MergeEngine/DocumentLimits.swift",
    "work(ofByteCount: count).addingClamped(max(freeWorkLimit, 0))",
    becomes: "work(ofByteCount: count)"
  ),
  SourcePatch(
    .document("greatest-limits-keep-a-gap"),
    "The greatest limits still bound the gap of operation numbers.",
    law: "api.limits",
    in: "Sources/MergeEngine/DocumentLimits.swift",
    "limits.operationGapLimit = .max",
    becomes: "limits.operationGapLimit = max(limits.operationGapLimit, 1 << 26)",
    as: .statements
  ),

  // MARK: DraftComparison.swift

  SourcePatch(
    .coder("objects-pass-for-nothing"),
    "An object under a key whose value is nil is taken for nothing.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "record.action == .set && record.meta.type == TypeCode.null",
    becomes: "record.action != .set || record.meta.type == TypeCode.null"
  ),
  SourcePatch(
    .coder("absent-is-whatever-stands"),
    "A field without a value counts as equal to whatever scalar stands there.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "record.action == .set && record.meta.type == TypeCode.null",
    becomes: "record.action == .set && record.meta.type != TypeCode.counter"
  ),
  SourcePatch(
    .coder("containers-look-null"),
    "A map or a list within a list looks like a null, and stays when it becomes one.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "element.action == .set",
    becomes: "true"
  ),
  SourcePatch(
    .coder("nil-over-object"),
    "A container of an element stays in the document once the model has set it to nil.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "record.action == .set && record.meta.type == TypeCode.null",
    becomes: "record.meta.type == TypeCode.null"
  ),
  SourcePatch(
    .coder("object-reads-as-null"),
    "A container of an element stays in the document once it has become null.",
    law: "reencode.over-value",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    """
    if record.action == .set, core.isStored(node, of: draft, record.meta, record.value) {
            continue
          }
    """,
    becomes: "if core.isStored(node, of: draft, record.meta, record.value) { continue }",
    as: .statements
  ),
  SourcePatch(
    .coder("draft-absent-unseen"),
    "A comparison does not note that it passed a key with nothing to stand there.",
    law: "unknown.named-is-known",
    in: "Sources/MergeEngine/Drafts/DraftComparison.swift",
    "frame.hasAbsent = true",
    becomes: "_ = entry",
    as: .statements
  ),

  // MARK: DraftFilling.swift

  SourcePatch(
    .coder("list-gap-kept-past-owner"),
    "A plain value of a new list goes in front of the dictionary, set, text or counter before it.",
    law: "document.tree",
    in: "Sources/MergeEngine/Drafts/DraftFilling.swift",
    "frame.index += 1\n        frame.gap = nil",
    becomes: "frame.index += 1",
    as: .statements
  ),
  SourcePatch(
    .coder("list-owner-takes-no-place"),
    "Behind a dictionary, set, text or counter of a new list the next element goes in front of it.",
    law: "document.tree",
    in: "Sources/MergeEngine/Drafts/DraftFilling.swift",
    "frame.index += 1\n        frame.gap = nil",
    becomes: "frame.gap = nil",
    as: .statements
  ),

  // MARK: DraftStore.swift

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
    .coder("last-key-ends-its-map"),
    "What a model encodes behind the second value for a map's last key is lost.",
    law: "containers.nested",
    in: "Sources/MergeEngine/Drafts/DraftStore.swift",
    "if nodes[map].last == old { nodes[map].last = node }",
    becomes: "_ = map",
    as: .statements
  ),
  SourcePatch(
    .coder("late-value-cuts-list"),
    "A value that fills a place loses what was encoded behind it.",
    law: "containers.filled-late",
    in: "Sources/MergeEngine/Drafts/DraftStore.swift",
    "adopted.next = nodes[node].next",
    becomes: "adopted.next = .none",
    as: .statements
  ),

  // MARK: SavedBudget.swift

  SourcePatch(
    .document("views-of-many-empty-elements"),
    "A view counts elements of no bytes, and has no limit for them.",
    law: "api.empty-elements",
    in: "Sources/MergeEngine/Saved/SavedBudget.swift",
    "emptyElementCount <= limits.emptyElementLimit",
    becomes: "true"
  ),
  SourcePatch(
    .document("views-of-any-memory"),
    "A view counts the memory that it takes, and has no limit for it.",
    law: "api.memory-limit",
    in: "Sources/MergeEngine/Saved/SavedBudget.swift",
    "byteCount <= memoryByteLimit",
    becomes: "true"
  ),

  // MARK: SavedChunk.swift

  SourcePatch(
    .document("view-counts-no-increments"),
    "A view of a saved document shows a counter without its increments.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedChunk.swift",
    ".counter(start &+ value.added)",
    becomes: ".counter(start)"
  ),
  SourcePatch(
    .document("view-believes-hints"),
    "A view takes the hint of an object's id for the object.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedChunk.swift",
    "known.counter == id.counter && columns.actors.ids[Int(known.actor)] == id.actor",
    becomes: "true"
  ),
  SourcePatch(
    .document("views-believe-hints"),
    "A view takes two objects of one number and two writers for one.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedChunk.swift",
    "known.counter == id.counter && columns.actors.ids[Int(known.actor)] == id.actor",
    becomes: "known.counter == id.counter"
  ),

  // MARK: SavedCursors.swift

  SourcePatch(
    .document("view-passes-last-run-of-links"),
    "A view that passes rows on its way to a counter passes only the successors of their last run.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedCursors.swift",
    "links += some",
    becomes: "links = some",
    as: .statements
  ),
  SourcePatch(
    .document("view-reads-keys-on"),
    "A view takes the last key for that of all rows behind the end of the keys.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedCursors.swift",
    "key.remaining > 0",
    becomes: "true"
  ),
  SourcePatch(
    .document("view-shows-number-zero"),
    "A view shows operations without a number.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedCursors.swift",
    "number > 0",
    becomes: "number >= 0"
  ),

  // MARK: SavedObjects.swift

  SourcePatch(
    .document("view-objects-of-any-number"),
    "A view takes objects whose numbers are beyond the last.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Saved/SavedObjects.swift",
    "counter.value <= UInt64(UInt32.max)",
    becomes: "true"
  ),
  SourcePatch(
    .document("view-needs-no-object-actor"),
    "A view takes an object's id without its actor for that of the first one.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedObjects.swift",
    "guard hasActor else { throw actor.fault(.unexpectedNull) }",
    becomes: "_ = hasActor",
    as: .statements
  ),

  // MARK: SavedSequence.swift

  SourcePatch(
    .document("view-believes-second-values"),
    "Of values of one kind a view does not look at the second.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedSequence.swift",
    "1..<count",
    becomes: "min(2, count)..<count"
  ),

  // MARK: SavedView.swift

  SourcePatch(
    .document("view-of-damaged-chunk"),
    "A saved view does not look at the checksum.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Saved/SavedView.swift",
    "_ = try frame.hash(view)",
    becomes: "_ = view",
    as: .statements
  ),
  SourcePatch(
    .document("view-loads-without-its-limits"),
    "A view loads a document with the usual limits instead of its own.",
    law: "api.any-damaged-view",
    in: "Sources/MergeEngine/Saved/SavedView.swift",
    "try MergeDocument(loading: bytes, actor: actor, unit: unit, limits: limits)",
    becomes: "try MergeDocument(loading: bytes, actor: actor, unit: unit)"
  ),
  SourcePatch(
    .document("view-ignores-appended"),
    "A saved view answers from the document chunk although changes stand behind it.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedView.swift",
    "cursor.isAtEnd",
    becomes: "true"
  ),

  // MARK: WorkMeter.swift

  SourcePatch(
    .engine("work-unlimited"),
    "Bytes from outside may cost as many steps as they like.",
    law: "bomb.quadratic-heads",
    in: "Sources/MergeEngine/WorkMeter.swift",
    "count <= left",
    becomes: "true"
  ),
]
