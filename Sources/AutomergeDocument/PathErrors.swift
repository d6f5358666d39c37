public import Foundation

/// Why a text is not a path; each case holds the step that is wrong.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum PathParseError: LocalizedError, Hashable, Sendable {
  /// Neither `[index]` nor a key that begins with an ASCII letter.
  case InvalidPathElement(String)
  /// What stands in brackets is not an index.
  case EmptyListIndex(String)

  /// The step that is wrong.
  public var errorDescription: String? {
    switch self {
    case .InvalidPathElement(let step), .EmptyListIndex(let step): step
    }
  }
}

/// Why a path leads nowhere in a document; each case holds its description.
///
/// Five cases are declared for the sake of code that names them, and never thrown: three that
/// automerge-swift does not throw either, ``UnexpectedLookupFailure(_:)``, with which it refused a
/// strategy that works here, and ``NoPathForSingleValue(_:)``, since a value without a path is
/// refused as ``InvalidIndexLookup(_:)``.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum CodingKeyLookupError: LocalizedError, Equatable, Sendable {
  case UnexpectedLookupFailure(String)
  case InvalidPathElement(String)
  case EmptyListIndex(String)
  /// An index lies too far behind the end of its list.
  case IndexOutOfBounds(String)
  case InvalidValueLookup(String)
  /// The path ends in no place that such a value can have.
  case InvalidIndexLookup(String)
  /// A step leads into a text.
  case PathExtendsThroughText(String)
  /// A step leads into a scalar.
  case PathExtendsThroughScalar(String)
  /// The object at the path is of another type.
  case MismatchedSchema(String)
  /// Nothing is there, and nothing may be made.
  case SchemaMissing(String)
  case NoPathForSingleValue(String)
  /// The document refused a call on the way.
  case AutomergeDocError(any Error)

  public var errorDescription: String? {
    switch self {
    case .UnexpectedLookupFailure(let text), .InvalidPathElement(let text),
      .EmptyListIndex(let text), .IndexOutOfBounds(let text), .InvalidValueLookup(let text),
      .InvalidIndexLookup(let text), .PathExtendsThroughText(let text),
      .PathExtendsThroughScalar(let text), .MismatchedSchema(let text), .SchemaMissing(let text),
      .NoPathForSingleValue(let text):
      text
    case .AutomergeDocError(let error):
      "An underlying Automerge error: \(error.localizedDescription)"
    }
  }

  /// Equal descriptions.
  public static func == (left: CodingKeyLookupError, right: CodingKeyLookupError) -> Bool {
    left.errorDescription == right.errorDescription
  }
}
