import Foundation
import TestSupport

/// Runs `body` on a repository that holds just these files, in a temporary folder removed
/// afterwards.
///
/// - Parameters:
///   - files: Contents by path relative to the root.
///   - body: What to do with it.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or what writing the files does.
func withPlanted<Result>(
  _ files: [String: String],
  _ body: (Repository) throws -> Result
) throws -> Result {
  try withFolder { root in
    for (path, contents) in files {
      let url = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(contents.utf8).write(to: url)
    }
    return try body(Repository(root: root))
  }
}
