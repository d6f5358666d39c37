package import CodingLaws
package import CodingSupport

/// Why the naive coder refused a document's shape.
package struct NaiveCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: CoderComplaint.SchemaCase
  package let path: [PathKey]

  init(_ reason: CoderComplaint.SchemaCase, _ path: CodingPath) {
    self.reason = reason
    self.path = path.keys
  }

  package var description: String { "\(reason.rawValue) at \(path.dotted)" }
}
