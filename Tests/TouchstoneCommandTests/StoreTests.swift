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

  @Test("A folder that is not there, or in which no writer can begin, is told as what it is")
  func refusals() throws {
    try withFolder { folder in
      let absent = try Executable.run(["store", "kill", "none"], in: folder)
      #expect(absent.status == 2)
      #expect(
        absent.complaints == "touchstone: cannot kill writers in none: there is no such folder\n"
      )
      let store = folder.appendingPathComponent("killed.json.store")
      try Data("no folder".utf8).write(to: store)
      let outcome = try Executable.run(["store", "kill", "."], in: folder)
      #expect(outcome.status == 2)
      let words = "kill 0: the writer ended before it was killed"
      #expect(outcome.complaints.contains(words), "\(outcome.complaints)")
      #expect(!outcome.complaints.contains("two processes"))
    }
  }
}
