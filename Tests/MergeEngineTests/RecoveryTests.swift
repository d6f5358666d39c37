import Testing

@testable import MergeEngine

@Suite("Recovering damaged files")
struct RecoveryTests {
  private func recovery(_ bytes: [UInt8]) throws -> DocumentRecovery {
    let recovery = DocumentRecovery(bytes, actor: actor(9))
    try recovery.document.core.checkInvariants()
    // What is kept is a file again, which has all of it.
    let again = DocumentRecovery(recovery.document.save(), actor: actor(9))
    #expect(again.losses.isEmpty)
    #expect(again.document.heads == recovery.document.heads)
    return recovery
  }

  /// A saved document, and five changes behind it, each on the one before.
  private func file() throws -> (document: [UInt8], changes: [[UInt8]], heads: [ChangeHash]) {
    let document = MergeDocument(actor: actor(1))
    for number in 0..<20 { try document.put(.root, .key("k\(number)"), .int(Int64(number))) }
    let saved = document.save()
    var changes: [[UInt8]] = []
    for number in 0..<5 {
      try document.put(.root, .key("later"), .int(Int64(number)))
      let hash = try #require(document.commit())
      changes.append(try #require(document.changeBytes(hash)))
    }
    return (saved, changes, document.heads)
  }

  @Test("A sound file is whole")
  func whole() throws {
    let (saved, changes, heads) = try file()
    let recovery = try recovery(saved + changes.flatMap(\.self))
    #expect(recovery.isWhole)
    #expect(recovery.chunkCount == 6)
    #expect(recovery.document.heads == heads)
    #expect(try self.recovery([]).isWhole)
  }

  @Test("What is in front of, between and behind good chunks is lost alone")
  func junk() throws {
    let (saved, changes, heads) = try file()
    let junk: [UInt8] = [0x85, 0x6F, 0x4A, 0x83, 1, 2, 3]
    let bytes = junk + saved + junk + changes.joined(separator: junk) + junk
    let recovery = try recovery(Array(bytes))
    #expect(recovery.document.heads == heads)
    #expect(recovery.losses.count == 7)
    #expect(recovery.losses.allSatisfy { $0.range.count == junk.count })
    #expect(!recovery.isWhole)
  }

  @Test("A damaged change is lost, and those behind it wait", arguments: 0..<5)
  func damagedChange(_ place: Int) throws {
    let (saved, changes, _) = try file()
    var damaged = changes
    damaged[place][damaged[place].count - 1] ^= 1
    let recovery = try recovery(saved + damaged.flatMap(\.self))
    #expect(recovery.document.changeCount == 1 + place)
    #expect(recovery.document.waitingCount == 4 - place)
    let start = saved.count + changes[..<place].reduce(0) { $0 + $1.count }
    #expect(
      recovery.losses
        == [.init(range: start..<(start + changes[place].count), reason: .checksumMismatch)]
    )
    // When the change turns up, all is there.
    try recovery.document.applyChanges([changes[place]])
    #expect(recovery.document.changeCount == 6)
  }

  @Test("A document whose checksum alone is wrong is proven by its heads; one that is cut is lost")
  func damagedDocument() throws {
    let (saved, changes, heads) = try file()
    var unsealed = saved
    unsealed[5] ^= 1
    #expect(try recovery(unsealed + changes.flatMap(\.self)).document.heads == heads)
    var wounded = saved
    wounded[saved.count / 2] ^= 4
    let lost = try recovery(wounded + changes.flatMap(\.self))
    #expect(lost.document.changeCount == 0)
    #expect(lost.document.waitingCount == 5)
    #expect(lost.losses.map(\.range) == [0..<saved.count])
    let cut = try recovery(Array(saved.dropLast()))
    #expect(cut.losses == [.init(range: 0..<(saved.count - 1), reason: .truncated)])
  }

  @Test("Every file that is damaged in one byte keeps what hashes prove")
  func everyByte() throws {
    let (saved, changes, heads) = try file()
    let bytes = saved + changes.flatMap(\.self)
    let original = try MergeDocument(loading: bytes, actor: actor(2))
    let known = Set(original.changeHashes())
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[place] ^= 0x10
      let recovery = DocumentRecovery(damaged, actor: actor(9))
      #expect(Set(recovery.document.changeHashes()).isSubset(of: known))
      let isProven = recovery.document.heads == heads
      #expect(!recovery.losses.isEmpty || isProven, "byte \(place)")
    }
  }

  @Test("Chunks that each claim the rest of the file cost no more than is stated")
  func claims() throws {
    // Ten bytes each: a frame of a change as long as all that follows.
    let count = 2_000
    var bytes: [UInt8] = []
    for number in 0..<count {
      let rest = (count - number - 1) * 12
      bytes += [0x85, 0x6F, 0x4A, 0x83, 0, 0, 0, 0, 1]
      bytes += [UInt8(rest & 0x7F | 0x80), UInt8(rest >> 7 & 0x7F | 0x80), UInt8(rest >> 14)]
    }
    let recovery = try recovery(bytes)
    #expect(recovery.losses.map(\.range) == [0..<bytes.count])
    #expect(recovery.document.changeCount == 0)
  }

  @Test("Chunks that are wrong at their end cost no more work, together, than two calls may")
  func badEnds() throws {
    // All rows of a change are read before the list is looked for that they name.
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("l"), .list)
    let nulls = [Scalar](repeating: .null, count: 1 << 15)
    try document.splice(list, at: 0, delete: 0, insert: nulls)
    let hash = try #require(document.commit())
    let next = document.fork(actor: actor(2))
    next.core.objects[try next.core.resolve(list)].counter = 99
    try next.splice(list, at: 0, delete: 0, insert: nulls)
    let second = try #require(next.commit())
    let bad = try #require(next.changeBytes(second))
    let bytes = try #require(document.changeBytes(hash)) + (0..<64).flatMap { _ in bad }
    var limits = DocumentLimits()
    limits.freeWorkLimit = 1 << 21
    limits.workPerByteLimit = 64
    let recovery = DocumentRecovery(bytes, actor: actor(9), limits: limits)
    #expect(recovery.losses.map(\.range) == [bytes.count - 64 * bad.count..<bytes.count])
    #expect(recovery.losses.map(\.reason) == [.unknownObject])
    #expect(recovery.document.heads == document.heads)
    #expect(recovery.document.workDone <= 2 * limits.workLimit(forByteCount: bytes.count))
  }

  @Test("Sound chunks cost no more work, together, than two calls may")
  func soundChunks() throws {
    // Each writer's document repeats the same many commits, and has one of its own.
    let document = MergeDocument(actor: actor(1))
    for number in 0..<1_000 {
      try document.put(.root, .key("done"), .bool(number % 2 == 0))
      document.commit()
    }
    var bytes = document.save()
    for writer in 2..<34 {
      let branch = document.fork(actor: actor(UInt8(writer)))
      try branch.put(.root, .key("own"), .int(Int64(writer)))
      branch.commit()
      bytes += branch.save()
    }
    var limits = DocumentLimits()
    limits.freeWorkLimit = 1 << 20
    limits.workPerByteLimit = 64
    let recovery = DocumentRecovery(bytes, actor: actor(99), limits: limits)
    #expect(recovery.document.changeCount >= 1_000)
    #expect(!recovery.losses.isEmpty)
    #expect(recovery.document.workDone <= 2 * limits.workLimit(forByteCount: bytes.count))
    #expect(recovery.document.limits == limits)
    #expect(DocumentRecovery(bytes, actor: actor(99)).isWhole)
  }

  @Test("A document that is known as a whole is kept unread, if its checksum is right")
  func knownDocument() throws {
    let (saved, changes, heads) = try file()
    let once = DocumentRecovery(saved + changes.flatMap(\.self), actor: actor(9))
    var bytes = saved + changes.flatMap(\.self)
    for _ in 0..<100 { bytes += saved }
    let recovery = try recovery(bytes)
    #expect(recovery.isWhole)
    #expect(recovery.chunkCount == 106)
    #expect(recovery.document.heads == heads)
    #expect(recovery.document.workDone == once.document.workDone)
    var wounded = saved
    wounded[saved.count / 2] ^= 4
    let lost = try self.recovery(bytes + wounded).losses
    #expect(lost.map(\.range) == [bytes.count..<bytes.count + wounded.count])
  }
}
