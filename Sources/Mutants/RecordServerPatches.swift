/// Bugs of records and of their server.
let recordServerPatches: [SourcePatch] = [
  // MARK: Record+Bytes.swift

  SourcePatch(
    .records("marks-in-any-order"),
    "Marked keys are read in any order.",
    law: "record.one-form",
    in: "Sources/RecordModel/Record+Bytes.swift",
    "zip(changed, changed.dropFirst()).allSatisfy({ $0 < $1 })",
    becomes: "true"
  ),

  // MARK: Record.swift

  SourcePatch(
    .records("rebase-keeps-encrypted"),
    "A conflict takes changes of encrypted fields back.",
    law: "record.rebases",
    in: "Sources/RecordModel/Record.swift",
    "result.encryptedFields[key] != encryptedFields[key]",
    becomes: "false"
  ),
  SourcePatch(
    .records("words-hold-content"),
    "The description of a record holds its fields.",
    law: "record.words-hide-content",
    in: "Sources/RecordModel/Record.swift",
    "\"\\(recordType) \\(recordID) with \\(fields.count + encryptedFields.count) fields\"",
    becomes: "\"\\(recordType) \\(recordID) with \\(fields)\""
  ),

  // MARK: RecordBytes.swift

  SourcePatch(
    .records("lengths-of-two-digits"),
    "A length from 16,384 on is not read.",
    law: "record.sizes-return",
    in: "Sources/RecordModel/RecordBytes.swift",
    "stride(from: UInt64(0), to: 63, by: 7)",
    becomes: "stride(from: UInt64(0), to: 14, by: 7)"
  ),
  SourcePatch(
    .records("later-archives-damaged"),
    "An archive of a later version is refused as damaged.",
    law: "record.archives-told",
    in: "Sources/RecordModel/RecordBytes.swift",
    "all[head.count] <= version",
    becomes: "true"
  ),

  // MARK: RecordLimits.swift

  SourcePatch(
    .records("owners-are-free"),
    "The owner of a zone does not count for the size of a reference.",
    law: "record.sizes",
    in: "Sources/RecordModel/RecordLimits.swift",
    "value.recordID.zoneID.ownerName.utf8.count",
    becomes: "0"
  ),
  SourcePatch(
    .records("encrypted-bytes-are-free"),
    "Encrypted fields do not count for the size of a record.",
    law: "server.invalid-refused",
    in: "Sources/RecordModel/RecordLimits.swift",
    "encryptedFields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }",
    becomes: "0"
  ),

  // MARK: RecordModels.swift

  SourcePatch(
    .records("one-name-for-all"),
    "All models without a name of their own have one name.",
    law: "record.named-by-default",
    in: "Sources/RecordModel/RecordModels.swift",
    "RandomName.next()",
    becomes: "\"new\""
  ),
  SourcePatch(
    .records("names-without-variant"),
    "The name of a new record is no UUID of a known variant.",
    law: "record.named-by-default",
    in: "Sources/RecordModel/RecordModels.swift",
    "random.1 >> 2 | 1 << 63",
    becomes: "random.1 >> 2"
  ),
  SourcePatch(
    .records("optional-ids-described"),
    "An id that is nil is the name of a record, and an optional one has Swift's words around it.",
    law: "record.named-by-default",
    in: "Sources/RecordModel/RecordModels.swift",
    "optional.anyIdentifier.flatMap { of($0) }",
    becomes: "\"\\(id)\""
  ),
  SourcePatch(
    .records("object-addresses-are-names"),
    "An object without an id of its own is named by its address.",
    law: "record.named-by-default",
    in: "Sources/RecordModel/RecordModels.swift",
    "id is ObjectIdentifier",
    becomes: "false"
  ),
  SourcePatch(
    .records("blank-is-no-space"),
    "JSON behind a blank is not told by its bytes.",
    law: "record.asset-forms",
    in: "Sources/RecordModel/RecordModels.swift",
    "[0x20, 0x09, 0x0A, 0x0D]",
    becomes: "[0x09, 0x0A, 0x0D]"
  ),

  // MARK: RecordNames.swift

  SourcePatch(
    .records("short-escapes"),
    "A byte below 16 in a key is spelled by one digit.",
    law: "record.keys-escaped",
    in: "Sources/RecordModel/RecordNames.swift",
    "hexString([byte])",
    becomes: "String(byte, radix: 16)"
  ),
  SourcePatch(
    .records("long-names-taken"),
    "A name may be one character longer than the limit.",
    law: "server.invalid-refused",
    in: "Sources/RecordModel/RecordNames.swift",
    "utf8.count > nameLimit",
    becomes: "utf8.count > nameLimit + 1"
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
    .records("letters-spelled-in-digits"),
    "A key that is spelled has its letters in hexadecimal as well.",
    law: "record.keys-escaped",
    in: "Sources/RecordModel/RecordNames.swift",
    "isLetter(byte) || isDigit(byte)",
    becomes: "isLetter(byte) && isDigit(byte)"
  ),

  // MARK: RecordSystemFields.swift

  SourcePatch(
    .records("archive-swaps-users"),
    "An archive's creator is read as the user who changed the record last.",
    law: "record.bytes-return",
    in: "Sources/RecordModel/RecordSystemFields.swift",
    "rest.creatorUserRecordID = try part.recordID()",
    becomes: "rest.lastModifiedUserRecordID = try part.recordID()",
    as: .statements
  ),
  SourcePatch(
    .records("archive-repeats-date"),
    "The date of the last change is read as that of the creation.",
    law: "record.bytes-return",
    in: "Sources/RecordModel/RecordSystemFields.swift",
    "modificationDate = rest.modificationDate",
    becomes: "modificationDate = rest.creationDate",
    as: .statements
  ),
  SourcePatch(
    .records("platform-archive-not-set"),
    "CloudKit's own archive is not kept with the system fields.",
    law: "record.system-fields-kept",
    in: "Sources/RecordModel/RecordSystemFields.swift",
    "server.platformArchive = newValue",
    becomes: "_ = newValue",
    as: .statements
  ),

  // MARK: RecordValue.swift

  SourcePatch(
    .records("lists-equal-by-count"),
    "Two lists of one kind are equal if they have as many elements.",
    law: "record.by-rules",
    in: "Sources/RecordModel/RecordValue.swift",
    "left.elements == right.elements",
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
    .records("zeros-equal"),
    "Zeros of both signs are equal values.",
    law: "record.equal-by-bits",
    in: "Sources/RecordModel/RecordValue.swift",
    "left.bitPattern == right.bitPattern",
    becomes: "left == right"
  ),

  // MARK: RecordViolation.swift

  SourcePatch(
    .records("encrypted-twice-taken"),
    "A key may stand among the fields and among the encrypted ones.",
    law: "server.invalid-refused",
    in: "Sources/RecordModel/RecordViolation.swift",
    "if value != nil, encrypted != nil { report(.field(key, index: nil), .encryptedTwice) }",
    becomes: "",
    as: .statements
  ),

  // MARK: RecordServer.swift

  SourcePatch(
    .records("creation-moves"),
    "Each save of a record sets the date of its creation.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "old?.creationDate ?? new.systemFields.modificationDate",
    becomes: "new.systemFields.modificationDate"
  ),
  SourcePatch(
    .records("deletions-are-free"),
    "Deletions do not count for the size of a request.",
    law: "server.request-limited",
    in: "Sources/RecordServer/RecordServer.swift",
    "saving.count + deleting.count",
    becomes: "saving.count"
  ),
  SourcePatch(
    .records("all-keys-without-encrypted"),
    "A save of all keys does not send encrypted fields that are not marked.",
    law: "server.forced-save-merges",
    in: "Sources/RecordServer/RecordServer.swift",
    "record.changedKeySet.union(record.fields.keys).union(record.encryptedFields.keys)",
    becomes: "record.changedKeySet.union(record.fields.keys)"
  ),
  SourcePatch(
    .records("all-keys-clear-others"),
    "A save of all keys clears those that the saver does not have.",
    law: "server.forced-save-merges",
    in: "Sources/RecordServer/RecordServer.swift",
    "record.changedKeySet.union(record.fields.keys).union(record.encryptedFields.keys)",
    becomes: """
      record.changedKeySet.union(record.fields.keys).union(record.encryptedFields.keys)
              .union(new.encryptedFields.keys)
      """
  ),
  SourcePatch(
    .records("cascade-by-first-reference"),
    "A record is deleted with the first that it refers to alone.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "record.references.contains { $0.recordID == id && $0.action == .deleteSelf }",
    becomes: """
      record.references.prefix(1)
              .contains { $0.recordID == id && $0.action == .deleteSelf }
      """
  ),
  SourcePatch(
    .records("doubles-by-name"),
    "Records of one name in two zones may not be saved in one request.",
    law: "server.keeps-apart",
    in: "Sources/RecordServer/RecordServer.swift",
    "saving.first { !ids.insert($0.recordID).inserted }",
    becomes: """
      saving.first(where: { record in
              !ids.insert(record.recordID).inserted
                || ids.contains {
                  $0 != record.recordID && $0.recordName == record.recordID.recordName
                }
            })
      """
  ),
  SourcePatch(
    .records("takes-one-reference-more"),
    "One record more than the limit may refer to another.",
    law: "server.references-limited",
    in: "Sources/RecordServer/RecordServer.swift",
    "others.count < RecordLimits.deletingReferences",
    becomes: "others.count <= RecordLimits.deletingReferences"
  ),
  SourcePatch(
    .records("undone-kinds-stay"),
    "An atomic request that is undone fixes the kinds of its fields.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "self = before",
    becomes: """
      let fixed = kinds
      self = before
      kinds = fixed
      """,
    as: .statements
  ),
  SourcePatch(
    .records("refused-kinds-stay"),
    "A record that is refused for one field fixes the kinds of those before it.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "fixed[key] = kind",
    becomes: """
      fixed[key] = kind
      kinds[record.recordType] = fixed
      """,
    as: .statements
  ),
  SourcePatch(
    .records("targets-come-first"),
    "A record that refers to a later one of its request is refused.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "pending.remove(at: next ?? 0)",
    becomes: "pending.removeFirst()"
  ),
  SourcePatch(
    .records("refused-save-fixes-kinds"),
    "A refused save fixes the kinds of its new fields.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    """
    try check(new)
        try fix(new)
    """,
    becomes: """
      try fix(new)
          try check(new)
      """,
    as: .statements
  ),
  SourcePatch(
    .records("empty-answer-begins-anew"),
    "The token of an answer without changes is one of the very beginning.",
    law: "devices.changes-complete",
    in: "Sources/RecordServer/RecordServer.swift",
    "page.last?.value ?? start",
    becomes: "page.last?.value ?? 0"
  ),
  SourcePatch(
    .records("full-page-announces-more"),
    "A page that is full says that there is more, even if it is the last.",
    law: "devices.changes-complete",
    in: "Sources/RecordServer/RecordServer.swift",
    "page.count < all.count",
    becomes: "page.count == pageLimit"
  ),
  SourcePatch(
    .records("lists-of-dates-unrounded"),
    "The server rounds dates to milliseconds, but not those in lists.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "dates.map { $0.roundedToMilliseconds ?? $0 }",
    becomes: "dates"
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
    .records("zone-made-twice-is-empty"),
    "To make a zone that is there empties it.",
    law: "server.keeps-apart",
    in: "Sources/RecordServer/RecordServer.swift",
    "zones[zoneID] == nil",
    becomes: "true"
  ),
  SourcePatch(
    .records("deleted-twice"),
    "A record that two deleted ones refer to is deleted and told twice.",
    law: "server.deletions-told",
    in: "Sources/RecordServer/RecordServer.swift",
    "zones[next.zoneID]?.records[next] != nil",
    becomes: "true"
  ),
  SourcePatch(
    .records("circles-from-the-second"),
    "Of records that refer to each other in a circle the second is tried first.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "pending.remove(at: next ?? 0)",
    becomes: "pending.remove(at: next ?? min(1, pending.count - 1))"
  ),
  SourcePatch(
    .records("expired-is-no-zone"),
    "A token that has expired is told as one of a zone that is not there.",
    law: "server.refusals-told",
    in: "Sources/RecordServer/RecordServer.swift",
    "guard !rules.tellsExpiredTokens else { throw .changeTokenExpired }",
    becomes: "guard !rules.tellsExpiredTokens else { throw .zoneNotFound }",
    as: .statements
  ),
  SourcePatch(
    .records("zones-in-reverse"),
    "The records of a zone come in the reverse order of their names.",
    law: "server.refusals-told",
    in: "Sources/RecordServer/RecordServer.swift",
    "$0.recordID.recordName < $1.recordID.recordName",
    becomes: "$0.recordID.recordName > $1.recordID.recordName"
  ),
  SourcePatch(
    .records("conflict-names-one-record"),
    "A conflict has the server's record in the place of the one that was sent.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    ".serverRecordChanged(server: old, client: record)",
    becomes: ".serverRecordChanged(server: old, client: old)"
  ),
  SourcePatch(
    .records("missing-target-is-itself"),
    "A reference that leads nowhere is refused by the name of the record that holds it.",
    law: "server.by-rules",
    in: "Sources/RecordServer/RecordServer.swift",
    "guard isKnown(reference, by: record) else { throw .referenceViolation(id) }",
    becomes: """
      guard isKnown(reference, by: record) else { throw .referenceViolation(record.recordID) }
      """,
    as: .statements
  ),
  SourcePatch(
    .records("server-tags-repeat"),
    "Change tags of the server repeat after 256 changes.",
    law: "devices.tags-move",
    in: "Sources/RecordServer/RecordServer.swift",
    "UInt64(number) &* 0x9E37_79B1 & 0xFF_FFFF_FFFF",
    becomes: "UInt64(number) &* 0x9E37_79B1 & 0xFF"
  ),
]
