/// Bugs in code that no case of `touchstone check` entered, until laws came to it.
let gapPatches: [SourcePatch] = [
  SourcePatch(
    .engine("filter-probes-without-limit"),
    "A message of sync may have a filter with any number of probes.",
    law: "hostile.is-told",
    in: "Sources/MergeEngine/Sync/BloomFilter.swift",
    "probeCount <= Limits.bloomProbeLimit",
    becomes: "true"
  ),
  SourcePatch(
    .document("reset-requests-unheard"),
    "A peer that asks for all changes again is sent none of those that were sent before.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "message.asksForReset",
    becomes: "false"
  ),
  SourcePatch(
    .document("reset-by-any-flag"),
    "Each flag of a newer peer is read as a request for all changes again.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/SyncMessage.swift",
    "$0 >= 0x80 && $0 & 1 == 1",
    becomes: "$0 >= 0x80"
  ),
  SourcePatch(
    .document("reset-remembers-what-was-sent"),
    "A state of sync that is reset still holds back what was sent before.",
    law: "api.backups-in-sync",
    in: "Sources/MergeEngine/Sync/PeerState.swift",
    "self = PeerState()\n    sharedHeads = shared",
    becomes: """
      let sent = sentHashes
      self = PeerState()
      sharedHeads = shared
      sentHashes = sent
      """,
    as: .statements
  ),
  SourcePatch(
    .document("views-believe-hints"),
    "A view takes two objects of one number and two writers for one.",
    law: "api.any-view",
    in: "Sources/MergeEngine/Saved/SavedChunk.swift",
    "known.counter == id.counter && columns.actors.ids[Int(known.actor)] == id.actor",
    becomes: "known.counter == id.counter"
  ),
  SourcePatch(
    .document("answers-in-version-2"),
    "From its second message on a peer is taken to read version 2, which it has not said.",
    law: "api.reset-requests",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "state.peerReadsVersion2 ? .two : .one",
    becomes: "state.peerReadsVersion2 || state.hasResponded ? .two : .one"
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
    .document("mark-ends-without-limit"),
    "A mark is made where the limit leaves room for its begin alone.",
    law: "api.mark-limit",
    in: "Sources/MergeEngine/Marks/Core+Marks.swift",
    "emptyElementCount + 2 <= limits.emptyElementLimit",
    becomes: "emptyElementCount + 1 <= limits.emptyElementLimit"
  ),
  SourcePatch(
    .document("memory-without-limit"),
    "What a load or a change adds to the memory is not compared with the limit.",
    law: "api.memory-limit",
    in: "Sources/MergeEngine/Store/Core+Compact.swift",
    "byteCount.addingClamped(extra) <= memoryCeiling",
    becomes: "true"
  ),
  SourcePatch(
    .document("queue-of-sixty-four"),
    "No more than 64 changes may wait, whatever the limit.",
    law: "api.long-queues",
    in: "Sources/MergeEngine/Store/Core+Queue.swift",
    "history.waiting.count < limits.waitingChangeLimit",
    becomes: "history.waiting.count < min(limits.waitingChangeLimit, 64)"
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
    .engine("document-times-too-early"),
    "The time of a document's change may be any before 1970.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Document/DocumentReader.swift",
    "value > -Limits.timeLimit",
    becomes: "true"
  ),
  SourcePatch(
    .engine("one-column-too-many"),
    "A chunk may have as many columns as there are numbers, and the last has the number of none.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/ColumnLayout.swift",
    "count <= Limits.columnLimit",
    becomes: "count <= Limits.columnLimit + 1"
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
    .document("cursor-of-number-zero"),
    "A cursor is read whose element has the number 0.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/ElementCursor.swift",
    "exact > 0",
    becomes: "true"
  ),
  SourcePatch(
    .document("cursor-at-a-mark"),
    "A cursor that names the begin or end of a mark has a place.",
    law: "api.any-cursor",
    in: "Sources/MergeEngine/Cursors/MergeDocument+Cursors.swift",
    "!runs[at(place)].isMark",
    becomes: "true"
  ),
  SourcePatch(
    .document("view-objects-of-any-number"),
    "A view takes objects whose numbers are beyond the last.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Saved/SavedObjects.swift",
    "counter.value <= UInt64(UInt32.max)",
    becomes: "true"
  ),
  // The same text as `insert-ignores-run-inside` has, turned the other way round.
  SourcePatch(
    .engine("run-is-entered-anywhere"),
    "An insertion within a run goes there without a look at the element behind it.",
    law: "text.insertions-meet-runs",
    in: "Sources/MergeEngine/Store/Core+Sequence.swift",
    "precedes(run.id(of: point.offset &+ 1), id)",
    becomes: "true"
  ),
  SourcePatch(
    .document("lost-changes-trap-in-sync"),
    "A message of a peer traps in a document that went back behind what it had sent.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Sync/MergeDocument+Sync.swift",
    "core.history.find(hash).map { !confirmed[$0] } ?? true",
    becomes: """
      core.history.find(hash).map { !confirmed[$0] } ?? { () -> Bool in preconditionFailure("lost") }()
      """
  ),
  SourcePatch(
    .coder("second-values-not-refused"),
    "A second value for one place is dropped without a word.",
    law: "containers.one-kind",
    in: "Sources/DocumentCoding/StagingEncoder.swift",
    #"session.fail(session.refusal("\(path)", path, words))"#,
    becomes: "_ = words",
    as: .statements
  ),
  SourcePatch(
    .coder("optionals-of-nothing-refused"),
    "An optional that is decoded where nothing stands is refused.",
    law: "containers.calls",
    in: "Sources/DocumentCoding/KeyedReading.swift",
    "optional.none as? Value",
    becomes: "nil as Value?"
  ),
  SourcePatch(
    .coder("urls-as-maps-refused"),
    "A URL that an earlier coder wrote as a map is refused.",
    law: "path.values",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    #"engine.get(map, .key("relative")) != nil"#,
    becomes: "false"
  ),
  SourcePatch(
    .coder("nothing-empties-the-root"),
    "Encoding nil at the root removes all keys.",
    law: "reencode.unchanged",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    """
    guard let value else { return }
        try encode(value)
    """,
    becomes: """
      guard let value else { return try encode([String: Int]()) }
          try encode(value)
      """,
    as: .statements
  ),
  SourcePatch(
    .coder("counters-name-the-root"),
    "A bound counter says that the root holds it.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/Counter.swift",
    "ObjId(binding.place.holder, kind ?? .map)",
    becomes: "ObjId.ROOT"
  ),
  SourcePatch(
    .store("unreadable-foreign-file-refuses"),
    "A file of the seed's name that may not be read keeps the store from opening.",
    law: "seed.foreign-left",
    in: "Sources/LocalStore/StoreEngine+Quarantine.swift",
    "if case .readOnly = error.reason { return nil }",
    becomes: "_ = error",
    as: .statements
  ),
  SourcePatch(
    .store("new-store-on-read-only-medium"),
    "A new store is made, and is empty, where no file can be made.",
    law: "fault.read-only-medium",
    in: "Sources/LocalStore/StoreEngine+Open.swift",
    "report.state != .missing",
    becomes: "true"
  ),
  SourcePatch(
    .records("unstable-types-unnamed"),
    "The words of a refusal do not name the type whose identifier changes.",
    law: "record.reasons-named",
    in: "Sources/RecordCoding/CloudKitRecordEncodingError.swift",
    #""the identifier of \(type) changes from one access to the next: give the type a cloudKitIdentifier""#,
    becomes: #""the identifier of a type changes from one access to the next""#
  ),
  SourcePatch(
    .records("container-for-system-fields-passed-over"),
    "A container in place of the system fields is passed over without a word.",
    law: "record.reasons-named",
    in: "Sources/RecordCoding/RecordWriting.swift",
    #"throw CloudKitRecordEncodingError.systemFieldsDecode("expected Data, found a container")"#,
    becomes: "return NestedNode()",
    as: .statements
  ),
  SourcePatch(
    .records("endless-numbers-of-generics-pass"),
    "A number without an end that a generic model encodes is not checked for a server.",
    law: "record.fields-checked",
    in: "Sources/RecordCoding/FieldKinds.swift",
    "isFinite || graph.options.validation != .server",
    becomes: "true"
  ),
  SourcePatch(
    .records("optional-files-are-strings"),
    "A file of an optional that is encoded as a value is a string.",
    law: "record.fields-checked",
    in: "Sources/RecordCoding/FieldKinds.swift",
    "isFile ? .asset(try asset(graph) { path }) : .string(absoluteString)",
    becomes: ".string(absoluteString)"
  ),
  SourcePatch(
    .records("marks-in-any-order"),
    "Marked keys are read in any order.",
    law: "record.one-form",
    in: "Sources/RecordModel/Record+Bytes.swift",
    "zip(changed, changed.dropFirst()).allSatisfy({ $0 < $1 })",
    becomes: "true"
  ),
  SourcePatch(
    .records("indexes-of-wrappers-unchecked"),
    "A set of indexes that a wrapper decodes at the root is not looked at before.",
    law: "subject.answers",
    in: "Sources/RecordCoding/CloudKitRecordDecoder.swift",
    "try FoundationTraps.check(type, from: root)",
    becomes: "_ = type",
    as: .statements
  ),
]
