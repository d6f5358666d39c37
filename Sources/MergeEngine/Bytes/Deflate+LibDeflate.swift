#if LibDeflate
import CLibDeflate

extension Deflate {
  /// Appends the compressed form of `bytes`, at libdeflate's level 6, to `output`.
  ///
  /// Other bytes than zlib's, which inflate to the same.
  static func compress(_ bytes: ByteView, into output: inout Arena<UInt8>) {
    let compressor = unsafe libdeflate_alloc_compressor(6)
    precondition(unsafe compressor != nil, "libdeflate has no memory")
    defer { unsafe libdeflate_free_compressor(compressor) }
    let room = unsafe libdeflate_deflate_compress_bound(compressor, bytes.count)
    unsafe output.appendUninitialized(room: room) { buffer in
      let written = unsafe libdeflate_deflate_compress(
        compressor,
        bytes.base,
        bytes.count,
        buffer.baseAddress,
        buffer.count
      )
      precondition(written > 0, "libdeflate's bound was too small")
      return written
    }
  }

  /// Appends what `bytes` inflate to, at most `limit` bytes; what follows the end of the stream is
  /// ignored.
  ///
  /// libdeflate inflates a stream as a whole and cannot go on with one, so it begins anew with four
  /// times the room while there is too little: a third more work at most, and no more memory than four
  /// times what the stream really inflates to.
  static func inflate(
    _ bytes: ByteView,
    into output: inout Arena<UInt8>,
    limit: Int,
    _ part: Fault.Part
  ) throws(Fault) {
    let decompressor = unsafe libdeflate_alloc_decompressor()
    precondition(unsafe decompressor != nil, "libdeflate has no memory")
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var room = min(bytes.count * 4 + 64, limit)
    while true {
      var result = LIBDEFLATE_BAD_DATA
      unsafe output.appendUninitialized(room: room) { buffer in
        var taken = 0
        var written = 0
        result = unsafe libdeflate_deflate_decompress_ex(
          decompressor,
          bytes.base,
          bytes.count,
          buffer.baseAddress,
          buffer.count,
          &taken,
          &written
        )
        return result == LIBDEFLATE_SUCCESS ? written : 0
      }
      switch result {
      case LIBDEFLATE_SUCCESS:
        return
      case LIBDEFLATE_INSUFFICIENT_SPACE where room < limit:
        room = min(room * 4, limit)
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw Fault(.limitExceeded(.inflatedByteLimit), 0, part)
      default:
        throw Fault(.corruptDeflateStream, 0, part)
      }
    }
  }
}
#endif
