import Foundation
import MergeEngine
import PropertyEngine
import Testing

@testable import DocumentLaws

@Suite("Damage of values and rows")
struct RowDamageTests {
  private static func document() throws -> MergeDocument {
    let document = MergeDocument(actor: ActorID([1]))
    let list = try document.putObject(.root, .key("list"), .list)
    let text = try document.putObject(.root, .key("text"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "some words")
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .string("two"), .null])
    try document.put(.root, .key("counter"), .counter(5))
    document.commit(time: 1)
    let other = document.fork(actor: ActorID([2, 3]))
    try other.delete(list, .index(1))
    try other.increment(.root, .key("counter"), by: -2)
    other.commit(message: "m", time: -70)
    try document.spliceText(text, at: 4, delete: 1, insert: "-")
    document.commit(time: 3)
    try document.merge(other)
    return document
  }

  @Test("A document and its changes are written again as they were")
  func rewrites() throws {
    let document = try Self.document()
    let saved = document.save(compressed: false)
    #expect(try #require(StoredRows(saved)).chunk == saved)
    for change in document.changes() {
      let chunk = try #require(document.changeBytes(change.hash))
      #expect(try #require(StoredRows(chunk)).chunk == chunk)
    }
  }

  @Test("So is every plain golden file")
  func golden() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "fixtures/vectors")
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".automerge") && !name.hasPrefix("bad") {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      // A file of several chunks has more behind the columns of the first.
      guard let rows = StoredRows(bytes), ChunkForge.sealed(bytes) == bytes else { continue }
      #expect(rows.chunk == bytes, "\(name)")
      count += 1
    }
    #expect(count >= 30)
  }

  @Test("What is damaged are golden files, whole ones of one chunk or several")
  func varied() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "fixtures/vectors")
    let golden = Set(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
        [UInt8](try Data(contentsOf: folder.appending(path: $0)))
      }
    )
    #expect(VariedDocuments.all.count == 10)
    for file in VariedDocuments.all {
      #expect(golden.contains(file))
      let chunks = StoredRows.chunks(of: file)
      #expect(chunks.flatMap(\.self) == file)
      for chunk in chunks { #expect(try #require(StoredRows(chunk)).chunk == chunk) }
      #expect(try MergeDocument(loading: file, actor: ActorID([9])).changeCount > 0)
    }
    #expect(VariedDocuments.all.contains { StoredRows.chunks(of: $0).count > 1 })
  }

  @Test("One value or row is another, the checksum is right, and the same choices do the same")
  func wounds() throws {
    let saved = try Self.document().save(compressed: false)
    var changed = 0
    for seed in UInt64(0)..<400 {
      func wounded() -> (bytes: [UInt8], words: String?) {
        var choices = Choices(seed: Seed(value: seed))
        var bytes = saved
        let words = RowDamage.wound(&bytes, &choices)
        return (bytes, words)
      }
      let (bytes, words) = wounded()
      #expect(wounded().bytes == bytes)
      #expect(words != nil)
      #expect(ChunkForge.sealed(bytes) == bytes)
      if bytes != saved { changed += 1 }
    }
    // Some values are changed into equal ones.
    #expect(changed > 300)
  }

  @Test(
    "Bytes that are no chunk stay as they are",
    arguments: [[], [1, 2, 3], Array(repeating: 0x85, count: 40)]
  )
  func others(_ bytes: [UInt8]) {
    var choices = Choices(seed: Seed(value: 1))
    var wounded = bytes
    #expect(RowDamage.wound(&wounded, &choices) == nil)
    #expect(wounded == bytes)
  }
}
