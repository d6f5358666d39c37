import Foundation
import Synchronization

/// What recording and decoding tell apart of the type of every value.
///
/// Looked up once for each type: the casts that find it take longer than all else that is done for a small value.
enum TypeKind: Sendable {
  case date, data, url, uuid
  case string, int, boolean
  case text, counter
  case list, set, dictionary
  /// The value within is what counts.
  case optional
  /// A type with a mirror of its own.
  case reflecting
  /// Any other: structs, classes, enumerations, further scalars.
  case other

  private static let known = Mutex<[ObjectIdentifier: TypeKind]>([:])

  /// The kind of a type.
  static func of(_ type: Any.Type) -> TypeKind {
    let id = ObjectIdentifier(type)
    if let kind = known.withLock({ $0[id] }) { return kind }
    let kind = TypeKind(type)
    known.withLock { $0[id] = kind }
    return kind
  }

  private init(_ type: Any.Type) {
    self =
      switch type {
      case is Date.Type: .date
      case is Data.Type: .data
      case is URL.Type: .url
      case is UUID.Type: .uuid
      case is String.Type: .string
      case is Int.Type: .int
      case is Bool.Type: .boolean
      case is any ModelText.Type: .text
      case is any ModelCounter.Type: .counter
      case is any AnyOptional.Type: .optional
      case is any AnyDictionary.Type: .dictionary
      case is any AnySet.Type: .set
      case is any AnyList.Type: .list
      case is any CustomReflectable.Type: .reflecting
      default: .other
      }
  }

  private static let owners = Mutex<[ObjectIdentifier: RecordedMap.Owner]>([:])

  /// What asks for the containers of a value of this kind that is no dictionary.
  ///
  /// One that an enumeration hands on is of its own type.
  func owner(of value: any Encodable) -> RecordedMap.Owner {
    func reflected() -> RecordedMap.Owner {
      Mirror(reflecting: value).displayStyle == .enum ? .enumeration : .type
    }
    switch self {
    case .other:
      let id = ObjectIdentifier(Swift.type(of: value))
      if let owner = Self.owners.withLock({ $0[id] }) { return owner }
      let owner = reflected()
      Self.owners.withLock { $0[id] = owner }
      return owner
    case .reflecting: return reflected()
    default: return .type
    }
  }
}
