/// The frames of a journal up to the first that is not as it must be, and what that one means.
///
/// A crash leaves unsynchronised bytes in any state; a defect of the disk changes synchronised ones. The two
/// must not be taken for each other: to cut off what a defect hit deletes what was acknowledged. Frames say up
/// to which sequence everything was synchronised when they were written, so with `e` the sequence that comes
/// next, and `S` the highest such number in any whole frame of the rest:
///
/// | at `e` stands | and in the rest | it is |
/// |---|---|---|
/// | the end, or zeros up to it | nothing | whole: zeros are room for frames |
/// | no frame that fits | no whole frame | torn: the last append did not end |
/// | no frame that fits | whole frames, `e > S` | dropped: unsynchronised appends arrived out of order |
/// | no frame that fits | whole frames, `e <= S` | damage to what was synchronised |
///
/// Damage to the last synchronised frame itself looks as a torn end does, and is reported as one; if
/// it leaves zeros alone, as a store that was not closed.
///
/// Source: Alagappan et al., Protocol-Aware Recovery for Consensus-Based Storage, 2018.
///
/// The journal `corpus/store/journal.bin`, 568 bytes of frames and then zeros, frame by frame:
///
///     offset   kind   checksum      previous      sequence   synced   payload
///     0        01     1d d1 87 1c   00 00 00 00   1          1        the header
///     96       02     1e 8a 84 e6   1d d1 87 1c   2          1        put "i1"
///     176      02     59 a1 b8 0b   1e 8a 84 e6   3          2        put "i2"
///     256      02     20 4e 6f df   59 a1 b8 0b   4          3        put "i3"
///     336      02     87 47 af 9f   20 4e 6f df   5          4        put "i4"
///     416      02     e0 3a 3c ee   87 47 af 9f   6          5        append to "i1", delete "i2"
///     504      02     74 93 fc 2a   e0 3a 3c ee   7          5        put "é"
///
/// A bit that is flipped in the frame at 176 leaves `e` at 3 with whole frames behind; their highest
/// `S` is 5: damage. Flipped in the last frame it leaves `e` at 7 and nothing behind: 64
/// bytes are torn. Flipped in the frame at 416 it leaves `e` at 6 and one frame with `S` 5: change
/// 6 was never synchronised, and both are cut off.
struct JournalScan {
  enum Tail: Hashable {
    case none
    /// Bytes to be cut off.
    case torn(Int)
    case damaged(StoreDamage)
  }

  private(set) var changes: [(sequence: UInt64, operations: [StoreOperation], end: Int)] = []
  private(set) var header: StoreHeader?
  /// Number of the newest change.
  private(set) var sequence: UInt64 = 0
  /// Highest sequence known to be synchronised.
  private(set) var synced: UInt64 = 0
  /// Offset behind the last frame that fits.
  private(set) var end = 0
  private(set) var checksum: UInt32 = 0
  /// Whether the last frame says that the journal was closed.
  private(set) var isClosed = false
  private(set) var tail = Tail.none
  private var headerEnd = 0

  /// Offset behind the last change, or the header, that is known to be synchronised.
  var syncedEnd: Int { changes.last { $0.sequence <= synced }?.end ?? headerEnd }

  /// `file`: The file's name, for what is reported.
  init(_ bytes: [UInt8], file: String) {
    guard let first = Frame(bytes, at: 0), first.kind == .journal, first.previous == 0,
      let header = StoreHeader(bytes, in: first.payload)
    else {
      // It was synchronised before its snapshot got its name.
      tail = .damaged(StoreDamage(file: file, offset: 0, explanation: "not the start of a journal"))
      return
    }
    self.header = header
    sequence = header.sequence
    synced = header.sequence
    checksum = first.checksum
    end = first.end
    headerEnd = first.end
    // Zeros at the end are room that no frame has taken, and no part of what is torn.
    let used = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    while end < used {
      guard let frame = Frame(bytes, at: end), accept(frame, bytes) else {
        judgeRest(bytes, used, file)
        return
      }
    }
  }

  /// Takes a frame; false if it does not follow from those before.
  private mutating func accept(_ frame: Frame, _ bytes: [UInt8]) -> Bool {
    guard frame.previous == checksum else { return false }
    switch frame.kind {
    case .change:
      guard frame.sequence == sequence + 1, frame.sequence < StoreHeader.numberLimit,
        let operations = StoreOperation.read(bytes, in: frame.payload)
      else { return false }
      changes.append((frame.sequence, operations, frame.end))
    case .end, .cut:
      guard frame.sequence == sequence, frame.payload.isEmpty else { return false }
    case .journal, .snapshot, .item, .footer: return false
    }
    sequence = frame.sequence
    synced = max(synced, frame.synced)
    checksum = frame.checksum
    isClosed = frame.kind == .end
    end = frame.end
    return true
  }

  mutating func setTail(_ tail: Tail) { self.tail = tail }

  /// Where the search's budget ends the file counts as damaged, since no append that was cut short looks so.
  ///
  /// `used`: Where the zeros at the end begin.
  private mutating func judgeRest(_ bytes: [UInt8], _ used: Int, _ file: String) {
    var search = FrameSearch(bytes, from: end)
    for offset in stride(from: end, to: used, by: 8) {
      let isSynced = search.frame(at: offset).map { $0.synced > sequence } ?? false
      if isSynced || search.isExhausted {
        let explanation = "change \(sequence + 1) was synchronised, and is not here"
        tail = .damaged(StoreDamage(file: file, offset: end, explanation: explanation))
        return
      }
    }
    tail = .torn(min(bytes.count, (used + 7) & ~7) - end)
  }
}

/// A snapshot: the whole state at one sequence.
///
/// `corpus/store/snapshot.bin`, 304 bytes, frame by frame; each names the checksum of the one
/// before:
///
///     offset   kind   checksum      previous      payload
///     0        05     fd f1 85 6f   00 00 00 00   the header: sequence 1, items 2
///     96       06     c4 6a 0e ea   fd f1 85 6f   put "a", version 1, 10 bytes: {"id":"a"}
///     168      06     b3 01 87 cc   c4 6a 0e ea   put "b", version 1, 23 bytes
///     256      07     be 09 01 e2   b3 01 87 cc   02 00 00 00 00 00 00 00: two items
///
/// Nothing of it is taken for a torn end: the items that are counted twice, in front and behind,
/// must all be there, and no byte may follow.
struct SnapshotScan {
  let header: StoreHeader
  let items: [StoreOperation]

  /// Reads a snapshot, which is whole or none: it was synchronised before it got its name.
  init(_ bytes: [UInt8], file: String) throws(StoreDamage) {
    func damage(_ offset: Int, _ words: String) -> StoreDamage {
      StoreDamage(file: file, offset: offset, explanation: words)
    }
    guard var frame = Frame(bytes, at: 0), frame.kind == .snapshot, frame.previous == 0,
      let header = StoreHeader(bytes, in: frame.payload)
    else { throw damage(0, "not the start of a snapshot") }
    self.header = header
    // A later format is refused by what its header says, whatever follows it.
    guard header.reader <= StoreHeader.format else {
      items = []
      return
    }
    var items: [StoreOperation] = []
    items.reserveCapacity(min(Int(clamping: header.itemCount), bytes.count / Frame.headerSize))
    while true {
      let offset = frame.end
      guard let next = Frame(bytes, at: offset), next.previous == frame.checksum else {
        throw damage(offset, "no frame that follows the one before")
      }
      frame = next
      if next.kind == .footer { break }
      guard next.kind == .item, let read = StoreOperation.read(bytes, in: next.payload),
        let item = read.first, read.count == 1, item.kind == .put
      else { throw damage(offset, "not an item") }
      items.append(item)
    }
    guard frame.payload.count == 8,
      UInt64(littleEndian: bytes, at: frame.payload.lowerBound) == items.count,
      header.itemCount == items.count, frame.end == bytes.count
    else { throw damage(frame.end, "\(items.count) items, and \(header.itemCount) were announced") }
    self.items = items
  }
}

extension StoreDamage: Error {}
