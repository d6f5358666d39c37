#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A growing array of plain values in one block of memory, with one owner.
///
/// Guarantee: no reference counting, no copy on write, no exclusivity check of its own; copying
/// is explicit and costs one `memcpy`. Every index is compared with `count`, in release too: an
/// index comes from our own links, but a link gone wrong must stop the program, not corrupt it.
///
/// Growth doubles the capacity, so `append` costs amortised constant time; the first block is of 256
/// bytes, since most arenas of a tiny document never need a second.
///
///     base -> [ e0 | e1 | ... | e(count - 1) | spare ... ]        room for `capacity` elements
///
/// Elements are plain values, so that nothing is initialised, destroyed or retained: moving the
/// block is moving its bytes, and spare room holds whatever was there. They need no more alignment
/// than `malloc` gives.
///
/// What holds between calls: `0 <= count <= capacity`; the first `count` elements are set; the
/// block is this arena's alone, freed with it. A size from outside is checked by a reader before
/// room is made for it, so that what fails here is memory itself, which stops the program.
@safe
struct Arena<Element: BitwiseCopyable>: ~Copyable {
  /// Of a block that `malloc` gave, or of none while `capacity` is 0.
  private var base: UnsafeMutablePointer<Element>
  private(set) var count: Int
  /// Elements that the block has room for.
  private var capacity: Int

  /// An empty arena with room for `capacity` elements.
  init(capacity: Int = 0) {
    if capacity > 0 {
      guard let fresh = unsafe malloc(capacity * MemoryLayout<Element>.stride) else {
        preconditionFailure("no memory for \(capacity) elements")
      }
      unsafe base = fresh.assumingMemoryBound(to: Element.self)
    } else {
      // Never read: an address that is aligned for every element, in place of no memory.
      unsafe base = UnsafeMutablePointer<Element>(bitPattern: 64).unsafelyUnwrapped
    }
    self.capacity = capacity
    count = 0
  }

  deinit {
    if capacity > 0 { unsafe free(base) }
  }

  /// A copy with the same elements and a little spare room.
  ///
  /// The spare room is at most 512 bytes: a fork that only reads pays for what it holds.
  borrowing func copy() -> Arena {
    var result = Arena(
      capacity: count == 0 ? 0 : count + min(count, 512 / MemoryLayout<Element>.stride)
    )
    unsafe result.base.update(from: base, count: count)
    result.count = count
    return result
  }

  var isEmpty: Bool { count == 0 }
  /// Bytes of memory that it holds, used or not.
  var byteCapacity: Int { capacity * MemoryLayout<Element>.stride }
  /// Bytes of its elements.
  var byteCount: Int { count * MemoryLayout<Element>.stride }
  /// The last element's index; `nil` when there is none.
  var lastIndex: Int? { count > 0 ? count - 1 : nil }

  /// One comparison for both ends: a negative index is a great unsigned number.
  @inline(__always)
  private func check(_ index: Int) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
  }

  /// Addresses in place of `get` and `_modify`: a field of a record is read or written where it
  /// stands, without a copy of the record.
  subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      check(index)
      return unsafe UnsafePointer(base + index)
    }
    @inline(__always) unsafeMutableAddress {
      check(index)
      return unsafe base + index
    }
  }

  subscript(index: UInt32) -> Element {
    @inline(__always) unsafeAddress { unsafe address(of: index) }
    @inline(__always) unsafeMutableAddress { unsafe mutableAddress(of: index) }
  }

  /// The address of an element, for subscripts: valid until the arena next grows or ends.
  @unsafe
  @inline(__always)
  func address(of index: UInt32) -> UnsafePointer<Element> {
    check(Int(index))
    return unsafe UnsafePointer(base + Int(index))
  }

  @unsafe
  @inline(__always)
  mutating func mutableAddress(of index: UInt32) -> UnsafeMutablePointer<Element> {
    check(Int(index))
    return unsafe base + Int(index)
  }

  /// Moves the block: addresses and views taken before are no longer valid.
  private mutating func grow(to needed: Int) {
    let room = max(
      needed,
      capacity * 2,
      Sizes.firstBlockByteCount / MemoryLayout<Element>.stride,
      Sizes.firstBlockCount
    )
    // The C allocator can move large blocks by remapping pages, without touching them.
    let old: UnsafeMutableRawPointer? = unsafe capacity > 0 ? UnsafeMutableRawPointer(base) : nil
    guard let fresh = unsafe realloc(old, room * MemoryLayout<Element>.stride) else {
      preconditionFailure("no memory for \(room) elements")
    }
    unsafe base = fresh.assumingMemoryBound(to: Element.self)
    capacity = room
  }

  /// Makes room for `extra` more elements.
  @inline(__always)
  mutating func reserve(_ extra: Int) {
    if count + extra > capacity { grow(to: count + extra) }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    unsafe base[count] = element
    count += 1
  }

  /// Appends `element` `times` times, at least 0.
  mutating func append(repeating element: Element, count times: Int) {
    reserve(times)
    unsafe (base + count).update(repeating: element, count: times)
    count += times
  }

  /// Appends all elements of another arena.
  mutating func append(contentsOf other: borrowing Arena) {
    reserve(other.count)
    unsafe (base + count).update(from: other.base, count: other.count)
    count += other.count
  }

  /// Copies elements to another place; the two stretches may overlap.
  @inline(__always)
  mutating func move(from source: Int, to target: Int, count moved: Int) {
    precondition(source >= 0 && target >= 0 && moved >= 0 && max(source, target) + moved <= count)
    unsafe (base + target).update(from: base + source, count: moved)
  }

  /// Drops every element from `newCount` on; the memory stays reserved.
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Calls `body` with the elements for rewriting in place.
  mutating func withMutableElements<Result>(
    _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result {
    unsafe body(UnsafeMutableBufferPointer(start: base, count: count))
  }
}

extension Arena where Element == UInt8 {
  /// Appends bytes which a view borrows.
  @inline(__always)
  mutating func append(_ bytes: ByteView) {
    if bytes.count == 0 { return }
    reserve(bytes.count)
    unsafe (base + count).update(from: bytes.base, count: bytes.count)
    count += bytes.count
  }

  /// Appends a part of another arena.
  @inline(__always)
  mutating func append(_ other: borrowing Arena<UInt8>, from start: Int, length: Int) {
    precondition(start >= 0 && length >= 0 && start + length <= other.count)
    reserve(length)
    unsafe (base + count).update(from: other.base + start, count: length)
    count += length
  }

  /// The bytes, borrowed: valid until the arena next changes or ends.
  ///
  /// A view neither keeps the arena alive nor follows it when it grows: take it again after each
  /// append.
  var view: ByteView { unsafe ByteView(base: UnsafePointer(base), count: count) }

  /// A part of the bytes, borrowed likewise.
  func view(from start: Int, length: Int) -> ByteView {
    precondition(start >= 0 && length >= 0 && start + length <= count)
    return unsafe ByteView(base: UnsafePointer(base + start), count: length)
  }

  /// Appends the eight bytes of a word, the most significant first.
  @inline(__always)
  mutating func appendBigEndian(_ word: UInt64) {
    reserve(8)
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(
      of: word.bigEndian,
      as: UInt64.self
    )
    count += 8
  }

  /// Appends an unsigned number in its shortest LEB128 form.
  ///
  /// Seven bits a byte, the lowest first; ``ByteCursor`` has examples.
  @inline(__always)
  mutating func appendULEB(_ value: UInt64) {
    if value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
    appendLongULEB(value)
  }

  private mutating func appendLongULEB(_ value: UInt64) {
    var rest = value
    reserve(10)
    while rest >= 0x80 {
      unsafe base[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    unsafe base[count] = UInt8(truncatingIfNeeded: rest)
    count += 1
  }

  /// Appends a signed number in its shortest LEB128 form.
  @inline(__always)
  mutating func appendSLEB(_ value: Int64) {
    if value >= -64 && value < 64 { return append(UInt8(truncatingIfNeeded: value) & 0x7F) }
    appendLongSLEB(value)
  }

  private mutating func appendLongSLEB(_ value: Int64) {
    var rest = value
    reserve(10)
    // The last byte has six bits and the sign.
    while rest < -64 || rest >= 64 {
      unsafe base[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    unsafe base[count] = UInt8(truncatingIfNeeded: rest) & 0x7F
    count += 1
  }

  /// Appends a length-prefixed string of bytes.
  mutating func appendCounted(_ bytes: ByteView) {
    appendULEB(UInt64(bytes.count))
    append(bytes)
  }

  /// Appends a length-prefixed string of bytes.
  mutating func appendCounted(_ bytes: [UInt8]) {
    appendULEB(UInt64(bytes.count))
    append(bytes)
  }

  /// Appends the bytes of an array.
  mutating func append(_ bytes: [UInt8]) {
    reserve(bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress {
        unsafe (base + count).update(from: start, count: source.count)
      }
    }
    count += bytes.count
  }

  /// Overwrites the four bytes from `index` on.
  ///
  /// The checksum of a chunk, which is known only when the content is.
  mutating func patch(_ bytes: (UInt8, UInt8, UInt8, UInt8), at index: Int) {
    self[index] = bytes.0
    self[index + 1] = bytes.1
    self[index + 2] = bytes.2
    self[index + 3] = bytes.3
  }

  /// Lets `body` write up to `room` bytes at the end; it returns how many it wrote.
  ///
  /// The buffer holds whatever was there; `count` grows by what was written, and by no more.
  mutating func appendUninitialized(
    room: Int,
    _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    reserve(room)
    let written = unsafe body(UnsafeMutableBufferPointer(start: base + count, count: room))
    precondition(written >= 0 && written <= room)
    count += written
  }

  /// Moves the bytes from `index` on up by `shift`, leaving the gap's bytes as they are.
  ///
  ///     00 01 02 ...    at 1, shift 1    ->    00 01 01 02 ...     the count of a literal run, for
  ///                                                                which one byte was not enough
  ///
  /// The bytes of the gap keep what stood there, and the caller writes over them. Cost: a step for
  /// each byte behind the gap.
  mutating func openGap(at index: Int, shift: Int) {
    precondition(index >= 0 && index <= count && shift >= 0)
    reserve(shift)
    unsafe (base + index + shift).update(from: base + index, count: count - index)
    count += shift
  }
}
