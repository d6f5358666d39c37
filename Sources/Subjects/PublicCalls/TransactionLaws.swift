import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Synchronization

extension PublicCallLaw {
  static let transactionLaws = [failedTransactions, toldTransactions, innerTransactions]

  /// Both copies have one actor and begin alike.
  ///
  /// One runs a transaction that fails, and then both make the same edit and commit it: if anything of the
  /// transaction is left (a number, an actor, a mark of what was saved), the hash or the bytes differ.
  private static let failedTransactions = PublicCallLaw(
    "api.failed-transactions",
    "A transaction that fails leaves no trace.",
    "A transaction that fails leaves no trace, whatever was called in it: edits, calls that commit, and other "
      + "transactions.",
    source: .specification(.semantics, "Transactions and commits")
  ) { story in
    let document = try story.document()
    let begun = story.flag()
    story.note("two copies\(begun ? ", each with an open edit" : "")")
    let copies = try (0..<2).map { _ in
      let copy = document.copy(by: 0xfd)
      if begun { try copy.put(obj: .ROOT, key: "begun", value: .Int(1)) }
      return copy
    }
    let other = document.copy(by: 0xfe)
    try other.put(obj: .ROOT, key: "of another", value: .Int(2))

    let copy = copies[0]
    do {
      try copy.transaction { _ in
        for step in 0...story.index(below: 4) {
          let call = story.index(below: Document.callsWithin.count)
          story.note("in a transaction of the one: put, \(Document.callsWithin[call])")
          try copy.put(obj: .ROOT, key: "taken back \(step)", value: .Int(3))
          try copy.call(call, beside: other)
        }
        throw TakenBack()
      }
    } catch is TakenBack {
    } catch is DocError {
      // The other document may have the change of an inner transaction that failed.
    }
    story.note("the transaction fails; both put and commit")
    for copy in copies {
      try copy.put(obj: .ROOT, key: "behind", value: .Int(4))
      copy.commitOnce()
    }
    try expect(
      copies[0].actor == copies[1].actor && copies[0].heads() == copies[1].heads()
        && copies[0].encodeNewChanges() == copies[1].encodeNewChanges()
        && copies[0].save() == copies[1].save(),
      "a transaction that failed leaves a trace"
    )
  }

  /// The first commit within it makes one change of what was open before and of what it has done so far.
  ///
  ///     before         three objects made in the root      open
  ///     transaction    an edit of one, heads, an edit of another
  ///     told           those two: the root does not count
  private static let toldTransactions = PublicCallLaw(
    "api.told-transactions",
    "A transaction is told with what it changed.",
    "Observers hear of the objects that a transaction wrote into, wherever it commits, and of no others.",
    source: .specification(.codable, "Notification")
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    let names = ["a", "b", "c"]
    story.note("three maps are made: \(names)")
    let objects =
      try [ObjId.ROOT] + names.map { try copy.putObject(obj: .ROOT, key: $0, ty: .Map) }
    let told = Mutex<Set<ObjId>>([])
    let token = copy.observe { event in
      if event.phase == .did { told.withLock { $0 = event.changed } }
    }
    defer { token.cancel() }
    var changed: Set<ObjId> = []
    try copy.transaction { _ in
      for step in 0...story.index(below: 3) {
        let place = story.index(below: objects.count)
        let commits = story.flag()
        story.note(
          "in a transaction: put into \((["the root"] + names)[place])\(commits ? ", heads" : "")"
        )
        try copy.put(obj: objects[place], key: "own", value: .Int(Int64(step)))
        changed.insert(objects[place])
        if commits { _ = copy.heads() }
      }
    }
    let heard = told.withLock { $0 }
    try expect(
      heard == changed,
      "a transaction that changed \(changed.map { "\($0)" }.sorted()) is told to have changed "
        + "\(heard.map { "\($0)" }.sorted())"
    )
  }

  /// Of two copies one edits, runs an inner transaction that edits and fails, and edits on; the other leaves the
  /// inner one out.
  ///
  /// They must write the same changes and bytes, and read the same.
  ///
  /// Worked example: of "abcdefgh" e is deleted, then, within, d and c by backspaces, which is taken back; then f is
  /// deleted. A run of tombstones that still falls would say that f went before e.
  private static let innerTransactions = PublicCallLaw(
    "api.inner-transactions",
    "What is taken back shows nowhere behind it.",
    "What an inner transaction took back does not show in what the outer one does behind it.",
    source: .specification(.semantics, "Transactions and commits")
  ) { story in
    let steps = (0..<3).map { _ in
      (0...story.index(below: 3)).map { _ in story.index(below: 60) }
    }
    let start = story.index(below: 9)
    story.note("a text \"abcdefgh\", a caret at \(start)")
    for (place, edits) in zip(["before", "in", "behind"], steps) {
      let names = edits.map { Document.editName($0) }.joined(separator: ", ")
      story.note("\(place) an inner transaction: \(names)")
    }
    let copies = try (0..<2).map { index in
      let copy = Document.written(by: 0xfd)
      let text = try copy.putObject(obj: .ROOT, key: "text", ty: .Text)
      try copy.spliceText(obj: text, start: 0, delete: 0, value: "abcdefgh")
      copy.commitOnce()
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
      copy.commitOnce(1)
      return copy
    }
    try expect(
      copies[0].heads() == copies[1].heads() && copies[0].save() == copies[1].save(),
      "what an inner transaction took back shows behind it"
    )
    _ = try Document(copies[0].save())
  }
}

extension Document {
  /// What ``edit(_:at:_:)`` does.
  fileprivate static func editName(_ number: Int) -> String {
    let names = [
      "backspace", "backspace", "delete", "type \"xy\"", "make a map", "jump \(number / 6)",
    ]
    return names[number % 6]
  }

  /// One edit at a caret, which it moves: a backspace, a deletion behind the caret, two letters, a
  /// new map that is read by its keys, a jump.
  fileprivate func edit(_ text: ObjId, at caret: inout Int, _ number: Int) throws {
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

  /// What ``call(_:beside:)`` does, by its number.
  fileprivate static let callsWithin = [
    "the other merges it", "save", "heads", "fork", "it merges the other",
    "a transaction that fails",
    "a transaction that commits", "a transaction that commits and fails", "a transaction",
    "another actor", "commit", "encodeNewChanges", "encodeChangesSince", "change(hash:)",
    "generateSyncMessage", "applyEncodedChanges", "forkAt", "difference(to:)",
  ]

  /// A call that may be made in a transaction; all but 5 and 8 commit.
  ///
  /// 0 to 4 are merges, saves, looks and forks; 5 to 8 transactions within the transaction; 9 to 17
  /// an actor, commits, encoded changes, sync and differences.
  fileprivate func call(_ number: Int, beside other: Document) throws {
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
