import Testing

@testable import MergeEngine

@Suite("Registers with a long history")
struct RegisterTests {
  /// A replica with a counter, a key and a list of one element, which the others are forked from.
  private static func base() throws -> (MergeDocument, list: ObjectID) {
    let document = MergeDocument(actor: actor(0xFF))
    try document.put(.root, .key("n"), .counter(0))
    let list = try document.putObject(.root, .key("l"), .list)
    try document.insert(list, at: 0, .int(-1))
    document.commit()
    return (document, list)
  }

  private static func edit(
    _ document: MergeDocument,
    _ list: ObjectID,
    _ number: Int,
    _ random: inout Draws
  ) throws {
    switch random.below(8) {
    case 0, 1: try document.put(.root, .key("k"), .int(Int64(number)))
    case 2: try document.delete(.root, .key("k"))
    case 3, 4:
      if try document.get(.root, .key("n")) != nil, try holdsCounter(document) {
        try document.increment(.root, .key("n"), by: Int64(number))
      }
    case 5: try document.put(.root, .key("n"), .counter(Int64(number)))
    default:
      if try document.length(list) > 0 {
        try document.put(list, .index(0), .int(Int64(number)))
      } else {
        try document.insert(list, at: 0, .int(Int64(number)))
      }
    }
  }

  private static func holdsCounter(_ document: MergeDocument) throws -> Bool {
    try document.getAll(.root, .key("n")).contains {
      if case .scalar(.counter) = $0.value { true } else { false }
    }
  }

  /// Steps of searches that it costs when two writers change one key and one counter, then merge.
  private static func contendedSteps(_ count: Int) throws -> Int {
    let (base, _) = try base()
    let replicas = (1...2).map { base.fork(actor: actor(UInt8($0))) }
    for number in 0..<count {
      for replica in replicas {
        try replica.put(.root, .key("k"), .int(Int64(number)))
        try replica.increment(.root, .key("n"), by: 1)
        if number % 3 == 2 { try replica.delete(.root, .key("k")) }
        if number % 10 == 9 { replica.commit() }
      }
    }
    try replicas[0].merge(replicas[1])
    try replicas[1].merge(replicas[0])
    let value = try replicas[0].get(.root, .key("n"))?.value
    #expect(value == .scalar(.counter(Int64(2 * count))))
    return replicas[0].core.meter.steps + replicas[1].core.meter.steps
  }

  @Test("The work of merging keys that two writers contend for grows as their edits do")
  func contended() throws {
    let (small, large) = (try Self.contendedSteps(100), try Self.contendedSteps(400))
    #expect(small > 0)
    #expect(large <= 5 * small, "\(small) steps for 100 rounds, \(large) for 400")
  }

  @Test("Writers who overwrite one key apart agree when they meet, saved or not", arguments: 1...12)
  func converge(seed: Int) throws {
    var random = Draws(seed)
    let (base, list) = try Self.base()
    let replicas = (1...3).map { base.fork(actor: actor(UInt8($0))) }
    for number in 0..<120 {
      let replica = replicas[random.below(3)]
      try Self.edit(replica, list, number, &random)
      if random.below(3) == 0 { replica.commit() }
      if random.below(10) == 0 {
        try replica.merge(replicas[random.below(3)])
        try replica.core.checkInvariants()
      }
    }
    for (left, right) in [(0, 1), (0, 2), (1, 0), (2, 0)] {
      try replicas[left].merge(replicas[right])
    }
    let loaded = try MergeDocument(
      loading: replicas[0].save(),
      actor: actor(9)
    )
    for document in replicas + [loaded] {
      try document.core.checkInvariants()
      #expect(document.heads == replicas[0].heads)
      for prop in [Prop.key("k"), .key("n")] {
        #expect(
          try document.getAll(.root, prop) == replicas[0].getAll(.root, prop)
        )
      }
      #expect(try document.values(list) == replicas[0].values(list))
    }
  }

  @Test("A rolled back series of edits leaves no trace", arguments: 1...12)
  func rollBack(seed: Int) throws {
    var random = Draws(seed)
    let (document, list) = try Self.base()
    for number in 0..<30 { try Self.edit(document, list, number, &random) }
    document.commit()
    let before = document.save(compressed: false)
    for number in 0..<60 { try Self.edit(document, list, number, &random) }
    document.rollback()
    try document.core.checkInvariants()
    #expect(document.save(compressed: false) == before)
    for number in 0..<30 { try Self.edit(document, list, number, &random) }
    document.commit()
    try document.core.checkInvariants()
    let loaded = try MergeDocument(loading: document.save(), actor: actor(9))
    #expect(loaded.heads == document.heads)
  }

  @Test("Increments of two writers add up, however they interleave")
  func increments() throws {
    let (base, _) = try Self.base()
    let (left, right) = (base.fork(actor: actor(1)), base.fork(actor: actor(2)))
    for _ in 0..<500 {
      try left.increment(.root, .key("n"), by: 1)
      try right.increment(.root, .key("n"), by: 1000)
    }
    try right.merge(left)
    try left.merge(right)
    for document in [left, right] {
      try document.core.checkInvariants()
      #expect(try document.get(.root, .key("n"))?.value == .scalar(.counter(500_500)))
    }
    // Taken back one by one, newest first.
    for _ in 0..<50 { try left.increment(.root, .key("n"), by: 7) }
    left.rollback()
    try left.core.checkInvariants()
    #expect(try left.get(.root, .key("n"))?.value == .scalar(.counter(500_500)))
  }

  @Test("Registers with many rows keep their order, whatever comes and goes", arguments: 0..<6)
  func manyRows(_ seed: Int) throws {
    var random = SplitMix(UInt64(seed))
    // Writers whose puts, counters and deletions of one key come in any order.
    let base = MergeDocument(actor: actor(1))
    try base.put(.root, .key("k"), .counter(1))
    base.commit()
    let forks = try (0..<150).map { number in
      let id = ActorID((0..<8).map { _ in UInt8(random.below(256)) } + [UInt8(number)])
      let fork = base.fork(actor: id)
      for _ in 0..<random.below(3) + 1 {
        switch random.below(4) {
        case 0: try fork.delete(.root, .key("k"))
        case 1: try? fork.increment(.root, .key("k"), by: 1)
        default: try fork.put(.root, .key("k"), .counter(Int64(random.below(9))))
        }
        fork.commit()
      }
      return fork
    }
    let all = MergeDocument(actor: actor(2))
    for number in forks.indices {
      try all.merge(forks[number])
      if number % 30 == 29 { try all.core.checkInvariants() }
    }
    #expect(!all.core.rowIndex.isEmpty)
    // An edit over all of them, undone; and a refused call.
    try all.put(.root, .key("k"), .int(1))
    all.rollback()
    let late = base.fork(actor: actor(0))
    try late.put(.root, .key("k"), .int(7))
    let hash = try #require(late.commit())
    let chunk = try #require(late.changeBytes(hash))
    #expect(throws: ChunkError.self) { try all.applyChanges([chunk, Array(chunk.dropLast())]) }
    #expect(throws: ChunkError.self) {
      try all.applyChanges([chunk, try Fixtures.bytes("attacks/start-op-4294967295.chg")])
    }
    try all.core.checkInvariants()
    // The same in another order.
    let other = MergeDocument(actor: actor(3))
    for fork in forks.reversed() { try other.merge(fork) }
    try other.core.checkInvariants()
    #expect(try other.getAll(.root, .key("k")) == all.getAll(.root, .key("k")))
    #expect(other.heads == all.heads)
  }
}

/// Numbers that depend on a seed alone.
private struct Draws {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
