import Foundation
import Testing

#if os(Linux)
private let isLinux = true
#else
private let isLinux = false
#endif

/// Code for Apple's frameworks type-checks, against stand-ins: `Scripts/check-apple.sh`.
@Suite(
  "Type-checking for Apple's frameworks",
  .serialized,
  .enabled(if: isLinux, "macOS checks this by building")
)
struct AppleTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func check(_ files: [URL]) throws -> (status: Int32, output: String) {
    let binary = URL(filePath: try #require(CommandLine.arguments.first))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "bash", Self.root.appending(path: "Scripts/check-apple.sh").path,
        binary.deletingLastPathComponent().appending(path: "apple-stubs").path,
        binary.deletingLastPathComponent().path, "AutomergeDocument",
      ] + files.map(\.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  private var sources: [URL] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        at: Self.root.appending(path: "Sources/AutomergeDocument"),
        includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }
  }

  @Test("The publishers and the transfer representation type-check; what is wrong is seen (BND-19)")
  func document() throws {
    let result = try check(try sources)
    #expect(result.status == 0, "\(result.output)")
    let wrong = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    try Data("#if canImport(Combine)\nlet wrong: Rotten = 1\n#endif\n".utf8).write(to: wrong)
    defer { try? FileManager.default.removeItem(at: wrong) }
    let planted = try check(try sources + [wrong])
    #expect(planted.status == 1)
    #expect(planted.output.contains("Rotten"))
  }
}
