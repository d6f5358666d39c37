/// Bugs of the coder in decoding, and in names and paths.
let coderReadingPatches: [SourcePatch] = [
  // MARK: ExactStrings.swift

  SourcePatch(
    .records("equivalent-keys-are-one"),
    "Keys of nested values are told apart by canonical equivalence rather than by their bytes.",
    law: "record.made-by-hand",
    in: "Sources/CodingSupport/ExactStrings.swift",
    "utf8.count == other.utf8.count && byteOrder(other) == 0",
    becomes: "self == other"
  ),

  // MARK: FoundationTraps.swift

  SourcePatch(
    .records("components-without-host"),
    "URL components without a host may have a path that begins with two slashes.",
    law: "record.traps-refused",
    in: "Sources/CodingSupport/FoundationTraps.swift",
    #"hasAuthority ? path.isEmpty || path.hasPrefix("/") : !path.hasPrefix("//")"#,
    becomes: #"!hasAuthority || path.isEmpty || path.hasPrefix("/")"#
  ),

  // MARK: PathKey.swift

  SourcePatch(
    .coder("custom-index-zero-is-a-key"),
    "An index of 0 in a caller's own key is taken for a key.",
    law: "path.element",
    in: "Sources/CodingSupport/PathKey.swift",
    "index >= 0",
    becomes: "index > 0"
  ),

  // MARK: AutomergeDecoder.swift

  SourcePatch(
    .coder("missing-key-names-itself-twice"),
    "At a path, the refusal of a missing key names the key where its map is meant.",
    law: "path.values",
    in: "Sources/DocumentCoding/AutomergeDecoder.swift",
    "CodingPath.of(steps.dropLast())",
    becomes: "CodingPath.of(steps)"
  ),
  SourcePatch(
    .coder("counter-at-path-is-free"),
    "A counter that is decoded by its path is not bound.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/AutomergeDecoder.swift",
    "try? engine.counterPlace(spot.place.holder, spot.place.prop)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("missing-way-named-by-its-end"),
    "A path that goes through nothing is refused without the way to its last step.",
    law: "path.values",
    in: "Sources/DocumentCoding/AutomergeDecoder.swift",
    "CodingPath.of(container)",
    becomes: "CodingPath.root"
  ),

  // MARK: DocumentReader.swift

  SourcePatch(
    .coder("user-info-is-lost"),
    "A decoder shows the model no user info.",
    law: "userinfo.reaches",
    in: "Sources/DocumentCoding/DocumentReader.swift",
    "session.userInfo",
    becomes: "[:]"
  ),
  SourcePatch(
    .coder("single-containers-at-the-root"),
    "A container for a single value says that it is at the root.",
    law: "containers.calls",
    in: "Sources/DocumentCoding/DocumentReader.swift",
    "reader.codingPath",
    becomes: "[]"
  ),

  // MARK: KeyedReading.swift

  SourcePatch(
    .coder("null-is-no-missing-float"),
    "A null under an optional Float is refused.",
    law: "null.reads-as-nil",
    in: "Sources/DocumentCoding/KeyedReading.swift",
    "present(key).map { try session.float(Float.self, $0) { path(to: key) } }",
    becomes: "stored(key).map { try session.float(Float.self, $0) { path(to: key) } }"
  ),
  SourcePatch(
    .coder("super-of-no-key-is-missing"),
    "A super decoder under a key that is not there is refused.",
    law: "containers.calls",
    in: "Sources/DocumentCoding/KeyedReading.swift",
    "stored(key) == nil ? itself : try reader(key)",
    becomes: "try reader(key)"
  ),
  SourcePatch(
    .coder("optionals-of-nothing-refused"),
    "An optional that is decoded where nothing stands is refused.",
    law: "containers.calls",
    in: "Sources/DocumentCoding/KeyedReading.swift",
    "optional.none as? Value",
    becomes: "nil as Value?"
  ),

  // MARK: ReadingSession.swift

  SourcePatch(
    .coder("dates-decode-whole"),
    "Decoding drops the fraction of a stored second.",
    law: "date.decodes-exactly",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "Date(millisecondsSince1970: milliseconds) as? Value",
    becomes: "Date(millisecondsSince1970: milliseconds / 1000 * 1000) as? Value"
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
    .coder("strings-read-strings-alone"),
    "A string does not read a text.",
    law: "string.reads-text",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "return try engine.text(object)",
    becomes: "throw mismatch(String.self, .object(object, .text), path())",
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
    .coder("decoded-counters-stay-unbound"),
    "Decoding gives counters that no document knows.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "counter.attach(to: document, place, count: count)",
    becomes: "_ = place",
    as: .statements
  ),
  SourcePatch(
    .coder("decoded-counters-know-no-count"),
    "A decoded counter reads 0 if its key is deleted before its first read.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "counter.attach(to: document, place, count: count)",
    becomes: "counter.attach(to: document, place)",
    as: .statements
  ),
  // A document of any depth then ends the process by its stack.
  SourcePatch(
    .coder("depth-is-unbounded"),
    "Decoding counts no depth.",
    law: "depth.refused",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "depth < limit.depth",
    becomes: "true"
  ),
  // The statement comes in front of the text.
  SourcePatch(
    .coder("integers-round-to-floats"),
    "A float reads an integer that it only comes close to.",
    law: "float.reads-infinity",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    """
    switch value {
        case .scalar(.double(let number)):
          let nearest
    """,
    becomes: "if case .scalar(.int(let number)) = value { return Number(number) }",
    as: .insertion
  ),
  SourcePatch(
    .coder("infinity-does-not-fit"),
    "A stored infinity counts as a number that does not fit.",
    law: "float.reads-infinity",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "nearest.isFinite || !number.isFinite",
    becomes: "nearest.isFinite"
  ),
  SourcePatch(
    .coder("bare-counters-unbound"),
    "A counter within a type that stands for it is not bound.",
    law: "counter.binds",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "value.isCounter ? place() : nil",
    becomes: "nil"
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
    .coder("deep-strings-are-values"),
    "A string in a list counts as a level.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/ReadingSession.swift",
    "type == String.self",
    becomes: "false"
  ),

  // MARK: UnkeyedReading.swift

  SourcePatch(
    .coder("paths-lose-the-index"),
    "The path of a refused element lacks its index.",
    law: "list.mixed",
    in: "Sources/DocumentCoding/UnkeyedReading.swift",
    ".index(currentIndex)",
    becomes: "nil"
  ),
]
