/// Bugs that readers planted where no patch stood, before looking at laws: those that lived, and some that did not.
let untouchedPatches: [SourcePatch] =
  untouchedEnginePatches + untouchedDocumentPatches + untouchedCoderPatches
  + untouchedRecordPatches + untouchedStorePatches

private let untouchedEnginePatches: [SourcePatch] = [
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
    .engine("register-outlives-element"),
    "The register of a list element that is taken back names an object whose number another gets.",
    law: "storage.taken-back",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "if run.isComplex { registers[run.register].object = .none }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .engine("missing-names-waiting"),
    "A change that waits is said to be missing where another depends on it.",
    law: "storage.waits-for-all",
    in: "Sources/MergeEngine/Document/MergeDocument+History.swift",
    "waiting.contains(hash)",
    becomes: "hash != hash"
  ),
  SourcePatch(
    .engine("many-actors-by-arrival"),
    "A change that names three other actors or more has them in the order in which they came here.",
    law: "delivery.any-order",
    in: "Sources/MergeEngine/Changes/ChangeEncoder.swift",
    "(0..<others.count).map { others[$0] }.sorted { ranks.precedes($0, $1) }",
    becomes: "(0..<others.count).map { others[$0] }.sorted()"
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
    .engine("load-refuses-empty-change"),
    "A load refuses a change without operations behind another one of its writer.",
    law: "storage.many-writers",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "last >= lastOps[author]",
    becomes: "last > lastOps[author]"
  ),
  SourcePatch(
    .engine("sync-confirms-heads-alone"),
    "Of the changes sent, those alone that the peer names as heads count as confirmed.",
    law: "sync.converges",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "core.history.find(hash).map { !confirmed[$0] } ?? true",
    becomes: "!message.heads.contains(hash)"
  ),
  SourcePatch(
    .engine("surrogates-as-utf8"),
    "Surrogates in three bytes pass as UTF-8.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Bytes/ByteCursor.swift",
    "high = 0x9F",
    becomes: "high = 0xBF",
    as: .statements
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
    .engine("sync-refuses-sixteen-haves"),
    "A sync message with as many Haves as it may have is refused.",
    law: "hostile.is-told",
    in: "Sources/MergeEngine/Sync/SyncMessage.swift",
    "haveCount <= Limits.haveLimit",
    becomes: "haveCount < Limits.haveLimit"
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
    .engine("inserts-behind-later"),
    "A change is taken in that inserts behind an element with a later id.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "precedes(run.element, run.id)",
    becomes: "true"
  ),
]

private let untouchedDocumentPatches: [SourcePatch] = [
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
  SourcePatch(
    .document("short-integers-wrap"),
    "A scalar that is too large for an Int8, Int16 or Int32 is read as its last bits.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable+Numbers.swift",
    """
    if case .Int(let value) = val, let exact = Self(exactly: value) { return .success(exact) }
    """,
    becomes: """
      if case .Int(let value) = val { return .success(Self(truncatingIfNeeded: value)) }
      """,
    as: .statements
  ),
  SourcePatch(
    .document("cancelled-observers-hear"),
    "An observer that is cancelled while a change runs still hears of its end.",
    law: "api.ended-observers",
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
            observers.removeAll { $0 === observer }
            countAgain()
          }
      """,
    as: .statements
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
  SourcePatch(
    .document("url-relative"),
    "A URL that was made relative to a base is written without it.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable.swift",
    ".String(absoluteString)",
    becomes: ".String(relativeString)"
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
    .document("calls-in-vain-not-told"),
    "An observer of an object does not hear the end of a call that changes nothing.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "observer.hear(did)",
    becomes: "if observer.object == nil || !changed.isEmpty { observer.hear(did) }",
    as: .statements
  ),
]

private let untouchedCoderPatches: [SourcePatch] = [
  SourcePatch(
    .coder("counter-at-path-is-free"),
    "A counter that is decoded by its path is not bound.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/AutomergeDecoder.swift",
    "try? engine.counterPlace(spot.place.holder, spot.place.prop)",
    becomes: "nil"
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
    .coder("integers-equal-rounded"),
    "An integer is taken for the stored double that it would round to.",
    law: "reencode.over-twin",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .int(let new) = scalar, case .double(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return Double(new) == old
          }()
      """#
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
  SourcePatch(
    .coder("string-over-text-forgets-held"),
    "A string written over a text changes what a reference to that text brings elsewhere.",
    law: "text.kept",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "held.keep(object, of: engine)",
    becomes: "_ = object",
    as: .statements
  ),
  SourcePatch(
    .coder("representable-key-dictionary-keeps-removed"),
    "A dictionary with keys of its own type is taken for a struct.",
    law: "unknown.not-in-dictionaries",
    in: "Sources/DocumentCoding/TypeTraits.swift",
    "key is any CodingKeyRepresentable.Type",
    becomes: "key == String.self"
  ),
  SourcePatch(
    .coder("shared-counter-bound-to-last-place"),
    "A counter that stands twice is bound to the last place.",
    law: "reference.shared",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "isBound.insert(ObjectIdentifier(counter))",
    becomes: "_ = counter",
    as: .statements
  ),
  SourcePatch(
    .coder("custom-index-zero-is-a-key"),
    "An index of 0 in a caller's own key is taken for a key.",
    law: "path.element",
    in: "Sources/CodingSupport/PathKey.swift",
    "index >= 0",
    becomes: "index > 0"
  ),
]

private let untouchedRecordPatches: [SourcePatch] = [
  SourcePatch(
    .records("absent-scalar-has-no-kind"),
    "An optional number or text that is nil says nothing of its kind.",
    law: "record.schema",
    in: "Sources/RecordCoding/FieldWriting.swift",
    "try clear(key, writing.kind(of: S.self))",
    becomes: "try clear(key, nil)"
  ),
  SourcePatch(
    .records("back-reference-encodes-root-again"),
    "The root is not known while its children are encoded.",
    law: "record.back-references",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "if depth == 0 { known.insert(parent) }",
    becomes: "if depth > 0 { known.insert(parent) }",
    as: .statements
  ),
  SourcePatch(
    .records("nested-floats-overflow"),
    "A nested number beyond the greatest float is infinite.",
    law: "record.numbers-exact",
    in: "Sources/RecordCoding/NestedReading.swift",
    "rounded.isFinite",
    becomes: "true"
  ),
  SourcePatch(
    .records("places-equal-by-latitude"),
    "Two places of one latitude are equal.",
    law: "record.by-rules",
    in: "Sources/RecordModel/RecordValue.swift",
    "[latitude.bitPattern, longitude.bitPattern]",
    becomes: "[latitude.bitPattern, latitude.bitPattern]"
  ),
  SourcePatch(
    .records("optional-bytes-null-is-nil"),
    "The four bytes of `null` are nil to an optional `Data` that is decoded as a type of its own.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "type != Data.self",
    becomes: "true"
  ),
]

private let untouchedStorePatches: [SourcePatch] = [
  SourcePatch(
    .store("takes-padded-generations"),
    "A file whose generation begins with a zero is taken for one of the store.",
    law: "crash.no-litter",
    in: "Sources/LocalStore/StorePlace.swift",
    "String(generation) == parts[1]",
    becomes: "true"
  ),
  SourcePatch(
    .store("looks-for-frames-by-headers"),
    "Behind a damaged frame whole ones are looked for at multiples of a header alone.",
    law: "damage.noticed",
    in: "Sources/LocalStore/JournalScan.swift",
    "stride(from: end, to: used, by: 8)",
    becomes: "stride(from: end, to: used, by: Frame.headerSize)"
  ),
  SourcePatch(
    .store("update-takes-respelled-id"),
    "An update may respell its item's id, and so writes a second item.",
    law: "store.ids-exact",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "ItemID(new.id) == key",
    becomes: "new.id == id"
  ),
  SourcePatch(
    .store("believes-unsynchronised"),
    "An opening synchronises a journal whose bytes the system has given up, and takes them for sure.",
    law: "crash.refused-elsewhere",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "try writeAgain(bytes, scan)",
    becomes: "_ = scan.syncedEnd",
    as: .statements
  ),
  SourcePatch(
    .store("names-stay-unsure"),
    "An opening takes names for sure that a process which ended early has given.",
    law: "crash.refused-elsewhere",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "if report.state != .closed { try settleNames() }",
    becomes: "_ = settleNames",
    as: .statements
  ),
  SourcePatch(
    .store("seed-lines-end-without-return"),
    "A seed's file whose lines end as those of Windows do is refused.",
    law: "seed.taken-over",
    in: "Sources/LocalStore/SeedFile.swift",
    "byte == 0x0d",
    becomes: "false"
  ),
  SourcePatch(
    .store("closed-store-never-ends"),
    "The changes of a closed store have no end for an observer that comes later.",
    law: "callers.close-ends",
    in: "Sources/LocalStore/LocalRepository.swift",
    "health == .closed || writer == nil",
    becomes: "writer == nil"
  ),
]
