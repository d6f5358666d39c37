import AutomergeBytes
import Foundation
import Testing

@Suite("Automerge's bytes")
struct AutomergeChangesTests {
  @Test("Operations of a saved document are counted; what is no document is refused")
  func operations() throws {
    let document = Data([
      0x85, 0x6f, 0x4a, 0x83, 0xb8, 0x1a, 0x95, 0x44, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00,
    ])
    #expect(try AutomergeChanges.operationCount(savedDocument: document) == 0)
    #expect(throws: AutomergeChanges.Unreadable.self) {
      try AutomergeChanges.operationCount(savedDocument: document.dropLast())
    }
  }
}
