/// The choices behind one sample: drawn from a source, and recorded as they are drawn.
///
/// A generator draws from it and returns its sample; `recorded` then replays exactly that sample,
/// whatever the source was. There are four sources, and one mapping from a choice to a value:
///
/// | source | a choice in `0...limit` is |
/// |---|---|
/// | seed | pseudo-random, as the bias asks |
/// | replayed values | the next value, at most `limit` |
/// | bytes | the next bytes (see ``init(bytes:)``) modulo `limit + 1` |
/// | exhaustive walk | the walk's prefix, then 0 |
///
/// Worked example: a generator draws `number(in: 5...14)`, then `flag()`. The first choice is how far the
/// number lies above the lower bound; choices are written `value/limit`:
///
///     seed           4/9 1/1      drawn at random and recorded: the sample is 9, yes
///     values 4, 1    4/9 1/1      the same sample again
///     values 12      9/9 0/1      above its limit, and one is missing: 14, no
///     bytes 04 01    4/9 1/1      a byte for each; 0e 03 would be the same, by the remainder
///
/// A source that has run out answers 0, the simplest possibility, and so does every source after
/// ``recordedLimit`` choices: a generator that ends on zeros ends on every input.
package struct Choices: Sendable {
  /// Number of choices that are recorded at most, 8 MiB of memory; those after it are 0.
  package static let recordedLimit = 1 << 20

  /// Every choice drawn so far.
  package private(set) var recorded: [Choice] = []
  /// Every span begun so far, in the order of their starts; an outer span before its inner ones.
  package private(set) var spans: [ChoiceSpan] = []

  /// Ranges of ``recorded`` that were drawn as a preference, ascending; they do not overlap, since of nested
  /// ones the outer counts.
  private(set) var preferences: [Range<Int>] = []

  private enum Source: Sendable {
    case seed
    case replay
    case bytes
  }

  private let source: Source
  private let seed: Seed
  private var random: RandomBits
  private let values: [UInt32]
  private let bytes: [UInt8]
  /// Index of the next byte, at most the number of bytes.
  private var byteOffset = 0
  /// Whether what is drawn is a preference.
  private var isPreference = false
  /// Number of spans that are open.
  private var depth = 0

  /// Draws at random, with bias.
  package init(seed: Seed) {
    self.init(.seed, seed: seed)
    recorded.reserveCapacity(64)
  }

  /// Draws `values` in their order.
  ///
  /// One that is above its limit becomes the limit, and those missing are 0.
  package init(replaying values: [UInt32]) {
    self.init(.replay, values: values)
  }

  /// Draws from a fuzzer's bytes.
  ///
  /// A choice takes as many bytes as its limit has, least significant first (none if the limit
  /// is 0, one up to 255, two up to 65,535, then three and four), and then the remainder modulo
  /// `limit + 1`. Bytes that are missing are 0. A ``preference(_:)`` takes none, and is 0.
  package init(bytes: [UInt8]) {
    self.init(.bytes, bytes: bytes)
  }

  /// What was drawn elsewhere: it replays, and has the spans it had there.
  package init(recorded: [Choice], spans: [ChoiceSpan]) {
    self.init(.replay, values: recorded.map(\.value))
    self.recorded = recorded
    self.spans = spans
  }

  private init(
    _ source: Source,
    seed: Seed = 0,
    values: [UInt32] = [],
    bytes: [UInt8] = []
  ) {
    self.source = source
    self.seed = seed
    self.random = RandomBits(seed: seed)
    self.values = values
    self.bytes = bytes
  }

  /// What makes the same choices again, whatever was drawn so far.
  package enum Origin: Codable, Hashable, Sendable {
    case seed(Seed)
    case values([UInt32])
    case bytes([UInt8])
  }

  /// Where the choices come from.
  package var origin: Origin {
    switch source {
    case .seed: .seed(seed)
    case .replay: .values(values)
    case .bytes: .bytes(bytes)
    }
  }

  /// Whether choices come from the seeded source, the only one that heeds a bias.
  var isSeeded: Bool { source == .seed }

  /// The recorded values, which ``init(replaying:)`` takes.
  package var recordedValues: [UInt32] {
    recorded.map(\.value)
  }

  // MARK: Drawing

  /// Draws one choice in `0...limit` and records it.
  package mutating func choice(upTo limit: UInt32, bias: Bias = .uniform) -> UInt32 {
    guard recorded.count < Self.recordedLimit else { return 0 }
    let value: UInt32
    switch source {
    case .seed:
      if limit == 0 {
        value = 0
      } else if case .uniform = bias {
        value = random.number(upTo: limit)
      } else {
        value = bias.draw(upTo: limit, from: &random)
      }
    case .replay: value = replayed(upTo: limit)
    case .bytes: value = fromBytes(upTo: limit)
    }
    recorded.append(Choice(value: value, limit: limit))
    return value
  }

  /// Draws a yes or no that the seeded source answers with yes at the given chance.
  ///
  /// The chance is in units of 2^-32, `0...2^32`.
  mutating func flag(chance: UInt64) -> Bool {
    guard recorded.count < Self.recordedLimit, isSeeded else { return choice(upTo: 1) == 1 }
    let isTrue = random.next() >> 32 < chance
    recorded.append(Choice(value: isTrue ? 1 : 0, limit: 1))
    return isTrue
  }

  /// Draws one choice in `0...limit`, which the seeded source takes from `draw`.
  mutating func choice(
    upTo limit: UInt32,
    whenSeeded draw: (inout RandomBits) -> UInt32
  ) -> UInt32 {
    guard isSeeded, recorded.count < Self.recordedLimit else { return choice(upTo: limit) }
    let choice = Choice(value: draw(&random), limit: limit)
    recorded.append(choice)
    return choice.value
  }

  /// Draws choices that matter to biases alone, such as which kinds of step a run favours.
  ///
  /// Bytes have no bias: they spend none on such choices, and answer each with 0. A fuzzer that
  /// changes a byte then changes something. Every other source draws them as any choice, so that a
  /// recorded run replays.
  package mutating func preference<Result>(_ draw: (inout Choices) -> Result) -> Result {
    let start = recorded.count
    let isWithinAnother = isPreference
    isPreference = true
    let result = draw(&self)
    isPreference = isWithinAnother
    if !isWithinAnother { preferences.append(start..<recorded.count) }
    return result
  }

  /// Whether a generator gives way to a habit: a toss of the seeded source, which nothing records, and a no of every
  /// other.
  ///
  /// For biases of several choices in a row, such as a run of steps at one place. What is drawn, and in which limits,
  /// must not depend on the answer: then a recorded run replays, and shrinks, without it.
  package mutating func leans(percent: Int) -> Bool {
    isSeeded && Int(random.number(upTo: 99)) < percent
  }

  private func replayed(upTo limit: UInt32) -> UInt32 {
    recorded.count < values.count ? min(values[recorded.count], limit) : 0
  }

  private mutating func fromBytes(upTo limit: UInt32) -> UInt32 {
    guard !isPreference else { return 0 }
    var value: UInt64 = 0
    for position in 0..<Choice.byteCount(upTo: limit) where byteOffset < bytes.count {
      value |= UInt64(bytes[byteOffset]) << UInt64(8 * position)
      byteOffset += 1
    }
    return UInt32(truncatingIfNeeded: value % (UInt64(limit) + 1))
  }

  // MARK: Spans

  /// Opens a span at the next choice and returns its index in ``spans``.
  ///
  /// For callers whose items do not nest as functions do, such as containers of a decoder: spans must
  /// still be closed in the opposite order of their opening.
  @usableFromInline
  package mutating func beginSpan(_ label: String) -> Int {
    let start = recorded.count
    spans.append(ChoiceSpan(label: label, start: start, end: start, depth: depth))
    depth += 1
    return spans.count - 1
  }

  /// Closes the span with this index.
  @usableFromInline
  package mutating func endSpan(_ index: Int) {
    spans[index].end = recorded.count
    depth -= 1
  }

  /// Takes back the newest span, which has no inner spans; its choices stay.
  @usableFromInline
  package mutating func discardSpan(_ index: Int) {
    precondition(index == spans.count - 1, "span \(index) is not the newest of \(spans.count)")
    spans.removeLast()
    depth -= 1
  }
}
