package import Foundation

#if os(Linux) || os(macOS)
/// A process that judges cases one after the other, so that a trap or a hang in one ends it and not its parent.
///
/// It prints a ``CaseMark`` before each case and its answer, one line of JSON, at the end:
///
///     case 0
///     case 1 0.25
///     {"cases":2}
package struct CaseProcess: Sendable {
  private let program: URL
  private let arguments: [String]
  private let environment: [String: String]
  private let log: URL
  private let silenceLimit: Double

  /// What became of a process.
  package struct Outcome<Answer> {
    /// `nil` if it ended before it had judged all cases.
    package let answer: Answer?
    package let end: Subprogram.End
    /// What it printed; other lines than marks and the answer are of what it judged.
    package let lines: [Substring]
    private let silenceLimit: Double

    fileprivate init(answer: Answer?, end: Subprogram.End, lines: [Substring], silenceLimit: Double)
    {
      (self.answer, self.end, self.lines) = (answer, end, lines)
      self.silenceLimit = silenceLimit
    }

    /// The last case that it began.
    package var lastCase: CaseMark? {
      lines.reversed().lazy.compactMap { CaseMark(String($0)) }.first
    }

    /// How it ended, as a sentence without its full stop.
    package var explanation: String { end.explanation(secondsLimit: silenceLimit) }
  }

  /// - Parameters:
  ///   - program: What is run.
  ///   - arguments: What it is given.
  ///   - environment: Variables beside those of this process.
  ///   - log: The file of what it prints; its folder is made.
  ///   - silenceLimit: Seconds on the clock; a process that prints nothing for so long counts as hanging, as does one
  ///     that waits for something that never comes (``SleepWatch``).
  package init(
    _ program: URL,
    _ arguments: [String],
    environment: [String: String] = [:],
    log: URL,
    silenceLimit: Double
  ) {
    (self.program, self.arguments) = (program, arguments)
    // A backtrace takes seconds, and says nothing that the case does not show again.
    self.environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
    (self.log, self.silenceLimit) = (log, silenceLimit)
  }

  /// Runs it to its end, or until `isInterrupted`, which is asked all the time.
  ///
  /// - Throws: What the system says if it cannot be started, or its output cannot be read.
  package func run<Answer: Decodable>(
    for answer: Answer.Type,
    isInterrupted: () -> Bool
  ) throws -> Outcome<Answer> {
    let end = try Subprogram.run(
      program,
      arguments,
      environment: environment,
      output: log,
      secondsLimit: silenceLimit,
      of: .silence,
      endsSleepers: true,
      isInterrupted: isInterrupted
    )
    let lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
    var found: Answer?
    if case .exited(0) = end, let last = lines.last {
      found = try? JSONDecoder().decode(Answer.self, from: Data(last.utf8))
    }
    return Outcome(answer: found, end: end, lines: lines, silenceLimit: silenceLimit)
  }

  /// The line, with its end, in which a process gives its answer.
  package static func line(of answer: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n"
  }
}
#endif
