import FaultInjection
import FileSystems
import PropertyEngine

// What concurrent callers must not do to each other: lose an update, share a refusal, miss or repeat
// news. And what a crash or damage may do to changes that were written together. All tasks run on one
// thread; the sample's numbers pick which of those that can go on is next (`Schedules`).

extension StoreLaw {
  /// What callers at the same time must not do to each other.
  static let togetherLaws: [StoreLaw] = [
    updatesAtomic, refusalAlone, observerWaits, heardStays, allAnswered, damageNoticed,
  ]

  /// Four: one writes and three wait for its round.
  private static let callerCount = 4

  /// No steps: these laws know what they do, and draw the order alone.
  private static let crowded = StoreSample.Shape {
    $0.steps = 0...0
    // All of them are picks of the schedule, and some of them a law's own as well.
    $0.numberCount = 14
    $0.numberLimit = 15
  }

  /// Catches an item that is read before other changes of the same round, or with a point between at which
  /// another caller runs.
  ///
  /// An update of `a` appends `caller.round`, which no other does: what is lost, done twice or out of a
  /// caller's order shows in the text. The order of different callers is free. Every third update of `b`
  /// deletes it, so that a later one of the same round must find nothing; each closure says what it saw and
  /// what it left.
  ///
  /// Worked example: two callers read "", and write "0.0 " and "1.0 ". One of the two is lost,
  /// though each call returned without an error (`store-updates-late`).
  ///
  ///     update of `b`     saw          left
  ///     0.0               none         "0.0 "
  ///     1.0               "0.0 "       none: 1 + 0 has the remainder 1 by 3, which deletes
  ///     2.0               none         "2.0 "
  static let updatesAtomic = StoreLaw(
    "callers.updates-atomic",
    "No update is lost.",
    "If several callers make an item out of what is stored, each at the same time and several times, the item has "
      + "the work of all, and each closure ran once and saw what the one before it had left.",
    source: contract,
    shape: crowded,
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      // The first number is a pick of the schedule as well, which does not matter to the law.
      let rounds = 1 + trial.sample.number(0) % 3
      let runs = Shared(0)
      let views = Shared<[(saw: String?, left: String?)]>([])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<callerCount {
          group.addTask {
            for round in 0..<rounds {
              _ = try await store.update("a") { row in
                runs.change { $0 += 1 }
                return StoreRow("a", (row?.text ?? "") + "\(caller).\(round) ")
              }
              _ = try await store.update("b") { row in
                let deletes = (caller + round) % 3 == 1
                let left = deletes ? nil : (row?.text ?? "") + "\(caller).\(round) "
                views.change { $0.append((row?.text, left)) }
                return left.map { StoreRow("b", $0) }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let expected = (0..<callerCount).flatMap { caller in
        (0..<rounds).map { "\(caller).\($0)" }
      }
      // As a list of words, in whatever order the callers took turns.
      let text = await store.find("a")?.text ?? ""
      let found = text.split(separator: " ").map(String.init)
      guard found.sorted() == expected.sorted(), runs.value == expected.count else {
        return Difference(
          kind: "update.lost",
          summary: "the item has not the work of each update, or a closure ran \(runs.value) times",
          expected: expected.joined(separator: " "),
          actual: found.sorted().joined(separator: " ")
        )
      }
      // Closures run one after the other, in the order in which their changes are carried out.
      var left: String?
      for (index, view) in views.value.enumerated() {
        guard view.saw == left else {
          return Difference(
            kind: "update.stale",
            summary: "closure \(index + 1) did not see what the one before it had left",
            expected: left ?? "none",
            actual: view.saw ?? "none"
          )
        }
        left = view.left
      }
      guard views.value.count == expected.count, await store.find("b")?.text == left else {
        return Difference(
          kind: "update.last",
          summary: "\(views.value.count) closures ran, or the item is not as the last one left it",
          expected: left ?? "none",
          actual: await store.find("b")?.text ?? "none"
        )
      }
      // Each caller's own updates are in their order.
      for caller in 0..<callerCount
      where found.filter({ $0.hasPrefix("\(caller).") })
        != expected.filter({ $0.hasPrefix("\(caller).") })
      {
        return Difference(kind: "update.order", summary: "updates of one caller changed places")
      }
      try await store.close()
      let again = await (try trial.open(on: files)).find("a")?.text
      return again == text
        ? nil
        : Difference(
          kind: "update.stored",
          summary: "reopening shows another item",
          expected: text,
          actual: again ?? "none"
        )
    }
  )

  /// Callers whose changes are written together share a synchronisation, and nothing else.
  ///
  /// Catches a round that is given up because of one of its changes.
  ///
  /// The limit of an item is 200 bytes, and the text that is too large has 400; no item has a
  /// version yet, so that 7 is a conflict.
  ///
  /// Worked example: four callers share one append and one synchronisation. If one item is too
  /// large and the whole round is refused, three callers are told that their items are too large.
  ///
  ///     number 13 % 3     the one caller's call               is refused as
  ///     0                 saves 400 letters                   too large
  ///     1                 saves what cannot be encoded        unencodable
  ///     2                 expects version 7 of no item        a conflict
  ///
  /// `store-spoils-the-next` refuses one more call than it should, and a second try of that call
  /// succeeds: an app that tries again does not notice.
  static let refusalAlone = StoreLaw(
    "callers.refusal-alone",
    "One caller's refusal harms no other.",
    "If one of several callers at the same time gives an item that is too large or cannot be encoded, expects another "
      + "version, throws in an update, or was cancelled, its call alone is refused.",
    source: contract,
    shape: crowded,
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files) { $0.itemLimit = 200 }
      // The last numbers: the first ones pick who comes first, which the guilty one would always be.
      let (guilty, reason) = (trial.sample.number(12) % callerCount, trial.sample.number(13) % 5)
      let kinds: [StoreComplaint.Kind] = [
        .tooLarge, .unencodable, .conflict, .conflict, .cancelled,
      ]
      let told = Shared<[Int: StoreComplaint.Kind]>([:])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<callerCount {
          group.addTask {
            let id = "caller-\(caller)"
            do {
              guard caller == guilty else {
                _ = try await store.apply(saving: [StoreRow(id, "text")], deleting: [])
                return
              }
              switch reason {
              case 2: _ = try await store.save(StoreRow(id, "text"), ifVersion: 7)
              case 3: _ = try await store.update(id) { _ in throw Thrown() }
              case 4:
                try await cancelled {
                  _ = try await store.apply(saving: [StoreRow(id, "text")], deleting: [])
                }
              default:
                let text = reason == 0 ? String(repeating: "x", count: 400) : "text"
                let row = StoreRow(id, text, isUnencodable: reason == 1)
                _ = try await store.apply(saving: [row], deleting: [])
              }
            } catch let complaint as StoreComplaint {
              told.change { $0[caller] = complaint.kind }
            }
          }
        }
        try await group.waitForAll()
      }
      guard told.value == [guilty: kinds[reason]] else {
        return Difference(
          kind: "refusal.spread",
          summary: "not the one call that asked for what may not be was refused",
          expected: "caller \(guilty): \(kinds[reason].rawValue)",
          actual: told.value.sorted { $0.key < $1.key }
            .map { "caller \($0.key): \($0.value.rawValue)" }.joined(separator: ", ")
        )
      }
      let expected = (0..<callerCount).filter { $0 != guilty }.map { "caller-\($0)" }
      let shown = await store.snapshot().rows.map(\.id).sorted()
      return shown == expected
        ? nil
        : Difference(
          kind: "refusal.rows",
          summary: "what the others saved is not there",
          expected: "\(expected)",
          actual: "\(shown)"
        )
    }
  )

  /// An update's own error.
  private struct Thrown: Error {}

  /// Makes a call in a task that was cancelled.
  private static func cancelled(_ call: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { try await call() }
      try await group.waitForAll()
    }
  }

  /// An app's observer waits for news nearly always; one that has fallen behind is the rarer case.
  ///
  /// Catches news that go to a waiting task and into the queue, an observer that is never woken,
  /// and a reader that ends in another one's place.
  ///
  /// Two tasks read the observer's news; each piece goes to one of them; the second is cancelled on the way.
  ///
  /// Worked example: `store-tells-twice` hands a change to the task that waits and puts it into the
  /// queue as well. The first thing told is a state, which may be that after any of the changes.
  ///
  ///     first task               state 0, change 1, change 3
  ///     second, cancelled        change 2
  ///     together                 one state, and each change behind it once
  ///
  /// `store-ends-another` ends whichever task has waited longest: the first one, which was not
  /// cancelled, misses all that follows.
  static let observerWaits = StoreLaw(
    "callers.observer-waits",
    "A waiting observer gets each change once.",
    "An observer that waits for the next change gets each, once and in its order; it ends when the store is closed, "
      + "or when its task is cancelled, and of several tasks the cancelled one alone.",
    source: contract,
    shape: crowded,
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk))
      let observer = await store.observe(limit: 1000)
      // A second observer, whose task is cancelled somewhere in between: its end must not end the
      // first one's news.
      let cancelled = await store.observe(limit: 1000)
      let told = Shared<[[StoreNews]]>([[], []])
      let rounds = 1 + trial.sample.number(0) % 4
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          while let news = await observer.next() { told.change { $0[0].append(news) } }
        }
        group.addTask {
          await withTaskGroup(of: Void.self) { inner in
            inner.addTask { while await cancelled.next() != nil {} }
            inner.addTask {
              while let news = await observer.next() { told.change { $0[1].append(news) } }
            }
            for _ in 0..<trial.sample.number(1) { await Task.yield() }
            inner.cancelAll()
          }
        }
        group.addTask {
          try await withThrowingTaskGroup(of: Void.self) { writers in
            for caller in 0..<2 {
              writers.addTask {
                for round in 0..<rounds {
                  let row = StoreRow("caller-\(caller)", "\(round)")
                  _ = try await store.apply(saving: [row], deleting: [])
                }
              }
            }
            try await writers.waitForAll()
          }
          try await store.close()
        }
        try await group.waitForAll()
      }
      var states: [UInt64] = []
      var numbers: [UInt64] = []
      for news in told.value {
        var last: UInt64?
        for piece in news {
          switch piece {
          case .snapshot(let number, _) where last == nil: states.append(number)
          case .change(let number, _, _, _) where number > last ?? 0:
            numbers.append(number)
            last = number
          default:
            return Difference(
              kind: "waits.other",
              summary: "something else was told, or not in its order",
              actual: "\(piece)"
            )
          }
        }
      }
      numbers.sort()
      guard states.count == 1, let first = states.first else {
        return Difference(kind: "waits.first", summary: "not all items were told first, and once")
      }
      // Two writers with `rounds` changes each, and no other caller.
      let last = UInt64(2 * rounds)
      // A wrong store may tell any number.
      let expected = (first..<max(first, last)).map { $0 + 1 }
      return first <= last && numbers == expected
        ? nil
        : Difference(
          kind: "waits.news",
          summary: "an observer that waits was not told each change once",
          expected: "\(expected) behind a state that is \(last) at most",
          actual: "\(numbers) behind the state \(first)"
        )
    }
  )

  /// Catches changes that are written together and made sure one by one, late, or for the first caller alone.
  ///
  /// Laws of crashes make one change at a time. Here each caller saves an item of its own several times, with the
  /// number of the round for a text, and notes which round it was told of. Some flush or compact behind a save, while
  /// others are being written. The crash comes before one of four calls of the run, each in its turn.
  ///
  /// Worked example: A is written and synchronised, while B, C and D wait. A store that synchronises a round of one
  /// change alone writes those three and answers; the power goes, and they are gone.
  ///
  ///     the level         the process ends            power is lost
  ///     data, full        each round that was told    each round that was told
  ///     process           each round that was told    each that was flushed
  ///     memory            each that was flushed       each that was flushed
  ///     at most, always the round that was begun
  static let heardStays = StoreLaw(
    "callers.heard-stays",
    "What callers heard survives a crash.",
    "If several callers save and flush at once, and at whichever call the crash comes, the store shows of each caller a "
      + "change that it had begun, and none before the last that had returned, as far as level and flushes cover the "
      + "crash.",
    source: [survival, contract],
    shape: .init {
      $0.steps = 0...0
      $0.hasCrash = true
      $0.levels = [.data, .full, .process, .memory]
      $0.numberCount = 12
      $0.numberLimit = 15
    },
    check: { trial in
      let recorder = DiskRecorder(Array(repeating: Told(), count: callerCount))
      let told = recorder.promises
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: recorder.watched(memory))
      let rounds = 1 + trial.sample.number(0) % 3
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<callerCount {
          group.addTask {
            for round in 0..<rounds {
              told.change { $0[caller].begun = round }
              _ = try await store.apply(
                saving: [StoreRow("caller-\(caller)", "\(round)")],
                deleting: []
              )
              told.change { $0[caller].heard = round }
              switch trial.sample.number(1 + (caller + 4 * round) % 11) {
              case 8...12: try await store.flush()
              case 13...: try await store.compact()
              default: continue
              }
              told.change { $0[caller].sure = round }
            }
          }
        }
        try await group.waitForAll()
      }
      recorder.keep(memory)
      let all = recorder.images
      let isCovered = trial.sample.level.covers(trial.sample.loss.model)
      for turn in 0..<4 {
        let image = all[(trial.sample.crash + turn * all.count / 4) % all.count]
        let disk = trial.sample.loss.applied(to: image.disk)
        let rows = await (try trial.open(on: MemoryFiles(disk))).snapshot().rows
        for (caller, told) in image.promises.enumerated() {
          let text = rows.first { $0.id == "caller-\(caller)" }?.text
          let round = text.flatMap { Int($0) } ?? -1
          let least = isCovered ? told.heard : told.sure
          guard round < least || round > told.begun else { continue }
          return Difference(
            kind: "heard.lost",
            summary: "caller \(caller) was told that its round \(least) is sure and had begun "
              + "\(told.begun), and after a crash the store has another",
            expected: "\(least) to \(told.begun)",
            actual: "\(round)"
          )
        }
      }
      return nil
    }
  )

  /// What a caller knows of its rounds.
  private struct Told {
    var begun = -1
    /// The last that it was told of.
    var heard = -1
    /// Behind which it flushed.
    var sure = -1
  }

  /// Catches callers that are forgotten beyond the number that one round takes, which only a burst of calls shows.
  ///
  /// Misses limits of other stores: ours takes 1,025 changes in a round, and there are up to 1,069 callers.
  ///
  /// Worked example: 1,030 callers wait, the first of them leads and takes 1,024 along. A store that empties its queue
  /// then never answers the other five.
  static let allAnswered = StoreLaw(
    "callers.all-answered",
    "Each of many callers is answered.",
    "Of more callers at once than are written together, each is answered once, with a number of its own, and what it "
      + "saved is there.",
    source: contract,
    needs: [.groupCommit],
    costs: 16,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 2
      $0.numberLimit = 15
    },
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk)) {
        $0.compactionFloor = 1 << 20
      }
      // The numbers are picks of the schedule as well: as many callers as they say begin last of all.
      let count = 1_024 + trial.sample.number(0) + 2 * trial.sample.number(1)
      let numbers = Shared<[UInt64]>([])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<count {
          group.addTask {
            let number = try await store.apply(saving: [StoreRow("\(caller)", "")], deleting: [])
            numbers.change { $0.append(number) }
          }
        }
        try await group.waitForAll()
      }
      let shown = await store.snapshot().rows.count
      guard numbers.value.sorted() == (1...count).map({ UInt64($0) }), shown == count else {
        return Difference(
          kind: "answered.other",
          summary: "\(count) callers at once have other numbers, or lack items",
          expected: "\(count) numbers and items",
          actual: "\(Set(numbers.value).count) numbers, \(shown) items"
        )
      }
      return nil
    }
  )

  /// Catches a store that remembers of changes which were synchronised together the first alone: what is wrong with
  /// another of them is cut off as a change that was never written completely.
  ///
  /// Several callers save at once, then one alone, and the store is not closed. One byte is wrong, here and there in
  /// each file. It is of one change: either of the last one, which may be gone as a torn end is, or of an earlier one,
  /// which had been made sure before the last was written. At the levels that wait for no disk a flush stands between.
  ///
  /// Worked example: changes 2, 3 and 4 are synchronised together, and 5 behind them says so. A bit of 3 flips. A
  /// store that noted 2 takes all from 3 on for an append that did not end, and shows 2, without a word of damage.
  static let damageNoticed = StoreLaw(
    "callers.damage-noticed",
    "Damage to changes written together is noticed.",
    "Where one byte is wrong of changes that several callers saved at once, and another change was made behind them, the "
      + "store is refused, says that it is damaged, or shows what all of them saved.",
    source: [
      contract,
      .paper("Alagappan et al., Protocol-Aware Recovery for Consensus-Based Storage, 2018"),
    ],
    shape: .init {
      $0.steps = 0...3
      $0.levels = [.data, .full, .process, .memory]
      $0.hasReopening = false
      $0.numberCount = 14
      $0.numberLimit = 15
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      // No compaction, which writes all of them anew.
      let store = try trial.open(on: files) { $0.compactionFloor = 1 << 20 }
      for (saved, deleted) in trial.changes {
        _ = try await store.apply(saving: saved, deleting: deleted)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<6 {
          group.addTask {
            let text = StoreSample.text(4 * trial.sample.number(caller))
            _ = try await store.apply(saving: [StoreRow("caller-\(caller)", text)], deleting: [])
          }
        }
        try await group.waitForAll()
      }
      if [.process, .memory].contains(trial.sample.level) { try await store.flush() }
      let sure = await store.snapshot().rows
      _ = try await store.apply(saving: [StoreRow("last", "text")], deleting: [])
      if trial.sample.level == .memory { try await store.flush() }
      let all = await store.snapshot().rows
      // Everything has reached the disk: what is wrong from here on is damage.
      let disk = files.disk.crashed(.process) { _ in false }
      for path in disk.paths {
        // Behind it is room that nothing has taken.
        let bytes = disk.bytes(at: path) ?? []
        let used = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        for turn in 0..<min(6, used) {
          let place = (trial.sample.number(12) * used / 96 + turn * used / 6) % used
          var damaged = disk
          damaged.damage(path) { $0[place] ^= 1 << UInt8(trial.sample.number(13) % 8) }
          let found = try await unnoticed(on: damaged, sure: sure, all: all, trial)
          if let found { return found.told(as: "with byte \(place) wrong, \(found.summary)") }
        }
      }
      return nil
    }
  )

  /// Where changes that were made sure are missing on a damaged disk, and nothing is said of damage.
  private static func unnoticed(
    on disk: MemoryDisk,
    sure: [StoreRow],
    all: [StoreRow],
    _ trial: StoreTrial
  ) async throws -> Difference? {
    let store: any OpenedStore
    do {
      store = try trial.open(on: MemoryFiles(disk))
    } catch let complaint as StoreComplaint where complaint.kind == .damaged {
      return nil
    }
    let rows = await store.snapshot().rows
    guard rows != all, rows != sure, store.opening.state != .damaged else { return nil }
    return Difference(
      kind: "together.silent",
      summary: "changes are missing that were made sure, and opening does not speak of damage",
      expected: rowsText(sure),
      actual: rowsText(rows)
    )
  }
}
