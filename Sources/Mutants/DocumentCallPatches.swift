/// Bugs of `Document`, in its calls.
let documentCallPatches: [SourcePatch] = [
  // MARK: Document+Cursors.swift

  SourcePatch(
    .document("cursor-reads-now"),
    "A cursor's position at earlier heads is its position now.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Cursors.swift",
    "engine.position(obj.engineID, of: cursor.engineCursor, at: hashes)",
    becomes:
      "engine.position(obj.engineID, of: cursor.engineCursor, at: hashes == nil ? hashes : nil)"
  ),

  // MARK: Document+Edits.swift

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

  // MARK: Document+Marks.swift

  SourcePatch(
    .document("mark-refusal-swaps-numbers"),
    "A mark whose start is above its end is refused with its numbers exchanged.",
    law: "api.any-refusal",
    in: "Sources/AutomergeDocument/Document+Marks.swift",
    ".indexOutOfBounds(index: first, length: last)",
    becomes: ".indexOutOfBounds(index: last, length: first)"
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
    .document("marks-end-at-position"),
    "The marks over a position include those that end there.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Marks.swift",
    "index < $0.end",
    becomes: "index <= $0.end"
  ),
  SourcePatch(
    .document("marks-at-cursor-of-today"),
    "The earlier marks over a cursor are those over where the cursor is now.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Marks.swift",
    "self.position(obj, cursor, at: heads)",
    becomes: "self.position(obj, cursor, at: nil)"
  ),

  // MARK: Document+Patches.swift

  SourcePatch(
    .document("differences-to-lead-here"),
    "The differences to an earlier state lead from it to the present one.",
    law: "api.any-difference",
    in: "Sources/AutomergeDocument/Document+Patches.swift",
    "engine.patches(from: engine.heads, to: after.engineHashes)",
    becomes: "engine.patches(from: after.engineHashes, to: engine.heads)"
  ),

  // MARK: Document+Paths.swift

  SourcePatch(
    .document("path-refuses-the-end"),
    "Looking up the index behind a list's last element is an error.",
    law: "api.path-lookups",
    in: "Sources/AutomergeDocument/Document+Paths.swift",
    "index > UInt64(length)",
    becomes: "index >= UInt64(length)"
  ),
  SourcePatch(
    .document("map-index-out-of-bounds"),
    "An index of a map is refused as one behind the end of a list.",
    law: "api.path-lookups",
    in: "Sources/AutomergeDocument/Document+Paths.swift",
    "object.kind == .list",
    becomes: "true"
  ),

  // MARK: Document+Reading.swift

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
  SourcePatch(
    .document("keys-at-heads-are-now"),
    "The keys that a list had at earlier heads are the ids of its present elements.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "engine.elementIDs(obj.engineID, at: hashes)",
    becomes: "engine.elementIDs(obj.engineID)"
  ),
  SourcePatch(
    .document("lists-have-no-entries"),
    "The entries of a list are asked for, and there are none.",
    law: "api.any-refusal",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "!kind.isSequence",
    becomes: "true"
  ),
  SourcePatch(
    .document("unknown-objects-have-an-element"),
    "An object that the document does not know has the length 1.",
    law: "api.foreign-objects",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "UInt64(length ?? 0)",
    becomes: "UInt64(length ?? 1)"
  ),
  SourcePatch(
    .document("unknown-objects-are-maps"),
    "An object that the document does not know is a map, whatever its id says.",
    law: "api.foreign-objects",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "(try? engine.kind(of: obj.engineID)) ?? obj.kind",
    becomes: "(try? engine.kind(of: obj.engineID)) ?? .map"
  ),

  // MARK: Document+Spans.swift

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

  // MARK: Document+Storage.swift

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
    .document("elder-merges-nothing"),
    "A document merges nothing of one that was made after it.",
    law: "api.crosswise-merges",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "other.prepareToCommit()",
    becomes: "if number < other.number { return [] }",
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
  SourcePatch(
    .document("conflicts-untold"),
    "Patches tell of no conflict.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "Patch.all(engine.patches(from: heads, to: engine.heads))",
    becomes: """
      Patch.all(engine.patches(from: heads, to: engine.heads)).filter {
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
    .document("fork-at-now"),
    "A fork at old heads is one at the present ones.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.fork(at: heads.engineHashes, actor: ActorId().engineID)",
    becomes: "engine.fork(at: engine.heads, actor: ActorId().engineID)"
  ),
  SourcePatch(
    .document("dropped-by-merge-untold"),
    "A change that a document drops because it is merged elsewhere is not logged.",
    law: "api.dropped-changes",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "if other !== self { other.logDropped(since: droppedCount) }",
    becomes: "_ = other",
    as: .statements
  ),
  SourcePatch(
    .document("innermost-commit-lost"),
    "A commit that is told to no observer is not made.",
    law: "api.innermost-observers",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.commit(message: message, time: seconds)",
    becomes: "observed.mutation == nil && !observers.isEmpty "
      + "? nil : engine.commit(message: message, time: seconds)"
  ),
  SourcePatch(
    .document("dropped-log-ends-at-64"),
    "Dropped changes beyond the 64th are not logged.",
    law: "api.many-dropped-changes",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "engine.droppedChanges.suffix(max(0, engine.droppedChangeCount - count))",
    becomes: "engine.droppedChanges.dropFirst(count)"
  ),
  SourcePatch(
    .document("far-past-commits-in-future"),
    "A commit at a time too far in the past has one in the far future.",
    law: "api.commit-times",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "seconds < 0 ? .min : .max",
    becomes: ".max"
  ),

  // MARK: Document+Sync.swift

  SourcePatch(
    .document("message-keeps-the-lock"),
    "A document that has received a message of sync is not given back.",
    law: "api.any-unlock",
    in: "Sources/AutomergeDocument/Document+Sync.swift",
    """
    lock.lock()
            defer { lock.unlock() }
            return try body()
    """,
    becomes: """
      lock.lock()
              return try body()
      """,
    as: .statements
  ),
  SourcePatch(
    .document("refused-message-as-call"),
    "A refused sync message is reported as a refused call.",
    law: "api.damaged-bytes",
    in: "Sources/AutomergeDocument/Document+Sync.swift",
    "throw ReceiveSyncError(reason)",
    becomes: "throw error",
    as: .statements
  ),

  // MARK: Document+Transactions.swift

  // Staging first makes an encode atomic; this one goes without taking back what a refused write
  // has done.
  SourcePatch(
    .coder("throws-leave-a-half"),
    "An encode that throws leaves what it wrote.",
    law: "encode.atomic",
    in: "Sources/AutomergeDocument/Document+Transactions.swift",
    "engine.rollback(to: transaction.savepoint)",
    becomes: "_ = transaction",
    as: .statements
  ),

  // MARK: Document.swift

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
    .document("tells-no-objects"),
    "Observers are told that nothing changed.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document.swift",
    "known ?? changedObjects(since: observed.before)",
    becomes: "known ?? []"
  ),
  SourcePatch(
    .document("merge-tells-old-news"),
    "A merge tells of the edits that were open before it.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Document.swift",
    "engine.hasChanged(since: savepoint)",
    becomes: "!engine.hasChanged(since: savepoint)"
  ),
  SourcePatch(
    .document("waiting-call-untold"),
    "A call that waits for another thread's transaction is taken for a part of it, and is not told.",
    law: "api.waiting-calls",
    in: "Sources/AutomergeDocument/Document.swift",
    "lock.isHeldByCurrentThread && !transactions.isEmpty",
    becomes: "!transactions.isEmpty"
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
    .document("new-actor-within-transaction"),
    "A transaction in which the document gets another actor has no way back.",
    law: "subject.answers",
    in: "Sources/AutomergeDocument/Document.swift",
    "prepareToCommit()\n        engine.actor = newValue.engineID",
    becomes: "engine.actor = newValue.engineID",
    as: .statements
  ),
  SourcePatch(
    .document("backup-of-now"),
    "A transaction goes back to where it was when it first committed.",
    law: "api.failed-transactions",
    in: "Sources/AutomergeDocument/Document.swift",
    "engine.copy(at: transactions[place].savepoint)",
    becomes: "engine.copy(at: engine.savepoint)"
  ),
  SourcePatch(
    .document("actor-read-without-lock"),
    "The actor is read while another thread is in a transaction.",
    law: "api.any-wait",
    in: "Sources/AutomergeDocument/Document.swift",
    "lock.withLock { ActorId(engine.actor) }",
    becomes: "ActorId(engine.actor)"
  ),
  SourcePatch(
    .document("transaction-tells-each-call"),
    "Observers hear of each call within a transaction.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/Document.swift",
    "lock.isHeldByCurrentThread && !transactions.isEmpty",
    becomes: "false"
  ),

  // MARK: DocumentEvent.swift

  SourcePatch(
    .document("streams-do-not-end"),
    "A stream of events waits for ever once its document is gone.",
    law: "api.event-streams",
    in: "Sources/AutomergeDocument/DocumentEvent.swift",
    "continuation.finish()",
    becomes: "_ = continuation",
    as: .statements
  ),

  // MARK: DocumentLimits.swift

  SourcePatch(
    .document("waiting-bytes-limit-changes"),
    "The limit of waiting bytes that is set becomes that of waiting changes.",
    law: "api.limits",
    in: "Sources/AutomergeDocument/DocumentLimits.swift",
    "engine.waitingByteLimit = newValue",
    becomes: "engine.waitingChangeLimit = newValue",
    as: .statements
  ),

  // MARK: DocumentNumbers.swift

  SourcePatch(
    .document("documents-have-one-number"),
    "All documents have one number, so that two that merge each other wait for each other.",
    law: "subject.answers",
    in: "Sources/AutomergeDocument/DocumentNumbers.swift",
    "last.add(1, ordering: .relaxed).newValue",
    becomes: "last.load(ordering: .relaxed)"
  ),
]
