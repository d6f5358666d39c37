import ModelLaws
import PropertyEngine
import Testing

extension Difference {
  /// What an expectation found; two failures are of one kind if one expectation found them.
  init(_ issue: Issue) {
    let place = issue.sourceLocation.map { "\($0.fileName):\($0.line)" }
    if let error = issue.error {
      self.init(thrown: error)
    } else {
      self.init(
        kind: "expectation \(place ?? "without a place")",
        // Every issue that is caught is an error, and a report need not say so.
        summary: "\(issue)".replacing(" (error)", with: "") + (place.map { " (\($0))" } ?? "")
      )
    }
  }

  /// An error that was thrown; two failures are of one kind if their errors are of one type.
  init(thrown error: any Error) {
    self.init(
      kind: "throws \(type(of: error))",
      summary: "it throws \(explanation(ofCodingError: error))"
    )
  }

  /// A property says by its value that it does not hold.
  static let returnedFalse = Difference(kind: "returns false", summary: "it returns false")
}
