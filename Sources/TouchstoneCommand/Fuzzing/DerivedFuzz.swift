import CaseFiles
import Foundation
import FuzzEntryPoints
import PropertyEngine
import Texts

/// `touchstone fuzz --without-libfuzzer`: inputs that are made of seeds at random, judged in this process.
struct DerivedFuzz {
  let targets: [FuzzTarget]
  let subject: String?
  let count: Int
  let seed: Seed
  /// Where failing inputs are kept, a folder for each target.
  let folder: URL
  let isInterrupted: () -> Bool
  let say: (String) -> Void

  /// Judges all.
  ///
  /// - Returns: Whether every law held, and of how many inputs, those of all targets together.
  /// - Throws: What the file system says, and what choosing a subject throws.
  func run() throws -> (holds: Bool, count: Int) {
    var (holds, judgedCount) = (true, 0)
    for target in targets {
      let home = folder.appendingPathComponent(target.id)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      // An input that ends the process, or hangs, is the one that stands there.
      let running = home.appendingPathComponent("running.bin")
      let start = Date()
      let result = try DerivedRun(try target.subject(subject), seed: seed).run(
        0..<count,
        clock: { Date().timeIntervalSince(start) },
        before: { bytes in
          try Data(bytes).write(to: running)
          return !isInterrupted()
        }
      )
      try? FileManager.default.removeItem(at: running)
      let slowest = home.appendingPathComponent("slowest.bin")
      try writeFile(Data(result.slowest.bytes), to: slowest)
      tell(result, of: target)
      judgedCount += result.count
      for (number, failure) in result.failures.enumerated() {
        holds = false
        let file = home.appendingPathComponent("failure-\(number + 1).bin")
        try writeFile(Data(failure.input.bytes), to: file)
        say(failure.input.explanation(of: failure.finding, file: file.path))
      }
      if isInterrupted() { break }
    }
    return (holds, judgedCount)
  }

  private func tell(_ result: DerivedRun.Result, of target: FuzzTarget) {
    var words = "\(target.id): \(counted(result.count, "input"))"
    if let passed = result.passedCount, result.count > 0 {
      words += ", \(passed * 100 / result.count) % of them past the entrance"
    }
    let failing = result.failures.reduce(0) { $0 + $1.count }
    words += "; \(counted(failing, "violates", "violate")) a law"
    words += "; the slowest took \(Int(result.slowest.seconds * 1000)) ms"
    say(words)
  }
}
