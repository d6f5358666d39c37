import Foundation
import TestSupport
import Testing

/// Code for Apple's frameworks type-checks, against stand-ins: `Scripts/check-apple.sh`.
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

  @Test("The publishers and the transfer representation type-check; what is wrong is seen (BND-19)")
  func document() throws {
    let sources = try check.sources("Sources/AutomergeDocument")
    let result = try check.run("AutomergeDocument", sources)
    #expect(result.status == 0, "\(result.output)")
    let wrong = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    try Data("#if canImport(Combine)\nlet wrong: Rotten = 1\n#endif\n".utf8).write(to: wrong)
    defer { try? FileManager.default.removeItem(at: wrong) }
    let planted = try check.run("AutomergeDocument", sources + [wrong])
    #expect(planted.status == 1)
    #expect(planted.output.contains("Rotten"))
  }
}
