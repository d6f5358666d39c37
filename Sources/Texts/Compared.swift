/// Who is compared in a failure, in one sentence; `nil` where no side has a name.
///
/// The first shows what was expected; it has no name where the law itself demands that.
package func compared(_ expected: String?, with actual: String?) -> String? {
  switch (expected, actual) {
  case (let expected?, let actual?): "Compared: \(expected), with \(actual)."
  case (nil, let actual?): "Looked at: \(actual)."
  case (let expected?, nil): "Compared with: \(expected)."
  case (nil, nil): nil
  }
}
