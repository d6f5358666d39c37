/// Bugs of the engine in how changes are received, kept, merged, saved and taken back.
let engineHistoryPatches: [SourcePatch] = [
  // MARK: Core+Commit.swift

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
    .engine("change-forgets-own-last"),
    "A change behind one head does not name its writer's last change.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "own.isNone || own == head",
    becomes: "own == own || own == head"
  ),
  SourcePatch(
    .engine("drop-vain-one-late"),
    "A waiting change whose number a local commit takes goes on waiting, and is saved.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "history.count - 1",
    becomes: "history.count"
  ),
  SourcePatch(
    .engine("time-before-all-stored"),
    "A change is committed at a time that no file may hold.",
    law: "storage.loads-whole",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "max(time, 1 - Limits.timeLimit)",
    becomes: "time"
  ),
  SourcePatch(
    .document("time-beyond-all-stored"),
    "A change is committed at a time that is too far from another's.",
    law: "api.commit-times",
    in: "Sources/MergeEngine/Store/Core+Commit.swift",
    "Limits.timeLimit - 1",
    becomes: "Int64.max"
  ),

  // MARK: Core+Compact.swift

  SourcePatch(
    .engine("rebuilds-after-each-refusal"),
    "The store is rebuilt after each refusal, so that a short change costs as much as the document.",
    law: "hostile.costs-its-bytes",
    in: "Sources/MergeEngine/Store/Core+Compact.swift",
    "byteCapacity > max(2 * settledByteCapacity, Limits.refusalByteLimit)",
    becomes: "byteCapacity > 0"
  ),
  SourcePatch(
    .document("memory-without-limit"),
    "What a load or a change adds to the memory is not compared with the limit.",
    law: "api.memory-limit",
    in: "Sources/MergeEngine/Store/Core+Compact.swift",
    "byteCount.addingClamped(extra) <= memoryCeiling",
    becomes: "true"
  ),

  // MARK: Core+Load.swift

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
  // Budgets are for a call, not for a part of it: a file may have thousands of parts.
  SourcePatch(
    .engine("each-chunk-works-anew"),
    "Each document chunk of a file may cost as much as a file of its own.",
    law: "bomb.many-chunks",
    in: "Sources/MergeEngine/Store/Core+Load.swift",
    "other.meter.begin(left: meter.left)",
    becomes: "other.meter.begin(left: limits.workLimit(forByteCount: content.count))"
  ),
  SourcePatch(
    .document("inflate-limit-for-each"),
    "What a call may inflate is counted for each compressed change anew.",
    law: "api.inflated-limit",
    in: "Sources/MergeEngine/Store/Core+Load.swift",
    "inflatedCount += unpacked.count - place",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .document("inflate-spares-first-document"),
    "What is inflated of the document in front does not count for what stands behind it.",
    law: "api.inflated-limit",
    in: "Sources/MergeEngine/Store/Core+Load.swift",
    "inflatedCount += reader.inflatedCount",
    becomes: "_ = reader",
    as: .statements
  ),

  // MARK: Core+Merge.swift

  SourcePatch(
    .engine("merge-trusts-dependencies"),
    "A merge gives up where a change comes before one that it hides its dependency on.",
    law: "hostile.hides-dependencies",
    in: "Sources/MergeEngine/Store/Core+Merge.swift",
    "if taken.elementsEqual(walk.reversed()) { throw error }",
    becomes: "throw error",
    as: .statements
  ),
  SourcePatch(
    .engine("merge-walks-heads-by-arrival"),
    "A merge goes through the other's heads in the order in which they came there.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Store/Core+Merge.swift",
    "other.sortByHash(&stack)",
    becomes: "_ = other.history.count",
    as: .statements
  ),

  // MARK: Core+Queue.swift

  SourcePatch(
    .document("waiting-limit-of-actors-unasked"),
    "Changes of one actor wait without a limit.",
    law: "api.any-waiting-limit",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "history.waiting.count(of: author) < limits.waitingChangePerActorLimit",
    becomes: "true"
  ),
  // A loop over the dependencies that begins one too late.
  SourcePatch(
    .engine("waits-for-all-but-one"),
    "A waiting change is applied when one dependency is still missing.",
    law: "delivery.any-order",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "history.find(dependency) == nil",
    becomes: "history.find(dependency) == nil && dependency != dependencies.first"
  ),
  SourcePatch(
    .engine("bad-waiting-refuses-call"),
    "A waiting change that turns out bad refuses the call that brought its dependencies.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "number < firstOwn",
    becomes: "number < 0"
  ),
  SourcePatch(
    .engine("saves-in-vain"),
    "A waiting change stays whose number is taken: no load takes what the document saves.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "if history.waiting.isEmpty { return }",
    becomes: "return",
    as: .statements
  ),
  SourcePatch(
    .engine("one-vain-change-goes"),
    "Of several waiting changes that have the number of one which has come, only the first is dropped.",
    law: "hostile.keeps-nothing-out",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "if number >= firstOwn { throw error }",
    becomes: """
      if number >= firstOwn { throw error }
              history.drop(DroppedChange(hash: vain.hash, reason: error))
              break
      """,
    as: .statements
  ),
  SourcePatch(
    .document("queue-of-sixty-four"),
    "No more than 64 changes may wait, whatever the limit.",
    law: "api.long-queues",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "history.waiting.count < limits.waitingChangeLimit",
    becomes: "history.waiting.count < min(limits.waitingChangeLimit, 64)"
  ),

  // MARK: Core+Rebuild.swift

  SourcePatch(
    .engine("objects-before-their-makers"),
    "A file is loaded whose changes use objects that later ones make.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "run.object.isNone || isKnown(run.object)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("elements-before-their-makers"),
    "A file is loaded whose changes name elements that later ones insert.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "element.isNone || isKnown(element)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("overwritten-before-written"),
    "A file is loaded whose changes overwrite values that later ones set.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "!isKnown(preds[entry])",
    becomes: "false"
  ),
  SourcePatch(
    .engine("own-objects-made-later"),
    "A file is loaded in which a change uses an object that it makes later.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "id.counter < first",
    becomes: "true"
  ),
  SourcePatch(
    .engine("empty-change-from-zero"),
    "A document may have an empty change behind the last number, which then starts at 0.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "record.startOp == 0",
    becomes: "false"
  ),
  SourcePatch(
    .engine("dependency-named-twice"),
    "A change of a document may depend on another twice.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "dependency == last",
    becomes: "false"
  ),
  SourcePatch(
    .engine("dependencies-in-file-order"),
    "The dependencies of a loaded change are hashed in the order of the file.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Rebuild.swift",
    "sortByHash(&sorted)",
    becomes: "_ = sorted",
    as: .statements
  ),

  // MARK: Core+Receive.swift

  SourcePatch(
    .engine("takes-any-form"),
    "A change that is not in canonical form is taken in.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "encoder.content.view.matches(content)",
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
    .engine("file-refuses-what-waited"),
    "A file whose later saves bring what a bad change waits for is refused as a whole.",
    law: "hostile.files-load",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "isFile ? .max : history.waiting.nextNumber",
    becomes: "history.waiting.nextNumber"
  ),
  SourcePatch(
    .engine("numbers-may-skip"),
    "A change is taken in whose author's change before it does not exist.",
    law: "hostile.shows-nothing",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "header.seq == known + 1",
    becomes: "header.seq >= known + 1"
  ),
  SourcePatch(
    .engine("twins-are-one"),
    "A second change under a known name and number is taken for the first.",
    law: "hostile.twins-stay-apart",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "if history.find(change.hash) != nil { return true }",
    becomes: "return true",
    as: .statements
  ),
  SourcePatch(
    .engine("deletions-before-a-refusal-stay"),
    "Of a run of deletions those in front of the one that is refused stay.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "done > 0",
    becomes: "false"
  ),
  SourcePatch(
    .engine("first-operation-taken-twice"),
    "A change is taken in whose first operation its actor has already.",
    law: "forgery.change-leaves-nothing",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "header.startOp > lastOp",
    becomes: "true"
  ),
  SourcePatch(
    .document("other-writers-without-limit"),
    "The limit of writers is not looked at for those whom a change names beside its own.",
    law: "api.actor-limit",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "actors.intern(other, limit: limits.receivedActorLimit)",
    becomes: "actors.intern(other)"
  ),
  SourcePatch(
    .document("minima-of-gone-actors"),
    "The least ids of a list's pages may be those of an actor who is gone.",
    law: "api.refused-writers",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "resetMinima()",
    becomes: "_ = count",
    as: .statements
  ),
  SourcePatch(
    .document("dropped-writers-stay"),
    "Writers of dropped changes stay in the table of actors.",
    law: "api.forgotten-writers",
    in: "Sources/MergeEngine/Store/Core+Receive.swift",
    "history.sequence(of: UInt16(count - 1)) == 0",
    becomes: "false"
  ),

  // MARK: Core+Save.swift

  // The writer of a new change stands among the actors, and stays there when the change is taken
  // back.
  SourcePatch(
    .engine("writer-of-nothing-is-saved"),
    "A writer whose only edits were taken back is named in what is saved.",
    law: "storage.canonical",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "actors.sorted.filter { history.sequence(of: $0) > 0 }",
    becomes: "actors.sorted"
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
    .engine("extra-bytes-by-length-alone"),
    "A saved document has the lengths of the bytes behind its changes, and not the bytes.",
    law: "storage.extra-bytes",
    in: "Sources/MergeEngine/Store/Core+Save.swift",
    "record.extraLength > 0",
    becomes: "false"
  ),

  // MARK: Core+Savepoint.swift

  SourcePatch(
    .document("objects-open-before-count"),
    "What was open before a transaction that commits counts as changed by it.",
    law: "api.told-transactions",
    in: "Sources/MergeEngine/Store/Core+Savepoint.swift",
    "savepoint.isOpen && change.index == savepoint.changeCount",
    becomes: "false"
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
    .document("observers-keep-values"),
    "Values that are read again for observers stay in memory.",
    law: "api.observed-memory",
    in: "Sources/MergeEngine/Store/Core+Savepoint.swift",
    "values.truncate(to: valueCount)",
    becomes: "_ = valueCount",
    as: .statements
  ),

  // MARK: Core+Undo.swift

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
    .engine("undone-object-keeps-keys"),
    "The keys of an object that was taken back are found in the object that takes its place.",
    law: "rollback.undoes",
    in: "Sources/MergeEngine/Store/Core+Undo.swift",
    "registerNumbers.remove(Self.registerKey(number, registers[register].key))",
    becomes: "_ = number",
    as: .statements
  ),
  SourcePatch(
    .engine("revealed-element-has-no-width"),
    "An overwritten element whose deletion is taken back is shown, and counts nothing.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Store/Core+Undo.swift",
    "removeSuccessor(row, op, byIncrement: false, in: run.register)\n      refreshWidth(place)",
    becomes: "removeSuccessor(row, op, byIncrement: false, in: run.register)",
    as: .statements
  ),
  SourcePatch(
    .coder("refused-encode-leaves-registers"),
    "A key of a map that a refused encode made is looked for where it was in the next such map.",
    law: "encode.atomic",
    in: "Sources/MergeEngine/Store/Core+Undo.swift",
    "registers[register].object = .none",
    becomes: "_ = number",
    as: .statements
  ),
]
