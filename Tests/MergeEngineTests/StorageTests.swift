import Testing

@testable import MergeEngine

@Suite("Saving, loading, applying")
struct StorageTests {
  @Test("The worked examples of a change and of a document are the bytes that are written")
  func workedExamples() throws {
    let document = MergeDocument(actor: ActorID([0xAB, 0xCD]))
    try document.put(.root, .key("hello"), .string("world"))
    let hash = try #require(document.commit())
    #expect(
      hash.description == "2018493f8c54ff6fe71e2460a8829ecf5bec64b894d525b4e32354a7d6e4d843"
    )
    let hello = Array("hello".utf8)
    let world = Array("world".utf8)
    // As at the head of `ChangeHeader.swift` and of `ChangeEncoder`.
    let frame: [UInt8] = [0x85, 0x6F, 0x4A, 0x83, 0x20, 0x18, 0x49, 0x3F, 0x01, 0x29]
    let prefix: [UInt8] = [0, 2, 0xAB, 0xCD, 1, 1, 0, 0, 0]
    let columns: [UInt8] = [6, 0x15, 7, 0x34, 1, 0x42, 2, 0x56, 2, 0x57, 5, 0x70, 2]
    let rows: [UInt8] = [0x7F, 5] + hello + [1, 0x7F, 1, 0x7F, 0x56] + world + [0x7F, 0]
    #expect(document.changeBytes(hash) == frame + prefix + columns + rows)
    // As at the head of `DocumentReader`.
    let actorsAndHeads: [UInt8] = [1, 2, 0xAB, 0xCD, 1] + hash.bytes
    let changeColumns: [UInt8] = [6, 1, 2, 3, 2, 0x13, 2, 0x23, 2, 0x40, 2, 0x56, 2]
    let opColumns: [UInt8] = [
      8, 0x15, 7, 0x21, 2, 0x23, 2, 0x34, 1, 0x42, 2, 0x56, 2, 0x57, 5, 0x80, 1, 2,
    ]
    let changes: [UInt8] = [0x7F, 0, 0x7F, 1, 0x7F, 1, 0x7F, 0, 0x7F, 0, 0x7F, 7]
    let ops: [UInt8] =
      [0x7F, 5] + hello + [0x7F, 0, 0x7F, 1, 1, 0x7F, 1, 0x7F, 0x56] + world + [0x7F, 0]
    let content = actorsAndHeads + changeColumns + opColumns + changes + ops + [0]
    #expect(Array(document.save().dropFirst(10)) == content)
    // As at the head of `DocumentRecovery`.
    let change = try #require(document.changeBytes(hash))
    let recovery = DocumentRecovery(Array(change.prefix(7)) + change, actor: actor(2))
    #expect(recovery.losses == [.init(range: 0..<7, reason: .unknownChunkType(0x6F))])
    #expect(recovery.document.changeHashesWithoutCommit == [hash])
  }

  @Test("Changes in any order are the whole, one by one or together")
  func anyOrder() throws {
    var random = SplitMix(5)
    for seed in UInt64(100)...112 {
      let whole = try TinyHistory.run(seed)[0]
      var chunks = whole.changeBytes()
      for place in chunks.indices.reversed() {
        chunks.swapAt(place, random.below(place + 1))
      }
      let single = MergeDocument(actor: actor(8))
      for chunk in chunks {
        try single.applyChanges([chunk])
        try single.core.checkInvariants()
      }
      let together = MergeDocument(actor: actor(8))
      try together.applyChanges(chunks + chunks)
      for document in [single, together] {
        #expect(document.heads == whole.heads)
        #expect(document.waitingCount == 0)
        #expect(try document.content(of: .root) == whole.content(of: .root))
      }
    }
  }

  @Test("Empty objects inserted one after the other are objects after loading, too")
  func emptyObjects() throws {
    for kind in [ObjectKind.map, .list, .text] {
      let document = MergeDocument(actor: actor(1))
      let list = try document.putObject(.root, .key("l"), .list)
      let objects = try (0..<6).map { try document.insertObject(list, at: $0, kind) }
      let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
      let applied = MergeDocument(actor: actor(3))
      try applied.applyChanges(document.changeBytes())
      for copy in [loaded, applied] {
        #expect(try copy.values(list).map(\.value) == objects.map { .object($0, kind) })
        for object in objects { #expect(try copy.kind(of: object) == kind) }
        try copy.core.checkInvariants()
      }
    }
  }

  @Test("A saved file with appended incremental saves is the whole")
  func incremental() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    var file = document.save()
    #expect(document.saveIncremental().isEmpty)
    for step in 0..<20 {
      try document.spliceText(text, at: step, delete: 0, insert: "é")
      try document.put(.root, .key("n"), .int(Int64(step)))
      if step % 3 == 0 { document.commit(message: "step \(step)", time: Int64(-step)) }
      file += document.saveIncremental()
    }
    let loaded = try MergeDocument(loading: file, actor: actor(2))
    #expect(loaded.heads == document.heads)
    #expect(loaded.save() == document.save())
    let other = MergeDocument(actor: actor(3))
    try other.loadIncremental(file)
    #expect(other.heads == document.heads)
    #expect(other.actor == actor(3))
  }

  @Test("Every state can be read at its heads, and forked there")
  func past() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    let list = try document.putObject(.root, .key("l"), .list)
    try document.put(.root, .key("c"), .counter(5))
    var random = SplitMix(77)
    var states: [([ChangeHash], Vector.Content, Int)] = []
    for step in 0..<60 {
      let length = try document.length(text)
      let count = try document.length(list)
      switch random.below(6) {
      case 0: try document.increment(.root, .key("c"), by: Int64(step))
      case 1 where length > 2:
        try document.spliceText(text, at: random.below(length - 1), delete: 2)
      case 2 where count > 0:
        try document.put(list, .index(random.below(count)), .uint(UInt64(step)))
      case 3 where count > 0: try document.delete(list, .index(random.below(count)))
      case 4: try document.insert(list, at: random.below(count + 1), .int(Int64(step)))
      default:
        try document.spliceText(
          text,
          at: random.below(length + 1),
          delete: 0,
          insert: "ab漢😀"
        )
      }
      states.append((document.heads, try document.content(of: .root), try document.length(text)))
    }
    for (heads, content, length) in states {
      #expect(try document.content(of: .root, at: heads) == content)
      #expect(try document.length(text, at: heads) == length)
      let fork = try document.fork(at: heads, actor: actor(4))
      #expect(fork.heads == heads)
      #expect(try fork.content(of: .root) == content)
    }
    #expect(try document.content(of: .root, at: []) == .map("_root", [:]))
    let unknown = try #require(ChangeHash([UInt8](repeating: 9, count: 32)))
    #expect(throws: EditError.unknownHash(unknown)) {
      try document.fork(at: [unknown], actor: actor(4))
    }
  }

  @Test("Rollback restores the saved bytes, and later changes hash the same")
  func rollback() throws {
    for seed in UInt64(200)...230 {
      let document = try TinyHistory.run(seed)[0]
      let twin = document.fork(actor: document.actor)
      let before = document.save(compressed: false)
      try scribble(document, seed)
      try document.core.checkInvariants()
      #expect(document.pendingOpCount > 0)
      #expect(document.rollback() > 0)
      #expect(document.pendingOpCount == 0)
      try document.core.checkInvariants()
      #expect(document.save(compressed: false) == before)
      try scribble(document, seed + 1)
      try scribble(twin, seed + 1)
      #expect(document.commit() == twin.commit())
      #expect(document.save(compressed: false) == twin.save(compressed: false))
      try document.core.checkInvariants()
    }
  }

  /// Edits of every kind.
  private func scribble(_ document: MergeDocument, _ seed: UInt64) throws {
    var random = SplitMix(seed)
    guard case .object(let text, _) = try document.get(.root, .key("t"))?.value,
      case .object(let list, _) = try document.get(.root, .key("l"))?.value
    else { return }
    try document.put(.root, .key("c"), .counter(1))
    try document.increment(.root, .key("c"), by: 4)
    let map = try document.putObject(.root, .key("new\(seed)"), .map)
    try document.put(map, .key("inner"), .string("x"))
    let nested = try document.insertObject(list, at: 0, .list)
    try document.insert(nested, at: 0, .counter(1))
    try document.increment(nested, .index(0), by: 2)
    for _ in 0..<12 {
      let length = try document.length(text)
      try document.spliceText(
        text,
        at: random.below(length + 1),
        delete: random.below(4),
        insert: "xyé"
      )
      let count = try document.length(list)
      try document.put(list, .index(random.below(count)), .int(Int64(random.below(9))))
      if random.below(2) == 0 { try document.delete(list, .index(random.below(count))) }
      if try document.length(list) == 0 { try document.insert(list, at: 0, .null) }
    }
  }

  @Test("Changes are deflated from 257 bytes on, and load the same")
  func compressedChanges() throws {
    let document = MergeDocument(actor: actor(1))
    try document.put(
      .root,
      .key("k"),
      .string(String(repeating: "abc", count: 200))
    )
    let hash = try #require(document.commit())
    let plain = try #require(document.changeBytes(hash))
    let packed = try #require(document.changeBytes(hash, compressed: true))
    #expect(plain[8] == 1)
    #expect(packed[8] == 2)
    #expect(plain[4..<8] == packed[4..<8])
    let loaded = try MergeDocument(loading: packed, actor: actor(2))
    #expect(loaded.heads == [hash])
    #expect(loaded.changeBytes(hash) == plain)
  }

  @Test("Metadata of changes is kept, rebuilt after a load, and found by hash")
  func metadata() throws {
    let document = MergeDocument(actor: actor(1))
    try document.put(.root, .key("a"), .int(1))
    let first = try #require(document.commit(message: "first", time: 12))
    let empty = try document.commitEmpty(message: nil, time: -1)
    try document.put(.root, .key("a"), .int(2))
    let third = try #require(document.commit())
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
    #expect(loaded.changes() == document.changes())
    #expect(loaded.changeBytes() == document.changeBytes())
    #expect(loaded.changes(since: [empty]).map(\.hash) == [third])
    let info = try #require(loaded.change(first))
    #expect(info.message == "first")
    #expect(info.time == 12)
    #expect(info.seq == 1)
    #expect(loaded.change(empty)?.opCount == 0)
    #expect(loaded.change(third)?.startOp == loaded.change(empty)?.startOp)
    #expect(loaded.change(third)?.dependencies == [empty])
  }

  @Test("A second change of one actor and number is refused, with the batch it came in")
  func duplicateSequence() throws {
    let base = MergeDocument(actor: actor(1))
    let twin = MergeDocument(actor: actor(1))
    let third = MergeDocument(actor: actor(3))
    try base.put(.root, .key("a"), .int(1))
    try twin.put(.root, .key("a"), .int(2))
    try third.put(.root, .key("b"), .int(3))
    base.commit()
    let before = base.save()
    let error = #expect(throws: ChunkError.self) {
      try base.applyChanges(third.changeBytes() + twin.changeBytes())
    }
    #expect(error?.reason == .duplicateSequence(actor: actor(1), seq: 1))
    #expect(base.save() == before)
    try base.merge(third)
    #expect(base.heads.count == 2)
  }

  @Test("Changes wait for their dependencies and are saved while they wait")
  func waiting() throws {
    let document = MergeDocument(actor: actor(1))
    for step in 0..<4 {
      try document.put(.root, .key("k"), .int(Int64(step)))
      document.commit()
    }
    let chunks = document.changeBytes()
    let other = MergeDocument(actor: actor(2))
    try other.applyChanges([chunks[0], chunks[3], chunks[2]])
    #expect(other.waitingCount == 2)
    let hashes = document.changeHashes()
    #expect(other.missingDependencies() == [hashes[1]])
    let saved = try MergeDocument(loading: other.save(), actor: actor(3))
    #expect(saved.waitingCount == 2)
    try saved.applyChanges([chunks[1]])
    #expect(saved.waitingCount == 0)
    #expect(saved.heads == document.heads)
  }
}
