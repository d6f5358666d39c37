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
    let documents = corpus?["documents_hex"]?.array ?? []
    let found = documents.compactMap { $0.string.flatMap { hexBytes($0) } }.filter { !$0.isEmpty }
    tiny = found.isEmpty ? TinyDocuments.all : found.sorted { $0.count < $1.count }
    let golden = folder.appendingPathComponent("vectors")
    let list = Self.json(golden.appendingPathComponent("vectors.json"))?["vectors"]
    vectors = (list?.array ?? []).compactMap { item in
      guard let name = item["name"]?.string, let file = item["file"]?.string,
        let data = try? Data(contentsOf: golden.appendingPathComponent(file))
      else { return nil }
      let isAccepted = item["expect"]?.string == "ok"
      return GoldenVector(
        name: name,
        bytes: [UInt8](data),
        isDeflated: item["deflate"] == .boolean(true),
        heads: isAccepted ? item["heads"]?.array?.compactMap(\.string) ?? [] : nil,
        lines: isAccepted ? GoldenLines.of(json: item["content"], item["conflicts"]) : []
      )
    }
  }

  private static func json(_ file: URL) -> JSONValue? {
    (try? Data(contentsOf: file)).flatMap { try? JSONValue(parsing: Array($0)) }
  }
}
