#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Bytes that another value owns.
///
/// A view is valid while its owner neither changes nor ends: it is made inside one call, handed
/// down, and never stored in a document. ``SavedColumns`` alone keeps some, beside their owners, which it never
/// changes. Every index is checked against `count`.
///
/// The first eight bytes of a chunk, and what a view says of them:
///
///     85 6f 4a 83 ae c3 7f f6       count 8
///     bigEndianWord(at: 0)          0x856f_4a83_aec3_7ff6: word order is byte order
///     part(from: 4, length: 4)      ae c3 7f f6, the checksum: no byte is copied
///     61 precedes 61 62             the shorter one is a prefix
///     61 62 precedes 80             unsigned: 0x80 is above every letter
///
/// Two words, without a reference count: handing a view down costs nothing, and nothing keeps its
/// bytes alive.
///
/// `@safe`: the calls below compare with `count` before they read. A caller that takes `base`
/// itself (an arena that copies, zlib, the hash) reads `count` bytes from there and no more. What
/// no call can see is whether the owner is still there.
@safe
struct ByteView: BitwiseCopyable {
  /// Never read where `count` is 0, and still an address.
  let base: UnsafePointer<UInt8>
  let count: Int

  /// Wraps memory which outlives the view.
  @unsafe
  init(base: UnsafePointer<UInt8>, count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  subscript(index: Int) -> UInt8 {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe base[index]
    }
  }

  /// Eight bytes as a number, the first the most significant.
  ///
  /// Unaligned: views begin anywhere in a file.
  @inline(__always)
  func bigEndianWord(at start: Int) -> UInt64 {
    precondition(start >= 0 && start + 8 <= count)
    return UInt64(
      bigEndian: unsafe UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self)
    )
  }

  /// The part from `start` of `length` bytes.
  ///
  /// Traps beyond the end: lengths from outside go through ``ByteCursor``, which refuses them. The
  /// second comparison subtracts, so that no sum overflows.
  func part(from start: Int, length: Int) -> ByteView {
    precondition(start >= 0 && length >= 0 && start <= count && length <= count - start)
    return unsafe ByteView(base: base + start, count: length)
  }

  /// The bytes as an array of their own.
  var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Appends the bytes to an array.
  func append(to array: inout [UInt8]) {
    unsafe array.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
  }

  /// The bytes as text; broken UTF-8 is repaired, so check it before.
  var string: String {
    unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// Equal bytes.
  @inline(__always)
  func matches(_ other: ByteView) -> Bool {
    guard count == other.count else { return false }
    return unsafe memcmp(base, other.base, count) == 0
  }

  /// Byte order: unsigned, left to right, a prefix before what it is a prefix of.
  ///
  /// The order of actors, and of map keys in saved bytes: every replica must come to the same, so
  /// that no locale and no normal form takes part.
  func precedes(_ other: ByteView) -> Bool {
    let shared = min(count, other.count)
    var at = 0
    while at < shared {
      let (left, right) = unsafe (base[at], other.base[at])
      if left != right { return left < right }
      at += 1
    }
    return count < other.count
  }
}

/// Calls `body` with a view of an array's bytes.
///
/// The view must not leave `body`.
@inline(__always)
func withView<Result, Failure: Error>(
  of bytes: [UInt8],
  _ body: (ByteView) throws(Failure) -> Result
) throws(Failure) -> Result {
  // An empty array may have no address; one byte of our own stands in for it.
  guard !bytes.isEmpty else {
    let outcome: Swift.Result<Result, Failure> = unsafe withUnsafeTemporaryAllocation(
      of: UInt8.self,
      capacity: 1
    ) { spare in
      guard let start = spare.baseAddress else { preconditionFailure("no stack memory") }
      do throws(Failure) {
        return .success(try body(unsafe ByteView(base: start, count: 0)))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
  let outcome: Swift.Result<Result, Failure> = unsafe bytes.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { preconditionFailure("no address") }
    do throws(Failure) {
      return .success(try body(unsafe ByteView(base: start, count: buffer.count)))
    } catch {
      return .failure(error)
    }
  }
  return try outcome.get()
}

/// Calls `body` with a view of a string's bytes.
@inline(__always)
func withView<Result>(
  of utf8: UnsafeBufferPointer<UInt8>,
  _ body: (ByteView) -> Result
) -> Result {
  // As above: no bytes may have no address.
  guard let base = utf8.baseAddress else { return withView(of: [], body) }
  return body(unsafe ByteView(base: base, count: utf8.count))
}
