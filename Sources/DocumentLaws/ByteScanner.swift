/// Reads numbers and bytes; `nil` wherever they end early.
struct ByteScanner {
  private let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// Bytes that have not been read.
  var leftCount: Int { bytes.endIndex - offset }

  /// An unsigned number in LEB128, of up to 64 bits.
  mutating func unsigned() -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while offset < bytes.endIndex, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  /// A signed number in LEB128, of up to 64 bits.
  mutating func signed() -> Int64? {
    let start = offset
    guard let value = unsigned() else { return nil }
    let bits = 7 * (offset - start)
    let isNegative = bytes[offset - 1] & 0x40 != 0
    let extended = isNegative && bits < 64 ? value | (UInt64.max << UInt64(bits)) : value
    return Int64(bitPattern: extended)
  }

  mutating func bytes(_ count: some BinaryInteger) -> [UInt8]? {
    guard let count = Int(exactly: count), count >= 0, count <= bytes.endIndex - offset else {
      return nil
    }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// Bytes behind their number.
  mutating func counted() -> [UInt8]? { unsigned().flatMap { bytes($0) } }

  /// Hashes of 32 bytes behind their number.
  mutating func hashes() -> [[UInt8]]? { entries { $0.bytes(32) } }

  /// Entries behind their count; each has a byte at least, which bounds them.
  mutating func entries(_ entry: (inout ByteScanner) -> [UInt8]?) -> [[UInt8]]? {
    guard let count = unsigned(), count <= UInt64(leftCount) else { return nil }
    var result: [[UInt8]] = []
    for _ in 0..<count {
      guard let next = entry(&self) else { return nil }
      result.append(next)
    }
    return result
  }
}
