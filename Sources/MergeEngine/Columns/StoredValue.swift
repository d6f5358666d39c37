// What the bytes of a value say: as a scalar, and in units of a text.
//
//     metadata   value    scalar          units by scalars, UTF-8, UTF-16, graphemes
//     14         7e       int -2
//     26         c3 a9    string "é"      1, 2, 1, 1
//     02                  true
//
// The bytes were checked when they came in (`OpRowReader.checkValue`), or written here: nothing can be refused
// any more.

extension ValueMeta {
  /// The scalar that the bytes are; of a counter its start.
  func scalar(of bytes: ByteView) -> Scalar {
    switch type {
    case TypeCode.null: return .null
    case TypeCode.no: return .bool(false)
    case TypeCode.yes: return .bool(true)
    case TypeCode.uint: return .uint(bytes.storedULEB)
    case TypeCode.int: return .int(bytes.storedSLEB)
    case TypeCode.double:
      var bits: UInt64 = 0
      for at in 0..<8 { bits |= UInt64(bytes[at]) << UInt64(at * 8) }
      return .double(Double(bitPattern: bits))
    case TypeCode.string: return .string(bytes.string)
    case TypeCode.bytes: return .bytes(bytes.array)
    case TypeCode.counter: return .counter(bytes.storedSLEB)
    case TypeCode.timestamp: return .timestamp(bytes.storedSLEB)
    default: return .unknown(code: UInt8(type), bytes: bytes.array)
    }
  }
}

extension ByteView {
  /// The unsigned number that all of the bytes are.
  ///
  /// Strict checks have bounded it to ten bytes.
  var storedULEB: UInt64 {
    var value: UInt64 = 0
    for at in 0..<count { value |= UInt64(self[at] & 0x7F) << UInt64(at * 7) }
    return value
  }

  /// The signed number that all of the bytes are.
  var storedSLEB: Int64 {
    var value = storedULEB
    let bits = UInt64(count * 7)
    if bits < 64 && count > 0 && self[count - 1] & 0x40 != 0 {
      value |= UInt64.max << bits
    }
    return Int64(bitPattern: value)
  }

  /// Whether every byte is below 0x80.
  ///
  /// Eight at a time: a text of letters is looked at in an eighth of the steps.
  var isASCII: Bool {
    var at = 0
    while at + 8 <= count {
      if bigEndianWord(at: at) & 0x8080_8080_8080_8080 != 0 { return false }
      at += 8
    }
    while at < count {
      if self[at] >= 0x80 { return false }
      at += 1
    }
    return true
  }
}

extension TextUnit {
  /// Units of a string of well-formed UTF-8.
  ///
  /// Cost: a step for each byte; of graphemes, what the standard library takes to break the text.
  func width(of text: ByteView) -> UInt32 {
    switch self {
    case .utf8: return UInt32(text.count)
    case .grapheme: return UInt32(text.string.count)
    case .scalar, .utf16:
      var total: UInt32 = 0
      for at in 0..<text.count {
        let byte = text[at]
        if byte & 0xC0 != 0x80 { total += 1 }
        if byte >= 0xF0 && self == .utf16 { total += 1 }
      }
      return total
    }
  }
}
