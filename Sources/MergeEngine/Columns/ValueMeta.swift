/// The metadata of one value: of what type it is, and how many bytes it has.
///
/// The format packs both into one number, `byte count << 4 | type`, which stands in the metadata
/// column while the bytes stand in the value column:
///
///     56    77 6f 72 6c 64     5 << 4 | 6: a string of 5 bytes, "world"
///     14    7e                 1 << 4 | 4: an int of 1 byte, -2
///     02                       0 << 4 | 2: true
///
/// Only values that were checked (``OpRowReader/checkValue(_:_:at:)``) or made here have one, so the
/// length never exceeds ``Limits/valueByteLimit`` and fits into the 28 bits that are left for it.
///
/// Source: Specification/Format.md, "Value columns".
struct ValueMeta: BitwiseCopyable, Hashable {
  /// As written in the column.
  let rawValue: UInt32

  /// - Parameters:
  ///   - type: One of ``TypeCode``, or a code of the format's future, at most 15.
  ///   - byteCount: Below 2^28.
  @inline(__always)
  init(_ type: UInt32, byteCount: Int) { rawValue = UInt32(byteCount) << 4 | type }

  /// Null, which has no bytes.
  @inline(__always) static var null: ValueMeta { ValueMeta(TypeCode.null, byteCount: 0) }

  /// One of ``TypeCode``; codes above it are kept as they came.
  @inline(__always) var type: UInt32 { rawValue & 15 }

  @inline(__always) var byteCount: UInt32 { rawValue >> 4 }
}
