package import PropertyEngine

/// Laws before a fuzzer: bytes are choices; the first says which law judges the sample of the others.
package struct FuzzLoop: Sendable {
  /// What came of one input.
  package enum Outcome: Hashable, Sendable {
    /// All laws held, or what they break is known; new code that it reached is worth keeping.
    case held
    /// No sample was drawn, or no law says anything of it, or it fails as another did before.
    case pointless
    case failed(FailureKey)
  }

  /// An input as it was read, and what came of it.
  package struct Input {
    package let group: LawGroup
    /// The choices of the sample, without the one that chose the law.
    package let choices: Choices
    package let judged: JudgedCase
  }

  /// Laws by the first choice, each as often as its share of the inputs: one that `costs` more has fewer.
  private let groups: [LawGroup]
  private let known: Set<FailureKey>
  private let mutator: ChoiceMutator

  /// - Parameters:
  ///   - groups: At least one; an input means the same for as long as their order stays.
  ///   - known: Failures that end nothing.
  ///   - numbers: Numbers that samples may be compared with, which mutations put in.
  package init(_ groups: [LawGroup], known: Set<FailureKey> = [], numbers: [Int64] = []) {
    let most = groups.map(\.costs).max() ?? 1
    let shares = groups.flatMap { Array(repeating: $0, count: max(1, most / max(1, $0.costs))) }
    // The choice is a byte.
    self.groups = shares.count <= 256 ? shares : groups
    self.known = known
    mutator = ChoiceMutator(turns: Self.turns, numbers: numbers)
  }

  /// One of 12 inputs is a random case: what coverage leads away from is met as it is without a fuzzer.
  ///
  /// A third stays libFuzzer's.
  private static let turns: [ChoiceMutator.Turn] = (0..<12).map { turn in
    turn == 1 ? .random : turn.isMultiple(of: 3) ? .plain : .choices
  }

  /// Draws the choice of a law, and then a sample, which is judged.
  ///
  /// The sample's choices have a source of their own, so that what a test notes of them before its code
  /// ends the process makes the sample again.
  package func judge(_ bytes: [UInt8]) -> Input {
    var pick = Choices(bytes: bytes)
    let group = pick.element(of: groups)
    var choices = Choices(bytes: Array(bytes.dropFirst(pick.byteOffsets.last ?? 0)))
    let judged = group.judge(&choices)
    return Input(group: group, choices: choices, judged: judged)
  }

  /// What comes of an input that a fuzzer made; `onSample` gets its sample, if one was drawn.
  package func outcome(
    of bytes: [UInt8],
    onSample: (JudgedSample) -> Void = { _ in }
  ) -> Outcome {
    let (_, choices, judged) = draw(Choices(bytes: bytes))
    mutator.keep(choices, of: bytes)
    if let sample = judged.sample { onSample(sample) }
    let keys = judged.findings.map(\.key)
    if let key = keys.first(where: { !known.contains($0) }) { return .failed(key) }
    guard keys.isEmpty, judged.sample != nil else { return .pointless }
    return judged.isJudged ? .held : .pointless
  }

  /// An input as a random case would be: the start of a corpus.
  package func seed(_ index: Int) -> [UInt8] {
    draw(Choices(seed: Seed(value: 1).stream(UInt64(index))), drawsOnly: true).choices.spelledBytes
  }

  private func draw(
    _ source: Choices,
    drawsOnly: Bool = false
  ) -> (group: LawGroup, choices: Choices, judged: JudgedCase) {
    var choices = source
    let group = choices.element(of: groups)
    let judged = group.judge(&choices, JudgingRequest(drawsOnly: drawsOnly))
    return (group, choices, judged)
  }

  // MARK: - Mutations

  /// An input with a change, decided by `seed`; `plain` is the fuzzer's own mutator.
  package func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: ChoiceMutation.Plain
  ) -> [UInt8] {
    mutator.mutated(
      bytes,
      seed: seed,
      by: plain,
      random: { self.seed(Int($0)) },
      draw: choices(of:)
    )
  }

  /// The first input with a part of the second; empty if there is none.
  package func crossed(_ first: [UInt8], _ second: [UInt8], seed: UInt32) -> [UInt8] {
    mutator.crossed(first, second, seed: seed, draw: choices(of:))
  }

  private func choices(of bytes: [UInt8]) -> Choices {
    draw(Choices(bytes: bytes), drawsOnly: true).choices
  }
}
