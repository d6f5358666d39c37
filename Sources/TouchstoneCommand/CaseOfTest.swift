import Foundation
import PropertyEngine

/// A case that a test of a user's package stored: its model, property or system is code of that package, so
/// that the program can show the case, and not judge it.
struct CaseOfTest: Error, CustomStringConvertible {
  private let path: String
  private let model: String

  /// - Returns: `nil` for a case that the program can judge.
  init?(_ file: CaseFile, at url: URL) {
    guard let model = file[.model] else { return nil }
    self.model = model
    path = url.relativePath
  }

  var description: String {
    "\(path) is a case of a test of \(model), which alone can judge it: "
      + "TOUCHSTONE_REPLAY=\(path) swift test"
  }
}
