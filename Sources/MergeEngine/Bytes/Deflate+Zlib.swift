#if !LibDeflate
import CZlib

extension Deflate {
  /// Appends the compressed form of `bytes`, at zlib's level 6, to `output`.
  ///
  /// Another zlib, or another level, gives other bytes: a change's hash is therefore that of its
  /// plain form.
  ///
  /// The bytes are our own and below 2^32, so that nothing can be refused: what goes wrong here is
  /// zlib's lack of memory, which stops the program.
  static func compress(_ bytes: ByteView, into output: inout Arena<UInt8>) {
    var stream = unsafe z_stream()
    let began = unsafe deflateInit2_(
      &stream,
      6,
      Z_DEFLATED,
      -MAX_WBITS,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(began == Z_OK, "zlib has no memory")
    defer { unsafe deflateEnd(&stream) }
    // With room for the worst case one call of `deflate` finishes the stream.
    let room = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
    // zlib counts a call's input in 32 bits; limits keep every column below that.
    unsafe stream.next_in = UnsafeMutablePointer(mutating: bytes.base)
    unsafe stream.avail_in = UInt32(bytes.count)
    unsafe output.appendUninitialized(room: room) { buffer in
      unsafe stream.next_out = buffer.baseAddress
      unsafe stream.avail_out = UInt32(buffer.count)
      let status = unsafe deflate(&stream, Z_FINISH)
      precondition(status == Z_STREAM_END, "deflateBound was too small")
      return unsafe buffer.count - Int(stream.avail_out)
    }
  }

  /// Appends what `bytes` inflate to, at most `limit` bytes; what follows the end of the stream is
  /// ignored.
  ///
  /// Grows the result step by step, so that a small input which claims much costs no more than
  /// it really inflates to, and stops one byte past `limit`. On an error the bytes inflated so far
  /// stay behind the end of `output`, for the caller to drop.
  static func inflate(
    _ bytes: ByteView,
    into output: inout Arena<UInt8>,
    limit: Int,
    _ part: Fault.Part
  ) throws(Fault) {
    var stream = unsafe z_stream()
    let began = unsafe inflateInit2_(
      &stream,
      -MAX_WBITS,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(began == Z_OK, "zlib has no memory")
    defer { unsafe inflateEnd(&stream) }
    unsafe stream.next_in = UnsafeMutablePointer(mutating: bytes.base)
    unsafe stream.avail_in = UInt32(clamping: bytes.count)
    let start = output.count
    while true {
      var status: Int32 = Z_OK
      let count = output.count - start
      // As much again as there is, four times the input at least and 1 MiB at most. The one byte
      // beyond the limit tells a stream that just fits from one that goes on.
      let step = min(max(count, bytes.count * 4 + 64), 1 << 20, limit + 1 - count)
      if step <= 0 { throw Fault(.limitExceeded(.inflatedByteLimit), 0, part) }
      unsafe output.appendUninitialized(room: step) { buffer in
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(buffer.count)
        status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        return unsafe buffer.count - Int(stream.avail_out)
      }
      if status == Z_STREAM_END { break }
      // All input is taken and there was room: the stream ends in the middle.
      let isStuck = unsafe stream.avail_in == 0 && stream.avail_out != 0
      if status != Z_OK || isStuck { throw Fault(.corruptDeflateStream, 0, part) }
    }
    guard output.count - start <= limit else {
      throw Fault(.limitExceeded(.inflatedByteLimit), 0, part)
    }
  }
}
#endif
