import Foundation
import TestSupport
import Testing

@Suite(
  "Code for Apple's frameworks",
  .enabled(if: isLinux, "macOS builds and runs it with the rest")
)
struct AppleTests {
  @Test("Publishers, bindings and transfer do what they promise (BND-18 to BND-20)")
  func runs() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let check = AppleTypeCheck(
      root: here.deletingLastPathComponent().deletingLastPathComponent()
    )
    let result = try check.run("--run", [here.appending(path: "ViewTests.swift")])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains(/Test run with 5 tests.* passed/), "\(result.output)")
  }
}
