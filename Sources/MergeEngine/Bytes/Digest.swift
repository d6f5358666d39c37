#if TOUCHSTONE_SWIFT_CRYPTO
import Crypto
#elseif canImport(CryptoKit)
import CryptoKit
#else
import CLibCrypto
#endif

/// SHA-256 of bytes.
///
/// The one place that knows the hash function's library: CryptoKit on Apple's systems, libcrypto on
/// Linux, or swift-crypto where the manifest says so. `Documentation/Decisions` says why. 100 bytes
/// take 95 ns with libcrypto 3.0 and 200 ns with swift-crypto 4.5.
///
/// What is hashed of a chunk is all behind its checksum: type, length and content. Of the change in
/// which the actor abcd sets "k" to 5:
///
///     01 21 00 02 ab cd 01 01 00 00 00 06 15 03 ... 7f 00       type 1, 33 bytes of content
///     ef3bf013 eb807e8e 69baf564 b23649d5 ba2fdb12 0490759c 488f1359 7e2124bf
///     ef 3b f0 13                                               its first four bytes: the checksum
///
/// Of no bytes at all it is e3b0c442 98fc1c14 ... 7852b855, as the standard says.
func digest(of bytes: ByteView) -> ChangeHash {
  #if TOUCHSTONE_SWIFT_CRYPTO || canImport(CryptoKit)
  var hasher = SHA256()
  unsafe hasher.update(
    bufferPointer: UnsafeRawBufferPointer(start: bytes.base, count: bytes.count)
  )
  let result = hasher.finalize()
  return unsafe result.withUnsafeBytes { unsafe ChangeHash(digest: $0) }
  #else
  var context = SHA256_CTX()
  // Each answers 1: they fail for a null context alone.
  unsafe SHA256_Init(&context)
  unsafe SHA256_Update(&context, bytes.base, bytes.count)
  return unsafe withUnsafeTemporaryAllocation(byteCount: Int(SHA256_DIGEST_LENGTH), alignment: 8) {
    raw in
    unsafe SHA256_Final(raw.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
    return unsafe ChangeHash(digest: UnsafeRawBufferPointer(raw))
  }
  #endif
}

extension ChangeHash {
  /// The hash whose 32 bytes stand in memory.
  fileprivate init(digest raw: UnsafeRawBufferPointer) {
    func word(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    self.init(words: (word(0), word(8), word(16), word(24)))
  }

  /// The SHA-256 of any bytes.
  package init(sha256Of bytes: [UInt8]) {
    self = withView(of: bytes) { digest(of: $0) }
  }

  /// The SHA-256 of a text's UTF-8.
  package init(sha256Of text: String) {
    self.init(sha256Of: Array(text.utf8))
  }
}
