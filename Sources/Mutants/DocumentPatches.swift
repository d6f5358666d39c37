/// Bugs of the public face: units, indexes, history, observation, commits, paths, values.
let documentPatches: [SourcePatch] = [
  // Units and indexes.
  // An option that reaches one of the ways to make a document and not the other; ASCII shows
  // neither.
  SourcePatch(
    .document("new-counts-scalars"),
    "A new document counts scalars, whatever text encoding it was told.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document.swift",
    """
    MergeDocument(
            actor: ActorId().engineID,
            unit: textEncoding.engineUnit,
            limits: limits.engine
          )
    """,
    becomes: "MergeDocument(actor: ActorId().engineID)"
  ),
  SourcePatch(
    .document("loaded-counts-scalars"),
    "A loaded document counts scalars, whatever text encoding it was told.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document.swift",
    """
    MergeDocument(
            loading: [UInt8](bytes),
            actor: ActorId().engineID,
            unit: textEncoding.engineUnit,
            limits: limits.engine
          )
    """,
    becomes: "MergeDocument(loading: [UInt8](bytes), actor: ActorId().engineID)"
  ),
  SourcePatch(
    .document("text-deletes-one-less"),
    "A text splice deletes one unit less than asked.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document+Edits.swift",
    """
    try engine.spliceText(
            obj.engineID,
            at: Int(clamping: start),
            delete: Int(clamping: delete),
            insert: value
          )
    """,
    becomes: """
      try engine.spliceText(
        obj.engineID,
        at: Int(clamping: start),
        delete: max(Int(clamping: delete) - 1, 0),
        insert: value
      )
      """,
    as: .statements
  ),
  SourcePatch(
    .document("splice-reverses"),
    "A list splice inserts its values in reverse.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document+Edits.swift",
    "values.map { value throws(DocError) in try value.engineScalar() }",
    becomes: "values.reversed().map { value throws(DocError) in try value.engineScalar() }"
  ),
  SourcePatch(
    .document("objects-go-first"),
    "A new object in a list goes to the front, whatever the index.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document+Edits.swift",
    "engine.insertObject(obj.engineID, at: Int(clamping: index), ty.engineKind)",
    becomes: "engine.insertObject(obj.engineID, at: 0, ty.engineKind)"
  ),
  SourcePatch(
    .document("path-index-off-by-one"),
    "An index in an object's path is one too high.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Value.swift",
    "UInt64(clamping: index)",
    becomes: "UInt64(clamping: index) + 1"
  ),
  // Reading, now and in the past.
  // Each reading call has a twin with heads, and each twin may forget them: so one mutant for each.
  SourcePatch(
    .document("get-at-reads-now"),
    "Reading a value at heads gives the present one.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.get(obj.engineID, prop, at: hashes)",
    becomes: "engine.get(obj.engineID, prop)"
  ),
  SourcePatch(
    .document("get-all-at-reads-now"),
    "Reading all values at heads gives the present ones.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.getAll(obj.engineID, prop, at: hashes)",
    becomes: "engine.getAll(obj.engineID, prop)"
  ),
  SourcePatch(
    .document("keys-at-reads-now"),
    "The keys at heads are the present ones.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.keys(obj.engineID, at: hashes)",
    becomes: "engine.keys(obj.engineID)"
  ),
  SourcePatch(
    .document("length-at-reads-now"),
    "The length at heads is the present one.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.length(obj.engineID, at: hashes)",
    becomes: "engine.length(obj.engineID)"
  ),
  SourcePatch(
    .document("text-at-reads-now"),
    "The text at heads is the present one.",
    law: "agreement.past",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.text(obj.engineID, at: hashes)",
    becomes: "engine.text(obj.engineID)"
  ),
  SourcePatch(
    .document("get-all-gives-winner"),
    "Of a conflict only the winner is shown.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "Set(entries.map { Value($0.value) })",
    becomes: "Set(entries.suffix(1).map { Value($0.value) })"
  ),
  // Observation.
  // Views of an app are then redrawn twice or, with the next ones, not at all.
  SourcePatch(
    .document("tells-twice"),
    "The end of a call is told twice.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "observer.hear(did)",
    becomes: "observer.hear(did)\nobserver.hear(did)",
    as: .statements
  ),
  SourcePatch(
    .document("tells-no-objects"),
    "Observers are told that nothing changed.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document.swift",
    "known ?? changedObjects(since: observed.before)",
    becomes: "known ?? []"
  ),
  SourcePatch(
    .document("merged-in-transaction-stays"),
    "What a merge commits of another document stays when that one's transaction fails.",
    law: "subject.answers",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "other.prepareToCommit()",
    becomes: "()",
    as: .statements
  ),
  SourcePatch(
    .document("merges-in-silence"),
    "Observers do not hear of merges.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "announce(nil)",
    becomes: "nil"
  ),
  SourcePatch(
    .document("merge-tells-old-news"),
    "A merge tells of the edits that were open before it.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document.swift",
    "engine.hasChanged(since: savepoint)",
    becomes: "!engine.hasChanged(since: savepoint)"
  ),
  // Commits and copies.
  // Times go into the hash of a change: off by one second is another history.
  SourcePatch(
    .document("commit-rounds-time"),
    "The time of a commit is rounded to the nearest second.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "seconds.rounded(.towardZero)",
    becomes: "seconds.rounded()"
  ),
  SourcePatch(
    .document("commit-forgets-time"),
    "A commit is stamped with the second after the one it was given.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.commit(message: message, time: seconds)",
    becomes: "engine.commit(message: message, time: seconds &+ 1)"
  ),
  // Two replicas with one actor make different changes with the same number, which no merge can
  // fix: the second one is refused or taken for the first.
  SourcePatch(
    .document("fork-keeps-actor"),
    "A fork writes on with the actor of the original.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "$0.fork(actor: ActorId().engineID)",
    becomes: "$0.fork(actor: $0.actor)"
  ),
  SourcePatch(
    .document("changes-since-gives-all"),
    "The changes since some heads are all changes.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.changeBytes(since: heads.engineHashes, compressed: true)",
    becomes: "engine.changeBytes(compressed: true)"
  ),
  // Paths and ids.
  SourcePatch(
    .document("path-takes-any-letter"),
    "A key of a path may begin with a letter that is not ASCII.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    #"("a"..."z").contains(first) || ("A"..."Z").contains(first)"#,
    becomes: "first.properties.isAlphabetic"
  ),
  SourcePatch(
    .document("path-counts-from-one"),
    "An index in the text of a path counts from one.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    "UInt64(step.dropFirst().dropLast())",
    becomes: "UInt64(step.dropFirst().dropLast()).map { $0 &- 1 }"
  ),
  SourcePatch(
    .document("path-refuses-the-end"),
    "Looking up the index behind a list's last element is an error.",
    law: "api.path-lookups",
    in: "Sources/AutomergeDocument/Document+Paths.swift",
    "index > UInt64(length)",
    becomes: "index >= UInt64(length)"
  ),
  SourcePatch(
    .document("id-bytes-repeat"),
    "The stored form of an id repeats the lowest byte of its counter.",
    law: "api.ids",
    in: "Sources/AutomergeDocument/ObjId.swift",
    "engineID.counter >> shift",
    becomes: "engineID.counter"
  ),
  // Values.
  SourcePatch(
    .document("uint-becomes-int"),
    "An unsigned integer is stored as a signed one.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/ScalarValue.swift",
    "return .uint(value)",
    becomes: "return .int(Int64(truncatingIfNeeded: value))",
    as: .statements
  ),
  SourcePatch(
    .document("moments-lose-fractions"),
    "A moment that is read has whole seconds.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/ScalarValue.swift",
    "Double(milliseconds) / 1000",
    becomes: "(Double(milliseconds) / 1000).rounded(.down)"
  ),

  // What a document shows of the past, of its copies and to its observers.
  SourcePatch(
    .document("cursor-reads-now"),
    "A cursor's position at earlier heads is its position now.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Cursors.swift",
    "engine.position(obj.engineID, of: cursor.engineCursor, at: hashes)",
    becomes:
      "engine.position(obj.engineID, of: cursor.engineCursor, at: hashes == nil ? hashes : nil)"
  ),
  SourcePatch(
    .document("spans-read-now"),
    "The spans at earlier heads are those of now.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Spans.swift",
    "engine.spans(obj.engineID, at: hashes)",
    becomes: "engine.spans(obj.engineID, at: hashes == nil ? hashes : nil)"
  ),
  SourcePatch(
    .document("spans-have-one-mark"),
    "Of several marks over the same characters spans show one.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Spans.swift",
    "marks.map { Mark($0) }",
    becomes: "marks.prefix(1).map { Mark($0) }"
  ),
  SourcePatch(
    .document("conflicts-untold"),
    "Patches tell of no conflict.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.patches(from: heads, to: engine.heads).map { Patch($0) }",
    becomes: """
      engine.patches(from: heads, to: engine.heads).map { Patch($0) }.filter {
        if case .Conflict = $0.action { false } else { true }
      }
      """
  ),
  SourcePatch(
    .document("fork-at-forgets-limits"),
    "A fork at old heads has the usual limits.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "log.debug(\"forked at \\(heads.count) heads\")",
    becomes: "copy.limits = MergeEngine.DocumentLimits()",
    as: .statements
  ),
  SourcePatch(
    .document("text-update-cuts-elements"),
    "An update of a text takes an element that holds more than a character for one that ends with it.",
    law: "api.any-text",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "guard walk.advance(to: end) else { continue }",
    becomes: "_ = walk.advance(to: end)",
    as: .statements
  ),
  SourcePatch(
    .document("differences-to-lead-here"),
    "The differences to an earlier state lead from it to the present one.",
    law: "api.any-difference",
    in: "Sources/AutomergeDocument/Document+Patches.swift",
    "engine.patches(from: engine.heads, to: after.engineHashes)",
    becomes: "engine.patches(from: after.engineHashes, to: engine.heads)"
  ),
  SourcePatch(
    .document("text-update-counts-scalars"),
    "Where an update of a text goes on after an insertion is counted in scalars.",
    law: "api.any-unit",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "index += text.width(in: unit)",
    becomes: "index += text.unicodeScalars.count",
    as: .statements
  ),
  SourcePatch(
    .document("observers-nest-deeper"),
    "Observers that edit are stopped one level late.",
    law: "api.nested-observers",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "nest.isExhausted || nest.depth >= Self.depthLimit",
    becomes: "nest.depth > Self.depthLimit"
  ),
  SourcePatch(
    .document("text-update-meets-early"),
    "The search for the differences of two texts, from both ends, takes itself for met too early.",
    law: "api.text-updates",
    in: "Sources/AutomergeDocument/TextDiff.swift",
    "x + forward[origin + delta - k] >= n",
    becomes: "x + forward[origin + delta - k] >= n - 1"
  ),
  SourcePatch(
    .document("walk-is-flat"),
    "The lines of a document's tree are not indented.",
    law: "api.any-tree",
    in: "Sources/AutomergeDocument/AutomergeValue.swift",
    #"String(repeating: "  ", count: indent) + label"#,
    becomes: "label"
  ),
  SourcePatch(
    .document("view-counts-no-increments"),
    "A view of a saved document shows a counter without its increments.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedChunk.swift",
    ".counter(start &+ value.added)",
    becomes: ".counter(start)"
  ),
  SourcePatch(
    .document("start-cursor-read-as-end"),
    "The bytes of the cursor of the start are read as that of the end.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "return .start",
    becomes: "return .end",
    as: .statements
  ),
  SourcePatch(
    .document("waiting-limit-of-actors-unasked"),
    "Changes of one actor wait without a limit.",
    law: "api.any-waiting-limit",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "history.waiting.count(of: author) < limits.waitingChangePerActorLimit",
    becomes: "true"
  ),
  SourcePatch(
    .document("trees-without-depth"),
    "Objects within each other are followed as deep as they go.",
    law: "api.any-depth",
    in: "Sources/AutomergeDocument/AutomergeValue.swift",
    "depth + 1",
    becomes: "depth"
  ),
  SourcePatch(
    .document("mark-refusal-swaps-numbers"),
    "A mark whose start is above its end is refused with its numbers exchanged.",
    law: "api.any-refusal",
    in: "Sources/AutomergeDocument/Document+Marks.swift",
    ".indexOutOfBounds(index: first, length: last)",
    becomes: ".indexOutOfBounds(index: last, length: first)"
  ),
  SourcePatch(
    .document("observers-hear-all"),
    "An observer of one object hears of calls that name another and do not reach it.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "changed.contains(object)",
    becomes: "true"
  ),
  SourcePatch(
    .document("undone-register-claims"),
    "Registers of an object that was taken back claim its place.",
    law: "api.inner-transactions",
    in: "Sources/MergeEngine/Store/Core+Undo.swift",
    "registers[register].object = .none",
    becomes: "_ = registers[register].object",
    as: .statements
  ),
  SourcePatch(
    .document("undone-run-keeps-falling"),
    "A tombstone that was taken back in part keeps its direction.",
    law: "api.inner-transactions",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "if before.count == 1 { runs[slot - 1].setDirection(.ascending) }",
    becomes: "_ = before.count",
    as: .statements
  ),
  SourcePatch(
    .document("mark-gap-before-twice-deleted"),
    "An element that was deleted twice counts as visible at a mark's edge.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "run.isComplex ? winner(run.register) != nil : !run.isHidden",
    becomes: "!run.isHidden"
  ),
  // Two forks make an object each, by operations of one number, at one place of their tables: the
  // ids of the public face carry the place from one to the other.
  SourcePatch(
    .document("hint-needs-no-actor"),
    "An object is believed to be where its id says if the numbers of the operations agree.",
    law: "api.foreign-objects",
    in: "Sources/MergeEngine/Store/Core.swift",
    "actors.ids[Int(record.actor)] == id.actor",
    becomes: "true"
  ),
  SourcePatch(
    .document("tracing-ends-with-observer"),
    "Once an observer has come and gone, edits are no longer traced.",
    law: "api.log",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "observers.count + tracerCount",
    becomes: "observers.count"
  ),
  SourcePatch(
    .document("observers-end-together"),
    "An observer that is cancelled takes all observers of the same object with it.",
    law: "api.observers",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    """
    lock.withLock {
          observers.removeAll { $0 === observer }
          countAgain()
        }
        observer.end()
    """,
    becomes: """
      lock.withLock {
            observers.removeAll { $0.object == observer.object }
            countAgain()
          }
          observer.end()
      """,
    as: .statements
  ),
  SourcePatch(
    .document("path-takes-plus"),
    "The index of a path may have a plus sign.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    #"!step.dropFirst().hasPrefix("+")"#,
    becomes: "true"
  ),
  SourcePatch(
    .document("cursor-takes-any-spelling"),
    "The text of a cursor may have a plus sign, leading zeros and capital digits.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "description == text",
    becomes: "true"
  ),
  SourcePatch(
    .document("old-cursors-move-before"),
    "A cursor in the old form moves before once its element is deleted.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "return .element(try readOperation(&cursor), .after)",
    becomes: "return .element(try readOperation(&cursor), .before)",
    as: .statements
  ),
  SourcePatch(
    .document("objects-open-before-count"),
    "What was open before a transaction that commits counts as changed by it.",
    law: "api.told-transactions",
    in: "Sources/MergeEngine/Store/Core+Savepoint.swift",
    "savepoint.isOpen && change.index == savepoint.changeCount",
    becomes: "false"
  ),
  SourcePatch(
    .document("path-ends-at-run"),
    "The path of an object in a list has the index at which the element's run begins.",
    law: "api.neighbours",
    in: "Sources/MergeEngine/Document/MergeDocument+Reading.swift",
    "core.start(of: place) + before",
    becomes: "core.start(of: place)"
  ),
]
