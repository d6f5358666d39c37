import Foundation
import MergeEngine

/// Data of the workloads, from the repository's `fixtures`.
enum Source {
  struct Edit {
    let position: Int
    let deleted: Int
    let inserted: String
  }

  struct Transaction {
    let agent: Int
    let parents: [Int]
    let edits: [Edit]
  }

  enum Failure: Error { case malformed(String) }

  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = ProcessInfo.processInfo.environment["FIXTURES"] ?? "fixtures"
    return try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
  }

  /// A trace's transactions and final text.
  static func trace(_ name: String) throws -> (transactions: [Transaction], end: String) {
    let packed = try bytes("traces/\(name).json.gz")
    guard let plain = gunzip(packed),
      let json = try JSONSerialization.jsonObject(with: Data(plain)) as? [String: Any],
      let list = json["txns"] as? [[Any]], let end = json["endContent"] as? String
    else { throw Failure.malformed(name) }
    let isConcurrent = json["kind"] as? String == "concurrent"
    return (
      try list.map { item in
        if !isConcurrent {
          return Transaction(agent: 0, parents: [], edits: try item.map(edit))
        }
        guard item.count == 3, let agent = item[0] as? Int, let parents = item[1] as? [Int],
          let edits = item[2] as? [Any]
        else { throw Failure.malformed(name) }
        return Transaction(agent: agent, parents: parents, edits: try edits.map(edit))
      }, end
    )
  }

  /// The content of a gzip file; `nil` for any other bytes.
  ///
  /// For fixtures: flags beyond a file name are not understood.
  private static func gunzip(_ file: [UInt8]) -> [UInt8]? {
    guard file.count > 18, file[0] == 0x1F, file[1] == 0x8B, file[3] & ~8 == 0 else { return nil }
    var start = 10
    if file[3] & 8 != 0 {
      while start < file.count && file[start] != 0 { start += 1 }
      start += 1
    }
    guard start < file.count else { return nil }
    return Deflate.inflated(Array(file[start...]), limit: Limits.inflatedByteLimit)
  }

  private static func edit(_ value: Any) throws -> Edit {
    guard let parts = value as? [Any], parts.count == 3, let position = parts[0] as? Int,
      let deleted = parts[1] as? Int, let inserted = parts[2] as? String
    else { throw Failure.malformed("edit") }
    return Edit(position: position, deleted: deleted, inserted: inserted)
  }

  static func corpus() throws -> [[UInt8]] {
    let json = try JSONSerialization.jsonObject(
      with: Data(try bytes("documents/tiny-corpus.json"))
    )
    guard let object = json as? [String: Any],
      let documents = object["documents_hex"] as? [String]
    else { throw Failure.malformed("tiny-corpus") }
    return documents.map { text in
      let digits = Array(text.utf8)
      return stride(from: 0, to: digits.count - 1, by: 2).map { at in
        UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16) ?? 0
      }
    }
  }
}

/// Actor `number`: 16 equal bytes.
func actor(_ number: UInt8) -> ActorID { ActorID([UInt8](repeating: number, count: 16)) }

func headString(_ document: MergeDocument) -> String {
  document.heads.map(\.description).joined(separator: "+")
}
