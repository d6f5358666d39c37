import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Synchronization

extension PublicCallLaw {
  static let transactionLaws = [failedTransactions, toldTransactions, innerTransactions]

  /// Both copies have one actor and begin alike.
  ///
  /// One runs a transaction that fails, and then both make the same edit and commit it: if the transaction leaves
  /// anything (a number, an actor, a mark of what was saved), the hash or the bytes differ.
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
          let call = story.element(of: InnerCall.allCases)
          story.note("in a transaction of the one: put, \(call.rawValue)")
          try copy.put(obj: .ROOT, key: "taken back \(step)", value: .Int(3))
          try call.make(on: copy, beside: other)
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

  /// One copy edits, runs an inner transaction that edits and fails, and edits on; another copy leaves the inner
  /// transaction out.
  ///
  /// Both must write the same changes and bytes, and read the same.
  ///
  /// Worked example: e of "abcdefgh" is deleted; the inner transaction deletes d and c by backspaces, and fails; then f
  /// is deleted. A run of tombstones that still counts downwards would say that f went before e.
  private static let innerTransactions = PublicCallLaw(
    "api.inner-transactions",
    "What is taken back shows nowhere behind it.",
    "What an inner transaction took back does not show in what the outer one does behind it.",
    source: .specification(.semantics, "Transactions and commits")
  ) { story in
    let steps = (0..<3).map { _ in
      (0...story.index(below: 3)).map { _ in CaretEdit(story.index(below: 60)) }
    }
    let start = story.index(below: 9)
    story.note("a text \"abcdefgh\", a caret at \(start)")
    for (place, edits) in zip(["before", "in", "behind"], steps) {
      let names = edits.map(\.title).joined(separator: ", ")
      story.note("\(place) an inner transaction: \(names)")
    }
    let copies = try (0..<2).map { index in
      let copy = Document.written(by: 0xfd)
      let text = try copy.putObject(obj: .ROOT, key: "text", ty: .Text)
      try copy.spliceText(obj: text, start: 0, delete: 0, value: "abcdefgh")
      copy.commitOnce()
      try copy.transaction { _ in
        var caret = start
        for edit in steps[0] { try edit.make(on: copy, text, at: &caret) }
        if index == 0 {
          var inner = caret
          do {
            try copy.transaction { _ in
              for edit in steps[1] { try edit.make(on: copy, text, at: &inner) }
              throw TakenBack()
            }
          } catch is TakenBack {}
        }
        for edit in steps[2] { try edit.make(on: copy, text, at: &caret) }
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

/// An edit at a caret, which it moves.
private enum CaretEdit {
  case backspace
  /// Of the character behind the caret.
  case delete
  case type
  /// A new map, which is read by its keys.
  case makeMap
  /// A move of the caret to a place modulo those that there are.
  case jump(Int)

  /// The remainder by 6 chooses the edit, two of them a backspace; the quotient is the place of a jump.
  init(_ number: Int) {
    self =
      switch number % 6 {
      case 0...1: .backspace
      case 2: .delete
      case 3: .type
      case 4: .makeMap
      default: .jump(number / 6)
      }
  }

  var title: String {
    switch self {
    case .backspace: "backspace"
    case .delete: "delete"
    case .type: "type \"xy\""
    case .makeMap: "make a map"
    case .jump(let place): "jump \(place)"
    }
  }

  /// Does nothing where there is no character to delete.
  func make(on document: Document, _ text: ObjId, at caret: inout Int) throws {
    let length = Int(document.length(obj: text))
    switch self {
    case .backspace:
      guard caret > 0 else { return }
      caret -= 1
      try document.spliceText(obj: text, start: UInt64(caret), delete: 1)
    case .delete:
      guard caret < length else { return }
      try document.spliceText(obj: text, start: UInt64(caret), delete: 1)
    case .type:
      try document.spliceText(obj: text, start: UInt64(caret), delete: 0, value: "xy")
      caret += 2
    case .makeMap:
      let made = try document.putObject(obj: .ROOT, key: "made", ty: .Map)
      try document.put(obj: made, key: "a", value: .Int(1))
      // As a decoder reads: each register is guessed by the one before.
      let found = try document.reading { engine in
        (try engine.value(.root, key: "made"), try engine.value(made.engineID, key: "a"))
      }
      try expect(found.0 != nil && found.1 == .scalar(.int(1)), "a new map is not read by its keys")
    case .jump(let place): caret = place % (length + 1)
    }
  }
}

/// A call within a transaction, by its title; all commit but `failedTransaction` and `transaction`.
///
/// Numbers of samples choose among the cases in this order.
private enum InnerCall: String, CaseIterable {
  case mergeIntoOther = "the other merges it"
  case save
  case heads
  case fork
  case mergeOther = "it merges the other"
  case failedTransaction = "a transaction that fails"
  case committedTransaction = "a transaction that commits"
  case committedAndFailed = "a transaction that commits and fails"
  case transaction = "a transaction"
  case actor = "another actor"
  case commit
  case encodeNewChanges
  case encodeChangesSince
  case change = "change(hash:)"
  case generateSyncMessage
  case applyEncodedChanges
  case forkAt
  case difference = "difference(to:)"

  func make(on document: Document, beside other: Document) throws {
    switch self {
    case .mergeIntoOther: try other.merge(other: document)
    case .save: _ = document.save()
    case .heads: _ = document.heads()
    case .fork: _ = document.fork()
    case .mergeOther: try document.merge(other: other)
    case .failedTransaction:
      try makeTransaction(on: document, "taken back within", .Int(5), fails: true)
    case .committedTransaction:
      try makeTransaction(on: document, "committed within", .Int(7), commits: true)
    case .committedAndFailed:
      // The outer transaction takes back what an inner one has committed, too.
      try makeTransaction(on: document, "committed within", .Int(7), commits: true, fails: true)
    case .transaction: try makeTransaction(on: document, "within", .Int(6))
    case .actor: document.actor = ActorId(MergeEngine.ActorID([0xfc]))
    case .commit:
      document.commitWith(message: "within", timestamp: Date(timeIntervalSince1970: 0))
    case .encodeNewChanges: _ = document.encodeNewChanges()
    case .encodeChangesSince: _ = try document.encodeChangesSince(heads: [])
    case .change: _ = document.getHistory().last.flatMap { document.change(hash: $0) }
    case .generateSyncMessage: _ = document.generateSyncMessage(state: SyncState())
    case .applyEncodedChanges: try document.applyEncodedChanges(encoded: other.save())
    case .forkAt: _ = try document.forkAt(heads: Set(document.getHistory().prefix(1)))
    case .difference: _ = document.difference(to: [])
    }
  }

  private func makeTransaction(
    on document: Document,
    _ key: String,
    _ value: ScalarValue,
    commits: Bool = false,
    fails: Bool = false
  ) throws {
    do {
      try document.transaction { _ in
        try document.put(obj: .ROOT, key: key, value: value)
        if commits { _ = document.heads() }
        if fails { throw TakenBack() }
      }
    } catch is TakenBack {}
  }
}

/// What ends a transaction that is to leave no trace.
private struct TakenBack: Error {}
