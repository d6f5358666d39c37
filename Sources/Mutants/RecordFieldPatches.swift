/// Bugs of the coder of records in what it makes of fields.
let recordFieldPatches: [SourcePatch] = [
  // MARK: RecordContent.swift

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
    .records("base-weighs-nothing"),
    "The bound of a record's size does not count what its base has.",
    law: "record.size-guarded",
    in: "Sources/RecordCoding/RecordContent.swift",
    "byteBound = base.byteCount",
    becomes: "byteBound = 0",
    as: .statements
  ),

  // MARK: RecordEncodingOptions.swift

  SourcePatch(
    .records("preset-rounds-dates"),
    "The preset of CloudKitCodable rounds dates.",
    law: "record.options-hold",
    in: "Sources/RecordCoding/RecordEncodingOptions.swift",
    "options.dates = .exact",
    becomes: "options.dates = .milliseconds",
    as: .statements
  ),

  // MARK: RecordReading+Values.swift

  SourcePatch(
    .records("optional-bytes-are-json"),
    "Bytes of an optional that is decoded as a type of its own are taken for JSON.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "type.wrappedType as? any Decodable.Type",
    becomes: "value.kind.kind == .bytes ? nil : type.wrappedType as? any Decodable.Type"
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
    .records("missing-key-within-asset"),
    "What a file of an asset lacks is told without the asset's place in the record.",
    law: "record.assets",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    ".keyNotFound(key, moved(context))",
    becomes: ".keyNotFound(key, context)"
  ),
  SourcePatch(
    .records("optional-bytes-null-is-nil"),
    "The four bytes of `null` are nil to an optional `Data` that is decoded as a type of its own.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "type != Data.self",
    becomes: "true"
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
    .records("bytes-are-damaged"),
    "Bytes that are no JSON are damaged for a number, too.",
    law: "record.bytes-by-type",
    in: "Sources/RecordCoding/RecordReading+Values.swift",
    "!(type is any RecordElement.Type)",
    becomes: "true"
  ),

  // MARK: RecordWriting+Values.swift

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
    .records("nil-numbers-are-json"),
    "An enumeration of numbers that is nil has the kind of what is nested.",
    law: "record.kinds-by-rules",
    in: "Sources/RecordCoding/RecordWriting+Values.swift",
    "if type is any CloudKitIntEnum.Type { return RecordFieldKind(.int64) }",
    becomes: "_ = type",
    as: .statements
  ),
  SourcePatch(
    .records("wide-optionals-are-numbers"),
    "An optional wide integer that is encoded as a value is a number where wide ones are to be JSON.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/RecordWriting+Values.swift",
    "!isJSON(type(of: element))",
    becomes: "!isJSON(T.self)"
  ),

  SourcePatch(
    .records("refused-fields-leave-records"),
    "A field that is refused leaves the records and the complaints of its value.",
    law: "record.refused-is-absent",
    in: "Sources/RecordCoding/RecordWriting+Values.swift",
    "try graph.attempt { try writeMade(value, key, path) }",
    becomes: "try writeMade(value, key, path)",
    as: .statements
  ),

  // MARK: RecordWriting.swift

  SourcePatch(
    .records("refused-roots-leave-records"),
    "A value that was refused at the root leaves the records that it alone refers to.",
    law: "record.refused-is-absent",
    in: "Sources/RecordCoding/RecordWriting.swift",
    "try graph.attempt(encode)",
    becomes: "try encode()",
    as: .statements
  ),
  SourcePatch(
    .records("refused-roots-stay"),
    "What a value wrote at the root before it was refused stays beside the one that is written then.",
    law: "record.refused-is-absent",
    in: "Sources/RecordCoding/RecordWriting.swift",
    "unsafe self.content = content",
    becomes: "",
    as: .statements
  ),
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
    .records("container-for-system-fields-passed-over"),
    "A container in place of the system fields is passed over without a word.",
    law: "record.reasons-named",
    in: "Sources/RecordCoding/RecordWriting.swift",
    #"throw CloudKitRecordEncodingError.systemFieldsDecode("expected Data, found a container")"#,
    becomes: "return NestedNode()",
    as: .statements
  ),

  // MARK: JSONReader.swift

  SourcePatch(
    .records("json-refuses-equivalent-keys"),
    "JSON with two keys that look the same is refused as if one stood twice.",
    law: "record.made-by-hand",
    in: "Sources/Texts/JSONReader.swift",
    "!list.contains { $0.key.utf8.elementsEqual(key.utf8) }",
    becomes: "!list.contains { $0.key == key }"
  ),
]
