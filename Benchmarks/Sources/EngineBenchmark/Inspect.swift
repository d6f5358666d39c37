import Foundation
import MergeEngine

extension Main {
  /// Reads files for a cross-check with another engine.
  ///
  ///     EngineBenchmark inspect FOLDER
  ///
  /// For each `NAME.in` of the folder writes `NAME.out` (the document saved again), `NAME.dump`
  /// (its content) and `NAME.edited` (saved after a fixed series of edits), and prints the name,
  /// the heads, and the heads after the edits.
  static func inspect(_ arguments: [String]) throws {
    let folder = URL(filePath: arguments[0])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for name in names where name.hasSuffix(".in") {
      let stem = String(name.dropLast(3))
      let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
      do {
        let document = try MergeDocument(loading: bytes, actor: actor(0xEE))
        try Data(document.save()).write(to: folder.appending(path: stem + ".out"))
        try Data(dump(document, .root).utf8).write(to: folder.appending(path: stem + ".dump"))
        let heads = headString(document)
        try edit(document, seed: UInt64(stem) ?? 0)
        print(name, heads, headString(document))
        try Data(document.save()).write(to: folder.appending(path: stem + ".edited"))
      } catch {
        print(name, "refused:", error)
      }
    }
  }

  private static func dump(_ document: MergeDocument, _ object: ObjectID) throws -> String {
    switch try document.kind(of: object) {
    case .text: return "\"" + (try document.text(object)) + "\""
    case .list:
      return try "[" + document.values(object).map { try dump(document, $0) + "," }.joined() + "]"
    case .map, .table:
      return try "{"
        + document.mapEntries(object).map { try $0.key + ":" + dump(document, $0.entry) + "," }
        .joined() + "}"
    }
  }

  private static func dump(_ document: MergeDocument, _ entry: Entry) throws -> String {
    switch entry.value {
    case .object(let id, _): return try dump(document, id)
    case .scalar(.null): return "null"
    case .scalar(.bool(let truth)): return truth ? "true" : "false"
    case .scalar(.int(let number)): return "i\(number)"
    case .scalar(.string(let text)): return "\"\(text)\""
    case .scalar(.double(let number)):
      let hex = String(number.bitPattern, radix: 16)
      return "f" + String(repeating: "0", count: 16 - hex.count) + hex
    case .scalar(.bytes(let bytes)): return "b\(ActorID(bytes))"
    case .scalar(let other): return "\(other)"
    }
  }

  /// A dozen edits of every object in the root.
  private static func edit(_ document: MergeDocument, seed: UInt64) throws {
    var random = SplitMix(seed)
    for (_, entry) in try document.mapEntries(.root) {
      guard case .object(let object, let kind) = entry.value else { continue }
      for number in 0..<12 {
        let length = try document.length(object)
        switch kind {
        case .text:
          let place = random.below(length + 1)
          try document.spliceText(object, at: place, delete: 0, insert: "q")
          if random.below(3) == 0 {
            try document.spliceText(object, at: random.below(length + 1), delete: 1)
          }
        case .list:
          let choice = random.below(3)
          if choice == 0 || length == 0 {
            try document.insert(object, at: random.below(length + 1), .int(Int64(number)))
          } else if choice == 1 {
            try document.put(object, .index(random.below(length)), .int(Int64(number)))
          } else {
            try document.delete(object, .index(random.below(length)))
          }
        case .map, .table:
          if random.below(3) < 2 {
            try document.put(object, .key("k\(random.below(4))"), .int(Int64(number)))
          } else {
            try document.delete(object, .key("k\(random.below(4))"))
          }
        }
      }
    }
    document.commit()
  }
}
