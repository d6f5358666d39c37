import Foundation

/// Writes what archives and stored records are made of.
///
/// `[magic: 4][version: 1][body][CRC-32C of all before: 4, little-endian]`; in the body lengths and
/// counts are LEB128, numbers of 64 bits little-endian.
///
/// The system fields of a record "n1" of the type "Note" in the default zone, 51 bytes:
///
///     52 53 59 53                          magic "RSYS"
///     01                                   version 1
///     01 05                                part 1, the record type, 5 bytes:
///       04 4e 6f 74 65                       "Note", its length in front
///     02 21                                part 2, the record's id, 33 bytes:
///       02 6e 31                             "n1"
///       0c 5f 64 65 ... 6e 65                "_defaultZone"
///       10 5f 5f 64 ... 5f 5f                "__defaultOwner__"
///     ec af 95 f2                          CRC-32C 0xf295afec of the 47 bytes before
struct RecordBytesWriter {
  private(set) var bytes: [UInt8]

  init(magic: String, version: UInt8) {
    bytes = []
    bytes.reserveCapacity(128)
    bytes.append(contentsOf: magic.utf8)
    bytes.append(version)
  }

  /// A part, without magic and version.
  init() {
    bytes = []
  }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// A length or a number of things, which is never negative: seven bits a byte, the lowest first,
  /// and the highest bit of a byte says that more follow.
  mutating func count(_ value: Int) {
    var rest = UInt64(UInt(bitPattern: value))
    repeat {
      let low = UInt8(rest & 0x7F)
      rest >>= 7
      bytes.append(rest == 0 ? low : low | 0x80)
    } while rest != 0
  }

  mutating func fixed(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// The 64 bits as they are, so that a not-a-number and -0.0 come back as they went.
  mutating func double(_ value: Double) { fixed(value.bitPattern) }

  mutating func blob(_ value: some Collection<UInt8>) {
    count(value.count)
    bytes.append(contentsOf: value)
  }

  mutating func string(_ value: String) { blob(value.utf8) }

  /// `00` for none; `01` and what `body` writes for a value.
  mutating func optional<T>(_ value: T?, _ body: (inout Self, T) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { body(&self, value) }
  }

  /// A part whose length stands before it.
  mutating func part(_ body: (inout Self) -> Void) {
    let start = bytes.count
    // Nearly every length is one byte.
    byte(0)
    body(&self)
    let length = bytes.count - start - 1
    guard length > 0x7F else {
      bytes[start] = UInt8(length)
      return
    }
    var head = Self()
    head.count(length)
    bytes.replaceSubrange(start...start, with: head.bytes)
  }

  /// The bytes with their checksum, which ends them.
  mutating func finished() -> [UInt8] {
    let sum = crc32C(bytes[...])
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: sum >> shift))
    }
    return bytes
  }
}

/// Why stored bytes are not read.
public enum RecordBytesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A keyed archive of an Apple system, which begins with `bplist00`.
  case keyedArchive
  /// Something else than what was asked for.
  case unknownFormat
  /// Written by a newer version of this library; the version.
  case newerVersion(Int)
  /// The bytes end too early.
  case truncated
  /// The checksum is that of other bytes.
  case damaged
  /// A part that no writer of this version writes; which.
  case malformed(String)

  public var description: String {
    switch self {
    case .keyedArchive: "expected an archive of this library, found a keyed archive of Foundation"
    case .unknownFormat: "expected an archive of this library, found other bytes"
    case .newerVersion(let version):
      "the archive has version \(version), and this library reads version 1"
    case .truncated: "the archive ends too early"
    case .damaged: "the archive's checksum does not match its bytes"
    case .malformed(let part): "the archive has a malformed part: \(part)"
    }
  }
}

/// Reads what ``RecordBytesWriter`` writes, for bytes from anywhere.
///
/// `offset` stays within `bytes`, which end before the checksum: each read compares with what is
/// left first, and reserves nothing by a number that it has read. After an error the reader is of
/// no further use.
struct RecordBytesReader {
  private let bytes: ArraySlice<UInt8>
  private var offset: Int

  /// Checks magic, version and checksum.
  init(_ all: [UInt8], magic: String, version: UInt8) throws(RecordBytesError) {
    if all.starts(with: "bplist00".utf8) { throw .keyedArchive }
    let head = Array(magic.utf8)
    guard all.count >= head.count else {
      throw head.starts(with: all) ? .truncated : .unknownFormat
    }
    guard all.starts(with: head) else { throw .unknownFormat }
    guard all.count >= head.count + 5 else { throw .truncated }
    let end = all.count - 4
    let sum = all[end...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    // A newer version may sum up otherwise, and says so before anything else is believed.
    guard all[head.count] <= version else { throw .newerVersion(Int(all[head.count])) }
    guard all[head.count] > 0 else { throw .malformed("version") }
    guard sum == crc32C(all[..<end]) else { throw .damaged }
    bytes = all[..<end]
    offset = head.count + 1
  }

  /// Reads a part of bytes whose checksum was seen to be right.
  private init(part: ArraySlice<UInt8>) {
    bytes = part
    offset = part.startIndex
  }

  var isAtEnd: Bool { offset == bytes.endIndex }

  private var rest: Int { bytes.endIndex - offset }

  mutating func byte() throws(RecordBytesError) -> UInt8 {
    guard rest >= 1 else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// A number of things; each takes a byte or more: at most what is left.
  mutating func count() throws(RecordBytesError) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << shift
      guard next & 0x80 == 0 else { continue }
      guard next != 0 || shift == 0 else { throw .malformed("a number that is longer than needed") }
      guard let count = Int(exactly: value), count <= rest else { throw .truncated }
      return count
    }
    throw .malformed("a number beyond 63 bits")
  }

  mutating func fixed() throws(RecordBytesError) -> UInt64 {
    guard rest >= 8 else { throw .truncated }
    defer { offset += 8 }
    return bytes[offset..<(offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func double() throws(RecordBytesError) -> Double {
    Double(bitPattern: try fixed())
  }

  mutating func blob() throws(RecordBytesError) -> ArraySlice<UInt8> {
    let count = try count()
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  /// A part as a reader of its own: what stands in it cannot read beyond its end.
  mutating func part() throws(RecordBytesError) -> RecordBytesReader {
    RecordBytesReader(part: try blob())
  }

  mutating func string() throws(RecordBytesError) -> String {
    guard let text = String(validating: try blob(), as: UTF8.self) else {
      throw .malformed("text that is not UTF-8")
    }
    return text
  }

  mutating func optional<T>(
    _ body: (inout Self) throws(RecordBytesError) -> T
  ) throws(RecordBytesError) -> T? {
    switch try byte() {
    case 0: return nil
    case 1: return try body(&self)
    default: throw .malformed("a mark of presence")
    }
  }

  mutating func list<T>(
    _ body: (inout Self) throws(RecordBytesError) -> T
  ) throws(RecordBytesError) -> [T] {
    let count = try count()
    var elements: [T] = []
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }
}

/// CRC-32C of bytes.
///
/// Source: RFC 3720, section 12.1 (Castagnoli's polynomial, reflected).
func crc32C(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  var sum: UInt32 = .max
  for byte in bytes {
    sum = crc32CTable[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8)
  }
  return ~sum
}

private let crc32CTable: [UInt32] = (0..<256).map { start in
  (0..<8).reduce(UInt32(start)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
}
