import Foundation
import TestSupport
import Testing

@Suite("Killed writers of the local store")
struct StoreTests {
  @Test("Writers are killed, and nothing that they acknowledged is missing")
  func kills() throws {
    try withFolder { folder in
      let outcome = try Executable.run(["store", "kill", "--times", "16", folder.path], in: folder)
      #expect(outcome.status == 0, "\(outcome.complaints)")
      #expect(outcome.output.hasPrefix("16 writers killed, "))
    }
  }
}
