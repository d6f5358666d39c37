package import PropertyEngine

/// Makes new inputs out of others whose bytes are choices, by what the bytes mean.
package struct ChoiceMutator: Sendable {
  /// How an input is made.
  package enum Turn: Sendable {
    /// As a random case, whatever the other input is.
    case random
    /// By the fuzzer's own mutator, which changes single bytes.
    case plain
    /// By a change of the choices, or as ``plain`` where there is none.
    case choices
  }

  private let turns: [Turn]
  private let numbers: [Int64]
  private let drawn = DrawnInputs()

  /// - Parameters:
  ///   - turns: At least one; a seed takes the one at its remainder.
  ///   - numbers: Numbers that samples may be compared with, which mutations put in.
  package init(turns: [Turn], numbers: [Int64] = []) {
    self.turns = turns
    self.numbers = numbers
  }

  /// Keeps what an input drew, for its mutations.
  package func keep(_ choices: Choices, of bytes: [UInt8]) { drawn.keep(choices, of: bytes) }

  /// An input with a change, decided by `seed`; `plain` is the fuzzer's own mutator.
  ///
  /// `random` makes a random case of a seed, `draw` tells what an input draws.
  package func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: ChoiceMutation.Plain,
    random: (UInt32) -> [UInt8],
    draw: ([UInt8]) -> Choices
  ) -> [UInt8] {
    switch turns[Int(seed % UInt32(turns.count))] {
    case .random: return random(seed)
    case .plain: return plain(bytes, .max)
    case .choices:
      let mutation = mutation(bytes, draw)
      return mutation.mutated(seed: UInt64(seed), numbers: numbers, by: plain) ?? plain(bytes, .max)
    }
  }

  /// The first input with a part of the second; empty if there is none.
  package func crossed(
    _ first: [UInt8],
    _ second: [UInt8],
    seed: UInt32,
    draw: ([UInt8]) -> Choices
  ) -> [UInt8] {
    mutation(first, draw).crossed(with: mutation(second, draw), seed: UInt64(seed)) ?? []
  }

  private func mutation(_ bytes: [UInt8], _ draw: ([UInt8]) -> Choices) -> ChoiceMutation {
    ChoiceMutation(of: bytes, drawn: drawn.choices(of: bytes) { draw(bytes) })
  }
}
