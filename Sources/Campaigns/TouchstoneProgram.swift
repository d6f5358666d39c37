/// What this program calls itself in what it writes.
package enum TouchstoneProgram {
  package static let version = "0.1.0"
  /// Name and version.
  package static let name = "touchstone \(version)"
}
