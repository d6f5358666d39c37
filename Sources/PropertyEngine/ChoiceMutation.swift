/// New bytes for a fuzzer out of others, by what they decide.
///
/// A fuzzer's own mutations change bytes. Most of what they do moves all later bytes to other questions.
/// Here whole spans (a step of a history, a field of a model) are left out, doubled, moved or drawn again,
/// and a number is changed as the bytes of its value, so that a fuzzer can put in what it was compared with.
///
/// Worked example, an input of three spans, `a` and `c` with one label:
///
///     input             [aa] [b] [cc]
///     kind 0            [aa] [cc]              `b` is left out
///     kind 1            [aa] [b] [b] [cc]      doubled
///     kind 2            [aa] [b] [aa]          `a` also in the place of `c`
///     kind 3            [aa] [?] [cc]          other bytes
///     kinds 4 and 5     a number, changed by the fuzzer as bytes
///     kinds 6 and 7     a number, replaced by one that the sources have
///
/// Only bytes move: nothing is drawn again. If the sample's code ends the process, it does so while the new
/// input is judged, and the fuzzer knows which one that was.
package struct ChoiceMutation: Sendable {
  /// A fuzzer's own mutator: new bytes out of others, no more than the limit.
  package typealias Plain = (_ bytes: [UInt8], _ countLimit: Int) -> [UInt8]

  /// At least as many bytes as the choices have: those that are missing are 0.
  private let bytes: [UInt8]
  private let drawn: Choices
  private let offsets: [Int]

  /// A mutation of bytes from which `drawn` was drawn.
  package init(of bytes: [UInt8], drawn: Choices) {
    self.drawn = drawn
    offsets = drawn.byteOffsets
    let missing = max(0, (offsets.last ?? 0) - bytes.count)
    self.bytes = bytes + Array(repeating: 0, count: missing)
  }

  /// The bytes with one change, decided by `seed`.
  ///
  /// A number becomes one of `numbers`, which its generator may compare it with, or is changed as bytes by
  /// `plain`, the fuzzer's own mutator.
  ///
  /// - Returns: `nil` if the choices have no part that the change applies to.
  package func mutated(seed: UInt64, numbers: [Int64] = [], by plain: Plain) -> [UInt8]? {
    var random = Choices(seed: Seed(value: seed))
    let kind = random.choice(upTo: numbers.isEmpty ? 5 : 7)
    if kind > 5 { return numberReplaced(&random, by: numbers) }
    if kind > 3 { return numberChanged(&random, by: plain) }
    guard let span = span(&random) else { return nil }
    let part = bytes[range(span)]
    var result = bytes
    switch kind {
    case 0: result.removeSubrange(range(span))
    case 1: result.insert(contentsOf: part, at: range(span).upperBound)
    case 2:
      guard let other = self.span(&random, labelled: span.label) else { return nil }
      result.replaceSubrange(range(other), with: part)
    default:
      for index in range(span) { result[index] = UInt8(random.choice(upTo: 255)) }
    }
    return Self.trimmed(result)
  }

  /// The bytes with a span of another input, in the place of one with the same label or after it.
  ///
  /// - Returns: `nil` if there are no such two.
  package func crossed(with other: ChoiceMutation, seed: UInt64) -> [UInt8]? {
    var random = Choices(seed: Seed(value: seed))
    guard let span = other.span(&random) else { return nil }
    guard let place = self.span(&random, labelled: span.label) else { return nil }
    let part = other.bytes[other.range(span)]
    var result = bytes
    if random.choice(upTo: 1) == 0 {
      result.replaceSubrange(range(place), with: part)
    } else {
      result.insert(contentsOf: part, at: range(place).upperBound)
    }
    return Self.trimmed(result)
  }

  private func range(_ span: ChoiceSpan) -> Range<Int> {
    offsets[span.start]..<offsets[span.end]
  }

  /// One of the spans that have bytes, of all or of those with a label; `nil` if there is none.
  private func span(_ random: inout Choices, labelled label: String? = nil) -> ChoiceSpan? {
    let spans = drawn.spans.filter { span in
      offsets[span.start] < offsets[span.end] && (label == nil || span.label == label)
    }
    return spans.isEmpty ? nil : random.element(of: spans)
  }

  /// The bytes of a number: of one choice, or of two of 32 bits in a row, which are 64 bits, the upper half
  /// first, as ``Choices/bits64()`` draws them.
  private struct Number {
    let range: Range<Int>
    let isPair: Bool
    /// The largest value of the only choice.
    let limit: UInt32
  }

  private func number(_ random: inout Choices) -> Number? {
    let wide = drawn.recorded.indices.filter { offsets[$0 + 1] - offsets[$0] > 1 }
    let pairs = wide.filter { index in
      index + 1 < drawn.recorded.count && is32Bits(index) && is32Bits(index + 1)
    }
    let isPair = !pairs.isEmpty && random.choice(upTo: 1) > 0
    let places = isPair ? pairs : wide
    guard !places.isEmpty else { return nil }
    let index = random.element(of: places)
    return Number(
      range: offsets[index]..<offsets[isPair ? index + 2 : index + 1],
      isPair: isPair,
      limit: drawn.recorded[index].limit
    )
  }

  /// The bytes with one number changed by `plain`, which gets the whole, least significant byte first, as
  /// a comparison has it.
  private func numberChanged(_ random: inout Choices, by plain: Plain) -> [UInt8]? {
    guard let place = number(&random) else { return nil }
    var number = Array(bytes[place.range])
    if place.isPair { number = Self.halvesSwapped(number) }
    var changed = Array(plain(number, number.count).prefix(number.count))
    changed += Array(repeating: 0, count: number.count - changed.count)
    return replacing(place, by: changed)
  }

  /// The bytes with a number in the place of another: as it is, or, in a choice of a signed number around
  /// zero, by its place in 0, -1, 1, -2, 2 and on.
  private func numberReplaced(_ random: inout Choices, by numbers: [Int64]) -> [UInt8]? {
    guard let place = number(&random) else { return nil }
    let number = random.element(of: numbers)
    var pattern = UInt64(bitPattern: number)
    if !place.isPair, random.choice(upTo: 1) > 0 || number < 0 {
      pattern = UInt64(bitPattern: number << 1 ^ number >> 63)
    }
    guard place.isPair || pattern <= UInt64(place.limit) else { return nil }
    return replacing(
      place,
      by: (0..<place.range.count).map { UInt8(truncatingIfNeeded: pattern >> UInt64(8 * $0)) }
    )
  }

  private func replacing(_ place: Number, by number: [UInt8]) -> [UInt8] {
    var result = bytes
    result.replaceSubrange(place.range, with: place.isPair ? Self.halvesSwapped(number) : number)
    return Self.trimmed(result)
  }

  private func is32Bits(_ index: Int) -> Bool { offsets[index + 1] - offsets[index] == 4 }

  private static func halvesSwapped(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[(bytes.count / 2)...] + bytes[..<(bytes.count / 2)])
  }

  /// The bytes without the zeros at their end, which say nothing.
  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return Array(bytes[..<end])
  }
}
