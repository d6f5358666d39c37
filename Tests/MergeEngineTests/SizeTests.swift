import Testing

@testable import MergeEngine

/// Documents that say little a great many times, near what is free for bytes of any number.
@Suite("Sizes near the free limits")
struct SizeTests {
  /// Everything that takes in the changes of a document, or a file of it, by default.
  private func expectPassedOn(_ document: MergeDocument) throws {
    let heads = document.heads
    #expect(try MergeDocument(loading: document.save(), actor: actor(2)).heads == heads)
    let merged = MergeDocument(actor: actor(3))
    try merged.put(.root, .key("own"), .int(1))
    let own = try #require(merged.commit())
    try merged.merge(document)
    #expect(Set(merged.heads) == Set(heads + [own]))
    let branch = MergeDocument(actor: actor(4))
    try branch.merge(own: document)
    #expect(branch.heads == heads)
    #expect(try document.fork(at: heads, actor: actor(5)).heads == heads)
    let told = MergeDocument(actor: actor(6))
    let savepoint = told.savepoint
    try told.applyChanges(document.changeBytes())
    #expect(told.heads == heads)
    #expect(told.objectsChanged(since: savepoint).count == 2)
  }

  @Test("A text of 1.2 million letters, typed at once and deleted at once, is passed on")
  func typedAndDeleted() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    let letters = String(repeating: "a", count: 1_200_000)
    try document.spliceText(text, at: 0, delete: 0, insert: letters)
    document.commit()
    try document.spliceText(text, at: 0, delete: 1_200_000, insert: "")
    document.commit()
    try expectPassedOn(document)
  }

  @Test("A list of 1.2 million booleans, put in at once, is passed on")
  func alikeElements() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    let bits = [Scalar](repeating: .bool(false), count: 1_200_000)
    try document.splice(list, at: 0, delete: 0, insert: bits)
    document.commit()
    try expectPassedOn(document)
  }

  @Test("A file's change that no peer would send is looked through all the same")
  func trusted() throws {
    // Rows that do not go on alike: a change may have fewer than a file, as it has fewer bytes.
    let (change, document) = HandMadeConflict(count: 1 << 20 + 28 * 512).chunks
    let reader = MergeDocument(actor: actor(2))
    let refusal = #expect(throws: ChunkError.self) { try reader.applyChanges([change]) }
    #expect(refusal?.reason == .limitExceeded(.rowLimit))
    let savepoint = reader.savepoint
    try reader.loadIncremental(document)
    #expect(reader.objectsChanged(since: savepoint) == [.root])
    // Documents in memory take it from one another.
    let merged = MergeDocument(actor: actor(3))
    try merged.merge(reader)
    #expect(merged.heads == reader.heads)
  }

  @Test("200,000 commits that set a flag in turns are loaded from what they save")
  func alikeCommits() throws {
    let document = MergeDocument(actor: actor(1))
    for number in 0..<200_000 {
      try document.put(.root, .key("done"), .bool(number % 2 == 0))
      document.commit()
    }
    let saved = document.save()
    #expect(saved.count < 1_000)
    #expect(try MergeDocument(loading: saved, actor: actor(2)).heads == document.heads)
    #expect(DocumentRecovery(saved, actor: actor(3)).isWhole)
    // A quarter of the steps would not do.
    var limits = DocumentLimits()
    limits.freeWorkLimit /= 4
    let refusal = #expect(throws: ChunkError.self) {
      _ = try MergeDocument(loading: saved, actor: actor(2), limits: limits)
    }
    #expect(refusal?.reason == .limitExceeded(.workPerByteLimit))
  }

  @Test("A file of alike commits is taken by a document that is not empty, in little more work")
  func takenBesides() throws {
    let document = MergeDocument(actor: actor(1))
    for number in 0..<1_000 {
      try document.put(.root, .key("done"), .bool(number % 2 == 0))
      document.commit()
    }
    let saved = document.save()
    let loaded = try MergeDocument(loading: saved, actor: actor(2))
    let other = MergeDocument(actor: actor(3))
    try other.put(.root, .key("own"), .int(1))
    other.commit()
    try other.loadIncremental(saved)
    #expect(other.changeCount == 1_001)
    #expect(other.workDone < loaded.workDone * 5 / 4)
  }

  @Test(
    "The deletion of a long text costs a peer what it hides, and not each letter",
    arguments: [1, 8]
  )
  func longDeletion(runs count: Int) throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("t"), .text)
    let letters = String(repeating: "a", count: 100_000)
    try document.spliceText(text, at: 0, delete: 0, insert: letters)
    let list = try document.putObject(.root, .key("l"), .list)
    for number in 1..<count {
      try document.spliceText(text, at: 100_000 / count * number, delete: 0, insert: "b")
    }
    document.commit()
    let peer = try MergeDocument(loading: document.save(), actor: actor(2))
    let (shown, held) = (try peer.text(text), peer.heldByteCount)
    var limits = DocumentLimits()
    limits.freeWorkLimit = 4_096
    limits.workPerByteLimit = 0
    peer.limits = limits
    // Refused after the deletion, it is taken back as a whole.
    let forger = document.fork(actor: actor(3))
    try forger.spliceText(text, at: 0, delete: shown.count, insert: "")
    forger.core.objects[try forger.core.resolve(list)].counter = 99
    try forger.insert(list, at: 0, .null)
    let forgedHash = try #require(forger.commit())
    let forged = try #require(forger.changeBytes(forgedHash))
    let refusal = #expect(throws: ChunkError.self) { try peer.applyChanges([forged]) }
    #expect(refusal?.reason == .unknownObject)
    #expect(try peer.text(text) == shown)
    try peer.core.checkInvariants()
    // Letters stand in a run for each stretch, as before, and not in one for each letter.
    #expect(peer.heldByteCount < held + 65_536)
    try document.spliceText(text, at: 0, delete: shown.count, insert: "")
    let hash = try #require(document.commit())
    let change = try #require(document.changeBytes(hash))
    try peer.applyChanges([change])
    #expect(peer.heads == document.heads)
    #expect(try peer.text(text) == "")
    try peer.core.checkInvariants()
    #expect(peer.save() == document.save())
  }

  @Test("Extra bytes of a change are no longer than what a document can say of them")
  func extraBytes() throws {
    let content = HandMadeConflict(count: 1).changeContent
    let length = content.count + Limits.valueByteLimit + 1
    let prefix: [UInt8] = [0x85, 0x6F, 0x4A, 0x83, 0, 0, 0, 0, 1] + HandMadeConflict.uleb(length)
    // One array, since it has 256 MiB.
    var bytes = [UInt8](repeating: 0, count: prefix.count + length)
    bytes.replaceSubrange(0..<prefix.count + content.count, with: prefix + content)
    let hash = withView(of: bytes) { digest(of: $0.part(from: 8, length: $0.count - 8)) }
    (bytes[4], bytes[5], bytes[6], bytes[7]) = hash.checksum
    let document = MergeDocument(actor: actor(2))
    let refusal = #expect(throws: ChunkError.self) { try document.applyChanges([bytes]) }
    #expect(refusal?.reason == .limitExceeded(.valueByteLimit))
    #expect(document.changeCount == 0)
  }
}

/// Nulls that are put at one key without a look at each other, as a change and as a document, written by hand.
private struct HandMadeConflict {
  let count: Int

  static func uleb(_ number: Int) -> [UInt8] {
    var arena = Arena<UInt8>()
    arena.appendULEB(UInt64(number))
    return arena.view.array
  }

  /// `count` times the same number; one of them stands as a literal.
  private func run(_ number: UInt8) -> [UInt8] {
    var arena = Arena<UInt8>()
    arena.appendSLEB(count == 1 ? -1 : Int64(count))
    return arena.view.array + [number]
  }

  private func columns(_ columns: [(Int, [UInt8])]) -> (metadata: [UInt8], data: [UInt8]) {
    let metadata = columns.flatMap { Self.uleb($0.0) + Self.uleb($0.1.count) }
    return (Self.uleb(columns.count) + metadata, columns.flatMap(\.1))
  }

  /// Key, insertion, action and value of each row.
  private var rows: [(Int, [UInt8])] {
    [(0x15, run(1) + [0x6b]), (0x34, Self.uleb(count)), (0x42, run(1)), (0x56, run(0))]
  }

  /// No dependencies, the actor 07, its first change from the operation 1 on, no time, message or others.
  var changeContent: [UInt8] {
    let (metadata, data) = columns(rows + [(0x70, run(0))])
    return [0, 1, 7, 1, 1, 0, 0, 0] + metadata + data
  }

  var chunks: (change: [UInt8], document: [UInt8]) {
    let (change, hash) = chunk(1, changeContent)
    var lastOp = Arena<UInt8>()
    lastOp.appendSLEB(Int64(count))
    let history = columns([
      (0x01, [0x7f, 0]), (0x03, [0x7f, 1]), (0x13, [0x7f] + lastOp.view.array),
      (0x23, [0x7f, 0]), (0x40, [0x7f, 0]), (0x56, [0x7f, 7]),
    ])
    let keys = [rows[0], (0x21, run(0)), (0x23, run(1))]
    let ops = columns(keys + rows.dropFirst() + [(0x80, run(0))])
    var content: [UInt8] = [1, 1, 7, 1] + hash.bytes
    content += history.metadata + ops.metadata + history.data + ops.data + [0]
    return (change, chunk(0, content).bytes)
  }

  private func chunk(_ type: UInt8, _ content: [UInt8]) -> (bytes: [UInt8], hash: ChangeHash) {
    var output = Arena<UInt8>()
    let hash = withView(of: content) { appendChunk(type: type, $0, to: &output) }
    return (output.view.array, hash)
  }
}
