import Texts

/// Where in an object a value stands.
package enum Slot: Hashable, Sendable, CustomStringConvertible {
  /// A key of a map.
  case key(ExactString)
  /// A position in a list or text; in a text it counts units of the document's text encoding.
  case index(Int)

  package var description: String {
    switch self {
    case .key(let key): quoted(key.string)
    case .index(let index): "\(index)"
    }
  }
}

/// One call that changes a document; `Object` names objects: by id, or by a history's own numbers.
///
/// Source: Specification/Semantics.md, "Local edits".
package enum Edit<Object: Hashable & Sendable>: Hashable, Sendable {
  case put(Object, Slot, Scalar)
  case putObject(Object, Slot, ObjectKind)
  case insert(Object, index: Int, Scalar)
  case insertObject(Object, index: Int, ObjectKind)
  case delete(Object, Slot)
  case increment(Object, Slot, by: Int64)
  /// Removes `deleting` elements of a list at `index`, then inserts `inserting` there.
  case splice(Object, index: Int, deleting: Int, inserting: [Scalar])
  /// Removes `deleting` units of a text at `index`, then inserts the string there.
  case spliceText(Object, index: Int, deleting: Int, inserting: ExactString)
  /// Gives a stretch of a text or list a value under a name.
  case mark(Object, Marking)

  package var object: Object {
    switch self {
    case .put(let object, _, _), .putObject(let object, _, _), .insert(let object, _, _),
      .insertObject(let object, _, _), .delete(let object, _), .increment(let object, _, _),
      .splice(let object, _, _, _), .spliceText(let object, _, _, _), .mark(let object, _):
      object
    }
  }

  /// The kind of object that the edit makes, if it makes one.
  package var madeKind: ObjectKind? {
    switch self {
    case .putObject(_, _, let kind), .insertObject(_, _, let kind): kind
    default: nil
    }
  }

  package var kind: EditKind {
    switch self {
    case .put: .put
    case .putObject: .putObject
    case .insert: .insert
    case .insertObject: .insertObject
    case .delete: .delete
    case .increment: .increment
    case .splice: .splice
    case .spliceText: .spliceText
    case .mark: .mark
    }
  }

  /// The same edit of the object that `other` names.
  package func naming<Other>(_ other: Other) -> Edit<Other> {
    switch self {
    case .put(_, let slot, let value): .put(other, slot, value)
    case .putObject(_, let slot, let kind): .putObject(other, slot, kind)
    case .insert(_, let index, let value): .insert(other, index: index, value)
    case .insertObject(_, let index, let kind): .insertObject(other, index: index, kind)
    case .delete(_, let slot): .delete(other, slot)
    case .increment(_, let slot, let amount): .increment(other, slot, by: amount)
    case .splice(_, let index, let count, let values):
      .splice(other, index: index, deleting: count, inserting: values)
    case .spliceText(_, let index, let count, let text):
      .spliceText(other, index: index, deleting: count, inserting: text)
    case .mark(_, let marking): .mark(other, marking)
    }
  }
}

/// The kinds of edit, as capabilities, counts and reports spell them.
package enum EditKind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case put
  case putObject
  case insert
  case insertObject
  case delete
  case increment
  case splice
  case spliceText
  case mark

  package var description: String { rawValue }
}

/// Why a document refused an edit; the document is as it was.
package enum EditRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// No object of this id.
  case noObject(ObjectID)
  /// A key was given for a list or text, an index for a map, or the call does not fit the kind.
  case wrongKind(ObjectKind, for: EditKind)
  /// The position is past the end.
  case indexOutOfBounds(Int, length: Int)
  /// An increment of something that is not a counter.
  case notACounter(Slot)
  /// The implementation's own reason.
  case other(String)

  package var description: String {
    switch self {
    case .noObject(let id): "there is no object \(id)"
    case .wrongKind(let kind, let edit): "\(edit) does not fit an object of kind \(kind)"
    case .indexOutOfBounds(let index, let length):
      "index \(index) is out of bounds: the length is \(length)"
    case .notACounter(let slot): "there is no counter at \(slot)"
    case .other(let reason): reason
    }
  }
}
