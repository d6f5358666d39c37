/// Bugs that `Mutation/` wrote by rule and that all laws let live, until a law asked for them.
let survivorPatches: [SourcePatch] = [
  SourcePatch(
    .engine("insertions-hide-others"),
    "A change is taken in whose insertion names a predecessor.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Store/Core+Apply.swift",
    "run.predecessorCount == 0",
    becomes: "true"
  ),
  SourcePatch(
    .engine("negative-number-read-as-bits"),
    "In a change of one operation a negative number of an element is read as its bits.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Changes/DecodedChange+SingleOp.swift",
    "last & 0x40 != 0",
    becomes: "false"
  ),
  SourcePatch(
    .document("actor-read-without-lock"),
    "The actor is read while another thread is in a transaction.",
    law: "api.any-wait",
    in: "Sources/AutomergeDocument/Document.swift",
    "lock.withLock { ActorId(engine.actor) }",
    becomes: "ActorId(engine.actor)"
  ),
  SourcePatch(
    .document("dropped-by-merge-untold"),
    "A change that a document drops because it is merged elsewhere is not logged.",
    law: "api.dropped-changes",
    in: "Sources/AutomergeDocument/Document+Storage.swift",
    "if other !== self { other.logDropped(since: droppedCount) }",
    becomes: "_ = other",
    as: .statements
  ),
  SourcePatch(
    .document("lookup-errors-all-equal"),
    "All reasons for which a path leads nowhere are equal.",
    law: "api.path-lookups",
    in: "Sources/AutomergeDocument/PathErrors.swift",
    "left.errorDescription == right.errorDescription",
    becomes: "true"
  ),
  SourcePatch(
    .coder("nested-lists-look-strange"),
    "A list within a list does not look like the one that is stored.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/Fingerprints.swift",
    """
    hasher.combine(Tag.list)
          var sum = 0
          for element in list { sum &+= fingerprint(element, depth: depth - 1) }
          hasher.combine(sum)
    """,
    becomes: """
      var sum = 0
            for element in list { sum &+= fingerprint(element, depth: depth - 1) }
            hasher.combine(sum)
      """,
    as: .statements
  ),
  SourcePatch(
    .coder("repeated-elements-unmatched"),
    "Elements that a list has more than once are matched at its ends alone.",
    law: "list.fewest-operations",
    in: "Sources/DocumentCoding/CommonSequence.swift",
    "(oldEnd - from) * (newEnd - to) <= fullLimit",
    becomes: "false"
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
    .document("message-keeps-the-lock"),
    "A document that has received a message of sync is not given back.",
    law: "api.any-unlock",
    in: "Sources/AutomergeDocument/Document+Sync.swift",
    """
    lock.lock()
            defer { lock.unlock() }
            return try body()
    """,
    becomes: """
      lock.lock()
              return try body()
      """,
    as: .statements
  ),
  SourcePatch(
    .document("transaction-tells-each-call"),
    "Observers hear of each call within a transaction.",
    law: "api.audiences",
    in: "Sources/AutomergeDocument/Document.swift",
    "lock.isHeldByCurrentThread && !transactions.isEmpty",
    becomes: "false"
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
  SourcePatch(
    .document("log-at-the-loggers-level"),
    "What a document tells is dropped where the program logs little.",
    law: "api.log",
    in: "Sources/AutomergeDocument/LogVerbosity.swift",
    "logger.logLevel = verbosity.level",
    becomes: "_ = verbosity",
    as: .statements
  ),
  SourcePatch(
    .document("map-index-out-of-bounds"),
    "An index of a map is refused as one behind the end of a list.",
    law: "api.path-lookups",
    in: "Sources/AutomergeDocument/Document+Paths.swift",
    "object.kind == .list",
    becomes: "true"
  ),
]
