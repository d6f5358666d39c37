/// Bugs of the coder of records.
let recordCodingPatches: [SourcePatch] = [
  // MARK: AssetFiles.swift

  SourcePatch(
    .records("refused-files-stay"),
    "A refused encode and a dry run leave the files of their assets.",
    law: "record.assets",
    in: "Sources/RecordCoding/AssetFiles.swift",
    "for folder in folders[count...] { try? FileManager.default.removeItem(at: folder) }",
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
    "A set of indexes at the root, or that a wrapper decodes there, is not looked at before.",
    law: "subject.answers",
    in: "Sources/RecordCoding/CloudKitRecordDecoder.swift",
    "try FoundationTraps.check(keys: ObjectIdentifier(type), from: self)",
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
    "if depth == 0 { _ = begin(parent) }",
    becomes: "if depth > 0 { _ = begin(parent) }",
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

  // MARK: NestedDecimals.swift

  SourcePatch(
    .records("decimals-through-doubles"),
    "A nested decimal with more digits than a double keeps is the nearest one.",
    law: "record.nested-numbers",
    in: "Sources/RecordCoding/NestedDecimals.swift",
    "Decimal(string: digits)",
    becomes: "Double(digits).map { Decimal($0) }"
  ),

  // MARK: NestedNode.swift

  SourcePatch(
    .records("sets-in-hash-order"),
    "The elements of a nested set stand in the order of their hashes.",
    law: "record.unchanged-unmarked",
    in: "Sources/RecordCoding/NestedNode.swift",
    "elementOrder != .written",
    becomes: "elementOrder == .sortedPairs"
  ),
  SourcePatch(
    .records("pairs-in-hash-order"),
    "The pairs of a nested dictionary stand in the order of their hashes.",
    law: "record.unchanged-unmarked",
    in: "Sources/RecordCoding/NestedNode.swift",
    "NestedNode.ElementOrder.sortedPairs",
    becomes: "NestedNode.ElementOrder.written"
  ),
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
    "try FoundationTraps.check(keys: ObjectIdentifier(type), from: self)",
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
    ".index(count)",
    becomes: ".index(count + 1)"
  ),
  SourcePatch(
    .records("refused-members-stay"),
    "A member of a nested object that is refused is an empty object.",
    law: "record.refused-is-absent",
    in: "Sources/RecordCoding/NestedWriting.swift",
    """
    try write(child)
        place.node.put(child.node, key.stringValue)
    """,
    becomes: """
      place.node.put(child.node, key.stringValue)
      try write(child)
      """,
    as: .statements
  ),
  SourcePatch(
    .records("refused-elements-stay"),
    "An element of a nested list that is refused is an empty object.",
    law: "record.refused-is-absent",
    in: "Sources/RecordCoding/NestedWriting.swift",
    """
    try write(element)
        place.node.append(element.node)
    """,
    becomes: """
      place.node.append(element.node)
      try write(element)
      """,
    as: .statements
  ),
  SourcePatch(
    .records("refused-values-take-places"),
    "A nested value that was refused leaves no room for another one in its place.",
    law: "record.refused-is-absent",
    in: "Sources/RecordCoding/NestedWriting.swift",
    "NestedPlace(graph: place.graph, node: NestedNode(), path: place.path)",
    becomes: "place"
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
