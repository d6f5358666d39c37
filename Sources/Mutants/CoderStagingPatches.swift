/// Bugs of the coder in what a model hands over, and in what it is compared with.
let coderStagingPatches: [SourcePatch] = [
  // MARK: AutomergeEncoder.swift

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
    .coder("earlier-text-not-found"),
    "A text that an earlier program put under `value` is not found where one is encoded alone.",
    law: "reference.alone",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "path = path.appending(.key(AutomergeEncoder.referenceKey))",
    becomes: "path = CodingPath.of(steps)",
    as: .statements
  ),
  // The last writer is the one that merged last: an own change in front of a peer's has its number
  // all the same.
  SourcePatch(
    .coder("branch-asks-last-writer"),
    "A stale model is written by the document's writer if another one's change came last.",
    law: "stale.based-on",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    #"engine.changes(since: branch.reading(\.heads)).contains { $0.actor == engine.actor }"#,
    becomes: #"engine.changes(since: branch.reading(\.heads)).last?.actor == engine.actor"#
  ),
  SourcePatch(
    .coder("branches-of-one-writer"),
    "Two with equal heads give a branch from older ones the same writer, and cannot merge any more.",
    law: "stale.based-on",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "doc.actor.data",
    becomes: "doc.actor.data.dropFirst(16)"
  ),
  SourcePatch(
    .coder("keys-of-elements-unnamed"),
    "With unknown keys kept, keys that elements of lists alone have count as unknown.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "for element in list { element.collectKeys(&keys) }",
    becomes: "_ = list",
    as: .statements
  ),
  SourcePatch(
    .coder("open-change-counts-as-based-on"),
    "An encode that is based on the present heads is written beside what is not committed.",
    law: "subject.answers",
    in: "Sources/DocumentCoding/AutomergeEncoder.swift",
    "engine.pendingOpCount == 0",
    becomes: "true"
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

  // MARK: DocumentWriter+Reading.swift

  SourcePatch(
    .coder("foreign-milliseconds-go"),
    "A stored timestamp with a fraction is overwritten by its truncation.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "dateTruncation.truncated(known) == milliseconds",
    becomes: "false"
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
    .coder("strings-equal-by-look"),
    "Strings that are canonically equivalent count as equal.",
    law: "strings.normal-form",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "left == right && left.utf8.elementsEqual(right.utf8)",
    becomes: "left == right"
  ),
  // It compares too little, right for the short and different values
  // that tests are first written with.
  SourcePatch(
    .coder("integers-compare-short"),
    "Integers that share their lower halves are taken for equal.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .int(let new) = scalar, case .int(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return Int32(truncatingIfNeeded: new) == Int32(truncatingIfNeeded: old)
          }()
      """#
  ),
  SourcePatch(
    .coder("strings-compare-starts"),
    "A string is not written over one that begins with it.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .string(let new) = scalar, case .string(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return old.utf8.starts(with: new.utf8)
          }()
      """#
  ),
  SourcePatch(
    .coder("bytes-compare-ends"),
    "Bytes of one length and one first byte are taken for equal.",
    law: "reencode.one-leaf",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .bytes(let new) = scalar, case .bytes(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return new.count == old.count && new.first == old.first
          }()
      """#
  ),
  SourcePatch(
    .coder("integers-equal-by-bits"),
    "An integer is taken for the one of other sign with its bits.",
    law: "reencode.over-drift",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "scalar.isEqualNumber(stored)",
    becomes: #"""
      { () -> Bool in
            guard case .uint(let new) = scalar, case .int(let old) = stored else {
              return scalar.isEqualNumber(stored)
            }
            return new == UInt64(bitPattern: old)
          }()
      """#
  ),
  SourcePatch(
    .coder("ends-bind-nothing"),
    "Texts and counters in front of the first element that differs are not bound.",
    law: "reference.moves",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "bindings.removeSubrange(noted.bindings...)",
    becomes: "bindings.removeAll()",
    as: .statements
  ),
  SourcePatch(
    .coder("cautious-takes-equal-numbers"),
    "A cautious encode takes the very number as another kind for its own.",
    law: "cautious.refuses",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "current.word != value.storedScalar.word",
    becomes: "false"
  ),
  SourcePatch(
    .coder("notes-of-equal-elements-dropped"),
    "What an equal element binds is forgotten where the next one differs and binds nothing.",
    law: "counter.bound-in-lists",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "if walk.begun != noted.begun { noted.bindings = bindings.count }",
    becomes: "",
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
    .coder("failed-comparisons-bind"),
    "A comparison that comes to nothing leaves what it has found to be bound.",
    law: "reference.own-element",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "if !result { bindings.removeSubrange(noted...) }",
    becomes: "_ = noted",
    as: .statements
  ),
  SourcePatch(
    .coder("sets-in-lists-only-grow"),
    "A set in a list that has lost an element is taken for equal.",
    law: "reencode.over-unordered",
    in: "Sources/DocumentCoding/DocumentWriter+Reading.swift",
    "engine.length(object) == list.count",
    becomes: "engine.length(object) >= list.count"
  ),

  // MARK: KeyedStaging.swift

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
    .coder("nested-maps-begin-anew"),
    "A nested map that is asked for again loses what the first request wrote.",
    law: "containers.nested",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "nested(.map, key)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("nested-lists-begin-anew"),
    "A nested list that is asked for again loses what the first request wrote.",
    law: "containers.nested",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "nested(.list, key)",
    becomes: "nil"
  ),
  SourcePatch(
    .coder("keys-of-supers-are-ignored"),
    "A superclass under a key writes beside it.",
    law: "containers.inherited",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    #"""
    session.link(node, depth)
        return StagingEncoder(session: session, node: node, depth: depth + 1)
    """#,
    becomes: "return superEncoder()",
    as: .statements
  ),
  SourcePatch(
    .coder("list-under-key-counts-twice"),
    "A list that a value asks for under a key counts as two levels.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "UnkeyedStaging(session: session, list: child, depth: depth + 1)",
    becomes: "UnkeyedStaging(session: session, list: child, depth: depth + 2)"
  ),
  SourcePatch(
    .coder("nested-container-of-super"),
    "A container for a key that has a super encoder writes into what that has.",
    law: "containers.say-where",
    in: "Sources/DocumentCoding/KeyedStaging.swift",
    "!draft.marks(known).contains(.pathless)",
    becomes: "true"
  ),

  // MARK: StagedValue.swift

  SourcePatch(
    .coder("respelled-key-stays"),
    "A key of a dictionary stays if the model has another spelling of the same letters.",
    law: "strings.normal-form",
    in: "Sources/DocumentCoding/StagedValue.swift",
    "left.key == right.key && left.key.utf8.elementsEqual(right.key.utf8)",
    becomes: "left.key == right.key"
  ),
  SourcePatch(
    .coder("enum-payloads-are-types"),
    "What an enumeration nests counts as a type of its own.",
    law: "unknown.not-in-dictionaries",
    in: "Sources/DocumentCoding/StagedValue.swift",
    "StagedMap(tree, entry).markEnumeration()",
    becomes: "_ = entry",
    as: .statements
  ),
  SourcePatch(
    .coder("dictionaries-as-hashed"),
    "A dictionary is written in the order of its hash table.",
    law: "encode.deterministic",
    in: "Sources/DocumentCoding/StagedValue.swift",
    "guard isDictionary else { return entries }",
    becomes: "guard !isDictionary else { return entries }",
    as: .statements
  ),

  // MARK: StagingEncoder.swift

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
    .coder("second-values-not-refused"),
    "A second value for one place is dropped without a word.",
    law: "containers.one-kind",
    in: "Sources/DocumentCoding/StagingEncoder.swift",
    #"session.fail(session.refusal("\(path)", path, words))"#,
    becomes: "_ = words",
    as: .statements
  ),

  // MARK: StagingSession.swift

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
    .coder("integer-keys-pass"),
    "A dictionary with integer keys becomes a map.",
    law: "keys.integers-refused",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "trait == .integerDictionary",
    becomes: "false"
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
    .coder("truncates-towards-1970"),
    "Stored milliseconds before 1970 are truncated upwards.",
    law: "date.keeps-milliseconds",
    in: "Sources/DocumentCoding/StagingSession.swift",
    "rest < 0 ? rest + 1000 : rest",
    becomes: "rest"
  ),

  // MARK: UnkeyedStaging.swift

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
    .coder("lists-by-hand-uncounted"),
    "Lists that a value asks for within its lists do not count as levels.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "UnkeyedStaging(session: session, list: nest(.list), depth: depth + 1)",
    becomes: "UnkeyedStaging(session: session, list: nest(.list), depth: depth)"
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
    .coder("supers-in-lists-are-no-levels"),
    "A superclass that is an element of a list does not count as a level.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "return StagingEncoder(session: session, node: node, depth: depth + 1)",
    becomes: "return StagingEncoder(session: session, node: node, depth: depth)",
    as: .statements
  ),
  SourcePatch(
    .coder("map-in-list-counts-twice"),
    "A map that a value asks for in a list counts as two levels.",
    law: "depth.limited",
    in: "Sources/DocumentCoding/UnkeyedStaging.swift",
    "KeyedStaging<Nested>(session: session, map: map, depth: depth + 1)",
    becomes: "KeyedStaging<Nested>(session: session, map: map, depth: depth + 2)"
  ),
]
