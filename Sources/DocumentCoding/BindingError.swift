public import Foundation

/// Why a text or counter could not be bound.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum BindingError: LocalizedError, Equatable, Sendable {
  /// The path is empty, or begins with an index: no value stands there.
  case InvalidPath(String)
  /// Something else than a text stands there.
  case NotText
  /// No counter stands there.
  case NotCounter
  /// The call needs an instance that is bound.
  case Unbound

  public var errorDescription: String? {
    switch self {
    case .InvalidPath(let path): "The path \(path) leads to no value that can be bound."
    case .NotText: "The value in the document is no text."
    case .NotCounter: "The value in the document is no counter."
    case .Unbound: "The instance is not bound to a document."
    }
  }
}

// What a failing test shows of it, which without this is the name of a case.
extension BindingError: CustomStringConvertible {
  public var description: String { errorDescription ?? "" }
}
