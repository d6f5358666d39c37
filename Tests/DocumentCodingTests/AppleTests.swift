import Foundation
import TestSupport
import Testing

@Suite(
  "Type-checking for Apple's frameworks",
  .enabled(if: isLinux, "macOS checks this by building")
)
struct AppleTests {
  @Test("Publishers of texts and counters, and the bindings of views, type-check (BND-19)")
  func bindings() throws {
    let check = AppleTypeCheck(
      root: URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    )
    let result = try check.run("DocumentCoding", check.sources("Sources/DocumentCoding"))
    #expect(result.status == 0, "\(result.output)")
  }
}
