import Foundation

/// `corpus/<target>` of the repository that holds this file.
struct CorpusFolder {
  let url: URL

  init(target: String, file: String = #filePath) {
    url = URL(fileURLWithPath: file).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("corpus").appendingPathComponent(target)
  }

  /// The names of all files, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  func data(_ name: String) throws -> Data {
    try Data(contentsOf: url.appendingPathComponent(name))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }
}
