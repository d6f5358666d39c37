/// Bugs of records: of their system fields, their server, their children, their names and sizes.
let recordPatches: [SourcePatch] = [
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
    .records("preset-rounds-dates"),
    "The preset of CloudKitCodable rounds dates.",
    law: "record.options-hold",
    in: "Sources/RecordCoding/RecordEncodingOptions.swift",
    "options.dates = .exact",
    becomes: "options.dates = .milliseconds",
    as: .statements
  ),
  SourcePatch(
    .records("unstable-names-taken"),
    "An identifier that changes at each access is taken, also where it is to be refused.",
    law: "record.options-hold",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "options.requiresStableIdentity",
    becomes: "false"
  ),
  SourcePatch(
    .records("refused-files-stay"),
    "A refused encode and a dry run leave the files of their assets.",
    law: "record.assets",
    in: "Sources/RecordCoding/AssetFiles.swift",
    "for folder in folders { try? FileManager.default.removeItem(at: folder) }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .records("files-of-users-deleted"),
    "Files that lie beside those of the coder are deleted with them.",
    law: "record.assets",
    in: "Sources/RecordCoding/AssetFiles.swift",
    "UUID(uuidString: folder.lastPathComponent) != nil",
    becomes: "true"
  ),
  SourcePatch(
    .records("fetch-drops-last"),
    "The last reference of each layer is not fetched.",
    law: "record.children",
    in: "Sources/RecordCoding/CloudKitRecordDecoder.swift",
    "layer.flatMap(\\.references)",
    becomes: "Array(layer.flatMap(\\.references).dropLast())"
  ),
  SourcePatch(
    .records("deep-fetches-missing"),
    "A record that lies too deep to be fetched counts as missing.",
    law: "record.children-missing",
    in: "Sources/RecordCoding/CloudKitRecordDecoder.swift",
    "max(0, options.referenceDepthLimit)",
    becomes: "max(1, options.referenceDepthLimit) - 1"
  ),
  SourcePatch(
    .records("last-reference-refused"),
    "The last record that references may lead to is refused.",
    law: "record.children",
    in: "Sources/RecordCoding/CloudKitRecordDecoder.swift",
    "readCount <= max(0, options.referencedRecordLimit)",
    becomes: "readCount < max(1, options.referencedRecordLimit)"
  ),
  SourcePatch(
    .records("thirteen-members-not-found"),
    "A nested object of 13 members has none that is found.",
    law: "record.sizes-return",
    in: "Sources/RecordCoding/NestedReading.swift",
    """
    members.count <= Self.fewLimit
          ? [:]
          : Dictionary(
            members.enumerated().map { (.key($0.element.key), $0.offset) },
            // The parser refuses a key that stands twice, so there is nothing to decide.
            uniquingKeysWith: { $1 }
          )
    """,
    becomes: """
      members.count <= Self.fewLimit + 1
            ? [:]
            : Dictionary(
              members.enumerated().map { (.key($0.element.key), $0.offset) },
              // The parser refuses a key that stands twice, so there is nothing to decide.
              uniquingKeysWith: { $1 }
            )
      """
  ),
  SourcePatch(
    .records("lengths-of-two-digits"),
    "A length from 16,384 on is not read.",
    law: "record.sizes-return",
    in: "Sources/RecordModel/RecordBytes.swift",
    "stride(from: UInt64(0), to: 63, by: 7)",
    becomes: "stride(from: UInt64(0), to: 14, by: 7)"
  ),
  SourcePatch(
    .records("two-containers-taken"),
    "Of containers of two kinds in one place the second is forgotten.",
    law: "record.one-place",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "if let clash { throw clash }",
    becomes: "_ = clash",
    as: .statements
  ),
  SourcePatch(
    .records("second-values-taken"),
    "A value that is put into a place twice is the second one.",
    law: "record.one-place",
    in: "Sources/RecordCoding/NestedWriting.swift",
    """
    guard place.node.isEmpty else {
          throw refusal(value, at: place.path, "a single-value container takes one value")
        }
    """,
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .records("lists-equal-by-count"),
    "Two lists of one kind are equal if they have as many elements.",
    law: "record.by-rules",
    in: "Sources/RecordModel/RecordValue.swift",
    "left.elements == right.elements",
    becomes: "true"
  ),
  SourcePatch(
    .records("short-escapes"),
    "A byte below 16 in a key is spelled by one digit.",
    law: "record.keys-escaped",
    in: "Sources/RecordModel/RecordNames.swift",
    "hexString([byte])",
    becomes: "String(byte, radix: 16)"
  ),
  SourcePatch(
    .records("owners-are-free"),
    "The owner of a zone does not count for the size of a reference.",
    law: "record.sizes",
    in: "Sources/RecordModel/RecordLimits.swift",
    "value.recordID.zoneID.ownerName.utf8.count",
    becomes: "0"
  ),
  SourcePatch(
    .records("missing-files-taken"),
    "A file that is not there is an asset.",
    law: "record.checks-as-asked",
    in: "Sources/RecordCoding/FieldKinds.swift",
    "!isThere",
    becomes: "false"
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
    .records("rebase-keeps-encrypted"),
    "A conflict takes changes of encrypted fields back.",
    law: "record.rebases",
    in: "Sources/RecordModel/Record.swift",
    "result.encryptedFields[key] != encryptedFields[key]",
    becomes: "false"
  ),
  SourcePatch(
    .records("encrypted-twice-taken"),
    "A key may stand among the fields and among the encrypted ones.",
    law: "server.invalid-refused",
    in: "Sources/RecordModel/RecordViolation.swift",
    "if value != nil, encrypted != nil { report(.field(key, index: nil), .encryptedTwice) }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .records("encrypted-keys-unlisted"),
    "A value that asks for all keys is not told of the encrypted ones.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/FieldReading.swift",
    "Set(record.fields.keys).union(record.encryptedFields.keys).sorted()",
    becomes: "record.fields.keys.sorted()"
  ),
  SourcePatch(
    .records("optional-bytes-are-json"),
    "Bytes of an optional that is decoded as a type of its own are taken for JSON.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "type.wrappedType as? any Decodable.Type",
    becomes: "value.kind.kind == .bytes ? nil : type.wrappedType as? any Decodable.Type"
  ),
  SourcePatch(
    .records("omitted-nil-removed"),
    "A nil that is to be left alone is removed with the fields that the value does not name.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordContent.swift",
    """
    named?.insert(key)
        guard handling == .clearKey else { return }
    """,
    becomes: """
      guard handling == .clearKey else { return }
      named?.insert(key)
      """,
    as: .statements
  ),
  SourcePatch(
    .records("dry-run-blames-dates"),
    "A dry run blames dates for fractions that an encode rounds away.",
    law: "record.dry-run",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "copy.options.validation = .off",
    becomes: """
      copy.options.validation = .off
      copy.options.dates = .exact
      """,
    as: .statements
  ),
  SourcePatch(
    .records("children-stay"),
    "A reference to a nested record never deletes with it.",
    law: "record.children",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "return RecordReference(recordID: id, action: action)",
    becomes: "return RecordReference(recordID: id, action: .none)",
    as: .statements
  ),
  SourcePatch(
    .records("children-come-last"),
    "Nested records come behind those that refer to them.",
    law: "record.children",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    childrenEncoded,
    becomes: """
      do {
            let record = try graph.encode(value, onto: nil)
            return [record] + graph.children
          } catch {
            graph.assets.removeAll()
            throw error
          }
      """,
    as: .statements
  ),
  SourcePatch(
    .records("refused-children-files-stay"),
    "A refused encode of a value with its children leaves the files of their assets.",
    law: "record.assets",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    childrenEncoded,
    becomes: """
      let record = try graph.encode(value, onto: nil)
          return graph.children + [record]
      """,
    as: .statements
  ),
  SourcePatch(
    .records("unknown-cases-fall-back"),
    "A raw value that an enumeration lacks is its fallback, even where it is to be refused.",
    law: "record.unknown-cases",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "options.unknownEnums == .fallback",
    becomes: "true"
  ),
  SourcePatch(
    .records("encrypted-bytes-are-free"),
    "Encrypted fields do not count for the size of a record.",
    law: "server.invalid-refused",
    in: "Sources/RecordModel/RecordLimits.swift",
    "encryptedFields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }",
    becomes: "0"
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
    .records("any-base-taken"),
    "A value of one record is encoded onto another one.",
    law: "record.base-refused",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "base.recordID == fields.recordID",
    becomes: "base.recordType == fields.recordType"
  ),
  SourcePatch(
    .records("archived-tag-goes-first"),
    "A value that is encoded onto a fetched record keeps the change tag of its own archive.",
    law: "record.base-refused",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "base?.systemFields ?? fields",
    becomes: "fields"
  ),
  SourcePatch(
    .records("nested-index-late"),
    "The index in a nested path is taken after the element was appended.",
    law: "containers.say-where",
    in: "Sources/RecordCoding/NestedWriting.swift",
    """
    let path = place.path.appending(.index(count))
        return NestedPlace(graph: place.graph, node: place.node.append(), path: path)
    """,
    becomes: """
      return NestedPlace(
            graph: place.graph,
            node: place.node.append(),
            path: place.path.appending(.index(count))
          )
      """,
    as: .statements
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
    .records("encrypted-spelled-unread"),
    "An encrypted field is not found if its key is spelled.",
    law: "record.keys-escaped",
    in: "Sources/RecordCoding/FieldReading.swift",
    "record.encryptedFields[name]",
    becomes: "record.encryptedFields[RecordNames.unescaped(name)]"
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
    .records("respelled-members-found"),
    "A member of a nested object is found by another spelling of its key.",
    law: "record.sizes-return",
    in: "Sources/RecordCoding/NestedReading.swift",
    "$0.key.utf8.elementsEqual(key.utf8)",
    becomes: "$0.key == key"
  ),
  SourcePatch(
    .records("missing-key-within-asset"),
    "What a file of an asset lacks is told without the asset's place in the record.",
    law: "record.assets",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    ".keyNotFound(key, moved(context))",
    becomes: ".keyNotFound(key, context)"
  ),
]

/// Gives the records of a value and its children, or deletes the files that were written for them.
private let childrenEncoded = """
  do {
        let record = try graph.encode(value, onto: nil)
        return graph.children + [record]
      } catch {
        graph.assets.removeAll()
        throw error
      }
  """
