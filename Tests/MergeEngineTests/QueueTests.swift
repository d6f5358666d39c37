import Testing

@testable import MergeEngine

/// Changes of `count` actors that do not build on one another, or one behind the other of one actor.
private enum Many {
  /// An actor of eight bytes: those of different numbers begin differently.
  static func writer(_ number: Int) -> ActorID {
    // Scattered, so that they come in no order.
    let scattered = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    return ActorID((0..<8).map { UInt8(truncatingIfNeeded: scattered >> (56 - 8 * UInt64($0))) })
  }

  /// Chunks of changes, each on the one before.
  static func chain(_ count: Int, actor id: ActorID = actor(1)) throws -> [[UInt8]] {
    let document = MergeDocument(actor: id)
    for number in 0..<count {
      try document.put(.root, .key("k"), .int(Int64(number)))
      document.commit()
    }
    return document.changeBytes()
  }

  /// A document with as many heads as actors.
  static func heads(_ count: Int, isConflict: Bool) throws -> MergeDocument {
    let all = MergeDocument(actor: actor(1))
    for number in 0..<count {
      let one = MergeDocument(actor: writer(number))
      try one.put(.root, .key(isConflict ? "k" : "k\(number)"), .int(Int64(number)))
      one.commit()
      try all.applyChanges(one.changeBytes())
    }
    return all
  }

  /// Changes that wait for one that never comes, each of another actor.
  static func orphans(_ count: Int) throws -> [[UInt8]] {
    let base = MergeDocument(actor: actor(2))
    try base.put(.root, .key("a"), .int(1))
    base.commit()
    return try (0..<count).map { number in
      let one = base.fork(actor: writer(number))
      try one.put(.root, .key("k"), .int(Int64(number)))
      let hash = try #require(one.commit())
      return try #require(one.changeBytes(hash))
    }
  }
}

/// A queue of waiting changes as a list that is searched.
private struct PlainQueue {
  var waiting: [(change: WaitingChange, missing: Set<ChangeHash>)] = []
  var known: Set<ChangeHash> = []
  /// Changes that were ever entered: each has its own hash and number.
  var count = 0

  /// The hash of a change, or of one that never waits.
  func hash(_ number: Int) -> ChangeHash {
    ChangeHash(words: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15, 0, 0, UInt64(number)))
  }

  mutating func enter(_ random: inout SplitMix) -> (change: WaitingChange, missing: [ChangeHash]) {
    // Those before it, some that come later, and one at least that is not known.
    let dependencies = Set((0..<random.below(3)).map { _ in hash(random.below(count + 8)) })
      .subtracting([hash(count)]).union([hash(count + 8 + random.below(4))])
    let change = WaitingChange(
      hash: hash(count),
      author: actor(UInt8(random.below(3))),
      seq: UInt64(count + 1),
      dependencies: dependencies.sorted(),
      bytes: [UInt8](repeating: 0, count: random.below(4))
    )
    count += 1
    let missing = dependencies.subtracting(known)
    waiting.append((change, missing))
    return (change, missing.sorted())
  }

  mutating func resolve(_ hash: ChangeHash) {
    known.insert(hash)
    for place in waiting.indices { waiting[place].missing.remove(hash) }
  }

  mutating func takeReady() -> ChangeHash? {
    waiting.firstIndex { $0.missing.isEmpty }.map { take(at: $0) }
  }

  mutating func takeNumbered(upTo last: UInt64, of author: ActorID) -> ChangeHash? {
    let numbered = waiting.indices.filter { place in
      waiting[place].change.author == author && waiting[place].change.seq <= last
    }
    return numbered.min { waiting[$0].change.seq < waiting[$1].change.seq }.map { take(at: $0) }
  }

  /// The last one takes the place.
  private mutating func take(at place: Int) -> ChangeHash {
    waiting.swapAt(place, waiting.count - 1)
    return waiting.removeLast().change.hash
  }
}

@Suite("Waiting changes and many heads cost what they are")
struct QueueTests {
  /// Steps that `count` and four times as many cost: at most four times as much and a logarithm.
  private func expectNearlyLinear(
    _ name: Comment,
    small: Int = 128,
    work: (Int) throws -> Int
  ) throws {
    let few = try work(small)
    let many = try work(4 * small)
    #expect(few > 0, name)
    #expect(many <= 5 * few, "\(name): \(few) steps, and \(many) for four times as many")
  }

  @Test("Hashes that a peer makes up spread over a table, whatever bytes they share")
  func madeUpHashes() throws {
    for place in stride(from: 0, to: 32, by: 8) {
      let hashes = try (0..<1_000).map { number in
        var bytes = [UInt8](repeating: 7, count: 32)
        bytes[place] = UInt8(number & 0xff)
        bytes[place + 1] = UInt8(number >> 8)
        return try #require(ChangeHash(bytes))
      }
      #expect(Set(hashes.map(\.hashValue)).count > 990, "bytes \(place) and \(place + 1)")
    }
  }

  @Test("Orphans that come one by one")
  func oneByOne() throws {
    try expectNearlyLinear("orphans") { count in
      let document = MergeDocument(actor: actor(1))
      for chunk in try Many.orphans(count) { try document.applyChanges([chunk]) }
      #expect(document.waitingCount == count)
      return document.workDone
    }
  }

  @Test("A chain in reverse, in one call and in one for each change", arguments: [true, false])
  func reversed(_ isOneCall: Bool) throws {
    try expectNearlyLinear("a chain in reverse") { count in
      let chunks = try Many.chain(count).reversed()
      let document = MergeDocument(actor: actor(3))
      if isOneCall {
        try document.applyChanges(Array(chunks))
      } else {
        for chunk in chunks { try document.applyChanges([chunk]) }
      }
      #expect(document.changeCount == count)
      #expect(document.waitingCount == 0)
      return document.workDone
    }
  }

  @Test("Merging, forking at and joining many heads", arguments: [true, false])
  func manyHeads(_ isConflict: Bool) throws {
    try expectNearlyLinear("heads", small: isConflict ? 512 : 128) { count in
      let all = try Many.heads(count, isConflict: isConflict)
      #expect(all.heads.count == count)
      let merged = MergeDocument(actor: actor(4))
      try merged.merge(all)
      let fork = try merged.fork(at: all.heads, actor: actor(5))
      #expect(fork.heads == all.heads)
      // One change takes all heads away.
      try fork.put(.root, .key("joined"), .int(1))
      fork.commit()
      #expect(fork.heads.count == 1)
      try merged.merge(fork)
      #expect(merged.heads == fork.heads)
      try merged.core.checkInvariants()
      return all.workDone + merged.workDone + fork.workDone
    }
  }

  @Test("A call that is refused leaves the queue as it was", arguments: 0..<40)
  func rewinding(_ seed: Int) throws {
    // A queue of several chains, some of whose first changes come in a call that is refused.
    var random = SplitMix(UInt64(seed))
    let chains = try (0..<4).map { try Many.chain(5, actor: Many.writer($0)) }
    let document = MergeDocument(actor: actor(1))
    for chain in chains {
      for chunk in chain.dropFirst() where random.below(4) > 0 {
        try document.applyChanges([chunk])
      }
    }
    let before = document.save()
    var input = chains.filter { _ in random.below(3) > 0 }.flatMap { $0 }
    // Refused when all in front of it has been applied.
    input.append(try change(numbered: UInt8(random.below(3) + 2)))
    #expect(throws: ChunkError.self) { try document.applyChanges(input) }
    try document.core.checkInvariants()
    #expect(document.save() == before)
    // All comes in the end, whatever waited.
    try document.applyChanges(chains.flatMap { $0 })
    try document.core.checkInvariants()
    #expect(document.waitingCount == 0)
    #expect(document.changeCount == 20)
    let fresh = MergeDocument(actor: actor(1))
    try fresh.applyChanges(chains.flatMap { $0 })
    #expect(fresh.heads == document.heads)
  }

  /// A change without dependencies, and with a number beyond its actor's first.
  private func change(numbered seq: UInt8) throws -> [UInt8] {
    let writer = MergeDocument(actor: actor(9))
    try writer.put(.root, .key("k"), .int(1))
    let hash = try #require(writer.commit())
    // The header of 10 bytes; no dependencies, the actor's length, the actor, the number.
    var content = Array(try #require(writer.changeBytes(hash))[10...])
    content[18] = seq
    var output = Arena<UInt8>()
    return withView(of: content) { view in
      appendChunk(type: 1, view, to: &output)
      return output.view.array
    }
  }

  @Test("A local change lets go what waits for it")
  func localDependency() throws {
    let writer = MergeDocument(actor: actor(1))
    try writer.put(.root, .key("a"), .int(1))
    writer.commit()
    let twin = writer.fork(actor: actor(2))
    try twin.put(.root, .key("b"), .int(2))
    let waiting = try #require(twin.commit())
    // The same writer starts again, and makes the same change again.
    let again = MergeDocument(actor: actor(1))
    try again.applyChanges([try #require(twin.changeBytes(waiting))])
    #expect(again.waitingCount == 1)
    try again.put(.root, .key("a"), .int(1))
    again.commit()
    // Queues are looked at when something comes, known or not.
    try again.applyChanges([twin.changeBytes()[0]])
    #expect(again.waitingCount == 0)
    #expect(again.heads == twin.heads)
  }

  @Test("The same change that waits and is made here is no change that was refused")
  func madeAgain() throws {
    let writer = MergeDocument(actor: actor(1))
    for number in 0..<3 {
      try writer.put(.root, .key("a"), .int(Int64(number)))
      writer.commit()
    }
    // The writer starts again, with its last changes on the way, and makes the same ones.
    let again = MergeDocument(actor: actor(1))
    try again.applyChanges(Array(writer.changeBytes()[1...]))
    for number in 0..<3 {
      try again.put(.root, .key("a"), .int(Int64(number)))
      again.commit()
    }
    #expect(again.heads == writer.heads)
    #expect(again.waitingCount == 0)
    #expect(again.droppedChanges == [])
  }

  @Test("A queue does what a plain list does, with its calls taken back or not", arguments: 0..<100)
  func plainList(_ seed: Int) {
    var random = SplitMix(UInt64(seed))
    var queue = WaitingQueue()
    var plain = PlainQueue()
    for _ in 0..<40 {
      let before = plain
      queue.begin()
      for _ in 0...random.below(6) {
        switch random.below(6) {
        case 0, 1, 2:
          let (change, missing) = plain.enter(&random)
          queue.enter(change, missing: missing)
        case 3:
          let hash = plain.hash(random.below(plain.count + 8))
          plain.resolve(hash)
          queue.resolve(hash)
        case 4:
          #expect(queue.takeReady()?.change.hash == plain.takeReady())
        default:
          let author = actor(UInt8(random.below(3)))
          let last = UInt32(random.below(plain.count + 1))
          #expect(queue.count(of: author) == plain.waiting.count { $0.change.author == author })
          #expect(
            queue.takeNumbered(upTo: last, of: author)?.change.hash
              == plain.takeNumbered(upTo: UInt64(last), of: author)
          )
        }
      }
      if random.below(3) == 0 {
        queue.rewind()
        plain = before
      } else {
        queue.end()
      }
      #expect(queue.map(\.hash) == plain.waiting.map(\.change.hash))
      #expect(queue.breach { plain.known.contains($0) } == nil)
    }
  }

  // MARK: - Limits

  @Test("As many changes wait as may, and one more is refused")
  func limits() throws {
    let orphans = try Many.orphans(4)
    func document(_ set: (inout DocumentLimits) -> Void) -> MergeDocument {
      var limits = DocumentLimits()
      set(&limits)
      return MergeDocument(actor: actor(1), limits: limits)
    }
    let bytes = orphans.prefix(3).reduce(0) { $0 + $1.count }
    let cases: [(LimitName, MergeDocument)] = [
      (.waitingChangeLimit, document { $0.waitingChangeLimit = 3 }),
      (.waitingByteLimit, document { $0.waitingByteLimit = bytes }),
    ]
    for (name, document) in cases {
      try document.applyChanges(Array(orphans.prefix(3)))
      // One that waits already is no other.
      try document.applyChanges([orphans[0]])
      let saved = document.save()
      let error = #expect(throws: ChunkError.self) { try document.applyChanges([orphans[3]]) }
      #expect(error?.reason == .limitExceeded(name))
      #expect(document.save() == saved)
      let limits = document.limits
      #expect(document.fork(actor: actor(2)).limits == limits)
      document.limits = .greatest
      try document.applyChanges([orphans[3]])
      #expect(document.waitingCount == 4)
    }
  }

  @Test("As many changes of one actor wait as may, and those of others do, too")
  func limitPerActor() throws {
    var limits = DocumentLimits()
    limits.waitingChangePerActorLimit = 3
    let chain = try Many.chain(5)
    let other = try Many.chain(2, actor: actor(8))
    let document = MergeDocument(actor: actor(3), limits: limits)
    try document.applyChanges(Array(chain[1..<4]))
    let error = #expect(throws: ChunkError.self) { try document.applyChanges([chain[4]]) }
    #expect(error?.reason == .limitExceeded(.waitingChangePerActorLimit))
    try document.applyChanges([other[1]])
    #expect(document.waitingCount == 4)
    // What has come no longer counts.
    try document.applyChanges([chain[0]])
    try document.applyChanges([chain[4]])
    #expect(document.changeCount == 5)
  }

  @Test(
    "A document loads what it saves, though a change waits whose number another has",
    arguments: [true, false]
  )
  func twinWaits(_ isOwn: Bool) throws {
    let base = MergeDocument(actor: actor(2))
    try base.put(.root, .key("a"), .int(1))
    base.commit()
    let twin = base.fork(actor: actor(3))
    try twin.put(.root, .key("twin"), .int(1))
    let hash = try #require(twin.commit())
    let waiting = try #require(twin.changeBytes(hash))
    let document = MergeDocument(actor: actor(3))
    try document.applyChanges([waiting])
    #expect(document.waitingCount == 1)
    // The first change of the same writer, made here or somewhere else.
    let writer = isOwn ? document : MergeDocument(actor: actor(3))
    try writer.put(.root, .key("k"), .int(2))
    writer.commit()
    if !isOwn { try document.applyChanges(writer.changeBytes()) }
    // It is told at once.
    #expect(document.droppedChanges.map(\.hash) == [hash])
    #expect(document.waitingCount == 0)
    let loaded = try MergeDocument(loading: document.save(), actor: actor(4))
    #expect(loaded.heads == document.heads)
    #expect(document.brokenInvariant == nil)
    try document.applyChanges(base.changeBytes())
    #expect(document.droppedChangeCount == 1)
  }
}
