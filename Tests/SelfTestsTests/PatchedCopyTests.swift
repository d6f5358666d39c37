import Foundation
import SelfTests
import Testing

@Suite("The patched copy")
struct PatchedCopyTests {
  @Test("Every folder that the manifest names for a target is copied")
  func partsFollowTheManifest() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let manifest = try String(
      contentsOf: root.appendingPathComponent("Package.swift"),
      encoding: .utf8
    )
    let paths = manifest.matches(of: /path: "(Tests\/[^"]+)"/).map { String($0.1) }
    #expect(!paths.isEmpty)
    #expect(Set(paths).isSubset(of: PatchedCopy.parts))
  }
}
