package import Foundation

/// Type-checks code for Apple systems, on Linux, against stand-ins: `Scripts/check-apple.sh`.
package struct AppleTypeCheck {
  private let root: URL

  /// - Parameter root: The folder of the package.
  package init(root: URL) {
    self.root = root
  }

  /// The Swift files of a folder, by name.
  package func sources(_ folder: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder),
      includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  }

  /// The exit status of the type-check of a module, and what the compiler said.
  ///
  /// Modules that it imports must have been built with the tests.
  package func run(_ module: String, _ files: [URL]) throws -> (status: Int32, output: String) {
    let binary = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "bash", root.appending(path: "Scripts/check-apple.sh").path,
        binary.appending(path: "apple-stubs").path, binary.path, module,
      ] + files.map(\.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

/// Whether tests run on Linux, where code for Apple systems is not built.
package var isLinux: Bool {
  #if os(Linux)
  true
  #else
  false
  #endif
}
