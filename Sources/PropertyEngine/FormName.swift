/// Name of a text form of samples, as case files have it: what the samples are, and the form's version.
///
///     sample: stored history 1
///
/// The version is part of the name, so that a sample of another version is refused and not misread. It is
/// still one of its kind.
package struct FormName: Hashable, Sendable {
  /// What samples of the form are: `stored history`.
  package let kind: String
  /// `nil` for a name without one; then the whole name is the kind.
  package let version: Int?

  package init(_ kind: String, version: Int?) {
    self.kind = kind
    self.version = version
  }

  /// Reads what a case file says of its sample; any text is a name.
  package init(text: String) {
    let name = text.lastIndex(of: " ").flatMap { space in
      Int(text[space...].dropFirst()).map { FormName(String(text[..<space]), version: $0) }
    }
    // A number that would be written in another way is part of the kind.
    self = name.flatMap { $0.description == text ? $0 : nil } ?? FormName(text, version: nil)
  }
}

extension FormName: CustomStringConvertible {
  package var description: String { version.map { "\(kind) \($0)" } ?? kind }
}

extension FormName: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

extension FormName: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(text: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
