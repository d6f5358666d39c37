import FaultInjection
import FileSystems
import PropertyEngine

// Calls and bytes at the edges: a store that is closed or was never opened, pieces of files in other places, items that
// say another id, and documents that were in memory before their store was opened.

extension StoreLaw {
  /// Calls and bytes at the edges.
  static let edgeLaws: [StoreLaw] = [
    closedRefuses, refusedAnswers, piecesInOrder, otherID, documentsUnloaded,
  ]

  /// Catches a call that a closed store answers as if it were done, since there was nothing to do.
  ///
  /// Worked example: an app deletes what is not there, behind the end of the store. Told that it is done, it takes the
  /// store for open.
  ///
  ///     a save, a deletion of what is there or not, an update     closed
  ///     a save that expects another version                       closed, or a conflict
  ///     a flush, a compaction                                     closed
  ///     reading                                                   what was there
  ///
  /// The number says which call comes first: one that is refused by the files may tell the store what it had not noted.
  static let closedRefuses = StoreLaw(
    "callers.closed-refuses",
    "A closed store refuses each call.",
    "A store that was closed refuses each change, also one that would do nothing, each flush and each compaction as "
      + "closed, stores nothing of them, says that it carries nothing out, and shows what it had.",
    source: contract,
    shape: .init {
      $0.levels = [.data, .process, .memory]
      $0.numberCount = 1
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      var model = StoreModel()
      for step in trial.sample.steps {
        try await StoreTrial.carryOut(step, on: store, &model).unlessRefused()
      }
      try await store.close()
      let id = model.rows.last?.id ?? "z"
      let calls: [(name: String, call: () async throws -> Void)] = [
        ("a save", { _ = try await store.apply(saving: [StoreRow("z", "late")], deleting: []) }),
        ("a deletion", { _ = try await store.apply(saving: [], deleting: [id]) }),
        ("a deletion of nothing", { _ = try await store.apply(saving: [], deleting: ["none"]) }),
        ("an empty change", { _ = try await store.apply(saving: [], deleting: []) }),
        ("an update", { _ = try await store.update(id) { _ in StoreRow(id, "late") } }),
        ("an update to nothing", { _ = try await store.update("none") { _ in nil } }),
        ("a conditional save", { _ = try await store.save(StoreRow(id, "late"), ifVersion: 999) }),
        ("a flush", { try await store.flush() }),
        ("a compaction", { try await store.compact() }),
      ]
      guard await !store.isWritable() else {
        return Difference(
          kind: "closed.health",
          summary: "a closed store says that it carries changes out"
        )
      }
      let start = trial.sample.number(0) % calls.count
      for (name, call) in calls[start...] + calls[..<start] {
        do {
          try await call()
          return Difference(kind: "closed.done", summary: "a closed store carried out \(name)")
        } catch let complaint as StoreComplaint {
          let mayConflict = name == "a conditional save"
          guard complaint.kind == .closed || mayConflict && complaint.kind == .conflict else {
            return Difference(
              kind: "closed.kind",
              summary: "a closed store refuses \(name) as something else: \(complaint)",
              expected: StoreComplaint.Kind.closed.rawValue,
              actual: complaint.kind.rawValue
            )
          }
        }
      }
      for (kind, rows) in [
        ("closed.rows", await store.snapshot().rows),
        ("closed.stored", try await trial.open(on: files).snapshot().rows),
      ] {
        if let found = difference(rows, from: model.rows, kind, "items differ") { return found }
      }
      return nil
    }
  )

  /// Catches a store that starts from nothing where its files cannot be had: the next save would replace them.
  ///
  /// An app may open its store without looking whether that was refused. Reads find nothing then, and a change tells
  /// what opening had told.
  ///
  ///     the files are damaged          a save throws `damaged`
  ///     another instance has them      a save throws `alreadyOpen`
  static let refusedAnswers = StoreLaw(
    "place.refused-answers",
    "A refused store tells why.",
    "A store whose opening was refused shows nothing, refuses each change, flush and compaction for the same reason, is "
      + "closed without an error, and leaves every file as it is.",
    source: contract,
    shape: damaging,
    check: { trial in
      let isDamaged = trial.sample.number(0) % 3 > 0
      var files = MemoryFiles(try await trial.record(closing: true).end.disk)
      var owner: (any OpenedStore)?
      if isDamaged { files = MemoryFiles(try await damaged(trial).disk) }
      if !isDamaged { owner = try trial.open(on: files) }
      let before = files.disk
      var reason: StoreComplaint.Kind?
      do {
        try await trial.open(on: files).close()
      } catch let complaint as StoreComplaint {
        reason = complaint.kind
      }
      guard let reason else { throw Skipped("opening is not refused") }
      let refused = trial.subject.openAnyway(trial.settings, on: files, trial.schedule)
      guard let refused else { throw Skipped("a store that is refused has no calls") }
      let (shown, count) = (await refused.snapshot().rows, await refused.count())
      guard shown.isEmpty, count == 0, await refused.find("a") == nil else {
        return Difference(
          kind: "refused.shown",
          summary: "a store whose opening was refused shows items"
        )
      }
      let calls: [(name: String, call: () async throws -> Void)] = [
        ("a save", { _ = try await refused.apply(saving: [StoreRow("z", "new")], deleting: []) }),
        ("a deletion", { _ = try await refused.apply(saving: [], deleting: ["a"]) }),
        ("a flush", { try await refused.flush() }),
        ("a compaction", { try await refused.compact() }),
      ]
      for (name, call) in calls {
        do {
          try await call()
          return Difference(kind: "refused.done", summary: "a refused store carried out \(name)")
        } catch let complaint as StoreComplaint {
          guard complaint.kind != reason else { continue }
          return Difference(
            kind: "refused.reason",
            summary:
              "a refused store refuses \(name) for another reason than its opening: \(complaint)",
            expected: reason.rawValue,
            actual: complaint.kind.rawValue
          )
        }
      }
      let observer = await refused.observe(limit: 8)
      guard case .snapshot(0, let rows)? = await observer.next(), rows.isEmpty,
        await observer.next() == nil
      else {
        return Difference(
          kind: "refused.told",
          summary: "an observer of a refused store does not end"
        )
      }
      try await refused.close()
      if let changed = before.firstFile(changedOn: files.disk) {
        return Difference(
          kind: "refused.changed",
          summary: "calls of a refused store changed \(changed.last ?? "")"
        )
      }
      try await owner?.close()
      return nil
    }
  )

  /// Catches a store that looks at each piece of a file and not at what goes before it: a disk that brings back an older
  /// sector, or a copy that is put together of two, is served as a state that never was.
  ///
  /// Each piece is whole, and its checksum right. Number 1 chooses the file, number 2 the piece.
  ///
  ///     number 3 % 5     the piece
  ///     0                is gone
  ///     1                stands there twice
  ///     2                changes places with the next
  ///     3                has one of another file in front of it, with the checksums made right again
  ///     4                is that of another run, with other texts, at the same place
  ///
  /// Worked example: changes 2 and 3 are one piece each, and piece 2 is that of another run. Its number is right, and
  /// only that it names another piece before it tells that it is not this store's.
  static let piecesInOrder = StoreLaw(
    "damage.pieces-in-order",
    "Pieces of files belong together.",
    "A store one of whose files lacks a piece, has one twice, elsewhere, or of another file or store is refused as "
      + "damaged, or shows a state that it had; if that is not the newest, opening says that something is missing.",
    source: contract,
    needs: [.missingFiles],
    shape: .init {
      $0.levels = [.data, .process]
      $0.numberCount = 5
    },
    check: { trial in
      let recording = try await trial.record(closing: trial.sample.number(0) % 2 == 0)
      var disk = recording.end.disk
      let path = try file(trial.sample.number(1), of: disk) {
        trial.subject.pieces(in: $0).count > 1
      }
      let bytes = disk.bytes(at: path) ?? []
      let changed = try await misplaced(bytes, at: path, of: disk, trial)
      guard changed != bytes else { throw Skipped("no byte is changed") }
      disk.damage(path) { $0 = changed }
      let store: any OpenedStore
      do {
        store = try trial.open(on: MemoryFiles(disk))
      } catch let complaint as StoreComplaint where complaint.kind == .damaged {
        return nil
      }
      let rows = await store.snapshot().rows
      let states = recording.model.states
      guard states.contains(rows) else {
        return difference(
          rows,
          from: recording.model.rows,
          "pieces.served",
          "with a piece of \(path.last ?? "") in another place the store shows a state that it never had"
        )
      }
      let state = store.opening.state
      // A journal without its last piece may end with the mark of an earlier closing.
      let isEarlierEnd =
        state == .closed
        && recording.images.contains { states[$0.promises.closed] == rows }
      guard rows != recording.model.rows, !isEarlierEnd,
        ![.torn, .damaged, .interrupted].contains(state)
      else { return nil }
      return Difference(
        kind: "pieces.silent",
        summary:
          "with a piece of \(path.last ?? "") in another place changes are missing, and opening "
          + "does not say so",
        expected: "torn, damaged or interrupted",
        actual: state.rawValue
      )
    }
  )

  /// A file with one piece where it does not belong, or without it.
  ///
  /// - Throws: ``Skipped`` where no piece is to be had that differs.
  private static func misplaced(
    _ bytes: [UInt8],
    at path: [String],
    of disk: MemoryDisk,
    _ trial: StoreTrial
  ) async throws -> [UInt8] {
    let pieces = trial.subject.pieces(in: bytes)
    let number = trial.sample.number(2)
    let piece = pieces[number % pieces.count]
    var changed = bytes
    switch trial.sample.number(3) % 5 {
    case 0: changed.removeSubrange(piece)
    case 1: changed.insert(contentsOf: bytes[piece], at: piece.upperBound)
    case 2:
      let index = number % (pieces.count - 1)
      let (first, second) = (pieces[index], pieces[index + 1])
      let swapped = bytes[second] + bytes[first]
      changed.replaceSubrange(first.lowerBound..<second.upperBound, with: swapped)
    case 3:
      let others = disk.paths.filter { $0 != path }.flatMap { path -> [ArraySlice<UInt8>] in
        let other = disk.bytes(at: path) ?? []
        return trial.subject.pieces(in: other).map { other[$0] }
      }
      guard !others.isEmpty else { throw Skipped("no other file has pieces") }
      let other = others[trial.sample.number(4) % others.count]
      changed.insert(contentsOf: other, at: piece.lowerBound)
      changed = trial.subject.resealed(changed)
    default:
      var sample = trial.sample
      sample.steps = sample.steps.map { step in
        guard case .change(let saved, let deleted) = step else { return step }
        return .change(
          saved: saved.map { StoreSample.Text(item: $0.item, number: $0.number + 1) },
          deleted: deleted
        )
      }
      let other = StoreTrial(trial.subject, sample, trial.schedule)
      let isClosed = sample.number(0) % 2 == 0
      let theirs = try await other.record(closing: isClosed).end.disk.bytes(at: path) ?? []
      let ranges = trial.subject.pieces(in: theirs)
      let index = number % pieces.count
      // What goes before it differs: else it is a piece of this store as well.
      guard index < ranges.count,
        theirs[..<ranges[index].lowerBound] != bytes[..<piece.lowerBound]
      else { throw Skipped("the other run has no other piece there") }
      changed.replaceSubrange(piece, with: theirs[ranges[index]])
    }
    return changed
  }

  /// Catches an item that is shown under an id by which it cannot be found, and is stored a second time when it is saved
  /// again.
  ///
  /// A migration that changes ids makes such bytes. They are kept for a version that knows what to do with them.
  ///
  /// Worked example: the bytes of item `c` say `c-renamed`. Opening names `c` among what does not decode, and shows the
  /// others; an update of it is refused, and a deletion deletes it.
  static let otherID = StoreLaw(
    "version.other-id",
    "An item that says another id is kept.",
    "An item whose bytes say another id than that under which it is stored is named as one that does not decode, counted "
      + "and not shown, also after reopening, is not updated, and can be deleted; all others are shown.",
    source: contract,
    check: { trial in
      let files = MemoryFiles(try await trial.record(closing: true).end.disk)
      let before = try trial.open(on: files)
      let old = await before.snapshot().rows
      try await before.close()
      guard let renamed = old.last else { throw Skipped("the store has no items") }
      let shown = old.dropLast().map { StoreRow($0.id, $0.text + "#") }
      for round in 0..<3 {
        let store = try trial.open(on: files) { settings in
          settings.schema = 2
          settings.migration = .renames(renamed.id)
        }
        let isThere = round < 2
        let (rows, count) = (await store.snapshot().rows, await store.count())
        if let found = difference(rows, from: shown, "other-id.rows", "items differ") {
          return found
        }
        guard store.opening.undecodable == (isThere ? [renamed.id] : []),
          count == shown.count + (isThere ? 1 : 0), await store.find(renamed.id) == nil
        else {
          return Difference(
            kind: "other-id.report",
            summary: "an item that says another id is not named and counted as it should be",
            expected: isThere ? renamed.id : "none",
            actual: "\(store.opening.undecodable), \(count) items"
          )
        }
        if round == 1 {
          do {
            _ = try await store.update(renamed.id) { _ in nil }
            return Difference(
              kind: "other-id.updated",
              summary: "an update deleted an item that it could not see"
            )
          } catch let complaint as StoreComplaint where complaint.kind == .conflict {}
          _ = try await store.apply(saving: [], deleting: [renamed.id])
        }
        try await store.close()
      }
      return nil
    }
  )

  /// Catches a store that takes a document which it did not load for a new one, and replaces what is stored.
  ///
  /// An app keeps its documents in memory while it opens the store again, as when it comes back from the background.
  ///
  /// Worked example: writer 0 saves "1" and writer 1 "2", and the store is opened again. Writer 0, whose copy lacks "2",
  /// adds "3" and saves: stored are "1 2 3".
  static let documentsUnloaded = StoreLaw(
    "documents.saved-unloaded",
    "A document need not be loaded.",
    "A copy that was in memory before the store was opened is saved as one that was loaded: what is stored is the merge of "
      + "all that was saved, what waits included.",
    source: documents,
    needs: [.documents],
    shape: .init {
      $0.steps = 2...10
      $0.numberCount = 10
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      var run = DocumentRun(trial, files)
      for (index, step) in trial.sample.steps.enumerated() {
        for action in run.actions(step) { try await run.carryOut(action) }
        let number = trial.sample.number(index)
        if let handing = run.handing(number) { try await run.carryOut(handing) }
        // Before the store is opened again: to ask what is stored loads it.
        if let difference = try await run.difference("unloaded.stored") { return difference }
        let isReopening = step == .reopen || step == .restart
        if isReopening || number % 3 == 0 { try await run.reopenKeepingCopies() }
      }
      try await run.reopenKeepingCopies()
      try await run.saveAll()
      if let difference = try await run.difference("unloaded.saved") { return difference }
      try await run.reopen(on: files)
      try await run.handAllThatIsMissing()
      return try await run.difference("unloaded.lost")
    }
  )
}
