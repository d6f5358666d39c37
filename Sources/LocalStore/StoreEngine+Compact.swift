import FileSystems

extension StoreEngine {
  /// Compacts if the journal has outgrown its snapshot; a failure is noted, and the store goes on.
  ///
  /// Due when the journal is larger than the snapshot it follows (and than `compactionFloor`). So a
  /// snapshot of `n` bytes is written only after more than as many bytes of journal as the one
  /// before had, and the sum of all snapshots is a small multiple of what was appended.
  func compactIfDue() {
    guard journalSize > compactionSize else { return }
    do {
      try compact()
    } catch {
      compactionFailure = error
      // Not again with every change: when there is as much again to be gained.
      compactionSize = journalSize * 2
    }
  }

  /// Rewrites the state and starts an empty journal; ends a failure of synchronising as well.
  ///
  /// The order makes the renaming of the snapshot the one moment of change: before it the old files
  /// count, from it on the new ones, which are synchronised by then.
  ///
  ///     interrupted when                files of 1 and 2 then                      opened next
  ///     the partial is written          snapshot.1 journal.1 snapshot.2.tmp        1
  ///     the journal has its name        ... snapshot.2.tmp journal.2               1
  ///     the snapshot is renamed         snapshot.1 journal.1 snapshot.2 journal.2  2
  ///     but the name is lost again      ... snapshot.2.tmp journal.2               1
  ///     the old ones are removed        snapshot.2 journal.2                       2
  ///
  /// Either opening shows the same items: nothing is acknowledged in between. Each removes what the
  /// other generation has left.
  ///
  /// - Throws: With the state `old`, the old files are in use. Otherwise the store has failed.
  package func compact() throws(StoreError) {
    if case .failed = health, journal != nil {} else { try requireWritable(.compact) }
    // Never the number of an attempt whose snapshot may have got its name.
    let next = max(generation, attempted) + 1
    let made = try writeGeneration(next)
    let old = generation..<next
    if let journal { files.close(journal) }
    use(next, made)
    compactionFailure = nil
    health = .ok
    // What is left of the old generation is removed by the next opening at the latest.
    for number in old { try? removeGeneration(number) }
  }

  /// What a new generation consists of: both files are synchronised, the journal is open and has
  /// its first frame.
  struct Generation {
    var journal: Descriptor
    var journalSize: Int
    var snapshotSize: Int
    var checksum: UInt32
  }

  /// From now on a generation that was written counts; everything so far is synchronised in it.
  func use(_ number: UInt64, _ made: Generation) {
    generation = number
    journal = made.journal
    journalSize = made.journalSize
    roomEnd = made.journalSize
    snapshotSize = made.snapshotSize
    checksum = made.checksum
    synced = sequence
    unwritten = []
    isBehind = false
    isUnsynced = false
    report.generation = number
    compactionSize = max(options.compactionFloor, snapshotSize)
  }

  /// Writes a snapshot of the state and an empty journal.
  ///
  /// The order of calls, where each arrow waits for the one before:
  ///
  ///     partial: write, synchronise -> journal: write, synchronise -> folder: synchronise
  ///     -> rename partial to snapshot -> folder: synchronise
  ///
  /// - Throws: With the state `unknown` from the renaming on, and the store has failed; before it with `old`.
  func writeGeneration(_ number: UInt64) throws(StoreError) -> Generation {
    guard let folder else { throw StoreError(.closed, .compact) }
    guard number < StoreHeader.numberLimit else {
      throw StoreError(.failed(explanation: "no number is left for a generation"), .compact)
    }
    let partial = StoreFile.partial(number).name
    let journalName = StoreFile.journal(number).name
    do {
      let snapshotSize = try writeSnapshot(partial, number)
      var bytes: [UInt8] = []
      let header = StoreHeader(schema: options.schema, generation: number, sequence: sequence)
      let checksum = Frame.append(
        .journal,
        sequence: sequence,
        synced: sequence,
        previous: 0,
        to: &bytes
      ) { header.append(to: &$0) }
      try files.make(journalName, in: folder, mode: options.fileMode, bytes, depth)
      // The journal has a name before the snapshot gets its own: there is no snapshot without one.
      try files.settle(folder: folder)
      let journal = try files.opened(journalName, in: folder, .update)
      attempted = number
      do {
        try rename(partial, number, in: folder)
      } catch {
        files.close(journal)
        throw error
      }
      return Generation(
        journal: journal,
        journalSize: bytes.count,
        snapshotSize: snapshotSize,
        checksum: checksum
      )
    } catch let error as FileError {
      // They stand for nothing; the next opening removes what stays.
      try? files.remove(partial, in: folder)
      try? files.remove(journalName, in: folder)
      throw StoreError(error, .compact)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed(explanation: "\(error)"), .compact, .unknown)
    }
  }

  /// Gives the snapshot its name, for good.
  private func rename(_ partial: String, _ number: UInt64, in folder: Descriptor) throws {
    let name = StoreFile.snapshot(number).name
    do {
      try files.uninterrupted { () throws(FileError) in
        try files.rename(partial, in: folder, to: name, in: folder)
      }
    } catch {
      // A renaming that was refused may have come about. Then the next opening takes the new snapshot, whose journal
      // must stay, and nothing may be acknowledged in the old one.
      guard mayBePresent(name, in: folder) else { throw error }
      fail("the snapshot may have got its name")
      throw StoreError(error, .compact, .unknown)
    }
    do {
      try files.settle(folder: folder)
    } catch {
      // Whether the name will be there after a loss of power is open, and either generation is right now:
      // nothing may be acknowledged in one of them.
      fail("the folder could not be synchronised")
      throw StoreError(error, .compact, .unknown)
    }
  }

  /// Whether a name stands for something; true if that cannot be found out.
  private func mayBePresent(_ name: String, in folder: Descriptor) -> Bool {
    do {
      return try files.status(of: name, in: folder) != nil
    } catch {
      return true
    }
  }

  /// Bytes that are collected before they are written.
  ///
  /// 1 MiB: what is collected and not written takes at most this and one item. One write for each
  /// item would be a call for some hundred bytes.
  private static let pieceSize = 1 << 20

  /// Writes the state as frames: header, one for each item in their order, and a footer that counts
  /// them.
  ///
  /// - Returns: Its size in bytes; the file is synchronised.
  private func writeSnapshot(_ name: String, _ number: UInt64) throws(FileError) -> Int {
    guard let folder else { throw FileError(.open, name, .notFound) }
    let file = try files.opened(name, in: folder, .create(mode: options.fileMode))
    defer { files.close(file) }
    try files.cut(file, to: 0)
    var header = StoreHeader(schema: options.schema, generation: number, sequence: sequence)
    header.itemCount = UInt64(table.count)
    header.legacyCount = legacy.count
    header.legacyChecksum = legacy.checksum
    var size = 0
    var bytes: [UInt8] = []
    var last: UInt32 = 0
    func frame(_ kind: Frame.Kind, _ body: (inout [UInt8]) -> Void) {
      last = Frame.append(
        kind,
        sequence: sequence,
        synced: sequence,
        previous: last,
        to: &bytes,
        body
      )
    }
    frame(.snapshot) { header.append(to: &$0) }
    for entry in table.entries {
      var operation = StoreOperation(.put, entry.id, entry.value.payload)
      operation.version = entry.value.version
      frame(.item) { operation.append(to: &$0) }
      if bytes.count >= Self.pieceSize {
        try files.writeAll(bytes, to: file, at: size)
        size += bytes.count
        bytes.removeAll(keepingCapacity: true)
      }
    }
    frame(.footer) { $0.append(littleEndian: UInt64(table.count)) }
    try files.writeAll(bytes, to: file, at: size)
    size += bytes.count
    try files.settle(file, depth)
    return size
  }

  /// Removes a snapshot first, then its journal: one without a snapshot stands for nothing, one
  /// without a journal would be damaged.
  func removeGeneration(_ number: UInt64) throws(FileError) {
    guard let folder else { return }
    for name in [StoreFile.snapshot(number).name, StoreFile.journal(number).name] {
      do {
        try files.remove(name, in: folder)
      } catch  where error.cause == .notFound {
        continue
      }
    }
    try files.settle(folder: folder)
  }
}
