/// Looks for whole frames where it is not known where one begins.
///
/// Frames begin at multiples of 8, as each is padded to one. A length that a header claims is charged to a budget
/// before its checksum is computed: a file that is made to look like frames everywhere must not take time in the
/// square of its size.
struct FrameSearch {
  /// Bytes that are read again at most, for each byte of what is searched.
  private static let rereadLimit = 64

  private let bytes: [UInt8]
  private var budget: Int

  /// `start`: Where the search begins.
  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    budget = (bytes.count - start) * Self.rereadLimit
  }

  /// Whether nothing more is read.
  var isExhausted: Bool { budget < 0 }

  /// The whole frame at an offset; `nil` if there is none, or the budget has ended.
  mutating func frame(at offset: Int) -> Frame? {
    guard let claimed = claimedEnd(at: offset) else { return nil }
    budget -= min(claimed, bytes.count) - offset
    return isExhausted ? nil : Frame(bytes, at: offset)
  }

  /// Where a frame would end whose header stands at an offset, by what the header says; `nil` without a header.
  func claimedEnd(at offset: Int) -> Int? {
    guard bytes.count - offset >= Frame.headerSize,
      UInt32(littleEndian: bytes, at: offset) == Frame.magic
    else { return nil }
    return offset + Frame.size(ofPayload: Int(UInt32(littleEndian: bytes, at: offset + 12)))
  }
}

/// What is whole of a damaged snapshot.
///
/// Each item is a frame with a checksum of its own, so that a wrong byte takes one item and not all. Behind a frame that
/// is not whole the search goes on where its header says that it ends, if the frame there names it; otherwise at
/// the next offset at which there is one: bytes of an item that look like a frame are one for the search only if the
/// header in front of them is damaged.
///
/// `corpus/store/snapshot.bin` with a wrong byte at 180, in the second item: the header at 0, the item at 96; the frame
/// at 168 claims to end at 256, where the footer names its checksum. One item of two is left.
struct SnapshotRest {
  /// `nil` if it is damaged.
  private(set) var header: StoreHeader?
  /// Items in their order, with the sequence that their frames have.
  private(set) var items: [(sequence: UInt64, item: StoreOperation)] = []

  init(_ bytes: [UInt8]) {
    var search = FrameSearch(bytes, from: 0)
    var offset = 0
    while offset < bytes.count, !search.isExhausted {
      guard let frame = search.frame(at: offset) else {
        offset = Self.next(after: offset, bytes, &search)
        continue
      }
      take(frame, bytes, at: offset)
      offset = frame.end
    }
  }

  private static func next(after offset: Int, _ bytes: [UInt8], _ search: inout FrameSearch) -> Int
  {
    guard let end = search.claimedEnd(at: offset), let follower = search.frame(at: end),
      follower.previous == UInt32(littleEndian: bytes, at: offset + 4)
    else { return offset + 8 }
    return end
  }

  private mutating func take(_ frame: Frame, _ bytes: [UInt8], at offset: Int) {
    switch frame.kind {
    case .snapshot where offset == 0: header = StoreHeader(bytes, in: frame.payload)
    case .item:
      guard let read = StoreOperation.read(bytes, in: frame.payload), let item = read.first,
        read.count == 1, item.kind == .put
      else { return }
      items.append((frame.sequence, item))
    default: break
    }
  }
}
