package import Foundation

/// Runs `body` with an empty folder, which is removed when `body` returns or throws.
package func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = try emptyFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Runs a `body` that waits with an empty folder, which is removed when `body` returns or throws.
package func withFolder<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = try emptyFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

private func emptyFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("touchstone-tests-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}
