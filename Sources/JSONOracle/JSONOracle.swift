package import Texts

/// json-c as an oracle: an independent answer to what a text means.
package enum JSONOracle {
  /// Whether json-c is part of this build: with the trait `JSONCOracle`.
  package static var isPresent: Bool {
    #if JSONCOracle
    true
    #else
    false
    #endif
  }

  /// What a test says that cannot run without json-c.
  package static let absence =
    "json-c is absent: build with --traits JSONCOracle to compare with it"

  /// json-c counts a text's bytes, and a final zero, in 31 bits.
  package static let byteLimit = Int(Int32.max) - 1
  /// The greatest depth that may be asked for: json-c reserves memory for all of it at once.
  package static let greatestDepth = 10_000

  /// Reads a text as json-c does when it is strict and checks UTF-8.
  ///
  /// Arrays and objects may lie in one another as deep as `depthLimit`, `1...` ``greatestDepth``.
  ///
  /// - Throws: ``JSONOracleError``: `absent`, `tooLong`, `tooDeep`, `malformed`, `leftover`.
  package static func read(
    _ bytes: [UInt8],
    depthLimit: Int = 1_000
  ) throws(JSONOracleError) -> JSONValue {
    precondition((1...greatestDepth).contains(depthLimit), "depth \(depthLimit)")
    guard bytes.count <= byteLimit else { throw JSONOracleError(reason: .tooLong, offset: 0) }
    #if JSONCOracle
    return try parse(bytes, depthLimit: depthLimit)
    #else
    throw JSONOracleError(reason: .absent, offset: 0)
    #endif
  }

  /// The text that json-c makes of a value, without white space.
  ///
  /// - Throws: ``JSONOracleError``: `absent`, `zeroInKey`, `tooDeep`, `tooLong`, `outOfMemory`.
  package static func print(_ value: JSONValue) throws(JSONOracleError) -> [UInt8] {
    #if JSONCOracle
    return try render(value)
    #else
    throw JSONOracleError(reason: .absent, offset: 0)
    #endif
  }
}
