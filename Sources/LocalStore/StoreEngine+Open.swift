package import FileSystems

extension StoreEngine {
  /// Opens a store, or makes one.
  ///
  /// `readLegacy`: Reads the seed's file, which a new store takes over if one is there.
  /// - Throws: Nothing was changed then, but for a copy of what is damaged in `quarantine`.
  package static func open(
    _ place: StorePlace,
    _ options: StoreOptions,
    on files: any FileSystem,
    readLegacy: (([UInt8]) throws(StoreError) -> LegacyContents)? = nil
  ) throws(StoreError) -> StoreEngine {
    let engine = StoreEngine(files: files, place: place, options: options)
    do {
      try engine.openFolders()
      try engine.load(readLegacy)
      return engine
    } catch {
      engine.closeDescriptors()
      throw error
    }
  }

  // MARK: - Folder and lock

  private func openFolders() throws(StoreError) {
    try opening { () throws(FileError) in
      directory = try files.uninterrupted { () throws(FileError) in
        try files.openFolder(path: place.directory, makingMode: nil)
      }
    }
    guard let directory else { return }
    let status = try opening { () throws(FileError) in
      try files.status(of: place.folder, in: directory)
    }
    report.state = status == nil ? .missing : .empty
    do {
      let mode: UInt16? = status == nil ? 0o700 : nil
      folder = try files.openFolder(place.folder, in: directory, makingMode: mode)
    } catch  where error.cause == .readOnly || error.cause == .accessDenied {
      throw StoreError(.readOnly(explanation: "\(error)"), .open)
    } catch {
      throw refusal(error)
    }
    try takeLock()
  }

  /// Takes the lock's file for this process, until the descriptor is closed or the process ends.
  ///
  /// - Throws: `alreadyOpen` if another descriptor has it, in this process or in another.
  private func takeLock() throws(StoreError) {
    guard let folder else { return }
    do {
      lock = try files.opened(StoreFile.lock, in: folder, .create(mode: options.fileMode))
    } catch  where error.cause == .readOnly || error.cause == .accessDenied {
      // No process can write there, so that there is none to keep out.
      health = .readOnly("\(error)")
      return
    } catch {
      throw refusal(error)
    }
    guard let lock else { return }
    let isOurs = try opening { () throws(FileError) in
      try files.uninterrupted { () throws(FileError) in try files.lock(lock) }
    }
    guard isOurs else { throw StoreError(.alreadyOpen, .open) }
  }

  private func refusal(_ error: FileError) -> StoreError {
    guard error.cause == .wrongKind else { return StoreError(error, .open) }
    let words = "'\(error.name)' is a link, or not of the kind that it should be"
    return StoreError(.invalidLocation(explanation: words), .open)
  }

  func opening<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      throw refusal(error)
    }
  }

  // MARK: - Loading

  /// The newest snapshot that is whole counts, with its own journal; older generations are there
  /// only if a crash kept a compaction from removing them.
  ///
  ///     no snapshot, no journal that says more     a new store, of the seed's file if there is one
  ///     no snapshot, and a journal with changes    damage: its snapshot is missing
  ///     the newest is whole                        it counts, with the changes of its journal
  ///     the newest is damaged, and not the last,
  ///     its journal is whole and has no change     kept in quarantine; the one before counts
  ///     the newest is damaged in any other case    the policy decides
  ///
  /// Files are removed and moved only after the state is known, and only if it may be written; nothing is if the
  /// listing of the folder lacks what stands there.
  private func load(
    _ readLegacy: (([UInt8]) throws(StoreError) -> LegacyContents)?
  ) throws(StoreError) {
    guard let folder else { return }
    let names = try opening { () throws(FileError) in try files.names(in: folder) }
    let known = names.compactMap { StoreFile($0) }
    try checkListing(names, known)
    let snapshots = known.filter { $0 == .snapshot($0.generation) }
      .sorted { $0.generation > $1.generation }
    guard !snapshots.isEmpty else {
      try begin(known, readLegacy)
      return
    }
    try loadNewest(of: snapshots)
    if case .readOnly = health, report.state != .damaged { report.state = .readOnly }
    if health == .ok {
      if report.state != .closed { try settleNames() }
      try settleLegacy()
      try removeOthers()
    }
    report.sequence = sequence
    report.itemCount = table.count
  }

  /// Refuses a listing that lacks what stands in the folder: a store would be made over the one that is there.
  ///
  /// A file system that cannot read a folder may show it as empty, or in part, and say nothing.
  ///
  ///     listed                   stands besides    the listing is
  ///     nothing                  LOCK              short
  ///     LOCK                     nothing           whole: a store that was never made ready
  ///     LOCK, journal.3          nothing           whole: the snapshot is gone, or was not made yet
  ///     LOCK, journal.3          snapshot.3        short
  ///     LOCK                     snapshot.1        short
  ///
  /// Where a later generation stands whose two files are both left out, no call tells; it is not written over.
  private func checkListing(_ names: [String], _ known: [StoreFile]) throws(StoreError) {
    // Some file systems list short names in lower case.
    let isLockListed = names.contains { $0.uppercased() == StoreFile.lock }
    var unlisted = isLockListed ? [] : [StoreFile.lock]
    for generation in Set(known.map(\.generation)).sorted() {
      let snapshot = StoreFile.snapshot(generation)
      if !known.contains(snapshot) { unlisted.append(snapshot.name) }
    }
    if !known.contains(where: { $0 == .snapshot($0.generation) }) {
      // What a new store would write.
      let first = Self.firstGeneration(behind: known)
      unlisted += [StoreFile.snapshot(first).name, StoreFile.journal(first).name]
    }
    for name in unlisted where try isPresent(name) {
      let words = "the listing of '\(place.folder)' lacks '\(name)', which is there"
      throw StoreError(.fileSystem(explanation: words), .open)
    }
  }

  private func isPresent(_ name: String) throws(StoreError) -> Bool {
    guard let folder else { return false }
    return try opening { () throws(FileError) in try files.status(of: name, in: folder) != nil }
  }

  /// The generation of a new store in a folder where these files were found.
  private static func firstGeneration(behind known: [StoreFile]) -> UInt64 {
    (known.map(\.generation).max() ?? 0) + 1
  }

  /// A folder without a snapshot: nothing was ever acknowledged in it, or its snapshot is gone.
  private func begin(
    _ known: [StoreFile],
    _ readLegacy: (([UInt8]) throws(StoreError) -> LegacyContents)?
  ) throws(StoreError) {
    guard let folder else { return }
    // A journal has its name before its snapshot: a store that is being made of nothing, or of the seed's file,
    // is interrupted so. Later ones follow from states that were acknowledged.
    let firstSequence: UInt64 = try legacyBytes() == nil ? 0 : 1
    for file in known where file == .journal(file.generation) {
      let scan = JournalScan(try contents(file.name), file: file.name)
      let sequence = scan.header?.sequence ?? 0
      guard !scan.changes.isEmpty || sequence > firstSequence else { continue }
      let damage = StoreDamage(file: file.name, offset: 0, explanation: "its snapshot is missing")
      try judge(damage, [file.name])
      if health != .ok { return }
    }
    if case .readOnly(let words) = health {
      guard report.state != .missing else { throw StoreError(.readOnly(explanation: words), .open) }
      return
    }
    for file in known {
      try opening { () throws(FileError) in try files.remove(file.name, in: folder) }
    }
    try takeOver(readLegacy)
    guard health == .ok else { return }
    let first = Self.firstGeneration(behind: known)
    use(first, try writeGeneration(first))
    guard let directory else { return }
    try opening { () throws(FileError) in try files.settle(folder: directory) }
    try settleLegacy()
    report.sequence = sequence
    report.itemCount = table.count
  }

  /// The bytes of a file of the store; none if there is no such file.
  func contents(_ name: String) throws(StoreError) -> [UInt8] {
    guard let folder else { return [] }
    return try opening { () throws(FileError) in try files.contents(of: name, in: folder) } ?? []
  }

  private func loadNewest(of snapshots: [StoreFile]) throws(StoreError) {
    for (index, file) in snapshots.enumerated() {
      let bytes = try contents(file.name)
      do {
        let scan = try SnapshotScan(bytes, file: file.name)
        try checkVersions(scan.header)
        guard scan.header.generation == file.generation else {
          let words = "it says that it is of generation \(scan.header.generation)"
          throw StoreDamage(file: file.name, offset: 0, explanation: words)
        }
        snapshotSize = bytes.count
        try loadJournal(of: scan)
        return
      } catch let damage as StoreDamage {
        try judgeSnapshot(damage, file, isLast: index == snapshots.count - 1)
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(.failed(explanation: "\(error)"), .open)
      }
    }
    // None was whole, and the policy goes on without it.
    guard let newest = snapshots.first else { return }
    try salvage(newest)
    guard health == .ok else { return }
    try compact()
  }

  /// Serves what is whole of a damaged snapshot, and carries the changes of its journal out.
  ///
  ///     an item's frame is damaged                       the item is missing, unless a change puts it again
  ///     the header is damaged                            that of the journal says the schema and the sequence
  ///     both are                                         nothing is served
  ///     the journal is damaged                           changes count up to the damage
  ///     a change appends to an item that is missing      that item stays so; the rest of the change counts
  private func salvage(_ file: StoreFile) throws(StoreError) {
    generation = file.generation
    attempted = generation
    report.generation = generation
    let name = StoreFile.journal(generation).name
    let journal = JournalScan(try contents(name), file: name)
    let rest = SnapshotRest(try contents(file.name))
    guard let header = rest.header ?? journal.header, header.generation == generation else {
      return
    }
    try checkVersions(header)
    sequence = header.sequence
    legacy = (header.legacyCount, header.legacyChecksum)
    for (sequence, item) in rest.items where sequence == header.sequence && table[item.id] == nil {
      table.put(item.id, StoredItem(version: item.version, payload: item.payload))
    }
    let total = rest.header.map { "\($0.itemCount)" } ?? "unknown"
    report.damage.append(
      StoreDamage(
        file: file.name,
        offset: 0,
        explanation: "whole items: \(table.count) of \(total)"
      )
    )
    if journal.header?.generation == generation, journal.header?.sequence == sequence {
      for change in journal.changes {
        for operation in change.operations {
          _ = table.apply(operation, version: change.sequence)
        }
        sequence = change.sequence
      }
    }
    _ = try migrate(from: header.schema)
  }

  /// Refuses what a later program has written: files of a format, or items of a schema, that are
  /// not known.
  ///
  /// Not damage: no policy goes on with it, and nothing is quarantined.
  private func checkVersions(_ header: StoreHeader) throws(StoreError) {
    guard header.reader <= StoreHeader.format else {
      let reason = StoreError.Reason.unsupportedFormat(
        found: header.reader,
        supported: StoreHeader.format
      )
      throw StoreError(reason, .open)
    }
    guard header.schema <= options.schema else {
      let reason = StoreError.Reason.unsupportedFormat(
        found: header.schema,
        supported: options.schema
      )
      throw StoreError(reason, .open)
    }
  }

  /// A snapshot that got its name was whole by then: what is wrong with it is damage.
  ///
  /// Nothing is lost if the generation before it is still there and its own journal has no change.
  private func judgeSnapshot(
    _ damage: StoreDamage,
    _ file: StoreFile,
    isLast: Bool
  ) throws(StoreError) {
    let journal = StoreFile.journal(file.generation).name
    let scan = JournalScan(try contents(journal), file: journal)
    if isLast || !scan.changes.isEmpty || scan.tail != .none {
      try judge(damage, [file.name, journal])
    } else {
      report.damage.append(damage)
      report.state = .damaged
      if health == .ok { try quarantine(file.name) }
    }
  }

  private func loadJournal(of snapshot: SnapshotScan) throws(StoreError) {
    let header = snapshot.header
    generation = header.generation
    attempted = generation
    report.generation = generation
    sequence = header.sequence
    legacy = (header.legacyCount, header.legacyChecksum)
    table.reserveCapacity(snapshot.items.count)
    for item in snapshot.items {
      table.put(item.id, StoredItem(version: item.version, payload: item.payload))
    }
    let name = StoreFile.journal(generation).name
    let bytes = try contents(name)
    var scan = JournalScan(bytes, file: name)
    if scan.tail == .none || scan.header != nil,
      scan.header?.generation != generation || scan.header?.sequence != sequence
    {
      scan.refuse(StoreDamage(file: name, offset: 0, explanation: "it is not of this generation"))
    }
    for (index, change) in scan.changes.enumerated() {
      guard table.takes(change.operations) else {
        scan.refuse(
          StoreDamage(file: name, offset: scan.end, explanation: "change \(index) has no item")
        )
        break
      }
      for operation in change.operations { _ = table.apply(operation, version: change.sequence) }
      sequence = change.sequence
    }
    if report.state != .damaged { report.state = scan.isClosed ? .closed : .interrupted }
    let isSettled = try settle(scan, bytes, name)
    let isMigrated = try migrate(from: header.schema)
    // Once for both: a snapshot of the new schema must not hold items of the old one.
    if health == .ok, isMigrated || !isSettled { try compact() }
  }

  /// Opens the journal for what comes next, after its end was judged; false if it is damaged, and
  /// the store has to be rewritten.
  ///
  ///     end of the journal    what is done                                         report
  ///     closed                opened                                               closed
  ///     whole                 opened, and synchronised from level `data` on        interrupted
  ///     torn                  quarantined, cut off, a frame behind                 torn
  ///     damaged               the policy decides; salvage writes new files         damaged
  ///
  /// A journal that another process appended to and did not synchronise is synchronised here, before
  /// a caller sees anything of it: what is shown must survive what comes.
  private func settle(
    _ scan: JournalScan,
    _ bytes: [UInt8],
    _ name: String
  ) throws(StoreError) -> Bool {
    checksum = scan.checksum
    journalSize = scan.end
    roomEnd = bytes.count
    synced = scan.synced
    compactionSize = max(options.compactionFloor, snapshotSize)
    switch scan.tail {
    case .none: break
    case .torn(let count):
      report.truncatedByteCount = count
      if report.state != .damaged { report.state = .torn }
    case .damaged(let damage):
      try judge(damage, [StoreFile.snapshot(generation).name, name])
      return false
    }
    guard health == .ok, let folder else { return true }
    if case .torn(let count) = scan.tail {
      try quarantine(Array(bytes[scan.end..<(scan.end + count)]), "\(name).from-\(scan.end)")
    }
    journal = try opening { () throws(FileError) in
      try files.opened(name, in: folder, .update)
    }
    isUnsynced = !scan.isClosed
    try writeAgain(bytes, scan)
    if case .torn = scan.tail {
      try cut()
    } else if options.durability >= .data, !scan.isClosed {
      // What is shown from here on survives, also what another process wrote and did not synchronise.
      try settleJournal(.data)
    }
    return true
  }

  /// Writes once more what is not known to be synchronised, so that the next synchronisation makes it sure.
  ///
  /// If one failed in the process that wrote it, the system has given the bytes up, and still shows them: another one
  /// succeeds and does nothing. Frames that are synchronised behind them would have a gap before them after a loss of
  /// power, which counts as damage.
  private func writeAgain(_ bytes: [UInt8], _ scan: JournalScan) throws(StoreError) {
    guard let journal else { return }
    let rest = Array(bytes[scan.syncedEnd..<scan.end])
    try opening { () throws(FileError) in
      try files.writeAll(rest, to: journal, at: scan.syncedEnd)
    }
  }

  /// Cuts the journal's torn end off, so that no later crash brings it back: the frame behind the cut makes
  /// every frame after it differ from those that were there.
  private func cut() throws(StoreError) {
    guard let journal else { return }
    try opening { () throws(FileError) in
      try files.cut(journal, to: journalSize)
      roomEnd = journalSize
      // First of all what is kept becomes sure, and only then a frame says so.
      try files.settle(journal, depth)
      var bytes: [UInt8] = []
      checksum = Frame.append(
        .cut,
        sequence: sequence,
        synced: sequence,
        previous: checksum,
        to: &bytes
      )
      try files.writeAll(bytes, to: journal, at: journalSize)
      try files.settle(journal, depth)
      journalSize += bytes.count
    }
    isUnsynced = false
    synced = sequence
  }

  /// Brings all items over from an older schema in memory, or none; false if there is nothing to be
  /// rewritten.
  ///
  /// The files are those of the old schema until the caller has compacted: interrupted before, the
  /// next opening begins with the same bytes. Items keep the numbers of their changes.
  func migrate(from schema: UInt32) throws(StoreError) -> Bool {
    guard schema < options.schema else { return false }
    // The files say one schema for all items: from here on new ones are of this one.
    guard let migrate = options.migrate else { return true }
    var migrated = OrderedTable<StoredItem>()
    migrated.reserveCapacity(table.count)
    for entry in table.entries {
      do {
        let payload = try migrate(schema, entry.id.text, entry.value.payload)
        migrated.put(entry.id, StoredItem(version: entry.value.version, payload: payload))
      } catch {
        let reason = StoreError.Reason.migrationFailed(
          id: entry.id.text,
          explanation: "\(error)"
        )
        throw StoreError(reason, .open)
      }
    }
    table = migrated
    report.migratedFrom = schema
    return true
  }

  /// Makes sure that the store's folder and its files have their names, before older files are removed and anything
  /// is acknowledged.
  ///
  /// A process that ended while it made the store, or a new generation, may not have come to that. One that has
  /// closed the journal had.
  ///
  ///     snapshot.2 has its name, and the process ends      sure: snapshot.1 journal.1 journal.2
  ///     opened, and snapshot.1 removed                     a loss of power could leave neither snapshot
  private func settleNames() throws(StoreError) {
    guard let directory, let folder else { return }
    try opening { () throws(FileError) in
      try files.settle(folder: directory)
      try files.settle(folder: folder)
    }
  }

  /// Removes what an interruption has left of other generations; names that no store gives are left
  /// alone.
  private func removeOthers() throws(StoreError) {
    guard let folder else { return }
    let names = try opening { () throws(FileError) in try files.names(in: folder) }
    let others = names.compactMap { StoreFile($0) }.filter { file in
      file.generation != generation || file == .partial(file.generation)
    }
    guard !others.isEmpty else { return }
    try opening { () throws(FileError) in
      for file in others {
        try files.uninterrupted { () throws(FileError) in
          try files.remove(file.name, in: folder)
        }
      }
      try files.settle(folder: folder)
    }
  }
}

extension JournalScan {
  /// Damage that its frames alone do not show.
  mutating func refuse(_ damage: StoreDamage) { setTail(.damaged(damage)) }
}
