import MergeEngine
import PropertyEngine
import Testing

@testable import FuzzEntryPoints

@Suite("DEFLATE streams of chunks")
struct DeflatedChunkTests {
  private static let actor = ActorID([1])

  /// A document whose columns are long enough to be deflated when it is saved.
  private static func document() throws -> MergeDocument {
    let document = MergeDocument(actor: actor)
    let text = try document.putObject(.root, .key("text"), .text)
    for index in 0..<400 {
      try document.spliceText(text, at: index / 2, delete: 0, insert: "letters \(index)")
    }
    document.commit(time: 1)
    return document
  }

  private static func heads(_ bytes: [UInt8]) throws -> [ChangeHash] {
    try MergeDocument(loading: bytes, actor: actor).heads
  }

  @Test("A document is opened into what it saves plain, and closed again loads as the same")
  func document() throws {
    let document = try Self.document()
    let plain = document.save(compressed: false)
    #expect(DeflatedChunk.opened(document.save()) == plain)
    #expect(DeflatedChunk.opened(plain) == nil)
    let closed = try #require(DeflatedChunk.closed(plain))
    #expect(closed != plain)
    #expect(try Self.heads(closed) == document.heads)
    #expect(DeflatedChunk.opened(closed) == plain)
  }

  @Test("A change is closed into a compressed one with the checksum of its plain form")
  func change() throws {
    let document = try Self.document()
    let hash = try #require(document.heads.first)
    let plain = try #require(document.changeBytes(hash))
    let closed = try #require(DeflatedChunk.closed(plain))
    #expect(closed[8] == 2)
    let other = MergeDocument(actor: ActorID([2]))
    try other.applyChanges([closed])
    #expect(other.heads == document.heads)
    #expect(DeflatedChunk.opened(closed) == plain)
    // What repairs an entrance leaves it alone, and puts it right when its checksum is not.
    var spoiled = closed
    spoiled[5] ^= 1
    #expect(DeflatedChunk.sealed(closed) == closed)
    #expect(DeflatedChunk.sealed(spoiled) == closed)
  }

  @Test("Any bytes are answered", arguments: 0..<200)
  func anyBytes(_ seed: Int) throws {
    var choices = Choices(seed: Seed(value: UInt64(seed)))
    var bytes = try Self.document().save()
    for _ in 0..<4 { Boundary.view().wound(&bytes, [bytes], &choices) }
    bytes = Array(bytes.prefix(choices.index(below: bytes.count + 1)))
    _ = DeflatedChunk.opened(bytes)
    _ = DeflatedChunk.closed(bytes) { choices.flag(percent: 50) }
    #expect(DeflatedChunk.sealed(DeflatedChunk.sealed(bytes)) == DeflatedChunk.sealed(bytes))
  }
}
