// A check of what a document tells the log, run now and then by `DocumentReplica.heads()`.

import AutomergeDocument
import Logging
import MergeEngine
import Synchronization

extension Document {
  /// Throws if a document tells its log of other calls than those that are made.
  ///
  /// Observers come and go meanwhile.
  ///
  /// `number` chooses the verbosity, which observers come and go, and what is called.
  ///
  /// An edit that is told neither to observers nor to the log takes a shorter way. A wrong count of those who
  /// are told takes it too often.
  static func checkLog(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let recorder = LogRecorder()
    let verbosity = [LogVerbosity.tracing, .tracing, .debug, .errorOnly][random.index(below: 4)]
    let document = Document(
      engine: MergeDocument(actor: MergeEngine.ActorID([0xfd])),
      log: recorder.log(verbosity)
    )
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    var tokens: [ObservationToken] = []
    defer { for token in tokens { token.cancel() } }
    var isOpen = true
    for step in 0..<6 + random.index(below: 6) {
      recorder.forget()
      let object = random.index(below: 2) == 0 ? ObjId.ROOT : map
      var due: [String] = []
      switch random.index(below: 9) {
      case 0, 1: tokens.append(document.observe(step % 2 == 0 ? nil : map) { _ in })
      case 2, 3: tokens.popLast()?.cancel()
      case 4:
        document.commitWith()
        if isOpen, verbosity != .errorOnly { due = ["debug: committed"] }
        isOpen = false
      case 5:
        _ = document.save()
        if verbosity != .errorOnly { due = ["debug: saved"] }
        isOpen = false
      default:
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
