import DocumentLaws

/// A reader of length-prefixed bytes that takes any bytes: what is claimed beyond the end is cut to what is
/// there.
///
/// With it an entrance takes damaged bytes apart and writes them again with counts and checksums that are
/// right. It shares no code with the engine, which refuses such bytes.
struct LenientReader {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func byte() -> UInt8? {
    guard !isAtEnd else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// An unsigned LEB128 number of up to 28 bits; 0 at the end.
  mutating func number() -> Int {
    var (value, shift) = (0, 0)
    while shift < 28, let byte = byte() {
      value |= Int(byte & 0x7f) << shift
      if byte & 0x80 == 0 { break }
      shift += 7
    }
    return value
  }

  /// Takes `count` bytes, or those that are left.
  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(offset + max(count, 0), bytes.count)
    defer { offset = end }
    return Array(bytes[offset..<end])
  }

  /// Bytes behind their number.
  mutating func counted() -> [UInt8] { take(number()) }

  mutating func rest() -> [UInt8] { take(bytes.count) }

  /// Whole hashes behind their number.
  mutating func hashes() -> [UInt8] {
    let left = (bytes.count - offset) / 32
    return take(32 * min(number(), left))
  }
}

extension LenientReader {
  /// Bytes behind their number.
  static func counted(_ bytes: [UInt8]) -> [UInt8] {
    ChunkForge.unsigned(UInt64(bytes.count)) + bytes
  }

  /// Hashes behind their number.
  static func hashes(_ bytes: [UInt8]) -> [UInt8] {
    ChunkForge.unsigned(UInt64(bytes.count / 32)) + bytes
  }

  private static let magic: [UInt8] = [0x85, 0x6f, 0x4a, 0x83]

  /// The same chunks, each with the length and the checksum that its bytes up to the next magic number have.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var starts = [0]
    if bytes.count > magic.count {
      for offset in 1..<bytes.count - magic.count
      where bytes[offset] == magic[0] && bytes[offset..<offset + 4].elementsEqual(magic) {
        starts.append(offset)
      }
    }
    let ends = starts.dropFirst() + [bytes.count]
    return zip(starts, ends).flatMap { ChunkForge.sealed(Array(bytes[$0..<$1])) }
  }
}

extension Boundary.Entrance {
  /// Magic numbers, checksums and lengths of any number of chunks.
  static let chunks = Boundary.Entrance(
    isPassed: { $0.count > 10 && LenientReader.sealed($0) == $0 },
    repaired: { LenientReader.sealed($0) }
  )
}
