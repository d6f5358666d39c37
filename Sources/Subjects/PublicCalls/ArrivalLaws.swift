import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine
import Texts

// Laws of what changes leave behind that come and do not stay, and of histories that go apart and together often.

extension PublicCallLaw {
  static let arrivalLaws = [refusedWriters, forgottenWriters, crossedMerges]

  /// Catches what is kept of ids whose actor is gone: the next writer gets the actor's number, and with it another
  /// place in the order of ids.
  ///
  /// The engine keeps the least id of each page of a list, to pass whole pages. What the refused writer inserted was
  /// the least of a page.
  ///
  ///     first       0b inserts at the head, one by one      ... 4@0b 3@0b 2@07
  ///     refused     09's first goes behind all of them      ... 4@0b 3@0b 3@09 2@07, and is taken back
  ///     next        0d has 09's number now, and 3@09 is 3@0d: to 0c's 3@0c that page has greater ids alone, and it is
  ///                 put behind 3@0b
  private static let refusedWriters = PublicCallLaw(
    "api.refused-writers",
    "What is refused moves no later element.",
    "A list that takes in insertions of several writers, and refuses those of one beside a change that is no sound one, "
      + "shows what it shows without the refusal, whatever the order of the writers' ids.",
    source: .specification(.semantics, "Insert rule"),
    costs: 2
  ) { story in
    var ids: [UInt8] = [9, 11, 12, 13]
    for place in ids.indices.dropLast() {
      ids.swapAt(place, place + story.index(below: ids.count - place))
    }
    let base = Document.written(by: 7)
    let list = try base.putObject(obj: .ROOT, key: "list", ty: .List)
    try base.insert(obj: list, index: 0, value: .Int(0))
    base.commitOnce()
    let counts = [16 + story.index(below: 48), 8 + story.index(below: 56), 1, 1]
    var changes: [Data] = []
    for (number, id) in ids.enumerated() {
      let writer = base.copy(by: id)
      for step in 0..<counts[number] {
        // The second writer's go behind its own first one, all others to the head.
        let index: UInt64 = number == 1 && step > 0 ? 1 : 0
        try writer.insert(obj: list, index: index, value: .Int(Int64(100 * number + step)))
      }
      writer.commitOnce()
      changes.append(try writer.encodeChangesSince(heads: base.heads()))
    }
    let names = ids.map { hexString([$0]) }
    story.note("a list [0], at whose head \(names[0]) inserts \(counts[0]) elements")
    story.note("\(counts[1]) of \(names[1]) are refused, and the others insert one each")
    let document = base.copy(by: 0xfd)
    try document.applyEncodedChanges(encoded: changes[0])
    let saved = document.save()
    // Another change that says it is the first of 07.
    let twin = Document.written(by: 7)
    try twin.put(obj: .ROOT, key: "twin", value: .Null)
    twin.commitOnce()
    let refused = changes[1] + (try twin.encodeChangesSince(heads: []))
    let found = try document.refusal(of: { try document.applyEncodedChanges(encoded: refused) })
    try expect(
      found != nil && document.save() == saved,
      "a second change of one number is taken in"
    )
    let due = base.copy(by: 0xfd)
    try due.applyEncodedChanges(encoded: changes[0])
    for change in changes[2...] {
      for side in [document, due] { try side.applyEncodedChanges(encoded: change) }
    }
    let (shown, dueValues) = (try document.values(obj: list), try due.values(obj: list))
    try expect(shown == dueValues, "behind a refusal the list is \(shown), due is \(dueValues)")
    let loaded = try Document(document.save())
    let again = try loaded.values(obj: list)
    try expect(again == dueValues, "loaded, the list is \(again), due is \(dueValues)")
  }

  /// Catches names that stay of changes that were dropped: a peer that sends such changes would fill the table of
  /// writers, and the document could take in no new writer.
  ///
  /// The dropped change says that it is its writer's second, and there is no first. That shows when what it
  /// depends on is there.
  private static let forgottenWriters = PublicCallLaw(
    "api.forgotten-writers",
    "Writers of dropped changes count no more.",
    "A writer whose only change has waited and was then dropped does not count towards the limit of writers.",
    source: .specification(.format, "Errors and limits")
  ) { story in
    let writer = Document.written(by: 7)
    try writer.put(obj: .ROOT, key: "k", value: .Int(0))
    writer.commitOnce()
    let document = Document.written(by: 0xfd)
    try document.applyEncodedChanges(encoded: writer.encodeChangesSince(heads: []))
    var limits = document.limits
    // The document's own, 07, and one more.
    limits.receivedActorLimit = 3
    document.limits = limits
    for number: UInt8 in 0..<UInt8(2 + story.index(below: 5)) {
      let heads = writer.heads()
      try writer.put(obj: .ROOT, key: "k", value: .Int(Int64(number) + 1))
      writer.commitOnce()
      let change = ChunkForge.change(
        actor: 0x10 + number,
        seq: 2 + UInt64(story.index(below: 3)),
        startOp: 50 + UInt64(story.index(below: 50)),
        dependencies: writer.heads().map { [UInt8]($0.bytes) },
        ops: ChunkForge.put("x", int: nil)
      )
      story.note("a change of \(hexString([0x10 + number])) without its first waits for 07's next")
      let found = try document.refusal(of: {
        try document.applyEncodedChanges(encoded: Data(change))
      })
      try expect(
        found == nil && document.waitingChanges.count == 1,
        "behind \(number) dropped changes one of a new writer is refused: "
          + "\(found.map { "\($0)" } ?? "it does not wait")"
      )
      try document.applyEncodedChanges(encoded: writer.encodeChangesSince(heads: heads))
      try expect(
        document.waitingChanges.isEmpty && document.droppedChanges.count == Int(number) + 1
          && document.heads() == writer.heads(),
        "a change that is not its writer's next is not dropped"
      )
    }
  }

  /// Catches a walk that comes to a change by each way to it: ways double with each round in which two writers merge
  /// each other, and the merge does not end.
  private static let crossedMerges = PublicCallLaw(
    "api.crossed-merges",
    "Crossed merges are taken in at once.",
    "A document takes in what two writers made who merged each other in up to 60 rounds, and it then has the same heads, "
      + "also where it has the first rounds already.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    costs: 4
  ) { story in
    let base = Document.written(by: 7)
    try base.put(obj: .ROOT, key: "k", value: .Null)
    base.commitOnce()
    let (left, right) = (base.copy(by: 8), base.copy(by: 9))
    let receiver = base.copy(by: 0xfd)
    let count = 1 + story.index(below: 60)
    let known = story.index(below: 2 * count)
    story.note("08 and 09 put and merge each other \(counted(count, "time")), fd merges them then")
    for round in 0..<count {
      for (side, key) in [(left, "left"), (right, "right")] {
        try side.put(obj: .ROOT, key: key, value: .Int(Int64(round)))
        side.commitOnce()
      }
      let before = left.fork()
      try left.merge(other: right)
      try right.merge(other: before)
      if round == known {
        story.note("fd merges them in round \(round) as well")
        try receiver.merge(other: left)
      }
    }
    try receiver.merge(other: left)
    try expect(
      receiver.heads() == left.heads() && receiver.heads() == right.heads(),
      "merged writers differ behind \(counted(count, "round"))"
    )
  }

  /// Catches a queue that takes out another change than the first that is ready, or moves another one than the last
  /// into its place.
  ///
  /// Some changes wait for what has not come yet and others are ready: where all are, the last of the queue is always
  /// the next.
  ///
  ///     a and b wait for 1, c and d for 2       queue a c b d
  ///     1 comes                                 1, a, b: d takes the place of a, and c stays    queue d c
  ///     2 comes                                 2, d, c
  static let waitingOrder = PublicCallLaw(
    "api.waiting-order",
    "Waiting changes are applied in their order.",
    "When what changes wait for has come, the first of the queue that lacks nothing more is applied, and the last of the "
      + "queue moves into its place, until none is ready; the history has that order.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    count: 100
  ) { story in
    let firsts = try (0...story.index(below: 3)).map { number in
      try Arrival(of: Document.written(by: UInt8(number)), by: UInt8(number))
    }
    var waiting: [Arrival] = []
    for number in 0..<(2 + story.index(below: 24)) {
      // A quarter follow another one that waits.
      let isBehind = story.index(below: 4) == 3 && !waiting.isEmpty
      let before = isBehind ? story.element(of: waiting) : story.element(of: firsts)
      let writer = 0x10 + UInt8(number)
      waiting.append(try Arrival(of: before.document.copy(by: writer), by: writer))
    }
    story.shuffle(&waiting)
    var last = firsts
    story.shuffle(&last)
    story.note("\(waiting.map(\.name).joined(separator: ", ")) come in this order, and wait")
    story.note("then come \(last.map(\.name).joined(separator: ", "))")
    let document = Document.written(by: 0xfd)
    var queue: [Arrival] = []
    var due: [Arrival] = []
    func isReady(_ arrival: Arrival) -> Bool {
      arrival.dependency.map { hash in due.contains { $0.hash == hash } } ?? true
    }
    for arrival in waiting + last {
      try document.applyEncodedChanges(encoded: arrival.bytes)
      queue.append(arrival)
      while let place = queue.firstIndex(where: isReady) {
        due.append(queue[place])
        queue.swapAt(place, queue.count - 1)
        queue.removeLast()
      }
    }
    let history = document.getHistory()
    let names = history.map { hash in
      (waiting + firsts).first { $0.hash == hash }?.name ?? "another"
    }
    try expect(
      history == due.map(\.hash),
      "applied are \(names.joined(separator: ", ")); due are "
        + due.map(\.name).joined(separator: ", ")
    )
  }
}

extension CallStory {
  fileprivate mutating func shuffle(_ arrivals: inout [Arrival]) {
    for place in arrivals.indices.dropLast() {
      arrivals.swapAt(place, place + index(below: arrivals.count - place))
    }
  }
}

/// A writer's first change, on its way to a document.
private struct Arrival {
  let document: Document
  let name: String
  let hash: AutomergeDocument.ChangeHash
  /// What it depends on; `nil` for nothing.
  let dependency: AutomergeDocument.ChangeHash?
  let bytes: Data

  /// The change by which `writer` puts a value into a document that has one head or none.
  init(of document: Document, by writer: UInt8) throws {
    self.document = document
    name = hexString([writer])
    let heads = document.heads()
    dependency = heads.first
    try document.put(obj: .ROOT, key: name, value: .Int(Int64(writer)))
    document.commitOnce()
    bytes = try document.encodeChangesSince(heads: heads)
    guard let hash = document.heads().first, document.heads().count == 1 else {
      throw PublicCallFault("a commit has other heads than its change")
    }
    self.hash = hash
  }
}
