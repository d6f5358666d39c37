import FaultInjection
import FileSystems
import PropertyEngine

// Stores of documents that merge (feature `documents`): what is saved. `DocumentRun` does the steps
// of a sample to a store and to its model (`DocumentModel`). How documents merge is for the laws of
// documents; here a document is a set of words, and what is asked is that none is lost, written
// twice or kept for ever.

extension StoreLaw {
  /// Stores of documents that merge.
  static let documentLaws: [StoreLaw] = [
    documentsMerge, documentsRetried, documentsSurvive, documentsTogether, documentsNothingNew,
    documentsCost, documentsLimited, documentsWaiting, documentsUnsent,
  ]

  static let documents = LawSource.document("LocalStore.md", "Documents")

  /// Catches a store that takes the last writer's copy for the whole, and ids compared as Swift's
  /// strings.
  ///
  /// The two ids are two spellings of one letter. Words are the unit: a document is the set of
  /// words that its copies brought. Misses the order of words and all other content, which the laws
  /// of documents ask for.
  ///
  /// Worked example: writers 0 and 1 load the document; 0 saves "1", 1 saves "2".
  /// `store-forks-replace` stores {2}.
  static let documentsMerge = StoreLaw(
    "documents.merge",
    "What was saved of a document is there.",
    "What is stored of a document is the merge of all copies that were saved, of whichever writer and "
      + "however old, also after reopening; just those documents are listed, and ids are told apart by their bytes.",
    source: documents,
    needs: [.documents],
    shape: .init { $0.steps = 2...16 },
    check: { trial in
      var run = DocumentRun(trial, MemoryFiles(StoreTrial.emptyDisk))
      for step in trial.sample.steps {
        try await run.carryOut(step)
        if let difference = try await run.difference("documents.stored") { return difference }
      }
      return nil
    }
  )

  /// Catches a copy that counts as saved before its bytes are stored: saving it again would find
  /// nothing new and write nothing.
  ///
  /// Worked example: `store-notes-first` remembers a change as stored, and the append is refused.
  /// The second save finds nothing new and returns, and the words are nowhere.
  ///
  ///     the first save         stored then     the same copy saved again
  ///     refused                as before       all of its words are stored
  ///     refused, not known     not asked       not asked: the store carries nothing out
  static let documentsRetried = StoreLaw(
    "documents.saved-again",
    "A refused save can be made again.",
    "If a call of the file system fails, a save is refused and nothing is stored of it; saving the same copy "
      + "again stores all of it, unless the store says that it has failed.",
    source: documents,
    needs: [.documents],
    shape: .init {
      $0.steps = 2...12
      $0.hasRefusal = true
      $0.hasReopening = false
      $0.levels = [.data, .process, .full]
    },
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let files = FaultyFiles(memory)
      var run = DocumentRun(trial, files)
      try await run.open()
      // A step makes some calls of the file system; one behind them all would refuse nothing.
      let count = max(1, 3 * trial.sample.steps.count)
      files.setPlan(trial.refusalPlan(after: files.callCount, within: count))
      for step in trial.sample.steps {
        do {
          try await run.carryOut(step)
        } catch let complaint as StoreComplaint {
          // What is on the disk is not known, and the store carries nothing out any more.
          if complaint.isUnknown || complaint.kind == .failed { throw hasFailed }
        }
        if let difference = try await run.difference("documents.refused") { return difference }
      }
      files.setPlan(FaultPlan())
      do {
        try await run.saveAll()
      } catch let complaint as StoreComplaint where complaint.kind == .failed {
        throw hasFailed
      }
      if let difference = try await run.difference("documents.again") { return difference }
      try await run.reopen(on: memory)
      if let difference = try await run.difference("documents.reopened") { return difference }
      try files.skipUnlessRefused()
      return nil
    }
  )

  private static let hasFailed = Skipped("the store says that it has failed")

  /// Catches a save that is acknowledged before it is synchronised.
  ///
  /// States are counted as in `ChangeProgress`: one more for each action that changes what is
  /// stored. Where the level does not cover the crash, any state since the empty one is right:
  /// nothing is flushed on the way.
  ///
  /// Worked example: `store-saves-late` writes a document with the next one; a crash between the
  /// two loses the first.
  static let documentsSurvive = StoreLaw(
    "documents.survive",
    "Saved documents survive the crash.",
    "At whichever call the crash comes, the store opens with the documents after one of its saves, and none "
      + "earlier than the last that had returned, as far as its level covers what happened.",
    source: [documents, survival],
    needs: [.documents],
    shape: .init {
      $0.steps = 2...8
      $0.hasCrash = true
      $0.hasReopening = false
      $0.levels = [.data, .process]
    },
    check: { trial in
      let recorder = DiskRecorder(ChangeProgress())
      let progress = recorder.promises
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      var run = DocumentRun(trial, recorder.watched(memory))
      var states = [run.model.stored]
      for step in trial.sample.steps {
        for action in run.actions(step) {
          // What would be stored; an action that stores nothing new makes no state.
          let next = run.after(action)
          if next != states[states.count - 1] {
            states.append(next)
            progress.change { $0.begun += 1 }
          }
          try await run.carryOut(action)
          progress.change { $0.acknowledged = $0.begun }
        }
      }
      recorder.keep(memory)
      let image = trial.crashImage(of: recorder.images)
      let least = trial.leastKept(image, trial.sample.loss)
      // A second process, which knows no copies: what it shows is what is stored.
      var after = DocumentRun(trial, MemoryFiles(trial.sample.loss.applied(to: image.disk)))
      let found = try await after.stored()
      if states[least...image.promises.begun].contains(found) { return nil }
      return Difference(
        kind: "documents.lost",
        summary: "after the crash the documents are in no state that they may be in",
        expected: DocumentRun.text(of: states[least]),
        actual: DocumentRun.text(of: found)
      )
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

extension StoreLaw {
  /// Number of writers at the same time.
  ///
  /// One more than two, so that a save can come between two others.
  private static let crowd = 3

  /// Catches a save that is decided on before another one and written after it.
  ///
  /// Worked example: two saves read what is stored, both add their word, and write one after the
  /// other: the second lacks the first one's. Document b is there to be deleted between saves.
  static let documentsTogether = StoreLaw(
    "documents.together",
    "Concurrent saves keep every writer's words.",
    "If several writers save copies of a document at the same time, and others are saved and deleted meanwhile, all "
      + "words are stored, and reopening shows what was stored.",
    source: documents,
    needs: [.documents],
    shape: .init {
      $0.steps = 0...0
      // All of them are picks of the schedule.
      $0.numberCount = 14
      $0.numberLimit = 15
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      func open(_ number: Int) throws -> any OpenedDocuments {
        try trial.subject.openDocuments(trial.settings, on: files, trial.schedule, number: number)
      }
      let store = try open(1)
      // Up to three rounds for each writer, so that saves also meet those of earlier rounds.
      let rounds = 1 + trial.sample.number(0) % 3
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<crowd {
          group.addTask {
            for round in 0..<rounds {
              try await store.add("\(writer).\(round)", to: "a", by: writer)
              try await store.save("a", by: writer)
            }
          }
        }
        for writer in 0..<2 {
          group.addTask {
            for round in 0..<rounds {
              try await store.add("\(writer).\(round)", to: "b", by: writer)
              try await store.save("b", by: writer)
              if writer == 0 { try await store.delete("b") }
            }
          }
        }
        try await group.waitForAll()
      }
      let expected = Set((0..<crowd).flatMap { writer in (0..<rounds).map { "\(writer).\($0)" } })
      let found = try await store.stored("a")
      guard found == expected else {
        return Difference(
          kind: "together.lost",
          summary: "not the words of all writers are stored",
          expected: expected.sorted().joined(separator: " "),
          actual: found?.sorted().joined(separator: " ") ?? "none"
        )
      }
      let other = try await store.stored("b")
      try await store.close()
      let again = try open(2)
      // What b holds depends on the order of saves and deletions; it must only be the same after
      // reopening.
      for (id, words) in [("a", found), ("b", other)] where try await again.stored(id) != words {
        return Difference(
          kind: "together.reopened",
          summary: "reopening shows another document '\(id)'",
          expected: words?.sorted().joined(separator: " ") ?? "none",
          actual: try await again.stored(id)?.sorted().joined(separator: " ") ?? "none"
        )
      }
      return nil
    }
  )

  /// Catches copies that are written again, since what is stored is taken for what the last writer had.
  ///
  /// Worked example: writer 0 saved last. Writer 1's copy is older and has nothing new; a store
  /// that compares with the last writer's copy writes it again, at each save of the app.
  ///
  /// The first round of six saves, three writers of two documents, may write; the second writes 0
  /// bytes. What waits in a copy is not new either, once it is stored.
  static let documentsNothingNew = StoreLaw(
    "documents.nothing-new",
    "Saving nothing new writes nothing.",
    "A copy all of whose changes are stored, whether they show or wait, is saved without a byte being written, "
      + "whichever writer saved last.",
    source: documents,
    needs: [.documents],
    shape: .init {
      $0.steps = 2...12
      $0.numberCount = 24
    },
    check: { trial in
      let written = Shared(0)
      let files = MemoryFiles(StoreTrial.emptyDisk).countingWrites(in: written)
      var run = DocumentRun(trial, files)
      for (index, step) in trial.sample.steps.enumerated() {
        try await run.carryOut(step)
        for number in [trial.sample.number(2 * index), trial.sample.number(2 * index + 1)] {
          if let handing = run.handing(number) { try await run.carryOut(handing) }
        }
      }
      try await run.saveAll()
      written.value = 0
      try await run.saveAll()
      let bytes = written.value
      return bytes == 0
        ? nil
        : Difference(
          kind: "documents.again",
          summary: "saving copies that have nothing new wrote \(bytes) bytes",
          expected: "0",
          actual: "\(bytes)"
        )
    }
  )

  /// Bytes that saving one short word may write on average, and that its document may take in the end.
  ///
  /// A keystroke costs some 180 bytes with everything around it (LocalStore.md, "Documents"); 500
  /// admit two or three times that, and not a document of 200 words.
  private static let (writtenLimit, storedLimit) = (500, 80)

  /// Catches a store that writes whole documents, and one that never puts their changes together.
  ///
  /// Worked example: a store that writes whole documents writes about n / 2 words for each of n.
  static let documentsCost = StoreLaw(
    "documents.cost",
    "Saving a document costs what is new.",
    "Some 200 words that are saved one by one cost at most \(writtenLimit) bytes each to write, and in the end the files "
      + "hold at most \(storedLimit) bytes for each.",
    source: documents,
    needs: [.documents, .amortised],
    costs: 8,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 1
    },
    check: { trial in
      let written = Shared(0)
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      var run = DocumentRun(trial, memory.countingWrites(in: written))
      let count = 192 + trial.sample.number(0) % 32
      for _ in 0..<count { try await run.addAndSave() }
      if let difference = try await run.difference("documents.words") { return difference }
      try await run.open().close()
      let stored = memory.disk.byteCount
      let limits = (count * writtenLimit, count * storedLimit)
      guard written.value > limits.0 || stored > limits.1 else { return nil }
      return Difference(
        kind: "documents.cost",
        summary: "\(count) words cost more than they may",
        expected: "at most \(limits.0) bytes written, and \(limits.1) kept",
        actual: "\(written.value) bytes written, and \(stored) kept"
      )
    }
  )
}

extension StoreLaw {
  /// Catches limits that each append keeps and their sum does not: what has grown beyond what a snapshot can hold costs
  /// the store at the next compaction.
  ///
  /// Catches a store, too, that gives up at the first append for which there is no room: changes one behind the other take
  /// several times what a snapshot of them takes.
  ///
  /// Worked example: a limit of 1024 bytes, and words of some 25 bytes. Each append is small;
  /// together they pass the limit at some 40 words, and a snapshot of them could not be written any
  /// more (`store-documents-grow-for-ever`).
  static let documentsLimited = StoreLaw(
    "documents.limited",
    "A document grows up to the limit.",
    "A document that grows word by word is refused as too large when its words take between a third of the limit of an "
      + "item or of a batch and four times that. A new document that is too large is refused, and is not listed; what was saved "
      + "before stays, also when the store is closed and opened, and other documents are saved.",
    source: documents,
    needs: [.documents],
    costs: 8,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 2
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      var settings = trial.settings
      let limit = 1024 + trial.sample.number(0) % 512
      if trial.sample.number(1) % 2 == 0 {
        settings.batchLimit = limit
      } else {
        settings.itemLimit = limit
      }
      func open(_ number: Int) throws -> any OpenedDocuments {
        try trial.subject.openDocuments(settings, on: files, trial.schedule, number: number)
      }
      var store = try open(1)
      var words: Set<String> = []
      var isRefused = false
      var byteCount = 0
      // Compressed, a word takes half as many bytes as it has.
      while !isRefused, byteCount <= 4 * limit {
        // Digits that do not compress well: a document may be stored in fewer bytes than its words
        // have.
        let word = "word-\(words.count)-\(UInt64(words.count + 1) &* 0x9E37_79B9_7F4A_7C15)"
        try await store.add(word, to: "a", by: 0)
        do {
          try await store.save("a", by: 0)
          words.insert(word)
          byteCount += word.utf8.count
        } catch let complaint as StoreComplaint where complaint.kind == .tooLarge {
          if let found = complaint.misstated(limit: limit) { return found }
          isRefused = true
        }
      }
      guard isRefused else {
        return Difference(
          kind: "documents.limit",
          summary: "a document was saved that is larger than an item or a batch may be",
          expected: "a refusal at \(limit) bytes",
          actual: "\(byteCount) bytes of words are stored"
        )
      }
      guard 3 * byteCount >= limit else {
        return Difference(
          kind: "documents.refused-early",
          summary: "a document was refused as too large whose words take less than a third of it",
          expected: "a refusal beyond \(limit / 3) bytes of words",
          actual: "\(byteCount) bytes of words are stored"
        )
      }
      if let found = try await savedAtOnce(limit, in: store) { return found }
      for number in 2...3 {
        try await store.add("small", to: "b\(number)", by: 1)
        try await store.save("b\(number)", by: 1)
        let found = try await store.stored("a")
        guard found == words else {
          return Difference(
            kind: "documents.after-limit",
            summary: "after a refusal a document is not what was saved before",
            expected: "\(words.count) words",
            actual: found.map { "\($0.count) words" } ?? "none"
          )
        }
        try await store.close()
        store = try open(number)
      }
      return nil
    }
  )

  /// What is wrong with the first save of a document that is larger than an item or a batch may be.
  private static func savedAtOnce(
    _ limit: Int,
    in store: any OpenedDocuments
  ) async throws -> Difference? {
    // More than half of it is left where it is compressed.
    try await store.add(DocumentRun.longWord(4 * limit, number: limit), to: "c", by: 2)
    do {
      try await store.save("c", by: 2)
      return Difference(
        kind: "documents.limit",
        summary: "a new document was saved that is larger than an item or a batch may be",
        expected: "a refusal at \(limit) bytes"
      )
    } catch let complaint as StoreComplaint where complaint.kind == .tooLarge {
      if let found = complaint.misstated(limit: limit) { return found }
    }
    guard try await store.stored("c") == nil, try await store.names() == ["a"] else {
      return Difference(
        kind: "documents.refused",
        summary: "a document whose first save was refused is there, or is listed"
      )
    }
    return nil
  }
}
