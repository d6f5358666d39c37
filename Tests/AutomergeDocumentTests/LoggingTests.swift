import AutomergeDocument
import Foundation
import Logging
import MergeEngine
import Synchronization
import Testing

/// What a backend hears.
private final class Recorder: Sendable {
  let messages = Mutex<[(level: Logger.Level, text: String)]>([])

  func log(_ verbosity: LogVerbosity) -> DocumentLog {
    DocumentLog(verbosity) { [self] in
      Logger(label: LogVerbosity.logLabel) { _ in Handler(recorder: self) }
    }
  }

  struct Handler: LogHandler {
    let recorder: Recorder
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    func log(event: LogEvent) {
      recorder.messages.withLock { $0.append((event.level, "\(event.message)")) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}

@Suite("Logging (UTL-06)")
struct LoggingTests {
  /// Edits, commits, saves, forks, merges, and what is refused.
  private func live(_ verbosity: LogVerbosity) throws -> [(level: Logger.Level, text: String)] {
    let recorder = Recorder()
    let log = recorder.log(verbosity)
    let document = Document(engine: MergeDocument(actor: ActorId().engineID), log: log)
    try document.put(obj: .ROOT, key: "secret key", value: .String("secret value"))
    let text = try document.putObject(obj: .ROOT, key: "t", ty: .Text)
    try document.updateText(obj: text, value: "secret text")
    document.commitWith(message: "secret message")
    let saved = document.save()
    try document.merge(other: document.fork())
    #expect(throws: DocError.self) { try document.applyEncodedChanges(encoded: Data([1])) }
    _ = try Document(saved, log: log)
    #expect(throws: LoadError.self) { _ = try Document(Data([1]), log: log) }
    return recorder.messages.withLock { $0 }
  }

  @Test("A waiting change that is dropped is told, whatever call drops it")
  func dropped() throws {
    let base = MergeDocument(actor: ActorId().engineID)
    try base.put(.root, .key("a"), .int(1))
    base.commit()
    // The twin of the first change that `writer` will make, behind a change that is missing.
    let writer = ActorId()
    let twin = base.fork(actor: writer.engineID)
    try twin.put(.root, .key("twin"), .int(1))
    twin.commit()
    let waiting = Data(try #require(twin.changeBytes().last))
    let calls: [(Document) throws -> Void] = [
      { $0.commitWith() },
      { _ = $0.heads() },
      { try $0.applyEncodedChanges(encoded: Data()) },
      { $0.actor = ActorId() },
      { try Document().merge(other: $0) },
      { try $0.merge(other: $0) },
      { document in
        #expect(throws: DocError.self) {
          try document.applyEncodedChanges(encoded: Data([1]))
        }
      },
      { document in
        #expect(throws: ReceiveSyncError.self) {
          try document.receiveSyncMessage(state: SyncState(), message: Data([1]))
        }
      },
    ]
    for call in calls {
      let recorder = Recorder()
      let log = recorder.log(.errorOnly)
      let document = Document(engine: MergeDocument(actor: writer.engineID), log: log)
      try document.applyEncodedChanges(encoded: waiting)
      try document.put(obj: .ROOT, key: "k", value: .Int(1))
      try call(document)
      #expect(document.droppedChangeCount == 1)
      let texts = recorder.messages.withLock { $0.map(\.text) }
      #expect(texts.filter { $0.hasPrefix("dropped the waiting change ") }.count == 1)
    }
  }

  @Test("Errors alone are told by default: what was refused")
  func errorOnly() throws {
    let messages = try live(.errorOnly)
    #expect(messages.map(\.level) == [.error, .error])
    #expect(messages[0].text.hasPrefix("applying 1 bytes was refused: "))
    #expect(messages[1].text.hasPrefix("loading 1 bytes was refused: "))
  }

  @Test("With debug, the life cycle is told, too")
  func debug() throws {
    let messages = try live(.debug)
    let told = messages.filter { $0.level == .debug }.compactMap {
      $0.text.split(separator: " ").first
    }
    #expect(told == ["committed", "saved", "forked", "merging", "loaded"])
    #expect(messages.filter { $0.level == .error }.count == 2)
    #expect(messages.count == 7)
  }

  @Test("With tracing, each edit is told, with its object")
  func tracing() throws {
    let messages = try live(.tracing)
    let edits = messages.filter { $0.level == .trace }.map(\.text)
    #expect(edits.count == 3)
    #expect(edits[0] == "put in ObjId.ROOT")
    #expect(edits[2].hasPrefix("updateText in ObjId("))
  }

  @Test("The user's content is never told")
  func content() throws {
    for verbosity: LogVerbosity in [.errorOnly, .debug, .tracing] {
      for message in try live(verbosity) { #expect(!message.text.contains("secret")) }
    }
  }

  @Test("A fork is silent but for errors")
  func forks() throws {
    let recorder = Recorder()
    let log = recorder.log(.tracing)
    let document = Document(engine: MergeDocument(actor: ActorId().engineID), log: log)
    let fork = document.fork()
    let count = recorder.messages.withLock { $0.count }
    try fork.put(obj: .ROOT, key: "k", value: .Null)
    fork.commitWith()
    #expect(recorder.messages.withLock { $0.count } == count)
  }
}
