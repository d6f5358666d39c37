/// Two lower-case hexadecimal digits for each byte.
package func hexString(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(hexDigit(byte >> 4))
    text.append(hexDigit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}

/// All lower-case hexadecimal digits of a number, leading zeros included: 16 for 64 bits.
package func hexString(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: number.bitWidth / 4 - text.utf8.count) + text
}

/// The lower-case ASCII digit of a value of `0...15`.
package func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// Bytes written as two hexadecimal digits each, of either case; `nil` for any other text.
package func hexBytes(_ text: some StringProtocol) -> [UInt8]? {
  hexBytes(utf8: Array(text.utf8))
}

private func hexBytes(utf8 text: [UInt8]) -> [UInt8]? {
  guard text.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 2)
  for index in stride(from: 0, to: text.count, by: 2) {
    guard let high = hexValue(text[index]), let low = hexValue(text[index + 1]) else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}

/// The value of an ASCII hexadecimal digit of either case, `0...15`; `nil` for any other byte.
package func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
