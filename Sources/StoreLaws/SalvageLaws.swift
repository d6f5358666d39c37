import FaultInjection
import FileSystems
import PropertyEngine

// What remains of a damaged store: its bytes are kept, it can be read, and the rest is served. All
// laws but the last judge `Damaged` of `DamageLaws.swift`.

extension StoreLaw {
  /// Catches recovery that overwrites the only copy of the damaged bytes.
  ///
  /// A person may be able to read what the program cannot. First the store is opened with the default
  /// policy: if that refuses, no file may differ. Then it is opened with `salvage`: some file must
  /// hold the damaged bytes, all but zeros at their end. An end of them suffices, since a store may
  /// put aside only what it cut off.
  ///
  /// `store-discards-damaged` starts from nothing. `store-discards-zero-ended` does so if the last
  /// byte is a zero, as if the file were unused room: of the bytes `12 34 00` it loses 12 and 34.
  static let keptAside = StoreLaw(
    "damage.kept-aside",
    "Damaged bytes are kept as they are.",
    "A refusal leaves every file untouched; a store that goes on without "
      + "them has put them aside, byte for byte.",
    source: contract,
    shape: damaging,
    check: { trial in
      let damaged = try await damaged(trial)
      let files = MemoryFiles(damaged.disk)
      let isRefused = try isRefused(trial, on: files)
      if isRefused, let changed = damaged.disk.firstFile(changedOn: files.disk) {
        return Difference(kind: "aside.changed", summary: "a refusal changed \(changed.last ?? "")")
      }
      let salvaged = MemoryFiles(damaged.disk)
      let store = try trial.open(on: salvaged) { $0.onDamage = .salvage }
      try await store.close()
      guard try !damaged.isKept(on: salvaged.disk) else { return nil }
      return Difference(
        kind: "aside.lost",
        summary: "the bytes of the damaged \(damaged.path.last ?? "") are nowhere any more"
      )
    }
  )

  /// Whether the default policy refuses damaged files; `false` if opening goes on and reports a loss.
  ///
  /// - Throws: ``Skipped`` if opening does not call anything damaged or torn. `damage.noticed` says
  ///   when it must.
  private static func isRefused(_ trial: StoreTrial, on files: MemoryFiles) throws -> Bool {
    do {
      let state = try trial.open(on: files).opening.state
      guard state != .damaged, state != .torn else { return false }
    } catch let complaint as StoreComplaint where complaint.kind == .damaged {
      return true
    } catch is StoreComplaint {}
    throw Skipped("opening reports no damage")
  }

  /// Catches a salvage that goes on although a copy could not be made, and then writes over the original.
  ///
  /// Worked example: the journal is damaged, and with it the snapshot is put aside; the write of the journal's copy
  /// is refused. `store-salvages-without-a-copy` opens all the same, and its first change ends the damaged bytes.
  static let keptWhenRefused = StoreLaw(
    "damage.kept-when-refused",
    "A refused salvage loses no bytes.",
    "Whichever calls of the file system are refused while a damaged store is salvaged, the damaged bytes stay: in "
      + "their place, or in a copy.",
    source: contract,
    shape: .init {
      $0.hasDamage = true
      $0.hasCrash = true
      $0.hasRefusal = true
      $0.numberCount = 1
    },
    check: { trial in
      let damaged = try await damaged(trial)
      // What an unfinished call left may be removed: only bytes that are called damaged must stay.
      _ = try isRefused(trial, on: MemoryFiles(damaged.disk))
      let memory = MemoryFiles(damaged.disk)
      let files = FaultyFiles(memory)
      files.setPlan(trial.refusalPlan(after: 0, within: 48))
      if let store = try? trial.open(on: files, { $0.onDamage = .salvage }) {
        _ = try? await store.apply(saving: [StoreRow("z", "after the salvage")], deleting: [])
        try? await store.close()
      }
      guard try damaged.isKept(on: memory.disk) else {
        return Difference(
          kind: "kept.lost",
          summary: "after a salvage with refused calls the bytes of the damaged "
            + "\(damaged.path.last ?? "") are nowhere any more"
        )
      }
      try files.skipUnlessRefused()
      return nil
    }
  )

  /// Catches copies of damaged bytes whose names or bytes are not sure when the originals go.
  ///
  /// Worked example: the journal's end is torn. Its bytes are copied, and cut off. The power goes, and with it the name of
  /// the copy, since the folder of copies was not synchronised: the bytes are nowhere.
  ///
  /// Where the bytes are kept so far, the store is opened again, and then the power goes: a copy that the first opening
  /// had made is seen by the second, and may be as little sure.
  ///
  /// Only disks are judged on which all is sure: of others the crash takes what no opening had a part in.
  static let keptAtCrash = StoreLaw(
    "damage.kept-at-crash",
    "A crash while salvaging loses no bytes.",
    "At whichever call the crash comes while a damaged store is salvaged, and whatever it takes of what was not "
      + "synchronised, the damaged bytes stay: in their place, or in a copy.",
    source: [contract, survival],
    shape: .init {
      $0.hasDamage = true
      $0.hasSecondCrash = true
      $0.numberCount = 1
    },
    check: { trial in
      let damaged = try await damaged(trial)
      guard damaged.disk.pieceCount == 0 else { throw Skipped("the damaged disk is not sure") }
      _ = try isRefused(trial, on: MemoryFiles(damaged.disk))
      let later = try trial.interruptedOpening(damaged.disk) { $0.onDamage = .salvage }
      guard try damaged.isKept(on: later) else {
        return Difference(
          kind: "kept.crash",
          summary: "after a crash while it was salvaged the bytes of the damaged "
            + "\(damaged.path.last ?? "") are nowhere any more"
        )
      }
      let again = MemoryFiles(later)
      _ = try? trial.open(on: again) { $0.onDamage = .salvage }
      guard try !damaged.isKept(on: again.disk.crashed(.adversarial) { _ in true }) else {
        return nil
      }
      return Difference(
        kind: "kept.found",
        summary: "a copy that an earlier opening had made was not sure when the damaged bytes of "
          + "\(damaged.path.last ?? "") went"
      )
    }
  )

  /// Catches a store that repairs its files although it is opened for reading alone.
  ///
  /// The user reads what is left before deciding what to give up.
  ///
  /// A store that the default policy refuses as damaged must also call itself damaged here, and carry
  /// nothing out. One that goes on by default is not asked: `damage.noticed` judges what it reports.
  ///
  /// Worked example: `store-mends-what-is-read` writes a new file while it opens for reading. A
  /// second tool, which would have found more, now sees the repaired one.
  ///
  /// Worked example: states 0 to 3 are [], [a], [a b] and [b]. A store that says change 2 may show
  /// [a b], [a], [b] or nothing: parts of state 2 or 3. Change 3 with [a] is `read-only.served`.
  static let readOnly = StoreLaw(
    "damage.read-only",
    "A damaged store can be looked at.",
    "Opened for reading alone, a damaged store shows a state that it had or a part of one, refuses changes, and leaves "
      + "every file as it is; a second opening shows the same.",
    source: contract,
    shape: damaging,
    check: { trial in
      let damaged = try await damaged(trial)
      let files = MemoryFiles(damaged.disk)
      let store = try trial.open(on: files) { $0.onDamage = .readOnly }
      let isWritable = await store.isWritable()
      guard store.opening.state == .damaged, !isWritable else {
        guard try isRefused(trial, on: MemoryFiles(damaged.disk)) else {
          throw Skipped("the default policy does not refuse the damage")
        }
        return Difference(
          kind: "read-only.untold",
          summary: "opened for reading alone, a damaged store does not say so, or takes changes",
          expected: "damaged, carries out no change",
          actual: "\(store.opening.state.rawValue), carries out "
            + (isWritable ? "changes" : "no change")
        )
      }
      let (sequence, rows) = await store.snapshot()
      // Each change makes a state, and what changes nothing makes one without a number.
      let states = damaged.model.states.dropFirst(Int(clamping: sequence))
      guard states.contains(where: { Set(rows).isSubset(of: $0) }) else {
        return Difference(
          kind: "read-only.served",
          summary: "a damaged store shows a state that it never had, or not at change \(sequence)",
          expected: rowsText(damaged.newest),
          actual: rowsText(rows)
        )
      }
      do {
        _ = try await store.apply(saving: [StoreRow("z", "new")], deleting: [])
        return Difference(kind: "read-only.saved", summary: "a change was carried out")
      } catch let complaint as StoreComplaint where complaint.kind == .readOnly {}
      try? await store.close()
      if let changed = damaged.disk.firstFile(changedOn: files.disk) {
        return Difference(
          kind: "read-only.changed",
          summary: "reading a damaged store changed its \(changed.last ?? "")"
        )
      }
      let again = try trial.open(on: files) { $0.onDamage = .readOnly }
      return difference(
        await again.snapshot().rows,
        from: rows,
        "read-only.again",
        "a second opening shows something else"
      )
    }
  )

  /// Catches a store that loses ten thousand items to one wrong bit.
  ///
  /// In a journal everything behind damage is given up, since a later change may build on the missing one: the store
  /// then shows an earlier state, but none from before the compaction. A snapshot holds each item by itself.
  ///
  /// Worked example: `a`, `b` and `c` are saved, the store is compacted, and a letter of `b` is wrong.
  /// `store-salvages-none` goes on with no item at all; `a` and `c` must be there.
  static let restServed = StoreLaw(
    "damage.rest-served",
    "One wrong byte takes one item.",
    "Opened to be read alone or salvaged, a compacted store with one wrong byte shows all items but one, or a state "
      + "that it had since, each of a version with which it was saved, and in its place if nothing was saved since.",
    source: contract,
    needs: [.salvage],
    shape: .init {
      $0.hasDamage = true
      $0.damages = [.flip, .replace]
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      guard trial.sample.damage.isOfOneByte else {
        throw Skipped("the damage is of several bytes")
      }
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let changed = try trial.open(on: files)
      let changes = trial.changes
      let compaction = trial.sample.number(0) % (changes.count + 1)
      var model = StoreModel()
      var states: [[StoreRow]] = []
      var versions: [StoreRow: Set<UInt64>] = [:]
      for index in 0...changes.count {
        if index == compaction { try await changed.compact() }
        if index >= compaction { states.append(model.rows) }
        guard index < changes.count else { break }
        let (saved, deleted) = changes[index]
        let number = try await changed.apply(saving: saved, deleting: deleted)
        for row in saved { versions[row, default: []].insert(number) }
        model.apply(saving: saved, deleting: deleted)
      }
      try await changed.close()
      var disk = files.disk
      let path = try file(trial.sample.file, of: disk) { !$0.isEmpty }
      disk.damage(path) { trial.sample.damage.apply(to: &$0) }
      for policy in [StoreSettings.Damage.readOnly, .salvage] {
        let store = try trial.open(on: MemoryFiles(disk)) { $0.onDamage = policy }
        let rows = await store.snapshot().rows
        let isRest = rows.count + 1 >= model.rows.count && Set(rows).isSubset(of: model.rows)
        guard isRest || states.contains(rows) else {
          return Difference(
            kind: "rest.lost",
            summary: "with one wrong byte in \(path.last ?? "") and the policy "
              + "\(policy.rawValue) the store shows less than is left",
            expected: rowsText(model.rows),
            actual: rowsText(rows)
          )
        }
        // Behind the compaction an item that is missing may be saved again, at the end.
        let kept = Set(rows)
        guard compaction < changes.count || rows == model.rows.filter(kept.contains) else {
          return Difference(
            kind: "rest.order",
            summary: "what is left of a damaged store stands in another order",
            expected: rowsText(model.rows.filter(kept.contains)),
            actual: rowsText(rows)
          )
        }
        for row in rows {
          let version = await store.version(of: row.id)
          guard version.map({ versions[row]?.contains($0) == true }) != true else { continue }
          return Difference(
            kind: "rest.version",
            summary: "'\(row.id)' has a version with which it was not saved",
            expected: versions[row].map { "\($0.sorted())" } ?? "none",
            actual: version.map { "\($0)" } ?? "none"
          )
        }
      }
      guard disk.bytes(at: path) != files.disk.bytes(at: path) else {
        throw Skipped("the damage changes no byte")
      }
      return nil
    }
  )
}

extension StoreLaw.Damaged {
  /// Whether some file of a disk holds the damaged bytes, or an end of them, all but zeros at the end.
  ///
  /// What was cut off may be kept without what went before it. Zeros at the end hold nothing, and
  /// may go where all before them stays.
  ///
  ///     the damaged bytes     12 34 00 56 00 00
  ///     some file has         34 00 56              kept: their end, but for the zeros
  ///     some file has         12 34                 not: the 56 is nowhere
  ///
  /// - Throws: ``Skipped`` if there is nothing but zeros to keep.
  fileprivate func isKept(on later: MemoryDisk) throws(Skipped) -> Bool {
    func withoutZeros(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      bytes[...(bytes.lastIndex { $0 != 0 } ?? -1)]
    }
    let content = withoutZeros(disk.bytes(at: path) ?? [])
    guard !content.isEmpty else { throw Skipped("the damage left no byte but zeros") }
    return later.paths.compactMap { later.bytes(at: $0) }.map(withoutZeros).contains {
      !$0.isEmpty && content.suffix($0.count) == $0
    }
  }
}
