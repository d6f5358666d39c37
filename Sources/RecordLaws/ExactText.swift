import Foundation
import Texts

/// The texts of two things that differ.
///
/// Usual descriptions leave out fractions of a second, the bytes of data, and how equal letters are spelled. Where both
/// texts are alike, or tell of optionals in Swift's words, both are written out exactly:
///
///     dates half a millisecond apart    1970-01-01 00:00:00 +0000    date(-978307200.0 s after 2001)
///     "é" composed and decomposed       é                            "\u{e9}"
///     data of one size                  3 bytes                      bytes [1, 2, 3]
func texts(ofDifferent expected: Any?, _ actual: Any?) -> (expected: String?, actual: String?) {
  let usual = (expected.map { "\($0)" }, actual.map { "\($0)" })
  let namesOptionals = [usual.0, usual.1].contains { $0?.contains("Optional(") == true }
  guard usual.0 == usual.1 || namesOptionals else { return usual }
  return (expected.map(exactText), actual.map(exactText))
}

/// A value with all that its properties hold.
func exactText(_ value: Any) -> String {
  switch value {
  case let text as String: return quoted(text)
  case let date as Date: return "date(\(date.timeIntervalSinceReferenceDate) s after 2001)"
  case let url as URL: return url.absoluteString
  case let data as Data: return "bytes \(Array(data))"
  default: break
  }
  let mirror = Mirror(reflecting: value)
  let parts = mirror.children.map { child in
    (child.label.map { "\($0): " } ?? "") + exactText(child.value)
  }
  let values = mirror.children.map { exactText($0.value) }
  switch mirror.displayStyle {
  case .optional: return values.first ?? "nil"
  case .enum: return mirror.children.first.map { "\($0.label ?? "")(\(values[0]))" } ?? "\(value)"
  case .struct where !parts.isEmpty: return "\(mirror.subjectType)\(listed(parts))"
  case .tuple: return listed(parts)
  case .collection: return "[\(values.joined(separator: ", "))]"
  case .set, .dictionary: return "[\(values.sorted().joined(separator: ", "))]"
  // A class may lead back to itself.
  default: return "\(value)"
  }
}

private func listed(_ parts: [String]) -> String { "(\(parts.joined(separator: ", ")))" }
