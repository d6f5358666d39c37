/// A string that equals only a string of the same bytes.
///
/// Swift's `String` equates canonically equivalent strings, so that one map key would swallow
/// another. Keys and texts of a document are compared by their UTF-8 bytes, without normalisation.
///
/// Source: Specification/Semantics.md, "Registers and conflicts".
package struct ExactString: Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }

  package var description: String { string }

  package static func == (left: Self, right: Self) -> Bool {
    // What `String` tells apart differs in its bytes, and that is quickly found out.
    guard left.string == right.string else { return false }
    let isEqual = unsafe left.string.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe right.string.utf8.withContiguousStorageIfAvailable { unsafe $0.elementsEqual(bytes) }
    }
    return (isEqual ?? nil) ?? left.string.utf8.elementsEqual(right.string.utf8)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in string.utf8 { hasher.combine(byte) }
    hasher.combine(string.utf8.count)
  }
}
