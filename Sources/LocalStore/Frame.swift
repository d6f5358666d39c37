import CZlib

/// A checksummed piece of a file of the store; everything in such files is frames.
///
/// All numbers are little-endian. A frame of 3 bytes `a1 a2 a3`, 48 bytes long:
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | `54 53 46 31`, "TSF1" |
/// | 4 | 4 | CRC-32 (zlib's) of everything that follows, up to the end of the padding |
/// | 8 | 1 | kind |
/// | 9 | 3 | zero |
/// | 12 | 4 | bytes of payload: 3 |
/// | 16 | 4 | CRC-32 of the frame before; 0 for the first of a file |
/// | 20 | 4 | zero |
/// | 24 | 8 | sequence: number of the newest change up to and with this frame |
/// | 32 | 8 | highest sequence that was known to survive loss of power when the frame was written |
/// | 40 | 3 | payload: `a1 a2 a3` |
/// | 43 | 5 | zeros up to a multiple of 8 |
///
/// Each frame names the checksum of the one before, so that frames cannot be swapped, left out, or taken
/// over from an earlier life of the file.
///
/// A frame without payload, the last of `corpus/store/journal-closed.bin`:
///
///     54 53 46 31  9b e6 9a 82  03 00 00 00  00 00 00 00      "TSF1", checksum, kind 3: closed
///     74 93 fc 2a  00 00 00 00  07 00 00 00  00 00 00 00      the frame before; sequence 7
///     07 00 00 00  00 00 00 00                                all up to 7 is synchronised
package struct Frame: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable {
    /// First frame of a journal: `StoreHeader`.
    case journal = 1
    /// A change: operations that are carried out together.
    case change = 2
    /// The journal was closed, and everything up to here was synchronised.
    case end = 3
    /// Everything after here was cut off, and everything up to here was synchronised.
    case cut = 4
    /// First frame of a snapshot: `StoreHeader`.
    case snapshot = 5
    /// One item of a snapshot, as an operation.
    case item = 6
    /// Last frame of a snapshot: the number of its items, 8 bytes.
    case footer = 7
  }

  static let headerSize = 40
  static let magic: UInt32 = 0x3146_5354
  /// Bytes of payload at most: what is larger is not read as a length.
  package static let payloadLimit = 256 << 20

  let kind: Kind
  let sequence: UInt64
  let synced: UInt64
  let previous: UInt32
  let checksum: UInt32
  /// Where the payload lies in the file's bytes.
  let payload: Range<Int>
  /// Where the next frame begins.
  let end: Int

  /// Reads the frame at an offset; `nil` if there is no whole one.
  ///
  /// Whole is one with the magic number, a known kind, a payload within the limit and the file, and
  /// the right checksum. The length is compared with what is there before anything is computed over
  /// it. Whether it belongs behind the frame before is for the caller to say.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard bytes.count - offset >= Self.headerSize,
      UInt32(littleEndian: bytes, at: offset) == Self.magic,
      let kind = Kind(rawValue: bytes[offset + 8])
    else { return nil }
    let length = Int(UInt32(littleEndian: bytes, at: offset + 12))
    let size = Self.size(ofPayload: length)
    guard length <= Self.payloadLimit, size <= bytes.count - offset else { return nil }
    checksum = UInt32(littleEndian: bytes, at: offset + 4)
    guard checksum == crc32(of: bytes, in: (offset + 8)..<(offset + size)) else { return nil }
    self.kind = kind
    previous = UInt32(littleEndian: bytes, at: offset + 16)
    sequence = UInt64(littleEndian: bytes, at: offset + 24)
    synced = UInt64(littleEndian: bytes, at: offset + 32)
    payload = (offset + Self.headerSize)..<(offset + Self.headerSize + length)
    end = offset + size
  }

  /// The size of a frame in bytes, with `count` bytes of payload.
  static func size(ofPayload count: Int) -> Int { (headerSize + count + 7) & ~7 }

  /// Appends a frame whose payload `body` appends.
  ///
  /// - Returns: Its checksum, which the next frame names.
  static func append(
    _ kind: Kind,
    sequence: UInt64,
    synced: UInt64,
    previous: UInt32,
    to bytes: inout [UInt8],
    _ body: (inout [UInt8]) -> Void = { _ in }
  ) -> UInt32 {
    let start = bytes.count
    bytes.append(littleEndian: magic)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: UInt32(kind.rawValue))
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: previous)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: sequence)
    bytes.append(littleEndian: synced)
    body(&bytes)
    let length = bytes.count - start - headerSize
    bytes.set(littleEndian: UInt32(truncatingIfNeeded: length), at: start + 12)
    bytes.append(contentsOf: repeatElement(0, count: start + size(ofPayload: length) - bytes.count))
    let checksum = crc32(of: bytes, in: (start + 8)..<bytes.count)
    bytes.set(littleEndian: checksum, at: start + 4)
    return checksum
  }
}

/// The CRC-32 of RFC 1952, by zlib.
func crc32(of bytes: [UInt8], in range: Range<Int>) -> UInt32 {
  // zlib reads the bytes while the array is held.
  unsafe bytes.withUnsafeBufferPointer { buffer in
    let part = unsafe UnsafeBufferPointer(rebasing: buffer[range])
    return UInt32(truncatingIfNeeded: unsafe crc32_z(0, part.baseAddress, part.count))
  }
}

extension UInt32 {
  /// The four bytes from an offset; the caller has compared it with the end, beyond which it traps.
  init(littleEndian bytes: [UInt8], at offset: Int) {
    self = 0
    for index in 0..<4 { self |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
  }
}

extension UInt64 {
  init(littleEndian bytes: [UInt8], at offset: Int) {
    self =
      UInt64(UInt32(littleEndian: bytes, at: offset))
      | UInt64(UInt32(littleEndian: bytes, at: offset + 4)) << 32
  }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(8 * index)))
    }
  }

  mutating func set(littleEndian number: UInt32, at offset: Int) {
    for index in 0..<4 {
      self[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index))
    }
  }
}
