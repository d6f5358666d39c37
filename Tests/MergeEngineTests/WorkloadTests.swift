import Foundation
import Testing

@testable import MergeEngine

/// The heads and texts of the workloads, where debug builds can afford them.
@Suite("Workloads")
struct WorkloadTests {
  /// Splices a trace's first `count` patches into a new text.
  private func replay(
    _ trace: Trace,
    count: Int,
    commitEach: Bool
  ) throws -> (MergeDocument, ObjectID) {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("text"), .text)
    for transaction in trace.transactions.prefix(count) {
      for patch in transaction.patches {
        try document.spliceText(
          text,
          at: patch.position,
          delete: patch.deleted,
          insert: patch.inserted
        )
      }
      if commitEach { document.commit() }
    }
    return (document, text)
  }

  @Test("W1: the whole trace in one commit has the stated heads and text")
  func traceInOneCommit() throws {
    let trace = try Trace("automerge-paper")
    let (document, text) = try replay(trace, count: .max, commitEach: false)
    #expect(
      headString(document)
        == "f25b78ecec49a138bfd66ca5f38d54dbce4c9626bae16d842251cc2e8c0d853b"
    )
    let content = try document.text(text)
    #expect(content == trace.end)
    #expect(
      sha256(Array(content.utf8))
        == "a489e9022976c14e46627aea174d07797edcb3fd17df42605956d4cf01bf9039"
    )
    #expect(document.save(compressed: false).count == 292_734)
    try document.core.checkInvariants()
  }

  @Test(
    "Saved documents of the real core load with their heads and texts",
    arguments: [
      (
        "automerge-paper-1-change", "automerge-paper",
        "f25b78ecec49a138bfd66ca5f38d54dbce4c9626bae16d842251cc2e8c0d853b"
      ),
      (
        "friendsforever", "friendsforever",
        "cf679739fa2eb9c7f1292b90f39ca575da71792cf759832c88eab102744c0074"
      ),
      (
        "clownschool", "clownschool",
        "7cc72131151fd65b82a77228e4ca5f923bc67c1568a718ae3982292001481edf"
      ),
    ]
  )
  func documentsLoad(_ file: String, _ trace: String, _ heads: String) throws {
    let bytes = try Fixtures.bytes("documents/\(file).automerge")
    let document = try MergeDocument(loading: bytes, actor: actor(9))
    #expect(headString(document) == heads)
    guard case .object(let text, .text) = try document.get(.root, .key("text"))?.value else {
      Issue.record("no text")
      return
    }
    #expect(try document.text(text) == Trace(trace).end)
    let saved = document.save(compressed: false)
    let again = try MergeDocument(loading: saved, actor: actor(8))
    #expect(again.save(compressed: false) == saved)
    #expect(Double(document.save().count) <= Double(bytes.count) * 1.01)
  }

  @Test("W4: 100,000 puts in one commit, and in commits of 100, have the stated heads")
  func mapPuts() throws {
    let document = MergeDocument(actor: actor(1))
    let batched = MergeDocument(actor: actor(1))
    var random = SplitMix(7)
    for number in 0..<100_000 {
      let key = "k\(random.below(1000))"
      try document.put(.root, .key(key), .int(Int64(number)))
      try batched.put(.root, .key(key), .int(Int64(number)))
      if number % 100 == 99 { batched.commit() }
    }
    #expect(
      headString(document)
        == "813ef1cd283bc67f9a8453c894370c41f6cb86c6a10dca5bc4e4732720bc5fc1"
    )
    #expect(
      headString(batched)
        == "5bf26661ece164b8d81d6e122b806d16635ce0ded0b6699533a97f3859b80b94"
    )
    let again = try MergeDocument(loading: document.save(), actor: actor(2))
    #expect(again.heads == document.heads)
  }

  @Test("W5: list pushes and random inserts have the stated heads")
  func lists() throws {
    let pushed = MergeDocument(actor: actor(1))
    let list = try pushed.putObject(.root, .key("list"), .list)
    for number in 0..<100_000 { try pushed.insert(list, at: number, .int(Int64(number))) }
    #expect(
      headString(pushed)
        == "23412de0b5b94a00debd87fc8d156a6498d1123707199a2dbf2c6601e3e0bf8d"
    )

    let random = MergeDocument(actor: actor(1))
    let other = try random.putObject(.root, .key("list"), .list)
    var source = SplitMix(9)
    for number in 0..<100_000 {
      try random.insert(other, at: source.below(number + 1), .int(Int64(number)))
    }
    #expect(
      headString(random)
        == "b905d5dbb266cf24f549861391d686fe2e8473239bb0af48f6909387de2b11be"
    )
    try random.core.checkInvariants()
    let loaded = try MergeDocument(loading: random.save(), actor: actor(2))
    #expect(loaded.heads == random.heads)
    #expect(try loaded.values(other) == random.values(other))
  }

  @Test("W3: forks of 5,000 random edits merge to the stated text and heads")
  func merges() throws {
    let base = MergeDocument(actor: actor(0xFF))
    let text = try base.putObject(.root, .key("text"), .text)
    var letters = SplitMix(0xBA5E)
    let content = (0..<10_000).map { _ in letters.letter() }.joined()
    try base.spliceText(text, at: 0, delete: 0, insert: content)
    base.commit()
    let forks = try (0..<10).map { number in
      let fork = base.fork(actor: actor(UInt8(number + 1)))
      var random = SplitMix(1000 + UInt64(number))
      var length = 10_000
      for edit in 1...5_000 {
        if random.below(4) == 0 && length > 0 {
          try fork.spliceText(text, at: random.below(length), delete: 1)
          length -= 1
        } else {
          let place = random.below(length + 1)
          try fork.spliceText(text, at: place, delete: 0, insert: random.letter())
          length += 1
        }
        if edit % 10 == 0 { fork.commit() }
      }
      return fork
    }
    let sequential = forks[0].fork(actor: actor(0x77))
    for fork in forks.dropFirst() { try sequential.merge(fork) }
    for stride in [1, 2, 4, 8] {
      for left in Swift.stride(from: 0, to: 10 - stride, by: 2 * stride) {
        try forks[left].merge(forks[left + stride])
      }
    }
    let merged = try forks[0].text(text)
    #expect(merged.utf8.count == 38_679)
    #expect(
      sha256(Array(merged.utf8))
        == "bdea25704c2baa86699d31bbd17e655141924460e32977ed38092bd892708a45"
    )
    #expect(
      sha256(Array(headString(forks[0]).utf8))
        == "5e644b848bbcfae4e2c2b2fa7798ceb1297d9a39b0e159ac8d256accb890a8e3"
    )
    #expect(sequential.heads == forks[0].heads)
    #expect(try sequential.text(text) == merged)
    try sequential.core.checkInvariants()
  }

  static let tinyHeads: [UInt64: String] = [
    1:
      "05c44168905b0f1845c2bbd4fc9197b91cf829ff3007944aa9d12e6db731d1c7+"
      + "4d66594b47573d01656fb2ad7c1ec8fd4ea75b44a2d760e7dbbfcfdfa29087c3",
    2:
      "dda239e0cd35e3054f81c09c881067c93fc55a6b8650372be30f6d17b412056e+"
      + "e0d77ae94a89fcb8e9d84504ce24ac63421fdc99d910f83569cbda9cae8320ee+"
      + "ef3fccde6af43adf37e40c40b136e0982f565dae4f6309900a7afd7397b88ff3",
    3:
      "21da4892a2638caa340931d152eb29304e2d45f6d02c03c5e071fd46473759aa+"
      + "5fd96c3911ed4e9c450eff0f8ddf6bb33a887f6635bc4c2c9a75b20d34c91b39+"
      + "ad1bcd94c39a3dfcd36124d11be8e82da6813cc1e3664cd42bfb14f425757b6f",
  ]

  @Test("W8: tiny histories converge to the stated heads, sound after every step")
  func tinyHistories() throws {
    var savedBytes = 0
    for seed in UInt64(1)...60 {
      let replicas = try TinyHistory.run(seed) { document in
        try document.core.checkInvariants()
      }
      if let heads = Self.tinyHeads[seed] { #expect(headString(replicas[0]) == heads) }
      for replica in replicas {
        #expect(replica.heads == replicas[0].heads)
        let saved = replica.save()
        savedBytes += saved.count
        let loaded = try MergeDocument(loading: saved, actor: actor(9))
        #expect(loaded.heads == replica.heads)
        #expect(try loaded.content(of: .root) == replica.content(of: .root))
        #expect(loaded.save() == saved)
      }
    }
    #expect(savedBytes > 0)
  }
}

/// The histories of W8.
enum TinyHistory {
  static func run(
    _ seed: UInt64,
    afterStep check: (MergeDocument) throws -> Void = { _ in }
  ) throws -> [MergeDocument] {
    var random = SplitMix(seed)
    let first = MergeDocument(actor: actor(1))
    let text = try first.putObject(.root, .key("t"), .text)
    let list = try first.putObject(.root, .key("l"), .list)
    let map = try first.putObject(.root, .key("m"), .map)
    first.commit()
    let replicas = [first, first.fork(actor: actor(2)), first.fork(actor: actor(3))]
    for step in 0..<50 {
      let replica = replicas[random.below(3)]
      switch random.below(4) {
      case 0:
        let key = "k\(random.below(5))"
        try replica.put(map, .key(key), .int(Int64(random.below(1000))))
      case 1:
        let place = random.below(try replica.length(text) + 1)
        try replica.spliceText(text, at: place, delete: 0, insert: random.letter())
      case 2:
        let length = try replica.length(text)
        if length > 0 { try replica.spliceText(text, at: random.below(length), delete: 1) }
      default:
        let place = random.below(try replica.length(list) + 1)
        try replica.insert(list, at: place, .int(Int64(random.below(1000))))
      }
      try check(replica)
      replica.commit()
      if step % 5 == 4 {
        let left = random.below(3)
        let right = (left + 1 + random.below(2)) % 3
        try replicas[left].merge(replicas[right])
        try check(replicas[left])
      }
    }
    for (left, right) in [(0, 1), (0, 2), (1, 0), (2, 0)] {
      try replicas[left].merge(replicas[right])
      try check(replicas[left])
    }
    return replicas
  }
}
