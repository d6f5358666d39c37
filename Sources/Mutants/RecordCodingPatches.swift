/// Bugs of the coder of records.
let recordCodingPatches: [SourcePatch] = [
  // MARK: AssetFiles.swift

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
    .records("asset-names-cut-early"),
    "The name of an asset's file is cut a byte early.",
    law: "record.assets",
    in: "Sources/RecordCoding/AssetFiles.swift",
    "safe.utf8.count < nameByteLimit",
    becomes: "safe.utf8.count < nameByteLimit - 1"
  ),

  // MARK: AssetValues.swift

  SourcePatch(
    .records("xml-written-as-binary"),
    "An asset value that prefers XML is a binary property list.",
    law: "record.asset-forms",
    in: "Sources/RecordCoding/AssetValues.swift",
    "encoder.outputFormat = format",
    becomes: "encoder.outputFormat = .binary",
    as: .statements
  ),

  // MARK: CloudKitRecordDecoder.swift

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
    .records("indexes-of-wrappers-unchecked"),
    "A set of indexes that a wrapper decodes at the root is not looked at before.",
    law: "subject.answers",
    in: "Sources/RecordCoding/CloudKitRecordDecoder.swift",
    "try FoundationTraps.check(type, from: root)",
    becomes: "_ = type",
    as: .statements
  ),

  // MARK: CloudKitRecordEncoder.swift

  SourcePatch(
    .records("unstable-names-taken"),
    "An identifier that changes at each access is taken, also where it is to be refused.",
    law: "record.options-hold",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "options.requiresStableIdentity",
    becomes: "false"
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
    .records("back-reference-encodes-root-again"),
    "The root is not known while its children are encoded.",
    law: "record.back-references",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "if depth == 0 { known.insert(parent) }",
    becomes: "if depth > 0 { known.insert(parent) }",
    as: .statements
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
    .records("value-without-children"),
    "A value is encoded as one record without its children.",
    law: "record.children-required",
    in: "Sources/RecordCoding/CloudKitRecordEncoder.swift",
    "graph.children.isEmpty",
    becomes: "true"
  ),

  // MARK: CloudKitRecordEncodingError.swift

  SourcePatch(
    .records("unstable-types-unnamed"),
    "The words of a refusal do not name the type whose identifier changes.",
    law: "record.reasons-named",
    in: "Sources/RecordCoding/CloudKitRecordEncodingError.swift",
    #""the identifier of \(type) changes from one access to the next: give the type a cloudKitIdentifier""#,
    becomes: #""the identifier of a type changes from one access to the next""#
  ),

  // MARK: FieldKinds.swift

  SourcePatch(
    .records("missing-files-taken"),
    "A file that is not there is an asset.",
    law: "record.checks-as-asked",
    in: "Sources/RecordCoding/FieldKinds.swift",
    "!isThere",
    becomes: "false"
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

  // MARK: FieldReading.swift

  SourcePatch(
    .records("encrypted-keys-unlisted"),
    "A value that asks for all keys is not told of the encrypted ones.",
    law: "record.by-rules",
    in: "Sources/RecordCoding/FieldReading.swift",
    "Set(record.fields.keys).union(record.encryptedFields.keys).sorted()",
    becomes: "record.fields.keys.sorted()"
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
    .records("null-is-no-nil-by-hand"),
    "A value that asks by hand is told that the JSON text null is no nil.",
    law: "record.nil-by-hand",
    in: "Sources/RecordCoding/FieldReading.swift",
    "bytes.elementsEqual(\"null\".utf8)",
    becomes: "false"
  ),

  // MARK: FieldWriting.swift

  SourcePatch(
    .records("absent-scalar-has-no-kind"),
    "An optional number or text that is nil says nothing of its kind.",
    law: "record.schema",
    in: "Sources/RecordCoding/FieldWriting.swift",
    "try clear(key, writing.kind(of: S.self))",
    becomes: "try clear(key, nil)"
  ),

  // MARK: NestedNode.swift

  SourcePatch(
    .records("negative-numbers-with-point"),
    "Zero and negative whole numbers have a point in nested JSON.",
    law: "record.nested-numbers",
    in: "Sources/RecordCoding/NestedNode.swift",
    "whole != 0 || value.sign == .plus",
    becomes: "whole != 0 && value.sign == .plus"
  ),

  // MARK: NestedReading.swift

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
    .records("respelled-members-found"),
    "A member of a nested object is found by another spelling of its key.",
    law: "record.sizes-return",
    in: "Sources/RecordCoding/NestedReading.swift",
    "$0.key.utf8.elementsEqual(key.utf8)",
    becomes: "$0.key == key"
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
    .records("nested-values-told-nothing"),
    "A nested value is not told what the caller of a decoder gave.",
    law: "record.info-reaches",
    in: "Sources/RecordCoding/NestedReading.swift",
    "reading.userInfo",
    becomes: "[CodingUserInfoKey: Any]()"
  ),
  SourcePatch(
    .records("nested-traps-pass"),
    "Nested JSON goes to types of Foundation that end the process on it.",
    law: "record.traps-refused",
    in: "Sources/RecordCoding/NestedReading.swift",
    "try FoundationTraps.check(type, from: self)",
    becomes: "",
    as: .statements
  ),

  // MARK: NestedWriting.swift

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

  // MARK: RecordWriting.swift

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
