import DocumentLaws
import Testing

@testable import Subjects

@Suite("Messages of sync, read by the rules")
struct SyncRulesTests {
  private static let chunk = ChunkForge.change(actor: 7, ops: [])

  /// A message that states nothing but one head, has some items of changes, and says what its sender reads.
  private static func message(_ version: UInt8, head: UInt8 = 0, _ items: [[UInt8]]) -> [UInt8] {
    let head = [head] + [UInt8](repeating: 0, count: 31)
    let changes = items.flatMap { ChunkForge.unsigned(UInt64($0.count)) + $0 }
    return [version, 1] + head + [0, 0, UInt8(items.count)] + changes + [2, 1, 2]
  }

  @Test("Version 1 has a chunk in each item, version 2 one item at most")
  func items() throws {
    let (chunk, two) = (Self.chunk, Self.chunk + Self.chunk)
    for good in [Self.message(0x42, [chunk, chunk]), Self.message(0x43, [two])] {
      try SyncRules.checkItems(good)
    }
    for bad in [Self.message(0x42, [two]), Self.message(0x43, [chunk, chunk])] {
      #expect(throws: PeerFault.self) { try SyncRules.checkItems(bad) }
    }
  }

  @Test("One sender in four does not say what it reads")
  func silent() throws {
    for head in UInt8(0)..<8 {
      let message = Self.message(0x42, head: head, [Self.chunk])
      let due = head % 4 == 3 ? Array(message.dropLast(3)) : message
      #expect(try SyncRules.heard(message) == due)
    }
  }
}
