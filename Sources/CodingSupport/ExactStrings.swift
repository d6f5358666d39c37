import Foundation

/// Strings as documents tell them apart: by their bytes.
///
/// Swift's own `==` and `<` take canonically equivalent strings for one. `elementsEqual` of two UTF-8 views compares by
/// bytes, but in a debug build, where it is not specialised, takes some hundred instructions for each of them.
extension String {
  /// Whether the other string has the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && byteOrder(other) == 0
  }

  /// Whether the string comes before the other one by their bytes, a prefix before what goes on.
  package func precedesByBytes(_ other: String) -> Bool { byteOrder(other) < 0 }

  /// Below 0 if the string comes first by its bytes, 0 if both have the same, above 0 otherwise.
  private func byteOrder(_ other: String) -> Int {
    var (left, right) = (self, other)
    // `memcmp` reads within both views, as far as the shorter one goes.
    let order = left.withUTF8 { left in
      right.withUTF8 { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return 0 }
        return Int(unsafe memcmp(first, second, min(left.count, right.count)))
      }
    }
    return order == 0 ? utf8.count - other.utf8.count : order
  }
}
