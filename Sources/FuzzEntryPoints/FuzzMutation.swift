import DocumentLaws
import PropertyEngine

/// New inputs of a fuzz target out of others, by what the bytes mean.
///
/// libFuzzer's own mutations change bytes. Most of what they do to choices moves all later bytes to
/// other questions, and what they do to a file spoils its checksum. So a part of the inputs is made
/// here: of choices, whole spans (a step of a history, a field of a model) are left out, doubled,
/// moved or drawn again; a file gets a wound that knows the format, or has its checksum made right.
package struct FuzzMutation: Sendable {
  private let subject: FuzzSubject

  package init(_ subject: FuzzSubject) {
    self.subject = subject
  }

  /// An input with a change, decided by `seed`.
  ///
  /// `plain` is the fuzzer's own mutator.
  package func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: ([UInt8]) -> [UInt8]
  ) -> [UInt8] {
    guard subject.target.readsChoices else { return Self.mutatedFile(bytes, seed, by: plain) }
    // Half of the inputs stay libFuzzer's: it alone knows which comparisons just failed.
    guard seed.isMultiple(of: 2) else { return plain(bytes) }
    var random = Choices(seed: Seed(value: UInt64(seed)))
    let drawn = drawn(bytes)
    guard let span = random.span(of: drawn) else { return plain(bytes) }
    var values = drawn.recordedValues
    let part = Array(values[span.start..<span.end])
    switch random.choice(upTo: 3) {
    case 0:
      values.removeSubrange(span.start..<span.end)
    case 1:
      values.insert(contentsOf: part, at: span.end)
    case 2:
      guard let other = random.span(of: drawn, labelled: span.label) else { return plain(bytes) }
      values.replaceSubrange(other.start..<other.end, with: part)
    default:
      for index in span.start..<span.end {
        values[index] = random.choice(upTo: drawn.recorded[index].limit)
      }
    }
    return spelled(values)
  }

  /// The first input with a span of the second, in the place of one with the same label or after it;
  /// nothing if there are no such two.
  package func crossed(_ first: [UInt8], _ second: [UInt8], seed: UInt32) -> [UInt8] {
    guard subject.target.readsChoices else { return [] }
    var random = Choices(seed: Seed(value: UInt64(seed)))
    let (into, from) = (drawn(first), drawn(second))
    guard let span = random.span(of: from) else { return [] }
    let part = from.recordedValues[span.start..<span.end]
    var values = into.recordedValues
    guard let place = random.span(of: into, labelled: span.label) else { return [] }
    if random.choice(upTo: 1) == 0 {
      values.replaceSubrange(place.start..<place.end, with: part)
    } else {
      values.insert(contentsOf: part, at: place.end)
    }
    return spelled(values)
  }

  private static func mutatedFile(
    _ file: [UInt8],
    _ seed: UInt32,
    by plain: ([UInt8]) -> [UInt8]
  ) -> [UInt8] {
    switch seed % 3 {
    case 0: return plain(file)
    case 1: return ChunkForge.sealed(plain(file))
    default:
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      return DamagedBytes.wounded(file, &choices)
    }
  }

  /// What an input's bytes draw; the subject is not asked.
  private func drawn(_ bytes: [UInt8]) -> Choices {
    FuzzInput(bytes: bytes, on: subject, JudgingRequest(drawsOnly: true)).choices
  }

  private func spelled(_ values: [UInt32]) -> [UInt8] {
    FuzzInput(
      drawing: Choices(replaying: values),
      on: subject,
      JudgingRequest(drawsOnly: true)
    ).bytes
  }
}

extension Choices {
  /// One of the spans that hold anything, of all or of those with a label; `nil` if there is none.
  fileprivate mutating func span(
    of drawn: Choices,
    labelled label: String? = nil
  ) -> ChoiceSpan? {
    let spans = drawn.spans.filter { span in
      span.start < span.end && (label == nil || span.label == label)
    }
    return spans.isEmpty ? nil : element(of: spans)
  }
}

extension FuzzDriver {
  /// Changes an input in the fuzzer's buffer.
  ///
  /// - Parameters:
  ///   - buffer: The input, and room for a larger one.
  ///   - count: Bytes of the input.
  ///   - seed: What decides on the change.
  ///   - plain: libFuzzer's own mutator: changes the bytes at a place, of a count, up to a limit.
  /// - Returns: Bytes of the new input.
  public func mutate(
    _ buffer: UnsafeMutableBufferPointer<UInt8>,
    count: Int,
    seed: UInt32,
    plain: (UnsafeMutablePointer<UInt8>?, Int, Int) -> Int
  ) -> Int {
    let input = unsafe Array(buffer.prefix(count))
    let made = mutation.mutated(input, seed: seed) { bytes in
      // The fuzzer's buffer lends its room.
      let kept = unsafe Self.copy(bytes, into: buffer)
      let count = unsafe plain(buffer.baseAddress, kept, buffer.count)
      return unsafe Array(buffer.prefix(count))
    }
    return unsafe Self.copy(made, into: buffer)
  }

  /// Makes an input out of two others.
  ///
  /// - Returns: Bytes of the new input; 0 if none was made.
  public func crossOver(
    _ first: UnsafeBufferPointer<UInt8>,
    _ second: UnsafeBufferPointer<UInt8>,
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    seed: UInt32
  ) -> Int {
    let made = unsafe mutation.crossed(Array(first), Array(second), seed: seed)
    return unsafe Self.copy(made, into: buffer)
  }

  /// Writes as much of `bytes` as there is room for; how many those are.
  private static func copy(_ bytes: [UInt8], into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int
  {
    let kept = bytes.prefix(buffer.count)
    for (index, byte) in kept.enumerated() { unsafe buffer[index] = byte }
    return kept.count
  }
}
