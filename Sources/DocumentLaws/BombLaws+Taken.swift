// Bombs that go off later: short inputs that are sound and taken, or looked through for what is sound in them, and
// then cost much with each read, edit or chunk. Their laws count the steps of that.
//
//     kind                 bytes                      what is done                 what must not grow with its square
//     ends-of-marks        constant                   two letters are typed        ends that each search for a begin
//     counters             1 for each                 all values are read          increments for each counter
//     names-of-marks       3 for each                 patches out of nothing       names for each element
//     bad-changes          a chunk for each           a file is recovered          rows read in vain for each

import DocumentModel
package import PropertyEngine

extension BombLaws {
  package static var taken: [Law<Bomb>] {
    [marksAtOnePlace, countersInConflict, patchesUnderMarks, badChanges]
  }

  /// Catches a search among all marks at a place for each of them: with each letter typed there, as local edits have
  /// no limit of work.
  private static var marksAtOnePlace: Law<Bomb> {
    law(
      "bomb.marks-at-one-place",
      title: "Typing where many marks end costs bounded work.",
      "Typing where very many marks end that never began costs a bounded number of steps for each of them.",
      claiming: "ends-of-marks",
      exponents: 4...13,
      Bombs.markEnds
    ) { document in
      guard let text = Bombs.firstObject else { return 0 }
      let before = document.workDone
      for letter in ["a", "b"].map({ ExactString($0) }) {
        _ = try document.apply(.spliceText(text, index: 0, deleting: 0, inserting: letter))
      }
      return document.workDone - before
    }
  }

  /// Catches a walk over all values of a key for each counter among them.
  private static var countersInConflict: Law<Bomb> {
    law(
      "bomb.counters-in-conflict",
      title: "Counters in conflict are read in bounded work.",
      "Reading very many conflicting counters, where one increment names them all, costs a bounded number of "
        + "steps for each.",
      claiming: "counters",
      exponents: 4...12,
      Bombs.counters
    ) { document in
      let before = document.workDone
      _ = try document.observe(at: nil)
      _ = try document.observe(at: document.heads())
      return document.workDone - before
    }
  }

  /// Catches marks that are gathered, or told, for each element under them: for each that is inserted, or where one
  /// that is kept and one that is inserted take turns.
  private static var patchesUnderMarks: Law<Bomb> {
    law(
      "bomb.patches-under-marks",
      title: "Patches under many marks cost bounded work.",
      "Patches that insert very many elements under as many marks, also between those that stay, tell few marks and "
        + "cost a bounded number of steps for each.",
      claiming: "names-of-marks",
      exponents: 4...9,
      Bombs.markedNulls
    ) { document in
      let (now, before) = (document.heads(), document.workDone)
      _ = try document.patches(from: ObservedHeads(scheme: now.scheme, ids: []), to: now)
      let spent = document.workDone - before
      return try max(spent, document.workOfTurns())
    }
  }

  /// Steps of each thing that is claimed, and those that anything may cost.
  private static var stepsForEach: Int { 64 }
  private static var freeStepCount: Int { 4_096 }

  /// The bytes are loaded, and must be taken; `use` gives the steps that it cost to do something with them.
  private static func law(
    _ name: String,
    title: String,
    _ sentence: String,
    claiming kind: String,
    exponents: ClosedRange<Int>,
    _ make: @escaping @Sendable (Int) -> [UInt8],
    use: @escaping @Sendable (inout R) throws -> Int
  ) -> Law<Bomb> {
    Law(
      name,
      title,
      sentence,
      source: .specification(.format, "Errors and limits"),
      form: .bomb(kind, sizes: 1...(2 << exponents.upperBound)) { [make($0)] },
      forAll: Bomb.samples(kind, exponents) { [make($0)] }
    ) { bomb in
      var work = 0
      var document = try R.load(bomb.parts[0], actor: DamageLaws<R>.reader, work: &work)
      let spent = try use(&document)
      guard spent > stepsForEach * bomb.size + freeStepCount else { return nil }
      return bomb.growth(to: spent, stepsForEach: stepsForEach)
    }
  }

  /// Catches a recovery that grants each chunk of a file as much work as the whole file: each bad one, or each good one.
  private static var badChanges: Law<Bomb> {
    let (kind, exponents) = ("bad-changes", 2...4)
    let make: @Sendable (Int) -> [[UInt8]] = { size in
      [
        Array(repeating: Bombs.badChange(rows: 1 << 20), count: size).flatMap(\.self),
        Bombs.deletions(1 << 20, by: size).flatMap(\.self),
      ]
    }
    return Law(
      "bomb.bad-changes",
      "Recovering a file costs bounded work.",
      "Recovering a file of changes, each of very many rows in few bytes, all wrong in the last or all sound, costs at "
        + "most twice what one call may spend on as many bytes.",
      source: .specification(.format, "Errors and limits"),
      form: .bomb(kind, sizes: 1...(2 << exponents.upperBound), make),
      forAll: Bomb.samples(kind, exponents, make)
    ) { bomb in
      for (index, file) in bomb.parts.enumerated() {
        var work = 0
        _ = R.recovered(file, actor: DamageLaws<R>.reader, work: &work)
        // What a call may cost, and as much again where it is refused late.
        let limit = R.workLimit(forByteCount: file.count)
        guard work > limit else { continue }
        return Difference(
          kind: "work",
          summary: "\(bomb.size) \(["bad", "sound"][index]) changes cost more than their bytes may",
          expected: "at most \(limit) steps",
          actual: "\(work) steps"
        )
      }
      return nil
    }
  }
}

extension StoredReplica {
  /// Where the changes of a list of alike elements do not bring another document to what this one shows; `nil` if
  /// they do, all elements deleted at once being one of them.
  ///
  /// A change has no fewer rows than the file had; what may be loaded may be passed on.
  mutating func notPassedOn(elements count: Int) throws -> Difference? {
    guard let list = Bombs.firstObject else { return nil }
    _ = try apply(.splice(list, index: 0, deleting: count, inserting: []))
    commit()
    let heads = heads()
    var fork = try fork(at: heads, actor: DamageLaws<Self>.writer)
    var merged = Self(actor: DamageLaws<Self>.writer)
    try merged.merge(&self)
    var told = Self(actor: DamageLaws<Self>.writer)
    try told.apply(changes(since: []))
    guard fork.heads() == heads, merged.heads() == heads, told.heads() == heads else {
      return Difference(kind: "heads", summary: "a list of alike elements is passed on as another")
    }
    return nil
  }
}

extension StoredReplica {
  /// Puts an element behind each of a new list, under as many new marks over all, and returns the steps of the patches
  /// that tell it, and the marks that they tell.
  ///
  ///     the list       0 0 0 0          and four marks from its start to its end
  ///     afterwards     0 1 0 1 0 1 0 1
  ///
  /// The list has as many elements as the first object of the document.
  fileprivate mutating func workOfTurns() throws -> Int {
    guard let first = Bombs.firstObject, let count = shape(of: first)?.length,
      let list = try apply(.putObject(.root, .key("turns"), .list)).made
    else { return 0 }
    let zeros = [Scalar](repeating: .int(0), count: count)
    _ = try apply(.splice(list, index: 0, deleting: 0, inserting: zeros))
    commit()
    let before = heads()
    for number in 0..<count {
      let mark = Marking(0, to: count, ExactString("\(number)"), .int(1), expand: .both)
      _ = try apply(.mark(list, mark))
    }
    for number in 0..<count { _ = try apply(.insert(list, index: 2 * number + 1, .int(1))) }
    commit()
    let workDone = workDone
    let patches = try patches(from: before, to: heads())
    let marksTold = patches.reduce(0) { sum, patch in
      if case .marks(let marks) = patch.action { sum + marks.count } else { sum }
    }
    return self.workDone - workDone + marksTold
  }
}

extension Bombs {
  /// What the first operation makes.
  static var firstObject: ObjectID? { ObjectID("1@07") }

  /// A change that makes a text at "t", and in it `count` ends of marks, each behind the one before.
  ///
  /// A mark without a name ends the one with the number before its own, which is an end here, too.
  ///
  /// The keys of the elements are the head, which has no actor, then the operations 2, 3, and so on: the differences 0
  /// and 2, and then 1 each. So each column is one or two runs.
  static func markEnds(_ count: Int) -> [UInt8] {
    let count = max(count, 4)
    return ChunkForge.change(
      actor: 7,
      ops: [
        (0x01, [0, 1] + ChunkForge.run(count, 0)), (0x02, [0, 1] + ChunkForge.run(count, 1)),
        (0x11, [0, 2] + ChunkForge.run(count - 1, 0)),
        (0x13, [0, 1, 0x7e, 0, 2] + ChunkForge.steps(count - 2, 1)),
        (0x15, [0x7f, 1, 0x74, 0] + ChunkForge.unsigned(UInt64(count))),
        (0x34, [1] + ChunkForge.unsigned(UInt64(count))),
        (0x42, [0x7f, 4] + ChunkForge.run(count, 7)),
        (0x56, ChunkForge.run(count + 1, 0)), (0x70, ChunkForge.run(count + 1, 0)),
      ]
    )
  }

  /// A change of `count` counters of 1 at the key "k", and an increment by 1 that names all of them.
  static func counters(_ count: Int) -> [UInt8] {
    let count = max(count, 4)
    return ChunkForge.change(
      actor: 7,
      ops: [
        (0x15, ChunkForge.signed(Int64(count) + 1) + [1, 0x6b]),
        (0x34, ChunkForge.unsigned(UInt64(count) + 1)),
        (0x42, ChunkForge.run(count, 1) + [0x7f, 5]),
        // A counter and an int, of one byte each.
        (0x56, ChunkForge.run(count, 0x18) + [0x7f, 0x14]),
        (0x57, [UInt8](repeating: 1, count: count + 1)),
        (0x70, ChunkForge.run(count, 0) + [0x7f] + ChunkForge.unsigned(UInt64(count))),
        (0x71, ChunkForge.run(count, 0)), (0x73, ChunkForge.steps(count, 1)),
      ]
    )
  }

  /// A change that makes a list at "l", begins `count` marks of as many names in it, and inserts `count` nulls
  /// behind them.
  ///
  /// Names have two letters of 32; there are 1,024.
  static func markedNulls(_ count: Int) -> [UInt8] {
    let count = min(max(count, 4), 1_024)
    let all = 2 * count
    let names = (0..<count).flatMap { index -> [UInt8] in
      [2, 0x41 + UInt8(index / 32), 0x41 + UInt8(index % 32)]
    }
    let nameColumn: [UInt8] =
      [0, 1] + ChunkForge.signed(Int64(-count)) + names + [0] + ChunkForge.unsigned(UInt64(count))
    return ChunkForge.change(
      actor: 7,
      ops: [
        (0x01, [0, 1] + ChunkForge.run(all, 0)), (0x02, [0, 1] + ChunkForge.run(all, 1)),
        (0x11, [0, 2] + ChunkForge.run(all - 1, 0)),
        (0x13, [0, 1, 0x7e, 0, 2] + ChunkForge.steps(all - 2, 1)),
        (0x15, [0x7f, 1, 0x6c, 0] + ChunkForge.unsigned(UInt64(all))),
        (0x34, [1] + ChunkForge.unsigned(UInt64(all))),
        (0x42, [0x7f, 2] + ChunkForge.run(count, 7) + ChunkForge.run(count, 1)),
        // The list has none, marks are true, elements null.
        (0x56, [0x7f, 0] + ChunkForge.run(count, 2) + ChunkForge.run(count, 0)),
        (0x70, ChunkForge.run(all + 1, 0)),
        (0xa5, nameColumn),
      ]
    )
  }

  /// A change of `count` puts of null at "k", and one deletion at "q", where nothing is.
  static func badChange(rows count: Int) -> [UInt8] {
    ChunkForge.change(
      actor: 7,
      ops: [
        (0x15, ChunkForge.run(count, 1) + [0x6b, 0x7f, 1, 0x71]),
        (0x34, ChunkForge.unsigned(UInt64(count) + 1)),
        (0x42, ChunkForge.run(count, 1) + [0x7f, 3]), (0x56, ChunkForge.run(count + 1, 0)),
        (0x70, ChunkForge.run(count, 0) + [0x7f, 1]), (0x71, [0x7f, 0]),
        (0x73, [0x7f] + ChunkForge.signed(Int64(count))),
      ]
    )
  }

  /// A value, and behind it in one part changes of `writers` actors, each of `count` deletions of it.
  ///
  ///     actor 7    1              the value
  ///     actor 8    2, 3, ...      deletions of 1
  ///     actor 9    count + 2, ... more of them, above those of actor 8
  static func deletions(_ count: Int, by writers: Int) -> [[UInt8]] {
    let put = ChunkForge.change(actor: 7, ops: ChunkForge.put("k", int: 5))
    let changes = (0..<writers).flatMap { index in
      ChunkForge.change(
        actor: UInt8(8 + index),
        startOp: UInt64(index * count + 2),
        dependencies: [ChunkForge.hash(ofChunk: put)],
        others: [7],
        ops: [
          (0x15, ChunkForge.run(count, 1) + [0x6b]), (0x34, ChunkForge.unsigned(UInt64(count))),
          (0x42, ChunkForge.run(count, 3)), (0x56, ChunkForge.run(count, 0)),
          (0x70, ChunkForge.run(count, 1)), (0x71, ChunkForge.run(count, 1)),
          (0x73, [0x7f, 1] + ChunkForge.steps(count - 1, 0)),
        ]
      )
    }
    return [put, changes]
  }
}
