#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whether the stack of the thread that codes has room for containers within each other.
///
/// Each container of a value costs a few calls, the model's own among them, so that a value which
/// ``NestingLimit`` admits may still be too deep for a thread with a small stack: one that is made on
/// an Apple system has 512 KiB. What does not fit is refused before it is entered.
///
/// Where the stack's bounds are not known there is always room. One thread uses an instance.
///
/// What it earns: a refusal in place of the process's end, from some 225 containers on a thread with 512 KiB.
/// What holds it: `EdgeTests`, "512 containers within each other are coded on the stack that the documentation
/// states", and "What is too deep for a thread's stack is refused on both sides, and never traps"; under stress, "Stress: values of
/// any shape on stacks of any size are coded whole, or refused".
package final class StackRoom {
  /// Bytes for one container, in the deepest of the coder's walks over a value.
  ///
  /// Measured with painted stacks over chains of structs, enumerations, lists, sets, dictionaries
  /// and containers nested by hand, 512 levels each: at most 2,026 to write and 2,327 to read in an
  /// optimised build, 5,318 in another. Reading sees by what is left that it takes more.
  package static let bytesPerContainer: UInt = {
    #if DEBUG
    5_632
    #else
    2_176
    #endif
  }()

  /// Bytes that are left to whatever is called at the deepest level.
  package static let reservedBytes: UInt = {
    #if DEBUG
    64 << 10
    #else
    32 << 10
    #endif
  }()

  /// Up to this depth the room is not checked: to ask for the bounds of a main thread takes a
  /// while.
  private static let freeDepth = 32

  private let start = StackRoom.here
  private var bounds: Range<UInt>??

  package init() {}

  /// Whether there is room for a value at this depth, and for writing it afterwards.
  @inline(__always)
  package func admits(_ depth: Int) -> Bool {
    depth < Self.freeDepth || hasRoom(depth)
  }

  @inline(never)
  private func hasRoom(_ depth: Int) -> Bool {
    let bounds = self.bounds ?? Self.threadBounds
    self.bounds = .some(bounds)
    let here = Self.here
    // A model may have gone to another thread, and sanitizers keep variables elsewhere.
    guard let bounds, bounds.contains(here), bounds.contains(start) else { return true }
    let inAll = UInt(depth) * Self.bytesPerContainer + Self.reservedBytes
    return here - bounds.lowerBound > Self.reservedBytes && start - bounds.lowerBound > inAll
  }

  /// An address in the calling function's frame, or near it.
  private static var here: UInt {
    var local: UInt8 = 0
    return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }

  /// The addresses of the calling thread's stack, which grows towards the lower ones.
  private static var threadBounds: Range<UInt>? {
    #if canImport(Darwin)
    let end = unsafe UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
    let size = UInt(pthread_get_stacksize_np(pthread_self()))
    return size < end ? (end - size)..<end : nil
    #elseif canImport(Glibc) || canImport(Musl)
    // An extension of both libraries, which their modules do not show.
    typealias Asking =
      @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
    guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return nil }
    let ask = unsafe unsafeBitCast(symbol, to: Asking.self)
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    guard unsafe ask(pthread_self(), attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(attributes) }
    var low: UnsafeMutableRawPointer?
    var size = 0
    guard unsafe pthread_attr_getstack(attributes, &low, &size) == 0,
      let low = unsafe low.map({ UInt(bitPattern: $0) })
    else { return nil }
    return low..<(low + UInt(size))
    #else
    return nil
    #endif
  }
}
