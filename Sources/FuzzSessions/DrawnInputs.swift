package import PropertyEngine
import Synchronization

/// What a fuzzer's inputs drew, kept for their mutations.
///
/// libFuzzer changes what it judged a moment before, or crosses it with an input that it kept. Where
/// each span of an input stands is known from its judgement; to draw the sample again took 39 % of the
/// time of the target *decode*, and 10 % of *histories*.
package final class DrawnInputs: Sendable {
  /// Inputs that are kept; with more, all are forgotten.
  package static let countLimit = 4096

  // A lock and no actor: libFuzzer's functions are synchronous.
  private let kept = Mutex<[[UInt8]: Choices]>([:])

  package init() {}

  /// Keeps what was drawn from an input.
  package func keep(_ choices: Choices, of bytes: [UInt8]) {
    kept.withLock { kept in
      if kept.count >= Self.countLimit { kept = [:] }
      kept[bytes] = choices
    }
  }

  /// What an input drew, by `draw` if that is not known.
  package func choices(of bytes: [UInt8], orElse draw: () -> Choices) -> Choices {
    if let known = kept.withLock({ $0[bytes] }) { return known }
    let choices = draw()
    keep(choices, of: bytes)
    return choices
  }
}
