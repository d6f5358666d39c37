// Laws of what a document saves, loads and sends as bytes, on documents of random histories.
//
//     sample            PickedHistory: a history, and picks   its form: StoredForms.swift
//     most laws         `law(...)`: one replica of it         picks[0] chooses which
//     storage.long-runs, storage.many-writers                 samples of their own
//     storage.waits-for-all                                   that of storage.many-writers
//     storage.recovers, hostile.*                             in files of their own
//
// Documents are compared by `departure`: what they show, which changes they have, and whether they
// are sound inside. Read `Picking` first: all laws take their decisions from it.

import DocumentModel
package import Histories
package import PropertyEngine

/// A history, and numbers that say in which order its changes arrive somewhere else.
///
/// One list of numbers serves all laws: each takes what it needs, and shrinking makes them 0, which
/// is the plain way.
///
/// Which pick decides what is a law's own affair; a law takes them by index, and they repeat when
/// they end.
package struct PickedHistory: Sendable {
  package var history: History
  /// Zeros keep the order.
  package let picks: [Int]

  /// Picks are 0 to 999, at most 24 of them; a law that needs more goes round.
  package static func samples(
    _ limits: HistoryLimits = HistoryLimits()
  ) -> Generator<PickedHistory> {
    Generator { choices in
      let history = Generator<History>.histories(limits).draw(&choices)
      var picks: [Int] = []
      choices.repeated(upTo: 24, averaging: 12, "pick") { choices in
        picks.append(choices.number(in: 0...999))
      }
      return PickedHistory(history: history, picks: picks)
    }
  }
}

extension PickedHistory: Picking {}

/// A sample with numbers that say in which order something arrives.
///
/// Picks are decisions that mean something to one law only. Choices of their own for each would
/// make samples that no other law could use.
package protocol Picking {
  var picks: [Int] { get }
}

extension Picking {
  /// The pick at an index; they repeat when they end, and none is 0.
  package func pick(_ index: Int) -> Int { picks.isEmpty ? 0 : picks[index % picks.count] }

  /// The elements in an order of the picks.
  ///
  /// Each place takes one of the elements from it to the end. Zeros leave all in order. The picks
  /// are used from index 0 on, so that order and other decisions of a sample go together.
  func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropLast() {
      elements.swapAt(index, index + pick(index) % (elements.count - index))
    }
    return elements
  }

  /// The elements in groups of one to three.
  ///
  /// The size of a group is `1 + pick / 4 % 3`; the same pick also says what happens behind the
  /// group.
  func groups<Element>(_ elements: [Element]) -> [[Element]] {
    var groups: [[Element]] = []
    var rest = elements[...]
    while !rest.isEmpty {
      let group = rest.prefix(1 + pick(groups.count) / 4 % 3)
      groups.append(Array(group))
      rest = rest.dropFirst(group.count)
    }
    return groups
  }
}

/// What bytes promise: the same document, whichever way it is stored and sent.
///
/// They are held against the documents of random histories; the subject itself made each of them.
package enum StorageLaws<R: StoredReplica> {
  /// Laws whose samples are histories.
  package static var all: [Law<PickedHistory>] {
    [
      canonical, loadsWhole, increments, anyOrder,
      compressedChanges, refusalLeavesNoTrace, soundInside,
      recovery, spans, columnLengths, takenBack, extraBytes, hiddenDependencies,
    ]
  }

  /// Catches bytes that depend on how the document came to be: the order of a table, a column that
  /// is empty or missing, runs cut elsewhere, a writer of no change.
  ///
  /// Two replicas could not compare files otherwise, and a change rebuilt from one would have
  /// another hash.
  private static var canonical: Law<PickedHistory> {
    law(
      "storage.canonical",
      "Saving is canonical.",
      "Saving what was loaded from a saved document gives the same bytes, also once edits of a new writer were "
        + "refused or taken back.",
      source: .specification(.format, "Document chunk")
    ) { document, _ in
      for compressed in [true, false] {
        let saved = document.save(compressed: compressed)
        var loaded = try R.load(saved, actor: other)
        let again = loaded.save(compressed: compressed)
        if let difference = byteDifference(again, saved, "saving again differs") {
          return difference
        }
        // Maps have no indexes.
        if (try? loaded.apply(.put(.root, .index(0), .int(1)))) != nil {
          throw Skipped("the document takes an edit that does not fit")
        }
        _ = try loaded.apply(.put(.root, .key("k"), .int(1)))
        try loaded.rollback()
        let undone = loaded.save(compressed: compressed)
        if let difference = byteDifference(undone, saved, "edits that were undone are saved") {
          return difference
        }
      }
      return nil
    }
  }

  /// Catches a load that shows the right state and lacks changes, or is not sound inside; and one that takes files
  /// of today alone.
  ///
  /// Worked example: a document of one head ends with the byte 0, the index of that head among its changes. The first
  /// versions ended before it, and their files are in use.
  private static var loadsWhole: Law<PickedHistory> {
    law(
      "storage.loads-whole",
      "A saved document loads whole.",
      "A saved document loads with its state and its changes, and passes its internal checks; so does the same file "
        + "without the indexes of its heads, as old files are.",
      source: .specification(.format, "Saving", "Loading a file", "Document chunk")
    ) { document, _ in
      for compressed in [true, false] {
        let saved = document.save(compressed: compressed)
        for file in [saved, try withoutHeadIndexes(saved, of: &document)].compactMap(\.self) {
          var loaded = try R.load(file, actor: other)
          if let difference = try loaded.departure(from: &document) { return difference }
        }
      }
      return nil
    }
  }

  /// The file as old versions wrote it; `nil` where it is more than one chunk, or an index may take several bytes.
  private static func withoutHeadIndexes(
    _ saved: [UInt8],
    of document: inout R
  ) throws -> [UInt8]? {
    let content = ChunkForge.content(ofChunk: saved)
    let changeCount = try document.changes(since: []).count
    guard ChunkForge.chunk(0, content) == saved, changeCount < 128 else { return nil }
    return ChunkForge.chunk(0, content.dropLast(document.heads().ids.count))
  }

  /// Catches a mark of what was saved that moves too far or not at all: changes missing from a file
  /// that grows, or written twice.
  private static var increments: Law<PickedHistory> {
    law(
      "storage.increments",
      "Incremental saves add up to the whole.",
      "A saved document followed by its later incremental saves loads as the whole document; each holds what is new, and nothing else.",
      source: .specification(.format, "Saving", "Loading")
    ) { document, sample in
      let changes = try document.changes(since: [])
      var writer = R(actor: other)
      var file: [UInt8] = []
      var saved: [String] = []
      for (index, group) in sample.groups(changes).enumerated() {
        try writer.apply(group)
        // What happens behind a group: 1 and 5 an incremental save, 2 and 6 a whole one, 3 a
        // fork, 7 a sync, 0 and 4 nothing. A fork and a sync must leave what counts as saved as
        // it is.
        switch sample.pick(index) % 8 {
        case 1, 5:
          let due = try writer.changes(since: saved).flatMap(\.self)
          let new = writer.saveIncremental()
          if let difference = byteDifference(
            new,
            due,
            "an incremental save differs from what is new"
          ) {
            return difference
          }
          file += new
          saved = writer.heads().ids
        case 2, 6:
          file = writer.save(compressed: sample.pick(index) % 16 < 8)
          saved = writer.heads().ids
        // Neither of these is a save.
        case 3: writer = try writer.fork(actor: other)
        case 7:
          var peer = R(actor: other)
          _ = try R.sync(&peer, &writer, [])
        default: break
        }
      }
      file += writer.saveIncremental()
      var loaded = try R.load(file, actor: other)
      if let difference = try loaded.departure(from: &writer) { return difference }
      // By now everything is saved: both documents have nothing to add.
      return [("saved", writer.saveIncremental()), ("loaded", loaded.saveIncremental())]
        .lazy.compactMap { byteDifference($1, [], "a document just \($0) has something new") }
        .first
    }
  }

  /// Catches waiting changes that do not survive a fork or a restart, and trees that are built
  /// wrong when changes come late.
  private static var anyOrder: Law<PickedHistory> {
    law(
      "storage.any-order",
      "Changes add up to the whole.",
      "Changes that arrive in any order, one to three at a time, with a fork or restart between, make the whole.",
      source: .specification(.format, "Applying changes")
    ) { document, sample in
      var whole = R(actor: other)
      try whole.merge(&document)
      var receiver = R(actor: other)
      let changes = sample.shuffled(try document.changes(since: []))
      for (index, group) in sample.groups(changes).enumerated() {
        // As changes, or as the bytes of a file that goes on.
        if sample.pick(index) / 6 % 2 == 0 {
          try receiver.apply(group)
        } else {
          var work = 0
          try receiver.take(group.flatMap(\.self), work: &work)
        }
        switch sample.pick(index) % 6 {
        case 4: receiver = try receiver.fork(actor: other)
        case 5: receiver = try R.load(receiver.save(compressed: false), actor: other)
        default: break
        }
        if let difference = unsound(&receiver, "after a change") { return difference }
      }
      return try receiver.departure(from: &whole)
    }
  }

  /// Catches a checksum that is taken of the compressed form, and a hash that differs with it.
  private static var compressedChanges: Law<PickedHistory> {
    law(
      "storage.compressed-changes",
      "Files of changes load as their document.",
      "Changes in one file, deflated or not, in any order, load as the document they came from.",
      source: .specification(.format, "Compressed change chunk")
    ) { document, sample in
      var whole = R(actor: other)
      try whole.merge(&document)
      // The same changes in two forms; each is taken in one of them.
      let chunks = zip(try document.changes(since: []), document.compressedChanges())
        .enumerated().map { sample.pick($0) % 2 == 0 ? $1.0 : $1.1 }
      var receiver = R(actor: other)
      var work = 0
      try receiver.take(sample.shuffled(chunks).flatMap(\.self), work: &work)
      return try receiver.departure(from: &whole)
    }
  }

  /// Catches bytes behind a change that are dropped, or whose length alone is kept.
  ///
  /// The latest change gets one to five bytes more, a right length and a right checksum; no other change
  /// builds on it, whose id is another one then.
  ///
  /// A later version of the format may write there what this one does not know.
  private static var extraBytes: Law<PickedHistory> {
    law(
      "storage.extra-bytes",
      "Bytes behind a change are kept.",
      "A change that goes on with bytes of no known meaning is taken with them, and comes back as it was from a "
        + "document that was saved and loaded.",
      source: .specification(.format, "Change chunk", "Change columns")
    ) { document, sample in
      var changes = try document.changes(since: [])
      guard let last = changes.popLast() else { throw Skipped("no change") }
      let extra = (0...sample.pick(1) % 5).map { UInt8(truncatingIfNeeded: sample.pick(2) + $0) }
      let extended = ChunkForge.chunk(1, ChunkForge.content(ofChunk: last) + extra)
      var receiver = R(actor: other)
      try receiver.apply(changes + [extended])
      for compressed in [true, false] {
        var loaded = try R.load(receiver.save(compressed: compressed), actor: other)
        if let difference = try loaded.departure(from: &receiver) { return difference }
        let again = try loaded.changes(since: []).last ?? []
        if let difference = byteDifference(again, extended, "a change comes back otherwise") {
          return difference
        }
      }
      return nil
    }
  }

  /// A law on long sequences, which short histories do not make.
  package static var longRuns: Law<LongEditing> {
    Law(
      "storage.long-runs",
      "Long runs come through unchanged.",
      "Long runs of typing and deleting read, save, load and travel as they were made, at each commit as it "
        + "was then, and cursors in them stay, whatever was tried between and taken back.",
      source: .document("Engine.md", "The op store"),
      forAll: LongEditing.samples
    ) { editing in
      var (document, expected, past) = try editing.replay(R.self)
      // Cursors on elements of one commit are asked for at the others, with all that was deleted
      // between.
      if let fault = try document.misplacedCursor(among: past.map(\.heads)) {
        return Difference(kind: "cursor", summary: fault)
      }
      if let difference = editing.difference(try document.shown(), from: expected) {
        return difference
      }
      for moment in past {
        let shown = try document.observe(at: moment.heads)
        if let found = editing.difference(shown, from: moment.text) {
          return found.told(as: "at an earlier commit " + found.summary)
        }
      }
      for compressed in [true, false] {
        var loaded = try R.load(document.save(compressed: compressed), actor: other)
        if let difference = try loaded.departure(from: &document) { return difference }
      }
      var receiver = R(actor: other)
      for change in try document.changes(since: []) { try receiver.apply([change]) }
      return try receiver.departure(from: &document)
    }
  }

  /// The writer of documents that a law makes, which write nothing but for `goingOn`.
  static var other: ActorID { ActorID(repeating: 0xdd) }

  /// A law on the last replica of a history, or on one that the picks choose.
  ///
  /// Histories run on the subject itself (`Normaliser<R>`), not on the specification: the samples
  /// of stored bytes need no oracle.
  static func law(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    check: @escaping @Sendable (inout R, PickedHistory) throws -> Difference?
  ) -> Law<PickedHistory> {
    Law(name, title, sentence, source: source, forAll: PickedHistory.samples()) { sample in
      var replicas = Normaliser<R>.run(sample.history).replicas
      guard !replicas.isEmpty else { throw Skipped("no replica") }
      let place = sample.pick(0) % replicas.count
      replicas[place].commit()
      return try check(&replicas[place], sample)
    }
  }

  /// All replicas of a history, looked into after each of its steps.
  ///
  /// Catches a broken structure at the step that breaks it, and not at a later one that happens to
  /// look there.
  private static var soundInside: Law<PickedHistory> {
    Law(
      "storage.invariants",
      "Documents are sound after every step.",
      "After every step of a history all documents pass their internal checks.",
      source: .document("Engine.md", "The op store"),
      forAll: PickedHistory.samples()
    ) { sample in
      var difference: Difference?
      var step = 0
      Normaliser<R>.run(sample.history) { replicas in
        step += 1
        for place in replicas.indices where difference == nil {
          var replica = replicas[place]
          guard let breach = replica.brokenInvariant() else { continue }
          difference = Difference(
            kind: "invariant",
            summary: "replica \(place) is not sound after step \(step): \(breach)"
          )
        }
      }
      return difference
    }
  }

  /// Whether writing on gives what it gives in the document that was saved.
  ///
  /// Catches counters and numbers that a refusal or a rollback has used up, which no read shows.
  private static func goingOn(
    _ document: inout R,
    from saved: [UInt8],
    after cause: String
  ) throws -> Difference? {
    var twin = try R.load(saved, actor: other)
    for value in 1...2 {
      let edit = Edit<ObjectID>.put(.root, .key("after"), .int(Int64(value)))
      _ = try document.apply(edit)
      _ = try twin.apply(edit)
      document.commit()
      twin.commit()
    }
    return byteDifference(
      document.save(compressed: false),
      twin.save(compressed: false),
      "what is written after \(cause) differs"
    )
  }

  /// Some changes are known, some good ones come, and then a damaged one.
  ///
  /// Good changes stand in front of the damaged one, so that there is something to take back.
  /// Catches an undo that is not the inverse of what it undoes, in the states that histories lead
  /// to.
  /// Misses damage that a check of the form finds before anything is applied: nothing is to be
  /// taken back then.
  ///
  /// By picks, besides 0, which chooses the replica, and the order of shuffling:
  ///
  ///     1    how many changes are known       5    how many good ones come first, up to 7
  ///     2    which change is damaged          7    odd: a bad change waits for the next good one
  ///     3    at which byte                    8    2 modulo 3: the call is refused last of all
  ///     4    by which bits                    6    3 modulo 4: what is known is loaded
  ///
  /// What must be as before: saved bytes, what is shown, the number of dropped changes, what counts
  /// as not saved yet, and the numbers of operations that are written next.
  private static var refusalLeavesNoTrace: Law<PickedHistory> {
    law(
      "storage.refusal-leaves-no-trace",
      "Refused bytes leave no trace.",
      "Refused bytes leave the document as it was, and valid bytes after them are applied.",
      source: .decision(14)
    ) { document, sample in
      var whole = R(actor: other)
      try whole.merge(&document)
      let changes = try document.changes(since: [])
      guard !changes.isEmpty else { throw Skipped("no change") }
      let known = sample.pick(1) % (changes.count + 1)
      var receiver = try knowing(changes.prefix(known))
      if sample.pick(6) % 4 == 3 {
        receiver = try R.load(receiver.save(compressed: false), actor: other)
      }
      // A bad change waits for the next good one, and may have to go on waiting.
      let next = known > 0 && known < changes.count ? changes[known] : nil
      let waits = next != nil && sample.pick(7) % 2 == 1
      if let next, waits {
        let hash = ChunkForge.hash(ofChunk: next)
        try receiver.apply([HostilePeer.flawed(1, by: 0xde, behind: hash)])
      }
      let before = try Traces(of: &receiver, after: "a refused call")
      var work = 0
      do {
        try receiver.take(refusable(changes, behind: known, next, sample), work: &work)
        throw Skipped("the damaged change is a good one")
      } catch let skipped as Skipped {
        throw skipped
      } catch {
        if let difference = try before.difference(&receiver) { return difference }
      }
      for change in sample.shuffled(changes) {
        try receiver.apply([change])
        if let difference = unsound(&receiver, "behind a refused call") { return difference }
      }
      if let difference = dropped(receiver, waits ? 1 : 0, "all changes") { return difference }
      return try receiver.departure(from: &whole)
    }
  }

  /// A document with some changes; half of them count as saved, so that the mark of what is saved can get lost.
  private static func knowing(_ changes: ArraySlice<[UInt8]>) throws -> R {
    var receiver = R(actor: other)
    for (index, change) in changes.enumerated() {
      try receiver.apply([change])
      if index == changes.count / 2 { _ = receiver.saveIncremental() }
    }
    return receiver
  }

  /// Good changes and a damaged one behind them; or what drops a change that waited before, and is refused last of all.
  private static func refusable(
    _ changes: [[UInt8]],
    behind known: Int,
    _ next: [UInt8]?,
    _ sample: PickedHistory
  ) -> [UInt8] {
    if let next, sample.pick(8) % 3 == 2 {
      return HostilePeer.flawed(1, by: 0xdf, behind: ChunkForge.hash(ofChunk: next)) + next
    }
    var bad = changes[sample.pick(2) % changes.count]
    let place = 10 + sample.pick(3) % max(1, bad.count - 10)
    if place < bad.count { bad[place] ^= UInt8(1 + sample.pick(4) % 255) }
    let good = sample.shuffled(Array(changes.dropFirst(known))).prefix(sample.pick(5) % 8)
    return good.flatMap(\.self) + ChunkForge.sealed(bad)
  }

  /// All in which a call that is refused or taken back may leave a trace.
  struct Traces {
    private let saved: [UInt8]
    private let unsaved: [UInt8]
    private let shown: Observation
    private let droppedCount: Int
    /// What is to leave none.
    private let cause: String

    init(of document: inout R, after cause: String) throws {
      self.cause = cause
      // Saves of a copy, as one of the document would count all as saved.
      var copy = try document.fork(actor: other)
      unsaved = copy.saveIncremental()
      saved = copy.save(compressed: false)
      shown = try document.shown()
      droppedCount = document.droppedCount
    }

    /// Where a document is not as it was.
    func difference(_ document: inout R) throws -> Difference? {
      var copy = try document.fork(actor: other)
      let after = copy.save(compressed: false)
      if let difference = byteDifference(after, saved, "\(cause) left a trace") {
        return difference
      }
      if let difference = try document.shown().difference(from: shown) { return difference }
      if let difference = dropped(document, droppedCount, cause) { return difference }
      if let difference = unsound(&document, "after \(cause)") { return difference }
      copy = try document.fork(actor: other)
      let new = copy.saveIncremental()
      if let difference = byteDifference(new, unsaved, "what is new differs after \(cause)") {
        return difference
      }
      return try goingOn(&copy, from: saved, after: cause)
    }
  }

  private static func unsound(_ document: inout R, _ place: String) -> Difference? {
    document.brokenInvariant().map {
      Difference(kind: "invariant", summary: "\(place): \($0)")
    }
  }

  private static func dropped(_ document: R, _ count: Int, _ after: String) -> Difference? {
    guard document.droppedCount != count else { return nil }
    return Difference(
      kind: "dropped",
      summary: "another number of waiting changes counts as dropped after \(after)",
      expected: "\(count)",
      actual: "\(document.droppedCount)"
    )
  }
}
