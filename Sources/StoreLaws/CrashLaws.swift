import FaultInjection
import FileSystems
import PropertyEngine

// Interruptions at any call of the file system. One run is recorded with the disk before each of
// its calls (`StoreTrial.record`); the sample picks a call, and what the crash takes of what was
// not synchronised. Four models say what that may be (`CrashModel`): the end of the process takes
// nothing, the others more and more.
//
//     change "a" at level data      write            synchronise      returns
//     crash before                  (nothing)        bytes pending    bytes sure
//     may open with                 old              old or new       new alone
//
// What is pending stays, goes, or stays in part: a frame that is half there must not be read as a
// change.

extension StoreLaw {
  /// Interruptions at any call of the file system.
  static let crashLaws: [StoreLaw] = [
    oneState, acknowledged, foundIsMadeSure, repeatable, noReturn, noLitter,
  ]

  private static let crashing = StoreSample.Shape {
    $0.hasCrash = true
    $0.levels = [.data, .process, .full, .memory]
  }

  /// Catches states that mix two changes, and files that are half written: renaming before
  /// synchronising, a journal whose end is believed.
  ///
  /// Which of what was pending reaches the disk is drawn (`PowerLoss`): file systems promise less
  /// than most programs assume.
  ///
  /// Any state of the run passes, also the empty one: that nothing acknowledged is lost is the next
  /// law. An opening that calls what a crash left damage, or that says "closed" of a store that was
  /// not, breaks this law as well.
  ///
  /// Worked example: a change saves a and b. `store-tears-batches` writes a batch item by item;
  /// after a crash between the two it opens with a alone, which is a state that never was.
  static let oneState = StoreLaw(
    "crash.one-state",
    "A crash leaves old or new state.",
    "At whichever call the crash comes, and whatever it takes of what was not "
      + "synchronised, the store opens with the state after one of its changes.",
    source: [survival, .paper("Pillai et al., All File Systems Are Not Created Equal, 2014")],
    shape: crashing,
    check: { trial in
      let recording = try await trial.record(closing: false)
      let image = trial.crashImage(of: recording.images)
      return try await trial.recovered(image, trial.sample.loss, recording.model, from: 0)
    }
  )

  /// Catches an answer that is given before the synchronisation that it depends on, and a folder
  /// that is never synchronised, so that a new file's name is lost.
  ///
  /// Differs from ``oneState`` in the oldest state alone: the newest change that had returned, or,
  /// where the level does not cover what happened (`process` and loss of power), the newest that
  /// was flushed. The state of the change under way is right as well: its bytes may have reached
  /// the disk before its call returned.
  ///
  /// Worked example: a new file is written, synchronised and renamed, and `save` returns. Without a
  /// synchronisation of the folder (`store-no-folder-sync`) the power may take the name, and the
  /// old file is back.
  static let acknowledged = StoreLaw(
    "crash.acknowledged-stays",
    "What was acknowledged survives the crash.",
    "After it the store holds every change that had returned, as far "
      + "as its level covers what happened.",
    source: survival,
    shape: crashing,
    check: { trial in
      let recording = try await trial.record(closing: false)
      let image = trial.crashImage(of: recording.images)
      let least = trial.leastKept(image, trial.sample.loss)
      return try await trial.recovered(image, trial.sample.loss, recording.model, from: least)
    }
  )

  /// What a process that ended has written may not be on the disk yet.
  ///
  /// Catches a store that takes what it finds for sure: it has written none of it, and a flush has nothing to do.
  ///
  /// The run writes at `process`, which waits for no disk, and its process ends. The store is opened at `data`, and the
  /// power takes all that is pending: behind the opening, and behind a flush.
  ///
  /// Worked example: `a` is saved at `process`; the next process, at `data`, shows `a`, and its user acts on it.
  /// `store-sure-of-what-it-found` has synchronised nothing, and `a` is gone.
  static let foundIsMadeSure = StoreLaw(
    "crash.found-is-made-sure",
    "What opening shows is made sure.",
    "What another process wrote without waiting for the disk survives a loss of power once an opening at `data` has "
      + "shown it, and behind a flush as well.",
    source: survival,
    shape: .init {
      $0.levels = [.process]
      $0.steps = 1...6
    },
    check: { trial in
      let files = MemoryFiles(try await trial.record(closing: false).end.disk)
      let store = try trial.open(on: files) { $0.level = .data }
      let rows = await store.snapshot().rows
      for time in ["shown", "flushed"] {
        let later = PowerLoss(.adversarial, lost: Array(0...40)).applied(to: files.disk)
        let again = try trial.open(on: MemoryFiles(later))
        let found = difference(
          await again.snapshot().rows,
          from: rows,
          "found.lost",
          "what was found and \(time) is not there after a loss of power"
        )
        if let found { return found }
        try await store.flush()
      }
      return nil
    }
  )

  /// Catches a flush that does less than was asked, since the store's own level asks for less.
  ///
  /// Other laws flush as deep as there is. The number says at which level this one asks.
  ///
  ///     asked      the process ends     power is lost
  ///     memory     as without it        as without it
  ///     process    there                as without it
  ///     data       there                there
  ///
  /// Worked example: an app saves at the level `process`, and flushes at `data` when it goes to the background. A store that
  /// waits for the disk at `full` alone loses all of it with the power.
  static let flushAsAsked = StoreLaw(
    "crash.flush-as-asked",
    "A flush goes as deep as asked.",
    "What was changed before a flush survives what the flush's level covers, and what the store's own level covers.",
    source: survival,
    shape: .init {
      $0.levels = [.process, .memory, .data]
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      var model = StoreModel()
      for (saved, deleted) in trial.changes {
        _ = try await StoreTrial.carryOut(saving: saved, deleting: deleted, on: store, &model)
          .unlessRefused()
      }
      let levels: [StoreLevel] = [.data, .process, .full, .memory]
      let asked = levels[trial.sample.number(0) % levels.count]
      try await store.flush(asked)
      for crash in [CrashModel.process, .adversarial] {
        guard asked.covers(crash) || trial.sample.level.covers(crash) else { continue }
        let disk = files.disk.crashed(crash) { _ in true }
        let found = difference(
          try await trial.open(on: MemoryFiles(disk)).snapshot().rows,
          from: model.rows,
          "flush.lost",
          "a flush at \(asked.rawValue) returned, and changes are gone"
        )
        if let found { return found }
      }
      return nil
    }
  )

  /// Catches recovery that destroys what it recovers from before the new state is safe.
  ///
  ///     run ... crash (loss) -> opening ... crash (second loss) -> opening -> loss of all that is pending -> opening
  ///
  /// The last two openings must show the same: what was shown once was perhaps acted upon. The loss
  /// between them takes every part that the second opening did not synchronise, so a recovery that
  /// only renames and never synchronises shows here. Misses three crashes in a row.
  ///
  /// Worked example: `store-adopts-partial-file` removes the whole file and then copies the partial
  /// one in its place. A crash between the two leaves neither.
  static let repeatable = StoreLaw(
    "crash.recovery-repeats",
    "Recovery can crash and start again.",
    "It then ends with a state that was acknowledged or begun, and opening "
      + "once more shows the same.",
    source: survival,
    shape: .init {
      $0.hasCrash = true
      $0.hasSecondCrash = true
      $0.steps = 1...8
    },
    check: { trial in
      let recording = try await trial.record(closing: false)
      let image = trial.crashImage(of: recording.images)
      let disk = trial.sample.loss.applied(to: image.disk)
      let least = trial.leastKept(image, trial.sample.loss)
      let files = MemoryFiles(try trial.interruptedOpening(disk))
      let store = try trial.open(on: files)
      let rows = await store.snapshot().rows
      if let mismatch = trial.mismatch(rows, recording.model, least...image.promises.begun) {
        return mismatch
      }
      // Shown once, it stays, whatever the machine does now.
      // Up to 41 parts counted from the last one, which is all that an opening leaves pending.
      let loss = PowerLoss(.adversarial, lost: Array(0...40))
      let later = loss.applied(to: files.disk)
      let again = try trial.open(on: MemoryFiles(later))
      return difference(
        await again.snapshot().rows,
        from: rows,
        "recovery.changed",
        "opening again shows another state"
      )
    }
  )

  /// Catches a journal whose torn end is left where it is: a later change written behind it would
  /// bring the dropped one back.
  ///
  /// The change after the first recovery saves the id `z`, which no drawn step uses: rows that come
  /// back cannot be taken for it. The second crash comes at a call of the second opening or of that
  /// change. Only if it comes behind the last call, when the change had returned, must `z` be
  /// there.
  ///
  /// Worked example: a crash tears change 3, and opening drops it. If its bytes stay in the file,
  /// and change 3' is written behind them, an opening after the next crash may read both. The user
  /// had decided by what was shown.
  static let noReturn = StoreLaw(
    "crash.dropped-stays-dropped",
    "What recovery dropped never comes back.",
    "A change that one opening did not find is in no later one, after "
      + "other changes and another crash.",
    source: survival,
    shape: .init {
      $0.hasCrash = true
      $0.hasSecondCrash = true
      $0.levels = [.process, .data]
      $0.steps = 1...8
    },
    check: { trial in
      let recording = try await trial.record(closing: false)
      let image = trial.crashImage(of: recording.images)
      let files = MemoryFiles(trial.sample.loss.applied(to: image.disk))
      // From here on at `data`, so that what this opening shows is sure.
      let store = try trial.open(on: files) { $0.level = .data }
      var model = StoreModel()
      model.revert(to: await store.snapshot().rows)
      let recorder = DiskRecorder(())
      let memory = MemoryFiles(files.disk)
      let next = try trial.open(on: recorder.watched(memory)) { $0.level = .data }
      let row = StoreRow("z", "after the crash")
      _ = try await next.apply(saving: [row], deleting: [])
      model.apply(saving: [row], deleting: [])
      recorder.keep(memory)
      let images = recorder.images
      let last = trial.sample.crashAgain % images.count
      let disk = trial.sample.lossAgain.applied(to: images[last].disk)
      let final = try trial.open(on: MemoryFiles(disk))
      let least = last == images.count - 1 ? 1 : 0
      return trial.mismatch(await final.snapshot().rows, model, least...1)
    }
  )

  /// Catches partial files that no later opening takes away; and cleaning that takes away what is
  /// not the store's.
  ///
  /// Worked example: `snapshot.2.tmp` stays from a crash. After a hundred crashes there are a
  /// hundred.
  static let noLitter = StoreLaw(
    "crash.no-litter",
    "Crashes leave no litter.",
    "After recovery the directory and the store's folder hold the names that a closed "
      + "store has, and what is kept of damage; files of others are untouched.",
    source: contract,
    shape: crashing,
    check: { trial in
      let recording = try await trial.record(closing: false)
      let image = trial.crashImage(of: recording.images)
      var disk = trial.sample.loss.applied(to: image.disk)
      // In the store's folder, too, and by names that are nearly the store's own.
      let strangers = ["notes.txt", "journal.01", "snapshot.00", "snapshot.1.old", "journal."]
      var others = [["stores", "notes.txt"]]
      if let folder = disk.paths.first(where: { $0.count == 3 && $0[2] != "quarantine" })?.prefix(2)
      {
        others += strangers.map { folder + [$0] }
      }
      for path in others { disk.add(path, [1, 2, 3]) }
      let files = MemoryFiles(disk)
      let store = try trial.open(on: files)
      try await store.close()
      let after = files.disk
      guard others.allSatisfy({ after.bytes(at: $0) == [1, 2, 3] }) else {
        return Difference(kind: "litter.foreign", summary: "a foreign file was changed")
      }
      // A store that was never disturbed says which names there are.
      let calm = MemoryFiles(StoreTrial.emptyDisk)
      try await trial.open(on: calm).close()
      func names(_ disk: MemoryDisk) -> Set<String> {
        Set(
          disk.paths.filter { !$0.contains("quarantine") && !others.contains($0) }
            // Without digits, since the numbers of files grow with each compaction.
            .map { $0.joined(separator: "/").filter { !("0"..."9").contains($0) } }
        )
      }
      let count = { (disk: MemoryDisk) in
        disk.paths.count { !$0.contains("quarantine") && !others.contains($0) }
      }
      guard names(after) == names(calm.disk), count(after) == count(calm.disk) else {
        return Difference(
          kind: "litter",
          summary: "files are left that a closed store does not have",
          expected: names(calm.disk).sorted().joined(separator: ", "),
          actual: after.paths.map { $0.joined(separator: "/") }.joined(separator: ", ")
        )
      }
      return nil
    }
  )
}

extension StoreTrial {
  /// Opens the disk of an image after a loss, and says where the state is not one that it may be.
  ///
  /// The sample's crash is one point of the run; `least` is the oldest state that may be shown, and
  /// the newest is that of the change under way.
  ///
  /// Three things are looked at: no damage is reported, the state is one between `least` and the
  /// change under way, and a state newer than the last close is not reported as closed.
  func recovered(
    _ image: StoreRecording.Image,
    _ loss: PowerLoss,
    _ model: StoreModel,
    from least: Int
  ) async throws -> Difference? {
    let store = try open(on: MemoryFiles(loss.applied(to: image.disk)))
    if store.opening.state == .damaged {
      return Difference(
        kind: "crash.damage",
        summary: "opening takes what a crash left for damage",
        expected: "no damage",
        actual: "damaged"
      )
    }
    let rows = await store.snapshot().rows
    if let mismatch = mismatch(rows, model, least...image.promises.begun) { return mismatch }
    let isNewer = !model.states[...image.promises.closed].contains(rows)
    guard isNewer, store.opening.state == .closed else { return nil }
    return Difference(
      kind: "crash.report",
      summary: "opening says of a store that was changed and not closed that it was closed",
      expected: "interrupted or torn",
      actual: "closed"
    )
  }

  /// The disk after an opening that a crash interrupts.
  ///
  /// A first opening counts the calls; a second one stops before one of them, or behind the last.
  ///
  /// - Throws: What the first opening throws.
  func interruptedOpening(
    _ disk: MemoryDisk,
    _ change: (inout StoreSettings) -> Void = { _ in }
  ) throws -> MemoryDisk {
    let counted = FaultyFiles(MemoryFiles(disk))
    _ = try open(on: counted, change)
    var plan = FaultPlan()
    plan.crashCall = sample.crashAgain % (counted.callCount + 1)
    let memory = MemoryFiles(disk)
    _ = try? open(on: FaultyFiles(memory, plan), change)
    return sample.lossAgain.applied(to: memory.disk)
  }
}
