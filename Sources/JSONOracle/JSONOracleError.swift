/// Why json-c gave no answer, or refused a text.
package struct JSONOracleError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The program was built without the trait `JSONCOracle`.
    case absent
    /// More than ``JSONOracle/byteLimit`` bytes.
    case tooLong
    /// Arrays and objects lie in one another deeper than was allowed.
    case tooDeep(limit: Int)
    /// No JSON; json-c's own words.
    case malformed(String)
    /// Bytes behind a complete value.
    case leftover
    /// A key that json-c cannot hold, as it has a zero byte.
    case zeroInKey
    case outOfMemory
  }

  package let reason: Reason
  /// Bytes from the start of the text; 0 when a value is printed.
  package let offset: Int

  package var description: String {
    switch reason {
    case .absent: "json-c is absent: build with --traits JSONCOracle"
    case .tooLong: "json-c reads at most \(JSONOracle.byteLimit) bytes"
    case .tooDeep(let limit): "deeper than \(limit) at byte \(offset)"
    case .malformed(let words): "\(words) at byte \(offset)"
    case .leftover: "more bytes behind the value at byte \(offset)"
    case .zeroInKey: "a key with a zero byte"
    case .outOfMemory: "json-c has no memory"
    }
  }
}
