/// Bugs of the store in its calls, and of the store of documents.
let storeRepositoryPatches: [SourcePatch] = [
  // MARK: DocumentRepository.swift

  SourcePatch(
    .store("forks-saved-whole"),
    "After a fork was saved the store takes its heads for all that is stored.",
    law: "documents.nothing-new",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "stored.heads = heads",
    becomes: "stored.heads = document.heads()",
    as: .statements
  ),
  SourcePatch(
    .store("first-save-is-sending"),
    "The first save of a document counts as sending its changes to others.",
    law: "documents.unsent",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "document.fork()",
    becomes: "document"
  ),
  SourcePatch(
    .store("heads-lack-what-waited"),
    "The heads of what is stored leave out what waited in it before.",
    law: "documents.nothing-new",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "heads = whole.heads()",
    becomes: "_ = whole",
    as: .statements
  ),
  SourcePatch(
    .store("appends-nothing-that-waits"),
    "What waits in a document for other changes is not appended to what is stored.",
    law: "documents.waiting",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "Self.accepted(waiting, by: whole)",
    becomes: "Data()"
  ),
  SourcePatch(
    .store("documents-equate-spellings"),
    "What is known of a document counts for one whose id is another spelling.",
    law: "documents.merge",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "if let stored = known[id] { return stored }",
    becomes: """
      if let stored = known.first(where: { $0.key.text == id.text })?.value { return stored }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("snapshots-lack-news"),
    "The new snapshot of a document lacks the changes for which it is made.",
    law: "documents.merge",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "try whole.applyEncodedChanges(encoded: news)",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("documents-not-in-turn"),
    "A save does not wait for one that is being carried out.",
    law: "documents.together",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "isBusy = true",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("documents-grow"),
    "What was appended to a document is not counted, and no new snapshot is made.",
    law: "documents.cost",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "stored.appendedSize += news.count",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("lists-no-documents"),
    "A store of documents that is opened again lists none of those that it has.",
    law: "documents.merge",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "found = Set(engine.table.entries.map(\\.id))",
    becomes: "_ = engine",
    as: .statements
  ),
  SourcePatch(
    .store("unloaded-documents-replaced"),
    "A document that was not loaded since the store was opened is replaced by the copy that is saved.",
    law: "documents.saved-unloaded",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "if let stored = known[id] { return stored }",
    becomes: "return known[id]",
    as: .statements
  ),
  SourcePatch(
    .store("forgets-what-waits"),
    "What waits in a document is not noted when it is stored.",
    law: "documents.any-order",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "stored.waiting = whole.waitingHashes",
    becomes: "_ = whole",
    as: .statements
  ),
  SourcePatch(
    .store("unloaded-documents-appended-whole"),
    "A document that no call has loaded counts as one without heads, and is appended whole.",
    law: "documents.any-order",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    """
    return Stored(
          heads: document.heads(),
          waiting: document.waitingHashes,
          snapshotSize: bytes.count
        )
    """,
    becomes: """
      return Stored(
            heads: document.waitingHashes,
            waiting: document.heads(),
            snapshotSize: bytes.count
          )
      """,
    as: .statements
  ),
  SourcePatch(
    .store("append-without-room-is-final"),
    "A document whose changes have no room behind its snapshot is refused, though a new one has.",
    law: "documents.limited",
    in: "Sources/DocumentStorage/DocumentRepository.swift",
    "guard case .tooLarge = error.reason else { throw error }",
    becomes: "throw error",
    as: .statements
  ),

  // MARK: LocalRepository+Changes.swift

  SourcePatch(
    .store("updates-see-old-items"),
    "An update gets the item as it was before the changes that are written with it.",
    law: "callers.updates-atomic",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "try body(view[key]?.item)",
    becomes: "try body(view.rows[key]?.item)"
  ),
  SourcePatch(
    .store("rounds-forget-deletions"),
    "A change sees an item that a change before it in the same round has deleted.",
    law: "callers.updates-atomic",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    """
    view.overlay[step.operation.id] =
              isDelete ? .some(nil) : Row(version: next, item: step.item)
    """,
    becomes:
      "if !isDelete { view.overlay[step.operation.id] = Row(version: next, item: step.item) }",
    as: .statements
  ),
  SourcePatch(
    .store("empty-change-takes-number"),
    "A change that does nothing takes a number in the eyes of those behind it in its round.",
    law: "callers.numbers",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "planned.append(steps)",
    becomes: """
      planned.append(steps)
            if case .success(let own) = steps, own.isEmpty { next += 1 }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("deletes-any-version"),
    "A conditional deletion does not look at the version.",
    law: "store.conditional",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "try Self.require(version, of: id, in: view)",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("rounds-refused-whole"),
    "An item that is too large refuses all changes that are written with it.",
    law: "callers.refusal-alone",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "try options.check(steps.map { $0.operation })",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("new-items-not-deleted"),
    "A change that saves a new item and deletes it leaves it there.",
    law: "store.model",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "!known.contains(step.operation.id)",
    becomes: "true"
  ),
  SourcePatch(
    .store("says-that-it-changed"),
    "A call that changes nothing says that it changed something.",
    law: "store.says-what-it-did",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "StoreCommit(sequence: sequence, durability: options.durability, isChange: false)",
    becomes: "StoreCommit(sequence: sequence, durability: options.durability, isChange: true)"
  ),
  SourcePatch(
    .store("callers-beyond-a-round-forgotten"),
    "Callers beyond those of one round are never answered.",
    law: "callers.all-answered",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "waiting.removeFirst(followers.count)",
    becomes: "waiting.removeAll()",
    as: .statements
  ),
  SourcePatch(
    .store("previous-version-is-last-change"),
    "Observers are told the number of the change before as the previous version of an item.",
    law: "callers.news-complete",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "$0.version",
    becomes: "sequence - 1"
  ),
  SourcePatch(
    .store("sees-deleted-in-its-round"),
    "A change sees an item that its round has deleted.",
    law: "callers.updates-atomic",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "overlay[id] ?? rows[id]",
    becomes: "overlay[id].flatMap { $0 } ?? rows[id]"
  ),
  SourcePatch(
    .store("updates-what-does-not-decode"),
    "An update takes an item that does not decode for one that is not there.",
    law: "damage.undecodable-kept",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "row.item == nil",
    becomes: "false"
  ),
  SourcePatch(
    .store("update-takes-respelled-id"),
    "An update may respell its item's id, and so writes a second item.",
    law: "store.ids-exact",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "ItemID(new.id) == key",
    becomes: "new.id == id"
  ),
  SourcePatch(
    .store("idle-calls-done-when-closed"),
    "A closed store answers a change that would do nothing as done.",
    law: "callers.closed-refuses",
    in: "Sources/LocalStore/LocalRepository+Changes.swift",
    "if case .closed = health { written = .failure(StoreError(.closed, .append)) }",
    becomes: "_ = health",
    as: .statements
  ),

  // MARK: LocalRepository.swift

  SourcePatch(
    .store("last-observer-displaces-others"),
    "A new observer displaces the earlier ones.",
    law: "callers.news-complete",
    in: "Sources/LocalStore/LocalRepository.swift",
    "observers.removeAll { $0.buffer == nil }",
    becomes: "observers = []",
    as: .statements
  ),
  SourcePatch(
    .store("closes-at-once"),
    "Closing does not wait for changes that are being carried out.",
    law: "callers.close-ends",
    in: "Sources/LocalStore/LocalRepository.swift",
    "_ = try? await takeTurn { _ in [] }",
    becomes: "",
    as: .statements
  ),
  SourcePatch(
    .store("closed-store-never-ends"),
    "The changes of a closed store have no end for an observer that comes later.",
    law: "callers.close-ends",
    in: "Sources/LocalStore/LocalRepository.swift",
    "health == .closed || writer == nil",
    becomes: "writer == nil"
  ),
  SourcePatch(
    .store("refused-says-closed"),
    "A store whose opening was refused says that it is closed.",
    law: "place.refused-answers",
    in: "Sources/LocalStore/LocalRepository.swift",
    "if let error = openReport.error { throw error }",
    becomes: "_ = openReport",
    as: .statements
  ),
  SourcePatch(
    .store("other-ids-shown"),
    "An item is shown that says another id than that under which it is stored.",
    law: "version.other-id",
    in: "Sources/LocalStore/LocalRepository.swift",
    "if let found = item?.id, ItemID(found) != id { item = nil }",
    becomes: "_ = id",
    as: .statements
  ),
  SourcePatch(
    .store("closed-counts-as-open"),
    "A store that was closed says that it carries changes out.",
    law: "callers.closed-refuses",
    in: "Sources/LocalStore/LocalRepository.swift",
    """
    health = .closed
        for observer in observers { observer.buffer?.finish() }
    """,
    becomes: "for observer in observers { observer.buffer?.finish() }",
    as: .statements
  ),

  // MARK: OrderedTable.swift

  SourcePatch(
    .store("holes-closed-wrongly"),
    "Closing the holes of deleted items moves each position one too far.",
    law: "store.many-items",
    in: "Sources/LocalStore/OrderedTable.swift",
    "if let entry { positions[entry.id] = index }",
    becomes: "if let entry { positions[entry.id] = max(0, index - 1) }",
    as: .statements
  ),
  SourcePatch(
    .store("appends-to-nothing"),
    "A change that appends to an item which is not there is passed over.",
    law: "damage.forged-refused",
    in: "Sources/LocalStore/OrderedTable.swift",
    "!(isThere[id] ?? (self[id] != nil))",
    becomes: "false"
  ),

  // MARK: StoreChanges.swift

  SourcePatch(
    .store("news-told-twice"),
    "An observer that waits is told of a change, and told again when it asks.",
    law: "callers.observer-waits",
    in: "Sources/LocalStore/StoreChanges.swift",
    "if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }",
    becomes: """
      if !state.waiting.isEmpty {
        state.queue.append(change)
        return state.waiting.removeFirst().continuation
      }
      """,
    as: .statements
  ),
  SourcePatch(
    .store("readers-have-one-number"),
    "A reader of changes that is cancelled ends another one that waits in front of it.",
    law: "callers.observer-waits",
    in: "Sources/LocalStore/StoreChanges.swift",
    "state.nextID += 1",
    becomes: "state.nextID += 0",
    as: .statements
  ),
  SourcePatch(
    .store("queues-behind-a-gap"),
    "Changes are queued before the note of those that were dropped.",
    law: "callers.slow-observer-told",
    in: "Sources/LocalStore/StoreChanges.swift",
    """
    if let dropped = state.dropped {
            state.dropped = (sequence, dropped.count + 1)
          } else if state.queue.count >= limit {
            state.dropped = (sequence, 1)
          } else {
            state.queue.append(change)
          }
    """,
    becomes: """
      if state.queue.count >= limit {
              state.dropped = (sequence, (state.dropped?.count ?? 0) + 1)
            } else {
              state.queue.append(change)
            }
      """,
    as: .statements
  ),
]
