/// Checks of single op rows, shared by changes and documents.
///
/// A row is trusted once it has passed: what stands behind it in the engine traps on no value.
///
/// A value's metadata is its length in bytes, shifted by four, and its type:
///
///     metadata   value    is
///     00                  null, which owns no bytes even if the metadata names some
///     14         7f       int -1, one byte of signed LEB128
///     26         68 69    string "hi"
///     1c         ff       type 12, which the format does not define: its bytes are kept
enum OpRowReader {
  /// A counter that a packed id can hold, 0 to 2^32 - 1; throws `fault` for any other number.
  static func counter(_ value: Int64, _ fault: @autoclosure () -> Fault) throws(Fault) -> UInt32 {
    guard value >= 0, value <= Int64(UInt32.max) else { throw fault() }
    return UInt32(truncatingIfNeeded: value)
  }

  /// Checks one value's bytes; returns the metadata as it is written back.
  ///
  /// The metadata is a number of 64 bits from outside: the length that it states may exceed all
  /// bytes there are.
  ///
  /// Null and booleans own no bytes, whatever their metadata says.
  @inline(__always)
  static func checkValue(
    _ meta: UInt64,
    _ bytes: ByteView,
    at offset: Int
  ) throws(Fault) -> ValueMeta {
    let type = UInt32(truncatingIfNeeded: meta & 15)
    if type <= TypeCode.yes { return ValueMeta(type, byteCount: 0) }
    let length = meta >> 4
    guard length <= UInt64(bytes.count - offset) else {
      throw Fault(.truncated, offset, .value)
    }
    guard length <= UInt64(Limits.valueByteLimit) else {
      throw Fault(.limitExceeded(.valueByteLimit), offset, .value)
    }
    if type == TypeCode.string && length == 1 {
      guard bytes[offset] < 0x80 else { throw Fault(.invalidUTF8, offset, .value) }
    } else {
      try checkBytes(type, bytes.part(from: offset, length: Int(length)), at: offset)
    }
    return ValueMeta(type, byteCount: Int(length))
  }

  /// Types beyond those known are taken with any bytes, and kept as they came.
  private static func checkBytes(
    _ type: UInt32,
    _ bytes: ByteView,
    at offset: Int
  ) throws(Fault) {
    switch type {
    case TypeCode.uint:
      var cursor = ByteCursor(bytes)
      do { _ = try cursor.readULEB(strict: true, .value) } catch {
        throw Fault(error.reason, offset, .value)
      }
      guard cursor.isAtEnd else { throw Fault(.invalidValue, offset, .value) }
    case TypeCode.int, TypeCode.counter, TypeCode.timestamp:
      var cursor = ByteCursor(bytes)
      do { _ = try cursor.readSLEB(strict: true, .value) } catch {
        throw Fault(error.reason, offset, .value)
      }
      guard cursor.isAtEnd else { throw Fault(.invalidValue, offset, .value) }
    case TypeCode.double:
      guard bytes.count == 8 else { throw Fault(.invalidValue, offset, .value) }
    case TypeCode.string:
      guard isUTF8(bytes) else { throw Fault(.invalidUTF8, offset, .value) }
    default: break
    }
  }
}
