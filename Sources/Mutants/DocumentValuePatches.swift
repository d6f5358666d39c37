/// Bugs of what `Document` takes and gives: values, ids, paths, observers, text updates.
let documentValuePatches: [SourcePatch] = [
  // MARK: ActorId.swift

  SourcePatch(
    .document("actors-in-lower-case"),
    "An actor describes itself in lower-case hex.",
    law: "api.ids",
    in: "Sources/AutomergeDocument/ActorId.swift",
    "data.hexadecimal.uppercased()",
    becomes: "data.hexadecimal"
  ),

  // MARK: AnyCodingKey.swift

  SourcePatch(
    .document("path-takes-any-letter"),
    "A key of a path may begin with a letter that is not ASCII.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    #"("a"..."z").contains(first) || ("A"..."Z").contains(first)"#,
    becomes: "first.properties.isAlphabetic"
  ),
  SourcePatch(
    .document("path-counts-from-one"),
    "An index in the text of a path counts from one.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    "UInt64(step.dropFirst().dropLast())",
    becomes: "UInt64(step.dropFirst().dropLast()).map { $0 &- 1 }"
  ),
  SourcePatch(
    .document("path-takes-plus"),
    "The index of a path may have a plus sign.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    #"!step.dropFirst().hasPrefix("+")"#,
    becomes: "true"
  ),
  SourcePatch(
    .document("first-index-is-a-key"),
    "The index 0 of another type's coding key is taken for a key.",
    law: "api.key-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    "index >= 0",
    becomes: "index > 0"
  ),
  SourcePatch(
    .document("index-needs-no-bracket"),
    "The index of a path may lack its closing bracket.",
    law: "api.path-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    #"first == "[" && step.hasSuffix("]")"#,
    becomes: #"first == "[""#
  ),
  SourcePatch(
    .document("huge-indexes-wrap"),
    "An index beyond `Int` is a negative one.",
    law: "api.key-texts",
    in: "Sources/AutomergeDocument/AnyCodingKey.swift",
    "Int(exactly: index)",
    becomes: "Optional(Int(truncatingIfNeeded: index))"
  ),

  // MARK: AutomergeValue.swift

  SourcePatch(
    .document("walk-is-flat"),
    "The lines of a document's tree are not indented.",
    law: "api.any-tree",
    in: "Sources/AutomergeDocument/AutomergeValue.swift",
    #"String(repeating: "  ", count: indent) + label"#,
    becomes: "label"
  ),
  SourcePatch(
    .document("trees-without-depth"),
    "Objects within each other are followed as deep as they go.",
    law: "api.any-depth",
    in: "Sources/AutomergeDocument/AutomergeValue.swift",
    "depth + 1",
    becomes: "depth"
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

  // MARK: ChangeHash.swift

  SourcePatch(
    .document("heads-unsorted"),
    "Heads are handed to the engine in the order of a set.",
    law: "api.equal-heads",
    in: "Sources/AutomergeDocument/ChangeHash.swift",
    "map(\\.engineHash).sorted()",
    becomes: "map(\\.engineHash)"
  ),

  // MARK: Errors.swift

  SourcePatch(
    .document("load-error-without-place"),
    "A load error does not say in which part it is.",
    law: "api.damaged-bytes",
    in: "Sources/AutomergeDocument/Errors.swift",
    "\"\\(reason) at byte \\(offset)\\(place)\"",
    becomes: "\"\\(reason)\""
  ),

  // MARK: LogVerbosity.swift

  SourcePatch(
    .document("log-at-the-loggers-level"),
    "What a document tells is dropped where the program logs little.",
    law: "api.log",
    in: "Sources/AutomergeDocument/LogVerbosity.swift",
    "logger.logLevel = verbosity.level",
    becomes: "_ = verbosity",
    as: .statements
  ),

  // MARK: ObjId.swift

  SourcePatch(
    .document("id-bytes-repeat"),
    "The stored form of an id repeats the lowest byte of its counter.",
    law: "api.ids",
    in: "Sources/AutomergeDocument/ObjId.swift",
    "engineID.counter >> shift",
    becomes: "engineID.counter"
  ),

  // MARK: ObserverList.swift

  // Views of an app are then redrawn twice or, with the next ones, not at all.
  SourcePatch(
    .document("tells-twice"),
    "The end of a call is told twice.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "observer.hear(did)",
    becomes: "observer.hear(did)\nobserver.hear(did)",
    as: .statements
  ),
  SourcePatch(
    .document("observers-nest-deeper"),
    "Observers that edit are stopped one level late.",
    law: "api.nested-observers",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "nest.isExhausted || nest.depth >= Self.depthLimit",
    becomes: "nest.depth > Self.depthLimit"
  ),
  SourcePatch(
    .document("observers-hear-all"),
    "An observer of one object hears of calls that name another and do not reach it.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "changed.contains(object)",
    becomes: "true"
  ),
  SourcePatch(
    .document("tracing-ends-with-observer"),
    "Once an observer has come and gone, edits are no longer traced.",
    law: "api.log",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "observers.count + tracerCount",
    becomes: "observers.count"
  ),
  SourcePatch(
    .document("observers-end-together"),
    "An observer that is cancelled takes all observers of the same object with it.",
    law: "api.observers",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    """
    lock.withLock {
          observers.removeAll { $0 === observer }
          countAgain()
        }
        observer.end()
    """,
    becomes: """
      lock.withLock {
            observers.removeAll { $0.object == observer.object }
            countAgain()
          }
          observer.end()
      """,
    as: .statements
  ),
  SourcePatch(
    .document("observer-ends-the-round"),
    "Where a call did not reach what one observer observes, those of other objects are not told.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "changed.contains(object)",
    becomes: """
      changed.contains(object)
        && mutation.audience.compactMap(\\.object).allSatisfy {
          $0 == mutation.target || changed.contains($0)
        }
      """
  ),
  SourcePatch(
    .document("cancelled-observers-hear"),
    "An observer that is cancelled while a change runs still hears of its end.",
    law: "api.ended-observers",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    """
    lock.withLock {
          observers.removeAll { $0 === observer }
          countAgain()
        }
        observer.end()
    """,
    becomes: """
      lock.withLock {
            observers.removeAll { $0 === observer }
            countAgain()
          }
      """,
    as: .statements
  ),
  SourcePatch(
    .document("calls-in-vain-not-told"),
    "An observer of an object does not hear the end of a call that changes nothing.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "observer.hear(did)",
    becomes: "if observer.object == nil || !changed.isEmpty { observer.hear(did) }",
    as: .statements
  ),
  SourcePatch(
    .document("depth-refuses-once"),
    "An observer that edits before and after each edit is refused 32 deep alone, and goes on.",
    law: "api.nested-observers",
    in: "Sources/AutomergeDocument/ObserverList.swift",
    "if nest.depth >= Self.depthLimit { nestedCalls[thread]?.isExhausted = true }",
    becomes: "_ = nest",
    as: .statements
  ),

  // MARK: Patch.swift

  SourcePatch(
    .document("patches-made-without-paths"),
    "A patch that an app makes has no path.",
    law: "api.registers",
    in: "Sources/AutomergeDocument/Patch.swift",
    "way = .given(path)",
    becomes: "way = .given([])",
    as: .statements
  ),

  // MARK: PathErrors.swift

  SourcePatch(
    .document("lookup-errors-all-equal"),
    "All reasons for which a path leads nowhere are equal.",
    law: "api.path-lookups",
    in: "Sources/AutomergeDocument/PathErrors.swift",
    "left.errorDescription == right.errorDescription",
    becomes: "true"
  ),

  // MARK: ScalarValue.swift

  SourcePatch(
    .document("uint-becomes-int"),
    "An unsigned integer is stored as a signed one.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/ScalarValue.swift",
    "return .uint(value)",
    becomes: "return .int(Int64(truncatingIfNeeded: value))",
    as: .statements
  ),
  SourcePatch(
    .document("moments-lose-fractions"),
    "A moment that is read has whole seconds.",
    law: "agreement.states",
    in: "Sources/AutomergeDocument/ScalarValue.swift",
    "Double(milliseconds) / 1000",
    becomes: "(Double(milliseconds) / 1000).rounded(.down)"
  ),
  SourcePatch(
    .document("impossible-moments-are-1970"),
    "A moment that no timestamp holds is stored as 1970.",
    law: "api.scalars-refused",
    in: "Sources/AutomergeDocument/ScalarValue.swift",
    "date.millisecondsSince1970",
    becomes: "Optional(date.millisecondsSince1970 ?? 0)"
  ),

  // MARK: ScalarValueRepresentable+Numbers.swift

  SourcePatch(
    .document("uint16-wraps"),
    "A number that a UInt8, UInt16 or UInt32 cannot hold is cut to its low bits.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable+Numbers.swift",
    """
    if case .Uint(let value) = val, let exact = Self(exactly: value) { return .success(exact) }
    """,
    becomes: """
      if case .Uint(let value) = val { return .success(Self(truncatingIfNeeded: value)) }
      """,
    as: .statements
  ),
  SourcePatch(
    .document("short-integers-wrap"),
    "A scalar that is too large for an Int8, Int16 or Int32 is read as its last bits.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable+Numbers.swift",
    """
    if case .Int(let value) = val, let exact = Self(exactly: value) { return .success(exact) }
    """,
    becomes: """
      if case .Int(let value) = val { return .success(Self(truncatingIfNeeded: value)) }
      """,
    as: .statements
  ),

  // MARK: ScalarValueRepresentable.swift

  SourcePatch(
    .document("url-relative"),
    "A URL that was made relative to a base is written without it.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable.swift",
    ".String(absoluteString)",
    becomes: ".String(relativeString)"
  ),
  SourcePatch(
    .document("conversion-refused-without-value"),
    "A scalar that a type does not read is refused without the value.",
    law: "api.scalar-conversions",
    in: "Sources/AutomergeDocument/ScalarValueRepresentable.swift",
    "\"Failed to read the scalar value \\(val) as a \\(type).\"",
    becomes: "\"Failed to read a \\(type).\""
  ),

  // MARK: SyncState.swift

  SourcePatch(
    .document("damaged-peer-state-is-new"),
    "A damaged sync state is read as that of a new peer.",
    law: "api.damaged-bytes",
    in: "Sources/AutomergeDocument/SyncState.swift",
    "throw DecodeSyncStateError(error)",
    becomes: "self.init()",
    as: .statements
  ),

  // MARK: TextDiff.swift

  SourcePatch(
    .document("text-update-meets-early"),
    "The search for the differences of two texts, from both ends, takes itself for met too early.",
    law: "api.text-updates",
    in: "Sources/AutomergeDocument/TextDiff.swift",
    "x + forward[origin + delta - k] >= n",
    becomes: "x + forward[origin + delta - k] >= n - 1"
  ),
  SourcePatch(
    .document("text-cut-where-search-ended"),
    "Two long texts are cut where the search ended, and not where it came furthest.",
    law: "api.text-updates",
    in: "Sources/AutomergeDocument/TextDiff.swift",
    "left + right >= cut.0 + cut.1",
    becomes: "false"
  ),
  SourcePatch(
    .document("text-ends-searched"),
    "The equal ends of two texts are left to the search, which a long stretch in front of them cuts.",
    law: "api.text-updates",
    in: "Sources/AutomergeDocument/TextDiff.swift",
    "suffix < newRange.count",
    becomes: "false"
  ),

  // MARK: TextUpdate.swift

  SourcePatch(
    .document("text-update-cuts-elements"),
    "An update of a text takes an element that holds more than a character for one that ends with it.",
    law: "api.any-text",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "guard walk.advance(to: end) else { continue }",
    becomes: "_ = walk.advance(to: end)",
    as: .statements
  ),
  SourcePatch(
    .document("text-update-counts-scalars"),
    "Where an update of a text goes on after an insertion is counted in scalars.",
    law: "api.any-unit",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "index += text.width(in: unit)",
    becomes: "index += text.unicodeScalars.count",
    as: .statements
  ),
  SourcePatch(
    .document("text-update-takes-equivalents"),
    "A text that differs in its scalars alone, and is canonically equivalent, is not written.",
    law: "api.equivalent-texts",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "!before.utf8.elementsEqual(value.utf8)",
    becomes: "before != value"
  ),
  SourcePatch(
    .document("refused-update-stays-half"),
    "An update of a text that is refused halfway leaves what it did until then.",
    law: "api.last-numbers",
    in: "Sources/AutomergeDocument/TextUpdate.swift",
    "rollback(to: start)",
    becomes: "_ = start",
    as: .statements
  ),

  // MARK: Value.swift

  SourcePatch(
    .document("path-index-off-by-one"),
    "An index in an object's path is one too high.",
    law: "calls.succeed",
    in: "Sources/AutomergeDocument/Value.swift",
    "UInt64(clamping: index)",
    becomes: "UInt64(clamping: index) + 1"
  ),
]
