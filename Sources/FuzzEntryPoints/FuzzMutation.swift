import FuzzSessions
package import PropertyEngine

/// New inputs of a fuzz target out of others, by what the bytes mean.
///
/// libFuzzer's own mutations change bytes. A part of the inputs is made otherwise: of choices as
/// ``PropertyEngine/ChoiceMutation`` says; what comes in from outside gets a wound that knows the form, or
/// its entrance made right (a checksum, say), which libFuzzer's mutations spoil.
package struct FuzzMutation: Sendable {
  private let subject: FuzzSubject
  /// A quarter are random cases: without them three bugs of the specification took fifty times as many inputs.
  ///
  /// A quarter stays libFuzzer's, which changes single bytes.
  private let mutator = ChoiceMutator(turns: [.choices, .random, .choices, .plain])

  package init(_ subject: FuzzSubject) {
    self.subject = subject
  }

  /// Keeps what an input drew, for its mutations.
  func keep(_ input: FuzzInput, of bytes: [UInt8]) {
    if subject.target.readsChoices { mutator.keep(input.choices, of: bytes) }
  }

  /// An input with a change, decided by `seed`.
  ///
  /// `plain` is the fuzzer's own mutator.
  package func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: ChoiceMutation.Plain
  ) -> [UInt8] {
    if let boundary = subject.target.boundary {
      return Self.mutated(bytes, at: boundary, seed, by: plain)
    }
    return mutator.mutated(
      bytes,
      seed: seed,
      by: plain,
      random: randomCase,
      draw: choices(of:)
    )
  }

  /// The first input with a span of the second, in the place of one with the same label or after it;
  /// nothing if there are no such two.
  package func crossed(_ first: [UInt8], _ second: [UInt8], seed: UInt32) -> [UInt8] {
    guard subject.target.readsChoices else { return [] }
    return mutator.crossed(first, second, seed: seed, draw: choices(of:))
  }

  /// A sixth stays libFuzzer's; the others get past the entrance again, so that four of five inputs do.
  private static func mutated(
    _ bytes: [UInt8],
    at boundary: Boundary,
    _ seed: UInt32,
    by plain: ChoiceMutation.Plain
  ) -> [UInt8] {
    var mutated: [UInt8]
    switch seed % 6 {
    case 0: return plain(bytes, .max)
    case 1, 3: mutated = plain(bytes, .max)
    default:
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      mutated = bytes
      boundary.wound(&mutated, [bytes], &choices)
    }
    return boundary.entrance?.repaired(mutated) ?? mutated
  }

  /// A sample as `check` draws it.
  private func randomCase(_ seed: UInt32) -> [UInt8] {
    FuzzInput(
      drawing: Choices(seed: Seed(value: UInt64(seed))),
      on: subject,
      JudgingRequest(drawsOnly: true)
    ).bytes
  }

  /// What an input's bytes draw says what they mean; the subject is not asked.
  private func choices(of bytes: [UInt8]) -> Choices {
    FuzzInput(bytes: bytes, on: subject, JudgingRequest(drawsOnly: true)).choices
  }
}
