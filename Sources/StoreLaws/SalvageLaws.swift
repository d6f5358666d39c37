import FaultInjection
import FileSystems
import PropertyEngine

// What is left of a damaged store: its bytes are kept, it can be looked at, and the rest is served. The situation is
// `Damaged` of `DamageLaws.swift`.

extension StoreLaw {
  /// What a program cannot read a person may.
  ///
  /// Catches recovery that overwrites the only copy.
  ///
  /// First as the store opens by default: if that is refused, no file may differ. Then with
  /// `salvage`: some file must hold the damaged bytes, or an end of them, since a store may put
  /// aside only what it cut off; or all of them but zeros at their end.
  ///
  /// `store-discards-damaged` starts from nothing. `store-discards-zero-ended` does so if the last
  /// byte is a zero, as if the file had been room and nothing else: of `12 34 00` 12 and 34 are
  /// gone.
  static let keptAside = StoreLaw(
    "damage.kept-aside",
    "Damaged bytes are kept as they are.",
    "A refusal leaves every file untouched; a store that goes on without "
      + "them has put them aside, byte for byte.",
    source: contract,
    shape: damaging,
    check: { trial in
      guard let damaged = try await damaged(trial) else { return nil }
      let (disk, path) = (damaged.disk, damaged.path)
      let bytes = disk.bytes(at: path) ?? []
      let files = MemoryFiles(disk)
      do {
        let store = try trial.open(on: files)
        guard store.opening.state == .damaged || store.opening.state == .torn else { return nil }
      } catch let complaint as StoreComplaint {
        guard complaint.kind == .damaged else { return nil }
        for other in disk.paths where files.disk.bytes(at: other) != disk.bytes(at: other) {
          return Difference(kind: "aside.changed", summary: "a refusal changed \(other.last ?? "")")
        }
      }
      let salvaged = MemoryFiles(disk)
      let store = try trial.open(on: salvaged) { $0.onDamage = .salvage }
      try await store.close()
      return isKept(bytes, on: salvaged.disk)
        ? nil
        : Difference(
          kind: "aside.lost",
          summary: "the bytes of the damaged \(path.last ?? "") are nowhere any more"
        )
    }
  )

  /// Whether some file of a disk holds the bytes, or an end of them, all but zeros at the end.
  ///
  /// What was cut off may be kept without what went before it. Zeros at the end hold nothing, and may go where all
  /// before them stays.
  ///
  ///     the damaged bytes     12 34 00 56 00 00
  ///     some file has         34 00 56              kept: their end, but for the zeros
  ///     some file has         12 34                 not: the 56 is nowhere
  private static func isKept(_ bytes: [UInt8], on disk: MemoryDisk) -> Bool {
    func withoutZeros(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      bytes[...(bytes.lastIndex { $0 != 0 } ?? -1)]
    }
    let content = withoutZeros(bytes)
    return content.isEmpty
      || disk.paths.compactMap { disk.bytes(at: $0) }.map(withoutZeros).contains {
        !$0.isEmpty && content.suffix($0.count) == $0
      }
  }

  /// Whether an opening by default says that something is damaged or torn.
  private static func isTold(_ damaged: Damaged, _ trial: StoreTrial) throws -> Bool {
    do {
      let state = try trial.open(on: MemoryFiles(damaged.disk)).opening.state
      return state == .damaged || state == .torn
    } catch let complaint as StoreComplaint {
      return complaint.kind == .damaged
    }
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
      guard let damaged = try await damaged(trial) else { return nil }
      // What an unfinished call left may be removed.
      guard try isTold(damaged, trial) else { return nil }
      let bytes = damaged.disk.bytes(at: damaged.path) ?? []
      let memory = MemoryFiles(damaged.disk)
      let files = FaultyFiles(memory)
      files.setPlan(trial.refusalPlan(after: 0, within: 48))
      if let store = try? trial.open(on: files, { $0.onDamage = .salvage }) {
        _ = try? await store.apply(saving: [StoreRow("z", "after the salvage")], deleting: [])
        try? await store.close()
      }
      return isKept(bytes, on: memory.disk)
        ? nil
        : Difference(
          kind: "kept.lost",
          summary: "after a salvage with refused calls the bytes of the damaged "
            + "\(damaged.path.last ?? "") are nowhere any more"
        )
    }
  )

  /// A look at what is left, before the user decides what to give up.
  ///
  /// Catches a store that is said to be read and is mended meanwhile.
  ///
  /// Worked example: `store-mends-what-is-read` writes a new file while it opens for reading. A
  /// second tool, which would have found more, now sees the mended one.
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
      guard let damaged = try await damaged(trial) else { return nil }
      let files = MemoryFiles(damaged.disk)
      let store = try trial.open(on: files) { $0.onDamage = .readOnly }
      guard store.opening.state == .damaged, await !store.isWritable() else { return nil }
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
      let changed = damaged.disk.paths.first {
        files.disk.bytes(at: $0) != damaged.disk.bytes(at: $0)
      }
      if let changed {
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

  /// Catches a store for which one wrong bit in ten thousand items is the loss of all.
  ///
  /// Of a journal what comes behind damage is given up, since a change may build on what is missing: then the store
  /// shows an earlier state, though none from before the compaction. In a state that is written as a whole every item
  /// stands for itself.
  ///
  /// Worked example: `a`, `b` and `c` are saved, the store is compacted, and a letter of `b` is wrong.
  /// `store-salvages-none` goes on with no item at all; `a` and `c` must be there.
  static let restServed = StoreLaw(
    "damage.rest-served",
    "One wrong byte takes one item.",
    "Opened to be read alone or salvaged, a compacted store with one wrong byte shows all items but one, or a state "
      + "that it had since.",
    source: contract,
    needs: [.salvage],
    shape: .init {
      $0.hasDamage = true
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      guard trial.sample.damage.isOfOneByte else { return nil }
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let changed = try trial.open(on: files)
      let changes = trial.changes
      let compaction = trial.sample.number(0) % (changes.count + 1)
      var model = StoreModel()
      var states: [[StoreRow]] = []
      for index in 0...changes.count {
        if index == compaction { try await changed.compact() }
        if index >= compaction { states.append(model.rows) }
        guard index < changes.count else { break }
        let (saved, deleted) = changes[index]
        _ = try await changed.apply(saving: saved, deleting: deleted)
        model.apply(saving: saved, deleting: deleted)
      }
      try await changed.close()
      var disk = files.disk.crashed(.process) { _ in false }
      guard let path = file(trial.sample.file, of: disk) else { return nil }
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
      }
      return nil
    }
  )
}
