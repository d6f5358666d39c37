import Foundation
import PropertyEngine

/// What a fuzzer's run knows of its targets: which there are, how a fuzzer of one is started, and
/// how an input that failed is judged.
protocol FuzzSource: Sendable {
  /// What is fuzzed, each with a corpus of its own.
  var targets: [FuzzRun.Target] { get }
  /// Files of this run alone; inputs to start from lie in `seeds/ID` of it.
  var folder: URL { get }
  var isInterrupted: @Sendable () -> Bool { get }
  /// Tells the user something in a line.
  var say: @Sendable (String) -> Void { get }
  /// Runs in a row that end with what is known, after which a target is left alone; `nil` for no limit.
  var repeatLimit: Int? { get }
  /// Seconds for taking one corpus to a minimum; `nil` for those of one run of a fuzzer.
  var minimisingSeconds: Double? { get }
  /// Whether the line about a target's progress counts inputs that failed.
  var countsFailingInputs: Bool { get }

  /// A fuzzer of one target.
  ///
  /// `folder` is the one of this fuzzer alone, in which libFuzzer writes inputs that fail into `artifacts`;
  /// `known` are failures of the target that need not be found again.
  ///
  /// - Throws: What the file system says.
  func fuzzer(of target: Int, in folder: URL, known: [FailureKey]) throws -> Fuzzer

  /// How many situations the inputs of a corpus hold, by ``FuzzSessions/FuzzFeedback/steps(in:)``; `nil` if
  /// that cannot be told here.
  func situations(in corpus: URL, of target: Int) -> Int?

  /// Judges an input that failed, in a process without a fuzzer, and makes the first of each kind smaller.
  ///
  /// `isKnown` says whether this run has found a failure of that key already; `log` is what the fuzzer
  /// printed.
  ///
  /// - Returns: What it shows, none where the run was interrupted before that was clear; `nil` if nothing
  ///   fails.
  /// - Throws: What the file system says.
  func judge(
    _ artifact: URL,
    of target: Int,
    log: URL,
    isKnown: (FailureKey) -> Bool
  ) throws -> [JudgedFinding]?
}

extension FuzzSource {
  /// Says of an input that failed that the run was interrupted before it was judged: it shows nothing.
  func unjudged(_ kept: URL, of target: Int) -> [JudgedFinding] {
    say(
      "\(targets[target].title): interrupted before an input that failed was judged: \(kept.path)"
    )
    return []
  }
}

/// A failure that an input shows.
struct JudgedFinding {
  let finding: FuzzFinding
  /// The text for the user if the finding is new; `nil` if it was printed already.
  let text: String?
}

/// A program that is a fuzzer of one target, and how it is started.
struct Fuzzer {
  let program: URL
  /// The options of libFuzzer for inputs of this kind, such as `max_len=256`.
  let options: [String]
  /// What the program finds in its environment besides.
  var environment: [String: String] = [:]
  var dictionary: URL?
  /// Seconds on the clock for one input, after which libFuzzer counts it as hung; 0 for no limit.
  var inputSecondsLimit = FuzzSlice.usualInputSecondsLimit
  /// Whether libFuzzer runs in processes of its own below another, which goes on after what they find.
  var goesOn: Bool
}
