package import DocumentLaws
package import Foundation
import Texts

/// Files of documents that the real Automerge wrote, from the repository's `fixtures`.
package struct StoredFiles: Sendable {
  /// Small documents to damage, at least one.
  package let tiny: [[UInt8]]
  package let vectors: [GoldenVector]

  /// Reads what there is in a folder; damaged or missing files count as absent.
  package init(fixtures folder: URL) {
    let corpus = Self.json(folder.appendingPathComponent("documents/tiny-corpus.json"))
    let documents = corpus?["documents_hex"] as? [String] ?? []
    let found = documents.compactMap { hexBytes($0) }.filter { !$0.isEmpty }
    tiny = found.isEmpty ? TinyDocuments.all : found.sorted { $0.count < $1.count }
    let golden = folder.appendingPathComponent("vectors")
    let list = Self.json(golden.appendingPathComponent("vectors.json"))?["vectors"]
    vectors = (list as? [[String: Any]] ?? []).compactMap { item in
      guard let name = item["name"] as? String, let file = item["file"] as? String,
        let data = try? Data(contentsOf: golden.appendingPathComponent(file))
      else { return nil }
      let isAccepted = item["expect"] as? String == "ok"
      return GoldenVector(
        name: name,
        bytes: [UInt8](data),
        isDeflated: item["deflate"] as? Bool ?? false,
        heads: isAccepted ? item["heads"] as? [String] ?? [] : nil,
        lines: isAccepted ? GoldenLines.of(json: item["content"], item["conflicts"]) : []
      )
    }
  }

  private static func json(_ file: URL) -> [String: Any]? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    return try? JSONSerialization.jsonObject(with: data) as? [String: Any]
  }
}
