// One check of transactions that fail, run now and then by `DocumentReplica.heads()`.

import AutomergeDocument
import Foundation
import MergeEngine

extension Document {
  /// Throws if a transaction that fails leaves a trace, whatever was called in it: edits, calls that
  /// commit, and other transactions.
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
