import FaultInjection
import FileSystems
import PropertyEngine

// Several callers at once: one order for all calls, conditions, observers, shared synchronisations,
// and the end. All tasks run on one thread in an order that the sample's numbers pick, so that a
// race is found once and replays always.

extension StoreLaw {
  /// Several callers at once.
  static let callerLaws: [StoreLaw] = [
    linearizable, numbers, oneWinner, news, overflow, sharedSync, closes,
  ]

  /// Number of callers.
  ///
  /// Four suffice for one call that writes and three that wait for its round; each more multiplies
  /// the orders that the search for a linearisation may have to try.
  private static let callerCount = 4

  /// The sample's steps, dealt out to callers in turn.
  ///
  /// Caller k has the steps k, k + 4, k + 8, and makes them one after the other.
  ///
  ///     steps 0 1 2 3 4 5      caller 0: 0, 4     1: 1, 5     2: 2     3: 3
  private static func hands(_ trial: StoreTrial) -> [[StoreStep]] {
    var hands = Array(repeating: [StoreStep](), count: callerCount)
    for (index, step) in trial.sample.steps.enumerated() {
      hands[index % callerCount].append(step)
    }
    return hands
  }

  /// Two steps at least, so that two callers have something to do.
  private static let crowded = StoreSample.Shape {
    $0.steps = 2...12
    $0.hasReopening = false
    // Picks of the schedule.
    $0.numberCount = 12
    $0.numberLimit = 15
  }

  /// Catches reads that see half a change, and a change that is acknowledged and not seen by a call
  /// that begins afterwards.
  ///
  /// Calls take turns as the sample says, so that a race that shows once shows always.
  ///
  /// After a change all items are read, after any other step item `a` alone. Versions and numbers of changes
  /// are left to `callers.numbers`. Cost: in the worst case
  /// exponential in the number of calls that overlap, at most four.
  ///
  /// Worked example: A's `apply(a=1)` has returned. B, who begins afterwards, reads `a` and finds
  /// none: no order explains that. While A's call is under way both answers are right.
  ///
  /// A saves `a`; B reads all items once meanwhile, and once when A's call has returned:
  ///
  ///     B's two answers     an order that explains them
  ///     [], [a]             B's first, A, B's second
  ///     [a], [a]            A, then both of B's
  ///     [a], []             none: what was seen is gone
  ///     [], []              none: A had returned before B's second call began
  ///
  /// `store-suspends-between` goes back to the state before its suspension: what another caller
  /// saved meanwhile was acknowledged, and no later call sees it.
  static let linearizable = StoreLaw(
    "callers.linearizable",
    "Concurrent calls have one order.",
    "For every history of concurrent calls there is an order of the calls that keeps the "
      + "order of calls that did not overlap, and in which each call answers as an ordered "
      + "dictionary does.",
    source: [
      contract,
      .paper(
        "Herlihy and Wing, Linearizability: A Correctness Condition for Concurrent Objects, 1990"
      ),
    ],
    shape: crowded,
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      // Noted around each call, so that two calls overlap in the history if they may have
      // overlapped at all.
      let history = CallHistory()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for hand in hands(trial) where !hand.isEmpty {
          group.addTask {
            for step in hand {
              if let (saved, deleted) = StoreTrial.change(step) {
                let call = history.begin()
                _ = try await store.apply(saving: saved, deleting: deleted)
                history.end(call, .changed(saved: saved, deleted: deleted))
              }
              let reading = history.begin()
              // One item or all: a torn change shows in a list, a stale one in either.
              if step == .flush || step == .compact {
                history.end(reading, .found("a", await store.find("a")))
              } else {
                history.end(reading, .listed(await store.snapshot().rows))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      return history.difference("no order of the calls explains their answers")
    }
  )

  /// Catches changes written together whose callers get other numbers or versions than the changes planned behind
  /// them are compared with.
  ///
  /// Two items, so that callers meet; a change of others deletes what is mostly not there, and does nothing. A
  /// condition is the number that the caller heard of last, or one or two more: what others may make of the item
  /// meanwhile. Every fourth expects that there is none.
  ///
  /// Worked example: the newest change is 3. A deletes `z`, which is not there, B saves `a`, and C saves `a`
  /// expecting version 4, all in one round. B's change is 4, and C's 5. A store in whose round A's
  /// change takes a number tells C of a conflict, though B was told 4.
  ///
  ///     heard last     item of the text     the condition
  ///     3              a, e                 3
  ///     3              b, f                 4
  ///     3              c                    5
  ///     3              d                    0: there is no such item
  static let numbers = StoreLaw(
    "callers.numbers",
    "Concurrent calls agree on numbers and versions.",
    "Concurrent calls, including conditional ones and ones without effect, return the numbers, versions and "
      + "conflicts that the same calls would return in some sequential order.",
    source: [
      contract,
      .paper(
        "Herlihy and Wing, Linearizability: A Correctness Condition for Concurrent Objects, 1990"
      ),
    ],
    shape: crowded,
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk))
      let history = CallHistory()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (caller, hand) in hands(trial).enumerated() where !hand.isEmpty {
          group.addTask {
            var heard: UInt64 = 0
            for (index, step) in hand.enumerated() {
              let id = StoreSample.id((caller + index) % 2)
              let call = history.begin()
              guard case .change(let saved, let deleted) = step, let text = saved.first else {
                let (rows, gone) = StoreTrial.change(step) ?? ([], ["z"])
                heard = try await store.apply(saving: rows, deleting: gone)
                history.end(call, .numbered(saved: rows, deleted: gone, heard))
                continue
              }
              let row = StoreRow(id, StoreSample.text(text.number))
              guard text.number % 3 > 0 else {
                heard = try await store.apply(saving: [row], deleting: [])
                history.end(call, .numbered(saved: [row], deleted: [], heard))
                continue
              }
              let version = text.item % 4 == 3 ? 0 : heard + UInt64(text.item % 4)
              let new = deleted.isEmpty ? row : nil
              var number: UInt64?
              do {
                if let new {
                  number = try await store.save(new, ifVersion: version)
                } else {
                  number = try await store.delete(id, ifVersion: version)
                }
              } catch let complaint as StoreComplaint where complaint.kind == .conflict {}
              history.end(call, .conditional(id, new, ifVersion: version, number))
              heard = number ?? heard
              let reading = history.begin()
              let shown = await store.version(of: id)
              history.end(reading, .version(id, shown))
              heard = max(heard, shown ?? 0)
            }
          }
        }
        try await group.waitForAll()
      }
      return history.difference("no order of the calls explains their numbers and versions")
    }
  )

  /// Catches a version that is compared in one step and written in another, with a point between at
  /// which another caller runs.
  ///
  /// Worked example: four callers saw version 1. `store-checks-early` compares, suspends, and then
  /// writes: all four win, and three of their texts are lost. Three rounds, each with the version
  /// that the last winner made.
  ///
  ///     round     all four expect     carried out, say     version then
  ///     0         0: no item          "0-2" of caller 2    1
  ///     1         1                   "1-0" of caller 0    2
  ///     2         2                   "2-3" of caller 3    3
  static let oneWinner = StoreLaw(
    "callers.one-winner",
    "One of several conditional saves wins.",
    "If several callers save an item expecting one version, exactly one is carried "
      + "out, and the others fail with a conflict.",
    source: contract,
    shape: crowded,
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk))
      let won = Shared<[Int]>([])
      for round in 0..<3 {
        // 0 for no item, as the call has it.
        let version = await store.version(of: "a") ?? 0
        won.change { $0 = [] }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<callerCount {
            group.addTask {
              do {
                _ = try await store.save(StoreRow("a", "\(round)-\(caller)"), ifVersion: version)
                won.change { $0.append(caller) }
              } catch let complaint as StoreComplaint where complaint.kind == .conflict {}
            }
          }
          try await group.waitForAll()
        }
        let winners = won.value
        guard winners.count == 1, let winner = winners.first,
          await store.find("a")?.text == "\(round)-\(winner)"
        else {
          return Difference(
            kind: "conflict",
            summary: "not exactly one conditional save was carried out",
            expected: "one",
            actual: "callers \(winners.sorted())"
          )
        }
      }
      return nil
    }
  )

  /// Catches changes that come between the snapshot and the first news, in neither or in both, an observer that
  /// another one displaces, and a version that is told of the store in place of the item.
  ///
  /// One observer is there before all changes, and one comes while they are carried out.
  ///
  /// Worked example: `store-loses-news` tells of saved items and not of deleted ones: a list on a
  /// screen keeps what is gone.
  ///
  /// Room is for 1000 changes, and a sample has 12 at most: something dropped is wrong in any case.
  /// `store-forgets-old-observers` shows at the observer that was there first, and to no test with
  /// one observer.
  static let news = StoreLaw(
    "callers.news-complete",
    "Observers get everything once.",
    "The first snapshot and the changes after it, each with its number, make "
      + "the state that the store shows in the end, without a gap or a repetition; each replacement has the version that "
      + "it replaces.",
    source: contract,
    shape: crowded,
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk))
      // Item f, which steps use as well, so that the first snapshot is not empty.
      _ = try await store.apply(saving: [StoreRow("f", "before")], deleting: [])
      let first = await store.observe(limit: 1000)
      let second = Shared<(any StoreObserver)?>(nil)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for hand in hands(trial) where !hand.isEmpty {
          group.addTask {
            for (saved, deleted) in hand.compactMap(StoreTrial.change) {
              _ = try await store.apply(saving: saved, deleting: deleted)
            }
          }
        }
        group.addTask {
          let observer = await store.observe(limit: 1000)
          second.value = observer
        }
        try await group.waitForAll()
      }
      let end = await store.snapshot()
      try await store.close()
      for observer in [first, second.value].compactMap(\.self) {
        if let found = await newsDifference(observer, from: end) { return found }
      }
      return nil
    }
  )

  /// Where what an observer is told does not make the state at the end.
  ///
  ///     state 3, change 4, change 5      the store ends at 5: right
  ///     state 3, change 5                a gap: 4 was before the state and is not in it, or was lost
  ///     state 3, change 3                told twice: in the state, and once more
  ///     state 3, change 4                the store ends at 5: the last one was never told
  ///
  ///     change 4 saves a, 5 saves b, 6 saves a      6 replaces version 4 of a, and not 5
  private static func newsDifference(
    _ observer: any StoreObserver,
    from end: (sequence: UInt64, rows: [StoreRow])
  ) async -> Difference? {
    var model = StoreModel()
    var versions = ToldVersions([])
    var sequence: UInt64?
    while let piece = await observer.next() {
      switch piece {
      case .snapshot(let number, let rows):
        model.revert(to: rows)
        versions = ToldVersions(rows)
        sequence = number
      case .change(let number, let saved, let replacing, let deleted):
        guard let last = sequence, number == last &+ 1 else {
          return Difference(
            kind: "news.gap",
            summary: "change \(number) is told after \(sequence.map { "\($0)" } ?? "nothing")"
          )
        }
        sequence = number
        model.apply(saving: saved, deleting: deleted)
        let found = versions.take(number, zip(saved, replacing), deleting: deleted)
        if let found { return found }
      case .dropped:
        return Difference(kind: "news.dropped", summary: "there was room, and news were dropped")
      }
    }
    guard sequence == end.sequence else {
      return Difference(
        kind: "news.end",
        summary: "the last news is not of the last change",
        expected: "\(end.sequence)",
        actual: sequence.map { "\($0)" } ?? "none"
      )
    }
    return difference(
      model.rows,
      from: end.rows,
      "news.rows",
      "the news make another state"
    )
  }

  /// Catches an observer that silently misses changes, or whose memory grows without end.
  ///
  /// Numbers drive the sample: 0 to 5 save, 6 to 9 read one piece of news if there is any. What
  /// waits is counted here, not in the store: the snapshot is one piece, and each change one. News
  /// may be dropped exactly if more than `limit` ever waited.
  ///
  /// With room for 2, the state and change 1 wait when changes 2 and 3 come:
  ///
  ///     right                      the state, change 1, dropped(upTo: 3, 2)
  ///     right, too                 the state, dropped(upTo: 2, 2), change 3
  ///     `store-drops-silently`     the state, change 1, and then change 4
  static let overflow = StoreLaw(
    "callers.slow-observer-told",
    "A slow observer learns what it missed.",
    "However an observer falls behind and catches up, it gets every change in its order, or how many were "
      + "dropped in its place and up to which; and something is dropped only if more wait than there is room for.",
    source: contract,
    shape: .init {
      $0.steps = 0...2
      $0.numberCount = 24
      $0.numberLimit = 9
    },
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk))
      // Room for 1 to 10 pieces of news, and 23 further numbers to overflow it.
      let limit = 1 + trial.sample.number(0)
      let observer = await store.observe(limit: limit)
      var reader = NewsReader()
      var (count, mostWaiting) = (UInt64(0), 1)
      for number in trial.sample.numbers.dropFirst() {
        if number < 6 {
          count += 1
          _ = try await store.apply(saving: [StoreRow("a", "\(count)")], deleting: [])
          mostWaiting = max(mostWaiting, reader.waiting(of: count))
        } else if reader.waiting(of: count) > 0,
          let difference = reader.take(await observer.next(), of: count)
        {
          return difference
        }
      }
      while reader.waiting(of: count) > 0 {
        if let difference = reader.take(await observer.next(), of: count) { return difference }
      }
      guard reader.hasDropped != (mostWaiting > limit) else { return nil }
      return Difference(
        kind: "overflow.room",
        summary: "\(mostWaiting) waited at most, with room for \(limit)",
        expected: reader.hasDropped ? "nothing dropped" : "something dropped",
        actual: reader.hasDropped ? "something dropped" : "nothing dropped"
      )
    }
  )

  /// Catches one synchronisation for each caller, which on a real disk is the whole cost of saving.
  ///
  /// Two and not one: the first caller finds no other waiting and starts a round alone; the fifteen
  /// that come during its synchronisation are one round. The floor of compaction is 1 MiB, so that
  /// no compaction adds synchronisations of its own.
  ///
  ///     caller 0          write  sync
  ///     callers 1 to 15          wait  write  sync
  ///     `store-syncs-each`: 16 synchronisations, one behind the other
  static let sharedSync = StoreLaw(
    "callers.share-synchronisation",
    "Concurrent callers share a synchronisation.",
    "When several callers save at the same time, the first waits for one synchronisation, "
      + "and all the others for a second one.",
    source: contract,
    needs: [.groupCommit],
    shape: .init {
      $0.steps = 0...2
      $0.hasReopening = false
    },
    check: { trial in
      let count = Shared(0)
      let files = FaultyFiles(MemoryFiles(StoreTrial.emptyDisk)) { call in
        if call.call == .synchronize { count.change { $0 += 1 } }
      }
      let store = try trial.open(on: files) { $0.compactionFloor = 1 << 20 }
      // Opening has synchronised what it made; from here on callers alone do.
      count.change { $0 = 0 }
      try await withThrowingTaskGroup(of: Void.self) { group in
        // Sixteen, so that one synchronisation each would be far from two.
        for caller in 0..<16 {
          group.addTask {
            _ = try await store.apply(saving: [StoreRow("\(caller)", "text")], deleting: [])
          }
        }
        try await group.waitForAll()
      }
      let synced = count.value
      return synced <= 2
        ? nil
        : Difference(
          kind: "sync.count",
          summary: "16 callers at once did not share synchronisations",
          expected: "2",
          actual: "\(synced)"
        )
    }
  )

  /// Catches calls that never return, changes that are under way and are refused as closed, changes
  /// that are acknowledged and not written or not told, an observer of a closed store that waits for ever, and files
  /// that stay open.
  ///
  ///     the change            its caller hears     observers are told     after reopening
  ///     came before the end   done                 yes, once              there
  ///     came behind it        closed               no                     not there
  ///
  /// What came before the end shows where the store asks: an update whose item it asked for before
  /// `close` was called did. Any other call that had not returned by then may be on either side.
  /// The sample says for how many of two updates the closing waits.
  ///
  /// `store-closes-half` keeps the file of its lock open: nothing opens the store again until the
  /// process ends.
  static let closes = StoreLaw(
    "callers.close-ends",
    "Closing ends everything.",
    "Calls that were begun come to an end, later changes are refused, observers end when they have what was "
      + "acknowledged, and later ones when they have the state, and closing again does nothing, also for a caller that was cancelled.",
    source: contract,
    shape: crowded,
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      let observer = await store.observe(limit: 1000)
      let saved = Shared<[StoreRow]>([])
      // Rows that the store has asked for, and those of them that it had before it was closed.
      let asked = Shared<[StoreRow]>([])
      let due = Shared<[StoreRow]>([])
      let (askings, asking) = AsyncStream.makeStream(of: Void.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<callerCount {
          group.addTask {
            let row = StoreRow("caller-\(caller)", "text")
            do {
              if caller % 2 == 0 {
                _ = try await store.update(row.id) { _ in
                  asked.change { $0.append(row) }
                  asking.yield()
                  return row
                }
              } else {
                _ = try await store.apply(saving: [row], deleting: [])
              }
              saved.change { $0.append(row) }
            } catch let complaint as StoreComplaint where complaint.kind == .closed {}
          }
        }
        group.addTask {
          for await _ in askings.prefix(trial.sample.number(10) % 3) {}
          try await withThrowingTaskGroup(of: Void.self) { inner in
            // A cancelled caller must close all the same.
            if trial.sample.number(11) % 2 == 1 { inner.cancelAll() }
            inner.addTask {
              due.value = asked.value
              try await store.close()
            }
            try await inner.waitForAll()
          }
        }
        try await group.waitForAll()
      }
      let refused = due.value.filter { !saved.value.contains($0) }
      guard refused.isEmpty else {
        return Difference(
          kind: "close.refused",
          summary: "changes that were under way before the closing were refused",
          expected: "none",
          actual: rowsText(refused)
        )
      }
      try await store.close()
      do {
        _ = try await store.apply(saving: [StoreRow("z", "late")], deleting: [])
        return Difference(kind: "close.saved", summary: "a closed store acknowledged a change")
      } catch let complaint as StoreComplaint where complaint.kind == .closed {}
      var told: [StoreRow] = []
      while let news = await observer.next() {
        if case .change(_, let rows, _, _) = news { told += rows }
      }
      guard Set(told) == Set(saved.value), told.count == saved.value.count else {
        return Difference(
          kind: "close.told",
          summary: "what was acknowledged is not what observers were told",
          expected: rowsText(saved.value),
          actual: rowsText(told)
        )
      }
      let late = await store.observe(limit: 1000)
      let shown = await store.snapshot()
      let (first, second) = (await late.next(), await late.next())
      guard first == StoreNews.snapshot(shown.sequence, shown.rows), second == nil else {
        return Difference(
          kind: "close.observed",
          summary: "a closed store tells an observer something else than its state and the end",
          expected: "change \(shown.sequence): \(rowsText(shown.rows))",
          actual: [first, second].map { $0.map { "\($0)" } ?? "the end" }.joined(separator: ", ")
        )
      }
      guard files.openCount == 0 else {
        return Difference(
          kind: "close.open",
          summary: "a closed store has files open",
          expected: "0",
          actual: "\(files.openCount)"
        )
      }
      let rows = try await trial.open(on: files).snapshot().rows
      let expected = saved.value
      let missing = expected.filter { !rows.contains($0) }
      return missing.isEmpty && rows.count == expected.count
        ? nil
        : Difference(
          kind: "close.rows",
          summary: "what was acknowledged is not what is stored",
          expected: rowsText(expected),
          actual: rowsText(rows)
        )
    }
  )
}

/// The news that an observer has got of a store that was empty when it began.
private struct NewsReader {
  /// The last change that the observer got, or that was reported as dropped.
  private var told: UInt64 = 0
  /// Whether the observer got the first state.
  private var hasSnapshot = false
  /// Whether a change was ever reported as dropped.
  private(set) var hasDropped = false

  /// News that an observer without limit would have before it, after `count` changes.
  ///
  ///     3 changes, nothing got             4: the state, and each change
  ///     3 changes, the state and 1 got     2
  func waiting(of count: UInt64) -> Int { Int(count - told) + (hasSnapshot ? 0 : 1) }

  /// Takes the next news; says where it does not follow on what the observer has got.
  mutating func take(_ news: StoreNews?, of count: UInt64) -> Difference? {
    guard let news else {
      return Difference(kind: "overflow.end", summary: "the news ended while the store is open")
    }
    let expected = told + 1
    switch news {
    case .snapshot(0, _) where !hasSnapshot: hasSnapshot = true
    case .change(expected, _, _, _) where hasSnapshot: told = expected
    case .dropped(let last, let number)
    where hasSnapshot && number > 0 && last == told + UInt64(number) && last <= count:
      told = last
      hasDropped = true
    default:
      return Difference(
        kind: "overflow",
        summary: "a slow observer was told something else",
        expected: hasSnapshot
          ? "change \(expected), or what was dropped from it on" : "a snapshot",
        actual: "\(news)"
      )
    }
    return nil
  }
}
