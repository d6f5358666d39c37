package import PropertyEngine

/// Judges inputs that are made of seeds at random, where there is no libFuzzer, or no time to build it.
///
/// Input `i` is a function of the seed and of `i`, so a run repeats, and two runs of one seed with other
/// ranges share nothing.
package struct DerivedRun {
  /// What came of a run.
  package struct Result {
    package var count = 0
    /// Inputs that got past the entrance of their boundary; `nil` if there is none.
    package var passedCount: Int?
    /// The first input of each kind of failure, with the number of its like.
    package var failures: [(input: FuzzInput, finding: Finding, count: Int)] = []
    /// The input that took longest, and its seconds.
    package var slowest: (bytes: [UInt8], seconds: Double) = ([], 0)
  }

  private let subject: FuzzSubject
  private let seed: Seed

  package init(_ subject: FuzzSubject, seed: Seed) {
    self.subject = subject
    self.seed = seed
  }

  /// The bytes of an input.
  package func bytes(_ index: Int) -> [UInt8] {
    FuzzInput(
      drawing: Choices(seed: seed.stream(UInt64(index))),
      on: subject,
      JudgingRequest(drawsOnly: true)
    ).bytes
  }

  /// Judges the inputs of some numbers one after the other.
  ///
  /// `clock` gives seconds, which no verdict sees; `before` is called with each input before it is judged,
  /// so that one that ends the process is known, and may end the run by false.
  package func run(
    _ range: Range<Int>,
    clock: () -> Double = { 0 },
    before: ([UInt8]) throws -> Bool = { _ in true }
  ) rethrows -> Result {
    var result = Result()
    let entrance = subject.target.boundary?.entrance
    result.passedCount = entrance.map { _ in 0 }
    for index in range {
      let bytes = bytes(index)
      guard try before(bytes) else { break }
      let start = clock()
      let input = FuzzInput(bytes: bytes, on: subject)
      let seconds = clock() - start
      if seconds > result.slowest.seconds { result.slowest = (bytes, seconds) }
      result.count += 1
      if entrance?.isPassed(bytes) == true { result.passedCount = (result.passedCount ?? 0) + 1 }
      guard let finding = input.finding else { continue }
      let known = result.failures.firstIndex { $0.finding.isSameFailure(as: finding) }
      if let known {
        result.failures[known].count += 1
      } else {
        result.failures.append((input, finding, 1))
      }
    }
    return result
  }
}
