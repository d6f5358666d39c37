import Testing

@testable import MergeEngine

@Suite("Hostile peers")
struct HostileTests {
  private func attack(_ name: String) throws -> [UInt8] { try Fixtures.bytes("attacks/\(name)") }

  // MARK: - Changes that wait

  /// Bad in meaning, which shows when the change that they depend on comes.
  static let poisons = ["poison-object", "poison-seq-gap"]

  @Test("A bad change that waits is dropped when its dependency comes", arguments: poisons)
  func poisonedQueue(_ name: String) throws {
    let document = MergeDocument(actor: actor(7))
    try document.applyChanges([attack("poison-base.chg")])
    try document.applyChanges([attack("\(name).chg")])
    #expect(document.waitingCount == 1)
    try document.applyChanges([attack("poison-awaited.chg")])
    try document.core.checkInvariants()
    #expect(document.waitingCount == 0)
    #expect(document.droppedChangeCount == 1)
    #expect(document.droppedChanges.map(\.hash).count == 1)
    #expect(document.droppedChanges[0].reason.section.first == "change")
    let honest = try MergeDocument(loading: attack("poison-honest.chg"), actor: actor(8))
    // All that the honest writer wrote, in whatever call it comes.
    try document.merge(honest)
    #expect(document.heads == honest.heads)
    #expect(document.save() == honest.save())
    // No actor stays that the dropped change alone has named.
    #expect(document.core.actors.count == honest.core.actors.count)
  }

  @Test("It is dropped by every way that brings its dependency", arguments: poisons)
  func poisonedEverywhere(_ name: String) throws {
    let honest = try MergeDocument(loading: attack("poison-honest.chg"), actor: actor(8))
    let calls: [(MergeDocument) throws -> Void] = [
      { _ = try $0.merge(honest) },
      { try $0.loadIncremental(attack("poison-honest.chg")) },
      { try $0.applyChanges(honest.changeBytes()) },
      { try $0.loadIncremental(honest.save()) },
    ]
    for call in calls {
      let document = try MergeDocument(loading: attack("\(name).automerge"), actor: actor(7))
      #expect(document.waitingCount == 1)
      let fork = document.fork(actor: actor(9))
      for replica in [document, fork] {
        try call(replica)
        #expect(replica.heads == honest.heads)
        #expect(replica.droppedChangeCount == 1)
      }
    }
  }

  @Test("A file that holds it and what came later loads without it", arguments: poisons)
  func poisonedFile(_ name: String) throws {
    let document = MergeDocument(actor: actor(7))
    try document.put(.root, .key("own"), .int(1))
    document.commit()
    try document.applyChanges([attack("poison-base.chg"), attack("\(name).chg")])
    let snapshot = document.save()
    try document.applyChanges([attack("poison-awaited.chg")])
    let file = snapshot + document.saveIncremental()
    let loaded = try MergeDocument(loading: file, actor: actor(8))
    #expect(loaded.heads == document.heads)
    #expect(loaded.droppedChanges.map(\.hash) == document.droppedChanges.map(\.hash))
    #expect(loaded.droppedChangeCount == 1 && loaded.waitingCount == 0)
    // The same bytes as a call into a document that has something are the call's own.
    let other = MergeDocument(actor: actor(9))
    try other.put(.root, .key("other"), .int(1))
    #expect(throws: ChunkError.self) { try other.loadIncremental(file) }
  }

  @Test("A second change under a number that is taken never waits")
  func takenNumber() throws {
    let document = MergeDocument(actor: actor(7))
    try document.applyChanges([attack("poison-base.chg")])
    let error = try #require(throws: ChunkError.self) {
      try document.applyChanges([try attack("poison-duplicate-seq.chg")])
    }
    guard case .duplicateSequence = error.reason else {
      Issue.record("refused because of \(error.reason)")
      return
    }
    #expect(document.waitingCount == 0)
    // The same behind a document, where the real core refuses it, too.
    let file = #expect(throws: ChunkError.self) {
      _ = try MergeDocument(loading: attack("poison-duplicate-seq.automerge"), actor: actor(7))
    }
    #expect(file?.reason == error.reason)
  }

  @Test("A bad change in the call itself refuses the call, and waits no more", arguments: poisons)
  func ownPoison(_ name: String) throws {
    let document = MergeDocument(actor: actor(7))
    try document.applyChanges([attack("poison-base.chg")])
    let before = document.save()
    #expect(throws: ChunkError.self) {
      try document.applyChanges([try attack("\(name).chg"), try attack("poison-awaited.chg")])
    }
    #expect(document.save() == before)
    #expect(document.droppedChangeCount == 0)
    #expect(document.waitingCount == 0)
  }

  @Test("Of the dropped changes the last are remembered, and all are counted")
  func droppedLimit() {
    var history = History()
    let reason = ChunkError(.unknownObject, offset: 0, section: [])
    for number in 0..<(History.droppedLimit + 3) {
      history.drop(DroppedChange(hash: ChangeHash(sha256Of: "\(number)"), reason: reason))
    }
    let counts = [history.dropped.count, history.droppedCount]
    #expect(counts == [History.droppedLimit, History.droppedLimit + 3])
    let first = history.dropped[0].hash
    #expect(first == ChangeHash(sha256Of: "3"))
  }

  // MARK: - Memory

  /// A change with a key of a megabyte that is refused: its object does not exist.
  private func leak(_ number: Int, on base: MergeDocument, _ map: ObjectID) throws -> [UInt8] {
    let forger = base.fork(actor: actor(3))
    forger.core.objects[try forger.core.resolve(map)].counter = 99
    let key = String(repeating: "k", count: 1 << 20) + "\(number)"
    try forger.put(map, .key(key), .int(1))
    let hash = try #require(forger.commit())
    return try #require(forger.changeBytes(hash, compressed: true))
  }

  @Test("Refused changes give back their memory, in every table")
  func memoryAfterRefusal() throws {
    let base = MergeDocument(actor: actor(1))
    let map = try base.putObject(.root, .key("m"), .map)
    let list = try base.putObject(.root, .key("l"), .list)
    base.commit()
    let document = base.fork(actor: actor(2))
    for number in 0..<6 {
      let bytes = try leak(number, on: base, map)
      #expect(bytes.count < 8_192)
      #expect(throws: ChunkError.self) { try document.applyChanges([bytes]) }
      // Rows, registers, leaves and successors, of operations in front of the one that is refused.
      let forger = base.fork(actor: actor(3))
      for index in 0..<2_000 { try forger.insert(list, at: 0, .int(Int64(index % 2 * 1_000))) }
      for index in 0..<500 { try forger.put(list, .index(index), .bool(true)) }
      for index in 0..<500 { try forger.put(map, .key("\(number)-\(index)"), .null) }
      forger.core.objects[try forger.core.resolve(map)].counter = 99
      try forger.put(map, .key("bad"), .int(1))
      let hash = try #require(forger.commit())
      let change = try #require(forger.changeBytes(hash))
      #expect(throws: ChunkError.self) { try document.applyChanges([change]) }
      #expect(document.core.byteCapacity <= Limits.refusalByteLimit)
    }
    try document.core.checkInvariants()
    #expect(document.save() == base.save())
    // What came before is all there, its bytes included.
    #expect(document.changeBytes() == base.changeBytes())
    try document.put(map, .key("k"), .int(1))
    try base.merge(document)
    #expect(base.heads == document.heads)
  }

  @Test("An increment after memory was given back still has its changes")
  func incrementAfterCompaction() throws {
    let document = MergeDocument(actor: actor(1))
    try document.put(.root, .key("a"), .int(1))
    _ = document.save()
    try document.put(.root, .key("b"), .int(2))
    document.commit()
    let expected = document.fork(actor: actor(2)).saveIncremental()
    document.core.compact()
    #expect(document.saveIncremental() == expected)
    #expect(!expected.isEmpty)
  }

  @Test("What refused changes have cost stays counted when their memory is given back")
  func workAfterCompaction() throws {
    let document = MergeDocument(actor: actor(1))
    let map = try document.putObject(.root, .key("m"), .map)
    document.commit()
    let forger = document.fork(actor: actor(2))
    try forger.put(.root, .key("good"), .int(1))
    forger.commit()
    forger.core.objects[try forger.core.resolve(map)].counter = 99
    try forger.put(map, .key("bad"), .int(1))
    forger.commit()
    let changes = forger.changeBytes(since: document.heads)
    #expect(changes.count == 2)
    #expect(throws: ChunkError.self) { try document.applyChanges(changes) }
    let (work, steps) = (document.core.history.workCount, document.core.meter.steps)
    document.core.compact()
    #expect(document.core.history.workCount == work)
    #expect(document.core.meter.steps >= steps)
  }

  /// A peer that asks for all changes makes the document keep their bytes; these are the document's own, and
  /// no reason to rebuild it at the next refusal: that would throw them away, for the peer to ask again.
  @Test("Bytes of changes that a peer asked for are not given back for a refusal's sake")
  func refusalsBetweenRequests() throws {
    let document = MergeDocument(actor: actor(1))
    for index in 0..<150 {
      try document.put(.root, .key("k"), .string(String(repeating: "\(index) ", count: 5_000)))
      document.commit()
    }
    let loaded = try MergeDocument(loading: document.save(), actor: actor(2))
    // Another first change of the same writer.
    let twin = MergeDocument(actor: actor(1))
    try twin.put(.root, .key("k"), .int(1))
    twin.commit()
    var compactions: [UInt32] = []
    for _ in 0..<4 {
      #expect(throws: ChunkError.self) { try loaded.applyChanges(twin.changeBytes()) }
      compactions.append(loaded.core.compactions)
      #expect(loaded.changeBytes() == document.changeBytes())
    }
    #expect(compactions == [1, 1, 1, 1])
  }

  // MARK: - Runs without bytes

  @Test("Runs of elements without bytes are bounded in all", arguments: ["16m", "67m"])
  func nulls(_ size: String) throws {
    let error = try #require(throws: ChunkError.self) {
      _ = try MergeDocument(loading: attack("nulls-\(size).automerge"), actor: actor(1))
    }
    #expect(error.reason == .limitExceeded(.emptyElementLimit))
    let document = MergeDocument(actor: actor(1))
    #expect(throws: ChunkError.self) {
      try document.loadIncremental(try attack("nulls-\(size).chg"))
    }
    #expect(document.core.emptyElementCount == 0)
  }

  @Test("As many as the limit allows are loaded, counted, and read", arguments: ["1k", "1m"])
  func fewNulls(_ size: String) throws {
    for bytes in [try attack("nulls-\(size).automerge"), try attack("nulls-\(size).chg")] {
      let document = try MergeDocument(loading: bytes, actor: actor(1))
      try document.core.checkInvariants()
      let key = try #require(document.keys(.root).first)
      guard case .object(let list, _)? = try document.get(.root, .key(key))?.value else {
        Issue.record("no list under \(key)")
        return
      }
      #expect(try document.length(list) == document.core.emptyElementCount)
    }
  }

  @Test("Local edits keep to the same limit, so that what is saved can be loaded")
  func localNulls() throws {
    let document = MergeDocument(actor: actor(1))
    document.limits.emptyElementLimit = 3
    let list = try document.putObject(.root, .key("l"), .list)
    try document.splice(list, at: 0, delete: 0, insert: [.null, .bool(true), .string("")])
    try document.insert(list, at: 0, .int(1))
    #expect(throws: EditError.limitExceeded(.emptyElementLimit)) {
      try document.insert(list, at: 0, .null)
    }
    #expect(try document.length(list) == 4)
    document.rollback()
    #expect(document.core.emptyElementCount == 0)
  }

  // MARK: - No laxer than the real core

  @Test("An increment by an unsigned number is refused, in a change and in a document")
  func unsignedIncrements() throws {
    for name in ["1", "2-63", "max"] {
      for file in ["\(name).chg", "\(name).automerge"] {
        let error = #expect(throws: ChunkError.self) {
          _ = try MergeDocument(loading: attack("increment-unsigned-\(file)"), actor: actor(1))
        }
        #expect(error?.reason == .incrementByNonNumber, "\(file)")
      }
      // What the core saves of it has other hashes: no engine loads that.
      #expect(throws: ChunkError.self) {
        _ = try MergeDocument(
          loading: attack("increment-unsigned-\(name)-core.automerge"),
          actor: actor(1)
        )
      }
    }
  }

  @Test("Extra bytes of a change are bytes, in every row that there is")
  func extraBytes() throws {
    let whole = try MergeDocument(loading: attack("extra-bytes-normal.automerge"), actor: actor(1))
    #expect(whole.changeCount == 1)
    for (name, reason) in [
      ("null", ChunkError.Reason.unexpectedNull), ("type-0", .invalidValue),
      ("type-15", .invalidValue), ("type-4-int", .invalidValue), ("type-6-str", .invalidValue),
    ] {
      let error = #expect(throws: ChunkError.self) {
        _ = try MergeDocument(loading: attack("extra-\(name).automerge"), actor: actor(1))
      }
      #expect(error?.reason == reason, "\(name)")
    }
  }

  // MARK: - Depth

  @Test(
    "Objects that nest deeply cost their bytes, and no stack",
    arguments: ["lists-400", "lists-10k", "maps-400", "maps-10k"]
  )
  func nested(_ name: String) throws {
    let bytes = try attack("nested-\(name).chg")
    let document = try MergeDocument(loading: bytes, actor: actor(1))
    try document.core.checkInvariants()
    #expect(document.workDone <= 64 * bytes.count)
    #expect(document.heldByteCount <= document.limits.memoryPerByteLimit * bytes.count)
    let again = try MergeDocument(loading: document.save(), actor: actor(2))
    #expect(again.heads == document.heads)
    let other = MergeDocument(actor: actor(3))
    try other.merge(again)
    #expect(other.save() == document.save())
    var (object, depth) = (ObjectID.root, 0)
    while let next = try other.child(of: object) { (object, depth) = (next, depth + 1) }
    #expect(depth == (name.hasSuffix("10k") ? 10_000 : 400))
  }
}

extension MergeDocument {
  /// The first object within another one; `nil` if it has none.
  fileprivate func child(of object: ObjectID) throws -> ObjectID? {
    let entry =
      if try kind(of: object).isSequence {
        try length(object) > 0 ? try get(object, .index(0)) : nil
      } else {
        try keys(object).first.flatMap { try get(object, .key($0)) }
      }
    guard case .object(let child, _)? = entry?.value else { return nil }
    return child
  }
}
