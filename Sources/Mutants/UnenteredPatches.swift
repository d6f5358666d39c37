/// Bugs in code that no case entered (`touchstone coverage`), until a law asked for it.
let unenteredPatches: [SourcePatch] =
  unenteredEnginePatches + unenteredDocumentPatches + unenteredRecordPatches

private let unenteredEnginePatches: [SourcePatch] = [
  SourcePatch(
    .engine("recovery-forgets-second-loss"),
    "Of two lost parts of a file that touch, the second is not reported.",
    law: "damage.recovery-keeps-a-file",
    in: "Sources/MergeEngine/Changes/DocumentRecovery.swift",
    "last.range.lowerBound..<range.upperBound",
    becomes: "last.range.lowerBound..<last.range.upperBound"
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
    .engine("dependency-on-later-change"),
    "A change of a document may depend on itself or on one behind it.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "index < Int64(changeCount)",
    becomes: "index < Int64(UInt32.max)"
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
    .document("view-loads-without-its-limits"),
    "A view loads a document with the usual limits instead of its own.",
    law: "api.any-damaged-view",
    in: "Sources/MergeEngine/Saved/SavedView.swift",
    "try MergeDocument(loading: bytes, actor: actor, unit: unit, limits: limits)",
    becomes: "try MergeDocument(loading: bytes, actor: actor, unit: unit)"
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
    .document("view-passes-last-run-of-links"),
    "A view that passes rows on its way to a counter passes only the successors of their last run.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedCursors.swift",
    "links += some",
    becomes: "links = some",
    as: .statements
  ),
]

private let unenteredDocumentPatches: [SourcePatch] = [
  // MARK: New laws of public calls

  SourcePatch(
    .document("refused-message-as-call"),
    "A refused sync message is reported as a refused call.",
    law: "api.damaged-bytes",
    in: "Sources/AutomergeDocument/Document+Sync.swift",
    "throw ReceiveSyncError(reason)",
    becomes: "throw error",
    as: .statements
  ),
  SourcePatch(
    .document("damaged-peer-state-is-new"),
    "A damaged sync state is read as that of a new peer.",
    law: "api.damaged-bytes",
    in: "Sources/AutomergeDocument/SyncState.swift",
    "throw DecodeSyncStateError(error)",
    becomes: "self.init()",
    as: .statements
  ),
  SourcePatch(
    .document("load-error-without-place"),
    "A load error does not say in which part it is.",
    law: "api.damaged-bytes",
    in: "Sources/AutomergeDocument/Errors.swift",
    "\"\\(reason) at byte \\(offset)\\(place)\"",
    becomes: "\"\\(reason)\""
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
  SourcePatch(
    .document("streams-do-not-end"),
    "A stream of events waits for ever once its document is gone.",
    law: "api.event-streams",
    in: "Sources/AutomergeDocument/DocumentEvent.swift",
    "continuation.finish()",
    becomes: "_ = continuation",
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
    .document("conversion-refused-without-value"),
    "A scalar that a type does not read is refused without the value.",
    law: "api.scalar-conversions",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable.swift",
    "\"Failed to read the scalar value \\(val) as a \\(type).\"",
    becomes: "\"Failed to read a \\(type).\""
  ),
  SourcePatch(
    .document("impossible-moments-are-1970"),
    "A moment that no timestamp holds is stored as 1970.",
    law: "api.scalars-refused",
    in: "Sources/AutomergeDocument/ScalarValue.swift",
    "date.millisecondsSince1970",
    becomes: "Optional(date.millisecondsSince1970 ?? 0)"
  ),
  SourcePatch(
    .document("empty-elements-inserted-beyond-limit"),
    "Local edits insert elements of no bytes beyond their limit.",
    law: "api.empty-elements",
    in: "Sources/MergeEngine/Store/Core+Splice.swift",
    "emptyElementCount + Int(count) <= limits.emptyElementLimit",
    becomes: "true"
  ),

  // MARK: Widened laws of public calls

  SourcePatch(
    .document("lists-have-no-entries"),
    "The entries of a list are asked for, and there are none.",
    law: "api.any-refusal",
    in: "Sources/AutomergeDocument/Document+Reading.swift",
    "!kind.isSequence",
    becomes: "true"
  ),
  SourcePatch(
    .document("empty-tree-as-list"),
    "An empty map describes itself as an empty list.",
    law: "api.any-tree",
    in: "Sources/AutomergeDocument/AutomergeValue.swift",
    "\"{[:]}\"",
    becomes: "\"{[]}\""
  ),
  SourcePatch(
    .document("too-deep-is-equal"),
    "Documents that are too deep to be shown are equal.",
    law: "api.any-depth",
    in: "Sources/AutomergeDocument/AutomergeValue.swift",
    "return false",
    becomes: "return true",
    as: .statements
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
  SourcePatch(
    .document("actors-in-lower-case"),
    "An actor describes itself in lower-case hex.",
    law: "api.ids",
    in: "Sources/AutomergeDocument/ActorId.swift",
    "data.hexadecimal.uppercased()",
    becomes: "data.hexadecimal"
  ),
  SourcePatch(
    .document("huge-indexes-wrap"),
    "An index beyond `Int` is a negative one.",
    law: "api.key-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    "Int(exactly: index)",
    becomes: "Optional(Int(truncatingIfNeeded: index))"
  ),
  SourcePatch(
    .document("patches-made-without-paths"),
    "A patch that an app makes has no path.",
    law: "api.registers",
    in: "Sources/AutomergeDocument/Patch.swift",
    "self.path = path",
    becomes: "self.path = []",
    as: .statements
  ),

  // MARK: Widened laws of coders

  SourcePatch(
    .coder("texts-empty-in-json"),
    "A text is written empty by other coders.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "try container.encode(value, forKey: .value)",
    becomes: "try container.encode(\"\", forKey: .value)",
    as: .statements
  ),
  SourcePatch(
    .coder("counters-of-json-start-at-zero"),
    "A counter that another coder wrote is read as 0.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "container.decode(Int.self, forKey: .value)",
    becomes: "container.decode(Int.self, forKey: .value) * 0"
  ),
  SourcePatch(
    .coder("missing-way-named-by-its-end"),
    "A path that goes through nothing is refused without the way to its last step.",
    law: "path.values",
    in: "Sources/DocumentCoding/AutomergeDecoder.swift",
    "CodingPath.of(container)",
    becomes: "CodingPath.root"
  ),
  SourcePatch(
    .coder("respelled-urls-unknown-in-sets"),
    "A URL of a set that a peer spelled otherwise is another element.",
    law: "reencode.over-other-forms",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    ".scalar(.string(URL(string: text)?.absoluteString ?? text))",
    becomes: "current"
  ),
  SourcePatch(
    .coder("lists-count-one-ahead"),
    "A list says one element more than it has while it is encoded.",
    law: "containers.say-where",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "session.draft.count(list)",
    becomes: "session.draft.count(list) + 1"
  ),
  SourcePatch(
    .coder("single-containers-at-the-root"),
    "A container for a single value says that it is at the root.",
    law: "containers.calls",
    in: "Sources/DocumentCoding/DocumentReader.swift",
    "reader.codingPath",
    becomes: "[]"
  ),
  SourcePatch(
    .coder("alike-above-is-equal"),
    "Elements that look alike down to 16 levels are equal.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/DocumentWriter+Plans.swift",
    "shows(known, from, elements[to])",
    becomes: "true"
  ),
]

private let unenteredRecordPatches: [SourcePatch] = [
  SourcePatch(
    .records("root-refused-under-a-key"),
    "A value that is a single one is refused under a key that it has not.",
    law: "record.roots-keyed",
    in: "Sources/RecordCoding/RecordWriting.swift",
    "refusal(value, at: .root, \"a record has keys, and the value is a single one\")",
    becomes:
      "refusal(value, at: .root.appending(.key(\"v\")), \"a record has keys, and the value is one\")"
  ),
  SourcePatch(
    .records("containers-refused-in-vain"),
    "What a container by hand was refused for is forgotten, and its content with it.",
    law: "record.made-by-hand",
    in: "Sources/RecordCoding/RecordWriting.swift",
    "if let failure { throw failure }",
    becomes: "_ = failure",
    as: .statements
  ),
  SourcePatch(
    .records("null-is-no-nil-by-hand"),
    "A value that asks by hand is told that the JSON text null is no nil.",
    law: "record.nil-by-hand",
    in: "Sources/RecordCoding/FieldReading.swift",
    "bytes.elementsEqual(\"null\".utf8)",
    becomes: "false"
  ),
  SourcePatch(
    .records("nested-values-told-nothing"),
    "A nested value is not told what the caller of a decoder gave.",
    law: "record.info-reaches",
    in: "Sources/RecordCoding/NestedReading.swift",
    "reading.userInfo",
    becomes: "[CodingUserInfoKey: Any]()"
  ),
  SourcePatch(
    .records("first-zone-counts"),
    "Of a list of references the first alone is checked for its zone.",
    law: "record.fields-checked",
    in: "Sources/RecordCoding/RecordWriting+Values.swift",
    "field.references.firstIndex(where: { $0.recordID.zoneID != recordID.zoneID })",
    becomes:
      "field.references.prefix(1).firstIndex(where: { $0.recordID.zoneID != recordID.zoneID })"
  ),
  SourcePatch(
    .records("zones-unchecked"),
    "An encode takes a zone that none may be.",
    law: "record.zones-checked",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "RecordNames.zoneProblem(id.zoneID)",
    becomes: "nil"
  ),
  SourcePatch(
    .records("one-child-too-deep"),
    "A child is encoded that lies one reference deeper than a decoder reads.",
    law: "record.children-deep",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "depth < Self.depthLimit",
    becomes: "depth <= Self.depthLimit"
  ),
  SourcePatch(
    .records("broken-json-refused-at-root"),
    "A field whose bytes are no JSON is refused without its key.",
    law: "record.nesting-read",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "corrupted(path, \"expected JSON at \\(path): \\(error)\", error)",
    becomes: "corrupted(.root, \"expected JSON at \\(path): \\(error)\", error)"
  ),
  SourcePatch(
    .records("words-hold-content"),
    "The description of a record holds its fields.",
    law: "record.words-hide-content",
    in: "Sources/RecordModel/Record.swift",
    "\"\\(recordType) \\(recordID) with \\(fields.count + encryptedFields.count) fields\"",
    becomes: "\"\\(recordType) \\(recordID) with \\(fields)\""
  ),
  SourcePatch(
    .records("types-change"),
    "A save of another type takes the place of a record.",
    law: "server.type-stays",
    in: "Sources/RecordServer/RecordServer.swift",
    "new.recordType == record.recordType",
    becomes: "true"
  ),
  SourcePatch(
    .records("later-archives-damaged"),
    "An archive of a later version is refused as damaged.",
    law: "record.archives-told",
    in: "Sources/RecordModel/RecordBytes.swift",
    "all[head.count] <= version",
    becomes: "true"
  ),
  SourcePatch(
    .records("nil-numbers-are-json"),
    "An enumeration of numbers that is nil has the kind of what is nested.",
    law: "record.kinds-by-rules",
    in: "Sources/RecordCoding/RecordWriting+Values.swift",
    "if type is any CloudKitIntEnum.Type { return RecordFieldKind(.int64) }",
    becomes: "_ = type",
    as: .statements
  ),
  SourcePatch(
    .records("zeros-equal"),
    "Zeros of both signs are equal values.",
    law: "record.equal-by-bits",
    in: "Sources/RecordModel/RecordValue.swift",
    "left.bitPattern == right.bitPattern",
    becomes: "left == right"
  ),
  SourcePatch(
    .records("value-without-children"),
    "A value is encoded as one record without its children.",
    law: "record.children-required",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "graph.children.isEmpty",
    becomes: "true"
  ),
  SourcePatch(
    .records("one-name-for-all"),
    "All models without a name of their own have one name.",
    law: "record.named-by-default",
    in: "Sources/RecordModel/RecordModels.swift",
    "RandomName.next()",
    becomes: "\"new\""
  ),
  SourcePatch(
    .records("xml-written-as-binary"),
    "An asset value that prefers XML is a binary property list.",
    law: "record.asset-forms",
    in: "Sources/RecordCoding/AssetValues.swift",
    "encoder.outputFormat = format",
    becomes: "encoder.outputFormat = .binary",
    as: .statements
  ),
  SourcePatch(
    .records("zone-made-twice-is-empty"),
    "To make a zone that is there empties it.",
    law: "server.keeps-apart",
    in: "Sources/RecordServer/RecordServer.swift",
    "zones[zoneID] == nil",
    becomes: "true"
  ),
  SourcePatch(
    .records("keys-unspelled-too-often"),
    "A key that is no spelling is told as the text that it would be one of.",
    law: "record.foreign-keys",
    in: "Sources/RecordModel/RecordNames.swift",
    "escaped(text) == key",
    becomes: "true"
  ),
  SourcePatch(
    .store("idle-calls-done-when-closed"),
    "A closed store answers a change that would do nothing as done.",
    law: "callers.closed-refuses",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "if case .closed = health { written = .failure(StoreError(.closed, .append)) }",
    becomes: "_ = health",
    as: .statements
  ),
  SourcePatch(
    .store("refused-says-closed"),
    "A store whose opening was refused says that it is closed.",
    law: "place.refused-answers",
    in: "Sources/LocalStore/LocalRepository.swift",
    "if let error = openReport.error { throw error }",
    becomes: "_ = openReport",
    as: .statements
  ),
  SourcePatch(
    .store("frames-of-other-stores"),
    "A frame of a journal is taken whatever frame it names before it.",
    law: "damage.pieces-in-order",
    in: "Sources/LocalStore/JournalScan.swift",
    "frame.previous == checksum",
    becomes: "true"
  ),
  SourcePatch(
    .store("other-ids-shown"),
    "An item is shown that says another id than that under which it is stored.",
    law: "version.other-id",
    in: "Sources/LocalStore/LocalRepository.swift",
    "if let found = item?.id, ItemID(found) != id { item = nil }",
    becomes: "_ = id",
    as: .statements
  ),
  SourcePatch(
    .store("unloaded-documents-replaced"),
    "A document that was not loaded since the store was opened is replaced by the copy that is saved.",
    law: "documents.saved-unloaded",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "if let stored = known[id] { return stored }",
    becomes: "return known[id]",
    as: .statements
  ),
  SourcePatch(
    .store("relative-places-taken"),
    "A store lies in a directory that depends on where the program was started.",
    law: "place.contained",
    in: "Sources/LocalStore/StorePlace.swift",
    "directory.hasPrefix(\"/\")",
    becomes: "true"
  ),
  SourcePatch(
    .records("wide-optionals-are-numbers"),
    "An optional wide integer that is encoded as a value is a number where wide ones are to be JSON.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordWriting+Values.swift",
    "!isJSON(type(of: element))",
    becomes: "!isJSON(T.self)"
  ),
]
