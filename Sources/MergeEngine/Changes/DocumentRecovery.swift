/// What can be saved of a damaged file: its good chunks, and of each the good changes.
///
///     file      [document] ...bytes of nothing... [change] [change, damaged] [change]
///     kept       yes                                yes                       yes, or it waits
///     lost                 a range with its reason          a range
///
/// In bytes, with the change of `ChangeEncoder`'s example behind 7 bytes that are none of a chunk, as
/// they are after a write that broke off:
///
///     offset 0   85 6f 4a 83 20 18 49                         lost: read on, its type would be 6f
///            7   85 6f 4a 83 20 18 49 3f 01 29 00 02 ab ...   kept, 51 bytes
///
/// Nothing is believed that hashes do not prove: a chunk whose checksum is wrong is lost, but for a
/// document chunk whose changes, once rebuilt, have the heads that it states. A chunk begins where its
/// first four bytes stand, so that a damaged length costs no chunk behind it.
package struct DocumentRecovery {
  /// A part of the file that was not kept.
  package struct Loss: Hashable, Sendable {
    /// In bytes from the start of the file.
    package let range: Range<Int>
    package let reason: ChunkError.Reason
  }

  /// All that was good; changes whose dependencies were lost wait in it.
  package let document: MergeDocument
  /// What was not kept, in the order of the file.
  package private(set) var losses: [Loss] = []
  /// Chunks that were kept.
  package private(set) var chunkCount = 0

  /// Whether all of the file was kept, and nothing in it waits.
  package var isWhole: Bool {
    losses.isEmpty && document.waitingCount == 0 && document.droppedChangeCount == 0
  }

  /// Bytes that may still be hashed for chunks that turn out bad: each may claim the rest of the file.
  private var patience: Int
  /// Steps of work that may still be done, for good chunks and bad ones: at first twice what one call may
  /// take, so that a file which one call would load is kept whatever else of that cost is in it.
  private var workLeft: Int
  /// What one call with all of the file may take.
  private let workLimit: Int
  private let limits: DocumentLimits

  /// Reads a file as far as it is good.
  ///
  /// Cost: at most twice the work that a call with all of the file may take, and for what is bad
  /// ``Limits/recoveryBytesPerByteLimit`` times its bytes.
  package init(
    _ bytes: [UInt8],
    actor: ActorID,
    limits: DocumentLimits = DocumentLimits()
  ) {
    self.limits = limits
    document = MergeDocument(actor: actor, limits: limits)
    patience = bytes.count * Limits.recoveryBytesPerByteLimit + 1 << 20
    workLimit = limits.workLimit(forByteCount: bytes.count)
    workLeft = workLimit.multipliedClamped(by: 2)
    var start = 0
    while start < bytes.count {
      do throws(ChunkError) {
        start = try keepChunk(of: bytes, at: start)
        chunkCount += 1
      } catch {
        let end = Self.nextChunk(in: bytes, after: start)
        lose(start..<end, error.reason)
        start = end
      }
    }
  }

  /// The start of the next chunk behind `start`; the end of the file if there is none.
  ///
  /// Cost: a step for each byte in front of it.
  private static func nextChunk(in bytes: [UInt8], after start: Int) -> Int {
    var at = start + 1
    while at + ChunkFrame.magic.count <= bytes.count {
      if bytes[at...].starts(with: ChunkFrame.magic) { return at }
      at += 1
    }
    return bytes.count
  }

  /// Notes a loss, as one with the loss in front of it.
  private mutating func lose(_ range: Range<Int>, _ reason: ChunkError.Reason) {
    if let last = losses.last, last.range.upperBound == range.lowerBound {
      let whole = last.range.lowerBound..<range.upperBound
      losses[losses.count - 1] = Loss(range: whole, reason: last.reason)
    } else {
      losses.append(Loss(range: range, reason: reason))
    }
  }

  /// Takes the chunk at `start` in; returns where the next one begins.
  ///
  /// A chunk is taken in alone, by the calls that any input goes through: a bad change refuses its
  /// chunk and nothing else. A document whose heads are all here is not
  /// read: it brings nothing.
  private mutating func keepChunk(of bytes: [UInt8], at start: Int) throws(ChunkError) -> Int {
    let (end, type) = try Self.frame(of: bytes, at: start)
    guard end - start <= patience else {
      throw ChunkError(.limitExceeded(.recoveryBytesPerByteLimit), offset: start, section: ["file"])
    }
    // What its bytes cost at least is counted late.
    guard workLeft / 2 > WorkMeter.row * (end - start) + WorkMeter.change else {
      throw ChunkError(.limitExceeded(.workPerByteLimit), offset: start, section: ["file"])
    }
    let chunk = Array(bytes[start..<end])
    if type == ChunkFrame.document && document.core.knowsDocument(chunk) { return end }
    do throws(ChunkError) {
      try take(chunk)
    } catch {
      patience -= chunk.count
      guard error.reason == .checksumMismatch, type == ChunkFrame.document else { throw error }
      // Its heads are a better proof than its checksum.
      try take(Self.sealed(chunk))
    }
    return end
  }

  /// Takes a chunk in, and counts what it cost.
  ///
  /// It may cost as much as a call with all of the file, and half of what is left, since what is refused late is
  /// taken back for as much again.
  private mutating func take(_ chunk: [UInt8]) throws(ChunkError) {
    let before = document.workDone
    let allowed = min(workLimit, workLeft / 2)
    document.limits.freeWorkLimit = allowed
    document.limits.workPerByteLimit = 0
    document.core.meter.ceiling = before.addingClamped(allowed)
    var refusal: ChunkError?
    do throws(ChunkError) { try document.loadIncremental(chunk) } catch { refusal = error }
    // The document may have another meter by now.
    document.core.meter.ceiling = .max
    document.limits = limits
    var spent = document.workDone - before
    // It would have cost more, and what could not be counted any more may have been done.
    if refusal?.reason == .limitExceeded(.workPerByteLimit) { spent = max(spent, allowed) }
    workLeft -= min(spent, workLeft)
    if let refusal { throw refusal }
  }

  /// Where a chunk ends by its own length, and its type; an error if that is beyond the file.
  private static func frame(
    of bytes: [UInt8],
    at start: Int
  ) throws(ChunkError) -> (end: Int, type: UInt8) {
    try withView(of: bytes) { (view) throws(ChunkError) in
      do throws(Fault) {
        var cursor = ByteCursor(view)
        cursor.offset = start
        let frame = try ChunkFrame(&cursor)
        return (frame.end, frame.type)
      } catch {
        throw error.error(base: 0, in: ["chunk"])
      }
    }
  }

  /// The same chunk with the checksum that its bytes have.
  private static func sealed(_ chunk: [UInt8]) -> [UInt8] {
    let hashed = ChunkFrame.typeOffset
    let hash = withView(of: chunk) { digest(of: $0.part(from: hashed, length: $0.count - hashed)) }
    let (first, second, third, fourth) = hash.checksum
    return ChunkFrame.magic + [first, second, third, fourth] + chunk[hashed...]
  }
}
