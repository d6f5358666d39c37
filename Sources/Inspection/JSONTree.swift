/// A JSON value: whole numbers exact, members in order.
package enum JSONTree: Hashable, Sendable {
  case null
  case boolean(Bool)
  case int(Int64)
  /// A whole number above `Int64.max`; one that fits is an ``int(_:)``.
  case uint(UInt64)
  /// Finite: JSON has no word for anything else.
  case double(Double)
  case string(String)
  case array([JSONTree])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: JSONTree

    package init(_ key: String, _ value: JSONTree) {
      self.key = key
      self.value = value
    }
  }

  /// A whole number, in the case that is its own.
  package init(_ number: UInt64) {
    self = Int64(exactly: number).map { .int($0) } ?? .uint(number)
  }

  /// How deep a tree may be that is read or printed.
  package static let depthLimit = 500
}
