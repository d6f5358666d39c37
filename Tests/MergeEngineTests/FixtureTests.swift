import Foundation
import Testing

@testable import MergeEngine

@Suite("Fixtures")
struct FixtureTests {
  @Test("Times are kept within what the format can store beside each other")
  func times() throws {
    let document = MergeDocument(actor: actor(1))
    for time in [Int64.max, .min, 0, .max] {
      try document.put(.root, .key("k"), .int(time &+ Int64(document.changeCount)))
      document.commit(time: time)
    }
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
    #expect(loaded.changes() == document.changes())
    #expect(loaded.changes().map(\.time).max() == Limits.timeLimit - 1)
  }
}
