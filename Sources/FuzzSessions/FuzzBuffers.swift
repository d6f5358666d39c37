/// The buffers that libFuzzer lends for new inputs, as arrays.
package enum FuzzBuffers {
  /// libFuzzer's own mutator: changes the bytes at a place, of a count, up to a limit.
  package typealias PlainMutator = (UnsafeMutablePointer<UInt8>?, Int, Int) -> Int

  /// Changes an input in libFuzzer's buffer, which has room for a larger one.
  ///
  /// - Parameters:
  ///   - buffer: The input, and room for a larger one.
  ///   - count: Bytes of the input.
  ///   - plain: libFuzzer's own mutator.
  ///   - change: Makes a new input, with `plain` on arrays: new bytes out of others, no more than a limit.
  /// - Returns: Bytes of the new input.
  package static func mutate(
    _ buffer: UnsafeMutableBufferPointer<UInt8>,
    count: Int,
    plain: @escaping PlainMutator,
    by change: (
      _ bytes: [UInt8], _ plain: @escaping (_ bytes: [UInt8], _ countLimit: Int) -> [UInt8]
    ) -> [UInt8]
  ) -> Int {
    let made = unsafe change(Array(buffer.prefix(count))) { bytes, limit in
      // The buffer lends its room.
      let kept = unsafe copy(bytes, into: buffer)
      let count = unsafe plain(buffer.baseAddress, kept, min(max(limit, kept), buffer.count))
      return unsafe Array(buffer.prefix(count))
    }
    return unsafe copy(made, into: buffer)
  }

  /// Makes an input out of two others.
  ///
  /// - Returns: Bytes of the new input; 0 if none was made, after which libFuzzer goes on with another
  ///   mutation.
  package static func cross(
    _ first: UnsafeBufferPointer<UInt8>,
    _ second: UnsafeBufferPointer<UInt8>,
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    by cross: (_ first: [UInt8], _ second: [UInt8]) -> [UInt8]
  ) -> Int {
    unsafe copy(cross(Array(first), Array(second)), into: buffer)
  }

  /// Writes as much of `bytes` as there is room for; how many those are.
  private static func copy(_ bytes: [UInt8], into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int
  {
    let kept = bytes.prefix(buffer.count)
    for (index, byte) in kept.enumerated() { unsafe buffer[index] = byte }
    return kept.count
  }
}
