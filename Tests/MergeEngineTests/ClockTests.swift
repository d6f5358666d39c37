import Testing

@testable import MergeEngine

@Suite("Clocks of the past")
struct ClockTests {
  @Test("Heads that come to be known, and actors that come, are seen at heads asked for before")
  func changesThatCome() throws {
    let document = MergeDocument(actor: ActorID([1]))
    try document.put(.root, .key("a"), .int(1))
    let other = document.fork(actor: ActorID([2]))
    try other.put(.root, .key("b"), .int(2))
    let heads = other.heads
    // Unknown heads are ignored: the empty document.
    #expect(try document.keys(.root, at: heads).isEmpty)
    #expect(try document.keys(.root, at: heads).isEmpty)
    try document.merge(other)
    #expect(try document.keys(.root, at: heads) == ["a", "b"])
    try document.put(.root, .key("c"), .int(3))
    let mine = document.heads
    #expect(try document.keys(.root, at: heads) == ["a", "b"])
    #expect(try document.keys(.root, at: mine) == ["a", "b", "c"])
    #expect(try document.keys(.root, at: []).isEmpty)
  }

  @Test("A refused change leaves no trace in what is read at its heads")
  func refusedChange() throws {
    let document = MergeDocument(actor: ActorID([1]))
    try document.put(.root, .key("a"), .int(1))
    let other = document.fork(actor: ActorID([2]))
    try other.put(.root, .key("b"), .int(2))
    let heads = other.heads
    let changes = other.changeBytes(since: document.heads)
    #expect(throws: ChunkError.self) { try document.applyChanges(changes + [[0]]) }
    #expect(try document.keys(.root, at: heads).isEmpty)
    try document.applyChanges(changes)
    #expect(try document.keys(.root, at: heads) == ["a", "b"])
  }
}
