import Foundation
import TestSupport
import Testing

/// What is wrong in code for Apple's frameworks is seen on Linux: `Scripts/check-apple.sh`.
///
/// `DocumentCodingTests` runs the code, and so sees that it is right.
@Suite(
  "Type-checking for Apple's frameworks",
  .serialized,
  .enabled(if: isLinux, "macOS checks this by building")
)
struct AppleTests {
  private let check = AppleTypeCheck(
    root: URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  )

  @Test("A mistake in code for Apple's frameworks is the one error that is found")
  func document() throws {
    let wrong = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    try Data("#if canImport(Combine)\nlet wrong: Rotten = 1\n#endif\n".utf8).write(to: wrong)
    defer { try? FileManager.default.removeItem(at: wrong) }
    let sources = try check.sources("Sources/AutomergeDocument")
    let planted = try check.run("AutomergeDocument", sources + [wrong])
    #expect(planted.status == 1)
    #expect(planted.output.contains("Rotten"))
    let errors = Set(planted.output.split(separator: "\n").filter { $0.contains(": error: ") })
    #expect(errors.count == 1, "\(planted.output)")
  }
}
