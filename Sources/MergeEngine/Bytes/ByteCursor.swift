/// Reads bytes, numbers and lengths from a view, front to back.
///
/// Seven bits a byte, the lowest first; the highest bit says that more follow:
///
///     300    ac 02       10 0101100 -> 1|0101100, 0|0000010      unsigned
///     -2     7e          sign bit 0x40 of the last byte set      signed
///     1      81 00       one byte more than needed               overlong
///
/// Two kinds of LEB128 reading exist, because the format has both: strict for everything in a
/// chunk's prefix, lax (overlong forms allowed) for everything inside a column.
///
/// Source: Specification/Format.md, "Numbers".
///
/// Bytes from outside are read here and nowhere else: each call compares with what is left before
/// it reads. Where a call throws, the offset is anywhere between its start and the end.
struct ByteCursor: BitwiseCopyable {
  let bytes: ByteView
  var offset: Int
  /// First offset that may not be read.
  let end: Int

  init(_ bytes: ByteView) {
    self.bytes = bytes
    offset = 0
    end = bytes.count
  }

  @inline(__always) var isAtEnd: Bool { offset >= end }
  var remaining: Int { end - offset }

  @inline(__always)
  mutating func readByte(_ part: Fault.Part) throws(Fault) -> UInt8 {
    guard offset < end else { throw Fault(.truncated, offset, part) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads an unsigned number; `strict` refuses overlong forms.
  @inline(__always)
  mutating func readULEB(strict: Bool, _ part: Fault.Part) throws(Fault) -> UInt64 {
    guard offset < end else { throw Fault(.truncated, offset, part) }
    let first = bytes[offset]
    if first < 0x80 {
      offset += 1
      return UInt64(first)
    }
    return try readLongULEB(strict: strict, part)
  }

  private mutating func readLongULEB(
    strict: Bool,
    _ part: Fault.Part
  ) throws(Fault) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try readByte(part)
      // The tenth byte holds bit 63 alone, and is the last one.
      if shift == 63 && byte > 1 { throw Fault(.integerTooLarge, start, part) }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        if strict && byte == 0 && shift > 0 { throw Fault(.overlongInteger, start, part) }
        return value
      }
      shift += 7
    }
  }

  /// Reads a signed number; `strict` refuses overlong forms.
  @inline(__always)
  mutating func readSLEB(strict: Bool, _ part: Fault.Part) throws(Fault) -> Int64 {
    guard offset < end else { throw Fault(.truncated, offset, part) }
    let first = bytes[offset]
    if first < 0x80 {
      offset += 1
      return Int64(Int8(bitPattern: first << 1) >> 1)
    }
    return try readLongSLEB(strict: strict, part)
  }

  private mutating func readLongSLEB(
    strict: Bool,
    _ part: Fault.Part
  ) throws(Fault) -> Int64 {
    let start = offset
    var value: Int64 = 0
    var shift: Int64 = 0
    var previous: UInt8 = 0
    while true {
      let byte = try readByte(part)
      // The tenth byte holds bit 63, its other bits repeat the sign, and it is the last one.
      if shift == 63 && byte != 0 && byte != 0x7F { throw Fault(.integerTooLarge, start, part) }
      value |= Int64(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 {
        if shift < 64 && byte & 0x40 != 0 { value |= -1 << shift }
        if strict && shift > 7 {
          // A last byte that only repeats the sign is not needed if the byte before ends with the
          // sign's bit.
          let isOverlong =
            (byte == 0 && previous & 0x40 == 0) || (byte == 0x7F && previous & 0x40 != 0)
          if isOverlong { throw Fault(.overlongInteger, start, part) }
        }
        return value
      }
      previous = byte
    }
  }

  /// Reads a strict length, in bytes, that must fit what is left.
  mutating func readLength(_ part: Fault.Part) throws(Fault) -> Int {
    let start = offset
    let value = try readULEB(strict: true, part)
    guard value <= UInt64(remaining) else { throw Fault(.truncated, start, part) }
    return Int(value)
  }

  /// Reads a strict count of entries that must fit what is left, `unit` bytes each.
  ///
  /// Divides what is left and multiplies nothing that was read, so that no claim overflows. A count
  /// that passes is at most the number of bytes left: a caller may reserve room for it.
  mutating func readCount(unit: Int, _ part: Fault.Part) throws(Fault) -> Int {
    let start = offset
    let value = try readULEB(strict: true, part)
    guard value <= UInt64(remaining / unit) else { throw Fault(.truncated, start, part) }
    return Int(value)
  }

  /// Reads `length` bytes.
  ///
  /// The bytes are borrowed from the cursor's view, and are valid as long as its owner.
  mutating func readBytes(_ length: Int, _ part: Fault.Part) throws(Fault) -> ByteView {
    guard length <= remaining else { throw Fault(.truncated, offset, part) }
    defer { offset += length }
    return bytes.part(from: offset, length: length)
  }

  /// Reads a 32-byte hash.
  mutating func readHash(_ part: Fault.Part) throws(Fault) -> ChangeHash {
    guard remaining >= 32 else { throw Fault(.truncated, offset, part) }
    defer { offset += 32 }
    return ChangeHash(view: bytes, at: offset)
  }
}

/// Whether bytes are well-formed UTF-8.
///
/// Source: The Unicode Standard, table 3-7.
///
///     lead      second    others        why the second is bounded
///     C2...DF   80...BF
///     E0        A0...BF   80...BF       below U+0800 two bytes do
///     E1...EC   80...BF   80...BF
///     ED        80...9F   80...BF       surrogates
///     EE...EF   80...BF   80...BF
///     F0        90...BF   80...BF (2)   below U+10000 three bytes do
///     F1...F3   80...BF   80...BF (2)
///     F4        80...8F   80...BF (2)   above U+10FFFF
///
/// C0 and C1 would begin overlong forms, and F5 and above say more than there is.
func isUTF8(_ bytes: ByteView) -> Bool {
  var at = 0
  let count = bytes.count
  while at < count {
    let lead = bytes[at]
    if lead < 0x80 {
      at += 1
      continue
    }
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      low = 0xA0
    case 0xE1...0xEC, 0xEE...0xEF: length = 3
    case 0xED:
      length = 3
      high = 0x9F
    case 0xF0:
      length = 4
      low = 0x90
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      high = 0x8F
    default: return false
    }
    guard count - at >= length, bytes[at + 1] >= low, bytes[at + 1] <= high else { return false }
    if length > 2 && bytes[at + 2] & 0xC0 != 0x80 { return false }
    if length > 3 && bytes[at + 3] & 0xC0 != 0x80 { return false }
    at += length
  }
  return true
}
