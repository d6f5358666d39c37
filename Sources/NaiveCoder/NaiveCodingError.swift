package import CodingLaws
package import CodingSupport

/// Why the naive coder refused a document's shape.
///
/// Values that cannot be encoded, and content that cannot be decoded, are Swift's own errors, as
/// with any coder.
package struct NaiveCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: CoderComplaint.SchemaCase
  /// From the root to the place that does not fit.
  package let path: [PathKey]

  init(_ reason: CoderComplaint.SchemaCase, _ path: CodingPath) {
    self.reason = reason
    self.path = path.keys
  }

  package var description: String { "\(reason.rawValue) at \(path.place)" }
}
