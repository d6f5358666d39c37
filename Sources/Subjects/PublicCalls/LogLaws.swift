import AutomergeDocument
import Foundation
import Logging
import MergeEngine
import PropertyEngine
import Synchronization
import Texts

extension PublicCallLaw {
  static let logLaws = [log]
  static let droppedLaws = [droppedChanges]

  /// An edit that is told neither to observers nor to the log takes a shorter way.
  ///
  /// A wrong count of those who are told takes it too often: observers come and go.
  private static let log = PublicCallLaw(
    "api.log",
    "The log is told of each call.",
    "A document tells its log of each put, commit, save, fork and merge as its verbosity says, and of nothing else, "
      + "however many observers there are.",
    source: .specification(.codable, "Documents")
  ) { story in
    let recorder = LogRecorder()
    let verbosity = story.element(of: [LogVerbosity.tracing, .tracing, .debug, .errorOnly])
    story.note("a document whose log is told \(verbosity)")
    let document = Document(
      engine: MergeDocument(actor: MergeEngine.ActorID([0xfd])),
      log: recorder.log(verbosity)
    )
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    var tokens: [ObservationToken] = []
    defer { for token in tokens { token.cancel() } }
    var isOpen = true
    for step in 0..<12 {
      recorder.forget()
      let object = story.flag() ? map : ObjId.ROOT
      var due: [String] = []
      switch story.index(below: 12) {
      case 1, 2:
        story.note("an observer comes")
        tokens.append(document.observe(step % 2 == 0 ? nil : map) { _ in })
      case 3, 4:
        story.note("the last observer goes")
        tokens.popLast()?.cancel()
      case 5:
        story.note("commit")
        document.commitWith()
        if isOpen, verbosity != .errorOnly { due = ["debug: committed"] }
        isOpen = false
      case 6:
        story.note("save")
        _ = document.save()
        if verbosity != .errorOnly { due = ["debug: saved"] }
        isOpen = false
      case 9:
        story.note("fork")
        _ = document.fork()
        if verbosity != .errorOnly { due = ["debug: forked"] }
        isOpen = false
      case 10:
        story.note("fork at the heads")
        let heads = document.heads()
        _ = try document.forkAt(heads: heads)
        if verbosity != .errorOnly { due = ["debug: forked at \(heads.count) heads"] }
        isOpen = false
      case 11:
        story.note("merge")
        try document.merge(other: Document.written(by: 0xfe))
        if verbosity != .errorOnly { due = ["debug: merging was done"] }
        isOpen = false
      default:
        story.note("put")
        try document.put(obj: object, key: "k", value: .Int(Int64(step)))
        if verbosity == .tracing { due = ["trace: put in \(object.debugDescription)"] }
        isOpen = true
      }
      let told = recorder.lines
      try expect(
        told.count == due.count && zip(told, due).allSatisfy { $0.hasPrefix($1) },
        "a document with \(tokens.count) observers tells its log \(told), due is \(due)"
      )
    }
  }

  /// How the number of a waiting change is taken.
  private enum Taking: CaseIterable {
    case changes, merge, load, sync
    /// By an open edit of the document's own, which one of these calls commits.
    case commit, save, newActor, mergeElsewhere, mergeWithItself

    /// Whether the document itself is the author of both changes.
    var isOwn: Bool {
      switch self {
      case .changes, .merge, .load, .sync: false
      case .commit, .save, .newActor, .mergeElsewhere, .mergeWithItself: true
      }
    }
  }

  /// Catches a change that is dropped without a word, told twice, or told of another document.
  ///
  /// The impostor is fa's first change and depends on a change of fb that does not come: it waits. Then another first
  /// change of fa comes, or is made.
  private static let droppedChanges = PublicCallLaw(
    "api.dropped-changes",
    "The log is told of each dropped change.",
    "A waiting change whose number its author uses for another is dropped, and the log of the document that drops it "
      + "is told of it once, by its hash, whatever call took the number.",
    source: .specification(.codable, "Documents"),
    count: 8
  ) { story in
    let missing = Document.written(by: 0xfb)
    try missing.put(obj: .ROOT, key: "missing", value: .Int(1))
    missing.commitOnce()
    let impostor = missing.copy(by: 0xfa)
    try impostor.put(obj: .ROOT, key: "k", value: .Int(2))
    impostor.commitOnce()
    let waiting = try impostor.encodeChangesSince(heads: missing.heads())
    let author = Document.written(by: 0xfa)
    try author.put(obj: .ROOT, key: "k", value: .Int(3))

    let taking = story.element(of: Taking.allCases)
    let recorder = LogRecorder()
    let log = recorder.log(story.element(of: [LogVerbosity.errorOnly, .debug, .tracing]))
    let actor = MergeEngine.ActorID([taking.isOwn ? 0xfa : 0xfd])
    let receiver = Document(engine: MergeDocument(actor: actor), log: log)
    var other: Document?
    try receiver.applyEncodedChanges(encoded: waiting)
    if taking.isOwn { try receiver.put(obj: .ROOT, key: "k", value: .Int(3)) }
    story.note("a change of fa waits; another one takes its number: \(taking)")
    switch taking {
    case .changes: try receiver.applyEncodedChanges(encoded: author.encodeNewChanges())
    case .merge: try receiver.merge(other: author)
    case .load: _ = try Document(receiver.save() + author.encodeNewChanges(), log: log)
    case .sync: try receiver.synchronise(with: author)
    case .commit: receiver.commitOnce()
    case .save: _ = receiver.save()
    case .newActor: receiver.actor = ActorId(MergeEngine.ActorID([0xfc]))
    case .mergeElsewhere:
      other = Document(engine: MergeDocument(actor: MergeEngine.ActorID([0xfd])), log: log)
      try other?.merge(other: receiver)
    case .mergeWithItself: try receiver.merge(other: receiver)
    }
    guard let hash = impostor.heads().first else { return }
    let told = recorder.lines.filter { $0.contains("dropped the waiting change") }
    try expect(
      told.count == 1 && told[0].hasPrefix("error:") && told[0].contains("\(hash)"),
      "the log is told of one dropped change, \(hash), as \(told)"
    )
    guard taking != .load else { return }
    try expect(
      receiver.droppedChangeCount == 1 && receiver.droppedChanges.map(\.hash) == [hash],
      "one change was dropped, \(hash); told are \(receiver.droppedChanges.map(\.hash))"
    )
  }

  /// Catches a log that counts on a list of all dropped changes: a document keeps the last ones alone.
  ///
  /// Each writer's first change waits for one that does not come, and others take their numbers, some at a time. More
  /// than 64 are dropped in the end, and no call drops as many.
  ///
  ///     dropped before      60, all of them in the list
  ///     dropped now         8: the list has the last 64 of 68, and 8 are told
  static let manyDroppedChanges = PublicCallLaw(
    "api.many-dropped-changes",
    "Each of many dropped changes is told.",
    "However many waiting changes a document has dropped, its log is told once of each of up to 64 that the next call "
      + "drops, and it lists the last 64 and counts all.",
    source: .specification(.codable, "Documents"),
    count: 12,
    costs: 4
  ) { story in
    let missing = Document.written(by: 0xfb)
    try missing.put(obj: .ROOT, key: "missing", value: .Int(1))
    missing.commitOnce()
    let recorder = LogRecorder()
    let receiver = Document(
      engine: MergeDocument(actor: MergeEngine.ActorID([0xfd])),
      log: recorder.log(.errorOnly)
    )
    let total = 66 + story.index(below: 8)
    var waiting: [AutomergeDocument.ChangeHash] = []
    for writer in 0..<UInt8(total) {
      let impostor = missing.copy(by: writer)
      try impostor.put(obj: .ROOT, key: "k", value: .Int(2))
      impostor.commitOnce()
      try receiver.applyEncodedChanges(
        encoded: impostor.encodeChangesSince(heads: missing.heads())
      )
      waiting += impostor.heads()
    }
    story.note("the first changes of \(total) writers wait")
    var count = 0
    while count < total {
      let next = min(total, count + 1 + story.index(below: 40))
      story.note("others take the numbers of \(next - count)")
      var changes = Data()
      for writer in UInt8(count)..<UInt8(next) {
        let author = Document.written(by: writer)
        try author.put(obj: .ROOT, key: "k", value: .Int(3))
        changes += author.encodeNewChanges()
      }
      recorder.forget()
      try receiver.applyEncodedChanges(encoded: changes)
      let due = waiting[count..<next]
      let told = recorder.lines.filter { $0.contains("dropped the waiting change") }
      try expect(
        told.count == due.count
          && due.allSatisfy { hash in told.contains { $0.contains("\(hash)") } },
        "a call drops \(counted(due.count, "change")) behind \(count), and the log is told of \(told.count)"
      )
      count = next
      let listed = receiver.droppedChanges.map(\.hash)
      try expect(
        receiver.droppedChangeCount == count && listed.count == min(64, count)
          && Set(listed.suffix(due.count)) == Set(due),
        "of \(count) dropped changes \(listed.count) are listed, and "
          + "\(receiver.droppedChangeCount) counted"
      )
    }
  }
}

/// What a backend of the log hears: a level and a text for each line.
///
/// All calls come from one thread; the lock is there for `Sendable`.
private final class LogRecorder: Sendable {
  private let heard = Mutex<[String]>([])

  var lines: [String] { heard.withLock { $0 } }

  func forget() { heard.withLock { $0 = [] } }

  func log(_ verbosity: LogVerbosity) -> DocumentLog {
    DocumentLog(verbosity) { [self] in
      Logger(label: LogVerbosity.logLabel) { _ in Handler(recorder: self) }
    }
  }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    /// That of a program which logs little: the document is to set its own.
    var logLevel: Logger.Level = .critical

    func log(event: LogEvent) {
      recorder.heard.withLock { $0.append("\(event.level): \(event.message)") }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}
