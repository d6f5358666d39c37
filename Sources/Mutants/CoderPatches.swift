/// Bugs of the coder: those that automerge-swift once had, by the number of the report, and others
/// that a programmer could write.
let coderPatches: [SourcePatch] =
  coderReportedPatches + coderWordingPatches + coderReachPatches + coderReferencePatches
  + coderUnseenPatches

private let coderReportedPatches: [SourcePatch] = [
  SourcePatch(
    .coder("arrays-are-written-anew"),
    "Elements of an array are inserted again at every encode, the old ones deleted (#54).",
    law: "reencode.unchanged",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "if shown.start == list.count, shown.start == count { return }",
    becomes: #"""
      try engine.splice(object, at: 0, delete: count)
          return try fill(object, with: list, { path })
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("arrays-do-not-shrink"),
    "Elements that the array has no more stay in the list (#54).",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Lists.swift",
    "try engine.splice(known.object, at: start, delete: end - start)",
    becomes: "_ = start",
    as: .statements
  ),
  SourcePatch(
    .coder("siblings-are-cleaned"),
    "An encode at a path empties the map around it (#57).",
    law: "path.siblings",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "try write(value, over: spot.current, at: spot.place) { path }",
    becomes: #"""
      if case .key(let holder, let key) = spot.place {
                  for other in try engine.keys(holder) where other != key {
                    try engine.delete(holder, .key(other))
                  }
                }
                try write(value, over: spot.current, at: spot.place) { path }
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("texts-are-made-anew"),
    "A text that is there is replaced by a new one (#60).",
    law: "text.kept",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "if text.object(in: home) == object { return }",
    becomes: "return try create(.text(text), at: place, path)",
    as: .statements
  ),
  SourcePatch(
    .coder("counters-add-themselves"),
    "Encoding a counter adds its value to the one that is there (#64).",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "held.count(of: counter, in: home) &- known",
    becomes: "held.count(of: counter, in: home)"
  ),
  SourcePatch(
    .coder("urls-are-maps"),
    "A URL is stored by its own coding, as a map (#136).",
    law: "document.tree",
    in: "Sources/DocumentCoding/StagingSession.swift",
    ".url(value.absoluteString)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("dates-are-seconds"),
    "A timestamp holds seconds (#139).",
    law: "date.seconds",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "whole.multipliedReportingOverflow(by: 1000)",
    becomes: "whole.multipliedReportingOverflow(by: 1)"
  ),
  SourcePatch(
    .coder("old-cases-stay"),
    "The old case of an enum stays beside the new one (#217).",
    law: "reencode.over-value",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "if strategy == .readonly || keepsUnknownKeys(map) { return }",
    becomes: "if strategy == .readonly || map.owner != .dictionary { return }",
    as: .statements
  ),
  SourcePatch(
    .coder("nested-maps-slip-up"),
    "What a nested container holds lands in the map around it (#223).",
    law: "containers.nested",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "child = nest(.map, key)",
    becomes: "child = map",
    as: .statements
  ),
  SourcePatch(
    .coder("dates-truncate-to-zero"),
    "Seconds are cut toward 1970 rather than down.",
    law: "date.seconds",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "seconds.rounded(.down)",
    becomes: "seconds.rounded(.towardZero)"
  ),
  SourcePatch(
    .coder("milliseconds-truncate"),
    "Milliseconds are cut rather than rounded.",
    law: "date.milliseconds",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "(seconds * 1000).rounded()",
    becomes: "(seconds * 1000).rounded(.towardZero)"
  ),
  SourcePatch(
    .coder("foreign-milliseconds-go"),
    "A stored timestamp with a fraction is overwritten by its truncation.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "dateTruncation.truncated(known) == milliseconds",
    becomes: "false"
  ),
  SourcePatch(
    .coder("dates-decode-whole"),
    "Decoding drops the fraction of a stored second.",
    law: "date.decodes-exactly",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "Date(millisecondsSince1970: milliseconds) as? Value",
    becomes: "Date(millisecondsSince1970: milliseconds / 1000 * 1000) as? Value"
  ),
  SourcePatch(
    .coder("writes-without-comparing"),
    "A scalar is written even if another kind of number says the same.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "if reads(current, as: value) { return }",
    becomes: "_ = current",
    as: .statements
  ),
  SourcePatch(
    .coder("caution-is-off"),
    "Cautious writing writes over scalars of another kind.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "guard scalar.word != current.word else { return }",
    becomes: "return",
    as: .statements
  ),
  // A removed key of a dictionary is a removal; an unknown key of a struct belongs to a later
  // version. The coder must tell the two types apart.
  SourcePatch(
    .coder("preserve-keeps-dictionaries"),
    "With unknown keys kept, a dictionary keeps what was removed from it.",
    law: "unknown.not-in-dictionaries",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "unknownKeys == .preserve && map.owner == .type",
    becomes: "unknownKeys == .preserve"
  ),
  SourcePatch(
    .coder("preserve-is-ignored"),
    "Unknown keys are deleted, whatever was asked for.",
    law: "unknown.preserved",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "unknownKeys == .preserve && map.owner == .type",
    becomes: "false"
  ),
  SourcePatch(
    .coder("remove-is-ignored"),
    "Unknown keys stay, whatever was asked for.",
    law: "unknown.removed",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "unknownKeys == .preserve && map.owner == .type",
    becomes: "map.owner == .type"
  ),
  SourcePatch(
    .coder("texts-stay-unbound"),
    "Encoding binds no text.",
    law: "text.binds",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "text.attach(to: home, ObjId(object, .text))",
    becomes: "_ = object",
    as: .statements
  ),
  // After an insertion at the front every text is then edited into its neighbour.
  SourcePatch(
    .coder("texts-match-by-place"),
    "Texts of a list are told apart by their place alone.",
    law: "text.remove-one",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "if let known = text.object(in: home) { return known == object }",
    becomes: "if text.object(in: home) != nil { return true }",
    as: .statements
  ),
  SourcePatch(
    .coder("paths-lose-the-index"),
    "The path of a refused element lacks its index.",
    law: "list.mixed",
    in: "Sources/DocumentCoding/UnkeyedReading.swift",
    ".index(currentIndex)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("user-info-is-lost"),
    "A decoder shows the model no user info.",
    law: "userinfo.reaches",
    in: "Sources/DocumentCoding/DocumentReader.swift",
    "session.userInfo",
    becomes: "[:]"
  ),
  SourcePatch(
    .coder("integer-keys-pass"),
    "A dictionary with integer keys becomes a map.",
    law: "keys.integers-refused",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "trait == .integerDictionary",
    becomes: "false"
  ),
  SourcePatch(
    .coder("floats-read-floats-alone"),
    "A number without fraction that another language wrote is no `Double` (#153).",
    law: "float.reads-integer",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "try float(Double.self, value, path)",
    becomes: "try float(Double.self, value.word == \"double\" ? value : .scalar(.null), path)"
  ),
  SourcePatch(
    .coder("explicit-nil-is-dropped"),
    "Nil that a type encodes itself leaves no trace (#190).",
    law: "document.tree",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "encoder.set(.null)",
    becomes: "encoder.set(.absent)",
    as: .statements
  ),
  SourcePatch(
    .coder("readonly-creates"),
    "Read-only encodes make what is missing.",
    law: "strategy.readonly",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    #"""
    if strategy == .readonly {
          throw CodingKeyLookupError.SchemaMissing(
            "Nothing exists at \(path().keys.dotted) and schema is read-only"
          )
        }
    """#,
    becomes: "_ = strategy",
    as: .statements
  ),
  SourcePatch(
    .coder("override-refuses"),
    "The strategy that overrides refuses another kind of container.",
    law: "strategy.override",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "strategy == .override",
    becomes: "false"
  ),
  SourcePatch(
    .coder("creates-over-anything"),
    "Maps replace whatever stands in their place.",
    law: "strategy.create-refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "strategy == .override",
    becomes: "true"
  ),
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
  SourcePatch(
    .coder("preserve-keeps-nil"),
    "With unknown keys kept, keys whose value is nil stay, too.",
    law: "unknown.named-is-known",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "strategy != .readonly",
    becomes: "strategy != .readonly && unknownKeys == .remove"
  ),
  SourcePatch(
    .coder("empty-texts-keep-content"),
    "An empty text that was encoded leaves the old content.",
    law: "text.emptied",
    in: "Sources/DocumentCoding/DocumentWriter+References.swift",
    "try engine.updateText(object, content)",
    becomes: #"""
      if !content.isEmpty { try engine.updateText(object, content) }
      """#,
    as: .statements
  ),
  SourcePatch(
    .coder("strings-read-strings-alone"),
    "A string does not read a text.",
    law: "string.reads-text",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "return try engine.text(object)",
    becomes: "throw mismatch(String.self, .object(object, .text), path())",
    as: .statements
  ),
  SourcePatch(
    .coder("non-finite-floats-pass"),
    "Infinity is stored as a number.",
    law: "floats.non-finite",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "number.isFinite",
    becomes: "true"
  ),
  SourcePatch(
    .coder("branches-at-the-present"),
    "A stale model is compared with the present document.",
    law: "stale.based-on",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "try doc.forkAt(heads: heads)",
    becomes: "try doc.forkAt(heads: doc.heads())"
  ),
  SourcePatch(
    .coder("branches-bind-nothing"),
    "What a stale model brings is not bound.",
    law: "reference.based-on",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "doc.reading { engine in places.bind(to: doc, engine) }",
    becomes: "_ = places",
    as: .statements
  ),
  SourcePatch(
    .coder("moved-counter-reads-new-value"),
    "A counter that moves takes what its old place was given meanwhile.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/DocumentWriter.swift",
    "held.count(of: counter, in: home)",
    becomes: "Int64(counter.value)"
  ),
  SourcePatch(
    .coder("absent-key-counts"),
    "A nil field that is not stored counts among the stored keys.",
    law: "reencode.over-drift",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "current?.isNull ?? false",
    becomes: "current?.isNull ?? true"
  ),
  SourcePatch(
    .coder("marks-before-adopting"),
    "A value that an enumeration hands on is taken for the enumeration.",
    law: "unknown.in-elements",
    in: "Sources/DocumentCoding/StagingEncoder.swift",
    """
    draft.adopt(attempt, at: node)
        draft.mark(node, .passedOn)
    """,
    becomes: """
      draft.mark(node, .passedOn)
          draft.adopt(attempt, at: node)
      """,
    as: .statements
  ),
  SourcePatch(
    .coder("truncates-towards-1970"),
    "Stored milliseconds before 1970 are truncated upwards.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "rest < 0 ? rest + 1000 : rest",
    becomes: "rest"
  ),
  SourcePatch(
    .coder("deleted-key-counts-as-present"),
    "Where a field became nil, an unknown key beside it is not deleted.",
    law: "unknown.removed",
    in: "Sources/DocumentCoding/DocumentWriter+Maps.swift",
    "current?.isNull ?? false",
    becomes: "current != nil"
  ),
  SourcePatch(
    .coder("refused-binding-binds"),
    "A text that may not be bound to an object is bound to it all the same.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "guard (try? engine.kind(of: id.engineID)) == .text else { throw BindingError.NotText }",
    becomes: """
      guard (try? engine.kind(of: id.engineID)) == .text else {
              attach(to: doc, id)
              throw BindingError.NotText
            }
      """,
    as: .statements
  ),
  SourcePatch(
    .coder("earlier-text-not-found"),
    "A text that an earlier program put under `value` is not found where one is encoded alone.",
    law: "reference.alone",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "path = path.appending(.key(AutomergeEncoder.referenceKey))",
    becomes: "path = CodingPath.of(steps)",
    as: .statements
  ),
  SourcePatch(
    .coder("counter-alone-unbound"),
    "A counter that stands under `value` is read alone as a new one.",
    law: "reference.alone",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "bound(CounterPlace(holder: map, step: .key(key)), count)",
    becomes: "Counter()"
  ),
  SourcePatch(
    .coder("selection-of-another-text"),
    "A text takes the selection of another one for its own.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "binding.object == anchor.object",
    becomes: "true"
  ),
  SourcePatch(
    .coder("selection-starts-in-the-next"),
    "A selection that began within a deleted element of several letters begins within the next.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText+Selection.swift",
    "first.isThere ? min(anchor.startOffset, first.bytes.count) : 0",
    becomes: "min(anchor.startOffset, first.bytes.count)"
  ),
  SourcePatch(
    .coder("rebound-text-writes"),
    "A bound text that is bound elsewhere writes what it held there.",
    law: "reference.binds-to-places",
    in: "Sources/DocumentCoding/AutomergeText.swift",
    "$0.binding == nil ? $0.text : \"\"",
    becomes: "$0.text"
  ),
]
