import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Texts

extension PublicCallLaw {
  static let savingLaws = [newChanges, actors]

  /// Catches an end of what is inflated that is taken for damage.
  ///
  /// It is inflated in steps of a few times its own bytes, and where bytes are alike, a step may end with the last of
  /// the input, and the output go on:
  ///
  ///     375 to 390 zeros in 10 bytes     steps of 104, 104, 208 ...     the rest of the last repetition comes behind
  ///
  /// Some 2 % of the lengths below a thousand meet that, in two stretches of sixteen.
  static let alikeBytes = PublicCallLaw(
    "api.alike-bytes",
    "Long values of one byte are saved.",
    "A value of some hundred bytes that are all alike is there again when the document or its change, both compressed, are "
      + "loaded, whatever its length.",
    source: .specification(.format, "Columns", "Compressed change chunk"),
    costs: 4
  ) { story in
    let (first, byte) = (257 + story.index(below: 16), UInt8(story.index(below: 256)))
    for length in stride(from: first, to: 1_024, by: 16) {
      story.note("puts \(length) bytes \(byte)")
      let document = Document.written(by: 0xfd)
      let value = ScalarValue.Bytes(Data(repeating: byte, count: length))
      try document.put(obj: .ROOT, key: "k", value: value)
      document.commitOnce()
      for file in [document.save(), try document.encodeChangesSince(heads: [])] {
        let loaded = try Document(file).get(obj: .ROOT, key: "k")
        try expect(
          loaded == .Scalar(value),
          "\(length) bytes \(byte) are others once they are loaded"
        )
      }
    }
  }

  /// An app that appends what is new to its file after each call must find all of it there, whichever call brought it.
  private static let newChanges = PublicCallLaw(
    "api.new-changes",
    "What is new adds up to the document.",
    "What `encodeNewChanges` gives behind each call that makes or brings changes, appended to what was saved, loads as "
      + "the whole document, and is nothing when asked again; so it does for a document that was empty.",
    source: .specification(.codable, "Documents")
  ) { story in
    let document = try story.document().copy(by: 0xfd)
    var file = document.save()
    story.note("a copy of the document is saved")
    let peer = story.flag() ? document.copy(by: 0xfe) : Document.written(by: 0xfe)
    for step in 0...story.index(below: 3) {
      for place in 0...story.index(below: 2) {
        try peer.put(obj: .ROOT, key: "peer \(place)", value: .Int(Int64(step)))
        peer.commitOnce()
      }
      switch story.index(below: 5) {
      case 0:
        story.note("applies what a peer saved")
        try document.applyEncodedChanges(encoded: peer.save())
      case 1:
        story.note("applies a peer's changes")
        try document.applyEncodedChanges(encoded: peer.encodeChangesSince(heads: document.heads()))
      case 2:
        story.note("merges a peer")
        try document.merge(other: peer)
      case 3:
        story.note("syncs with a peer")
        try document.sync(with: peer)
      default:
        story.note("puts at \"own \(step)\"")
        try document.put(obj: .ROOT, key: "own \(step)", value: .Int(0))
      }
      file += document.encodeNewChanges()
      let more = document.encodeNewChanges().count
      try expect(more == 0, "encodeNewChanges, asked again, gives \(more) bytes")
      let loaded = try Document(file)
      try expect(
        loaded.heads() == document.heads(),
        "what was saved with what was new is loaded with \(counted(loaded.getHistory().count, "change")), and the "
          + "document has \(document.getHistory().count)"
      )
    }
  }

  /// Setting an actor closes the open change, which is its writer's.
  private static let actors = PublicCallLaw(
    "api.actors",
    "A change is of who made it.",
    "What was edited before the document got another actor is a change of the actor that it had.",
    source: .specification(.codable, "Documents")
  ) { story in
    let document = try story.document().copy(by: 0xfd)
    let count = document.getHistory().count
    var (writers, isOpen): ([ActorId], Bool) = ([], false)
    for step in 0...story.index(below: 4) {
      let byte = story.element(of: [UInt8(0xfc), 0xfd, 0xfe])
      let writer = ActorId(MergeEngine.ActorID([byte]))
      let commits = story.flag()
      story.note("\(hexString([byte])) puts at \"put \(step)\"\(commits ? ", and commits" : "")")
      if document.actor != writer {
        document.actor = writer
        isOpen = false
      }
      try document.put(obj: .ROOT, key: "put \(step)", value: .Int(0))
      if !isOpen { writers.append(writer) }
      isOpen = !commits
      if commits { document.commitOnce() }
    }
    let made = document.getHistory().dropFirst(count).compactMap { document.change(hash: $0) }
    try expect(
      made.map(\.actorId) == writers,
      "the changes are of \(made.map(\.actorId)), made by \(writers)"
    )
  }

  /// Catches heads that are handed on in the order of a set, which differs from one set to another with the same members.
  ///
  /// Of five sets of three heads or more, each with room of its own, hardly ever all are iterated in one order.
  ///
  ///     the heads               a b c
  ///     iterated                b a c      c b a      a c b
  ///     the fork's history      the same of each, and so the same bytes
  static let equalHeads = PublicCallLaw(
    "api.equal-heads",
    "Equal sets of heads give equal forks.",
    "Forks at the same heads, in whatever order these were put into their set, have one order of history and are saved as "
      + "the same bytes; changes since these heads, differences and reads there are the same, too.",
    source: .specification(.semantics, "Fork, merge, duplicates", "History and clocks")
  ) { story in
    let document = Document.written(by: 0xfd)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    document.commitOnce()
    let writers = (0..<3 + story.index(below: 4)).map { document.copy(by: UInt8(1 + $0)) }
    var heads: Set<AutomergeDocument.ChangeHash> = []
    for round in 0..<2 {
      for (number, writer) in writers.enumerated() {
        for step in 0...story.index(below: 2) {
          story.note("writer \(number + 1) types \"\(step)\", and puts at \"k\"")
          try writer.spliceText(obj: text, start: 0, delete: 0, value: "\(step)")
          try writer.put(obj: .ROOT, key: "k", value: .Int(Int64(10 * number + step)))
          writer.commitOnce()
        }
        try document.merge(other: writer)
      }
      // Those between two rounds: heads that are not the last ones are looked for.
      if round == 0 { heads = document.heads() }
    }
    story.note("\(counted(heads.count, "head")) in five sets")
    var due: [String] = []
    for number in 0..<5 {
      // Which place a member has depends on the room, and on which came first.
      var same = Set<AutomergeDocument.ChangeHash>(minimumCapacity: heads.count << number)
      let sorted = heads.sorted()
      for place in sorted.indices { same.insert(sorted[(place + number) % sorted.count]) }
      let fork = try document.forkAt(heads: same)
      fork.actor = ActorId(MergeEngine.ActorID([0xfe]))
      let found = [
        "\(fork.getHistory())", "\([UInt8](fork.save()))",
        "\([UInt8](try document.encodeChangesSince(heads: same)))",
        "\(document.difference(from: same, to: document.heads()))",
        try document.textAt(obj: text, heads: same),
      ]
      if due.isEmpty { due = found }
      let words = ["history of a fork", "bytes of a fork", "changes since", "difference", "text"]
      for (word, (shown, first)) in zip(words, zip(found, due)) {
        try expect(shown == first, "two equal sets of heads give two of these: \(word)")
      }
    }
  }
}

extension Document {
  /// Exchanges messages until neither side has more to say.
  fileprivate func sync(with peer: Document) throws {
    let (mine, theirs) = (SyncState(), SyncState())
    for _ in 0..<20 {
      let out = generateSyncMessage(state: mine)
      if let out { try peer.receiveSyncMessage(state: theirs, message: out) }
      let back = peer.generateSyncMessage(state: theirs)
      if let back { try receiveSyncMessage(state: mine, message: back) }
      if out == nil && back == nil { return }
    }
    throw PublicCallFault("a sync does not end")
  }
}
