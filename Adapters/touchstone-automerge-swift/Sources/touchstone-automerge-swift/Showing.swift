import Automerge
import Foundation

/// A document as the protocol shows it, now or at earlier heads.
///
/// Of a conflict only the winner is shown: automerge-swift gives the others as a set, without their ids.
struct Showing {
  let document: Document
  let heads: Set<ChangeHash>?

  func root() throws -> JSON { try object(.ROOT, .Map) }

  private func object(_ id: ObjId, _ kind: ObjType) throws -> JSON {
    var members: [String: JSON] = [:]
    if let name = Self.name(id) { members["id"] = .string(name) }
    switch kind {
    case .Map:
      let entries =
        try heads.map { try document.mapEntriesAt(obj: id, heads: $0) }
        ?? document.mapEntries(obj: id)
      members["map"] = .array(
        try entries.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map { key, value in
          .array([.string(key), try register(value)])
        }
      )
    case .List:
      let values =
        try heads.map { try document.valuesAt(obj: id, heads: $0) } ?? document.values(obj: id)
      members["list"] = .array(try values.map(register))
    case .Text:
      let text = try heads.map { try document.textAt(obj: id, heads: $0) } ?? document.text(obj: id)
      let length = heads.map { document.lengthAt(obj: id, heads: $0) } ?? document.length(obj: id)
      members["text"] = .string(text)
      members["length"] = .number(Int(clamping: length))
    }
    return .object(members)
  }

  private func register(_ value: Value) throws -> JSON {
    switch value {
    case .Scalar(let scalar): return .array([.null] + scalar.words.map { .string($0) })
    case .Object(let id, let kind):
      let name = Self.name(id).map { JSON.string($0) } ?? .null
      return .array([name, .string("object"), try object(id, kind)])
    }
  }

  /// The id of the operation that made an object, read off the bytes that the id's debug text shows:
  /// `[0x10, length, actor..., index, counter]`, the last two in LEB128; nil if they have another form.
  ///
  /// No public call tells. The index belongs to one document, so that ids of two are not comparable.
  static func name(_ id: ObjId) -> String? {
    guard id != .ROOT else { return "_root" }
    let digits = id.debugDescription.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
    guard let bytes = try? [UInt8](Data(hexadecimal: String(digits))), bytes.count > 2,
      bytes[0] == 0x10
    else { return nil }
    let end = 2 + Int(bytes[1])
    guard end < bytes.count, let index = bytes[end...].firstIndex(where: { $0 < 128 }),
      let last = bytes.last, last < 128, bytes.count - index <= 10
    else { return nil }
    let counter = bytes[(index + 1)...].reversed().reduce(UInt64(0)) { $0 << 7 | UInt64($1 & 127) }
    guard counter > 0 else { return nil }
    return "\(counter)@\(Data(bytes[2..<end]).hexadecimal)"
  }
}
