package import Foundation
import Synchronization

/// How many inputs a fuzzer's process judged, and how many of them got past the entrance: what is no file of its
/// kind at all, or makes no sample, shows that the reader refuses it and nothing else.
///
/// libFuzzer runs many processes one after the other; each appends a line to one file as it ends. One that is
/// killed, or ends with an input that fails, appends nothing.
package final class FuzzTally: Sendable {
  package struct Counts: Hashable, Sendable {
    package var judged = 0
    package var passed = 0

    package init() {}
  }

  /// Name of the environment variable that holds the path of the file.
  package static let variable = "TOUCHSTONE_FUZZ_TALLY"

  // A lock and no actor: libFuzzer's functions are synchronous. It guards two numbers.
  private let counts = Mutex(Counts())

  package init() {}

  package func add(isPassed: Bool) {
    counts.withLock { counts in
      counts.judged += 1
      if isPassed { counts.passed += 1 }
    }
  }

  /// Appends a line to the file that the environment names; nothing if it names none.
  package func append(environment: [String: String]) {
    guard let path = environment[Self.variable], !path.isEmpty else { return }
    let (judged, passed) = counts.withLock { ($0.judged, $0.passed) }
    let manager = FileManager.default
    if !manager.fileExists(atPath: path) {
      _ = manager.createFile(atPath: path, contents: nil)
    }
    // If this fails, the report has no figure.
    guard let handle = FileHandle(forWritingAtPath: path) else { return }
    _ = try? handle.seekToEnd()
    try? handle.write(contentsOf: Data("\(judged) \(passed)\n".utf8))
    try? handle.close()
  }

  /// What all processes counted; `nil` if none did.
  package static func read(_ file: URL) -> Counts? {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    var result = Counts()
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { continue }
      result.judged += numbers[0]
      result.passed += numbers[1]
    }
    return result.judged > 0 ? result : nil
  }
}
