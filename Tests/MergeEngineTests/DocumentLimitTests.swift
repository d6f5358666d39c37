import Testing

@testable import MergeEngine

@Suite("What can be set, at the limit and one past")
struct DocumentLimitTests {
  private func limits(_ set: (inout DocumentLimits) -> Void) -> DocumentLimits {
    var limits = DocumentLimits()
    set(&limits)
    return limits
  }

  private func refusal(_ bytes: [UInt8], _ limits: DocumentLimits) -> ChunkError.Reason? {
    do throws(ChunkError) {
      _ = try MergeDocument(loading: bytes, actor: actor(9), limits: limits)
      return nil
    } catch {
      return error.reason
    }
  }

  /// A document with two compressed columns or more, and its bytes once inflated.
  private func compressed() throws -> (document: MergeDocument, inflatedCount: Int) {
    let document = MergeDocument(actor: actor(1))
    let text = String(repeating: "a long line of the same ", count: 200)
    for number in 0..<50 { try document.put(.root, .key("key \(number)"), .string(text)) }
    document.commit()
    let columns = ChunkSurvey(document.save()).chunks.flatMap { $0.changeColumns + $0.opColumns }
    let deflated = columns.filter { $0.spec & 8 != 0 }
    #expect(!deflated.isEmpty)
    return (document, deflated.reduce(0) { $0 + ($1.plainByteCount ?? 0) })
  }

  @Test("Inflated bytes of a document")
  func inflatedDocument() throws {
    let (document, count) = try compressed()
    let saved = document.save()
    #expect(refusal(saved, limits { $0.inflatedByteLimit = count }) == nil)
    #expect(
      refusal(saved, limits { $0.inflatedByteLimit = count - 1 })
        == .limitExceeded(.inflatedByteLimit)
    )
    #expect(
      refusal(saved, limits { $0.inflatedByteLimit = -1 }) == .limitExceeded(.inflatedByteLimit)
    )
    // Beyond what the store can hold is no more than that.
    #expect(refusal(saved, limits { $0.inflatedByteLimit = .max }) == nil)
  }

  @Test("Inflated bytes of all chunks of a call, not of each")
  func inflatedCall() throws {
    let (document, _) = try compressed()
    let chunks = document.changeBytes(compressed: true)
    let plain = document.changeBytes().reduce(0) { $0 + $1.count }
    // The same change twice is inflated twice.
    let twice = chunks + chunks
    func apply(_ limit: Int) throws {
      let reader = MergeDocument(actor: actor(2), limits: limits { $0.inflatedByteLimit = limit })
      try reader.applyChanges(twice)
    }
    try apply(2 * plain)
    let error = #expect(throws: ChunkError.self) { try apply(plain + plain / 2) }
    #expect(error?.reason == .limitExceeded(.inflatedByteLimit))
    // A later call has as much again.
    let reader = MergeDocument(actor: actor(2), limits: limits { $0.inflatedByteLimit = plain })
    try reader.applyChanges(chunks)
    try reader.applyChanges(chunks)
  }

  @Test("Memory for the bytes of a call")
  func memory() throws {
    let document = MergeDocument(actor: actor(1))
    for number in 0..<5_000 { try document.put(.root, .key("k\(number)"), .int(1)) }
    document.commit()
    let saved = document.save()
    let whole = try MergeDocument(loading: saved, actor: actor(2))
    let size = whole.core.byteCount
    #expect(size / saved.count < DocumentLimits().memoryPerByteLimit / 5)
    func free(_ count: Int) -> DocumentLimits {
      limits {
        $0.freeMemoryByteLimit = count
        $0.memoryPerByteLimit = 0
      }
    }
    #expect(refusal(saved, free(size)) == nil)
    #expect(refusal(saved, free(size / 2)) == .limitExceeded(.memoryPerByteLimit))
    let perByte = limits {
      $0.freeMemoryByteLimit = 0
      $0.memoryPerByteLimit = size / saved.count + 1
    }
    #expect(refusal(saved, perByte) == nil)
    // As changes, in one call: what is there already is not counted again.
    let reader = MergeDocument(actor: actor(3), limits: free(size / 2))
    let error = #expect(throws: ChunkError.self) { try reader.applyChanges(document.changeBytes()) }
    #expect(error?.reason == .limitExceeded(.memoryPerByteLimit))
    #expect(reader.changeCount == 0)
    reader.limits = free(2 * size)
    try reader.applyChanges(document.changeBytes())
    reader.limits = free(1 << 16)
    let next = whole.fork(actor: actor(4))
    try next.put(.root, .key("k"), .int(2))
    let hash = try #require(next.commit())
    try reader.applyChanges([try #require(next.changeBytes(hash))])
    #expect(reader.heads == next.heads)
  }

  @Test("Memory for the changes of a file, which are made when they are asked for")
  func rebuilt() throws {
    let document = MergeDocument(actor: actor(1))
    let key = String(repeating: "k", count: 50_000)
    for number in 0..<40 {
      try document.put(.root, .key(key), .int(Int64(number)))
      document.commit()
    }
    let saved = document.save()
    #expect(saved.count < 2_000)
    func free(_ count: Int) -> DocumentLimits {
      limits {
        $0.freeMemoryByteLimit = count
        $0.memoryPerByteLimit = 10
      }
    }
    #expect(refusal(saved, free(1_900_000)) == .limitExceeded(.memoryPerByteLimit))
    #expect(refusal(saved, free(2_100_000)) == nil)
    // In a document chunk that is taken as changes, of what the call has left.
    for (count, isTaken) in [(1_900_000, false), (5_000_000, true)] {
      let reader = MergeDocument(actor: actor(2), limits: free(count))
      try reader.put(.root, .key("own"), .null)
      let taken: Void? = try? reader.loadIncremental(saved)
      #expect((taken != nil) == isTaken)
    }
  }

  @Test("Elements without bytes")
  func emptyElements() throws {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: Array(repeating: .null, count: 10))
    let saved = document.save()
    #expect(refusal(saved, limits { $0.emptyElementLimit = 10 }) == nil)
    #expect(
      refusal(saved, limits { $0.emptyElementLimit = 9 }) == .limitExceeded(.emptyElementLimit)
    )
  }

  @Test("A splice that runs into a limit midway leaves nothing", arguments: [0, 1])
  func refusedMidway(deleted count: Int) throws {
    let document = MergeDocument(actor: actor(1), limits: limits { $0.emptyElementLimit = 1 })
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .int(2)])
    document.commit()
    let before = document.save()
    #expect(throws: EditError.limitExceeded(.emptyElementLimit)) {
      try document.splice(list, at: 1, delete: count, insert: [.int(3), .null, .null])
    }
    #expect(document.pendingOpCount == 0)
    #expect(document.save() == before)
    // The null that was taken back counts no more.
    try document.splice(list, at: 1, delete: count, insert: [.null])
    #expect(try document.values(list).count == 3 - count)
  }

  @Test("Actors from outside leave room for the app")
  func actors() throws {
    let set = limits { $0.receivedActorLimit = 3 }
    func change(_ number: UInt8) throws -> [[UInt8]] {
      let writer = MergeDocument(actor: actor(number))
      try writer.put(.root, .key("k"), .int(Int64(number)))
      writer.commit()
      return writer.changeBytes()
    }
    let document = MergeDocument(actor: actor(100), limits: set)
    for number: UInt8 in 1...3 { try document.applyChanges(change(number)) }
    let error = #expect(throws: ChunkError.self) { try document.applyChanges(change(4)) }
    #expect(error?.reason == .limitExceeded(.receivedActorLimit))
    // The app edits, saves, and loads what it saved.
    try document.put(.root, .key("mine"), .int(1))
    let saved = document.save()
    let loaded = try MergeDocument(loading: saved, actor: actor(101), limits: set)
    #expect(loaded.heads == document.heads)
    try loaded.put(.root, .key("more"), .int(1))
    #expect(loaded.commit() != nil)
    #expect(DocumentLimits().receivedActorLimit == Limits.actorLimit - 1_024)
  }

  @Test("Every limit is listed with its default where users look for it, and no other")
  func listed() throws {
    let text = String(decoding: try Fixtures.bytes("../SECURITY.md"), as: UTF8.self)
    let listed = text.matches(of: /(?m)^\| `(\w+Limit)` \| ([\d,]+) \|/).map { match in
      "\(match.1): \(match.2.filter { $0 != "," })"
    }
    let defaults = Mirror(reflecting: DocumentLimits()).children.map { child in
      "\(child.label ?? ""): \(child.value)"
    }
    #expect(listed == defaults)
    #expect(listed.count == 11)
  }

  @Test("An actor's id is at most as long as is stated")
  func actorLength() throws {
    func change(_ length: Int) throws -> [[UInt8]] {
      let writer = MergeDocument(actor: ActorID([UInt8](repeating: 1, count: length)))
      try writer.put(.root, .key("k"), .int(1))
      writer.commit()
      return writer.changeBytes()
    }
    let document = MergeDocument(actor: actor(1))
    try document.applyChanges(change(Limits.actorByteLimit))
    #expect(throws: EditError.self) { _ = try change(Limits.actorByteLimit + 1) }
    let saved = document.save()
    let loaded = try MergeDocument(loading: saved, actor: actor(2))
    #expect(loaded.heads == document.heads)
  }

  @Test("Ids that begin alike are ordered as a whole")
  func alikeActors() throws {
    var table = ActorTable()
    let ids: [[UInt8]] = [
      [], [0], [0, 0], [1], [1, 0], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, 0, 0, 0, 0, 7], [1, 0, 0, 0, 0, 0, 0, 1], [255], [255, 255],
    ]
    var random = SplitMix(5)
    var left = ids
    while !left.isEmpty {
      let id = ActorID(left.remove(at: random.below(left.count)))
      #expect(table.intern(id) != nil)
    }
    let order = table.sorted.map { table.ids[Int($0)].bytes }
    #expect(order == ids)
  }

  // MARK: - What is here already

  /// No room for anything from outside.
  private let none = {
    var limits = DocumentLimits()
    limits.inflatedByteLimit = 0
    limits.freeMemoryByteLimit = 0
    limits.memoryPerByteLimit = 0
    limits.emptyElementLimit = 0
    limits.waitingChangeLimit = 0
    limits.waitingChangePerActorLimit = 0
    limits.waitingByteLimit = 0
    limits.receivedActorLimit = 0
    limits.operationGapLimit = 0
    return limits
  }()

  /// Two branches on one change, with nulls, three writers and a gap; in whatever order a copy of both
  /// takes them, one comes before what it depends on.
  private func branched() throws -> (document: MergeDocument, list: ObjectID) {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: Array(repeating: .null, count: 5))
    document.commit()
    let left = document.fork(actor: actor(2))
    let right = document.fork(actor: actor(3))
    for branch in [left, right] {
      branch.core.maxOp += 50
      for number: Int64 in 1...3 {
        try branch.put(.root, .key("k"), .int(number))
        branch.commit()
      }
    }
    try document.merge(left)
    try document.merge(right)
    return (document, list)
  }

  @Test("A copy at heads is never refused, though limits were lowered below what is here")
  func lowered() throws {
    let (document, list) = try branched()
    document.limits = none
    for heads in [document.heads, document.heads.reversed(), Array(document.heads.prefix(1))] {
      let copy = try document.fork(at: heads, actor: actor(4))
      #expect(copy.heads == heads.sorted())
      #expect(copy.limits == none)
      #expect(copy.brokenInvariant == nil)
    }
    let whole = try document.fork(at: document.heads, actor: actor(4))
    #expect(try whole.values(list).count == 5)
    #expect(document.fork(actor: actor(4)).heads == document.heads)
  }

  @Test("A merge is not refused for the order in which its changes are taken")
  func mergedOrder() throws {
    let document = try branched().document
    let reader = MergeDocument(
      actor: actor(4),
      limits: limits {
        $0.waitingChangeLimit = 0
        $0.waitingChangePerActorLimit = 0
        $0.waitingByteLimit = 0
      }
    )
    try reader.merge(document)
    #expect(reader.heads == document.heads)
    #expect(reader.waitingCount == 0)
  }

  @Test("A branch of one's own is held to the limit of local edits alone")
  func ownBranch() throws {
    let (document, list) = try branched()
    document.limits = none
    let branch = try document.fork(at: document.heads, actor: actor(4))
    try branch.put(.root, .key("k"), .int(9))
    #expect(throws: ChunkError.self) { try document.merge(branch) }
    try document.merge(own: branch)
    #expect(document.heads == branch.heads)
    #expect(document.limits == none)
    branch.limits = .greatest
    try branch.insert(list, at: 0, .null)
    let error = #expect(throws: ChunkError.self) { try document.merge(own: branch) }
    #expect(error?.reason == .limitExceeded(.emptyElementLimit))
    #expect(document.limits == none)
  }

  // MARK: - Room for operations

  /// A change that starts at an operation, on nothing.
  private func change(startOp: UInt32, by writer: ActorID = actor(5)) throws -> [UInt8] {
    let document = MergeDocument(actor: writer, limits: .greatest)
    document.core.maxOp = startOp - 1
    try document.put(.root, .key("k"), .int(1))
    let hash = try #require(document.commit())
    return try #require(document.changeBytes(hash))
  }

  @Test("A change may leave out operation numbers up to the limit")
  func gap() throws {
    let set = limits { $0.operationGapLimit = 100 }
    for isDocument in [false, true] {
      func bytes(_ startOp: UInt32) throws -> [UInt8] {
        let plain = try change(startOp: startOp)
        if !isDocument { return plain }
        return try MergeDocument(loading: plain, actor: actor(1), limits: .greatest).save()
      }
      #expect(try refusal(bytes(101), set) == nil)
      #expect(try refusal(bytes(102), set) == .limitExceeded(.operationGapLimit))
    }
  }

  @Test("Gaps of a path add up, and operations that are there make none")
  func gapsOfPath() throws {
    let document = MergeDocument(actor: actor(1), limits: limits { $0.operationGapLimit = 100 })
    for number in 0..<150 { try document.put(.root, .key("k"), .int(Int64(number))) }
    document.commit()
    let honest = document.fork(actor: actor(2))
    try honest.put(.root, .key("k"), .int(-1))
    honest.commit()
    try document.merge(honest)
    // On top of them: two gaps of sixty are too much together.
    let forger = document.fork(actor: actor(3))
    forger.limits = .greatest
    for number in 0..<2 {
      forger.core.maxOp += 60
      try forger.put(.root, .key("k"), .int(Int64(number)))
      forger.commit()
    }
    let chunks = forger.changeBytes(since: document.heads)
    #expect(chunks.count == 2)
    try document.applyChanges([chunks[0]])
    let error = #expect(throws: ChunkError.self) { try document.applyChanges([chunks[1]]) }
    #expect(error?.reason == .limitExceeded(.operationGapLimit))
    // Another replica decides alike, whatever else it has.
    let other = MergeDocument(actor: actor(4), limits: limits { $0.operationGapLimit = 100 })
    try other.merge(document)
    try other.put(.root, .key("other"), .int(1))
    other.commit()
    #expect(throws: ChunkError.self) { try other.applyChanges([chunks[1]]) }
  }

  @Test("What would use up all numbers is refused, and can be read with other limits")
  func usedUp() throws {
    for name in ["2147483648", "4294967294", "4294967295"] {
      let bytes = try Fixtures.bytes("attacks/start-op-\(name).chg")
      let document = MergeDocument(actor: actor(1))
      let error = #expect(throws: ChunkError.self) { try document.applyChanges([bytes]) }
      #expect(error?.reason == .limitExceeded(.operationGapLimit))
      try document.put(.root, .key("k"), .int(1))
      #expect(document.commit() != nil)
      let read = try MergeDocument(loading: bytes, actor: actor(1), limits: .greatest)
      #expect(try !read.keys(.root).isEmpty)
      // Started again: the same values by another writer.
      let copy = MergeDocument(actor: actor(2))
      for key in try read.keys(.root) {
        guard case .scalar(let value)? = try read.get(.root, .key(key))?.value else { continue }
        try copy.put(.root, .key(key), value)
      }
      #expect(try copy.keys(.root) == read.keys(.root))
    }
    #expect(throws: ChunkError.self) {
      _ = try MergeDocument(
        loading: try Fixtures.bytes("attacks/start-op-4294967296.chg"),
        actor: actor(1),
        limits: .greatest
      )
    }
  }
}
