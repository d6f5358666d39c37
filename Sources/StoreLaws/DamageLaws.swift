import FaultInjection
import FileSystems
import PropertyEngine

// Bytes that change by themselves: bit rot, a bad copy, a file that was removed. A store may
// refuse, go back to a state that it had and say so, or be read alone; it may never show what it
// never had. `Damaged` is the situation that most of these laws share.
//
//     opening             says                          may show
//     throws `damaged`    -                             nothing
//     succeeds            anything                      what it would show without the damage
//     succeeds            torn, interrupted             any earlier state of the run, but for a closed store with one
//                                                       wrong byte
//     succeeds            damaged                       the same, if it was asked to go on

extension StoreLaw {
  /// Bytes that change by themselves.
  static let damageLaws: [StoreLaw] = [
    noticed, missingNoticed, keptAside, keptWhenRefused, readOnly, restServed, anyBytes,
    undecodable,
  ]

  /// Runs that end with a close, without one, or between two calls, and then one damaged file.
  static let damaging = StoreSample.Shape {
    $0.hasDamage = true
    $0.hasCrash = true
    $0.numberCount = 1
    $0.levels = [.data, .process]
  }

  /// A disk after a run, or between two of its calls, with one file of the store damaged.
  struct Damaged {
    /// All states of the run.
    var model: StoreModel
    /// The states, by their positions in the model, that the store would show without the damage.
    ///
    /// More than one only between two calls of a change.
    var whole: ClosedRange<Int>
    /// Whether the run ended with a close and the damage came behind it.
    var isClosed: Bool
    var disk: MemoryDisk
    /// The damaged file.
    var path: [String]

    /// The states at which the store was closed, by their positions in the model; that of a new store among them.
    var closed: Set<Int>

    /// Acknowledged changes behind the last state with these rows.
    ///
    /// Changes that leave the rows as they are do not count: a store may have written nothing for
    /// them.
    func changeCount(behind rows: [StoreRow]) -> Int {
      let (states, last) = (model.states, model.states.lastIndex(of: rows) ?? 0)
      guard last < whole.lowerBound else { return 0 }
      return (last + 1...whole.lowerBound).count { states[$0] != states[$0 - 1] }
    }

    /// What a report shows as expected; an older state may be right, too.
    var newest: [StoreRow] { model.states[whole.upperBound] }
  }

  /// Damages a file of the store of a run.
  ///
  /// - Throws: ``Skipped`` if that changes nothing; what a call of the run throws.
  static func damaged(_ trial: StoreTrial) async throws -> Damaged {
    let recording = try await trial.record(closing: trial.sample.number(0) % 2 == 0)
    return try damaged(recording, trial.sample)
  }

  /// Damages a file after a run that was recorded.
  ///
  /// Number 0 of the sample: its remainder of 5 is 4 for a disk between two calls; its parity says
  /// whether the run closed.
  ///
  /// `withRemoved`: Where the remainder is 2 or 3, what the run has removed is there still: a file system may refuse to
  ///   remove a file, and a backup that is copied over a store brings it back.
  /// - Throws: ``Skipped`` if that changes nothing.
  static func damaged(
    _ recording: StoreRecording,
    _ sample: StoreSample,
    withRemoved: Bool = false
  ) throws(Skipped) -> Damaged {
    // Between two calls files of two generations may lie there.
    let isBetween = sample.number(0) % 5 == 4
    let images = recording.images
    let image = isBetween ? images[sample.crash % images.count] : recording.end
    var disk = image.disk
    let path = try file(sample.file, of: disk) { !$0.isEmpty }
    disk.damage(path) { sample.damage.apply(to: &$0) }
    guard disk.bytes(at: path) != image.disk.bytes(at: path) else {
      throw Skipped("the damage changes no byte")
    }
    if withRemoved, [2, 3].contains(sample.number(0) % 5) { addRemoved(images, to: &disk) }
    return Damaged(
      model: recording.model,
      whole: image.promises.acknowledged...image.promises.begun,
      isClosed: recording.isClosed && !isBetween,
      disk: disk,
      path: path,
      closed: Set(images.map(\.promises.closed))
    )
  }

  /// Adds the files that earlier disks of a run had, as the last of them had each.
  private static func addRemoved(_ images: [StoreRecording.Image], to disk: inout MemoryDisk) {
    for image in images.reversed() {
      for path in image.disk.paths where disk.bytes(at: path) == nil {
        disk.add(path, image.disk.bytes(at: path) ?? [])
      }
    }
  }

  /// The file that a number of the sample chooses, among those whose bytes `isMeant` takes.
  ///
  /// - Throws: ``Skipped`` if there is none.
  static func file(
    _ number: Int,
    of disk: MemoryDisk,
    where isMeant: ([UInt8]) -> Bool = { _ in true }
  ) throws(Skipped) -> [String] {
    let paths = disk.paths.filter { isMeant(disk.bytes(at: $0) ?? []) }
    guard !paths.isEmpty else { throw Skipped("the store has written no file yet") }
    return paths[number % paths.count]
  }

  /// Catches files without a checksum, or one that does not cover a length or a number: damage
  /// would be shown as data.
  ///
  /// The end of a journal that was not closed may vanish without being called damage, since a write
  /// that a crash cut short looks the same; opening must then say `torn` or `interrupted`. A closed
  /// store ends in a mark, so that one changed byte takes either the mark or a change, never both
  /// without a trace: there, `damaged` is the only right answer. It is also the only one where a change is gone
  /// behind which another was acknowledged: both were synchronised one after the other, and one byte is of
  /// one of them.
  ///
  /// Worked example: one bit of a text of change 2 flips. `store-no-checksum` shows the item with a
  /// wrong letter, which the app saves again: the damage has become data.
  ///
  /// Also catches a store that goes back to older files where the newest are damaged, though changes were acknowledged
  /// since: to give them up is for the caller to decide. In two of five samples such files are there.
  static let noticed = StoreLaw(
    "damage.noticed",
    "Damage is noticed and never served.",
    "A store with damaged files is refused, or shows a state that it had; "
      + "if that is not the newest, opening says that something is missing. A store that is to refuse damage and says that "
      + "it is damaged lacks nothing.",
    source: [
      contract,
      .paper("Alagappan et al., Protocol-Aware Recovery for Consensus-Based Storage, 2018"),
    ],
    shape: damaging,
    check: { trial in
      let recording = try await trial.record(closing: trial.sample.number(0) % 2 == 0)
      return try await unnoticed(damaged(recording, trial.sample, withRemoved: true), trial)
    }
  )

  /// Where damage is served, or missing changes are not told.
  ///
  /// Kinds: `damage.kind` for a refusal as something else, `damage.served` for a state that never
  /// was, `damage.torn`, `damage.sure` and `damage.silent` for a loss that opening plays down or does not
  /// mention, and `damage.opened` for one that it mentions, where it was to refuse.
  /// `FaultClass` asks it, too.
  static func unnoticed(_ damaged: Damaged, _ trial: StoreTrial) async throws -> Difference? {
    let path = damaged.path
    let store: any OpenedStore
    do {
      store = try trial.open(on: MemoryFiles(damaged.disk))
    } catch let complaint as StoreComplaint where complaint.kind == .damaged {
      return nil
    } catch let complaint as StoreComplaint {
      return Difference(
        kind: "damage.kind",
        summary: "damage of \(path.last ?? "") is refused as something else: \(complaint)",
        expected: StoreComplaint.Kind.damaged.rawValue,
        actual: complaint.kind.rawValue
      )
    }
    let rows = await store.snapshot().rows
    if damaged.model.states[damaged.whole].contains(rows) { return nil }
    guard damaged.model.states.contains(rows) else {
      return difference(
        rows,
        from: damaged.newest,
        "damage.served",
        "with a damaged \(path.last ?? "") the store shows a state that it never had"
      )
    }
    return untold(store.opening.state, showing: rows, damaged, trial)
  }

  /// Where opening plays down, or does not mention, that changes behind what it shows are gone.
  private static func untold(
    _ state: StoreOpening.State,
    showing rows: [StoreRow],
    _ damaged: Damaged,
    _ trial: StoreTrial
  ) -> Difference? {
    let file = damaged.path.last ?? ""
    if trial.sample.damage.isOfOneByte, state != .damaged {
      // A store that was closed ends in a note: one byte does not take a change and the note.
      if damaged.isClosed {
        return Difference(
          kind: "damage.torn",
          summary: "with one byte of \(file) changed a closed store lost changes, and opening "
            + "does not say that it is damaged",
          expected: StoreOpening.State.damaged.rawValue,
          actual: state.rawValue
        )
      }
      let lostCount = damaged.changeCount(behind: rows)
      if trial.sample.level == .data, lostCount > 1 {
        return Difference(
          kind: "damage.sure",
          summary: "with one byte of \(file) changed the store lost \(lostCount) "
            + "changes that were all made sure, and opening does not say that it is damaged",
          expected: StoreOpening.State.damaged.rawValue,
          actual: state.rawValue
        )
      }
    }
    // The trial asks for `refuse`.
    if state == .damaged {
      return Difference(
        kind: "damage.opened",
        summary: "with a damaged \(file) the store goes on without changes, and is to refuse it",
        expected: "a refusal"
      ).between(nil, "what opening answered")
    }
    // A journal cut exactly behind the mark of an earlier closing is, byte for byte, the one that was left then.
    var isEarlierEnd = false
    if case .cut = trial.sample.damage, state == .closed {
      isEarlierEnd = damaged.closed.contains { damaged.model.states[$0] == rows }
    }
    // The end of a journal that was not closed cannot be told from one that was never written.
    guard !isEarlierEnd, ![.torn, .interrupted].contains(state) else { return nil }
    return Difference(
      kind: "damage.silent",
      summary: "with a damaged \(file) changes are missing, and opening does not say so",
      expected: "torn or interrupted",
      actual: state.rawValue
    )
  }

  /// Catches a store that starts from nothing if a file is missing: the next save would overwrite the rest.
  ///
  /// Files go missing when a backup is copied in part, or a person removes one.
  ///
  /// Worked example: `journal.3` is gone and `snapshot.3` is there. To open it as an empty journal
  /// serves an old state without a word.
  ///
  /// Also catches a store that takes a folder which cannot be read for an empty one: all files are there, and a
  /// listing lacks one name, or all where the number's quotient by 4 is a multiple of 3. Then not even `salvage` may
  /// go on without what is there.
  static let missingNoticed = StoreLaw(
    "damage.missing-noticed",
    "A missing file is noticed.",
    "A store one of whose files is gone is refused, says that it is damaged, or shows all that it had; one whose folder "
      + "is listed without a name, or as empty, is refused or shows all, and loses nothing.",
    source: contract,
    needs: [.missingFiles],
    shape: damaging,
    check: { trial in
      let recording = try await trial.record(closing: trial.sample.number(0) % 2 == 0)
      var disk = recording.end.disk
      let path = try file(trial.sample.file, of: disk)
      let isEmpty = trial.sample.number(0) / 4 % 3 == 0
      let names = isEmpty ? disk.paths.compactMap(\.last) : [path.last ?? ""]
      if let difference = try await unlisted(Set(names), recording, trial) { return difference }
      // Of a store that keeps one file alone nothing would be left to notice by: hence the feature
      // `missingFiles`.
      disk.remove(path)
      let policy: StoreSettings.Damage = trial.sample.number(0) / 2 % 2 == 1 ? .readOnly : .refuse
      let store: any OpenedStore
      do {
        store = try trial.open(on: MemoryFiles(disk)) { $0.onDamage = policy }
      } catch let complaint as StoreComplaint where complaint.kind == .damaged {
        return nil
      }
      if store.opening.state == .damaged { return nil }
      let rows = await store.snapshot().rows
      return difference(
        rows,
        from: recording.model.rows,
        "missing.served",
        "without its file \(path.last ?? "") the store shows something else"
      )
    }
  )

  /// Where a store does otherwise than it should over files whose names the folder does not list.
  private static func unlisted(
    _ names: Set<String>,
    _ recording: StoreRecording,
    _ trial: StoreTrial
  ) async throws -> Difference? {
    let memory = MemoryFiles(recording.end.disk)
    var plan = FaultPlan()
    plan.unlisted = names
    var model = recording.model
    do {
      let store = try trial.open(on: FaultyFiles(memory, plan)) { $0.onDamage = .salvage }
      let found = difference(
        await store.snapshot().rows,
        from: model.rows,
        "unlisted.served",
        "the store shows something else where its folder is listed without \(names.sorted())"
      )
      if let found { return found }
      let row = StoreRow("z", "later")
      try await StoreTrial.carryOut(saving: [row], deleting: [], on: store, &model).unlessRefused()
      try await store.close()
    } catch let complaint as StoreComplaint where complaint.kind == .fileSystem {}
    return difference(
      try await trial.open(on: memory).snapshot().rows,
      from: model.rows,
      "unlisted.lost",
      "items differ once the folder is listed whole again"
    )
  }

  /// Catches traps, hangs, and openings of one file that differ: a user's report could not be reproduced.
  ///
  /// Does not judge what is shown, only that it is the same twice and that the process goes on.
  /// The 22 bytes of noise stand behind a beginning that is cut anywhere, or in place of all bytes. Or a file is
  /// forged: bytes here and there, or one length or count, are others, and the checksums are right again. No accident
  /// does that, and a store that trusts a length because its checksum is right traps. Half of the samples forge
  /// one length, since bytes that are changed anywhere seldom hit one.
  ///
  /// The difference shows as text: the rows with the state of the opening, or the error's own
  /// words.
  ///
  ///     number 1 % 6     the file
  ///     0                22 bytes of noise
  ///     1                forged in one to three bytes, with right checksums
  ///     2                a beginning of its own, then 22 bytes of noise
  ///     3, 4, 5          of all files one length or count is wrong, with right checksums
  ///
  /// The quotient of number 1 by 6 and number 23, the last byte of the noise, say where the beginning ends. Number 22 says
  /// by its remainder of 3 what is done with damage: what is salvaged or shown is read of any bytes, too.
  static let anyBytes = StoreLaw(
    "damage.any-bytes",
    "Any bytes are answered.",
    "Files of the store's names with arbitrary contents lead to a refusal or to a store, whatever is done with damage, "
      + "and to the same one each time.",
    source: contract,
    shape: .init {
      $0.steps = 1...6
      $0.numberCount = 24
      $0.hasReopening = false
    },
    check: { trial in
      let sound = try await trial.record(closing: true).end.disk
      var disk = sound
      let path = try file(trial.sample.number(0), of: disk)
      let start = trial.sample.number(1)
      let numbers = trial.sample.numbers.dropFirst(2)
      let lengths = start % 6 < 3 ? [] : lengths(of: disk, trial.subject)
      if lengths.isEmpty {
        disk.damage(path) { bytes in
          if start % 3 == 1 {
            forge(&bytes, by: numbers)
            bytes = trial.subject.resealed(bytes)
            return
          }
          let noise = numbers.map { UInt8(truncatingIfNeeded: $0) }
          // Behind a beginning that is right, or instead of all of it.
          let place = wide(start / 6, trial.sample.number(23))
          let kept = start % 3 == 0 ? 0 : place % (bytes.count + 1)
          bytes = Array(bytes.prefix(kept)) + noise
        }
      } else {
        let number = wide(trial.sample.number(2), trial.sample.number(3))
        let (path, place) = lengths[number % lengths.count]
        disk.damage(path) { bytes in
          forge(&bytes, lengthAt: place, by: trial.sample.number(4))
          bytes = trial.subject.resealed(bytes)
        }
      }
      let policies: [StoreSettings.Damage] = [.refuse, .readOnly, .salvage]
      let policy = policies[trial.sample.number(22) % policies.count]
      // Each opening has a disk of its own: what the first one repairs the second must meet again.
      func outcome() async -> String {
        do {
          let store = try trial.open(on: MemoryFiles(disk)) { $0.onDamage = policy }
          return "\(rowsText(await store.snapshot().rows)) \(store.opening.state.rawValue)"
        } catch {
          return "\(error)"
        }
      }
      let (first, second) = (await outcome(), await outcome())
      guard first == second else {
        return Difference(
          kind: "bytes.differ",
          summary: "two openings of the same bytes differ",
          expected: first,
          actual: second
        )
      }
      guard sound.firstFile(changedOn: disk) != nil else { throw Skipped("no byte is changed") }
      return nil
    }
  )

  /// Changes up to three bytes; three numbers each say where, in two parts, and the new byte.
  ///
  /// Every second change hits what may be a length: four bytes at a multiple of 4 whose number is at most the count of
  /// bytes. A wrong length is nothing, a little, a lot, or one off.
  ///
  ///     number        says
  ///     start         the place, or which of the lengths
  ///     start + 1     its parity: any place (even) or a length; the rest: the place's lower part, or a byte of the length
  ///     start + 2     its parity: whether the second and third change counts; the rest: the new byte
  ///
  /// No part of a number decides twice: if its parity also chose the place, odd places of a file of even size would
  /// never be hit.
  static func forge(_ bytes: inout [UInt8], by numbers: some Collection<Int>) {
    let numbers = Array(numbers)
    for start in stride(from: 0, to: min(numbers.count, 9) - 2, by: 3) where !bytes.isEmpty {
      // The first change counts always, the others in half of the samples each.
      guard start == 0 || numbers[start + 2] % 2 == 1 else { continue }
      let lengths = numbers[start + 1] % 2 == 0 ? [] : placesOfLengths(bytes)
      let place =
        lengths.isEmpty
        ? wide(numbers[start], numbers[start + 1] / 2) % bytes.count
        : lengths[numbers[start] % lengths.count] + numbers[start + 1] / 2 % 4
      let old = bytes[place]
      let wrong: [UInt8] = [0, 1, old &+ 1, old &- 1, 8, 127, 128, 255]
      bytes[place] = wrong[numbers[start + 2] / 2 % wrong.count]
    }
  }

  /// The lengths and counts in all files of a disk.
  private static func lengths(
    of disk: MemoryDisk,
    _ subject: any StoreSubject
  ) -> [(path: [String], place: Range<Int>)] {
    disk.paths.flatMap { path in
      subject.lengths(in: disk.bytes(at: path) ?? []).map { (path, $0) }
    }
  }

  /// Replaces a length or count by a wrong one: nothing, one, one off, the rest of the file or all of it, one beside
  /// these, or the greatest or middle number of its width.
  static func forge(_ bytes: inout [UInt8], lengthAt place: Range<Int>, by number: Int) {
    let old = place.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    let greatest = UInt64.max >> UInt64(64 - 8 * place.count)
    let (rest, all) = (UInt64(bytes.count - place.upperBound), UInt64(bytes.count))
    let wrong = [
      0, 1, old &- 1, old &+ 1, rest &- 1, rest, rest + 1, all, all + 1, greatest >> 1,
      greatest >> 1 + 1, greatest,
    ].map { $0 & greatest }.filter { $0 != old }
    let new = wrong[number % wrong.count]
    for (index, offset) in place.enumerated() {
      bytes[offset] = UInt8(truncatingIfNeeded: new >> UInt64(8 * index))
    }
  }

  /// Combines two numbers into one: a file has more places than one number of the sample reaches.
  ///
  /// The factor is 128, since callers may have taken the lower number's last bit: all numbers up to 32,767 are reached.
  private static func wide(_ high: Int, _ low: Int) -> Int { high * 128 + low % 128 }

  private static func placesOfLengths(_ bytes: [UInt8]) -> [Int] {
    stride(from: 0, through: bytes.count - 4, by: 4).filter { offset in
      let number = (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
      return (1...bytes.count).contains(number)
    }
  }

  /// Catches a store that drops on its next write what the present version of the app cannot
  /// decode: a look with an old version would destroy the items of a new one.
  ///
  /// Also catches a store whose updates take such an item for absent: "change it if it is there" would delete it, and
  /// "change it, or make it" replace it.
  ///
  /// A prefix stands for an older version of an app: texts that begin with `!` throw in its decoder.
  /// Drawn texts begin with a digit, so that only `q` is of the later form.
  ///
  /// Worked example: items p, q, r; q is of the next version. The old version saves others
  /// and compacts. q must be in the new file, and the new version must show it as it was, in its
  /// place. Then the old version updates q to nothing and to another item, and both are refused. It deletes q, and the
  /// new version must not show it any more.
  static let undecodable = StoreLaw(
    "damage.undecodable-kept",
    "Items that do not decode are kept.",
    "They are named, counted and not shown, survive changes of others, compaction and "
      + "reopening, and are shown again by a version that decodes them; an update of one is refused, and a deletion "
      + "deletes it.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let new = try trial.open(on: files)
      let rows = [
        StoreRow("p", "plain"), StoreRow("q", "!of a later version"), StoreRow("r", "plain"),
      ]
      for row in rows { _ = try await new.apply(saving: [row], deleting: []) }
      try await new.close()
      func picky(_ settings: inout StoreSettings) { settings.undecodablePrefix = "!" }
      let old = try trial.open(on: files, picky)
      guard old.opening.undecodable == ["q"] else {
        return Difference(
          kind: "undecodable.report",
          summary: "opening does not name the item that does not decode",
          expected: "q",
          actual: "\(old.opening.undecodable)"
        )
      }
      var model = StoreModel()
      model.revert(to: rows)
      for (saved, deleted) in trial.changes {
        _ = try await old.apply(saving: saved, deleting: deleted)
        model.applyIfChange(saving: saved, deleting: deleted)
      }
      let shown = model.rows.filter { !$0.text.hasPrefix("!") }
      if let difference = difference(
        await old.snapshot().rows,
        from: shown,
        "undecodable.shown",
        "items differ"
      ) {
        return difference
      }
      let count = await old.count()
      guard count == model.rows.count else {
        return Difference(
          kind: "undecodable.count",
          summary: "an item that does not decode is not counted, or counted twice",
          expected: "\(model.rows.count)",
          actual: "\(count)"
        )
      }
      try await old.compact()
      try await old.close()
      let again = try trial.open(on: files)
      if let difference = difference(
        await again.snapshot().rows,
        from: model.rows,
        "undecodable.lost",
        "a version that decodes the item does not show it again"
      ) {
        return difference
      }
      try await again.close()
      let last = try trial.open(on: files, picky)
      // Unless one of the changes has replaced it.
      let isThere = model.rows.contains { $0.id == "q" && $0.text.hasPrefix("!") }
      for new in isThere ? [nil, StoreRow("q", "plain")] : [] {
        do {
          _ = try await last.update("q") { _ in new }
          return Difference(
            kind: "undecodable.updated",
            summary: "an update has \(new == nil ? "deleted" : "replaced") what it could not see",
            expected: StoreComplaint.Kind.conflict.rawValue,
            actual: "no refusal"
          )
        } catch let complaint as StoreComplaint where complaint.kind == .conflict {}
      }
      _ = try await last.apply(saving: [], deleting: ["q"])
      model.apply(saving: [], deleting: ["q"])
      try await last.close()
      return difference(
        try await trial.open(on: files).snapshot().rows,
        from: model.rows,
        "undecodable.stays",
        "an item that does not decode is there again after it was deleted"
      )
    }
  )
}
