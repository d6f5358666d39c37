import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Texts

// Laws of limits that a document keeps to, of writers, of memory, of what is inflated, and of what marks add; and of a
// queue that was long.
// Limits of what waits stand in `StateLaws+Limits.swift`, that of elements without bytes in `ScalarLaws.swift`.

extension PublicCallLaw {
  static let limitLaws = [actorLimits, markLimits, memoryLimits, longQueues]

  /// Catches a limit that is not looked at for those whom a change names beside its writer, and names that stay of what
  /// was refused.
  ///
  /// A change that overwrites another writer's value names that writer; without the other change it waits.
  private static let actorLimits = PublicCallLaw(
    "api.actor-limit",
    "Changes bring writers up to a limit.",
    "Changes that bring writers, or name some whose changes are missing, are taken up to the limit of writers; the next "
      + "one is refused by name and leaves nothing. The document still takes edits of its app by a new actor.",
    source: .specification(.format, "Errors and limits")
  ) { story in
    let document = Document.written(by: 0xfd)
    try document.put(obj: .ROOT, key: "own", value: .Null)
    document.commitOnce()
    let limit = 1 + story.index(below: 6)
    var limits = document.limits
    limits.receivedActorLimit = limit
    document.limits = limits
    story.note("a document with its own writer, and a limit of \(limit)")
    var known = 1
    for number in 0..<5 {
      let writer = Document.written(by: 0x10 + UInt8(number))
      let namesOther = story.flag()
      var heads: Set<AutomergeDocument.ChangeHash> = []
      if namesOther {
        let other = Document.written(by: 0x20 + UInt8(number))
        try other.put(obj: .ROOT, key: "k", value: .Null)
        other.commitOnce()
        try writer.merge(other: other)
        heads = other.heads()
      }
      try writer.put(obj: .ROOT, key: "k", value: .Int(1))
      writer.commitOnce()
      let change = try writer.encodeChangesSince(heads: heads)
      let added = namesOther ? 2 : 1
      story.note("a change that brings \(counted(added, "writer"))")
      let before = (document.save(), document.waitingChanges.count)
      let found = try document.refusal(of: {
        try document.applyEncodedChanges(encoded: change)
      })
      guard known + added > limit else {
        try expect(found == nil, "\(known) of \(limit) writers and \(added) more are refused")
        known += added
        continue
      }
      try expect(
        found?.refusedLimit == "receivedActorLimit",
        "\(known) of \(limit) writers and \(added) more: \(found.map { "\($0)" } ?? "taken")"
      )
      try expect(
        document.save() == before.0 && document.waitingChanges.count == before.1,
        "a change with a writer too many leaves something behind"
      )
    }
    document.actor = ActorId(MergeEngine.ActorID([0xfc]))
    try document.put(obj: .ROOT, key: "own", value: .Int(1))
    document.commitOnce()
    try expect(
      document.getHistory().compactMap { document.change(hash: $0) }
        .contains { $0.actorId == document.actor },
      "an app's edit by a new actor makes no change"
    )
  }

  /// Catches a mark whose begin and end are not counted, so that the document is saved and does not load.
  private static let markLimits = PublicCallLaw(
    "api.mark-limit",
    "Marks count as elements of no bytes.",
    "A mark adds two elements of no bytes; where the limit leaves no room for both, it is refused by name and nothing of "
      + "it stays, and the document loads under the limit.",
    source: .specification(.format, "Errors and limits")
  ) { story in
    let document = Document.written(by: 0xfd)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abcd")
    let limit = story.index(below: 8)
    var limits = document.limits
    limits.emptyElementLimit = limit
    document.limits = limits
    story.note("a text of 4 letters, and a limit of \(limit) elements of no bytes")
    var count = 0
    for number in 0..<4 {
      let start = UInt64(story.index(below: 4))
      let expand = story.element(of: [ExpandMark.none, .before, .after, .both])
      story.note("marks the letter \(start), \(expand)")
      let before = try (document.marks(obj: text), document.reading { $0.pendingOpCount })
      let found = try document.refusal(of: {
        try document.mark(
          obj: text,
          start: start,
          end: start + 1,
          expand: expand,
          name: "m\(number)",
          value: .Boolean(true)
        )
      })
      let due: DocError.Kind? = count + 2 > limit ? .limitExceeded("emptyElementLimit") : nil
      try expect(
        found == due,
        "\(count) of \(limit) elements of no bytes and a mark: \(found.map { "\($0)" } ?? "taken")"
      )
      if due == nil {
        count += 2
      } else {
        let after = try (document.marks(obj: text), document.reading { $0.pendingOpCount })
        try expect(before == after, "a mark beyond a limit leaves something behind")
      }
    }
    let loaded = try Document(document.save(), limits: limits)
    try expect(
      try loaded.marks(obj: text) == document.marks(obj: text),
      "marks differ once they are loaded"
    )
  }

  /// Catches memory that is looked at before a change is applied, or behind it, and not meanwhile.
  ///
  /// A small document of many keys: to read its change takes less memory than to apply it.
  private static let memoryLimits = PublicCallLaw(
    "api.memory-limit",
    "One call adds memory up to a limit.",
    "A document of many keys, its change, and a view of its keys are taken by default; where a call may add no memory they "
      + "are refused by name, and where it may add some they are refused by name or taken. A refused change leaves "
      + "nothing.",
    source: .specification(.format, "Errors and limits"),
    costs: 4
  ) { story in
    let count = 1_100 + story.index(below: 200)
    let document = Document.written(by: 0xfd)
    for number in 0..<count {
      try document.put(obj: .ROOT, key: "key \(number)", value: .Int(Int64(number)))
    }
    document.commitOnce()
    let kibibytes = story.index(below: 256)
    story.note("\(count) keys, and \(kibibytes) KiB of memory")
    let (file, change) = (document.save(), try document.encodeChangesSince(heads: []))
    var limits = document.limits
    limits.memoryPerByteLimit = 0
    for byteCount in [0, kibibytes << 10] {
      limits.freeMemoryByteLimit = byteCount
      var refusedLimit: String?
      do {
        let loaded = try Document(file, limits: limits)
        try expect(loaded.heads() == document.heads(), "a document of many keys loads as another")
      } catch let error as LoadError {
        refusedLimit = error.limit ?? "\(error)"
      }
      try expect(
        refusedLimit == "memoryPerByteLimit" || byteCount > 0 && refusedLimit == nil,
        "\(byteCount) bytes of memory: a load is refused by \(refusedLimit ?? "nothing")"
      )
      var viewRefusal: String?
      do {
        let keys = try SavedDocumentView(file, limits: limits).keys(obj: .ROOT)
        try expect(keys.count == count, "a view of many keys shows \(keys.count)")
      } catch let error as LoadError {
        viewRefusal = error.limit ?? "\(error)"
      }
      try expect(
        viewRefusal == "memoryPerByteLimit" || byteCount > 0 && viewRefusal == nil,
        "\(byteCount) bytes of memory: a view is refused by \(viewRefusal ?? "nothing")"
      )
      let receiver = Document.written(by: 0xfe)
      receiver.limits = limits
      let saved = receiver.save()
      let found = try receiver.refusal(of: {
        try receiver.applyEncodedChanges(encoded: change)
      })
      try expect(
        found?.refusedLimit == "memoryPerByteLimit" || byteCount > 0 && found == nil,
        "\(byteCount) bytes of memory: a change is refused by \(found.map { "\($0)" } ?? "nothing")"
      )
      try expect(
        found == nil || receiver.save() == saved,
        "a change that takes too much memory leaves something behind"
      )
      receiver.limits = document.limits
      try receiver.applyEncodedChanges(encoded: change)
      try expect(
        receiver.heads() == document.heads(),
        "a change is not taken behind its refusal"
      )
    }
  }
}

extension PublicCallLaw {
  /// Catches a queue that goes wrong once more changes have waited in it than it keeps room for.
  ///
  /// It keeps room for 64. Each round is a writer's, whose first change comes last.
  private static let longQueues = PublicCallLaw(
    "api.long-queues",
    "Many waiting changes are taken in.",
    "Of 50 to 80 changes of one writer, each on the one before, all but the first wait, in whatever order they come; when "
      + "the first comes, none waits, and the document has them all. So it goes for the next writer.",
    source: .specification(.semantics, "Fork, merge, duplicates"),
    costs: 4
  ) { story in
    let receiver = Document.written(by: 0xfd)
    for writer: UInt8 in [0xfc, 0xfe] {
      let document = receiver.copy(by: writer)
      var changes: [Data] = []
      for number in 0..<(50 + story.index(below: 31)) {
        let heads = document.heads()
        try document.put(obj: .ROOT, key: "\(writer)", value: .Int(Int64(number)))
        document.commitOnce()
        changes.append(try document.encodeChangesSince(heads: heads))
      }
      let comesAtOnce = story.flag()
      let order = story.flag() ? Array(changes.dropFirst()) : changes.dropFirst().reversed()
      story.note(
        "\(changes.count - 1) changes wait, \(comesAtOnce ? "which come at once" : "one by one")"
      )
      for part in comesAtOnce ? [Data(order.joined())] : order {
        try receiver.applyEncodedChanges(encoded: part)
      }
      let waiting = receiver.waitingChanges.count
      try expect(waiting == order.count, "\(waiting) of \(order.count) changes wait")
      try receiver.applyEncodedChanges(encoded: changes[0])
      try expect(receiver.waitingChanges.isEmpty, "changes wait whose dependencies are there")
      try expect(receiver.heads() == document.heads(), "changes that waited are not taken in")
    }
  }
}

extension PublicCallLaw {
  /// Catches a limit that is counted for each part of a call anew: a file may have any number of parts.
  ///
  ///     3 changes of 1,000 letters each     some 1,080 bytes inflated by each
  ///     limit 2,999                         each of them is below it, and all together are refused
  static let inflatedLimits = PublicCallLaw(
    "api.inflated-limit",
    "One call inflates up to a limit.",
    "Compressed changes and saved documents that come in one call and inflate to more than the limit together are refused "
      + "by name and leave nothing, though each is below it; where they inflate to less they are taken.",
    source: .specification(.format, "Errors and limits")
  ) { story in
    let count = 2 + story.index(below: 3)
    let length = 1_000 + story.index(below: 500)
    let document = Document.written(by: 0xfd)
    var changes = Data()
    for number in 0..<count {
      let heads = document.heads()
      let value = String(repeating: "\(number)", count: length)
      try document.put(obj: .ROOT, key: "k\(number)", value: .String(value))
      document.commitOnce()
      changes += try document.encodeChangesSince(heads: heads)
    }
    let file = document.save()
    let (bytes, words) = story.element(of: [
      (changes, "the changes"), (file + file, "the document, twice"),
      (file + changes, "the document and its changes"),
      (changes + file, "its changes and the document"),
    ])
    let least = (bytes == changes ? 1 : 2) * count * length
    story.note("\(count) values of \(length) letters; in one call come \(words)")
    // A change has less than 200 bytes besides its value, and so has the document for each.
    for limit in [least - 1, least + 2 * count * 200] {
      let receiver = Document.written(by: 0xfe)
      var limits = receiver.limits
      limits.inflatedByteLimit = limit
      receiver.limits = limits
      let saved = receiver.save()
      let found = try receiver.refusal(of: {
        try receiver.applyEncodedChanges(encoded: bytes)
      })
      try expect(
        limit < least ? found?.refusedLimit == "inflatedByteLimit" : found == nil,
        "\(least) bytes and more to inflate, of \(limit): \(found.map { "\($0)" } ?? "taken")"
      )
      try expect(
        found == nil ? receiver.heads() == document.heads() : receiver.save() == saved,
        "what is inflated up to a limit is taken in part"
      )
    }
  }
}

extension DocError.Kind {
  /// The limit by which changes are refused; `nil` for any other reason.
  fileprivate var refusedLimit: String? {
    if case .refusedChanges(let reason) = self { reason.limit } else { nil }
  }
}
