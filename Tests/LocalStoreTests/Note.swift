import FileSystems
import Foundation
import LocalStore

struct Note: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var text: String
  var value = 0.0
}

/// An empty folder of the system, which goes with the value.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func open(
    _ options: StoreOptions = StoreOptions(durability: .process),
    name: String = "notes.json"
  ) async throws(StoreError) -> LocalRepository<Note> {
    try await LocalRepository<Note>.open(directory: url, filename: name, options: options)
  }

  var store: URL { url.appendingPathComponent("notes.json.store") }

  func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
