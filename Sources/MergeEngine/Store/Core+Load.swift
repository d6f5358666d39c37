/// Loading files and incremental bytes.
///
/// Strict: any damage refuses all of the input, and the document stays as it was. (The real core
/// swallows damage behind a good chunk of an incremental load.)
extension Core {
  /// Reads a file: chunks directly after one another.
  ///
  /// No bytes are the empty document.
  ///
  /// Without a document chunk in front, no change may wait for a dependency. Behind one, a change that waits
  /// and turns out bad is dropped: a document saves what waits, and later saves bring what it waited for.
  ///
  /// The core must be empty. What it is after an error is not defined: callers load into a fresh
  /// one and take its place.
  ///
  ///     no bytes                     the empty document
  ///     document                     read in place, and proven by its heads
  ///     document, changes            the same, then the changes; some may wait
  ///     changes                      all find their dependencies among them, in any order
  mutating func load(_ bytes: ByteView) throws(ChunkError) {
    if bytes.count == 0 { return }
    let startsWithDocument = try take(bytes, intoEmpty: true)
    if !startsWithDocument && !history.waiting.isEmpty {
      throw ChunkError(.missingDependencies, offset: 0, section: ["file"])
    }
    history.savedCount = history.count
  }

  /// A change that a call brings, until all of its bytes are read.
  ///
  /// A place and not a view: the arena of unpacked changes may move while it grows.
  private struct PendingChange {
    var hash: ChangeHash
    /// Where the plain chunk stands, in bytes: in the input, or among what was unpacked.
    var start: Int
    var length: Int
    var isUnpacked = false
    /// Whether it was written again from a document that was read, and so needs no check of its form.
    var isRebuilt = false
    /// Where its chunk stands in the input, in bytes.
    var offset: Int
  }

  /// Reads chunks into this document; missing dependencies wait.
  ///
  /// Returns whether the first chunk was a document which went into an empty core.
  ///
  ///     file     [document] [change] [compressed change] [document]
  ///     first    read into this core, if it is empty and `intoEmpty`
  ///     others   as plain change chunks: as they are, inflated, or rebuilt from the document
  ///     then     all of them in one call of `receive`, which applies all or none
  @discardableResult
  mutating func take(_ bytes: ByteView, intoEmpty: Bool) throws(ChunkError) -> Bool {
    meter.begin(left: limits.workLimit(forByteCount: bytes.count))
    memoryCeiling = byteCount.addingClamped(limits.memoryLimit(forByteCount: bytes.count))
    defer {
      meter.end()
      memoryCeiling = .max
    }
    // Plain chunks of inflated and rebuilt changes, which `changes` borrow from.
    var unpacked = Arena<UInt8>()
    var pending: [PendingChange] = []
    var startsWithDocument = false
    var cursor = ByteCursor(bytes)
    // What the call may still inflate; a document's part of it is given back when it is read.
    let inflatable = min(max(limits.inflatedByteLimit, 0), Limits.inflatedByteLimit)
    var inflatedCount = 0
    while !cursor.isAtEnd {
      let start = cursor.offset
      do throws(Fault) {
        let frame = try ChunkFrame(&cursor)
        switch frame.type {
        case ChunkFrame.change:
          let hash = try frame.hash(bytes)
          pending.append(
            PendingChange(hash: hash, start: start, length: frame.end - start, offset: start)
          )
        case ChunkFrame.compressed:
          let place = unpacked.count
          let hash = try inflate(frame, bytes, limit: inflatable - inflatedCount, into: &unpacked)
          inflatedCount += unpacked.count - place
          pending.append(
            PendingChange(
              hash: hash,
              start: place,
              length: unpacked.count - place,
              isUnpacked: true,
              offset: start
            )
          )
        default:
          _ = try frame.hash(bytes)
          let content = bytes.part(
            from: frame.contentStart,
            length: frame.end - frame.contentStart
          )
          if start == 0 && intoEmpty {
            do throws(Fault) {
              var reader = DocumentReader(inflatedByteLimit: inflatable - inflatedCount)
              try reader.read(content, into: &self)
              inflatedCount += reader.inflatedCount
            } catch {
              throw Fault(error.reason, error.offset + frame.contentStart, error.part)
            }
            startsWithDocument = true
          } else {
            inflatedCount += try unpack(
              content,
              frame,
              limit: inflatable - inflatedCount,
              into: &unpacked,
              &pending
            )
          }
        }
      } catch {
        let isHeader = error.part == .header
        throw error.error(base: 0, in: isHeader ? ["chunk"] : ["chunk", "document"])
      }
    }
    if !pending.isEmpty {
      let owned = unpacked.view
      try receive(
        pending.map { entry in
          let view = (entry.isUnpacked ? owned : bytes).part(
            from: entry.start,
            length: entry.length
          )
          return Incoming(
            hash: entry.hash,
            bytes: view,
            contentStart: ChunkFrame.contentStart(of: view),
            offset: entry.offset,
            isChecked: entry.isRebuilt
          )
        },
        isFile: startsWithDocument
      )
    }
    return startsWithDocument
  }

  /// Whether a document chunk has heads that are all here, and its checksum is right.
  ///
  /// Cost: its actors and heads, and where they are known a step for each byte; nothing is rebuilt.
  func knowsDocument(_ chunk: [UInt8]) -> Bool {
    withView(of: chunk) { view in
      do throws(Fault) {
        var cursor = ByteCursor(view)
        let frame = try ChunkFrame(&cursor)
        cursor.offset = frame.contentStart
        for _ in 0..<(try cursor.readLength(.actors)) {
          let length = try cursor.readLength(.actors)
          _ = try cursor.readBytes(length, .actors)
        }
        let headCount = try cursor.readCount(unit: 32, .heads)
        for _ in 0..<headCount where history.find(try cursor.readHash(.heads)) == nil {
          return false
        }
        if headCount > 0 { _ = try frame.hash(view) }
        return headCount > 0
      } catch {
        return false
      }
    }
  }

  /// Appends the plain form of a compressed change; returns its hash.
  ///
  /// The checksum of a compressed chunk is that of the plain one, so that it is compared once the
  /// bytes are inflated.
  private func inflate(
    _ frame: ChunkFrame,
    _ bytes: ByteView,
    limit: Int,
    into output: inout Arena<UInt8>
  ) throws(Fault) -> ChangeHash {
    let packed = bytes.part(from: frame.contentStart, length: frame.end - frame.contentStart)
    let plain = try Deflate.inflate(packed, limit: max(limit, 0), .content)
    meter.add(plain.count * (WorkMeter.inflatedByte + WorkMeter.hashedByte))
    try meter.check(.content)
    let hash = appendChunk(type: ChunkFrame.change, plain.view, to: &output)
    guard hash.checksum == frame.checksum else { throw frame.wrongChecksum }
    return hash
  }

  /// Appends the changes of a document chunk which is not the first of a file; returns how many bytes
  /// were inflated for it.
  ///
  /// The document is read into a core of its own, on what is left of the call's work and memory,
  /// and its changes are then received like those of a document in memory: those known are skipped.
  private func unpack(
    _ content: ByteView,
    _ frame: ChunkFrame,
    limit: Int,
    into output: inout Arena<UInt8>,
    _ pending: inout [PendingChange]
  ) throws(Fault) -> Int {
    var other = emptied()
    other.memoryCeiling =
      memoryCeiling == .max ? .max : max(memoryCeiling - byteCount - output.count, 0)
    var reader = DocumentReader(inflatedByteLimit: limit)
    other.meter.begin(left: meter.left)
    do throws(Fault) {
      try reader.read(content, into: &other)
    } catch {
      meter.add(other.meter.steps)
      throw Fault(error.reason, error.offset + frame.contentStart, error.part)
    }
    meter.add(other.meter.steps)
    other.meter.end()
    other.materializeChunks()
    for change in other.history.changes {
      let record = other.history.records[change]
      let start = output.count
      output.append(
        other.history.chunks,
        from: record.chunkStart,
        length: Int(record.chunkLength)
      )
      pending.append(
        PendingChange(
          hash: other.history.hashes[change],
          start: start,
          length: output.count - start,
          isUnpacked: true,
          isRebuilt: true,
          offset: frame.start
        )
      )
    }
    return reader.inflatedCount
  }
}
