extension Unicode.Scalar {
  /// The scalar as Swift's literals escape it: `\u{301}`.
  package func escape(uppercase: Bool = false) -> String {
    "\\u{\(String(value, radix: 16, uppercase: uppercase))}"
  }
}

/// The text in double quotes, with everything but printable ASCII as an escape.
///
/// Two strings that differ look different, and nothing in a string ends the line it stands on.
/// A line feed becomes `lineFeed`.
package func quoted(_ text: String, lineFeed: String = "\\n") -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += lineFeed
    case " "..."~": result.unicodeScalars.append(scalar)
    default: result += scalar.escape()
    }
  }
  return result + "\""
}

/// Reads what stands behind a backslash: `n`, `r`, `t`, `"`, a backslash, or `u{...}` with one to eight
/// hexadecimal digits.
///
/// Takes the escape away from `scalars` and returns what it stands for; `nil` for any other text,
/// or for a number that is not a Unicode scalar.
package func takeEscape<Scalars: Collection>(from scalars: inout Scalars) -> Unicode.Scalar?
where Scalars.SubSequence == Scalars, Scalars.Element == Unicode.Scalar {
  switch scalars.popFirst() {
  case "n": return "\n"
  case "r": return "\r"
  case "t": return "\t"
  case "\"": return "\""
  case "\\": return "\\"
  case "u":
    guard scalars.popFirst() == "{" else { return nil }
    var code: UInt32 = 0
    var count = 0
    while let scalar = scalars.popFirst() {
      if scalar == "}" { return count > 0 ? Unicode.Scalar(code) : nil }
      guard count < 8, let byte = UInt8(exactly: scalar.value), let digit = hexValue(byte) else {
        return nil
      }
      code = code << 4 | UInt32(digit)
      count += 1
    }
    return nil
  default: return nil
  }
}
