/// Bugs of the engine in changes: read, written, surveyed, kept, and those that wait.
let engineChangePatches: [SourcePatch] = [
  // MARK: ChangeEncoder.swift

  SourcePatch(
    .engine("cut-deletions-lose-actor"),
    "A change that goes on with another's run of deletions does not name their author.",
    law: "storage.long-runs",
    in: "Sources/MergeEngine/Changes/ChangeEncoder.swift",
    "run.key.isNone && run.elementCounter != 0 && !(run.isInsert && offset > 0)",
    becomes: "run.key.isNone && run.elementCounter != 0 && offset == 0"
  ),
  SourcePatch(
    .engine("many-actors-by-arrival"),
    "A change that names three other actors or more has them in the order in which they came here.",
    law: "delivery.any-order",
    in: "Sources/MergeEngine/Changes/ChangeEncoder.swift",
    "(0..<others.count).map { others[$0] }.sorted { ranks.precedes($0, $1) }",
    becomes: "(0..<others.count).map { others[$0] }.sorted()"
  ),

  // MARK: ChangeHeader.swift

  // Checks that no honest file needs: damage, forgery and foreign writers show their lack.
  SourcePatch(
    .engine("change-depends-twice"),
    "A change may name one dependency twice.",
    law: "forgery.change-leaves-nothing",
    in: "Sources/MergeEngine/Changes/ChangeHeader.swift",
    "!(last < hash)",
    becomes: "hash < last"
  ),
  SourcePatch(
    .engine("load-ignores-checksum"),
    "A chunk whose checksum is wrong is read.",
    law: "golden.refused",
    in: "Sources/MergeEngine/Changes/ChangeHeader.swift",
    "hash.checksum == checksum",
    becomes: "true"
  ),

  // MARK: ChunkSurvey.swift

  SourcePatch(
    .document("survey-lists-less-than-a-frame"),
    "An examination lists what is shorter than a frame as a chunk.",
    law: "api.any-survey",
    in: "Sources/MergeEngine/Changes/ChunkSurvey.swift",
    "chunk.start + Self.shortestFrame <= bytes.count",
    becomes: "true"
  ),
  SourcePatch(
    .document("survey-drops-a-cut-chunk"),
    "An examination lists nothing of the content of a chunk that is cut off.",
    law: "api.any-survey",
    in: "Sources/MergeEngine/Changes/ChunkSurvey.swift",
    "chunk.contentByteCount > UInt64(length.remaining)",
    becomes: "false"
  ),
  SourcePatch(
    .document("survey-knows-no-sizes"),
    "An examination does not say how many bytes a column holds.",
    law: "api.any-survey",
    in: "Sources/MergeEngine/Changes/ChunkSurvey.swift",
    "column.length <= content.count - offset",
    becomes: "false"
  ),

  // MARK: DecodedChange+SingleOp.swift

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
  SourcePatch(
    .engine("negative-number-read-as-bits"),
    "In a change of one operation a negative number of an element is read as its bits.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "last & 0x40 != 0",
    becomes: "false"
  ),
  SourcePatch(
    .engine("number-cut-off"),
    "A number of a change of one operation may end early, and is read as far as it goes.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "column[column.count - 1] & 0x80 == 0 ? value : nil",
    becomes: "value"
  ),
  SourcePatch(
    .engine("single-op-number-left-out"),
    "A number of a change of one operation that does not end counts as missing.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    """
    let number = DecodedChange.literal(bytes)
          if number == nil { hasForm = false }
          return number
    """,
    becomes: "return DecodedChange.literal(bytes)",
    as: .statements
  ),
  SourcePatch(
    .engine("single-op-flags-of-any-number"),
    "A change of one operation is an insertion if its first flag is, however many there are.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "bytes.count == 2 && bytes[0] == 0",
    becomes: "bytes.count >= 2 && bytes[0] == 0"
  ),
  SourcePatch(
    .engine("single-op-of-two-keys"),
    "A change of one operation at a key may name an element as well.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "guard keyActor == nil, keyCounter == nil else { return false }",
    becomes: "_ = keyCounter",
    as: .statements
  ),
  SourcePatch(
    .engine("single-op-of-any-metadata"),
    "A change of one operation keeps its form whatever length it states for a value of no bytes.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "UInt64(run.meta.rawValue) == meta",
    becomes: "true"
  ),
  SourcePatch(
    .engine("predecessor-uncounted"),
    "In a change of one operation a predecessor's number that is not counted is passed over.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "predecessorCounter == nil",
    becomes: "true"
  ),

  // MARK: DecodedChange.swift

  SourcePatch(
    .engine("alike-rows-count-in-changes"),
    "Rows of a change that go on alike count as many, so that no peer takes what a file may have.",
    law: "bomb.long-list",
    in: "Sources/MergeEngine/Changes/DecodedChange.swift",
    "runs.count < runLimit",
    becomes: "opCount < runLimit"
  ),
  SourcePatch(
    .engine("object-counter-unchecked"),
    "An operation of a change may name an object beyond the last number there is.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Changes/DecodedChange.swift",
    """
    guard counter <= UInt64(UInt32.max) else {
          throw rows.objectCounter.fault(.integerTooLarge)
        }
    """,
    becomes: "_ = counter",
    as: .statements
  ),
  SourcePatch(
    .engine("operations-behind-last-number"),
    "The operations of a change that waits may be numbered beyond the last number.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Changes/DecodedChange.swift",
    """
    guard counter <= UInt64(UInt32.max) else {
            throw rows.action.fault(.integerTooLarge)
          }
    """,
    becomes: "_ = counter",
    as: .statements
  ),
  SourcePatch(
    .engine("column-of-no-bytes-is-read"),
    "Where a change has columns but none of their bytes, the reader looks behind them.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Changes/DecodedChange.swift",
    "data.part(from: 0, length: 0)",
    becomes: "data.part(from: 1, length: 0)"
  ),

  // MARK: DocumentRecovery.swift

  SourcePatch(
    .engine("each-bad-chunk-works-anew"),
    "A recovery spends as much work on each bad chunk as on a whole file.",
    law: "bomb.bad-changes",
    in: "Sources/MergeEngine/Changes/DocumentRecovery.swift",
    "workLeft -= min(spent, workLeft)",
    becomes: "if refusal == nil { workLeft -= min(spent, workLeft) }",
    as: .statements
  ),
  SourcePatch(
    .engine("each-good-chunk-works-anew"),
    "A recovery spends as much work on each good chunk as on a whole file.",
    law: "bomb.bad-changes",
    in: "Sources/MergeEngine/Changes/DocumentRecovery.swift",
    "workLeft -= min(spent, workLeft)",
    becomes: "if refusal != nil { workLeft -= min(spent, workLeft) }",
    as: .statements
  ),
  SourcePatch(
    .engine("recovery-skips-next"),
    "The recovery of a file goes on behind the chunk after a damaged one.",
    law: "storage.recovers",
    in: "Sources/MergeEngine/Changes/DocumentRecovery.swift",
    "start = end",
    becomes: "start = end < bytes.count ? Self.nextChunk(in: bytes, after: end) : end",
    as: .statements
  ),
  SourcePatch(
    .engine("recovery-forgets-second-loss"),
    "Of two lost parts of a file that touch, the second is not reported.",
    law: "damage.recovery-keeps-a-file",
    in: "Sources/MergeEngine/Changes/DocumentRecovery.swift",
    "last.range.lowerBound..<range.upperBound",
    becomes: "last.range.lowerBound..<last.range.upperBound"
  ),

  // MARK: HashIndex.swift

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

  // MARK: History.swift

  SourcePatch(
    .engine("copy-forgets-waiting"),
    "A fork has none of the changes that wait in the original.",
    law: "storage.any-order",
    in: "Sources/MergeEngine/Changes/History.swift",
    "copy.waiting = waiting",
    becomes: "_ = waiting",
    as: .statements
  ),
  SourcePatch(
    .engine("fork-has-saved-nothing"),
    "A fork forgets what the original had saved.",
    law: "storage.increments",
    in: "Sources/MergeEngine/Changes/History.swift",
    "copy.savedCount = savedCount",
    becomes: "copy.savedCount = 0",
    as: .statements
  ),
  SourcePatch(
    .engine("drops-in-silence"),
    "Waiting changes that are dropped are not counted.",
    law: "hostile.is-told",
    in: "Sources/MergeEngine/Changes/History.swift",
    "droppedCount += 1",
    becomes: "_ = change",
    as: .statements
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
    .engine("refusal-loses-heads"),
    "A head that a refused call had covered is none once another change comes beside it.",
    law: "storage.refusal-leaves-no-trace",
    in: "Sources/MergeEngine/Changes/History.swift",
    "Set(reopened)",
    becomes: "Set<ChangeHandle>()"
  ),
  SourcePatch(
    .document("dropped-keeps-the-first"),
    "Of more than 64 dropped changes the first 63 are listed, and the last.",
    law: "api.many-dropped-changes",
    in: "Sources/MergeEngine/Changes/History.swift",
    "if dropped.count == Self.droppedLimit { dropped.removeFirst() }",
    becomes: "if dropped.count == Self.droppedLimit { dropped.removeLast() }",
    as: .statements
  ),
  SourcePatch(
    .document("dropped-counts-what-is-listed"),
    "More than 64 dropped changes count as 64.",
    law: "api.many-dropped-changes",
    in: "Sources/MergeEngine/Changes/History.swift",
    "droppedCount += 1",
    becomes: "droppedCount = dropped.count",
    as: .statements
  ),

  // MARK: OpRun.swift

  SourcePatch(
    .engine("deletion-joins-any-actor"),
    "Deletions of two actors' elements with neighbouring counters are logged as one actor's.",
    law: "network.converges",
    in: "Sources/MergeEngine/Changes/OpRun.swift",
    "next.isPlainDelete && isPlainDelete && next.elementActor == elementActor",
    becomes: "next.isPlainDelete && isPlainDelete"
  ),
  SourcePatch(
    .engine("values-join-insertions"),
    "A second value of an element joins its insertion, as if it were the next element.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/OpRun.swift",
    "next.isInsert && isInsert",
    becomes: "next.isInsert || isInsert"
  ),

  // MARK: WaitingQueue.swift

  SourcePatch(
    .engine("refusal-strands-waiting"),
    "A change whose dependency came with refused bytes waits for ever.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    "dependents[hash] = waiting",
    becomes: "_ = hash",
    as: .statements
  ),
  SourcePatch(
    .engine("waiting-takes-anothers-call"),
    "A waiting change counts the dependency of one that was dropped as its own.",
    law: "storage.waits-for-all",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    """
    for name in waiting where has(name) {
          entries[name.slot]?.missingCount -= 1
          noteIfReady(name.slot)
        }
    """,
    becomes: """
      for name in waiting {
            entries[name.slot]?.missingCount -= 1
            noteIfReady(name.slot)
          }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("refusal-waits-for-anothers"),
    "A refusal has a waiting change miss what one misses that was dropped.",
    law: "storage.waits-for-all",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    "for name in waiting where has(name) { entries[name.slot]?.missingCount += 1 }",
    becomes: "for name in waiting { entries[name.slot]?.missingCount += 1 }",
    as: .statements
  ),
  SourcePatch(
    .engine("refusal-gives-numbers-back"),
    "A waiting change gets the number of one that a refusal took back, and is dropped with it.",
    law: "storage.waits-for-all",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    """
    order.removeLast()
            if let entry = entries[slot] { remove(entry, from: slot) }
    """,
    becomes: """
      order.removeLast()
              nextNumber -= 1
              if let entry = entries[slot] { remove(entry, from: slot) }
      """,
    as: .statements
  ),
  SourcePatch(
    .engine("refusal-puts-waiting-beside"),
    "A change that a refusal puts back into the queue stands beside the one that took its place.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    """
    order.append(order[entry.place])
              put(order[entry.place], at: order.count - 1)
              order[entry.place] = slot
    """,
    becomes: """
      order.insert(slot, at: entry.place)
                for place in order.indices.dropFirst(entry.place + 1) { put(order[place], at: place) }
      """,
    as: .statements
  ),
  SourcePatch(
    .document("waiting-heap-looks-at-parent"),
    "The heap of changes that are ready compares a place with the wrong neighbour.",
    law: "api.waiting-order",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    "items[child + 1].rank < items[child].rank",
    becomes: "items[child - 1].rank < items[child].rank"
  ),
  SourcePatch(
    .document("waiting-per-actor-late"),
    "Changes of an author that came by the present call are not counted among those that wait.",
    law: "api.any-waiting-limit",
    in: "Sources/MergeEngine/Changes/WaitingQueue.swift",
    """
    enterNumbers()
        return authors[author]?.count ?? 0
    """,
    becomes: "return authors[author]?.count ?? 0",
    as: .statements
  ),
]
