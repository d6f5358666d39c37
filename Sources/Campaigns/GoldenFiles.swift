import CaseFiles
package import DocumentLaws
package import Foundation
import Texts

/// Files of documents that the real Automerge wrote, from the repository's `fixtures`.
package struct GoldenFiles: Sendable {
  package let vectors: [GoldenVector]
  /// Files that cannot be read though `vectors.json` lists them, in a sentence each: no run may be green for want of
  /// what it was to judge.
  package let unread: [String]

  /// Reads the golden files of a folder; there are none where it has no list of them, as outside of the repository.
  package init(fixtures folder: URL) {
    let golden = folder.appendingPathComponent("vectors")
    let list = golden.appendingPathComponent("vectors.json")
    var (vectors, unread): ([GoldenVector], [String]) = ([], [])
    if FileManager.default.fileExists(atPath: list.path) {
      do {
        let items = try JSONValue(parsing: Array(readFile(list)))["vectors"]?.array ?? []
        if items.isEmpty { unread.append("\(list.relativePath) lists no golden file") }
        for (index, item) in items.enumerated() {
          guard let name = item["name"]?.string, let file = item["file"]?.string else {
            unread.append("golden file \(index + 1) of \(list.relativePath) has no name or no file")
            continue
          }
          let url = golden.appendingPathComponent(file)
          do {
            vectors.append(GoldenVector(name, try readFile(url), item))
          } catch {
            unread.append(Self.refusal(url, error))
          }
        }
      } catch {
        unread.append(Self.refusal(list, error))
      }
    }
    (self.vectors, self.unread) = (vectors, unread)
  }

  private static func refusal(_ file: URL, _ error: any Error) -> String {
    "the golden file \(file.relativePath) cannot be read: \(FileFailure.reason(of: error))"
  }
}

extension GoldenVector {
  /// The bytes of a file with what its list says of them.
  fileprivate init(_ name: String, _ data: Data, _ item: JSONValue) {
    let isAccepted = item["expect"]?.string == "ok"
    self.init(
      name: name,
      bytes: [UInt8](data),
      isDeflated: item["deflate"] == .boolean(true),
      heads: isAccepted ? item["heads"]?.array?.compactMap(\.string) ?? [] : nil,
      lines: isAccepted ? GoldenLines.of(json: item["content"], item["conflicts"]) : []
    )
  }
}
