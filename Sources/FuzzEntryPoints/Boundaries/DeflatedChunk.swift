import DocumentLaws
import MergeEngine

/// DEFLATE streams of a chunk, opened for a change within and closed again.
///
/// A change of a deflated byte makes a stream that no reader inflates: what stands within it would never be
/// reached.
///
/// Source: Specification/Format.md, "Chunks", "Columns".
enum DeflatedChunk {
  private static let document: UInt8 = 0
  private static let change: UInt8 = 1
  private static let compressedChange: UInt8 = 2
  /// The bit of a column's spec that says that its data are deflated.
  private static let deflateBit: UInt64 = 8
  /// Bytes that a stream may inflate to; inputs of fuzzers are smaller.
  private static let inflatedLimit = 1 << 16

  /// The type of a chunk and its content, up to the end of the bytes; `nil` for what does not begin as a chunk.
  private static func parts(_ chunk: [UInt8]) -> (type: UInt8, content: [UInt8])? {
    guard chunk.count > 10 else { return nil }
    var reader = LenientReader(Array(chunk[9...]))
    _ = reader.number()
    return (chunk[8], reader.rest())
  }

  /// The same chunk with its length and checksum made right; that of a compressed change is of what it
  /// inflates to.
  static func sealed(_ chunk: [UInt8]) -> [UInt8] {
    let sealed = ChunkForge.sealed(chunk)
    guard let (type, content) = parts(chunk), type == compressedChange,
      let plain = Deflate.inflated(content, limit: inflatedLimit)
    else { return sealed }
    var bytes = sealed
    bytes.replaceSubrange(4..<8, with: ChunkForge.chunk(change, plain)[4..<8])
    return bytes
  }

  /// The same chunk with all its streams inflated; `nil` if it has none.
  static func opened(_ chunk: [UInt8]) -> [UInt8]? {
    guard let (type, content) = parts(chunk) else { return nil }
    switch type {
    case compressedChange:
      return Deflate.inflated(content, limit: inflatedLimit).map { ChunkForge.chunk(change, $0) }
    case document:
      return rewritten(content) { spec, data in
        guard spec & deflateBit != 0 else { return nil }
        return Deflate.inflated(data, limit: inflatedLimit).map { (spec & ~deflateBit, $0) }
      }
    default: return nil
    }
  }

  /// The same chunk with its content, or the columns that `isChosen` says, as streams; `nil` if none can be.
  static func closed(_ chunk: [UInt8], where isChosen: () -> Bool = { true }) -> [UInt8]? {
    guard let (type, content) = parts(chunk) else { return nil }
    switch type {
    case change: return sealed(ChunkForge.chunk(compressedChange, stream(content)))
    case document:
      return rewritten(content) { spec, data in
        guard spec & deflateBit == 0, isChosen() else { return nil }
        return (spec | deflateBit, stream(data))
      }
    default: return nil
    }
  }

  /// A stream of blocks that are not compressed: the same wherever it is made, and still one when one of the bytes
  /// that it holds is changed.
  ///
  /// Source: RFC 1951, section 3.2.4.
  private static func stream(_ bytes: [UInt8]) -> [UInt8] {
    let limit = Int(UInt16.max)
    var result: [UInt8] = []
    var start = 0
    repeat {
      let end = min(start + limit, bytes.count)
      let length = UInt16(end - start)
      result.append(end == bytes.count ? 1 : 0)
      for number in [length, ~length] {
        result += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
      }
      result += bytes[start..<end]
      start = end
    } while start < bytes.count
    return result
  }

  /// A document with columns in the place of its own; `nil` if none was replaced.
  private static func rewritten(
    _ content: [UInt8],
    _ replaced: (UInt64, [UInt8]) -> (spec: UInt64, data: [UInt8])?
  ) -> [UInt8]? {
    var reader = LenientReader(content)
    var head = reader.copied { reader in
      for _ in 0..<min(reader.number(), content.count) { _ = reader.counted() }
      _ = reader.hashes()
    }
    var isReplaced = false
    let lists = (0..<2).map { _ in
      (0..<min(reader.number(), content.count)).map { _ in (reader.number(), reader.number()) }
    }
    var data: [UInt8] = []
    for list in lists {
      head += ChunkForge.unsigned(UInt64(list.count))
      for (spec, length) in list {
        var column = (spec: UInt64(spec), data: reader.take(length))
        if let other = replaced(column.spec, column.data) { (column, isReplaced) = (other, true) }
        head += ChunkForge.unsigned(column.spec) + ChunkForge.unsigned(UInt64(column.data.count))
        data += column.data
      }
    }
    return isReplaced ? ChunkForge.chunk(document, head + data + reader.rest()) : nil
  }
}

extension LenientReader {
  /// The bytes that `read` goes over.
  fileprivate mutating func copied(_ read: (inout LenientReader) -> Void) -> [UInt8] {
    var copy = self
    read(&copy)
    return take(copy.offset - offset)
  }
}
