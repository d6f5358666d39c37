package import MergeEngine
package import Texts

/// A document as JSON.
package enum DocumentExport {
  /// How deep objects are followed; what was exported can be imported again.
  static let depthLimit = JSONValue.depthLimit

  /// What the document shows, and nothing else.
  ///
  /// A text is a string, a counter a number, a timestamp ISO 8601 in UTC with milliseconds, bytes
  /// (and values of unknown types) base64; doubles that JSON has no word for are null. Of values
  /// in conflict the winner is shown.
  package static func winners(
    of document: MergeDocument
  ) throws(InspectionError) -> JSONValue {
    try plain(.object(.root, .map), in: document, depth: 0)
  }

  /// What the document holds: each value with its kind, its id and the values it won over.
  ///
  /// `{"heads": [...], "root": {"kind": "map", "value": {KEY: VALUE, ...}}}`, where `VALUE` is
  /// `{"kind": ..., "id": ..., "value": ..., "conflicts": [VALUE, ...]}`. Conflicts are there only
  /// if there are any, those with the greatest id first. A timestamp has its `milliseconds` too,
  /// a value of an unknown type its `code`; a double that JSON has no word for is a string.
  ///
  /// A text or list in which some of `cursors` stand has them as `"cursors": [{"cursor": ...,
  /// "position": ...}, ...]`.
  package static func full(
    of document: MergeDocument,
    cursors: CursorPlaces = CursorPlaces()
  ) throws(InspectionError) -> JSONValue {
    var cursors = cursors
    let heads = document.heads.map { JSONValue.string($0.description) }
    let root = try members(of: .object(.root, .map), in: document, depth: 0, &cursors)
    try cursors.checkAllFound()
    return .object([.init("heads", .array(heads)), .init("root", .object(root))])
  }

  // MARK: - Winners

  private static func plain(
    _ value: Value,
    in document: MergeDocument,
    depth: Int
  ) throws(InspectionError) -> JSONValue {
    guard case .object(let id, let kind) = value else { return scalar(value) }
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    switch kind {
    case .map, .table:
      var members: [JSONValue.Member] = []
      for (key, entry) in try asking({ () throws(EditError) in try document.mapEntries(id) }) {
        members.append(.init(key, try plain(entry.value, in: document, depth: depth + 1)))
      }
      return .object(members)
    case .list:
      var elements: [JSONValue] = []
      for entry in try asking({ () throws(EditError) in try document.values(id) }) {
        elements.append(try plain(entry.value, in: document, depth: depth + 1))
      }
      return .array(elements)
    case .text: return .string(try asking { () throws(EditError) in try document.text(id) })
    }
  }

  private static func scalar(_ value: Value) -> JSONValue {
    guard case .scalar(let scalar) = value else { return .null }
    switch scalar {
    case .null: return .null
    case .bool(let value): return .boolean(value)
    case .uint(let value): return JSONValue(value)
    case .int(let value), .counter(let value): return .int(value)
    case .double(let value): return value.isFinite ? .double(value) : .null
    case .string(let value): return .string(value)
    case .bytes(let bytes), .unknown(_, let bytes): return .string(base64(bytes))
    case .timestamp(let value): return .string(InstantText.milliseconds(value))
    }
  }

  // MARK: - Everything

  private static func node(
    _ entries: [Entry],
    in document: MergeDocument,
    depth: Int,
    _ cursors: inout CursorPlaces
  ) throws(InspectionError) -> JSONValue {
    guard let winner = entries.last else { return .null }
    var result = try members(of: winner, in: document, depth: depth, &cursors)
    if entries.count > 1 {
      var losers: [JSONValue] = []
      for loser in entries.dropLast().reversed() {
        losers.append(.object(try members(of: loser, in: document, depth: depth, &cursors)))
      }
      result.append(.init("conflicts", .array(losers)))
    }
    return .object(result)
  }

  private static func members(
    of entry: Entry,
    in document: MergeDocument,
    depth: Int,
    _ cursors: inout CursorPlaces
  ) throws(InspectionError) -> [JSONValue.Member] {
    var result = try members(of: entry.value, in: document, depth: depth, &cursors)
    result.insert(.init("id", .string(entry.id.description)), at: 1)
    return result
  }

  /// `kind` and `value`, and what else the kind needs.
  private static func members(
    of value: Value,
    in document: MergeDocument,
    depth: Int,
    _ cursors: inout CursorPlaces
  ) throws(InspectionError) -> [JSONValue.Member] {
    var result: [JSONValue.Member] = [.init("kind", .string(kindName(value)))]
    switch value {
    case .object(let id, let kind):
      result.append(.init("value", try content(of: id, kind, in: document, depth: depth, &cursors)))
      let marks = try asking { () throws(EditError) in try document.marks(id) }
      if !marks.isEmpty {
        var list: [JSONValue] = []
        for mark in marks {
          let range: [JSONValue.Member] = [
            .init("name", .string(mark.name)), .init("start", .int(Int64(mark.range.lowerBound))),
            .init("end", .int(Int64(mark.range.upperBound))),
          ]
          let value = try members(of: .scalar(mark.value), in: document, depth: depth, &cursors)
          list.append(.object(range + value))
        }
        result.append(.init("marks", .array(list)))
      }
      let places = cursors.places(in: id, of: document).map { cursor, position in
        JSONValue.object([
          .init("cursor", .string(cursor.description)), .init("position", .int(Int64(position))),
        ])
      }
      if !places.isEmpty { result.append(.init("cursors", .array(places))) }
    case .scalar(.double(let number)) where !number.isFinite:
      result.append(.init("value", .string(number.description)))
    case .scalar(.timestamp(let count)):
      result.append(.init("value", scalar(value)))
      result.append(.init("milliseconds", .int(count)))
    case .scalar(.unknown(let code, _)):
      result.append(.init("value", scalar(value)))
      result.append(.init("code", .int(Int64(code))))
    case .scalar: result.append(.init("value", scalar(value)))
    }
    return result
  }

  private static func content(
    of id: ObjectID,
    _ kind: ObjectKind,
    in document: MergeDocument,
    depth: Int,
    _ cursors: inout CursorPlaces
  ) throws(InspectionError) -> JSONValue {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    switch kind {
    case .map, .table:
      var members: [JSONValue.Member] = []
      for key in try asking({ () throws(EditError) in try document.keys(id) }) {
        let entries = try asking { () throws(EditError) in
          try document.getAll(id, .key(key))
        }
        members.append(.init(key, try node(entries, in: document, depth: depth + 1, &cursors)))
      }
      return .object(members)
    case .list:
      var elements: [JSONValue] = []
      let count = try asking { () throws(EditError) in try document.length(id) }
      for index in 0..<count {
        let entries = try asking { () throws(EditError) in
          try document.getAll(id, .index(index))
        }
        elements.append(try node(entries, in: document, depth: depth + 1, &cursors))
      }
      return .array(elements)
    case .text: return .string(try asking { () throws(EditError) in try document.text(id) })
    }
  }

  // MARK: - Helpers

  /// The engine's word for what a value is.
  static func kindName(_ value: Value) -> String {
    switch value {
    case .object(_, .map): "map"
    case .object(_, .list): "list"
    case .object(_, .text): "text"
    case .object(_, .table): "table"
    case .scalar(.null): "null"
    case .scalar(.bool): "boolean"
    case .scalar(.uint): "uint"
    case .scalar(.int): "int"
    case .scalar(.double): "double"
    case .scalar(.string): "string"
    case .scalar(.bytes): "bytes"
    case .scalar(.counter): "counter"
    case .scalar(.timestamp): "timestamp"
    case .scalar(.unknown): "unknown"
    }
  }

  /// Asks the engine; what it cannot answer is an error of ours.
  static func asking<Result>(
    _ body: () throws(EditError) -> Result
  ) throws(InspectionError) -> Result {
    do throws(EditError) { return try body() } catch { throw .refused("\(error)") }
  }

  /// RFC 4648, with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word =
        part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
      for place in 0..<4 {
        let digit = Int(word >> UInt32(18 - 6 * place) & 63)
        text.append(place <= part.count ? digits[digit] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
