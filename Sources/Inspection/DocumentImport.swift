package import MergeEngine
package import Texts

/// A document made of JSON.
package enum DocumentImport {
  /// What a string becomes.
  package enum Strings: Hashable, Sendable {
    /// A value that is replaced as a whole.
    case scalars
    /// A text whose characters are edited apart.
    case texts
  }

  /// A document with one change, which holds what the text says.
  ///
  /// Whole numbers become ints (above `Int64.max` uints), other numbers doubles. Keys are written
  /// in the order of their bytes, so one text, actor and time give one document, byte for byte. A number with more
  /// digits than a double keeps is rounded, and noted in `inexact`.
  ///
  /// - Throws: ``InspectionError``: `json`, `rootIsNoObject`, `refused`.
  package static func document(
    parsing text: [UInt8],
    strings: Strings = .scalars,
    actor: ActorID,
    message: String? = nil,
    time: Int64 = 0,
    noting inexact: inout InexactNumbers
  ) throws(InspectionError) -> MergeDocument {
    let tree: JSONValue
    do throws(JSONError) {
      tree = try JSONValue(parsing: text, noting: &inexact)
    } catch {
      throw .json(error)
    }
    guard case .object(let members) = tree else { throw .rootIsNoObject }
    let document = MergeDocument(actor: actor)
    do throws(EditError) {
      try put(members, into: .root, of: document, strings)
    } catch {
      throw .refused("\(error)")
    }
    document.commit(message: message, time: time)
    return document
  }

  /// The same for callers who look at the numbers themselves.
  package static func document(
    parsing text: [UInt8],
    strings: Strings = .scalars,
    actor: ActorID,
    message: String? = nil,
    time: Int64 = 0
  ) throws(InspectionError) -> MergeDocument {
    var inexact = InexactNumbers()
    return try document(
      parsing: text,
      strings: strings,
      actor: actor,
      message: message,
      time: time,
      noting: &inexact
    )
  }

  private static func put(
    _ members: [JSONValue.Member],
    into map: ObjectID,
    of document: MergeDocument,
    _ strings: Strings
  ) throws(EditError) {
    for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      if let kind = kind(of: member.value, strings) {
        let id = try document.putObject(map, .key(member.key), kind)
        try fill(id, with: member.value, of: document, strings)
      } else {
        try document.put(map, .key(member.key), scalar(member.value))
      }
    }
  }

  private static func fill(
    _ id: ObjectID,
    with tree: JSONValue,
    of document: MergeDocument,
    _ strings: Strings
  ) throws(EditError) {
    switch tree {
    case .object(let members): try put(members, into: id, of: document, strings)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let kind = kind(of: element, strings) {
          let child = try document.insertObject(id, at: index, kind)
          try fill(child, with: element, of: document, strings)
        } else {
          try document.insert(id, at: index, scalar(element))
        }
      }
    case .string(let text): try document.spliceText(id, at: 0, delete: 0, insert: text)
    default: break
    }
  }

  /// What object a value becomes; `nil` for a scalar.
  private static func kind(of tree: JSONValue, _ strings: Strings) -> ObjectKind? {
    switch tree {
    case .object: .map
    case .array: .list
    case .string: strings == .texts ? .text : nil
    default: nil
    }
  }

  private static func scalar(_ tree: JSONValue) -> Scalar {
    switch tree {
    case .boolean(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .double(value)
    case .decimal: .double(tree.number ?? .nan)
    case .string(let value): .string(value)
    case .null, .array, .object: .null
    }
  }
}
