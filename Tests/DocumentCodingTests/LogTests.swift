import AutomergeDocument
import DocumentCoding
import Logging
import Synchronization
import Testing

/// What a backend hears.
private final class Recorder: Sendable {
  let lines = Mutex<[String]>([])

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
      recorder.lines.withLock { $0.append("\(event.level): \(event.message)") }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}

@Suite("What the encoder tells the log (`reportingLoglevel`)")
struct LogTests {
  private struct Note: Codable {
    var title: String
    var tags: [String]
  }

  /// Encodes, encodes something else, and is refused.
  private func lines(_ verbosity: LogVerbosity) throws -> [String] {
    let recorder = Recorder()
    let doc = Document()
    var encoder = AutomergeEncoder(doc: doc, reportingLoglevel: verbosity)
    encoder.log = recorder.log(verbosity)
    try encoder.encode(Note(title: "secret", tags: ["hidden"]))
    try encoder.encode(Note(title: "another secret", tags: ["hidden"]))
    #expect(throws: EncodingError.self) { try encoder.encode(["number": Double.infinity]) }
    return recorder.lines.withLock { $0 }
  }

  @Test("Nothing is told where only errors are asked for: a refusal is thrown")
  func errorOnly() throws {
    #expect(try lines(.errorOnly) == [])
  }

  @Test("Debugging tells what was encoded, made and refused, and where")
  func debug() throws {
    let lines = try lines(.debug)
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("debug: made a list at ") && lines[0].hasSuffix("tags"))
    #expect(lines[1].hasPrefix("debug: encoded Note at "))
    #expect(lines[2] == lines[1])
    #expect(lines[3].hasPrefix("debug: encoding Dictionary<String, Double> at "))
    #expect(lines[3].contains("was refused: "))
  }

  @Test("Tracing tells of each place that is written over, too, and never of what is written")
  func tracing() throws {
    let (debug, lines) = (try lines(.debug), try lines(.tracing))
    let more = lines.filter { !debug.contains($0) }
    #expect(more.count == 1 && more[0].hasPrefix("trace: setting ") && more[0].hasSuffix("title"))
    #expect(!lines.contains { $0.contains("secret") || $0.contains("hidden") })
  }
}
