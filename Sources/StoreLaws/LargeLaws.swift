import FaultInjection
import FileSystems
import PropertyEngine

// Stores with many items, large ones, conditions, limits to the byte, and the space that files take
// over time.

extension StoreLaw {
  /// Stores with many items, large ones, and conditions.
  static let largeLaws: [StoreLaw] = [manyItems, conditional, limitsExact, spaceBounded]

  /// Six items never make a table that closes its holes, nor a file that is written in pieces.
  ///
  /// Catches positions that are wrong after deletions, and pieces of a file that overlap.
  ///
  /// Forty ids and 120 changes: a number 0...255 is an id (its remainder by 40) and a kind (its
  /// quotient 0...6; the greatest delete). About one of sixteen samples also saves four
  /// texts of 300 kB and compacts, so that one file is written in several pieces.
  ///
  ///     number 213     item 13, kind 5: deleted, also in the first half, where kinds from 5 on delete
  ///     number 93      item 13, kind 2: saved in the first half, deleted in the second
  ///
  /// Worked example: `store-forgets-many` loses the first of more than 24 items; laws with six
  /// items never see it.
  static let manyItems = StoreLaw(
    "store.many-items",
    "Many items are kept as few are.",
    "With dozens of items that come and go, some of them large, reads, compaction and reopening show what an ordered "
      + "dictionary holds.",
    source: contract,
    costs: 8,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 120
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      var model = StoreModel()
      // One of five changes deletes, from the 60th on seven of ten: holes outnumber items then.
      for (index, number) in trial.sample.numbers.enumerated() {
        let id = "item-\(number % 40)"
        let isDeletion = number / 40 > (index < 60 ? 4 : 1)
        let row = StoreRow(id, "\(index)")
        _ = try await store.apply(saving: isDeletion ? [] : [row], deleting: isDeletion ? [id] : [])
        model.apply(saving: isDeletion ? [] : [row], deleting: isDeletion ? [id] : [])
        let expected = model.rows.first { $0.id == id }
        guard await store.find(id) == expected else {
          return Difference(
            kind: "many.item",
            summary: "item '\(id)' differs after \(index + 1) changes",
            expected: expected.map { rowsText([$0]) } ?? "none",
            actual: await store.find(id).map { rowsText([$0]) } ?? "none"
          )
        }
      }
      if trial.sample.number(0) % 16 == 15 {
        let text = String(repeating: "x", count: 300_000)
        let large = (0..<4).map { StoreRow("large-\($0)", "\($0)\(text)") }
        _ = try await store.apply(saving: large, deleting: [])
        model.apply(saving: large, deleting: [])
        try await store.compact()
      }
      let shown = await store.snapshot().rows
      if let difference = difference(shown, from: model.rows, "many.rows", "items differ") {
        return difference
      }
      try await store.close()
      let again = await (try trial.open(on: files)).snapshot().rows
      return difference(again, from: model.rows, "many.reopened", "items differ after reopening")
    }
  )

  /// Catches a condition that is looked at for saving and forgotten for deleting, and a version that
  /// is that of the store.
  ///
  /// A number makes three decisions in base 3: which of three items, unconditional save,
  /// conditional save or conditional deletion, and whether the expected version is the right one, 0
  /// or one too high. Of an item that is not there, 0 is the right one.
  ///
  ///     number 14 = 2 + 3 * 1 + 9 * 1      item c, a conditional save, expecting 0
  ///
  /// Worked example: a has version 1, b version 2. To compare with the store's newest number
  /// refuses `save(a, ifVersion: 1)`, and lets two callers who both know 2 save over each other.
  ///
  ///     the item      number / 9 % 3     expected     the answer
  ///     version 4     0                  4            done
  ///     version 4     1                  0            conflict
  ///     version 4     2                  5            conflict
  ///     none          0 or 1             0            done
  ///     none          2                  1            conflict
  ///
  /// `store-ignores-versions` refuses none of the deletions.
  static let conditional = StoreLaw(
    "store.conditional",
    "Conditions compare the item's own version.",
    "A save or deletion that expects a version is carried out if it is that of the item's latest change, 0 for no "
      + "item; otherwise it fails with a conflict and changes nothing.",
    source: contract,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 24
    },
    check: { trial in
      let store = try trial.open(on: MemoryFiles(StoreTrial.emptyDisk))
      let ids = ["a", "b", "c"]
      var versions: [String: UInt64] = [:]
      for (index, number) in trial.sample.numbers.enumerated() {
        let id = ids[number % 3]
        let actual = versions[id] ?? 0
        // Of an item that is not there the right version is 0, so that two of the three are equal
        // then.
        let expected = [actual, 0, actual + 1][number / 9 % 3]
        let row = StoreRow(id, "\(index)")
        var isDone = true
        do {
          switch number / 3 % 3 {
          case 0: versions[id] = try await store.apply(saving: [row], deleting: [])
          case 1:
            isDone = expected == actual
            versions[id] = try await store.save(row, ifVersion: expected)
          default:
            isDone = expected == actual
            _ = try await store.delete(id, ifVersion: expected)
            versions[id] = nil
          }
          guard isDone else {
            return Difference(
              kind: "condition.ignored",
              summary: "a change of '\(id)' that expected version \(expected) was carried out",
              expected: "a conflict with version \(actual)"
            )
          }
        } catch let complaint as StoreComplaint where complaint.kind == .conflict && !isDone {}
        for id in ids where await store.version(of: id) != versions[id] {
          return Difference(
            kind: "condition.version",
            summary: "the version of '\(id)' differs after \(index + 1) changes",
            expected: versions[id].map { "\($0)" } ?? "none",
            actual: await store.version(of: id).map { "\($0)" } ?? "none"
          )
        }
      }
      return nil
    }
  )

  /// An item is tried byte by byte around its limit; a batch is not, since the cost of an item in it is not stated.
  ///
  /// The limit is 64 to 319 bytes; the item has one byte less, as many, or one more. Its other
  /// bytes are asked of the store (`byteCount`), since only the store knows its encoding; texts are
  /// of `x`, which no encoding writes in two bytes.
  ///
  /// With a limit of 64, where the item without its text takes 20 bytes, `{"id":"a","text":""}`:
  ///
  ///     43 letters     63 bytes     saved
  ///     44 letters     64 bytes     saved; `store-limit-is-off` refuses it
  ///     45 letters     65 bytes     refused
  static let limitsExact = StoreLaw(
    "store.limits-exact",
    "The largest item that is allowed is stored.",
    "An item whose bytes are just the limit is saved, and one of a byte more is refused as too large, names that limit "
      + "if any, and changes nothing; so is a batch whose items take more than its limit, and one with \(batchSpare) bytes to spare for each "
      + "item is saved.",
    source: contract,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 3
    },
    check: { trial in
      if trial.sample.number(2) % 2 == 1 { return try await batchDifference(trial) }
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let limit = 64 + trial.sample.number(0)
      func open() throws -> any OpenedStore { try trial.open(on: files) { $0.itemLimit = limit } }
      let store = try open()
      let bare = try store.byteCount(of: StoreRow("a", ""))
      // One byte below the limit, the limit itself, or one byte above.
      let excess = trial.sample.number(1) % 3 - 1
      let row = StoreRow("a", String(repeating: "x", count: max(0, limit + excess - bare)))
      do {
        _ = try await store.apply(saving: [row], deleting: [])
        guard excess <= 0 else {
          return Difference(
            kind: "limit.exceeded",
            summary: "an item of \(limit + excess) bytes was saved, and \(limit) are allowed"
          )
        }
      } catch let complaint as StoreComplaint where complaint.kind == .tooLarge {
        if let found = complaint.misstated(limit: limit) { return found }
        guard excess > 0 else {
          return Difference(
            kind: "limit.refused",
            summary: "an item of \(limit + excess) bytes was refused, and \(limit) are allowed"
          )
        }
      }
      let rows = excess > 0 ? [] : [row]
      try await store.close()
      return difference(
        await (try open()).snapshot().rows,
        from: rows,
        "limit.rows",
        "items differ"
      )
    }
  )

  /// Bytes that an item of a batch may take besides its own.
  private static let batchSpare = 64

  /// What is wrong with a batch that is a little larger than allowed, or small enough.
  ///
  /// The limit is 800 to 1055 bytes for two to four items; the first has all the padding.
  /// Every other batch is legal by `batchSpare` for each item; the others are one byte too large by
  /// their items alone.
  ///
  ///     limit 800, three items of 608 bytes in all     saved: 64 bytes are left for each
  ///     limit 800, three items of 801 bytes in all     refused, whatever else they take
  private static func batchDifference(_ trial: StoreTrial) async throws -> Difference? {
    let files = MemoryFiles(StoreTrial.emptyDisk)
    let limit = 800 + trial.sample.number(0)
    let store = try trial.open(on: files) { $0.batchLimit = limit }
    let count = 2 + trial.sample.number(1) % 3
    let isLegal = trial.sample.number(2) % 4 == 3
    let bytes = isLegal ? limit - count * batchSpare : limit + 1
    let bare = try (0..<count).reduce(0) { try $0 + store.byteCount(of: StoreRow("\($1)", "")) }
    let rows = (0..<count).map { index in
      let length = index == 0 ? bytes - bare : 0
      return StoreRow("\(index)", String(repeating: "x", count: max(0, length)))
    }
    do {
      _ = try await store.apply(saving: rows, deleting: [])
      guard isLegal else {
        return Difference(
          kind: "limit.batch-exceeded",
          summary: "a batch of \(bytes) bytes was saved, and \(limit) are allowed"
        )
      }
    } catch let complaint as StoreComplaint where complaint.kind == .tooLarge {
      if let found = complaint.misstated(limit: limit) { return found }
      guard !isLegal else {
        return Difference(
          kind: "limit.batch-refused",
          summary: "a batch of \(count) items and \(bytes) bytes was refused, and \(limit) are "
            + "allowed"
        )
      }
    }
    return difference(
      await store.snapshot().rows,
      from: isLegal ? rows : [],
      "limit.batch",
      "items differ"
    )
  }

  /// What was replaced or deleted must go some day: a disk fills up slowly, and no test waits for that.
  ///
  /// Catches a journal that is never rewritten, or ever later, also after reopening.
  ///
  /// Twice: a store that appends may keep, beside the items, as much again of what was replaced
  /// before it rewrites. 128 bytes an item stand for what surrounds it in a file (40 bytes of
  /// frame, JSON's keys, an id), and 2048 for headers and the floor under which a journal is not
  /// compacted, 512 bytes in laws (`StoreSettings`). 64 to 127 changes pass that floor several times.
  ///
  /// Worked example: an app that saves one note of 100 bytes a million times.
  /// `store-keeps-replaced` has a file of 100 MB.
  ///
  /// Of the limit: six items with an id of 1 byte and the longest text that is saved here, 82
  /// bytes, come to 2 * 6 * (1 + 82 + 128) + 2048 = 4580 bytes. 127 changes of a hundred bytes that
  /// all stay take nearly three times that.
  static let spaceBounded = StoreLaw(
    "store.space-bounded",
    "Files stay in proportion to items.",
    "After each of many changes of few items the files hold at most twice the bytes of the most items that there "
      + "were, each counted with 128 bytes of its own, and 2048 bytes for the store itself; at the level of memory the "
      + "same holds after a flush, and of twice as much while one writes.",
    source: contract,
    costs: 8,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 2
      $0.levels = [.data, .process, .memory]
    },
    check: { trial in
      let memory = MemoryFiles(StoreTrial.emptyDisk)
      let peak = Shared(0)
      let files = FaultyFiles(memory) { _ in peak.change { $0 = max($0, memory.disk.byteCount) } }
      var store = try trial.open(on: files)
      // In memory alone changes may wait for long: all of them, or a few.
      let flushPeriod =
        trial.sample.level == .memory ? [1, 8, 1000][trial.sample.number(0) % 3] : 1000
      var model = StoreModel()
      var most = 0
      // Steps of 1 to 7 through the six items, so that they are replaced in different orders.
      let stride = 1 + trial.sample.number(1) % 7
      for index in 0..<(64 + trial.sample.number(0) % 64) {
        let id = StoreSample.id(index * stride % StoreSample.itemCount)
        let isDeletion = index % 9 == 8
        let rows = isDeletion ? [] : [StoreRow(id, StoreSample.text(index * stride % 60))]
        _ = try await store.apply(saving: rows, deleting: isDeletion ? [id] : [])
        model.apply(saving: rows, deleting: isDeletion ? [id] : [])
        let live = model.rows.reduce(0) { $0 + $1.id.utf8.count + $1.text.utf8.count + 128 }
        most = max(most, live)
        if index % 24 == 23, trial.sample.number(1) % 2 == 1 {
          try await store.close()
          store = try trial.open(on: files)
        }
        if index % flushPeriod == flushPeriod - 1 { try await store.flush() }
        let found = excess(memory.disk.byteCount, 2 * most + 2048, index + 1)
        if let found { return found }
      }
      guard trial.sample.level == .memory else { return nil }
      try await store.flush()
      return excess(memory.disk.byteCount, 2 * most + 2048, model.states.count)
        ?? excess(peak.value, 2 * (2 * most + 2048), model.states.count)
    }
  )

  /// What is wrong with the number of bytes after `changeCount` changes; `nil` up to the limit.
  private static func excess(_ bytes: Int, _ limit: Int, _ changeCount: Int) -> Difference? {
    guard bytes > limit else { return nil }
    return Difference(
      kind: "space",
      summary: "after \(changeCount) changes the files hold more than they may",
      expected: "at most \(limit) bytes",
      actual: "\(bytes) bytes"
    )
  }
}

extension StoreComplaint {
  /// Where a refusal as too large names another limit, or a size that the limit admits; `nil` where it names none.
  ///
  /// A person who is told "16 bytes, and 20 are allowed" does not know what to do.
  func misstated(limit: Int) -> Difference? {
    guard let size, let named = self.limit, named != limit || size <= limit else { return nil }
    return Difference(
      kind: "limit.named",
      summary: "what is too large is refused with another size or limit",
      expected: "more than \(limit) bytes, and \(limit) allowed",
      actual: "\(size) bytes, and \(named) allowed"
    )
  }
}
