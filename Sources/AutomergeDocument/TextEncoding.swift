package import MergeEngine

/// What positions and lengths of texts count.
///
///     "e", U+0301, U+1F44D      graphemeCluster 2   unicodeScalar 3   utf8 7   utf16 4
///
/// Not stored: two replicas may count differently, and agree on every text. A document that counts
/// grapheme clusters also types by them: a cluster is one element, which is deleted as a whole.
public enum TextEncoding: Hashable, Sendable, CaseIterable {
  /// Characters as people see them.
  case graphemeCluster
  case unicodeScalar
  /// Bytes.
  case utf8
  /// Code units, as `NSString` and JavaScript count.
  case utf16

  package init(_ unit: MergeEngine.TextUnit) {
    switch unit {
    case .scalar: self = .unicodeScalar
    case .utf8: self = .utf8
    case .utf16: self = .utf16
    case .grapheme: self = .graphemeCluster
    }
  }

  package var engineUnit: MergeEngine.TextUnit {
    switch self {
    case .graphemeCluster: .grapheme
    case .unicodeScalar: .scalar
    case .utf8: .utf8
    case .utf16: .utf16
    }
  }
}
