public import Foundation
package import MergeEngine

/// Why a call on a document was refused.
///
/// A refused call has changed nothing.
public struct DocError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public enum Kind: Hashable, Sendable {
    /// No operation of this document made that object.
    case unknownObject(ObjId)
    /// The call does not fit an object of this type: a key for a list, an index for a map.
    case wrongObjectType(ObjType)
    /// The index lies outside the object; a negative one comes from a negative delete count.
    case indexOutOfBounds(index: Int, length: Int)
    /// Only a counter can be incremented.
    case notACounter
    /// The document has no change of that hash.
    case unknownChange(ChangeHash)
    /// The cursor's place is not in that object, or was not there at the heads asked for.
    case invalidCursor(Cursor)
    /// The value cannot be stored; the text says which kind of value, and why.
    case invalidScalar(String)
    /// A limit would be passed: a property of ``DocumentLimits``, or what there is too much of.
    case limitExceeded(String)
    /// Observers edited the document while they were notified, to this depth of nesting; the
    /// innermost edit was refused.
    case observersNested(Int)
    /// Bytes or changes of another replica were refused, or changes of the document by themselves: one uses what it
    /// does not depend on.
    case refusedChanges(LoadError)
  }

  public let kind: Kind

  /// Name of the limit of ``AutomergeValue``.
  static let depthLimit = "depthLimit"

  package init(kind: Kind) {
    self.kind = kind
  }

  package init(_ error: MergeEngine.EditError) {
    kind =
      switch error {
      case .unknownObject(let id): .unknownObject(ObjId(id, .map))
      case .indexOutOfBounds(let index, let length):
        .indexOutOfBounds(index: index, length: length)
      case .invalidOperation(let kind): .wrongObjectType(ObjType(kind))
      case .notACounter: .notACounter
      case .unknownHash(let hash): .unknownChange(ChangeHash(hash))
      case .incompleteHistory(let error): .refusedChanges(LoadError(error))
      case .invalidCursor(let cursor): .invalidCursor(Cursor(cursor))
      case .counterOverflow: .limitExceeded("operations of one document")
      case .limitExceeded(let name): .limitExceeded(name.rawValue)
      case .invalidScalar: .invalidScalar("an unknown scalar needs a type code in 10...15")
      }
  }

  package init(_ error: MergeEngine.ChunkError) {
    kind = .refusedChanges(LoadError(error))
  }

  public var description: String {
    switch kind {
    case .unknownObject(let id): "the document has no object \(id.debugDescription)"
    case .wrongObjectType(let type):
      "the call does not fit an object of type \(type.debugDescription)"
    case .indexOutOfBounds(let index, let length):
      "index \(index) is out of bounds: the length is \(length)"
    case .notACounter: "only a counter can be incremented"
    case .unknownChange(let hash): "the document has no change \(hash.debugDescription)"
    case .invalidCursor(let cursor): "the cursor \(cursor) names no place here"
    case .invalidScalar(let why): "the value cannot be stored: \(why)"
    case .limitExceeded(Self.depthLimit):
      "values lie too deep within each other (limit: \(Self.depthLimit))"
    case .limitExceeded(let name):
      LimitName(rawValue: name)?.description ?? "a limit would be passed: \(name)"
    case .observersNested(let limit):
      "observers edited the document in answer to each other's edits, \(limit) deep"
    case .refusedChanges(let error): "changes were refused: \(error.description)"
    }
  }

  public var errorDescription: String? { description }
}

/// Why stored or received bytes were refused.
///
///     reason    the checksum is not that of the content
///     offset    4
///     section   ["chunk", "header"]
///     limit     nil
///     in words  the checksum is not that of the content at byte 4 in chunk/header
public struct LoadError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong with them: a clause such as "the checksum is not that of the content".
  public let reason: String
  /// Where, in bytes from the start.
  public let offset: Int
  /// The part being read, outermost first: `["change", "key.actor"]`.
  public let section: [String]
  /// The limit that would have been passed: a property of ``DocumentLimits``, or a fixed one; `nil` if
  /// something else was wrong.
  public let limit: String?

  package init(_ error: MergeEngine.ChunkError) {
    reason = "\(error.reason)"
    offset = error.offset
    section = error.section
    if case .limitExceeded(let name) = error.reason { limit = name.rawValue } else { limit = nil }
  }

  public var description: String {
    let place = section.isEmpty ? "" : " in \(section.joined(separator: "/"))"
    return "\(reason) at byte \(offset)\(place)"
  }

  public var errorDescription: String? { "Error loading a document: \(description)" }
}

/// A change that waited for others and was refused when they came.
public struct DroppedChange: Hashable, Sendable {
  public let hash: ChangeHash
  public let reason: LoadError

  package init(_ dropped: MergeEngine.DroppedChange) {
    hash = ChangeHash(dropped.hash)
    reason = LoadError(dropped.reason)
  }
}

/// Why a sync message was refused; the document and the sync state are as they were.
public struct ReceiveSyncError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong with the message, or with the changes in it.
  public let reason: LoadError

  init(_ reason: LoadError) {
    self.reason = reason
  }

  public var description: String { reason.description }

  public var errorDescription: String? { "Error receiving a sync message: \(description)" }
}

/// Why the bytes of a sync state were refused.
public struct DecodeSyncStateError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  public let reason: LoadError

  package init(_ error: MergeEngine.ChunkError) {
    reason = LoadError(error)
  }

  public var description: String { reason.description }

  public var errorDescription: String? { "Error decoding a sync state: \(description)" }
}
