// Checks of transactions that fail, and of what observers hear of one that does not, run now and
// then by `DocumentReplica.heads()`.

import AutomergeDocument
import Foundation
import MergeEngine
import Synchronization

extension Document {
  /// Throws if a transaction that fails leaves a trace, whatever was called in it: edits, calls that
  /// commit, and other transactions; or if observers hear of other objects than one has changed.
  ///
  /// `number` says what is called.
  ///
  /// Both copies have one actor and begin alike. One runs a transaction that fails, and then both
  /// make the same edit and commit it: if anything of the transaction is left (a number, an actor,
  /// a mark of what was saved), the hash or the bytes differ.
  func checkTransactions(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let begun = random.index(below: 2) == 1
    // Two copies that become the same change, if the transaction left nothing.
    let copies = try (0..<2).map { _ in
      let copy = fork()
      copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
      if begun { try copy.put(obj: .ROOT, key: "begun", value: .Int(1)) }
      return copy
    }
    let other = fork()
    other.actor = ActorId(MergeEngine.ActorID([0xfe]))
    try other.put(obj: .ROOT, key: "of another", value: .Int(2))

    let copy = copies[0]
    do {
      try copy.transaction { _ in
        for step in 0...random.index(below: 4) {
          try copy.put(obj: .ROOT, key: "taken back \(step)", value: .Int(3))
          try copy.call(random.index(below: 18), beside: other)
        }
        throw TakenBack()
      }
    } catch is TakenBack {
    } catch is DocError {
      // The other document may have the change of an inner transaction that failed.
    }
    for copy in copies {
      try copy.put(obj: .ROOT, key: "behind", value: .Int(4))
      copy.commitWith(message: nil, timestamp: Date(timeIntervalSince1970: 0))
    }
    try expect(
      copies[0].actor == copies[1].actor && copies[0].heads() == copies[1].heads()
        && copies[0].encodeNewChanges() == copies[1].encodeNewChanges()
        && copies[0].save() == copies[1].save(),
      "a transaction that failed leaves a trace"
    )
    try checkOpenBefore(&random)
  }

  /// Throws if observers hear of other objects than those that a transaction wrote into.
  ///
  /// `random` says what is edited, and where the transaction commits. The first commit within it
  /// makes one change of what was open before and of what it has done so far.
  ///
  ///     before         three objects made in the root      open
  ///     transaction    an edit of one, heads, an edit of another
  ///     told           those two: the root does not count
  private func checkOpenBefore(_ random: inout PseudoRandom) throws {
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let objects =
      try [ObjId.ROOT]
      + ["a", "b", "c"].map { try copy.putObject(obj: .ROOT, key: "opened \($0)", ty: .Map) }
    let told = Mutex<Set<ObjId>>([])
    let token = copy.observe { event in
      if event.phase == .did { told.withLock { $0 = event.changed } }
    }
    defer { token.cancel() }
    var changed: Set<ObjId> = []
    try copy.transaction { _ in
      for step in 0...random.index(below: 3) {
        let object = objects[random.index(below: objects.count)]
        try copy.put(obj: object, key: "own", value: .Int(Int64(step)))
        changed.insert(object)
        if random.index(below: 2) == 0 { _ = copy.heads() }
      }
    }
    let heard = told.withLock { $0 }
    try expect(
      heard == changed,
      "a transaction that changed \(changed.map { "\($0)" }.sorted()) is told to have changed "
        + "\(heard.map { "\($0)" }.sorted())"
    )
  }

  /// Throws if what an inner transaction took back shows in what the outer one does behind it.
  ///
  /// Of two copies one edits, runs an inner transaction that edits and fails, and edits on; the other leaves the inner
  /// one out. They must write the same changes and bytes, and read the same.
  ///
  /// Worked example: of "abcdefgh" e is deleted, then, within, d and c by backspaces, which is taken back; then f is
  /// deleted. A run of tombstones that still falls would say that f went before e.
  static func checkTakenBack(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let steps = (0..<3).map { _ in
      (0...random.index(below: 3)).map { _ in random.index(below: 1 << 16) }
    }
    let start = random.index(below: 9)
    let copies = try (0..<2).map { index in
      let copy = Document()
      copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
      let text = try copy.putObject(obj: .ROOT, key: "text", ty: .Text)
      try copy.spliceText(obj: text, start: 0, delete: 0, value: "abcdefgh")
      copy.commitWith(message: nil, timestamp: Date(timeIntervalSince1970: 0))
      try copy.transaction { _ in
        var caret = start
        for step in steps[0] { try copy.edit(text, at: &caret, step) }
        if index == 0 {
          var inner = caret
          do {
            try copy.transaction { _ in
              for step in steps[1] { try copy.edit(text, at: &inner, step) }
              throw TakenBack()
            }
          } catch is TakenBack {}
        }
        for step in steps[2] { try copy.edit(text, at: &caret, step) }
      }
      copy.commitWith(message: nil, timestamp: Date(timeIntervalSince1970: 1))
      return copy
    }
    try expect(
      copies[0].heads() == copies[1].heads() && copies[0].save() == copies[1].save(),
      "what an inner transaction took back shows behind it"
    )
    _ = try Document(copies[0].save())
  }

  /// One edit at a caret, which it moves: a backspace, a deletion behind the caret, two letters, a
  /// new map that is read by its keys, a jump.
  private func edit(_ text: ObjId, at caret: inout Int, _ number: Int) throws {
    let length = Int(self.length(obj: text))
    switch number % 6 {
    case 0...1 where caret > 0:
      caret -= 1
      try spliceText(obj: text, start: UInt64(caret), delete: 1)
    case 2 where caret < length: try spliceText(obj: text, start: UInt64(caret), delete: 1)
    case 3:
      try spliceText(obj: text, start: UInt64(caret), delete: 0, value: "xy")
      caret += 2
    case 4:
      let made = try putObject(obj: .ROOT, key: "made", ty: .Map)
      try put(obj: made, key: "a", value: .Int(1))
      // As a decoder reads: each register is guessed by the one before.
      let found = try reading { engine in
        (try engine.value(.root, key: "made"), try engine.value(made.engineID, key: "a"))
      }
      try expect(found.0 != nil && found.1 == .scalar(.int(1)), "a new map is not read by its keys")
    case 5: caret = number / 6 % (length + 1)
    default: break
    }
  }

  /// A call that may be made in a transaction; all but 5 and 8 commit.
  ///
  /// 0 to 4 are merges, saves, looks and forks; 5 to 8 transactions within the transaction; 9 to 17
  /// an actor, commits, encoded changes, sync and differences.
  private func call(_ number: Int, beside other: Document) throws {
    switch number {
    case 9: actor = ActorId(MergeEngine.ActorID([0xfc]))
    case 10: commitWith(message: "within", timestamp: Date(timeIntervalSince1970: 0))
    case 11: _ = encodeNewChanges()
    case 12: _ = try encodeChangesSince(heads: [])
    case 13: _ = getHistory().last.flatMap { change(hash: $0) }
    case 14: _ = generateSyncMessage(state: SyncState())
    case 15: try applyEncodedChanges(encoded: other.save())
    case 16: _ = try forkAt(heads: Set(getHistory().prefix(1)))
    case 17: _ = difference(to: [])
    case 0: try other.merge(other: self)
    case 1: _ = save()
    case 2: _ = heads()
    case 3: _ = fork()
    case 4: try merge(other: other)
    case 5:
      do {
        try transaction { _ in
          try put(obj: .ROOT, key: "taken back within", value: .Int(5))
          throw TakenBack()
        }
      } catch is TakenBack {}
    case 6, 7:
      // What an inner transaction commits, the outer one takes back as well.
      do {
        try transaction { _ in
          try put(obj: .ROOT, key: "committed within", value: .Int(7))
          _ = heads()
          if number == 7 { throw TakenBack() }
        }
      } catch is TakenBack {}
    default:
      try transaction { _ in try put(obj: .ROOT, key: "within", value: .Int(6)) }
    }
  }
}

/// What ends a transaction that is to leave no trace.
private struct TakenBack: Error {}
