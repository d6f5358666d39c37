import Foundation
import Testing

@testable import MergeEngine

/// One golden file with what it must give.
struct Vector: CustomTestStringConvertible, Sendable {
  let name: String
  let file: String
  let isAccepted: Bool
  let heads: [String]
  let content: Content
  let conflicts: [Conflict]
  let history: [Step]

  var testDescription: String { name }

  indirect enum Content: Hashable, Sendable {
    case scalar(Scalar)
    case map(String, [String: Content])
    case list(String, [Content])
    case text(String, String)
    case missing
  }

  struct Conflict: Hashable, Sendable {
    let path: [String]
    let ids: [String]
  }

  struct Step: Hashable, Sendable {
    let hash: String
    let actor: String
    let seq: Int
    let startOp: Int
    let maxOp: Int
    let deps: [String]
    let message: String?
  }

  static let all: [Vector] = {
    let json = try? Fixtures.json("vectors/vectors.json") as? [String: Any]
    let list = json?["vectors"] as? [[String: Any]] ?? []
    return list.map(Vector.init)
  }()

  init(_ json: [String: Any]) {
    name = json["name"] as? String ?? ""
    file = json["file"] as? String ?? ""
    isAccepted = json["expect"] as? String == "ok"
    heads = json["heads"] as? [String] ?? []
    content = Self.content(json["content"])
    conflicts = (json["conflicts"] as? [[String: Any]] ?? []).map { item in
      let values = item["values"] as? [[String: Any]] ?? []
      return Conflict(
        path: (item["path"] as? [Any] ?? []).map { "\($0)" },
        ids: values.compactMap { $0["id"] as? String }
      )
    }
    history = (json["history"] as? [[String: Any]] ?? []).map { item in
      Step(
        hash: item["hash"] as? String ?? "",
        actor: item["actor"] as? String ?? "",
        seq: item["seq"] as? Int ?? 0,
        startOp: item["startOp"] as? Int ?? 0,
        maxOp: item["maxOp"] as? Int ?? -1,
        deps: item["deps"] as? [String] ?? [],
        message: item["message"] as? String
      )
    }
  }

  private static func content(_ json: Any?) -> Content {
    guard let item = json as? [String: Any] else { return .missing }
    let id = item["id"] as? String ?? ""
    let text = item["value"] as? String ?? ""
    switch item["type"] as? String {
    case "map", "table":
      let members = item["value"] as? [String: Any] ?? [:]
      return .map(id, members.mapValues(content))
    case "list": return .list(id, (item["value"] as? [Any] ?? []).map(content))
    case "text": return .text(id, text)
    case "null": return .scalar(.null)
    case "bool": return .scalar(.bool(item["value"] as? Bool ?? false))
    case "int": return .scalar(.int(Int64(text) ?? 0))
    case "uint": return .scalar(.uint(UInt64(text) ?? 0))
    case "f64":
      let bits = UInt64(item["bits"] as? String ?? "", radix: 16) ?? 0
      return .scalar(.double(Double(bitPattern: bits)))
    case "str": return .scalar(.string(text))
    case "bytes": return .scalar(.bytes(unhex(text)))
    case "counter": return .scalar(.counter(Int64(text) ?? 0))
    case "timestamp": return .scalar(.timestamp(Int64(text) ?? 0))
    case "unknown":
      return .scalar(.unknown(code: UInt8(item["code"] as? Int ?? 0), bytes: unhex(text)))
    default: return .missing
    }
  }

  static func unhex(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map { at in
      UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16) ?? 0
    }
  }
}

extension MergeDocument {
  /// The content below an object.
  func content(of object: ObjectID, at heads: [ChangeHash]? = nil) throws -> Vector.Content {
    func value(_ entry: Entry) throws -> Vector.Content {
      switch entry.value {
      case .scalar(let scalar): return .scalar(scalar)
      case .object(let id, _): return try content(of: id, at: heads)
      }
    }
    switch try kind(of: object) {
    case .map, .table:
      var members: [String: Vector.Content] = [:]
      for (key, entry) in try mapEntries(object, at: heads) { members[key] = try value(entry) }
      return .map(object.description, members)
    case .list: return .list(object.description, try values(object, at: heads).map(value))
    case .text: return .text(object.description, try text(object, at: heads))
    }
  }

  /// The register at a path of keys and indexes.
  func entries(at path: [String]) throws -> [Entry] {
    var object = ObjectID.root
    for (depth, step) in path.enumerated() {
      let isSequence = try kind(of: object).isSequence
      let prop = isSequence ? Prop.index(Int(step) ?? -1) : .key(step)
      if depth == path.count - 1 { return try getAll(object, prop) }
      guard case .object(let id, _) = try get(object, prop)?.value else { return [] }
      object = id
    }
    return []
  }
}

@Suite("Golden vectors")
struct VectorTests {
  @Test("Accepted files have their content, heads and conflicts", arguments: Vector.all)
  func accepts(_ vector: Vector) throws {
    guard vector.isAccepted else { return }
    let bytes = try Fixtures.bytes("vectors/\(vector.file)")
    let document = try MergeDocument(loading: bytes, actor: actor(9))
    #expect(document.heads.map(\.description) == vector.heads)
    #expect(try document.content(of: .root) == vector.content)
    for conflict in vector.conflicts {
      let entries = try document.entries(at: conflict.path)
      #expect(entries.map(\.id.description) == conflict.ids)
    }
    let history = document.changes()
    let steps = history.map { change in
      Vector.Step(
        hash: change.hash.description,
        actor: change.actor.description,
        seq: Int(change.seq),
        startOp: Int(change.startOp),
        maxOp: Int(change.maxOp),
        deps: change.dependencies.map(\.description),
        message: change.message
      )
    }
    #expect(Set(steps) == Set(vector.history))
    #expect(steps.count == vector.history.count)
    try document.core.checkInvariants()
  }

  @Test("A loaded document saves to what loads again and saves the same", arguments: Vector.all)
  func savesCanonically(_ vector: Vector) throws {
    guard vector.isAccepted else { return }
    let bytes = try Fixtures.bytes("vectors/\(vector.file)")
    let document = try MergeDocument(loading: bytes, actor: actor(9))
    for compressed in [false, true] {
      let saved = document.save(compressed: compressed)
      let again = try MergeDocument(loading: saved, actor: actor(8))
      #expect(again.heads == document.heads)
      #expect(try again.content(of: .root) == document.content(of: .root))
      #expect(again.save(compressed: compressed) == saved)
      #expect(again.waitingCount == document.waitingCount)
      try again.core.checkInvariants()
    }
  }

  @Test("A document chunk saves to its own inflated bytes")
  func keepsBytes() throws {
    var compared = 0
    for vector in Vector.all where vector.isAccepted {
      let bytes = try Fixtures.bytes("vectors/\(vector.file)")
      guard bytes.count > 9, bytes[8] == 0, !vector.name.contains("deflate") else { continue }
      let document = try MergeDocument(loading: bytes, actor: actor(9))
      let saved = document.save(compressed: false)
      if saved.count == bytes.count && vector.name != "incremental" {
        #expect(saved == bytes, "\(vector.name)")
        compared += 1
      }
    }
    #expect(compared >= 25)
  }

  static let reasons: [(String, @Sendable (ChunkError.Reason) -> Bool)] = [
    ("bad_magic", { $0 == .invalidMagic }),
    ("bad_checksum", { $0 == .checksumMismatch }),
    ("bad_truncated", { $0 == .truncated }),
    ("bad_trailing", { $0 == .truncated || $0 == .invalidMagic }),
    ("bad_chunk_type", { $0 == .unknownChunkType(9) }),
    ("bad_overlong_length", { $0 == .overlongInteger }),
    ("bad_start_op_zero", { $0 == .startOpZero }),
    ("bad_message_utf8", { $0 == .invalidUTF8 }),
    ("bad_action", { $0 == .unknownAction(8) }),
    ("bad_action_null", { $0 == .unexpectedNull }),
    ("bad_insert_short", { $0 == .unexpectedNull }),
    ("bad_value_short", { $0 == .truncated }),
    ("bad_value_overlong", { $0 == .overlongInteger }),
    ("bad_float_length", { $0 == .invalidValue }),
    ("bad_string_utf8", { $0 == .invalidUTF8 }),
    ("bad_inc_type", { $0 == .incrementByNonNumber }),
    ("bad_column_order", { $0 == .columnsOutOfOrder }),
    ("bad_deflated_change_column", { $0 == .deflatedColumnInChange }),
    ("bad_value_without_meta", { $0 == .valueWithoutMetadata }),
    ("bad_missing_dep", { $0 == .missingDependencies }),
    ("bad_duplicate_seq", { if case .duplicateSequence = $0 { true } else { false } }),
    ("bad_actor_index", { $0 == .actorIndexOutOfRange }),
    ("bad_heads", { $0 == .headsMismatch }),
    ("bad_document_leftover", { if case .leftoverBytes = $0 { true } else { false } }),
  ]

  @Test("Refused files are refused with their reason")
  func refuses() throws {
    let refused = Vector.all.filter { !$0.isAccepted }
    #expect(refused.count == Self.reasons.count)
    for vector in refused {
      let bytes = try Fixtures.bytes("vectors/\(vector.file)")
      let error = #expect(throws: ChunkError.self) {
        try MergeDocument(loading: bytes, actor: actor(9))
      }
      let expected = try #require(Self.reasons.first { $0.0 == vector.name })
      let reason = try #require(error?.reason)
      #expect(expected.1(reason), "\(vector.name): \(reason)")
    }
  }
}
