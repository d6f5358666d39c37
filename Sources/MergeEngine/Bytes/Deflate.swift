/// Raw DEFLATE (RFC 1951: no header, no checksum), by the system's zlib or, with the trait `LibDeflate`,
/// by libdeflate.
///
/// Each of the two has a file beside this one with `compress` and `inflate`, and the build takes one of them.
/// Both inflate what the other writes. Of streams that no compressor writes, as those with codes for
/// which no symbol stands, one may refuse what the other inflates.
///
/// Compressed bytes are not canonical: compare what they inflate to, never the bytes.
///
/// Ten times the letter `a`, as zlib 1.2.13 writes it; bits are read from the lowest of each byte
/// on:
///
///     4b 4c 84 01 00      1 | 10 | 10010001 10010001 0000110 00000 | 0000000
///                         1              the last block
///                         10             kind 1: codes of the standard, none of its own
///                         10010001       the literal 0x61, twice
///                         0000110 00000  a match of 8 bytes, 1 byte back
///                         0000000        the end of the block
///
/// Five bytes inflate to ten here. A deflated column or change is such a stream and nothing more:
/// how long it is stands in the column's metadata or in the chunk's frame, how long it becomes
/// nowhere.
package enum Deflate {
  /// What `bytes` inflate to, at most `limit` bytes.
  ///
  /// - Throws: `corruptDeflateStream` for damage and for a stream that ends early, `limitExceeded`
  ///   beyond `limit`.
  static func inflate(
    _ bytes: ByteView,
    limit: Int,
    _ part: Fault.Part
  ) throws(Fault) -> Arena<UInt8> {
    var output = Arena<UInt8>()
    try inflate(bytes, into: &output, limit: limit, part)
    return output
  }
}

extension Deflate {
  /// How long the compressed form is; for measuring what zlib alone costs.
  package static func compressedSize(of bytes: [UInt8]) -> Int {
    withView(of: bytes) { view in
      var output = Arena<UInt8>()
      compress(view, into: &output)
      return output.count
    }
  }

  /// What a stream inflates to; `nil` if it is damaged, or inflates to more than `limit` bytes.
  package static func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    withView(of: bytes) { view in
      (try? inflate(view, limit: limit, .content))?.view.array
    }
  }
}
