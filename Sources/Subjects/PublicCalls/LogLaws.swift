import AutomergeDocument
import Logging
import MergeEngine
import PropertyEngine
import Synchronization

extension PublicCallLaw {
  static let logLaws = [log]

  /// An edit that is told neither to observers nor to the log takes a shorter way.
  ///
  /// A wrong count of those who are told takes it too often: observers come and go.
  private static let log = PublicCallLaw(
    "api.log",
    "The log is told of each call.",
    "A document tells its log of each put, commit and save as its verbosity says, and of nothing else, however "
      + "many observers there are.",
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
      switch story.index(below: 9) {
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
    var logLevel: Logger.Level = .trace

    func log(event: LogEvent) {
      recorder.heard.withLock { $0.append("\(event.level): \(event.message)") }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}
