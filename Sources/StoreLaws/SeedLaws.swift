import FaultInjection
import FileSystems
import PropertyEngine

// Files of the repository before: one JSON array, which each save rewrote. Source of the seed's
// form: LocalStore.md, "Files".

extension StoreLaw {
  /// Files of the repository before.
  static let seedLaws: [StoreLaw] = [seedTaken, seedDamaged, seedDuplicates, foreignLeft]

  /// The seed's file: one JSON array, as programs and editors write it.
  ///
  /// `style` 0 is without space; others have space everywhere, and some begin with a mark of UTF-8.
  /// Space is of all four kinds that JSON has, or ends lines as one system does.
  ///
  /// Not by Foundation's coder: the file must have forms that other programs write, and it must not
  /// be made by what reads it. Keys stand in the order text, id; ids are letters and need no
  /// escape.
  ///
  ///     style 0      [{"text":"one","id":"a"},{"text":"two","id":"b"}]
  ///     style 1      the same with CR, LF, a tab and a blank around tokens, the first included
  ///     style 2      the mark, then as style 1
  ///     style 49     as style 1 with CR and LF alone, as Windows ends lines
  ///
  /// `others`: Elements that are no items, before the last row.
  private static func seedFile(
    _ rows: [StoreRow],
    style: Int = 0,
    others: [String] = []
  ) -> [UInt8] {
    // Around tokens, where JSON allows any. The first shows a reader that lacks a kind, the others
    // one that knows a kind beside another alone.
    let spaces = ["\r\n\t ", "\n", "\r\n", "\r"]
    // By what the laws leave of the number: they read its remainder of 24.
    let space = style % 3 == 0 ? "" : spaces[style / 24 % spaces.count]
    var elements = rows.map { row in
      let text = row.text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
      return #"{"text":"\#(text)",\#(space)"id":"\#(row.id)"}"#
    }
    elements.insert(contentsOf: others, at: max(0, elements.count - 1))
    let list = elements.joined(separator: "\(space),\(space)")
    let mark: [UInt8] = style % 3 == 2 ? [0xef, 0xbb, 0xbf] : []
    return mark + Array("\(space)[\(space)\(list)\(space)]\(space)".utf8)
  }

  /// The file that a repository named `items.json` had, beside the folder of the store.
  private static let seedPath = ["stores", "items.json"]

  /// The rows that the sample's steps leave.
  ///
  /// Each step counts as a change, whether it does something or not: only the rows at the end are
  /// used.
  private static func rows(_ trial: StoreTrial) -> [StoreRow] {
    var model = StoreModel()
    for (saved, deleted) in trial.changes {
      model.apply(saving: saved, deleting: deleted)
    }
    return model.rows
  }

  /// Catches a takeover that is not one step: after a crash on the way either file must still be
  /// whole.
  ///
  /// Worked example: three items; `y` does not decode with this version.
  /// `store-one-bad-item-hides-all` decodes the array as a whole, fails, and shows none. The crash
  /// comes while it is taken over, at the call of `crashAgain`.
  ///
  ///     the file            a, x, y, in one array; y begins with "!"
  ///     an older version    shows a and x, names y, and puts the file aside as it is
  ///     a newer version     shows a, x and y: nothing of y was lost on the way
  ///
  /// A file that was saved on Windows has CR and LF at the end of each line. A reader that does not
  /// know CR finds something behind the end of the array, and refuses the whole file.
  ///
  /// The texts of x hold what ends a text or a list, `],[` and `{"\"`: a file that is cut at commas
  /// instead of being read falls into more elements than it has.
  ///
  /// Where number 0's quotient by the number of those texts leaves 2 when divided by 3, the app is of schema 2 by now:
  /// it was never opened at schema 1, whose items the file holds. Worked example: the items are stored as they are, as
  /// of schema 2. No later opening brings them over, and none decodes.
  static let seedTaken = StoreLaw(
    "seed.taken-over",
    "The seed's file is taken over.",
    "Its items are there in their order, all of one change, brought over from schema 1 by a migration, one that does not "
      + "decode is kept, an element without an id is named, the file is put aside unchanged, and a crash at any call "
      + "leaves all of it.",
    source: contract,
    shape: .init {
      $0.hasReopening = false
      $0.hasSecondCrash = true
      $0.numberCount = 2
    },
    check: { trial in
      // What ends texts and lists, within a text.
      let texts = ["plain", "a\"b", "\\", "],[", "{\"\\\"", "\\\"}"]
      let marked = StoreRow("x", texts[trial.sample.number(0) % texts.count])
      // A program that was never used leaves an empty list.
      let isEmpty = trial.sample.number(1) / 3 % 8 == 7
      // `y` is the last row, and begins with "!", which the picky version does not decode.
      let rows = isEmpty ? [] : rows(trial) + [marked, StoreRow("y", "!later")]
      // An element without an id is no item; it stays in the file that is put aside.
      let others = trial.sample.number(1) / 96 % 2 == 1 ? [#"{"x":[1,"],["]}"#] : []
      let bytes = seedFile(rows, style: trial.sample.number(1), others: others)
      var disk = StoreTrial.emptyDisk
      disk.add(seedPath, bytes)
      let isLater = trial.sample.number(0) / texts.count % 3 == 2
      let expected = isLater ? rows.map { StoreRow($0.id, $0.text + "#") } : rows
      func later(_ settings: inout StoreSettings) {
        guard isLater else { return }
        settings.schema = 2
        settings.migration = .marks
      }
      func picky(_ settings: inout StoreSettings) {
        later(&settings)
        settings.undecodablePrefix = "!"
      }
      let files = MemoryFiles(try trial.interruptedOpening(disk, later))
      let store = try trial.open(on: files, picky)
      if let difference = difference(
        await store.snapshot().rows,
        from: Array(expected.dropLast()),
        "seed.rows",
        "items of the seed's file differ"
      ) {
        return difference
      }
      // They came as one change, and the next one is another.
      let newest = await store.snapshot().sequence
      for row in rows {
        let version = await store.version(of: row.id)
        guard version != newest else { continue }
        return Difference(
          kind: "seed.version",
          summary: "item '\(row.id)' of the seed's file is not of the newest change",
          expected: "\(newest)",
          actual: version.map { "\($0)" } ?? "none"
        )
      }
      guard store.opening.undecodable == (isEmpty ? [] : ["y"]) else {
        return Difference(
          kind: "seed.undecodable",
          summary: "the element that does not decode is not named, or another one is",
          expected: isEmpty ? "none" : "y",
          actual: "\(store.opening.undecodable)"
        )
      }
      // Where the crash came later, the first opening had told.
      let unreadable = others.isEmpty ? [] : [max(0, rows.count - 1)]
      if store.opening.state == .taken, let told = store.opening.unreadable, told != unreadable {
        return Difference(
          kind: "seed.unreadable",
          summary: "the element without an id is not named, or another one is",
          expected: "\(unreadable)",
          actual: "\(told)"
        )
      }
      try await store.close()
      let kept = files.disk.paths.contains { $0 != seedPath && files.disk.bytes(at: $0) == bytes }
      guard kept, files.disk.bytes(at: seedPath) == nil else {
        return Difference(kind: "seed.file", summary: "the seed's file was not put aside unchanged")
      }
      let again = try trial.open(on: files, later)
      return difference(await again.snapshot().rows, from: expected, "seed.again", "items differ")
    }
  )

  /// Catches the pattern that it replaces: a file that cannot be decoded counts as empty, and the
  /// next save overwrites it.
  ///
  /// At least one byte is cut off, at most all: without its closing bracket the file is no array.
  ///
  /// Number 1 by its remainder of 5: 2 for something behind the array, 3 for an element that is no JSON, 4 for a single
  /// item; the file is cut off otherwise. Number 2 by its remainder of 3 says what is done with damage.
  ///
  ///     refuse       nothing is opened, and the file is as it was
  ///     readOnly     no item is shown, no change is carried out, and the file is as it was
  ///     salvage      an empty store, which says that it is damaged; the file's bytes are there
  ///
  /// Worked example: `[{"text":"one","id":"a"},{"text":"la` is refused and stays.
  /// `store-unreadable-is-empty` opens a store without items in its place: a was whole, and no
  /// later opening shows it.
  static let seedDamaged = StoreLaw(
    "seed.damaged-kept",
    "A damaged seed file is never overwritten.",
    "A file that is cut off or is no JSON array is refused and stays "
      + "byte for byte; opened to be read alone or salvaged, the store says that it is damaged and shows no item, and "
      + "the file's bytes stay, in their place or put aside.",
    source: contract,
    shape: .init {
      $0.hasReopening = false
      $0.numberCount = 3
      $0.numberLimit = 4000
    },
    check: { trial in
      let item = StoreRow("y", "last")
      var bytes = seedFile(rows(trial) + [item])
      switch trial.sample.number(1) % 5 {
      case 2: bytes += Array("]".utf8)
      case 3: bytes = seedFile(rows(trial) + [item], others: ["tru"])
      case 4: bytes = Array(seedFile([item]).dropFirst().dropLast())
      default: bytes.removeLast(1 + trial.sample.number(0) % bytes.count)
      }
      var disk = StoreTrial.emptyDisk
      disk.add(seedPath, bytes)
      let files = MemoryFiles(disk)
      let policies: [StoreSettings.Damage] = [.refuse, .readOnly, .salvage]
      let policy = policies[trial.sample.number(2) % policies.count]
      guard policy == .refuse else {
        return try await seedServed(by: policy, bytes, files, trial)
      }
      do {
        let store = try trial.open(on: files)
        _ = try? await store.apply(saving: [StoreRow("z", "new")], deleting: [])
        try? await store.close()
        return Difference(
          kind: "seed.opened",
          summary: "a file of \(bytes.count) bytes that does not end was taken for an empty store"
        )
      } catch let complaint as StoreComplaint where complaint.kind == .damaged {}
      return files.disk.bytes(at: seedPath) == bytes
        ? nil : Difference(kind: "seed.overwritten", summary: "the damaged file was changed")
    }
  )

  /// How a store over a damaged file that is opened all the same does not say so, or loses the file.
  private static func seedServed(
    by policy: StoreSettings.Damage,
    _ bytes: [UInt8],
    _ files: MemoryFiles,
    _ trial: StoreTrial
  ) async throws -> Difference? {
    let store = try trial.open(on: files) { $0.onDamage = policy }
    let (rows, isWritable) = (await store.snapshot().rows, await store.isWritable())
    guard store.opening.state == .damaged, rows.isEmpty, isWritable == (policy == .salvage) else {
      return Difference(
        kind: "seed.served",
        summary:
          "opened by the policy \(policy.rawValue), a store over a damaged file does not say so",
        expected: "damaged, no items, carries out \(policy == .salvage ? "changes" : "no change")",
        actual: "\(store.opening.state.rawValue), \(rowsText(rows)), carries out "
          + (isWritable ? "changes" : "no change")
      )
    }
    do {
      _ = try await store.apply(saving: [StoreRow("z", "new")], deleting: [])
      try await store.close()
    } catch let complaint as StoreComplaint where complaint.kind == .readOnly && !isWritable {}
    let disk = files.disk
    let isKept =
      policy == .readOnly
      ? disk.bytes(at: seedPath) == bytes : disk.paths.contains { disk.bytes(at: $0) == bytes }
    return isKept
      ? nil
      : Difference(kind: "seed.lost", summary: "the damaged file's bytes are nowhere any more")
  }

  /// Catches a dictionary made of pairs, which traps or decides by itself.
  ///
  /// Worked example: `Dictionary(uniqueKeysWithValues:)` traps for two items `y`
  /// (`store-duplicates-end-it`).
  ///
  ///     the file       y "first", a, y "last"
  ///     `fail`         refused, nothing is taken over
  ///     `keepFirst`    y "first", a
  ///     `keepLast`     y "last", a: the text of the last, in the place of the first
  static let seedDuplicates = StoreLaw(
    "seed.duplicates-decided",
    "Duplicate ids are decided by the caller.",
    "The seed's file is refused, or the first or the last item of an id "
      + "counts, in the place of the first.",
    source: contract,
    shape: .init {
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      let first = rows(trial)
      // Two items y, at both ends, so that "the place of the first" shows.
      let rows = [StoreRow("y", "first")] + first + [StoreRow("y", "last")]
      var disk = StoreTrial.emptyDisk
      disk.add(seedPath, seedFile(rows))
      let policies: [StoreSettings.Duplicates] = [.fail, .keepFirst, .keepLast]
      let policy = policies[trial.sample.number(0) % policies.count]
      do {
        let store = try trial.open(on: MemoryFiles(disk)) { $0.onDuplicates = policy }
        let expected = [StoreRow("y", policy == .keepLast ? "last" : "first")] + first
        guard policy != .fail else {
          return Difference(kind: "duplicates.taken", summary: "two items of one id were taken")
        }
        return difference(await store.snapshot().rows, from: expected, "duplicates", "items differ")
      } catch let complaint as StoreComplaint where complaint.kind == .duplicates {
        return policy == .fail
          ? nil : Difference(kind: "duplicates.refused", summary: "the policy was not followed")
      }
    }
  )

  /// An older version of the app writes its file beside the store that a newer one has made.
  ///
  /// Catches a file that is taken for the one that was taken over already, and lost with what is in it.
  ///
  /// Worked example: `store-takes-foreign-file` puts the file aside as if it had been taken over.
  /// No user looks there for what the older version saved.
  ///
  /// A file that the store was made of, and that is there again, is put aside; where it may not be read, no store can
  /// know it. One of the same size with another item is another file.
  static let foreignLeft = StoreLaw(
    "seed.foreign-left",
    "Other files are left alone.",
    "A file of the seed's name beside a store that was not made of it is reported at opening and stays byte for byte, and "
      + "the store shows its own items; without such a file nothing is reported. A file that may not be read is such a "
      + "file, and one of another size than the store was made of is not read.",
    source: contract,
    shape: .init {
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      let disk = try await trial.record(closing: true).end.disk
      let rows = rows(trial)
      var changed = disk
      let bytes = seedFile([StoreRow("y", "other")], style: trial.sample.number(0))
      changed.add(seedPath, bytes)
      // With and without the file: a store that always tells of one tells nothing.
      for (disk, isThere) in [(disk, false), (changed, true)] {
        let files = MemoryFiles(disk)
        let store = try trial.open(on: files)
        guard store.opening.hasForeignFile == isThere else {
          return Difference(
            kind: "foreign.report",
            summary: "opening says something else of a file that is \(isThere ? "" : "not ")there"
          )
        }
        let shown = await store.snapshot().rows
        if let difference = difference(shown, from: rows, "foreign.rows", "items differ") {
          return difference
        }
        _ = try await store.apply(saving: [StoreRow("z", "more")], deleting: [])
        try await store.close()
        guard files.disk.bytes(at: seedPath) == (isThere ? bytes : nil) else {
          return Difference(kind: "foreign.changed", summary: "the other file was changed")
        }
      }
      return try await unread(bytes, trial)
    }
  )

  /// Where the file that a store was made of, there again and not to be read, keeps the store from opening, or is not
  /// told.
  ///
  /// The first opening says which call reads the file; the second has just that call refused.
  private static func unread(_ bytes: [UInt8], _ trial: StoreTrial) async throws -> Difference? {
    var disk = StoreTrial.emptyDisk
    disk.add(seedPath, bytes)
    let made = MemoryFiles(disk)
    try await trial.open(on: made).close()
    disk = made.disk
    disk.add(seedPath, bytes)
    let calls = Shared<[Int]>([])
    let told = FaultyFiles(MemoryFiles(disk)) { call in
      guard call.call == .open, call.name == seedPath.last else { return }
      calls.change { $0.append(call.number) }
    }
    try await trial.open(on: told).close()
    guard let call = calls.value.first else { return nil }
    var plan = FaultPlan()
    plan.refusal = .init(call: call, cause: .accessDenied)
    let memory = MemoryFiles(disk)
    let store = try trial.open(on: FaultyFiles(memory, plan))
    let rows = await store.snapshot().rows
    guard store.opening.hasForeignFile, rows == [StoreRow("y", "other")] else {
      return Difference(
        kind: "foreign.unread",
        summary: "a file of the seed's name that may not be read is not told, or hides the items",
        expected: rowsText([StoreRow("y", "other")]),
        actual: rowsText(rows)
      )
    }
    try await store.close()
    guard memory.disk.bytes(at: seedPath) == bytes else {
      return Difference(kind: "foreign.changed", summary: "a file that may not be read was changed")
    }
    if let found = try await other(in: disk, trial) { return found }
    return try await read(over: disk, trial)
  }

  /// Where a file that differs in one letter from the one that the store was made of is not told, or does not stay.
  private static func other(
    in disk: MemoryDisk,
    _ trial: StoreTrial
  ) async throws -> Difference? {
    var disk = disk
    disk.damage(seedPath) { bytes in
      // The id, which no text has: the item "y" becomes another one.
      for place in bytes.indices where bytes[place] == UInt8(ascii: "y") {
        bytes[place] = UInt8(ascii: "x")
      }
    }
    let files = MemoryFiles(disk)
    let store = try trial.open(on: files)
    let isTold = store.opening.hasForeignFile
    try await store.close()
    guard !isTold || files.disk.bytes(at: seedPath) != disk.bytes(at: seedPath) else { return nil }
    return Difference(
      kind: "foreign.like-seed",
      summary: "another file of the seed's name and size is \(isTold ? "changed" : "not told")"
    )
  }

  /// Whether a file of another size is read all the same: it may be very large, and cannot be the one that the store was
  /// made of.
  private static func read(over disk: MemoryDisk, _ trial: StoreTrial) async throws -> Difference? {
    var disk = disk
    disk.damage(seedPath) { $0.append(UInt8(ascii: " ")) }
    let isRead = Shared(false)
    let files = FaultyFiles(MemoryFiles(disk)) { call in
      if call.call == .open, call.name == seedPath.last { isRead.value = true }
    }
    let store = try trial.open(on: files)
    let isTold = store.opening.hasForeignFile
    try await store.close()
    guard isRead.value || !isTold else { return nil }
    return Difference(
      kind: "foreign.read",
      summary: "a file of the seed's name and of another size is \(isTold ? "read" : "not told")"
    )
  }
}
