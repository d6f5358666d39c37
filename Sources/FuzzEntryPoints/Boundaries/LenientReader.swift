import DocumentLaws
import PropertyEngine

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
  /// Hashes behind their number.
  static func hashes(_ bytes: [UInt8]) -> [UInt8] {
    ChunkForge.unsigned(UInt64(bytes.count / 32)) + bytes
  }

  /// The chunks of a file: each goes from a magic number to the next.
  static func chunks(_ bytes: [UInt8]) -> [[UInt8]] {
    let magic = ChunkForge.magic
    var starts = [0]
    if bytes.count > magic.count {
      for offset in 1..<bytes.count - magic.count
      where bytes[offset] == magic[0] && bytes[offset..<offset + 4].elementsEqual(magic) {
        starts.append(offset)
      }
    }
    let ends = starts.dropFirst() + [bytes.count]
    return zip(starts, ends).map { Array(bytes[$0..<$1]) }
  }
}

extension Boundary.Entrance {
  /// The magic number, the checksum and the length of a chunk of Automerge's.
  static let chunk = Boundary.Entrance(
    isPassed: { $0.count > 10 && DeflatedChunk.sealed($0) == $0 },
    repaired: { DeflatedChunk.sealed($0) },
    columns: Boundary.Columns(
      opened: { DeflatedChunk.opened($0) },
      closed: { bytes, choices in DeflatedChunk.closed(bytes) { choices.flag(percent: 50) } },
      wounded: { RowDamage.wounded($0, &$1) }
    )
  )

  /// The same of any number of chunks.
  static let chunks = Boundary.Entrance(
    isPassed: { $0.count > 10 && repaired($0) == $0 },
    repaired: { repaired($0) },
    columns: Boundary.Columns(
      opened: { bytes in changed(bytes) { DeflatedChunk.opened($0) } },
      closed: { bytes, choices in
        changed(bytes) { chunk in DeflatedChunk.closed(chunk) { choices.flag(percent: 50) } }
      },
      wounded: { bytes, choices in
        changed(bytes) { chunk in
          choices.flag(percent: 50) ? RowDamage.wounded(chunk, &choices) : nil
        }
      }
    )
  )

  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    LenientReader.chunks(bytes).flatMap { DeflatedChunk.sealed($0) }
  }

  /// A file with other chunks in the place of its own; `nil` if all stay.
  private static func changed(_ bytes: [UInt8], _ change: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
    let chunks = LenientReader.chunks(bytes).map { (own: $0, other: change($0)) }
    return chunks.contains { $0.other != nil } ? chunks.flatMap { $0.other ?? $0.own } : nil
  }
}

extension RowDamage {
  fileprivate static func wounded(_ chunk: [UInt8], _ choices: inout Choices) -> [UInt8]? {
    var chunk = chunk
    return wound(&chunk, &choices).map { _ in chunk }
  }
}
