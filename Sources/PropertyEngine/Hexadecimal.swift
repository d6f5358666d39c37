extension Unicode.Scalar {
  /// The scalar as Swift's escape: `\u{e9}`.
  var escape: String { "\\u{\(hexadecimal(value, digitCount: 1))}" }
}

/// A number in lower-case hexadecimal digits, with zeros in front up to `digitCount` digits.
///
///     255     2 digits  ff     4 digits  00ff
func hexadecimal(_ number: some FixedWidthInteger & UnsignedInteger, digitCount: Int) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: max(digitCount - digits.utf8.count, 0)) + digits
}
