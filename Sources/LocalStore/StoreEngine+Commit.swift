import FileSystems

extension StoreEngine {
  /// Carries changes out, all or none: each is whole, and gets a sequence of its own.
  ///
  /// They are appended together, and synchronised once.
  ///
  ///     level       `unwritten`        journal                      `synced`
  ///     memory      their frames more  as it was                    as it was
  ///     process     empty              all of those, in one write   as it was
  ///     data, full  empty              all of those, in one write   their last sequence
  ///
  /// Everything is checked before the first frame is appended: sizes, numbers, that what is appended to is there,
  /// the growth of items.
  ///
  /// - Returns: The sequence of the first; the others follow.
  /// - Throws: With the state `old`, nothing has changed in memory or on the disk. With `unknown`, the store
  ///   has failed: nothing has changed in memory, and opening it again finds all, some first ones or none.
  package func commit(
    _ changes: [[StoreOperation]],
    _ durability: StoreDurability
  ) throws(StoreError) -> UInt64 {
    try requireWritable(.append)
    let first = sequence + 1
    guard !changes.isEmpty else { return first }
    note(durability)
    if isBehind, durability != .memory { try compact() }
    guard UInt64(changes.count) < StoreHeader.numberLimit - sequence else {
      throw StoreError(.failed(explanation: "no number is left for a change"), .append)
    }
    try checkGrowth(changes)
    var frames: [UInt8] = []
    var last = checksum
    for (index, change) in changes.enumerated() {
      try options.check(change)
      last = Frame.append(
        .change,
        sequence: first + UInt64(index),
        synced: synced,
        previous: last,
        to: &frames
      ) { bytes in
        for operation in change { operation.append(to: &bytes) }
      }
    }
    if durability == .memory {
      unwritten += frames
      isBehind = isBehind || unwritten.count > compactionSize
      if isBehind { unwritten = [] }
    } else {
      try append(frames)
      if durability >= .data { try synchronize(upTo: first + UInt64(changes.count) - 1) }
    }
    // Only now does memory follow: what is read was written.
    checksum = last
    for change in changes {
      sequence += 1
      for operation in change { _ = table.apply(operation, version: sequence) }
    }
    if durability != .memory { compactIfDue() }
    return first
  }

  /// Writes what was not written, and frames behind it.
  ///
  /// A refused write leaves the journal as it was, also after a crash: whole frames of it may lie in the file,
  /// and would be found. If that cannot be had, the store has failed.
  private func append(_ frames: [UInt8]) throws(StoreError) {
    guard let journal else { throw StoreError(.closed, .append) }
    let bytes = unwritten.isEmpty ? frames : unwritten + frames
    guard !bytes.isEmpty else { return }
    do {
      try files.writeAll(bytes, to: journal, at: journalSize)
    } catch {
      do {
        let size = journalSize
        roomEnd = size
        try files.cut(journal, to: size)
        try files.settle(journal, depth)
      } catch {
        fail("the end of the journal could not be removed")
        throw StoreError(error, .append, .unknown)
      }
      throw StoreError(error, .append)
    }
    journalSize += bytes.count
    unwritten = []
    isUnsynced = true
  }

  /// Synchronises the journal.
  ///
  /// A failure is final: the system may have given the bytes up, and a second call that succeeds
  /// says nothing of them. Only new files, written from memory, end it (``compact()``).
  private func synchronize(upTo sequence: UInt64) throws(StoreError) {
    guard let journal else { throw StoreError(.closed, .synchronize) }
    makeRoom(in: journal)
    do {
      try files.settle(journal, depth)
    } catch {
      fail("the journal could not be synchronised")
      throw StoreError(error, .synchronize, .unknown)
    }
    isUnsynced = false
    synced = sequence
  }

  /// Writes zeros behind a journal that has outgrown its room, to be synchronised with its last frames.
  ///
  /// A frame written over zeros changes neither the file's size nor where its bytes lie, so that its synchronisation
  /// writes the bytes alone: a save takes two thirds of the time (ext4; the figure stands in Benchmarks.md). Zeros
  /// are no frame, so that nothing depends on them: a disk without room for them keeps none.
  private func makeRoom(in journal: Descriptor) {
    guard journalSize > roomEnd else { return }
    let zeros = [UInt8](repeating: 0, count: options.journalRoom)
    try? files.writeAll(zeros, to: journal, at: journalSize)
    roomEnd = journalSize + zeros.count
  }

  /// Refuses what appends to an item that is not there, or makes one larger than an item or a frame may be.
  ///
  /// The next opening would take the first for damage; a snapshot could not hold the second.
  ///
  /// The table follows behind all changes of a call, so that what they have made of an item so far is counted here.
  private func checkGrowth(_ changes: [[StoreOperation]]) throws(StoreError) {
    guard changes.contains(where: { $0.contains { $0.kind == .append } }) else { return }
    let limit = min(options.batchLimit, Frame.payloadLimit)
    // An inner `nil` for an item that one of the changes has deleted.
    var sizes: [ItemID: Int?] = [:]
    for operation in changes.joined() {
      let id = operation.id
      guard operation.kind == .append else {
        sizes[id] = .some(operation.kind == .delete ? nil : operation.payload.count)
        continue
      }
      guard let known = sizes[id] ?? table[id]?.payload.count else {
        let words = "there is no item to append to"
        throw StoreError(.updateRefused(id: id.text, explanation: words), .evaluate)
      }
      let payload = known + operation.payload.count
      sizes[id] = .some(payload)
      guard payload <= options.itemLimit else {
        throw StoreError(.tooLarge(size: payload, limit: options.itemLimit), .evaluate)
      }
      let grown = operation.size + known
      guard grown <= limit else {
        throw StoreError(.tooLarge(size: grown, limit: limit), .evaluate)
      }
    }
  }

  func fail(_ words: String) { health = .failed(words) }

  /// Makes every change so far survive what the level covers.
  package func flush(_ durability: StoreDurability) throws(StoreError) {
    try requireWritable(.append)
    guard durability > .memory else { return }
    note(durability)
    if isBehind { return try compact() }
    try settleJournal(durability)
    compactIfDue()
  }

  /// As ``flush(_:)``, in the files that are there.
  func settleJournal(_ durability: StoreDurability) throws(StoreError) {
    try append([])
    if durability >= .data, isUnsynced { try synchronize(upTo: sequence) }
  }

  /// Writes and synchronises what is left, notes that the journal ends here, and gives the lock up.
  ///
  /// Whatever is refused on the way, the store is closed afterwards. A note that is missing costs
  /// the next opening a synchronisation, and says there `interrupted` for `closed`.
  package func close() throws(StoreError) {
    guard health != .closed else { return }
    defer {
      closeDescriptors()
      health = .closed
    }
    guard health == .ok else { return }
    var frame: [UInt8] = []
    try flush(.data)
    checksum = Frame.append(
      .end,
      sequence: sequence,
      synced: sequence,
      previous: checksum,
      to: &frame
    )
    do {
      try append(frame)
      // A closed journal ends with its last frame. Zeros behind it would do no harm.
      if let journal, roomEnd > journalSize { try? files.cut(journal, to: journalSize) }
      roomEnd = max(roomEnd, journalSize)
      try synchronize(upTo: sequence)
    } catch {
      // Everything is synchronised but the note.
      throw StoreError(error.reason, .close, .old)
    }
  }
}

extension StoreOptions {
  /// Refuses a change that is larger than allowed.
  func check(_ change: [StoreOperation]) throws(StoreError) {
    var size = 0
    for operation in change {
      size += operation.size
      guard operation.payload.count <= itemLimit else {
        throw StoreError(.tooLarge(size: operation.payload.count, limit: itemLimit), .evaluate)
      }
    }
    let limit = min(batchLimit, Frame.payloadLimit)
    guard size <= limit else { throw StoreError(.tooLarge(size: size, limit: limit), .evaluate) }
  }
}
